"""train/data/procedures → examples: which section of a company's handbook tells what a question wants to do.

    [CLS] question [SEP] title [SEP] heading: the section's first words [SEP]

Learned by comparison: the sections of a company against each other, and against none of them.
"""

import numpy as np

from . import data
from .labels import PROCEDURES
from .pairs import Rarity

# Of a section's words, as src/agent/evidence/procedures.cc.
WORDS = 48
# Sections beside those that answer: the nearest to the question by their words, and others.
NEAREST, OTHERS = 4, 2


def check(row):
    for question in row["questions"]:
        if any(not 0 <= section < len(row["sections"]) for section in question["answers"]):
            raise ValueError(f"'{question['q']}': there is no such section")


def text_of(section):
    heading = f"{section['heading']}: " if section["heading"] else ""
    return heading + " ".join(section["text"].split()[:WORDS])


def examples_of(rows, tokenizer, held):
    """held(company): whether its questions are for checking: then all sections are wanted."""
    rng = np.random.default_rng(20)
    examples = []
    for row in rows:
        texts = [text_of(section) for section in row["sections"]]
        rarity = Rarity([f"{s['title']} {text}" for s, text in zip(row["sections"], texts)])
        for number, question in enumerate(row["questions"]):
            answers = set(question["answers"])
            others = [i for i in range(len(texts)) if i not in answers]
            others.sort(key=lambda i: -rarity.shared(question["q"], f"{row['sections'][i]['title']} {texts[i]}"))
            if not held(row["company"]):
                rest = others[NEAREST:]
                others = others[:NEAREST] + list(rng.choice(rest, min(OTHERS, len(rest)), replace=False))
            group = f"{row['id']}/{number}"
            for i in [*answers, *others]:
                before = [(question["q"], row["sections"][i]["title"])]
                ids, start, _ = tokenizer.read(texts[i], before, PROCEDURES)
                examples.append(data.Example(f"{group}/{i}", row["company"], texts[i], before, ids, start,
                                             {"answers": np.array([i in answers], np.float32)}, group=group))
    return examples
