"""Make the vectors of static-256 again: distil a sentence-embedding model into one vector a token.

A text's vector is the normalised sum of its tokens' vectors, so that embedding needs a tokenizer, one table and numpy.

  1. targets  the teacher's vector of every passage (kept in OUT/targets.npy and used again);
  2. space    centred, turned to the axes of falling variance, so that a prefix of a vector is a shorter vector;
  3. start    every token alone through the teacher, in those axes, times a weight that is small for frequent tokens;
  4. training Adam on the vectors and one weight a token. The loss is 1 - cos to the target, the same on the first half
              of the axes, and how far the student's neighbours in the batch differ from the teacher's; batches are made
              of groups of near texts. Rare tokens are pulled back to where they began;
  5. files    OUT/static-DIM-vectors.npy (int8) and OUT/static-DIM-scales.npy (one scale a row), as the package loads
              them, and OUT/static-DIM.json with the settings, the scores and the files' SHA-256.

The text is a folder of .txt files, UTF-8, one passage a line. The teacher is an ONNX graph with the inputs input_ids
and attention_mask and one output of pooled, normalised vectors. Needs numpy, tokenizers and onnxruntime; no GPU.

  python tools/train_static_embedder.py --text TEXTS --teacher MODEL.onnx --tokenizer tokenizer.json --out OUT
"""

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int64]

PASSAGES_AT_ONCE = 20_000
TOKENS_AT_ONCE = 2_048
WARM_UP_STEPS = 50
LEAST_BATCH = 8
MASKED = -1e4


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--text", type=Path, required=True, help="folder of .txt files, one passage a line")
    add("--teacher", type=Path, required=True, help="ONNX file of the teacher")
    add("--tokenizer", type=Path, required=True, help="tokenizer.json of the teacher")
    add("--out", type=Path, required=True, help="folder for targets and results")
    add("--dim", type=int, default=256, help="numbers in a vector (default: %(default)s)")
    add("--epochs", type=int, default=7, help="default: %(default)s")
    add("--batch", type=int, default=1_024, help="texts in a batch (default: %(default)s)")
    add("--group", type=int, default=32, help="near texts beside each other in a batch (default: %(default)s)")
    add("--rate", type=float, default=0.03, help="learning rate of weights; vectors a tenth (default: %(default)s)")
    add("--rank", type=float, default=0.3, help="weight of the neighbours' term (default: %(default)s)")
    add("--temperature", type=float, default=0.07, help="of the neighbours' term (default: %(default)s)")
    add("--half", type=float, default=0.25, help="weight of the first half of the axes (default: %(default)s)")
    add("--pull", type=float, default=0.3, help="of rare tokens to their start (default: %(default)s)")
    add("--sif", type=float, default=1e-4, help="how soon frequent tokens weigh less (default: %(default)s)")
    add("--longest", type=int, default=256, help="tokens of a text that are seen (default: %(default)s)")
    add("--held-out", type=int, default=4_000, help="passages kept to measure with (default: %(default)s)")
    add("--limit", type=int, default=0, help="train on this many passages only, for a trial")
    add("--threads", type=int, default=2, help="of the teacher (default: %(default)s)")
    add("--seed", type=int, default=0, help="default: %(default)s")
    return parser.parse_args(given)


# -- text and teacher --------------------------------------------------------------------------------------------------


def read_passages(folder: Path) -> list[str]:
    files = (file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.txt")))
    lines = (line.strip() for file in files for line in file.split("\n"))
    return [line for line in lines if line]


class Teacher:
    def __init__(self, onnx: Path, tokenizer: Path, threads: int, longest: int) -> None:
        import onnxruntime  # heavy, and of no use to those who only read this file's functions

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(str(onnx), options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokenizer.enable_truncation(longest)
        self.tokenizer.no_padding()

    def run(self, ids: Ints, mask: Ints) -> Floats:
        vectors: Floats = self.session.run(None, {"input_ids": ids, "attention_mask": mask})[0]
        return vectors

    def passages(self, texts: Sequence[str]) -> Floats:
        ids = [one.ids for one in self.tokenizer.encode_batch(list(texts))]
        rows: dict[int, Floats] = {}
        for part in like_lengths([len(one) for one in ids]):
            tokens, mask = padded([ids[index] for index in part])
            rows.update(zip(part, self.run(tokens, mask).astype(np.float16), strict=True))
        return np.stack([rows[index] for index in range(len(texts))])

    def tokens(self) -> Floats:
        """Every entry of the dictionary alone, between the marks of begin and end."""
        begin, end = (self.tokenizer.token_to_id(mark) for mark in ("[CLS]", "[SEP]"))
        entries = np.arange(self.tokenizer.get_vocab_size())
        framed = np.stack([np.full_like(entries, begin), entries, np.full_like(entries, end)], axis=1)
        parts = [framed[start : start + 512] for start in range(0, len(framed), 512)]
        return np.concatenate([self.run(part, np.ones_like(part)) for part in parts]).astype(np.float32)


def like_lengths(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indices of texts of like length, 8 to 64 of them and about 2,048 tokens together."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    start = 0
    while start < len(order):
        size = max(8, min(64, TOKENS_AT_ONCE // max(1, lengths[order[start]])))
        yield order[start : start + size]
        start += size


def padded(ids: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    tokens = np.zeros((len(ids), max(map(len, ids))), np.int64)
    mask = np.zeros_like(tokens)
    for row, one in enumerate(ids):
        tokens[row, : len(one)] = one
        mask[row, : len(one)] = 1
    return tokens, mask


class Bags:
    """The tokens of all texts in one array."""

    def __init__(self, ids: Sequence[Sequence[int]]) -> None:
        self.lengths = np.array([len(one) for one in ids])
        self.starts = np.concatenate([[0], np.cumsum(self.lengths)[:-1]])
        self.flat = np.concatenate([np.asarray(one, np.int64) for one in ids])

    def of(self, texts: Ints) -> tuple[Ints, Ints]:
        """The tokens of ``texts`` one after the other, and where each text begins. None may be empty."""
        lengths = self.lengths[texts]
        begins = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        places = np.repeat(self.starts[texts] - begins, lengths) + np.arange(lengths.sum())
        return self.flat[places], begins


# -- space and start ---------------------------------------------------------------------------------------------------


def unit(rows: Floats) -> Floats:
    rows_of_one: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return rows_of_one


def principal_axes(rows: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean, axes (columns, by falling variance, signs fixed) and each axis's share of the variance."""
    mean = rows.mean(0)
    spread = np.zeros((rows.shape[1],) * 2)
    for start in range(0, len(rows), 50_000):
        centred = rows[start : start + 50_000] - mean
        spread += centred.T @ centred
    variance, vectors = np.linalg.eigh(spread)
    axes = vectors[:, ::-1].astype(rows.dtype)
    axes *= np.sign(axes[np.abs(axes).argmax(0), np.arange(len(axes))])
    return mean, axes, variance[::-1] / variance.sum()


def sif_weights(count: int, a: float) -> Floats:
    """Weight of each token by its rank: the dictionary is roughly ordered by frequency, which follows Zipf's law."""
    inverse = 1 / (np.arange(count) + 2.0)
    weights: Floats = a / (a + inverse / inverse.sum())
    return weights


def start_vectors(tokens: Floats, axes: Floats, a: float) -> Floats:
    rows = ((tokens - tokens.mean(0)) @ axes) * sif_weights(len(tokens), a)[:, None]
    return level(rows).astype(np.float32)


def level(rows: Floats) -> Floats:
    """Scaled to a root mean square length of 1, which no cosine sees."""
    scaled: Floats = rows / np.sqrt((rows**2).sum(1).mean())
    return scaled


def nearest_centres(rows: Floats, count: int, rng: np.random.Generator, rounds: int = 6) -> Ints:
    """Spherical k-means on a sample; the index of each row's centre. Only to put near texts into one batch."""
    rows = unit(rows)
    sample = rows[rng.permutation(len(rows))[: 40 * count]]
    centres = sample[:count].copy()
    for _ in range(rounds):
        sums = np.zeros_like(centres)
        np.add.at(sums, (sample @ centres.T).argmax(1), sample)
        centres = unit(sums + 1e-6 * centres)
    parts = [(rows[start : start + 8_192] @ centres.T).argmax(1) for start in range(0, len(rows), 8_192)]
    return np.concatenate(parts)


def batches(centre: Ints, rng: np.random.Generator, size: int, group: int) -> list[Ints]:
    """Every index once, in batches of groups that share a centre."""
    order = np.lexsort((rng.random(len(centre)), centre))
    whole = len(order) // group * group
    groups = order[:whole].reshape(-1, group)
    flat = np.concatenate([groups[rng.permutation(len(groups))].ravel(), order[whole:]])
    parts = [flat[start : start + size] for start in range(0, len(flat), size)]
    return [part for part in parts if len(part) > LEAST_BATCH]


# -- loss, with its gradient by the student's vectors ------------------------------------------------------------------


def cosine_loss(student: Floats, target: Floats) -> tuple[float, Floats]:
    """Mean of 1 - cos."""
    length = np.maximum(np.linalg.norm(student, axis=1, keepdims=True), 1e-12)
    mine, theirs = student / length, unit(target)
    cosine = (mine * theirs).sum(1, keepdims=True)
    return float(1 - cosine.mean()), (cosine * mine - theirs) / length / len(student)


def rank_loss(student: Floats, target: Floats, temperature: float) -> tuple[float, Floats]:
    """Mean Kullback-Leibler divergence of the student's neighbours from the teacher's; nobody neighbours himself."""
    length = np.maximum(np.linalg.norm(student, axis=1, keepdims=True), 1e-12)
    mine = student / length
    ours, theirs = _neighbours(mine, temperature), _neighbours(unit(target), temperature)
    loss = (np.exp(theirs) * (theirs - ours)).sum(1).mean()
    by_cosine = (np.exp(ours) - np.exp(theirs)) / (temperature * len(student))
    by_unit = (by_cosine + by_cosine.T) @ mine
    return float(loss), (by_unit - (by_unit * mine).sum(1, keepdims=True) * mine) / length


def _neighbours(rows: Floats, temperature: float) -> Floats:
    """Log of the chance to pick each other row, by its cosine."""
    scores = rows @ rows.T / temperature
    np.fill_diagonal(scores, MASKED)
    scores -= scores.max(1, keepdims=True)
    logs: Floats = scores - np.log(np.exp(scores).sum(1, keepdims=True))
    return logs


@dataclass(frozen=True)
class Loss:
    half: float
    rank: float
    temperature: float

    def of(self, student: Floats, target: Floats) -> tuple[float, Floats]:
        """``target`` has all axes: the neighbours are judged by all, the cosines by those that the student has."""
        dim = student.shape[1]
        total, gradient = cosine_loss(student, target[:, :dim])
        middle = dim // 2
        loss, by_half = cosine_loss(student[:, :middle], target[:, :middle])
        total += self.half * loss
        gradient[:, :middle] += self.half * by_half
        if self.rank:
            loss, by_rank = rank_loss(student, target, self.temperature)
            total += self.rank * loss
            gradient += self.rank * by_rank
        return total, gradient


# -- student -----------------------------------------------------------------------------------------------------------


class Adam:
    """Adam for one array, which it changes in place."""

    def __init__(self, values: Floats, rate: float) -> None:
        self.values, self.rate = values, rate
        self.mean, self.square, self.steps = np.zeros_like(values), np.zeros_like(values), 0

    def step(self, gradient: Floats, factor: float) -> None:
        self.steps += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient * gradient - self.square)
        spread = np.sqrt(self.square / (1 - 0.999**self.steps)) + 1e-8
        self.values -= (factor * self.rate / (1 - 0.9**self.steps)) * self.mean / spread


class Student:
    def __init__(self, start: Floats, counts: Ints, pull: float, rate: float) -> None:
        self.start = start
        self.vectors, self.logs = start.copy(), np.zeros(len(start), start.dtype)
        self.vector_pull = (pull / (1 + counts / 5)).astype(start.dtype)[:, None]
        # Adam moves a rare token's weight by about the learning rate at every sighting, however small the gradient:
        # without a pull, words seen a few times get arbitrary weights. They go to the mean of the well-known words.
        self.weight_pull = (pull / (3 + counts / 7)).astype(start.dtype)
        usual = np.flatnonzero((counts >= 50) & (counts <= 500))
        self.usual = usual if len(usual) else np.arange(len(counts))
        self.adams = Adam(self.vectors, rate * 0.1), Adam(self.logs, rate)

    def embed(self, flat: Ints, begins: Ints) -> Floats:
        rows: Floats = np.add.reduceat(self.vectors[flat] * np.exp(self.logs[flat])[:, None], begins)
        return rows

    def gradients(self, flat: Ints, begins: Ints, by_text: Floats) -> tuple[Floats, Floats]:
        """By the tokens' vectors and by the logs of their weights."""
        lengths = np.diff(np.append(begins, len(flat)))
        order = np.argsort(flat, kind="stable")
        tokens, firsts = np.unique(flat[order], return_index=True)
        by_token = np.add.reduceat(by_text[np.repeat(np.arange(len(begins)), lengths)[order]], firsts)
        weights = np.exp(self.logs[tokens])
        by_vector, by_log = np.zeros_like(self.vectors), np.zeros_like(self.logs)
        by_vector[tokens] = weights[:, None] * by_token
        by_log[tokens] = weights * (self.vectors[tokens] * by_token).sum(1)
        return by_vector, by_log

    def step(self, gradients: tuple[Floats, Floats], factor: float) -> None:
        for adam, gradient in zip(self.adams, gradients, strict=True):
            adam.step(gradient, factor)
        self.vectors += (self.start - self.vectors) * np.minimum(self.vector_pull * factor * 0.1, 1)
        self.logs += (self.logs[self.usual].mean() - self.logs) * self.weight_pull * factor

    def folded(self) -> Floats:
        return self.vectors * np.exp(self.logs)[:, None]


def rate_factor(step: int, steps: int) -> float:
    """Up over the first steps, then down along a cosine to 2 %."""
    return float(min(1, (step + 1) / WARM_UP_STEPS) * (0.5 * (1 + np.cos(np.pi * step / steps)) * 0.98 + 0.02))


def agreement(student: Floats, target: Floats, nearest: int = 10) -> tuple[float, float]:
    """Mean cosine to the target, and the share of the teacher's nearest texts that are also the student's."""
    mine, theirs = unit(student), unit(target)
    cosine = (mine * unit(target[:, : student.shape[1]])).sum(1).mean()
    picks = [_nearest(rows, min(nearest, len(rows) - 1)) for rows in (mine, theirs)]
    shared = [len(np.intersect1d(ours, others)) / len(ours) for ours, others in zip(*picks, strict=True)]
    return float(cosine), float(np.mean(shared))


def _nearest(rows: Floats, count: int) -> Ints:
    scores = rows @ rows.T
    np.fill_diagonal(scores, -2)
    return np.argpartition(-scores, count - 1, axis=1)[:, :count]


def quantised(rows: Floats) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """int8 rows and the scale of each; ``vectors * scales[:, None]`` gives them back."""
    scales = (np.maximum(np.abs(rows).max(1), 1e-12) / 127).astype(np.float32)
    return np.clip(np.rint(rows / scales[:, None]), -127, 127).astype(np.int8), scales


# -- the run -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lesson:
    """All that training needs."""

    bags: Bags
    targets: Floats
    train: Ints
    held_out: Ints
    start: Floats


def targets_of(teacher: Teacher, passages: Sequence[str], out: Path) -> Floats:
    kept = out / "targets.npy"
    if not kept.exists() or len(np.load(kept, mmap_mode="r")) != len(passages):
        parts: list[Floats] = []
        for start in range(0, len(passages), PASSAGES_AT_ONCE):
            parts.append(teacher.passages(passages[start : start + PASSAGES_AT_ONCE]))
            print(f"targets: {start + len(parts[-1])} of {len(passages)}", flush=True)
        np.save(kept, np.concatenate(parts))
    targets: Floats = np.load(kept).astype(np.float32)
    return targets


def prepared(given: argparse.Namespace, rng: np.random.Generator) -> Lesson:
    passages = read_passages(given.text)
    teacher = Teacher(given.teacher, given.tokenizer, given.threads, given.longest)
    targets = targets_of(teacher, passages, given.out)
    tokenizer = Tokenizer.from_file(str(given.tokenizer))
    tokenizer.enable_truncation(given.longest - 2)  # the teacher's two marks are no tokens of the student
    tokenizer.no_padding()
    bags = Bags([one.ids for one in tokenizer.encode_batch(passages, add_special_tokens=False)])
    order = rng.permutation(np.flatnonzero(bags.lengths > 0))
    held_out, train = order[: given.held_out], order[given.held_out :][: given.limit or None]
    if len(train) <= LEAST_BATCH or len(held_out) < 2:
        raise SystemExit(f"too few passages: {len(train)} to train on, {len(held_out)} held out; see --held-out")
    mean, axes, shares = principal_axes(targets[train])
    share = shares[: given.dim].sum()
    print(f"train {len(train)}, held out {len(held_out)}; {given.dim} axes hold {share:.3f}", flush=True)
    start = start_vectors(teacher.tokens(), axes[:, : given.dim], given.sif)
    return Lesson(bags, (targets - mean) @ axes, train, held_out, start)


def trained(lesson: Lesson, given: argparse.Namespace, rng: np.random.Generator) -> tuple[Floats, dict[str, float]]:
    """The best table by the held-out passages, and its scores."""
    bags, targets, train = lesson.bags, lesson.targets, lesson.train
    counts = np.bincount(bags.flat, minlength=len(lesson.start))
    student = Student(lesson.start, counts, given.pull, given.rate)
    loss = Loss(given.half, given.rank, given.temperature)
    centre = nearest_centres(targets[train][:, :64], min(len(train), max(8, len(train) // 400)), rng)
    steps = given.epochs * len(batches(centre, rng, given.batch, given.group))
    untrained = _scores(student, lesson, 0)
    best, scores, step = student.folded(), untrained, 0
    for epoch in range(1, given.epochs + 1):
        for part in batches(centre, rng, given.batch, given.group):
            flat, begins = bags.of(train[part])
            _, by_text = loss.of(student.embed(flat, begins), targets[train[part]])
            student.step(student.gradients(flat, begins, by_text), rate_factor(step, steps))
            step += 1
        now = _scores(student, lesson, epoch)
        if now["sum"] > scores["sum"]:
            best, scores = student.folded(), now
        elif now["sum"] < scores["sum"] - 0.002:
            break
    return best, {**scores, "untrained": untrained["sum"]}


def _scores(student: Student, lesson: Lesson, epoch: int) -> dict[str, float]:
    rows = student.embed(*lesson.bags.of(lesson.held_out))
    cosine, shared = agreement(rows, lesson.targets[lesson.held_out])
    print(f"epoch {epoch}: held-out cosine {cosine:.4f}, nearest ten shared {shared:.4f}", flush=True)
    return {"epoch": epoch, "cosine": cosine, "nearest": shared, "sum": cosine + shared}


def save(table: Floats, scores: dict[str, float], given: argparse.Namespace) -> None:
    vectors, scales = quantised(level(table))
    name = f"static-{given.dim}"
    files: dict[str, NDArray[Any]] = {f"{name}-vectors.npy": vectors, f"{name}-scales.npy": scales}
    for file, rows in files.items():
        np.save(given.out / file, rows)
    sums = {file: hashlib.sha256((given.out / file).read_bytes()).hexdigest() for file in files}
    settings = {key: str(value) if isinstance(value, Path) else value for key, value in vars(given).items()}
    report = json.dumps({"settings": settings, "scores": scores, "sha256": sums}, indent=1)
    (given.out / f"{name}.json").write_text(report + "\n", encoding="utf-8")


def main(arguments_given: Sequence[str] | None = None) -> None:
    given = arguments(arguments_given)
    given.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(given.seed)
    table, scores = trained(prepared(given, rng), given, rng)
    save(table, scores, given)
    print(f"best: {scores}", flush=True)


if __name__ == "__main__":
    main()
