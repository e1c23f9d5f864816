"""Where settings come from, who wins, and what is refused."""

import ast
import sys
from pathlib import Path

import pytest

from commonplace import settings as module
from commonplace import system
from commonplace.errors import SettingsError
from commonplace.settings import FIELDS, Settings, sqlite_path, sqlite_url, variable, without_credentials
from commonplace.trust import Grant, Registry, settings_digest

SRC = Path(module.__file__).parent


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def environ(home):
    return {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "APPDATA": str(home / "config"),
    }


@pytest.fixture
def own_file(environ):
    path = Path(environ["HOME"]) / "own.toml"
    environ["COMMONPLACE_CONFIG"] = str(path)
    return path


@pytest.fixture
def project(home):
    folder = home / "project"
    (folder / "deep/er").mkdir(parents=True)
    return folder


def test_with_nothing_set_everything_is_the_default(environ, project):
    loaded = Settings.load(start=project, environ=environ)
    assert loaded == Settings(home=loaded.home)
    assert loaded.origins == {}
    assert loaded.home.is_relative_to(Path(environ["HOME"]))
    assert sqlite_path(loaded.book_url) == loaded.home / "book.db"
    assert loaded.master_key_file == loaded.home / "master.key"


def test_each_layer_wins_over_the_one_below(environ, own_file, project):
    own_file.write_text('language = "it"\n')
    assert Settings.load(start=project, environ=environ).language == "it"
    (project / "commonplace.toml").write_text('language = "es"\n')
    assert Settings.load(start=project, environ=environ).language == "es"
    environ["COMMONPLACE_LANGUAGE"] = "fr"
    assert Settings.load(start=project, environ=environ).language == "fr"
    loaded = Settings.load(start=project, environ=environ, overrides={"language": "de", "owner": None})
    assert (loaded.language, loaded.owner) == ("de", "me")
    assert loaded.origins["language"] == "the call"


def test_the_project_file_is_found_from_deep_inside_and_not_beyond_the_repository(environ, project, home):
    (home / "commonplace.toml").write_text('language = "it"\n')
    assert Settings.load(start=project / "deep/er", environ=environ).language == "it"
    (project / ".git").mkdir()
    assert Settings.load(start=project / "deep/er", environ=environ).language == "en"
    (project / "commonplace.toml").write_text('language = "fr"\n')
    assert Settings.load(start=project / "deep/er", environ=environ).language == "fr"


def test_the_platforms_own_file_is_read(environ, project, home):
    if sys.platform == "darwin":
        path = home / "Library/Application Support/commonplace/config.toml"
    else:
        path = home / "config/commonplace/config.toml"
    path.parent.mkdir(parents=True)
    path.write_text('owner = "ada"\n')
    assert Settings.load(start=project, environ=environ).owner == "ada"


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        (system.Linux, "/h/.local/share/commonplace"),
        (system.MacOS, "/h/Library/Application Support/commonplace"),
        (system.Windows, "/h/AppData/Local/commonplace"),
    ],
)
def test_each_platform_has_its_data_folder(monkeypatch, variant, expected):
    monkeypatch.setattr(system, "HERE", variant())
    assert module.data_folder({"HOME": "/h", "USERPROFILE": "/h"}).as_posix() == expected


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("1", "off", True),
        ("off", "maintenance", False),
        ("9000", "port", 9000),
        ("0.5", "hook_timeout", 0.5),
        ("12", "maintenance_hours", 12.0),
        ("*.env, secrets/**", "ignore_paths", ("*.env", "secrets/**")),
        ("words=1,meaning=0.5", "weights", {"words": 1.0, "meaning": 0.5}),
        ("debug", "log_level", "DEBUG"),
    ],
)
def test_variables_are_read_as_what_the_setting_is(environ, project, text, name, value):
    environ[variable(name)] = text
    assert getattr(Settings.load(start=project, environ=environ), name) == value


def test_an_empty_variable_counts_as_unset(environ, project):
    environ["COMMONPLACE_OWNER"] = " "
    assert Settings.load(start=project, environ=environ).owner == "me"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('namspace = "x"', ["'namspace'", "did you mean namespace"]),
        ('qqqq = "x"', ["'qqqq'", "docs/settings.md"]),
        ("owner = 3", ["'owner'", "a string"]),
        ("port = true", ["'port'", "a whole number"]),
        ("port = -1", ["'port'", "at least 0"]),
        ("embed_timeout = nan", ["'embed_timeout'", "a number"]),
        ('plan = "gold"', ["'plan'", "free, pro, power, team"]),
        ('url = "mysql://x"', ["'url'", "sqlite:///"]),
        ('ignore_paths = "x"', ["'ignore_paths'", "a list of strings"]),
        ('weights = {words = "much"}', ["'weights'", "a table of numbers"]),
        ("owner = ", ["is not valid TOML", "line 1"]),
    ],
)
def test_what_cannot_be_read_is_named_with_its_file(environ, own_file, project, line, said):
    own_file.write_text(line + "\n")
    with pytest.raises(SettingsError) as caught:
        Settings.load(start=project, environ=environ)
    assert all(part in str(caught.value) for part in [str(own_file), *said]), str(caught.value)


def test_a_named_file_that_is_missing_is_an_error(environ, own_file, project):
    with pytest.raises(SettingsError, match="cannot be read"):
        Settings.load(start=project, environ=environ)
    own_file.touch()
    assert Settings.load(start=project, environ=environ).owner == "me"


DANGEROUS = ("url", "home", "token", "key_command", "key_file", "master_key", "llm_url", "embed_url", "owner", "host")


@pytest.mark.parametrize("name", DANGEROUS)
def test_a_repository_cannot_send_words_away_or_run_commands(environ, own_file, project, name):
    line = f'{name} = "https://elsewhere.example"\n'
    (project / "commonplace.toml").write_text(line)
    own_file.write_text("")
    with pytest.raises(SettingsError, match=f"'{name}' cannot be set by a project"):
        Settings.load(start=project, environ=environ)
    (project / "commonplace.toml").unlink()
    own_file.write_text(line)
    assert name in Settings.load(start=project, environ=environ).origins


@pytest.mark.parametrize(
    "path",
    ["../notes.md", "/etc/notes.md", "C:\\notes.md", "a/../../b.md", "..\\b.md", ".env", ".git/x.md", "src/main.py"],
)
def test_a_repository_keeps_its_notebook_inside_itself_and_off_other_files(environ, project, path):
    (project / "commonplace.toml").write_text("notebook_todo = 'notes/todo.md'\n")
    assert Settings.load(start=project, environ=environ).notebook_todo == "notes/todo.md"
    (project / "commonplace.toml").write_text(f"notebook_todo = '{path}'\n")
    loaded = Settings.load(start=project, environ=environ)
    assert loaded.notebook_todo == Settings().notebook_todo
    assert dict(loaded.withheld) == {"notebook_todo": path}


def approve(loaded):
    Registry(loaded.home).put(
        lambda: Grant(str(loaded.project_file.parent), "trains", settings=settings_digest(loaded.risky))
    )


@pytest.mark.parametrize(
    ("line", "allowed"),
    [
        ('namespace = "orchard"', True),
        ('notebook_todo = ".memory/todo.md"', False),
        ('namespace = "Personal"', False),
        ('notebook_todo = ".git/config"', False),
        ('notebook_todo = "../todo.md"', False),
    ],
)
def test_an_approval_holds_for_these_values_and_no_others(environ, project, line, allowed):
    file = project / "commonplace.toml"
    file.write_text(line + "\n")
    loaded = Settings.load(start=project, environ=environ)
    name = line.partition(" ")[0]
    assert name in loaded.withheld and name not in loaded.origins
    approve(loaded)
    assert (name in Settings.load(start=project, environ=environ).origins) is allowed
    file.write_text(line.replace('"\n', 'x"\n').removesuffix('"') + 'x"\n')
    assert name in Settings.load(start=project, environ=environ).withheld


def test_a_linked_project_file_is_not_read(environ, project, home):
    (home / "elsewhere.toml").write_text('language = "it"\n')
    (project / "commonplace.toml").symlink_to(home / "elsewhere.toml")
    with pytest.raises(SettingsError, match="is a link"):
        Settings.load(start=project, environ=environ)


def test_paths_in_a_file_are_meant_from_that_file(environ, own_file, project):
    own_file.write_text('url = "sqlite:///books/a.db"\nkey_file = "keys/k"\n')
    loaded = Settings.load(start=project, environ=environ)
    assert sqlite_path(loaded.book_url) == own_file.parent / "books/a.db"
    assert loaded.master_key_file == own_file.parent / "keys/k"


def test_a_vendors_own_key_goes_only_to_that_vendor(environ, project):
    environ |= {"OPENAI_API_KEY": "o", "ANTHROPIC_API_KEY": "a"}
    assert Settings.load(start=project, environ=environ).llm_key is None
    there = Settings.load(start=project, environ=environ, overrides={"llm": "anthropic:m"})
    assert (there.llm_key, there.embed_key) == ("a", None)
    elsewhere = {"llm": "openai:m", "llm_url": "https://elsewhere.example/v1"}
    assert Settings.load(start=project, environ=environ, overrides=elsewhere).llm_key is None


def test_secrets_and_passwords_are_never_shown():
    hidden = dict.fromkeys((name for name, one in FIELDS.items() if one.metadata.get("secret")), "S3CRET")
    url = "postgresql://ada:S3CRET@p/w@db.example:5432/book?password=S3CRET"
    shown = Settings(**hidden, url=url, owner="visible")
    assert len(hidden) >= 4
    assert "S3CRET" not in repr(shown) + str(shown.public())
    assert "visible" in repr(shown)
    assert shown.public()["token"] == "(set)"
    assert shown.public()["url"] == without_credentials(
        url
    ) == "postgresql://db.example:5432/book" or "p/w" not in repr(shown.public())


def test_addresses_of_files_go_there_and_back(tmp_path):
    assert sqlite_path(sqlite_url(tmp_path / "b.db")) == tmp_path / "b.db"
    assert sqlite_path("sqlite:///b.db") == Path("b.db")
    with pytest.raises(SettingsError):
        sqlite_path("sqlite:///")


def test_misspelt_variables_can_be_found():
    given = {"COMMONPLACE_OWNR": "x", "COMMONPLACE_OWNER": "x", "PATH": "x"}
    assert module.unknown_variables(given) == ("COMMONPLACE_OWNR",)


def test_every_setting_says_what_it_is_for_and_can_be_read_from_text():
    for name, one in FIELDS.items():
        assert one.metadata["help"].endswith("."), name
        assert one.type in module._KINDS, name


def environment_reads(tree: ast.AST) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"} and ast.unparse(node.value) == "os")
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "os"
            and {"environ", "getenv"} & {a.name for a in node.names}
        )
    ]


def test_nothing_else_reads_the_environment():
    reads = {
        file.relative_to(SRC).as_posix(): lines
        for file in SRC.rglob("*.py")
        if (lines := environment_reads(ast.parse(file.read_text("utf-8"))))
    }
    assert set(reads) == {"settings.py"}, reads


def test_settings_need_only_the_standard_library():
    modules = ("settings", "trust", "repository", "system", "text/normal", "text/confusables", "text/sentences", "lazy")
    trees = [ast.parse((SRC / f"{name}.py").read_text("utf-8")) for name in modules]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert {name for name in names if name.split(".")[0] not in sys.stdlib_module_names} <= {
        "commonplace",
        "commonplace.errors",
        "commonplace.lazy",
        "commonplace.repository",
        "commonplace.text",
        "commonplace.text.normal",
        "commonplace.text.sentences",
        "commonplace.trust",
    }
