#!/usr/bin/env python3
"""ITBench (github.com/itbench-hub/ITBench, Apache-2.0): incidents of which only the alerts are known.

  eval/investigate/itbench.py [--data DIR] [--half dev|held-out] [--precedent BINARY] [--misses]

Each scenario's alerts become one notification of Alertmanager, which is investigated against a
knowledge base of the benchmark's pages on kinds of fault: once of these alone, once also of its
scenarios without alerts, as past incidents (description, root cause, what fixed it). Counted is

  kind@1, kind@3  the page of an injected fault is the first hypothesis, or among the first three
  causes          the first hypothesis lies at exactly the entities of the root cause, by name
  path            precision and recall of its steps, by the names of source and target; 0 where the
                  cause is missed

Beside it stand the best pages by BM25, and the three kinds that were most frequent in the past. A
scenario is of the dev half if the SHA-256 of its id is even. Where the data is not there is nothing
to run, and it says so. Standard library only; nothing of the data is kept.
"""
import argparse, collections, hashlib, json, math, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = "cluster|service|pod|deployment|configmap|secret|node|namespace|replicaset|schedule|chaos"
# Of the times of alerts nothing is told: all begin at once.
FIRED = "2026-11-20T10:00:00Z"


def half_of(scenario):
    digest = hashlib.sha256(scenario["scenario_id"].encode()).hexdigest()
    return "held-out" if int(digest, 16) % 2 else "dev"


def entity(name):
    """"ad-pod-1" is the pod ad."""
    found = re.match(rf"^(.+?)-({KINDS})(?:-\d+)?$", name)
    return found.groups() if found else (re.sub(r"-\d+$", "", name), "service")


def notification(scenario):
    alerts = []
    for alert in scenario["alerts"]:
        name, kind = entity(alert["entity"] or "unknown-cluster")
        alerts.append({"status": "firing", "startsAt": FIRED, "endsAt": "0001-01-01T00:00:00Z",
                       "labels": {"alertname": alert["alert"], kind: name},
                       "annotations": {"description": alert["description"]}})
    return {"version": "4", "groupKey": scenario["scenario_id"], "status": "firing", "alerts": alerts}


def past_incident(scenario, titles):
    steps = [step["text"] for part in scenario["solutions"][:1] for each in part
             for step in each["steps"]]
    targets = [injection["args"].get("kubernetesObject", {}) for disruption in scenario["disruptions"]
               for injection in disruption["injections"]]
    services = sorted({each["metadata"]["name"] for each in targets
                       if each.get("kind") in ("Deployment", "StatefulSet", "Service")})
    return {"id": scenario["scenario_id"], "title": scenario["description"],
            "description": scenario["description"], "status": "Resolved", "services": services,
            "root_cause": "; ".join(sorted({titles[fault] for fault in scenario["injected_faults"]})),
            "resolution": " ".join(steps)}


class Bm25:
    def __init__(self, pages, k1=0.9, b=0.4):
        self.words = {page: re.findall(r"[a-z0-9]+", text.lower()) for page, text in pages.items()}
        self.found = collections.Counter(w for all in self.words.values() for w in set(all))
        self.mean = sum(map(len, self.words.values())) / len(self.words)
        self.k1, self.b = k1, b

    def rank(self, query):
        scores = collections.Counter()
        for page, words in self.words.items():
            often = collections.Counter(words)
            for word in re.findall(r"[a-z0-9]+", query.lower()):
                if often[word]:
                    rare = math.log(1 + (len(self.words) - self.found[word] + .5)
                                    / (self.found[word] + .5))
                    length = 1 - self.b + self.b * len(words) / self.mean
                    share = often[word] * (self.k1 + 1) / (often[word] + self.k1 * length)
                    scores[page] += rare * share
        return [page for page, _ in sorted(scores.items(), key=lambda each: (-each[1], each[0]))]


def precedent(options, *arguments):
    done = subprocess.run([options.precedent, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def kind_of(report, hypothesis):
    receipts = {receipt["id"]: receipt for receipt in report["receipts"]}
    receipt = receipts.get(hypothesis["needs"][0].get("receipt"), {})
    return pathlib.Path(receipt.get("args", {}).get("path", "")).stem


def is_cause(root, name):
    patterns = root.get("name_patterns") or []
    return any(re.match(f"(?:{p})$", each) for p in patterns for each in (name, name + "-0"))


def path_score(scenario, hypothesis):
    """Precision and recall of steps between things of different names."""
    def steps(path, source, target):
        named = ((entity(step[source])[0], entity(step[target])[0]) for step in path)
        return {(a, b) for a, b in named if a != b}

    truth = steps(scenario["propagations"], "source", "target")
    said = steps(hypothesis["path"], "from", "to")
    right = len(truth & said)
    return (right / len(said) if said else 0), (right / len(truth) if truth else 0)


def judge(scenario, kinds, report=None):
    wanted = set(scenario["injected_faults"])
    out = {"kind@1": kinds[:1] != [] and kinds[0] in wanted, "kind@3": bool(wanted & set(kinds[:3])),
           "all@3": wanted <= set(kinds[:3])}
    if report is None:
        return out
    out["convicted"] = report["outcome"] == "cause"
    if not report["hypotheses"]:
        nothing = dict.fromkeys(("any precision", "any recall", "precision", "recall"), 0)
        return out | {"causes": False} | nothing
    first = report["hypotheses"][0]
    roots = scenario["root_cause_entities"]
    out["causes"] = len(roots) == 1 and is_cause(roots[0], first["service"])
    precision, recall = path_score(scenario, first)
    out["any precision"], out["any recall"] = precision, recall
    out["precision"], out["recall"] = (precision, recall) if out["causes"] else (0, 0)
    return out


def show(title, half, judged):
    mean = {key: sum(each[key] for each in judged) for key in judged[0]}
    parts = [f"{key} {mean[key] / len(judged):.2f}" if key.endswith(("precision", "recall"))
             else f"{key} {mean[key]}/{len(judged)}" for key in mean]
    print(f"{half:9} {title:26} " + ", ".join(parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path,
                        default=ROOT.parent / "shared/data/06_scenarios_itbench")
    parser.add_argument("--precedent", default=ROOT / "build/release/precedent")
    parser.add_argument("--half", choices=["dev", "held-out"])
    parser.add_argument("--misses", action="store_true",
                        help="what was said where the kind or the place is wrong")
    options = parser.parse_args()
    if not (options.data / "scenarios.jsonl").is_file():
        print(f"no scenarios.jsonl in {options.data}; nothing was run")
        return
    lines = (options.data / "scenarios.jsonl").read_text().splitlines()
    scenarios = [json.loads(line) for line in lines]
    pages = {path.stem: path.read_text() for path in (options.data / "fault_docs").glob("*.md")}
    titles = {page: re.search(r"^# (.+)$", text, re.M).group(1) for page, text in pages.items()}
    judged = [s for s in scenarios if s.get("alerts") and s["injected_faults"]]
    past = [s for s in scenarios if not s.get("alerts") and s["injected_faults"]]
    usual = collections.Counter(f for s in past for f in set(s["injected_faults"]))
    frequent = [fault for fault, _ in sorted(usual.items(), key=lambda each: (-each[1], each[0]))]
    bm25 = Bm25(pages)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "past.json").write_text(json.dumps([past_incident(s, titles) for s in past]))
        for base in ("pages", "history"):
            precedent(options, "ingest", options.data / "fault_docs", "--kind", "runbook",
                      "--data-dir", scratch / base)
        precedent(options, "ingest", scratch / "past.json", "--kind", "incident",
                  "--data-dir", scratch / "history")
        for half in ("dev", "held-out"):
            if options.half not in (None, half):
                continue
            mine = [s for s in judged if half_of(s) == half]
            texts = {s["scenario_id"]: ". ".join(a["description"] for a in s["alerts"]) for s in mine}
            show("best pages by BM25", half,
                 [judge(s, bm25.rank(texts[s["scenario_id"]])) for s in mine])
            show("most frequent in the past", half, [judge(s, frequent) for s in mine])
            for base in ("pages", "history"):
                results = []
                for s in mine:
                    (scratch / "alerts.json").write_text(json.dumps(notification(s)))
                    report = json.loads(precedent(options, "investigate", scratch / "alerts.json",
                                                  "--json", "--data-dir", scratch / base))
                    kinds = [kind_of(report, h) for h in report["hypotheses"]]
                    results.append(judge(s, kinds, report))
                    if options.misses and not (results[-1]["kind@3"] and results[-1]["causes"]):
                        places = [root.get("name_patterns") for root in s["root_cause_entities"]]
                        print(f"  {base} {s['scenario_id']} at {report['first_failing_service']}: "
                              f"{', '.join(kinds[:3])}; injected: "
                              f"{', '.join(s['injected_faults'])} at {places}")
                title = "pages alone" if base == "pages" else "with past incidents"
                show("precedent, " + title, half, results)


if __name__ == "__main__":
    main()
