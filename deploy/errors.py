"""What a command says when it cannot do what was asked."""

from __future__ import annotations


class WrongUse(Exception):  # noqa: N818 - it is the person's mistake, not the program's error
    """The command cannot run as it was called. The message is one line and says what to do; exit status 2."""
