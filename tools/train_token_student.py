"""Distil a smaller encoder for late interaction: ``python tools/train_token_student.py OUT.onnx [--steps 3000]``.

The student is some layers of the package's MiniLM, its weights made float again, its embeddings as they are. It learns
to give the teacher's token vectors (64 axes, length one), the teacher's hidden states after the layers that it keeps,
and the order in which the teacher ranks the texts of a batch. The texts are the judge's training texts: as they are,
several of them joined, or with some words exchanged for others of the dictionary; the teacher reads each when its turn
comes, so that no text is seen twice in the same form. Of every tenth group of texts nothing is trained on; the mean
cosine to the teacher on those is printed. Needs torch and onnx.

No student is shipped: docs/retrieval.md has figures. To measure one, let ``providers/embed/tokens.py`` run its graph,
whose output ``vectors`` takes the place of the hidden states and the axes, under another ``TokenEncoder.model``.
"""

import argparse
import json
import random
import time
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import helper, numpy_helper
from torch import Tensor
from torch.nn import functional
from train_token_axes import lines_of, told

from commonplace.providers.embed.minilm import MODEL
from commonplace.providers.embed.static import FOLDER
from commonplace.providers.embed.tokens import AXES, CONTEXT, PASSAGE
from commonplace.providers.embed.wordpiece import CLS, SEP, WordPiece

HEADS, HEAD = 12, 32
GROUP, GROUPS, PART = 8, 8, 16
"""Neighbouring texts of a group, groups of a batch, and texts that are padded to the same length."""
TEMPERATURE = 0.03
WARMUP, REPORT = 30, 50
"""Steps until the full rate, and between two reports. The last quarter of the steps goes down to a rate of nothing."""

Text = tuple[str, str]
"""A text, and what was said just before."""
Weights = dict[str, Tensor]


def groups() -> list[list[Text]]:
    """Texts that stand near each other in what they were taken from, eight at a time."""
    lists: list[list[Text]] = []
    for talk in map(json.loads, lines_of("talks")):
        turns = [turn.partition("] ")[2].partition(": ")[2] for turn in talk["turns"]]
        lists += [list(zip(turns, ["", *turns], strict=False)), [(ask["q"], "") for ask in talk["qs"]]]
    for book in map(json.loads, lines_of("match")):
        lists.append([(text, "") for text in [*book["book"], *(ask["d"] for ask in book["asks"])]])
    for pair in map(json.loads, [*lines_of("pairs"), *lines_of("pairs_more")]):
        lists.append([(pair["old"], ""), *((text, "") for text, _ in pair["news"])])
    messages = [json.loads(line) for line in [*lines_of("sentences"), *lines_of("sentences_more")]]
    lists.append([(message["text"], message.get("context") or "") for message in messages])
    lists.append([(said["says"], "") for message in messages for said in message["sentences"] if said.get("says")])
    lists.append([(json.loads(line)["t"], "") for line in lines_of("turns")])
    lists.append([(json.loads(line)["text"], "") for line in lines_of("triggers")])
    lists.append([(text, "") for pair in told() for text in pair])
    return [texts[start : start + GROUP] for texts in lists for start in range(0, len(texts), GROUP)]


class Teacher:
    def __init__(self, layers: Sequence[int]) -> None:
        self.outputs = [f"l{layer}_n2" for layer in layers]
        model = onnx.load(FOLDER / MODEL)
        model.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in {*self.outputs, "l5_n2"})
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), options)
        self.axes = torch.from_numpy(np.load(FOLDER / AXES).astype(np.float32))

    def __call__(self, batch: Sequence[Sequence[int]]) -> tuple[Tensor, list[Tensor]]:
        """Token vectors, and hidden states by layer, of all tokens one after another."""
        rows: list[list[np.ndarray[Any, Any]]] = []
        for ids in batch:
            tokens = np.array([ids], np.int64)
            inputs = {"input_ids": tokens, "attention_mask": np.ones_like(tokens)}
            rows.append([output[0] for output in self.session.run([*self.outputs, "l5_n2"], inputs)])
        *states, last = [torch.from_numpy(np.concatenate(layer)) for layer in zip(*rows, strict=True)]
        return functional.normalize(last @ self.axes, dim=1), states


class Batches:
    """Batches of token ids without end, the texts changed at random."""

    def __init__(self, texts: list[list[Text]], tokenizer: WordPiece, seed: int) -> None:
        self.groups, self.tokenizer, self.chance = texts, tokenizer, random.Random(seed)
        said = {word for group in texts for text, _ in group for word in text.split()}
        self.words = sorted(said | {word for word in tokenizer._vocabulary if word.isalpha() and len(word) > 2})

    def __iter__(self) -> Iterator[list[list[int]]]:
        while True:
            order = self.chance.sample(self.groups, len(self.groups))
            for start in range(0, len(order) - GROUPS, GROUPS):
                yield sorted((ids for group in order[start : start + GROUPS] for ids in self.changed(group)), key=len)

    def changed(self, group: list[Text]) -> list[list[int]]:
        way = self.chance.random()
        if way < 0.3:  # as long as the messages of an assistant, passage after passage
            size = self.chance.randint(2, 4)
            joined = [" ".join(text for text, _ in group[at : at + size]) for at in range(0, len(group), size)]
            group = list(zip(joined, ["", *joined], strict=False))
        elif way < 0.6:
            group = [(self.exchanged(text), self.exchanged(before)) for text, before in group]
        return [encoder_ids(self.tokenizer, text, before) for text, before in group]

    def exchanged(self, text: str) -> str:
        return " ".join(self.chance.choice(self.words) if self.chance.random() < 0.2 else w for w in text.split())


def encoder_ids(tokenizer: WordPiece, text: str, before: str) -> list[int]:
    """As ``TokenEncoder`` forms them."""
    head = [CLS, *tokenizer.ids(before)[-CONTEXT:], SEP] if before else [CLS]
    return [*head, *tokenizer.ids(text)[:PASSAGE], SEP]


def float_weights(model: onnx.ModelProto, layers: Sequence[int]) -> Weights:
    """The student's parameters, by their names in the graph."""
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    weights = {"axes": np.load(FOLDER / AXES).astype(np.float32)}
    for name, tensor in tensors.items():
        base = name.removesuffix("_quantized")
        if base != name:
            tensor = (tensor.astype(np.float32) - tensors[f"{base}_zero_point"]) * tensors[f"{base}_scale"]
        if base in {"word", "pos"} or name.startswith(("embeddings.", *(f"encoder.layer.{n}." for n in layers))):
            weights[base] = tensor
    return {
        name: torch.tensor(tensor, dtype=torch.float32, requires_grad=name not in {"word", "pos"})
        for name, tensor in weights.items()
        if not name.endswith(("_scale", "_zero_point"))
    }


def student(weights: Weights, layers: Sequence[int], batch: Sequence[Sequence[int]]) -> tuple[Tensor, list[Tensor]]:
    """As ``Teacher``. Tokens stand one after another; only attention sees them text by text."""
    longest = max(map(len, batch))
    slots = torch.tensor([row * longest + at for row, ids in enumerate(batch) for at in range(len(ids))])
    ids = torch.tensor([token for text in batch for token in text])
    lengths = torch.tensor([len(ids) for ids in batch])
    mask = (torch.arange(longest) >= lengths[:, None]).view(len(batch), 1, 1, longest)

    def norm(rows: Tensor, name: str) -> Tensor:
        return functional.layer_norm(rows, rows.shape[-1:], weights[f"{name}.g"], weights[f"{name}.b"], 1e-12)

    rows, states = norm(weights["word"][ids] + weights["pos"][slots % longest], "embeddings.LayerNorm"), []
    for layer in layers:
        base = f"encoder.layer.{layer}"

        def linear(rows: Tensor, name: str, base: str = base) -> Tensor:
            return rows @ weights[f"{base}.{name}.w"] + weights[f"{base}.{name}.b"]

        def heads(rows: Tensor) -> Tensor:
            padded = rows.new_zeros(len(batch) * longest, HEADS * HEAD).index_copy(0, slots, rows)
            return padded.view(len(batch), longest, HEADS, HEAD).transpose(1, 2)

        query, key, value = (heads(linear(rows, f"attention.self.{name}")) for name in ("query", "key", "value"))
        near = (query @ key.transpose(2, 3) * HEAD**-0.5).masked_fill(mask, -1e4).softmax(3)
        mixed = (near @ value).transpose(1, 2).reshape(len(batch) * longest, HEADS * HEAD)[slots]
        rows = norm(linear(mixed, "attention.output.dense") + rows, f"{base}.attention.output.LayerNorm")
        inner = functional.gelu(linear(rows, "intermediate.dense"))
        rows = norm(linear(inner, "output.dense") + rows, f"{base}.output.LayerNorm")
        states.append(rows)
    return functional.normalize((rows @ weights["axes"]).float(), dim=1), states


def ranking_loss(vectors: Tensor, wanted: Tensor, batch: Sequence[Sequence[int]]) -> Tensor:
    """How far the scores of late interaction, each text a question for the others, are from the teacher's."""
    starts = np.cumsum([0, *map(len, batch)])
    text_of = torch.from_numpy(np.repeat(np.arange(len(batch)), np.diff(starts)))

    def scores(rows: Tensor) -> Tensor:
        cosines = rows @ rows.T
        nearest = cosines.new_full((len(rows), len(batch)), -1.0)
        nearest = nearest.scatter_reduce(1, text_of.expand(len(rows), -1), cosines, "amax")
        means = torch.stack([part.mean(0) for part in nearest.split([len(ids) for ids in batch])])
        return (means / TEMPERATURE).masked_fill(torch.eye(len(batch), dtype=torch.bool), -1e4)

    return functional.kl_div(scores(vectors).log_softmax(1), scores(wanted).softmax(1), reduction="batchmean")


def train(weights: Weights, layers: Sequence[int], texts: list[list[Text]], given: argparse.Namespace) -> None:
    teacher, tokenizer = Teacher(layers), WordPiece.load(FOLDER / "tokenizer.json")
    unseen = [zlib.crc32(group[0][0].encode()) % 10 == 0 for group in texts]
    held = [encoder_ids(tokenizer, *text) for group, out in zip(texts, unseen, strict=True) if out for text in group]
    batches = Batches([group for group, out in zip(texts, unseen, strict=True) if not out], tokenizer, given.seed)
    optimizer = torch.optim.AdamW([w for w in weights.values() if w.requires_grad], given.rate, (0.9, 0.98))
    sums = np.zeros(3)
    answers = read_ahead(batches, teacher)
    for step, (batch, (wanted, wanted_states)) in zip(range(given.steps + 1), answers, strict=False):
        if step % REPORT == 0 or step == given.steps:
            cosine = held_out(weights, layers, teacher, held[:: 1 if step == given.steps else 10])
            took = time.process_time()
            print(f"step {step}, {took:.0f} s: {(sums / REPORT).round(4)}; held out {cosine:.4f}", flush=True)
            sums[:] = 0
        for group in optimizer.param_groups:
            group["lr"] = given.rate * min(1, step / WARMUP, 4 * (1 - step / given.steps))
        with torch.autocast("cpu", torch.bfloat16):
            parts = [student(weights, layers, batch[start : start + PART]) for start in range(0, len(batch), PART)]
        vectors = torch.cat([part[0] for part in parts])
        states = [torch.cat(layer) for layer in zip(*(part[1] for part in parts), strict=True)]
        pairs = zip(states, wanted_states, strict=True)
        losses = [
            (1 - (vectors * wanted).sum(1)).mean(),
            torch.stack(
                [(1 - functional.cosine_similarity(mine, other, dim=1)).mean() for mine, other in pairs]
            ).mean(),
            ranking_loss(vectors, wanted, batch),
        ]
        optimizer.zero_grad()
        (losses[0] + losses[1] + given.ranking * losses[2]).backward()
        optimizer.step()
        sums += [loss.item() for loss in losses]


def read_ahead(batches: Batches, teacher: Teacher) -> Iterator[tuple[list[list[int]], tuple[Tensor, list[Tensor]]]]:
    """Batches with what the teacher says; it reads the next one while the student learns."""
    with ThreadPoolExecutor(1) as pool:
        source = iter(batches)
        batch = next(source)
        answer = pool.submit(teacher, batch)
        for following in source:
            vectors, answer = answer.result(), pool.submit(teacher, following)
            yield batch, vectors
            batch = following


def held_out(weights: Weights, layers: Sequence[int], teacher: Teacher, texts: list[list[int]]) -> float:
    cosines = []
    with torch.no_grad():
        for start in range(0, len(texts), 64):
            batch = texts[start : start + 64]
            cosines.append((student(weights, layers, batch)[0] * teacher(batch)[0]).sum(1))
    return float(torch.cat(cosines).mean())


def exported(model: onnx.ModelProto, weights: Weights, layers: Sequence[int]) -> onnx.ModelProto:
    """The package's graph with the layers that were kept, the weights in int8 per output channel, vectors as output."""
    graph = model.graph
    nodes, before = {name: node for node in graph.node for name in node.output}, "x0"
    for layer in layers:
        old = f"l{layer - 1}_n2" if layer else "x0"
        for name, node in nodes.items():
            if name.startswith(f"l{layer}_"):
                node.input[:] = [before + i.removeprefix(old) if i.startswith(old) else i for i in node.input]
        before = f"l{layer}_n2"
    nodes["rows"] = helper.make_node("MatMul", [before, "axes"], ["rows"])
    nodes["vectors"] = helper.make_node("LpNormalization", ["rows"], ["vectors"], axis=-1, p=2)
    needed, waiting = set(), ["vectors"]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += nodes[name].input if name in nodes else []
    kept = [node for node in [*graph.node, nodes["rows"], nodes["vectors"]] if needed & set(node.output)]
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    for name, weight in weights.items():
        if not weight.requires_grad:
            continue
        value = weight.detach().numpy()
        if f"{name}_scale" in tensors:
            scale = np.abs(value).max(0) / 127
            tensors[f"{name}_scale"] = numpy_helper.from_array(scale, f"{name}_scale")
            name, value = f"{name}_quantized", np.rint(value / scale).astype(np.int8)
        tensors[name] = numpy_helper.from_array(value, name)
    output = helper.make_tensor_value_info("vectors", onnx.TensorProto.FLOAT, [1, None, 64])
    initializers = [tensor for name, tensor in tensors.items() if name in needed]
    small = helper.make_graph(kept, "token student", list(graph.input), [output], initializers)
    return helper.make_model(small, opset_imports=model.opset_import, ir_version=model.ir_version)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--layers", type=int, nargs="+", default=[0, 2, 5])
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--rate", type=float, default=4e-4)
    parser.add_argument("--ranking", type=float, default=0.1, help="weight of the loss on rankings")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    model = onnx.load(FOLDER / MODEL)
    weights, texts = float_weights(model, given.layers), groups()
    train(weights, given.layers, texts, given)
    onnx.save(exported(model, weights, given.layers), given.out)
    session = onnxruntime.InferenceSession(given.out.read_bytes())
    tokenizer, cosines = WordPiece.load(FOLDER / "tokenizer.json"), []
    for text in (text for group in texts[::50] for text in group):
        ids = encoder_ids(tokenizer, *text)
        tokens = np.array([ids], np.int64)
        vectors = session.run(["vectors"], {"input_ids": tokens, "attention_mask": np.ones_like(tokens)})[0][0]
        with torch.no_grad():
            cosines.append((vectors * student(weights, given.layers, [ids])[0].numpy()).sum(1))
    print(f"{given.out.stat().st_size:,} bytes; int8 against float {np.concatenate(cosines).mean():.4f}")


if __name__ == "__main__":
    main()
