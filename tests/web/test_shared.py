"""Shared namespaces on the page: invite, read the rule, join, roles, leave, and who said what."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from commonplace.security.tokens import Accounts

from .conftest import Opener, Site


def open_shared(browse: Opener, site: Site, **options: Any) -> Any:
    return browse("#/shared", on=site, **options)


def code_of(page: Any) -> str:
    """The code of the invitation that the dialog shows."""
    text: str = page.get_by_role("dialog", name="Invitation code").get_by_role("region", name="Code").inner_text()
    return text.strip()


def share(page: Any, name: str, person: str, role: str = "writer") -> str:
    page.get_by_role("button", name="Share a namespace").click()
    dialog = page.get_by_role("dialog", name="Share a namespace")
    dialog.get_by_label("Namespace").fill(name)
    dialog.get_by_label("Person (optional)").fill(person)
    dialog.get_by_role("radio", name=role, exact=True).check()
    dialog.get_by_label("What a member wrote is forgotten when they leave.").check()
    dialog.get_by_role("button", name="Create invitation").click()
    code = code_of(page)
    page.get_by_role("dialog", name="Invitation code").get_by_role("button", name="Close", exact=True).last.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    return code


def test_a_namespace_is_shared_joined_after_reading_the_rule_and_left(
    site: Site, browse: Opener, axe: Callable[..., list[str]]
) -> None:
    ben = site.another(f"ben-{site.owner}")
    site.at("launch").remember("The launch is on Friday.")
    page = open_shared(browse, site)
    expect(page.get_by_text("Nothing is shared yet")).to_be_visible()
    code = share(page, "launch", ben.owner)
    card = page.get_by_role("region", name="launch")
    expect(card.get_by_role("region", name="Open invitations")).to_contain_text(ben.owner)
    assert axe(page) == []

    other = open_shared(browse, ben, errors=True)
    other.get_by_role("button", name="Join with a code").click()
    dialog = other.get_by_role("dialog", name="Join with a code")
    dialog.get_by_label("Invitation code").fill("abc")
    dialog.get_by_role("button", name="Show the offer").click()
    expect(dialog.get_by_role("alert")).to_contain_text("not an invitation code")
    dialog.get_by_label("Invitation code").fill(code)
    dialog.get_by_role("button", name="Show the offer").click()
    offer = dialog.get_by_role("status")
    expect(offer).to_contain_text(f"launch by {site.owner}. Your role: writer.")
    expect(offer).to_contain_text("What a member wrote is forgotten when they leave.")
    assert ben.book.sharing.list() == [], "nothing is joined before the offer was read"
    assert axe(other) == []
    dialog.get_by_role("button", name="Join", exact=True).click()
    expect(other.get_by_role("region", name="launch").get_by_role("row", name=ben.owner)).to_contain_text("You")

    page.reload()
    card.get_by_label(f"Role of {ben.owner}").select_option("reader")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert {member.role for member in site.book.sharing.get("launch").members} == {"admin", "reader"}
    card.get_by_text("Audit").click()
    expect(card.get_by_role("row", name="role changed")).to_contain_text("You")
    expect(card.get_by_role("row", name="joined").first).to_contain_text(ben.owner)
    card.get_by_role("button", name="Transfer").click()
    page.get_by_role("dialog").get_by_role("button", name="Transfer").click()
    expect(card.get_by_role("row", name=f"{site.owner} You")).to_contain_text("writer")
    card.get_by_role("button", name="Leave").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(page.get_by_text("Nothing is shared yet")).to_be_visible()
    assert [member.person for member in ben.book.sharing.get("launch").members] == [ben.owner]


def test_an_invitation_is_withdrawn_and_a_member_removed(site: Site, browse: Opener) -> None:
    ben = site.another(f"ben-{site.owner}")
    ben.book.sharing.join(str(site.book.sharing.share("team", person=ben.owner).code))
    code = str(site.book.sharing.share("team").code)
    page = open_shared(browse, site, viewport={"width": 390, "height": 844})
    card = page.get_by_role("region", name="team")
    invitations = card.get_by_role("region", name="Open invitations")
    expect(invitations).to_contain_text("Anyone with the code")
    invitations.get_by_role("button", name="Withdraw").click()
    expect(invitations).to_have_count(0)
    card.get_by_role("button", name=f"Remove {ben.owner}").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(card.get_by_role("row", name=ben.owner)).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    left = open_shared(browse, ben, errors=True)
    expect(left.get_by_text("You are no longer a member")).to_be_visible()
    left.get_by_role("button", name="Join with a code").click()
    dialog = left.get_by_role("dialog")
    dialog.get_by_label("Invitation code").fill(code)
    dialog.get_by_role("button", name="Show the offer").click()
    expect(dialog.get_by_role("alert")).to_contain_text("used, withdrawn or has expired")
    left.keyboard.press("Escape")
    left.get_by_role("button", name="Remove from my list").click()
    left.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(left.get_by_text("Nothing is shared yet")).to_be_visible()


def test_lines_of_a_shared_namespace_say_who_said_them(site: Site, browse: Opener) -> None:
    ben = site.another(f"ben-{site.owner}")
    ben.book.sharing.join(str(site.book.sharing.share("team").code))
    ben.at("team").remember("The demo laptop is in the blue bag.")
    site.at("team").remember("The projector is in room four.")
    page = browse("#/?q=demo+laptop")
    hit = page.locator(".hits > li", has_text="blue bag")
    expect(hit).to_contain_text(ben.owner)
    expect(hit).to_contain_text("team")
    page.goto(f"{site.url}/#/agent")
    page.get_by_label("Prompt").fill("where is the demo laptop?")
    line = page.locator(".lines > li", has_text="blue bag")
    expect(line).to_contain_text(ben.owner)
    line.get_by_role("link").click()
    expect(page.locator(".memory-text.big")).to_have_text("The demo laptop is in the blue bag.")
    expect(page.get_by_role("combobox", name="Namespace")).to_have_value("team")
    rows = page.get_by_role("list", name="Memories").get_by_role("listitem")
    expect(rows.filter(has_text="projector")).to_contain_text("You")
    expect(rows.filter(has_text="blue bag")).to_contain_text(ben.owner)


def test_what_others_write_appears_and_what_is_no_longer_shared_goes_at_once(site: Site, browse: Opener) -> None:
    ben = site.another(f"ben-{site.owner}")
    ben.book.sharing.join(str(site.book.sharing.share("team").code))
    site.at("team").remember("The projector is in room four.")
    page = browse("#/?q=projector", on=ben, errors=True)
    hits = page.locator(".hits > li")
    expect(hits.filter(has_text="room four")).to_be_visible()
    site.at("team").remember("The projector needs a new lamp.")
    expect(hits.filter(has_text="new lamp")).to_be_visible()
    page.goto(f"{site.url}/#/memories")
    page.get_by_role("combobox", name="Namespace").select_option("team")
    expect(page.get_by_role("button", name="Facts 2")).to_be_visible()
    expect(page.get_by_text("room four")).to_be_visible()
    site.book.sharing.remove("team", ben.owner)
    expect(page.get_by_text("room four")).to_have_count(0)
    expect(page.get_by_text("You are not a member of this namespace.")).to_be_visible()


def test_a_suggestion_says_which_member_made_it(site: Site, browse: Opener) -> None:
    ben = site.another(f"ben-{site.owner}")
    ben.book.sharing.join(str(site.book.sharing.share("team").code))
    id = str(site.at("team").remember("The ferry leaves at nine.").id)
    ben.at("team").revise(id, "The ferry leaves at ten.")
    page = browse("#/review")
    card = page.get_by_role("group", name="Suggestion")
    expect(card).to_contain_text(f"Suggested by {ben.owner}: change the text")
    expect(card.locator("del")).to_have_text("nine")
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("All caught up")).to_be_visible()
    assert ben.at("team").get(id).text == "The ferry leaves at ten."


def test_a_smaller_plan_says_so(site: Site, browse: Opener) -> None:
    Accounts(site.parts.store, site.parts.keychain, site.parts.clock).set_owner(site.owner, plan="pro")
    page = open_shared(browse, site)
    expect(page.get_by_text("Sharing is part of the plan “team”.")).to_be_visible()
    expect(page.get_by_role("button", name="Share a namespace")).to_have_count(0)
