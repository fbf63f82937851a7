"""Incidents 7-9, no commit guilty: an outside provider degrades, a disk on one node fails and fills, one customer sends huge documents."""
from sim_a import Inc, up, hump


def provider():
    I = Inc("signup-identity-checks-slow", 4107, "2026-07-29T14:30", "2026-07-29T17:10", onset="2026-07-29T16:12")
    on = I.m("16:12")
    # the provider comes back for some minutes at 16:41 and sinks again
    bad = lambda m: up(m, on, 4) * (1 - 0.93 * hump(m, I.m("16:40"), 7))
    nodes = {
        "onboarding-web": dict(own=90, rps=36, err=0.003, calls=[("signup-api", 0.9, 20000)]),
        "signup-api": dict(own=80, rps=30, err=0.002, calls=[("identity-service", 1, 15000)]),
        "identity-service": dict(own=620, rps=29, err=0.004, lat=lambda m: 11300 * bad(m), fail=lambda m: 0.68 * bad(m), cpu=lambda m: 0.21 - 0.04 * bad(m)),
        "background-check-worker": dict(own=900, rps=3, err=0.006, lat=lambda m: 13900 * bad(m), fail=lambda m: 0.71 * bad(m)),
        "address-check-service": dict(own=310, rps=25, err=0.004),
        "account-service": dict(own=60, rps=210, err=0.002),
    }
    I.graph(nodes, {"onboarding-web": ["rps", "p99", "err"], "signup-api": ["rps", "p99", "err"], "identity-service": ["rps", "p99", "err", "cpu"],
                    "background-check-worker": ["p99", "err"], "address-check-service": ["p99", "err"], "account-service": ["p99", "err"]})
    I.metric("identity-service", "outbound_duration_p95_ms_veritrust", lambda m: 440 + 11400 * bad(m), 0.05, 0, hi=12002)
    I.metric("identity-service", "outbound_error_ratio_veritrust", lambda m: 0.003 + 0.7 * bad(m), 0.08, 4, hi=1)
    I.metric("identity-service", "outbound_duration_p95_ms_docscan", lambda m: 290, 0.06, 0)
    I.metric("identity-service", "outbound_error_ratio_docscan", lambda m: 0.002, 0.2, 4)
    I.metric("background-check-worker", "outbound_error_ratio_veritrust", lambda m: 0.004 + 0.72 * bad(m), 0.09, 4, hi=1)
    I.metric("synthetic-probe", "probe_success_ratio_veritrust_status", lambda m: 1 - 0.74 * bad(m), 0.03, 3, hi=1)
    I.metric("synthetic-probe", "probe_success_ratio_docscan_status", lambda m: 1, 0.0, 3, hi=1)
    I.metric("synthetic-probe", "probe_tcp_connect_ms_veritrust", lambda m: 19, 0.07, 1)
    I.metric("egress-nat", "active_connections", lambda m: 410 + 260 * bad(m), 0.04, 0)
    I.metric("egress-nat", "packet_drops_per_sec", lambda m: 0.02, 0.4, 3)
    I.metric("identity-service", "http_client_open_connections", lambda m: (31 if m < I.m("16:03") else 24) + 240 * bad(m), 0.05, 0)
    I.metric("signup-api", "signups_completed_per_min", lambda m: 52 * (1 - 0.72 * bad(m)), 0.07, 1)

    I.background([
        ("onboarding-web", "step rendered: identity", "/signup/identity"),
        ("signup-api", lambda r: f"signup moved to state {r.choice(['EMAIL_OK', 'IDENTITY_PENDING', 'ADDRESS_OK'])}", "/v1/signups"),
        ("account-service", "account loaded", "/v1/accounts"),
        ("address-check-service", lambda r: f"address verified in {r.randint(140, 330)}ms", "/check"),
        ("identity-service", lambda r: f"docscan classified {r.choice(['passport', 'id card', 'residence permit'])} in {r.randint(150, 300)}ms", "/v2/identity/documents")], 85)
    I.stream("identity-service", "INFO", lambda r, t: (f"veritrust decision {r.choice(['clear', 'clear', 'clear', 'consider'])} in {r.randint(280, 520)}ms", {"vt.region": "eu"}), lambda m: 0.35 * (1 - 0.75 * bad(m)), 60, "neutral", sig="veritrust decision <*> in <N>ms")
    I.stream("account-service", "WARN", lambda r, t: f"deprecated field 'middle_name' read by client ios/{r.randint(7, 9)}.{r.randint(0, 9)}", 0.07, 5)
    I.stream("address-check-service", "ERROR", lambda r, t: f"postal dataset {r.choice(['LU', 'MT', 'CY'])} stale, serving previous month", 0.05, 3)
    vt = lambda r: {"http.status_code": 503, "peer": "api.veritrust.example", "response.retry_after": "120", "response.via": f"1.1 vt-edge-{r.choice(['fra2', 'dub1'])}", "response.body": "{\"code\":\"capacity_limited\",\"message\":\"verification backend degraded\"}"}
    I.stream("identity-service", "ERROR", lambda r, t: ("veritrust answered 503 for POST /v3/checks", vt(r)), lambda m: 0.01 + 1.2 * bad(m), 22)
    I.stream("identity-service", "ERROR", lambda r, t: (f"veritrust call timed out waiting for response headers after 12000ms", {"peer": "api.veritrust.example", "conn": r.choice(["new", "reused", "new"]), "tls": "ok"}), lambda m: 0.01 + 0.9 * bad(m), 18)
    I.stream("background-check-worker", "ERROR", lambda r, t: ("check postponed: veritrust answered 503", {**vt(r), "region": "eu-west-1", "build": "v2026.07.02-1310"}), lambda m: 0.6 * bad(m), 8)
    I.stream("signup-api", "WARN", lambda r, t: ("identity-service slow or failing, signup stays IDENTITY_PENDING", {"http.route": "/v1/signups"}), lambda m: 0.01 + 0.9 * bad(m), 17)
    I.stream("onboarding-web", "WARN", lambda r, t: ("identity step exceeded 10s, showing 'we will mail you'", {"http.route": "/signup/identity"}), lambda m: 0.01 + 0.7 * bad(m), 15)
    I.stream("synthetic-probe", "WARN", lambda r, t: ("probe GET https://api.veritrust.example/v3/status: 503 (no credentials, probe host outside the cluster)", {"connect_ms": r.randint(17, 21), "ttfb_ms": r.randint(3000, 9000)}), lambda m: 0.5 * bad(m), 2)
    I.log("16:41:20", "identity-service", "INFO", "circuit veritrust half-open: 18 of 20 trial calls succeeded, closing")
    I.log("16:47:02", "identity-service", "WARN", "circuit veritrust opened again: 61% failures in 60s")

    ok = ("identity-service", "POST veritrust /v3/checks", 412, "OK", {"http.status_code": 200, "conn.reused": False})
    ok2 = ("identity-service", "POST veritrust /v3/checks", 405, "OK", {"http.status_code": 200, "conn.reused": True})
    doc = ("identity-service", "POST docscan /classify", 240, "OK", {"http.status_code": 200})
    for w, v in (("15:20:11", ok), ("16:06:40", ok2), ("16:42:30", ok2)):
        I.trace(w, ("onboarding-web", "POST /signup/identity", 880, "OK", {}, [("signup-api", "SubmitIdentity", 790, "OK", {}, [("identity-service", "Verify", 701, "OK", {}, [doc, v])])]))
    for w, d, e, reuse in (("16:15:09", 12003, "timeout waiting for response headers", True), ("16:19:51", 3120, "503 capacity_limited", False), ("16:33:20", 12004, "timeout waiting for response headers", False), ("16:58:44", 2870, "503 capacity_limited", True)):
        I.trace(w, ("onboarding-web", "POST /signup/identity", d + 470, "ERROR", {}, [("signup-api", "SubmitIdentity", d + 390, "ERROR", {}, [("identity-service", "Verify", d + 300, "ERROR", {}, [doc,
            ("identity-service", "POST veritrust /v3/checks", d, "ERROR", {"error": e, "conn.reused": reuse, "net.connect_ms": 0 if reuse else 19, "tls.handshake_ms": 0 if reuse else 38})])])]))
    I.trace("16:21:03", ("background-check-worker", "recheck", 3420, "ERROR", {}, [("background-check-worker", "POST veritrust /v3/checks", 3300, "ERROR", {"error": "503 capacity_limited", "cloud.region": "eu-west-1"})]))

    I.commit("session", "viktor.lindqvist", "15:38:50", "perf(identity): keep provider connections alive between calls", ["identity-service/identity/providers/http.py"], """
--- a/identity-service/identity/providers/http.py
+++ b/identity-service/identity/providers/http.py
@@ -10 +10 @@ TIMEOUT = httpx.Timeout(12.0, connect=2.0)
-async def post(url: str, body: dict, headers: dict) -> httpx.Response:
-    async with httpx.AsyncClient(timeout=TIMEOUT) as client:
-        return await client.post(url, json=body, headers=headers)
+_client = httpx.AsyncClient(
+    timeout=TIMEOUT,
+    limits=httpx.Limits(max_connections=400, max_keepalive_connections=40, keepalive_expiry=30),
+)
+
+
+async def post(url: str, body: dict, headers: dict) -> httpx.Response:
+    return await _client.post(url, json=body, headers=headers)
""", ("identity-service", "16:03:15"))
    I.commit("consent", "leila.amrani", "15:02:33", "feat(signup): store consent version with the identity step", ["signup-api/src/identity.ts", "signup-api/migrations/20260729_consent.sql"], """
--- a/signup-api/src/identity.ts
+++ b/signup-api/src/identity.ts
@@ -30 +30 @@ export async function submitIdentity(s: Signup, input: IdentityInput) {
   const verdict = await identity.verify(s.id, input);
-  await signups.update(s.id, { verdict });
+  await signups.update(s.id, { verdict, consentVersion: input.consentVersion });
   return next(s, verdict);
 }
--- /dev/null
+++ b/signup-api/migrations/20260729_consent.sql
@@ -0 +1 @@
+ALTER TABLE signups ADD COLUMN consent_version smallint;
""", ("signup-api", "15:31:00"))
    I.commit("nat", "petra.novotna", "15:49:12", "chore(tf): drop egress rules of the retired fraud vendor", ["terraform/network/egress.tf"], """
--- a/terraform/network/egress.tf
+++ b/terraform/network/egress.tf
@@ -22 +22 @@ locals {
   egress_allow = {
     veritrust = ["203.0.113.0/26"]
     docscan   = ["198.51.100.64/27"]
-    fraudnet  = ["192.0.2.128/27"]
   }
 }
""", ("egress-nat", "16:08:40"))
    I.commit("breaker", "viktor.lindqvist", "14:40:26", "refactor(identity): name circuits after the provider", ["identity-service/identity/providers/circuit.py"], """
--- a/identity-service/identity/providers/circuit.py
+++ b/identity-service/identity/providers/circuit.py
@@ -14 +14 @@ class Circuit:
-    def __init__(self, fail_ratio=0.6, window=60, trial=20):
+    def __init__(self, name, fail_ratio=0.6, window=60, trial=20):
+        self.name = name
         self.fail_ratio = fail_ratio
         self.window = window
         self.trial = trial
""", ("identity-service", "14:58:20"))
    I.commit("copy", "jun.park", "15:57:03", "fix(web): clearer wording on the identity step", ["onboarding-web/src/steps/identity.tsx"], """
--- a/onboarding-web/src/steps/identity.tsx
+++ b/onboarding-web/src/steps/identity.tsx
@@ -41 +41 @@ export function IdentityStep({ onDone }: Props) {
   return (
     <Panel title={t('identity.title')}>
-      <p>{t('identity.hint')}</p>
+      <p>{t('identity.hint_v2')}</p>
       <DocumentUpload onDone={onDone} />
     </Panel>
   );
""", ("onboarding-web", "16:10:30"))
    I.commit("secret", "petra.novotna", "15:20:18", "chore(helm): read the veritrust token from the csi mount", ["deploy/helm/identity-service/templates/deployment.yaml"], """
--- a/deploy/helm/identity-service/templates/deployment.yaml
+++ b/deploy/helm/identity-service/templates/deployment.yaml
@@ -38 +38 @@ spec:
         env:
-          - name: VERITRUST_TOKEN
-            valueFrom:
-              secretKeyRef: { name: identity, key: veritrust-token }
+          - name: VERITRUST_TOKEN_FILE
+            value: /var/run/secrets/identity/veritrust-token
""", ("identity-service", "15:44:05"))
    I.commit("docs", "leila.amrani", "15:12:00", "docs: data flow of the identity step", ["docs/identity/flow.md"])
    I.commit("acct", "jun.park", "16:05:40", "test(account): fixtures for ios 9", ["account-service/test/fixtures/ios9.json"])
    I.flag("15:55:00", "identity_passive_liveness", "identity-service", "10%->25%", "viktor.lindqvist")
    I.finish(dict(service="identity-service", metric="error_rate_5xx_ratio", threshold=0.1, severity="critical", monitor="identity-verify-errors",
                  summary="identity-service verifications failing above 10% for 5m, p99 about 12s; signups stay pending"),
             dict(first="identity-service", blast=["signup-api", "onboarding-web", "background-check-worker"], remediation="failover-provider",
                  notes="No commit: the identity provider Veritrust is degraded (503 'capacity_limited' with Retry-After and via vt-edge, or no response headers in 12 s). background-check-worker, another code base in another region last built 2 July, fails in the same minute; a probe from outside the cluster without credentials fails too; TCP connect (19 ms) and TLS are fine, NAT drops nothing, docscan over the same client and NAT is unharmed. The provider recovers 16:40-16:47 with nothing deployed and sinks again. Decoys: {session} (16:03, keep-alive; but new connections fail as well as reused ones, docscan shares the client, and 16:06 shows a reused connection working), {nat} (16:08, removes only fraudnet), {secret} (token: would be 401), {breaker}, {consent}, {copy} (16:10, wording)."),
             None, "16:19:00")


def disk():
    I = Inc("listing-updates-blocked", 4108, "2026-09-17T07:00", "2026-09-17T11:40", onset="2026-09-17T10:52")
    on, start = I.m("10:52"), I.m("08:26")
    fill = lambda m: 0.618 + 0.00006 * m + (0 if m < start else min(0.335, (m - start) * 0.00218))
    bad = lambda m: up(m, on, 1.5)
    nodes = {
        "listings-web": dict(own=85, rps=340, err=0.002, calls=[("search-api", 0.8, 2500), ("listings-api", 0.1, 3000)]),
        "search-api": dict(own=62, rps=280, err=0.002, lat=lambda m: 160 * bad(m) + 18 * (1 if m > start else 0)),
        "listings-api": dict(own=70, rps=45, err=0.002, calls=[("listing-indexer", 0.5, 4000)]),
        "listing-indexer": dict(own=140, rps=38, err=0.002, lat=lambda m: 2300 * bad(m), fail=lambda m: 0.34 * bad(m), cpu=lambda m: 0.33 + 0.04 * bad(m)),
        "alerts-mailer": dict(own=200, rps=6, err=0.004),
        "media-service": dict(own=95, rps=80, err=0.003),
    }
    I.graph(nodes, {"listings-web": ["rps", "p99", "err"], "search-api": ["rps", "p99", "err"], "listings-api": ["rps", "p99", "err"],
                    "listing-indexer": ["rps", "p99", "err", "cpu"], "alerts-mailer": ["err"], "media-service": ["p99"]})
    base = {1: 0.631, 2: 0.604, 3: None, 4: 0.612, 5: 0.64}
    for k in range(1, 6):
        I.metric(f"search-data-{k}", "disk_used_ratio", fill if k == 3 else (lambda m, b=base[k]: b + 0.00006 * m), 0.0006, 4, hi=1)
    for k in range(1, 6):
        I.metric(f"search-data-{k}", "segment_merges_failed_per_min", (lambda m: 2.4 if m >= start and m < on + 4 else 0) if k == 3 else (lambda m: 0), 0.3 if k == 3 else 0, 1)
    for k in (1, 3, 5):
        I.metric(f"search-data-{k}", "disk_io_wait_ratio", (lambda m: 0.03 + (0.14 if m > start else 0)) if k == 3 else (lambda m: 0.03), 0.15, 3)
    I.metric("listing-indexer", "bulk_items_rejected_per_min", lambda m: 0.3 + 790 * bad(m), 0.08, 1)
    I.metric("listing-indexer", "bulk_items_per_min", lambda m: 3900, 0.05, 0)
    I.metric("listing-indexer", "index_queue_depth", lambda m: 60 + max(0, m - on) * 770, 0.06, 0)

    I.background([
        ("listings-web", "results page rendered", "/s"),
        ("search-api", lambda r: f"query took {r.randint(12, 70)}ms, {r.randint(0, 900)} hits", "/v1/search"),
        ("listings-api", "listing updated", "/v1/listings"),
        ("listing-indexer", lambda r: f"bulk of {r.randint(80, 120)} indexed", None),
        ("media-service", "photo resized", "/photos")], 130)
    I.stream("media-service", "WARN", lambda r, t: f"exif orientation {r.randint(5, 8)} unsupported, image kept as is", 0.05, 8)
    I.stream("alerts-mailer", "ERROR", lambda r, t: f"smtp 451 greylisted by mx{r.randint(1, 4)}.mail.example", 0.05, 4)
    I.log("08:24:51", "search-data-3", "ERROR", "kernel: nvme1n1: I/O Cmd(0x2) @ LBA 1873920768, 256 blocks, I/O Error (sct 0x2 / sc 0x81)", source="node-syslog", node="ip-10-8-3-77")
    I.log("08:24:51", "search-data-3", "ERROR", "kernel: critical medium error, dev nvme1n1, sector 1873920768 op 0x0:(READ)", source="node-syslog", node="ip-10-8-3-77")
    I.stream("search-data-3", "WARN", lambda r, t: (f"merge failed on [listings-de][{r.choice([4, 4, 4, 11])}]: java.io.IOException: Input/output error; temporary segment files kept, will retry", {"path": "/var/lib/search/nodes/0", "device": "nvme1n1", "tmp_gb": round((I.m(t) - start) * 0.00218 * 1800, 0)}),
             lambda m: 0.16 if start <= m < on + 4 else 0, 15, sig="merge failed on [listings-de][<N>]: java.io.IOException: Input/output error; temporary segment files kept, will retry")
    for p in I.pats:
        if p["signature"].startswith("merge failed"):
            p.update(count=361, delta_vs_baseline="+361")
    for h, who in (("10:08:20", "low watermark [85%]"), ("10:30:10", "high watermark [90%]")):
        I.log(h, "search-master", "WARN", f"{who} exceeded on [search-data-3], " + ("no new shards will be allocated" if "low" in who else "relocation of shards away started, but recovery read failed: Input/output error"), node="search-data-3")
    I.log("10:51:58", "search-master", "ERROR", "flood stage watermark [95%] exceeded on [search-data-3], all indices with a shard on this node marked read-only-allow-delete", node="search-data-3")
    I.log("09:14:20", "disk-report", "INFO", "largest directories on search-data-3: /var/lib/search/nodes/0 1315 GB (of it 188 GB tmp merge files), /var/log 2.1 GB")
    I.log("09:14:21", "disk-report", "INFO", "largest directories on search-data-1: /var/lib/search/nodes/0 1138 GB (of it 0 GB tmp merge files), /var/log 2.0 GB")
    I.log("10:44:20", "disk-report", "INFO", "largest directories on search-data-3: /var/lib/search/nodes/0 1677 GB (of it 541 GB tmp merge files), /var/log 2.1 GB")
    I.log("10:44:21", "disk-report", "INFO", "largest directories on search-data-1: /var/lib/search/nodes/0 1151 GB (of it 0 GB tmp merge files), /var/log 2.1 GB")
    I.stream("listing-indexer", "ERROR", lambda r, t: (f"bulk item rejected: cluster_block_exception index [listings-de] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block]", {"shard": r.choice([2, 4, 7, 11]), "node": "search-data-3"}), lambda m: 1.9 * bad(m), 190,
             sig="bulk item rejected: cluster_block_exception index [listings-de] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block]")
    I.stream("listings-api", "ERROR", lambda r, t: ("listing saved but not indexed: listing-indexer answered 429", {"http.route": "/v1/listings"}), lambda m: 0.01 + 1.0 * bad(m), 14)
    I.stream("search-api", "WARN", lambda r, t: (f"shard [listings-de][4] on search-data-3 slow: {r.randint(180, 420)}ms", {"http.route": "/v1/search"}), lambda m: (0.03 if m > start else 0.005) + 0.5 * bad(m), 18)

    I.trace("07:40:10", ("listings-api", "PUT /v1/listings", 205, "OK", {}, [("listing-indexer", "IndexListing", 130, "OK", {}, [("search-data-3", "bulk [listings-de][4]", 22, "OK"), ("search-data-1", "replica [listings-de][4]", 12, "OK")])]))
    I.trace("09:55:41", ("listings-api", "PUT /v1/listings", 236, "OK", {}, [("listing-indexer", "IndexListing", 160, "OK", {}, [("search-data-3", "bulk [listings-de][4]", 51, "OK"), ("search-data-1", "replica [listings-de][4]", 13, "OK")])]))
    for w in ("10:54:30", "11:08:12", "11:27:55"):
        I.trace(w, ("listings-api", "PUT /v1/listings", 2490, "ERROR", {}, [("listing-indexer", "IndexListing", 2410, "ERROR", {"error": "429 cluster_block_exception", "bulk.retries": 3}, [("search-data-3", "bulk [listings-de][4]", 4, "ERROR", {"error": "index read-only-allow-delete"})])]))
    I.trace("11:12:20", ("listings-web", "GET /s", 320, "OK", {}, [("search-api", "Search", 232, "OK", {}, [("search-data-2", "query [listings-de][2]", 20, "OK"), ("search-data-3", "query [listings-de][4]", 188, "OK"), ("search-data-5", "query [listings-de][7]", 19, "OK")])]))

    I.commit("ilm", "agnes.varga", "07:48:36", "ops(search): keep audit indices 30 days for compliance", ["ops/search/ilm/audit.json"], """
--- a/ops/search/ilm/audit.json
+++ b/ops/search/ilm/audit.json
@@ -2 +2 @@
   "policy": {
     "_meta": { "index_patterns": ["audit-*"], "note": "about 40 MB a day" },
     "phases": {
       "hot": { "actions": { "rollover": { "max_age": "1d" } } },
-      "delete": { "min_age": "14d", "actions": { "delete": {} } }
+      "delete": { "min_age": "30d", "actions": { "delete": {} } }
     }
""", ("search-master", "08:10:00"))
    I.commit("slowlog", "teo.marin", "07:20:05", "feat(search): slow log for queries above 300 ms", ["ops/search/templates/listings.json"], """
--- a/ops/search/templates/listings.json
+++ b/ops/search/templates/listings.json
@@ -6 +6 @@
   "settings": {
     "index.number_of_shards": 12,
     "index.number_of_replicas": 1,
+    "index.search.slowlog.threshold.query.warn": "300ms",
     "index.refresh_interval": "5s"
   }
""", ("search-master", "07:35:10"))
    I.commit("photos", "ines.duarte", "08:31:44", "feat(indexer): index photo captions", ["listing-indexer/src/main/kotlin/doc/ListingDoc.kt", "ops/search/templates/listings.json"], """
--- a/listing-indexer/src/main/kotlin/doc/ListingDoc.kt
+++ b/listing-indexer/src/main/kotlin/doc/ListingDoc.kt
@@ -21 +21 @@ fun Listing.toDoc() = ListingDoc(
     title = title,
     body = body.take(4000),
+    captions = photos.mapNotNull { it.caption?.take(120) },
     price = price.minor,
     updatedAt = updatedAt,
 )
""", ("listing-indexer", "09:02:30"))
    I.commit("bulk", "ines.duarte", "10:21:12", "perf(indexer): flush bulks at 5 MB or 120 items", ["listing-indexer/src/main/kotlin/bulk/BulkWriter.kt"], """
--- a/listing-indexer/src/main/kotlin/bulk/BulkWriter.kt
+++ b/listing-indexer/src/main/kotlin/bulk/BulkWriter.kt
@@ -15 +15 @@ class BulkWriter(private val client: SearchClient) {
     private val processor = BulkProcessor.builder(client::bulk)
-        .setBulkActions(100)
-        .setBulkSize(ByteSize.ofMb(4))
+        .setBulkActions(120)
+        .setBulkSize(ByteSize.ofMb(5))
         .setFlushInterval(Duration.ofSeconds(2))
         .setBackoff(exponential(Duration.ofMillis(200), 3))
         .build()
""", ("listing-indexer", "10:40:20"))
    I.commit("route", "teo.marin", "10:30:51", "refactor(search-api): build the shard preference once per session", ["search-api/search/preference.py"], """
--- a/search-api/search/preference.py
+++ b/search-api/search/preference.py
@@ -6 +6 @@ def params(request):
-    return {"preference": hashlib.md5(request.session_id.encode()).hexdigest()}
+    if "pref" not in request.state:
+        request.state["pref"] = hashlib.md5(request.session_id.encode()).hexdigest()
+    return {"preference": request.state["pref"]}
""", ("search-api", "10:49:45"))
    I.commit("valid", "lorenz.keller", "09:40:18", "fix(listings-api): reject prices with more than two decimals", ["listings-api/internal/validate/price.go"], """
--- a/listings-api/internal/validate/price.go
+++ b/listings-api/internal/validate/price.go
@@ -12 +12 @@ func Price(s string) (Minor, error) {
     whole, frac, _ := strings.Cut(s, ".")
+    if len(frac) > 2 {
+        return 0, ErrPrecision
+    }
     return parseMinor(whole, frac)
 }
""", ("listings-api", "10:05:00"), tabs=True)
    I.commit("run", "agnes.varga", "09:25:20", "docs: runbook for shard allocation", ["docs/runbooks/shards.md"])
    I.commit("debug", "lorenz.keller", "08:05:55", "chore(media): debug logging for exif handling", ["media-service/config/logging.yaml"], """
--- a/media-service/config/logging.yaml
+++ b/media-service/config/logging.yaml
@@ -4 +4 @@ loggers:
   media.exif:
-    level: INFO
+    level: DEBUG
     handlers: [stdout]
""", ("media-service", "08:22:15"))
    I.flag("10:35:00", "search_semantic_rerank", "search-api", "5%->15%", "teo.marin")
    I.finish(dict(service="listing-indexer", metric="bulk_items_rejected_per_min", threshold=50, severity="critical", monitor="indexer-rejections",
                  summary="listing-indexer: bulk items rejected above 50 per minute; listing updates do not reach search"),
             dict(first="search-data-3", blast=["listing-indexer", "listings-api", "search-api"], remediation="replace-node",
                  notes="No commit: the NVMe of one node (search-data-3) has a medium error since 08:24; merges of its shards fail and leave temporary segment files, so its disk climbs from 62% to 95% in 2.5 hours while the four other nodes hold 60-65% under the same writes. At 10:52 the flood-stage watermark makes the indices with a shard on that node (listings-de) read-only and their writes are rejected. A commit would fill all nodes alike. Decoys: {ilm} (longer retention, suspicious for a disk, but 40 MB a day and on all nodes), {debug} (debug logs 08:22, four minutes before the climb, but of media-service to stdout elsewhere; /var/log is 2 GB), {photos} (more per document, 09:02, after the climb began, all nodes), {bulk} (10:40 on the paged service, 12 min before), {route} (10:49, same hash), {slowlog}, {valid}."),
             None, "10:55:00")


def payload():
    I = Inc("document-render-stalls", 4109, "2026-11-05T13:00", "2026-11-05T15:30", onset="2026-11-05T14:22")
    on, off, again = I.m("14:22"), I.m("14:43"), I.m("14:54")
    def act(m):
        if m < on or m >= I.m("15:24"):
            return 0.0
        if off <= m < again:
            return max(0.0, 1 - (m - off) / 2.0)
        return up(m, on if m < off else again, 1.2)
    nodes = {
        "public-api": dict(own=34, rps=150, err=0.002, calls=[("document-service", 0.4, 8000)]),
        "document-service": dict(own=120, rps=62, err=0.0025, load=lambda m: 1 + 0.004 * act(m), lat=lambda m: 6900 * act(m), fail=lambda m: 0.21 * act(m), cpu=lambda m: 0.34 + 0.53 * act(m)),
        "render-worker": dict(own=900, rps=20, err=0.004, lat=lambda m: 2400 * act(m), load=lambda m: 1 - 0.45 * act(m)),
        "mailmerge-worker": dict(own=300, rps=9, err=0.003, calls=[("document-service", 1, 8000)]),
        "template-service": dict(own=48, rps=70, err=0.002),
        "billing-meter": dict(own=25, rps=60, err=0.001),
    }
    I.graph(nodes, {"public-api": ["rps", "p99", "err"], "document-service": ["rps", "p99", "err", "cpu"], "render-worker": ["rps", "p99"],
                    "mailmerge-worker": ["p99", "err"], "template-service": ["p99", "err"], "billing-meter": ["p99"]})
    I.metric("document-service", "event_loop_lag_p99_ms", lambda m: 9 + 3900 * act(m), 0.12, 0)
    I.metric("document-service", "http_request_body_bytes_p50", lambda m: 21800, 0.05, 0)
    I.metric("document-service", "http_request_body_bytes_p99", lambda m: 212000 + 0 * m, 0.1, 0)
    I.metric("document-service", "http_request_body_bytes_max", lambda m: 3.1e6 + 87.4e6 * (1 if act(m) > .3 else 0), 0.05, 0)
    I.metric("document-service", "gc_pause_p99_ms", lambda m: 14 + 710 * act(m), 0.12, 0)
    I.metric("document-service", "heap_used_ratio", lambda m: 0.41 + 0.46 * act(m), 0.05, 3, hi=0.99)
    I.metric("document-service", "pod_restart_total", lambda m: (0 if m < on + 6 else 1 if m < on + 14 else 2 if m < again + 7 else 3), 0, 0)
    I.metric("ingress", "bytes_in_per_sec", lambda m: 5.9e6 + 23.5e6 * act(m), 0.06, 0)
    I.metric("blob-store", "put_duration_p99_ms", lambda m: 62 + 25 * act(m), 0.07, 1)
    I.metric("render-worker", "queue_depth", lambda m: 7, 0.2, 0)

    I.background([
        ("public-api", lambda r: f"POST /v1/documents 202 in {r.randint(90, 200)}ms", "/v1/documents"),
        ("document-service", lambda r: f"document composed, account acct_{r.choice([1180, 2041, 3377, 5120, 6408])}, {r.randint(8, 190)} KB", "/compose"),
        ("render-worker", lambda r: f"rendered {r.randint(1, 12)} pages", None),
        ("template-service", "template resolved", "/templates"),
        ("billing-meter", "usage recorded", None)], 75)
    I.stream("template-service", "WARN", lambda r, t: f"template tpl_{r.randint(1000, 9999)} uses deprecated helper 'ifeq'", lambda m: 0.12 if m > 52 else 0, 6)
    I.stream("public-api", "ERROR", lambda r, t: f"webhook signature mismatch for acct_{r.randint(1000, 9999)}", 0.05, 4)
    I.stream("document-service", "INFO", lambda r, t: (f"compose accepted, account acct_7731, content_length {r.randint(86_000_000, 93_500_000)}", {"http.route": "/compose", "user_agent": "acme-erp-export/4.2", "inline_images": r.randint(380, 460)}),
             lambda m: 0.75 * act(m) if act(m) > .2 else (0.0), 20, "neutral", sig="compose accepted, account acct_<N>, content_length <N>")
    I.stream("document-service", "WARN", lambda r, t: (f"event loop blocked for {r.randint(2100, 5200)}ms", {"pod": f"document-service-{r.choice(['6wq', 'b8d', 'k2z', 'v4n'])}", "phase": r.choice(["JSON.parse", "JSON.parse", "ajv.validate", "base64 decode"]), "account": "acct_7731"}),
             lambda m: 1.3 * act(m), 7)
    I.stream("document-service", "ERROR", lambda r, t: ("liveness probe failed: context deadline exceeded", {"pod": f"document-service-{r.choice(['6wq', 'b8d', 'k2z', 'v4n'])}"}), lambda m: 0.35 * act(m), 5)
    I.stream("document-service", "ERROR", lambda r, t: (f"request aborted after 8000ms, account acct_{r.choice([1180, 2041, 3377, 5120, 6408])}", {"http.route": "/compose"}), lambda m: 0.01 + 1.0 * act(m), 24)
    I.stream("public-api", "ERROR", lambda r, t: ("document-service timeout, returning 504", {"http.route": "/v1/documents"}), lambda m: 0.01 + 0.9 * act(m), 22)
    I.stream("mailmerge-worker", "WARN", lambda r, t: (f"merge row delayed, compose took {r.randint(4200, 8000)}ms", {}), lambda m: 0.7 * act(m), 9)

    norm = lambda w: I.trace(w, ("public-api", "POST /v1/documents", 168, "OK", {"account": "acct_2041"}, [("document-service", "POST /compose", 118, "OK", {"http.request.body.size": 24110, "event_loop.wait_ms": 1}, [("document-service", "JSON.parse", 1, "OK"), ("document-service", "ajv.validate", 3, "OK"), ("blob-store", "PUT", 31, "OK")])]))
    norm("13:20:10"); norm("14:15:31"); norm("14:49:40")
    for w in ("14:24:02", "14:37:30", "15:02:11"):
        I.trace(w, ("public-api", "POST /v1/documents", 7840, "OK", {"account": "acct_7731"}, [("document-service", "POST /compose", 7650, "OK", {"http.request.body.size": 90412288, "event_loop.wait_ms": 40}, [("document-service", "JSON.parse", 2480, "OK"), ("document-service", "ajv.validate", 1310, "OK"), ("document-service", "base64 decode", 2030, "OK"), ("blob-store", "PUT", 1490, "OK")])]))
    for w in ("14:24:03", "14:37:31"):
        I.trace(w, ("public-api", "POST /v1/documents", 8040, "ERROR", {"account": "acct_1180", "http.status_code": 504}, [("document-service", "POST /compose", 8000, "ERROR", {"http.request.body.size": 19844, "event_loop.wait_ms": 7870, "error": "aborted"}, [("document-service", "JSON.parse", 1, "OK")])]))

    I.commit("limit", "freya.nilsen", "13:22:47", "refactor(document): body limit comes from config", ["document-service/src/server.ts", "document-service/src/config.ts"], """
--- a/document-service/src/config.ts
+++ b/document-service/src/config.ts
@@ -11 +11 @@ export const config = {
   port: int('PORT', 8080),
+  bodyLimit: str('BODY_LIMIT', '100mb'),
   requestTimeoutMs: int('REQUEST_TIMEOUT_MS', 8000),
 };
--- a/document-service/src/server.ts
+++ b/document-service/src/server.ts
@@ -17 +17 @@ export function build(): Express {
   const app = express();
-  app.use(express.json({ limit: '100mb' }));
+  app.use(express.json({ limit: config.bodyLimit }));
   app.use(requestId());
""", ("document-service", "13:41:05"))
    I.commit("ajv", "ibrahim.sow", "13:50:21", "perf(document): compile schemas once at start", ["document-service/src/validate.ts"], """
--- a/document-service/src/validate.ts
+++ b/document-service/src/validate.ts
@@ -5 +5 @@ import { schemas } from './schemas';
 const ajv = new Ajv({ allErrors: false });
+const compiled = new Map(Object.entries(schemas).map(([k, s]) => [k, ajv.compile(s)]));

 export function validate(kind: string, body: unknown): void {
-  const check = ajv.compile(schemas[kind]);
+  const check = compiled.get(kind)!;
   if (!check(body)) {
     throw new BadRequest(ajv.errorsText(check.errors));
   }
 }
""", ("document-service", "14:09:30"))
    I.commit("sharp", "zofia.mazur", "14:01:09", "feat(render): keep png transparency", ["render-worker/render/images.py"], """
--- a/render-worker/render/images.py
+++ b/render-worker/render/images.py
@@ -18 +18 @@ def prepare(img: Image.Image) -> Image.Image:
-    return img.convert("RGB")
+    return img if img.mode == "RGBA" else img.convert("RGB")
""", ("render-worker", "14:18:50"))
    I.commit("probe", "carl.ostergren", "13:05:12", "chore(helm): liveness probe of document-service every 10 s", ["deploy/helm/document-service/values.yaml"], """
--- a/deploy/helm/document-service/values.yaml
+++ b/deploy/helm/document-service/values.yaml
@@ -24 +24 @@ livenessProbe:
   httpGet: { path: /healthz, port: http }
-  periodSeconds: 15
+  periodSeconds: 10
   timeoutSeconds: 5
   failureThreshold: 6
""", ("document-service", "13:15:40"))
    I.commit("sdk", "ibrahim.sow", "14:06:33", "feat(api): accept gzip on POST /v1/documents", ["public-api/internal/http/decode.go"], """
--- a/public-api/internal/http/decode.go
+++ b/public-api/internal/http/decode.go
@@ -14 +14 @@ func body(r *http.Request) (io.Reader, error) {
+    if r.Header.Get("Content-Encoding") == "gzip" {
+        zr, err := gzip.NewReader(r.Body)
+        if err != nil {
+            return nil, err
+        }
+        return io.LimitReader(zr, maxBody), nil
+    }
     return io.LimitReader(r.Body, maxBody), nil
 }
""", ("public-api", "14:20:10"), tabs=True)
    I.commit("tpl", "zofia.mazur", "13:33:58", "fix(template): warn about deprecated helpers", ["template-service/src/helpers.ts"], """
--- a/template-service/src/helpers.ts
+++ b/template-service/src/helpers.ts
@@ -22 +22 @@ export function resolve(t: Template): Compiled {
   const used = collectHelpers(t.ast);
+  for (const h of used) {
+    if (deprecated.has(h)) log.warn(`template ${t.id} uses deprecated helper '${h}'`);
+  }
   return compile(t.ast, used);
""", ("template-service", "13:51:20"))
    I.commit("docs", "freya.nilsen", "14:12:40", "docs: limits of the documents API (100 MB body since 2024)", ["docs/api/limits.md"])
    I.commit("meter", "carl.ostergren", "14:27:15", "chore(billing): count bytes per account", ["billing-meter/meter/usage.py"], """
--- a/billing-meter/meter/usage.py
+++ b/billing-meter/meter/usage.py
@@ -9 +9 @@ def record(event):
     counters.inc("documents", account=event.account)
+    counters.add("document_bytes", event.size, account=event.account)
""", ("billing-meter", "14:35:00"))
    I.flag("14:05:00", "compose_inline_fonts", "document-service", "off->5%", "ibrahim.sow")
    I.finish(dict(service="document-service", metric="event_loop_lag_p99_ms", threshold=1000, severity="critical", monitor="document-event-loop",
                  summary="document-service event loop lag p99 above 1s, timeouts for all accounts, pods restarting"),
             dict(first="document-service", blast=["public-api", "mailmerge-worker", "render-worker"], remediation="throttle-client",
                  notes="No commit: from 14:22 one customer (acct_7731, user agent acme-erp-export/4.2) sends ~90 MB JSON documents with hundreds of inline images, about 15 a minute among 3700 requests; parsing them blocks the event loop for seconds, small requests of others wait (event_loop.wait_ms 7870) and time out. Requests per second are flat, only body bytes max and ingress bytes jump. From 14:43 to 14:54 and after 15:24 the customer pauses and everything is well with the same versions running. The 100 MB limit is old. Decoys: {limit} (moves the limit to config, still '100mb'), {ajv} (14:09, on the path, but less work per request; parse and base64 dominate), {probe} (makes restarts a bit quicker: 6 failures needed, not the stall), {sdk} (gzip 14:20, two minutes before; the same maxBody, the sender does not compress: content_length is the plain size), {sharp}, {meter} (after onset)."),
             None, "14:27:00")
