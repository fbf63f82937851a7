#!/usr/bin/env python3
"""Fits the weights of the investigator's scoring function; writes src/investigate/hypotheses/weights.h.

  train/fit_investigate.py [--precedent BINARY] [--seeds 2001-2016] [--write]

Labelled cases come from the project's own generator (eval/investigate/make_cases.py), the dev half
of seeds that no evaluation uses; the held-out half is never made here. Each is investigated by the
binary, whose report has what every condition of every hypothesis came to. The model is the one of
src/investigate/hypotheses/hypothesis.h: a choice among the hypotheses and "none of these". It is fitted by
Newton's method with a ridge towards PRIOR, so the same cases give the same weights to the last
digit. Which edit of a commit is reported depends on the weights: fit, build, and fit again.

Printed are the figures of weights that never saw the class of the case (all cases of one kind of
fault are left out together): verdicts at several thresholds, and how often what was said with a
confidence was right. Standard library only.
"""

import argparse, collections, json, math, pathlib, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "eval" / "investigate"))
import make_cases, own_cases

HEADER = ROOT / "src" / "investigate" / "hypotheses" / "weights.h"
MEASURES = [
    "other", "live", "reach", "effect", "earlier", "explains", "words", "timing", "specific", "acts",
    "alike"
]
ROWS = [
    "change", "flag", "traffic", "certificate", "provider", "machine", "record", "resource", "known"
]
# Which rows are right where no change is. A provider that answers "quota used up" is both.
RIGHT_ROWS = {
    "traffic_surge": {"traffic"},
    "crawler": {"traffic"},
    "campaign": {"traffic"},
    "partner_backfill": {"traffic"},
    "certificate_expired": {"certificate"},
    "provider_down": {"provider"},
    "provider_slow": {"provider"},
    "provider_quota": {"provider", "resource"},
    "provider_refuses": {"provider"},
    "provider_hangs": {"provider"},
    "node_failing": {"machine"},
    "node_evicts": {"machine"},
    "node_leaves": {"machine"},
    "disk_full": {"resource"},
    "poison_record": {"record"},
    "poison_row": {"record"},
    "resolver_down": {"resource"},
}
NAMES = (
    [("need", m) for m in MEASURES]
    + [("prediction", m) for m in MEASURES]
    + [("row", r) for r in ROWS]
)
INDEX = {name: i for i, name in enumerate(NAMES)}
# The rule that multiplied needs, in logarithms; what is not measured in the cases stays there.
PRIOR = [1.0 if kind == "need" else 2.0 if kind == "prediction" else -2.0 for kind, _ in NAMES]
RIDGE = 3.0
LEAST_NEED = 0.01  # as in hypothesis.cc


def features(hypothesis):
    """What the score is a weighted sum of, by place in NAMES; None if it is refuted."""
    if any(need["holds"] <= 0 for need in hypothesis["needs"]):
        return None
    x = collections.Counter({INDEX["row", hypothesis["generator"]]: 1.0})
    for need in hypothesis["needs"]:
        x[INDEX["need", need["measure"]]] += math.log(min(1, max(LEAST_NEED, need["holds"])))
    rest = [p for p in hypothesis["predictions"] if p["measure"] == "other"]
    for prediction in hypothesis["predictions"]:
        if prediction["measure"] != "other":
            x[INDEX["prediction", prediction["measure"]]] += prediction["holds"]
    if rest:
        mean = sum(p["weight"] * p["holds"] for p in rest) / sum(p["weight"] for p in rest)
        x[INDEX["prediction", "other"]] += mean
    return {i: value for i, value in x.items() if value}


class Labelled:
    """One case: the features of what is not refuted, and which of it is right (or none)."""

    def __init__(self, truth, answer):
        self.truth, self.options, self.right, self.made = truth, [], [], []
        for hypothesis in answer.get("hypotheses", []):
            x = features(hypothesis)
            if x is None:
                continue
            is_change = hypothesis["generator"] == "change"
            if truth["kind"] == "code":
                right = is_change and hypothesis.get("change") == truth["root_cause_commit"]
            else:
                right = hypothesis["generator"] in RIGHT_ROWS.get(truth["scenario"], ())
            if right:
                self.right.append(len(self.options))
            self.options.append(x)
            self.made.append(hypothesis["change"] if is_change else "none")

    def shares(self, weights):
        scores = [sum(weights[i] * v for i, v in x.items()) for x in self.options]
        top = max(scores + [0.0])
        powers = [math.exp(score - top) for score in scores]
        total = sum(powers) + math.exp(-top)
        return [power / total for power in powers]


def solve(matrix, vector):
    rows = [row[:] + [value] for row, value in zip(matrix, vector)]
    n = len(rows)
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            if factor:
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    out = [0.0] * n
    for i in reversed(range(n)):
        rest = sum(rows[i][j] * out[j] for j in range(i + 1, n))
        out[i] = (rows[i][n] - rest) / rows[i][i]
    return out


def fit(cases):
    n = len(NAMES)
    weights = list(PRIOR)
    for _ in range(40):
        slope = [RIDGE * (w - p) for w, p in zip(weights, PRIOR)]
        curve = [[RIDGE if i == j else 0.0 for j in range(n)] for i in range(n)]
        for case in cases:
            shares = case.shares(weights)
            mean = collections.Counter()
            for share, x in zip(shares, case.options):
                for i, value in x.items():
                    mean[i] += share * value
                    for j, other in x.items():
                        curve[i][j] += share * value * other
            for i, value in mean.items():
                slope[i] += value
                for j, other in mean.items():
                    curve[i][j] -= value * other
            among = sum(shares[r] for r in case.right)
            for r in case.right:
                for i, value in case.options[r].items():
                    slope[i] -= shares[r] / among * value
        step = solve(curve, slope)
        longest = max(abs(value) for value in step)
        scale = min(1.0, 2.0 / longest) if longest else 1.0
        weights = [w - scale * value for w, value in zip(weights, step)]
        if longest < 1e-7:
            break
    return weights


def verdict(case, shares, threshold):
    best = max(range(len(shares)), key=shares.__getitem__, default=None)
    commit = case.made[best] if best is not None and shares[best] >= threshold else "none"
    return own_cases.reward(
        {"root_cause_commit": commit, "first_failing_service": "", "blast_radius": ["-"]},
        case.truth,
    )[1]


def left_out(cases):
    """Each case with the shares of weights that were fitted without its class."""
    out = []
    for scenario in sorted({case.truth["scenario"] for case in cases}):
        weights = fit([c for c in cases if c.truth["scenario"] != scenario])
        out += [(c, c.shares(weights)) for c in cases if c.truth["scenario"] == scenario]
    return out


def report(judged):
    code = sum(c.truth["kind"] == "code" for c, _ in judged)
    print(f"{len(judged)} cases, {code} of them code; each class left out while fitting:")
    for threshold in (0.4, 0.5, 0.6, 0.7, 0.8):
        came = collections.Counter((verdict(c, s, threshold), c.truth["kind"]) for c, s in judged)
        total = collections.Counter()
        for (what, _), count in came.items():
            total[what] += count
        print(
            f"  threshold {threshold}: right {total['right']} (code {came['right', 'code']}), "
            f"decoys {total['decoy']}, missed {total['missed']}"
        )
    print("  said with confidence → so often right:")
    for low in range(10):
        some = [
            (max(s), s.index(max(s)) in c.right)
            for c, s in judged
            if s and low <= 10 * max(s) < low + 1
        ]
        if some:
            said = sum(p for p, _ in some) / len(some)
            right = sum(r for _, r in some) / len(some)
            print(f"    {said:.2f} → {right:.2f} (of {len(some)})")


def write(weights, cases, seeds):
    # A measure is of needs or of predictions; the other place is never looked at.
    seen = {i for case in cases for x in case.options for i in x}

    def shown(kind, measure):
        i = INDEX[kind, measure]
        return f"{weights[i]:.3f}" if i in seen else "0"

    measures = "".join(
        f'    {{"{m}", {shown("need", m)}, {shown("prediction", m)}}},\n' for m in MEASURES
    )
    rows = "".join(f'    {{"{r}", {weights[INDEX["row", r]]:.3f}}},\n' for r in ROWS)
    HEADER.write_text(
        f"""// The weights of the one scoring function (hypothesis.h), as train/fit_investigate.py made them of
// {len(cases)} generated cases: the dev half of the seeds {seeds[0]} to {seeds[-1]}. Not to be edited
// by hand: change what is measured, then fit again.
// Thread safety: constants.
#pragma once

#include <array>
#include <string_view>

namespace precedent::fitted {{

// In the order of Measure: of the logarithm of a need, and of a prediction.
struct MeasureWeight {{
  std::string_view name;
  double need, prediction;
}};
inline constexpr std::array<MeasureWeight, {len(MEASURES)}> kWeights = {{{{
{measures}}}}};

// What a hypothesis of a row starts with.
struct RowWeight {{
  std::string_view name;
  double start;
}};
inline constexpr std::array<RowWeight, {len(ROWS)}> kRows = {{{{
{rows}}}}};

}}  // namespace precedent::fitted
"""
    )


def investigated(precedent, seeds):
    cases = []
    with tempfile.TemporaryDirectory() as scratch:
        for seed in seeds:
            root = pathlib.Path(scratch) / str(seed)
            for folder in make_cases.make(root, seed, "dev"):
                truth = json.loads((folder / "expected.json").read_text())
                (folder / "expected.json").unlink()
                answer, _ = own_cases.investigate(precedent, folder, root / "nowhere")
                cases.append(Labelled(truth, answer))
            subprocess.run(["rm", "-r", root], check=True)
    return cases


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--precedent", default=ROOT / "build/release/precedent")
    parser.add_argument("--seeds", default="2001-2016")
    parser.add_argument("--write", action="store_true", help="write src/investigate/hypotheses/weights.h")
    options = parser.parse_args()
    first, _, last = options.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    cases = investigated(options.precedent, seeds)
    report(left_out(cases))
    weights = fit(cases)
    for (kind, name), weight in zip(NAMES, weights):
        print(f"  {kind:10} {name:11} {weight:7.3f}")
    if options.write:
        write(weights, cases, seeds)


if __name__ == "__main__":
    main()
