"""`python -m deploy ...` is `bottone ...`, for child processes of the same interpreter."""

import sys

from deploy.cli import main

sys.exit(main())
