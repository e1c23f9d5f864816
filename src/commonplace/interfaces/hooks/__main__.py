"""``python -m commonplace.interfaces.hooks EVENT``, where the script is not on the path."""

import sys

from commonplace.interfaces.hooks import main

sys.exit(main())
