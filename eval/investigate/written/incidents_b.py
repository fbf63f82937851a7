"""The nine incidents of the second author, with their simulator (fixed seed, standard library only)."""
import csv, datetime as dt, json, math, pathlib, random, re

OUT = pathlib.Path()  # where they go; make_written.py sets it
UTC = "%Y-%m-%dT%H:%M:%SZ"


# ---------------------------------------------------------------- diff helpers
def _lines(path, text):
    out = []
    for l in text.strip("\n").split("\n"):
        mark, rest = (l[:1] or " "), l[1:]
        if path.endswith((".go", "Makefile", "go.mod")):
            n = len(rest) - len(rest.lstrip(" "))
            rest = "\t" * (n // 4) + " " * (n % 4) + rest[n:]
        out.append(mark + rest)
    return out

def D(path, *hunks):
    """hunks: "LINE context", body, ... ; the @@ counts are computed."""
    out, shift = [f"--- a/{path}", f"+++ b/{path}"], 0
    for head, body in zip(hunks[::2], hunks[1::2]):
        ln, _, ctx = head.partition(" ")
        ls = _lines(path, body)
        assert all(l[0] in " +-" for l in ls), (path, [l for l in ls if l[0] not in " +-"])
        a, b = sum(l[0] != "+" for l in ls), sum(l[0] != "-" for l in ls)
        out.append(f"@@ -{ln},{a} +{int(ln) + shift},{b} @@{' ' + ctx if ctx else ''}")
        out += ls
        shift += b - a
    return path, "\n".join(out)

def N(path, text):
    ls = _lines(path, "\n".join("+" + l for l in text.strip("\n").split("\n")))
    return path, "\n".join(["--- /dev/null", f"+++ b/{path}", f"@@ -0,0 +1,{len(ls)} @@"] + ls)


# ---------------------------------------------------------------- shapes
def ramp(m, a, b, lo, hi):
    return lo if m <= a else hi if m >= b else lo + (hi - lo) * (m - a) / (b - a)

def soft(m, mid, width, lo, hi):
    return lo + (hi - lo) / (1 + math.exp(-(m - mid) / width))


# ---------------------------------------------------------------- simulator
class Inc:
    def __init__(s, name, day, start, end, step, seed):
        s.name, s.rng, s.step = name, random.Random(seed), step
        s.day = dt.datetime.strptime(day, "%Y-%m-%d")
        s.t0 = s.T(start)
        s.n = int((s.T(end) - s.t0).total_seconds() // (60 * step)) + 1
        s.end = (s.T(end) - s.t0).total_seconds() / 60
        s.services, s.fault, s.cols, s.logs = {}, {}, [], []
        s.traffic = lambda m: 1 + 0.05 * math.sin(m / 47.0)
        s.commits, s.deploys, s.flags, s.spans, s.bgs, s.evs = {}, [], [], [], [], []

    def T(s, x):
        p = [int(v) for v in x.split(":")]
        return s.day + dt.timedelta(hours=p[0], minutes=p[1], seconds=p[2] if len(p) > 2 else 0)

    def m(s, x):
        return (s.T(x) - s.t0).total_seconds() / 60

    def at(s, m):
        return (s.t0 + dt.timedelta(minutes=m)).strftime(UTC)

    # -- graph: deps = {name: (share of excess latency, share of excess errors)}
    def svc(s, name, rps=100, p99=60, err=0.002, cpu=0.35, deps=None, cap=30000):
        s.services[name] = dict(rps=rps, p99=p99, err=err, cpu=cpu, deps=deps or {}, cap=cap)

    def hit(s, name, **fns):
        s.fault.setdefault(name, {}).update(fns)

    def col(s, service, metric, fn=None, noise=0.05, digits=1, lo=0.0, hi=None):
        """fn None: the simulated p99/err/rps/cpu, by the metric's name."""
        s.cols.append((service, metric, fn, noise, digits, lo, hi))

    def simulate(s):
        r, ar, blip, rows = s.rng, {}, {}, []
        s.table = {}
        def noise(key, sd):
            ar[key] = 0.45 * ar.get(key, 0) + r.gauss(0, sd)
            return math.exp(ar[key])
        for i in range(s.n):
            m, st = i * s.step, {}
            def val(name):
                if name in st:
                    return st[name]
                c, f = s.services[name], s.fault.get(name, {})
                g = lambda k, d: f[k](m) if k in f else d
                rps = c["rps"] * s.traffic(m) * g("rps", 1) * noise((name, "r"), 0.025)
                p99 = c["p99"] * noise((name, "p"), 0.09) + g("p99", 0) * noise((name, "q"), 0.06)
                if blip.get(name, 0) > 0 or r.random() < 0.012:
                    blip[name] = blip.get(name, 0) - 1 if blip.get(name, 0) > 0 else r.choice([0, 1])
                    p99 *= r.uniform(1.35, 1.9)
                err = c["err"] * r.uniform(0.3, 1.8) + g("err", 0) * noise((name, "e"), 0.05)
                for d, (wl, we) in c["deps"].items():
                    x = val(d)
                    p99 += wl * max(0, x["p99"] - 1.5 * s.services[d]["p99"])
                    err += we * max(0, x["err"] - 2 * s.services[d]["err"])
                cpu = (c["cpu"] * (0.6 + 0.4 * s.traffic(m)) + g("cpu", 0)) * noise((name, "c"), 0.035)
                st[name] = dict(rps=rps, p99=min(p99, c["cap"] * r.uniform(0.985, 1.01)), err=min(err, 0.985), cpu=min(cpu, 0.997))
                return st[name]
            for name in s.services:
                val(name)
            for service, metric, fn, sd, digits, lo, hi in s.cols:
                if fn is None:
                    k = "p99" if "p99" in metric else "rps" if "per_sec" in metric else "cpu" if "cpu" in metric else "err"
                    v = st[service][k]
                else:
                    v = fn(m, st)
                    v *= noise((service, metric), sd) if sd else 1
                v = max(lo, v) if hi is None else min(hi, max(lo, v))
                v = round(v, 3 if fn is None and k in ("err", "cpu") else digits)
                v = int(v) if fn is not None and digits == 0 else v
                rows.append((s.at(m), service, metric, v))
                s.table[(service, metric, i)] = v
        s.rows = rows

    # -- change context
    def commit(s, key, author, time, message, *diffs, files=None):
        sha = "%040x" % s.rng.getrandbits(160)
        s.commits[key] = dict(sha=sha, author=author, timestamp=s.T(time).strftime(UTC), message=message,
                              files_changed=files or [p for p, _ in diffs], diff="\n".join(d for _, d in diffs) if diffs else None)

    def deploy(s, time, service, key, version=None, log=True):
        t = s.T(time)
        version = version or f"v{t:%Y.%m.%d-%H%M}"
        s.deploys.append(dict(timestamp=t.strftime(UTC), service=service, commit_sha=s.commits[key]["sha"], version=version))
        if log and s.m(time) >= 0:
            s.once(s.at_plus(time, s.rng.randint(9, 40)), service, "INFO", f"starting {service} {version}", sig=f"starting {service} <version>")

    def at_plus(s, time, sec):
        return (s.T(time) + dt.timedelta(seconds=sec)).strftime("%H:%M:%S")

    def flag(s, time, flag, service, change, actor):
        s.flags.append(dict(timestamp=s.T(time).strftime(UTC), flag=flag, service=service, change=change, actor=actor))

    # -- logs: <N:a-b> int, <F:a-b> float, <ID> hex, <V:x|y|z> choice; all shown as <N>, <ID>, <V> in the signature
    def fill(s, tmpl):
        r = s.rng
        def sub(mo):
            kind, _, arg = mo.group(1).partition(":")
            if kind == "ID":
                return "%08x" % r.getrandbits(32)
            if kind == "V":
                return r.choice(arg.split("|"))
            a, b = arg.split("-") if not arg.startswith("-") else ("-" + arg.split("-")[1], "-" + arg.split("-")[3])
            return str(r.randint(int(a), int(b))) if kind == "N" else f"{r.uniform(float(a), float(b)):.1f}"
        return re.sub(r"<((?:N|F|V):[^>]*|ID)>", sub, tmpl)

    @staticmethod
    def signature(tmpl):
        return re.sub(r"<(N|F|V)(:[^>]*)?>", lambda x: "<V>" if x.group(1) == "V" else "<N>", tmpl)

    def emit(s, m, service, sev, tmpl, extra=None, tid=None, sig=None):
        msg = s.fill(tmpl)
        e = {}
        for k, v in (extra or {}).items():
            v = v(m) if callable(v) else v
            if isinstance(v, str):
                w = s.fill(v)
                v = (float(w) if "." in w else int(w)) if v.startswith(("<N", "<F")) and re.fullmatch(r"-?[\d.]+", w) else w
            e[k] = v
        d = dict(timestamp=s.at(int(m * 60) / 60), service=service, severity_text=sev, msg=msg, **e)
        d["trace_id"] = tid or "%032x" % s.rng.getrandbits(128)
        s.logs.append((m, d, sig or s.signature(tmpl), sev))
        return d["trace_id"]

    def once(s, time, service, sev, msg, extra=None, sig=None):
        s.emit(s.m(time), service, sev, msg, extra, sig=sig)

    def bg(s, service, tmpl, extra=None, sev="INFO", w=1.0):
        s.bgs.append((service, tmpl, extra, sev, w))

    def ev(s, service, sev, tmpl, rate, extra=None, chain=()):
        """rate(m): log lines a minute; chain: callers' lines of the same trace (service, sev, tmpl, extra, probability)."""
        s.evs.append((service, sev, tmpl, rate, extra, chain))

    def run_logs(s, every=1.0):
        r, m = s.rng, 0.0
        while m < s.end:
            b = r.choices(s.bgs, [x[4] for x in s.bgs])[0]
            s.emit(m + r.choice([0, 0, r.random() * 0.8]), b[0], b[3], b[1], b[2])
            m += every
        for service, sev, tmpl, rate, extra, chain in s.evs:
            m = 0.0
            while m < s.end:
                x = rate(m)
                k = int(x) + (r.random() < x - int(x))
                for _ in range(k):
                    t = m + r.random()
                    if t > s.end:
                        continue
                    tid = s.emit(t, service, sev, tmpl, extra)
                    for cs, csev, ct, ce, cp in chain:
                        if r.random() < cp:
                            t += r.uniform(0, 0.03)
                            s.emit(t, cs, csev, ct, ce, tid)
                m += 1.0

    def span_tree(s, time, tree, jitter=0.0):
        tid, n = "%032x" % s.rng.getrandbits(128), [0]
        def walk(node, parent, t, depth):
            service, name, dur, status, extra, kids = node
            sid = "abcdefgh"[depth] + str(n[0]); n[0] += 1
            x = round(dur * s.rng.uniform(1 - jitter, 1 + jitter), 1)
            sp = dict(trace_id=tid, span_id=sid, parent_id=parent, service=service, name=name, start=t.strftime(UTC), duration_ms=x, status=status)
            sp.update(extra or {})
            s.spans.append((t, sp))
            off = 0.0
            for k in kids:
                kt = t + dt.timedelta(milliseconds=min(off, max(0.0, x - 1)))
                walk(k, sid, kt, depth + 1)
                if not (k[4] or {}).get("parallel"):
                    off += k[2]
        walk(tree, None, s.T(time), 0)

    # -- output
    def alert(s, service, metric, threshold, fired, severity, monitor, summary, detail=None):
        i = int(s.m(fired) // s.step)
        obs = s.table[(service, metric, i)]
        s.al = dict(service=service, metric=metric, threshold=threshold, observed=obs, fired_at=s.T(fired).strftime(UTC),
                    severity=severity, monitor=monitor, summary=summary)
        if detail:
            s.al["detail"] = detail

    def finish(s, guilty, first, blast, remediation, fault, onset, notes, extra_decoys=()):
        d = OUT / s.name
        (d / "context").mkdir(parents=True, exist_ok=True)
        g = s.commits[guilty]["sha"] if guilty else "none"
        dec = []
        for x in [p["commit_sha"] for p in sorted(s.deploys, key=lambda p: p["timestamp"], reverse=True)] + [s.commits[k]["sha"] for k in extra_decoys]:
            if x != g and x not in dec:
                dec.append(x)
        for k, c in s.commits.items():
            notes = notes.replace("{" + k + "}", c["sha"][:8])
        s.logs.sort(key=lambda x: x[1]["timestamp"])
        mo = s.m(onset)
        win = s.end - mo
        pats = {}
        for m, l, sig, sev in s.logs:
            p = pats.setdefault((l["service"], sig), [0, 0, sev])
            if m >= mo:
                p[0] += 1
            elif m >= max(0, mo - win):
                p[1] += 1
        ps = []
        for (service, sig), (a, b, sev) in pats.items():
            if sig.startswith("starting ") or sev == "INFO" and a + b <= 2:
                k = 1
            else:
                k = s.rng.randint(11, 29)
            if a + b == 0:
                continue
            jit = s.rng.randint(0, k - 1) if k > 1 else 0
            ca, cb = a * k + (jit if a else 0), b * k
            ps.append(dict(signature=sig, service=service, count=ca, delta_vs_baseline=f"{ca - cb:+d}",
                           sentiment="negative" if sev in ("ERROR", "WARN", "FATAL") else "neutral"))
        ps.sort(key=lambda p: (p["sentiment"] != "negative", -p["count"]))
        dump = lambda name, x: (d / name).write_text(json.dumps(x, indent=2) + "\n")
        dump("alert.json", s.al)
        with open(d / "metrics.csv", "w", newline="") as f:
            w = csv.writer(f, lineterminator="\n")
            w.writerow(["timestamp", "service", "metric", "value"])
            w.writerows(s.rows)
        (d / "logs.ndjson").write_text("".join(json.dumps(l) + "\n" for _, l, _, _ in s.logs))
        dump("traces.json", [x for _, x in s.spans])
        dump("patterns.json", ps[:14])
        dump("context/commits.json", sorted(s.commits.values(), key=lambda c: c["timestamp"]))
        dump("context/deploys.json", sorted(s.deploys, key=lambda c: c["timestamp"]))
        dump("context/flags.json", s.flags)
        dump("expected.json", dict(scenario=s.name, root_cause_commit=g, first_failing_service=first, blast_radius=blast,
                                   remediation=remediation, decoy_deploy_commits=dec, fault_class=fault, onset=s.T(onset).strftime(UTC), notes=notes))


OK = "OK"; ERR = "ERROR"
INCIDENTS = []
def incident(f):
    INCIDENTS.append(f)
    return f


# ================================================================ 1. token audience
@incident
def shipping_labels_unauthorized():
    s = Inc("shipping-labels-unauthorized", "2026-05-12", "08:00", "10:24", 1, 101)
    s.svc("storefront", 410, 180, .003, .41, {"orderservice": (.9, .03)})
    s.svc("orderservice", 150, 120, .002, .37, {"fulfilmentservice": (.8, .55)})
    s.svc("fulfilmentservice", 64, 95, .003, .33, {"labelservice": (.7, 0)})
    s.svc("labelservice", 88, 70, .001, .29)
    s.svc("trackingservice", 120, 45, .001, .22)
    s.svc("identityservice", 36, 28, .0005, .18)
    # six fulfilment pods, each holds its access token for 60 min; three renew after the apply at 09:12, the deploy of 09:46:30 restarts all
    refresh = [s.m(x) for x in ("09:23:20", "09:31:50", "09:38:10", "09:46:50", "09:47:10", "09:47:30")]
    bad = lambda m: sum(m >= x for x in refresh) / 6
    s.hit("fulfilmentservice", err=lambda m: .97 * bad(m), p99=lambda m: -30 * bad(m))
    s.hit("identityservice", rps=lambda m: 1 + .9 * bad(m))
    s.col("fulfilmentservice", "upstream_call_error_ratio")
    s.col("fulfilmentservice", "http_server_duration_p99_ms")
    s.col("fulfilmentservice", "requests_per_sec")
    s.col("labelservice", "requests_per_sec")
    s.col("labelservice", "http_401_ratio", lambda m, st: .001 + .97 * bad(m) * .73, .06, 4, hi=1)
    s.col("labelservice", "http_5xx_ratio", lambda m, st: .0008, .4, 4)
    s.col("labelservice", "http_server_duration_p99_ms")
    s.col("trackingservice", "upstream_call_error_ratio")
    s.col("orderservice", "error_rate_5xx_ratio")
    s.col("storefront", "error_rate_5xx_ratio")
    s.col("identityservice", "requests_per_sec")
    s.col("identityservice", "http_server_duration_p99_ms")
    C = s.commit
    C("runbook", "grace.kim", "06:41:10", "docs: label reprint runbook", files=["docs/runbooks/label-reprint.md"])
    C("zpl", "tunde.okafor", "07:20:44", "fix(labels): escape carets in ZPL address block",
      D("labelservice/app/render/zpl.py", "41 def _field(text: str, x: int, y: int) -> str:", '''
 def _field(text: str, x: int, y: int) -> str:
-    return f"^FO{x},{y}^A0N,28,28^FD{text}^FS"
+    # ^ and ~ start ZPL commands; a street name must not
+    safe = text.replace("^", " ").replace("~", " ")
+    return f"^FO{x},{y}^A0N,28,28^FD{safe}^FS"
 
 
 def address_block(addr: Address) -> str:'''))
    C("catalog", "mei.lin", "08:47:02", "refactor(iam): derive audience mapper from the service catalog",
      D("terraform/identity/clients.tf", "12 locals {", '''
 locals {
-  api_scheme = "https://"
-
   managed_clients = {
     for c in var.service_clients : c.id => c if c.managed
   }
+
+  # single source of truth: the catalog already knows every host
+  catalog = yamldecode(file("${path.module}/../catalog/services.yaml")).services
 }''', "44 resource \"keycloak_openid_audience_protocol_mapper\" \"svc\" {", '''
 resource "keycloak_openid_audience_protocol_mapper" "svc" {
   for_each  = local.managed_clients
   realm_id  = keycloak_realm.internal.id
   client_id = keycloak_openid_client.svc[each.key].id
   name      = "${each.key}-audience"
 
-  included_custom_audience = "${local.api_scheme}${each.value.upstream_host}"
+  included_custom_audience = local.catalog[each.value.upstream].host
   add_to_id_token          = false
 }'''),
      D("terraform/identity/variables.tf", "3 variable \"service_clients\" {", '''
 variable "service_clients" {
   type = list(object({
-    id            = string
-    managed       = bool
-    upstream_host = string
+    id       = string
+    managed  = bool
+    upstream = string
   }))
 }'''),
      N("terraform/catalog/services.yaml", '''
services:
  label:
    host: labelservice.internal
    owner: parcel-core
    tier: 1
  rates:
    host: ratesservice.internal
    owner: parcel-core
    tier: 2'''))
    C("verifier", "sofia.marino", "09:07:36", "feat(labels): stricter access token verification",
      D("labelservice/app/auth/verify.py", "8 class TokenVerifier:", '''
 class TokenVerifier:
-    def __init__(self, jwks: JwksCache, audiences: list[str]):
+    def __init__(self, jwks: JwksCache, audiences: list[str], allowed_algs=("RS256", "ES256")):
         self._jwks = jwks
         self._audiences = audiences
+        self._algs = allowed_algs
 
     def verify(self, raw: str) -> Claims:
-        header = jwt.get_unverified_header(raw)
+        header = jwt.get_unverified_header(raw)
+        if header.get("alg") not in self._algs:
+            raise TokenRejected("alg")
         key = self._jwks.get(header["kid"])
         try:
-            body = jwt.decode(raw, key, algorithms=["RS256", "ES256"], audience=self._audiences)
+            body = jwt.decode(raw, key, algorithms=list(self._algs), audience=self._audiences)
         except jwt.InvalidTokenError as exc:
-            raise TokenRejected("invalid") from exc
+            # name the claim that failed, callers keep asking us
+            raise TokenRejected(CLAIM_OF.get(type(exc), "invalid")) from exc
         return Claims.from_dict(body)'''),
      D("labelservice/config/production.yaml", "14 auth:", '''
 auth:
   issuer: https://id.internal/realms/internal
   audiences:
     - https://labelservice.internal
+  allowed_algs: [RS256, ES256]
   jwks_refresh_seconds: 300'''))
    C("http", "wei.zhang", "09:35:19", "chore(fulfilment): bump httpx 0.27.0 -> 0.27.2, keep one client per process",
      D("fulfilmentservice/requirements.txt", "6", '''
 fastapi==0.111.0
-httpx==0.27.0
+httpx==0.27.2
 pydantic==2.7.4'''),
      D("fulfilmentservice/app/clients/label.py", "15 class LabelClient:", '''
 class LabelClient:
-    async def create(self, parcel: Parcel) -> Label:
-        async with httpx.AsyncClient(base_url=self._base, timeout=6.0) as http:
-            token = await self._tokens.get("label")
-            r = await http.post("/v2/labels", json=parcel.dict(), headers={"Authorization": f"Bearer {token}"})
+    def __init__(self, base: str, tokens: TokenSource):
+        self._tokens = tokens
+        self._http = httpx.AsyncClient(base_url=base, timeout=6.0)
+
+    async def create(self, parcel: Parcel) -> Label:
+        token = await self._tokens.get("label")
+        r = await self._http.post("/v2/labels", json=parcel.dict(), headers={"Authorization": f"Bearer {token}"})
         r.raise_for_status()
         return Label(**r.json())'''))
    C("tokencache", "amir.haddad", "07:52:27", "refactor(authlib): type hints for the token source",
      D("pkg/authlib/token_source.py", "19 class TokenSource:", '''
 class TokenSource:
-    def __init__(self, issuer, client_id, secret):
+    def __init__(self, issuer: str, client_id: str, secret: str) -> None:
         self._issuer = issuer
-        self._cache = {}
+        self._cache: dict[str, CachedToken] = {}
 
-    async def get(self, upstream):
+    async def get(self, upstream: str) -> str:
         tok = self._cache.get(upstream)
         # keep a token until 30 s before it expires (expires_in is 3600 in production)
         if tok and tok.expires_at - time.time() > 30:
             return tok.value'''))
    C("css", "lena.fischer", "09:04:50", "style(storefront): parcel badge spacing",
      D("storefront/src/components/ParcelBadge.tsx", "22 export function ParcelBadge({ status }: Props) {", '''
   return (
-    <span className={cx("badge", tone[status])}>
+    <span className={cx("badge", "badge--tight", tone[status])}>
       <Icon name={icons[status]} />
       {t(`parcel.${status}`)}
     </span>'''))
    C("retry", "jdoe", "10:11:31", "feat(orders): retry label booking once on 5xx",
      D("orderservice/src/booking.ts", "57 export async function bookLabel(order: Order): Promise<Label> {", '''
 export async function bookLabel(order: Order): Promise<Label> {
-  return fulfilment.post("/bookings", toBooking(order));
+  return retry(() => fulfilment.post("/bookings", toBooking(order)), {
+    attempts: 2,
+    retryOn: (e) => e.status >= 500,
+  });
 }'''))
    s.deploy("08:05:00", "labelservice", "zpl")
    s.deploy("08:20:00", "trackingservice", "tokencache")
    s.deploy("09:12:00", "identityservice", "catalog", "tf-apply-318", log=False)
    s.once("09:12:41", "identityservice", "INFO", "realm internal reloaded: 14 clients, 9 protocol mappers", dict(trigger="admin-api"))
    s.deploy("09:20:00", "labelservice", "verifier")
    s.deploy("09:46:30", "fulfilmentservice", "http", log=False)
    s.once("09:46:41", "fulfilmentservice", "INFO", "starting fulfilmentservice v2026.05.12-0946", sig="starting fulfilmentservice <version>")
    s.deploy("09:18:00", "storefront", "css")
    s.flag("09:19:00", "labels_use_carrier_v2", "labelservice", "10%->25%", "tunde.okafor")
    s.flag("08:10:00", "storefront_parcel_map", "storefront", "off->on", "lena.fischer")
    s.bg("orderservice", "order accepted", {"http.route": "/api/orders"}, w=3)
    s.bg("fulfilmentservice", "booking completed carrier=<V:dpx|gls|postnord>", {"http.route": "/bookings"}, w=2)
    s.bg("labelservice", "label rendered format=<V:zpl|pdf> in <N:18-70>ms", {"http.route": "/v2/labels"}, w=2)
    s.bg("trackingservice", "tracking event batch stored (<N:20-90> events)", w=2)
    s.bg("identityservice", "issued token grant=client_credentials client=<V:trackingservice|ratesservice> expires_in=3600", w=1)
    s.bg("storefront", "served page", {"http.route": "/orders"}, w=2)
    s.ev("trackingservice", "WARN", "carrier webhook signature missing, event parked", lambda m: .05)
    s.ev("storefront", "ERROR", "hydration mismatch on /orders, client re-rendered", lambda m: .04)
    s.ev("labelservice", "WARN", "carrier gls answered 429, backing off <N:200-900>ms", lambda m: .09)
    for k, x in enumerate(("08:23:18", "08:31:49", "08:38:07", "08:44:38", "08:52:29", "09:03:09")):
        s.once(x, "identityservice", "INFO", "issued token grant=client_credentials client=fulfilmentservice expires_in=3600",
               {"token.aud": "https://labelservice.internal", "peer.pod": f"fulfilmentservice-6d4f9b7c58-{'kqzwxt'[k]}{k}2"})
    for k, x in enumerate(("09:23:19", "09:31:49", "09:38:09")):
        s.once(x, "identityservice", "INFO", "issued token grant=client_credentials client=fulfilmentservice expires_in=3600",
               {"token.aud": "labelservice.internal", "peer.pod": f"fulfilmentservice-6d4f9b7c58-{'kqzwxt'[k]}{k}2"})
    for k, x in enumerate(("09:46:44", "09:46:49", "09:47:03", "09:47:10", "09:47:22", "09:47:29")):
        s.once(x, "identityservice", "INFO", "issued token grant=client_credentials client=fulfilmentservice expires_in=3600",
               {"token.aud": "labelservice.internal", "peer.pod": f"fulfilmentservice-7f86cd5b9d-{'mbdrvn'[k]}{k}8"})
    s.ev("labelservice", "WARN", "access token rejected: aud sub=fulfilmentservice", lambda m: 1.5 * bad(m),
         {"http.route": "/v2/labels", "token.age_s": "<N:14-1400>"},
         [("fulfilmentservice", "ERROR", "label booking failed: 401 Unauthorized from labelservice", {"http.route": "/bookings"}, .9),
          ("orderservice", "ERROR", "fulfilment booking returned 502", {"http.route": "/api/orders"}, .5),
          ("storefront", "WARN", "order confirmed without label, showing 'preparing' state", {"http.route": "/orders"}, .3)])
    s.simulate(); s.run_logs()
    good = lambda: ("orderservice", "POST /api/orders", 118, OK, None, [("fulfilmentservice", "POST /bookings", 92, OK, None,
            [("labelservice", "POST /v2/labels", 61, OK, None, [])])])
    fail = lambda pod: ("orderservice", "POST /api/orders", 74, ERR, {"error": "502 from fulfilmentservice"},
            [("fulfilmentservice", "POST /bookings", 38, ERR, {"k8s.pod": pod, "error": "401 from labelservice"},
              [("labelservice", "POST /v2/labels", 6, ERR, {"http.status_code": 401}, [])])])
    for t in ("08:14:10", "09:02:31", "09:21:40"): s.span_tree(t, good(), .2)
    s.span_tree("09:25:12", fail("fulfilmentservice-6d4f9b7c58-k02"), .2)
    s.span_tree("09:25:14", good(), .2)
    s.span_tree("09:40:02", fail("fulfilmentservice-6d4f9b7c58-q12"), .2)
    s.span_tree("09:56:43", ("storefront", "GET /track", 96, OK, None, [("trackingservice", "GET /v1/track", 64, OK, None,
                [("labelservice", "GET /v2/labels/{id}", 22, OK, None, [])])]), .2)
    s.span_tree("10:05:20", fail("fulfilmentservice-7f86cd5b9d-d28"), .2)
    s.alert("fulfilmentservice", "upstream_call_error_ratio", .6, "09:51:00", "critical", "fulfilment-label-call-errors",
            "fulfilmentservice calls to labelservice failing above 60% for 3m (401 Unauthorized)")
    s.finish("catalog", "fulfilmentservice", ["orderservice", "storefront"], "rollback", "auth token audience change", "09:23:00",
        "Guilty {catalog}: the audience mapper now takes host from the catalog, without https://, so tokens of managed clients get aud=labelservice.internal "
        "while labelservice accepts only https://labelservice.internal. Delayed: pods keep tokens for 60 min and renew one after another (09:23, 09:31, 09:38), so errors "
        "grow in steps of a sixth, until the restart by {http} at 09:46:30 makes all six fetch a new token at once. trackingservice (unmanaged client) still works. {verifier} (labelservice, 09:20, right before the onset) only names the failing claim and keeps algorithms and audiences; "
        "pods with tokens of before 09:12 were served by it without an error until they renewed. {http} (the latest deploy on the paged service, at the jump) keeps the call the same; half the pods failed before it. {retry} is not deployed.", ["retry"])


# ================================================================ 2. integer overflow
@incident
def loyalty_posting_constraint_errors():
    s = Inc("loyalty-posting-constraint-errors", "2026-04-23", "05:30", "13:12", 3, 202)
    s.traffic = lambda m: .55 + .45 / (1 + math.exp(-(m - 150) / 45))
    s.svc("webgateway", 900, 210, .002, .44, {"checkoutservice": (.7, .12)})
    s.svc("checkoutservice", 130, 240, .003, .38, {"loyaltyservice": (.6, .6)})
    s.svc("loyaltyservice", 160, 85, .002, .34, {"ledgerservice": (.8, .8)})
    s.svc("ledgerservice", 240, 48, .0015, .31)
    s.svc("ledgerdb", 620, 12, .0002, .27)
    on = s.m("12:37:20")
    bad = lambda m: ramp(m, on, on + 4, 0, .41)
    s.hit("ledgerservice", err=bad, p99=lambda m: 14 * (bad(m) > 0))
    s.col("ledgerservice", "post_error_ratio")
    s.col("ledgerservice", "http_server_duration_p99_ms")
    s.col("ledgerservice", "requests_per_sec")
    s.col("ledgerservice", "jvm_gc_pause_p99_ms", lambda m, st: 21, .15, 1)
    s.col("ledgerservice", "balance_read_error_ratio", lambda m, st: .0006, .5, 4)
    base = 2147483648
    def gauge(m, st):
        # entries a minute follow the traffic; integrate backwards from the crossing
        k = 0.0
        a, b = (m, on) if m < on else (on, m)
        x = a
        while x < b:
            d = min(3, b - x); k += d * 980 * s.traffic(x); x += d
        return base - k if m < on else base + k
    s.col("ledgerdb", "sequence_last_value_ledger_entry_id_seq", gauge, 0, 0)
    s.col("ledgerdb", "db_queries_per_second", lambda m, st: 620 * s.traffic(m) * (1 - .1 * bad(m)), .03, 1)
    s.col("ledgerdb", "db_query_duration_p99_ms", lambda m, st: 12, .12, 1)
    s.col("ledgerdb", "xact_rollback_per_sec", lambda m, st: .4 + 16.3 * bad(m) / .41 * s.traffic(m), .12, 2)
    s.col("loyaltyservice", "error_rate_5xx_ratio")
    s.col("checkoutservice", "error_rate_5xx_ratio")
    s.col("webgateway", "http_server_duration_p99_ms")
    C = s.commit
    C("primitives", "ivan.petrov", "06:02:15", "refactor(ledger): tidy up posting model, records instead of Lombok beans",
      D("ledgerservice/src/main/java/io/acme/ledger/model/EntryLine.java", "1", '''
 package io.acme.ledger.model;
 
-import lombok.Builder;
-import lombok.Value;
-
-@Value
-@Builder
-public class EntryLine {
-    Long entryId;
-    String account;
-    long points;
-    LineKind kind;
-}
+/** One side of a posting. */
+public record EntryLine(int entryId, String account, long points, LineKind kind) {
+
+    public static EntryLine debit(Number entryId, String account, long points) {
+        return new EntryLine(entryId.intValue(), account, -points, LineKind.DEBIT);
+    }
+
+    public static EntryLine credit(Number entryId, String account, long points) {
+        return new EntryLine(entryId.intValue(), account, points, LineKind.CREDIT);
+    }
+}'''),
      D("ledgerservice/src/main/java/io/acme/ledger/PostingService.java", "63 public Posting post(PostingRequest req) {", '''
     public Posting post(PostingRequest req) {
-        Long entryId = entries.insert(req.reference(), req.bookedAt());
-        lines.insertAll(List.of(
-            EntryLine.builder().entryId(entryId).account(req.from()).points(-req.points()).kind(LineKind.DEBIT).build(),
-            EntryLine.builder().entryId(entryId).account(req.to()).points(req.points()).kind(LineKind.CREDIT).build()));
+        var entryId = entries.insert(req.reference(), req.bookedAt());
+        lines.insertAll(List.of(
+            EntryLine.debit(entryId, req.from(), req.points()),
+            EntryLine.credit(entryId, req.to(), req.points())));
         return new Posting(entryId, req.reference());
     }'''))
    C("gc", "noah.bergstrom", "06:40:33", "perf(ledger): generational ZGC on JDK 21",
      D("ledgerservice/Dockerfile", "9", '''
 COPY --from=build /app/target/ledger.jar /app/ledger.jar
-ENTRYPOINT ["java", "-XX:+UseG1GC", "-XX:MaxRAMPercentage=70", "-jar", "/app/ledger.jar"]
+ENTRYPOINT ["java", "-XX:+UseZGC", "-XX:+ZGenerational", "-XX:MaxRAMPercentage=70", "-jar", "/app/ledger.jar"]'''))
    C("points", "fatima.zahra", "08:15:07", "feat(loyalty): round campaign points half up",
      D("loyaltyservice/src/main/java/io/acme/loyalty/CampaignCalculator.java", "29 long pointsFor(Money basket, Campaign c) {", '''
     long pointsFor(Money basket, Campaign c) {
-        return basket.minorUnits() * c.multiplier() / 10_000;
+        return BigDecimal.valueOf(basket.minorUnits())
+            .multiply(BigDecimal.valueOf(c.multiplier()))
+            .divide(BigDecimal.valueOf(10_000), 0, RoundingMode.HALF_UP)
+            .longValueExact();
     }'''))
    C("fk", "tomas.novak", "11:58:48", "db(ledger): validate the line -> entry foreign key left NOT VALID since 2024",
      D("ledgerdb/migrations/V118__validate_line_entry_fk.sql", "0", '''
+-- the constraint has been enforced for new rows since V071; this only checks the old ones
+SET lock_timeout = '3s';
+ALTER TABLE ledger_lines VALIDATE CONSTRAINT ledger_lines_entry_id_fkey;'''),
      D("ledgerdb/schema.sql", "88 CREATE TABLE ledger_lines (", '''
 CREATE TABLE ledger_lines (
     id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     entry_id  bigint NOT NULL,
     account   text   NOT NULL,
     points    bigint NOT NULL,
     kind      text   NOT NULL
 );
 ALTER TABLE ledger_lines ADD CONSTRAINT ledger_lines_entry_id_fkey
-    FOREIGN KEY (entry_id) REFERENCES ledger_entries (id) NOT VALID;
+    FOREIGN KEY (entry_id) REFERENCES ledger_entries (id);'''))
    C("batch", "yuki.tanaka", "12:11:26", "perf(loyalty): post welcome bonuses in batches of 50",
      D("loyaltyservice/src/main/java/io/acme/loyalty/WelcomeBonusJob.java", "34 public void run() {", '''
     public void run() {
-        for (Member m : members.withoutWelcomeBonus()) {
-            ledger.post(bonus(m));
+        for (List<Member> chunk : Lists.partition(members.withoutWelcomeBonus(), 50)) {
+            ledger.postAll(chunk.stream().map(this::bonus).toList());
         }
     }
'''), D("loyaltyservice/src/main/java/io/acme/loyalty/LedgerClient.java", "41", '''
     public Posting post(PostingRequest req) {
         return http.post("/postings", req, Posting.class);
     }
+
+    public List<Posting> postAll(List<PostingRequest> reqs) {
+        return reqs.stream().map(this::post).toList();
+    }'''))
    C("timeout", "carlos.mendez", "10:31:55", "chore(checkout): loyalty call timeout from config",
      D("checkoutservice/src/config.ts", "18 export const config = {", '''
 export const config = {
   paymentTimeoutMs: env.int("PAYMENT_TIMEOUT_MS", 8000),
+  loyaltyTimeoutMs: env.int("LOYALTY_TIMEOUT_MS", 2500),
   stockTimeoutMs: env.int("STOCK_TIMEOUT_MS", 1500),'''),
      D("checkoutservice/src/clients/loyalty.ts", "7", '''
 export const loyalty = createClient({
   baseUrl: config.loyaltyUrl,
-  timeoutMs: 2500,
+  timeoutMs: config.loyaltyTimeoutMs,
 });'''))
    C("readme", "grace.kim", "09:20:11", "docs(ledger): diagram of double-entry postings", files=["ledgerservice/README.md"])
    C("nav", "lena.fischer", "12:22:09", "feat(web): points balance in the account menu",
      D("webgateway/web/AccountMenu.tsx", "31 export function AccountMenu() {", '''
 export function AccountMenu() {
   const { user } = useSession();
+  const { data: balance } = useQuery(["points", user.id], () => api.get(`/loyalty/${user.id}/balance`), { staleTime: 60_000 });
   return (
     <Menu>
       <MenuItem href="/account">{t("account.profile")}</MenuItem>
+      {balance && <MenuItem href="/points">{t("account.points", { n: balance.points })}</MenuItem>}
       <MenuItem href="/orders">{t("account.orders")}</MenuItem>'''))
    s.deploy("06:55:00", "ledgerservice", "primitives")
    s.deploy("09:05:00", "loyaltyservice", "points")
    s.deploy("10:05:00", "ledgerservice", "gc")
    s.deploy("10:50:00", "checkoutservice", "timeout")
    s.deploy("12:14:00", "ledgerdb", "fk", "V118", log=False)
    s.once("12:14:09", "ledgerdb", "INFO", "ALTER TABLE ledger_lines VALIDATE CONSTRAINT ledger_lines_entry_id_fkey completed in 5112ms, 0 violations")
    s.deploy("12:25:30", "loyaltyservice", "batch")
    s.deploy("12:33:00", "webgateway", "nav")
    s.flag("12:30:00", "welcome_bonus_autumn", "loyaltyservice", "off->on", "fatima.zahra")
    s.flag("08:00:00", "ledger_read_replica", "ledgerservice", "off->on", "tomas.novak")
    s.bg("ledgerservice", "posting booked", {"http.route": "/postings"}, w=3)
    s.bg("ledgerservice", "balance served in <N:4-38>ms", {"http.route": "/balances/{account}"}, w=2)
    s.bg("loyaltyservice", "points granted campaign=<V:spring|partner|welcome>", w=2)
    s.bg("checkoutservice", "order placed", {"http.route": "/checkout"}, w=2)
    s.bg("webgateway", "request completed", {"http.route": "/"}, w=2)
    s.bg("ledgerdb", "checkpoint complete: wrote <N:900-4200> buffers", w=.5)
    s.ev("checkoutservice", "WARN", "address provider slow, continuing without suggestion", lambda m: .02)
    s.ev("ledgerservice", "ERROR", "duplicate key value violates unique constraint \"ledger_entries_reference_key\"", lambda m: .018, {"http.route": "/postings"})
    s.ev("loyaltyservice", "WARN", "member <ID> has no tier, assuming base", lambda m: .03)
    s.ev("ledgerservice", "ERROR", "insert or update on table \"ledger_lines\" violates foreign key constraint \"ledger_lines_entry_id_fkey\"",
         lambda m: 1.9 * bad(m) / .41, {"http.route": "/postings", "db.detail": lambda m: "Key (entry_id)=(%d) is not present in table \"ledger_entries\"." % (int(gauge(m, None)) - 2 ** 32)},
         [("loyaltyservice", "ERROR", "posting failed: ledgerservice 500", {"http.route": "/grants"}, .85),
          ("checkoutservice", "ERROR", "points redemption failed, payment aborted", {"http.route": "/checkout"}, .45)])
    s.ev("ledgerdb", "ERROR", "transaction aborted (23503) application_name=ledgerservice", lambda m: .5 * bad(m) / .41)
    s.ev("webgateway", "WARN", "checkout answered 500, showing retry page", lambda m: .35 * bad(m) / .41, {"http.route": "/checkout"})
    s.simulate(); s.run_logs(4)
    good = ("checkoutservice", "POST /checkout", 236, OK, None, [("loyaltyservice", "POST /grants", 80, OK, None,
            [("ledgerservice", "POST /postings", 41, OK, None, [("ledgerdb", "INSERT ledger_entries", 5, OK, None, []), ("ledgerdb", "INSERT ledger_lines", 7, OK, None, [])])])])
    badt = ("checkoutservice", "POST /checkout", 188, ERR, {"error": "points redemption failed"}, [("loyaltyservice", "POST /grants", 86, ERR, None,
            [("ledgerservice", "POST /postings", 49, ERR, {"error": "SQLSTATE 23503"}, [("ledgerdb", "INSERT ledger_entries", 5, OK, None, []), ("ledgerdb", "INSERT ledger_lines", 6, ERR, None, [])])])])
    for t in ("06:10:10", "07:31:12", "12:18:03", "12:31:44"): s.span_tree(t, good, .2)
    for t in ("12:41:10", "12:48:02"): s.span_tree(t, badt, .2)
    s.span_tree("12:49:15", ("loyaltyservice", "GET /balance", 44, OK, None, [("ledgerservice", "GET /balances/{account}", 18, OK, None, [("ledgerdb", "SELECT ledger_balances", 6, OK, None, [])])]), .2)
    s.alert("ledgerservice", "post_error_ratio", .05, "12:45:00", "critical", "ledger-post-errors", "ledgerservice postings failing above 5% for 5m")
    s.finish("primitives", "ledgerservice", ["loyaltyservice", "checkoutservice", "webgateway"], "rollback", "integer overflow", "12:37:00",
        "Guilty {primitives} (06:55): EntryLine.entryId became int through Number.intValue(). All is well until the sequence passes 2147483647 at 12:37, 5h42m later "
        "(ledgerdb sequence_last_value gauge); from then on the line carries a negative entry id and breaks the foreign key, every posting fails, reads do not. {fk} (12:14) only validated old rows "
        "(0 violations), the key was enforced before; {batch} and {nav} are the last deploys before the onset and do not write ids; {points} uses longValueExact in another service.")


# ================================================================ 3. file-descriptor leak
@incident
def media_upload_accept_failures():
    s = Inc("media-upload-accept-failures", "2026-06-03", "05:00", "12:20", 4, 303)
    s.traffic = lambda m: .6 + .4 / (1 + math.exp(-(m - 130) / 40))
    s.svc("sellerweb", 260, 240, .003, .4, {"uploadgateway": (.6, .25)})
    s.svc("uploadgateway", 74, 310, .002, .36, {"mediaservice": (1, .9)})
    s.svc("listingservice", 190, 110, .002, .35, {"mediaservice": (.2, .2)})
    s.svc("mediaservice", 92, 260, .002, .46)
    s.svc("searchservice", 300, 75, .001, .39)
    d1, d2, on = s.m("05:42"), s.m("08:20"), s.m("11:53")
    def fds(m, st=None):
        if m < d1:
            return 212
        a = d1 if m < d2 else d2
        k, x = 0.0, a
        while x < m:
            d = min(4, m - x); k += d * 18.9 * s.traffic(x); x += d
        return min(4090, 205 + k)
    bad = lambda m: ramp(m, on, on + 8, 0, .64)
    s.hit("mediaservice", err=bad, p99=lambda m: 3900 * bad(m), cpu=lambda m: -.12 * bad(m))
    s.col("mediaservice", "error_rate_5xx_ratio")
    s.col("mediaservice", "http_server_duration_p99_ms")
    s.col("mediaservice", "requests_per_sec")
    s.col("mediaservice", "cpu_utilization")
    s.col("mediaservice", "process_open_fds_max", fds, .006, 0, hi=4096)
    s.col("mediaservice", "process_max_fds", lambda m, st: 4096, 0, 0)
    s.col("mediaservice", "go_goroutines", lambda m, st: 340 * s.traffic(m) + 500 * bad(m), .07, 0)
    s.col("mediaservice", "container_memory_rss_mb", lambda m, st: 610 + ramp(m, d2 + 10, d2 + 120, 0, 35), .02, 1)
    s.col("mediaservice", "tcp_connections_established", lambda m, st: 131 * s.traffic(m), .06, 0)
    s.col("uploadgateway", "error_rate_5xx_ratio")
    s.col("listingservice", "http_server_duration_p99_ms")
    s.col("sellerweb", "error_rate_5xx_ratio")
    s.col("searchservice", "http_server_duration_p99_ms")
    C = s.commit
    C("thumb", "deepak.rao", "04:51:38", "perf(thumbs): do not re-encode sources that already fit",
      D("mediaservice/internal/thumb/thumb.go", "48 func (g *Generator) Make(ctx context.Context, path string, max image.Point) (*Thumb, error) {", '''
 func (g *Generator) Make(ctx context.Context, path string, max image.Point) (*Thumb, error) {
     src, err := os.Open(path)
     if err != nil {
         return nil, fmt.Errorf("open spool: %w", err)
     }
-    defer src.Close()
 
+    cfg, format, err := image.DecodeConfig(src)
+    if err == nil && g.keeps(format) && cfg.Width <= max.X && cfg.Height <= max.Y {
+        return &Thumb{Path: path, Width: cfg.Width, Height: cfg.Height, Format: format}, nil
+    }
+    if _, err := src.Seek(0, io.SeekStart); err != nil {
+        src.Close()
+        return nil, err
+    }
     img, _, err := image.Decode(src)
+    src.Close()
     if err != nil {
         return nil, &DecodeError{Path: path, Err: err}
     }
     return g.encode(ctx, resize.Fit(img, max), path)
 }'''))
    C("pool", "wei.zhang", "07:52:20", "feat(media): larger keep-alive pool towards object storage",
      D("mediaservice/internal/store/client.go", "22 func newTransport() *http.Transport {", '''
 func newTransport() *http.Transport {
     return &http.Transport{
         Proxy:               http.ProxyFromEnvironment,
-        MaxIdleConns:        64,
-        MaxIdleConnsPerHost: 32,
+        MaxIdleConns:        256,
+        MaxIdleConnsPerHost: 128,
         IdleConnTimeout:     90 * time.Second,
     }
 }'''))
    C("spool", "marta.kowalski", "07:58:51", "fix(media): remove spool files of aborted uploads",
      D("mediaservice/internal/spool/spool.go", "71 func (s *Spool) Receive(ctx context.Context, r io.Reader) (string, error) {", '''
 func (s *Spool) Receive(ctx context.Context, r io.Reader) (string, error) {
     f, err := os.CreateTemp(s.dir, "up-*")
     if err != nil {
         return "", err
     }
     defer f.Close()
     if _, err := io.Copy(f, r); err != nil {
+        os.Remove(f.Name())
         return "", fmt.Errorf("receive: %w", err)
     }
     return f.Name(), nil
 }'''))
    C("watch", "tunde.okafor", "07:25:02", "feat(search): hot reload of the synonym file",
      D("searchservice/internal/synonyms/watch.go", "14 func Watch(ctx context.Context, path string, apply func(*Set)) error {", '''
 func Watch(ctx context.Context, path string, apply func(*Set)) error {
+    w, err := fsnotify.NewWatcher()
+    if err != nil {
+        return err
+    }
+    defer w.Close()
+    if err := w.Add(path); err != nil {
+        return err
+    }
     for {
         select {
         case <-ctx.Done():
             return nil
+        case <-w.Events:
+            if set, err := Load(path); err == nil {
+                apply(set)
+            }
         }
     }
 }'''))
    C("multipart", "priya.nair", "11:30:17", "feat(gateway): stream multipart parts instead of buffering",
      D("uploadgateway/src/main/kotlin/UploadRoute.kt", "38 post(\"/uploads\") {", '''
     post("/uploads") {
-        val parts = call.receiveMultipart().readAllParts()
-        val id = media.store(parts.filterIsInstance<PartData.FileItem>().first().streamProvider().readBytes())
+        lateinit var id: MediaId
+        call.receiveMultipart().forEachPart { part ->
+            if (part is PartData.FileItem) part.provider().use { id = media.storeStream(it) }
+            part.dispose()
+        }
         call.respond(HttpStatusCode.Created, mapOf("id" to id.value))
     }'''))
    C("limit", "amir.haddad", "11:20:45", "chore(gateway): upload size limit 25 -> 40 MB",
      D("uploadgateway/deploy/values.yaml", "19 upload:", '''
 upload:
-  maxBytes: 26214400
+  maxBytes: 41943040
   readTimeout: 60s'''))
    C("exif", "sofia.marino", "10:02:33", "feat(listings): show the photo date when present",
      D("listingservice/app/serializers/photo.py", "17 class PhotoOut(BaseModel):", '''
 class PhotoOut(BaseModel):
     url: HttpUrl
     width: int
     height: int
+    taken_at: datetime | None = None'''))
    C("lint", "jdoe", "06:33:08", "ci: golangci-lint 1.58", files=[".github/workflows/lint.yml"])
    s.deploy("05:42:00", "mediaservice", "thumb")
    s.deploy("07:40:00", "searchservice", "watch")
    s.deploy("08:20:00", "mediaservice", "spool")
    s.once("08:19:12", "mediaservice", "INFO", "release v2026.06.03-0820 contains: larger keep-alive pool towards object storage; remove spool files of aborted uploads")
    s.deploys.append(dict(timestamp=s.T("08:20:00").strftime(UTC), service="mediaservice", commit_sha=s.commits["pool"]["sha"], version="v2026.06.03-0820"))
    s.deploy("10:30:00", "listingservice", "exif")
    s.deploy("11:36:00", "uploadgateway", "limit")
    s.deploy("11:47:00", "uploadgateway", "multipart")
    s.flag("11:40:00", "seller_bulk_upload", "sellerweb", "25%->50%", "grace.kim")
    s.bg("mediaservice", "media stored size_kb=<N:180-5200>", {"http.route": "/media"}, w=3)
    s.bg("mediaservice", "thumbnail ready <V:reused|encoded> in <N:6-160>ms", w=3)
    s.bg("uploadgateway", "upload accepted", {"http.route": "/uploads"}, w=2)
    s.bg("listingservice", "listing rendered", {"http.route": "/listings/{id}"}, w=2)
    s.bg("searchservice", "query served in <N:12-80>ms", w=2)
    s.ev("uploadgateway", "WARN", "client closed connection during upload", lambda m: .035)
    s.ev("mediaservice", "WARN", "decode failed: unsupported colour model", lambda m: .025)
    s.ev("searchservice", "WARN", "shard 3 answered late (<N:210-600>ms)", lambda m: .03)
    s.ev("mediaservice", "ERROR", "http: Accept error: accept tcp [::]:8080: accept4: too many open files; retrying in <N:5-1000>ms", lambda m: 1.5 * bad(m), {"k8s.pod": "mediaservice-5b8d77c94f-<V:2xkqp|9hjzr|mlv7t>"})
    s.ev("mediaservice", "ERROR", "open spool: open /var/spool/media/up-<ID>: too many open files", lambda m: 1.3 * bad(m), {"http.route": "/media"},
         [("uploadgateway", "ERROR", "mediaservice answered 500", {"http.route": "/uploads"}, .8), ("sellerweb", "ERROR", "photo upload failed, user asked to retry", {"http.route": "/sell"}, .4)])
    s.ev("uploadgateway", "ERROR", "dial mediaservice:8080: i/o timeout", lambda m: .9 * bad(m), {"http.route": "/uploads"})
    s.ev("listingservice", "WARN", "media metadata unavailable, placeholder used", lambda m: .5 * bad(m), {"http.route": "/listings/{id}"})
    s.simulate(); s.run_logs(4)
    good = ("sellerweb", "POST /sell/photo", 420, OK, None, [("uploadgateway", "POST /uploads", 330, OK, None, [("mediaservice", "POST /media", 250, OK, None,
            [("mediaservice", "spool.receive", 120, OK, None, []), ("mediaservice", "thumb.make", 60, OK, None, [])])])])
    for t in ("05:20:10", "06:31:00", "10:42:17", "11:50:01"): s.span_tree(t, good, .3)
    s.span_tree("11:58:30", ("sellerweb", "POST /sell/photo", 5200, ERR, None, [("uploadgateway", "POST /uploads", 5080, ERR, {"error": "i/o timeout"}, [])]), .1)
    s.span_tree("12:02:11", ("sellerweb", "POST /sell/photo", 610, ERR, None, [("uploadgateway", "POST /uploads", 540, ERR, None, [("mediaservice", "POST /media", 470, ERR, {"error": "too many open files"},
            [("mediaservice", "spool.receive", 118, OK, None, []), ("mediaservice", "thumb.make", 1, ERR, None, [])])])]), .1)
    s.alert("uploadgateway", "error_rate_5xx_ratio", .05, "12:04:00", "critical", "upload-5xx", "uploadgateway 5xx ratio above 5% for 8m")
    s.finish("thumb", "mediaservice", ["uploadgateway", "sellerweb", "listingservice"], "rollback", "file-descriptor leak", "11:53:00",
        "Guilty {thumb} (05:42): the early return for sources that fit does not close src any more (the defer is gone). process_open_fds_max climbs by the same slope (per request) from 05:42 on, "
        "is reset by the restart of the 08:20 release and climbs on at the same slope, until 4096 at 11:53. {pool} and {spool} (08:20) came when the climb was two and a half hours old; connections stay flat, so the pool is not it. "
        "{multipart} and {limit} on the paged uploadgateway are the latest deploys; its own calls fail because mediaservice cannot accept.")


# ================================================================ 4. regular expression
@incident
def profile_service_event_loop_stalls():
    s = Inc("profile-service-event-loop-stalls", "2026-03-17", "12:30", "15:12", 1, 404)
    s.svc("accountweb", 340, 190, .002, .37, {"profileservice": (.8, .5)})
    s.svc("checkoutservice", 120, 260, .003, .4, {"profileservice": (.7, .35)})
    s.svc("partnerimport", 6, 420, .004, .21, {"profileservice": (1, .8)})
    s.svc("profileservice", 210, 48, .001, .31, cap=15000)
    s.svc("profiledb", 430, 9, .0001, .24)
    s.svc("mailservice", 40, 130, .002, .2)
    on, full = s.m("14:41"), s.m("14:52")
    z = lambda m: ramp(m, on, full, 0, 1)
    spike = lambda m: (.35 if int(m * 7919) % 5 == 0 else 1) * z(m)
    s.hit("profileservice", p99=lambda m: 11800 * spike(m), err=lambda m: .34 * spike(m), cpu=lambda m: .66 * z(m) if m > on else 0)
    s.hit("profiledb", rps=lambda m: 1 - .45 * z(m))
    s.hit("partnerimport", rps=lambda m: 3.1 if on - 1 <= m < on + 2 else .3 if m >= on + 2 else 1)
    s.col("profileservice", "http_server_duration_p99_ms")
    s.col("profileservice", "error_rate_5xx_ratio")
    s.col("profileservice", "requests_per_sec")
    s.col("profileservice", "cpu_utilization")
    s.col("profileservice", "nodejs_eventloop_lag_p99_ms", lambda m, st: 14 + 9400 * spike(m), .18, 1)
    s.col("profileservice", "nodejs_heap_used_mb", lambda m, st: 148, .05, 1)
    s.col("profileservice", "pod_restart_total", lambda m, st: 2 + max(0, int((m - full + 4) / 3)), 0, 0)
    s.col("profiledb", "db_queries_per_second", lambda m, st: st["profiledb"]["rps"], .01, 1)
    s.col("profiledb", "db_query_duration_p99_ms", lambda m, st: st["profiledb"]["p99"], .01, 1)
    s.col("partnerimport", "rows_per_sec", lambda m, st: st["partnerimport"]["rps"], .05, 2)
    s.col("accountweb", "http_server_duration_p99_ms")
    s.col("accountweb", "error_rate_5xx_ratio")
    s.col("checkoutservice", "http_server_duration_p99_ms")
    s.col("mailservice", "http_server_duration_p99_ms")
    C = s.commit
    C("address", "marta.kowalski", "12:38:05", "fix(validation): accept street lines with apostrophes and hyphens",
      D("profileservice/src/validation/address.ts", "6", '''
 import { z } from "zod";
 
-const STREET = /^[A-Za-z0-9 .,]{3,80}$/;
+// O'Connell St 12-14, Rue de l'Ile, Weststr. 3, ...
+const STREET = /^(?:[\\p{L}\\d]+[ .,'-]?)+$/u;
 
 export const addressSchema = z.object({
-  street: z.string().regex(STREET),
+  street: z.string().min(3).max(80).regex(STREET),
   postcode: z.string().max(12),
   city: z.string().max(60),
   country: z.string().length(2),
 });'''),
      D("profileservice/test/address.test.ts", "11 describe(\"addressSchema\", () => {", '''
 describe("addressSchema", () => {
   const ok = (street: string) => addressSchema.safeParse({ ...base, street }).success;
 
   it("accepts plain lines", () => expect(ok("Main Street 12")).toBe(true));
+  it("accepts apostrophes", () => expect(ok("O'Connell St 12-14")).toBe(true));
+  it("accepts letters of any script", () => expect(ok("ulica Łąkowa 3")).toBe(true));
   it("refuses symbols", () => expect(ok("Main <b>")).toBe(false));
 });'''))
    C("phone", "ivan.petrov", "13:44:52", "fix(validation): phone numbers with brackets and extension",
      D("profileservice/src/validation/phone.ts", "3", '''
-const PHONE = /^\\+?\\d{6,15}$/;
+const PHONE = /^\\+?[\\d ()-]{6,24}(?: ?(?:x|ext\\.) ?\\d{1,5})?$/;
 
 export function normalisePhone(raw: string): string | null {
-  return PHONE.test(raw) ? raw : null;
+  const s = raw.trim();
+  return PHONE.test(s) ? s.replace(/[ ()-]/g, "") : null;
 }'''))
    C("serializer", "noah.bergstrom", "14:06:30", "perf(profile): fast-json-stringify for the profile response",
      D("profileservice/src/routes/profile.ts", "24 export async function getProfile(req: Req, reply: Reply) {", '''
+const stringify = fastJson(profileResponseSchema);
+
 export async function getProfile(req: Req, reply: Reply) {
   const p = await repo.byId(req.params.id);
   if (!p) return reply.code(404).send();
-  return reply.send(toResponse(p));
+  return reply.type("application/json").send(stringify(toResponse(p)));
 }'''))
    C("importretry", "yuki.tanaka", "14:27:16", "feat(import): re-queue rejected rows and run 8 rows in parallel",
      D("partnerimport/importer/run.py", "52 async def import_file(path: Path, client: ProfileClient) -> Report:", '''
 async def import_file(path: Path, client: ProfileClient) -> Report:
     report = Report(path.name)
-    for row in read_rows(path):
-        await put_row(client, row, report)
+    limit = asyncio.Semaphore(8)
+
+    async def one(row: Row) -> None:
+        async with limit:
+            ok = await put_row(client, row, report)
+            if not ok and row.attempt < 2:
+                await asyncio.sleep(random.uniform(5, 20))
+                await put_row(client, row.again(), report)
+
+    await asyncio.gather(*(one(r) for r in read_rows(path)))
     return report'''))
    C("dbidx", "tomas.novak", "13:10:40", "db(profile): drop unused index on addresses.created_at",
      D("profiledb/migrations/0077_drop_addresses_created_at_idx.sql", "0", '''
+-- idx_scan = 0 since 2025-11 on primary and replicas
+DROP INDEX CONCURRENTLY IF EXISTS idx_addresses_created_at;'''))
    C("probe", "wei.zhang", "11:50:21", "chore(profile): liveness probe period 10s -> 15s",
      D("profileservice/deploy/deployment.yaml", "47", '''
           livenessProbe:
             httpGet: { path: /live, port: 3000 }
-            periodSeconds: 10
+            periodSeconds: 15
             timeoutSeconds: 5
             failureThreshold: 3'''))
    C("banner", "lena.fischer", "14:32:03", "feat(account): address book empty state",
      D("accountweb/src/pages/AddressBook.tsx", "18 export function AddressBook() {", '''
   const { data } = useAddresses();
+  if (data?.length === 0) {
+    return <EmptyState title={t("addr.none")} action={<AddAddress />} />;
+  }
   return <AddressList items={data ?? []} />;'''))
    C("docs", "fatima.zahra", "13:02:44", "docs: partner file format v3", files=["partnerimport/docs/format-v3.md"])
    s.deploy("12:36:00", "profileservice", "probe")
    s.deploy("13:05:00", "profileservice", "address")
    s.deploy("13:22:00", "profiledb", "dbidx", "migration-0077", log=False)
    s.deploy("14:00:00", "profileservice", "phone")
    s.deploy("14:22:30", "profileservice", "serializer")
    s.deploy("14:34:00", "partnerimport", "importretry")
    s.deploy("14:37:30", "accountweb", "banner")
    s.flag("14:30:00", "partner_sftp_poll", "partnerimport", "off->on", "yuki.tanaka")
    s.flag("12:45:00", "profile_avatar_v2", "profileservice", "off->on", "grace.kim")
    s.bg("accountweb", "served page", {"http.route": "/account"}, w=3)
    s.bg("profileservice", "profile read", {"http.route": "/v1/profiles/{id}", "duration_ms": "<N:8-60>"}, w=3)
    s.bg("profileservice", "address saved", {"http.route": "/v1/profiles/{id}/addresses", "duration_ms": "<N:12-70>"}, w=1)
    s.bg("checkoutservice", "delivery address resolved", w=2)
    s.bg("mailservice", "mail queued template=<V:welcome|invoice|reset>", w=1)
    s.bg("partnerimport", "row imported", {"file": "kiosk-<N:200-299>.csv"}, w=1)
    s.ev("mailservice", "ERROR", "smtp 451 temporary local problem, requeued", lambda m: .05)
    s.ev("accountweb", "WARN", "csp report: blocked inline script", lambda m: .04)
    s.ev("partnerimport", "WARN", "row rejected: postcode too long", lambda m: .05)
    for k, x in enumerate(("13:31:12", "14:09:40")):
        s.once(x, "profileservice", "WARN", f"event loop blocked for {(415, 1702)[k]}ms", {"http.route": "/v1/profiles/{id}/addresses"}, sig="event loop blocked for <N>ms")
        s.once(x, "profileservice", "INFO", "request rejected: street invalid", {"http.route": "/v1/profiles/{id}/addresses", "duration_ms": (433, 1731)[k], "body.street_len": (28, 30)[k]})
    s.once("14:40:20", "partnerimport", "INFO", "picked up file metro-lockers-0317.csv rows=41250", {"source": "sftp", "format": "v3"}, sig="picked up file <V> rows=<N>")
    s.ev("profileservice", "WARN", "event loop blocked for <N:3100-14800>ms", lambda m: 1.4 * z(m), {"k8s.pod": "profileservice-58c6f<V:-7wq2m|-k4d9x|-zzt61|-hp0rc>"})
    s.ev("profileservice", "INFO", "request rejected: street invalid", lambda m: .6 * z(m), {"http.route": "/v1/profiles/{id}/addresses", "duration_ms": "<N:4200-14900>", "body.street_len": "<N:34-37>"},
         [("partnerimport", "WARN", "row rejected: street '<V:Hauptbahnhof|Zentralbahnhof|Flughafenhalle> Schliessfach <V:Ebene|Halle> #<N:1-40>'", None, .8)])
    s.ev("profileservice", "WARN", "Liveness probe failed: context deadline exceeded", lambda m: .35 * (m > full), {"k8s.event": "Unhealthy"})
    s.ev("accountweb", "ERROR", "profileservice timeout after 3000ms", lambda m: 1.1 * z(m), {"http.route": "/account"})
    s.ev("checkoutservice", "ERROR", "profile lookup failed: upstream timeout", lambda m: .8 * z(m), {"http.route": "/checkout"})
    s.ev("partnerimport", "WARN", "PUT address timed out, row re-queued", lambda m: .5 * z(m))
    s.simulate(); s.run_logs()
    get = lambda a, b: ("accountweb", "GET /account", a, OK if a < 3000 else ERR, None, [("profileservice", "GET /v1/profiles/{id}", b, OK, None,
                       [("profiledb", "SELECT profiles", 4, OK, None, [])])])
    put = lambda a, st: ("partnerimport", "PUT address", a + 9, st, None, [("profileservice", "PUT /v1/profiles/{id}/addresses", a, OK, {"http.status_code": 400 if a > 900 else 200},
                       [("profileservice", "schema.parse", a - 16 if a < 900 else a - 3, OK, None, [])] + ([("profiledb", "INSERT addresses", 7, OK, None, [])] if a < 900 else []))])
    s.span_tree("12:50:03", put(34, OK), .1); s.span_tree("13:40:11", get(150, 41), .2); s.span_tree("14:36:20", put(31, OK), .1)
    s.span_tree("14:44:02", put(8120, OK), 0); s.span_tree("14:46:41", put(36, OK), .05); s.span_tree("14:51:10", get(3004, 9120), 0); s.span_tree("14:55:48", put(14210, OK), 0)
    s.alert("accountweb", "http_server_duration_p99_ms", 1500, "14:53:00", "critical", "accountweb-p99", "accountweb p99 above 1500ms for 5m")
    s.finish("address", "profileservice", ["accountweb", "checkoutservice", "partnerimport"], "rollback", "catastrophic regular expression", "14:41:00",
        "Guilty {address} (13:05): STREET is now (?:[\\p{L}\\d]+[ .,'-]?)+ with an optional separator, exponential on a long line that ends in a forbidden character. Two single stalls (0.4 s at 28 characters, 1.7 s at 30) "
        "came already at 13:31 and 14:09; the partner file picked up at 14:40 has thousands of lines with '#'. Time is spent in schema.parse, database idle. {phone} has no nested repetition; {serializer} concerns the response; "
        "{importretry} sends more rows at most (18/s for two minutes, nothing for a service of 210/s, then the rate falls below normal); good rows of the same import still take 36 ms.")


# ================================================================ 5. worker concurrency
@incident
def notification_delivery_lag():
    s = Inc("notification-delivery-lag", "2026-02-25", "16:00", "18:24", 1, 505)
    s.traffic = lambda m: 1 + .16 / (1 + math.exp(-(m - 60) / 14))
    s.svc("authservice", 85, 140, .002, .33)
    s.svc("orderservice", 120, 170, .002, .36)
    s.svc("notifierworker", 92, 180, .003, .52)
    s.svc("rabbitmq", 92, 6, 0, .28)
    s.svc("templateservice", 92, 22, .001, .25)
    s.svc("accountweb", 300, 160, .002, .4, {"authservice": (.8, .2)})
    dep = s.m("17:10:30")
    cap = lambda m: 250.0 if m < dep else 84.0
    q, depth = 0.0, []
    for i in range(s.n):
        q = max(0.0, q + 60 * (86 * s.traffic(i) - cap(i)) * 1.0)
        depth.append(q)
    dq = lambda m: depth[min(s.n - 1, int(m))]
    age = lambda m: .3 + dq(m) / cap(m)
    full = next(i for i in range(s.n) if depth[i] > 42000)
    blocked = lambda m: ramp(m, full, full + 6, 0, 1)
    s.hit("rabbitmq", p99=lambda m: 900 * blocked(m))
    s.hit("authservice", p99=lambda m: 1700 * blocked(m), err=lambda m: .07 * blocked(m))
    s.hit("orderservice", p99=lambda m: 1500 * blocked(m), err=lambda m: .02 * blocked(m))
    s.col("notifierworker", "oldest_message_age_seconds", lambda m, st: age(m), .05, 1)
    s.col("notifierworker", "messages_processed_per_sec", lambda m, st: min(86 * s.traffic(m) if m < dep else 84, cap(m)), .02, 1)
    s.col("notifierworker", "task_duration_p99_ms", lambda m, st: 412, .06, 1)
    s.col("notifierworker", "busy_slots_ratio", lambda m, st: .34 * s.traffic(m) if m < dep else .992, .008, 3, hi=1)
    s.col("notifierworker", "pod_ready_replicas", lambda m, st: 4, 0, 0)
    s.col("notifierworker", "cpu_utilization", lambda m, st: .37 * s.traffic(m) if m < dep else .36, .04, 3)
    s.col("notifierworker", "provider_call_error_ratio", lambda m, st: .004, .4, 4)
    s.col("rabbitmq", "queue_messages_ready", lambda m, st: 20 + dq(m), .03, 0)
    s.col("rabbitmq", "publish_confirm_p99_ms", lambda m, st: st["rabbitmq"]["p99"], .02, 1)
    s.col("rabbitmq", "messages_published_per_sec", lambda m, st: 86 * s.traffic(m) * (1 - .12 * blocked(m)), .025, 1)
    s.col("templateservice", "http_server_duration_p99_ms")
    s.col("authservice", "http_server_duration_p99_ms")
    s.col("authservice", "error_rate_5xx_ratio")
    s.col("orderservice", "http_server_duration_p99_ms")
    s.col("accountweb", "http_server_duration_p99_ms")
    C = s.commit
    C("chart", "tunde.okafor", "16:44:12", "chore(helm): move workers to the shared library chart",
      D("notifierworker/deploy/Chart.yaml", "5", '''
 version: 2.8.0
-dependencies: []
+dependencies:
+  - name: worker-lib
+    version: 1.4.2
+    repository: oci://charts.internal/lib'''),
      D("notifierworker/deploy/values.yaml", "8", '''
-replicaCount: 4
-image:
-  repository: registry.internal/notifierworker
-celery:
-  concurrency: 12
-  prefetchMultiplier: 2
-  queues: [notify.high, notify.default]
-resources:
-  limits: { cpu: "2", memory: 1Gi }
+worker-lib:
+  replicaCount: 4
+  image:
+    repository: registry.internal/notifierworker
+  celery:
+    concurrency: 12
+    queues: [notify.high, notify.default]
+    prefetch: 2
+  resources:
+    limits: { cpu: "2", memory: 1Gi }'''),
      D("charts/worker-lib/templates/_deployment.tpl", "31 {{- define \"worker-lib.container\" }}", '''
   command: ["celery", "-A", {{ .Values.app | default "app.tasks" | quote }}, "worker"]
   args:
     - --queues={{ join "," .Values.celery.queues }}
-    - --concurrency={{ .Values.celery.concurrency | default 4 }}
-    - --prefetch-multiplier={{ .Values.celery.prefetchMultiplier | default 1 }}
+    - --concurrency={{ .Values.celery.processes | default 4 }}
+    - --prefetch-multiplier={{ .Values.celery.prefetch | default 1 }}
   resources: {{- toYaml .Values.resources | nindent 4 }}'''))
    C("breaker", "sofia.marino", "17:05:29", "feat(notify): circuit breaker per SMS provider",
      D("notifierworker/app/providers/sms.py", "27 class SmsSender:", '''
 class SmsSender:
+    def __init__(self, providers: list[Provider]):
+        self._providers = providers
+        self._breakers = {p.name: CircuitBreaker(fail_max=20, reset_timeout=30) for p in providers}
+
     def send(self, msg: Sms) -> Receipt:
         for p in self._providers:
             try:
-                return p.send(msg)
-            except ProviderError:
+                return self._breakers[p.name].call(p.send, msg)
+            except (ProviderError, CircuitBreakerError):
                 log.warning("provider %s refused, trying next", p.name)
         raise Undeliverable(msg.id)'''))
    C("broker", "carlos.mendez", "17:22:53", "chore(rabbitmq): 3.12.12 -> 3.12.14",
      D("infra/rabbitmq/cluster.yaml", "9 spec:", '''
 spec:
   replicas: 3
-  image: rabbitmq:3.12.12-management
+  image: rabbitmq:3.12.14-management
   rabbitmq:
     additionalConfig: |
       vm_memory_high_watermark.relative = 0.6
       queue_leader_locator = balanced'''))
    C("acks", "ivan.petrov", "15:31:40", "fix(notify): acknowledge late so that a killed pod loses no mail",
      D("notifierworker/app/tasks.py", "14", '''
-@app.task(name="notify.send", max_retries=5)
+@app.task(name="notify.send", max_retries=5, acks_late=True, reject_on_worker_lost=True)
 def send(payload: dict) -> None:
     n = Notification.parse_obj(payload)
+    if sent_log.seen(n.id):
+        return
     channel_for(n).send(render(n))
+    sent_log.add(n.id)'''))
    C("tmpl", "grace.kim", "16:51:37", "perf(templates): precompile partials at start-up",
      D("templateservice/src/render.ts", "12", '''
+for (const [name, src] of Object.entries(loadPartials())) {
+  Handlebars.registerPartial(name, Handlebars.compile(src));
+}
+
 export function render(name: string, ctx: object): string {
-  const tpl = Handlebars.compile(readTemplate(name));
+  const tpl = compiled.get(name) ?? compileOnce(name);
   return tpl(ctx);
 }'''))
    C("digest", "fatima.zahra", "17:15:05", "feat(orders): shipping notification per parcel instead of per order",
      D("orderservice/src/events/shipped.ts", "20 export async function onShipped(e: Shipped) {", '''
 export async function onShipped(e: Shipped) {
-  await publish("notify.default", shippedMail(e.order, e.parcels));
+  for (const parcel of e.parcels) {
+    await publish("notify.default", parcelMail(e.order, parcel));
+  }
 }'''))
    C("otp", "amir.haddad", "14:58:18", "refactor(auth): one-time codes through the shared publisher",
      D("authservice/internal/otp/send.go", "33 func (s *Sender) Send(ctx context.Context, u User, code string) error {", '''
 func (s *Sender) Send(ctx context.Context, u User, code string) error {
-    body, err := json.Marshal(otpMail(u, code))
-    if err != nil {
-        return err
-    }
-    return s.ch.PublishWithContext(ctx, "", "notify.high", true, false, amqp.Publishing{Body: body})
+    return s.pub.Publish(ctx, "notify.high", otpMail(u, code))
 }'''))
    C("chg", "jdoe", "16:12:00", "docs: changelog for 2.8", files=["CHANGELOG.md"])
    s.deploy("16:06:00", "notifierworker", "acks", log=False)
    s.deploy("16:25:00", "authservice", "otp")
    s.deploy("17:10:00", "notifierworker", "chart", log=False)
    s.deploy("17:14:00", "templateservice", "tmpl")
    s.deploy("17:33:00", "notifierworker", "breaker", log=False)
    s.deploy("17:37:00", "orderservice", "digest")
    s.deploy("17:41:00", "rabbitmq", "broker", "3.12.14", log=False)
    for x, v, c in (("16:06:31", "1606", 12), ("17:10:28", "1710", 4), ("17:33:33", "1733", 4)):
        s.once(x, "notifierworker", "INFO", f"celery@notifierworker v5.3.6 ready, version v2026.02.25-{v}", {"pool": "prefork", "concurrency": c, "queues": "notify.high,notify.default"}, sig="celery@notifierworker ready, version <version>")
    for k, x in enumerate(("17:41:20", "17:43:02", "17:44:49")):
        s.once(x, "rabbitmq", "INFO", f"node rabbit@rabbitmq-{k} started, rejoined cluster, 0 queues without leader", sig="node <V> started, rejoined cluster")
    s.flag("17:30:00", "sms_provider_weighting", "notifierworker", "70/30->50/50", "sofia.marino")
    s.flag("16:15:00", "order_split_parcels", "orderservice", "off->on", "fatima.zahra")
    s.bg("notifierworker", "task notify.send succeeded in <F:0.1-0.4>s", {"channel": "<V:mail|sms|push>"}, w=4)
    s.bg("orderservice", "event published", {"event": "<V:order.placed|order.shipped|order.paid>"}, w=2)
    s.bg("authservice", "one-time code requested", {"http.route": "/otp"}, w=2)
    s.bg("templateservice", "template rendered in <N:3-19>ms", w=2)
    s.bg("accountweb", "served page", {"http.route": "/login"}, w=2)
    s.ev("notifierworker", "WARN", "provider <V:twinwire|smsbird> refused, trying next", lambda m: .09)
    s.ev("orderservice", "ERROR", "carrier label missing for parcel <ID>", lambda m: .04)
    s.ev("templateservice", "WARN", "unknown locale <V:xx|zz>, using en", lambda m: .05)
    s.ev("authservice", "WARN", "one-time code expired before use", lambda m: .03 + min(1.3, max(0, age(m) - 120) / 300), {"http.route": "/otp/verify"})
    s.ev("rabbitmq", "WARN", "queue notify.default length <N:42000-70000>, applying credit flow to publishers", lambda m: .5 * blocked(m))
    s.ev("authservice", "ERROR", "publish confirm timeout after 2000ms exchange=notify", lambda m: .9 * blocked(m), {"http.route": "/otp"},
         [("accountweb", "WARN", "login code request failed, retry offered", {"http.route": "/login"}, .5)])
    s.ev("orderservice", "WARN", "publish slow: confirm took <N:700-1900>ms", lambda m: .9 * blocked(m))
    s.simulate(); s.run_logs()
    def tr(t, wait, run=188):
        tid = "%032x" % s.rng.getrandbits(128)
        a = s.T(t)
        rows = [("authservice", "POST /otp", None, 0, 88), ("rabbitmq", "publish notify.high", 0, .01, 4.2),
                ("notifierworker", "notify.send", 1, wait / 1000, run), ("templateservice", "render", 2, wait / 1000, 11), ("notifierworker", "provider.send", 2, wait / 1000 + .02, run - 28)]
        for k, (sv, nm, par, off, d) in enumerate(rows):
            sp = dict(trace_id=tid, span_id=f"s{k}", parent_id=None if par is None else f"s{par}", service=sv, name=nm,
                      start=(a + dt.timedelta(seconds=off)).strftime(UTC), duration_ms=round(d * s.rng.uniform(.85, 1.2), 1), status=OK)
            if nm == "notify.send":
                sp["attributes"] = {"messaging.queue_wait_ms": int(wait)}
            s.spans.append((a, sp))
    tr("16:30:10", 38); tr("17:02:44", 51)
    for x in ("17:25:30", "17:36:05", "17:50:15"): tr(x, age(s.m(x)) * 1000)
    s.alert("notifierworker", "oldest_message_age_seconds", 300, "17:49:00", "high", "notify-queue-age", "oldest message in notify queues older than 5 minutes")
    s.finish("chart", "notifierworker", ["rabbitmq", "authservice", "orderservice", "accountweb"], "config-revert", "worker concurrency lowered", "17:15:00",
        "Guilty {chart} (17:10): the library chart now reads celery.processes, the values give celery.concurrency: 12, so each pod runs the default of 4 processes (log at 17:10:28, and again after 17:33). "
        "Throughput is capped at 84/s with busy_slots 0.99 and unchanged task duration, inflow at first hardly above it, so that the queue grows slowly; at about 42000 messages the broker throttles publishers. {breaker} (17:33) and {broker} (17:41) came after the slots were full; "
        "{digest} adds a little inflow at 17:37 at most (published rate smooth); provider errors flat.")


# ================================================================ 6. cache key without the tenant
@incident
def workspace_document_mismatch():
    s = Inc("workspace-document-mismatch", "2026-06-09", "09:00", "11:06", 1, 606)
    s.svc("workspaceweb", 520, 210, .002, .42, {"docservice": (.8, .9)})
    s.svc("docservice", 380, 64, .001, .39, {"authzservice": (.4, .5)})
    s.svc("authzservice", 700, 11, .0005, .35)
    s.svc("docdb", 110, 14, .0001, .33)
    s.svc("exportservice", 9, 900, .004, .2, {"docservice": (1, 1)})
    s.svc("searchindexer", 30, 80, .002, .26)
    on = s.m("10:23")
    z = lambda m: 0 if m < on else 1 - math.exp(-(m - on) / 13)
    cold = lambda m: .55 * math.exp(-(m - on + 3) / 2.5) if m >= on - 3 else 0  # new key version: every key is cold once
    s.hit("docdb", rps=lambda m: 1 - .62 * z(m) + 2.2 * cold(m))
    s.hit("docservice", p99=lambda m: -19 * z(m))
    s.col("workspaceweb", "document_guard_mismatch_ratio", lambda m, st: .0002 + .118 * z(m), .08, 4)
    s.col("workspaceweb", "error_rate_4xx_ratio", lambda m, st: .021 + .112 * z(m), .06, 4)
    s.col("workspaceweb", "http_server_duration_p99_ms")
    s.col("docservice", "cache_hit_ratio", lambda m, st: .71 + .2 * z(m) - cold(m), .012, 3, hi=.995)
    s.col("docservice", "requests_per_sec")
    s.col("docservice", "http_server_duration_p99_ms")
    s.col("docservice", "error_rate_5xx_ratio")
    s.col("docservice", "cache_keys", lambda m, st: 241000 - 96000 * ramp(m, on, on + 40, 0, 1), .01, 0)
    s.col("docdb", "db_queries_per_second", lambda m, st: st["docdb"]["rps"], .01, 1)
    s.col("docdb", "replica_lag_seconds", lambda m, st: .12, .4, 2)
    s.col("authzservice", "deny_ratio", lambda m, st: .0123, .1, 4)
    s.col("authzservice", "http_server_duration_p99_ms")
    s.col("exportservice", "job_failure_ratio", lambda m, st: .004 + .09 * z(m), .15, 4)
    s.col("searchindexer", "index_lag_seconds", lambda m, st: 3.1, .25, 1)
    C = s.commit
    C("keys", "mei.lin", "09:52:48", "refactor(docs): one helper for cache keys",
      N("docservice/internal/cachekey/cachekey.go", '''
// Package cachekey builds versioned keys, see docs/caching.md.
package cachekey

import "strings"

const version = "v4"

func Build(kind string, parts ...string) string {
    return version + ":" + kind + ":" + strings.Join(parts, ":")
}'''),
      D("docservice/internal/view/view.go", "37 func (s *Store) View(ctx context.Context, ref DocRef) (*View, error) {", '''
 func (s *Store) View(ctx context.Context, ref DocRef) (*View, error) {
-    key := fmt.Sprintf("v3:docview:%s:%s:%d", ref.OrgID, ref.Slug, ref.Revision)
+    key := cachekey.Build("docview", ref.Slug, strconv.Itoa(ref.Revision))
     if v, ok := s.cache.Get(ctx, key); ok {
         return v.(*View), nil
     }
     v, err := s.load(ctx, ref)
     if err != nil {
         return nil, err
     }
     s.cache.Set(ctx, key, v, s.ttl)
     return v, nil
 }''', "72 func (s *Store) Outline(ctx context.Context, ref DocRef) (*Outline, error) {", '''
 func (s *Store) Outline(ctx context.Context, ref DocRef) (*Outline, error) {
-    key := fmt.Sprintf("v3:outline:%s:%s", ref.OrgID, ref.Slug)
+    key := cachekey.Build("outline", ref.OrgID, ref.Slug)
     if o, ok := s.cache.Get(ctx, key); ok {'''))
    C("replica", "tomas.novak", "10:02:17", "perf(docs): read views from the replica",
      D("docservice/internal/view/load.go", "18 func (s *Store) load(ctx context.Context, ref DocRef) (*View, error) {", '''
 func (s *Store) load(ctx context.Context, ref DocRef) (*View, error) {
-    row := s.primary.QueryRowContext(ctx, selectView, ref.OrgID, ref.Slug, ref.Revision)
+    row := s.replica.QueryRowContext(ctx, selectView, ref.OrgID, ref.Slug, ref.Revision)
+    v, err := scanView(row)
+    if !errors.Is(err, sql.ErrNoRows) {
+        return v, err
+    }
+    // not there yet: ask the primary
+    row = s.primary.QueryRowContext(ctx, selectView, ref.OrgID, ref.Slug, ref.Revision)
     return scanView(row)
 }'''))
    C("authz", "sofia.marino", "10:09:55", "refactor(authz): evaluate organisation membership once per request",
      D("authzservice/src/main/java/io/acme/authz/Evaluator.java", "44 Decision decide(Subject s, List<Check> checks) {", '''
     Decision decide(Subject s, List<Check> checks) {
+        // a subject acts in exactly one organisation per request
+        Membership m = memberships.of(s.userId(), s.orgId());
         for (Check c : checks) {
-            Membership m = memberships.of(s.userId(), s.orgId());
             if (!m.active() || !policies.allow(m.role(), c)) {
                 return Decision.deny(c);
             }
         }
         return Decision.allow();
     }'''))
    C("guard", "priya.nair", "09:20:06", "feat(web): count and block responses for another organisation",
      D("workspaceweb/server/guard.ts", "5", '''
 export function guardDocument(session: Session, doc: DocView): DocView {
-  if (doc.orgId !== session.orgId) log.warn("document org differs from session org");
+  if (doc.orgId !== session.orgId) {
+    metrics.guardMismatch.inc();
+    log.error("document org differs from session org, response withheld", { doc: doc.id });
+    throw new HttpError(403);
+  }
   return doc;
 }'''))
    C("session", "amir.haddad", "10:18:21", "feat(web): organisation switcher keeps the session cookie",
      D("workspaceweb/server/session.ts", "61 export async function switchOrg(req: Request, orgId: string) {", '''
 export async function switchOrg(req: Request, orgId: string) {
   const s = await sessions.read(req);
   await assertMember(s.userId, orgId);
-  await sessions.destroy(s.id);
-  return sessions.create({ userId: s.userId, orgId });
+  return sessions.update(s.id, { ...s, orgId });
 }'''))
    C("index", "wei.zhang", "08:41:29", "perf(indexer): bulk size 200 -> 500",
      D("searchindexer/app/settings.py", "12", '''
 INDEX_ALIAS = "docs-current"
-BULK_SIZE = 200
+BULK_SIZE = 500
 FLUSH_SECONDS = 5'''))
    C("redis", "carlos.mendez", "09:31:13", "chore(docs): go-redis v9.5.1 -> v9.5.3",
      D("docservice/go.mod", "11 require (", '''
     github.com/jackc/pgx/v5 v5.5.5
-    github.com/redis/go-redis/v9 v9.5.1
+    github.com/redis/go-redis/v9 v9.5.3
     go.opentelemetry.io/otel v1.26.0'''))
    C("export", "yuki.tanaka", "10:35:40", "feat(export): docx headings",
      D("exportservice/exporter/docx.py", "40 def heading(doc, block):", '''
 def heading(doc, block):
-    doc.add_paragraph(block.text).bold = True
+    doc.add_heading(block.text, level=min(block.level, 4))'''))
    s.deploy("09:10:00", "searchindexer", "index")
    s.deploy("09:38:00", "workspaceweb", "guard")
    s.deploy("09:47:00", "docservice", "redis")
    s.deploy("10:20:00", "docservice", "keys")
    s.deploy("10:22:00", "authzservice", "authz")
    s.deploy("10:29:30", "workspaceweb", "session")
    s.deploy("10:33:00", "docservice", "replica")
    s.flag("10:31:00", "workspace_org_switcher", "workspaceweb", "off->25%", "amir.haddad")
    s.flag("09:15:00", "doc_comments_v3", "docservice", "off->on", "grace.kim")
    s.bg("workspaceweb", "page served", {"http.route": "/w/{org}/d/{slug}"}, w=3)
    s.bg("docservice", "view served cache=<V:hit|hit|miss>", {"http.route": "/v1/docs/{slug}"}, w=3)
    s.bg("authzservice", "decision allow", {"checks": "<N:1-6>"}, w=2)
    s.bg("exportservice", "export finished format=<V:pdf|docx>", w=1)
    s.bg("searchindexer", "bulk indexed <N:80-480> documents", w=1)
    s.ev("workspaceweb", "WARN", "websocket closed unexpectedly code=1006", lambda m: .06)
    s.ev("searchindexer", "ERROR", "mapper_parsing_exception on field meta.custom", lambda m: .05)
    s.ev("authzservice", "WARN", "policy bundle download took <N:1100-2400>ms", lambda m: .03)
    s.once("09:51:22", "workspaceweb", "ERROR", "document org differs from session org, response withheld", {"http.route": "/w/{org}/d/{slug}", "doc.slug": "q2-plan", "note": "support impersonation"})
    s.ev("workspaceweb", "ERROR", "document org differs from session org, response withheld", lambda m: 2.0 * z(m),
         {"http.route": "/w/{org}/d/{slug}", "doc.slug": "<V:onboarding|roadmap|home|onboarding|meeting-notes|team-handbook|okrs>", "upstream.cache": "hit"})
    s.ev("exportservice", "ERROR", "export aborted: document owner <ID> is not org <ID>", lambda m: .35 * z(m))
    s.simulate(); s.run_logs()
    tr = lambda hit, st: ("workspaceweb", "GET /w/{org}/d/{slug}", 120 if hit else 170, st, {"error": "403 guard: org mismatch"} if st == ERR else None,
            [("authzservice", "decide", 7, OK, None, []), ("docservice", "GET /v1/docs/{slug}", 18 if hit else 58, OK, {"cache.hit": hit}, [] if hit else [("docdb", "SELECT doc_views", 9, OK, None, [])])])
    for t, h, st in (("09:30:10", True, OK), ("10:12:44", False, OK), ("10:25:03", True, ERR), ("10:27:30", False, OK), ("10:41:18", True, ERR), ("10:44:02", True, OK), ("10:50:36", True, ERR)):
        s.span_tree(t, tr(h, st), .2)
    s.alert("workspaceweb", "document_guard_mismatch_ratio", .05, "10:39:00", "critical", "web-document-guard", "workspaceweb withheld more than 5% of documents (organisation mismatch) for 3m")
    s.finish("keys", "docservice", ["workspaceweb", "exportservice"], "rollback", "cache key lost the tenant", "10:23:00",
        "Guilty {keys} (docservice, 10:20): the docview key no longer contains OrgID (the outline key does), so organisations with equal slug and revision get each other's cached view. "
        "cache_hit_ratio dips once (new key version), then rises above its old level; key count and database queries fall, every mismatch is a cache hit on common slugs, misses are right. {authz} (10:22, last before the onset): same membership check hoisted, deny ratio flat; {session} and {replica} came after the first mismatches; "
        "{guard} only reports the mismatch and ran quietly for 45 min.")


# ================================================================ 7. none: packet loss between two zones
@incident
def cart_intermittent_upstream_timeouts():
    s = Inc("cart-intermittent-upstream-timeouts", "2026-04-08", "19:20", "20:52", 1, 707)
    on = s.m("20:17")
    z = lambda m: 0 if m < on else (1 if int(m) % 7 else .55)
    s.svc("storefront", 820, 230, .002, .45, {"cartservice": (.6, .3), "searchservice": (.5, .3)})
    s.svc("checkoutservice", 96, 310, .003, .38, {"cartservice": (.7, .5)})
    s.svc("cartservice", 330, 42, .001, .34)
    s.svc("searchservice", 410, 88, .001, .47)
    s.svc("paymentservice", 88, 190, .002, .29)
    s.svc("profileservice", 240, 51, .001, .3)
    s.hit("cartservice", p99=lambda m: 1150 * z(m), err=lambda m: .082 * z(m))
    s.hit("searchservice", p99=lambda m: 980 * z(m), err=lambda m: .047 * z(m))
    s.hit("paymentservice", p99=lambda m: 640 * z(m), err=lambda m: .021 * z(m))
    for a in ("storefront", "checkoutservice", "cartservice", "searchservice", "paymentservice", "profileservice"):
        s.col(a, "http_server_duration_p99_ms")
        s.col(a, "error_rate_5xx_ratio")
    for a in ("cartservice", "searchservice"):
        s.col(a, "cpu_utilization")
    s.col("cartservice", "upstream_timeout_ratio_az_a", lambda m, st: .0011 + .003 * z(m), .25, 4)
    s.col("cartservice", "upstream_timeout_ratio_az_b", lambda m, st: .0012 + .163 * z(m), .12, 4)
    s.col("cartservice", "upstream_timeout_ratio_az_c", lambda m, st: .0010 + .071 * z(m), .14, 4)
    s.col("redis-cart", "server_command_p99_us", lambda m, st: 410, .08, 0)
    s.col("redis-cart", "cpu_utilization", lambda m, st: .31, .05, 3)
    for a, k in (("az-a", .0004), ("az-b", .021), ("az-c", .018)):
        s.col(f"nodes-{a}", "tcp_retransmit_segs_ratio", lambda m, st, k=k: .0006 + k * z(m), .15, 5)
    C = s.commit
    C("hook", "yuki.tanaka", "19:41:22", "refactor(cart): tracing hook around the redis client",
      D("cartservice/internal/store/redis.go", "21 func New(cfg Config) *Store {", '''
 func New(cfg Config) *Store {
     rdb := redis.NewClient(&redis.Options{
         Addr:         cfg.Addr,
         PoolSize:     cfg.PoolSize,
         ReadTimeout:  800 * time.Millisecond,
         WriteTimeout: 800 * time.Millisecond,
     })
+    rdb.AddHook(redisotel.NewTracingHook(redisotel.WithDBStatement(false)))
     return &Store{rdb: rdb}
 }'''))
    C("outlier", "carlos.mendez", "19:30:09", "chore(mesh): eject hosts after 7 instead of 5 consecutive errors",
      D("mesh/destination-rules/default.yaml", "11 trafficPolicy:", '''
 trafficPolicy:
   connectionPool:
     tcp:
       connectTimeout: 1s
   outlierDetection:
-    consecutive5xxErrors: 5
+    consecutive5xxErrors: 7
     interval: 10s
     baseEjectionTime: 30s'''))
    C("merge", "mei.lin", "19:52:40", "feat(cart): merge guest cart on login",
      D("cartservice/internal/cart/merge.go", "15 func (s *Service) OnLogin(ctx context.Context, guest, user string) error {", '''
 func (s *Service) OnLogin(ctx context.Context, guest, user string) error {
-    return s.store.Delete(ctx, guest)
+    g, err := s.store.Load(ctx, guest)
+    if err != nil || len(g.Lines) == 0 {
+        return err
+    }
+    u, err := s.store.Load(ctx, user)
+    if err != nil {
+        return err
+    }
+    u.Add(g.Lines...)
+    if err := s.store.Save(ctx, u); err != nil {
+        return err
+    }
+    return s.store.Delete(ctx, guest)
 }'''))
    C("query", "ivan.petrov", "19:58:14", "perf(search): filter context for brand and colour",
      D("searchservice/app/query.py", "33 def build(q: SearchRequest) -> dict:", '''
 def build(q: SearchRequest) -> dict:
-    must = [{"multi_match": {"query": q.text, "fields": FIELDS}}]
-    must += [{"term": {k: v}} for k, v in q.facets.items()]
-    return {"query": {"bool": {"must": must}}, "size": q.size}
+    return {
+        "query": {
+            "bool": {
+                "must": [{"multi_match": {"query": q.text, "fields": FIELDS}}],
+                "filter": [{"term": {k: v}} for k, v in q.facets.items()],
+            }
+        },
+        "size": q.size,
+    }'''))
    C("spread", "tunde.okafor", "18:57:31", "chore(platform): spread storefront over three zones",
      D("storefront/deploy/values.yaml", "28", '''
 replicaCount: 9
+topologySpreadConstraints:
+  - maxSkew: 1
+    topologyKey: topology.kubernetes.io/zone
+    whenUnsatisfiable: ScheduleAnyway
 resources:
   requests: { cpu: 500m, memory: 512Mi }'''))
    C("avatar", "lena.fischer", "20:01:03", "feat(profile): webp avatars",
      D("profileservice/src/avatar.ts", "12 export async function avatar(input: Buffer) {", '''
 export async function avatar(input: Buffer) {
-  return sharp(input).resize(256, 256).jpeg({ quality: 82 }).toBuffer();
+  return sharp(input).resize(256, 256).webp({ quality: 80 }).toBuffer();
 }'''))
    C("alerts", "grace.kim", "19:12:48", "chore(alerts): page on cart 5xx after 3m instead of 5m",
      D("monitoring/rules/cart.yaml", "7", '''
       - alert: cart-5xx
         expr: job:http_5xx_ratio{service="cartservice"} > 0.03
-        for: 5m
+        for: 3m'''))
    s.deploy("19:25:00", "storefront", "spread")
    s.deploy("19:50:00", "mesh", "outlier", "config-r871", log=False)
    s.deploy("20:03:00", "cartservice", "hook")
    s.deploy("20:07:30", "profileservice", "avatar")
    s.deploy("20:11:00", "cartservice", "merge")
    s.deploy("20:14:30", "searchservice", "query")
    s.flag("20:12:00", "guest_cart_merge", "cartservice", "off->50%", "mei.lin")
    s.flag("19:35:00", "search_brand_facets", "searchservice", "off->on", "ivan.petrov")
    s.once("20:31:40", "cartservice", "INFO", "starting cartservice v2026.04.08-1825", {"reason": "rollback by on-call"}, sig="starting cartservice <version>")
    s.once("20:33:10", "cartservice", "INFO", "feature flag guest_cart_merge evaluated off for all users")
    s.bg("cartservice", "cart loaded lines=<N:1-9>", {"http.route": "/carts/{id}", "k8s.zone": "<V:az-a|az-b|az-c>"}, w=3)
    s.bg("searchservice", "search served in <N:24-95>ms", {"http.route": "/search"}, w=2)
    s.bg("storefront", "served page", {"http.route": "/"}, w=3)
    s.bg("checkoutservice", "checkout completed", w=1)
    s.bg("paymentservice", "capture accepted acquirer=<V:north|west>", w=1)
    s.bg("profileservice", "profile read", w=1)
    s.ev("paymentservice", "WARN", "acquirer west declined: insufficient funds", lambda m: .09)
    s.ev("storefront", "ERROR", "recommendation slot empty", lambda m: .05)
    s.ev("profileservice", "WARN", "avatar larger than 4 MB refused", lambda m: .04)
    for za, zb, k in (("az-b", "az-c", 1.0), ("az-c", "az-b", .45)):
        s.ev("cartservice", "ERROR", "redis: i/o timeout after 800ms", lambda m, k=k: 1.1 * k * z(m), {"k8s.zone": za, "net.peer.zone": zb, "http.route": "/carts/{id}"},
             [("checkoutservice", "ERROR", "cart unavailable: upstream 503", {"http.route": "/checkout"}, .35), ("storefront", "WARN", "mini cart failed to load", {"http.route": "/"}, .4)])
        s.ev("searchservice", "ERROR", f"opensearch shard query failed: read timed out (node os-data-{'<V:4|5>' if zb == 'az-b' else '<V:7|8>'})", lambda m, k=k: .7 * k * z(m), {"k8s.zone": za, "net.peer.zone": zb})
        s.ev("paymentservice", "WARN", "vault lease renewal timed out, retrying", lambda m, k=k: .3 * k * z(m), {"k8s.zone": za, "net.peer.zone": zb})
    s.ev("redis-cart", "WARN", "replica redis-cart-2 (az-b) lost connection with master (az-c): timeout, partial resync", lambda m: .3 * z(m))
    s.ev("node-agent", "WARN", "probe az-b->az-c loss=<F:1.4-3.6>% rtt_p99=<N:190-620>ms", lambda m: .5 * z(m))
    s.ev("node-agent", "INFO", "probe az-a-><V:az-b|az-c> loss=0.0% rtt_p99=<N:1-3>ms", lambda m: .18)
    s.ev("node-agent", "INFO", "probe az-b->az-c loss=0.0% rtt_p99=<N:1-3>ms", lambda m: .12 if m < on else 0)
    s.simulate(); s.run_logs()
    c = lambda za, zb, ms, st: ("storefront", "GET /", ms + 90, st, None, [("cartservice", "GET /carts/{id}", ms + 6, st, {"k8s.zone": za},
            [("redis-cart", "HGETALL", ms, st, {"net.peer.zone": zb, "client": True}, [])])])
    for t, a, b, ms, st in (("19:30:12", "az-b", "az-c", 3, OK), ("20:09:40", "az-b", "az-c", 3, OK), ("20:15:18", "az-c", "az-b", 2, OK), ("20:18:31", "az-b", "az-c", 800, ERR),
                            ("20:19:02", "az-a", "az-c", 3, OK), ("20:22:17", "az-b", "az-b", 2, OK), ("20:25:50", "az-b", "az-c", 800, ERR), ("20:36:11", "az-b", "az-c", 800, ERR)):
        s.span_tree(t, c(a, b, ms, st), .04)
    s.span_tree("20:27:05", ("searchservice", "GET /search", 1060, ERR, {"k8s.zone": "az-c"}, [("opensearch", "query shard 12", 1000, ERR, {"net.peer.zone": "az-b"}, []),]), .03)
    s.alert("cartservice", "error_rate_5xx_ratio", .03, "20:21:00", "critical", "cart-5xx", "cartservice 5xx ratio above 3% for 3m")
    s.finish(None, "cartservice", ["checkoutservice", "searchservice", "storefront", "paymentservice"], "failover", "packet loss between zones (no commit)", "20:17:00",
        "No commit. From 20:17 on packets are lost between az-b and az-c: retransmits rise on nodes of both zones and not of az-a, probes az-b->az-c show loss, services with no deploy (paymentservice: vault; redis replication) time out on the same path, "
        "while same-zone calls and az-a are well; servers are idle and quick (redis command p99 flat). {merge} (20:11), {hook} and {query} (20:14) are innocent; the rollback of cartservice at 20:31 changed nothing. "
        "{outlier} and {spread} had been live for 27 and 52 minutes without an error. Remediation: move traffic out of the affected zones / provider ticket.", ["alerts"])


# ================================================================ 8. none: another team's job on the shared database
@incident
def inventory_reads_slow_overnight():
    s = Inc("inventory-reads-slow-overnight", "2026-05-01", "00:10", "02:34", 1, 808)
    s.traffic = lambda m: .9 - .1 * m / 144
    s.svc("storefront", 210, 190, .002, .22, {"inventoryservice": (.6, .25), "pricingservice": (.5, .2)})
    s.svc("inventoryservice", 160, 58, .001, .24, {"stockdb": (1.4, 1)}, cap=6000)
    s.svc("pricingservice", 190, 44, .001, .2, {"stockdb": (1.1, .8)}, cap=6000)
    s.svc("stockdb", 540, 16, .0001, .26, cap=4500)
    s.svc("mailservice", 20, 120, .002, .12)
    on = s.m("02:00:30")
    z = lambda m: ramp(m, on, on + 8, 0, 1)
    s.hit("stockdb", p99=lambda m: 2300 * z(m), err=lambda m: .035 * ramp(m, on + 5, on + 12, 0, 1), cpu=lambda m: .17 * z(m))
    mig = lambda m: ramp(m, s.m("01:38:30"), s.m("01:39"), 0, 1) - ramp(m, s.m("01:49"), s.m("01:49:30"), 0, 1)
    s.col("stockdb", "db_query_duration_p99_ms", lambda m, st: st["stockdb"]["p99"], .01, 1)
    s.col("stockdb", "db_queries_per_second", lambda m, st: st["stockdb"]["rps"] * (1 - .12 * z(m)), .01, 1)
    s.col("stockdb", "disk_read_mb_per_sec", lambda m, st: 22 + 110 * mig(m) + 466 * z(m), .07, 1, hi=502)
    s.col("stockdb", "buffer_cache_hit_ratio", lambda m, st: .993 - .02 * mig(m) - .31 * z(m), .004, 4, hi=.999)
    s.col("stockdb", "db_cpu_utilization", lambda m, st: st["stockdb"]["cpu"], .01, 3)
    s.col("stockdb", "active_sessions", lambda m, st: 7 + 1 * mig(m) + 54 * z(m) + 4 * (m > on), .08, 0)
    s.col("stockdb", "temp_bytes_mb", lambda m, st: 3 + ramp(m, on, on + 30, 0, 41000), .03, 0)
    s.col("stockdb", "lock_waiting_sessions", lambda m, st: .2, .9, 0)
    s.col("stockdb", "oldest_transaction_seconds", lambda m, st: 4 if m < on else 60 * (m - on), .1, 0)
    s.col("inventoryservice", "http_server_duration_p99_ms")
    s.col("inventoryservice", "error_rate_5xx_ratio")
    s.col("inventoryservice", "db_query_count_per_request", lambda m, st: 3.1 if m < s.m("01:53") else 2.2, .03, 2)
    s.col("pricingservice", "http_server_duration_p99_ms")
    s.col("pricingservice", "db_query_count_per_request", lambda m, st: 1.4, .03, 2)
    s.col("storefront", "http_server_duration_p99_ms")
    s.col("mailservice", "http_server_duration_p99_ms")
    C = s.commit
    C("join", "deepak.rao", "2:00:00" if False else "00:58:21", "perf(inventory): read stock and reservations with one join",
      D("inventoryservice/src/main/java/io/acme/inventory/StockRepository.java", "40 public Availability availability(String sku, int warehouse) {", '''
     public Availability availability(String sku, int warehouse) {
-        Stock s = jdbc.queryForObject("SELECT on_hand FROM stock WHERE sku = ? AND warehouse_id = ?", STOCK, sku, warehouse);
-        Integer r = jdbc.queryForObject("SELECT coalesce(sum(qty), 0) FROM reservations WHERE sku = ? AND warehouse_id = ? AND released_at IS NULL",
-            Integer.class, sku, warehouse);
-        return new Availability(sku, s.onHand() - r);
+        return jdbc.queryForObject("""
+            SELECT s.sku, s.on_hand - coalesce(sum(r.qty), 0) AS free
+              FROM stock s
+              LEFT JOIN reservations r
+                ON r.sku = s.sku AND r.warehouse_id = s.warehouse_id AND r.released_at IS NULL
+             WHERE s.sku = ? AND s.warehouse_id = ?
+             GROUP BY s.sku, s.on_hand
+            """, AVAILABILITY, sku, warehouse);
     }'''))
    C("idx", "tomas.novak", "00:41:50", "db(stock): partial index for open reservations",
      D("stockdb/migrations/V204__reservations_open_idx.sql", "0", '''
+-- flyway:executeInTransaction=false
+CREATE INDEX CONCURRENTLY IF NOT EXISTS idx_reservations_open
+    ON reservations (sku, warehouse_id) INCLUDE (qty)
+ WHERE released_at IS NULL;'''))
    C("compaction", "fatima.zahra", "00:02:18", "chore(cron): move snapshot compaction from 02:00 to 04:30",
      D("inventoryservice/deploy/cronjobs.yaml", "6", '''
   - name: snapshot-compaction
-    schedule: "0 2 * * *"
+    schedule: "30 4 * * *"
     concurrencyPolicy: Forbid
     activeDeadlineSeconds: 3600'''))
    C("poolsize", "noah.bergstrom", "01:22:37", "chore(pricing): hikari maximumPoolSize 16 -> 20",
      D("pricingservice/src/main/resources/application-prod.yaml", "9 spring:", '''
 spring:
   datasource:
     url: jdbc:postgresql://stockdb:5432/stock
     hikari:
-      maximum-pool-size: 16
+      maximum-pool-size: 20
       connection-timeout: 3000'''))
    C("ctx", "sofia.marino", "00:21:09", "refactor(inventory): pass the request id to sql comments",
      D("inventoryservice/src/main/java/io/acme/inventory/SqlTagger.java", "17 public String tag(String sql) {", '''
     public String tag(String sql) {
-        return sql;
+        String rid = MDC.get("request_id");
+        return rid == null ? sql : sql + " /* rid=" + rid + " */";
     }'''))
    C("mail", "wei.zhang", "00:15:50", "fix(mail): plain text part for invoices",
      D("mailservice/app/invoice.py", "29 def build(inv: Invoice) -> EmailMessage:", '''
     msg = EmailMessage()
     msg["Subject"] = f"Invoice {inv.number}"
-    msg.set_content(render("invoice.html", inv), subtype="html")
+    msg.set_content(render("invoice.txt", inv))
+    msg.add_alternative(render("invoice.html", inv), subtype="html")
     return msg'''))
    C("grants", "jdoe", "01:30:02", "docs(stockdb): list of roles with read access", files=["stockdb/docs/roles.md"])
    s.deploy("00:20:00", "inventoryservice", "compaction", "cron-r44", log=False)
    s.deploy("00:26:00", "mailservice", "mail")
    s.deploy("00:45:00", "inventoryservice", "ctx")
    s.deploy("01:38:00", "stockdb", "idx", "V204", log=False)
    s.deploy("01:46:00", "pricingservice", "poolsize")
    s.deploy("01:52:00", "inventoryservice", "join")
    s.once("01:38:31", "stockdb", "INFO", "CREATE INDEX CONCURRENTLY idx_reservations_open started")
    s.once("01:49:12", "stockdb", "INFO", "CREATE INDEX CONCURRENTLY idx_reservations_open finished, valid, 841 MB")
    s.once("01:59:58", "stockdb", "INFO", "connection authorized: user=fin_recon_ro database=stock application_name=month-end-valuation", {"client_addr": "10.88.4.17"})
    for k, x in enumerate(("02:00:01", "02:00:01", "02:00:02")):
        s.once(x, "stockdb", "INFO", "connection authorized: user=fin_recon_ro database=stock application_name=month-end-valuation", {"client_addr": f"10.88.4.{18 + k}"})
    s.flag("01:55:00", "inventory_live_badge", "storefront", "25%->50%", "lena.fischer")
    s.flag("00:30:00", "pricing_cache_warmup", "pricingservice", "off->on", "noah.bergstrom")
    s.bg("inventoryservice", "availability served", {"http.route": "/availability/{sku}"}, w=3)
    s.bg("pricingservice", "price served list=<V:retail|b2b>", {"http.route": "/prices/{sku}"}, w=3)
    s.bg("storefront", "served page", {"http.route": "/p/{sku}"}, w=2)
    s.bg("stockdb", "checkpoint complete: wrote <N:400-2400> buffers", w=.7)
    s.bg("mailservice", "mail queued", w=1)
    s.ev("mailservice", "ERROR", "bounce: mailbox full", lambda m: .06)
    s.ev("storefront", "WARN", "image resizer slow", lambda m: .05)
    s.ev("pricingservice", "WARN", "price list b2b-<N:10-60> has no validity end", lambda m: .05)
    s.ev("inventoryservice", "WARN", "negative free quantity sku <ID>", lambda m: .03)
    s.ev("stockdb", "WARN", "duration: <N:1100-4100> ms statement: SELECT amount, currency FROM prices WHERE sku = $1 AND list_id = $2", lambda m: 1.0 * z(m), {"application_name": "pricingservice", "wait_event": "DataFileRead"})
    s.ev("stockdb", "WARN", "duration: <N:1200-4300> ms statement: SELECT s.sku, s.on_hand - coalesce(sum(r.qty), 0) AS free FROM stock s LEFT JOIN reservations r", lambda m: 1.0 * z(m), {"application_name": "inventoryservice", "wait_event": "DataFileRead"},
         [("inventoryservice", "WARN", "availability slow", {"http.route": "/availability/{sku}"}, .5)])
    s.ev("stockdb", "WARN", "duration: <N:900-3900> ms statement: SELECT name FROM warehouses WHERE id = $1", lambda m: .4 * z(m), {"application_name": "inventoryservice", "wait_event": "DataFileRead"})
    s.ev("stockdb", "INFO", "temporary file: path \"base/pgsql_tmp/pgsql_tmp<N:2000-2999>.<N:0-40>\", size 1073741824", lambda m: .5 * z(m), {"application_name": "month-end-valuation"})
    s.ev("inventoryservice", "ERROR", "canceling statement due to statement timeout", lambda m: .6 * ramp(m, on + 5, on + 12, 0, 1), {"http.route": "/availability/{sku}"}, [("storefront", "WARN", "availability badge hidden: upstream error", {"http.route": "/p/{sku}"}, .7)])
    s.ev("pricingservice", "WARN", "HikariPool-1 - Connection is not available, request timed out after 3000ms", lambda m: .4 * ramp(m, on + 5, on + 12, 0, 1), {"http.route": "/prices/{sku}"})
    s.simulate(); s.run_logs(1.2)
    a = lambda n, q: ("storefront", "GET /p/{sku}", q + 130, OK, None, [("inventoryservice", "GET /availability/{sku}", q + 20, OK, None, [("stockdb", n, q, OK, None, [])]),
                                                                      ("pricingservice", "GET /prices/{sku}", q * .8 + 15, OK, {"parallel": True}, [("stockdb", "SELECT prices", q * .8, OK, None, [])])])
    for t, n, q in (("00:40:10", "SELECT stock", 6), ("01:44:32", "SELECT stock", 8), ("01:54:41", "SELECT stock JOIN reservations", 5), ("01:58:20", "SELECT stock JOIN reservations", 6),
                    ("02:07:15", "SELECT stock JOIN reservations", 2210), ("02:14:40", "SELECT stock JOIN reservations", 2890)):
        s.span_tree(t, a(n, q), .12)
    s.span_tree("02:11:02", ("inventoryservice", "GET /warehouses/{id}", 1840, OK, None, [("stockdb", "SELECT warehouses", 1810, OK, {"db.rows": 1}, [])]), .05)
    s.alert("inventoryservice", "http_server_duration_p99_ms", 800, "02:09:00", "critical", "inventory-p99", "inventoryservice p99 above 800ms for 4m; stockdb query p99 elevated")
    s.finish(None, "stockdb", ["inventoryservice", "pricingservice", "storefront"], "stop-job", "another team's job saturates the database (no commit)", "02:00:30",
        "No commit. At 02:00 on the first of the month four sessions of fin_recon_ro / month-end-valuation connect, disk reads go to the device limit (about 490 MB/s), the buffer cache is thrown out (hit ratio .99 -> .68), temporary files of that application fill up, "
        "one transaction is open since 02:00; own query rate is flat or lower, no lock waits. All statements are slow alike, even a lookup of one warehouse row and pricing's queries. {join} (01:52) ran eight minutes at 5-6 ms and halves the queries; {idx} finished 01:49; "
        "{compaction} moved the own job away from 02:00; {poolsize} gives four connections more. Remediation: stop the job / move it to a replica.")


# ================================================================ 9. none: clock of one node falls behind
@incident
def sessions_rejected_sporadically():
    s = Inc("sessions-rejected-sporadically", "2026-03-02", "05:30", "08:12", 2, 909)
    s.traffic = lambda m: .6 + .4 / (1 + math.exp(-(m - 70) / 25))
    s.svc("portalweb", 310, 180, .002, .38, {"apigateway": (.8, .8)})
    s.svc("apigateway", 640, 72, .001, .43, {"sessionservice": (1, .9)})
    s.svc("billingservice", 48, 210, .002, .3, {"sessionservice": (.3, .7)})
    s.svc("sessionservice", 700, 14, .0004, .36)
    s.svc("tokenservice", 60, 33, .0006, .22)
    host = s.m("05:52")
    # the clock falls behind by 0.62 s a minute from the host maintenance on; leeway is 30 s; tokens are mostly used young
    off = lambda m: 0 if m < host else .62 * (m - host)
    # share of verifications with a token younger than (offset - 30): on one of five pods
    young = lambda m: 0 if off(m) <= 30 else 1 - math.exp(-(off(m) - 30) / 21)
    bad = lambda m: .2 * .62 * young(m)
    s.hit("sessionservice", err=bad)
    s.hit("tokenservice", rps=lambda m: 1 + 1.6 * young(m))
    s.col("sessionservice", "verify_rejected_ratio", None)
    for k, p in enumerate(("pod_0", "pod_1", "pod_2", "pod_3", "pod_4")):
        s.col("sessionservice", "verify_rejected_ratio_" + p, (lambda m, st: .0005 + .62 * young(m)) if k == 2 else (lambda m, st: .0005), .2, 4)
    s.col("sessionservice", "http_server_duration_p99_ms")
    s.col("sessionservice", "cpu_utilization")
    s.col("apigateway", "http_401_ratio", lambda m, st: .006 + .9 * bad(m), .12, 4)
    s.col("apigateway", "http_server_duration_p99_ms")
    s.col("tokenservice", "requests_per_sec")
    s.col("tokenservice", "error_rate_5xx_ratio")
    s.col("billingservice", "job_auth_failures_per_min", lambda m, st: .2 + 36 * bad(m), .3, 2)
    s.col("portalweb", "login_loop_ratio", lambda m, st: .002 + .7 * bad(m), .15, 4)
    for n, k in (("node/ip-10-4-17-23", 1), ("node/ip-10-4-17-61", 0), ("node/ip-10-4-18-9", 0)):
        s.col(n, "node_timex_maxerror_seconds", (lambda m, st: .02 + (.0005 * 60 * (m - host) if m > host else 0)) if k else (lambda m, st: .02), .15, 3)
        s.col(n, "node_cpu_utilization", lambda m, st: .47, .06, 3)
    s.col("node/ip-10-4-17-23", "scrape_timestamp_lag_seconds", lambda m, st: .3 + off(m), .02, 1)
    s.col("node/ip-10-4-17-61", "scrape_timestamp_lag_seconds", lambda m, st: .3, .2, 1)
    C = s.commit
    C("verifier", "priya.nair", "06:18:27", "refactor(session): shared jwt verifier package",
      D("sessionservice/internal/verify/verify.go", "26 func New(keys jwk.Set, cfg Config) *Verifier {", '''
 func New(keys jwk.Set, cfg Config) *Verifier {
-    return &Verifier{keys: keys, leeway: 30 * time.Second}
+    return &Verifier{inner: jwtx.New(keys, jwtx.WithLeeway(cfg.Leeway), jwtx.WithIssuer(cfg.Issuer))}
 }
 
 func (v *Verifier) Verify(ctx context.Context, raw string) (*Claims, error) {
-    tok, err := jwt.ParseString(raw, jwt.WithKeySet(v.keys), jwt.WithValidate(true), jwt.WithAcceptableSkew(v.leeway))
-    if err != nil {
-        return nil, err
-    }
-    return claimsOf(tok), nil
+    return v.inner.Verify(ctx, raw)
 }'''),
      N("pkg/jwtx/jwtx.go", '''
package jwtx

// Verifier checks signature, issuer, exp, nbf and iat.
type Verifier struct {
    keys   jwk.Set
    issuer string
    leeway time.Duration
}

func New(keys jwk.Set, opts ...Option) *Verifier {
    v := &Verifier{keys: keys, leeway: 30 * time.Second}
    for _, o := range opts {
        o(v)
    }
    return v
}

func (v *Verifier) Verify(ctx context.Context, raw string) (*Claims, error) {
    tok, err := jwt.ParseString(raw, jwt.WithKeySet(v.keys), jwt.WithValidate(true),
        jwt.WithIssuer(v.issuer), jwt.WithAcceptableSkew(v.leeway))
    if err != nil {
        return nil, err
    }
    return claimsOf(tok), nil
}'''),
      D("sessionservice/deploy/values.yaml", "22 config:", '''
 config:
   issuer: https://token.internal
+  leeway: 30s
   jwksRefresh: 10m'''))
    C("kid", "amir.haddad", "06:29:13", "feat(token): key id carries the creation month",
      D("tokenservice/src/keys.ts", "14 export async function newSigningKey(): Promise<SigningKey> {", '''
 export async function newSigningKey(): Promise<SigningKey> {
   const { privateKey, publicKey } = await generateKeyPair("ES256");
-  const kid = randomUUID();
+  const kid = `${format(new Date(), "yyyy-MM")}-${randomUUID().slice(0, 8)}`;
   await jwks.publish(kid, publicKey);
   return { kid, privateKey };
 }'''))
    C("ttl", "sofia.marino", "06:05:36", "chore(token): access token lifetime 15m -> 10m",
      D("tokenservice/config/production.json", "7", '''
   "issuer": "https://token.internal",
-  "accessTokenTtlSeconds": 900,
+  "accessTokenTtlSeconds": 600,
   "refreshTokenTtlSeconds": 1209600,'''))
    C("gwcache", "marta.kowalski", "06:37:58", "perf(gateway): do not verify the same token twice within a request",
      D("apigateway/internal/auth/middleware.go", "31 func (m *Middleware) Handle(next http.Handler) http.Handler {", '''
 func (m *Middleware) Handle(next http.Handler) http.Handler {
     return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
-        claims, err := m.sessions.Verify(r.Context(), bearer(r))
+        claims, ok := FromContext(r.Context())
+        var err error
+        if !ok {
+            claims, err = m.sessions.Verify(r.Context(), bearer(r))
+        }
         if err != nil {
             writeError(w, http.StatusUnauthorized, err)
             return
         }
         next.ServeHTTP(w, r.WithContext(WithClaims(r.Context(), claims)))
     })
 }'''))
    C("chrony", "carlos.mendez", "05:34:40", "chore(nodes): chrony metrics in the node exporter",
      D("ansible/roles/node_exporter/templates/flags.j2", "4", '''
 --collector.cpu
 --collector.meminfo
+--collector.timex
 --collector.textfile.directory=/var/lib/node_exporter'''))
    C("portal", "lena.fischer", "06:44:07", "feat(portal): silent sign-in on the landing page",
      D("portalweb/src/auth/silent.ts", "9 export async function silentSignIn() {", '''
 export async function silentSignIn() {
-  if (!hasRefreshCookie()) return null;
-  return null;
+  if (!hasRefreshCookie()) return null;
+  const { accessToken } = await api.post("/token/refresh");
+  return api.get("/me", { headers: { Authorization: `Bearer ${accessToken}` } });
 }'''))
    C("bill", "yuki.tanaka", "05:12:55", "test(billing): golden invoices", files=["billingservice/testdata/golden.json"])
    s.deploy("05:40:00", "node-exporter", "chrony", "ansible-r212", log=False)
    s.deploy("06:10:00", "tokenservice", "ttl")
    s.deploy("06:24:00", "sessionservice", "verifier")
    s.deploy("06:34:30", "tokenservice", "kid")
    s.deploy("06:41:00", "apigateway", "gwcache")
    s.deploy("06:49:00", "portalweb", "portal")
    s.flag("06:50:00", "portal_silent_signin", "portalweb", "off->20%", "lena.fischer")
    s.flag("05:45:00", "billing_batch_v2", "billingservice", "off->on", "yuki.tanaka")
    pod, node = "sessionservice-2", "ip-10-4-17-23"
    s.once("05:51:48", "node-agent", "INFO", "guest resumed after live migration", {"k8s.node": node})
    s.once("06:08:20", "node-agent", "WARN", "chronyd: Can't synchronise: no selectable sources", {"k8s.node": node})
    s.ev("node-agent", "WARN", "chronyd: Can't synchronise: no selectable sources", lambda m: .03 if m > host + 30 else 0, {"k8s.node": node})
    s.ev("node-agent", "INFO", "image gc: freed <N:200-1900> MB", lambda m: .05, {"k8s.node": "ip-10-4-<V:17-61|18-9|17-23>"})
    s.ev("metrics-collector", "WARN", "samples from ip-10-4-17-23:9100 older than head, dropped <N:12-90>", lambda m: .06 if off(m) > 20 else 0)
    s.bg("apigateway", "request completed status=200", {"http.route": "/api"}, w=3)
    s.bg("sessionservice", "session verified", {"k8s.pod": "sessionservice-<V:0|1|2|3|4>"}, w=3)
    s.bg("tokenservice", "access token issued grant=<V:refresh|password>", w=2)
    s.bg("portalweb", "served page", {"http.route": "/"}, w=2)
    s.bg("billingservice", "invoice run step finished", w=1)
    s.ev("portalweb", "ERROR", "chunk load failed, page reloaded", lambda m: .04)
    s.ev("apigateway", "WARN", "rate limit reached for client <ID>", lambda m: .05)
    s.ev("sessionservice", "WARN", "token rejected: expired", lambda m: .1, {"k8s.pod": "sessionservice-<V:0|1|2|3|4>"})
    s.ev("tokenservice", "WARN", "refresh token reused, family revoked", lambda m: .03)
    s.ev("sessionservice", "WARN", "token rejected: iat not satisfied", lambda m: 1.5 * young(m), {"k8s.pod": pod, "k8s.node": node},
         [("apigateway", "WARN", "401 from sessionservice", {"http.route": "/api"}, .8), ("portalweb", "WARN", "access token refused right after refresh, signing in again", {"http.route": "/"}, .45)])
    s.ev("billingservice", "ERROR", "service call unauthorised, token 0s old, retrying with a new one", lambda m: .35 * young(m))
    s.simulate(); s.run_logs(1.5)
    t_ok = lambda p, n: ("portalweb", "GET /me", 130, OK, None, [("tokenservice", "POST /token/refresh", 30, OK, {"k8s.node": "ip-10-4-18-9"}, []), ("apigateway", "GET /api/me", 60, OK, None,
               [("sessionservice", "verify", 9, OK, {"k8s.pod": "sessionservice-" + p, "k8s.node": n}, [])])])
    t_bad = ("portalweb", "GET /me", 88, ERR, None, [("tokenservice", "POST /token/refresh", 31, OK, {"k8s.node": "ip-10-4-18-9"}, []), ("apigateway", "GET /api/me", 18, ERR, {"http.status_code": 401},
               [("sessionservice", "verify", 4, ERR, {"k8s.pod": pod, "k8s.node": node, "error": "iat not satisfied"}, [])])])
    s.span_tree("06:28:40", t_ok("2", node), .2); s.span_tree("06:38:11", t_ok("1", "ip-10-4-17-61"), .2)
    s.span_tree("06:53:05", t_bad, .15); s.span_tree("06:53:07", t_ok("4", "ip-10-4-18-9"), .2); s.span_tree("07:20:31", t_bad, .15)
    s.span_tree("07:21:18", t_ok("0", "ip-10-4-18-9"), .2)
    s.span_tree("07:30:44", ("apigateway", "GET /api/orders", 61, OK, {"token.age_s": 340}, [("sessionservice", "verify", 8, OK, {"k8s.pod": pod, "k8s.node": node}, [])]), .1)
    s.alert("sessionservice", "verify_rejected_ratio", .05, "07:12:00", "high", "session-verify-rejected", "sessionservice rejects more than 5% of verifications for 6m")
    s.finish(None, "sessionservice", ["apigateway", "portalweb", "billingservice"], "drain-node", "clock skew on one node (no commit)", "06:41:00",
        "No commit. After a live migration at 05:51 node ip-10-4-17-23 does not synchronise its clock (chronyd: no selectable sources; scrape lag and maxerror grow linearly, 0.6 s a minute); once it is more than the 30 s leeway behind (06:41), the sessionservice pod on it (sessionservice-2) refuses fresh tokens as issued in the future. "
        "Only that pod rejects, old tokens pass there, all other pods with the same build are well. {verifier} (06:24) keeps the leeway of 30 s and ran on all pods; {gwcache} (06:41, exactly at the onset) and {portal} do not touch validation; {ttl} shortens life at the far end; {kid} concerns key names; {chrony} only adds a collector.")
