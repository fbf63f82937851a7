"""train/data/names → examples: whether a question is about what a word of it names, or says it in passing.

    [CLS] question [SEP] [SEP] word [SEP]

In the question, < and > stand around the word ("restore the <fieldbook> database, commands?").
src/agent/sources/unknown_names.h asks the same of a word that no document holds.
"""

import numpy as np

from . import data
from .labels import NAMES


def check(row):
    for word, about in row["words"]:
        if word not in row["question"] or about not in (0, 1):
            raise ValueError(f"'{row['question']}': '{word}' is not in it, or its label is neither 0 nor 1")


def examples_of(rows, tokenizer):
    examples = []
    for row in rows:
        for word, about in row["words"]:
            marked = [(row["question"].replace(word, f"<{word}>", 1), "")]
            ids, start, _ = tokenizer.read(word, marked, NAMES)
            examples.append(data.Example(f"{row['id']}/{word}", row["company"], word, marked, ids, start,
                                         {"named": np.int32(about)}))
    return examples
