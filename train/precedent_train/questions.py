"""train/data/questions → examples. A question is read with the last two turns before it:

    [CLS] earlier question [SEP] its answer [SEP] last question [SEP] its answer [SEP] question [SEP]
"""

import numpy as np

from . import data
from .labels import ASKS, KINDS, QUESTION, TAGS


def check(row):
    for field, head in QUESTION.heads.items():
        for label in row[field] if head.several else [row[field]]:
            if label not in head.labels:
                raise ValueError(f"{field} '{label}' is none of {', '.join(head.labels)}")
    for span in row.get("spans", []):
        end = span["start"] + len(span["text"])
        if span["kind"] not in KINDS or row["question"][span["start"]:end] != span["text"]:
            raise ValueError(f"the span {span} is not in the question")


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
        before = [(turn["question"], turn["answer"]) for turn in row["context"]]
        ids, start, offsets = tokenizer.read(row["question"], before, QUESTION)
        labels = {name: np.int32(head.labels.index(row[name])) for name, head in QUESTION.heads.items()
                  if not head.several}
        labels["asks"] = np.array([name in row["asks"] for name in ASKS], np.float32)
        # Where nobody marked the spans, none are learned.
        own = tags_of(row["spans"], offsets) if "spans" in row else [-1] * len(offsets)
        tags = [-1] * start + own + [-1]
        examples.append(data.Example(row["id"], row["company"], row["question"], before, ids, start, labels, tags))
    return examples
