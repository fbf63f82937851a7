"""Incidents 7-8: no commit guilty. A batch pod next door on one node; a replication slot nobody reads fills the disk."""
from sim_c import *

def neighbour(root):
    I = Inc("route-planner-tail-latency", "2026-10-21", "13:00", "15:58", 3, 707)
    S = I.m("14:42"); N = "ip-10-4-17-203"
    on = after(S, 1, edge=4)
    I.service("route-planner", 340, 190, .001, .52, show="rps p99 err")
    I.service("eta-service", 520, 95, .001, .44, {"route-planner": (.55, .6)})
    I.service("courier-chat", 150, 60, .001, .2, show="p99 err")
    I.service("dispatch", 260, 310, .002, calls={"eta-service": (.6, .7), "route-planner": (.7, .5)})
    I.service("courier-app-bff", 610, 380, .002, calls={"dispatch": (.6, .5)}, show="p99 err")
    I.fault("route-planner", lat=lambda m: 1650 * on(m), err=lambda m: .055 * on(m))
    I.fault("eta-service", lat=lambda m: 420 * on(m), err=lambda m: .008 * on(m)); I.fault("courier-chat", lat=lambda m: 510 * on(m), err=lambda m: .012 * on(m))
    I.metric("route-planner", "http_server_duration_p50_ms", lambda m: 44 + 3 * on(m), .04)
    for n, b in ((N, .55), ("ip-10-4-17-88", .57), ("ip-10-4-18-12", .52), ("ip-10-4-18-140", .59)):
        hot = n == N
        I.metric("node/" + n, "node_cpu_utilization", lambda m, b=b, hot=hot: min(.995, b + (.44 * on(m) if hot else 0)), .02, 3)
        I.metric("node/" + n, "node_cpu_pressure_some_avg60", lambda m, hot=hot: 1.4 + (61 * on(m) if hot else 0), .1)
        I.metric("node/" + n, "route_planner_pod_p99_ms", lambda m, hot=hot: 185 + (2050 * on(m) if hot else 0), .06)
    I.metric("node/" + N, "memory_bandwidth_gb_per_sec", lambda m: 19 + 84 * on(m), .04)
    I.metric("node/ip-10-4-18-12", "memory_bandwidth_gb_per_sec", lambda m: 21, .05)
    I.commit("a", "petra.holm", "12:47:10", "feat(dispatch): prefer couriers already heading to the zone", """
@@ dispatch/src/assign.rs: fn score(c: &Courier, o: &Order) -> f64 {
     let mut s = base_score(c, o);
+    if c.heading_zone == Some(o.zone) {
+        s += HEADING_BONUS;
+    }
     s
 }""")
    I.commit("b", "arjun.mehta", "13:20:31", "eta: use rolling speed profile per road class", """
@@ eta_service/speed.py: class SpeedProfile:
-    def speed(self, road_class, hour):
-        return self.static[road_class][hour]
+    def speed(self, road_class, hour):
+        recent = self.rolling.get(road_class)
+        if recent is None or recent.samples < 50:
+            return self.static[road_class][hour]
+        return 0.7 * recent.mean + 0.3 * self.static[road_class][hour]""")
    I.commit("c", "simon.achterberg", "13:55:02", "route-planner: drop GOMAXPROCS override, runtime knows the cgroup now", """
@@ charts/route-planner/values.yaml: env
 env:
-  - name: GOMAXPROCS
-    value: "4"
   - name: GOMEMLIMIT
     value: 3500MiB
@@ route-planner/go.mod: go
-go 1.24
+go 1.25
""")
    I.commit("d", "yara.benali", "14:18:47", "perf(route-planner): precompute landmark distances when the graph is loaded", """
@@ route-planner/internal/graph/landmarks.go: func (g *Graph) Load(ctx context.Context, src Source) error {
 	if err := g.readEdges(ctx, src); err != nil {
 		return err
 	}
+	// 16 landmarks x nodes, about 90 MB for the whole region
+	g.lm = make([][]uint32, numLandmarks)
+	for i, n := range g.pickLandmarks(numLandmarks) {
+		g.lm[i] = g.dijkstraAll(n)
+	}
 	return nil
 }
@@ route-planner/internal/astar/heuristic.go: func (h *heuristic) estimate(a, b NodeID) uint32 {
-	return h.g.haversine(a, b)
+	best := h.g.haversine(a, b)
+	for _, d := range h.g.lm {
+		if v := absDiff(d[a], d[b]); v > best {
+			best = v
+		}
+	}
+	return best
 }""")
    I.commit("e", "petra.holm", "14:29:55", "dispatch: raise route-planner client concurrency 32 -> 48", """
@@ dispatch/src/clients/route.rs: impl RouteClient {
-        let limit = Arc::new(Semaphore::new(32));
+        let limit = Arc::new(Semaphore::new(48));
         Self { http, limit, base }""")
    I.commit("f", "mo.farrell", "14:31:14", "docs: node pools and taints", files=["docs/platform/node-pools.md"])
    I.commit("g", "arjun.mehta", "15:05:40", "test(eta): speed profile edge cases", files=["eta_service/tests/test_speed.py"])
    I.deploy("13:04:00", "dispatch", "a", "d-901"); I.deploy("13:36:20", "eta-service", "b", "eta-244"); I.deploy("14:05:10", "route-planner", "c", "rp-377")
    I.deploy("14:34:30", "route-planner", "d", "rp-378"); I.deploy("14:39:50", "dispatch", "e", "d-902")
    I.flag("14:20:00", "courier_app_new_map_tiles", "courier-app-bff", "10%->25%", "petra.holm")
    hot = {"k8s.node.name": N}
    cold = {"k8s.node.name": lambda r: r.choice([N, "ip-10-4-17-88", "ip-10-4-18-12", "ip-10-4-18-140"])}
    I.log("route-planner", "INFO", "route computed expanded={e} ms={n}", .2, vals={"e": lambda r: r.randint(900, 4200), "n": lambda r: r.randint(22, 110)}, attrs=cold, scale=9000, sig="route computed expanded=<N> ms=<N>")
    I.log("route-planner", "WARN", "slow route expanded={e} ms={n}", lambda m: .01 + 1.1 * on(m), vals={"e": lambda r: r.randint(700, 3900), "n": lambda r: r.randint(900, 2600)}, attrs=dict(hot, **{"k8s.pod.name": "route-planner-5f7-kk2xd", "version": "rp-378"}), scale=260, delta="new", sig="slow route expanded=<N> ms=<N>")
    I.log("eta-service", "WARN", "event loop lag {n}ms", lambda m: .7 * on(m), vals={"n": lambda r: r.randint(180, 700)}, attrs=dict(hot, version="eta-244"), scale=90, delta="new")
    I.log("courier-chat", "WARN", "websocket heartbeat late by {n}ms", lambda m: .5 * on(m), vals={"n": lambda r: r.randint(600, 2900)}, attrs=dict(hot, version="chat-118 (deployed 2026-10-02)"), scale=60, delta="new")
    I.log("dispatch", "ERROR", "route-planner deadline 2000ms exceeded, assignment retried", lambda m: .8 * on(m), attrs={"peer.pod": "route-planner-5f7-kk2xd"}, scale=210, delta="new")
    I.log("courier-app-bff", "ERROR", "assignment poll failed: dispatch 504", lambda m: .3 * on(m), scale=150, delta="new")
    I.log("courier-app-bff", "WARN", "push token expired", .06, scale=70); I.log("dispatch", "INFO", "order assigned", .15, scale=8000); I.log("courier-chat", "ERROR", "attachment virus scan unavailable, retried", .03, scale=5)
    I.at("14:41:38", "kube-scheduler", "INFO", f"Successfully assigned ml-batch/embed-backfill-manual-7xq2p to {N}", **{"requests.cpu": "500m", "limits.cpu": "none", "created_by": "dr.k.ostrowski (kubectl)"})
    I.at("14:41:55", "kubelet", "INFO", "Started container embed (ml-batch/embed-backfill-manual-7xq2p)", **hot)
    I.at("14:52:12", "kubelet", "WARN", "cpu pressure: top consumer ml-batch/embed-backfill-manual-7xq2p 13.6 cores (request 0.5)", **hot); I.at("15:20:41", "kubelet", "WARN", "cpu pressure: top consumer ml-batch/embed-backfill-manual-7xq2p 13.8 cores (request 0.5)", **hot)
    I.at("13:33:05", "kube-scheduler", "INFO", "Successfully assigned ci/runner-k2m9s to ip-10-4-18-140", **{"requests.cpu": "2", "limits.cpu": "4"})
    I.trace("14:37:12", ("a1", None, "dispatch", "assign", 264, "OK"), ("b1", "a1", "route-planner", "Route", 51, "OK", {"k8s.node.name": N, "version": "rp-378", "expanded": 1904}))
    I.trace("15:02:12", ("a1", None, "dispatch", "assign", 251, "OK"), ("b1", "a1", "route-planner", "Route", 47, "OK", {"k8s.node.name": "ip-10-4-18-12", "version": "rp-378", "expanded": 1877}))
    I.trace("15:02:15", ("a1", None, "dispatch", "assign", 2210, "ERROR", {"error": "deadline 2000ms exceeded"}), ("b1", "a1", "route-planner", "Route", 2004, "ERROR", {"k8s.node.name": N, "version": "rp-378", "expanded": 1850, "cpu_ms": 46}))
    I.trace("15:04:40", ("a1", None, "courier-chat", "deliver", 588, "OK", {"k8s.node.name": N}))
    return I.finish(root, dict(service="route-planner", metric="http_server_duration_p99_ms", threshold=800, observed=1840, fired_at="14:50:00", severity="critical", monitor="route-planner-p99", summary="route-planner p99 above 800ms, dispatch assignments retried; p50 unchanged"),
        None, "route-planner", ["eta-service", "courier-chat", "dispatch", "courier-app-bff"], "reschedule",
        "No commit. A manually created batch pod (0.5 core requested, no limit, uses 13.6) landed on node ip-10-4-17-203 at 14:41:38 and starves every pod there: route-planner, eta-service and courier-chat (not deployed for weeks) degrade together, p50 and the pods of the same version on other nodes stay fine, expanded nodes and cpu_ms are as before (wall time is waiting). Decoys: landmarks rp-378 (8 min before, good on the same node at 14:37 and on other nodes), GOMAXPROCS 14:05, dispatch concurrency 14:39 (rps unchanged), rolling speed 13:36.", onset=S)

def disk(root):
    I = Inc("ledger-db-writes-refused", "2026-11-04", "02:30", "09:25", 5, 808)
    L, F = I.m("03:12"), I.m("08:58")
    wal = lambda m: 14 + max(0, min(F, m) - L) * .42
    down = after(F, 1, edge=3)
    used = lambda m: min(500, 338 + (m - 0) * .004 + wal(m) - 14 + (1.3 if m > I.m("08:33") else 0) + 0.0)
    top = used(F)
    I.service("ledger-api", 130, 95, .001, .3, show="rps p99 err")
    I.service("payout-runner", 20, 260, .002, calls={"ledger-api": (1, .97)}, show="err")
    I.service("wallet-web", 410, 210, .002, calls={"ledger-api": (.6, .55)}, show="p99 err")
    I.service("fraud-score", 125, 70, .001, show="p99 err")
    I.fault("ledger-api", err=lambda m: .96 * down(m), lat=lambda m: 1900 * down(m)); I.fault("ledger-api", load=ramp(I.m("06:00"), I.m("08:30"), -.35, .25))
    cap = round(top + .3)
    I.metric("ledger-db", "disk_used_gb", used, 0, 1); I.metric("ledger-db", "disk_size_gb", lambda m: cap, 0, 0)
    I.metric("ledger-db", "pg_wal_size_gb", wal, .004, 1)
    I.metric("ledger-db", "pg_database_size_gb", lambda m: 311.5 + m * .004 + (1.3 if m > I.m("08:33") else 0), 0, 1)
    I.metric("ledger-db", "wal_bytes_written_mb_per_min", lambda m: 430 * (1 - down(m)), .05, 0)
    I.metric("ledger-db", "replication_slots_inactive", lambda m: 1 if m >= L else 0, 0, 0)
    I.metric("ledger-db", "replica_lag_seconds", lambda m: .4, .2, 2)
    I.metric("ledger-db", "transactions_per_sec", lambda m: 410 * (1 - .99 * down(m)), .04)
    I.commit("a", "gabor.szabo", "05:48:00", "ops: keep pgbackrest archives 14 days instead of 7", """
@@ ansible/roles/pgbackrest/templates/pgbackrest.conf.j2: global
 [global]
 repo1-type=s3
 repo1-s3-bucket={{ backup_bucket }}
-repo1-retention-full=7
+repo1-retention-full=14
 repo1-retention-full-type=time""")
    I.commit("b", "meera.pillai", "06:55:21", "feat(ledger): write an audit row for manual adjustments", """
@@ ledger/src/main/kotlin/ledger/AdjustmentService.kt: fun adjust(cmd: AdjustCommand): Entry = tx {
     val entry = entries.insert(cmd.toEntry())
+    audit.insert(AuditRow(actor = cmd.actor, entryId = entry.id, reason = cmd.reason))
     entry
 }
@@ ledger/db/migration/V118__audit.sql: new file
+CREATE TABLE adjustment_audit (
+  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
+  actor     text NOT NULL,
+  entry_id  bigint NOT NULL REFERENCES entries (id),
+  reason    text,
+  at        timestamptz NOT NULL DEFAULT now()
+);""")
    I.commit("c", "felix.brandt", "07:31:40", "logging: full request bodies for /v1/entries while we chase LEDG-2210", """
@@ ledger/src/main/resources/logback.xml: configuration
-  <logger name="ledger.http" level="INFO"/>
+  <logger name="ledger.http" level="DEBUG"/>
@@ ledger/src/main/kotlin/ledger/http/BodyLog.kt: class BodyLog
+    override fun filter(req: Request, next: Handler): Response {
+        if (log.isDebugEnabled && req.uri.path.startsWith("/v1/entries")) {
+            log.debug("body={}", req.bodyString().take(4096))
+        }
+        return next(req)
+    }""")
    I.commit("d", "meera.pillai", "08:12:09", "db: covering index for statement export", """
@@ ledger/db/migration/V119__entries_statement_idx.sql: new file
+CREATE INDEX CONCURRENTLY IF NOT EXISTS entries_statement_idx
+    ON entries (account_id, booked_at DESC) INCLUDE (amount_minor, currency);""")
    I.commit("e", "tessa.grant", "08:35:54", "perf(payouts): book entries in batches of 500", """
@@ payouts/runner.py: def settle(batch):
-    for p in batch:
-        ledger.post_entry(p.to_entry())
+    for chunk in chunked(batch, 500):
+        ledger.post_entries([p.to_entry() for p in chunk])
     mark_settled(batch)""")
    I.commit("f", "gabor.szabo", "08:41:17", "docs: restore drill protocol 2026-10", files=["docs/ops/restore-drill.md"])
    I.commit("g", "felix.brandt", "08:46:30", "wallet-web: show pending payouts", """
@@ wallet/src/pages/Payouts.tsx: export function Payouts() {
-  const rows = usePayouts({ status: 'settled' });
+  const rows = usePayouts({ status: ['settled', 'pending'] });""")
    I.deploy("06:05:00", "ledger-db", "a", "ansible-3310"); I.deploy("07:10:20", "ledger-api", "b", "ld-266"); I.deploy("07:44:00", "ledger-api", "c", "ld-267")
    I.deploy("08:25:30", "ledger-db", "d", "migration-V119"); I.deploy("08:50:10", "payout-runner", "e", "pr-74"); I.deploy("08:54:40", "wallet-web", "g", "ww-609")
    I.flag("08:30:00", "payouts_instant_sepa", "payout-runner", "off->on", "tessa.grant"); I.flag("07:00:00", "wallet_statement_export", "wallet-web", "off->on", "meera.pillai")
    I.at("03:11:48", "ledger-db", "INFO", "terminating walsender process due to replication timeout", application_name="bi_vendor_cdc", slot="bi_vendor_cdc")
    I.at("03:12:51", "ledger-db", "ERROR", "could not send data to client: Connection reset by peer", application_name="bi_vendor_cdc")
    I.log("ledger-db", "INFO", "checkpoint complete: wrote {n} buffers; 0 WAL file(s) added, {a} removed, {k} recycled", lambda m: .12 if m < L else 0, vals={"n": lambda r: r.randint(9000, 16000), "a": lambda r: r.randint(0, 3), "k": lambda r: r.randint(22, 34)}, scale=1, sig="checkpoint complete: wrote <N> buffers; <N> WAL file(s) added, <N> removed, <N> recycled", delta="-60")
    I.log("ledger-db", "INFO", "checkpoint complete: wrote {n} buffers; {k} WAL file(s) added, 0 removed, 0 recycled", lambda m: .12 if L + 3 < m < F else 0, vals={"n": lambda r: r.randint(9000, 16000), "k": lambda r: r.randint(24, 35)}, scale=1, sig="checkpoint complete: wrote <N> buffers; <N> WAL file(s) added, 0 removed, 0 recycled", delta="new")
    I.at("08:58:09", "ledger-db", "ERROR", "PANIC: could not write to file \"pg_wal/xlogtemp.21877\": No space left on device")
    I.at("08:58:10", "ledger-db", "ERROR", "server process (PID 21877) was terminated by signal 6: Aborted; terminating any other active server processes")
    I.log("ledger-db", "ERROR", "FATAL: could not write lock file \"postmaster.pid\": No space left on device", after(F + 1, .3, edge=1), scale=4, delta="new")
    I.log("ledger-api", "ERROR", "PSQLException: Connection to ledger-db:5432 refused", after(F, 1.6, edge=1), scale=900, delta="new"); I.log("payout-runner", "ERROR", "post_entries failed: 503, batch left unsettled", after(F, .5, edge=1), scale=30, delta="new")
    I.log("wallet-web", "ERROR", "balance unavailable", after(F, .9, edge=1), scale=800, delta="new")
    I.log("ledger-api", "INFO", "entry booked", .12, scale=18000); I.log("ledger-api", "DEBUG", "body={j}", lambda m: .1 if m > I.m("07:45") else 0, vals={"j": lambda r: '{"account":"ac_%d","amount_minor":%d}' % (r.randint(1000, 9999), r.randint(100, 90000))}, scale=9000, delta="new", sig="body=<JSON>", sent="neutral")
    I.log("wallet-web", "WARN", "slow font load", .05, scale=300); I.log("fraud-score", "ERROR", "feature store miss for device fingerprint, default used", .05, scale=40); I.log("payout-runner", "WARN", "IBAN check digit invalid, payout parked", .03, scale=3)
    I.log("cdc-status", "INFO", "bi vendor status page: 'EU connectors paused - incident 4471, no ETA'", lambda m: .008 if m > L + 20 else 0, scale=1, delta="new")
    I.trace("07:58:00", ("a1", None, "wallet-web", "GET /balance", 141, "OK"), ("b1", "a1", "ledger-api", "GET /v1/accounts/:id", 58, "OK"), ("c1", "b1", "ledger-db", "SELECT balance", 6, "OK"))
    I.trace("08:53:05", ("a1", None, "payout-runner", "settle", 911, "OK", {"payouts": 500}), ("b1", "a1", "ledger-api", "POST /v1/entries:batch", 640, "OK"), ("c1", "b1", "ledger-db", "INSERT entries", 402, "OK"))
    I.trace("09:01:30", ("a1", None, "wallet-web", "GET /balance", 2040, "ERROR"), ("b1", "a1", "ledger-api", "GET /v1/accounts/:id", 2003, "ERROR", {"error": "Connection to ledger-db:5432 refused"}))
    return I.finish(root, dict(service="ledger-api", metric="error_rate_5xx_ratio", threshold=.05, observed=.96, fired_at="09:01:00", severity="critical", monitor="ledger-api-availability", summary="ledger-api returns 503 for nearly all requests; database connections refused"),
        None, "ledger-db", ["ledger-api", "payout-runner", "wallet-web"], "free-disk",
        "No commit: the data volume of ledger-db filled up. At 03:12 the CDC reader of an outside vendor (incident on their side) went away, its replication slot became inactive and retains all WAL: pg_wal_size grows by a steady 0.42 GB/min (= WAL written, unchanged all day) from 03:12, before every deploy of the day, until the disk is full at 08:58 and Postgres panics. Decoys: covering index 08:25 (+1.3 GB in database size, against 145 GB of WAL), payout batches 08:50 and DEBUG bodies 07:44 (logs do not live on the database volume; WAL rate unchanged), audit table 07:10, backup retention 06:05 (S3). Remedy: drop or advance the slot, add disk.", onset=F)
ALL = [neighbour, disk]
