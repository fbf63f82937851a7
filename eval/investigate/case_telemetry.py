"""Writes what a run would have left behind: metrics.csv, logs.ndjson and traces.json.

With noise, everyday errors, blips without meaning, skewed clocks, raw lines, and gaps.
"""

import csv, json, math

SECONDS = 60


def poisson(rng, mean):
    limit, count, product = math.exp(-min(mean, 30)), 0, rng.random()
    while product > limit:
        count, product = count + 1, product * rng.random()
    return count


def stamp(case, minute, fraction=False):
    seconds = case.start + minute * SECONDS
    whole = int(math.floor(seconds))
    text = case.utc(whole)
    return text[:-1] + f".{int((seconds - whole) * 1000):03d}Z" if fraction else text


def series_of(x, p):
    """What one service exports in one minute, before noise."""
    p95 = min(30_000.0, x["p50"] * (2.0 + min(2.0, 6 * x["error"])))
    values = {
        "request_rate": x["rate"],
        "error_rate": x["error"],
        "latency_p50_ms": x["p50"],
        "latency_p95_ms": p95,
        "cpu_utilization": 100 * x["cpu"],
        "memory_mb": x["memory"],
        "threads_busy_ratio": x["threads"],
        "disk_used_percent": 100 * x["disk"],
    }
    if p["db"]:
        values |= {
            "db_connections_in_use_ratio": x["pool"],
            "db_query_p95_ms": 2.2 * x["query"],
            "db_queries_per_second": x["asked"],
            "db_cpu_percent": 100 * x["db_cpu"],
        }
    if p["cache"]:
        values["cache_hit_ratio"] = x["hit"]
    if x["depth"] is not None:
        values |= {
            "queue_depth": x["depth"],
            "queue_oldest_age_seconds": x["depth"] / max(x["rate"], 0.1),
        }
    values["restarts_total"] = x["restarts"]
    return values


EXACT = {"restarts_total"}
STEADY = {"memory_mb": 0.008, "disk_used_percent": 0.001, "cache_hit_ratio": 0.008}
SHARES = {"cache_hit_ratio", "threads_busy_ratio", "db_connections_in_use_ratio"}


def noisy(rng, name, value, x):
    if name in EXACT:
        return value
    if name == "error_rate":
        requests = max(1.0, x["rate"] * 60)
        return min(1.0, max(0.0, rng.gauss(value, math.sqrt(max(value, 1e-5) * 1.3 / requests))))
    value *= math.exp(rng.gauss(0, STEADY.get(name, 0.045)))
    if name in SHARES:
        return min(1.0, value)
    return min(100.0, value) if name.endswith("percent") or name == "cpu_utilization" else value


def write_metrics(case, rng, path):
    world, last = case.world, case.minutes
    blips = {}
    for _ in range(rng.choice([1, 2, 2, 3])):  # a spike somewhere that has nothing to do with it
        service = rng.choice(list(world.services))
        name = rng.choice(["cpu_utilization", "latency_p95_ms", "request_rate"])
        blips[service, name] = (rng.randint(5, max(6, case.onset - 6)), rng.uniform(1.4, 2.1))
    if case.bump:
        service, name, at, size = case.bump
        blips[service, name] = (at, size)
    with open(path, "w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["timestamp", "service", "metric", "value"])
        for minute in range(last):
            for service, p in world.services.items():
                if any(a <= minute < b and service in who for who, a, b in case.gaps):
                    continue
                x = case.run.at[minute][service]
                for name, value in series_of(x, p).items():
                    value = noisy(rng, name, value, x)
                    at, size = blips.get((service, name), (-9, 1))
                    if at <= minute < at + 3:
                        value = (
                            min(value * size, 97.0) if name == "cpu_utilization" else value * size
                        )
                    table.writerow([stamp(case, minute), service, name, f"{value:.5g}"])


TIMEOUT = {
    "go": 'Get "http://@c@:8080/v1/@ent@s": context deadline exceeded',
    "python": "ReadTimeout: @c@ gave no answer within {n}00 ms",
    "java": "java.net.SocketTimeoutException: Read timed out (@c@:8080)",
    "ts": "fetch http://@c@:8080 aborted: timeout",
}
FAILED = {
    "go": "call @c@: unexpected status 503",
    "python": "HTTPStatusError: 500 from http://@c@:8080/v1/@ent@s",
    "java": "@c@ returned 503: feign.RetryableException",
    "ts": "upstream @c@ responded 500",
}
OWN = [
    "request failed: unexpected EOF reading body",
    "client closed request",
    "invalid cursor, starting over",
]
SIMPLE = {
    "rejected": ["503: too many requests in flight ({n}{n}0)"],
    "pool": ["timed out waiting for a database connection"],
    "oom": ["request aborted: process is going away"],
    "provider": ["@prov@: connection reset by peer"],
}
INFO = [
    "GET /v1/@ent@s/{id} 200",
    "POST /v1/@ent@s 201",
    "@ent@ {id} updated",
    "refreshed @ent@ list",
    "health ok",
]
STACKS = {
    "go": ["goroutine 41{n}7 [running]:", "\t/src/internal/handler.go:1{n}2 +0x1d4"],
    "python": [
        "Traceback (most recent call last):",
        '  File "/app/handlers.py", line {n}1, in handle',
    ],
    "java": [
        "\tat com.internal.Dispatcher.handle(Dispatcher.java:{n}18)",
        "\tat java.base/java.lang.Thread.run(Thread.java:1583)",
    ],
    "ts": [
        "    at Object.handler (/app/dist/routes.js:{n}4:11)",
        "    at process.processTicksAndRejections (node:internal/process)",
    ],
}


class Logs:
    def __init__(self, case, rng):
        self.case, self.rng, self.lines = case, rng, []
        self.skew = {
            s: (
                rng.choice([-1, 1]) * rng.uniform(2, 25)
                if case.skewed and rng.random() < 0.4
                else 0.0
            )
            for s in case.world.services
        }

    def text(self, template, **tokens):
        text = self.case.fill(template, **tokens)
        while "{n}" in text:
            text = text.replace("{n}", str(self.rng.randint(2, 9)), 1)
        return text.replace("{k}", str(self.case.constant)).replace(
            "{id}", f"{self.case.world.entity}-{self.rng.randint(1000, 99999)}"
        )

    def add(self, minute, service, severity, msg, **fields):
        at = minute + self.rng.random() * 0.98
        if any(a <= minute < b and service in who for who, a, b in self.case.gaps):
            return
        p = self.case.world.services[service]
        pod = f"{service}-{self.rng.randint(0, p['replicas'] - 1)}"
        line = {
            "timestamp": stamp(self.case, at + self.skew[service] / SECONDS, fraction=True),
            "service": service,
            "severity_text": severity,
            "msg": msg,
            "pod": pod,
            "version": self.case.version(service, at),
        } | fields
        line["trace_id"] = self.case.trace_near(self.rng, service, minute)
        self.lines.append((at, json.dumps(line)))
        if self.case.raw_lines and severity == "ERROR" and self.rng.random() < 0.12:
            for i, raw in enumerate(STACKS[p["language"]]):
                self.lines.append((at + 1e-5 * (i + 1), self.text(raw)))

    def failures(self, minute, service, x):
        fault, p = self.case.fault, self.case.world.services[service]
        calm = self.case.calm.at[minute][service]["why"]
        for reason, share in x["why"].items():
            if self.case.quiet and share <= 2 * calm.get(reason, 0) + 1e-3:
                continue
            kind, _, callee = reason.partition(":")
            texts = fault.errors.get((service, reason))
            if not texts or (reason == "own" and share <= 1.5 * p["own_error"]):
                texts = SIMPLE.get(kind) or {
                    "timeout": [TIMEOUT[p["language"]]],
                    "failed": [FAILED[p["language"]]],
                    "refused": [FAILED[p["language"]]],
                }.get(kind, OWN)
            for _ in range(poisson(self.rng, min(5.0, 40 * share))):
                self.add(
                    minute,
                    service,
                    "ERROR",
                    self.text(self.rng.choice(texts), c=callee),
                    status=self.rng.choice([500, 503, 502]),
                    duration_ms=round(x["p50"] * self.rng.uniform(0.6, 3), 1),
                )

    def minute(self, minute):
        for service in self.case.world.services:
            x = self.case.run.at[minute][service]
            for _ in range(poisson(self.rng, 1.6)):
                self.add(
                    minute,
                    service,
                    "INFO",
                    self.text(self.rng.choice(INFO)),
                    duration_ms=round(x["p50"] * self.rng.uniform(0.5, 2), 1),
                )
            if self.rng.random() < 0.02 and not self.case.quiet:
                self.add(minute, service, "WARN", "slow client, response took long to write")
            self.failures(minute, service, x)
            was = self.case.run.at[minute - 1][service]["restarts"] if minute else 0
            if x["restarts"] > was:
                killed = "OOMKilled, exit code 137" if "oom" in x["why"] else "exit code 2"
                self.add(minute, service, "WARN", f"container restarted: {killed}")
        for service, text, pace, since in self.case.fault.warnings:
            if minute >= self.case.onset + since:
                for _ in range(poisson(self.rng, pace)):
                    self.add(minute, service, "WARN", self.text(text))

    def write(self, path):
        for minute in range(self.case.minutes):
            self.minute(minute)
        for deploy in self.case.deploys:
            if 0 <= deploy["minute"] < self.case.minutes:
                self.add(
                    deploy["minute"],
                    deploy["service"],
                    "INFO",
                    f"starting {deploy['service']} {deploy['version']}",
                )
        with open(path, "w") as out:
            out.writelines(line + "\n" for _, line in sorted(self.lines))


def spans_of(case, rng, minute, trace_id, service, begin, parent, out, force=False):
    """The span of one call and of those below it; returns (duration in ms, failed)."""
    x, p, spans = case.run.at[minute][service], case.world.services[service], out
    span = {
        "trace_id": trace_id,
        "span_id": f"{rng.getrandbits(64):016x}",
        "parent_id": parent,
        "service": service,
        "name": f"{rng.choice(['GET', 'GET', 'POST'])} /v1/{case.world.entity}s",
        "start": stamp(case, begin, fraction=True),
    }
    spans.append(span)
    failing, at = None, rng.random()
    total = sum(x["why"].values())
    if force or at < x["error"]:
        pick = rng.random() * total
        for reason, share in x["why"].items():
            pick -= share
            failing = failing or (reason if pick <= 0 else None)
        failing = failing or "own"
    length = p["base_ms"] * math.exp(rng.gauss(0, 0.25))
    for callee, call in p["calls"].items():
        kind = failing.partition(":") if failing else ("", "", "")
        if kind[2] == callee and kind[0] == "refused":
            continue
        if kind[2] != callee and rng.random() > call["ratio"]:
            continue
        below, _ = spans_of(
            case,
            rng,
            minute,
            trace_id,
            callee,
            begin + (length + 0.4) / 60000,
            span["span_id"],
            out,
            force=kind[2] == callee and kind[0] == "failed",
        )
        length += min(below, call["timeout_ms"])
    others = sum(min(1, c["ratio"]) * case.run.at[minute][n]["p50"] for n, c in p["calls"].items())
    length += max(0.0, x["p50"] - p["base_ms"] - others) * math.exp(rng.gauss(0, 0.3))
    span |= {"duration_ms": round(length, 2), "status": "error" if failing else "ok"}
    return length, bool(failing)


def make_traces(case, rng):
    spans, count = [], 90
    for i in range(count):
        # Half of them from around the alert, as a sampler that prefers errors would keep them.
        minute = (
            rng.randint(0, case.minutes - 1)
            if i % 2
            else rng.randint(max(0, case.alert_minute - 15), case.minutes - 1)
        )
        root = case.world.worker if rng.random() < 0.15 else case.world.edge
        trace_id, tree = f"{rng.getrandbits(128):032x}", []
        spans_of(case, rng, minute, trace_id, root, minute + rng.random() * 0.9, None, tree)
        spans += tree
    return spans
