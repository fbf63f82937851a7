"""train/data/select and train/data/judge → examples: a text is read behind others that it is held against.

    [CLS] question [SEP] title [SEP] line [SEP]               select: does the line answer the question?
    [CLS] lines of the receipt [SEP] [SEP] claim [SEP]        judge: what do the lines say of the claim?
"""

import collections
import math
import re

import numpy as np

from . import data
from .labels import JUDGE, SELECT

# Lines beside the answers that are learned as no answer: those nearest to the question, and some others.
NEAREST, OTHERS = 4, 1
# How many claims are also held against another receipt of their company, which does not say them.
ELSEWHERE = 0.15


def check_select(row):
    for question in row["questions"]:
        for line in question["answers"] + question["partly"]:
            if not 0 <= line < len(row["lines"]):
                raise ValueError(f"'{question['q']}': there is no line {line}")
        if question["none"] != (not question["answers"]):
            raise ValueError(f"'{question['q']}': 'none' and answers contradict one another")


def check_judge(row):
    for claim in row["claims"]:
        if claim["label"] not in JUDGE.heads["verdict"].labels:
            raise ValueError(f"'{claim['claim']}': the label '{claim['label']}' is unknown")
        if any(not 0 <= line < len(row["lines"]) for line in claim["lines"]):
            raise ValueError(f"'{claim['claim']}': it names a line that is not there")


def words_of(text):
    return re.findall(r"\w+", text.lower())


class Rarity:
    """What it weighs that two texts share words: the rarer a word among `texts`, the more."""

    def __init__(self, texts):
        self.count = len(texts)
        self.having = collections.Counter(word for text in texts for word in set(words_of(text)))

    def shared(self, one, other):
        return sum(math.log(1 + self.count / self.having[word])
                   for word in set(words_of(one)) & set(words_of(other)) if self.having[word])


def select_examples(rows, tokenizer, held):
    """held(company): whether its questions are for checking: then all lines are wanted, not only those worth learning
    from. What answers a question partly is neither learned nor checked."""
    rng = np.random.default_rng(20)
    rarity = Rarity([line for row in rows for line in row["lines"]])
    examples = []
    for row in rows:
        for number, question in enumerate(row["questions"]):
            answers = set(question["answers"])
            others = [i for i in range(len(row["lines"])) if i not in answers and i not in question["partly"]]
            others.sort(key=lambda i: -rarity.shared(question["q"], row["lines"][i]))
            if not held(row["company"]):
                rest = others[NEAREST:]
                others = others[:NEAREST] + list(rng.choice(rest, min(OTHERS, len(rest)), replace=False))
            for i in [*answers, *others]:
                line, before = row["lines"][i], [(question["q"], row["title"])]
                ids, start, _ = tokenizer.read(line, before, SELECT)
                group = f"{row['id']}/{number}"
                examples.append(data.Example(f"{group}/{i}", row["company"], line, before, ids, start,
                                             {"answers": np.array([i in answers], np.float32)}, group=group))
    return examples


def nearest(claim, lines, rarity, tokenizer, room, needed=()):
    """The lines that share most with the claim, in their own order, as far as `room` word pieces reach. `needed` come
    first."""
    sizes = [len(tokenizer.pieces(line)[0]) for line in lines]
    kept = []
    for i in sorted(range(len(lines)), key=lambda i: (i not in needed, -rarity.shared(claim, lines[i]))):
        if not kept or sizes[i] <= room:
            kept.append(i)
            room -= sizes[i]
    return "\n".join(lines[i] for i in sorted(kept))


def judge_examples(rows, tokenizer, held):
    """held(company): whether its claims are for checking: then the deciding lines are not known, as in use."""
    rng = np.random.default_rng(20)
    rarity = Rarity([line for row in rows for line in row["lines"]])
    receipts = collections.defaultdict(list)
    for row in rows:
        receipts[row["company"]].append(row)
    labels = JUDGE.heads["verdict"].labels
    examples = []

    def add(name, row, claim, lines, label):
        ids, start, _ = tokenizer.read(claim, [(lines, "")], JUDGE)
        examples.append(data.Example(name, row["company"], claim, [(lines, "")], ids, start,
                                     {"verdict": np.int32(labels.index(label))}))

    for row in rows:
        for number, claim in enumerate(row["claims"]):
            name, text, known = f"{row['id']}/{number}", claim["claim"], not held(row["company"])
            near = nearest(text, row["lines"], rarity, tokenizer, JUDGE.context_pieces,
                           claim["lines"] if known else ())
            add(name, row, text, near, claim["label"])
            elsewhere = receipts[row["company"]]
            if known and rng.random() < ELSEWHERE:
                other = elsewhere[rng.integers(len(elsewhere))]
                if other is not row:
                    near = nearest(text, other["lines"], rarity, tokenizer, JUDGE.context_pieces)
                    add(name + "/elsewhere", row, text, near, "not_stated")
    return examples
