"""Small simulator of a service graph: metrics, logs, traces, patterns of one frozen incident."""
import csv, hashlib, json, math, pathlib, random, re
from datetime import datetime, timedelta

def ramp(a, b, lo, hi):
    return lambda m: lo if m <= a else hi if m >= b else lo + (hi - lo) * (m - a) / (b - a)

def window(a, b, hi, lo=0.0, edge=1.0):
    """lo outside, hi between a and b, with soft edges."""
    def f(m):
        if m < a or m > b + edge: return lo
        if m < a + edge: return lo + (hi - lo) * max(0.25, (m - a) / edge)
        if m > b: return lo + (hi - lo) * max(0.0, (b + edge - m) / edge)
        return hi
    return f

def after(a, hi, lo=0.0, edge=3.0):
    return ramp(a, a + edge, lo, hi)

def plus(*fs):
    return lambda m: sum(f(m) for f in fs)

def dedent(s):
    return s.strip("\n") if s else None

class Inc:
    def __init__(self, name, date, start, end, step, seed):
        self.name, self.step, self.r = name, step, random.Random(seed)
        self.t0 = datetime.fromisoformat(f"{date}T{start}:00")
        self.date = date
        self.mins = self.m(end)
        self.sv, self.extra, self.streams, self.order = {}, [], [], []
        self.traces, self.commits, self.deploys, self.flags, self.keys = [], [], [], [], {}
        self.fixed_patterns = []
    # time
    def m(self, hms):
        p = [int(x) for x in hms.split(":")] + [0, 0]
        t = datetime.fromisoformat(self.date) + timedelta(hours=p[0], minutes=p[1], seconds=p[2])
        return (t - self.t0).total_seconds() / 60
    def iso(self, x):
        if isinstance(x, str): x = self.m(x)
        return (self.t0 + timedelta(seconds=round(x * 60))).strftime("%Y-%m-%dT%H:%M:%SZ")
    # graph
    def service(self, name, rps, p99, err=0.002, cpu=None, calls=None, show="rps p99 err"):
        self.sv[name] = dict(rps=rps, p99=p99, err=err, cpu=cpu, calls=calls or {}, show=show.split(), lat=[], fe=[], load=[], fcpu=[])
    def fault(self, name, lat=None, err=None, load=None, cpu=None):
        s = self.sv[name]
        for k, f in (("lat", lat), ("fe", err), ("load", load), ("fcpu", cpu)):
            if f: s[k].append(f)
    def metric(self, svc, name, fn, noise=0.04, dec=1, every=None):
        self.extra.append((svc, name, fn, noise, dec))
    def xlat(self, n, m):
        s = self.sv[n]
        return sum(f(m) for f in s["lat"]) + sum(w[0] * self.xlat(c, m) for c, w in s["calls"].items())
    def xerr(self, n, m):
        s, ok = self.sv[n], 1.0
        for f in s["fe"]: ok *= 1 - f(m)
        for c, w in s["calls"].items(): ok *= 1 - w[1] * self.xerr(c, m)
        return 1 - ok
    def noisy(self, v, sd, key, spiky=True):
        st = self.ar.setdefault(key, 0.0)
        st = self.ar[key] = 0.6 * st + self.r.gauss(0, sd)
        v *= math.exp(st)
        if spiky and self.r.random() < 0.012: v *= self.r.uniform(1.25, 1.7)
        return v
    def write_metrics(self, path):
        self.ar, rows, m = {}, [], 0
        ph = self.r.uniform(0, 6)
        while m <= self.mins + 1e-6:
            ts, wave = self.iso(m), 1 + 0.07 * math.sin(m / 47 + ph)
            for n, s in self.sv.items():
                e = self.xerr(n, m)
                for k in s["show"]:
                    if k == "rps":
                        v = s["rps"] * wave * (1 + sum(f(m) for f in s["load"])); rows.append((ts, n, "requests_per_sec", round(max(0, self.noisy(v, .025, (n, k), False)), 1)))
                    elif k == "p99":
                        v = s["p99"] * (1 + 0.25 * (wave - 1)); rows.append((ts, n, "http_server_duration_p99_ms", round(self.noisy(v, .05, (n, k)) + self.noisy(self.xlat(n, m), .05, (n, k, 2), False), 1)))
                    elif k == "err":
                        v = self.noisy(s["err"], .25, (n, k)) + min(.98, self.noisy(e, .05, (n, k, 2), False)); rows.append((ts, n, "error_rate_5xx_ratio", round(min(1, v), 4)))
                    elif k == "cpu":
                        v = (s["cpu"] or .3) * (1 + .6 * (wave - 1)) + sum(f(m) for f in s["fcpu"]); rows.append((ts, n, "cpu_utilization", round(min(.995, max(.01, self.noisy(v, .03, (n, k)))), 3)))
            for i, (svc, name, fn, noise, dec) in enumerate(self.extra):
                v = fn(m)
                if v is None: continue
                if noise: v = self.noisy(v, noise, i, False)
                rows.append((ts, svc, name, round(v, dec) if dec else int(round(v))))
            m += self.step
        with open(path, "w", newline="") as f:
            w = csv.writer(f); w.writerow(("timestamp", "service", "metric", "value")); w.writerows(rows)
    # logs: rate is per minute (number or function of the minute); msg may hold {name} filled from vals
    def log(self, svc, sev, msg, rate=0.02, vals=None, attrs=None, sig=None, sent=None, scale=1, delta=None):
        self.streams.append((svc, sev, msg, rate, vals or {}, attrs or {}, sig, sent, scale, delta))
    def at(self, hms, svc, sev, msg, **attrs):
        self.streams.append((svc, sev, msg, hms, {}, attrs, False, None, 1, None))
    def pattern(self, svc, sig, count, delta, sent):
        self.fixed_patterns.append(dict(signature=sig, service=svc, count=count, delta_vs_baseline=delta, sentiment=sent))
    def hexid(self): return "%032x" % self.r.getrandbits(128)
    def write_logs(self, lp, pp):
        out, pats = [], []
        for svc, sev, msg, rate, vals, attrs, sig, sent, scale, delta in self.streams:
            if isinstance(rate, str): times = [self.m(rate)]
            else:
                f, times, m = (rate if callable(rate) else (lambda m, r=rate: r)), [], 0
                while m < self.mins:
                    lam = f(m)
                    if lam > 0:
                        p, k, L = 1.0, 0, math.exp(-min(lam, 20))
                        while True:
                            p *= self.r.random()
                            if p < L: break
                            k += 1
                        times += [m + self.r.random() for _ in range(k)]
                    m += 1
            for t in times:
                call = lambda v: v(self.r) if callable(v) else v
                rec = {"timestamp": self.iso(t), "service": svc, "severity_text": sev,
                       "msg": msg.format(**{k: call(v) for k, v in vals.items()}) if vals else msg, "trace_id": self.hexid()}
                rec.update({k: call(v) for k, v in attrs.items()})
                out.append(rec)
            if sig is False or not times: continue
            c = max(1, int(len(times) * scale * self.r.uniform(.93, 1.07)))
            sent2 = sent or {"INFO": "neutral"}.get(sev, "negative")
            if delta == "new": d = f"+{c}"
            elif delta is None: d = "%+d" % int(c * self.r.uniform(-.06, .06))
            else: d = delta
            pats.append(dict(signature=sig or re.sub(r"\{\w+\}", "<N>", msg), service=svc, count=c, delta_vs_baseline=d, sentiment=sent2))
        out.sort(key=lambda x: x["timestamp"])
        pathlib.Path(lp).write_text("".join(json.dumps(x, ensure_ascii=False) + "\n" for x in out))
        pats += self.fixed_patterns
        pats.sort(key=lambda p: -p["count"])
        pathlib.Path(pp).write_text(json.dumps(pats, indent=2, ensure_ascii=False) + "\n")
    # traces: spans = [(depth letter id, parent, service, name, duration, status, {extra})]
    def trace(self, hms, *spans):
        tid = self.hexid()
        for i, (sid, par, svc, name, dur, status, *x) in enumerate(spans):
            d = dict(trace_id=tid, span_id=sid, parent_id=par, service=svc, name=name, start=self.iso(self.m(hms)), duration_ms=dur, status=status)
            if x: d.update(x[0])
            self.traces.append(d)
    # change records
    def commit(self, key, author, hms, msg, diff=None, files=None):
        sha = hashlib.sha1(f"{self.name}/{key}/{author}".encode()).hexdigest()
        self.keys[key] = sha
        diff = dedent(diff)
        if not files: files = list(dict.fromkeys(re.findall(r"(?m)^@@ ([^\s:]+)", diff)))
        self.commits.append(dict(sha=sha, author=author, timestamp=self.iso(hms), message=msg, files_changed=files, diff=diff))
    def deploy(self, hms, svc, key, version):
        self.deploys.append(dict(timestamp=self.iso(hms), service=svc, commit_sha=self.keys[key], version=version))
    def flag(self, hms, flag, svc, change, actor):
        self.flags.append(dict(timestamp=self.iso(hms), flag=flag, service=svc, change=change, actor=actor))
    def finish(self, root, alert, guilty, first, blast, remediation, notes, onset, shipped=None, extra_decoys=()):
        d = pathlib.Path(root) / self.name
        (d / "context").mkdir(parents=True, exist_ok=True)
        W = lambda p, o: (d / p).write_text(json.dumps(o, indent=2, ensure_ascii=False) + "\n")
        alert = dict(alert); alert["fired_at"] = self.iso(alert["fired_at"])
        W("alert.json", {k: alert[k] for k in ("service", "metric", "threshold", "observed", "fired_at", "severity", "monitor", "summary") if k in alert})
        self.write_metrics(d / "metrics.csv"); self.write_logs(d / "logs.ndjson", d / "patterns.json")
        W("traces.json", self.traces)
        key = lambda x: x["timestamp"]
        W("context/commits.json", sorted(self.commits, key=key)); W("context/deploys.json", sorted(self.deploys, key=key)); W("context/flags.json", sorted(self.flags, key=key, reverse=True))
        g = self.keys[guilty] if guilty else "none"
        dec = [x["commit_sha"] for x in sorted(self.deploys, key=key)] + [self.keys[k] for k in extra_decoys]
        W("expected.json", dict(scenario=self.name, root_cause_commit=g, first_failing_service=first, blast_radius=blast, remediation=remediation,
                                decoy_deploy_commits=[s for s in dict.fromkeys(dec) if s != g], notes=notes))
        return dict(name=self.name, guilty=g, onset=self.iso(onset), fired=alert["fired_at"], shipped=self.keys[shipped] if shipped else g, mins=self.mins)
