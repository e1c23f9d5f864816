"""Write the book file of the present schema: run once per release, never again for an old one."""

import gzip
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from test_isolation import fill

from commonplace.store import migrate
from commonplace.store.open import open_store

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "book.db"
    store = open_store(path)
    with store.write("ada") as tx:
        fill(tx)
    store.close()
    target = Path(__file__).parent / f"schema-{migrate.known('sqlite')}.db.gz"
    target.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    print(target.name, target.stat().st_size)
