from sim_d import *

def stock_tx():
    i = Incident("stock-reserve-idle-in-transaction", "2026-08-04T09:00:00", 150, 116, 401)
    i.commit("lint", "jonas.weber", -14.3, "ci: run staticcheck on changed packages only", [".github/workflows/lint.yml"], """
@@ .github/workflows/lint.yml @@
       - name: staticcheck
-        run: staticcheck ./...
+        run: |
+          pkgs=$(git diff --name-only origin/main... | xargs -r -n1 dirname | sort -u | sed 's#^#./#')
+          staticcheck ${pkgs:-./...}
""")
    i.commit("guilty", "aylin.demir", 18.4, "perf: skip the write when a reservation is unchanged", ["services/stock/store.go"], """
@@ services/stock/store.go: func (s *Store) Reserve(ctx context.Context, req ReserveRequest) (*Reservation, error) {
     tx, err := s.db.Begin()
     if err != nil {
         return nil, fmt.Errorf("begin: %w", err)
     }
-    defer tx.Rollback()
-
     cur, err := s.selectForUpdate(ctx, tx, req.OrderID, req.SKU)
     if err != nil {
+        _ = tx.Rollback()
         return nil, fmt.Errorf("lock reservation: %w", err)
     }
+    // Clients re-send the whole basket on every edit; most lines have not changed.
+    if cur != nil && cur.Qty == req.Qty && cur.Warehouse == req.Warehouse {
+        return cur, nil
+    }
     next, err := s.upsertReservation(ctx, tx, cur, req)
     if err != nil {
+        _ = tx.Rollback()
         return nil, fmt.Errorf("upsert reservation: %w", err)
     }
     return next, tx.Commit()
 }
""")
    i.commit("stats", "tom.okafor", 26.1, "feat: export sql.DBStats for the stock pool", ["services/stock/metrics.go"], """
@@ services/stock/metrics.go: func (s *Store) Register(reg prometheus.Registerer) {
+    reg.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
+        Name: "db_pool_wait_count",
+    }, func() float64 { return float64(s.db.Stats().WaitCount) }))
     reg.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
         Name: "db_pool_in_use",
     }, func() float64 { return float64(s.db.Stats().InUse) }))
""")
    i.commit("mig", "helena.novotna", 61.0, "db: partial index for expiring reservations", ["migrations/stockdb/0077_expiring_idx.sql"], """
@@ migrations/stockdb/0077_expiring_idx.sql @@
+-- +goose NO TRANSACTION
+-- +goose Up
+CREATE INDEX CONCURRENTLY IF NOT EXISTS reservations_expiring_idx
+    ON reservations (expires_at)
+    WHERE released_at IS NULL;
+
+-- +goose Down
+DROP INDEX CONCURRENTLY IF EXISTS reservations_expiring_idx;
""")
    i.commit("pool", "aylin.demir", 98.2, "stock: shorten connection lifetimes ahead of the pgbouncer move", ["services/stock/db.go"], """
@@ services/stock/db.go: func open(cfg Config) (*sql.DB, error) {
     db.SetMaxOpenConns(cfg.MaxOpen) // 60
-    db.SetMaxIdleConns(10)
-    db.SetConnMaxLifetime(time.Hour)
+    db.SetMaxIdleConns(20)
+    db.SetConnMaxLifetime(30 * time.Minute)
+    db.SetConnMaxIdleTime(5 * time.Minute)
     return db, db.Ping()
 }
""")
    i.commit("orders", "marek.zielinski", 106.7, "fix: hold the order lock until stock has answered", ["services/orders/place.go"], """
@@ services/orders/place.go: func (o *Orders) Place(ctx context.Context, cmd PlaceOrder) error {
     unlock := o.locks.Acquire(cmd.OrderID)
-    lines := cmd.Lines
-    unlock()
+    defer unlock()
+    lines := cmd.Lines
     for _, l := range lines {
         if _, err := o.stock.Reserve(ctx, toReserve(cmd.OrderID, l)); err != nil {
             return fmt.Errorf("reserve %s: %w", l.SKU, err)
         }
     }
""")
    i.commit("css", "priya.menon", 109.9, "storefront: basket drawer spacing", ["web/storefront/basket.css"], """
@@ web/storefront/basket.css @@
 .basket-drawer__line {
-  padding: 6px 10px;
+  padding: 8px 12px;
+  gap: 8px;
 }
""")
    i.commit("docs", "tom.okafor", 121.5, "docs: how to read the stock dashboards", ["docs/stock/dashboards.md"])
    i.deploy(24, "stock-service", "guilty"); i.deploy(33.5, "stock-service", "stats")
    i.deploy(66, "stockdb", "mig", "migration-0077"); i.deploy(102.5, "stock-service", "pool")
    i.deploy(111.2, "orders-api", "orders"); i.deploy(114.0, "storefront", "css")
    i.flag(95, "storefront_new_basket_drawer", "storefront", "off->on", "priya.menon")
    i.flag(40, "orders_async_invoice", "orders-api", "off->on", "marek.zielinski")
    # the rollout at 102.5 restarts the pods and empties the pool; the climb starts over, faster with the morning traffic
    use = P((0, 9), (25, 9), (33, 14), (34, 9), (60, 23), (102, 46), (103, 12), (108, 31), (116, 57), (118, 60), (150, 60))
    wait = P((0, 1.2), (95, 2), (102, 38), (103, 2), (113, 40), (117, 900), (121, 4300), (150, 5000))
    rps = P((0, 210), (60, 260), (105, 330), (117, 340), (122, 150), (150, 120))
    sp = waits(K(41), wait, cap=5040); op = waits(K(96), sp, cap=6000); fp = waits(K(140), op, .98, 8000)
    ser = [S("stock-service", "db_pool_in_use", lambda t: use(t) if t < 117.5 else 64, .025, 0, 0, 60), S("stockdb", "db_sessions_idle_in_transaction", P((0, .4), (25, .4), (33, 5), (34, .6), (60, 14), (102, 37), (103, 2), (108, 22), (116, 50), (150, 53)), .05, 0, 0, 60),
        S("stockdb", "db_cpu_utilization", P((0, 24), (110, 31), (122, 13), (150, 12)), .07), S("stock-service", "http_server_duration_p99_ms", sp, .09, spike=.01),
        S("stock-service", "requests_per_sec", rps, .05), S("orders-api", "http_server_duration_p99_ms", op, .08, spike=.01),
        S("orders-api", "error_rate_5xx_ratio", P((0, .003), (115, .004), (120, .38), (150, .52)), .12, 4, 0, 1), S("storefront", "http_server_duration_p99_ms", fp, .08),
        S("storefront", "error_rate_5xx_ratio", P((0, .002), (116, .003), (121, .21), (150, .29)), .12, 4, 0, 1)]
    logs = [L(95, 0, 150, ("storefront", "INFO", "rendered basket", {"http.route": "/basket", "http.status_code": 200})),
        L(110, 0, 116, ("stock-service", "INFO", "reservation stored sku={C:BK|TX|GA}-{N:1000-9999} qty={N:1-4}", {"http.route": "/v1/reserve", "duration_ms": (11, 48)})),
        L(150, 26, 150, ("stock-service", "INFO", "reservation unchanged sku={C:BK|TX|GA}-{N:1000-9999}", {"http.route": "/v1/reserve", "duration_ms": (4, 12)})),
        L(400, 3, 150, ("storefront", "WARN", "image variant missing for sku {C:BK|TX|GA}-{N:1000-9999}, using fallback")),
        L(620, 5, 150, ("orders-api", "ERROR", "invoice mail rejected by relay: 450 4.2.0 mailbox busy", {"peer": "smtp-relay:587"})),
        L(240, 84, 102.4, ("stockdb", "WARN", "process {N:2000-9000} still waiting for ShareLock on transaction {N:884000-899000} after 1000.{N:10-99} ms", {"db.statement": "SELECT * FROM reservations WHERE order_id=$1 AND sku=$2 FOR UPDATE"})),
        L(80, 108, 150, ("stockdb", "WARN", "process {N:2000-9000} still waiting for ShareLock on transaction {N:884000-899000} after 1000.{N:10-99} ms", {"db.statement": "SELECT * FROM reservations WHERE order_id=$1 AND sku=$2 FOR UPDATE"})),
        L(0, 102.6, 150, ("stock-service", "INFO", "shutting down; closing {N:44-48} in-use connections")),
        L(42, 116.2, 150, ("stock-service", "ERROR", "reserve: begin: context deadline exceeded waiting for a pool connection", {"duration_ms": (4990, 5040), "db.pool.in_use": 60}), ("orders-api", "ERROR", "reserve {C:BK|TX|GA}-{N:1000-9999}: stock-service answered 503", {"http.route": "/v1/orders"}), ("storefront", "WARN", "order could not be placed, asking the shopper to retry", {"http.route": "/checkout"}))]
    i.trace(20, ("a1", None, "storefront", "POST /checkout", 181, "OK"), ("b1", "a1", "orders-api", "PlaceOrder", 122, "OK"), ("c1", "b1", "stock-service", "Reserve", 31, "OK"), ("d1", "c1", "stockdb", "SELECT reservations FOR UPDATE", 3, "OK"), ("d2", "c1", "stockdb", "INSERT reservations", 5, "OK"), ("d3", "c1", "stockdb", "COMMIT", 2, "OK"))
    i.trace(72, ("a1", None, "orders-api", "EditOrder", 64, "OK"), ("b1", "a1", "stock-service", "Reserve", 9, "OK", {"reservation.result": "unchanged"}), ("c1", "b1", "stockdb", "SELECT reservations FOR UPDATE", 3, "OK"))
    i.trace(120, ("a1", None, "storefront", "POST /checkout", 5210, "ERROR"), ("b1", "a1", "orders-api", "PlaceOrder", 5130, "ERROR"), ("c1", "b1", "stock-service", "Reserve", 5012, "ERROR", {"error": "begin: context deadline exceeded"}), ("d1", "c1", "stock-service", "db.pool.acquire", 5003, "ERROR", {"db.pool.in_use": 60, "db.pool.max": 60}))
    return i.write(dict(service="stock-service", metric="db_pool_in_use", threshold=58, observed=60, fired_at=121, severity="critical", monitor="stock-pool-exhausted", summary="stock-service database pool at its maximum; reservations time out waiting for a connection"), ser, logs,
        dict(root="guilty", cls="transaction left open on an early return (Go)", first="stock-service", blast=["orders-api", "storefront"], fix="rollback", notes="Transaction leak. <guilty> (aylin.demir, 09:24) replaces `defer tx.Rollback()` by explicit rollbacks on the error paths and adds an early `return cur, nil` for unchanged lines, which neither commits nor rolls back: the connection stays checked out, idle in transaction, holding the row lock. db_pool_in_use and idle_in_transaction climb from 09:25 on; the trace at 10:12 shows SELECT FOR UPDATE with no COMMIT. The rollouts of <stats> at 09:33 and of <pool> at 10:42 restart the pods and reset the climb, which then starts anew: the leak predates it. <pool> (connection lifetimes; cannot reclaim connections in use, cannot leak them), <orders> (holds an application lock), <mig> (concurrent partial index) and <stats> (gauges) are innocent. DB CPU falls: it is not load."))

def hot_partition():
    i = Incident("shipment-events-hot-partition", "2026-09-14T04:30:00", 150, 96, 402)
    i.commit("ret", "sven.lindqvist", 3.2, "topics: keep shipment events for 5 days", ["infra/kafka/topics/shipment-events.yaml"], """
@@ infra/kafka/topics/shipment-events.yaml @@
 spec:
   partitions: 24
   replicas: 3
   config:
-    retention.ms: "259200000"
+    retention.ms: "432000000"
     min.insync.replicas: "2"
""")
    i.commit("guilty", "ines.carvalho", 21.6, "refactor: build producer records in one place", ["publisher/src/main/java/io/parcel/publisher/ShipmentPublisher.java", "publisher/src/main/java/io/parcel/publisher/Records.java"], """
@@ publisher/src/main/java/io/parcel/publisher/ShipmentPublisher.java: public void publish(ShipmentEvent evt) {
-        byte[] payload = mapper.writeValueAsBytes(evt);
-        ProducerRecord<String, byte[]> rec =
-            new ProducerRecord<>(topic, evt.getShipmentId(), payload);
-        rec.headers().add("carrier", utf8(evt.getCarrier().code()));
-        rec.headers().add("schema", utf8("v3"));
-        producer.send(rec, this::onAck);
+        producer.send(Records.of(topic, evt, mapper), this::onAck);
     }
@@ publisher/src/main/java/io/parcel/publisher/Records.java: new file
+final class Records {
+    static ProducerRecord<String, byte[]> of(String topic, Event evt, ObjectMapper m) throws IOException {
+        ProducerRecord<String, byte[]> rec =
+            new ProducerRecord<>(topic, evt.routing().code(), m.writeValueAsBytes(evt));
+        rec.headers().add("carrier", utf8(evt.routing().code()));
+        rec.headers().add("schema", utf8("v3"));
+        return rec;
+    }
+}
""")
    i.commit("linger", "ines.carvalho", 34.9, "publisher: linger 20 ms, lz4", ["publisher/src/main/resources/application.yaml"], """
@@ publisher/src/main/resources/application.yaml @@
 kafka:
   producer:
     acks: all
-    linger-ms: 5
-    compression: none
+    linger-ms: 20
+    compression: lz4
     max-in-flight: 5
""")
    i.commit("batch", "kofi.mensah", 78.3, "perf: project events in batches of 200", ["projector/src/main/java/io/parcel/projector/Projector.java"], """
@@ projector/src/main/java/io/parcel/projector/Projector.java: void onPoll(ConsumerRecords<String, byte[]> records) {
-        for (ConsumerRecord<String, byte[]> r : records) {
-            repo.upsert(decode(r));
-        }
-        consumer.commitSync();
+        for (List<ConsumerRecord<String, byte[]>> chunk : Lists.partition(asList(records), 200)) {
+            repo.upsertAll(chunk.stream().map(this::decode).toList());
+        }
+        consumer.commitSync();
     }
""")
    i.commit("assign", "kofi.mensah", 86.5, "projector: cooperative sticky assignor", ["projector/src/main/resources/application.yaml"], """
@@ projector/src/main/resources/application.yaml @@
   consumer:
     group-id: tracking-projector
-    partition-assignment-strategy: org.apache.kafka.clients.consumer.RangeAssignor
+    partition-assignment-strategy: org.apache.kafka.clients.consumer.CooperativeStickyAssignor
     max-poll-records: 500
""")
    i.commit("api", "lucie.moreau", 88.8, "tracking-api: say when a status was last updated", ["api/src/routes/track.ts"], """
@@ api/src/routes/track.ts: export const track: Handler = async (req, res) => {
   const row = await repo.find(req.params.code);
   if (!row) return res.status(404).json({ error: 'unknown' });
-  res.json({ status: row.status });
+  res.json({ status: row.status, updatedAt: row.updated_at.toISOString() });
 };
""")
    i.commit("test", "ines.carvalho", 90.1, "test: fixture for partial deliveries", ["publisher/src/test/resources/partial.json"])
    i.commit("notify", "sven.lindqvist", 104.0, "notify-worker: drop the unused SMS template", ["notify/templates/sms_delayed.txt"], """
@@ notify/templates/sms_delayed.txt @@
-Your parcel {{code}} is delayed. New date: {{eta}}.
""")
    i.deploy(9, "event-bus", "ret", "topic-config-31"); i.deploy(28, "shipment-publisher", "guilty"); i.deploy(41, "shipment-publisher", "linger")
    i.deploy(84, "tracking-projector", "batch"); i.deploy(91.5, "tracking-projector", "assign"); i.deploy(94, "tracking-api", "api"); i.deploy(110, "notify-worker", "notify")
    i.flag(80, "projector_eta_model", "tracking-projector", "off->on", "kofi.mensah"); i.flag(15, "publisher_scan_photos", "shipment-publisher", "off->on", "ines.carvalho")
    rate = P((0, 610), (60, 900), (90, 1500), (105, 2300), (150, 2450))
    skew = P((0, 1.25), (28, 1.25), (30, 9.6), (42, 10.1), (150, 10.4))
    lag = P((0, 140), (84, 190), (92, 420), (96, 5200), (110, 96000), (150, 560000))
    ser = [S("shipment-publisher", "kafka_produce_records_per_sec", rate, .04), S("event-bus", "partition_bytes_in_max_over_mean", skew, .05, 2), S("event-bus", "broker_cpu_utilization", P((0, 19), (90, 30), (110, 37), (150, 38)), .06),
        S("tracking-projector", "consumer_lag_max_partition", lag, .06, 0), S("tracking-projector", "consumer_lag_median_partition", P((0, 60), (90, 75), (150, 88)), .2, 0),
        S("tracking-projector", "records_consumed_per_sec", P((0, 610), (60, 900), (90, 1490), (96, 1580), (150, 1600)), .05), S("tracking-projector", "container_cpu_cores_busiest_pod", P((0, .22), (28, .22), (31, .5), (90, .93), (96, 1), (150, 1)), .03, 2, 0, 1.02),
        S("tracking-projector", "container_cpu_cores_mean", P((0, .21), (60, .26), (95, .31), (150, .3)), .06, 2), S("tracking-api", "status_age_p95_seconds", P((0, 4), (90, 6), (98, 40), (110, 330), (150, 1900)), .1), S("notify-worker", "event_age_p95_seconds", P((0, 5), (90, 6), (98, 38), (110, 310), (150, 1800)), .1),
        S("tracking-api", "http_server_duration_p99_ms", K(74), .09, spike=.02)]
    logs = [L(100, 0, 150, ("tracking-api", "INFO", "status served", {"http.route": "/track/:code", "duration_ms": (9, 60)})), L(130, 0, 150, ("shipment-publisher", "INFO", "acked {N:300-900} records", {"kafka.topic": "shipment-events"})),
        L(170, 0, 150, ("tracking-projector", "INFO", "projected {N:60-500} records", {"kafka.partition": (0, 23), "duration_ms": (40, 190)})), L(500, 7, 150, ("shipment-publisher", "WARN", "scanner {C:HAM|LYS|OPO}-{N:10-60} sent a timestamp in the future, clamped")),
        L(700, 11, 150, ("notify-worker", "ERROR", "push provider answered 410 Gone, device token removed", {"peer": "push.example.net"})),
        L(0, 84.3, 150, ("tracking-projector", "INFO", "(re-)joining group, generation {N:212-214}")), L(0, 91.8, 150, ("tracking-projector", "INFO", "(re-)joining group, generation {N:215-219}")),
        L(36, 96.4, 150, ("tracking-projector", "WARN", "lag above limit on shipment-events-17: {N:90-560}k records behind", {"kafka.partition": 17, "kafka.key.sample": "{C:DHLP|DHLP|DHLP|DHLP|GLSX}", "consumer.pod": "tracking-projector-5"})),
        L(210, 100, 150, ("tracking-projector", "WARN", "lag above limit on shipment-events-4: {N:6-20}k records behind", {"kafka.partition": 4, "kafka.key.sample": "UPSE", "consumer.pod": "tracking-projector-1"})),
        L(75, 101, 150, ("tracking-api", "WARN", "status older than {N:300-1800} s for shipment {N:100000-999999}", {"http.route": "/track/:code"}), ("notify-worker", "WARN", "skipping stale delivery notice, event is {N:300-1800} s old"))]
    i.trace(12, ("a1", None, "shipment-publisher", "publish shipment-events", 7, "OK", {"kafka.partition": 3, "kafka.key": "S-88120417"}), ("b1", "a1", "tracking-projector", "project", 21, "OK", {"queue_wait_ms": 180}))
    i.trace(55, ("a1", None, "shipment-publisher", "publish shipment-events", 24, "OK", {"kafka.partition": 17, "kafka.key": "DHLP"}), ("b1", "a1", "tracking-projector", "project", 20, "OK", {"queue_wait_ms": 900}))
    i.trace(122, ("a1", None, "shipment-publisher", "publish shipment-events", 25, "OK", {"kafka.partition": 17, "kafka.key": "DHLP"}), ("b1", "a1", "tracking-projector", "project", 22, "OK", {"queue_wait_ms": 842000}))
    i.trace(124, ("a1", None, "shipment-publisher", "publish shipment-events", 23, "OK", {"kafka.partition": 9, "kafka.key": "COLI"}), ("b1", "a1", "tracking-projector", "project", 19, "OK", {"queue_wait_ms": 210}))
    return i.write(dict(service="tracking-projector", metric="consumer_lag_max_partition", threshold=50000, observed=96800, fired_at=110, severity="critical", monitor="projector-lag", summary="tracking-projector more than 50k records behind on shipment-events; parcel status pages are stale"), ser, logs,
        dict(root="guilty", cls="partition key changed, hot partition (Java)", first="tracking-projector", blast=["tracking-api", "notify-worker"], fix="rollback", notes="Key skew. <guilty> (ines.carvalho, deployed 04:58) moves record building to Records.of and keys by evt.routing().code() (the carrier) instead of the shipment id: a few carriers means a few partitions. event-bus partition_bytes_in_max_over_mean jumps 1.25 -> ~10 at 04:58 at once; the single consumer of partition 17 only saturates one core when the morning volume arrives (~06:06), so the lag alert comes 80 minutes later. Median lag and mean CPU stay flat. Decoys: <batch> and <assign> (projector, deployed 05:54 and 06:01, minutes before the onset; processing time per record unchanged, the skew is older), <linger> (batching and compression), <ret> (retention), <api>, <notify>."))

def loop_block():
    i = Incident("quote-event-loop-stall", "2026-10-06T06:00:00", 140, 92, 403)
    i.commit("base", "wiktor.nowak", -9.5, "build: python 3.12.6 base image", ["quote/Dockerfile"], """
@@ quote/Dockerfile @@
-FROM python:3.12.5-slim-bookworm
+FROM python:3.12.6-slim-bookworm
 WORKDIR /app
 COPY requirements.lock .
""")
    i.commit("guilty", "salma.haddad", 12.7, "refactor: use the tariff client of the batch job everywhere", ["quote/app/tariffs.py", "quote/app/routes/quote.py"], """
@@ quote/app/tariffs.py @@
-import httpx
-
-_http = httpx.AsyncClient(base_url=settings.TARIFF_URL, timeout=2.0)
-
-
-async def tariff_for(lane: Lane) -> Tariff:
-    r = await _http.get(f"/v2/tariffs/{lane.code}")
-    r.raise_for_status()
-    return Tariff.model_validate(r.json())
+from common.tariff_client import TariffClient  # requests.Session, retries, auth
+
+_client = TariffClient(settings.TARIFF_URL, timeout=2.0)
+
+
+async def tariff_for(lane: Lane) -> Tariff:
+    return Tariff.model_validate(_client.get_tariff(lane.code))
@@ quote/app/routes/quote.py: async def create_quote(body: QuoteIn) -> QuoteOut:
-    tariff = await tariff_for(body.lane)
+    tariff = await tariff_for(body.lane.normalised())
     return price(body, tariff)
""")
    i.commit("surch", "nils.berg", 29.3, "fix: fuel surcharge applies per leg", ["quote/app/pricing.py"], """
@@ quote/app/pricing.py: def price(body: QuoteIn, tariff: Tariff) -> QuoteOut:
-    surcharge = tariff.fuel * body.total_km
+    surcharge = sum(tariff.fuel * leg.km for leg in body.legs)
     net = tariff.base + surcharge
     return QuoteOut(net=round(net, 2), currency=tariff.currency)
""")
    i.commit("probe", "wiktor.nowak", 70.2, "helm: give quote-service a startup probe", ["deploy/quote/values.yaml"], """
@@ deploy/quote/values.yaml @@
 livenessProbe:
   httpGet: {path: /healthz, port: http}
   periodSeconds: 10
   timeoutSeconds: 2
   failureThreshold: 3
+startupProbe:
+  httpGet: {path: /healthz, port: http}
+  periodSeconds: 3
+  failureThreshold: 20
""")
    i.commit("strict", "nils.berg", 80.5, "validate quotes strictly, recompute every leg", ["quote/app/models.py"], """
@@ quote/app/models.py: class QuoteIn(BaseModel):
-    model_config = ConfigDict(extra="ignore")
+    model_config = ConfigDict(extra="forbid", strict=True, validate_assignment=True)
     lane: Lane
-    legs: list[Leg]
+    legs: list[Leg] = Field(min_length=1, max_length=40)
+
+    @model_validator(mode="after")
+    def _legs_connect(self) -> "QuoteIn":
+        for a, b in zip(self.legs, self.legs[1:]):
+            if a.to != b.frm:
+                raise ValueError("legs do not connect")
+        return self
""")
    i.commit("tar", "oyelaran.ade", 84.9, "tariff-service: compute volume discounts on read", ["tariff/src/Discounts.kt"], """
@@ tariff/src/Discounts.kt: fun tariffFor(lane: String): TariffDto {
     val row = repo.byLane(lane) ?: throw NotFound(lane)
-    return row.toDto()
+    val tiers = tiersCache.forCustomerGroup(row.group)
+    return row.toDto(discounts = tiers.map { it.asRule() })
 }
""")
    i.commit("ui", "greta.holm", 88.0, "broker portal: keep the form filled after an error", ["portal/src/QuoteForm.tsx"], """
@@ portal/src/QuoteForm.tsx @@
-  onError: () => form.reset(),
+  onError: (e) => setError(toMessage(e)),
""")
    i.commit("adr", "salma.haddad", 96.4, "docs: ADR 31, one client per upstream", ["docs/adr/0031.md"])
    i.deploy(20, "quote-service", "guilty"); i.deploy(36, "quote-service", "surch"); i.deploy(75, "quote-service", "probe"); i.deploy(86.5, "quote-service", "strict"); i.deploy(89, "tariff-service", "tar"); i.deploy(91, "broker-portal", "ui")
    i.flag(83, "portal_instant_quotes", "broker-portal", "off->on", "greta.holm")
    load = P((0, 6), (40, 11), (75, 24), (90, 41), (100, 52), (140, 55))
    lag = P((0, 3), (20, 3), (22, 48), (60, 75), (80, 190), (91, 520), (96, 2300), (140, 3100))
    qp = waits(K(150), lag, 1.6); bp = waits(K(90), qp, 1, 6000)
    ser = [S("quote-service", "requests_per_sec", load, .07), S("quote-service", "http_server_duration_p99_ms", qp, .1), S("quote-service", "healthz_duration_p99_ms", waits(K(3), lag, .95), .12), S("quote-service", "event_loop_lag_p99_ms", lag, .12),
        S("quote-service", "cpu_utilization", P((0, .08), (60, .13), (95, .19), (140, .17)), .08, 3), S("quote-service", "pod_restart_total", P((0, 0), (97, 0), (97.1, 1), (106, 3), (115, 5), (130, 8), (140, 9)), 0, 0), S("tariff-service", "http_server_duration_p99_ms", P((0, 132), (89, 136), (91, 147), (140, 149)), .07, spike=.01),
        S("tariff-service", "requests_per_sec", lambda t: min(load(t) + 2, 43), .06), S("broker-portal", "http_server_duration_p99_ms", bp, .09), S("broker-portal", "error_rate_5xx_ratio", P((0, .002), (93, .004), (99, .17), (140, .24)), .15, 4, 0, 1), S("booking-api", "error_rate_5xx_ratio", P((0, .001), (94, .002), (100, .09), (140, .13)), .15, 4, 0, 1)]
    logs = [L(90, 0, 140, ("quote-service", "INFO", "quote priced lane={C:HAM-OSL|RTM-BCN|GDN-FXT}", {"http.route": "/quotes", "duration_ms": (110, 180)})), L(140, 0, 140, ("booking-api", "INFO", "booking accepted", {"http.route": "/bookings"})), L(160, 0, 140, ("tariff-service", "INFO", "tariff served lane={C:HAM-OSL|RTM-BCN|GDN-FXT}", {"duration_ms": (60, 140)})),
        L(480, 4, 140, ("quote-service", "WARN", "lane {C:XXA|XXB}-{N:10-99} has no fuel index, using last month")), L(560, 9, 140, ("booking-api", "ERROR", "customs pre-check returned malformed XML, queued for retry", {"peer": "customs-gw"})),
        L(300, 87, 140, ("quote-service", "WARN", "422 legs do not connect", {"http.route": "/quotes"})), L(420, 30, 92, ("quote-service", "WARN", "asyncio: Executing <Task pending name='Task-{N:900-9999}' coro=<RequestResponseCycle.run_asgi()>> took 0.{N:104-190} seconds")),
        L(45, 92.2, 140, ("quote-service", "WARN", "asyncio: Executing <Task pending name='Task-{N:900-9999}' coro=<RequestResponseCycle.run_asgi()>> took 0.{N:104-190} seconds")),
        L(55, 94, 140, ("broker-portal", "ERROR", "quote-service timed out after 6000 ms", {"http.route": "/instant-quote"})), L(100, 95, 140, ("booking-api", "ERROR", "re-quote failed: deadline exceeded calling quote-service", {"http.route": "/bookings"})),
        L(130, 96.5, 140, ("quote-service", "WARN", "Liveness probe failed: Get \"http://10.3.{N:1-9}.{N:2-250}:8080/healthz\": context deadline exceeded", {"k8s.event": "Unhealthy"})), L(330, 97.1, 140, ("quote-service", "WARN", "Container quote failed liveness probe, will be restarted", {"k8s.event": "Killing"}))]
    i.trace(10, ("a1", None, "broker-portal", "POST /instant-quote", 214, "OK"), ("b1", "a1", "quote-service", "POST /quotes", 138, "OK"), ("c1", "b1", "tariff-service", "GET /v2/tariffs", 96, "OK"))
    i.trace(103, ("a1", None, "broker-portal", "POST /instant-quote", 3710, "OK"), ("b1", "a1", "quote-service", "POST /quotes", 3590, "OK", {"queue_wait_ms": 3440}), ("c1", "b1", "tariff-service", "GET /v2/tariffs", 101, "OK"))
    i.trace(104, ("a1", None, "quote-service", "GET /healthz", 2870, "OK", {"queue_wait_ms": 2868}))
    i.trace(110, ("a1", None, "booking-api", "POST /bookings", 5003, "ERROR"), ("b1", "a1", "quote-service", "POST /quotes", 5000, "ERROR", {"error": "cancelled by client", "queue_wait_ms": 4980}))
    return i.write(dict(service="quote-service", metric="http_server_duration_p99_ms", threshold=2000, observed=4350, fired_at=98, severity="critical", monitor="quote-latency", summary="quote-service p99 above 2 s, pods failing liveness"), ser, logs,
        dict(root="guilty", cls="blocking call on the event loop (Python)", first="quote-service", blast=["broker-portal", "booking-api"], fix="rollback", notes="Event loop blocked. <guilty> (salma.haddad, deployed 06:20) replaces the awaited httpx call by a synchronous requests-based client inside an async function: each quote holds the loop for the ~100 ms of the tariff call, so throughput per pod is about ten per second. event_loop_lag steps from 3 to ~48 ms at 06:20; it queues without bound once the morning load exceeds that (~07:32). CPU stays below 20 %, /healthz is slow although it does nothing, the tariff span itself is ~100 ms. Decoys: <strict> (validation, CPU would rise; 5 min before onset), <tar> (tariff p99 +10 ms), <probe> (startup probe only, the liveness limits are unchanged), <surch>, <ui>."))
