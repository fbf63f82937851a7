#!/usr/bin/env python3
"""Trains adapters/question.safetensors from train/data/questions.

    train/train.py [--smoke] [--epochs N] [--share PART] [--out FOLDER]

Prints the figures over the companies that were left out (HELD_OUT), which also set the temperatures and from which
probability on the adapter counts as sure. Writes
  adapters/question.safetensors          the adapter
  tests/golden/adapters/question.json    questions with what the adapter as it is stored makes of them, for
                                         adapted_reading_test
or, with --out, both into FOLDER.
--smoke: a twentieth of the questions, two epochs, nothing kept; fails where the loss does not fall. A minute.
--share: a part of the questions (0.5: each second one), for the learning curve.
The same seed gives the same adapter on the same machine; others differ in the last digits.
"""

import argparse
import dataclasses
import json
import math
import pathlib
import sys

import numpy as np

from precedent_train import data, encoder, learn, paths, score, write
from precedent_train.labels import HEADS

# Whole companies, one or two of each hand that wrote: never rows at random, which share names and manners.
HELD_OUT = ("gondel", "medirent", "cumulo", "orrinfines", "tramwerk9", "rewoven")
GOLDEN = 60


def sure_from(logits, examples, temperatures):
    """Type and relation: from where on 95 of 100 are right. Guard: from where on no more than one ordinary question in
    two hundred would be turned away."""
    found = {}
    for head in ("type", "relation"):
        p = score.probabilities(logits[head], temperatures[head], False)
        found[head] = score.sure_from(p.max(-1), p.argmax(-1) == score.wanted_of(head, examples), 0.95)
    p = score.probabilities(logits["guard"], temperatures["guard"], False)
    ordinary = score.wanted_of("guard", examples) == 0
    wrong = sorted((p[i].max() for i in range(len(examples)) if ordinary[i] and p[i].argmax() != 0), reverse=True)
    allowed = int(ordinary.sum() / 200)
    found["guard"] = float(wrong[allowed]) + 1e-4 if len(wrong) > allowed else 0.0
    found["asks"] = 0.5
    return found


def golden(base, adapter, rows, examples, temperatures, settings):
    """Every so-manieth question with what the adapter makes of it, conversations among them."""
    step = max(1, len(rows) // GOLDEN)
    rows, examples = rows[::step], examples[::step]
    learn.prepare(base, examples, dataclasses.replace(settings, variants=1), np.float32)
    logits = learn.logits_of(base, adapter, examples)
    return [{"question": row["question"], "context": row["context"], "ids": e.ids, "start": e.start,
             "probabilities": {head: score.probabilities(logits[head][i], temperatures[head], several).round(5).tolist()
                               for head, (_, several) in HEADS.items()},
             "tags": [int(x) for x in logits["tags"][i].argmax(-1)][e.start:-1]}
            for i, (row, e) in enumerate(zip(rows, examples))]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    settings = learn.Settings()
    if options.epochs:
        settings = dataclasses.replace(settings, epochs=options.epochs)
    if options.smoke:
        settings = dataclasses.replace(settings, epochs=2, variants=1)
        options.share = 0.05

    folder = paths.model_folder()
    tokenizer, base = data.Tokenizer(folder), encoder.load_base(folder / "model.safetensors")
    rows = data.read_rows(paths.ROOT / "train/data/questions")
    examples = data.examples_of(rows, tokenizer)
    held = [i for i, e in enumerate(examples) if e.company in HELD_OUT]
    kept = [i for i, e in enumerate(examples) if e.company not in HELD_OUT]
    kept = [i for k, i in enumerate(kept) if math.floor((k + 1) * options.share) > math.floor(k * options.share)]
    if options.smoke:
        held = held[::10]
    learning, checking = [examples[i] for i in kept], [examples[i] for i in held]
    print(f"{len(learning)} questions to learn from, {len(checking)} of {', '.join(HELD_OUT)} to check with",
          flush=True)

    learn.prepare(base, learning + checking, settings)
    losses = []
    adapter = write.rounded(learn.train(base, learning, settings, losses, lambda line: print(line, flush=True)))
    if options.smoke and losses[-1] >= losses[0]:
        sys.exit(f"the loss did not fall: {losses}")
    logits = learn.logits_of(base, adapter, checking)
    temperatures = {head: score.temperature_of(head, logits[head], checking) for head in HEADS}
    sure = sure_from(logits, checking, temperatures)
    figures = score.figures(logits, checking, temperatures)
    for name, value in figures.items():
        print(f"{name:40} {value:.3f}")
    print("sure from", sure)

    records = golden(base, adapter, [rows[i] for i in held], checking, temperatures, settings)
    if options.smoke:
        return
    folders = options.out or paths.ROOT / "adapters", options.out or paths.ROOT / "tests/golden/adapters"
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
    write.write_adapter(folders[0] / "question.safetensors", adapter, "question", temperatures, sure)
    lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    (folders[1] / "question.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
