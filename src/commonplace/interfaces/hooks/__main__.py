"""``python -m commonplace.interfaces.hooks EVENT``, where the script is not on the path."""

from commonplace.interfaces.hooks import program

program()
