"""One repository is one namespace, wherever it lies and however its remote is written. Made with the real git."""

import shutil
import subprocess

import pytest

from commonplace.memories.admission import NAME_LIMIT
from commonplace.repository import find_repository, normal_remote
from commonplace.settings import Settings
from commonplace.workplace import namespace_for

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder, *arguments):
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def nothing_set(tmp_path):
    return Settings(home=tmp_path / "book")


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "trains"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def is_free(name):
    return False


def name_of(folder, settings):
    return namespace_for(folder, settings, is_free).namespace


def test_a_set_namespace_wins_and_says_where_it_was_set(repository, tmp_path):
    settings = Settings.load(start=repository, environ={"HOME": str(tmp_path), "COMMONPLACE_NAMESPACE": "chosen"})
    assert namespace_for(repository, settings) == ("chosen", "set by the environment", None)


def test_outside_a_repository_it_is_default(tmp_path, nothing_set):
    assert name_of(tmp_path, nothing_set) == "default"


@pytest.mark.parametrize(
    "address",
    [
        "git@GitHub.com:Ada/Trains.git",
        "https://github.com/ada/trains",
        "https://github.com/ada/trains.git/",
        "https://ada:ghp_S3CRET@github.com/ada/trains.git",
        "https://a%40b:p@ss@github.com/ada/trains",
        "ssh://git@github.com:22/ada/trains.git",
        "git://github.com/ada/trains",
    ],
)
def test_every_way_to_write_a_remote_gives_one_name_without_credentials(repository, nothing_set, address):
    git(repository, "remote", "add", "zeta", "https://other.example/x/y")
    git(repository, "remote", "add", "origin", address)
    place = namespace_for(repository, nothing_set, is_free)
    assert place == ("github.com/ada/trains", "the remote of the repository", None)


def test_other_repositories_have_other_names(tmp_path):
    addresses = ["git@h.example:a/b", "git@h.example:a/c", "git@i.example:a/b", "/srv/git/b.git", "../b", "C:\\git\\b"]
    names = [normal_remote(address, tmp_path / "here") for address in addresses]
    assert len(set(names)) == len(addresses)
    assert names[0] == "h.example/a/b"


def test_without_a_remote_the_name_survives_a_rename_and_a_remote_added_later(repository, nothing_set):
    first = name_of(repository, nothing_set)
    assert first.startswith("trains-")
    moved = repository.rename(repository.with_name("railways"))
    assert name_of(moved, nothing_set) == first
    git(moved, "remote", "add", "origin", "https://github.com/ada/trains")
    assert name_of(moved, nothing_set) == first
    assert [file.name for file in (moved / ".git").glob("commonplace*")] == ["commonplace"]


def test_two_repositories_of_one_folder_name_differ(tmp_path, nothing_set):
    for parent in ("a", "b"):
        (tmp_path / parent / "app").mkdir(parents=True)
        git(tmp_path / parent / "app", "init", "-q")
    assert name_of(tmp_path / "a/app", nothing_set) != name_of(tmp_path / "b/app", nothing_set)


@pytest.mark.parametrize("remote", [None, "https://github.com/ada/trains"])
def test_worktrees_share_one_namespace(repository, tmp_path, nothing_set, remote):
    if remote:
        git(repository, "remote", "add", "origin", remote)
    git(repository, "worktree", "add", "-q", str(tmp_path / "elsewhere"), "-b", "side")
    (tmp_path / "elsewhere/deep").mkdir()
    assert name_of(tmp_path / "elsewhere/deep", nothing_set) == name_of(repository, nothing_set)


def test_a_submodule_is_its_own_workplace(repository, tmp_path, nothing_set):
    other = tmp_path / "other"
    shutil.copytree(repository, other)
    git(other, "remote", "add", "origin", "https://h.example/outer")
    git(other, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repository), "inner")
    assert name_of(other, nothing_set) == "h.example/outer"
    assert name_of(other / "inner", nothing_set) == "file/" + repository.resolve().as_posix().strip("/")


def test_a_read_only_git_folder_still_has_a_name_and_keeps_it(repository, nothing_set, monkeypatch):
    monkeypatch.setattr("commonplace.workplace.make_mark", lambda repository, grants: None)
    name = name_of(repository, nothing_set)
    assert name == name_of(repository, nothing_set)
    assert name.startswith("trains-")


@pytest.mark.parametrize("content", ["gitdir: /nowhere/at/all", "", "gitdir:", "\0\xff"])
def test_a_git_file_that_leads_nowhere_is_no_repository(tmp_path, nothing_set, content):
    (tmp_path / ".git").write_text(content)
    assert find_repository(tmp_path) is None
    assert name_of(tmp_path, nothing_set) == "default"


def test_an_endless_or_odd_remote_becomes_a_bounded_printable_name(tmp_path):
    one, other = (normal_remote("https://h.example/" + "a" * 5000 + end, tmp_path) for end in "bc")
    assert one != other
    assert all(len(name) <= NAME_LIMIT for name in (one, other)), "else nothing could be kept there"
    assert normal_remote("https://h.example/a%0ab%00c", tmp_path).isprintable()
    assert normal_remote("https://", tmp_path) is None
