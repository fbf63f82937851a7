"""Incidents 1-3: breaker bypassed, change feed page read for ever, lock across a network call."""
from sim_c import *

def breaker(root):
    I = Inc("shipping-quote-carrier-brownout", "2026-08-12", "09:00", "13:54", 3, 101)
    A, B, S = I.m("09:22"), I.m("09:38"), I.m("13:11"); D = I.m("11:02")
    I.service("shipping-quote", 210, 185, .002, .34, show="rps p99 err cpu")
    I.service("tax-service", 240, 42, .001, show="p99 err")
    I.service("checkout-api", 245, 320, .003, .41, {"shipping-quote": (.95, .9)})
    I.service("storefront", 1150, 410, .003, calls={"checkout-api": (.6, .28)}, show="rps p99 err")
    I.fault("shipping-quote", lat=plus(window(A, B, 70), after(S, 9400, edge=7)), err=after(S + 3, .58, edge=10), load=after(S + 8, .35, edge=10), cpu=after(S, -.09))
    slow = plus(window(A, B, 6100, edge=2), after(S, 11200, edge=3))
    I.metric("shipping-quote", "carrier_client_duration_p99_ms", lambda m: 260 + slow(m), .06)
    I.metric("shipping-quote", "resilience4j_circuitbreaker_buffered_calls_per_min", lambda m: 0 if m >= D + 2 else (900 if A + 2 < m < B else 6200), .03, 0)
    I.metric("shipping-quote", "resilience4j_circuitbreaker_state_open", lambda m: 1 if A + 2 < m < B + 1 else 0, 0, 0)
    I.metric("shipping-quote", "quotes_from_rate_table_per_min", lambda m: 5300 if A + 2 < m < B + 1 else (3 if m < D + 2 else 0), .05, 0)
    I.metric("shipping-quote", "tomcat_threads_busy", lambda m: 38 + window(A, B, 21)(m) + after(S, 162, edge=6)(m), .03, 0)
    I.metric("checkout-api", "tomcat_threads_busy", lambda m: 44 + after(S + 2, 120, edge=10)(m), .05, 0)
    I.commit("a", "nadia.haddad", "08:41:10", "feat(storefront): remember last used delivery option", """
@@ web/storefront/src/delivery/useDeliveryOption.ts: export function useDeliveryOption(cartId: string) {
+  const stored = window.localStorage.getItem(`delivery:${cartId}`);
-  const [option, setOption] = useState<DeliveryOption | null>(null);
+  const [option, setOption] = useState<DeliveryOption | null>(stored ? JSON.parse(stored) : null);
+  useEffect(() => {
+    if (option) window.localStorage.setItem(`delivery:${cartId}`, JSON.stringify(option));
+  }, [cartId, option]);
   return { option, setOption };
 }""")
    I.commit("g", "oskar.lindqvist", "10:36:52", "refactor(shipping): fold ParcelnetClient into CarrierRateService, drop one layer", """
@@ shipping-quote/src/main/java/io/shop/shipping/CarrierRateService.java: public class CarrierRateService {
-  private final ParcelnetClient parcelnet;
+  private final RestClient http;
   private final RateTable rateTable;

   public List<Quote> quotesFor(Parcel parcel, Address to) {
-    return parcelnet.fetchRates(RateRequest.of(parcel, to)).stream()
+    RateRequest req = RateRequest.of(parcel, to);
+    return fetchRates(req).stream()
         .map(r -> Quote.from(r, parcel))
         .sorted(comparing(Quote::price))
         .toList();
   }
+
+  @CircuitBreaker(name = "parcelnet", fallbackMethod = "tableRates")
+  public List<Rate> fetchRates(RateRequest req) {
+    return http.post().uri("/v3/rates").body(req)
+        .retrieve().body(RateList.class).rates();
+  }
+
+  List<Rate> tableRates(RateRequest req, Throwable t) {
+    log.warn("parcelnet unavailable, quoting from rate table: {}", t.toString());
+    return rateTable.lookup(req.zone(), req.weightGrams());
+  }
 }
@@ shipping-quote/src/main/java/io/shop/shipping/ParcelnetClient.java: deleted
-@Component
-class ParcelnetClient {
-  private final RestClient http;
-  private final RateTable rateTable;
-
-  @CircuitBreaker(name = "parcelnet", fallbackMethod = "tableRates")
-  public List<Rate> fetchRates(RateRequest req) {
-    return http.post().uri("/v3/rates").body(req)
-        .retrieve().body(RateList.class).rates();
-  }
-
-  List<Rate> tableRates(RateRequest req, Throwable t) {
-    log.warn("parcelnet unavailable, quoting from rate table: {}", t.toString());
-    return rateTable.lookup(req.zone(), req.weightGrams());
-  }
-}""")
    I.commit("c", "mirela.pop", "11:20:09", "docs: carrier onboarding checklist", files=["docs/carriers/onboarding.md"])
    I.commit("d", "tomasz.wrona", "12:31:40", "tune parcelnet breaker: less trigger-happy on short blips", """
@@ shipping-quote/src/main/resources/application.yaml: resilience4j
 resilience4j:
   circuitbreaker:
     instances:
       parcelnet:
-        slidingWindowSize: 20
+        slidingWindowSize: 30
-        failureRateThreshold: 50
+        failureRateThreshold: 60
         slowCallDurationThreshold: 2s
         slowCallRateThreshold: 50
         waitDurationInOpenState: 20s""")
    I.commit("e", "hye-jin.park", "12:50:18", "perf(checkout): ask tax and shipping in parallel", """
@@ checkout-api/src/main/java/io/shop/checkout/TotalsAssembler.java: Totals assemble(Cart cart, Address to) {
-    TaxResult tax = taxClient.compute(cart, to);
-    List<Quote> quotes = shippingClient.quotes(cart.parcel(), to);
-    return Totals.of(cart, tax, quotes);
+    CompletableFuture<TaxResult> tax = supplyAsync(() -> taxClient.compute(cart, to), ioPool);
+    CompletableFuture<List<Quote>> quotes = supplyAsync(() -> shippingClient.quotes(cart.parcel(), to), ioPool);
+    return Totals.of(cart, tax.join(), quotes.join());
   }
@@ checkout-api/src/main/java/io/shop/checkout/PoolConfig.java: class PoolConfig {
+  @Bean(destroyMethod = "shutdown")
+  ExecutorService ioPool() {
+    return Executors.newFixedThreadPool(256, Thread.ofPlatform().name("io-", 0).factory());
+  }""")
    I.commit("f", "tomasz.wrona", "12:58:33", "test: contract test for parcelnet v3 rates", files=["shipping-quote/src/test/java/io/shop/shipping/ParcelnetContractTest.java"])
    I.commit("h", "leila.aziz", "13:01:05", "storefront: shorten quote spinner copy, new skeleton", """
@@ web/storefront/src/delivery/QuoteList.tsx: export function QuoteList({ quotes, loading }: Props) {
-  if (loading) return <Spinner label="Fetching the best delivery prices for you..." />;
+  if (loading) return <QuoteSkeleton rows={3} label="Getting prices" />;
   return (
     <ul className="quotes">""")
    I.deploy("09:05:30", "storefront", "a", "sf-1881"); I.deploy("11:02:10", "shipping-quote", "g", "2.44.0")
    I.deploy("12:46:00", "shipping-quote", "d", "2.44.1"); I.deploy("13:04:20", "checkout-api", "e", "5.12.3"); I.deploy("13:08:15", "storefront", "h", "sf-1882")
    I.flag("13:00:00", "checkout_address_autocomplete", "checkout-api", "25%->50%", "leila.aziz"); I.flag("10:15:00", "storefront_new_basket_icon", "storefront", "off->on", "nadia.haddad")
    w = dict(vals={"n": lambda r: r.randint(60, 240), "z": lambda r: r.choice(["DE-3", "AT-1", "FR-2", "NL-1"])})
    I.log("shipping-quote", "INFO", "quoted parcel zone={z} in {n}ms", .18, scale=900, **w)
    I.log("checkout-api", "INFO", "totals assembled in {n}ms", .16, scale=900, vals=w["vals"])
    I.log("storefront", "INFO", "rendered /checkout", .12, scale=2500)
    I.log("tax-service", "WARN", "VAT id check skipped: VIES answered MS_UNAVAILABLE", .05, scale=30, attrs={"country": lambda r: r.choice(["ES", "IT"])})
    I.log("storefront", "ERROR", "hydration mismatch in <PromoRibbon>", .04, scale=60)
    I.log("shipping-quote", "WARN", "parcelnet unavailable, quoting from rate table: java.util.concurrent.TimeoutException", window(A, A + 3, 1.2), scale=40, sig="parcelnet unavailable, quoting from rate table: <E>", delta="-300")
    I.log("shipping-quote", "WARN", "parcelnet unavailable, quoting from rate table: io.github.resilience4j.circuitbreaker.CallNotPermittedException: CircuitBreaker 'parcelnet' is OPEN", window(A + 2, B, .7), scale=900, sig="parcelnet unavailable, quoting from rate table: CircuitBreaker 'parcelnet' is OPEN", delta="-10400")
    I.at("09:38:40", "shipping-quote", "INFO", "CircuitBreaker 'parcelnet' changed state from HALF_OPEN to CLOSED")
    I.log("shipping-quote", "ERROR", "I/O error on POST request for \"https://api.parcelnet.example/v3/rates\": Read timed out", after(S + 2, 1.3), scale=1600, delta="new", attrs={"thread": lambda r: f"http-nio-8080-exec-{r.randint(1,200)}", "elapsed_ms": lambda r: r.randint(10950, 12050)})
    I.log("shipping-quote", "WARN", "request queued, all 200 worker threads busy", after(S + 5, .5), scale=1500, delta="new")
    I.log("checkout-api", "ERROR", "shipping-quote did not answer within 10000ms, failing totals", after(S + 4, 1.0), scale=1500, delta="new", attrs={"http.route": "/v2/checkout/totals"})
    I.log("storefront", "ERROR", "checkout totals request failed with 504", after(S + 5, .6), scale=1400, delta="new")
    I.trace("09:30:11", ("a1", None, "checkout-api", "POST /v2/checkout/totals", 338, "OK"), ("b1", "a1", "shipping-quote", "CarrierRateService.quotesFor", 61, "OK", {"thread": "exec-12"}), ("c1", "b1", "shipping-quote", "ParcelnetClient.fetchRates", 2, "OK", {"resilience4j.outcome": "not_permitted", "fallback": "tableRates"}))
    I.trace("10:48:02", ("a1", None, "checkout-api", "POST /v2/checkout/totals", 301, "OK"), ("b1", "a1", "shipping-quote", "CarrierRateService.quotesFor", 171, "OK"), ("c1", "b1", "shipping-quote", "ParcelnetClient.fetchRates", 166, "OK", {"resilience4j.outcome": "success"}), ("d1", "c1", "parcelnet (external)", "POST /v3/rates", 160, "OK"))
    I.trace("12:20:41", ("a1", None, "checkout-api", "POST /v2/checkout/totals", 322, "OK"), ("b1", "a1", "shipping-quote", "CarrierRateService.quotesFor", 177, "OK"), ("d1", "b1", "parcelnet (external)", "POST /v3/rates", 169, "OK"))
    for h in ("13:19:30", "13:26:02"):
        I.trace(h, ("a1", None, "storefront", "POST /api/checkout", 10240, "ERROR"), ("b1", "a1", "checkout-api", "POST /v2/checkout/totals", 10012, "ERROR", {"error": "shipping-quote did not answer within 10000ms"}), ("c0", "b1", "tax-service", "compute", 39, "OK"), ("c1", "b1", "shipping-quote", "CarrierRateService.quotesFor", 11410, "ERROR"), ("d1", "c1", "parcelnet (external)", "POST /v3/rates", 11405, "ERROR", {"error": "Read timed out"}))
    return I.finish(root, dict(service="checkout-api", metric="http_server_duration_p99_ms", threshold=2000, observed=9310, fired_at="13:20:00", severity="critical", monitor="checkout-totals-p99", summary="checkout-api p99 above 2s for 5m; 5xx rising; customers cannot reach the payment step"),
        "g", "shipping-quote", ["checkout-api", "storefront"], "rollback",
        "Circuit breaker silently bypassed. The refactor moves the @CircuitBreaker method from its own bean into CarrierRateService and calls it by self-invocation, so the Spring proxy (and thus breaker and fallback) no longer applies. Discriminating: breaker buffered calls go to 0 at the 11:02 deploy, two hours before the carrier browns out at 13:11; at 09:22 the same carrier trouble was absorbed (state open, rate-table quotes). Decoys: breaker tuning 12:46 (calls already bypassed the breaker since 11:02; thresholds would still open at 100% slow calls), checkout parallel calls 13:04 (latency is in shipping-quote), storefront skeleton 13:08. The carrier outage is only the trigger.", onset=S)

def feed(root):
    I = Inc("change-feed-stuck-cursor", "2026-09-03", "07:30", "14:50", 5, 202)
    R1, S = I.m("08:00"), I.m("14:00"); 
    I.service("inventory-api", 380, 88, .002, .38, show="rps p99 err cpu")
    I.service("search-indexer", 4, 700, .001, .22, show="cpu err")
    I.service("product-page", 900, 240, .002, calls={"inventory-api": (1.0, .5)})
    I.service("price-engine", 60, 120, .002, show="p99 err")
    I.fault("inventory-api", lat=plus(window(R1, R1 + 8, 35, edge=5), after(S + 2, 520, edge=12)), err=after(S + 10, .035, edge=15), load=after(S, .62, edge=6), cpu=after(S, .41, edge=10))
    I.fault("search-indexer", cpu=after(S, .25))
    I.metric("search-indexer", "feed_pages_fetched_per_min", lambda m: 9 + window(R1, R1 + 10, 31, edge=5)(m) + after(S, 13800, edge=5)(m), .08, 0)
    I.metric("search-indexer", "documents_changed_per_min", lambda m: 340 + window(R1, R1 + 10, 4100, edge=5)(m) if m < S + 1 else 0, .08, 0)
    I.metric("search-indexer", "index_lag_seconds", lambda m: 14 + window(R1 + 2, R1 + 14, 95, edge=5)(m) + max(0, (m - S) * 60), .03)
    I.metric("inventory-db", "cpu_utilization", lambda m: min(.97, .31 + window(R1, R1 + 6, .12, edge=5)(m) + after(S, .55, edge=10)(m)), .03, 3)
    I.metric("inventory-db", "rows_returned_per_sec", lambda m: 21000 + after(S, 48500, edge=6)(m) + window(R1, R1 + 6, 5200, edge=5)(m), .04, 0)
    I.metric("price-engine", "rows_repriced_total", lambda m: 0 if m < R1 else 1412 if m < S else 2891, 0, 0)
    I.metric("inventory-db", "active_connections", lambda m: 44 + after(S + 4, 38, edge=12)(m), .04, 0)
    I.commit("a", "ruth.mbeki", "06:52:14", "feat(price-engine): log a summary after each reprice run", """
@@ price_engine/reprice.py: def run(conn, rules):
     with conn.transaction():
         n = conn.execute(REPRICE_SQL, {"rules": json.dumps(rules)}).rowcount
+    log.info("reprice finished rows=%d rules=%d", n, len(rules))
     return n""")
    I.commit("g", "stefan.kruger", "09:18:37", "perf(feed): let the change feed use idx_items_updated_at", """
@@ inventory-api/src/feed/changes.repo.ts: export class ChangesRepo {
   async after(cursor: Cursor, limit = PAGE_SIZE): Promise<ChangePage> {
     const rows = await this.sql<ItemRow[]>`
       SELECT id, sku, price_cents, stock, updated_at
         FROM items
-       WHERE (updated_at, id) > (${cursor.updatedAt}, ${cursor.id})
-       ORDER BY updated_at, id
+       WHERE updated_at >= ${cursor.updatedAt}
+       ORDER BY updated_at
        LIMIT ${limit}`;
     const last = rows[rows.length - 1];
     return {
       items: rows.map(toChange),
-      next: last ? encode({ updatedAt: last.updated_at, id: last.id }) : null,
-      more: rows.length === limit,
+      // consumers upsert by id, so re-sending the boundary row is harmless
+      next: last ? encode({ updatedAt: last.updated_at }) : null,
+      more: rows.length === limit,
     };
   }
@@ inventory-api/src/feed/cursor.ts: cursor
-export interface Cursor { updatedAt: string; id: string }
+export interface Cursor { updatedAt: string }
""")
    I.commit("c", "aiko.mori", "10:05:51", "chore: bump eslint and prettier", files=["package.json", "pnpm-lock.yaml"])
    I.commit("d", "paolo.ricci", "11:12:08", "feat(inventory): expose reserved stock on item detail", """
@@ inventory-api/src/items/items.controller.ts: @Get(':sku')
-    return toView(item);
+    const reserved = await this.reservations.countFor(item.id);
+    return { ...toView(item), reserved };
@@ inventory-api/src/items/reservations.repo.ts: export class ReservationsRepo {
+  async countFor(itemId: string): Promise<number> {
+    const [row] = await this.sql<{ n: number }[]>`
+      SELECT count(*)::int AS n FROM reservations
+       WHERE item_id = ${itemId} AND released_at IS NULL`;
+    return row.n;
+  }""")
    I.commit("e", "ruth.mbeki", "13:22:40", "price-engine: weekend rules for garden furniture", """
@@ price_engine/rules/weekend.yaml: rules
+- category: garden-furniture
+  when: {weekday: [sat, sun]}
+  adjust: {percent: -8, floor_margin: 0.12}
+- category: parasols
+  when: {weekday: [sat, sun]}
+  adjust: {percent: -5, floor_margin: 0.12}""")
    I.commit("f", "wen.zhao", "13:35:12", "perf(indexer): prefetch next feed page while bulk-indexing the current one", """
@@ search_indexer/feed.py: async def consume(client, sink, cursor):
-    while True:
-        page = await client.changes(cursor)
-        await sink.bulk_upsert(page.items)
-        cursor = page.next or cursor
-        await store_cursor(cursor)
-        if not page.more:
-            await asyncio.sleep(POLL_SECONDS)
+    fetch = asyncio.create_task(client.changes(cursor))
+    while True:
+        page = await fetch
+        nxt = page.next or cursor
+        if page.more:
+            fetch = asyncio.create_task(client.changes(nxt))
+        await sink.bulk_upsert(page.items)
+        cursor = nxt
+        await store_cursor(cursor)
+        if not page.more:
+            await asyncio.sleep(POLL_SECONDS)
+            fetch = asyncio.create_task(client.changes(cursor))""")
    I.commit("h", "paolo.ricci", "13:40:29", "docs: how to replay the feed from a given time", files=["docs/runbooks/feed-replay.md"])
    I.commit("i", "ines.duarte", "13:47:03", "helm(inventory-db): pgbouncer pool 60 -> 90", """
@@ charts/inventory-db/values.yaml: pgbouncer
 pgbouncer:
   poolMode: transaction
-  defaultPoolSize: 60
+  defaultPoolSize: 90
   maxClientConn: 800""")
    I.deploy("07:40:00", "price-engine", "a", "pe-311"); I.deploy("09:41:20", "inventory-api", "g", "v188"); I.deploy("11:30:05", "inventory-api", "d", "v189")
    I.deploy("13:33:00", "price-engine", "e", "pe-312")
    I.deploy("13:46:30", "search-indexer", "f", "si-97"); I.deploy("13:52:10", "inventory-db", "i", "chart-0.14.2")
    I.flag("12:10:00", "product_page_live_stock", "product-page", "off->on", "aiko.mori"); I.flag("08:45:00", "indexer_synonyms_v3", "search-indexer", "off->on", "wen.zhao")
    I.log("search-indexer", "INFO", "feed page cursor=(…){c} items={n} more=false", lambda m: .11 if m < S else 0, vals={"c": lambda r: "%02d.%03dZ" % (r.randint(0, 59), r.randint(0, 999)), "n": lambda r: r.randint(3, 140)}, scale=80, sig="feed page cursor=<T> items=<N> more=false", delta="-3900")
    for k, cur in enumerate(("08:00:04.771", "08:00:04.771", "08:00:04.771")):
        I.at(f"08:0{k}:2{k}", "search-indexer", "INFO", f"feed page cursor=2026-09-03T{cur}Z/it_{(k+1)*48817} items=200 more=true")
    I.at("08:04:40", "price-engine", "INFO", "reprice finished rows=1412 rules=63"); I.at("14:00:07", "price-engine", "INFO", "reprice finished rows=1479 rules=65")
    I.log("search-indexer", "INFO", "feed page cursor=2026-09-03T14:00:03.118Z items=200 more=true", after(S + 1, 1.5), scale=9400, delta="new", sig="feed page cursor=2026-09-03T14:00:03.118Z items=<N> more=true", attrs={"first_id": "it_10007", "last_id": lambda r: "it_57120"})
    I.log("search-indexer", "INFO", "bulk upsert 200 docs: created=0 updated=0 noop=200", after(S + 1, .7), scale=9400, delta="new", sig="bulk upsert <N> docs: created=<N> updated=<N> noop=<N>")
    I.log("inventory-api", "INFO", "GET /feed/changes 200 {n}ms", lambda m: .05 if m < S else .9, vals={"n": lambda r: r.randint(18, 420)}, scale=4000, delta="+158000")
    I.log("inventory-api", "INFO", "GET /items/:sku 200 {n}ms", .14, vals={"n": lambda r: r.randint(9, 80)}, scale=9000)
    I.log("inventory-api", "ERROR", "timeout acquiring connection from pool after {n}ms", after(S + 11, .5), vals={"n": 2000}, scale=300, delta="new")
    I.log("product-page", "WARN", "stock badge omitted: inventory-api slower than 400ms", after(S + 6, .6), scale=700, delta="new")
    I.log("product-page", "ERROR", "image proxy 404 for legacy asset", .05, scale=45)
    I.log("price-engine", "WARN", "competitor feed returned stale prices (age > 6h)", .03, scale=12)
    I.log("product-page", "INFO", "rendered /p/:sku", .12, scale=20000)
    I.trace("08:02:15", ("a1", None, "search-indexer", "feed.consume page", 231, "OK", {"cursor": "2026-09-03T08:00:04.771Z/it_97634"}), ("b1", "a1", "inventory-api", "GET /feed/changes", 88, "OK"), ("c1", "b1", "inventory-db", "SELECT items", 71, "OK", {"rows": 200}))
    I.trace("11:48:20", ("a1", None, "search-indexer", "feed.consume page", 96, "OK", {"cursor": "2026-09-03T11:48:09.402Z"}), ("b1", "a1", "inventory-api", "GET /feed/changes", 31, "OK"), ("c1", "b1", "inventory-db", "SELECT items", 12, "OK", {"rows": 34}))
    for h in ("14:06:31", "14:06:32", "14:21:07"):
        I.trace(h, ("a1", None, "search-indexer", "feed.consume page", 188, "OK", {"cursor": "2026-09-03T14:00:03.118Z"}), ("b1", "a1", "inventory-api", "GET /feed/changes", 140, "OK", {"next": "2026-09-03T14:00:03.118Z"}), ("c1", "b1", "inventory-db", "SELECT items", 122, "OK", {"rows": 200}))
    I.trace("14:22:50", ("a1", None, "product-page", "GET /p/:sku", 812, "OK"), ("b1", "a1", "inventory-api", "GET /items/:sku", 604, "OK", {"db.pool.wait_ms": 540}))
    return I.finish(root, dict(service="search-indexer", metric="index_lag_seconds", threshold=600, observed=912, fired_at="14:15:00", severity="high", monitor="search-index-freshness", summary="search index more than 10 minutes behind inventory; inventory-api latency and inventory-db CPU elevated"),
        "g", "search-indexer", ["inventory-api", "inventory-db", "product-page"], "rollback",
        "Inclusive page boundary. The feed cursor lost its id tie-breaker and the comparison became >= (deploy 09:41). As long as fewer than PAGE_SIZE=200 rows share an updated_at the cursor advances; the 14:00 reprice stamps 1479 rows with the same transaction time, so every page ends with the cursor it started with: same cursor, 200 items, noop=200, for ever. The 08:00 reprice (1412 rows, before the deploy) was read through with cursor T/id. Decoys: indexer prefetch 13:46 (uses the same next cursor; the server returns next equal to the cursor, and noop pages), reserved stock 11:30, price rules 13:33 (reprice stamps rows as before), pgbouncer 13:52.", onset=S)

def lock(root):
    I = Inc("partner-token-periodic-stall", "2026-07-29", "12:00", "15:16", 2, 303)
    bursts_old, bursts = [I.m("12:09"), I.m("12:57")], [I.m("14:09"), I.m("14:57")]
    w = plus(*[window(b, b + 4, 1, edge=1) for b in bursts]); wo = plus(*[window(b, b + 1, 1, edge=1) for b in bursts_old])
    sh = window(I.m("13:19"), I.m("13:22"), 1, edge=1)
    I.service("token-broker", 520, 9, .0005, .17, show="rps p99 err cpu")
    I.service("partner-api", 510, 140, .002, .36, {"token-broker": (.97, .8)}, show="rps p99 err")
    I.service("booking-web", 780, 310, .003, calls={"partner-api": (.7, .55)}, show="p99 err")
    I.service("idp-gateway", 12, 420, .001, show="p99 err")
    I.fault("token-broker", lat=lambda m: (14200 if m < 150 else 4800) * w(m), err=lambda m: .57 * w(m), cpu=lambda m: -.05 * w(m))
    I.metric("token-broker", "token_refreshes_per_min", lambda m: 4 + 130 * w(m) + 255 * wo(m) + 170 * sh(m), .06, 0)
    I.metric("token-broker", "go_goroutines", lambda m: 96 + 4300 * w(m) + 230 * wo(m), .06, 0)
    I.metric("token-broker", "go_sync_mutex_wait_seconds_per_sec", lambda m: .04 + 1180 * w(m), .1, 2)
    I.metric("token-broker", "tokens_cached", lambda m: 520, 0, 0)
    I.metric("partner-api", "http_client_open_connections", lambda m: 61 + 190 * w(m), .05, 0)
    I.commit("a", "kofi.asante", "11:31:20", "feat(partner-api): retry once on 409 from hotel partners", """
@@ services/partnerapi/hotel/reserve.go: func (c *Client) Reserve(ctx context.Context, r Reservation) (*Conf, error) {
-	return c.post(ctx, "/reserve", r)
+	conf, err := c.post(ctx, "/reserve", r)
+	if isConflict(err) {
+		r.IdempotencyKey = r.ID + "-r1"
+		return c.post(ctx, "/reserve", r)
+	}
+	return conf, err
 }""")
    I.commit("g", "jonas.weber", "13:02:44", "fix(tokens): avoid duplicate refresh when two requests race on an expiring token", """
@@ services/tokenbroker/cache.go: type Cache struct {
-	mu     sync.RWMutex
+	mu     sync.Mutex
 	tokens map[string]Token
 	idp    IDP
 }

 func (c *Cache) Get(ctx context.Context, partner string) (Token, error) {
-	c.mu.RLock()
-	tok, ok := c.tokens[partner]
-	c.mu.RUnlock()
-	if ok && !tok.NeedsRefresh(time.Now()) {
-		return tok, nil
-	}
-	fresh, err := c.idp.ClientCredentials(ctx, partner)
-	if err != nil {
-		if ok && !tok.Expired(time.Now()) {
-			return tok, nil
-		}
-		return Token{}, err
-	}
-	c.mu.Lock()
-	c.tokens[partner] = fresh
-	c.mu.Unlock()
-	return fresh, nil
+	c.mu.Lock()
+	defer c.mu.Unlock()
+	tok, ok := c.tokens[partner]
+	if ok && !tok.NeedsRefresh(time.Now()) {
+		return tok, nil
+	}
+	fresh, err := c.idp.ClientCredentials(ctx, partner)
+	if err != nil {
+		if ok && !tok.Expired(time.Now()) {
+			return tok, nil
+		}
+		return Token{}, err
+	}
+	c.tokens[partner] = fresh
+	return fresh, nil
 }
@@ services/tokenbroker/cache_test.go: func TestGetRefreshesOnce(t *testing.T) {
+	var wg sync.WaitGroup
+	for i := 0; i < 8; i++ {
+		wg.Add(1)
+		go func() { defer wg.Done(); _, _ = c.Get(ctx, "acme") }()
+	}
+	wg.Wait()
+	if idp.calls.Load() != 1 {
+		t.Fatalf("refreshed %d times", idp.calls.Load())
+	}""")
    I.commit("c", "bea.fontana", "13:30:10", "ci: run race detector nightly only", files=[".github/workflows/go.yml"])
    I.commit("d", "samir.khoury", "14:02:19", "feat(tokens): per-partner usage stats on /debug/stats", """
@@ services/tokenbroker/stats.go: new file
+type Stats struct {
+	mu   sync.Mutex
+	uses map[string]*atomic.Int64
+}
+
+func (s *Stats) Hit(partner string) {
+	s.mu.Lock()
+	n, ok := s.uses[partner]
+	if !ok {
+		n = new(atomic.Int64)
+		s.uses[partner] = n
+	}
+	s.mu.Unlock()
+	n.Add(1)
+}
@@ services/tokenbroker/server.go: func (s *Server) GetToken(ctx context.Context, in *pb.TokenRequest) (*pb.Token, error) {
+	s.stats.Hit(in.Partner)
 	tok, err := s.cache.Get(ctx, in.Partner)""")
    I.commit("e", "kofi.asante", "14:40:55", "partner-api: cap token-broker call at 5s instead of the 30s default", """
@@ services/partnerapi/token/client.go: func (c *Client) Token(ctx context.Context, partner string) (string, error) {
+	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
+	defer cancel()
 	t, err := c.broker.GetToken(ctx, &pb.TokenRequest{Partner: partner})""", )
    I.commit("f", "lucia.romero", "14:44:31", "terraform: idp-gateway alb idle timeout 60 -> 120", """
@@ infra/idp/alb.tf: resource "aws_lb" "idp" {
   name               = "idp-gateway"
   internal           = true
-  idle_timeout       = 60
+  idle_timeout       = 120
 }""")
    I.commit("h", "bea.fontana", "14:49:02", "chore(booking-web): upgrade next 14.2.11 -> 14.2.14", """
@@ web/booking/package.json: dependencies
-    "next": "14.2.11",
+    "next": "14.2.14",
     "react": "18.3.1",""")
    I.deploy("12:20:00", "partner-api", "a", "pa-704"); I.deploy("13:20:30", "token-broker", "g", "tb-58"); I.deploy("14:46:10", "idp-gateway", "f", "tf-apply-2291")
    I.deploy("14:48:30", "partner-api", "e", "pa-705"); I.deploy("14:53:40", "booking-web", "h", "bw-1290")
    I.deploy("14:35:00", "token-broker-canary", "d", "tb-59-canary")
    I.flag("14:30:00", "booking_seat_map", "booking-web", "10%->40%", "bea.fontana"); I.flag("12:45:00", "partner_cars_v2", "partner-api", "off->on", "kofi.asante")
    P = ["acme-air", "nordhotel", "rentago", "iberbus", "skylux", "portobed", "quickcar"]
    I.log("token-broker", "INFO", "token refreshed partner={p} idp_ms={n}", lambda m: .03 + 2.4 * w(m) + 2.5 * wo(m) + .9 * sh(m), vals={"p": lambda r: r.choice(P) + f"-{r.randint(1,80)}", "n": lambda r: r.randint(330, 520)}, scale=55, sig="token refreshed partner=<P> idp_ms=<N>")
    I.log("token-broker", "INFO", "GetToken served", .12, scale=30000)
    I.at("13:20:52", "token-broker", "INFO", "warmed 520 partner tokens ttl=3600s refresh_after=2880s, becoming ready", version="tb-58")
    I.at("12:08:31", "token-broker", "INFO", "refresh_after reached for 520 tokens", version="tb-57"); I.at("14:08:52", "token-broker", "INFO", "refresh_after reached for 520 tokens", version="tb-58"); I.at("14:56:54", "token-broker", "INFO", "refresh_after reached for 520 tokens", version="tb-58")
    I.log("token-broker", "WARN", "slow GetToken partner={p} total_ms={n} idp_ms=0", lambda m: 3.2 * w(m), vals={"p": lambda r: r.choice(P) + f"-{r.randint(1,80)}", "n": lambda r: r.randint(3900, 29000)}, scale=700, delta="new", sig="slow GetToken partner=<P> total_ms=<N> idp_ms=0")
    I.log("partner-api", "ERROR", "rpc error: code = DeadlineExceeded desc = context deadline exceeded (token-broker.GetToken)", lambda m: 3 * w(m), scale=1100, delta="new", attrs={"partner": lambda r: r.choice(P)})
    I.log("booking-web", "ERROR", "offers unavailable: partner-api 503", lambda m: 2 * w(m), scale=700, delta="new")
    I.log("partner-api", "WARN", "hotel partner nordhotel answered 409, retrying once", .06, scale=20); I.log("partner-api", "INFO", "searched offers", .15, scale=15000)
    I.log("booking-web", "ERROR", "ResizeObserver loop completed with undelivered notifications", .06, scale=200); I.log("idp-gateway", "INFO", "POST /oauth2/token 200", .1, scale=100)
    I.log("idp-gateway", "WARN", "jwks rotated, kid=2026-07-b", .012, scale=1)
    I.trace("12:57:40", ("a1", None, "partner-api", "SearchOffers", 151, "OK"), ("b1", "a1", "token-broker", "GetToken", 4, "OK", {"partner": "rentago-7"}))
    I.trace("12:57:41", ("a1", None, "partner-api", "SearchOffers", 590, "OK"), ("b1", "a1", "token-broker", "GetToken", 447, "OK", {"partner": "iberbus-3"}), ("c1", "b1", "idp-gateway", "POST /oauth2/token", 441, "OK"))
    for h, d in (("14:10:12", 15004), ("14:58:20", 5001), ("14:59:05", 5002)):
        I.trace(h, ("a1", None, "booking-web", "GET /offers", d + 60, "ERROR"), ("b1", "a1", "partner-api", "SearchOffers", d + 20, "ERROR"), ("c1", "b1", "token-broker", "GetToken", d, "ERROR", {"partner": "acme-air-1", "token.age_s": 1300, "error": "context deadline exceeded", "idp.called": False}))
    I.trace("14:58:22", ("b1", None, "token-broker", "GetToken", 5214, "OK", {"partner": "portobed-9"}), ("c1", "b1", "idp-gateway", "POST /oauth2/token", 438, "OK"))
    return I.finish(root, dict(service="partner-api", metric="error_rate_5xx_ratio", threshold=.1, observed=.46, fired_at="14:59:00", severity="critical", monitor="partner-api-availability", summary="partner-api 5xx above 10% (second short burst this afternoon; the first at 14:09 recovered by itself)"),
        "g", "token-broker", ["partner-api", "booking-web"], "rollback",
        "Lock held across a network call. Since tb-58 (13:20) Cache.Get holds one mutex for all partners during the IDP request. Nothing shows until the 520 tokens warmed at start reach refresh_after=2880s (14:09, 14:57): refreshes then run one after another (520 x ~0.45s = 4 min) and all callers, even with valid tokens (idp.called false), wait. Before tb-58 the same refresh bursts at 12:09 and 12:57 did no harm. IDP latency stays ~420ms, CPU falls, mutex wait and goroutines explode. Decoys: stats mutex (canary only, no I/O under its lock, first burst precedes it), 5s cap in partner-api 14:48, alb idle timeout 14:46, next bump 14:53 (all after the first burst).", onset="14:09")
ALL = [breaker, feed, lock]
