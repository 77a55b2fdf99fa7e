"""`python -m cellwright`: the command `cellwright`, for the Python that is named."""

import sys

from cellwright.console.command_line import main

if __name__ == "__main__":
    sys.exit(main())
