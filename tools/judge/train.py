"""Train the pair judge: MiniLM-L6 with four heads (match, decide, turn, relevance) on tools/judge/data. Needs a GPU.

usage: train.py --data DIR --base judge-int8.onnx --tokenizer tokenizer.json --out DIR [--epochs 9] [--lr 1e-4] [--seed 3] [--none 0.6] [--hand 3]
Every tenth book, belief, message or talk (crc32 of its first text % 10 == 0) is never trained on; --all trains on everything.
"""

import argparse
import glob
import json
import lzma
import math
import os
import random
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel
from weights import weights

D_LABELS = ["same", "refines", "replaces", "ends", "denies", "coexists", "unrelated"]
C_LABELS = [
    "fact",
    "preference",
    "instruction",
    "decision",
    "correction",
    "change",
    "event",
    "todo",
    "next_step",
    "blocker",
    "lesson",
    "done",
    "failure",
    "number",
    "question",
    "ack",
    "transient",
    "unreal",
    "secret",
    "keep",
]
KEPT = {"fact", "preference", "instruction", "decision", "event", "number", "lesson", "change"}
p = argparse.ArgumentParser()
p.add_argument("--out", required=True)
p.add_argument("--data", required=True)
p.add_argument("--tokenizer", required=True)
p.add_argument("--layers", type=int, default=6)
p.add_argument("--epochs", type=int, default=5)
p.add_argument("--lr", type=float, default=5e-5)
p.add_argument("--seed", type=int, default=1)
p.add_argument("--base", required=True)
p.add_argument("--limit", type=float, default=430)
p.add_argument("--none", type=float, default=0.3)
p.add_argument("--all", action="store_true", help="train on everything, no dev part")
p.add_argument("--tasks", default="MDCR")
p.add_argument(
    "--statements", type=float, default=0.3, help="share of the pairs' statements that are shown as messages"
)
p.add_argument("--hand", type=int, default=1, help="how often an epoch shows the pairs and messages written by hand")
p.add_argument("--apart", type=float, default=0.1, help="share of pairs beside which a change meets a belief of others")
a = p.parse_args()
random.seed(a.seed)
torch.manual_seed(a.seed)
tok = Tokenizer.from_file(a.tokenizer)
tok.no_padding()
tok.no_truncation()
MAXLEN = 160


def rows(pattern):
    for f in sorted(glob.glob(f"{a.data}/**/{pattern}", recursive=True)):
        for n, line in enumerate((lzma.open if f.endswith(".xz") else open)(f, "rt", encoding="utf-8")):
            if line.strip():
                try:
                    yield f, json.loads(line)
                except Exception as e:
                    print("bad", f, n, e)


STATED = {"same": "fact", "refines": "fact", "replaces": "change", "ends": "change", "denies": "correction"}
train, dev = {k: [] for k in "MDCR"}, {k: [] for k in "MDCR"}
FRAMES = False


def put(task, item, key):
    # by whole books / olds / talks: every tenth to dev; what frames made is only trained on
    held_out = hash_(key) % 10 == 0 and not a.all and not FRAMES
    (dev if held_out else train)[task].extend(
        [item] * (a.hand // (2 if task == "D" else 1) if task in "DC" and not FRAMES and not held_out else 1)
    )


import zlib


def hash_(s):
    return zlib.crc32(s.encode())


def keeps(o):
    """Whether a message is worth keeping: 1 or 0; -1 where its labels do not say."""
    labels = set(o["labels"])
    if o.get("role") == "assistant" or labels == {"correction"}:
        return -1.0
    return float(bool(labels & KEPT) and not labels & {"unreal", "secret"})


for f, o in rows("match*.jsonl*"):
    FRAMES = "frames" in f
    b = o["book"]
    for ask in o["asks"]:
        lab = []
        for i in range(len(b)):
            v = ask["hit"].get(str(i), "no")
            v = v.split(":")[0].strip()
            lab.append({"whole": 2, "part": 1}.get(v, 0))
        put("M", (ask["d"], b, lab), b[0])
        # "that …" opened almost only descriptions that mean nothing: show both forms with both outcomes
        bare = ask["d"].removeprefix("that ")
        if bare != ask["d"]:
            put("M", (bare, b, lab), b[0])
        elif (
            any(lab) and len(bare.split()) > 3 and bare.split()[0] in ("I", "I'm", "we", "We", "my", "My", "our", "Our")
        ):
            put("M", ("that " + bare, b, lab), b[0])
for f, o in rows("pairs*.jsonl*"):
    FRAMES = "frames" in f
    for new, lab in o["news"]:
        if lab in D_LABELS:
            put("D", (o["old"], new, D_LABELS.index(lab)), o["old"])
        # a statement that meets a belief is worth keeping; what else it is, is not known (-1)
        if lab in STATED and not FRAMES and hash_(o["old"]) % 10 and random.random() < a.statements:
            kept = [0.0 if l in ("ack", "question", "unreal") else -1.0 for l in C_LABELS]
            kept[C_LABELS.index(STATED[lab])] = kept[-1] = 1.0
            train["C"].append((f"user: {new}", kept))
for f, o in rows("turns*.jsonl*"):
    FRAMES = "frames" in f
    y = [1.0 if l in o["labels"] else 0.0 for l in C_LABELS]
    y[-1] = keeps(o)
    put("C", (("assistant: " if o.get("role") == "assistant" else "user: ") + o["t"], y), o["t"])
for f, o in rows("talks*.jsonl*"):
    t = o["turns"]
    for q in o["qs"]:
        ev = {int(e) for e in q["ev"]}
        if ev and max(ev) < len(t):
            put("R", (q["q"], t, [1 if i in ev else 0 for i in range(len(t))], q.get("type", "")), t[0])
print({k: (len(train[k]), len(dev[k])) for k in "MDCR"}, flush=True)

_cache = {}


def enc(x, y=None):
    k = (x, y)
    if k not in _cache:
        _cache[k] = enc_(x, y)
    return _cache[k]


def enc_(x, y=None):
    i = tok.encode(x, add_special_tokens=False).ids
    j = tok.encode(y, add_special_tokens=False).ids if y is not None else None
    if j is None:
        i = i[: MAXLEN - 2]
        return [101, *i, 102], [0] * (len(i) + 2)
    i = i[:80]
    j = j[: MAXLEN - 3 - len(i)]
    return [101, *i, 102, *j, 102], [0] * (len(i) + 2) + [1] * (len(j) + 1)


def batch(pairs):
    e = [enc(*q) for q in pairs]
    n = max(len(x) for x, _ in e)
    ids = torch.zeros(len(e), n, dtype=torch.long)
    tt = torch.zeros_like(ids)
    am = torch.zeros_like(ids)
    for k, (x, t) in enumerate(e):
        ids[k, : len(x)] = torch.tensor(x)
        tt[k, : len(t)] = torch.tensor(t)
        am[k, : len(x)] = 1
    return ids.cuda(), tt.cuda(), am.cuda()


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        cfg = BertConfig(
            vocab_size=30522,
            hidden_size=384,
            num_hidden_layers=6,
            num_attention_heads=12,
            intermediate_size=1536,
            max_position_embeddings=512,
        )
        self.bert = BertModel(cfg, add_pooling_layer=False)
        if a.base.endswith(".safetensors"):
            sd = load_file(a.base)
            sd = {
                k.removeprefix("bert."): v.float()
                for k, v in sd.items()
                if "pooler" not in k and "position_ids" not in k
            }
            m = self.bert.load_state_dict(sd, strict=False)
            print("load", m.missing_keys[:3], m.unexpected_keys[:3])
        if a.layers < 6:
            self.bert.encoder.layer = nn.ModuleList(
                [self.bert.encoder.layer[i] for i in ({3: (0, 2, 4), 4: (0, 1, 3, 5), 2: (0, 4)}[a.layers])]
            )
            cfg.num_hidden_layers = a.layers
        self.drop = nn.Dropout(0.1)
        self.heads = nn.ModuleDict(
            {"M": nn.Linear(384, 3), "D": nn.Linear(384, 7), "C": nn.Linear(384, len(C_LABELS)), "R": nn.Linear(384, 1)}
        )

    def pooled(self, ids, tt, am):
        h = self.bert(input_ids=ids, token_type_ids=tt, attention_mask=am).last_hidden_state
        m = am.unsqueeze(-1).to(h.dtype)
        return (h * m).sum(1) / m.sum(1)

    def forward(self, task, ids, tt, am):
        return self.heads[task](self.drop(self.pooled(ids, tt, am)))


model = Judge().cuda()
if a.base.endswith(".onnx"):
    # go on from a judge that was trained before; its int8 weights differ little from what they were
    before = {k: torch.tensor(np.array(v)) for k, v in weights(Path(a.base)).items()}
    for k in ("heads.C.weight", "heads.C.bias"):
        if len(before[k]) < len(C_LABELS):  # a judge without "keep": begin with the mean of what is kept
            kept_rows = before[k][[C_LABELS.index(l) for l in sorted(KEPT)]]
            before[k] = torch.cat([before[k], kept_rows.mean(0, keepdim=True)])
    missing = model.load_state_dict(before, strict=False)
    print("load", missing.missing_keys[:3], missing.unexpected_keys[:3])
opt = torch.optim.AdamW(
    [{"params": model.bert.parameters(), "lr": a.lr}, {"params": model.heads.parameters(), "lr": a.lr * 10}],
    weight_decay=0.01,
)


def m_loss(items):
    pairs, y, groups = [], [], []
    for d, b, lab in items:
        s = len(pairs)
        pairs += [(d, x) for x in b]
        y += lab
        groups.append((s, len(pairs)))
    out = model("M", *batch(pairs)).float()
    y = torch.tensor(y).cuda()
    ce = F.cross_entropy(out, y, weight=torch.tensor([1.0, 2.5, 1.6]).cuda())
    s = torch.logsumexp(out[:, 1:], 1) - out[:, 0]
    rank = 0.0
    n = 0
    for i, j in groups:
        t = (y[i:j] > 0).float()
        if t.sum() and t.sum() < j - i:
            rank = rank - (torch.log_softmax(s[i:j], 0) * t).sum() / t.sum()
            n += 1
    # the whole list beside "none of them", whose score is 0
    lst = 0.0
    for i, j in groups:
        t = (y[i:j] > 0).float()
        z = torch.cat([s[i:j], torch.zeros(1, device=s.device)])
        lp = torch.log_softmax(z, 0)
        lst = lst - ((lp[:-1] * t).sum() / t.sum() if t.sum() else lp[-1])
    return ce + 0.3 * rank / max(n, 1) + a.none * lst / len(groups)


def d_loss(items):
    loss = d_loss_(items)
    sub = [(n, o, 2 if l == 0 else 0) for o, n, l in items if l != 1]
    if sub and "M" in a.tasks:
        loss = loss + 0.3 * F.cross_entropy(
            model("M", *batch([(x, y) for x, y, _ in sub])).float(),
            torch.tensor([l for *_, l in sub]).cuda(),
            weight=torch.tensor([1.0, 2.5, 1.6]).cuda(),
        )
    return loss


def d_loss_(items):
    # what changes one belief leaves nearly every other alone: a change beside a belief of somebody else
    changes = [new for _, new, label in items if label in (2, 3, 4)]
    beliefs = random.choices(train["D"], k=round(a.apart * len(items))) if changes else []
    items = [*items, *((old, random.choice(changes), D_LABELS.index("unrelated")) for old, _, _ in beliefs)]
    out = model("D", *batch([(o, n) for o, n, _ in items])).float()
    return F.cross_entropy(out, torch.tensor([l for *_, l in items]).cuda(), label_smoothing=0.05)


def c_loss(items):
    out = model("C", *batch([(t,) for t, _ in items])).float()
    y = torch.tensor([y for _, y in items]).cuda()
    loss = F.binary_cross_entropy_with_logits(
        out, y.clamp(min=0), pos_weight=torch.tensor(2.0).cuda(), reduction="none"
    )
    return (loss * (y >= 0)).sum() / y.numel() * 12


def r_loss(items):
    loss = 0.0
    pairs, groups = [], []
    for q, turns, lab, _ in items:
        pos = [i for i, l in enumerate(lab) if l]
        neg = [i for i, l in enumerate(lab) if not l]
        random.shuffle(neg)
        use = pos + neg[:15]
        s = len(pairs)
        pairs += [(q, turns[i]) for i in use]
        groups.append((s, len(pairs), len(pos)))
    out = model("R", *batch(pairs)).float()[:, 0]
    for i, j, k in groups:
        lp = torch.log_softmax(out[i:j], 0)
        loss = loss - lp[:k].mean()
        y = torch.zeros(j - i).cuda()
        y[:k] = 1
        loss = loss + 0.5 * F.binary_cross_entropy_with_logits(out[i:j], y)
    return loss / len(groups)


SIZES = {"M": 20, "D": 128, "C": 64, "R": 10}
LOSS = {"M": m_loss, "D": d_loss, "C": c_loss, "R": r_loss}


@torch.no_grad()
def thresholds():
    P = []
    for k in range(0, len(dev["D"]), 128):
        P += (
            model("D", *batch([(x, y) for x, y, _ in dev["D"][k : k + 128]])).float().softmax(1)[:, 2:5].sum(1).tolist()
        )
    L = [l for *_, l in dev["D"]]
    return {
        t: (
            round(float(np.mean([p > t for p, l in zip(P, L, strict=False) if l in (2, 3, 4)])), 3),
            round(float(np.mean([p > t for p, l in zip(P, L, strict=False) if l in (0, 1, 5, 6)])), 4),
        )
        for t in (0.5, 0.7, 0.9, 0.95)
    }


@torch.no_grad()
def random_pairs():
    g = random.Random(3)
    d = dev["D"]
    q = [(d[g.randrange(len(d))][0], d[g.randrange(len(d))][1]) for _ in range(1500)]
    P = []
    for k in range(0, len(q), 128):
        P += model("D", *batch(q[k : k + 128])).float().softmax(1)[:, 2:5].sum(1).tolist()
    return {t: round(float(np.mean([p > t for p in P])), 4) for t in (0.5, 0.7, 0.9)}


def kept_at(scores, labels):
    """Threshold at which so many of the others are kept, and the share of what is worth it above it."""
    bad, good = scores[labels == 0], scores[labels == 1]
    cuts = {share: float(np.quantile(bad, 1 - share)) for share in (0.02, 0.03, 0.05, 0.1)}
    return {share: (round(cut, 3), round(float((good > cut).mean()), 3)) for share, cut in cuts.items()}


@torch.no_grad()
def evaluate():
    model.eval()
    r = {}
    if dev["M"]:
        ok = tp = fp = fn = hit1 = n1 = nothing = n0 = 0
        for d, b, lab in dev["M"]:
            out = model("M", *batch([(d, x) for x in b])).float().softmax(1)
            s = (1 - out[:, 0]).tolist()
            got = {i for i, x in enumerate(s) if x > 0.5}
            want = {i for i, l in enumerate(lab) if l}
            ok += got == want
            tp += len(got & want)
            fp += len(got - want)
            fn += len(want - got)
            if not want:
                n0 += 1
                nothing += max(s) < 0.5
            if want:
                n1 += 1
                hit1 += max(range(len(s)), key=s.__getitem__) in want
        r["M"] = {
            "exact": round(ok / len(dev["M"]), 3),
            "P": round(tp / max(tp + fp, 1), 3),
            "R": round(tp / max(tp + fn, 1), 3),
            "top1": round(hit1 / max(n1, 1), 3),
            "nothing": round(nothing / max(n0, 1), 3),
            "n0": n0,
        }
    if dev["D"]:
        conf = np.zeros((7, 7), int)
        for k in range(0, len(dev["D"]), 128):
            it = dev["D"][k : k + 128]
            o = model("D", *batch([(x, y) for x, y, _ in it])).argmax(1).tolist()
            for (_, _, l), g in zip(it, o, strict=False):
                conf[l, g] += 1
        r["D"] = {"acc": round(conf.trace() / conf.sum(), 3)}
        r["Dconf"] = conf.tolist()
        r["D"]["random"] = random_pairs()
        r["D"]["by"] = thresholds()
        conf[:, 2:5].sum()
        false = conf[[0, 1, 5, 6]][:, 2:5].sum()
        r["D"]["false_overturn"] = round(false / max(conf[[0, 1, 5, 6]].sum(), 1), 3)
        r["D"]["caught"] = round(conf[2:5, 2:5].sum() / max(conf[2:5].sum(), 1), 3)
    if dev["C"]:
        Y, P = [], []
        for k in range(0, len(dev["C"]), 128):
            it = dev["C"][k : k + 128]
            P.append(model("C", *batch([(t,) for t, _ in it])).float().sigmoid().cpu().numpy())
            Y += [y for _, y in it]
        P, Y = np.concatenate(P), np.array(Y)
        r["keep"] = kept_at(P[:, -1], Y[:, -1])
        P, Y = P > 0.5, Y > 0.5
        tp, fp, fn = (P & Y).sum(0), (P & ~Y).sum(0), (~P & Y).sum(0)
        f1 = 2 * tp / np.maximum(2 * tp + fp + fn, 1)
        r["C"] = dict(
            micro=round(float(2 * tp.sum() / (2 * tp.sum() + fp.sum() + fn.sum())), 3),
            **{l: round(float(x), 2) for l, x in zip(C_LABELS, f1, strict=False)},
        )
    if dev["R"]:
        by = {}
        for q, t, lab, ty in dev["R"]:
            s = model("R", *batch([(q, x) for x in t])).float()[:, 0].tolist()
            o = sorted(range(len(t)), key=lambda i: -s[i])[:5]
            by.setdefault(ty, []).append(sum(lab[i] for i in o) / sum(lab))
        r["R"] = {k: round(float(np.mean(v)), 3) for k, v in by.items()}
        r["R"]["all@5"] = round(float(np.mean([x for v in by.values() for x in v])), 3)
    model.train()
    return r


tasks = [t for t in a.tasks if train[t]]


def plan():
    return [(t, k) for t in tasks for k in range(math.ceil(len(train[t]) / SIZES[t]))]


print("before", json.dumps(evaluate()), flush=True)
steps = a.epochs * len(plan())
done = 0
t0 = time.time()
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda s: min((s + 1) / (0.06 * steps), max(0.02, 1 - max(s / steps, (time.time() - t0) / a.limit)))
)
model.train()
for ep in range(a.epochs):
    for t in tasks:
        random.shuffle(train[t])
    order = plan()
    random.shuffle(order)
    tot = {}
    for t, k in order:
        if time.time() - t0 > a.limit:
            break
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = LOSS[t](train[t][k * SIZES[t] : (k + 1) * SIZES[t]])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        tot.setdefault(t, []).append(float(loss))
    print(
        ep,
        {t: round(np.mean(v), 3) for t, v in tot.items()},
        round(time.time() - t0),
        "s",
        json.dumps(evaluate()) if not a.all or ep == a.epochs - 1 else "",
        flush=True,
    )

# export: one graph, four outputs, int8
model.eval().cpu().float()
os.makedirs(a.out, exist_ok=True)


class Out(nn.Module):
    def __init__(self, m):
        super().__init__()
        self.m = m

    def forward(self, input_ids, token_type_ids, attention_mask):
        h = self.m.pooled(input_ids, token_type_ids, attention_mask)
        return self.m.heads["M"](h), self.m.heads["D"](h), self.m.heads["C"](h), self.m.heads["R"](h)


ids = torch.randint(5, 1000, (2, 12))
dummy = (ids, torch.zeros_like(ids), torch.ones_like(ids))
names = ["input_ids", "token_type_ids", "attention_mask"]
ax = {n: {0: "b", 1: "n"} for n in names}
outs = ["match", "decide", "turn", "relevance"]
ax |= {o: {0: "b"} for o in outs}
f = f"/tmp/{os.path.basename(a.out)}.onnx"
model.bert.config._attn_implementation = "eager"
torch.onnx.export(
    Out(model), dummy, f, input_names=names, output_names=outs, dynamic_axes=ax, opset_version=17, dynamo=False
)
from onnxruntime.quantization import QuantType, quantize_dynamic

quantize_dynamic(f, f + ".int8", per_channel=True, weight_type=QuantType.QInt8)
blob = open(f + ".int8", "rb").read()
print("int8 bytes", len(blob), "fp32", os.path.getsize(f))
for k in range(0, len(blob), 15_000_000):
    open(f"{a.out}/judge.int8.part{k // 15_000_000}", "wb").write(blob[k : k + 15_000_000])
json.dump({"match": ["no", "part", "whole"], "decide": D_LABELS, "turn": C_LABELS}, open(f"{a.out}/labels.json", "w"))
