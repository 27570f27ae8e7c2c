"""What a hand waits for, and its streets, as plain names of one module.

In Python 3.11 a member looked up through its enum's class costs a dozen times what a module's attribute does, and the
rules ask for these at every press and at every card.
"""

from __future__ import annotations

from engine.view import Due, Street

HOLE_CARDS, ACTION, BURN, BOARD = Due.HOLE_CARDS, Due.ACTION, Due.BURN, Due.BOARD
SHOW, AWARD, NEXT_HAND, FLOOR = Due.SHOW, Due.AWARD, Due.NEXT_HAND, Due.FLOOR
PREFLOP, RIVER, SHOWDOWN, OVER = Street.PREFLOP, Street.RIVER, Street.SHOWDOWN, Street.OVER
