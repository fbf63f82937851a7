#!/usr/bin/env python3
"""Asks for lists and counts with limits and filters, and compares the records that the answer shows.

usage: eval/score_filters.py BINARY FOLDER [-v]     FOLDER: tickets.csv or .json, questions.jsonl (eval/filters_blind)
A list is right if the records that the answer names are exactly those asked for: with a limit, so many of them, and of an order the first. A count is
right if its number is in the first two lines. Where nothing matches, an answer is right that names no record. A verdict is one of
  right    as above
  other    names records that do not match, or leaves out some, or another number
  none     names no record where some match, or no number
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

NOW = "2026-10-20T09:00:00Z"


def judge(question, answer, known):
    body = answer["answer"].split("**Sources**")[0]
    shown = {i for i in known if re.search(rf"(?<![\w-]){re.escape(i)}(?![\w-])", body)}
    wanted = set(question["ids"])
    if question["kind"] == "count":
        head = "\n".join([line for line in body.split("\n") if line.strip()][:2])
        numbers = set(re.findall(r"(?<![\w.-])\d+(?![\w.-]*\d)", re.sub(r"\d{4}-\d\d-\d\d\S*", "", head)))
        words = {0: ("no ", "none"), 1: ("one ",), 2: ("two ",), 3: ("three ",)}.get(question["count"], ())
        if str(question["count"]) in numbers or any(w in head.lower() for w in words):
            return "right", body
        return ("other" if numbers else "none"), body
    if not wanted:
        return ("right" if not shown else "other"), body
    if question["limit"] and not question["ordered"]:
        good = shown <= wanted and len(shown) == min(question["limit"], len(wanted))
    else:
        good = shown == wanted
    return ("right" if good else "other" if shown else "none"), body


def ids_of(folder):
    text = next(folder.glob("tickets.*")).read_text(encoding="utf-8")
    questions = [json.loads(line) for line in open(folder / "questions.jsonl", encoding="utf-8")]
    kinds = {True: r"\d", False: "[A-Za-z]"}
    first = next(i for q in questions for i in q["ids"])
    shape = "".join(kinds[c.isdigit()] if c.isalnum() else re.escape(c) for c in first)
    return set(re.findall(rf"(?<![\w-]){shape}(?![\w-])", text)), questions


def main():
    verbose = "-v" in sys.argv
    binary, folder = [a for a in sys.argv[1:] if a != "-v"]
    folder = pathlib.Path(folder)
    data = tempfile.mkdtemp(prefix="precedent-filters-")
    done = subprocess.run([binary, "ingest", next(folder.glob("tickets.*")), "--data-dir", data], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    known, questions = ids_of(folder)
    verdicts, kinds = collections.Counter(), collections.defaultdict(collections.Counter)
    for question in questions:
        done = subprocess.run([binary, "ask", question["question"], "--json", "--now", NOW, "--data-dir", data], capture_output=True, text=True)
        verdict, body = judge(question, json.loads(done.stdout), known)
        verdicts[verdict] += 1
        for kind in (question["kind"], *question["filters"]):
            kinds[kind][verdict] += 1
        if verbose and verdict != "right":
            print(f"\n## {verdict} {question['filters']} {question['question']}\n   wants {question['ids']} limit {question['limit']} count {question['count']}\n   "
                  + body.strip()[:600].replace("\n", "\n   "))
    print(f"{len(questions)} questions: " + ", ".join(f"{v} {verdicts[v]}" for v in ("right", "other", "none")))
    for kind, counts in sorted(kinds.items()):
        print(f"  {kind}: " + ", ".join(f"{v} {n}" for v, n in counts.items()))


if __name__ == "__main__":
    main()
