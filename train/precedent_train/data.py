"""Texts as numbers: word pieces, and examples in batches. What an example is made from: questions.py, pairs.py.

    [CLS] before [SEP] … [SEP] text [SEP]

Of each of the texts before it only the beginning is read (Task.context_pieces); src/embed/adapted_reading.h builds the
same ids.
"""

import dataclasses
import json
import pathlib

import numpy as np
from tokenizers import BertWordPieceTokenizer

CLS, SEP, MASK = 101, 102, 103
MAX_TOKENS, WIDTH = 256, 384


@dataclasses.dataclass
class Example:
    id: str
    company: str
    text: str
    before: list[tuple[str, str]]  # pairs of texts, oldest first
    ids: list[int]
    start: int  # where the text's own pieces begin
    labels: dict[str, np.ndarray]
    tags: list[int] | None = None  # one for each id, -1 where none is learned
    group: str = ""  # of a listwise head: examples of one group are learned together
    # What the layers without updates make of it (encoder.lower): plain, then with some pieces hidden.
    rows: list[np.ndarray] = dataclasses.field(default_factory=list)


def read_rows(folder, check):
    """All lines of JSON under `folder`, in a stable order. check(row): raises ValueError, saying what is wrong with
    it; file and line are added."""
    rows = []
    for path in sorted(pathlib.Path(folder).glob("*.jsonl")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            try:
                row = json.loads(line)
                check(row)
            except ValueError as error:
                raise ValueError(f"{path}:{number}: {error}") from error
            rows.append(row)
    if not rows:
        raise ValueError(f"{folder}: nothing there (*.jsonl)")
    return rows


class Tokenizer:
    def __init__(self, model_folder):
        self.inner = BertWordPieceTokenizer(str(pathlib.Path(model_folder) / "vocab.txt"), lowercase=True)

    def pieces(self, text):
        """(ids, [(begin, end)]) without [CLS] and [SEP]; offsets in code points."""
        encoded = self.inner.encode(text, add_special_tokens=False)
        return encoded.ids, encoded.offsets

    def read(self, text, before, task):
        """(ids, start, offsets of the text's own pieces). `before`: pairs of texts, oldest first."""
        ids = [CLS]
        for pair in before[-task.context_turns:]:
            for other in pair:
                ids += self.pieces(other)[0][:task.context_pieces] + [SEP]
        start = len(ids)
        own, offsets = self.pieces(text)
        room = MAX_TOKENS - start - 1
        return ids + own[:room] + [SEP], start, offsets[:room]


def bucket(length):
    """The padded length: few shapes, so that few programs are compiled."""
    for size in (16, 32, 64, 96, 128, MAX_TOKENS):
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
    batch = padded([e.ids for e in examples], size)
    width = batch["ids"].shape[1]
    batch |= {
        "rows": np.zeros((size, width, WIDTH), np.float32), "pool": np.zeros((size, width), np.float32),
        "tags": np.full((size, width), -1, np.int32), "weight": np.zeros(size, np.float32),
        "group": np.full(size, size, np.int32),
        **{head: np.zeros((size, *value.shape), value.dtype) for head, value in examples[0].labels.items()}}
    groups = {}
    for i, e in enumerate(examples):
        n = len(e.ids)
        if e.rows:
            batch["rows"][i, :n] = e.rows[variants[i] if variants is not None else 0]
        # [CLS] and the text itself; what came before is attended to, not averaged.
        batch["pool"][i, 0] = 1
        batch["pool"][i, e.start:n] = 1
        if e.tags:
            batch["tags"][i, :n] = e.tags
        batch["weight"][i] = 1
        batch["group"][i] = groups.setdefault(e.group or e.id, len(groups))
        for head, value in e.labels.items():
            batch[head][i] = value
    return batch


def groups_of(examples):
    """Lists of the examples that are learned together, in order."""
    groups = {}
    for e in examples:
        groups.setdefault(e.group or e.id, []).append(e)
    return list(groups.values())


def batches_of(examples, size, rng=None):
    """Batches of about one length, of at most `size` examples, no group torn apart; in random order with `rng`."""
    groups = groups_of(examples)
    for group in groups:
        if len(group) > size:
            raise ValueError(f"{group[0].group}: {len(group)} texts belong together; a batch has {size}")
    order = np.arange(len(groups)) if rng is None else rng.permutation(len(groups))
    # Stable, so that texts of one bucket stay mixed.
    order = sorted(order, key=lambda i: bucket(max(len(e.ids) for e in groups[i])))
    batches = []
    for i in order:
        if not batches or len(batches[-1]) + len(groups[i]) > size:
            batches.append([])
        batches[-1] += groups[i]
    if rng is not None:
        rng.shuffle(batches)
    return batches
