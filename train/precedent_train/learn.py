"""The loss, the optimiser (AdamW) and the loop over epochs."""

import dataclasses
import time

import jax
import jax.numpy as jnp
import numpy as np

from . import data
from .encoder import lower, new_adapter, read


@dataclasses.dataclass(frozen=True)
class Settings:
    """Chosen on companies left out of training, never on eval/."""

    epochs: int = 5
    batch: int = 32
    rate: float = 1.5e-3
    warm_up: float = 0.06  # of all steps; afterwards the rate falls as a cosine to 0
    decay: float = 0.01
    drop: float = 0.1
    smoothing: float = 0.05
    # Of the word pieces that are hidden in all variants of a text but the first: names are not to be learned by heart.
    masked: float = 0.08
    variants: int = 3
    seed: int = 20


TAGS_WEIGHT = 2.0  # in the loss, beside the heads' own


def listwise_loss(logits, labels, group, weight):
    """Mean over groups of -log P(those that have the label), where none of them is a choice with the logit 0."""
    groups = group.shape[0]
    total = 1 + jax.ops.segment_sum(jnp.exp(logits) * weight, group, groups)
    right = jax.ops.segment_sum(jnp.exp(logits) * labels * weight, group, groups)
    held = jax.ops.segment_max(weight, group, groups) > 0
    each = jnp.log(total) - jnp.log(jnp.where(right > 0, right, 1))
    return jnp.where(held, each, 0).sum() / jnp.maximum(held.sum(), 1)


def loss_of(adapter, base, batch, key, task, settings):
    logits = read(base, adapter, batch, key, settings.drop)
    weight = batch["weight"] / jnp.maximum(batch["weight"].sum(), 1)
    total = 0.0
    for name, head in task.heads.items():
        if head.listwise:
            total += head.weight * listwise_loss(logits[name][:, 0], batch[name][:, 0], batch["group"],
                                                 batch["weight"])
            continue
        if head.several:
            each = jnp.logaddexp(0, logits[name]) - logits[name] * batch[name]
            each = each.mean(-1)
        else:
            wanted = jax.nn.one_hot(batch[name], len(head.labels))
            wanted = wanted * (1 - settings.smoothing) + settings.smoothing / len(head.labels)
            each = -(wanted * jax.nn.log_softmax(logits[name])).sum(-1) * (batch[name] >= 0)
        total += head.weight * (each * weight).sum()
    if not task.tags:
        return total
    known = (batch["tags"] >= 0).astype(jnp.float32)
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits["tags"]), jnp.maximum(batch["tags"], 0)[..., None], -1)
    return total - TAGS_WEIGHT * (chosen[..., 0] * known).sum() / jnp.maximum(known.sum(), 1)


def prepare(base, examples, task, settings, kind=np.float16):
    """Fills in the rows of the layers without updates. Halves are enough to learn from, and half the memory."""
    run = jax.jit(lambda base, ids, mask: lower(base, task.first, ids, mask))
    rng = np.random.default_rng(settings.seed)
    for chosen in data.batches_of(examples, settings.batch):
        for e in chosen:
            e.rows = []
        batch = data.batch_of(chosen, settings.batch)
        for variant in range(settings.variants):
            hidden = (rng.random(batch["ids"].shape) < settings.masked) & (batch["ids"] > data.MASK)
            ids = np.where(hidden, data.MASK, batch["ids"]) if variant else batch["ids"]
            rows = np.asarray(run(base, ids, batch["mask"]), kind)
            for i, e in enumerate(chosen):
                e.rows.append(rows[i, :len(e.ids)])


def rate_at(step, steps, settings):
    warm = max(1, int(steps * settings.warm_up))
    rising = (step + 1) / warm
    falling = 0.5 * (1 + np.cos(np.pi * (step - warm) / max(1, steps - warm)))
    return settings.rate * (rising if step < warm else falling)


def train(base, examples, task, settings, means, log):
    """The adapter after settings.epochs over `examples`, which prepare() was called for; the mean loss of each epoch is
    added to `means`. The same seed gives the same adapter on one machine."""
    rng = np.random.default_rng(settings.seed)
    key = jax.random.key(settings.seed)
    adapter = new_adapter(task, key)
    moments = jax.tree.map(jnp.zeros_like, (adapter, adapter))

    @jax.jit
    def step(adapter, moments, base, batch, key, rate, number):
        loss, slope = jax.value_and_grad(loss_of)(adapter, base, batch, key, task, settings)
        size = jnp.sqrt(sum(jnp.vdot(g, g) for g in jax.tree.leaves(slope)))
        slope = jax.tree.map(lambda g: g / jnp.maximum(size, 1.0), slope)  # clipped at length 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], slope)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, moments[1], slope)

        def moved(p, m, v):
            m, v = m / (1 - 0.9 ** number), v / (1 - 0.999 ** number)
            return p - rate * (m / (jnp.sqrt(v) + 1e-8) + settings.decay * p)

        return jax.tree.map(moved, adapter, first, second), (first, second), loss

    steps = settings.epochs * len(data.batches_of(examples, settings.batch))
    number, started = 0, time.monotonic()
    for epoch in range(settings.epochs):
        losses = []
        for chosen in data.batches_of(examples, settings.batch, rng):
            batch = data.batch_of(chosen, settings.batch, rng.integers(settings.variants, size=len(chosen)))
            adapter, moments, loss = step(adapter, moments, base, batch, jax.random.fold_in(key, number),
                                          rate_at(number, steps, settings), number + 1.0)
            losses.append(loss)
            number += 1
        means.append(float(np.mean(losses)))
        log(f"epoch {epoch + 1}/{settings.epochs}: loss {means[-1]:.3f}, {time.monotonic() - started:.0f} s")
    return adapter


def logits_of(base, adapter, examples, task, batch_size=32):
    """Logits of every example, in order: {head: array}, and the tags' as a list of tokens × tags. prepare() was called
    for the examples."""
    run = jax.jit(lambda adapter, batch: read(base, adapter, batch))
    order = sorted(range(len(examples)), key=lambda i: len(examples[i].ids))
    found = {name: np.zeros((len(examples), len(head.labels)), np.float32) for name, head in task.heads.items()}
    tags = [None] * len(examples)
    for k in range(0, len(order), batch_size):
        chosen = order[k:k + batch_size]
        logits = run(adapter, data.batch_of([examples[i] for i in chosen], batch_size))
        for row, i in enumerate(chosen):
            for head in found:
                found[head][i] = logits[head][row]
            tags[i] = np.asarray(logits["tags"][row][:len(examples[i].ids)])
    return found | {"tags": tags}
