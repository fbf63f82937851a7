"""Incidents 4-6: offsets committed before the work is done, liveness probe grown deep, flag raised on unsafe path."""
from sim_c import *

def consumer(root):
    I = Inc("invoice-gap-after-restart", "2026-10-06", "06:00", "15:00", 5, 404)
    D, R0, R1, R2 = I.m("09:06"), I.m("07:12"), I.m("11:41"), I.m("14:23")
    I.service("order-service", 95, 160, .002, .33, show="rps p99 err")
    I.service("invoice-worker", 90, 210, .001, .42, show="cpu")
    I.service("billing-portal", 140, 230, .004, show="p99 err")
    I.service("payments-collector", 30, 300, .003, show="err")
    I.fault("billing-portal", err=plus(after(R1 + 4, .004, edge=15), after(R2 + 3, .047, edge=15)))
    I.fault("payments-collector", err=plus(after(R1 + 6, .005, edge=15), after(R2 + 5, .062, edge=15)))
    I.fault("invoice-worker", cpu=after(D, .09))
    peak = plus(window(I.m("11:00"), I.m("12:30"), .12, edge=20), window(I.m("13:45"), I.m("15:00"), .55, edge=25))
    I.fault("order-service", load=peak)
    I.metric("invoice-worker", "kafka_consumer_lag", lambda m: (310 + 1500 * peak(m) if m < D else 6) + window(R0, R0 + 4, 4100, edge=5)(m) + window(R1, R1 + 2, 1400, edge=4)(m) + window(R2, R2 + 2, 2600, edge=4)(m), .12, 0)
    I.metric("invoice-worker", "order_events_polled_per_min", lambda m: 5500 * (1 + peak(m)), .03, 0)
    I.metric("invoice-worker", "pdf_render_queue_depth", lambda m: None if m < D else max(40, 170 + 3100 * peak(m) - (1500 if R2 <= m < R2 + 5 else 0)), .08, 0)
    I.metric("invoice-worker", "pod_restart_total", lambda m: (4 if m >= R0 else 0) + (4 if m >= D else 0) + (1 if m >= R1 else 0) + (4 if m >= R2 else 0), 0, 0)
    I.metric("reconciler", "orders_without_invoice", lambda m: 3 + (184 if m >= R1 + 4 else 0) + (1873 if m >= R2 + 7 else 0) + int(m / 90), 0, 0)
    I.metric("invoice-db", "commits_per_sec", lambda m: 92 * (1 + peak(m)), .04)
    I.commit("a", "yusuf.demir", "06:41:00", "chore(invoice-worker): base image eclipse-temurin 21.0.3 -> 21.0.4", """
@@ invoice-worker/Dockerfile: runtime
-FROM eclipse-temurin:21.0.3_9-jre-jammy
+FROM eclipse-temurin:21.0.4_7-jre-jammy
 WORKDIR /app
 COPY build/libs/invoice-worker.jar app.jar""")
    I.commit("g", "magda.zielinska", "08:47:26", "perf(invoice): render PDFs on a worker pool so that one slow template does not block the partition", """
@@ invoice-worker/src/main/java/com/ledgerly/invoice/OrderEventLoop.java: public void run() {
     while (running.get()) {
       ConsumerRecords<String, OrderPaid> batch = consumer.poll(Duration.ofMillis(500));
-      for (ConsumerRecord<String, OrderPaid> rec : batch) {
-        invoices.createFor(rec.value());
-      }
-      consumer.commitSync();
+      for (ConsumerRecord<String, OrderPaid> rec : batch) {
+        renderPool.execute(() -> invoices.createFor(rec.value()));
+      }
+      consumer.commitSync();
     }
   }
@@ invoice-worker/src/main/java/com/ledgerly/invoice/RenderPoolConfig.java: new file
+@Configuration
+class RenderPoolConfig {
+  @Bean(destroyMethod = "shutdownNow")
+  ThreadPoolExecutor renderPool(MeterRegistry meters) {
+    var pool = new ThreadPoolExecutor(8, 8, 0, SECONDS, new LinkedBlockingQueue<>(5000),
+        new ThreadPoolExecutor.CallerRunsPolicy());
+    Gauge.builder("pdf_render_queue_depth", pool.getQueue(), Collection::size).register(meters);
+    return pool;
+  }
+}""")
    I.commit("c", "ella.svensson", "10:12:33", "fix(order): emit OrderPaid only once for split tenders", """
@@ order-service/src/main/kotlin/com/ledgerly/order/PaymentHandler.kt: fun onCaptured(order: Order, capture: Capture) {
-    if (order.isFullyPaid()) {
-        outbox.append(OrderPaid(order.id, order.total))
-    }
+    if (order.isFullyPaid() && order.markPaidOnce()) {
+        outbox.append(OrderPaid(order.id, order.total))
+    }
@@ order-service/src/main/kotlin/com/ledgerly/order/Order.kt: class Order
+    /** true for the first caller only */
+    fun markPaidOnce(): Boolean = if (paidAt == null) { paidAt = clock.instant(); true } else false""")
    I.commit("d", "yusuf.demir", "12:55:40", "docs: invoice numbering per legal entity", files=["docs/invoicing/numbering.md"])
    I.commit("e", "henrik.dahl", "13:58:19", "invoice-worker: skip zero-amount orders, accounting does not want them", """
@@ invoice-worker/src/main/java/com/ledgerly/invoice/InvoiceService.java: void createFor(OrderPaid ev) {
+    if (ev.total().signum() == 0) {
+      log.info("zero amount, no invoice order={}", ev.orderId());
+      skippedZero.increment();
+      return;
+    }
     Invoice inv = Invoice.draft(ev, numbers.next(ev.entity()));""")
    I.commit("f", "ella.svensson", "14:05:02", "billing-portal: 404 instead of empty page when an invoice is missing", """
@@ billing_portal/views/invoice.py: def show(order_id):
     inv = invoices.by_order(order_id)
-    return render("invoice.html", inv=inv)
+    if inv is None:
+        log.warning("invoice not found order=%s", order_id)
+        raise NotFound()
+    return render("invoice.html", inv=inv)""")
    I.commit("h", "priti.deshmukh", "14:09:47", "test: fixtures for credit notes", files=["invoice-worker/src/test/resources/credit-notes.json"])
    I.deploy("07:11:30", "invoice-worker", "a", "iw-140"); I.deploy("09:05:40", "invoice-worker", "g", "iw-141"); I.deploy("10:30:00", "order-service", "c", "os-882")
    I.deploy("14:12:20", "billing-portal", "f", "bp-63"); I.deploy("14:22:30", "invoice-worker", "e", "iw-142")
    I.flag("13:30:00", "autumn_sale_checkout_banner", "order-service", "off->on", "priti.deshmukh"); I.flag("08:20:00", "portal_dark_mode", "billing-portal", "off->on", "ella.svensson")
    oid = {"o": lambda r: f"ord_{r.randint(7100000,7199999)}", "n": lambda r: r.randint(140, 900)}
    I.log("invoice-worker", "INFO", "invoice created order={o} render_ms={n}", .1, vals=oid, scale=52000, sig="invoice created order=<ID> render_ms=<N>")
    I.log("order-service", "INFO", "order paid order={o}", .07, vals=oid, scale=78000, sig="order paid order=<ID>")
    I.log("invoice-worker", "INFO", "zero amount, no invoice order={o}", lambda m: .25 if m > R2 + 2 else 0, vals=oid, scale=2, delta="new", sig="zero amount, no invoice order=<ID>")
    I.log("billing-portal", "WARN", "invoice not found order={o}", plus(lambda m: .01 if m > R1 + 4 else 0, after(R2 + 3, .8, edge=8)), vals=oid, scale=40, delta="new", sig="invoice not found order=<ID>")
    I.log("payments-collector", "ERROR", "cannot open collection: order {o} has no invoice", plus(lambda m: .025 if m > R1 + 6 else 0, after(R2 + 5, .6, edge=8)), vals=oid, scale=30, delta="new", sig="cannot open collection: order <ID> has no invoice")
    I.log("billing-portal", "ERROR", "stripe webhook signature mismatch (test mode key)", .03, scale=6); I.log("order-service", "WARN", "outbox relay lagging {n}ms", .03, vals=oid, scale=20)
    for h, v in (("07:12:04", "iw-139"), ):
        for p in range(3): I.at(f"07:12:{10+p*9}", "invoice-worker", "INFO", "SIGTERM received, closing consumer; batch finished, offsets committed", version=v, **{"k8s.pod.name": f"invoice-worker-7d9-{p}"})
    I.at("11:40:52", "kubelet", "WARN", "node ip-10-8-3-77 spot interruption notice, draining", **{"k8s.node.name": "ip-10-8-3-77"})
    I.at("11:41:03", "invoice-worker", "INFO", "SIGTERM received, closing consumer", version="iw-141", **{"k8s.pod.name": "invoice-worker-6bf-2"})
    I.at("11:41:03", "invoice-worker", "INFO", "shutting down ExecutorService 'renderPool'", version="iw-141", queued=181, active=3, **{"k8s.pod.name": "invoice-worker-6bf-2"})
    for p, q in enumerate((452, 497, 430, 462)):
        I.at(f"14:23:{10+p*8}", "invoice-worker", "INFO", "SIGTERM received, closing consumer", version="iw-141", **{"k8s.pod.name": f"invoice-worker-6bf-{p}"})
        I.at(f"14:23:{11+p*8}", "invoice-worker", "INFO", "shutting down ExecutorService 'renderPool'", version="iw-141", queued=q, active=8, **{"k8s.pod.name": f"invoice-worker-6bf-{p}"})
        I.at(f"14:23:{35+p*6}", "invoice-worker", "INFO", "partitions assigned, resuming at committed offsets", version="iw-142", **{"k8s.pod.name": f"invoice-worker-58c-{p}"})
    I.log("reconciler", "WARN", "orders without invoice older than 5 min: see orders_without_invoice", after(R2 + 7, .25), scale=1, delta="new")
    I.at("14:31:12", "reconciler", "WARN", "1873 new orders without invoice; paid_at between 14:22:52 and 14:23:34")
    I.at("11:46:02", "reconciler", "INFO", "184 new orders without invoice; paid_at between 11:40:47 and 11:41:02")
    I.trace("08:30:01", ("a1", None, "invoice-worker", "OrderEventLoop.batch", 1910, "OK", {"records": 9}), ("b1", "a1", "invoice-worker", "InvoiceService.createFor", 204, "OK"), ("c1", "a1", "invoice-worker", "kafka commitSync", 6, "OK"))
    I.trace("13:52:44", ("a1", None, "invoice-worker", "OrderEventLoop.batch", 9, "OK", {"records": 48}), ("c1", "a1", "invoice-worker", "kafka commitSync", 6, "OK"), ("b1", "a1", "invoice-worker", "InvoiceService.createFor", 233, "OK", {"queued_ms": 16120, "thread": "renderPool-4"}))
    I.trace("14:34:20", ("a1", None, "billing-portal", "GET /orders/:id/invoice", 61, "ERROR", {"error": "404 invoice not found"}), ("b1", "a1", "invoice-db", "SELECT invoices", 4, "OK", {"rows": 0}))
    return I.finish(root, dict(service="reconciler", metric="orders_without_invoice", threshold=500, observed=2065, fired_at="14:32:00", severity="critical", monitor="finance-reconciliation", summary="2065 paid orders have no invoice; collection and billing portal report missing invoices"),
        "g", "invoice-worker", ["billing-portal", "payments-collector", "reconciler"], "rollback",
        "Offsets committed before the work is done. iw-141 (09:05) hands records to an in-memory pool and commits at once, and the pool is stopped by shutdownNow: each termination of an iw-141 pod loses its queue (181 at the 11:41 spot drain, 1841 + active at the 14:23 rollout; equal to the reconciler's jumps). The 07:12 restart of iw-139 lost nothing. Kafka lag looks better than ever because lag moved into pdf_render_queue_depth. Innocent deploy at onset: iw-142 (zero-amount skip) merely restarts the pods; few zero-amount orders are logged, and missing orders were paid before it started. Also innocent: OrderPaid once (10:30; events polled follow orders), portal 404 (14:12; only shows the absence), base image 07:11.", onset=R1)

def liveness(root):
    I = Inc("suggest-api-restart-wave", "2026-08-25", "11:00", "14:40", 2, 505)
    S0, S1 = I.m("12:00"), I.m("14:00"); snap = plus(window(S0, S0 + 16, 1, edge=2), window(S1, S1 + 17, 1, edge=2))
    waves = plus(*[window(S1 + a, S1 + a + 1.4, 1, edge=1.2) for a in (1.5, 5.5, 9.5, 13.5)])
    up = lambda m: waves(m)
    I.service("opensearch", 700, 62, .0004, .46, show="p99 err cpu")
    I.service("suggest-api", 650, 85, .001, .31, {"opensearch": (.35, .1)}, show="rps p99 err")
    I.service("web-shop", 1300, 260, .002, calls={"suggest-api": (.25, .35)}, show="p99 err")
    I.service("catalog-api", 420, 110, .002, calls={"opensearch": (.3, .1)}, show="p99 err")
    I.fault("opensearch", lat=lambda m: 68 * snap(m), cpu=lambda m: .12 * snap(m))
    I.fault("suggest-api", err=lambda m: .82 * waves(m), load=lambda m: -.55 * waves(m), lat=lambda m: 900 * waves(m))
    I.metric("suggest-api", "pod_ready_replicas", lambda m: max(1, 8 - round(7 * waves(m))), 0, 0)
    cum = lambda m: sum(8 if m >= S1 + a else 0 for a in (1.5, 5.5, 9.5, 13.5))
    I.metric("suggest-api", "pod_restart_total", cum, 0, 0)
    I.metric("suggest-api", "container_memory_rss_mb", lambda m: 402 - 190 * waves(m), .03, 0)
    I.metric("opensearch", "cluster_health_duration_ms", lambda m: 38 + 1650 * snap(m), .07, 0)
    I.metric("opensearch", "snapshot_in_progress", lambda m: 1 if snap(m) > .5 else 0, 0, 0)
    I.commit("a", "viktor.hansen", "11:20:15", "feat(suggest): boost in-stock brands", """
@@ services/suggest/rank.go: func score(h Hit, q string) float64 {
 	s := h.BM25
+	if h.InStock {
+		s *= 1.15
+	}
 	return s + prefixBonus(h, q)
 }""")
    I.commit("g", "claire.dubois", "12:41:09", "feat(health): report dependency status in the health document", """
@@ pkg/health/handler.go: type Checker interface
+type Checker interface {
+	Name() string
+	Check(ctx context.Context) error
+}
+
+var checkers []Checker
+
+func Register(c Checker) { checkers = append(checkers, c) }
+
@@ pkg/health/handler.go: func Mount(mux *http.ServeMux) {
-	mux.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) {
-		w.WriteHeader(http.StatusOK)
-		_, _ = w.Write([]byte(`{"status":"ok"}`))
-	})
+	mux.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) {
+		doc := Doc{Status: "ok", Build: buildinfo.Revision, Deps: map[string]string{}}
+		for _, c := range checkers {
+			doc.Deps[c.Name()] = "ok"
+			if err := c.Check(r.Context()); err != nil {
+				doc.Deps[c.Name()] = err.Error()
+				doc.Status = "degraded"
+			}
+		}
+		if doc.Status != "ok" {
+			w.WriteHeader(http.StatusServiceUnavailable)
+		}
+		_ = json.NewEncoder(w).Encode(doc)
+	})
@@ pkg/search/client.go: func New(cfg Config) (*Client, error) {
 	c := &Client{os: os, index: cfg.Index}
+	health.Register(c)
 	return c, nil
 }
+
+func (c *Client) Name() string { return "opensearch" }
+
+func (c *Client) Check(ctx context.Context) error {
+	_, err := c.os.Cluster.Health(ctx, &opensearchapi.ClusterHealthReq{})
+	return err
+}""")
    I.commit("c", "marek.novotny", "13:12:50", "fix(suggest): trim and collapse whitespace in query tokens", """
@@ services/suggest/query.go: func parse(raw string) Query {
-	toks := strings.Split(strings.ToLower(raw), " ")
+	toks := strings.Fields(strings.ToLower(raw))
 	return Query{Tokens: toks, Prefix: last(toks)}
 }""")
    I.commit("d", "oluwaseun.adeyemi", "13:35:31", "helm(suggest): get unready pods out of the endpoints faster", """
@@ charts/suggest-api/values.yaml: probes
 livenessProbe:
   httpGet: {path: /healthz, port: 8080}
   periodSeconds: 10
   timeoutSeconds: 1
   failureThreshold: 3
 readinessProbe:
   httpGet: {path: /ready, port: 8080}
-  periodSeconds: 10
-  failureThreshold: 3
+  periodSeconds: 5
+  failureThreshold: 2
   timeoutSeconds: 2""")
    I.commit("e", "ingrid.moe", "13:44:12", "opensearch: raise snapshot max_snapshot_bytes_per_sec 40mb -> 50mb", """
@@ terraform/opensearch/snapshots.tf: resource "opensearch_snapshot_repository" "s3" {
   settings = {
     bucket                     = var.snapshot_bucket
-    max_snapshot_bytes_per_sec = "40mb"
+    max_snapshot_bytes_per_sec = "50mb"
   }""")
    I.commit("f", "viktor.hansen", "13:49:40", "web-shop: debounce suggest requests 120ms -> 90ms", """
@@ web/shop/src/search/useSuggest.ts: const DEBOUNCE
-const DEBOUNCE_MS = 120;
+const DEBOUNCE_MS = 90;
""")
    I.commit("h", "claire.dubois", "13:51:00", "docs: health document fields", files=["docs/platform/health.md"])
    I.deploy("11:32:00", "suggest-api", "a", "sg-410"); I.deploy("13:21:40", "suggest-api", "c", "sg-411"); I.deploy("13:41:15", "suggest-api", "d", "sg-411+chart.88")
    I.deploy("13:48:20", "opensearch", "e", "tf-apply-771"); I.deploy("13:55:10", "web-shop", "f", "ws-2204")
    I.flag("13:58:00", "suggest_trending_row", "web-shop", "20%->35%", "viktor.hansen")
    pod = {"k8s.pod.name": lambda r: f"suggest-api-{r.choice(['6c8b7-2xkqp','6c8b7-9dlwm','6c8b7-hh4vz','6c8b7-t7rnc','6c8b7-qz5sd'])}"}
    I.log("suggest-api", "INFO", "suggest q_len={n} hits={n}", .2, vals={"n": lambda r: r.randint(2, 10)}, scale=21000)
    I.log("web-shop", "INFO", "rendered /search", .15, scale=15000); I.log("catalog-api", "INFO", "GET /v1/items", .1, scale=9000)
    I.log("kubelet", "WARN", "Liveness probe failed: Get \"http://10.4.{n}:8080/healthz\": context deadline exceeded (Client.Timeout exceeded while awaiting headers)", lambda m: 2.4 * window(S1 + .5, S1 + 15, 1, edge=1)(m), vals={"n": lambda r: f"{r.randint(11,14)}.{r.randint(20,240)}"}, attrs=pod, scale=3, delta="new", sig="Liveness probe failed: Get http://<IP>:8080/healthz: context deadline exceeded")
    I.log("kubelet", "INFO", "Container suggest-api failed liveness probe, will be restarted", lambda m: 2.2 * waves(m), attrs=pod, scale=2, sent="negative", delta="new")
    I.log("suggest-api", "INFO", "received SIGTERM, draining", lambda m: 1.2 * waves(m), attrs=pod, scale=3, delta="new")
    I.log("suggest-api", "INFO", "loading prefix dictionary (1.9M terms)", lambda m: 1.1 * waves(m), attrs=pod, scale=3, delta="new")
    I.log("web-shop", "ERROR", "suggest upstream: 503 no healthy upstream", lambda m: 3.2 * waves(m), scale=1400, delta="new")
    I.log("opensearch", "INFO", "[snapshots] shard snapshot progress, cluster state queue length {n}", lambda m: .35 * snap(m), vals={"n": lambda r: r.randint(14, 40)}, scale=2)
    for t, k in ((S0, "20260825-12"), (S1, "20260825-14")):
        I.at("%s:00:02" % k[-2:], "opensearch", "INFO", f"starting snapshot s3:{k} (scheduled, every 2h)"); I.at("%s:17:20" % k[-2:], "opensearch", "INFO", f"snapshot s3:{k} completed state=SUCCESS")
    I.log("opensearch", "WARN", "cluster:monitor/health took {n}ms, above warn threshold", lambda m: .4 * snap(m), vals={"n": lambda r: r.randint(1310, 1990)}, scale=3)
    I.log("catalog-api", "ERROR", "unknown facet 'colour_old' requested", .05, scale=20); I.log("web-shop", "WARN", "consent cookie malformed", .06, scale=300)
    I.trace("12:06:10", ("a1", None, "web-shop", "GET /api/suggest", 131, "OK"), ("b1", "a1", "suggest-api", "Suggest", 112, "OK"), ("c1", "b1", "opensearch", "_search", 88, "OK"))
    I.trace("12:06:20", ("a1", None, "suggest-api", "GET /healthz", 0.2, "OK", {"user_agent": "kube-probe/1.29"}))
    I.trace("13:30:20", ("a1", None, "suggest-api", "GET /healthz", 37, "OK", {"user_agent": "kube-probe/1.29"}), ("b1", "a1", "opensearch", "_cluster/health", 36, "OK"))
    I.trace("14:01:12", ("a1", None, "suggest-api", "GET /healthz", 1001, "ERROR", {"user_agent": "kube-probe/1.29", "error": "client closed request"}), ("b1", "a1", "opensearch", "_cluster/health", 1640, "OK"))
    I.trace("14:05:50", ("a1", None, "web-shop", "GET /api/suggest", 14, "ERROR", {"error": "503 no healthy upstream"}))
    I.trace("14:04:10", ("a1", None, "catalog-api", "GET /v1/items", 141, "OK"), ("c1", "a1", "opensearch", "_search", 97, "OK"))
    return I.finish(root, dict(service="suggest-api", metric="pod_restart_total", threshold=5, observed=16, fired_at="14:07:00", severity="critical", monitor="suggest-api-restarts", summary="suggest-api pods restarting together, search suggestions unavailable in waves"),
        "g", "suggest-api", ["web-shop"], "rollback",
        "Health check made stricter by a shared package. pkg/health makes /healthz call every registered dependency (OpenSearch cluster health) and the chart has used /healthz as the liveness probe (timeout 1s x 3) all along. It shipped with sg-411 at 13:21, whose recorded head commit is the harmless whitespace fix. The two-hourly snapshot makes _cluster/health take ~1.7s (searches stay ~100ms): at 12:00 no restart (healthz 0.2ms), at 14:00 all pods are killed together, again and again until the snapshot ends. Decoys: head commit of the deploy, readiness tuning 13:41 (readiness cannot restart; kubelet says liveness on /healthz), snapshot rate 13:48 (cluster health is as slow at 12:00), debounce 13:55 (rps not up). Memory is flat, so no OOM.", onset=S1 + 1.5, shipped="c")

def flag(root):
    I = Inc("quote-pool-exhaustion", "2026-09-17", "10:00", "16:48", 4, 606)
    D, F = I.m("13:16"), I.m("16:10"); f1 = window(I.m("10:40"), I.m("11:25"), .45, edge=4)
    share = lambda m: .05 + f1(m) + (.95 if m >= F else 0)
    leak = lambda m: 0 if m < D else min(14, (m - D) * .075) + max(0, min(50, (m - F) * 1.5))
    inuse = lambda m: min(40, 9 + leak(m))
    dead = after(F + 12, 1, edge=5)
    I.service("quote-api", 160, 240, .002, .37, show="rps p99 err cpu")
    I.service("cart-api", 230, 300, .003, calls={"quote-api": (.8, .75)})
    I.service("shop-web", 800, 350, .002, calls={"cart-api": (.5, .4)}, show="p99 err")
    I.service("fx-rates", 90, 35, .001, show="rps p99")
    I.fault("quote-api", lat=lambda m: 45 * dead(m), err=lambda m: .66 * dead(m), cpu=lambda m: -.17 * dead(m))
    I.fault("fx-rates", load=lambda m: .9 * share(m) * (1 - .8 * dead(m)))
    I.metric("quote-api", "db_pool_connections_in_use", lambda m: min(40, max(6, inuse(m) + (I.r.gauss(0, 1.1) if inuse(m) < 40 else 0))), 0, 0)
    I.metric("quote-api", "db_pool_size_limit", lambda m: 40, 0, 0)
    I.metric("quote-api", "multi_currency_request_share", lambda m: min(1.0, share(m) * I.r.uniform(.93, 1.07)) if m < F else 1.0, 0, 3)
    I.metric("quote-db", "sessions_idle_in_transaction", lambda m: min(38, max(0, 1 + leak(m) + I.r.gauss(0, .6))) if m >= D else 1, 0, 0)
    I.metric("quote-db", "cpu_utilization", lambda m: .33 - .14 * dead(m), .04, 3)
    I.commit("a", "rafael.costa", "09:40:44", "quote: add JPY and KRW to multi currency path", """
@@ quote/currency.py: SUPPORTED
-SUPPORTED = {"EUR", "USD", "GBP", "CHF"}
+SUPPORTED = {"EUR", "USD", "GBP", "CHF", "JPY", "KRW"}
+ZERO_DECIMAL = {"JPY", "KRW"}

 def quantize(amount: Decimal, cur: str) -> Decimal:
-    return amount.quantize(Decimal("0.01"))
+    return amount.quantize(Decimal("1") if cur in ZERO_DECIMAL else Decimal("0.01"))""")
    I.commit("g", "anneke.visser", "12:52:31", "tidy up quote_v2: flatten nesting, early return for saved quotes", """
@@ quote/service.py: def quote(req):
     if flags.enabled("quote_multi_currency", req.customer_id):
         return quote_v2(req)
     return quote_v1(req)
@@ quote/service.py: def quote_v2(req: QuoteRequest) -> Quote:
-    with borrow(pool) as conn:
-        saved = find_saved(conn, req.cart_hash)
-        if saved is None or not saved.locked_by_sales:
-            if saved is None or saved.is_stale():
-                lines = price_lines(conn, req.skus)
-                saved = store(conn, Quote.build(req, lines, fx.rate(req.currency)))
-        return saved
+    conn = pool.getconn()
+    saved = find_saved(conn, req.cart_hash)
+    if saved and saved.locked_by_sales:
+        # negotiated offer, never reprice
+        return saved
+    try:
+        if saved and not saved.is_stale():
+            return saved
+        lines = price_lines(conn, req.skus)
+        return store(conn, Quote.build(req, lines, fx.rate(req.currency)))
+    finally:
+        conn.commit()
+        pool.putconn(conn)
@@ quote/models.py: class Quote
-    locked_by_sales: Optional[bool] = None
+    locked_by_sales: bool = False""")
    I.commit("c", "deniz.aydin", "14:20:02", "chore(cart): drop python 3.10 from tox", files=["cart/tox.ini"])
    I.commit("d", "luca.bianchi", "15:02:46", "fx-rates: refresh ECB table every 5 min instead of 15", """
@@ fx_rates/config.yaml: ecb
 ecb:
   url: https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml
-  refresh: 15m
+  refresh: 5m
   keep_last_good: true""")
    I.commit("e", "hanna.koskinen", "15:41:55", "quote: tcp keepalive and shorter statement timeout on pooled db connections", """
@@ quote/db.py: pool
 pool = ThreadedConnectionPool(
     minconn=5,
     maxconn=40,
     dsn=settings.db_url,
-    options="-c statement_timeout=5000",
+    options="-c statement_timeout=3000",
+    keepalives_idle=30,
 )""")
    I.commit("f", "rafael.costa", "15:55:20", "cart: show converted total next to list price", """
@@ cart/serializers.py: class CartOut(BaseModel):
     total: Money
+    total_display: str | None = None
@@ cart/views.py: def get_cart(cart_id):
     q = quotes.get(cart, currency=user.currency)
-    return CartOut(total=q.total)
+    return CartOut(total=q.total, total_display=fmt_money(q.total, user.locale))""")
    I.commit("h", "deniz.aydin", "15:58:10", "docs: launch checklist multi currency", files=["docs/launch/multi-currency.md"])
    I.deploy("10:05:00", "quote-api", "a", "q-519"); I.deploy("13:15:40", "quote-api", "g", "q-520"); I.deploy("15:10:00", "fx-rates", "d", "fx-77")
    I.deploy("15:50:00", "quote-api-eu-canary", "e", "q-521-canary"); I.deploy("16:04:30", "cart-api", "f", "cart-1033")
    for h, c in (("10:40:00", "5%->50%"), ("11:25:00", "50%->5%"), ("16:10:00", "5%->100%")): I.flag(h, "quote_multi_currency", "quote-api", c, "rafael.costa")
    I.flag("14:45:00", "cart_gift_wrap", "cart-api", "off->on", "deniz.aydin")
    n = {"n": lambda r: r.randint(70, 320), "c": lambda r: r.choice(["EUR", "USD", "GBP", "CHF", "JPY"])}
    I.log("quote-api", "INFO", "quote_v1 ms={n}", lambda m: .13 if m < F else .002, vals=n, scale=19000, delta="-940000")
    I.log("quote-api", "INFO", "quote_v2 currency={c} saved={b} ms={n}", lambda m: .02 + .18 * (share(m) - .05) * (1 - .7 * dead(m)), vals=dict(n, b=lambda r: r.choice(["true", "true", "false"])), scale=14000, sig="quote_v2 currency=<C> saved=<B> ms=<N>", delta="+240000")
    I.log("quote-api", "ERROR", "psycopg2.pool.PoolError: connection pool exhausted", after(F + 11.5, 1.5), scale=1500, delta="new", attrs={"handler": lambda r: r.choice(["quote_v2", "quote_v2", "admin_reprice", "health_db"])})
    I.log("cart-api", "ERROR", "quote-api call failed: 500", after(F + 12.5, 1.0), scale=1400, delta="new"); I.log("shop-web", "WARN", "cart total unavailable, showing list prices", after(F + 13, .7), scale=1200, delta="new")
    I.log("quote-db", "WARN", "session idle in transaction for {s}s, last query: SELECT quotes.* FROM quotes WHERE cart_hash = $1", lambda m: 0 if m < D + 20 else .06 if m < F else .3, vals={"s": lambda r: r.randint(600, 8200)}, scale=4, delta="new", sig="session idle in transaction for <N>s, last query: SELECT quotes.* FROM quotes WHERE cart_hash = $1")
    I.log("quote-api", "INFO", "returning negotiated offer locked by sales cart={h}", lambda m: .02 if m < F else .25, vals={"h": lambda r: "%08x" % r.getrandbits(32)}, scale=3, sig="returning negotiated offer locked by sales cart=<H>", delta="+14")
    I.log("cart-api", "INFO", "GET /cart", .1, scale=30000); I.log("fx-rates", "INFO", "ECB table refreshed", .05, scale=1)
    I.log("shop-web", "ERROR", "ChunkLoadError: loading chunk 814 failed", .04, scale=80); I.log("cart-api", "WARN", "coupon SUMMER26 expired", .05, scale=220)
    I.trace("11:02:33", ("a1", None, "cart-api", "GET /cart", 270, "OK"), ("b1", "a1", "quote-api", "quote_v2", 118, "OK", {"saved": True}), ("c1", "b1", "quote-db", "SELECT quotes", 9, "OK"), ("d1", "b1", "quote-db", "COMMIT", 1, "OK"))
    I.trace("15:20:10", ("a1", None, "cart-api", "GET /cart", 262, "OK"), ("b1", "a1", "quote-api", "quote_v2", 96, "OK", {"saved": True}), ("c1", "b1", "quote-db", "SELECT quotes", 8, "OK"), ("d1", "b1", "quote-db", "COMMIT", 1, "OK"))
    I.trace("15:33:48", ("a1", None, "cart-api", "GET /cart", 209, "OK"), ("b1", "a1", "quote-api", "quote_v2", 31, "OK", {"saved": True, "quote.locked_by_sales": True}), ("c1", "b1", "quote-db", "SELECT quotes", 8, "OK"))
    for h in ("16:25:40", "16:31:02"): I.trace(h, ("r1", None, "shop-web", "GET /cart", 290, "ERROR"), ("a1", "r1", "cart-api", "GET /cart", 212, "ERROR"), ("b1", "a1", "quote-api", "quote_v2", 6, "ERROR", {"error": "connection pool exhausted"}))
    return I.finish(root, dict(service="quote-api", metric="error_rate_5xx_ratio", threshold=.05, observed=.64, fired_at="16:28:00", severity="critical", monitor="quote-api-errors", summary="quote-api 5xx above 5%: connection pool exhausted; cart totals unavailable"),
        "g", "quote-api", ["cart-api", "shop-web"], "rollback",
        "Flag raised to 100% at 16:10 on a path made unsafe at 13:15. 'tidy up quote_v2' replaced the borrow() context manager by getconn/putconn with an early return for the rare offers locked by sales before the try/finally: one connection leaks per such request. The flag at 50% from 10:40 to 11:25, before that commit, used no more connections; after it, in_use and idle-in-transaction (last query = saved quote lookup, no COMMIT) creep up at 5% and exhaust the pool of 40 twelve minutes after 100%. Decoys: db timeout/keepalive (canary only, cannot hold connections), cart display 16:04, fx refresh 15:10, JPY/KRW 10:05. The flag alone is not the answer; quote-db is healthy and idle.", onset=F + 12)
ALL = [consumer, liveness, flag]
