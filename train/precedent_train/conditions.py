"""train/data/conditions → examples: how a question over a table of records restricts it by a column.

    [CLS] question [SEP] [SEP] column: value [SEP]

In the question, < and > stand around the words that the candidate is made from ("sev2 everywhere but <valley base>").
What is asked about each question: values of columns that its words are near to, columns of yes and no, numbers that it
names with each column of numbers and with how many are shown, and each column by itself (its order, its empty cells).
src/tools/record_conditions.h asks the same, in the same words.
"""

import re

import numpy as np

from . import data
from .labels import CONDITIONS

SHOWN = "how many are shown"
YES = {"yes", "y", "true", "1", "ja", "oui", "si", "sí", "x"}
NUMBER_KINDS = {"number", "duration"}
VALUE_KINDS = {"system", "severity", "status", "category", "person"}
KINDS = VALUE_KINDS | NUMBER_KINDS | {"yesno", "date"}
# As src/tools/asked_words.cc.
NUMBER_WORDS = dict(zip("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
                        "sixteen seventeen eighteen nineteen".split(), range(20))) | {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "hundred": 100, "thousand": 1000, "dozen": 12}
ONE_UNIT = re.compile(r"(?:(half|quarter) (?:of )?)?an? (?:second|minute|hour|day|week)(?![^\W_])", re.I)
UNITS = {"s", "sec", "secs", "min", "mins", "m", "h", "hr", "hrs", "d"}
# Of the candidates without a label, as many are learned from as no condition.
MOST_NONE = 10
# How often what is rare is learned in an epoch.
REPEATED = {"none": 1, "is": 1, "not": 2}
REPEATED_OTHERS = 4


def check(row):
    columns = {column["name"]: column for column in row["columns"]}
    if bad := [c["name"] for c in row["columns"] if c["kind"] not in KINDS]:
        raise ValueError(f"{row['company']}: columns of an unknown kind: {bad}")
    for question in row["questions"]:
        for where in question["where"]:
            if where["column"] not in columns or where["op"] not in CONDITIONS.heads["says"].labels:
                raise ValueError(f"'{question['question']}': {where} names no column, or is no condition")
        if question["order"] and question["order"]["column"] not in columns:
            raise ValueError(f"'{question['question']}': there is no column {question['order']['column']}")


def words_of(text):
    return re.findall(r"[^\W_]+", text.lower())


def one_edit(a, b):
    if abs(len(a) - len(b)) > 1:
        return False
    i = 0
    while i < min(len(a), len(b)) and a[i] == b[i]:
        i += 1
    return a[i + 1:] == b[i + 1:] or a[i:] == b[i + 1:] or a[i + 1:] == b[i:]


def near(one, other):
    if one == other:
        return len(one) > 2 or any(c.isdigit() for c in one)
    if min(len(one), len(other)) < 4 or any(c.isdigit() for c in one + other):
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    return start >= max(4, min(len(one), len(other)) - 2) or (len(one) > 4 and one_edit(one, other))


def names(value, words):
    return any(near(part, word) for part in words_of(value) for word in words)


def numbers_of(text):
    """(value, as written with the word behind it), of each number but those of dates, times, ids and versions."""
    found = []
    i = 0
    while i < len(text):
        before = text[i - 1] if i else " "
        if not text[i].isalnum() or before.isalnum() or before in "_-":
            i += 1
            continue
        end = i
        if text[i].isdigit():
            while end < len(text) and (text[end].isdigit() or (text[end] in ".," and text[end + 1:end + 2].isdigit())):
                end += 1
            unit = re.match(r"[A-Za-z]*", text[end:])[0]
            digits = text[i:end]
            value = re.sub(r"[,.](?=\d{3}(?!\d))", "", digits).replace(",", ".")
            if unit:
                if unit.lower() in UNITS and value.count(".") < 2:
                    found.append((float(value), digits + unit))
            elif before not in ".,:/#" and text[end:end + 1] not in tuple(":-/_") and value.count(".") < 2:
                word = re.match(r" ([A-Za-z]+)(?!\w)", text[end:])
                found.append((float(value), digits + (word[0] if word else "")))
            i = end + len(unit)
            continue
        if one := ONE_UNIT.match(text, i):
            part = {"half": 0.5, "quarter": 0.25}.get((one[1] or "").lower(), 1.0)
            found.append((part, one[0]))
            i = one.end()
            continue
        while end < len(text) and text[end].isalpha():
            end += 1
        if text[i:end].lower() in NUMBER_WORDS:
            word = re.match(r" ([A-Za-z]+)(?!\w)", text[end:])
            found.append((float(NUMBER_WORDS[text[i:end].lower()]), text[i:end] + (word[0] if word else "")))
        i = max(end, i + 1)
    return found


def marked(question, name, number=""):
    """The question with < and > around the words that are near one of `name`, or around the number as written."""
    if number:
        at = question.find(number)
        return question if at < 0 else f"{question[:at]}<{number}>{question[at + len(number):]}"
    parts, out, done, end = words_of(name), "", 0, None
    for word in re.finditer(r"[^\W_]+", question):
        is_meant = any(near(part, word[0].lower()) for part in parts)
        if is_meant and end is None:
            out, done = f"{out}{question[done:word.start()]}<", word.start()
        elif not is_meant and end is not None:
            out, done, end = f"{out}{question[done:end]}>", end, None
        if is_meant:
            end = word.end()
    return out + question[done:] if end is None else f"{out}{question[done:end]}>{question[end:]}"


def number_in(text):
    found = numbers_of(text)
    return found[0][0] if found else None


def shown(name):
    return name.replace("_", " ").strip()


def asked_of(text, column=None, value=None):
    return shown(column) if value is None else f"{shown(column)}: {value}"


def candidates(row, question):
    """{text: (label, matched, marked question)} of a question."""
    found = {}
    columns = {column["name"]: column for column in row["columns"]}
    words, numbers = words_of(question["question"]), numbers_of(question["question"])

    def put(text, label, matched, name="", number=""):
        if label != "none" or text not in found:
            found[text] = (label, matched, marked(question["question"], name, number))

    said = {}
    for where in question["where"]:
        column = columns[where["column"]]
        op, value = where["op"], str(where["value"] or "")
        if op in ("empty", "filled"):
            put(shown(column["name"]), op, True, column["name"])
        elif column["kind"] == "yesno":
            yes = value.lower() in YES or (column["values"] and str(column["values"][0]) == value
                                           and str(column["values"][-1]).lower() not in YES)
            put(f"{shown(column['name'])}: yes", "is" if yes == (op == "is") else "not", True, column["name"])
        elif column["kind"] in NUMBER_KINDS:
            wanted = number_in(value)
            written = next((text for number, text in numbers if number == wanted), value)
            said.setdefault(written, set()).add(column["name"])
            put(f"{shown(column['name'])}: {written}", op, True, number=written)
        elif op in ("is", "not"):
            put(f"{shown(column['name'])}: {value}", op, True, value)
    if question["limit"]:
        written = next((text for number, text in numbers if number == question["limit"]), str(question["limit"]))
        put(f"{SHOWN}: {written}", "is", True, number=written)
    if question["order"]:
        put(shown(question["order"]["column"]), "most" if question["order"]["first"] == "high" else "least", True,
            question["order"]["column"])
    for column in row["columns"]:
        name = shown(column["name"])
        put(name, "none", column["kind"] == "date" or names(column["name"], words), column["name"])
        if column["kind"] == "yesno":
            put(f"{name}: yes", "none", True, column["name"])
        elif column["kind"] in NUMBER_KINDS:
            for _, text in numbers:
                put(f"{name}: {text}", "none", True, number=text)
        elif column["kind"] in VALUE_KINDS:
            for value in column["values"]:
                put(f"{name}: {value}", "none", names(str(value), words), str(value))
    for _, text in numbers:
        put(f"{SHOWN}: {text}", "none", True, number=text)
    return found


def examples_of(rows, tokenizer, held):
    rng = np.random.default_rng(20)
    labels = CONDITIONS.heads["says"].labels
    examples = []
    for row in rows:
        status = {f"{shown(c['name'])}: {v}" for c in row["columns"] if c["kind"] in ("status", "severity") for v in c["values"]}
        plain = {shown(c["name"]) for c in row["columns"]}
        for number, question in enumerate(row["questions"]):
            found = candidates(row, question)
            chosen = [text for text, (label, *_) in found.items() if label != "none"]
            others = [text for text, (label, *_) in found.items() if label == "none"]
            if held(row["company"]):
                # As in use.
                chosen += [text for text in others if found[text][1] or text in status or text in plain]
            else:
                close = [text for text in others if found[text][1]]
                rest = [text for text in others if not found[text][1]]
                rng.shuffle(close), rng.shuffle(rest)
                chosen += close[:MOST_NONE - 3] + rest[:3]
            group = f"{row['company']}/{number}"
            for text in chosen:
                before, label = [(found[text][2], "")], found[text][0]
                ids, start, _ = tokenizer.read(text, before, CONDITIONS)
                for _ in range(1 if held(row["company"]) else REPEATED.get(label, REPEATED_OTHERS)):
                    examples.append(data.Example(f"{group}/{text}", row["company"], text, before, ids, start,
                                                 {"says": np.int32(labels.index(label))}))
    return examples


def figures(logits, examples):
    """Of the conditions that questions state, and of whole questions."""
    labels = CONDITIONS.heads["says"].labels
    scores = np.exp(logits["says"] - logits["says"].max(-1, keepdims=True))
    scores /= scores.sum(-1, keepdims=True)
    took = np.where(scores.max(-1) >= 0.5, scores.argmax(-1), 0)
    wanted = np.array([int(e.labels["says"]) for e in examples])
    questions = {}
    for i, e in enumerate(examples):
        key = e.id.removesuffix("/" + e.text)
        questions[key] = questions.get(key, True) and took[i] == wanted[i]
    out = {"conditions found": float((took == wanted)[wanted > 0].mean()),
           "taken that are none": float((took > 0)[wanted == 0].mean()),
           "questions whole": float(np.mean(list(questions.values())))}
    for i, label in enumerate(labels[1:], 1):
        if (wanted == i).any():
            out[f"  {label} ({int((wanted == i).sum())})"] = float((took == wanted)[wanted == i].mean())
    return out
