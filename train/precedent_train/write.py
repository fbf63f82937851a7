"""An adapter as src/embed/adapter.h reads it: docs/format/adapter.md."""

import json

import jax
import numpy as np
from safetensors.numpy import load_file, save_file

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


def read_adapter(path, task):
    """The adapter of a file that write_adapter made, to go on learning from."""
    file = load_file(str(path))
    adapter = {"layers": {}, "heads": {}}
    for target in TARGETS:
        adapter["layers"][target] = {part: np.stack([np.asarray(file[f"layers.{layer}.{target}.{part}"], np.float32)
                                                     for layer in range(task.first, LAYERS)]) for part in "ab"}
    for name in task.heads | ({"tags": None} if task.tags else {}):
        scale = 1.0 if name == "tags" else np.sqrt(HIDDEN)
        adapter["heads"][name] = {"w": np.asarray(file[f"heads.{name}.weight"], np.float32) / scale,
                                  "b": np.asarray(file[f"heads.{name}.bias"], np.float32)}
    if not task.tags:
        adapter["heads"]["tags"] = {"w": np.zeros((0, HIDDEN), np.float32), "b": np.zeros(0, np.float32)}
    return adapter
