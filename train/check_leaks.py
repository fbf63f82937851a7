#!/usr/bin/env python3
"""Whether a text that adapters learn from (a question, a claim, an edit) is nearly one that they are measured with.

    train/check_leaks.py [--drop] [--words-only] [--shared FOLDER] [DATA_FOLDER]

Compared are the questions and claims under DATA_FOLDER (train/data) with the questions, claims and sentences of answers
of eval/, the edits with the changes of eval/investigate, and, where it is given, with the queries under FOLDER (queries*.tsv, the text last). Near is: a share of
MIN_SAME of their words in common, or a cosine of the base encoder of MIN_COSINE and more. Questions with a conversation before
them are left out. Nothing of the measured texts is printed.

Exit codes: 0 none; 1 some, which are printed (with --drop they are removed from the files, and it is 0); 2 usage.
Without the encoder's weights only words can be compared: --words-only.
"""

import argparse
import json
import math
import pathlib
import re
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
MIN_SAME = 0.75    # share of words in common; questions of up to three words must have all
MIN_COSINE = 0.93  # "what does p95 mean" and "what does p99 mean" are about this near
PIECES = 62        # of a text that are compared by meaning
QUESTION_KEYS = {"question", "asked", "same", "query", "text", "q", "claim"}
# Of a document of select/ or a table of conditions/, of a receipt of judge/.
LEARNED_LISTS = {"questions": ("q", "question"), "claims": ("claim",)}


def words(text):
    return frozenset(re.findall(r"[a-z0-9]+", text.lower()))


def texts_in(value, key=""):
    if isinstance(value, str):
        if key in QUESTION_KEYS:
            yield value
        elif key == "answer":
            yield from re.split(r"(?<=[.!?])\s+", value)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item, key)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from texts_in(item, name)


def changed(lines):
    """What a hunk removes and adds, as one text."""
    return " ".join(line[1:] for line in lines if line[:1] in ("+", "-") and line[:3] not in ("+++", "---"))


def learned_items(row):
    """(item, its text): the row itself, as in questions/ and edits/, or what its list holds."""
    lists = [name for name in LEARNED_LISTS if name in row]
    if "lines" in row:
        yield row, changed(row["lines"])
    elif not lists:
        yield row, row["question"]
    for name in lists:
        yield from ((item, next(item[key] for key in LEARNED_LISTS[name] if key in item)) for item in row[name])


def measured_texts(shared):
    texts = set()
    for path in (ROOT / "eval").rglob("*.jsonl"):
        for line in path.read_text().splitlines():
            texts.update(texts_in(json.loads(line)))
    for path in pathlib.Path(shared).rglob("queries*.tsv") if shared else ():
        texts.update(line.rsplit("\t", 1)[-1] for line in path.read_text().splitlines() if "\t" in line)
    # Changes stand in the generators of the incidents.
    for path in (ROOT / "eval/investigate").rglob("*.py"):
        texts.update(changed(hunk.splitlines()) for hunk in path.read_text().split("@@"))
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
        least = MIN_SAME if len(own) > 3 else 1.0
        # All of its words but `missing` must be shared: of the `missing + 1` rarest ones, at least one is.
        missing = len(own) - math.ceil(least * len(own))
        rarest = sorted(own, key=lambda word: len(by_word.get(word, ())))[:missing + 1]
        near = {j for word in rarest for j in by_word.get(word, ())}
        if any(len(own & measured[j]) / len(own | measured[j]) >= least for j in near):
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
    # columns/ holds exports and what their columns are: no sentences.
    files = {path: [json.loads(line) for line in path.read_text().splitlines()]
             for path in sorted(pathlib.Path(options.folder).rglob("*.jsonl")) if path.parent.name != "columns"}
    items = [(path, row, *found) for path, rows in files.items() for row in rows for found in learned_items(row)]
    ours, measured = [text for *_, text in items], measured_texts(options.shared)
    near = near_by_words(ours, measured)
    if not options.words_only:
        near |= near_by_meaning(ours, measured)
    # "And the fix?" means something else after each conversation.
    near = [items[i] for i in sorted(near) if not items[i][1].get("context")]
    print(f"{len(ours)} texts to learn from, {len(measured)} to measure with, {len(near)} too near")
    if not near:
        return 0
    if not options.drop:
        print("too near to a measured text; run with --drop, or reword:",
              *(f"{row['id']}: {text}" for _, row, _, text in near), sep="\n  ")
        return 1
    dropped = {id(item) for *_, item, _ in near}
    for path in {path for path, *_ in near}:
        kept = [row for row in files[path] if id(row) not in dropped]
        for row in kept:
            for name in LEARNED_LISTS.keys() & row.keys():
                row[name] = [item for item in row[name] if id(item) not in dropped]
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept))
    return 0


if __name__ == "__main__":
    sys.exit(main())
