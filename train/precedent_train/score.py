"""Figures over examples with known labels, and the temperatures that make probabilities honest."""

import numpy as np

from .labels import KINDS, TAGS


def probabilities(logits, temperature, several):
    scaled = logits / temperature
    if several:
        return 1 / (1 + np.exp(-scaled))
    scaled = np.exp(scaled - scaled.max(-1, keepdims=True))
    return scaled / scaled.sum(-1, keepdims=True)


def wanted_of(head, examples):
    return np.stack([e.labels[head] for e in examples])


def temperature_of(task, head, logits, examples):
    """The one of a grid with the least negative log-likelihood (Guo et al., 2017)."""
    several = task.heads[head].several
    wanted = wanted_of(head, examples)
    if not several:
        logits, wanted = logits[wanted >= 0], wanted[wanted >= 0]

    def cost(temperature):
        p = probabilities(logits, temperature, several)
        if several:
            p = np.where(wanted > 0, p, 1 - p)
        else:
            p = np.take_along_axis(p, wanted[:, None], 1)
        return -np.log(np.maximum(p, 1e-9)).mean()

    return float(min(np.geomspace(0.25, 4, 65), key=cost))


def sure_from(p, right, share):
    """The least probability from which on at least `share` of the answers are right; 1 if there is none."""
    order = np.argsort(-p)
    rate = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    enough = np.nonzero(rate >= share)[0]
    return float(p[order][enough[-1]]) if len(enough) else 1.0


def spans_of(tags):
    """{(kind, first, last)} of a list of tag numbers. An inside tag without a beginning opens a span."""
    spans, open_span = set(), None
    for i, tag in enumerate([*tags, 0]):
        name = TAGS[tag] if tag > 0 else "O"
        kind = name[2:]
        if open_span and (name[0] != "I" or kind != open_span[0]):
            spans.add((open_span[0], open_span[1], i - 1))
            open_span = None
        if name != "O" and open_span is None:
            open_span = (kind, i)
    return spans


def f1(right, found, wanted):
    return 0.0 if right == 0 else 2 * right / (found + wanted)


def of_heads(task, logits, examples, temperatures):
    """{name: number} of every head: shares of 1."""
    result = {}
    for name, head in task.heads.items():
        wanted = wanted_of(name, examples)
        p = probabilities(logits[name], temperatures[name], head.several)
        if head.several:
            found = p >= 0.5
            result[name + " f1"] = f1((found * wanted).sum(), found.sum(), wanted.sum())
            continue
        p, wanted = p[wanted >= 0], wanted[wanted >= 0]
        best = p.argmax(-1)
        result[name] = float((best == wanted).mean())
        each = [(best[wanted == i] == i).mean() for i in range(len(head.labels)) if (wanted == i).any()]
        result[name + " mean of labels"] = float(np.mean(each))
        # Mean distance of stated and true share over ten bins (expected calibration error).
        top, bins = p.max(-1), np.minimum((p.max(-1) * 10).astype(int), 9)
        result[name + " calibration error"] = float(sum(
            abs((top[bins == b]).mean() - (best == wanted)[bins == b].mean()) * (bins == b).mean()
            for b in range(10) if (bins == b).any()))
    return result


def of_questions(logits, examples):
    """What concerns the guard and the spans."""
    result = {}
    ordinary = wanted_of("guard", examples) == 0
    guard = logits["guard"].argmax(-1)
    result["ordinary questions not answered"] = float((guard[ordinary] != 0).mean())
    result["others answered"] = float((guard[~ordinary] == 0).mean()) if (~ordinary).any() else 0.0
    counts = {kind: [0, 0, 0] for kind in KINDS}
    for example, tags in zip(examples, logits["tags"]):
        known = [i for i, tag in enumerate(example.tags) if tag >= 0]
        wanted = spans_of([example.tags[i] for i in known])
        found = spans_of([int(tags[i].argmax()) for i in known])
        for place, spans in enumerate((wanted & found, found, wanted)):
            for kind, _, _ in spans:
                counts[kind][place] += 1
    for kind, count in counts.items():
        result[f"span {kind} f1"] = f1(*count)
    return result


def area(scores, positive):
    """Under the receiver operating characteristic: how often a positive one is above another."""
    order = np.argsort(scores)
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    many, others = positive.sum(), (~positive).sum()
    if not many or not others:
        return 0.0
    return float((ranks[positive].sum() - many * (many + 1) / 2) / (many * others))


def of_lines(logits, examples):
    """Whether the first line of a question answers it; whether the best one tells such questions from others."""
    groups = {}
    for i, e in enumerate(examples):
        groups.setdefault(e.group, []).append(i)
    best, here, first, places = [], [], [], []
    for rows in groups.values():
        z = logits["answers"][rows, 0]
        right = np.array([examples[i].labels["answers"][0] > 0 for i in rows])
        best.append(z.max())
        here.append(right.any())
        if right.any():
            ordered = right[np.argsort(-z)]
            first.append(ordered[0])
            places.append(1 / (1 + ordered.argmax()))
    return {"right line first": float(np.mean(first)), "mean reciprocal rank": float(np.mean(places)),
            "answered or not, area": area(np.array(best), np.array(here))}


def of_claims(logits, examples, rejected=(0.04, 0.1)):
    """How well "supported" tells true claims from both kinds of others; what is caught where so many true ones are
    rejected."""
    supported = probabilities(logits["verdict"], 1.0, False)[:, 0]
    wanted = wanted_of("verdict", examples)
    result = {"true or contradicted, area": area(supported[wanted != 2], wanted[wanted != 2] == 0),
              "true or not stated, area": area(supported[wanted != 1], wanted[wanted != 1] == 0)}
    true = np.sort(supported[wanted == 0])
    for share in rejected:
        least = true[int(share * len(true))]
        for label, name in ((1, "contradicted"), (2, "not stated")):
            result[f"{name} caught at {share:.0%} rejected"] = float((supported[wanted == label] < least).mean())
    return result
