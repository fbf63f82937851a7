#!/usr/bin/env python3
"""Trains adapters/KIND.safetensors from train/data.

    train/train.py question|select|judge|tally|conditions [--smoke] [--epochs N] [--share PART] [--out FOLDER]

Prints the figures over the companies that were left out, which also set the temperatures and from which probability on
the adapter counts as sure. Writes
  adapters/KIND.safetensors          the adapter
  tests/golden/adapters/KIND.json    texts with what the adapter as it is stored makes of them, for
                                     adapted_reading_test
or, with --out, both into FOLDER.
--smoke: a small part of the texts, two epochs, nothing kept; fails where the loss does not fall. A minute each.
--share: a part of what is learned from (0.5: each second one), for the learning curve.
The same seed gives the same adapter on the same machine; others differ in the last digits.
"""

import argparse
import dataclasses
import json
import math
import pathlib
import sys
import typing

import numpy as np

from precedent_train import conditions, data, encoder, labels, learn, pairs, paths, questions, score, tallies, write

GOLDEN = 60


@dataclasses.dataclass(frozen=True)
class Kind:
    """What differs between the adapters. Companies are left out whole, never rows at random, which share names and
    style: `held(companies)` chooses."""

    task: labels.Task
    folder: str  # of train/data
    settings: learn.Settings
    check: typing.Callable  # of a row of data
    examples: typing.Callable  # (rows, tokenizer, held) → examples; held(company): whether it is left out
    held: typing.Callable
    figures: typing.Callable  # beside those of all heads
    smoke: float  # the part that the smoke run learns from


def each_nth(n):
    return lambda companies: companies[::n]


KINDS = {
    "question": Kind(
        labels.QUESTION, "questions", learn.Settings(), questions.check,
        lambda rows, tokenizer, held: questions.examples_of(rows, tokenizer),
        lambda companies: ("gondel", "medirent", "cumulo", "orrinfines", "tramwerk9", "rewoven"),
        score.of_questions, 0.05),
    "select": Kind(
        labels.SELECT, "select", learn.Settings(epochs=2, batch=64, variants=1), pairs.check_select,
        pairs.select_examples, each_nth(8), score.of_lines, 0.02),
    "judge": Kind(
        labels.JUDGE, "judge", learn.Settings(epochs=3, variants=1), pairs.check_judge, pairs.judge_examples,
        each_nth(12), score.of_claims, 0.02),
    "tally": Kind(
        labels.TALLY, "tally", learn.Settings(), tallies.check,
        lambda rows, tokenizer, held: tallies.examples_of(rows, tokenizer), each_nth(6),
        lambda logits, examples: {}, 0.2),
    "conditions": Kind(
        labels.CONDITIONS, "conditions", learn.Settings(epochs=2, variants=1), conditions.check, conditions.examples_of,
        each_nth(8), conditions.figures, 0.02)}


def sure_from(task, logits, examples, temperatures):
    """From where on 95 of 100 are right. Guard: from where on no more than one ordinary question in two hundred would
    be turned away."""
    found = {}
    for name, head in task.heads.items():
        if head.several:
            found[name] = 0.5
            continue
        p = score.probabilities(logits[name], temperatures[name], False)
        if name != "guard":
            wanted = score.wanted_of(name, examples)
            p, wanted = p[wanted >= 0], wanted[wanted >= 0]
            found[name] = score.sure_from(p.max(-1), p.argmax(-1) == wanted, 0.95)
            continue
        ordinary = score.wanted_of(name, examples) == 0
        wrong = sorted((p[i].max() for i in range(len(examples)) if ordinary[i] and p[i].argmax() != 0), reverse=True)
        allowed = int(ordinary.sum() / 200)
        found[name] = float(wrong[allowed]) + 1e-4 if len(wrong) > allowed else 0.0
    return found


def golden(base, adapter, examples, temperatures, kind):
    """Every n-th text with what the adapter makes of it."""
    task, examples = kind.task, examples[::max(1, len(examples) // GOLDEN)]
    learn.prepare(base, examples, task, dataclasses.replace(kind.settings, variants=1), np.float32)
    logits = learn.logits_of(base, adapter, examples, task)
    return [{"text": e.text, "before": e.before, "ids": e.ids, "start": e.start,
             "probabilities": {name: score.probabilities(logits[name][i], temperatures[name], head.several)
                               .round(5).tolist() for name, head in task.heads.items()},
             "tags": [int(x) for x in logits["tags"][i].argmax(-1)][e.start:-1] if task.tags else []}
            for i, e in enumerate(examples)]


def part_of(examples, share):
    groups = data.groups_of(examples)
    return [e for k, group in enumerate(groups) if math.floor((k + 1) * share) > math.floor(k * share) for e in group]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    kind = KINDS[options.kind]
    task, settings = kind.task, kind.settings
    if options.epochs:
        settings = dataclasses.replace(settings, epochs=options.epochs)
    if options.smoke:
        settings = dataclasses.replace(settings, epochs=2, variants=1)
        options.share = kind.smoke

    folder = paths.model_folder()
    tokenizer, base = data.Tokenizer(folder), encoder.load_base(folder / "model.safetensors")
    rows = data.read_rows(paths.ROOT / "train/data" / kind.folder, kind.check)
    held = set(kind.held(sorted({row["company"] for row in rows})))
    examples = kind.examples(rows, tokenizer, held.__contains__)
    learning = part_of([e for e in examples if e.company not in held], options.share)
    checking = [e for e in examples if e.company in held]
    if options.smoke:
        checking = part_of(checking, 0.1)
    print(f"{task.kind}: {len(learning)} texts to learn from, {len(checking)} of {len(held)} other companies to check "
          "with", flush=True)

    learn.prepare(base, learning + checking, task, settings)
    losses = []
    adapter = write.rounded(learn.train(base, learning, task, settings, losses, lambda line: print(line, flush=True)))
    if options.smoke and losses[-1] >= losses[0]:
        sys.exit(f"the loss did not fall: {losses}")
    logits = learn.logits_of(base, adapter, checking, task)
    temperatures = {head: score.temperature_of(task, head, logits[head], checking) for head in task.heads}
    sure = sure_from(task, logits, checking, temperatures)
    figures = score.of_heads(task, logits, checking, temperatures) | kind.figures(logits, checking)
    for name, value in figures.items():
        print(f"{name:40} {value:.3f}")
    print("temperatures", temperatures, "sure from", sure)

    records = golden(base, adapter, checking, temperatures, kind)
    if options.smoke:
        return
    folders = options.out or paths.ROOT / "adapters", options.out or paths.ROOT / "tests/golden/adapters"
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
    write.write_adapter(folders[0] / f"{task.kind}.safetensors", adapter, task, temperatures, sure)
    lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    (folders[1] / f"{task.kind}.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
