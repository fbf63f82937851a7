"""Small simulator: series over a service graph, log streams, traces, patterns -> a frozen incident folder."""
import json, pathlib, random, re
from datetime import datetime, timedelta, timezone
OUT = pathlib.Path(__file__).resolve().parent / "d"

def P(*pts):
    def f(t):
        if t <= pts[0][0]: return pts[0][1]
        for (a, va), (b, vb) in zip(pts, pts[1:]):
            if t <= b: return va + (vb - va) * (t - a) / (b - a)
        return pts[-1][1]
    return f

def K(v): return lambda t: v
def waits(own, down, w=1.0, cap=None):
    """latency of a caller: its own plus that of what it waits on, cut at its timeout"""
    def f(t):
        v = own(t) + w * down(t)
        return min(v, cap) if cap else v
    return f

def S(service, metric, fn, noise=.06, dec=1, lo=0, hi=None, spike=0.0, every=1):
    return dict(service=service, metric=metric, fn=fn, noise=noise, dec=dec, lo=lo, hi=hi, spike=spike, every=every)

def L(every, t0, t1, *lines, tone=None):
    """a stream of log lines; several lines of one stream share a trace id"""
    return dict(every=every, t0=t0, t1=t1, lines=lines, tone=tone)

def G(diff):
    return re.sub(r"(?m)^([ +-])((?:    )+)", lambda m: m[1] + "\t" * (len(m[2]) // 4), diff)

class Incident:
    def __init__(s, name, start, minutes, onset, seed):
        s.name, s.minutes, s.onset = name, minutes, onset
        s.start = datetime.fromisoformat(start).replace(tzinfo=timezone.utc)
        s.r = random.Random(seed); s.sha = {}; s.commits = []; s.deploys = []; s.flags = []; s.traces = []
    def at(s, m): return (s.start + timedelta(seconds=round(m * 60))).strftime("%Y-%m-%dT%H:%M:%SZ")
    def hex(s, n=32): return "".join(s.r.choice("0123456789abcdef") for _ in range(n))
    def commit(s, key, author, m, message, files, diff=None):
        s.sha[key] = s.hex(40)
        if diff:
            diff = diff.strip("\n")
            if all(f.endswith(".go") for f in files): diff = G(diff)
        s.commits.append(dict(sha=s.sha[key], author=author, timestamp=s.at(m), message=message, files_changed=files, diff=diff))
    def deploy(s, m, service, key, version=None):
        t = s.start + timedelta(minutes=m - 3)
        s.deploys.append(dict(timestamp=s.at(m), service=service, commit_sha=s.sha[key], version=version or t.strftime("v%Y.%m.%d-%H%M")))
    def flag(s, m, flag, service, change, actor):
        s.flags.append(dict(timestamp=s.at(m), flag=flag, service=service, change=change, actor=actor))
    def trace(s, m, *spans):
        tid = s.hex()
        for i, p, service, name, dur, status, *x in spans:
            d = dict(trace_id=tid, span_id=i, parent_id=p, service=service, name=name, start=s.at(m), duration_ms=dur, status=status)
            if x: d.update(x[0])
            s.traces.append(d)
    def fill(s, tmpl):
        def one(m):
            k, a = m[1], m[2]
            if k == "N":
                lo, hi = map(int, a.split("-")); return str(s.r.randint(lo, hi))
            if k == "H": return s.hex(int(a or 8))
            return s.r.choice(a.split("|"))
        return re.sub(r"\{([NHC]):?([^}]*)\}", one, tmpl)
    def val(s, v):
        if isinstance(v, tuple):
            return s.r.randint(*v) if isinstance(v[0], int) else round(s.r.uniform(*v), 2)
        return s.fill(v) if isinstance(v, str) else v
    def write(s, alert, series, logs, expected, hide=()):
        d = OUT / s.name; (d / "context").mkdir(parents=True, exist_ok=True)
        dump = lambda p, o: (d / p).write_text(json.dumps(o, indent=2, ensure_ascii=False) + "\n")
        rows = ["timestamp,service,metric,value"]; state = [0.0] * len(series); step = 2 if s.minutes >= 120 else 1; seen = None
        for m in range(0, s.minutes, step):
            for i, q in enumerate(series):
                if m % q["every"]: continue
                state[i] = .55 * state[i] + s.r.gauss(0, 1) * .8
                v = q["fn"](m) * (1 + q["noise"] * state[i])
                if q["spike"] and s.r.random() < q["spike"]: v *= s.r.uniform(1.4, 2.2)
                v = max(q["lo"], v)
                if q["hi"] is not None: v = min(q["hi"], v)
                v = round(v, q["dec"]); v = int(v) if q["dec"] == 0 else v
                if (q["service"], q["metric"]) == (alert["service"], alert["metric"]) and m <= alert["fired_at"]: seen = v
                rows.append(f"{s.at(m)},{q['service']},{q['metric']},{v}")
        (d / "metrics.csv").write_text("\n".join(rows) + "\n")
        out, stat = [], {}
        for st in logs:
            t = st["t0"]
            while t < min(st["t1"], s.minutes):
                tid = s.hex()
                for j, (service, sev, msg, *x) in enumerate(st["lines"]):
                    o = dict(timestamp=s.at(t), service=service, severity_text=sev, msg=s.fill(msg))
                    for k, v in (x[0] if x else {}).items(): o[k] = s.val(v)
                    if sev != "INFO" or "http.route" in o or s.r.random() < .5: o["trace_id"] = tid
                    out.append((t, j, o))
                    sig = re.sub(r"\{([NHC]):?[^}]*\}", lambda m: {"N": "<N>", "H": "<hex>", "C": "<str>"}[m[1]], msg)
                    a = stat.setdefault((sig, service, sev), [0, 0]); a[t >= s.onset] += 1
                t += st["every"] * (1.9 if st["t1"] - st["t0"] > 2 else 1) / 60 * s.r.uniform(.55, 1.5) if st["every"] else 1e9
        out.sort(key=lambda x: x[0])
        (d / "logs.ndjson").write_text("".join(json.dumps(o, ensure_ascii=False) + "\n" for _, _, o in out))
        pats = []
        for (sig, service, sev), (b, a) in stat.items():
            if any(h in sig for h in hide): continue
            f = 1 if a + b < 4 else s.r.randint(9, 26)
            count = a * f + (s.r.randint(0, f - 1) if a and f > 1 else 0)
            base = b * f * (s.minutes - s.onset) / max(1, s.onset)
            delta = round(count - base)
            if f == 1 and a == 0: continue
            pats.append(dict(signature=sig, service=service, count=count, delta_vs_baseline=f"{delta:+d}", sentiment="neutral" if sev == "INFO" else "negative"))
        pats.sort(key=lambda p: (p["sentiment"] == "neutral", -p["count"]))
        dump("patterns.json", pats[:9]); dump("traces.json", s.traces)
        alert["observed"] = seen; alert["fired_at"] = s.at(alert["fired_at"]); dump("alert.json", alert)
        s.commits.sort(key=lambda c: c["timestamp"])
        dump("context/commits.json", s.commits); dump("context/deploys.json", s.deploys); dump("context/flags.json", s.flags)
        guilty = s.sha.get(expected["root"], "none")
        dec = [x["commit_sha"] for x in s.deploys if x["commit_sha"] != guilty]
        dec += [s.sha[k] for k in expected.get("also", []) if s.sha[k] not in dec]
        dump("expected.json", dict(scenario=s.name, root_cause_commit=guilty, first_failing_service=expected["first"],
            blast_radius=expected["blast"], remediation=expected["fix"], decoy_deploy_commits=list(dict.fromkeys(dec)), notes=s.note(expected["notes"])))
        return s.name, expected["cls"], guilty, s.at(s.onset)
    def note(s, n): return re.sub(r"<(\w+)>", lambda m: s.sha[m[1]][:8] if m[1] in s.sha else m[0], n)
