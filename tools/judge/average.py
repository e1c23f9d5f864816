"""Write the mean of two judges: a model trained further keeps more of what the one before it knew.

usage: average.py OLD.onnx NEW.onnx OUT.onnx [--share 0.5] [--sharpen 1.0]
Both are int8 graphs of ``train.py``; the mean is taken of the weights that they stand for. ``--sharpen`` multiplies the
logits of `decide`, so that its thresholds keep their meaning: the mean of two judges is less sure than each.
"""

import argparse

import numpy as np
import onnx
from onnx import numpy_helper


def mean(old: dict[str, np.ndarray], new: dict[str, np.ndarray], share: float) -> dict[str, np.ndarray]:
    result: dict[str, np.ndarray] = {}
    for name in old:
        if name.endswith("_quantized"):
            base = name.removesuffix("_quantized")
            trained = _floats(new, base)
            weights = (1 - share) * _with_new_labels(_floats(old, base), trained) + share * trained
            names = (name, f"{base}_scale", f"{base}_zero_point")
            result |= zip(names, quantized(weights, new[name].dtype, new[names[1]].shape), strict=True)
    for name, tensor in new.items():
        if name not in result:
            is_trained = name.startswith("m.") and tensor.dtype == np.float32
            result[name] = tensor
            if is_trained:
                before = _with_new_labels(old[name], tensor)
                result[name] = ((1 - share) * before + share * tensor).astype(tensor.dtype)
    return result


def _with_new_labels(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """A head of the old judge with the columns of labels that only the new one has."""
    return np.concatenate([old, new[..., old.shape[-1] :]], -1) if old.shape[-1] < new.shape[-1] else old


def _floats(tensors: dict[str, np.ndarray], base: str) -> np.ndarray:
    quantized = tensors[f"{base}_quantized"].astype(np.float32)
    return (quantized - tensors[f"{base}_zero_point"].astype(np.float32)) * tensors[f"{base}_scale"]


def quantized(
    weights: np.ndarray, dtype: np.dtype, shape: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Linear weights by column around zero, embeddings as a whole between their least and their greatest."""
    if dtype == np.int8:
        scale = np.maximum(np.abs(weights).max(0) / 127, 1e-9).astype(np.float32)
        return np.clip(np.round(weights / scale), -127, 127).astype(np.int8), scale, np.zeros(shape, np.int8)
    least, greatest = min(weights.min(), 0), max(weights.max(), 0)
    step = np.float32((greatest - least) / 255)
    zero = np.uint8(round(-least / step))
    values = np.clip(np.round(weights / step) + zero, 0, 255).astype(np.uint8)
    return values, np.array(step, np.float32).reshape(shape), np.array(zero, np.uint8).reshape(shape)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("old")
    options.add_argument("new")
    options.add_argument("out")
    options.add_argument("--share", type=float, default=0.5, help="share of the new one")
    options.add_argument("--sharpen", type=float, default=1.0)
    arguments = options.parse_args()
    graphs = [onnx.load(path) for path in (arguments.old, arguments.new)]
    old, new = ({t.name: numpy_helper.to_array(t) for t in model.graph.initializer} for model in graphs)
    result = mean(old, new, arguments.share)
    for name in ("m.heads.D.weight_scale", "m.heads.D.bias"):
        result[name] = (result[name] * arguments.sharpen).astype(result[name].dtype)
    for tensor in graphs[1].graph.initializer:
        tensor.CopyFrom(numpy_helper.from_array(result[tensor.name], tensor.name))
    onnx.save(graphs[1], arguments.out)


if __name__ == "__main__":
    main()
