"""The files of all-MiniLM-L6-v2, int8. See NOTICE for their licence."""

from pathlib import Path


def model_path() -> Path:
    """The ONNX graph: ``input_ids`` and ``attention_mask`` in, normalised sentence vectors out."""
    return Path(__file__).with_name("minilm-l6-v2-int8.onnx")


def tokenizer_path() -> Path:
    return Path(__file__).with_name("tokenizer.json")
