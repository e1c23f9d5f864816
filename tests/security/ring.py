"""A keyring in memory that keeps the port's promise of compare-and-set, for tests of the keychain itself."""

from collections.abc import Sequence


class MemoryRing:
    def __init__(self) -> None:
        self.records: dict[str, bytes] = {}

    def get(self, owner: str) -> bytes | None:
        return self.records.get(owner)

    def get_all(self, owners: Sequence[str]) -> list[bytes | None]:
        return [self.records.get(owner) for owner in owners]

    def put(self, owner: str, record: bytes, *, expected: bytes | None, shred: bool = False) -> bool:
        if self.records.get(owner) != expected:
            return False
        self.records[owner] = record
        return True

    def drop(self, owner: str) -> None:
        self.records.pop(owner, None)

    def owners(self) -> list[str]:
        return sorted(self.records)
