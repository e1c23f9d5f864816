"""Running the server: the first token, the processes, and an end that loses nothing."""

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from logging.handlers import RotatingFileHandler
from multiprocessing import get_context, parent_process
from multiprocessing.context import SpawnContext
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import uvicorn

from commonplace.book import Commonplace
from commonplace.errors import CommonplaceError, Invalid, SettingsError
from commonplace.interfaces import tracing, web
from commonplace.interfaces.hooks.server import listen
from commonplace.interfaces.rest.application import Together, app
from commonplace.interfaces.rest.gate import JsonLines
from commonplace.interfaces.rest.limiting import Counters
from commonplace.interfaces.rest.oidc import issuer
from commonplace.interfaces.rest.service import Service, Verifier
from commonplace.interfaces.rest.timeouts import TimedProtocol
from commonplace.notebook.notebook import Notebook
from commonplace.notebook.sync import Synced
from commonplace.notebook.watch import watcher
from commonplace.runtime import Parts, open_parts
from commonplace.security.tokens import Accounts, NotSignedIn
from commonplace.settings import Settings
from commonplace.upkeep.schedule import Round, watch
from commonplace.workplace import DEFAULT, namespace_for

LOG = logging.getLogger("commonplace.rest")
EVERY = 10
"""Seconds between two looks for background work."""
BACKLOG = 1024
PATIENCE = 15
"""Seconds that open requests get to finish when the server is told to stop."""
LOOPBACK = ("127.0.0.1", "::1", "localhost")
TOKEN_FILE, LOG_FILE = "server.token", "server.log"
LOG_BYTES = 10_000_000


def serve(settings: Settings, *, host: str | None = None, port: int | None = None, workers: int = 1) -> None:
    """Serve the book until told to stop. Raises ``Invalid`` for several workers on SQLite."""
    host, port = host or settings.host, settings.port if port is None else port
    if workers < 1:
        raise Invalid("a server has at least one worker")
    parts = open_parts(None, settings)
    try:
        if workers > 1 and parts.store.engine == "sqlite":
            raise Invalid("several workers need PostgreSQL; a SQLite book is served by one process")
        link = sign_in_link(parts) if host in LOOPBACK else None
    finally:
        parts.close()
    sockets = [bound(host, port)]
    _greet(host, sockets[0].getsockname()[1], link, settings)
    if workers == 1:
        run(settings, host, sockets, hooks=host in LOOPBACK)
        return
    # Keep this many processes running on the same sockets; a signal ends them all, each after its open requests.
    context = get_context("spawn")
    with TemporaryDirectory(prefix="commonplace-") as folder:
        _supervise(context, (settings, host, sockets, Together(Counters(context), Path(folder))), workers)


def bound(host: str, port: int) -> socket.socket:
    """A socket that already listens, so that a browser that follows the printed link waits instead of being refused.

    Made as TCP by name: asyncio switches Nagle's delay off only on sockets that say so, and without that every answer
    takes 40 ms longer. Raises ``Invalid`` if the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as fault:
        listener.close()
        raise Invalid(f"cannot listen on {host} port {port}: {fault.strerror}; choose another with --port") from fault
    listener.listen(BACKLOG)
    listener.set_inheritable(True)
    return listener


def run(
    settings: Settings, host: str, sockets: list[Any], together: Together | None = None, *, hooks: bool = False
) -> None:
    """One process of the server, on sockets that are already bound; with ``hooks`` it also answers coding agents'."""
    write_logs(settings)
    if settings.trace_endpoint:
        tracing.send_to(settings.trace_endpoint)
    parts = open_parts(None, settings)
    listener = listen(parts) if hooks else None
    watching = watcher(_notebook(parts), _picked_up) if hooks else None
    try:
        fast_api = app(parts, issuer=oidc(settings), host=host, together=together)
        service: Service = fast_api.state.service
        keeper = threading.Thread(target=_keep_up, args=(parts, service.stopping), name="maintenance")
        if settings.maintenance:
            keeper.start()
        server = Server(_config(host, 0, fast_api, settings.trusted_proxies), service)
        _end_with_supervisor(server)
        server.run(sockets=sockets)
        service.stopping.set()
        if keeper.ident is not None:
            keeper.join()  # the job in hand is finished, and the lease given back
    finally:
        for beside in (listener, watching):
            if beside is not None:
                beside.close()
        parts.close()


def _end_with_supervisor(server: "Server") -> None:
    """A worker ends after its open requests when the process that started it is gone, as if it had been told to."""
    supervisor = parent_process()
    if supervisor is None:
        return

    def wait() -> None:
        supervisor.join()
        server.handle_exit(signal.SIGTERM, None)

    threading.Thread(target=wait, name="supervisor", daemon=True).start()


def _notebook(parts: Parts) -> Notebook:
    """That of the folder the server was started in; whether there is one is seen later."""
    owner = parts.settings.owner
    place = namespace_for(Path.cwd(), parts.settings, parts.scope(owner, DEFAULT).has_namespace)
    return Commonplace(parts, parts.scope(owner, place.namespace)).notebook


def _picked_up(synced: Synced | CommonplaceError) -> None:
    if isinstance(synced, CommonplaceError):
        LOG.error("the notebook cannot be read in", extra={"fault": type(synced).__name__})
        return
    LOG.info("the notebook was edited", extra={"count": len(synced.added) + len(synced.changed) + len(synced.moved)})


def _keep_up(parts: Parts, stop: threading.Event) -> None:
    """Do what waits and tidy, in the process that holds the lease."""

    def told(result: Round | CommonplaceError) -> None:
        if isinstance(result, CommonplaceError):
            LOG.error("maintenance failed", extra={"fault": type(result).__name__})
            return
        for note in result.notes if (result.figures or {}).get("failed") else ():
            LOG.warning("maintenance", extra={"fault": note})
        if result.jobs or result.reports:
            LOG.info("maintenance", extra={"count": result.jobs + len(result.reports)})

    watch(parts, stop, seconds=EVERY, told=told)


def _supervise(context: SpawnContext, arguments: tuple[Any, ...], workers: int) -> None:
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())

    def started() -> Any:
        process = context.Process(target=run, args=arguments)
        process.start()
        return process

    running = [started() for _ in range(workers)]
    while not stop.wait(0.5):
        running = [process if process.is_alive() else started() for process in running]
    for process in running:
        process.terminate()
    for worker in running:
        worker.join(PATIENCE + 5)


class Server(uvicorn.Server):
    """Tells streams to end as soon as the signal comes; otherwise each would be waited for."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Not uvicorn's own, which raises the signal again at the end: a server that was told to stop exits with 0."""
        self._service.stopping.set()
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def oidc(settings: Settings) -> Verifier | None:
    if settings.oidc_issuer is None:
        return None
    if settings.oidc_audience is None:
        raise SettingsError("oidc_issuer is set, and oidc_audience is not: tokens for other services would be accepted")
    return issuer(settings.oidc_issuer, settings.oidc_audience, settings.jwks_url)


def first_token(parts: Parts) -> str:
    """The token of the person at this machine, in a file that only they can read; made on the first start."""
    path = parts.settings.home / TOKEN_FILE
    accounts = Accounts(parts.store, parts.keychain, parts.clock)
    if path.is_file():
        secret = path.read_text("utf-8").strip()
        try:
            if accounts.verify(secret).owner == parts.settings.owner:
                return secret
        except NotSignedIn:
            pass  # revoked, or of another book: a new one takes its place
    issued = accounts.issue(parts.settings.owner, name="this machine", scope="admin", person=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(issued.secret + "\n")
    return issued.secret


def sign_in_link(parts: Parts) -> str:
    """The secret of a link that signs in for the next hour; the lasting token is only in its file, never in a log."""
    first_token(parts)
    return Accounts(parts.store, parts.keychain, parts.clock).sign_in_link(parts.settings.owner)


def log_path(settings: Settings) -> Path | None:
    """Where the log goes: the file that is set, else a file if a person watches the terminal, else standard error."""
    return settings.log_file or (settings.home / LOG_FILE if sys.stderr.isatty() else None)


def write_logs(settings: Settings) -> None:
    """JSON lines, for us and for the libraries beneath, without anybody's words."""
    path = log_path(settings)
    handler: logging.Handler = logging.StreamHandler(sys.stderr)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=settings.log_level, handlers=[handler], force=True)
    for library in ("uvicorn.error", "mcp"):
        # what they say while all is well is only words, and words are left out
        logging.getLogger(library).setLevel(max(logging.WARNING, logging.getLogger().level))


def _config(host: str, port: int, application: Any = None, proxies: Sequence[str] = ()) -> uvicorn.Config:
    return uvicorn.Config(
        application,
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=PATIENCE,
        timeout_keep_alive=30,
        http=TimedProtocol,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
    )


def _greet(host: str, port: int, link: str | None, settings: Settings) -> None:
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    lines = [f"Commonplace is running at {address}"]
    if not web.is_built():
        lines.append(f"Page:     {web.MISSING}")
        if link is not None:
            lines.append(f"Token:    {settings.home / TOKEN_FILE}, for the API under {address}/v1")
    elif link is not None:
        lines += [
            f"Sign in:  {address}/#token={link}",
            f"          The link works for one hour. After that use the token in {settings.home / TOKEN_FILE}.",
        ]
    if (log := log_path(settings)) is not None:
        lines.append(f"Log:      {log}")
    if sys.stdout.isatty():
        lines.append("Stop with Ctrl-C.")
    print("\n".join(lines), flush=True)
