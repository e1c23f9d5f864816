"""One frozen Settings; the only reader of the environment and of commonplace.toml.

A value given in code wins over the environment, which wins over the project's ``commonplace.toml``, which wins over the
person's own file, which wins over the default. A project's file travels with a repository that somebody else may have
written, so it may only set what cannot send data elsewhere, run a command or destroy anything (``project=True``). Its
namespace and unusual paths need a person's approval (`commonplace trust`).

Hooks import this module on every prompt: standard library only.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple

from commonplace import system
from commonplace.errors import SettingsError
from commonplace.repository import LONGEST, find_repository
from commonplace.trust import Registry, same_name, settings_digest

PREFIX = "COMMONPLACE_"
PROJECT_FILE = "commonplace.toml"
PLANS = ("free", "pro", "power", "team")

_SCHEMES = ("sqlite:///", "postgresql://", "postgres://", "http://", "https://")
_USERINFO = re.compile(r"(?<=://)\S*@")  # to the last @: people put @ and / into passwords
_ON, _OFF = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


def setting(
    default: Any,
    help: str,
    *,
    secret: bool = False,
    project: bool = False,
    minimum: float | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """A field of Settings. Docs and `doctor` show ``help``; the value of a ``secret`` is never shown."""
    metadata = {"help": help, "secret": secret, "project": project, "minimum": minimum, "choices": choices}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, repr=not secret, metadata=metadata)


def _internal(default: Any) -> Any:
    """A field that is not a setting."""
    options: dict[str, Any] = {"repr": False, "compare": False, "metadata": {"internal": True}}
    return field(default_factory=dict, **options) if default == {} else field(default=default, **options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings. ``Settings()`` has only the defaults; `Settings.load` reads files and the environment."""

    # Book and owner
    url: str | None = field(
        default=None,
        repr=False,
        metadata={
            "help": "Book address: sqlite:///path, postgresql://…, or https://… of a server; unset: your own book."
        },
    )
    home: Path = field(
        default_factory=lambda: data_folder(os.environ),
        metadata={"help": "Folder of your own book, keys and sockets; unset: the platform's data folder."},
    )
    owner: str = setting("me", "The owner of the memories.")
    namespace: str | None = setting(None, "The workspace; unset: the repository, else `default`.", project=True)
    token: str | None = setting(None, "Bearer token for a remote book.", secret=True)
    sync_key: str | None = setting(
        None, "Key of synced folders and private namespaces; use the same key on all your machines.", secret=True
    )
    plan: str = setting("team", "Plan of owners that have no plan of their own.", choices=PLANS)

    # Keys
    master_key: str | None = setting(None, "The master key itself, base64.", secret=True)
    key_command: str | None = setting(None, "A command that prints the master key.")
    key_file: Path | None = setting(None, "File of the master key; unset: master.key in the home folder.")

    # Language and time
    language: str = setting("en", "Language of the texts: en, it, es, fr, de.", project=True)
    timezone: str | None = setting(None, "IANA time zone that decides `today`; unset: the machine's.", project=True)

    # Embeddings
    embedder: str = setting("static-256", "static-256, minilm, multilingual (a package), openai:<model>, or none.")
    embed_url: str | None = setting(None, "Base address of an OpenAI-compatible embedding API.")
    embed_key: str | None = setting(None, "API key of the embedding API.", secret=True)
    embed_dims: int | None = setting(None, "Vector dimensions to request; unset: the model's default.", minimum=1)
    embed_timeout: float = setting(2.0, "Seconds that recall waits for an embedding; then words only.", minimum=0)

    late_interaction: str = setting(
        "on", "Whether recall also compares texts token by token: on or off.", choices=("on", "off")
    )

    # The judge
    judge: str = setting(
        "on", "Whether the built-in model that compares texts is used: on or off.", choices=("on", "off")
    )
    judge_act: float = setting(0.9, "Probability from which a change that the judge detects is made.", minimum=0)
    judge_ask: float = setting(0.6, "Probability from which such a change is proposed in review.", minimum=0)

    # Language model
    llm: str | None = setting(
        None, "openai:, anthropic:, gemini:, openrouter:, ollama: or lmstudio:<model>; unset: none."
    )
    llm_url: str | None = setting(None, "Base address of the API; unset: the vendor's.")
    llm_key: str | None = setting(None, "API key of the language model.", secret=True)
    llm_daily_tokens: int = setting(0, "Hard cap on tokens per owner and day; 0: no language model calls.", minimum=0)
    llm_operation_tokens: int = setting(6000, "Hard cap on tokens for one operation.", minimum=1)
    llm_timeout: float = setting(30.0, "Seconds to wait for an answer.", minimum=0)

    # Recall
    recipe: str = setting("balanced", "Name of the recipe: how recall weights its parts.", project=True)
    weights: Mapping[str, float] = setting({}, "Weights of single parts, overriding the recipe.", project=True)

    # Maintenance
    maintenance: bool = setting(True, "Whether maintenance runs in the background.")
    maintenance_hours: float = setting(6.0, "Hours between two maintenance rounds.", minimum=0.01)
    backup_schedule: str | None = setting(None, "hourly, daily or weekly; unset: no automatic backups.")
    backup_keep: int = setting(7, "Number of scheduled backups to keep.", minimum=1)
    episode_retention_days: int | None = setting(
        None, "Days to keep an episode without conclusions; unset: forever.", minimum=1
    )
    quota_memories: int | None = setting(None, "Maximum number of memories per owner; unset: no limit.", minimum=1)

    # What is not captured
    off: bool = setting(False, "Turns capture and injection off; the user is told.", project=True)
    ignore_paths: tuple[str, ...] = setting((), "Patterns of files whose contents are never captured.", project=True)
    ignore_tools: tuple[str, ...] = setting((), "Patterns of tools whose calls are never captured.", project=True)
    max_text: int = setting(1_000_000, "Maximum characters of one text.", minimum=1)

    # The notebook's files, relative to the project
    notebook_working_buffer: str = setting("memory/working-buffer.md", "The working buffer.", project=True)
    notebook_log_folder: str = setting("memory", "The folder of the daily logs.", project=True)
    notebook_long_term: str = setting("MEMORY.md", "Long-term facts of the project.", project=True)
    notebook_todo: str = setting("tasks/todo.md", "The to-do list.", project=True)
    notebook_lessons: str = setting("tasks/lessons.md", "Lessons learned.", project=True)
    notebook_deletions: str = setting(
        "ask",
        "What happens to the memory of a removed line: ask, archive or keep.",
        choices=("ask", "archive", "keep"),
    )
    notebook_watch: bool = setting(True, "Whether `serve` and `mcp` import edits of their project's notebook.")

    # Hooks
    hook_socket: Path | None = setting(None, "Socket of the local server; unset: hook.sock in the home folder.")
    hook_timeout: float = setting(0.25, "Seconds a hook waits for the local server.", minimum=0)
    hook_tools: bool = setting(True, "Whether hooks also log tool calls.", project=True)
    hook_reader: bool = setting(
        True, "Whether hooks without a local server start a background process that learns from messages."
    )

    # Server
    pool_size: int = setting(10, "Maximum connections to PostgreSQL per process.", minimum=1)
    host: str = setting("127.0.0.1", "Address the server listens on.")
    port: int = setting(8765, "Port the server listens on.", minimum=0)
    allowed_hosts: tuple[str, ...] = setting((), "Additional host names that the server answers to.")
    public_url: str | None = setting(None, "Public address of the server, such as https://memory.example.com.")
    cors_origins: tuple[str, ...] = setting((), "Other origins whose pages may call the API.")
    trusted_proxies: tuple[str, ...] = setting(
        (), "Addresses or networks of proxies whose X-Forwarded-For and -Proto headers are trusted."
    )
    rate_limit: int = setting(600, "Requests per minute for each caller; 0: no limit.", minimum=0)
    log_level: str = setting("INFO", "Minimum level that is logged.", choices=("DEBUG", "INFO", "WARNING", "ERROR"))
    log_file: Path | None = setting(
        None, "File of the server's log; unset: server.log in the home folder on a terminal, else standard error."
    )
    trace_endpoint: str | None = setting(
        None, "OpenTelemetry collector that traces are sent to, such as http://127.0.0.1:4318/v1/traces."
    )
    oidc_issuer: str | None = setting(None, "OIDC issuer whose tokens are accepted.")
    oidc_audience: str | None = setting(None, "Audience that OIDC tokens must name.")
    jwks_url: str | None = setting(None, "Address of the issuer's keys; unset: from the issuer's metadata.")

    origins: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False, metadata={"internal": True})
    """The source of each value that is not a default."""
    project_file: Path | None = _internal(None)
    """The project's ``commonplace.toml``, if any."""
    risky: Mapping[str, Any] = _internal({})
    """Project settings that need a person's approval, approved or not."""
    withheld: Mapping[str, Any] = _internal({})
    """Risky settings that are ignored: not approved, or never allowed."""

    @classmethod
    def load(
        cls,
        *,
        start: Path | None = None,
        environ: Mapping[str, str] | None = None,
        overrides: Mapping[str, Any] | None = None,
    ) -> "Settings":
        """Read all settings for work in folder ``start`` (default: the current one).

        ``overrides`` that are None are ignored. Raises ``SettingsError`` for an unknown name or an invalid value, with
        the file or variable and similar names, but never with the value.
        """
        environ = os.environ if environ is None else environ
        start = (start or Path.cwd()).absolute()
        user = _from_file(user_file(environ), of_project=False)
        path = project_file(start, environ)
        project_origin, project = _from_file(path, of_project=True)
        outside = (("the environment", _from_environment(environ)), ("the call", _from_code(overrides or {})))
        home = {"home": data_folder(environ), **user[1], **outside[0][1], **outside[1][1]}["home"]
        risky = {name: value for name, value in project.items() if name == "namespace" or _is_forbidden(name, value)}
        withheld = _withheld(path, risky, home)
        project = {name: value for name, value in project.items() if name not in withheld}
        values: dict[str, Any] = {"home": home}
        origins: dict[str, str] = {}
        for origin, layer in (user, (project_origin, project), *outside):
            values |= layer
            origins |= dict.fromkeys(layer, origin)
        loaded = cls(**values, origins=origins, project_file=path, risky=risky, withheld=withheld)
        return replace(loaded, **_vendor_keys(loaded, environ))

    @property
    def book_url(self) -> str:
        return self.url or sqlite_url(self.home / "book.db")

    @property
    def master_key_file(self) -> Path:
        return self.key_file or self.home / "master.key"

    @property
    def socket(self) -> Path:
        return self.hook_socket or self.home / "hook.sock"

    def public(self) -> dict[str, Any]:
        """All settings for display: secrets as "(set)", addresses without credentials."""
        return {name: _for_display(field, getattr(self, name)) for name, field in FIELDS.items()}


FIELDS: dict[str, Field[Any]] = {field.name: field for field in fields(Settings) if not field.metadata.get("internal")}
"""All settings by name."""


def help_and_defaults() -> dict[str, tuple[str, Any]]:
    """Help text and default of each setting, by name."""
    return {
        name: (field.metadata["help"], {} if field.default is MISSING else field.default)
        for name, field in FIELDS.items()
    }


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + name.upper()


def unknown_variables(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Variables with our prefix that are not settings, probably misspelled; `doctor` lists them."""
    variables = {variable(name) for name in FIELDS} | {PREFIX + "CONFIG"}
    return tuple(sorted(name for name in environ if name.startswith(PREFIX) and name not in variables))


def own_variables() -> dict[str, str]:
    """All variables with our prefix, for `doctor`."""
    return {name: value for name, value in os.environ.items() if name.startswith(PREFIX)}


def command_environment(extra: Mapping[str, str]) -> dict[str, str]:
    """The environment for another program: ours without our secrets, plus ``extra``."""
    secret = {variable(name) for name, field in FIELDS.items() if field.metadata.get("secret")}
    return {**{name: value for name, value in os.environ.items() if name not in secret}, **extra}


def colours_enabled() -> bool:
    """Whether output may have colours: not with NO_COLOR (no-color.org), nor on a terminal without them."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def share_metrics_folder(folder: Path) -> None:
    """Set the folder where all workers count metrics; prometheus-client reads the variable when it is imported."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def child_environment() -> Mapping[str, str]:
    """The environment for our own child processes: secrets included."""
    return os.environ


def host_variables() -> dict[str, str]:
    """The variables that coding agents set for their hooks."""
    cursor, claude = ("CURSOR_VERSION", "CURSOR_PROJECT_DIR"), ("CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT")
    names = (*cursor, *claude, "GEMINI_PROJECT_DIR", "CODEX_HOME")
    return {name: os.environ[name] for name in names if os.environ.get(name)}


# Places


def user_home(environ: Mapping[str, str]) -> Path:
    home_variable = environ.get(system.HERE.home_variable())
    return Path(home_variable) if home_variable else Path.home()


def home_folder() -> Path:
    """The person's home folder, where agents keep their own settings."""
    return user_home(os.environ)


def data_folder(environ: Mapping[str, str]) -> Path:
    """The platform's data folder for this program."""
    return system.HERE.data_folder(user_home(environ), environ) / "commonplace"


def user_file(environ: Mapping[str, str]) -> Path | None:
    """The person's settings file, if any; ``COMMONPLACE_CONFIG`` names another file, which must exist."""
    config_variable = environ.get(PREFIX + "CONFIG")
    if config_variable:
        return Path(config_variable).expanduser().absolute()
    path = system.HERE.config_folder(user_home(environ), environ) / "commonplace" / "config.toml"
    return path if path.is_file() else None


def project_file(start: Path, environ: Mapping[str, str]) -> Path | None:
    """The nearest commonplace.toml from ``start`` upwards, no further than the repository or the home folder."""
    home = user_home(environ)
    for folder in (start, *start.parents):
        if (folder / PROJECT_FILE).is_file():
            return folder / PROJECT_FILE
        if folder == home or (folder / ".git").exists():
            return None
    return None


def sqlite_url(path: Path) -> str:
    return "sqlite:///" + path.as_posix()


def sqlite_path(url: str) -> Path:
    """The file an ``sqlite:///`` address names: what follows the third slash, absolute if that begins with another."""
    if not url.startswith("sqlite:///") or url == "sqlite:///":
        raise SettingsError(
            f"{without_credentials(url)!r} names no file; write sqlite:///path or sqlite:////absolute/path"
        )
    return Path(url.removeprefix("sqlite:///")).expanduser()


def without_credentials(url: str) -> str:
    """The address without user name, password and query."""
    return _USERINFO.sub("", url).partition("?")[0]


# Layers


def _from_file(path: Path | None, *, of_project: bool) -> tuple[str, dict[str, Any]]:
    if path is None:
        return "", {}
    import tomllib  # noqa: PLC0415  # many have no file, and hooks, which read the settings too, count milliseconds

    if of_project and path.is_symlink():
        raise SettingsError(f"{path} is a link; a project's settings must be a plain file")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        # Neither the line nor the cause: it may hold a key.
        where = re.search(r"\(at .*\)$", str(error))
        raise SettingsError(f"{path} is not valid TOML {where.group() if where else ''}".rstrip()) from None
    where_to = f"file {path}"
    layer = {}
    for name, value in content.items():
        field = _field_named(name, where_to)
        if of_project and not field.metadata.get("project"):
            raise SettingsError(
                f"{where_to}: {field.name!r} cannot be set by a project; "
                f"set {variable(field.name)} or put it into your own config.toml"
            )
        layer[name] = _resolve_relative(field, _converted(field, value, where_to), path.parent)
    return where_to, layer


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    layer = {}
    for name, declared in FIELDS.items():
        text = environ.get(variable(name), "").strip()
        if text:
            value = _read_text(declared, text, f"variable {variable(name)}")
            layer[name] = _converted(declared, value, f"variable {variable(name)}")
    return layer


def _from_code(overrides: Mapping[str, Any]) -> dict[str, Any]:
    explicit = {name: value for name, value in overrides.items() if value is not None}
    return {name: _converted(_field_named(name, "the call"), value, "the call") for name, value in explicit.items()}


def _vendor_keys(settings: Settings, environ: Mapping[str, str]) -> dict[str, Any]:
    """Keys from the vendors' own variables, only where the vendor itself is called: a key goes to no other address."""
    values = {}
    vendors = {
        "openai": "OPENAI_API_KEY",
        "anthropic": "ANTHROPIC_API_KEY",
        "gemini": "GEMINI_API_KEY",
        "openrouter": "OPENROUTER_API_KEY",
    }
    uses = (("llm_key", settings.llm, settings.llm_url), ("embed_key", settings.embedder, settings.embed_url))
    for name, model, url in uses:
        key = environ.get(vendors.get((model or "").partition(":")[0], ""))
        if key and url is None and getattr(settings, name) is None:
            values[name] = key
    return values


def _field_named(name: str, where: str) -> Field[Any]:
    if name in FIELDS:
        return FIELDS[name]
    suggestions = _similar_names(name)
    hint = f"did you mean {' or '.join(suggestions)}?" if suggestions else "docs/settings.md lists all settings"
    raise SettingsError(f"{where}: unknown setting {name!r}; {hint}")


def path_problem(relative: str, *, is_folder: bool = False) -> str | None:
    """Why the notebook may not use this path; None if it may."""
    path = PurePosixPath(relative.replace("\\", "/"))
    if path.is_absolute() or PureWindowsPath(relative).drive or ".." in path.parts or not path.parts:
        return "a notebook path is relative and stays inside the project"
    # "git~1" is the short name of .git on Windows; some file systems ignore invisible characters
    if any(part.startswith(".") or part.lower().startswith("git~") or not part.isprintable() for part in path.parts):
        return "a notebook path has no hidden file or folder in it"
    if not is_folder and path.suffix.lower() not in (".md", ".markdown"):
        return "a notebook file is a Markdown file (.md)"
    return None


def _is_forbidden(name: str, value: Any) -> bool:
    """Whether no approval can allow the value: the shared namespace `personal`, or a forbidden notebook path."""
    if name == "namespace":
        return same_name(str(value), "personal")
    is_path = name.startswith("notebook_") and isinstance(value, str)
    return is_path and path_problem(value, is_folder=name == "notebook_log_folder") is not None


def _withheld(path: Path | None, risky: Mapping[str, Any], home: Path) -> dict[str, Any]:
    """A project's risky settings that are not approved or never allowed."""
    if path is None or not risky:
        return {}
    repository = find_repository(path.parent)
    grant = Registry(home).find(repository.identity if repository else path.parent.resolve())
    approved = grant is not None and grant.settings == settings_digest(risky)
    return {name: value for name, value in risky.items() if not approved or _is_forbidden(name, value)}


def _resolve_relative(field: Field[Any], value: Any, folder: Path) -> Any:
    """Resolve relative paths of a settings file against its folder."""
    if isinstance(value, Path):
        return folder / value
    if field.name == "url" and value.startswith("sqlite:///"):
        return sqlite_url(folder / sqlite_path(value))
    return value


# Values


def _read_text(field: Field[Any], text: str, where: str) -> Any:
    """Parse an environment variable into the type that a file would have."""
    match field.type:
        case kind if kind is bool:
            if text.lower() not in _ON | _OFF:
                raise _invalid(field, where, "1 or 0")
            return text.lower() in _ON
        case kind if kind in (int, int | None, float):
            try:
                return float(text) if kind is float else int(text.replace("_", ""))
            except ValueError:
                raise _invalid(field, where, _KINDS[kind].needs) from None
        case kind if kind == tuple[str, ...]:
            return [part.strip() for part in text.split(",") if part.strip()]
        case kind if kind == Mapping[str, float]:
            return _pairs(field, text, where)
    return text


def _pairs(field: Field[Any], text: str, where: str) -> dict[str, float]:
    try:
        return {name.strip(): float(value) for name, _, value in (part.partition("=") for part in text.split(","))}
    except ValueError:
        raise _invalid(field, where, "name=number, separated by commas") from None


def _converted(field: Field[Any], value: Any, where: str) -> Any:
    """Convert ``value`` to the field's type; raises ``SettingsError`` if it is invalid."""
    kind = _KINDS[field.type]
    if not kind.accepts(value):
        raise _invalid(field, where, kind.needs)
    least, choices = field.metadata.get("minimum"), field.metadata.get("choices")
    if least is not None and value < least:
        raise _invalid(field, where, f"at least {least:g}")
    if field.name == "log_level":
        value = value.upper()
    if choices and value not in choices:
        raise _invalid(field, where, "one of " + ", ".join(choices))
    if field.name == "url" and not value.startswith(_SCHEMES):
        raise _invalid(field, where, "an address that begins with one of " + " ".join(_SCHEMES))
    if field.name == "namespace" and not (value.isprintable() and len(value) <= LONGEST):
        raise _invalid(field, where, f"one line of at most {LONGEST} printable characters")
    return kind.held(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return _is_int(value) or (isinstance(value, float) and value == value and abs(value) != float("inf"))


class _Kind(NamedTuple):
    """How settings of one type are checked, named in errors, and converted."""

    accepts: Callable[[Any], bool]
    needs: str
    held: Callable[[Any], Any]


_TEXT = _Kind(_is_text, "a string", str)
_INT = _Kind(_is_int, "a whole number", int)
_PATH = _Kind(
    lambda value: isinstance(value, Path) or _is_text(value), "a path", lambda value: Path(value).expanduser()
)
_KINDS: dict[Any, _Kind] = {
    **dict.fromkeys((str, str | None), _TEXT),
    **dict.fromkeys((int, int | None), _INT),
    **dict.fromkeys((Path, Path | None), _PATH),
    float: _Kind(_is_number, "a number", float),
    bool: _Kind(lambda value: isinstance(value, bool), "true or false", bool),
    tuple[str, ...]: _Kind(
        lambda value: isinstance(value, list | tuple) and all(map(_is_text, value)), "a list of strings", tuple
    ),
    Mapping[str, float]: _Kind(
        lambda value: isinstance(value, Mapping) and all(map(_is_text, value)) and all(map(_is_number, value.values())),
        "a table of numbers",
        lambda value: {name: float(number) for name, number in value.items()},
    ),
}


def _invalid(field: Field[Any], where: str, needs: str) -> SettingsError:
    return SettingsError(f"{where}: {field.name!r} must be {needs}")


def _for_display(field: Field[Any], value: Any) -> Any:
    if field.metadata.get("secret"):
        return "(set)" if value else None
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, str) and "://" in value:
        return without_credentials(value)
    return list(value) if isinstance(value, tuple) else value


def _similar_names(name: str) -> list[str]:
    """At most three similarly spelled settings. By shared letter pairs: importing difflib would slow every hook."""
    pairs = _letter_pairs(name.lower().replace("-", "_"))
    scored = [(_overlap(pairs, _letter_pairs(field_name)), field_name) for field_name in FIELDS]
    return [field_name for score, field_name in sorted(scored, reverse=True)[:3] if score >= 0.5]


def _letter_pairs(word: str) -> set[str]:
    padded = f" {word} "
    return {padded[at : at + 2] for at in range(len(padded) - 1)}


def _overlap(first: set[str], second: set[str]) -> float:
    return 2 * len(first & second) / (len(first) + len(second))
