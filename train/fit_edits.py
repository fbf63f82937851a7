#!/usr/bin/env python3
"""Fits adapters/edits.safetensors, which tells what an edit can do (src/investigate/changes/learned_edits.h).

    train/fit_edits.py [--out FOLDER]

From train/data/edits: hunks of diffs, each with whether anybody on call could see anything of it, and what. What is
fitted is a logistic model for "acts" and one for each symptom, over the words that an edit removes, adds and keeps,
and whether numbers rise or fall, hashed into BUCKETS, with a ridge, by Adam from zero, so that the same data gives the same weights. Printed are the
figures of models that never saw the hand that wrote the edit. Beside the weights tests/golden/adapters/edits.json is
written (or, with --out, both into FOLDER): edits with what is made of them, for learned_edits_test.
"""

import argparse
import json
import pathlib
import re

import numpy as np
from safetensors.numpy import save_file

from precedent_train import data, score

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUCKETS, RIDGE, STEPS, SIZE = 4096, 3e-3, 150, 6.0
# What a word weighs: where it stands; that it is gone, new, or beside a number that is another; of the path.
STANDS, TURNS, PATH = 1.0, 2.5, 0.7
SYMPTOMS = ("errors", "latency", "timeouts", "refused", "traffic", "traffic_loss", "fan_out", "cache_misses", "queue",
            "pool", "cpu", "memory", "out_of_memory", "crash", "schema", "library", "certificate", "dns", "access",
            "quota", "disk", "lock", "data_format", "handles", "node")  # src/investigate/symptoms/symptom.h
COMMON = ("errors", "latency", "timeouts")  # follow from nearly anything
CAMEL = re.compile(r"([a-z0-9])(?=[A-Z])")
WORD = re.compile(r"[a-z]+|[0-9]+|[^\sa-z0-9]", re.ASCII)
NUMBER = re.compile(r"[0-9]+(?:[_,][0-9]+)*(?:\.[0-9]+)?")
FAR = 8  # times as much, or a part of it
COMMENT = re.compile(r"//|/\*|\* |#(?!include|define)|-- ")


def check(row):
    if row["acts"] not in ("no", "maybe", "surely") or row["shows"] not in ("at_once", "builds_up"):
        raise ValueError(f"acts '{row['acts']}' is none of no, maybe, surely, or shows '{row['shows']}' none of at_once, "
                         "builds_up")
    unknown = set(row["causes"]) - set(SYMPTOMS)
    if unknown:
        raise ValueError(f"no symptom is called {', '.join(sorted(unknown))}")
    if (row["acts"] == "no") != (not row["causes"]):
        raise ValueError("what can do something causes something, and nothing else does")
    if not any(line[:1] in "+-" for line in row["lines"]):
        raise ValueError("nothing is edited")


def words_of(text):
    """In bytes, as the program reads: letters beyond ASCII are marks of one byte each."""
    raw = CAMEL.sub(r"\1 ", text.encode().decode("latin-1"))
    return WORD.findall("".join(c.lower() if c < "\x80" else c for c in raw))


def form_of(line):
    """A line without its numbers, and these."""
    line = line.encode().decode("latin-1")
    numbers = [float(number.replace("_", "").replace(",", "")) for number in NUMBER.findall(line)]
    return re.findall(r"[^ \t\n\r\f\v]+", NUMBER.sub("0", line)), numbers


def numbers_of(removed, added):
    """The words of lines that differ in their numbers alone: behind U those of a number that rises, D of one that falls."""
    found, left = {}, [(line, *form_of(line)) for line in added]
    for line in removed:
        form, numbers = form_of(line)
        other = next((each for each in left if each[1] == form and each[2] != numbers), None)
        if other is None:
            continue
        left.remove(other)
        for before, now in zip(numbers, other[2]):
            if before == now:
                continue
            mark = "U" if now > before else "D"
            far = max(before, now) >= FAR * min(before, now)
            found |= {mark + word: TURNS for word in ["", "2" if far else "1", *(w for w in words_of(line) if "a" <= w[0] <= "z")]}
    return found


def bucket(word):
    """FNV-1a of 32 bits."""
    h = 2166136261
    for byte in word.encode("latin-1"):
        h = (h ^ byte) * 16777619 & 0xFFFFFFFF
    return h % BUCKETS


def features_of(row):
    weights, sides, lines = {}, {"-": set(), "+": set(), " ": set()}, {"-": [], "+": [], " ": []}
    for line in row["lines"]:
        kind, text = line[:1], line[1:]
        if not text.strip() or COMMENT.match(text.strip()):
            kind = " "  # as parse_diff() has it
        sides[kind].update(words_of(text))
        lines[kind].append(text)
    for kind, words in sides.items():
        weights |= {kind + word: STANDS for word in words}
    weights |= {"<" + word: TURNS for word in sides["-"] - sides["+"]}
    weights |= {">" + word: TURNS for word in sides["+"] - sides["-"]}
    weights |= numbers_of(lines["-"], lines["+"])
    weights |= {"/" + word: PATH for word in words_of(row["file"])}
    found = np.zeros(BUCKETS, np.float32)
    for word, weight in weights.items():
        found[bucket(word)] += weight
    return SIZE * found / np.linalg.norm(found)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def fit(x, y):
    w, first, second = np.zeros((x.shape[1], y.shape[1]), np.float32), 0, 0
    rate = y.mean(0)
    bias = np.log((rate + 1e-3) / (1 - rate + 1e-3))
    for step in range(1, STEPS + 1):
        error = sigmoid(x @ w + bias) - y
        slope = x.T @ error / len(x) + RIDGE * w
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        w -= 0.05 * first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.99**step)) + 1e-6)
        bias -= 0.5 * error.mean(0)
    return w, bias


def figures(p, y):
    acts, causes, some = y[:, 0] > 0, y[:, 1:], y[:, 0] > 0
    rare = [i for i, name in enumerate(SYMPTOMS) if name not in COMMON]
    return {"acts, area": score.area(p[:, 0], acts),
            "rare symptoms, area": score.area(p[:, 1:][:, rare].ravel(), causes[:, rare].ravel() > 0),
            "rare symptoms of what acts, area": score.area(p[some, 1:][:, rare].ravel(), causes[some][:, rare].ravel() > 0),
            "likeliest symptom is one": float(np.mean(causes[some, p[some, 1:].argmax(-1)]))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    rows = data.read_rows(ROOT / "train/data/edits", check)
    x = np.stack([features_of(row) for row in rows])
    y = np.array([[row["acts"] != "no"] + [name in row["causes"] for name in SYMPTOMS] for row in rows], np.float32)
    hand = np.array([row["id"].split("-")[0] for row in rows])
    p = np.zeros(y.shape)
    for one in sorted(set(hand)):
        w, bias = fit(x[hand != one], y[hand != one])
        p[hand == one] = sigmoid(x[hand == one] @ w + bias)
    print(f"{len(rows)} edits by {len(set(hand))} hands; each by a model that never saw its hand:")
    for name, value in figures(p, y).items():
        print(f"{name:36} {value:.3f}")
    w, bias = fit(x, y)
    w = w.astype(np.float16)
    folders = (options.out or ROOT / "adapters", options.out or ROOT / "tests/golden/adapters")
    save_file({"weight": np.ascontiguousarray(w), "bias": bias.astype(np.float32),
               "rate": y.mean(0).astype(np.float32)}, folders[0] / "edits.safetensors",
              {"format": "precedent-edits/1", "symptoms": json.dumps(SYMPTOMS)})
    known = sigmoid(x @ w.astype(np.float32) + bias)
    golden = [{"file": row["file"], "lines": row["lines"], "probabilities": known[i].round(5).tolist()}
              for i, row in enumerate(rows)][::len(rows) // 40]
    lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in golden)
    (folders[1] / "edits.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
