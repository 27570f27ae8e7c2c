"""Hand scripts (`.hand`): one situation at a table, and what the rulebook makes of it, as a dealer would write it down.

`lines` holds the records of a script, `parse` reads the text, `play` gives the inputs to the rules and compares every
outcome and check with what the script says. Nothing here reads a file: whoever calls brings the text and its name.
"""
