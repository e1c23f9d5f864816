"""Calls that a type checker accepts. Checked by tests/test_typed.py, never run."""

from datetime import UTC, datetime

from commonplace import AsyncCommonplace, Commonplace, Message, Query, Receipt, Settings
from commonplace.model import Hit, Memory
from commonplace.protocol import Book
from commonplace.remote import RemoteBook


def local(book: Commonplace) -> None:
    receipt: Receipt = book.remember("x", kind="core", key="name", tags=["a"], pinned=True)
    hits: list[Hit] = book.recall("x", limit=3, kinds=["core"], since=datetime.now(UTC), explain=True)
    book.recall(Query(text="x"))
    memories: list[Memory] = book.browse(categories=("fact",), statuses=["verified"], newest=False)
    book.revise(hits[0].memory.id, "y", reason="z", importance=0.5, tags=["b"])
    text: str = book.context("x", tokens=500, session="monday", guidance=True, skip=[memories[0].id])
    book.observe([Message("hello"), {"role": "user", "content": "x"}, text])
    book.core.set("name", "Ada", category="preference")
    book.graph.revise("id", confidence=0.5)
    book.directives.revise("id", title="x", status="active")
    book.undo(receipt)


async def asynchronous() -> None:
    async with AsyncCommonplace.open(owner="ada", settings=Settings()) as book:
        receipt: Receipt = await book.remember("x", category="fact")
        hits: list[Hit] = await book.recall("x", tags=["a"])
        memory: Memory = await book.core.get("name")
        await book.review.decide(memory.id, "approve")
        await book.undo(receipt)
        print(hits)


def remote(book: RemoteBook) -> None:
    book.remember("x", category="fact")
    hits: list[Hit] = book.recall("x", kinds=["core"])
    receipt: Receipt = book.confirm(hits[0].memory.id, expected=1)
    book.glossary.create("travel", synonyms=["trips"])
    book.undo(receipt)
    anywhere(book)


def anywhere(book: Book) -> None:
    receipt: Receipt = book.remember("x", category="fact")
    hits: list[Hit] = book.within("work").recall("x", kinds=["core"])
    book.forget(hits[0].memory.id)
    book.graph.revise("id", confidence=0.5)
    with Commonplace.open() as here:
        anywhere(here)
    book.undo(receipt)
