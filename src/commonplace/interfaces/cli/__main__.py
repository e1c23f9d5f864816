"""``python -m commonplace.interfaces.cli``, where the script is not on the path."""

import sys

from commonplace.interfaces.cli.dispatch import main

sys.exit(main())
