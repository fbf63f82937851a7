"""Questions on disk → numbers: word pieces, labels and the shape in which the encoder reads a conversation.

    [CLS] earlier question [SEP] its answer [SEP] last question [SEP] its answer [SEP] question [SEP]

Only the beginning of what came before is read (CONTEXT_PIECES). src/embed/adapter.h builds the same ids.
"""

import dataclasses
import json
import pathlib

import numpy as np
from tokenizers import BertWordPieceTokenizer

from .labels import ASKS, GUARDS, HEADS, KINDS, RELATIONS, TAGS, TYPES

CLS, SEP, MASK = 101, 102, 103
MAX_TOKENS, WIDTH = 256, 384
CONTEXT_TURNS = 2
CONTEXT_PIECES = 20  # of each question and answer of the conversation
ID_FIELDS = {"type": TYPES, "guard": GUARDS, "relation": RELATIONS}


@dataclasses.dataclass
class Example:
    id: str
    company: str
    ids: list[int]
    start: int  # where the question's own pieces begin
    labels: dict[str, np.ndarray]
    tags: list[int]  # one for each id, -1 where none is learned
    # What the layers without updates make of it (encoder.lower): plain, then with some pieces hidden.
    rows: list[np.ndarray] = dataclasses.field(default_factory=list)


def read_rows(folder):
    """All questions under `folder`, in a stable order. Raises ValueError, naming file and line, on a wrong label."""
    rows = []
    for path in sorted(pathlib.Path(folder).glob("*.jsonl")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            row = json.loads(line)
            check(row, f"{path}:{number}")
            rows.append(row)
    if not rows:
        raise ValueError(f"{folder}: no questions there (*.jsonl)")
    return rows


def check(row, where):
    for field, labels in ID_FIELDS.items():
        if row[field] not in labels:
            raise ValueError(f"{where}: {field} '{row[field]}' is none of {', '.join(labels)}")
    for ask in row["asks"]:
        if ask not in ASKS:
            raise ValueError(f"{where}: asks '{ask}' is none of {', '.join(ASKS)}")
    for span in row["spans"]:
        end = span["start"] + len(span["text"])
        if span["kind"] not in KINDS or row["question"][span["start"]:end] != span["text"]:
            raise ValueError(f"{where}: the span {span} is not in the question")


class Tokenizer:
    def __init__(self, model_folder):
        self.inner = BertWordPieceTokenizer(str(pathlib.Path(model_folder) / "vocab.txt"), lowercase=True)

    def pieces(self, text):
        """(ids, [(begin, end)]) without [CLS] and [SEP]; offsets in code points."""
        encoded = self.inner.encode(text, add_special_tokens=False)
        return encoded.ids, encoded.offsets

    def read(self, question, context):
        """(ids, start, offsets of the question's own pieces)"""
        ids = [CLS]
        for turn in context[-CONTEXT_TURNS:]:
            for text in (turn["question"], turn["answer"]):
                ids += self.pieces(text)[0][:CONTEXT_PIECES] + [SEP]
        start = len(ids)
        own, offsets = self.pieces(question)
        room = MAX_TOKENS - start - 1
        return ids + own[:room] + [SEP], start, offsets[:room]


def tags_of(spans, offsets):
    tags = []
    for begin, end in offsets:
        tag = 0
        for span in spans:
            first, last = span["start"], span["start"] + len(span["text"])
            if begin >= first and end <= last:
                kind = KINDS.index(span["kind"])
                tag = TAGS.index(f"{'B' if begin == first else 'I'}-{KINDS[kind]}")
        tags.append(tag)
    return tags


def examples_of(rows, tokenizer):
    examples = []
    for row in rows:
        ids, start, offsets = tokenizer.read(row["question"], row["context"])
        labels = {head: np.int32(names.index(row[head])) for head, (names, several) in HEADS.items() if not several}
        labels["asks"] = np.array([name in row["asks"] for name in ASKS], np.float32)
        tags = [-1] * start + tags_of(row["spans"], offsets) + [-1]
        examples.append(Example(row["id"], row["company"], ids, start, labels, tags))
    return examples


def bucket(length):
    """The padded length: few shapes, so that few programs are compiled."""
    for size in (16, 32, 64, 128, MAX_TOKENS):
        if length <= size:
            return size
    raise ValueError(f"{length} word pieces; at most {MAX_TOKENS} are read")


def padded(ids, size):
    """Lists of ids as a batch of exactly `size` rows: ids and mask alone."""
    width = bucket(max(len(row) for row in ids))
    batch = {"ids": np.zeros((size, width), np.int32), "mask": np.zeros((size, width), np.float32)}
    # A row without any id would divide by nothing.
    batch["mask"][:, 0] = 1
    for i, row in enumerate(ids):
        batch["ids"][i, :len(row)] = row
        batch["mask"][i, :len(row)] = 1
    return batch


def batch_of(examples, size, variants=None):
    """Padded arrays of exactly `size` rows; rows that are filled up weigh nothing. variants: which of an example's rows
    to take, one for each; the plain ones without."""
    width = bucket(max(len(e.ids) for e in examples))
    batch = {
        "ids": np.zeros((size, width), np.int32), "rows": np.zeros((size, width, WIDTH), np.float32),
        "mask": np.zeros((size, width), np.float32),
        "pool": np.zeros((size, width), np.float32), "tags": np.full((size, width), -1, np.int32),
        "weight": np.zeros(size, np.float32), "asks": np.zeros((size, len(ASKS)), np.float32),
        **{field: np.zeros(size, np.int32) for field in ID_FIELDS}}
    for i, e in enumerate(examples):
        n = len(e.ids)
        batch["ids"][i, :n] = e.ids
        if e.rows:
            batch["rows"][i, :n] = e.rows[variants[i] if variants is not None else 0]
        batch["mask"][i, :n] = 1
        # [CLS] and the question itself; what came before is attended to, not averaged.
        batch["pool"][i, 0] = 1
        batch["pool"][i, e.start:n] = 1
        batch["tags"][i, :n] = e.tags
        batch["weight"][i] = 1
        for field, value in e.labels.items():
            batch[field][i] = value
    return batch


def batches_of(examples, size, rng=None):
    """Batches of about one length; in random order with `rng`."""
    order = np.arange(len(examples)) if rng is None else rng.permutation(len(examples))
    # Stable, so that texts of one bucket stay mixed.
    order = sorted(order, key=lambda i: bucket(len(examples[i].ids)))
    batches = [[examples[i] for i in order[k:k + size]] for k in range(0, len(order), size)]
    if rng is not None:
        rng.shuffle(batches)
    return batches
