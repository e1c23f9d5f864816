"""Train the output `keep` again, alone: logistic regression over the mean of layers 2, 4 and 6. A few minutes on a CPU.

usage: keep.py JUDGE.onnx OUT.onnx [--measure]
The other outputs stay what they are, bit for bit. ``--measure`` prints what five parts find that were not trained on.
Sentences come from data/sentences.jsonl.xz; plain statements, of weight 0.25, from data/turns.jsonl.xz and everyday.py.
"""

import argparse
import json
import lzma
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from commonplace.providers.embed.static import FOLDER, TOKENIZER
from commonplace.providers.embed.wordpiece import CLS, SEP, WordPiece

HERE = Path(__file__).parent
LAYERS = (1, 3, 5)
PLAIN_WEIGHT, DECAY, STEPS, PARTS = 0.25, 0.02, 12, 5
KEPT = frozenset("fact preference instruction decision event number lesson change".split())
NOT_KEPT = frozenset("ack question unreal transient".split())
LONGEST_PLAIN, MOST_KEPT, MOST_OTHERS = 16, 1600, 800
"""Words of a plain statement, and how many of each file are taken."""


class Example(NamedTuple):
    text: str
    keep: int
    group: int
    """The message; no message is in two parts."""
    weight: float


def noisy() -> Iterator[Example]:
    """Sentences of messages as people write them."""
    lines = lzma.decompress((HERE / "data" / "sentences.jsonl.xz").read_bytes()).decode().splitlines()
    for number, line in enumerate(lines):
        for sentence in json.loads(line)["sentences"]:
            yield Example(sentence["text"], sentence["keep"], number, 1.0)


def plain() -> Iterator[Example]:
    """Short statements without anything around them, most of them made from frames."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(HERE / "everyday.py"), "--out", folder, "--each", "2"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        framed = (Path(folder) / "turns_frames.jsonl").read_text("utf-8")
    by_hand = lzma.decompress((HERE / "data" / "turns.jsonl.xz").read_bytes()).decode()
    rng, group = random.Random(1), 1_000_000
    for rows in (framed, by_hand):
        kept, others = _plain_texts(rows)
        for texts, keep, most in ((kept, 1, MOST_KEPT), (others, 0, MOST_OTHERS)):
            rng.shuffle(texts)
            for text in texts[:most]:
                group += 1
                yield Example(text, keep, group, PLAIN_WEIGHT)


def _plain_texts(rows: str) -> tuple[list[str], list[str]]:
    kept: dict[str, None] = {}
    others: dict[str, None] = {}
    for row in map(json.loads, rows.splitlines()):
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
    session = onnxruntime.InferenceSession(model.SerializeToString())
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


def fit(features: np.ndarray, keep: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights and bias of a logistic regression, by Newton's method."""
    mean, scale = features.mean(0), features.std(0) + 1e-6
    inputs = np.hstack([(features - mean) / scale, np.ones((len(features), 1))])
    share = weight / weight.sum()
    penalty = np.full(inputs.shape[1], 2 * DECAY)
    penalty[-1] = 1e-9
    solution = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        probability = 1 / (1 + np.exp(-inputs @ solution))
        gradient = inputs.T @ (share * (probability - keep)) + penalty * solution
        curvature = (inputs.T * (share * probability * (1 - probability))) @ inputs + np.diag(penalty)
        solution -= np.linalg.solve(curvature, gradient)
    scaled = solution[:-1] / scale
    return scaled, float(solution[-1] - scaled @ mean)


def write(judge: Path, out: Path, weights: np.ndarray, bias: float) -> None:
    """The judge with a `keep` of its own in the last column of `turn`."""
    model = onnx.load(str(judge))
    graph = model.graph
    if any(tensor.name == "keep.weight" for tensor in graph.initializer):
        for tensor in graph.initializer:
            if tensor.name in ("keep.weight", "keep.bias"):
                value = weights[:, None] if tensor.name == "keep.weight" else np.array([bias])
                tensor.CopyFrom(numpy_helper.from_array(value.astype(np.float32), tensor.name))
        onnx.save(model, str(out))
        return
    means = []
    for number in LAYERS:
        mul, total, mean = f"keep_mul{number}", f"keep_sum{number}", f"keep_mean{number}"
        graph.node.append(helper.make_node("Mul", [_layer(number), "/Cast_output_0"], [mul]))
        graph.node.append(helper.make_node("ReduceSum", [mul, "onnx::ReduceSum_719"], [total], keepdims=0))
        graph.node.append(helper.make_node("Div", [total, "/ReduceSum_1_output_0"], [mean]))
        means.append(mean)
    (turn,) = (node for node in graph.node if list(node.output) == ["turn"])
    columns = next(tensor.dims[0] for tensor in graph.initializer if tensor.name == "m.heads.C.bias")
    turn.output[0] = "turn_before"
    values = {"keep.weight": weights[:, None].astype(np.float32), "keep.bias": np.array([bias], np.float32)}
    values |= {"keep_from": np.array([0]), "keep_to": np.array([columns - 1]), "keep_axis": np.array([1])}
    graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in values.items())
    graph.node.append(helper.make_node("Concat", means, ["keep_means"], axis=1))
    graph.node.append(helper.make_node("Gemm", ["keep_means", "keep.weight", "keep.bias"], ["keep_logit"]))
    graph.node.append(helper.make_node("Slice", ["turn_before", "keep_from", "keep_to", "keep_axis"], ["turn_others"]))
    graph.node.append(helper.make_node("Concat", ["turn_others", "keep_logit"], ["turn"], axis=1))
    onnx.checker.check_model(model)
    onnx.save(model, str(out))


def measure(inputs: np.ndarray, examples: list[Example]) -> None:
    """Precision and recall at some thresholds, each part scored by what the other parts teach."""
    keep, weight, parts = _columns(examples)
    scores = np.zeros(len(examples))
    for part in range(PARTS):
        rest = parts != part
        weights, bias = fit(inputs[rest], keep[rest], weight[rest])
        scores[~rest] = 1 / (1 + np.exp(-(inputs[~rest] @ weights + bias)))
    for name, rows in (("sentences", weight == 1), ("plain", weight < 1)):
        for threshold in (0.5, 0.6, 0.7, 0.8):
            kept = rows & (scores > threshold)
            precision, recall = keep[kept].mean(), kept[rows & (keep == 1)].mean()
            print(f"{name} at {threshold}: precision {precision:.3f}, recall {recall:.3f}")


def _columns(examples: list[Example]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    _, keep, group, weight = map(np.array, zip(*examples, strict=True))
    return keep, weight, group % PARTS


def _layer(number: int) -> str:
    return f"/bert/encoder/layer.{number}/output/LayerNorm/LayerNormalization_output_0"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("judge", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--measure", action="store_true")
    arguments = parser.parse_args()
    examples = [*noisy(), *plain()]
    inputs = features(arguments.judge, [example.text for example in examples])
    if arguments.measure:
        measure(inputs, examples)
    keep, weight, _ = _columns(examples)
    write(arguments.judge, arguments.out, *fit(inputs, keep, weight))
