"""Calls that a type checker refuses: one error in each line marked `# wrong`, and in no other. Never run."""

from commonplace import AsyncCommonplace, Commonplace
from commonplace.protocol import Book
from commonplace.remote import RemoteBook


def local(book: Commonplace) -> None:
    book.recall("x", kindz=["core"])  # wrong
    book.recall("x", kinds=["corey"])  # wrong
    book.recall("x", limit="many")  # wrong
    book.browse(catgories=["fact"])  # wrong
    book.browse(newest="yes")  # wrong
    book.remember("x", catgory="fact")  # wrong
    book.remember("x", category="facts")  # wrong
    book.remember("x", importance="high")  # wrong
    book.remember()  # wrong
    book.revise("id", "x", importanc=0.5)  # wrong
    book.revise("id", "x", tags=5)  # wrong
    book.context("x", token=500)  # wrong
    book.context("x", guidance="yes")  # wrong
    book.relations("a", depth=2)  # wrong
    book.forget(query=5)  # wrong
    book.core.set("name")  # wrong
    book.core.set("name", "Ada", kategory="fact")  # wrong
    book.graph.revise("id", importance=0.5)  # wrong
    book.directives.revise("id", titel="x")  # wrong


async def asynchronous(book: AsyncCommonplace) -> None:
    await book.remember(1, 2, 3, wrong=True)  # wrong
    await book.remember("x", catgory="fact")  # wrong
    await book.recall("x", kindz=["core"])  # wrong
    await book.browse(catgories=["fact"])  # wrong
    await book.context("x", token=500)  # wrong
    await book.revise("id", "x", importanc=0.5)  # wrong
    await book.core.set("name")  # wrong
    await book.review.decide("id", verdict="approve")  # wrong
    await book.jobs.list(state="dead")  # wrong
    await book.nothing()  # wrong
    AsyncCommonplace.open(onwer="ada")  # wrong


def remote(book: RemoteBook) -> None:
    book.remember("x", catgory="fact")  # wrong
    book.recall("x", kindz=["core"])  # wrong
    book.browse(catgories=["fact"])  # wrong
    book.revise("id", "x", importanc=0.5)  # wrong
    book.context("x", token=500)  # wrong
    book.confirm("id", expect=1)  # wrong
    book.glossary.create("travel", synonym="trips")  # wrong
    book.directives.add_step("id")  # wrong
    book.walk(depth=2)  # wrong


def anywhere(book: Book) -> None:
    book.remember("x", catgory="fact")  # wrong
    book.recall("x", kindz=["core"])  # wrong
    book.core.set("name")  # wrong
    book.nothing()  # wrong
