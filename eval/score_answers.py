#!/usr/bin/env python3
"""Scores answers against expectations: is the very line quoted that answers the question?

usage: eval/score_answers.py EXPECTED.jsonl ANSWERS.jsonl [-v]
EXPECTED: {"id","question","must":[...],"must_not"?,"sources"?,"status"?}; ANSWERS: what `precedent ask --batch` printed.
A `must` counts where it stands in the answer's text; in lists of ids also among its sources.
"""
import json
import re
import sys


def squeeze(text):
    return re.sub(r"\s+", " ", text.replace("`", "").replace("**", "")).lower()


def check(expected, answer):
    text = squeeze(answer["answer"])
    problems = [f"lacks {must!r}" for must in expected.get("must", []) if squeeze(must) not in text]
    if expected.get("any") and not any(squeeze(a) in text for a in expected["any"]):
        problems.append("lacks all of 'any'")
    problems += [f"has {bad!r}" for bad in expected.get("must_not", []) if squeeze(bad) in text]
    if expected.get("status") and answer["status"] != expected["status"]:
        problems.append(f"status {answer['status']}, expected {expected['status']}")
    cited = [s["path"] for s in answer["sources"]] + [s["id"] for s in answer["sources"]]
    golds = expected.get("sources", [])
    if golds and not any(c == g or c.endswith("/" + g) for g in golds for c in cited):
        problems.append("cites none of " + ", ".join(golds))
    return problems


def main():
    verbose = "-v" in sys.argv
    expected_path, answers_path = [a for a in sys.argv[1:] if a != "-v"]
    answers = {a["id"]: a for a in map(json.loads, open(answers_path, encoding="utf-8"))}
    passed = failed = words = 0
    for expected in map(json.loads, open(expected_path, encoding="utf-8")):
        answer = answers.get(expected["id"])
        problems = check(expected, answer) if answer else ["no answer"]
        words += len(answer["answer"].split()) if answer else 0
        passed, failed = passed + (not problems), failed + bool(problems)
        if problems and verbose:
            print(f"{expected['id']} {expected['question']}\n    {'; '.join(problems)}")
    print(f"answers: {words / max(1, passed + failed):.0f} words on average")
    print(f"{passed} passed, {failed} failed")


if __name__ == "__main__":
    main()
