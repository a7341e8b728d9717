"""`python -m pincite`: the command line."""

import sys

from pincite.cli.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
