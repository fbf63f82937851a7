"""train/data/tally → examples: what a question wants computed over past records, if anything.

    [CLS] question [SEP]

Beside them stand questions of train/data/questions that ask for no records: they want nothing computed.
"""

import numpy as np

from . import data, paths, questions
from .labels import TALLY

# Each n-th of the other questions is learned from.
OTHERS = 5
OF_RECORDS = {"count", "list", "comparison", "duration"}
LISTS = {"recent_incidents", "application_incidents"}


def check(row):
    for name, head in TALLY.heads.items():
        if row[name] not in head.labels:
            raise ValueError(f"{name} '{row[name]}' is none of {', '.join(head.labels)}")


def others():
    rows = [row for row in data.read_rows(paths.ROOT / "train/data/questions", questions.check)
            if not row["context"] and row["type"] not in LISTS and not OF_RECORDS & set(row["asks"])]
    nothing = {name: "any" if name == "state" else "none" for name in TALLY.heads}
    return [row | nothing for row in rows[::OTHERS]]


def examples_of(rows, tokenizer):
    examples = []
    for row in rows + others():
        ids, start, _ = tokenizer.read(row["question"], [], TALLY)
        labels = {name: np.int32(head.labels.index(row[name])) for name, head in TALLY.heads.items()}
        examples.append(data.Example(row["id"], row["company"], row["question"], [], ids, start, labels,
                                     [-1] * len(ids)))
    return examples
