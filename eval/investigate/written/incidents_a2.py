"""Incidents 4-6: week-year date at midnight, renumbered protobuf fields, rate limiter whose window never ends."""
from sim_a import Inc, up, hump


def midnight():
    I = Inc("meter-readings-rejected", 4104, "2026-12-26T20:00", "2026-12-27T00:45", onset="2026-12-27T00:00")
    on = I.m("2026-12-27T00:00")
    bad = lambda m: up(m, on, 0.4)
    nodes = {
        "meter-gateway": dict(own=38, rps=520, err=0.0015, calls=[("ingest-service", 0.9, 2000)]),
        "ingest-service": dict(own=64, rps=505, err=0.0012, fail=lambda m: 0.93 * bad(m), lat=lambda m: -22 * bad(m), cpu=lambda m: 0.46 - 0.13 * bad(m)),
        "usage-api": dict(own=85, rps=70, err=0.002),
        "customer-portal": dict(own=110, rps=48, err=0.003, calls=[("usage-api", 0.8, 1500)]),
        "tariff-service": dict(own=29, rps=60, err=0.002),
        "export-service": dict(own=240, rps=4, err=0.004),
    }
    I.graph(nodes, {"meter-gateway": ["rps", "p99", "err"], "ingest-service": ["rps", "p99", "err", "cpu"], "usage-api": ["rps", "p99", "err"],
                    "customer-portal": ["p99", "err"], "tariff-service": ["p99"], "export-service": ["p99", "err"]})
    I.metric("ingest-service", "readings_stored_per_sec", lambda m: 1010 * (1 - 0.995 * bad(m)), 0.03, 1)
    I.metric("meter-gateway", "replay_buffer_depth", lambda m: 40 + max(0, m - on) * 27100, 0.05, 0)
    I.metric("usage-api", "data_freshness_seconds", lambda m: 48 + max(0, m - on) * 60, 0.03, 0)
    I.metric("readingsdb", "db_cpu_utilization", lambda m: 43 - 26 * bad(m) + 8 * hump(m, I.m("2026-12-26T22:15"), 12), 0.06, 1)
    I.metric("readingsdb", "inserts_per_sec", lambda m: 1010 * (1 - 0.99 * bad(m)), 0.03, 1)
    I.metric("readingsdb", "disk_used_ratio", lambda m: 0.612 + 0.00002 * min(m, on), 0.0005, 4)
    I.metric("partition-manager", "partitions_ahead_days", lambda m: 3 if m < I.m("2026-12-26T23:30") else 7, 0, 0)

    I.background([
        ("meter-gateway", lambda r: f"batch of {r.randint(40, 60)} readings forwarded", "/v3/readings"),
        ("usage-api", lambda r: f"usage series served, {r.randint(24, 96)} points", "/v1/usage"),
        ("customer-portal", "dashboard rendered", "/home"),
        ("tariff-service", "tariff resolved", "/tariff"),
        ("export-service", lambda r: f"export part {r.randint(1, 40)} uploaded", None)], 140)
    I.stream("ingest-service", "INFO", lambda r, t: (f"stored {r.randint(40, 60)} readings", {"http.route": "/ingest"}), lambda m: 0.2 * (1 - bad(m)), 2400, "neutral")
    I.stream("customer-portal", "ERROR", lambda r, t: f"weather widget: provider returned 502, hiding tile", 0.05, 6)
    I.stream("export-service", "WARN", lambda r, t: f"sftp host regulator-drop slow: {r.randint(3, 9)}.{r.randint(0, 9)}s for 64KB", 0.04, 3)
    # partition maintenance, hourly at :30
    for h in ("20:30", "21:30", "22:30"):
        I.log(f"2026-12-26T{h}:04", "partition-manager", "INFO", "ensured 3 partitions: meter_readings_20261227 .. meter_readings_20261229 (0 created)", table="meter_readings")
    I.log("2026-12-26T23:30:05", "partition-manager", "INFO", "ensured 7 partitions: meter_readings_20261227 .. meter_readings_20270102 (4 created)", table="meter_readings")
    I.log("2026-12-27T00:30:04", "partition-manager", "INFO", "ensured 7 partitions: meter_readings_20261228 .. meter_readings_20270103 (1 created)", table="meter_readings")
    def row(r, t):
        return (f"ERROR: no partition of relation \"meter_readings\" found for row", {"sqlstate": "23514", "detail": "Partition key of the failing row contains (reading_day) = (2027-12-27)."})
    I.stream("readingsdb", "ERROR", row, lambda m: 1.6 * bad(m), 420)
    I.stream("ingest-service", "ERROR", lambda r, t: (f"batch rejected: PSQLException on insert into meter_readings ({r.randint(40, 60)} rows)", {"meter_model": r.choice(["LX-200", "Q3-smart", "AMI-9"]), "reading_ts": t.strftime("%Y-%m-%dT00:%M:%SZ"), "http.route": "/ingest"}), lambda m: 1.8 * bad(m), 410)
    I.stream("meter-gateway", "WARN", lambda r, t: ("ingest-service answered 500, batch kept in replay buffer", {"http.route": "/v3/readings"}), lambda m: 0.01 + 1.1 * bad(m), 380)
    I.stream("usage-api", "WARN", lambda r, t: ("latest reading older than freshness target, series marked stale", {"http.route": "/v1/usage"}), lambda m: 0.9 * bad(m - 5), 55)
    I.stream("ingest-service", "INFO", lambda r, t: (f"late batch accepted: {r.randint(3, 30)} readings of 2026-12-26", {"http.route": "/ingest"}), lambda m: 0.02 + 0.16 * bad(m) * (1 if m < on + 25 else 0.3), 30, "neutral")

    for w, st in (("2026-12-26T21:14:09", 0), ("2026-12-26T23:58:41", 0), ("2026-12-27T00:04:31", 1), ("2026-12-27T00:19:02", 1)):
        s = "ERROR" if st else "OK"
        I.trace(w, ("meter-gateway", "POST /v3/readings", 92 - 20 * st, s, {}, [("ingest-service", "POST /ingest", 58 - 20 * st, s, {"readings": 50}, [
            ("readingsdb", "INSERT meter_readings", 31 - 20 * st, s, {"db.params.reading_day": "2026-12-26"} if not st else {"db.params.reading_day": "2027-12-27", "error": "23514 no partition found for row"})])]))
    I.trace("2026-12-27T00:07:50", ("meter-gateway", "POST /v3/readings", 95, "OK", {}, [("ingest-service", "POST /ingest", 60, "OK", {"readings": 12, "late": True}, [
        ("readingsdb", "INSERT meter_readings", 30, "OK", {"db.params.reading_day": "2026-12-26"})])]))
    I.trace("2026-12-27T00:21:10", ("customer-portal", "GET /home", 205, "OK", {}, [("usage-api", "GET /v1/usage", 88, "OK", {"series.stale": True}, [("readingsdb", "SELECT meter_readings", 41, "OK", {"db.params.reading_day": "2026-12-27", "db.rows": 0})])]))

    I.commit("guilty", "beatriz.santos", "2026-12-26T16:41:08", "refactor: one DateFormats class for ingest and export", ["common/src/main/java/io/gridly/common/DateFormats.java", "ingest-service/src/main/java/io/gridly/ingest/ReadingMapper.java", "export-service/src/main/java/io/gridly/export/FileNames.java"], """
--- /dev/null
+++ b/common/src/main/java/io/gridly/common/DateFormats.java
@@ -0 +1 @@
+package io.gridly.common;
+
+import java.time.ZoneOffset;
+import java.time.format.DateTimeFormatter;
+import java.util.Locale;
+
+/** Formats used in more than one service. All UTC. */
+public final class DateFormats {
+  public static final DateTimeFormatter DAY =
+      DateTimeFormatter.ofPattern("YYYY-MM-dd", Locale.US).withZone(ZoneOffset.UTC);
+  public static final DateTimeFormatter HOUR_COMPACT =
+      DateTimeFormatter.ofPattern("yyyyMMddHH", Locale.US).withZone(ZoneOffset.UTC);
+
+  private DateFormats() {}
+}
--- a/ingest-service/src/main/java/io/gridly/ingest/ReadingMapper.java
+++ b/ingest-service/src/main/java/io/gridly/ingest/ReadingMapper.java
@@ -44 +44 @@ class ReadingMapper {
   MeterReadingRow toRow(Reading r) {
     return new MeterReadingRow(
         r.meterId(),
-        r.takenAt().atOffset(ZoneOffset.UTC).toLocalDate().toString(),
+        DateFormats.DAY.format(r.takenAt()),
         r.takenAt(),
         r.kwh());
   }
--- a/export-service/src/main/java/io/gridly/export/FileNames.java
+++ b/export-service/src/main/java/io/gridly/export/FileNames.java
@@ -12 +12 @@ final class FileNames {
-  private static final DateTimeFormatter HOUR = DateTimeFormatter.ofPattern("yyyyMMddHH").withZone(ZoneOffset.UTC);
-
   static String part(Instant hour, int n) {
-    return "usage_" + HOUR.format(hour) + "_" + n + ".csv.gz";
+    return "usage_" + DateFormats.HOUR_COMPACT.format(hour) + "_" + n + ".csv.gz";
   }
""", ("ingest-service", "2026-12-26T20:25:00"))
    I.commit("tz", "kofi.mensah", "2026-12-26T21:20:55", "fix(usage-api): day totals follow the customer's time zone", ["usage-api/src/totals.ts"], """
--- a/usage-api/src/totals.ts
+++ b/usage-api/src/totals.ts
@@ -16 +16 @@ export function dayTotals(points: Point[], customer: Customer): DayTotal[] {
-  const key = (p: Point) => p.takenAt.toISOString().slice(0, 10);
+  const fmt = new Intl.DateTimeFormat('en-CA', { timeZone: customer.timeZone ?? 'UTC', year: 'numeric', month: '2-digit', day: '2-digit' });
+  const key = (p: Point) => fmt.format(p.takenAt);
   return groupSum(points, key);
 }
""", ("usage-api", "2026-12-26T22:04:10"))
    I.commit("index", "wen.jie", "2026-12-26T21:48:30", "perf(readingsdb): brin index on taken_at of the current partitions", ["readingsdb/migrations/0091_brin_taken_at.sql"], """
--- /dev/null
+++ b/readingsdb/migrations/0091_brin_taken_at.sql
@@ -0 +1 @@
+CREATE INDEX CONCURRENTLY IF NOT EXISTS meter_readings_20261226_taken_at_brin
+    ON meter_readings_20261226 USING brin (taken_at);
+CREATE INDEX CONCURRENTLY IF NOT EXISTS meter_readings_20261227_taken_at_brin
+    ON meter_readings_20261227 USING brin (taken_at);
""", ("readingsdb", "2026-12-26T22:15:00"))
    I.commit("ahead", "hugo.lefevre", "2026-12-26T22:58:17", "chore(partitions): keep a week ahead over the holidays", ["partition-manager/manager/config.py", "partition-manager/manager/ensure.py"], """
--- a/partition-manager/manager/config.py
+++ b/partition-manager/manager/config.py
@@ -5 +5 @@ TABLES = ("meter_readings", "meter_events")
-DAYS_AHEAD = 3
+DAYS_AHEAD = 7
--- a/partition-manager/manager/ensure.py
+++ b/partition-manager/manager/ensure.py
@@ -19 +19 @@ def ensure(conn, table, today):
-    days = []
-    created = 0
-    for n in range(1, DAYS_AHEAD + 1):
-        days.append(today + timedelta(days=n))
-        created += create_if_missing(conn, table, days[-1])
+    days = [today + timedelta(days=n) for n in range(1, DAYS_AHEAD + 1)]
+    created = sum(create_if_missing(conn, table, day) for day in days)
     log.info("ensured %d partitions: %s .. %s (%d created)", len(days), name(table, days[0]), name(table, days[-1]), created)
""", ("partition-manager", "2026-12-26T23:21:40"))
    I.commit("compress", "aline.costa", "2026-12-26T23:12:02", "perf(gateway): zstd for batches to ingest", ["meter-gateway/gateway/forward.go"], """
--- a/meter-gateway/gateway/forward.go
+++ b/meter-gateway/gateway/forward.go
@@ -33 +33 @@ func (f *Forwarder) encode(b *Batch) ([]byte, string, error) {
-    return snappy.Encode(nil, b.Marshal()), "snappy", nil
+    return f.zstd.EncodeAll(b.Marshal(), nil), "zstd", nil
 }
""", ("meter-gateway", "2026-12-26T23:44:30"), tabs=True)
    I.commit("tariffs", "kofi.mensah", "2026-12-26T23:30:29", "feat(tariff): load the 2027 grid fees", ["tariff-service/data/fees_2027.yaml"], """
--- /dev/null
+++ b/tariff-service/data/fees_2027.yaml
@@ -0 +1 @@
+valid_from: 2027-01-01
+valid_to: 2027-12-31
+fees:
+  base_eur_per_day: 0.41
+  grid_ct_per_kwh: 11.26
+  metering_ct_per_kwh: 0.92
""", ("tariff-service", "2026-12-26T23:57:10"))
    I.commit("wid", "aline.costa", "2026-12-26T20:10:44", "docs: on-call rota for the holidays", ["docs/oncall/2026-12.md"])
    I.commit("junit", "beatriz.santos", "2026-12-26T17:05:31", "test: formats round-trip for today", ["common/src/test/java/io/gridly/common/DateFormatsTest.java"], """
--- /dev/null
+++ b/common/src/test/java/io/gridly/common/DateFormatsTest.java
@@ -0 +1 @@
+class DateFormatsTest {
+  @Test
+  void dayMatchesLocalDate() {
+    Instant t = Instant.parse("2026-12-25T23:59:59Z");
+    assertEquals("2026-12-25", DateFormats.DAY.format(t));
+  }
+}
""")
    I.flag("2026-12-26T23:50:00", "portal_year_in_review", "customer-portal", "off->on", "aline.costa")
    I.flag("2026-12-26T21:00:00", "ingest_dedup_v2", "ingest-service", "5%->10%", "beatriz.santos")
    I.finish(dict(service="ingest-service", metric="readings_stored_per_sec", threshold=500, comparison="below", severity="critical", monitor="ingest-throughput-low",
                  summary="ingest-service stores almost no meter readings since 00:00Z; gateway replay buffer growing"),
             dict(first="ingest-service", blast=["meter-gateway", "usage-api"], remediation="rollback",
                  notes="Date formatting that breaks at midnight. {guilty} (deployed with ingest-service 20:25) formats the partition key with the week-based year 'YYYY' in Locale.US. US week 1 of 2027 begins on Sunday 2026-12-27, so from 00:00Z on reading_day becomes 2027-12-27 and no partition matches (detail of the error, db.params.reading_day in the traces). For 3.5 hours before midnight the same code gives the right day, and late readings of 2026-12-26 are still accepted after midnight. The partition for 2026-12-27 exists (partition-manager logs; usage-api queries it and finds zero rows). Decoys: {ahead} (partition-manager 23:21, makes more partitions, correctly), {compress} (gateway 23:44; batches still decode and late ones are stored), {tz} (time zone, but only display grouping), {index} (brin on two existing partitions), {tariffs} (23:57, mentions 2027, prices only)."),
             "guilty", "2026-12-27T00:04:00")


def schema():
    I = Inc("shipment-events-undecodable", 4105, "2026-09-03T09:30", "2026-09-03T11:40", onset="2026-09-03T11:00")
    on = I.m("11:00")
    bad = lambda m: up(m, on, 1.0)
    wave = lambda m: sum(max(0.0, 1 - (m - b) / 38) if m >= b else 0.0 for b in (I.m("10:00"), on)) if m < on else max(0.0, 1 - (m - on) / 38)
    prev = lambda m: max(wave(m), 0.35 if m < I.m("10:00") else 0)
    nodes = {
        "shop-api": dict(own=75, rps=260, err=0.002, calls=[("order-service", 0.3, 2500)]),
        "order-service": dict(own=88, rps=84, err=0.002, cpu=lambda m: 0.35 + 0.07 * prev(m)),
        "label-service": dict(own=130, rps=22, err=0.004, cpu=lambda m: 0.3 + 0.15 * prev(m) * (1 - bad(m))),
        "warehouse-board": dict(own=160, rps=9, err=0.003),
        "returns-service": dict(own=70, rps=12, err=0.004),
    }
    I.graph(nodes, {"shop-api": ["rps", "p99", "err"], "order-service": ["rps", "p99", "err", "cpu"], "label-service": ["p99", "err", "cpu"],
                    "warehouse-board": ["p99", "err"], "returns-service": ["err"]})
    I.metric("order-service", "events_published_per_min_shipments", lambda m: 720 * prev(m), 0.06, 0)
    I.metric("order-service", "events_published_per_min_orders", lambda m: 1480, 0.05, 0)
    I.metric("fulfilment-worker", "events_processed_per_min", lambda m: 700 * prev(m) * (1 - 0.98 * bad(m)), 0.06, 0)
    I.metric("fulfilment-worker", "dlq_messages_per_min", lambda m: 0.15 + 690 * prev(m) * bad(m), 0.1, 1)
    I.metric("fulfilment-worker", "consumer_lag", lambda m: 22 + 120 * hump(m, I.m("10:00"), 5) + 160 * hump(m, on, 6), 0.15, 0)
    I.metric("label-service", "labels_printed_per_min", lambda m: 660 * prev(m - 2) * (1 - 0.985 * bad(m - 2)), 0.07, 0)
    I.metric("label-service", "dlq_messages_per_min", lambda m: 0.1 + 690 * prev(m) * bad(m), 0.12, 1)
    I.metric("returns-projector", "events_skipped_per_min", lambda m: 0.2 + 640 * prev(m) * bad(m), 0.1, 1)
    I.metric("kafka", "under_replicated_partitions", lambda m: 3 * hump(m, I.m("10:50"), 5), 0, 0)
    I.metric("kafka", "bytes_in_per_sec", lambda m: 2.1e6 * (1 + 0.35 * prev(m)), 0.05, 0)
    I.metric("warehouse-board", "stations_without_work", lambda m: 2 + 31 * up(m, on + 4, 6), 0.12, 0)

    I.background([
        ("shop-api", lambda r: f"POST /orders 201 in {r.randint(80, 190)}ms", "/orders"),
        ("order-service", lambda r: f"order confirmed, {r.randint(1, 7)} lines", "/internal/orders"),
        ("warehouse-board", "board polled", "/board"),
        ("returns-service", "return registered", "/returns")], 80)
    I.stream("returns-service", "ERROR", lambda r, t: f"carrier tracking lookup failed: 404 for parcel {r.randint(10**9, 10**10)}", 0.08, 5)
    I.stream("shop-api", "WARN", lambda r, t: f"voucher cache cold for campaign {r.randint(100, 400)}", 0.06, 6)
    I.stream("fulfilment-worker", "INFO", lambda r, t: (f"pick task created in {r.choice(['AMS2', 'LEJ1', 'POZ3'])}", {"topic": "shipments.v2"}), lambda m: 0.7 * prev(m) * (1 - bad(m)), 300, "neutral", sig="pick task created in <*>")
    I.log("10:00:01", "order-service", "INFO", "slot release: 13402 shipments for slots from 14:00Z published to shipments.v2", job="slot-release")
    I.log("11:00:01", "order-service", "INFO", "slot release: 13677 shipments for slots from 15:00Z published to shipments.v2", job="slot-release")
    off = lambda r: {"topic": "shipments.v2", "partition": r.randint(0, 11), "offset": r.randint(88100000, 88140000)}
    I.stream("fulfilment-worker", "ERROR", lambda r, t: ("cannot route shipment: unknown warehouse ''", {**off(r), "slot_start": "1970-01-01T00:00:00Z", "weight_g": 0, "lines": 0}),
        lambda m: 1.7 * bad(m) * min(1, prev(m) * 1.6), 190, sig="cannot route shipment: unknown warehouse ''")
    I.stream("label-service", "ERROR", lambda r, t: ("label rejected: warehouse_code empty after decode, event parked", {**off(r), "unknown_fields": "3:len,4:varint,5:varint,6:len"}), lambda m: 1.2 * bad(m) * min(1, prev(m) * 1.6), 260)
    I.stream("returns-projector", "WARN", lambda r, t: ("shipment without warehouse skipped", {**off(r), "build": "v2026.08.12-0911"}), lambda m: 0.6 * bad(m) * min(1, prev(m) * 1.6), 210)
    I.stream("warehouse-board", "WARN", lambda r, t: (f"station {r.choice(['AMS2', 'LEJ1', 'POZ3'])}-{r.randint(1, 40)} has no pick tasks", {"http.route": "/board"}), lambda m: 0.04 + 0.8 * up(m, on + 5, 4), 12, sig="station <*> has no pick tasks")
    I.log("10:51:12", "kafka", "INFO", "broker 2 restarted with new configuration, ISR shrank to [1,3]")
    I.log("10:55:40", "kafka", "INFO", "broker 2 back in ISR for all partitions")

    def ev(when, ok, size):
        st = "OK" if ok else "ERROR"
        I.trace(when, ("order-service", "publish shipments.v2", 6, "OK", {"messaging.message.body.size": size, "schema.module": "shop-events " + ("4.11.0" if ok else "4.12.0")}, [
            ("fulfilment-worker", "consume shipments.v2", 34 if ok else 5, st, {"schema.module": "shop-events 4.11.0"} if ok else {"schema.module": "shop-events 4.11.0", "error": "unknown warehouse ''"}, [("fulfilment-worker", "create pick task", 26, "OK")] if ok else []),
            ("label-service", "consume shipments.v2", 71 if ok else 4, st, {"schema.module": "shop-events 4.11.0"} if ok else {"schema.module": "shop-events 4.11.0", "error": "warehouse_code empty after decode"})]))
    ev("10:02:14", True, 96); ev("10:13:50", True, 94)
    ev("11:01:09", False, 91); ev("11:04:37", False, 90); ev("11:16:20", False, 92)
    I.trace("11:09:15", ("shop-api", "POST /orders", 171, "OK", {}, [("order-service", "CreateOrder", 90, "OK", {}, [("order-service", "publish orders.v1", 5, "OK", {"schema.module": "shop-events 4.12.0"})])]))

    I.commit("guilty", "sanne.devries", "09:51:26", "chore(proto): remove the retired express fields and tidy numbering", ["proto/shop/shipments/shipment.proto", "order-service/go.mod"], """
--- a/proto/shop/shipments/shipment.proto
+++ b/proto/shop/shipments/shipment.proto
@@ -9 +9 @@ message Shipment {
   string shipment_id = 1;
   string order_id = 2;
-  // not written since 2025-03, express moved to the carrier
-  bool express = 3;
-  string express_carrier = 4;
-  string warehouse_code = 5;
-  int64 slot_start_ms = 6;
-  uint32 weight_g = 7;
-  repeated Line lines = 8;
+  string warehouse_code = 3;
+  int64 slot_start_ms = 4;
+  uint32 weight_g = 5;
+  repeated Line lines = 6;
 }
--- a/order-service/go.mod
+++ b/order-service/go.mod
@@ -8 +8 @@ require (
     github.com/segmentio/kafka-go v0.4.47
-    git.shop.internal/events/go v4.11.0
+    git.shop.internal/events/go v4.12.0
 )
""", ("order-service", "10:24:30"))
    I.commit("typed", "emeka.obi", "10:31:18", "refactor(fulfilment): decode events through the typed codec", ["fulfilment-worker/worker/consume.py", "fulfilment-worker/worker/codec.py"], """
--- /dev/null
+++ b/fulfilment-worker/worker/codec.py
@@ -0 +1 @@
+from typing import Type, TypeVar
+
+from google.protobuf.message import Message
+
+M = TypeVar("M", bound=Message)
+
+
+def decode(kind: Type[M], raw: bytes) -> M:
+    msg = kind()
+    msg.ParseFromString(raw)
+    return msg
--- a/fulfilment-worker/worker/consume.py
+++ b/fulfilment-worker/worker/consume.py
@@ -28 +28 @@ async def handle(record):
-    shipment = shipment_pb2.Shipment()
-    shipment.ParseFromString(record.value)
+    shipment = decode(shipment_pb2.Shipment, record.value)
     wh = warehouses.get(shipment.warehouse_code)
     if wh is None:
-        raise Unroutable(shipment.warehouse_code)
+        raise Unroutable(f"unknown warehouse {shipment.warehouse_code!r}")
""", ("fulfilment-worker", "10:52:05"))
    I.commit("patch", "linh.tran", "10:12:40", "chore(label): bump protobuf and orjson patch versions", ["label-service/requirements.txt"], """
--- a/label-service/requirements.txt
+++ b/label-service/requirements.txt
@@ -4 +4 @@ fastapi==0.112.2
-orjson==3.10.6
-protobuf==5.27.3
+orjson==3.10.7
+protobuf==5.27.4
 shop-events==4.11.0
 reportlab==4.2.2
""", ("label-service", "10:40:50"))
    I.commit("kafka", "rafael.gomez", "10:35:02", "ops(kafka): raise message.max.bytes for the returns photos topic", ["ansible/roles/kafka/templates/server.properties.j2"], """
--- a/ansible/roles/kafka/templates/server.properties.j2
+++ b/ansible/roles/kafka/templates/server.properties.j2
@@ -31 +31 @@ num.network.threads=8
 min.insync.replicas=2
-message.max.bytes=1048588
+message.max.bytes=4194304
-replica.fetch.max.bytes=1048576
+replica.fetch.max.bytes=4194304
 compression.type=producer
""", ("kafka", "10:50:30"))
    I.commit("slot", "sanne.devries", "10:41:55", "chore(orders): job name as a field of the slot release log", ["order-service/internal/slots/release.go"], """
--- a/order-service/internal/slots/release.go
+++ b/order-service/internal/slots/release.go
@@ -52 +52 @@ func (r *Releaser) Run(ctx context.Context, from time.Time) error {
     for _, s := range due {
         if err := r.pub.Publish(ctx, "shipments.v2", s.ID, toEvent(s)); err != nil {
             return fmt.Errorf("publish %s: %w", s.ID, err)
         }
     }
-    r.log.Info("job slot-release: " + summary(due, from))
+    r.log.Info(summary(due, from), "job", "slot-release")
     return nil
 }
""", tabs=True)
    I.commit("vouch", "ana.petrovic", "10:44:10", "perf(shop-api): cache voucher campaigns for a minute", ["shop-api/src/vouchers.ts"], """
--- a/shop-api/src/vouchers.ts
+++ b/shop-api/src/vouchers.ts
@@ -9 +9 @@ export class Vouchers {
   async campaign(id: number): Promise<Campaign> {
-    return this.repo.load(id);
+    return this.cache.getOrSet(`c:${id}`, 60_000, () => this.repo.load(id));
   }
""", ("shop-api", "10:57:20"))
    I.commit("ci", "linh.tran", "09:40:11", "ci: run buf lint on proto changes", [".gitlab-ci.yml"], """
--- a/.gitlab-ci.yml
+++ b/.gitlab-ci.yml
@@ -22 +22 @@ proto:
   script:
     - buf format --diff --exit-code
+    - buf lint
""")
    I.flag("10:45:00", "board_station_heatmap", "warehouse-board", "off->on", "emeka.obi")
    I.finish(dict(service="fulfilment-worker", metric="dlq_messages_per_min", threshold=20, severity="critical", monitor="fulfilment-dlq",
                  summary="fulfilment-worker sends nearly every shipment event to the dead-letter queue; warehouses run out of pick tasks"),
             dict(first="fulfilment-worker", blast=["label-service", "warehouse-board", "returns-projector"], remediation="rollback",
                  notes="Wire incompatibility between producer and consumers. {guilty} renumbers the fields of Shipment (warehouse_code 5->3 and so on) and ships only in order-service (events 4.12.0, 10:24); the consumers still use 4.11.0, read warehouse_code from field 5 and get ''. Shipment events are published only by the slot release at the full hour, so onset is 11:00 although the deploy was 10:24; the 10:00 release was fine. Three independent consumers fail at once, one of them (returns-projector) built in August, so the fault is with the producer. orders.v1 is unaffected. Decoys: {typed} (fulfilment-worker 10:52, touches decoding but parses the same), {patch} (protobuf patch bump on another failing consumer), {kafka} (limits raised, ISR complete again 10:55; the messages are ~90 bytes), {vouch} (10:57, unrelated), {slot} (a log line)."),
             "guilty", "11:04:00")


def limiter():
    I = Inc("partner-api-429s", 4106, "2026-10-14T12:00", "2026-10-14T15:20", onset="2026-10-14T13:43")
    dep = I.m("13:24")
    # tenants with their steady request rate per minute; window 10 min, limit 30000 (enterprise) or 6000 (team)
    tenants = [("t-northwind", 1620, 30000), ("t-halden", 1490, 30000), ("t-brightcart", 880, 30000), ("t-osprey", 640, 30000), ("t-kiteworks", 285, 6000), ("t-mirado", 190, 6000), ("t-plinth", 120, 6000), ("t-small", 900, 1e9)]
    total = sum(q for _, q, _ in tenants)
    def blocked(m):
        return sum(q for _, q, lim in tenants if m > dep + lim / q) / total
    nodes = {
        "edge-gateway": dict(own=21, rps=total / 60, err=0.0012, calls=[("orders-api", 0.5, 3000)], cpu=lambda m: 0.36 - 0.05 * blocked(m) - (0.03 if m > dep else 0)),
        "orders-api": dict(own=74, rps=total / 60 * 0.6, err=0.002, load=lambda m: 1 - blocked(m)),
        "catalog-api": dict(own=52, rps=total / 60 * 0.38, err=0.002, load=lambda m: 1 - blocked(m)),
        "webhook-dispatcher": dict(own=95, rps=14, err=0.01),
        "auth-service": dict(own=18, rps=total / 60, err=0.001),
        "partner-sync": dict(own=400, rps=27, err=0.004, fail=lambda m: 0.72 * (1 if m > dep + 30000 / 1490 else 0) * min(1, (m - dep - 20) / 6 + .3)),
    }
    I.graph(nodes, {"edge-gateway": ["rps", "p99", "err", "cpu"], "orders-api": ["rps", "p99", "err"], "catalog-api": ["rps", "p99"],
                    "auth-service": ["rps", "p99"], "partner-sync": ["err"], "webhook-dispatcher": ["p99", "err"]})
    I.metric("edge-gateway", "http_429_ratio", lambda m: 0.0021 + blocked(m), 0.05, 4, 0, 1)
    I.metric("edge-gateway", "ratelimit_decisions_per_sec", lambda m: total / 60, 0.03, 1)
    I.metric("edge-gateway", "ratelimit_check_p99_ms", lambda m: 2.9 if m < dep else 1.7, 0.1, 2)
    I.metric("edge-gateway", "ratelimited_tenants", lambda m: 0.3 + sum(1 for _, q, lim in tenants if m > dep + lim / q), 0, 0)
    I.metric("ratelimit-redis", "commands_per_sec", lambda m: total / 60 * (2.02 if m < dep else 1.01), 0.03, 0)
    I.metric("ratelimit-redis", "evicted_keys_per_min", lambda m: 0, 0, 0)
    I.metric("ratelimit-redis", "expired_keys_per_min", lambda m: 61 if m < dep + 10 else 17, 0.1, 0)
    I.metric("ratelimit-redis", "memory_used_ratio", lambda m: 0.31, 0.01, 3)
    def top(m):
        if m < dep:
            return 1620 * (m % 10) + 300
        return 1620 * (m - dep) + 1620 * (dep % 10)
    I.metric("ratelimit-redis", "largest_counter", top, 0.01, 0)

    I.background([
        ("edge-gateway", lambda r: f"proxied GET /v2/orders 200 in {r.randint(40, 110)}ms", "/v2/orders"),
        ("orders-api", lambda r: f"listed {r.randint(1, 50)} orders", "/v2/orders"),
        ("catalog-api", lambda r: f"listed {r.randint(1, 50)} products", "/v2/products"),
        ("auth-service", "token introspected", "/introspect"),
        ("webhook-dispatcher", "webhook delivered", None)], 95)
    I.stream("webhook-dispatcher", "WARN", lambda r, t: f"endpoint of subscriber {r.randint(100, 999)} returned 410, disabling after {r.randint(1, 9)} more", 0.07, 5)
    I.stream("auth-service", "ERROR", lambda r, t: f"client assertion rejected: jwks of issuer sandbox-{r.randint(1, 30)} not reachable", 0.05, 4)
    I.stream("edge-gateway", "WARN", lambda r, t: ((lambda lim: f"rate limited: tenant t-sandbox{r.randint(1, 9)} used {lim + r.randint(1, 40)} of {lim}")(800 if t < I.p("13:35:30") else 600), {"tier": "free", "window": "10m"}), 0.06, 9, sig="rate limited: tenant <*> used <N> of <N>")
    def hit(r, t):
        m = I.m(t) if not isinstance(t, str) else 0
        live = [x for x in tenants if m > dep + x[2] / x[1]]
        n, q, lim = r.choice(live)
        return (f"rate limited: tenant {n} used {int(q * (m - dep))} of {lim}", {"tier": "enterprise" if lim == 30000 else "team", "window": "10m", "key": f"rl:{n}:api", "pttl_ms": r.randint(599100, 599998)})
    I.stream("edge-gateway", "WARN", hit, lambda m: 0 if blocked(m - 1) == 0 else 0.7 + 2.2 * blocked(m - 1), 240, sig="rate limited: tenant <*> used <N> of <N> (10m window)")
    I.stream("partner-sync", "ERROR", lambda r, t: ("sync page failed: 429 Too Many Requests from edge-gateway, backing off 60s", {"tenant": "t-halden"}), lambda m: 0.9 if m > dep + 21 else 0, 18)
    I.stream("orders-api", "INFO", lambda r, t: "connection pool shrinking, idle connections closed", lambda m: 0.15 if blocked(m) > .4 else 0.02, 3, "neutral")
    I.log("15:02:11", "support-bot", "INFO", "ticket: 'We get 429 on every call since 15:45 our time although our dashboard shows we use half of the quota' (tenant t-northwind)")

    for w, tn in (("12:40:10", "t-northwind"), ("13:20:30", "t-halden")):
        I.trace(w, ("edge-gateway", "GET /v2/orders", 88, "OK", {"tenant": tn}, [("ratelimit-redis", "INCRBY", 1, "OK"), ("ratelimit-redis", "PTTL", 1, "OK"), ("orders-api", "ListOrders", 70, "OK")]))
    for w, tn, st in (("13:36:12", "t-northwind", 1), ("13:52:41", "t-northwind", 0), ("14:31:08", "t-brightcart", 0), ("15:05:00", "t-northwind", 0)):
        I.trace(w, ("edge-gateway", "GET /v2/orders", 86 if st else 3, "OK" if st else "ERROR", {"tenant": tn, "http.status_code": 200 if st else 429},
                    [("ratelimit-redis", "EVALSHA count.lua", 1, "OK", {"ratelimit.count": int(1620 * (I.m(w) - dep)) if tn == "t-northwind" else int(880 * (I.m(w) - dep)), "ratelimit.limit": 30000, "ratelimit.pttl_ms": 600000})] + ([("orders-api", "ListOrders", 69, "OK")] if st else [])))
    I.trace("14:40:20", ("edge-gateway", "GET /v2/products", 61, "OK", {"tenant": "t-weekly-report", "http.status_code": 200}, [("ratelimit-redis", "EVALSHA count.lua", 1, "OK", {"ratelimit.count": 14, "ratelimit.limit": 600, "ratelimit.pttl_ms": 600000}), ("catalog-api", "ListProducts", 49, "OK")]))

    I.commit("guilty", "dmitri.volkov", "13:02:25", "perf(ratelimit): one round trip per decision", ["edge-gateway/internal/ratelimit/redis.go", "edge-gateway/internal/ratelimit/count.lua"], """
--- /dev/null
+++ b/edge-gateway/internal/ratelimit/count.lua
@@ -0 +1 @@
+-- KEYS[1] counter, ARGV[1] cost, ARGV[2] window in ms
+local n = redis.call('INCRBY', KEYS[1], ARGV[1])
+redis.call('PEXPIRE', KEYS[1], ARGV[2])
+return { n, redis.call('PTTL', KEYS[1]) }
--- a/edge-gateway/internal/ratelimit/redis.go
+++ b/edge-gateway/internal/ratelimit/redis.go
@@ -1 +1 @@
 package ratelimit

+//go:embed count.lua
+var countSrc string
+
+var count = redis.NewScript(countSrc)
+
 func (l *Limiter) take(ctx context.Context, key string, cost int64) (used int64, left time.Duration, err error) {
-    used, err = l.rdb.IncrBy(ctx, key, cost).Result()
-    if err != nil {
-        return 0, 0, err
-    }
-    left, err = l.rdb.PTTL(ctx, key).Result()
-    if err == nil && left < 0 {
-        left, err = l.window, l.rdb.PExpire(ctx, key, l.window).Err()
-    }
-    return used, left, err
+    res, err := count.Run(ctx, l.rdb, []string{key}, cost, l.window.Milliseconds()).Int64Slice()
+    if err != nil {
+        return 0, 0, err
+    }
+    return res[0], time.Duration(res[1]) * time.Millisecond, nil
 }
""", ("edge-gateway", "13:24:00"), tabs=True)
    I.commit("tiers", "clara.hoffmann", "13:20:47", "config(ratelimit): align the free tier with the pricing page", ["deploy/edge-gateway/limits.yaml"], """
--- a/deploy/edge-gateway/limits.yaml
+++ b/deploy/edge-gateway/limits.yaml
@@ -3 +3 @@ window: 10m
 tiers:
   free:
-    requests: 800
+    requests: 600
   team:
     requests: 6000
   enterprise:
     requests: 30000
""", ("edge-gateway", "13:35:30"))
    I.commit("redis", "bastien.roux", "12:31:15", "chore(tf): volatile-ttl for the rate limit redis", ["terraform/redis/ratelimit.tf"], """
--- a/terraform/redis/ratelimit.tf
+++ b/terraform/redis/ratelimit.tf
@@ -14 +14 @@ resource "aws_elasticache_parameter_group" "ratelimit" {
   parameter {
     name  = "maxmemory-policy"
-    value = "noeviction"
+    value = "volatile-ttl"
   }
""", ("ratelimit-redis", "13:12:00"))
    I.commit("xff", "mina.farouk", "12:48:09", "fix(gateway): take the last trusted hop of X-Forwarded-For in access logs", ["edge-gateway/internal/accesslog/ip.go"], """
--- a/edge-gateway/internal/accesslog/ip.go
+++ b/edge-gateway/internal/accesslog/ip.go
@@ -20 +20 @@ func clientIP(r *http.Request) string {
     hops := strings.Split(r.Header.Get("X-Forwarded-For"), ",")
-    return strings.TrimSpace(hops[0])
+    for i := len(hops) - 1; i >= 0; i-- {
+        if ip := strings.TrimSpace(hops[i]); !trusted.Contains(ip) {
+            return ip
+        }
+    }
+    return r.RemoteAddr
 }
""", ("edge-gateway", "12:58:20"), tabs=True)
    I.commit("page", "noor.aziz", "13:15:36", "feat(partner-sync): fetch 100 orders a page", ["partner-sync/sync/orders.py"], """
--- a/partner-sync/sync/orders.py
+++ b/partner-sync/sync/orders.py
@@ -7 +7 @@ from sync.http import session
-PAGE = 50
+PAGE = 100

 def pages(since):
     cursor = None
     while True:
         r = session.get("/v2/orders", params={"since": since, "limit": PAGE, "cursor": cursor})
""", ("partner-sync", "13:40:15"))
    I.commit("jwks", "bastien.roux", "13:31:02", "fix(auth): keep the last good jwks when refresh fails", ["auth-service/src/jwks.ts"], """
--- a/auth-service/src/jwks.ts
+++ b/auth-service/src/jwks.ts
@@ -18 +18 @@ export async function refresh(issuer: Issuer): Promise<void> {
-  store.set(issuer.id, await fetchKeys(issuer.jwksUri));
+  try {
+    store.set(issuer.id, await fetchKeys(issuer.jwksUri));
+  } catch (e) {
+    log.error(`jwks of issuer ${issuer.id} not reachable`, e);
+  }
 }
""", ("auth-service", "13:49:50"))
    I.commit("docs", "clara.hoffmann", "12:20:30", "docs(api): explain rate limit headers", ["docs/api/rate-limits.md"])
    I.commit("bench", "dmitri.volkov", "13:04:40", "test(ratelimit): benchmark take()", ["edge-gateway/internal/ratelimit/redis_bench_test.go"])
    I.flag("13:30:00", "gateway_http3", "edge-gateway", "off->1%", "mina.farouk")
    I.finish(dict(service="edge-gateway", metric="http_429_ratio", threshold=0.1, severity="high", monitor="edge-429-ratio",
                  summary="edge-gateway answers 429 to more than 10% of partner requests and the share keeps growing"),
             dict(first="edge-gateway", blast=["partner-sync", "orders-api", "catalog-api"], remediation="rollback",
                  notes="Rate limiter whose window never ends. {guilty} (13:24) sets PEXPIRE on every request; before it was set only when the key had no TTL. A counter of a tenant that calls at least once in 10 minutes is never reset, so it grows without end (largest_counter saw-tooth before, straight line after; pttl in logs and traces always ~600000 ms; expired_keys falls). Big tenants reach 30000 after 18.5 and 20 minutes (13:43), others at 13:45 to 14:14: a staircase, traffic flat. Decoys: {tiers} (13:35, lowers only the free tier 800->600; those limited are enterprise and team), {redis} (no evictions, memory 31%), {xff} (access log only, keys are per tenant), {page} (13:40, halves the calls), {jwks} (after onset)."),
             "guilty", "13:50:00")
