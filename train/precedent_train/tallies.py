"""train/data/tally → examples: what a question wants computed over past records, if anything.

    [CLS] question [SEP]

Beside them stand questions of train/data/questions that ask for no records: they want nothing computed; and those of
train/data/conditions.
"""

import numpy as np

from . import conditions, data, paths, questions
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


def lists():
    """Of train/data/conditions: what lists or counts records, and what asks for something else. An order by a column of
    numbers may be a figure or a list: nothing; an order in time says nothing of `pick`, a status nothing of `state`."""
    found = []
    for table in data.read_rows(paths.ROOT / "train/data/conditions", conditions.check):
        kinds = {column["name"]: column["kind"] for column in table["columns"]}
        for number, question in enumerate(table["questions"]):
            order = question["order"]
            if question["wants"] in ("sum", "average") or (order and kinds[order["column"]] != "date"):
                continue
            row = {name: "any" if name == "state" else "none" for name in TALLY.heads}
            if question["wants"] in ("list", "count"):
                row |= {"function": question["wants"], "of": "records"}
                if order:
                    row["pick"] = None
                if any(kinds[where["column"]] in ("status", "date") for where in question["where"]):
                    row["state"] = None
            found.append(row | {"id": f"{table['id']}-{number}", "company": table["company"],
                                "question": question["question"]})
    return found


def examples_of(rows, tokenizer):
    examples = []
    for row in rows + others() + lists():
        ids, start, _ = tokenizer.read(row["question"], [], TALLY)
        labels = {name: np.int32(-1 if row[name] is None else head.labels.index(row[name]))
                  for name, head in TALLY.heads.items()}
        examples.append(data.Example(row["id"], row["company"], row["question"], [], ids, start, labels,
                                     [-1] * len(ids)))
    return examples
