"""One case: runs its company with the fault, finds the alert, adds the changes, writes the folder.

The truth is read off the simulation: what departs from the same run without the fault, and when.
"""

import datetime, json, pathlib, random

from case_fault import calm_ms
from case_innocents import PLAIN, TEMPTING
from case_sim import Run, departures
from case_telemetry import Logs, make_traces, noisy, series_of, write_metrics
from case_world import AUTHORS, World

LONGEST = 150  # minutes that are simulated; a case ends a few after its alert
LANGUAGE_OF = {
    ".go": "go",
    ".py": "python",
    ".java": "java",
    ".ts": "ts",
    ".tsx": "ts",
    ".txt": "python",
}


class Unfit(Exception):
    """This draw makes no alert, or one that comes too soon; the next draw is tried."""


class Case:
    def __init__(self, rng, trade, scenario, builder, kind):
        self.scenario, self.kind = scenario, kind
        self.world = World(rng, trade)
        self.fault = builder(self.world, rng)
        if self.fault.language:
            self.world.services[self.fault.service]["language"] = self.fault.language
        day = datetime.datetime(
            2026,
            rng.randint(2, 10),
            rng.randint(1, 28),
            rng.randint(0, 20),
            rng.randint(0, 59),
            tzinfo=datetime.UTC,
        )
        self.start = int(day.timestamp())
        self.constant = rng.randint(1, 9)
        self.skewed, self.raw_lines = rng.random() < 0.4, rng.random() < 0.4
        self.change_minute = rng.randint(45, 72)
        self.onset = self.change_minute + self.fault.delay
        self.bump = None  # a chance rise of one series that the alert is about
        self.quiet = False  # whether everyday failures are left out of the logs
        self.gaps, self.deploys, self.commits, self.flags = [], [], [], []
        self._simulate()
        self._alert(rng)
        if scenario == "hidden_in_a_gap":
            self.gaps = [(list(self.world.services), self.onset - 9, self.alert_minute - 2)]
        elif scenario == "pool_shrunk":
            self.gaps = [
                (rng.sample(list(self.world.services), 2), self.onset - 25, self.onset - 14)
            ]
        self._changes(rng)

    def _simulate(self):
        calm = Run(self.world, LONGEST)
        if self.fault.surge:
            self.world.surge = lambda minute: (
                self.fault.surge(minute - self.onset) if minute >= self.onset else 1.0
            )

        def strike(services, minute):
            if minute >= self.onset:
                self.fault.apply(services, minute - self.onset)

        self.run = Run(self.world, LONGEST, strike)
        self.departed = departures(self.run, calm)
        self.calm = calm

    def _alert(self, rng):
        if self.scenario == "threshold_on_noise":
            self.alert_minute, self.departed = rng.randint(95, 110), {}
            usual = self.run.at[self.alert_minute - 1][self.world.edge]["error"]
            self.alert = (self.world.edge, "error_rate", round(1.1 * usual, 5), 1.2 * usual)
            self.bump = (self.world.edge, "error_rate", self.alert_minute - 3, 1.2)
        else:
            fired = []
            for service in self.world.services:  # callers first
                for metric, threshold in self._thresholds(service, rng):
                    streak = 0
                    for minute in range(LONGEST - 10):
                        value = series_of(
                            self.run.at[minute][service], self.world.services[service]
                        )[metric]
                        streak = streak + 1 if value > threshold else 0
                        if streak == 3:
                            fired.append((service, metric, threshold, minute, value))
                            break
            if not fired or not self.departed:
                raise Unfit(f"{self.scenario}: nothing would alert")
            service, metric, threshold, minute, value = (
                fired[0] if rng.random() < 0.65 else rng.choice(fired)
            )
            if minute < 20:
                raise Unfit("alert before there is a calm begin")
            self.alert = (
                service,
                metric,
                threshold,
                noisy(rng, metric, value, self.run.at[minute][service]),
            )
            self.alert_minute = minute + 1
        self.minutes = min(LONGEST, self.alert_minute + rng.randint(6, 12))
        self.departed = {s: m for s, m in self.departed.items() if m < self.minutes}
        ordered = [s for s in reversed(list(self.world.services)) if s in self.departed]
        self.first = self.fault.first or min(
            ordered, key=lambda s: self.departed[s], default=self.fault.service
        )

    def _thresholds(self, service, rng):
        calm = max(self.calm.at[m][service]["p50"] for m in range(LONGEST)) * 2
        yield "error_rate", rng.choice([0.02, 0.03, 0.05])
        yield "latency_p95_ms", round(calm * 1.9, -1) or 20.0
        if service == self.world.worker:
            yield "queue_oldest_age_seconds", 300.0

    def utc(self, seconds):
        return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def at(self, minute):
        return self.utc(int(self.start + minute * 60))

    def fill(self, text, service=None, c=""):
        f, w = self.fault, self.world
        service = service or f.service
        for token, value in {
            "svc": service,
            "svcid": service.replace("-", ""),
            "dep": f.dep,
            "depid": f.dep.replace("-", ""),
            "up": f.up,
            "ent": w.entity,
            "Ent": w.entity.capitalize(),
            "lib": w.lib,
            "prov": w.provider,
            "provid": w.provider.lower(),
            "c": c,
        }.items():
            text = text.replace(f"@{token}@", value)
        if "@ms@" in text:
            text = text.replace("@ms@", str(max(1, int(calm_ms(w, f.dep) * 1.15))))
        moment = datetime.datetime.fromtimestamp(
            self.start + 60 * (self.departed.get(self.first, self.onset)), datetime.UTC
        )
        return (
            text.replace("@limit@", str(int(w.services[service]["memory_mb"] * 0.99)))
            .replace("@cron@", moment.strftime("%-M %-H"))
            .replace("@expiry@", self.at(self.onset))
        )

    def version(self, service, minute):
        versions = [d for d in self.deploys if d["service"] == service and d["minute"] <= minute]
        return versions[-1]["version"] if versions else self.old[service]

    def trace_near(self, rng, service, minute):
        return (
            rng.choice(self.traces_at.get((service, minute), [None]))
            or f"{rng.getrandbits(128):032x}"
        )

    def _commit(self, rng, service, parts, message, deployed):
        """Records a commit and its deploy at the minute `deployed`. Returns its name."""
        sha = f"{rng.getrandbits(160):040x}"
        diff = ""
        for file, body in parts:
            lines = self.fill(body, service).split("\n")
            old, new = (sum(not line.startswith(sign) for line in lines) for sign in "+-")
            at = rng.randint(4, 140) if old else 0
            diff += (
                f"diff --git a/{file} b/{file}\n"
                f"--- {'a/' + file if old else '/dev/null'}\n+++ b/{file}\n"
                f"@@ -{at},{old} +{at or 1},{new} @@\n" + "\n".join(lines) + "\n"
            )
        self.commits.append(
            {
                "sha": sha,
                "author": rng.choice(AUTHORS),
                "timestamp": self.at(deployed - rng.randint(12, 200)),
                "message": self.fill(message, service),
                "files_changed": [file for file, _ in parts],
                "diff": diff,
            }
        )
        self.deploys.append({"minute": deployed, "service": service, "commit_sha": sha})
        return sha

    def _changes(self, rng):
        f, services = self.fault, list(self.world.services)
        self.old = {s: f"{rng.randint(1, 6)}.{rng.randint(2, 40)}.0" for s in services}
        self.guilty, used = "none", set()
        if f.diff:
            live = self.change_minute if not f.flag else -rng.randint(60, 200)
            parts = [(self.fill(file), body) for file, body in [(f.file, f.diff)] + f.extra]
            self.guilty = self._commit(rng, f.service, parts, f.message, live)
            used.add(self.fill(f.file))
        if f.flag:
            self.flags.append(
                {
                    "timestamp": self.at(self.onset - f.delay),
                    "flag": f.flag,
                    "service": f.service,
                    "from": False,
                    "to": True,
                    "author": rng.choice(AUTHORS),
                }
            )
        alerted = self.alert[0]
        tempting = rng.sample(TEMPTING[f.topic], min(len(TEMPTING[f.topic]), rng.choice([1, 2])))
        plain = rng.sample(PLAIN, rng.randint(2, 4))
        self.decoys = []
        for i, (file, message, body) in enumerate(tempting + plain):
            fits = LANGUAGE_OF.get(pathlib.PurePosixPath(file).suffix)
            able = [
                s for s in services if fits in (None, self.world.services[s]["language"])
            ] or services
            service = (
                alerted
                if i == 0 and alerted in able
                else f.service if i == 1 and f.service in able else rng.choice(able)
            )
            path = self.fill(file, service)
            if path in used:
                continue
            used.add(path)
            if i == 0:  # the latest before the alert
                minute = self.alert_minute - rng.randint(2, 5)
            elif i == 1:  # a little before the fault
                minute = self.change_minute - rng.randint(2, 14)
            else:
                minute = rng.randint(-240, self.alert_minute - 6)
            if self.kind == "unproved" and self.scenario in ("chronic", "manual_edit"):
                minute = max(minute, self.departed.get(self.first, 60) + 3)
            self.decoys.append(self._commit(rng, service, [(path, body)], message, minute))
        for _ in range(rng.choice([0, 1, 1, 2])):
            self.flags.append(
                {
                    "timestamp": self.at(rng.randint(-200, self.alert_minute)),
                    "service": rng.choice(services),
                    "from": False,
                    "to": True,
                    "flag": rng.choice(
                        ["new-empty-state", "compact-list", "survey-banner", "beta-badge"]
                    ),
                    "author": rng.choice(AUTHORS),
                }
            )
        self.deploys.sort(key=lambda d: d["minute"])
        seen = {}
        for deploy in self.deploys:
            seen[deploy["service"]] = seen.get(deploy["service"], 0) + 1
            deploy["version"] = self.old[deploy["service"]][:-1] + str(seen[deploy["service"]])
        self.commits.sort(key=lambda c: c["timestamp"])
        self.flags.sort(key=lambda c: c["timestamp"])

    def expected(self):
        rest = sorted(s for s in self.departed if s != self.first)
        path = " -> ".join([self.first] + sorted(rest, key=lambda s: self.departed[s]))
        began = self.at(self.departed[self.first]) if self.first in self.departed else ""
        notes = self.fill(self.fault.notes) + (f" Path: {path}; began {began}." if began else "")
        return {
            "scenario": self.scenario,
            "kind": self.kind,
            "root_cause_commit": self.guilty,
            "first_failing_service": self.first if self.departed else "",
            "blast_radius": rest,
            "onset": began,
            "remediation": self.fault.remediation,
            "decoy_deploy_commits": self.decoys,
            "notes": notes,
        }

    def write(self, folder, seed):
        """Each file draws from its own numbers: a change of one leaves the others as they are."""
        rng = random.Random(f"{seed}/alert")
        (folder / "context").mkdir(parents=True, exist_ok=True)

        def dump(name, value):
            (folder / name).write_text(json.dumps(value, indent=1) + "\n")

        service, metric, threshold, observed = self.alert
        words = metric.replace("_", " ")
        dump(
            "alert.json",
            {
                "service": service,
                "metric": metric,
                "threshold": threshold,
                "observed": round(observed, 4),
                "fired_at": self.at(self.alert_minute),
                "severity": rng.choice(["critical", "high", "warning"]),
                "monitor": f"{service} {words}",
                "summary": f"{words} of {service} is {observed:.4g}, "
                f"above {threshold:.4g} for 3 minutes",
            },
        )
        spans = make_traces(self, random.Random(f"{seed}/traces"))
        self.traces_at = {}
        for span in spans:
            begun = datetime.datetime.fromisoformat(span["start"]).timestamp()
            self.traces_at.setdefault(
                (span["service"], int((begun - self.start) // 60)), []
            ).append(span["trace_id"])
        dump("traces.json", spans)
        Logs(self, random.Random(f"{seed}/logs")).write(folder / "logs.ndjson")
        write_metrics(self, random.Random(f"{seed}/metrics"), folder / "metrics.csv")
        dump("context/commits.json", self.commits)
        dump(
            "context/deploys.json",
            [
                {"timestamp": self.at(d["minute"])}
                | {k: d[k] for k in ("service", "commit_sha", "version")}
                for d in self.deploys
            ],
        )
        dump("context/flags.json", self.flags)
        dump("expected.json", self.expected())
