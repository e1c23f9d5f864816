"""Import from other programs: read leniently, stored through the gateway, never twice."""

from commonplace.interfaces.importers.formats import FORMATS, guess
from commonplace.interfaces.importers.found import Problem
from commonplace.interfaces.importers.load import Imported, bring_in

__all__ = ["FORMATS", "Imported", "Problem", "bring_in", "guess"]
