"""Makes the cases of make_cases.py in a temporary folder, investigates and scores each.

The rule: 1 for the right commit, or "none" where no commit did it; 0 for an innocent commit that
the case names as a decoy, and for no answer; else 0.5 * (0.5 first failing service + 0.3 Jaccard of
the blast radius + 0.2 remediation).
"""

import datetime, json, pathlib, statistics, subprocess, sys, tempfile, time

import make_cases


def matches(said, truth):
    said = (said or "").strip().lower()
    return said == truth or (len(said) >= 7 and truth != "none" and truth.startswith(said))


def reward(answer, truth):
    said = str(answer.get("root_cause_commit") or "")
    if matches(said, truth["root_cause_commit"]):
        return 1.0, "right"
    if any(matches(said, decoy) for decoy in truth["decoy_deploy_commits"]):
        return 0.0, "decoy"
    here, there = set(answer.get("blast_radius") or []), set(truth["blast_radius"])
    overlap = len(here & there) / len(here | there) if here | there else 1.0
    return (
        0.5
        * (
            0.5 * (answer.get("first_failing_service") == truth["first_failing_service"])
            + 0.3 * overlap
            + 0.2 * (answer.get("remediation") == truth["remediation"])
        ),
        "missed",
    )


def investigate(precedent, folder, nowhere, model="offline"):
    """The answer (empty if there is none), and how long it took in seconds."""
    begun = time.monotonic()
    done = subprocess.run(
        [precedent, "investigate", folder, "--json", "--data-dir", nowhere, "--model", model],
        capture_output=True,
        text=True,
    )
    seconds = time.monotonic() - begun
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        print(f"{folder.name}: exit code {done.returncode}: {done.stderr.strip()}", file=sys.stderr)
        answer = {}
    return answer, seconds


def soon(said, truth):
    """Whether the onset is right to three minutes; a calm system has none."""
    if not said or not truth:
        return (said or "") == truth
    times = [datetime.datetime.fromisoformat(t.replace("Z", "+00:00")) for t in (said, truth)]
    return abs(times[0] - times[1]) <= datetime.timedelta(minutes=3)


def figures_of(rows):
    """The totals as numbers."""
    return {
        "cases": len(rows),
        "right": sum(r["verdict"] == "right" for r in rows),
        "decoys": sum(r["verdict"] == "decoy" for r in rows),
        "graded": round(statistics.mean(r["reward"] for r in rows), 3),
        "onset": sum(r["onset"] for r in rows),
        "first service": sum(r["first"] for r in rows),
        "remedy": sum(r["remedy"] for r in rows),
    }


def totals(rows):
    """One line a kind of cause and one for all: right verdicts, decoys blamed, mean reward.

    Beside them what nobody gets for free by saying "none": onset, first service and remedy.
    """
    lines = []
    for kind in ("code", "external", "unproved", ""):
        some = [r for r in rows if kind in ("", r["kind"])]
        if some:
            lines.append(
                f"{kind or 'all':9} "
                f"right {sum(r['verdict'] == 'right' for r in some)}/{len(some)}, "
                f"decoys {sum(r['verdict'] == 'decoy' for r in some)}, "
                f"graded {statistics.mean(r['reward'] for r in some):.3f}, "
                f"onset {sum(r['onset'] for r in some)}/{len(some)}, "
                f"first service {sum(r['first'] for r in some)}/{len(some)}, "
                f"remedy {sum(r['remedy'] for r in some)}/{len(some)}"
            )
    return lines


def judge(truths, answer_of, show):
    rows = []
    for folder, truth in truths.items():
        answer, seconds = answer_of(folder)
        points, verdict = reward(answer, truth) if answer else (0.0, "no answer")
        rows.append(
            {
                "kind": truth["kind"],
                "reward": points,
                "verdict": verdict,
                "seconds": seconds,
                "onset": soon(answer.get("onset"), truth["onset"]),
                "first": answer.get("first_failing_service", "") == truth["first_failing_service"],
                "remedy": answer.get("remediation", "") == truth["remediation"],
            }
        )
        if show:
            print(
                f"{folder.name:17} {truth['scenario']:25} {truth['kind']:9} {points:.3f} "
                f"{verdict:9} {1000 * seconds:6.0f} ms",
                flush=True,
            )
    return rows


def run(precedent, half, seed, baseline, keep, quiet, model):
    """Prints the figures of each half; returns them by its name."""
    figures = {}
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        make_cases.make(root / "cases", seed, half, quiet)
        for name in [half] if half else ["dev", "held-out"]:
            truths = {}
            for folder in sorted((root / "cases" / name).iterdir()):
                truths[folder] = json.loads((folder / "expected.json").read_text())
                (folder / "expected.json").unlink()  # nobody can peep

            def answer_of(folder):
                answer, seconds = investigate(precedent, folder, root / "nowhere", model)
                if keep:
                    (keep / name).mkdir(parents=True, exist_ok=True)
                    (keep / name / f"{folder.name}.json").write_text(
                        json.dumps(answer, indent=1) + "\n"
                    )
                return answer, seconds

            print(
                f"-- {name}, seed {seed}{', quiet logs' if quiet else ''}: "
                "precedent investigate, offline"
            )
            rows = judge(truths, answer_of, show=True)
            figures[name] = figures_of(rows)
            print("\n".join(totals(rows)))
            print(f"median {1000 * statistics.median(r['seconds'] for r in rows):.0f} ms a case")
            for title, guess in (
                ("blame the latest deploy before the alert", baseline),
                ("never blame anything", lambda folder: {"root_cause_commit": "none"}),
            ):
                print(f"-- {name}: {title}")
                print(
                    "\n".join(
                        totals(judge(truths, lambda folder: (guess(folder), 0.0), show=False))
                    )
                )
    return figures
