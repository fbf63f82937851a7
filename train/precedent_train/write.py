"""An adapter as src/embed/adapter.h reads it: docs/format/adapter.md."""

import json

import jax
import numpy as np
from safetensors.numpy import save_file

from .encoder import HIDDEN, LAYERS, TARGETS
from .labels import Head

FORMAT = "precedent-adapter/1"


def rounded(adapter):
    """The adapter as halves hold it, so that what is measured is what is shipped."""
    return jax.tree.map(lambda x: np.asarray(x, np.float16).astype(np.float32), adapter)


def write_adapter(path, adapter, task, temperatures, sure_from):
    tensors = {}
    for layer in range(task.first, LAYERS):
        for target in TARGETS:
            for part in "ab":
                tensors[f"layers.{layer}.{target}.{part}"] = adapter["layers"][target][part][layer - task.first]
    heads = []
    tags = {"tags": Head(task.tags)} if task.tags else {}
    for name, what in (task.heads | tags).items():
        head = adapter["heads"][name]
        # The encoder's vectors have unit length, those of training a mean square of one. Tags read rows as they are.
        scale = 1.0 if name == "tags" else np.sqrt(HIDDEN)
        tensors[f"heads.{name}.weight"] = head["w"] * scale
        tensors[f"heads.{name}.bias"] = head["b"]
        heads.append({"name": name, "labels": list(what.labels), "several": what.several,
                      "temperature": round(temperatures.get(name, 1.0), 4),
                      "sure_from": round(sure_from.get(name, 0.0), 4)})
    metadata = {"format": FORMAT, "kind": task.kind, "base": "all-MiniLM-L6-v2", "rank": str(task.rank),
                "first_layer": str(task.first), "context_turns": str(task.context_turns),
                "context_pieces": str(task.context_pieces), "heads": json.dumps(heads, separators=(",", ":"))}
    save_file({name: np.ascontiguousarray(value, np.float16) for name, value in tensors.items()}, str(path), metadata)
