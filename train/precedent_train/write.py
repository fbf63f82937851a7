"""An adapter as src/embed/adapter.h reads it: docs/format/adapter.md."""

import json

import jax
import numpy as np
from safetensors.numpy import save_file

from . import data
from .encoder import FIRST, HIDDEN, LAYERS, RANK, TARGETS
from .labels import HEADS, TAGS

FORMAT = "precedent-adapter/1"


def rounded(adapter):
    """The adapter as halves hold it, so that what is measured is what is shipped."""
    return jax.tree.map(lambda x: np.asarray(x, np.float16).astype(np.float32), adapter)


def write_adapter(path, adapter, kind, temperatures, sure_from):
    tensors = {}
    for layer in range(FIRST, LAYERS):
        for target in TARGETS:
            for part in "ab":
                tensors[f"layers.{layer}.{target}.{part}"] = adapter["layers"][target][part][layer - FIRST]
    heads = []
    for name, labels, several in [(n, *head) for n, head in HEADS.items()] + [("tags", TAGS, False)]:
        head = adapter["heads"][name]
        # The encoder's vectors have unit length, those of training a mean square of one. Tags read rows as they are.
        scale = 1.0 if name == "tags" else np.sqrt(HIDDEN)
        tensors[f"heads.{name}.weight"] = head["w"] * scale
        tensors[f"heads.{name}.bias"] = head["b"]
        heads.append({"name": name, "labels": list(labels), "several": several,
                      "temperature": round(temperatures.get(name, 1.0), 4),
                      "sure_from": round(sure_from.get(name, 0.0), 4)})
    metadata = {"format": FORMAT, "kind": kind, "base": "all-MiniLM-L6-v2", "rank": str(RANK),
                "first_layer": str(FIRST), "context_turns": str(data.CONTEXT_TURNS),
                "context_pieces": str(data.CONTEXT_PIECES), "heads": json.dumps(heads, separators=(",", ":"))}
    save_file({name: np.ascontiguousarray(value, np.float16) for name, value in tensors.items()}, str(path), metadata)
