#!/usr/bin/env python3
"""Whether a question that adapters learn from is nearly one that they are measured with.

    train/check_leaks.py [--drop] [--words-only] [--shared FOLDER] [DATA_FOLDER]

Compared are the questions under DATA_FOLDER (train/data) with those of eval/ and, where it is given, of the evaluation
data under FOLDER (queries*.tsv, the text last). Near is: a share of MIN_SAME of their words in common, or a cosine of
the base encoder of MIN_COSINE and more. Questions with a conversation before them are left out. Nothing of the measured
questions is printed.

Exit codes: 0 none; 1 some, their ids are printed (with --drop they are removed from the files, and it is 0); 2 usage.
Without the encoder's weights only words can be compared: --words-only.
"""

import argparse
import json
import pathlib
import re
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
MIN_SAME = 0.75    # share of words in common; questions of up to three words must have all
MIN_COSINE = 0.93  # "what does p95 mean" and "what does p99 mean" are about this near
PIECES = 62        # of a text that are compared by meaning
QUESTION_KEYS = {"question", "asked", "same", "query", "text"}


def words(text):
    return frozenset(re.findall(r"[a-z0-9]+", text.lower()))


def texts_in(value, key=""):
    if isinstance(value, str):
        if key in QUESTION_KEYS:
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item, key)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from texts_in(item, name)


def learned_texts(row):
    """The question of a row of questions/, the questions of a document of select/, the claims of a receipt of judge/."""
    if "questions" in row:
        return [asked["q"] for asked in row["questions"]]
    if "claims" in row:
        return [claim["claim"] for claim in row["claims"]]
    return [row["question"]]


def measured_questions(shared):
    texts = set()
    for path in (ROOT / "eval").rglob("*.jsonl"):
        for line in path.read_text().splitlines():
            texts.update(texts_in(json.loads(line)))
    for path in pathlib.Path(shared).rglob("queries*.tsv") if shared else ():
        texts.update(line.rsplit("\t", 1)[-1] for line in path.read_text().splitlines() if "\t" in line)
    # Whole documents are no questions.
    return sorted(text for text in texts if words(text) and len(text) < 2000)


def near_by_words(ours, measured):
    """The indices of `ours` that share nearly all their words with one of `measured`."""
    by_word = {}
    for i, text in enumerate(measured):
        for word in words(text):
            by_word.setdefault(word, []).append(i)
    measured = [words(text) for text in measured]
    found = set()
    for i, text in enumerate(ours):
        own = words(text)
        counts = {}
        for word in own:
            for j in by_word.get(word, ()):
                counts[j] = counts.get(j, 0) + 1
        least = MIN_SAME if len(own) > 3 else 1.0
        if any(same / len(own | measured[j]) >= least for j, same in counts.items()):
            found.add(i)
    return found


def near_by_meaning(ours, measured):
    sys.path.insert(0, str(ROOT / "train"))
    from precedent_train import data, encoder, paths

    tokenizer = data.Tokenizer(paths.model_folder())
    base = encoder.load_base(paths.model_folder() / "model.safetensors")

    def vectors(texts):
        ids = [[data.CLS] + tokenizer.pieces(text)[0][:PIECES] + [data.SEP] for text in texts]
        order = sorted(range(len(texts)), key=lambda i: len(ids[i]))
        result = np.zeros((len(texts), data.WIDTH), np.float32)
        groups = [order[k:k + 64] for k in range(0, len(order), 64)]
        for group, rows in zip(groups, encoder.sentence_vectors(
                base, (data.padded([ids[i] for i in group], 64) for group in groups))):
            result[group] = rows[:len(group)]
        return result

    cosines = vectors(ours) @ vectors(measured).T
    return set(np.nonzero(cosines.max(1) >= MIN_COSINE)[0].tolist())


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--drop", action="store_true")
    parser.add_argument("--words-only", action="store_true")
    parser.add_argument("--shared")
    parser.add_argument("folder", nargs="?", default=ROOT / "train/data")
    options = parser.parse_args()
    files = {path: [json.loads(line) for line in path.read_text().splitlines()]
             for path in sorted(pathlib.Path(options.folder).rglob("*.jsonl"))}
    rows = [row for rows in files.values() for row in rows]
    texts = [(text, row) for row in rows for text in learned_texts(row)]
    ours, measured = [text for text, _ in texts], measured_questions(options.shared)
    near = near_by_words(ours, measured)
    if not options.words_only:
        near |= near_by_meaning(ours, measured)
    # "And the fix?" means something else after each conversation.
    near = {texts[i][1]["id"] for i in near if not texts[i][1].get("context")}
    print(f"{len(ours)} texts to learn from, {len(measured)} to measure with, {len(near)} too near")
    if not near:
        return 0
    if not options.drop:
        print("too near to a measured question; run with --drop, or reword:", *sorted(near), sep="\n  ")
        return 1
    for path, rows in files.items():
        kept = [row for row in rows if row["id"] not in near]
        if len(kept) < len(rows):
            path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept))
    return 0


if __name__ == "__main__":
    sys.exit(main())
