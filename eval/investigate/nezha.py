#!/usr/bin/env python3
"""Ranks services of Online Boutique with injected faults, by metrics alone.

  eval/investigate/nezha.py [--precedent BINARY] [--data DIR]

DIR holds cases.jsonl and metrics/ (github.com/IntelligentDDS/Nezha, day 2022-08-23). Each case
becomes a frozen incident: the samples of its normal and its anomalous window, the median latency of
each call as its caller measures it, and an alert at the begin of the anomalous window that names no
service. Printed is how often the service of the fault stands first, or among the first three, of
`services` in the report. Without the data there is nothing to run, and it says so.
"""

import argparse, collections, csv, datetime, json, pathlib, subprocess, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def rows_of(path, begin, end):
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    stamp = [name.lower() for name in header].index("timestamp")
    for row in rows:
        if len(row) == len(header) and begin <= float(row[stamp]) < end:
            yield int(float(row[stamp])), dict(zip(header, row))


def freeze(case, data, folder, calls):
    begin, (fired, end) = case["normal_window"][0], case["anomaly_window"]
    out = [("timestamp", "service", "client", "server", "metric", "value")]
    for name in case["metrics"]:
        service = pathlib.PurePath(name).name.split("-")[0]
        for at, row in rows_of(data / name, begin, end):
            out += [
                (at, service, "", "", metric, value)
                for metric, value in row.items()
                if metric not in ("Time", "TimeStamp", "PodName") and value
            ]
    if calls:
        for at, row in rows_of(data / "metrics" / "source_50.csv", begin, end):
            for edge, value in row.items():
                caller, _, callee = edge.partition("_")
                if callee and value:
                    metric = "request_client_seconds"
                    out.append((at, "", caller, callee, metric, value))
    with open(folder / "metrics.csv", "w", newline="") as file:
        csv.writer(file).writerows(out)
    since = datetime.datetime.fromtimestamp(fired, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    alert = {"monitor": "Users see a problem", "fired_at": since}
    (folder / "alert.json").write_text(json.dumps(alert))


def place_of(case, data, precedent, calls):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        freeze(case, data, folder, calls)
        command = [precedent, "investigate", folder, "--json", "--data-dir", folder / "none"]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    ranked = [one["service"] for one in json.loads(done.stdout)["services"]]
    # Who is not in the ranking comes behind it, by name.
    ranked = [s for s in ranked if s in case["candidates"]]
    ranked += sorted(set(case["candidates"]) - set(ranked))
    return ranked.index(case["root_cause_service"]) + 1


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--precedent", default=ROOT / "build/release/precedent")
    parser.add_argument(
        "--data",
        type=pathlib.Path,
        default=ROOT.parent / "shared/data/05_rca_nezha_onlineboutique",
    )
    options = parser.parse_args()
    if not (options.data / "cases.jsonl").is_file():
        print(f"no cases in {options.data}; nothing was run (--data names another folder)")
        return
    cases = [json.loads(line) for line in open(options.data / "cases.jsonl")]
    for calls in (True, False):
        places = collections.defaultdict(list)
        for case in cases:
            place = place_of(case, options.data, options.precedent, calls)
            visible = "visible" if case["visible_in_metrics"] else "in code"
            for group in ("all", visible, case["fault_type"]):
                places[group].append(place)
        print("-- with the latency of calls" if calls else "-- with the services' own metrics alone")
        for group, some in sorted(places.items()):
            first, three = (sum(p <= k for p in some) / len(some) for k in (1, 3))
            print(f"{group:15} {len(some):2} cases  AC@1 {first:.3f}  AC@3 {three:.3f}")


if __name__ == "__main__":
    main()
