"""Recorded hands are not ours to ship: they are played only where `BOTTONE_PHH_DIR` names a folder of them."""

import os

collect_ignore = [] if os.environ.get("BOTTONE_PHH_DIR") else ["test_recorded_hands.py"]
