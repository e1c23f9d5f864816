"""static-256: what the numbers are, and that they are the same everywhere."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from commonplace.errors import ProviderError
from commonplace.providers.embed.lexicon import Lexicon
from commonplace.providers.embed.static import FOLDER, LEXICON, SHA256, VECTORS, StaticEmbedder
from commonplace.providers.embed.table import checked, pieces
from commonplace.retrieval.common_words import foreign_language

DOCUMENTS = ["We moved the nightly backup to 02:00.", "My sister adopted a grey kitten last spring."]
QUESTIONS = ["when does the backup job run?", "who got a new cat?"]


@pytest.fixture(scope="module")
def static():
    return StaticEmbedder()


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout + done.stderr


def test_the_published_similarities_hold(static):
    found = static.embed(QUESTIONS) @ static.embed(DOCUMENTS).T
    assert np.allclose(found, [[0.519, -0.031], [-0.061, 0.412]], atol=0.01)


def test_rows_are_float32_of_length_one(static):
    rows = static.embed(DOCUMENTS)
    assert rows.dtype == np.float32
    assert rows.shape == (2, static.dims) == (2, 256)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


def test_a_text_has_the_same_vector_alone_and_in_company(static):
    together = static.embed(DOCUMENTS + QUESTIONS)
    alone = np.concatenate([static.embed([text]) for text in DOCUMENTS + QUESTIONS])
    assert np.array_equal(together, alone)
    assert not np.array_equal(together[0], together[1])


def test_a_second_process_finds_the_same_vector(static):
    code = (
        "from commonplace.providers.embed.static import StaticEmbedder\n"
        f"print(StaticEmbedder().embed([{DOCUMENTS[0]!r}]).tobytes().hex())"
    )
    assert run(code).strip() == static.embed(DOCUMENTS[:1]).tobytes().hex()


def test_what_there_is_no_token_for_counts_for_nothing(static):
    assert not static.embed(["สวัสดีครับ", "🎂", "x" * 500]).any()
    plain, adorned, other = static.embed(["The cat is grey", "The cat is grey 🎂😀", "It rains in Oslo 🎂😀"])
    assert np.array_equal(plain, adorned) and plain @ other < 0.1


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_a_text_without_tokens_gives_zeros(static, text):
    assert not static.embed([text]).any()
    assert static.embed([text + "backup"]).any()


def test_no_texts_give_no_rows(static):
    assert static.embed([]).shape == (0, 256)


def test_a_megabyte_of_text_is_one_vector_near_its_sentence(static):
    sentence = "We moved the nightly backup to 02:00. "
    long = static.embed([sentence * (1_000_000 // len(sentence))])
    assert (long @ static.embed([sentence]).T).item() > 0.999


def test_a_megabyte_without_a_space_is_no_failure(static):
    assert np.isfinite(static.embed(["x" * 1_000_000])).all()


@pytest.mark.parametrize("text", ["a\ud800b", "\x00\x01", "日本語のテキスト", "🦊" * 50, "[CLS] [SEP]", "e\u0301" * 9])
def test_strange_texts_give_finite_vectors(static, text):
    rows = static.embed([text])
    assert rows.shape == (1, 256)
    assert np.isfinite(rows).all()


def test_threads_get_what_one_thread_gets(static):
    texts = [f"note {n}: the backup of machine {n % 7} ran at {n % 24}:00" for n in range(200)]
    expected = static.embed(texts)
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda text: static.embed([text])[0], texts))
    assert np.array_equal(np.array(rows), expected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_embeds_and_nothing_is_printed_about_it():
    code = (
        "import os\n"
        "from commonplace.providers.embed.static import StaticEmbedder\n"
        "one = StaticEmbedder(); mine = one.embed(['hello there'] * 40)\n"
        "pid = os.fork()\n"
        "if pid == 0: os._exit(0 if (one.embed(['hello there'] * 40) == mine).all() else 1)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))"
    )
    assert run(code) == "0\n"


def test_the_name_carries_the_hash_of_the_file(static):
    assert static.model == f"static-256@{SHA256[VECTORS][:4]}{SHA256[LEXICON[1]][:4]}"
    for name, expected in SHA256.items():
        checked(FOLDER / name, expected)


@pytest.mark.parametrize("name", SHA256)
def test_a_changed_file_is_refused(tmp_path, name):
    for each in SHA256:
        (tmp_path / each).write_bytes((FOLDER / each).read_bytes())
    damaged = bytearray((tmp_path / name).read_bytes())
    damaged[-1] ^= 1
    (tmp_path / name).write_bytes(damaged)
    with pytest.raises(ProviderError, match="reinstall"):
        StaticEmbedder(tmp_path).embed(["x"])
    (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    assert StaticEmbedder(tmp_path).embed(["control"]).any()


def test_recall_reads_the_lexicon_that_the_embedder_checked(monkeypatch):
    StaticEmbedder().embed(["x"])
    monkeypatch.setattr(Lexicon, "load", lambda *paths: pytest.fail("loaded a second time"))
    assert foreign_language("Der Hund schläft im Garten.") == "de"
    assert foreign_language("The dog sleeps in the garden.") is None


def test_ready_tells_a_missing_file(static, tmp_path):
    assert static.ready()
    assert not StaticEmbedder(tmp_path).ready()
    with pytest.raises(ProviderError):
        StaticEmbedder(tmp_path).embed(["x"])


def test_numpy_is_imported_only_to_embed():
    code = (
        "import sys, commonplace.providers.embed.choose as choose, commonplace.providers.llm.choose\n"
        "heavy = {'numpy', 'pydantic', 'httpx2', 'tokenizers'}; one = choose.embedder()\n"
        "before = sorted(heavy & sys.modules.keys())\n"
        "one.embed(['x']); print(before, 'numpy' in sys.modules)"
    )
    assert run(code) == "[] True\n"


def test_pieces_cut_at_white_space_and_lose_nothing():
    text = "alpha beta\ngamma " * 20 + "x" * 50
    cut = list(pieces(text, 30))
    assert "".join(cut) == text
    assert max(map(len, cut)) <= 30
    assert [word for piece in cut[:-2] for word in piece.split()] == text.split()[: len("".join(cut[:-2]).split())]
