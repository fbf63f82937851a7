#!/usr/bin/env python3
"""Writes down what is answered to every question of eval/, to compare before and after a change that must not change an answer.

usage: eval/snapshot_answers.py BINARY DATA_DIR OUT    then: diff before.jsonl after.jsonl
One line an answer, without what differs from run to run (ids of conversations). DATA_DIR: made of examples/; what
scripts/sample-systems makes is asked, too.
"""
import json
import pathlib
import subprocess
import sys

EVAL = pathlib.Path(__file__).resolve().parent
NOW = "2026-11-20"
VOLATILE = ("thread_id", "id")


def questions():
    for name in ("intent", "intent_blind", "guardrails", "guardrails_blind"):
        for line in (EVAL / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            yield {"id": f"{name}:{one['id']}", **{key: one[key] for key in ("question", "history", "now") if one.get(key)}}
    for line in (EVAL / "sample/answers.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        yield {"id": f"sample:{one['id']}", "question": one["question"]}
    for line in (EVAL / "sample/queries.tsv").read_text(encoding="utf-8").splitlines():
        name, question = line.split("\t")
        yield {"id": f"query:{name}", "question": question}
    for line in (EVAL / "question_pairs.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        yield {"id": f"pair:{one['asked']}", "question": one["asked"]}


def stable(answer):
    return {key: value for key, value in answer.items() if key not in VOLATILE}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    binary, data_dir, out = sys.argv[1:]
    common = ["--now", NOW, "--data-dir", data_dir, "--tools-config", EVAL.parent / "sample-systems/tools.yaml"]
    asked = list(questions())
    batch = subprocess.run([binary, "ask", "--batch", "-", "--json", *common], text=True, capture_output=True, check=False,
                           input="".join(json.dumps(one) + "\n" for one in asked))
    answers = [json.loads(line) for line in batch.stdout.splitlines()]
    if len(answers) != len(asked):
        sys.exit(f"{len(asked)} questions, {len(answers)} answers: {batch.stderr[-300:]}")
    with open(out, "w", encoding="utf-8") as file:
        for one, answer in zip(asked, answers):
            print(json.dumps([one["id"], one["question"], stable(answer)]), file=file)
        for line in (EVAL / "conversations.jsonl").read_text(encoding="utf-8").splitlines():
            dialogue = json.loads(line)
            run = subprocess.run([binary, "chat", "--json", *common], text=True, capture_output=True, check=False,
                                 input="".join(turn["question"] + "\n" for turn in dialogue["turns"]))
            for event in map(json.loads, run.stdout.splitlines()):
                if event["event"] == "answer":
                    print(json.dumps([f"dialogue:{dialogue['id']}", stable(event)]), file=file)


if __name__ == "__main__":
    main()
