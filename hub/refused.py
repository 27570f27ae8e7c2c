"""The answer to a director whose wish cannot be granted now."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818 - an answer to a person, not an error
    """Nothing has changed. The text is a code for which the pages have words (`refused_...`)."""
