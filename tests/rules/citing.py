"""How a plain test says which articles it shows, where a hand script cannot say it.

    @article("lifeclub:3.b", "tda:8-A")
    def test_nobody_enters_after_level_three(...): ...

The mark does nothing when the test runs: `deploy.rules_docs` reads it from the text of the file, for the pages under
`docs/rules/` and for the check that every enforced or detected article is shown. Write the numbers out, as texts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Test = TypeVar("Test")


def article(*citations: str) -> Callable[[Test], Test]:
    """This test (or class of tests) shows these articles, each `book:number`."""
    assert citations, "name an article: book:number"
    return lambda test: test
