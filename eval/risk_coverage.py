#!/usr/bin/env python3
"""How often an answer is wrong, by how sure the program is that anything it found answers: risk against coverage.

usage: eval/risk_coverage.py BINARY FOLDER…     FOLDER: as of eval/score_judged.py
How sure: the highest probability that a line or a section answers, as `ask --explain` gives it. A row says what would be if nothing below it were
answered: the part of the questions that is answered, and of those answers the part that is wrong (as eval/score_judged.py judges). Questions
without such a probability (lists, counts, one record) count as answered with certainty. Follow-ups are left out.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import score_judged

THRESHOLDS = (0.0, 0.35, 0.5, 0.6, 0.7, 0.8, 0.9)


def how_sure(binary, data, question):
    done = subprocess.run([binary, "ask", question, "--explain", "--data-dir", data], capture_output=True, text=True)
    told = re.findall(r"^\s+evidence .*?answers (\d?\.\d+)\)", done.stdout, flags=re.M) + re.findall(r"^\s+procedure (\d?\.\d+) ", done.stdout, flags=re.M)
    return max(map(float, told), default=1.0)


def main():
    binary, *folders = sys.argv[1:]
    answers = []
    for folder in map(pathlib.Path, folders):
        data = tempfile.mkdtemp(prefix="precedent-judged-")
        records = [p for p in (folder / "incidents.csv", folder / "incidents.json", folder / "incidents.jsonl") if p.exists()]
        subprocess.run([binary, "ingest", folder / "docs", *records, "--data-dir", data], capture_output=True, check=True)
        for line in open(folder / "questions.jsonl", encoding="utf-8"):
            question = json.loads(line)
            if question.get("after"):
                continue
            answer = score_judged.ask(binary, data, question)
            verdict, _ = score_judged.judge(question, answer)
            answered = verdict != "honest" and not (question["kind"] == "absent" and verdict == "right")
            answers.append((how_sure(binary, data, question["question"]) if answered else -1.0, verdict))
    print("| from | answered | wrong of those | right of all |\n|---|---|---|---|")
    for least in THRESHOLDS:
        told = [verdict for sure, verdict in answers if sure >= least]
        print(f"| {least:.2f} | {len(told) / len(answers):.0%} | {told.count('wrong') / max(1, len(told)):.0%} | {told.count('right') / len(answers):.0%} |")


if __name__ == "__main__":
    main()
