from sim_d import *

def retry_storm():
    i = Incident("profile-retry-amplification", "2026-10-21T11:30:00", 180, 152, 404)
    i.commit("guilty", "noor.vandijk", 24.3, "refactor: one way to call upstreams in web-bff", ["web-bff/src/upstream/profile.ts", "web-bff/src/upstream/client.ts"], """
@@ web-bff/src/upstream/profile.ts @@
-import pRetry from 'p-retry';
-import { tokenBucket } from '../util/tokenBucket';
-
-const budget = tokenBucket({ ratio: 0.1, minPerSec: 5 });
-
-export const getProfile = (id: string) =>
-  pRetry(() => http.get<Profile>(`/profiles/${id}`), {
-    retries: 2,
-    factor: 2,
-    randomize: true,
-    shouldRetry: (e) => isTransient(e) && budget.tryTake(),
-  });
+import { upstream } from './client';
+
+const profile = upstream('profile-service', { timeoutMs: 800 });
+
+export const getProfile = (id: string) => profile.get<Profile>(`/profiles/${id}`);
@@ web-bff/src/upstream/client.ts: new file
+export function upstream(name: string, { timeoutMs = 1000, attempts = 6 }: Options = {}) {
+  const http = new HttpClient({ base: discovery(name), timeoutMs });
+  const get = async <T>(path: string): Promise<T> => {
+    let last: unknown;
+    for (let n = 0; n < attempts; n++) {
+      try {
+        return await http.get<T>(path);
+      } catch (e) {
+        last = e;
+        if (!isTransient(e)) throw e;
+        await sleep(Math.min(25 * (n + 1), 100));
+      }
+    }
+    throw last;
+  };
+  return { get };
+}
""")
    i.commit("ava", "jin.park", 39.8, "feat: serve avatars as webp", ["web-bff/src/routes/avatar.ts"], """
@@ web-bff/src/routes/avatar.ts @@
-  res.type('image/png').send(await render(user, 'png'));
+  const fmt = req.accepts(['image/webp', 'image/png']) === 'image/webp' ? 'webp' : 'png';
+  res.type(`image/${fmt}`).send(await render(user, fmt));
""")
    i.commit("cb", "ruth.adeyemi", 101.7, "mobile-bff: open the breaker after 20 failures", ["mobile-bff/src/breakers.ts"], """
@@ mobile-bff/src/breakers.ts @@
 export const profileBreaker = new CircuitBreaker(getProfile, {
-  volumeThreshold: 50,
+  volumeThreshold: 20,
   errorThresholdPercentage: 50,
   resetTimeout: 10_000,
 });
""")
    i.commit("ecto", "bogdan.ilic", 131.4, "profile-service: shed load when the queue is full", ["profile/src/main/java/net/acme/profile/LoadShedFilter.java"], """
@@ profile/src/main/java/net/acme/profile/LoadShedFilter.java: protected void doFilterInternal(...)
-        chain.doFilter(req, res);
+        if (queue.size() >= maxQueued) { // 400
+            res.setHeader("Retry-After", "2");
+            res.sendError(503, "overloaded");
+            return;
+        }
+        chain.doFilter(req, res);
     }
""")
    i.commit("pgp", "dana.kovacs", 140.2, "profiledb: patch release 15.8, rolling", ["infra/profiledb/cluster.yaml"], """
@@ infra/profiledb/cluster.yaml @@
 spec:
   instances: 3
-  imageName: registry.acme.net/postgres:15.7
+  imageName: registry.acme.net/postgres:15.8
   primaryUpdateStrategy: unsupervised
""")
    i.commit("hd", "jin.park", 144.5, "web-bff: set Vary on localized pages", ["web-bff/src/middleware/locale.ts"], """
@@ web-bff/src/middleware/locale.ts @@
   req.locale = pick(req.headers['accept-language']);
+  res.vary('Accept-Language');
   next();
""")
    i.commit("tst", "noor.vandijk", 30.0, "test: fake upstream with failures", ["web-bff/test/fakeUpstream.ts"])
    i.deploy(33, "web-bff", "guilty"); i.deploy(47, "web-bff", "ava"); i.deploy(107, "mobile-bff", "cb"); i.deploy(137, "profile-service", "ecto"); i.deploy(148.5, "web-bff", "hd"); i.deploy(151.6, "profiledb", "pgp", "pg-15.8")
    i.flag(120, "profile_badges", "web-bff", "off->on", "jin.park")
    # failovers of the database: at minute 14 (node drain, before the refactor) and at minute 152
    ing = P((0, 410), (60, 450), (152, 470), (180, 440))
    prs = P((0, 620), (13.9, 630), (14, 710), (15, 680), (16, 630), (60, 660), (151.9, 690), (153, 2450), (156, 3020), (180, 2960))
    pp = P((0, 58), (13.9, 58), (14, 720), (15, 240), (16, 61), (151.9, 62), (152, 790), (154, 1900), (180, 2150))
    per = P((0, .001), (13.9, .001), (14, .31), (15, .02), (16, .001), (151.9, .001), (152, .55), (154, .74), (180, .78))
    ser = [S("web-bff", "inbound_requests_per_sec", ing, .04), S("mobile-bff", "inbound_requests_per_sec", P((0, 190), (152, 215), (180, 212)), .05), S("profile-service", "requests_per_sec", prs, .04), S("profile-service", "http_server_duration_p99_ms", pp, .08), S("profile-service", "error_rate_5xx_ratio", per, .1, 4, 0, 1),
        S("profile-service", "cpu_utilization", P((0, .37), (13.9, .37), (14, .43), (16, .37), (151.9, .41), (154, .97), (180, .98)), .03, 3, 0, 1), S("profiledb", "db_up_primary", lambda t: 0 if int(t) in (14, 152) else 1, 0, 0), S("profiledb", "db_query_duration_p99_ms", P((0, 6), (13.9, 6), (14, 90), (15, 9), (16, 6), (151.9, 6), (152, 95), (153, 14), (155, 8), (180, 7)), .1),
        S("web-bff", "error_rate_5xx_ratio", P((0, .002), (14, .12), (15, .01), (16, .002), (151.9, .002), (152, .2), (155, .33), (180, .36)), .12, 4, 0, 1), S("mobile-bff", "error_rate_5xx_ratio", P((0, .002), (14, .18), (15, .01), (16, .002), (151.9, .002), (152, .4), (155, .69), (180, .72)), .1, 4, 0, 1)]
    logs = [L(85, 0, 180, ("web-bff", "INFO", "page served", {"http.route": "/me", "duration_ms": (30, 120)})), L(140, 0, 180, ("mobile-bff", "INFO", "page served", {"http.route": "/m/home"})), L(420, 6, 180, ("web-bff", "WARN", "consent cookie unreadable, asking again")),
        L(600, 21, 180, ("mobile-bff", "ERROR", "push token registration refused: InvalidRegistration", {"peer": "fcm"})),
        L(0, 14.05, 180, ("profiledb", "WARN", "instance profiledb-2 promoted to primary, timeline 41")), L(9, 14, 14.7, ("profile-service", "ERROR", "HikariPool-1 - connection is not available: the database system is starting up", {"peer": "profiledb-rw:5432"}), ("web-bff", "WARN", "GET /profiles/{H:10} failed: 503", {"http.route": "/me"})),
        L(0, 152.05, 180, ("profiledb", "WARN", "instance profiledb-1 promoted to primary, timeline 42")), L(9, 152, 152.7, ("profile-service", "ERROR", "HikariPool-1 - connection is not available: the database system is starting up", {"peer": "profiledb-rw:5432"})),
        L(0, 152.75, 180, ("profile-service", "INFO", "HikariPool-1 - pool healthy, 30/30 connections")),
        L(26, 152.4, 180, ("profile-service", "WARN", "503 overloaded, queue {N:400-412}", {"http.route": "/profiles/:id", "client": "{C:web-bff|web-bff|web-bff|web-bff|web-bff|mobile-bff}"})),
        L(40, 152.6, 180, ("web-bff", "ERROR", "GET /profiles/{H:10} failed: 503 Service Unavailable", {"http.route": "/me", "duration_ms": (420, 4900)})), L(70, 152.8, 180, ("mobile-bff", "ERROR", "profileBreaker open, answering without profile", {"http.route": "/m/home"}))]
    i.trace(8, ("a1", None, "web-bff", "GET /me", 74, "OK"), ("b1", "a1", "profile-service", "GET /profiles/:id", 21, "OK"), ("c1", "b1", "profiledb", "SELECT profiles", 3, "OK"))
    i.trace(14.3, ("a1", None, "web-bff", "GET /me", 1430, "ERROR"), ("b1", "a1", "profile-service", "GET /profiles/:id", 140, "ERROR", {"http.status_code": 503}), ("b2", "a1", "profile-service", "GET /profiles/:id", 132, "ERROR", {"http.status_code": 503}))
    i.trace(163, ("a1", None, "web-bff", "GET /me", 3904, "ERROR"), *[(f"b{n}", "a1", "profile-service", "GET /profiles/:id", d, "ERROR", x) for n, (d, x) in enumerate([(800, {"error": "client timeout"}), (800, {"error": "client timeout"}), (4, {"http.status_code": 503}), (800, {"error": "client timeout"}), (5, {"http.status_code": 503}), (800, {"error": "client timeout"})], 1)])
    i.trace(165, ("a1", None, "mobile-bff", "GET /m/home", 806, "ERROR"), ("b1", "a1", "profile-service", "GET /profiles/:id", 800, "ERROR", {"error": "client timeout", "queue_wait_ms": 771}), ("c1", "b1", "profiledb", "SELECT profiles", 4, "OK"))
    return i.write(dict(service="profile-service", metric="error_rate_5xx_ratio", threshold=.05, observed=.74, fired_at=157, severity="critical", monitor="profile-5xx", summary="profile-service answers 503 to most calls, CPU saturated; database healthy since 14:03"), ser, logs,
        dict(root="guilty", cls="retries without budget, amplification that keeps itself up (TypeScript)", first="profile-service", blast=["web-bff", "mobile-bff"], fix="rollback", also=[], notes="Retry storm. <guilty> (noor.vandijk, web-bff, deployed 12:03) replaces two budgeted, exponential retries by six attempts with 25..100 ms pauses and no budget. It does nothing until something fails: the 45 s database failover at 14:02 (<pgp>, a planned rolling patch) is the trigger, not the cause; the failover at 11:44, before the refactor, raised profile-service traffic by 12 % and was over in two minutes. At 14:02 profile-service requests go 690 -> 3000/s although web-bff inbound is flat, and stay there after the database is well (p99 8 ms). Traces: six attempts per page. <ecto> (load shedding; makes 503 cheap, does not raise the traffic), <cb>, <hd>, <ava> innocent."))

def poll_interval():
    i = Incident("ledger-indexer-rebalance-loop", "2026-11-03T23:40:00", 180, 118, 405)
    i.commit("guilty", "pavel.dvorak", 8.1, "perf: fewer round trips to the broker for ledger-indexer", ["deploy/ledger-indexer/values-prod.yaml"], """
@@ deploy/ledger-indexer/values-prod.yaml @@
 consumer:
   topic: ledger.entries
   concurrency: 4
   properties:
     max.poll.interval.ms: 300000
-    max.poll.records: 250
-    fetch.min.bytes: 1
+    max.poll.records: 5000
+    fetch.min.bytes: 65536
+    fetch.max.wait.ms: 500
     session.timeout.ms: 45000
     enable.auto.commit: false
 resources:
   limits: {cpu: "2", memory: 2Gi}
""")
    i.commit("upsert", "mina.sato", 61.5, "make indexing idempotent: external versions", ["indexer/src/main/java/fi/kirja/index/EntryIndexer.java"], """
@@ indexer/src/main/java/fi/kirja/index/EntryIndexer.java: void index(LedgerEntry e) {
     IndexRequest req = new IndexRequest(alias)
         .id(e.id())
+        .version(e.sequence())
+        .versionType(VersionType.EXTERNAL_GTE)
         .source(toSource(e));
     client.index(req, RequestOptions.DEFAULT);
 }
""")
    i.commit("split", "rasmus.holt", 94.7, "bulk-loader: read the partner file in parallel", ["loader/load.py"], """
@@ loader/load.py: def run(path: Path) -> None:
-    for chunk in read_chunks(path, 5_000):
-        publish(chunk)
+    with ThreadPoolExecutor(max_workers=4) as ex:
+        for _ in ex.map(publish, read_chunks(path, 5_000)):
+            pass
     producer.flush()
     log.info("import finished", extra={"rows": count})
""")
    i.commit("brk", "teresa.gil", 103.0, "kafka: group.initial.rebalance.delay.ms 3 s", ["infra/kafka/broker.properties"], """
@@ infra/kafka/broker.properties @@
 num.network.threads=6
 num.io.threads=12
-group.initial.rebalance.delay.ms=0
+group.initial.rebalance.delay.ms=3000
 offsets.retention.minutes=10080
""")
    i.commit("sapi", "elin.strand", 110.9, "search-api: highlight matches in memo lines", ["search/src/query.ts"], """
@@ search/src/query.ts @@
   query: { bool: { must, filter } },
+  highlight: { fields: { memo: { number_of_fragments: 1 } } },
   size: 25,
""")
    i.commit("log", "mina.sato", 70.2, "indexer: log the poll size", ["indexer/src/main/java/fi/kirja/index/Loop.java"], """
@@ indexer/src/main/java/fi/kirja/index/Loop.java: public void run() {
     ConsumerRecords<String, LedgerEntry> recs = consumer.poll(Duration.ofSeconds(1));
+    log.info("polled {} records", recs.count());
     for (var r : recs) indexer.index(r.value());
     consumer.commitSync();
""")
    i.commit("fmt", "elin.strand", 40.4, "style: prettier 3.4", ["search/.prettierrc", "search/package.json"])
    i.deploy(14, "ledger-indexer", "guilty"); i.deploy(76, "ledger-indexer", "log"); i.deploy(66.5, "ledger-indexer", "upsert"); i.deploy(99, "bulk-loader", "split"); i.deploy(107, "kafka", "brk", "broker-roll-58"); i.deploy(115, "search-api", "sapi")
    i.deploys.sort(key=lambda d: d["timestamp"])
    i.flag(55, "search_memo_highlight", "search-api", "off->on", "elin.strand")
    lag = lambda t: 900 if t < 110 else (900 + (t - 110) * 62000 if t < 114 else 249000 + (t - 114) * 240)
    ser = [S("kafka", "ledger_entries_in_per_sec", P((0, 21), (109, 18), (110, 1040), (114, 1010), (114.2, 23), (180, 26)), .05), S("ledger-indexer", "consumer_lag", lag, .02, 0), S("ledger-indexer", "records_indexed_per_sec", P((0, 21), (109, 18), (111, 51), (118, 52), (180, 50)), .05), S("ledger-indexer", "records_committed_per_sec", P((0, 21), (110, 18), (112, 18), (113, 3), (117, 1), (180, .7)), .12), S("ledger-indexer", "group_rebalance_total", lambda t: 3 if t < 66 else 4 if t < 76 else 5 if t < 107 else 6 if t < 118 else 7 + int((t - 118) / 1.4), 0, 0),
        S("ledger-indexer", "index_request_duration_p99_ms", P((0, 118), (66, 121), (112, 131), (180, 133)), .06), S("ledger-indexer", "cpu_utilization", P((0, .12), (110, .12), (112, .31), (180, .3)), .06, 3), S("search-cluster", "indexing_latency_ms", P((0, 71), (180, 76)), .05), S("search-cluster", "version_conflicts_per_sec", P((0, 0), (118, 0), (122, 1.2), (180, 1.4)), .3, 2),
        S("search-api", "index_freshness_seconds", lambda t: 3 if t < 110 else 3 + (t - 110) * 59, .04), S("report-worker", "report_wait_seconds", P((0, 6), (118, 8), (125, 260), (180, 3500)), .08), S("search-api", "http_server_duration_p99_ms", K(143), .1, spike=.02)]
    logs = [L(150, 0, 180, ("search-api", "INFO", "search answered", {"http.route": "/search", "duration_ms": (30, 150)})), L(120, 76.2, 111, ("ledger-indexer", "INFO", "polled {N:9-46} records")), L(0, 1.5, 180, ("report-worker", "INFO", "yesterday's import was searchable 83 min after publishing, 251204 rows")),
        L(520, 12, 180, ("report-worker", "ERROR", "PDF font Sourcecode not embedded, falling back", {"report": "R-{N:100-999}"})), L(640, 5, 180, ("bulk-loader", "WARN", "partner file not there yet, polling sftp", {"peer": "sftp.partner.example"})) | {"t1": 109},
        L(0, 110, 180, ("bulk-loader", "INFO", "import started, file ledger_20261104.csv.gz")), L(0, 114.2, 180, ("bulk-loader", "INFO", "import finished", {"rows": 249880})),
        L(170, 112, 180, ("ledger-indexer", "INFO", "polled 5000 records")),
        L(80, 118, 180, ("ledger-indexer", "WARN", "consumer poll timeout has expired. This means the time between subsequent calls to poll() was longer than the configured max.poll.interval.ms", {"kafka.group": "ledger-indexer", "thread": "consumer-{N:0-3}"})),
        L(85, 119.2, 180, ("ledger-indexer", "ERROR", "CommitFailedException: offset commit cannot be completed since the consumer is not part of an active group", {"thread": "consumer-{N:0-3}", "since_poll_ms": (371000, 398000)})),
        L(85, 118.2, 180, ("kafka", "INFO", "[GroupCoordinator 2]: preparing to rebalance group ledger-indexer in state PreparingRebalance, generation {N:88-140}, reason: removing member consumer-{N:0-3} on LeaveGroup")), L(170, 122, 180, ("search-cluster", "INFO", "version conflict or replay, entry {N:8100000-8400000}")),
        L(160, 124, 180, ("report-worker", "WARN", "day close waits for the index: {N:80-249}k entries missing", {"report": "DAY-CLOSE"})), L(230, 126, 180, ("search-api", "WARN", "index freshness above objective: {N:600-3900} s", {"http.route": "/search"}))]
    i.trace(60, ("a1", None, "ledger-indexer", "poll+index", 2410, "OK", {"records": 31}), ("b1", "a1", "search-cluster", "index", 74, "OK"))
    i.trace(112.1, ("a1", None, "ledger-indexer", "poll+index", 383100, "ERROR", {"records": 5000, "error": "CommitFailedException"}), ("b1", "a1", "search-cluster", "index", 77, "OK"), ("b2", "a1", "search-cluster", "index", 75, "OK"))
    i.trace(135, ("a1", None, "ledger-indexer", "poll+index", 379400, "ERROR", {"records": 5000, "error": "CommitFailedException"}), ("b1", "a1", "search-cluster", "index", 76, "OK", {"result": "noop"}))
    return i.write(dict(service="ledger-indexer", metric="consumer_lag", threshold=100000, observed=251000, fired_at=127, severity="critical", monitor="ledger-index-lag", summary="ledger-indexer does not commit offsets; lag constant at about 250k since the nightly import, group rebalancing"), ser, logs,
        dict(root="guilty", cls="setting: poll batch larger than the poll interval allows (Helm values, Kafka)", first="ledger-indexer", blast=["search-api", "report-worker"], fix="config-revert", notes="Rebalance loop. <guilty> (pavel.dvorak, deployed 23:54) raises max.poll.records 250 -> 5000 while max.poll.interval.ms stays 300 s. At ~76 ms per record a full batch takes ~380 s: the member leaves the group, the commit fails, the batch is read again. By day polls return 9 to 46 records, so nothing shows until the nightly import at 01:30 fills the batches; the first eviction comes at 01:38. Yesterday's import drained in 83 minutes. records_indexed_per_sec is as high as ever, records_committed_per_sec is nearly zero. Decoys: <upsert> (replays turn into no-ops or conflicts, a consequence; per-record time unchanged), <split> (import publishes faster: lag would rise sooner but drain), <brk> (start-up rebalance delay), <log>, <sapi>."))

def keepalive():
    i = Incident("edge-502-on-reused-connections", "2026-09-29T17:30:00", 240, 176, 406)
    i.commit("h2", "lars.eide", -5.5, "edge: http2 for the portal hosts", ["edge/conf.d/portal.conf"], """
@@ edge/conf.d/portal.conf @@
 server {
-    listen 443 ssl;
+    listen 443 ssl;
+    http2 on;
     server_name portal.acme.example;
     location /api/ { proxy_pass http://account_api; }
 }
""")
    i.commit("guilty", "camille.roy", 16.2, "chore: take server timeouts from the platform template", ["deploy/account-api/values.yaml", "account-api/src/server.ts"], """
@@ deploy/account-api/values.yaml @@
-env:
-  HEADERS_TIMEOUT_MS: "76000"
-  KEEP_ALIVE_TIMEOUT_MS: "75000"
-  REQUEST_TIMEOUT_MS: "30000"
+envFrom:
+  - configMapRef:
+      name: platform-node-defaults   # see platform/templates/node-defaults.yaml
 replicas: 6
@@ account-api/src/server.ts @@
-server.keepAliveTimeout = Number(process.env.KEEP_ALIVE_TIMEOUT_MS);
-server.headersTimeout = Number(process.env.HEADERS_TIMEOUT_MS);
-server.requestTimeout = Number(process.env.REQUEST_TIMEOUT_MS);
+// platform-node-defaults: keep-alive 5 s, headers 60 s, request 30 s
+applyServerDefaults(server, process.env);
""")
    i.commit("pool", "lars.eide", 58.9, "edge: larger idle pool towards the apis", ["edge/conf.d/upstreams.conf"], """
@@ edge/conf.d/upstreams.conf @@
 upstream account_api {
     server account-api.svc:8080;
-    keepalive 32;
+    keepalive 64;
     keepalive_timeout 60s;
 }
""")
    i.commit("mig", "petra.hahn", 120.7, "accounts: unique index on lower(email), concurrently", ["migrations/accountdb/V57__email_ci.sql"], """
@@ migrations/accountdb/V57__email_ci.sql @@
+CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS accounts_email_ci
+    ON accounts (lower(email));
""")
    i.commit("rl", "amadou.ba", 151.3, "account-api: rate limit address changes", ["account-api/src/routes/address.ts"], """
@@ account-api/src/routes/address.ts @@
-router.post('/address', requireAuth, saveAddress);
+router.post('/address', requireAuth, rateLimit({ windowMs: 60_000, max: 10 }), saveAddress);
""")
    i.commit("ngx", "lars.eide", 160.8, "edge: nginx 1.27.1 (security fixes)", ["edge/Dockerfile"], """
@@ edge/Dockerfile @@
-FROM registry.acme.example/nginx:1.26.2
+FROM registry.acme.example/nginx:1.27.1
 COPY conf.d /etc/nginx/conf.d
""")
    i.commit("gw", "yusuf.aydin", 166.0, "partner-gateway: send the idempotency key as a header", ["gateway/internal/account/client.go"], """
@@ gateway/internal/account/client.go: func (c *Client) post(ctx context.Context, path string, body any) error {
-    req.URL.RawQuery = "idem=" + url.QueryEscape(idem.From(ctx))
+    req.Header.Set("Idempotency-Key", idem.From(ctx))
     resp, err := c.hc.Do(req)
""")
    i.commit("doc", "camille.roy", 31.4, "docs: platform node template, rollout list", ["docs/platform/node.md"])
    i.deploy(4, "edge-proxy", "h2"); i.deploy(23, "account-api", "guilty"); i.deploy(66, "edge-proxy", "pool"); i.deploy(127, "accountdb", "mig", "migration-V57"); i.deploy(158, "account-api", "rl"); i.deploy(168, "edge-proxy", "ngx"); i.deploy(172.5, "partner-gateway", "gw")
    i.flag(150, "portal_address_autocomplete", "web-portal", "off->on", "amadou.ba")
    rps = P((0, 820), (60, 640), (120, 290), (160, 120), (176, 66), (200, 41), (240, 30))
    err = P((0, .0004), (24, .0004), (60, .0005), (110, .0011), (140, .0026), (165, .0068), (176, .0112), (200, .027), (240, .033))
    ser = [S("edge-proxy", "requests_per_sec", rps, .05), S("edge-proxy", "http_502_ratio", err, .07, 5, 0, 1), S("edge-proxy", "upstream_connection_resets_per_sec", P((0, .05), (23, .05), (27, .33), (90, .72), (160, 1.3), (200, 1.7), (240, 1.5)), .12, 3), S("edge-proxy", "upstream_new_connections_per_sec", P((0, 1.1), (23, 1.1), (26, 1.6), (90, 5), (160, 9.2), (200, 8.4), (240, 7.3)), .1, 2),
        S("account-api", "http_5xx_ratio", K(.0003), .3, 5), S("account-api", "http_server_duration_p99_ms", P((0, 96), (60, 88), (240, 71)), .06, spike=.015), S("account-api", "cpu_utilization", P((0, .52), (120, .24), (240, .09)), .05, 3), S("account-api", "pod_restart_total", K(0), 0, 0), S("accountdb", "db_cpu_utilization", P((0, 31), (126, 18), (128, 46), (136, 41), (138, 14), (240, 9)), .07),
        S("web-portal", "form_submit_error_ratio", lambda t: .001 + err(t) * 1.9, .15, 4, 0, 1), S("partner-gateway", "upstream_call_error_ratio", lambda t: .001 + err(t) * 2.3, .15, 4, 0, 1)]
    logs = [L(100, 0, 240, ("edge-proxy", "INFO", "GET /api/account 200", {"http.route": "/api/account", "upstream": "account_api"})), L(140, 0, 240, ("account-api", "INFO", "request finished", {"http.route": "{C:/address|/account|/consents}", "duration_ms": (8, 80)})), L(700, 9, 240, ("web-portal", "WARN", "map tiles answered slowly, showing plain address form")),
        L(540, 14, 240, ("account-api", "ERROR", "mail bounce webhook: unknown message id {H:12}", {"http.route": "/hooks/mail"})), L(1400, 26, 140, ("edge-proxy", "ERROR", "upstream prematurely closed connection while reading response header from upstream, request: \"POST /api/{C:address|consents} HTTP/{C:1.1|2.0}\"", {"upstream": "account_api", "http.status_code": 502, "upstream.response_ms": (0, 2)})),
        L(300, 140, 176, ("edge-proxy", "ERROR", "upstream prematurely closed connection while reading response header from upstream, request: \"POST /api/{C:address|consents} HTTP/{C:1.1|2.0}\"", {"upstream": "account_api", "http.status_code": 502, "upstream.response_ms": (0, 2)})),
        L(55, 176, 240, ("edge-proxy", "ERROR", "upstream prematurely closed connection while reading response header from upstream, request: \"POST /api/{C:address|consents} HTTP/{C:1.1|2.0}\"", {"upstream": "account_api", "http.status_code": 502, "upstream.response_ms": (0, 2), "upstream.conn_idle_s": (4.9, 5.2)}), ("web-portal", "ERROR", "form submit failed with 502", {"http.route": "/profile"})),
        L(110, 177, 240, ("partner-gateway", "ERROR", "POST /api/consents: 502 Bad Gateway", {"partner": "{C:p-17|p-40|p-08}"})), L(400, 160, 240, ("account-api", "WARN", "429 rate limited", {"http.route": "/address"}))]
    i.trace(12, ("a1", None, "web-portal", "POST /profile", 140, "OK"), ("b1", "a1", "edge-proxy", "POST /api/address", 92, "OK", {"upstream.conn": "reused"}), ("c1", "b1", "account-api", "POST /address", 88, "OK"))
    i.trace(183, ("a1", None, "web-portal", "POST /profile", 31, "ERROR"), ("b1", "a1", "edge-proxy", "POST /api/address", 1, "ERROR", {"http.status_code": 502, "upstream.conn": "reused", "upstream.conn_idle_s": 5.0}))
    i.trace(185, ("a1", None, "partner-gateway", "POST /api/consents", 9, "ERROR"), ("b1", "a1", "edge-proxy", "POST /api/consents", 1, "ERROR", {"http.status_code": 502, "upstream.conn": "reused", "upstream.conn_idle_s": 5.0}))
    i.trace(186, ("a1", None, "edge-proxy", "GET /api/account", 44, "OK", {"upstream.conn": "reused", "upstream.conn_idle_s": 5.0, "upstream.retries": 1}), ("b1", "a1", "account-api", "GET /account", 38, "OK"))
    i.trace(187, ("a1", None, "edge-proxy", "POST /api/address", 51, "OK", {"upstream.conn": "new"}), ("b1", "a1", "account-api", "POST /address", 46, "OK"))
    return i.write(dict(service="edge-proxy", metric="http_502_ratio", threshold=.01, observed=.0142, fired_at=181, severity="high", monitor="edge-502", summary="edge-proxy answers 502 to more than 1 % of requests towards account-api; account-api reports no errors"), ser, logs,
        dict(root="guilty", cls="setting: server keep-alive shorter than the proxy's idle timeout", first="edge-proxy", blast=["web-portal", "partner-gateway"], fix="config-revert", notes="Keep-alive race. <guilty> (camille.roy, account-api, deployed 17:53) drops the explicit 75 s keep-alive in favour of the template's 5 s, below the proxy's keepalive_timeout of 60 s: the server closes idle connections which the proxy is about to reuse. The ratio grows as the evening traffic falls and connections idle longer (0.04 % -> above 1 % at 20:26), which hides the start; upstream_new_connections_per_sec rises right from 17:53 although traffic falls. Failures: POST only (GETs are retried), 1 ms, reused connections idle for 5.0 s, new connections fine, account-api sees nothing. Decoys: <ngx> (20:18) and <gw> (20:22) are the last before the alert, yet connection resets and new connections grow since 17:53 and two clients are hit alike; <pool> doubles the idle pool (more idle connections, but with the server's 75 s they would be safe; the rise precedes it), <rl> answers 429, <mig> CPU blip at 19:37, <h2> client side only."))
