"""Write book-schema-N.tar.gz with the code as it is now: run before a migration is added, never for an old schema."""

import sys
import tarfile
import tempfile
from pathlib import Path

from commonplace import Commonplace, Message, Settings
from commonplace.store import migrate

with tempfile.TemporaryDirectory() as folder:
    home = Path(folder)
    with Commonplace.open(f"sqlite:///{home}/book.db", owner="ada", settings=Settings(home=home)) as book:
        preference = book.remember("Ada prefers trains to planes", category="preference", tags=["travel"])
        book.revise(preference.id, "Ada prefers night trains to planes", reason="said so")
        book.observe([Message("My manager is Marco, and I moved to Turin in May.", speaker="Ada")], session="s1")
        book.core.set("city", "Turin")
        book.relate("Ada", "reports_to", "Marco", subject_type="person", object_type="person")
        book.forget(book.remember("The locker code is 4471").id)
    target = Path(__file__).with_name(f"book-schema-{migrate.known('sqlite')}.tar.gz")
    with tarfile.open(target, "w:gz") as archive:
        for path in sorted(home.glob("[bm]*")):
            if path.suffix != ".lock":
                archive.add(path, path.name)
    sys.stdout.write(f"{target.name} {target.stat().st_size}\n")
