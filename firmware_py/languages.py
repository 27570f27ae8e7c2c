"""The languages of the prompt display."""

from __future__ import annotations

from firmware_py.english import EN
from firmware_py.italian import IT

LANGUAGES = {"it": IT, "en": EN}
