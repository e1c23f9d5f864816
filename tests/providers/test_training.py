"""The recipe of the static vectors: its mathematics, and a whole run on a little text of our own."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "train_static_embedder.py"


def loaded():
    spec = importlib.util.spec_from_file_location("train_static_embedder", TOOL)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


tool = loaded()
ENTRIES = 6_000  # of the dictionary, the most frequent ones: all would take the teacher ten seconds
NEEDED = ["--text", "t", "--teacher", "m.onnx", "--tokenizer", "tokenizer.json", "--out", "o"]


def rng():
    return np.random.default_rng(5)


def slope(function, at, direction, step=1e-5):
    return (function(at + step * direction) - function(at - step * direction)) / (2 * step)


def test_the_defaults_are_those_of_the_shipped_vectors():
    given = tool.arguments(NEEDED)
    assert (given.dim, given.epochs, given.batch, given.group) == (256, 7, 1024, 32)
    assert (given.rate, given.rank, given.temperature, given.half) == (0.03, 0.3, 0.07, 0.25)
    assert (given.pull, given.sif, given.longest, given.held_out) == (0.3, 1e-4, 256, 4000)


def test_help_says_what_it_does():
    done = subprocess.run([sys.executable, TOOL, "--help"], capture_output=True, text=True, check=True, timeout=60)
    assert "one vector a token" in done.stdout
    assert "--held-out" in done.stdout


def test_the_folders_are_required(capsys):
    with pytest.raises(SystemExit):
        tool.arguments(NEEDED[2:])
    assert "--text" in capsys.readouterr().err


def test_axes_come_by_falling_variance_and_keep_lengths():
    rows = rng().normal(size=(400, 6)) * [1, 9, 3, 0.1, 5, 2] + 7
    mean, axes, shares = tool.principal_axes(rows)
    turned = (rows - mean) @ axes
    assert np.allclose(axes.T @ axes, np.eye(6), atol=1e-9)
    assert np.all(np.diff(turned.var(0)) < 0)
    assert np.allclose(shares, turned.var(0) / turned.var(0).sum())
    assert np.all(axes[np.abs(axes).argmax(0), range(6)] > 0)


def test_frequent_tokens_weigh_less_and_rare_ones_nearly_one():
    weights = tool.sif_weights(30_522, 1e-4)
    assert np.all(np.diff(weights) > 0)
    assert weights[0] < 0.01
    assert weights[-1] > 0.95


def test_start_vectors_have_a_mean_square_length_of_one():
    start = tool.start_vectors(rng().normal(size=(50, 8)), np.eye(8)[:, :4], 1e-2)
    assert start.shape == (50, 4)
    assert np.isclose((start**2).sum(1).mean(), 1, atol=1e-5)


def test_k_means_puts_near_rows_together():
    chance = rng()
    places = np.repeat(np.eye(4), 30, axis=0)
    centres = tool.nearest_centres(places + 0.05 * chance.normal(size=places.shape), 12, chance)
    kinds = [set(centres[start : start + 30]) for start in range(0, 120, 30)]
    assert all(not (kinds[a] & kinds[b]) for a in range(4) for b in range(a))


def test_batches_hold_every_text_once_in_groups_of_one_centre():
    centre = np.repeat(np.arange(10), 16)
    parts = tool.batches(centre, rng(), 32, 8)
    assert sorted(np.concatenate(parts)) == list(range(160))
    assert all(len(set(centre[group])) == 1 for part in parts for group in part.reshape(-1, 8))
    assert any(len(set(centre[part])) > 1 for part in parts)


def test_bags_give_the_tokens_of_the_texts_asked_for():
    bags = tool.Bags([[5, 6], [], [7], [8, 9, 9]])
    flat, begins = bags.of(np.array([3, 0]))
    assert (flat.tolist(), begins.tolist()) == ([8, 9, 9, 5, 6], [0, 3])


@pytest.mark.parametrize("half", [0.0, 0.25])
@pytest.mark.parametrize("rank", [0.0, 0.3])
def test_the_loss_has_the_gradient_it_says(half, rank):
    chance = rng()
    student, target = chance.normal(size=(12, 6)), chance.normal(size=(12, 9))
    loss = tool.Loss(half, rank, 0.2)
    _, gradient = loss.of(student, target)
    for _ in range(5):
        direction = chance.normal(size=student.shape)
        expected = slope(lambda at: loss.of(at, target)[0], student, direction)
        assert np.isclose((gradient * direction).sum(), expected, rtol=1e-4)


def test_a_student_equal_to_its_target_has_no_loss():
    target = rng().normal(size=(12, 6))
    assert tool.Loss(0.25, 0.3, 0.07).of(3 * target, target)[0] == pytest.approx(0, abs=1e-9)
    assert tool.Loss(0.25, 0.3, 0.07).of(-target, target)[0] > 2


def test_the_students_gradients_are_those_of_its_embedding():
    chance = rng()
    student = tool.Student(chance.normal(size=(7, 4)), np.ones(7, int), 0.3, 0.03)
    student.logs[:] = chance.normal(size=7)
    flat, begins = np.array([1, 2, 2, 5, 0, 1]), np.array([0, 3, 4])
    by_text = chance.normal(size=(3, 4))
    by_vector, by_log = student.gradients(flat, begins, by_text)
    for name, gradient in (("vectors", by_vector), ("logs", by_log)):
        before, direction = getattr(student, name).copy(), chance.normal(size=gradient.shape)

        def total(at, name=name):
            getattr(student, name)[:] = at
            return (student.embed(flat, begins) * by_text).sum()

        assert np.isclose((gradient * direction).sum(), slope(total, before, direction), rtol=1e-4)
        getattr(student, name)[:] = before


def test_adams_first_step_is_as_long_as_the_rate():
    adam = tool.Adam(np.zeros(3), 0.5)
    adam.step(np.array([1e-3, -4.0, 0.0]), 1.0)
    assert np.allclose(adam.values, [-0.5, 0.5, 0], atol=1e-4)


def test_a_rare_token_is_pulled_to_its_start_harder_than_a_frequent_one():
    student = tool.Student(np.zeros((2, 4)), np.array([1, 100_000]), 0.3, 0.03)
    student.vectors[:] = 1
    student.step((np.zeros((2, 4)), np.zeros(2)), 1.0)
    assert student.vectors[0, 0] < 0.99 < student.vectors[1, 0] <= 1


def test_the_rate_warms_up_and_falls_to_two_percent():
    assert tool.rate_factor(0, 1_000) == pytest.approx(0.02)
    assert tool.rate_factor(50, 1_000) > 0.98
    assert tool.rate_factor(1_000, 1_000) == pytest.approx(0.02)


def test_quantised_rows_come_back_within_half_a_step():
    rows = np.vstack([rng().normal(size=(20, 8)), np.zeros((1, 8))])
    vectors, scales = tool.quantised(rows)
    assert vectors.dtype == np.int8
    assert np.all(np.abs(vectors * scales[:, None] - rows) <= scales[:, None] / 2 + 1e-7)


def test_agreement_is_whole_with_oneself_and_small_with_noise():
    chance = rng()
    target = chance.normal(size=(60, 16))
    assert tool.agreement(target, target) == pytest.approx((1, 1))
    assert max(tool.agreement(chance.normal(size=(60, 16)), target)) < 0.5


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A whole run with the real teacher on 240 made-up passages."""
    folder = tmp_path_factory.mktemp("training")
    people, places = ["Ada", "Ben", "Caro", "Dan"], ["the harbour", "the station", "the library", "the market"]
    deeds = ["met a friend at", "lost an umbrella near", "drew a map of", "bought bread beside", "waited an hour at"]
    lines = [
        f"{who} {did} {where}, visit {n}." for n in range(3) for who in people for did in deeds for where in places
    ]
    (folder / "text").mkdir()
    (folder / "text" / "own.txt").write_text("\n\n".join(lines), encoding="utf-8")
    models = ROOT / "src" / "commonplace" / "providers" / "embed" / "models"
    tokenizer = json.loads((models / "tokenizer.json").read_text(encoding="utf-8"))
    words = tokenizer["model"]["vocab"]
    tokenizer["model"]["vocab"] = {word: at for word, at in words.items() if at < ENTRIES}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    given = [f"--text={folder / 'text'}", f"--out={folder / 'out'}", f"--tokenizer={folder / 'tokenizer.json'}"]
    given.append(f"--teacher={models / 'minilm-l6-v2-int8.onnx'}")
    tool.main([*given, "--dim=32", "--epochs=25", "--batch=64", "--group=8", "--held-out=60"])
    return folder / "out"


@pytest.mark.slow
def test_a_run_learns_and_writes_what_the_package_loads(run):
    report = json.loads((run / "static-32.json").read_text(encoding="utf-8"))
    vectors, scales = np.load(run / "static-32-vectors.npy"), np.load(run / "static-32-scales.npy")
    assert (vectors.shape, vectors.dtype, scales.dtype) == ((ENTRIES, 32), np.int8, np.float32)
    assert report["scores"]["epoch"] > 0
    assert report["scores"]["sum"] > report["scores"]["untrained"] + 0.2
    assert report["scores"]["cosine"] > 0.8
    assert set(report["sha256"]) == {"static-32-vectors.npy", "static-32-scales.npy"}
