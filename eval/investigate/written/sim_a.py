"""Small simulator shared by the incidents of incidents_a*.py: a service graph (latency and errors flow from callee to caller),
noisy metrics, sampled logs with clustered patterns, traces, commits with diffs, deploys, flags. Standard library only."""
import datetime as dt, hashlib, json, math, os, random, re

OUT = ""  # where they go; make_written.py sets it
UTC = dt.timezone.utc

def iso(t):
    return t.strftime("%Y-%m-%dT%H:%M:%SZ")

def sig_of(msg):
    s = re.sub(r"\b[0-9a-f]{8}-[0-9a-f-]{20,}\b|\b[0-9a-f]{12,}\b", "<HEX>", msg)
    s = re.sub(r"(?<=_)\d{3,}\b", "<N>", s)
    return re.sub(r"(?<![A-Za-z0-9_\-])\d+(?:[.,]\d+)*(?=[a-zA-Z]{0,2}(?![A-Za-z0-9]))|(?<=-)\d{2,4}(?![\w])", "<N>", s)

def up(m, t0, rise=3.0):
    """0 before t0, then towards 1 with time constant rise (minutes)."""
    return 0.0 if m < t0 else 1.0 - math.exp(-(m - t0 + 0.5) / rise)

def hump(m, t0, width):
    """a short bump at t0 lasting about width minutes."""
    return math.exp(-((m - t0 - width / 2) / (width / 2)) ** 2)

def fix_diff(text, tabs):
    """recompute hunk lengths, keep first column, and turn 4-space indents into tabs for Go and the like."""
    lines, out, hunk = text.strip("\n").split("\n"), [], None
    def close():
        nonlocal hunk
        if hunk is None:
            return
        head, body = hunk
        a, b, ctx = re.match(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)", head).groups()
        minus = sum(l[0] in "- " for l in body)
        plus = sum(l[0] in "+ " for l in body)
        out.append(f"@@ -{a},{minus} +{b},{plus} @@{ctx}")
        out.extend(body)
        hunk = None
    for l in lines:
        if l.startswith(("--- a/", "--- /dev", "+++ b/", "+++ /dev")):
            close(); out.append(l)
        elif l.startswith("@@"):
            close(); hunk = (l, [])
        else:
            l = l or " "
            if l[0] not in "+- ":
                raise ValueError("bad diff line: " + repr(l))
            if tabs:
                body = l[1:]
                n = (len(body) - len(body.lstrip(" "))) // 4
                l = l[0] + "\t" * n + body[4 * n:]
            hunk[1].append(l)
    close()
    return "\n".join(out)

class Inc:
    def __init__(self, name, seed, start, end, step=60, onset=None):
        self.name, self.r, self.step = name, random.Random(seed), step
        self.t0, self.t1 = self.p(start), self.p(end)
        self.onset = self.p(onset)
        self.n = int((self.t1 - self.t0).total_seconds() // step) + 1
        self.series, self.order, self.logs, self.pats, self.spans = {}, [], [], [], []
        self.commits, self.deploys, self.flags, self.shas = [], [], [], {}

    # --- time
    def p(self, s):
        if isinstance(s, dt.datetime):
            return s
        if "T" not in s:
            s = self.t0.strftime("%Y-%m-%dT") + s
        s = s.rstrip("Z")
        return dt.datetime.strptime(s, "%Y-%m-%dT%H:%M:%S" if s.count(":") == 2 else "%Y-%m-%dT%H:%M").replace(tzinfo=UTC)

    def m(self, s):
        return (self.p(s) - self.t0).total_seconds() / 60

    def t(self, m):
        return self.t0 + dt.timedelta(minutes=m)

    def hexid(self, n=32):
        return "%0*x" % (n, self.r.getrandbits(4 * n))

    # --- metrics
    def metric(self, svc, name, fn, noise=0.04, digits=3, lo=0.0, hi=None, abs_noise=0.0, spikes=0.0):
        """fn(minute) -> clean value; autocorrelated multiplicative noise, rare unrelated spikes."""
        vals, ar = [], 0.0
        for i in range(self.n):
            m = i * self.step / 60
            ar = 0.55 * ar + self.r.gauss(0, 1) * 0.83
            v = fn(m) * (1 + noise * ar) + abs_noise * self.r.gauss(0, 1)
            if spikes and self.r.random() < spikes:
                v *= 1 + self.r.uniform(0.4, 1.3)
            v = max(lo, v)
            if hi is not None:
                v = min(hi, v)
            vals.append(round(v, digits) if digits else int(round(v)))
        self.series[svc, name] = vals
        self.order.append((svc, name))
        return vals

    def value_at(self, svc, name, when):
        return self.series[svc, name][int((self.p(when) - self.t0).total_seconds() // self.step)]

    def graph(self, nodes, emit):
        """nodes: svc -> dict(own ms, rps, err, calls=[(callee, weight, timeout_ms)], lat=f, fail=f, load=f).
        emit: svc -> list of 'p99','err','rps','cpu'."""
        drift = self.r.uniform(0, 6.28)
        z = lambda m: 0.0
        def p99(s, m):
            n = nodes[s]
            return n["own"] + n.get("lat", z)(m) + sum(w * min(p99(c, m), to) for c, w, to in n.get("calls", []))
        def err(s, m):
            n = nodes[s]
            ok = 1 - min(0.99, n.get("err", 0.002) + n.get("fail", z)(m))
            for c, w, to in n.get("calls", []):
                late = min(0.85, max(0.0, (p99(c, m) / to - 0.85) / 1.5))
                ok *= 1 - w * (1 - (1 - 0.95 * err(c, m)) * (1 - late))
            return 1 - ok
        def rps(s, m):
            n = nodes[s]
            return n["rps"] * (1 + 0.06 * math.sin(m / 55 + drift)) * n.get("load", lambda m: 1.0)(m)
        for s, kinds in emit.items():
            for k in kinds:
                if k == "p99":
                    self.metric(s, "http_server_duration_p99_ms", lambda m: p99(s, m), 0.06, 1, spikes=0.01)
                elif k == "err":
                    self.metric(s, "error_rate_5xx_ratio", lambda m: err(s, m), 0.13, 4, 0.0, 1.0)
                elif k == "rps":
                    self.metric(s, "requests_per_sec", lambda m: rps(s, m), 0.03, 1)
                elif k == "cpu":
                    c = nodes[s].get("cpu", lambda m: 0.38)
                    self.metric(s, "cpu_utilization", c, 0.05, 3, 0.0, 0.995)
        self.p99, self.err, self.rps = p99, err, rps

    # --- logs
    def log(self, when, svc, sev, msg, **extra):
        d = {"timestamp": iso(self.p(when)), "service": svc, "severity_text": sev, "msg": msg}
        d.update({k.replace("__", "."): v for k, v in extra.items()})
        d.setdefault("trace_id", self.hexid())
        self.logs.append(d)

    def background(self, lines, every=70):
        """lines: list of (svc, msg or f(rng)->msg, route or None)."""
        t = self.t0 + dt.timedelta(seconds=self.r.randint(0, every))
        seen = {}
        while t < self.t1:
            svc, msg, route = self.r.choice(lines)
            text = msg(self.r) if callable(msg) else msg
            self.log(t, svc, "INFO", text, **({"http__route": route} if route else {}))
            k = (svc, sig_of(text))
            seen.setdefault(k, [0, 0])[t >= self.onset] += 1
            t += dt.timedelta(seconds=self.r.randint(every // 2, every * 3 // 2))
        for (svc, s), (b, a) in sorted(seen.items())[:3]:
            self._pat(s, svc, b, a, self.r.randint(90, 240), "neutral")

    def _pat(self, s, svc, before, after, scale, sentiment):
        lb, la = max(1, self.m(iso(self.onset))), max(1, (self.t1 - self.onset).total_seconds() / 60)
        count = int(after * scale * self.r.uniform(0.93, 1.07)) if after else 0
        base = int(before / lb * la * scale * self.r.uniform(0.93, 1.07))
        if count or base:
            self.pats.append(dict(signature=s, service=svc, count=count, delta_vs_baseline="%+d" % (count - base), sentiment=sentiment))

    def stream(self, svc, sev, make, rate, scale=12, sentiment="negative", sig=None):
        """make(rng, time) -> msg or (msg, extra); rate(minute) -> expected sampled lines a minute."""
        ab = [0, 0]
        text = None
        for i in range(int((self.t1 - self.t0).total_seconds() // 60)):
            lam = rate(i) if callable(rate) else rate
            k = int(lam) + (self.r.random() < lam - int(lam))
            for _ in range(k):
                t = self.t(i) + dt.timedelta(seconds=self.r.randint(0, 59))
                got = make(self.r, t)
                msg, extra = got if isinstance(got, tuple) else (got, {})
                self.log(t, svc, sev, msg, **extra)
                ab[t >= self.onset] += 1
                text = msg
        if text:
            self._pat(sig or sig_of(text), svc, ab[0], ab[1], scale, sentiment)

    # --- traces
    def trace(self, when, tree, tid=None):
        tid, start, cnt = tid or self.hexid(), self.p(when), {}
        def walk(node, parent, depth, t):
            svc, name, dur, status = node[:4]
            attrs = node[4] if len(node) > 4 and isinstance(node[4], dict) else {}
            kids = node[-1] if isinstance(node[-1], list) else []
            L = "abcdefgh"[depth]
            cnt[L] = cnt.get(L, 0) + 1
            sid = f"{L}{cnt[L]}"
            jit = dur if dur < 5 else round(dur * self.r.uniform(0.985, 1.015), 1)
            d = dict(trace_id=tid, span_id=sid, parent_id=parent, service=svc, name=name, start=iso(t), duration_ms=jit, status=status)
            d.update(attrs)
            self.spans.append(d)
            for k in kids:
                walk(k, sid, depth + 1, t)
                if (k[4] if len(k) > 4 and isinstance(k[4], dict) else {}).get("_par"):
                    continue
                t = t + dt.timedelta(milliseconds=k[2])
        walk(tree, None, 0, start)
        for s in self.spans:
            s.pop("_par", None)
        return tid

    # --- context
    def commit(self, key, author, when, message, files, diff=None, deploy=None, tabs=False):
        sha = hashlib.sha1(f"{self.name}/{key}/frozen".encode()).hexdigest()
        self.shas[key] = sha
        t = self.p(when)
        self.commits.append((t, dict(sha=sha, author=author, timestamp=iso(t), message=message,
                                     files_changed=files, diff=fix_diff(diff, tabs) if diff else None)))
        if deploy:
            svc, dtime = deploy
            d = self.p(dtime)
            self.deploys.append((d, dict(timestamp=iso(d), service=svc, commit_sha=sha, version=t.strftime("v%Y.%m.%d-%H%M"))))

    def flag(self, when, flag, service, change, actor):
        t = self.p(when)
        self.flags.append((t, dict(timestamp=iso(t), flag=flag, service=service, change=change, actor=actor)))

    def finish(self, alert, expected, guilty, fired):
        d = os.path.join(OUT, self.name)
        os.makedirs(os.path.join(d, "context"), exist_ok=True)
        def w(f, x):
            with open(os.path.join(d, f), "w") as h:
                json.dump(x, h, indent=2); h.write("\n")
        a = dict(service=alert["service"], metric=alert["metric"], threshold=alert["threshold"],
                 observed=self.value_at(alert["service"], alert["metric"], fired), fired_at=iso(self.p(fired)))
        a.update({k: v for k, v in alert.items() if k not in a})
        w("alert.json", a)
        with open(os.path.join(d, "logs.ndjson"), "w") as h:
            for l in sorted(self.logs, key=lambda l: l["timestamp"]):
                h.write(json.dumps(l) + "\n")
        with open(os.path.join(d, "metrics.csv"), "w") as h:
            h.write("timestamp,service,metric,value\n")
            for i in range(self.n):
                ts = iso(self.t0 + dt.timedelta(seconds=i * self.step))
                for k in self.order:
                    h.write(f"{ts},{k[0]},{k[1]},{self.series[k][i]}\n")
        w("traces.json", self.spans)
        pats = [p for p in self.pats]
        pats.sort(key=lambda p: (p["sentiment"] != "negative", -p["count"]))
        w("patterns.json", pats)
        w("context/commits.json", [c for _, c in sorted(self.commits, key=lambda x: x[0])])
        w("context/deploys.json", [x for _, x in sorted(self.deploys, key=lambda x: x[0])])
        w("context/flags.json", [x for _, x in sorted(self.flags, key=lambda x: x[0])])
        root = self.shas[guilty] if guilty else "none"
        deployed = [x["commit_sha"] for _, x in sorted(self.deploys, key=lambda x: x[0])]
        decoys = []
        for s in deployed + [self.shas[k] for k in expected.pop("more_decoys", [])]:
            if s != root and s not in decoys:
                decoys.append(s)
        notes = expected["notes"]
        for k, s in self.shas.items():
            notes = notes.replace("{" + k + "}", s[:8])
        assert "{" not in notes, notes
        w("expected.json", dict(scenario=self.name, root_cause_commit=root, first_failing_service=expected["first"],
                                blast_radius=expected["blast"], remediation=expected["remediation"], decoy_deploy_commits=decoys, notes=notes))
