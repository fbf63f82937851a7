from sim_d import *

def index_drop():
    i = Incident("claims-open-list-seqscan", "2026-08-27T08:00:00", 150, 79, 407)
    i.commit("guilty", "beatriz.lopes", 19.4, "db: housekeeping after the status rework", ["migrations/claimsdb/V118__status_rework_cleanup.sql"], """
@@ migrations/claimsdb/V118__status_rework_cleanup.sql @@
+-- runner: no-transaction
+-- 1/4 comments for the new states
+COMMENT ON COLUMN claims.status IS 'see docs/claims/states.md';
+-- 2/4 the old enum is no longer referenced
+DROP TYPE IF EXISTS claim_status_v1;
+-- 3/4 indexes of the v1 list views
+DROP INDEX CONCURRENTLY IF EXISTS claims_status_v1_idx;
+DROP INDEX CONCURRENTLY IF EXISTS claims_insurer_status_updated_idx;
+-- 4/4
+ANALYZE claim_notes;
""")
    i.commit("rep", "otto.lehmann", 11.8, "reports: quarterly loss ratio by product", ["reports/sql/loss_ratio.sql"], """
@@ reports/sql/loss_ratio.sql @@
+SELECT p.code, date_trunc('month', c.loss_date) AS m,
+       sum(c.paid) / nullif(sum(pr.earned), 0) AS ratio
+  FROM claims c
+  JOIN policies pr ON pr.id = c.policy_id
+  JOIN products p  ON p.id = pr.product_id
+ WHERE c.loss_date >= date_trunc('quarter', now()) - interval '2 years'
+ GROUP BY 1, 2;
""")
    i.commit("any", "samir.khoury", 60.2, "feat: filter the worklist by several states", ["claims-api/internal/store/worklist.go"], """
@@ claims-api/internal/store/worklist.go: func (s *Store) Worklist(ctx context.Context, f Filter) ([]Claim, error) {
-    q := sq.Select(cols...).From("claims").Where(sq.Eq{"handler_id": f.Handler, "status": f.Status})
+    q := sq.Select(cols...).From("claims").
+        Where(sq.Eq{"handler_id": f.Handler}).
+        Where("status = ANY(?)", pq.Array(f.Statuses))
     return s.query(ctx, q.OrderBy("updated_at DESC").Limit(50))
 }
""")
    i.commit("col", "beatriz.lopes", 66.1, "db: remember who reviewed a claim", ["migrations/claimsdb/V119__claim_reviews.sql"], """
@@ migrations/claimsdb/V119__claim_reviews.sql @@
+CREATE TABLE IF NOT EXISTS claim_reviews (
+    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
+    claim_id    bigint NOT NULL,
+    reviewer_id bigint NOT NULL,
+    reviewed_at timestamptz NOT NULL DEFAULT now()
+);
+CREATE INDEX claim_reviews_claim_idx ON claim_reviews (claim_id);
""")
    i.commit("pb", "anneli.koski", 33.3, "payout-batch: log the number of open claims per insurer", ["payout/src/main/kotlin/Run.kt"], """
@@ payout/src/main/kotlin/Run.kt @@
     val open = claims.openFor(insurer, since)
+    log.info("open claims insurer={} n={}", insurer.id, open.size)
     open.forEach { schedule(it) }
""")
    i.commit("cfg", "gareth.pugh", 71.0, "claimsdb: autovacuum a little less eager on claims", ["infra/claimsdb/params.tf"], """
@@ infra/claimsdb/params.tf @@
 resource "aws_db_parameter_group" "claims" {
   parameter {
     name  = "autovacuum_vacuum_scale_factor"
-    value = "0.02"
+    value = "0.05"
   }
 }
""")
    i.commit("por", "samir.khoury", 74.2, "portal: several states in the worklist filter", ["portal/src/Worklist.vue"], """
@@ portal/src/Worklist.vue @@
-<StateSelect v-model="filter.status" />
+<StateSelect v-model="filter.statuses" multiple />
""")
    i.commit("doc", "beatriz.lopes", 22.0, "docs: states of a claim", ["docs/claims/states.md"])
    i.deploy(16, "report-runner", "rep"); i.deploy(26, "claimsdb", "guilty", "migration-V118"); i.deploy(38, "payout-batch", "pb"); i.deploy(70, "claimsdb", "col", "migration-V119"); i.deploy(73, "claims-api", "any"); i.deploy(75.5, "claimsdb", "cfg", "param-group-22"); i.deploy(77.5, "claims-portal", "por")
    i.flag(76, "worklist_multi_state", "claims-portal", "off->on", "samir.khoury")
    q = P((0, 14), (24, 15), (78, 18), (79.5, 1900), (86, 5200), (150, 5900))
    ap = waits(K(62), q, 1, 8000)
    ser = [S("claimsdb", "db_query_duration_p99_ms", q, .08), S("claimsdb", "db_cpu_utilization", P((0, 29), (18, 37), (78, 39), (80, 83), (84, 97), (150, 98)), .03, 1, 0, 100), S("claimsdb", "rows_read_sequential_per_sec", P((0, 900), (17, 21000), (77, 21500), (78.6, 2100), (80, 1850000), (86, 2600000), (150, 2650000)), .07, 0), S("claimsdb", "rows_read_by_index_per_sec", P((0, 16200), (78.5, 18100), (80, 9100), (86, 4400), (150, 4200)), .05, 0),
        S("claimsdb", "db_oldest_transaction_seconds", lambda t: 4 if t < 17 else (t - 17) * 60 if t < 78.5 else 9, .01, 0), S("claimsdb", "db_write_iops", K(310), .1, 0), S("claims-api", "http_server_duration_p99_ms", ap, .08, spike=.01), S("claims-api", "requests_per_sec", P((0, 71), (60, 92), (80, 95), (90, 70), (150, 66)), .05), S("claims-api", "error_rate_5xx_ratio", P((0, .002), (80, .003), (86, .19), (150, .27)), .13, 4, 0, 1),
        S("payout-batch", "claims_scheduled_per_min", P((0, 240), (79, 245), (84, 18), (150, 12)), .09), S("claims-portal", "http_server_duration_p99_ms", waits(K(110), ap, 1, 8200), .08)]
    logs = [L(90, 0, 150, ("claims-api", "INFO", "claim read", {"http.route": "/claims/:id", "duration_ms": (6, 40)})), L(160, 0, 79, ("payout-batch", "INFO", "payout scheduled claim={N:400000-990000}")), L(300, 38.3, 150, ("payout-batch", "INFO", "open claims insurer={N:3-41} n={N:20-310}")),
        L(480, 8, 150, ("claims-portal", "WARN", "document preview not available for type image/heic")), L(660, 15, 150, ("claims-api", "ERROR", "address check: provider answered 422 for country {C:XK|GI|AX}", {"peer": "addrcheck"})),
        L(0, 17.1, 150, ("report-runner", "INFO", "report loss_ratio started", {"db.transaction": "REPEATABLE READ"})), L(0, 26.4, 150, ("claimsdb", "INFO", "migration runner: V118 started")), L(0, 78.5, 150, ("report-runner", "INFO", "report loss_ratio finished", {"duration_ms": 3684000})), L(0, 78.7, 150, ("claimsdb", "INFO", "migration runner: V118 finished after 3139 s")), L(0, 70.1, 150, ("claimsdb", "INFO", "migration runner: V119 finished after 0 s")),
        L(34, 79.1, 150, ("claimsdb", "WARN", "slow query: SELECT * FROM claims WHERE insurer_id = $1 AND status = $2 AND updated_at > $3 ORDER BY updated_at", {"db.duration_ms": (1900, 6100), "db.client": "{C:claims-api|claims-api|payout-batch}", "db.rows": (4, 300)})),
        L(210, 84, 150, ("claimsdb", "WARN", "slow query: SELECT id, handler_id, status FROM claims WHERE handler_id = $1 AND status = ANY($2) ORDER BY updated_at DESC LIMIT 50", {"db.duration_ms": (510, 790), "db.client": "claims-api", "db.rows": 50})),
        L(70, 83, 150, ("claims-api", "ERROR", "open list: canceling statement due to statement timeout", {"http.route": "/insurers/:id/open", "duration_ms": (8000, 8020)}), ("claims-portal", "ERROR", "list could not be loaded: 504", {"http.route": "/open"})), L(240, 85, 150, ("payout-batch", "ERROR", "run slower than its window, {N:200-1900} claims left"))]
    i.trace(50, ("a1", None, "claims-portal", "GET /open", 131, "OK"), ("b1", "a1", "claims-api", "GET /insurers/:id/open", 52, "OK"), ("c1", "b1", "claimsdb", "SELECT claims (insurer, status, updated)", 9, "OK", {"db.rows": 117}))
    i.trace(76.5, ("a1", None, "claims-portal", "GET /worklist", 95, "OK"), ("b1", "a1", "claims-api", "GET /worklist", 41, "OK"), ("c1", "b1", "claimsdb", "SELECT claims (handler, status any)", 11, "OK", {"db.rows": 50}))
    i.trace(88, ("a1", None, "claims-portal", "GET /open", 5630, "OK"), ("b1", "a1", "claims-api", "GET /insurers/:id/open", 5541, "OK"), ("c1", "b1", "claimsdb", "SELECT claims (insurer, status, updated)", 5503, "OK", {"db.rows": 121, "db.plan": "Gather Merge > Parallel Seq Scan on claims"}))
    i.trace(90, ("a1", None, "payout-batch", "run insurer", 5880, "OK"), ("b1", "a1", "claimsdb", "SELECT claims (insurer, status, updated)", 5790, "OK", {"db.rows": 64, "db.plan": "Gather Merge > Parallel Seq Scan on claims"}))
    return i.write(dict(service="claimsdb", metric="db_cpu_utilization", threshold=90, observed=97.4, fired_at=87, severity="critical", monitor="claimsdb-cpu", summary="claimsdb CPU above 90 %, list queries slow or cancelled; writes normal"), ser, logs,
        dict(root="guilty", cls="schema: index in use dropped, takes effect only when a long transaction ends (SQL)", first="claimsdb", blast=["claims-api", "payout-batch", "claims-portal"], fix="roll-forward", notes="Dropped index. <guilty> (beatriz.lopes, V118, started 08:26) drops claims_insurer_status_updated_idx along with a really obsolete one. The first DROP INDEX CONCURRENTLY waits for every older transaction on claims: the report of <rep> holds one since 08:17 and ends at 09:18:30; only then does the second drop run, V118 finishes at 09:18:42 and the onset follows at once. The slow statement filters insurer_id, status, updated_at with = and comes from claims-api and payout-batch alike (the latter last deployed at 08:38); plan: parallel seq scan. Decoys: <any> (claims-api, 09:13; its query is by handler_id, was 11 ms at 09:16, later slow from CPU starvation only), <col> (V119, 09:10; a new empty table), <cfg> (autovacuum), <por>, <rep> (delays, does not cause), <pb>. Fix: create the index again."))

def s3_checksum():
    i = Incident("archive-put-rejected", "2026-09-10T12:20:00", 150, 101, 408)
    i.commit("guilty", "renovate-bot", 14.2, "build: refresh the lock file of document-archive", ["archive/requirements.in", "archive/requirements.lock"], """
@@ archive/requirements.in @@
 fastapi>=0.115,<0.116
-boto3<1.36
+boto3
 pydantic>=2.9
 structlog
@@ archive/requirements.lock @@
-boto3==1.35.99
+boto3==1.36.6
-botocore==1.35.99
+botocore==1.36.6
-certifi==2026.6.2
+certifi==2026.8.3
-s3transfer==0.10.4
+s3transfer==0.11.2
-structlog==24.4.0
+structlog==24.5.0
-urllib3==2.2.3
+urllib3==2.3.0
""")
    i.commit("ret", "hanna.virtanen", 36.4, "feat: retention class on every stored document", ["archive/app/models.py", "archive/app/catalog.py"], """
@@ archive/app/models.py @@
 class Document(BaseModel):
     key: str
     sha256: str
+    retention: Literal["3y", "7y", "10y"] = "7y"
@@ archive/app/catalog.py: def register(doc: Document) -> None:
     with session() as s:
-        s.add(Row(key=doc.key, sha256=doc.sha256))
+        s.add(Row(key=doc.key, sha256=doc.sha256, retention=doc.retention))
""")
    i.commit("keys", "milos.petrovic", 62.7, "rotate the archive's object-store key via external secret", ["deploy/archive/externalsecret.yaml"], """
@@ deploy/archive/externalsecret.yaml @@
 spec:
   refreshInterval: 1h
   data:
     - secretKey: AWS_ACCESS_KEY_ID
-      remoteRef: {key: archive/rgw, property: key_2025}
+      remoteRef: {key: archive/rgw, property: key_2026}
     - secretKey: AWS_SECRET_ACCESS_KEY
-      remoteRef: {key: archive/rgw, property: secret_2025}
+      remoteRef: {key: archive/rgw, property: secret_2026}
""")
    i.commit("stream", "hanna.virtanen", 80.9, "archive: stream bundles from the spool instead of reading them", ["archive/app/store.py"], """
@@ archive/app/store.py: def put_bundle(path: Path, key: str) -> None:
-    s3.put_object(Bucket=BUCKET, Key=key, Body=path.read_bytes(), ContentType="application/pdf")
+    with path.open("rb") as f:
+        s3.put_object(Bucket=BUCKET, Key=key, Body=f, ContentType="application/pdf")
""")
    i.commit("rgw", "milos.petrovic", 88.3, "object-store: rgw_max_concurrent_requests 1024 -> 2048", ["infra/ceph/rgw.yaml"], """
@@ infra/ceph/rgw.yaml @@
 config:
   client.rgw.archive:
-    rgw_max_concurrent_requests: "1024"
+    rgw_max_concurrent_requests: "2048"
     rgw_thread_pool_size: "512"
""")
    i.commit("pdf", "soraya.amin", 90.5, "pdf-renderer: write PDF/A-3", ["renderer/src/main/java/org/akt/render/PdfA.java"], """
@@ renderer/src/main/java/org/akt/render/PdfA.java @@
-        writer.setConformance(PdfAConformanceLevel.PDF_A_2B);
+        writer.setConformance(PdfAConformanceLevel.PDF_A_3B);
""")
    i.commit("scan", "tadeusz.wrona", 29.0, "scan-intake: minio client for the local spool", ["intake/go.mod", "intake/go.sum"], """
@@ intake/go.mod: require ( @@
-	github.com/minio/minio-go/v7 v7.0.76
+	github.com/minio/minio-go/v7 v7.0.77
""")
    i.commit("ci", "soraya.amin", 47.7, "ci: retry flaky container pulls", [".gitlab-ci.yml"])
    i.deploy(33, "scan-intake", "scan"); i.deploy(52, "document-archive", "ret"); i.deploy(68, "document-archive", "keys", "config-0910-1"); i.deploy(87, "document-archive", "stream"); i.deploy(93, "object-store", "rgw", "rgw-config-77"); i.deploy(97, "pdf-renderer", "pdf")
    i.flag(85, "renderer_pdfa3", "pdf-renderer", "off->on", "soraya.amin")
    putrate = lambda t: 38 if 40 <= t < 47 or 100 <= t < 114 else .0
    # bundles are written by the hourly run at :00 (13:00 = minute 40, 14:00 = minute 100), retried every few minutes
    bad = P((0, 0), (100.5, 0), (101.5, 1), (150, 1))
    ser = [S("document-archive", "object_put_error_ratio", lambda t: .0008 if t < 100.7 else .998, .002, 4, 0, 1), S("document-archive", "object_puts_per_sec", lambda t: 38 if 40 <= t < 48 or 100 <= t < 150 else 0, .06), S("document-archive", "object_gets_per_sec", K(14), .08), S("document-archive", "object_get_error_ratio", K(.0006), .3, 5), S("object-store", "http_4xx_per_sec", lambda t: .05 if t < 100.6 else 38, .08, 2), S("object-store", "http_5xx_per_sec", K(.01), .6, 3),
        S("object-store", "http_server_duration_p99_ms", P((0, 41), (100, 43), (101, 37), (150, 36)), .08, spike=.02), S("object-store", "cpu_utilization", P((0, .17), (40, .24), (48, .17), (100, .18), (102, .2), (150, .2)), .07, 3), S("document-archive", "spool_bundles_waiting", lambda t: 60 + t * 4 if t < 40 else max(40, 220 - (t - 40) * 27) if t < 48 else 40 + (t - 48) * 5 if t < 150 else 0, .05, 0), S("document-archive", "http_server_duration_p99_ms", K(88), .08),
        S("case-portal", "finalise_error_ratio", P((0, .002), (101, .003), (104, .31), (150, .44)), .12, 4, 0, 1), S("pdf-renderer", "documents_rendered_per_min", P((0, 96), (150, 104)), .07), S("scan-intake", "http_server_duration_p99_ms", K(61), .1)]
    logs = [L(95, 0, 150, ("document-archive", "INFO", "document served", {"http.route": "/documents/:id", "duration_ms": (12, 80)})), L(140, 0, 150, ("pdf-renderer", "INFO", "rendered {N:1-48} pages")), L(28, 40, 47.5, ("document-archive", "INFO", "bundle stored key=2026/09/10/{H:12}.pdf", {"object.bytes": (80000, 4100000)})), L(500, 6, 150, ("scan-intake", "WARN", "barcode unreadable on page {N:1-12}, routed to manual indexing")),
        L(800, 13, 150, ("case-portal", "ERROR", "signature provider: session expired", {"peer": "esign"})), L(0, 52.6, 150, ("document-archive", "INFO", "starting document-archive {C:v2026.09.10-1309}")), L(0, 68.7, 150, ("document-archive", "INFO", "credentials reloaded, key id AKR26{H:6}")), L(210, 70, 100, ("object-store", "INFO", "GET /archive/2026/{C:07|08}/{N:10-28}/{H:12}.pdf 200", {"access_key": "AKR26"})), L(0, 100, 150, ("document-archive", "INFO", "hourly bundle run started")),
        L(24, 100.8, 150, ("document-archive", "ERROR", "put failed: botocore.exceptions.ClientError: An error occurred (XAmzContentSHA256Mismatch) when calling the PutObject operation: None", {"object.key": "2026/09/10/{H:12}.pdf", "object.bytes": (80000, 4100000), "http.status_code": 400}), ("object-store", "WARN", "PUT /archive 400 XAmzContentSHA256Mismatch", {"http.request.header": "x-amz-content-sha256: STREAMING-UNSIGNED-PAYLOAD-TRAILER; x-amz-trailer: x-amz-checksum-crc32", "http.user_agent": "Boto3/1.36.6 md/Botocore#1.36.6"})),
        L(65, 102, 150, ("case-portal", "ERROR", "finalise: archive did not confirm the bundle", {"http.route": "/cases/:id/finalise"})), L(260, 101, 150, ("object-store", "INFO", "PUT /spool 200", {"http.user_agent": "MinIO (linux; amd64) minio-go/v7.0.77"}))]
    i.trace(43, ("a1", None, "document-archive", "bundle run: store", 141, "OK"), ("b1", "a1", "object-store", "PUT /archive", 118, "OK", {"http.status_code": 200, "http.user_agent": "Boto3/1.35.99"}))
    i.trace(75, ("a1", None, "case-portal", "GET /documents/:id", 66, "OK"), ("b1", "a1", "document-archive", "GET /documents/:id", 49, "OK"), ("c1", "b1", "object-store", "GET /archive", 22, "OK", {"http.status_code": 200}))
    i.trace(104, ("a1", None, "document-archive", "bundle run: store", 24, "ERROR"), ("b1", "a1", "object-store", "PUT /archive", 6, "ERROR", {"http.status_code": 400, "error": "XAmzContentSHA256Mismatch"}))
    i.trace(108, ("a1", None, "case-portal", "POST /cases/:id/finalise", 10020, "ERROR", {"error": "bundle not confirmed after 10 s"}), ("b1", "a1", "document-archive", "GET /bundles/:id", 11, "OK", {"bundle.state": "waiting"}))
    return i.write(dict(service="document-archive", metric="object_put_error_ratio", threshold=.05, observed=.998, fired_at=105, severity="critical", monitor="archive-put-errors", summary="document-archive cannot store bundles in the object store since the 14:00 run; reads are fine"), ser, logs,
        dict(root="guilty", cls="dependency upgrade: new SDK default (trailing checksums) refused by the S3-compatible store", first="document-archive", blast=["case-portal"], fix="rollback", notes="Dependency default. <guilty> (renovate-bot, 12:34) lifts the cap boto3<1.36 and locks boto3/botocore 1.36.6, which sends CRC32 trailing checksums (STREAMING-UNSIGNED-PAYLOAD-TRAILER) by default; this Ceph RGW refuses them with XAmzContentSHA256Mismatch. It went live with the next image of the service, deployed 13:12 under <ret>; the service only writes in the hourly run, so 14:00 is the first write with the new SDK (the 13:00 run came before). Gets go on. Decoys: <stream> (13:47; a seekable file body as such is accepted; the refused header is the trailer, user agent Boto3/1.36.6), <keys> (reads succeed with the new key, the error is no 403), <rgw> (concurrency), <pdf>, <ret> (catalog column), <scan> (minio client of another service; its puts succeed)."))

def faulty_node():
    i = Incident("cart-timeouts-one-node", "2026-10-13T14:00:00", 120, 77, 409)
    N = "node/ip-10-4-17-23"; M = "node/ip-10-4-22-90"
    i.commit("cni", "derek.ong", -21.6, "cni: quieter agent logs", ["infra/cilium/values.yaml"], """
@@ infra/cilium/values.yaml @@
 debug:
-  enabled: true
+  enabled: false
 MTU: 8951
 tunnelProtocol: vxlan
""")
    i.commit("tout", "malika.benali", 30.7, "cart-api: one deadline for all redis calls", ["cart/internal/store/redis.go"], """
@@ cart/internal/store/redis.go: func New(cfg Config) *Store {
     rdb := redis.NewClient(&redis.Options{
         Addr:         cfg.Addr,
-        ReadTimeout:  500 * time.Millisecond,
-        WriteTimeout: 500 * time.Millisecond,
+        ReadTimeout:  cfg.Timeout, // 500ms
+        WriteTimeout: cfg.Timeout,
         PoolSize:     80,
     })
""")
    i.commit("aff", "derek.ong", 47.0, "search-api: prefer spreading over zones", ["deploy/search-api/values.yaml"], """
@@ deploy/search-api/values.yaml @@
+topologySpreadConstraints:
+  - maxSkew: 1
+    topologyKey: topology.kubernetes.io/zone
+    whenUnsatisfiable: ScheduleAnyway
+    labelSelector: {matchLabels: {app: search-api}}
 replicas: 6
""")
    i.commit("merge", "malika.benali", 69.4, "cart-api: merge guest and member baskets in one pipeline", ["cart/internal/store/merge.go"], """
@@ cart/internal/store/merge.go: func (s *Store) Merge(ctx context.Context, guest, member string) error {
-    items, err := s.rdb.HGetAll(ctx, key(guest)).Result()
-    if err != nil {
-        return err
-    }
-    for sku, qty := range items {
-        if err := s.rdb.HSet(ctx, key(member), sku, qty).Err(); err != nil {
-            return err
-        }
-    }
-    return s.rdb.Del(ctx, key(guest)).Err()
+    items, err := s.rdb.HGetAll(ctx, key(guest)).Result()
+    if err != nil || len(items) == 0 {
+        return err
+    }
+    _, err = s.rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
+        p.HSet(ctx, key(member), items)
+        p.Del(ctx, key(guest))
+        return nil
+    })
+    return err
 }
""")
    i.commit("redis", "stefan.ilves", 74.1, "redis: activedefrag on", ["infra/redis/redis.conf"], """
@@ infra/redis/redis.conf @@
 maxmemory 12gb
 maxmemory-policy volatile-lru
-activedefrag no
+activedefrag yes
 tcp-keepalive 60
""")
    i.commit("img", "yara.costa", 76.8, "storefront: preload the hero image", ["web/src/Head.tsx"], """
@@ web/src/Head.tsx @@
+<link rel="preload" as="image" href={hero.src} imageSrcSet={hero.srcSet} />
 <title>{title}</title>
""")
    i.commit("bump", "yara.costa", 40.1, "build: go-redis 9.6.1 -> 9.6.2", ["cart/go.mod", "cart/go.sum"], """
@@ cart/go.mod: require ( @@
-	github.com/redis/go-redis/v9 v9.6.1
+	github.com/redis/go-redis/v9 v9.6.2
""")
    i.commit("own", "stefan.ilves", 20.0, "chore: owners of infra/redis", ["CODEOWNERS"])
    i.deploy(-12, "cilium", "cni", "cilium-values-140"); i.deploy(36, "cart-api", "tout"); i.deploy(52, "search-api", "aff"); i.deploy(58, "cart-api", "bump"); i.deploy(75.5, "cart-api", "merge"); i.deploy(79, "redis-cart", "redis", "redis-config-19"); i.deploy(81.5, "storefront", "img")
    i.flag(72, "cart_member_merge", "cart-api", "off->on", "malika.benali")
    j = P((0, 0), (70, 0), (83, .6), (95, 1), (130, 1.05))
    ser = [S("cart-api", "upstream_call_error_ratio", lambda t: .001 + .09 * max(0, j(t) - .28), .12, 4, 0, 1), S("cart-api", "http_server_duration_p99_ms", lambda t: 71 + 960 * max(0, j(t) - .1), .1, spike=.01), S("cart-api", "http_server_duration_p50_ms", K(12), .05), S("search-api", "http_server_duration_p99_ms", lambda t: 180 + 1150 * max(0, j(t) - .15), .1), S("search-api", "error_rate_5xx_ratio", lambda t: .002 + .03 * max(0, j(t) - .3), .18, 4, 0, 1), S("media-resizer", "http_server_duration_p99_ms", lambda t: 310 + 1700 * max(0, j(t) - .15), .12),
        S("storefront", "error_rate_5xx_ratio", lambda t: .002 + .04 * max(0, j(t) - .3), .16, 4, 0, 1), S("redis-cart", "redis_command_duration_p99_ms", P((0, .8), (79, .8), (81, .9), (130, .9)), .08, 2), S("redis-cart", "cpu_utilization", P((0, .31), (79, .31), (80, .36), (130, .35)), .05, 3), S(N, "node_network_receive_crc_errors_per_sec", P((0, 0), (64, 0), (69, 3), (78, 60), (84, 310), (100, 470), (130, 500)), .12), S(M, "node_network_receive_crc_errors_per_sec", K(0), 0, 1), S(N, "tcp_retransmit_ratio", P((0, .0007), (66, .0008), (80, .031), (92, .078), (130, .083)), .1, 4), S(M, "tcp_retransmit_ratio", K(.0007), .15, 4), S(N, "cpu_utilization", K(.44), .05, 3), S(M, "cpu_utilization", K(.47), .05, 3)]
    on = {"k8s.node": "ip-10-4-17-23"}
    logs = [L(70, 0, 130, ("cart-api", "INFO", "basket read", {"http.route": "/basket", "duration_ms": (5, 40), "k8s.node": "ip-10-4-{C:17-23|22-90|9-141|30-6|11-58|25-77}"})), L(120, 0, 130, ("search-api", "INFO", "search answered", {"http.route": "/search", "k8s.node": "ip-10-4-{C:17-23|22-90|9-141|30-6|11-58}"})), L(480, 5, 130, ("search-api", "WARN", "synonym file contains a duplicate: {C:sofa|couch|settee}")), L(560, 17, 130, ("storefront", "ERROR", "review widget: third party script blocked", {"peer": "reviews.example"})),
        L(0, 69.2, 130, ("kubelet", "INFO", "nic eth0: link renegotiated, 25000 Mbps full duplex", on)), L(0, 84.6, 130, ("kubelet", "INFO", "nic eth0: link renegotiated, 25000 Mbps full duplex", on)),
        L(38, 76.8, 130, ("cart-api", "ERROR", "redis: read tcp 10.4.17.{N:30-60}:{N:32000-60000}->10.4.9.14:6379: i/o timeout", {"k8s.pod": "cart-api-6c9d-x2lqv", "duration_ms": (500, 503), **on})), L(80, 78, 130, ("search-api", "ERROR", "shard request timed out after 1000 ms", {"k8s.pod": "search-api-7f4b-m8k2p", "peer": "search-data-{N:0-5}", **on})),
        L(110, 77.5, 130, ("media-resizer", "WARN", "source fetch slow: {N:1500-4000} ms", {"k8s.pod": "media-resizer-55d8-tt9wn", "peer": "blob-store", **on})), L(75, 79, 130, ("storefront", "ERROR", "upstream {C:cart-api|cart-api|search-api} failed, page served without it", {"http.route": "/"})), L(900, 77, 130, ("redis-cart", "INFO", "Client id={N:90000-99000} addr=10.4.17.{N:30-60}:{N:32000-60000} closed connection after timeout"))]
    i.trace(40, ("a1", None, "storefront", "GET /", 160, "OK"), ("b1", "a1", "cart-api", "GET /basket", 14, "OK", {"k8s.node": "ip-10-4-17-23"}), ("c1", "b1", "redis-cart", "HGETALL", .7, "OK"))
    i.trace(91, ("a1", None, "storefront", "GET /", 690, "ERROR"), ("b1", "a1", "cart-api", "GET /basket", 506, "ERROR", dict(on, error="i/o timeout")), ("c1", "b1", "redis-cart", "HGETALL", .8, "OK"))
    i.trace(92, ("a1", None, "storefront", "POST /login", 210, "OK"), ("b1", "a1", "cart-api", "Merge", 17, "OK", {"k8s.node": "ip-10-4-22-90"}), ("c1", "b1", "redis-cart", "MULTI/EXEC", 1.1, "OK"))
    i.trace(94, ("a1", None, "storefront", "GET /search", 1190, "ERROR"), ("b1", "a1", "search-api", "GET /search", 1004, "ERROR", dict(on, error="shard timeout")))
    return i.write(dict(service="cart-api", metric="upstream_call_error_ratio", threshold=.03, observed=.0488, fired_at=87, severity="high", monitor="cart-redis-errors", summary="cart-api calls to redis time out, a few in a hundred; redis-cart reports normal command times"), ser, logs,
        dict(root="none", cls="no change: failing network card of one node", first="cart-api", blast=["search-api", "media-resizer", "storefront"], fix="replace-node", also=["cni"], notes="NO-CODE-CAUSE. The NIC of node ip-10-4-17-23 fails: CRC errors from 15:04 on, link renegotiated at 15:09, TCP retransmits 0.07 % -> 8 %. Every failing log line of three unrelated services comes from pods on that node; other nodes run the same versions without errors (trace at 15:32 on ip-10-4-22-90). CRC errors and retransmits rise from 15:04 on, before the deploys of 15:15 and later; the p99 of cart-api rises from 15:12. Bait: <merge> (cart-api, 15:15, pipelined; plain basket reads fail too and only on one node), <redis> (activedefrag, command p99 0.8 -> 0.9 ms), <tout> (same 500 ms), <bump> (patch release, quiet for 20 minutes), <aff> and <img> irrelevant, <cni> (log level only, MTU untouched, all nodes). Cordon, drain and replace the node."))
