#!/usr/bin/env python3
"""Fits adapters/columns.safetensors, which tells what a column of an export is (src/ingest/fields/learned_columns.h).

    train/fit_columns.py [--vectors COMMAND] [--scores FOLDER …] [--out FILE]

From train/data/columns: exports of invented companies, and gold.jsonl, which says what each column is. What is fitted
is a linear model over the encoder's vector of the column's name, the mean of those of its first five values, and the
shape of the values: multinomial, with a ridge, by Adam from zero, so that the same data gives the same weights.
Printed are the figures of models that never saw the export. --vectors: a command that writes the vectors of the lines
of a file (float32) to its output, instead of the training's own encoder, which is slow. --scores: further folders with
a gold.jsonl that the final model is counted on.
"""

import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from safetensors.numpy import save_file

ROOT = pathlib.Path(__file__).resolve().parents[1]
WIDTH, EXAMPLES, CUT = 384, 5, 120
# How much the vectors and the shape weigh beside the ridge.
VECTOR, SHAPE, RIDGE, STEPS = 4.0, 2.0, 1e-3, 300
SURE = 0.6  # as in learned_columns.cc
TIMES = {"opened_at", "resolved_at", "updated_at"}


def cut(text):
    return text.strip().encode()[:CUT].decode(errors="ignore")


def columns_of(folder):
    """One dict a column: file, name, field, cells, records."""
    columns = []
    for line in (folder / "gold.jsonl").read_text().splitlines():
        gold = json.loads(line)
        with open(folder / gold["file"], newline="") as f:
            rows = list(csv.reader(f))
        for at, name in enumerate(rows[0]):
            cells = [row[at].strip() for row in rows[1:] if row[at].strip()]
            columns.append({"file": gold["file"], "name": name, "field": gold["columns"][name],
                            "cells": cells, "records": len(rows) - 1})
    return columns


def own_vectors(texts):
    from precedent_train import data, encoder, paths
    folder = paths.model_folder()
    base, tokenizer = encoder.load_base(folder / "model.safetensors"), data.Tokenizer(folder)
    ids = [[data.CLS] + tokenizer.pieces(text)[0][:data.MAX_TOKENS - 2] + [data.SEP] for text in texts]
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    vectors = np.zeros((len(ids), WIDTH), np.float32)
    for begin in range(0, len(order), 64):
        part = order[begin:begin + 64]
        for rows in encoder.sentence_vectors(base, [data.padded([ids[i] for i in part], 64)]):
            vectors[part] = rows[:len(part)]
    return vectors


def command_vectors(command, texts):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as f:
        f.write("".join(" ".join(text.split("\n")) + "\n" for text in texts))
        f.flush()
        out = subprocess.run([command, f.name], capture_output=True, check=True).stdout
    return np.frombuffer(out, np.float32).reshape(-1, WIDTH)


def shape_of(column):
    cells = column["cells"]
    if not cells:
        return [0.0] * 6
    share = lambda test: sum(map(test, cells)) / len(cells)
    return [math.log1p(sum(len(cell.encode()) for cell in cells) / len(cells)) / 5,
            share(lambda cell: len(cell.encode()) <= 40 and not any(c in " \t\n" for c in cell)),
            share(lambda cell: any(c in "0123456789" for c in cell)),
            len(set(cells)) / len(cells),
            sum(len(cell.split()) for cell in cells) / len(cells) / 10,
            len(cells) / column["records"]]


def inputs_of(columns, vectors):
    texts, places = [], []
    for column in columns:
        examples = [cut(cell) for cell in column["cells"][:EXAMPLES]]
        places.append((len(texts), len(examples)))
        texts += [column["name"], *examples]
    rows = vectors(texts)
    inputs = np.zeros((len(columns), 2 * WIDTH + 7), np.float64)
    for i, (at, examples) in enumerate(places):
        inputs[i, :WIDTH] = VECTOR * rows[at]
        if examples:
            inputs[i, WIDTH:2 * WIDTH] = VECTOR * rows[at + 1:at + 1 + examples].mean(0)
        inputs[i, 2 * WIDTH:-1] = SHAPE * np.array(shape_of(columns[i]))
        inputs[i, -1] = 1
    return inputs


def softmax(z):
    e = np.exp(z - z.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def fit(inputs, labels, count):
    w, first, second = np.zeros((inputs.shape[1], count)), 0, 0
    wanted = np.eye(count)[labels]
    for step in range(1, STEPS + 1):
        gradient = inputs.T @ (softmax(inputs @ w) - wanted) / len(labels) + RIDGE * w
        first, second = 0.9 * first + 0.1 * gradient, 0.99 * second + 0.01 * gradient**2
        w -= 0.05 * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return w


def assign(columns, likely, fields):
    """{index: field} of the columns of one export, as LearnedColumns::guess does it without known names."""
    found, given = {}, set()
    while True:
        best = (SURE, None, None)
        for i in range(len(columns)):
            if i in found:
                continue
            left = 1 - sum(likely[i][fields.index(field)] for field in given)
            for field in fields:
                if field != "other" and field not in given:
                    best = max(best, (likely[i][fields.index(field)] / left, i, field), key=lambda b: b[0])
        if best[1] is None:
            return found
        found[best[1]] = best[2]
        given.add(best[2])


def count(columns, likely, fields):
    right, wrong, missed = {}, {}, {}
    for file in sorted({c["file"] for c in columns}):
        own = [i for i, c in enumerate(columns) if c["file"] == file]
        found = assign([columns[i] for i in own], [likely[i] for i in own], fields)
        for k, i in enumerate(own):
            said, gold = found.get(k, "other"), columns[i]["field"]
            if said == gold != "other":
                right[gold] = right.get(gold, 0) + 1
            elif said != gold:
                if said != "other":
                    wrong[said] = wrong.get(said, 0) + 1
                if gold != "other":
                    missed[gold] = missed.get(gold, 0) + 1
    total = lambda counts: sum(counts.values())
    lines = [f"{total(right)} right, {total(wrong)} wrong, {total(missed)} not said"]
    lines += [f"  {field}: {right.get(field, 0)}, {wrong.get(field, 0)}, {missed.get(field, 0)}"
              for field in fields if field != "other"]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vectors")
    parser.add_argument("--scores", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "adapters/columns.safetensors")
    args = parser.parse_args()
    vectors = (lambda texts: command_vectors(args.vectors, texts)) if args.vectors else own_vectors
    columns = columns_of(ROOT / "train/data/columns")
    fields = sorted({c["field"] for c in columns})
    inputs = inputs_of(columns, vectors)
    labels = np.array([fields.index(c["field"]) for c in columns])
    files = sorted({c["file"] for c in columns})
    fold = np.array([files.index(c["file"]) % 8 for c in columns])
    likely = np.zeros((len(columns), len(fields)))
    for k in range(8):
        likely[fold == k] = softmax(inputs[fold == k] @ fit(inputs[fold != k], labels[fold != k], len(fields)))
    print(f"{len(files)} exports, {len(columns)} columns; each by a model that never saw it:", count(columns, likely, fields))
    w = fit(inputs, labels, len(fields))
    for folder in args.scores:
        further = columns_of(folder)
        print(f"{folder}:", count(further, softmax(inputs_of(further, vectors) @ w), fields))
    scale = np.concatenate([np.full(2 * WIDTH, VECTOR), np.full(6, SHAPE), [1]])
    save_file({"weight": np.ascontiguousarray((w.T * scale).astype(np.float32))}, args.out,
              {"format": "precedent-columns/1", "fields": json.dumps(fields)})


if __name__ == "__main__":
    sys.exit(main())
