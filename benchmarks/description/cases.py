"""All cases, in the rounds in which they were written."""

from benchmarks.description.eighth import CASES as EIGHTH
from benchmarks.description.eleventh import CASES as ELEVENTH
from benchmarks.description.fifteenth import CASES as FIFTEENTH
from benchmarks.description.fifth import CASES as FIFTH
from benchmarks.description.first import CASES as FIRST
from benchmarks.description.fourteenth import CASES as FOURTEENTH
from benchmarks.description.fourth import CASES as FOURTH
from benchmarks.description.ninth import CASES as NINTH
from benchmarks.description.second import CASES as SECOND
from benchmarks.description.seventeenth import CASES as SEVENTEENTH
from benchmarks.description.seventh import CASES as SEVENTH
from benchmarks.description.sixteenth import CASES as SIXTEENTH
from benchmarks.description.sixth import CASES as SIXTH
from benchmarks.description.tenth import CASES as TENTH
from benchmarks.description.third import CASES as THIRD
from benchmarks.description.thirteenth import CASES as THIRTEENTH
from benchmarks.description.twelfth import CASES as TWELFTH

CASES = (
    *(FIRST + SECOND + THIRD + FOURTH + FIFTH + SIXTH + SEVENTH + EIGHTH + NINTH + TENTH),
    *(ELEVENTH + TWELFTH + THIRTEENTH + FOURTEENTH + FIFTEENTH + SIXTEENTH + SEVENTEENTH),
)
