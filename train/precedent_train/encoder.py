"""all-MiniLM-L6-v2 with low-rank updates and heads, in JAX.

The base is frozen. An update adds B·(A·x) to a product W·x. It sits on the four matrices of attention: their inputs
are single precision in both of the C++ encoder's modes, so that the adapter means the same in either. The layers
before task.first have none: what they make of a text never changes, so that it is computed once and not in every epoch.
"""

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file

HIDDEN, HEAD_COUNT, LAYERS = 384, 12, 6
HEAD_WIDTH = HIDDEN // HEAD_COUNT
TARGETS = ("query", "key", "value", "output")  # of attention
NAMES = {
    "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
    "output": "attention.output.dense", "up": "intermediate.dense", "down": "output.dense",
    "attention_norm": "attention.output.LayerNorm", "down_norm": "output.LayerNorm"}


def load_base(path):
    """The base's weights, those of the layers stacked."""
    file = load_file(str(path))
    base = {
        "words": file["embeddings.word_embeddings.weight"],
        "positions": file["embeddings.position_embeddings.weight"],
        "segment": file["embeddings.token_type_embeddings.weight"][0],
        "norm": (file["embeddings.LayerNorm.weight"], file["embeddings.LayerNorm.bias"])}
    base["layers"] = {
        short: tuple(np.stack([file[f"encoder.layer.{i}.{name}.{part}"] for i in range(LAYERS)])
                     for part in ("weight", "bias")) for short, name in NAMES.items()}
    return jax.tree.map(jnp.asarray, base)


def new_adapter(task, key):
    """B is zero, so that training starts at the base."""
    heads = {name: head.labels for name, head in task.heads.items()} | {"tags": task.tags}
    keys = iter(jax.random.split(key, len(TARGETS) + len(heads)))
    adapter = {"layers": {}, "heads": {}}
    layers = LAYERS - task.first
    for target in TARGETS:
        a = jax.random.normal(next(keys), (layers, task.rank, HIDDEN)) / np.sqrt(HIDDEN)
        adapter["layers"][target] = {"a": a, "b": jnp.zeros((layers, HIDDEN, task.rank))}
    for head, labels in heads.items():
        w = jax.random.normal(next(keys), (len(labels), HIDDEN)) * 0.02
        adapter["heads"][head] = {"w": w, "b": jnp.zeros(len(labels))}
    return adapter


def norm(x, parameters):
    x = x - x.mean(-1, keepdims=True)
    x = x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-12)
    return x * parameters[0] + parameters[1]


def linear(x, parameters):
    return x @ parameters[0].T + parameters[1]


def lower(base, first, ids, mask):
    """The rows of the layer before `first`: batch × tokens × HIDDEN."""
    x = base["words"][ids] + base["positions"][:ids.shape[1]] + base["segment"]
    layers = jax.tree.map(lambda weights: weights[:first], base["layers"])
    return run_layers(norm(x, base["norm"]), mask, layers, None)


def upper(base, adapter, x, mask, key=None, drop=0.0):
    """The last layer's rows. With `key`, inputs of the updates are dropped at rate `drop`."""
    first = LAYERS - adapter["layers"][TARGETS[0]]["a"].shape[0]
    layers = jax.tree.map(lambda weights: weights[first:], base["layers"])
    return run_layers(x, mask, layers, adapter["layers"], key, drop)


def run_layers(x, mask, layers, updates, key=None, drop=0.0):
    hidden = jnp.where(mask > 0, 0.0, -1e9)[:, None, None, :]
    keys = None if key is None else jax.random.split(key, layers["query"][1].shape[0])

    def layer(x, stacked):
        weights, updates, key = stacked

        def updated(name, x):
            y = linear(x, weights[name])
            if updates is None:
                return y
            if key is not None:
                kept = jax.random.bernoulli(jax.random.fold_in(key, TARGETS.index(name)), 1 - drop, x.shape)
                x = jnp.where(kept, x / (1 - drop), 0)
            return y + (x @ updates[name]["a"].T) @ updates[name]["b"].T

        def heads(x):
            return x.reshape(*x.shape[:2], HEAD_COUNT, HEAD_WIDTH).transpose(0, 2, 1, 3)

        q, k, v = (heads(updated(name, x)) for name in ("query", "key", "value"))
        scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(HEAD_WIDTH) + hidden
        context = (jax.nn.softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(x.shape)
        x = norm(x + updated("output", context), weights["attention_norm"])
        inner = jax.nn.gelu(linear(x, weights["up"]), approximate=False)
        return norm(x + linear(inner, weights["down"]), weights["down_norm"]), None

    return jax.lax.scan(layer, x, (layers, updates, keys))[0]


def read(base, adapter, batch, key=None, drop=0.0):
    """Logits of all heads: {head: batch × labels, "tags": batch × tokens × tags}."""
    rows = upper(base, adapter, batch["rows"], batch["mask"], key, drop)
    pooled = (rows * batch["pool"][..., None]).sum(1)
    # Unit mean square rather than unit length: heads learn at the pace of the rest. write.py folds the factor in.
    pooled = pooled * jax.lax.rsqrt((pooled * pooled).mean(-1, keepdims=True) + 1e-12)
    if key is not None:
        kept = jax.random.bernoulli(jax.random.fold_in(key, LAYERS), 1 - drop, pooled.shape)
        pooled = jnp.where(kept, pooled / (1 - drop), 0)
    logits = {head: pooled @ h["w"].T + h["b"] for head, h in adapter["heads"].items() if head != "tags"}
    tags = adapter["heads"]["tags"]
    return logits | {"tags": rows @ tags["w"].T + tags["b"]}


def sentence_vectors(base, batches):
    """What the base alone makes of texts: the mean of the rows at unit length, one array a batch of data.batch_of."""
    def vectors(base, ids, mask):
        x = norm(base["words"][ids] + base["positions"][:ids.shape[1]] + base["segment"], base["norm"])
        rows = run_layers(x, mask, base["layers"], None)
        mean = (rows * mask[..., None]).sum(1)
        return mean / jnp.linalg.norm(mean, axis=-1, keepdims=True)

    run = jax.jit(vectors)
    for batch in batches:
        yield np.asarray(run(base, batch["ids"], batch["mask"]))
