"""The weights of a judge that was trained before, out of its int8 graph, as a state to go on training from."""

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper


def weights(path: Path) -> dict[str, np.ndarray]:
    """By the parameter's name in ``train.py``; linear weights as torch keeps them (outputs first)."""
    graph = onnx.load(str(path)).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    state = {
        name.removeprefix("m."): tensor for name, tensor in tensors.items() if name.startswith("m.") and _plain(name)
    }
    for name in tensors:
        if name.startswith("m.bert.embeddings.") and name.endswith("weight_quantized"):
            state[name.removeprefix("m.").removesuffix("_quantized")] = _float(tensors, name.removesuffix("_quantized"))
    for node in graph.node:
        if node.op_type == "MatMulInteger" and node.input[1].endswith("_quantized"):
            module = node.name.strip("/").split("/")
            base = node.input[1].removesuffix("_quantized")
            parameter = base.removeprefix("m.") if base.startswith("m.") else ".".join(module[:-1]) + ".weight"
            state[parameter] = _float(tensors, base).T
    return state


def _plain(name: str) -> bool:
    return not name.endswith(("_quantized", "_scale", "_zero_point"))


def _float(tensors: dict[str, np.ndarray], base: str) -> np.ndarray:
    quantized = tensors[f"{base}_quantized"].astype(np.float32)
    return (quantized - tensors[f"{base}_zero_point"].astype(np.float32)) * tensors[f"{base}_scale"]
