"""Train `decide` further on a CPU, from a judge that exists. The other outputs are held where they are.

usage: refine.py JUDGE.onnx OUT.onnx [--made FOLDER] [--anchor JUDGE.onnx] [--epochs N] [--lr R] [--limit SECONDS]

What it learns:
- the pairs of data/pairs*.jsonl.xz. Every tenth belief (by crc32) is never trained on;
- changes of one belief shown beside another, which they leave as it is;
- the pairs that generate.py and everyday.py wrote into the folder --made;
- which sentences are worth keeping, hold for how long and are understood alone (data/sentences*.jsonl.xz,
  data/lasting.jsonl.xz), so that the linear outputs find it in the layers.

One batch in five shows descriptions, messages and questions, and asks for the numbers that the judge gave before.
Needs PyTorch and transformers; half an hour on two cores. Teach `keep`, `triggers` and `lasting` again afterwards
(heads.py), because the layers they read from have moved.
"""

import argparse
import json
import lzma
import random
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from average import quantized
from heads import LIVES
from onnx import numpy_helper
from torch import nn
from torch.nn import functional
from transformers import BertConfig, BertModel
from weights import weights

from commonplace.providers.embed.static import FOLDER, TOKENIZER, StaticEmbedder
from commonplace.providers.embed.wordpiece import CLS, SEP, WordPiece

DATA = Path(__file__).parent / "data"
LABELS = ("same", "refines", "replaces", "ends", "denies", "coexists", "unrelated")
CHANGES, UNRELATED, UNCHANGED = (2, 3, 4), 6, -1
HEADS = {"D": 7, "M": 3, "C": 20, "R": 1, "S": 5}
BATCH, APART, ALIKE, NEAREST, FRAMES, REPLAYED, EVERY = 48, 0.2, 0.6, 40, 5000, 1200, 5
NAMES = "Ines Tunde Marta Jonas Aiko Priya Olu Greta Samir Lucía Paolo Nadia Henk Chiara Yusuf Maren".split()
TOKENS = WordPiece.load(FOLDER / TOKENIZER)

Pair = tuple[str, str | None]


def lines(name: str, folder: Path = DATA) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob(name)):
        text = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
        yield from map(json.loads, text.decode().splitlines())


def is_held_out(text: str) -> bool:
    return zlib.crc32(text.encode()) % 10 == 0


def ids(pair: Pair) -> tuple[list[int], int]:
    """The tokens of one or two texts, and how many belong to the first."""
    first, second = pair
    head = TOKENS.ids(first)
    if second is None:
        head = head[:158]
        return [CLS, *head, SEP], len(head) + 2
    head = head[:80]
    return [CLS, *head, SEP, *TOKENS.ids(second)[: 157 - len(head)], SEP], len(head) + 2


class Judge(nn.Module):
    def __init__(self, state: dict[str, np.ndarray]) -> None:
        super().__init__()
        config = BertConfig(
            hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536, vocab_size=30522
        )
        self.bert = BertModel(config, add_pooling_layer=False)
        self.drop = nn.Dropout(0.1)
        self.heads = nn.ModuleDict({name: nn.Linear(384, size) for name, size in HEADS.items()})
        missing = self.load_state_dict({k: torch.tensor(np.array(v)) for k, v in state.items()}, strict=False)
        assert {*missing.missing_keys} <= {"heads.S.weight", "heads.S.bias"}, missing.missing_keys
        for parameter in self.bert.embeddings.parameters():
            parameter.requires_grad = False

    def forward(self, head: str, pairs: list[Pair]) -> torch.Tensor:
        rows = [ids(pair) for pair in pairs]
        longest = max(len(row) for row, _ in rows)
        tokens, kinds, mask = (torch.zeros(len(rows), longest, dtype=torch.long) for _ in range(3))
        for number, (row, first) in enumerate(rows):
            tokens[number, : len(row)] = torch.tensor(row)
            kinds[number, first : len(row)] = 1
            mask[number, : len(row)] = 1
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.training):
            hidden = self.bert(input_ids=tokens, token_type_ids=kinds, attention_mask=mask).last_hidden_state.float()
        weight = mask.unsqueeze(-1).float()
        return self.heads[head](self.drop((hidden * weight).sum(1) / weight.sum(1)))


def pairs(made: Path | None) -> tuple[list[tuple[str, str, int]], list[tuple[str, str, int]]]:
    """What is trained on, and what never is."""
    taught: list[tuple[str, str, int]] = []
    held_out: list[tuple[str, str, int]] = []
    for row in lines("pairs*.jsonl.xz"):
        items = [(row["old"], new, LABELS.index(label)) for new, label in row["news"] if label in LABELS]
        (held_out if is_held_out(row["old"]) else taught).extend(items)
    if made is not None:
        for path in sorted(made.glob("pairs*.jsonl")):
            framed = [
                (row["old"], new, LABELS.index(label))
                for row in lines(path.name, made)
                for new, label in row["news"]
                if label in LABELS
            ]
            taught += random.sample(framed, min(FRAMES, len(framed)))
    return taught, held_out


def sentences() -> list[tuple[str, list[float]]]:
    """Sentences with keep, days, weeks, months, alone; -1 where it is not known."""
    known = {row["text"]: row for row in lines("lasting.jsonl.xz")}
    result = []
    for message in lines("sentences*.xz"):
        asked = message.get("context", "")
        for sentence in message["sentences"]:
            text = f"{asked}{'' if asked.endswith('?') else '.'} {sentence['text']}" if asked else sentence["text"]
            asked = ""
            row = known.get(" ".join(text.split()))
            labels = [float(sentence["keep"]), -1.0, -1.0, -1.0, -1.0]
            if row:
                life = LIVES.index(row["life"])
                labels[1:] = [*(float(life > shorter) for shorter in range(3)), float(row["alone"])]
            if not is_held_out(message["text"]):
                result.append((f"user: {text}", labels))
    return result


def sentence_loss(model: "Judge", items: list[tuple[str, list[float]]]) -> torch.Tensor:
    labels = torch.tensor([values for _, values in items])
    logits = model("S", [(text, None) for text, _ in items])
    loss = functional.binary_cross_entropy_with_logits(logits, labels.clamp(min=0), reduction="none")
    return (loss * (labels >= 0)).sum() / (labels >= 0).sum()


def replayed() -> list[tuple[str, Pair]]:
    """Inputs of the other outputs, whose numbers must not move."""
    matched = [(ask["d"], text) for row in lines("match*.xz") for ask in row["asks"] for text in row["book"]]
    messages = [f"{'assistant' if row['role'] == 'assistant' else 'user'}: {row['t']}" for row in lines("turns*.xz")]
    asked = [(ask["q"], turn) for row in lines("talks*.xz") for ask in row["qs"] for turn in row["turns"]]
    return [
        *(("M", pair) for pair in random.sample(matched, REPLAYED)),
        *(("C", (text, None)) for text in random.sample(messages, REPLAYED)),
        *(("R", pair) for pair in random.sample(asked, REPLAYED)),
    ]


class Others:
    """Changes of other beliefs to show beside a belief: any, or one of those that are most like it."""

    def __init__(self, taught: list[tuple[str, str, int]]) -> None:
        self._changes = [(old, new) for old, new, label in taught if label in CHANGES]
        beliefs = sorted({old for old, *_ in taught})
        embedder = StaticEmbedder()
        vectors = [np.array(embedder.embed(texts)) for texts in (beliefs, [new for _, new in self._changes])]
        order = np.argsort(-(vectors[0] @ vectors[1].T), axis=1)[:, :NEAREST]
        self._near = dict(zip(beliefs, order.tolist(), strict=True))

    def beside(self, belief: str) -> str:
        near = [self._changes[at] for at in self._near[belief]] if random.random() < ALIKE else self._changes
        other, change = random.choice(near)
        return change if other != belief else random.choice(self._changes)[1]


def varied(pair: tuple[str, str, int], others: Others) -> tuple[str, str, int]:
    """A pair as it is, with a name for the owner, or a belief beside a change of somebody else's."""
    old, new, label = pair
    if random.random() < APART:
        return old, others.beside(old), UNCHANGED
    if random.random() < 0.25:
        old = old.replace("Owner", random.choice(NAMES))
    return old, new, label


@torch.no_grad()
def measured(model: Judge, held_out: list[tuple[str, str, int]]) -> str:
    model.eval()
    rng = random.Random(3)
    crossed = [(rng.choice(held_out)[0], rng.choice(held_out)[1], UNRELATED) for _ in range(400)]
    others = Others(held_out)
    near = [(old, others.beside(old), UNRELATED) for old, *_ in held_out[::4]]
    scores = []
    for part in (held_out, crossed, near):
        chances: list[float] = []
        for start in range(0, len(part), 64):
            logits = model("D", [(old, new) for old, new, _ in part[start : start + 64]])
            chances += logits.softmax(1)[:, 2:5].sum(1).tolist()
        scores.append(np.array(chances))
    model.train()
    is_change = np.array([label in CHANGES for *_, label in held_out])
    parts = {"caught": scores[0][is_change], "wrongly": scores[0][~is_change], "random": scores[1], "near": scores[2]}
    return "; ".join(
        " ".join((f"above {cut}:", *(f"{name} {(part > cut).mean():.4f}" for name, part in parts.items())))
        for cut in (0.5, 0.7, 0.9, 0.95)
    )


def batches(items: list[Any], length: Any) -> list[list[Any]]:
    """Items of like length together, in random order."""
    random.shuffle(items)
    result = []
    for start in range(0, len(items), BATCH * 20):
        part = sorted(items[start : start + BATCH * 20], key=length)
        result += [part[at : at + BATCH] for at in range(0, len(part), BATCH)]
    random.shuffle(result)
    return result


def pair_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Of what is only known to change nothing, whatever else it is, only that."""
    known = labels != UNCHANGED
    loss = functional.cross_entropy(logits[known], labels[known], label_smoothing=0.05, reduction="sum")
    chances = logits[~known].log_softmax(1)
    unchanged = torch.cat([chances[:, :2], chances[:, 5:]], 1).logsumexp(1)
    return (loss - unchanged.sum()) / len(labels)


def train(model: Judge, arguments: argparse.Namespace) -> None:
    taught, held_out = pairs(arguments.made)
    others = Others(taught)
    replay = replayed()
    before: dict[tuple[str, Pair], torch.Tensor] = {}
    anchor = Judge(weights(arguments.anchor or arguments.judge)).eval()
    with torch.no_grad():
        for head in ("M", "C", "R"):
            inputs = [pair for name, pair in replay if name == head]
            for start in range(0, len(inputs), 64):
                part = inputs[start : start + 64]
                before |= zip([(head, pair) for pair in part], anchor(head, part), strict=True)
    print(len(taught), "pairs,", len(held_out), "held out;", measured(model, held_out), flush=True)
    model.train()
    parameters = [p for p in model.parameters() if p.requires_grad]
    fresh = {*model.heads["S"].parameters()}
    body = [p for p in parameters if p not in fresh]
    rates = {True: arguments.lr, False: arguments.lr * 20}
    groups = [{"params": body, "body": True}, {"params": list(fresh), "body": False}]
    optimizer = torch.optim.AdamW(groups, lr=arguments.lr, weight_decay=0.01)
    texts = sentences()
    steps = arguments.epochs * len(taught) / BATCH
    start, step = time.time(), 0
    for epoch in range(arguments.epochs):
        shown = batches([varied(pair, others) for pair in taught], lambda pair: len(pair[0]) + len(pair[1]))
        of_head = {name: [pair for head, pair in replay if head == name] for name in ("M", "C", "R")}
        held = [("M", b) for b in batches(of_head["M"], lambda p: len(p[0]) + len(p[1]))]
        held += [("C", b) for b in batches(of_head["C"], lambda p: len(p[0]))]
        held += [("R", b) for b in batches(of_head["R"], lambda p: len(p[0]) + len(p[1]))]
        random.shuffle(held)
        spoken = batches(texts, lambda item: len(item[0]))
        losses: list[float] = []
        for number, items in enumerate(shown):
            logits = model("D", [(old, new) for old, new, _ in items])
            labels = torch.tensor([label for *_, label in items])
            loss = pair_loss(logits, labels)
            losses.append(loss.item())
            todo = [loss]
            if number % (EVERY - 1) == 0:
                head, inputs = held[number // (EVERY - 1) % len(held)]
                target = torch.stack([before[head, pair] for pair in inputs])
                todo.append(functional.mse_loss(model(head, inputs), target))
            if number % 2 == 0:
                todo.append(sentence_loss(model, spoken[number // 2 % len(spoken)]))
            optimizer.zero_grad()
            for part in todo:
                part.backward()
            nn.utils.clip_grad_norm_(parameters, 1.0)
            share = max(step / steps, (time.time() - start) / arguments.limit)
            for group in optimizer.param_groups:
                group["lr"] = rates[group["body"]] * min(1.0, (step + 1) / (0.05 * steps)) * max(0.02, 1 - share)
            optimizer.step()
            step += 1
            if number % 50 == 0:
                print(
                    epoch,
                    number,
                    len(shown),
                    f"{np.mean(losses[-50:]):.3f}",
                    f"{time.time() - start:.0f} s",
                    flush=True,
                )
            if time.time() - start > arguments.limit:
                break
        print(epoch, measured(model, held_out), flush=True)


def write(base: Path, state: dict[str, np.ndarray], out: Path) -> None:
    """The graph of the judge before with these weights, made int8 as they were."""
    model = onnx.load(str(base))
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    of_matmul = {
        node.input[1].removesuffix("_quantized"): ".".join(node.name.strip("/").split("/")[:-1]) + ".weight"
        for node in model.graph.node
        if node.op_type == "MatMulInteger" and node.input[1].endswith("_quantized")
    }
    for name in list(tensors):
        if name.endswith("_quantized"):
            base_name = name.removesuffix("_quantized")
            if base_name.startswith("m.bert.embeddings."):
                continue
            key = base_name.removeprefix("m.") if base_name.startswith("m.") else of_matmul[base_name]
            names = (name, f"{base_name}_scale", f"{base_name}_zero_point")
            old = [numpy_helper.to_array(tensors[n]) for n in names]
            for n, value in zip(names, quantized(state[key].T, old[0].dtype, old[1].shape), strict=True):
                tensors[n].CopyFrom(numpy_helper.from_array(value, n))
        elif (
            name.startswith("m.") and not name.endswith(("_scale", "_zero_point")) and name.removeprefix("m.") in state
        ):
            tensors[name].CopyFrom(numpy_helper.from_array(state[name.removeprefix("m.")], name))
    onnx.save(model, str(out))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("judge", type=Path)
    options.add_argument("out", type=Path)
    options.add_argument("--made", type=Path)
    options.add_argument("--anchor", type=Path, help="the judge whose other outputs are held (default: JUDGE)")
    options.add_argument("--epochs", type=int, default=2)
    options.add_argument("--lr", type=float, default=4e-5)
    options.add_argument("--seed", type=int, default=5)
    options.add_argument("--limit", type=float, default=3600)
    arguments = options.parse_args()
    random.seed(arguments.seed)
    torch.manual_seed(arguments.seed)
    model = Judge(weights(arguments.judge))
    train(model, arguments)
    write(arguments.judge, {k: v.detach().numpy() for k, v in model.state_dict().items()}, arguments.out)


if __name__ == "__main__":
    main()
