#!/usr/bin/env python3
"""Makes frozen incidents with a known cause: faults injected into small simulated companies.

  make_cases.py OUT [--seed N] [--half dev|held-out] [--quiet-logs] [--check]

Writes OUT/dev/NAME and OUT/held-out/NAME, each a folder that `precedent investigate` reads, with
expected.json beside. The same seed makes the same bytes; --check looks at them. The faults of
recorded changes are in case_faults_*.py, the others in case_external.py, case_external_more.py and case_unproved.py; the
simulation is case_sim.py.
"""

import argparse, json, pathlib, random, re, sys

# The files of faults fill CODE when they are loaded.
import case_faults_code, case_faults_contract, case_faults_release, case_faults_settings
from case_build import Case, Unfit
from case_external import EXTERNAL
from case_external_more import MORE
from case_fault import CODE
from case_unproved import UNPROVED
from case_world import TRADES

SEED = 20261125


def plan():
    """Which case is in which half: an even split of each kind, whatever the seed."""
    rng = random.Random(SEED)
    halves = {"dev": [], "held-out": []}
    for kind, table in (("code", CODE), ("external", EXTERNAL), ("unproved", UNPROVED)):
        names = sorted(table)
        rng.shuffle(names)
        for i, name in enumerate(names):
            halves["dev" if i % 2 == 0 else "held-out"].append((kind, name, table[name]))
    for half in halves.values():
        rng.shuffle(half)
    # Behind all others, which stay as they were.
    halves["dev"] += [("external", name, MORE[name]) for name in sorted(MORE)]
    return halves


def make(out, seed, only=None, quiet=False):
    made = []
    for half, cases in plan().items():
        trades = list(TRADES)
        random.Random(f"{seed}/{half}").shuffle(trades)
        for i, (kind, scenario, builder) in enumerate(cases):
            if only and half != only:
                continue
            name = f"{i + 1:02}-{trades[i % len(trades)].split('|')[0]}"
            for draw in range(60):
                rng = random.Random(f"{seed}/{half}/{scenario}/{draw}")
                try:
                    case = Case(rng, trades[i % len(trades)], scenario, builder, kind)
                except Unfit:
                    continue
                break
            else:
                raise SystemExit(f"{scenario}: no draw of 60 makes an alert; its fault is too weak")
            case.quiet = quiet
            case.write(out / half / name, f"{seed}/{half}/{scenario}")
            made.append(out / half / name)
    return made


def check(folders):
    """Every case has its files, and what expected.json names exists. Returns what is wrong."""
    wrong = []
    for folder in folders:
        files = ["alert.json", "logs.ndjson", "metrics.csv", "traces.json", "expected.json"] + [
            f"context/{n}.json" for n in ("commits", "deploys", "flags")
        ]
        wrong += [
            f"{folder}: {name} is missing or empty"
            for name in files
            if not (folder / name).is_file() or not (folder / name).stat().st_size
        ]
        truth = json.loads((folder / "expected.json").read_text())
        shas = {c["sha"] for c in json.loads((folder / "context/commits.json").read_text())}
        deploys = json.loads((folder / "context/deploys.json").read_text())
        alert = json.loads((folder / "alert.json").read_text())
        if truth["root_cause_commit"] not in shas | {"none"} or (
            truth["root_cause_commit"] == "none"
        ) != (truth["kind"] != "code"):
            wrong.append(f"{folder}: the root cause is not among the commits")
        if (
            not set(truth["decoy_deploy_commits"]) <= shas
            or truth["root_cause_commit"] in truth["decoy_deploy_commits"]
        ):
            wrong.append(f"{folder}: decoys are not innocent commits")
        if any(
            d["commit_sha"] == truth["root_cause_commit"] and d["timestamp"] >= alert["fired_at"]
            for d in deploys
        ):
            wrong.append(f"{folder}: the cause went live after the alert")
        if len(shas) < 3:
            wrong.append(f"{folder}: fewer than three commits")
        if re.search(
            r"@(svc|svcid|dep|depid|up|ent|Ent|lib|prov|provid|c|ms|limit|cron|expiry)@",
            "".join((folder / n).read_text() for n in files),
        ):
            wrong.append(f"{folder}: a token was left unfilled")
    return wrong


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--half", choices=["dev", "held-out"])
    parser.add_argument(
        "--quiet-logs", action="store_true", help="log no failure that a calm day has, too"
    )
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    made = make(options.out, options.seed, options.half, options.quiet_logs)
    print(f"{len(made)} cases in {options.out}")
    if options.check:
        wrong = check(made)
        print("\n".join(wrong) or "each has its files, and its truth is among its commits")
        sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
