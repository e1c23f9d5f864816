"""Namespaces shared with other people. Only a person's token changes who is a member."""

from fastapi import APIRouter
from starlette.responses import Response

from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed
from commonplace.interfaces.rest.call import Read, Write

router = APIRouter(prefix="/v1", tags=["sharing"])


@router.get("/shared", response_model=shapes.page_of(shapes.SharedNamespace, "SharedNamespace"))
def list_shared_namespaces(call: Read) -> Response:
    """The shared namespaces of the person, with their members."""
    return listed(call.whole.sharing.list())


@router.post("/shared", status_code=201, response_model=shapes.Invitation)
def share_namespace(body: shapes.NewInvitation, call: Write) -> Response:
    """Invite a person to a namespace; the answer holds the code that lets them in."""
    call.need_person("sharing a namespace")
    return Json(call.whole.sharing.share(**body.model_dump()), 201)


@router.post("/shared/preview", response_model=shapes.Invitation)
def preview_invitation(body: shapes.InvitationCode, call: Read) -> Response:
    """What an invitation offers: the namespace, the role, and what becomes of one's memories when one leaves."""
    return Json(call.whole.sharing.preview(body.code))


@router.post("/shared/join", response_model=shapes.SharedNamespace)
def join_shared_namespace(body: shapes.InvitationCode, call: Write) -> Response:
    call.need_person("joining a shared namespace")
    return Json(call.whole.sharing.join(body.code))


@router.get("/shared/{name}", response_model=shapes.SharedNamespace)
def get_shared_namespace(name: str, call: Read) -> Response:
    return Json(call.whole.sharing.get(name))


@router.post("/shared/{name}/leave", response_model=shapes.Receipt)
def leave_shared_namespace(name: str, call: Write) -> Response:
    call.need_person("leaving a shared namespace")
    return Json(call.whole.sharing.leave(name))


@router.patch("/shared/{name}/members/{person}", response_model=shapes.SharedNamespace)
def change_role(name: str, person: str, body: shapes.NewRole, call: Write) -> Response:
    """Give a member another role; only for an admin."""
    call.need_person("changing a role")
    return Json(call.whole.sharing.set_role(name, person, body.role))


@router.delete("/shared/{name}/members/{person}", response_model=shapes.SharedNamespace)
def remove_member(name: str, person: str, call: Write) -> Response:
    """End a membership; only for an admin."""
    call.need_person("removing a member")
    return Json(call.whole.sharing.remove(name, person))


@router.delete("/shared/{name}/invitations/{invitation}", response_model=shapes.SharedNamespace)
def withdraw_invitation(name: str, invitation: str, call: Write) -> Response:
    """End an open invitation, by its id or its code; only for an admin."""
    call.need_person("withdrawing an invitation")
    return Json(call.whole.sharing.withdraw(name, invitation))


@router.post("/shared/{name}/transfer", response_model=shapes.SharedNamespace)
def transfer_shared_namespace(name: str, body: shapes.NewAdmin, call: Write) -> Response:
    """Make another member the admin and become a writer."""
    call.need_person("handing over a namespace")
    return Json(call.whole.sharing.transfer(name, body.person))


@router.delete("/shared/{name}", response_model=shapes.Receipt)
def erase_shared_namespace(name: str, call: Write) -> Response:
    """Erase it for everybody; needs an admin, a person's token and ``X-Confirm: true``."""
    call.confirm("erasing a shared namespace")
    return Json(call.whole.sharing.delete(name))
