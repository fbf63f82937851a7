#!/usr/bin/env python3
"""Asks the questions of a judged base, and scores the answers by a rubric.

usage: eval/score_judged.py BINARY FOLDER [-v]     FOLDER: docs/, incidents.csv or .json, questions.jsonl
Each question says what a right answer holds (`must`: lists of wordings, one of each), what makes it wrong (`must_not`), the opening words of
every step (`steps`), and what was asked before (`after`). A verdict is one of
  right    all that it must hold, nothing that it must not, every step in order, at most 300 words
  partly   some of it
  wrong    what it must not hold, or something else told as the answer
  honest   nothing of it, and says so
Of an answer that is `absent` from the base only saying so is right. "Top": of those right, the line that answers is among the first five.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def plain(text):
    text = re.sub(r"[*`_>|]+", " ", text.replace("‑", "-").replace("–", "-"))
    return re.sub(r"\s+", " ", text).lower()


def says_nothing(answer):
    head = answer["answer"][:260].lower()
    return (answer["status"] in ("needs_input", "error", "refused") or "nothing in the knowledge base" in head or "no number" in head
            or head.startswith(("no application", "there is no", "not found", "no ")) or "not recorded" in head or "is not in the knowledge base" in head)


def holds(text, alternatives):
    return any(plain(a).strip() in text for a in alternatives)


def steps_in_order(text, steps):
    at = 0
    for step in steps:
        found = text.find(plain(step).strip(), at)
        if found < 0:
            return False
        at = found + 1
    return True


def judge(question, answer):
    body = answer["answer"].split("**Sources**")[0]
    text = plain(body)
    must, bad = question.get("must", []), question.get("must_not", [])
    if any(plain(b).strip() in text for b in bad if b.strip()):
        return "wrong", body
    if question["kind"] == "absent" or not must:
        return ("right" if says_nothing(answer) else "wrong"), body
    found = sum(holds(text, m) for m in must)
    whole = steps_in_order(text, question.get("steps", []))
    if found == len(must) and whole and len(body.split()) <= 300:
        return "right", body
    if found or (question.get("steps") and any(holds(text, [s]) for s in question["steps"])):
        return "partly", body
    return ("honest" if says_nothing(answer) else "wrong"), body


def ask(binary, data, question):
    asked = [*question.get("after", []), question["question"]]
    if len(asked) == 1:
        done = subprocess.run([binary, "ask", asked[0], "--json", "--data-dir", data], capture_output=True, text=True)
        return json.loads(done.stdout)
    done = subprocess.run([binary, "chat", "--json", "--data-dir", data], input="\n".join(q.replace("\n", " ") for q in asked) + "\n",
                          capture_output=True, text=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return [a for a in answers if a.get("event") == "answer"][-1]


def main():
    verbose = "-v" in sys.argv
    binary, folder = [a for a in sys.argv[1:] if a != "-v"]
    folder = pathlib.Path(folder)
    data = tempfile.mkdtemp(prefix="precedent-judged-")
    records = [p for p in (folder / "incidents.csv", folder / "incidents.json", folder / "incidents.jsonl") if p.exists()]
    done = subprocess.run([binary, "ingest", folder / "docs", *records, "--data-dir", data], capture_output=True, text=True)
    print((done.stdout + done.stderr).strip() if verbose else done.stdout.strip())
    verdicts, kinds, words, top, steps = collections.Counter(), collections.defaultdict(collections.Counter), [], 0, [0, 0]
    for line in open(folder / "questions.jsonl", encoding="utf-8"):
        question = json.loads(line)
        answer = ask(binary, data, question)
        verdict, body = judge(question, answer)
        verdicts[verdict] += 1
        kinds[question["kind"]][verdict] += 1
        words.append(len(body.split()))
        head = plain("\n".join([l for l in body.split("\n") if l.strip()][:5]))
        if verdict == "right" and (not question["must"] or any(holds(head, m) for m in question["must"])):
            top += 1
        if question["kind"] == "howto":
            steps[1] += 1
            steps[0] += steps_in_order(plain(body), question.get("steps", []))
        if verbose and verdict != "right":
            print(f"\n## {verdict} [{question['kind']}] {question['question'][:200]}\n   wants {question['must']} not {question.get('must_not')}"
                  f" from {question.get('source')}\n   " + body.strip()[:700].replace("\n", "\n   "))
    words.sort()
    asked = sum(verdicts.values())
    print(f"{asked} questions: " + ", ".join(f"{v} {verdicts[v]}" for v in ("right", "partly", "wrong", "honest"))
          + f"; top {top} of {verdicts['right']}; whole procedures {steps[0]} of {steps[1]}; median {words[asked // 2]} words")
    for kind, counts in sorted(kinds.items()):
        print(f"  {kind}: " + ", ".join(f"{v} {n}" for v, n in counts.items()))


if __name__ == "__main__":
    main()
