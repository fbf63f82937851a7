#!/usr/bin/env python3
"""Scores conversations: is each follow-up understood as a person would mean it?

usage: eval/score_conversations.py EXPECTED.jsonl BINARY DATA_DIR [-v] [--least TURNS]
EXPECTED: {"id","turns":[{"question","kind","must","sources","not_sources","calls","any"?,"must_not"?}]}. A `must` stands in the
answer's text. Every one of `sources` is cited, by id or by the end of its path; none of `not_sources` is,
and "*" there says that nothing may be cited. `calls`: "none" answers from memory, "some" looks up, null does not care.
--least: fails where fewer turns are right.
"""
import argparse
import collections
import json
import re
import subprocess
import sys

NOW = "2026-11-20"  # the day after the last incident of the sample company
LIMIT_S = 120  # for one dialogue: a turn takes about a second


def squeeze(text):
    return re.sub(r"\s+", " ", text.replace("`", "").replace("**", "")).lower()


def ask(binary, data_dir, questions):
    """The answers to the questions of one dialogue, in order; fewer when the program gave up."""
    command = [binary, "chat", "--json", "--now", NOW, "--data-dir", data_dir]
    run = subprocess.run(command, input="\n".join(questions) + "\n", capture_output=True, text=True, timeout=LIMIT_S, check=False)
    if run.returncode:
        print(f"{' '.join(command)}: exit code {run.returncode}: {run.stderr.strip()[-200:]}", file=sys.stderr)
    events = map(json.loads, run.stdout.splitlines())
    return [event for event in events if event["event"] == "answer"]


def cites(gold, cited):
    return any(c == gold or c.endswith("/" + gold) for c in cited)


def check(expected, answer):
    cited = sorted({s[key] for s in answer["sources"] for key in ("id", "path")})
    text = squeeze(answer["answer"])
    problems = [f"lacks {must!r}" for must in expected["must"] if squeeze(must) not in text]
    if expected.get("any") and not any(squeeze(a) in text for a in expected["any"]):
        problems.append("lacks all of 'any'")
    problems += [f"has {bad!r}" for bad in expected.get("must_not", []) if squeeze(bad) in text]
    problems += [f"does not cite {gold}" for gold in expected["sources"] if not cites(gold, cited)]
    problems += [f"cites {bad}" for bad in expected["not_sources"] if bad != "*" and cites(bad, cited)]
    if "*" in expected["not_sources"] and cited:
        problems.append("cites " + ", ".join(s["id"] for s in answer["sources"]))
    if expected["calls"] == "none" and answer["receipts"]:
        problems.append("looked up what it had: " + ", ".join(sorted({r["tool"] for r in answer["receipts"]})))
    if expected["calls"] == "some" and not answer["receipts"]:
        problems.append("answered from memory")
    return problems


def show(dialogue, number, turn, answer, problems, failed):
    after = " (after an earlier failure)" if failed else ""
    print(f"{dialogue['id']}.{number} [{turn['kind']}] {turn['question']}{after}\n    {'; '.join(problems)}")
    if answer:
        print(f"    cited {', '.join(s['id'] for s in answer['sources']) or 'nothing'}: {squeeze(answer['answer'])[:150]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("expected")
    parser.add_argument("binary")
    parser.add_argument("data_dir")
    parser.add_argument("-v", action="store_true", dest="verbose")
    parser.add_argument("--least", type=int, default=0, metavar="TURNS")
    options = parser.parse_args()
    right, total, whole, later = collections.Counter(), collections.Counter(), 0, 0
    dialogues = [json.loads(line) for line in open(options.expected, encoding="utf-8")]
    for dialogue in dialogues:
        turns = dialogue["turns"]
        answers = ask(options.binary, options.data_dir, [turn["question"] for turn in turns])
        answers += [None] * (len(turns) - len(answers))
        failed = 0
        for number, (turn, answer) in enumerate(zip(turns, answers), start=1):
            problems = check(turn, answer) if answer else ["no answer"]
            total[turn["kind"]] += 1
            right[turn["kind"]] += not problems
            if problems and options.verbose:
                show(dialogue, number, turn, answer, problems, failed)
            failed += bool(problems)
        whole += not failed
        later += max(0, failed - 1)
    print(", ".join(f"{kind} {right[kind]}/{total[kind]}" for kind in sorted(total)))
    print(f"{later} of the failures follow an earlier one in the same dialogue")
    print(f"{right.total()} of {total.total()} turns right, {whole} of {len(dialogues)} dialogues whole")
    if right.total() < options.least:
        sys.exit(f"fewer than {options.least}, which is what eval/README.md says: a change made conversations worse")


if __name__ == "__main__":
    main()
