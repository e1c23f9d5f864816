"""Train the outputs `keep`, `triggers` and `lasting` again, alone: logistic regressions over layers 2, 4 and 6.

usage: heads.py JUDGE.onnx OUT.onnx [--measure]
Takes a few minutes on a CPU. The other outputs stay what they are, bit for bit. ``--measure`` prints what five parts
find that were not trained on. Sentences come from data/sentences*.jsonl.xz; plain statements, of weight 0.25, from
data/turns.jsonl.xz and everyday.py; triggers from data/triggers.jsonl.xz; how long a sentence holds from
data/lasting.jsonl.xz.
"""

import argparse
import json
import lzma
import random
import re
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from commonplace.providers.embed.static import FOLDER, TOKENIZER
from commonplace.providers.embed.wordpiece import CLS, SEP, WordPiece

HERE = Path(__file__).parent
LAYERS = (1, 3, 5)
PLAIN_WEIGHT, DECAY, TRIGGER_DECAY, LASTING_DECAY, STEPS, PARTS = 0.25, 0.02, 0.1, 0.05, 12, 5
LIVES = "dwml"
"""How long a sentence holds: some days, weeks, months, longer."""
KEPT = frozenset("fact preference instruction decision event number lesson change".split())
NOT_KEPT = frozenset("ack question unreal transient".split())
TRIGGERS = ("correction", "decision", "architecture", "priority", "value", "rule", "todo")
TURNS = {
    "correction": "correction", "decision": "decision", "instruction": "rule", "lesson": "rule", "blocker": "priority",
    "todo": "todo", "next_step": "todo",
}  # fmt: skip
"""Labels of other messages that make a trigger, and of which kind."""
LONGEST_PLAIN, MOST_KEPT, MOST_OTHERS = 16, 1600, 800
"""Words of a plain statement, and how many of each file are taken."""


class Example(NamedTuple):
    text: str
    labels: tuple[int, ...]
    group: int
    """A number of the message; no message is in two parts, and every tenth is not trained on."""
    weight: float
    kind: str


def lines(name: str) -> Iterator[dict[str, Any]]:
    for path in sorted((HERE / "data").glob(f"{name}.jsonl.xz")):
        yield from map(json.loads, lzma.decompress(path.read_bytes()).decode().splitlines())


def noisy() -> Iterator[Example]:
    """Sentences of messages as people write them; the first of an answer comes with the question."""
    for message in lines("sentences*"):
        asked = message.get("context", "")
        for sentence in message["sentences"]:
            text = f"{asked}{'' if asked.endswith('?') else '.'} {sentence['text']}" if asked else sentence["text"]
            yield from forms(text, (sentence["keep"],), message["text"], 1.0, message["lang"])
            asked = ""


def triggers() -> Iterator[Example]:
    """Messages to a coding agent: whether they hold a trigger at all, and of which kinds; with less weight, others."""
    for message in lines("triggers"):
        labels = (int(bool(message["labels"])), *(int(name in message["labels"]) for name in TRIGGERS))
        yield from forms(message["text"], labels, message["text"], 1.0, message["lang"])
    for message in lines("turns"):
        names = set(message["labels"])
        kinds = {kind for name, kind in TURNS.items() if name in names}
        if message["role"] == "user" and bool(kinds) != bool(names and names <= NOT_KEPT):
            labels = (int(bool(kinds)), *(int(name in kinds) for name in TRIGGERS))
            yield Example(message["t"], labels, zlib.crc32(message["t"].encode()), PLAIN_WEIGHT, "plain")


def lasting() -> Iterator[Example]:
    """Whether a sentence still holds after some days, weeks and months, and whether it is understood alone."""
    for row in lines("lasting"):
        life = LIVES.index(row["life"])
        labels = (*(int(life > shorter) for shorter in range(3)), row["alone"])
        yield from forms(row["text"], labels, row["message"], 1.0, row["lang"])


def forms(text: str, labels: tuple[int, ...], message: str, weight: float, kind: str) -> Iterator[Example]:
    """A text with a full stop and without."""
    bare, group = text.rstrip(" ."), zlib.crc32(message.encode())
    texts = (text,) if bare[-1:] in ("?", "!", "") else (bare, f"{bare}.")
    for form in texts:
        yield Example(form, labels, group, weight / len(texts), kind)


def plain() -> Iterator[Example]:
    """Short statements without anything around them, most of them made from frames."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(HERE / "everyday.py"), "--out", folder, "--each", "2"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        framed = [json.loads(row) for row in (Path(folder) / "turns_frames.jsonl").read_text("utf-8").splitlines()]
    rng = random.Random(1)
    for rows in (framed, list(lines("turns"))):
        kept, others = _plain_texts(rows)
        for texts, keep, most in ((kept, 1, MOST_KEPT), (others, 0, MOST_OTHERS)):
            rng.shuffle(texts)
            for text in texts[:most]:
                yield Example(text, (keep,), zlib.crc32(text.encode()), PLAIN_WEIGHT, "plain")


def _plain_texts(rows: list[dict[str, Any]]) -> tuple[list[str], list[str]]:
    kept: dict[str, None] = {}
    others: dict[str, None] = {}
    for row in rows:
        text, labels = row["t"], set(row["labels"])
        if row["role"] != "user" or re.search(r"[.!?]\s", text) or len(text.split()) > LONGEST_PLAIN:
            continue
        if labels & KEPT and not labels & (NOT_KEPT | {"secret", "correction"}):
            kept[text] = None
        elif labels and labels <= NOT_KEPT:
            others[text] = None
    return list(kept), list(others)


def features(judge: Path, texts: list[str]) -> np.ndarray:
    """For each text the mean of each of ``LAYERS`` over its tokens."""
    model = onnx.load(str(judge))
    names = [_layer(number) for number in LAYERS]
    model.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    tokenizer = WordPiece.load(FOLDER / TOKENIZER)
    rows = []
    for text in texts:
        ids = [CLS, *tokenizer.ids(f"user: {text}")[:158], SEP]
        inputs = {
            "input_ids": np.array([ids], np.int64),
            "token_type_ids": np.zeros((1, len(ids)), np.int64),
            "attention_mask": np.ones((1, len(ids)), np.int64),
        }
        rows.append(np.concatenate([layer[0].mean(0) for layer in session.run(names, inputs)]))
    return np.array(rows, np.float64)


class Head(NamedTuple):
    """A linear output: a column of weights and a bias for each label."""

    weights: np.ndarray
    bias: np.ndarray

    def __call__(self, features: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-(features @ self.weights + self.bias)))


def fit(features: np.ndarray, examples: list[Example], decay: float) -> Head:
    """A logistic regression for each label, by Newton's method."""
    mean, scale = features.mean(0), features.std(0) + 1e-6
    inputs = np.hstack([(features - mean) / scale, np.ones((len(features), 1))])
    weight = np.array([example.weight for example in examples])
    share = weight / weight.sum()
    penalty = np.full(inputs.shape[1], 2 * decay)
    penalty[-1] = 1e-9
    columns = []
    for labels in np.array([example.labels for example in examples]).T:
        solution = np.zeros(inputs.shape[1])
        for _ in range(STEPS):
            probability = 1 / (1 + np.exp(-inputs @ solution))
            gradient = inputs.T @ (share * (probability - labels)) + penalty * solution
            curvature = (inputs.T * (share * probability * (1 - probability))) @ inputs + np.diag(penalty)
            solution -= np.linalg.solve(curvature, gradient)
        columns.append(solution)
    scaled = np.array([column[:-1] / scale for column in columns]).T
    return Head(scaled, np.array([column[-1] for column in columns]) - mean @ scaled)


def write(judge: Path, out: Path, heads: dict[str, Head]) -> None:
    """The judge with these outputs, in place of those that it has."""
    model = onnx.load(str(judge))
    graph = model.graph
    for field in (graph.node, graph.initializer, graph.output):
        for entry in [entry for entry in field if entry.name.split(".")[0] in ("means", *heads)]:
            field.remove(entry)
    if not any(node.name == "turn.slice" for node in graph.node):
        _without_last_column(graph)
    means = []
    for number in LAYERS:
        mul, total, mean = f"means.mul{number}", f"means.sum{number}", f"means.mean{number}"
        graph.node.append(helper.make_node("Mul", [_layer(number), "/Cast_output_0"], [mul], mul))
        graph.node.append(helper.make_node("ReduceSum", [mul, "onnx::ReduceSum_719"], [total], total, keepdims=0))
        graph.node.append(helper.make_node("Div", [total, "/ReduceSum_1_output_0"], [mean], mean))
        means.append(mean)
    graph.node.append(helper.make_node("Concat", means, ["means.all"], "means.all", axis=1))
    for name, head in heads.items():
        tensors = [f"{name}.weight", f"{name}.bias"]
        for value, tensor in zip(head, tensors, strict=True):
            graph.initializer.append(numpy_helper.from_array(value.astype(np.float32), tensor))
        graph.node.append(helper.make_node("Gemm", ["means.all", *tensors], [name], f"{name}.gemm"))
        graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["b", len(head.bias)]))
    onnx.checker.check_model(model)
    onnx.save(model, str(out))


def _without_last_column(graph: onnx.GraphProto) -> None:
    """Leave out the `keep` that train.py teaches with the labels of a message."""
    (turn,) = (node for node in graph.node if list(node.output) == ["turn"])
    turn.output[0] = "turn.all"
    (shape,) = (output.type.tensor_type.shape for output in graph.output if output.name == "turn")
    shape.dim[1].dim_value -= 1
    for tensor, value in (("turn.from", 0), ("turn.to", -1), ("turn.axis", 1)):
        graph.initializer.append(numpy_helper.from_array(np.array([value]), tensor))
    inputs = ["turn.all", "turn.from", "turn.to", "turn.axis"]
    graph.node.append(helper.make_node("Slice", inputs, ["turn"], "turn.slice"))


def measure(inputs: np.ndarray, examples: list[Example], decay: float, columns: tuple[str, ...]) -> None:
    """Precision and recall of some labels at some thresholds, each part scored by what the other parts teach."""
    parts = np.array([example.group // 10 % PARTS for example in examples])
    labels = np.array([example.labels for example in examples])
    scores = np.zeros(labels.shape)
    for part in range(PARTS):
        rest = parts != part
        head = fit(inputs[rest], [example for example, taken in zip(examples, rest, strict=True) if taken], decay)
        scores[~rest] = head(inputs[~rest])
    kinds = np.array([example.kind for example in examples])
    for column, name in enumerate(columns):
        label = labels[:, column]
        for kind in ("all but plain", *sorted(set(kinds))):
            rows = kinds == kind if kind in kinds else kinds != "plain"
            for threshold in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
                taken = rows & (scores[:, column] > threshold)
                precision, recall = label[taken].mean(), taken[rows & (label == 1)].mean()
                print(f"{name}, {kind} at {threshold}: precision {precision:.3f}, recall {recall:.3f}")


def _layer(number: int) -> str:
    return f"/bert/encoder/layer.{number}/output/LayerNorm/LayerNormalization_output_0"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judge", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--measure", action="store_true")
    arguments = parser.parse_args()
    heads = {}
    for name, examples, decay, columns in (
        ("keep", [*noisy(), *plain()], DECAY, ("keep",)),
        ("triggers", [*triggers()], TRIGGER_DECAY, ("trigger",)),
        ("lasting", [*lasting()], LASTING_DECAY, ("days", "weeks", "months", "alone")),
    ):
        inputs = features(arguments.judge, [example.text for example in examples])
        if arguments.measure:
            measure(inputs, examples, decay, columns)
        taught = np.array([example.group % 10 != 0 for example in examples])
        heads[name] = fit(
            inputs[taught], [e for e, is_taught in zip(examples, taught, strict=True) if is_taught], decay
        )
    write(arguments.judge, arguments.out, heads)
