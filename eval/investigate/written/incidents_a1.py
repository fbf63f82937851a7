"""Incidents 1-3: retry amplification, lock ordering, pool leak on an error path."""
from sim_a import Inc, up, hump


def retry():
    I = Inc("booking-pricing-overload", 4101, "2026-08-11T08:00", "2026-08-11T11:50", onset="2026-08-11T11:17")
    on = I.m("11:17")
    blip1, blip2 = I.m("08:31"), I.m("11:17")
    dep = I.m("09:42")
    storm = lambda m: up(m, on + 0.5, 1.6)
    early = lambda m: hump(m, blip1, 1.6)
    nodes = {
        "web-bff": dict(own=48, rps=310, err=0.0025, calls=[("booking-api", 0.9, 5000), ("suggest-service", 0.3, 400)]),
        "booking-api": dict(own=62, rps=268, err=0.002, calls=[("availability-service", 1, 3500)]),
        "availability-service": dict(own=55, rps=262, err=0.002, calls=[("pricing-engine", 1, 3300)],
                                     lat=lambda m: 0),
        "pricing-engine": dict(own=118, rps=275, err=0.001, load=lambda m: 1 + 0.02 * early(m) + 2.72 * storm(m),
                               lat=lambda m: 620 * early(m) + 3050 * storm(m), fail=lambda m: 0.11 * early(m) + 0.66 * storm(m),
                               cpu=lambda m: 0.41 + 0.28 * early(m) + 0.57 * storm(m)),
        "suggest-service": dict(own=31, rps=95, err=0.003),
        "profile-service": dict(own=24, rps=120, err=0.002),
    }
    I.graph(nodes, {"web-bff": ["rps", "p99", "err"], "booking-api": ["rps", "p99", "err"],
                    "availability-service": ["rps", "p99", "err", "cpu"], "pricing-engine": ["rps", "p99", "err", "cpu"],
                    "suggest-service": ["p99", "err"], "profile-service": ["p99"]})
    I.metric("pricing-engine", "pod_ready_replicas", lambda m: 6 - (1 if 0 <= m - blip1 < 2 or 0 <= m - blip2 < 2 else 0), 0, 0)
    I.metric("pricing-engine", "worker_queue_depth", lambda m: 2 + 60 * early(m) + 507 * storm(m), 0.06, 0, hi=512)
    I.metric("availability-service", "http_client_attempts_per_call",
             lambda m: 1.004 + (0.012 if m < dep else 0.028) + (0.035 * early(m) if m < dep else 0) + 2.71 * storm(m), 0.006, 3, lo=1.0)
    I.metric("pricingdb", "db_cpu_utilization", lambda m: 27 + 9 * storm(m), 0.06, 1)

    I.background([
        ("web-bff", lambda r: f"GET /api/stays 200 in {r.randint(190, 330)}ms", "/api/stays"),
        ("booking-api", lambda r: f"quote assembled, {r.randint(2, 14)} rooms", "/v2/quotes"),
        ("availability-service", lambda r: f"availability resolved for property {r.randint(10000, 99999)}", "/v1/availability"),
        ("pricing-engine", lambda r: f"priced {r.randint(3, 40)} rate plans in {r.randint(30, 95)}ms", "/v1/price"),
        ("suggest-service", "suggestions served", "/suggest"),
        ("profile-service", "profile loaded", "/v1/me")], 110)
    I.stream("profile-service", "ERROR", lambda r, t: f"avatar thumbnail not found in bucket: users/{r.randint(1000, 99999)}.webp", 0.05, 5)
    I.stream("suggest-service", "WARN", lambda r, t: f"stale suggestion shard {r.randint(0, 7)}, serving previous generation", 0.05, 6)
    for when in ("08:31", "11:17"):
        node = {"08:31": "ip-10-4-11-82", "11:17": "ip-10-4-9-140"}[when]
        I.log(when + ":02", "pricing-engine", "INFO", f"SIGTERM received, draining 48 in-flight requests (node {node} consolidated by karpenter)")
        I.log(when + ":41", "pricing-engine", "INFO", "terminated gracefully, drained in 39s")
    I.log("08:33:05", "pricing-engine", "INFO", "pod ready, joined endpoint slice (6/6)")
    I.log("11:19:03", "pricing-engine", "INFO", "pod ready, joined endpoint slice (6/6)")
    I.stream("availability-service", "WARN", lambda r, t: (
        "pricing-engine call failed: context deadline exceeded (800ms)" if t < I.p("09:42") else
        f"pricing-engine attempt {r.randint(1, 4)} failed: {r.choice(['503 Service Unavailable', 'context deadline exceeded (800ms)'])}",
        dict(peer="pricing-engine", http__route="/v1/availability")),
        lambda m: 0.02 + 1.2 * early(m) + 1.6 * storm(m), 41)
    I.stream("pricing-engine", "ERROR", lambda r, t: (f"request rejected: worker queue full ({r.randint(505, 512)}/512)", {"http.status_code": 503}),
             lambda m: 1.3 * storm(m), 74)
    I.stream("pricing-engine", "WARN", lambda r, t: (f"request abandoned by caller after {r.randint(800, 812)}ms, result discarded", {}),
             lambda m: 0.01 + 0.5 * storm(m), 66)
    I.stream("booking-api", "ERROR", lambda r, t: ("quote failed: availability-service returned 502", {"http__route": "/v2/quotes"}),
             lambda m: 0.01 + 0.7 * storm(m), 30)
    I.stream("web-bff", "ERROR", lambda r, t: ("booking-api upstream error, rendering fallback without prices", {"http__route": "/api/stays"}),
             lambda m: 0.6 * storm(m), 28)

    A = lambda n, st, ms=800: ("availability-service", "POST pricing-engine/v1/price", ms, st, {"retry.attempt": n, "peer.service": "pricing-engine"},
                               [("pricing-engine", "Price", ms - 3, st, {"queue_wait_ms": ms - 20 if st == "ERROR" else 2})])
    I.trace("08:12:20", ("web-bff", "GET /api/stays", 241, "OK", {}, [("booking-api", "Quote", 199, "OK", {}, [
        ("availability-service", "Resolve", 140, "OK", {}, [A(1, "OK", 88)])])]))
    I.trace("08:31:38", ("web-bff", "GET /api/stays", 931, "ERROR", {}, [("booking-api", "Quote", 890, "ERROR", {}, [
        ("availability-service", "Resolve", 845, "ERROR", {}, [A(1, "ERROR", 800)])])]))
    I.trace("10:58:03", ("web-bff", "GET /api/stays", 236, "OK", {}, [("booking-api", "Quote", 194, "OK", {}, [
        ("availability-service", "Resolve", 138, "OK", {}, [A(1, "OK", 84)])])]))
    for w in ("11:18:44", "11:26:10", "11:39:52"):
        I.trace(w, ("web-bff", "GET /api/stays", 3544, "ERROR", {}, [("booking-api", "Quote", 3498, "ERROR", {"error": "upstream availability-service: 502"}, [
            ("availability-service", "Resolve", 3440, "ERROR", {"error": "pricing-engine: retries exhausted"}, [A(n, "ERROR") for n in (1, 2, 3, 4)])])]))

    I.commit("bffretry", "hana.kowalczyk", "07:52:14", "fix(bff): retry suggestions once when the shard answers 429", ["web-bff/src/clients/suggest.ts"], """
--- a/web-bff/src/clients/suggest.ts
+++ b/web-bff/src/clients/suggest.ts
@@ -31 +31 @@ export class SuggestClient {
   async suggest(prefix: string, signal: AbortSignal): Promise<Suggestion[]> {
-    const res = await this.http.get('/suggest', { query: { q: prefix }, signal });
+    let res = await this.http.get('/suggest', { query: { q: prefix }, signal });
+    if (res.status === 429 && !signal.aborted) {
+      await sleep(jitter(150, 400));
+      res = await this.http.get('/suggest', { query: { q: prefix }, signal });
+    }
     if (!res.ok) {
       return [];
     }
""", ("web-bff", "08:05:30"))
    I.commit("guilty", "mateus.oliveira", "09:21:47", "refactor(httpclient): fold retry settings into transport options", ["libs/httpclient/options.go", "libs/httpclient/do.go", "availability-service/go.mod"], """
--- a/libs/httpclient/options.go
+++ b/libs/httpclient/options.go
@@ -14 +14 @@ type Options struct {
     Timeout time.Duration
     MaxIdle int
-    Retry   *RetryPolicy
+    // Retry is used by every client built from DefaultOptions.
+    Retry RetryOptions
 }

 func DefaultOptions() Options {
     return Options{
         Timeout: 800 * time.Millisecond,
         MaxIdle: 64,
-        Retry: &RetryPolicy{
-            MaxAttempts: 2,
-            When:        DialErrorsOnly,
-            Backoff:     expo.Jittered(100*time.Millisecond, 2*time.Second),
-            Budget:      budget.Ratio(0.10),
-        },
+        Retry: RetryOptions{Attempts: 4, Wait: 25 * time.Millisecond},
     }
 }
--- a/libs/httpclient/do.go
+++ b/libs/httpclient/do.go
@@ -22 +22 @@ func (c *Client) Do(req *http.Request) (*http.Response, error) {
-    res, err := c.once(req)
-    for n := 1; c.policy.Retryable(res, err, n) && c.policy.Budget.Take(); n++ {
-        time.Sleep(c.policy.Backoff.Next(n))
-        res, err = c.once(req)
-    }
-    return res, err
+    var res *http.Response
+    var err error
+    for n := 0; n < c.opts.Retry.Attempts; n++ {
+        res, err = c.once(req)
+        if err == nil && res.StatusCode < 500 {
+            return res, nil
+        }
+        time.Sleep(c.opts.Retry.Wait)
+    }
+    return res, err
 }
--- a/availability-service/go.mod
+++ b/availability-service/go.mod
@@ -7 +7 @@ require (
-    github.com/stayhub/libs/httpclient v0.18.2
+    github.com/stayhub/libs/httpclient v0.19.0
     github.com/go-chi/chi/v5 v5.0.12
 )
""", ("availability-service", "09:42:10"), tabs=True)
    I.commit("helm", "oskar.lind", "10:20:05", "chore(helm): right-size pricing-engine memory request", ["deploy/helm/pricing-engine/values.yaml"], """
--- a/deploy/helm/pricing-engine/values.yaml
+++ b/deploy/helm/pricing-engine/values.yaml
@@ -18 +18 @@ resources:
   requests:
     cpu: "2"
-    memory: 3Gi
+    memory: 2Gi
   limits:
     cpu: "2"
     memory: 4Gi
""", ("pricing-engine", "10:31:00"))
    I.commit("bookinglog", "aiko.yamada", "10:44:19", "feat(booking-api): export per-upstream latency histogram", ["booking-api/internal/upstream/metrics.go", "booking-api/internal/upstream/client.go"], """
--- a/booking-api/internal/upstream/client.go
+++ b/booking-api/internal/upstream/client.go
@@ -40 +40 @@ func (c *Client) Availability(ctx context.Context, q Query) (*Rooms, error) {
     ctx, cancel := context.WithTimeout(ctx, 3500*time.Millisecond)
     defer cancel()
-    return c.availability.Resolve(ctx, q)
+    start := time.Now()
+    rooms, err := c.availability.Resolve(ctx, q)
+    upstreamSeconds.WithLabelValues("availability", outcome(err)).Observe(time.Since(start).Seconds())
+    return rooms, err
 }
""", ("booking-api", "10:55:20"), tabs=True)
    I.commit("vector", "ruth.adeyemi", "10:57:33", "perf(pricing): compute tax brackets per request instead of per plan", ["pricing-engine/src/tax.rs", "pricing-engine/src/quote.rs"], """
--- a/pricing-engine/src/quote.rs
+++ b/pricing-engine/src/quote.rs
@@ -88 +88 @@ impl Quote {
     pub fn price(&self, plans: &[RatePlan], ctx: &Ctx) -> Vec<Priced> {
+        let brackets = ctx.tax.brackets_for(self.country, self.check_in);
         plans
             .iter()
-            .map(|p| {
-                let brackets = ctx.tax.brackets_for(self.country, self.check_in);
-                self.price_one(p, &brackets)
-            })
+            .map(|p| self.price_one(p, &brackets))
             .collect()
     }
""", ("pricing-engine", "11:09:25"))
    I.commit("docs", "oskar.lind", "11:03:50", "docs: how node consolidation picks its windows", ["docs/platform/karpenter.md"])
    I.commit("profile", "nadia.haddad", "11:06:12", "fix(profile): fall back to initials when the avatar is missing", ["profile-service/app/avatar.py"], """
--- a/profile-service/app/avatar.py
+++ b/profile-service/app/avatar.py
@@ -12 +12 @@ def avatar_url(user):
-    return storage.url(f"users/{user.id}.webp")
+    key = f"users/{user.id}.webp"
+    return storage.url(key) if user.has_avatar else initials_url(user.name)
""", ("profile-service", "11:14:40"))
    I.flag("10:48:00", "pricing_member_rates", "pricing-engine", "25%->50%", "ruth.adeyemi")
    I.flag("08:20:00", "bff_map_view", "web-bff", "off->on", "hana.kowalczyk")
    I.finish(dict(service="pricing-engine", metric="cpu_utilization", threshold=0.9, severity="critical", monitor="pricing-engine-saturation",
                  summary="pricing-engine CPU above 90% for 5m, rejecting requests with 503; booking quotes failing"),
             dict(first="pricing-engine", blast=["availability-service", "booking-api", "web-bff"], remediation="rollback",
                  notes="Metastable retry storm. {guilty} (libs/httpclient, shipped with availability-service 09:42) turns 'two attempts, only on dial errors, jittered backoff, 10% budget' into four attempts on any error or 5xx with a fixed 25 ms wait and no budget. It is latent until pricing-engine has its next short capacity loss: at 11:17 one pod is drained for 2 minutes (node consolidation). The same drain at 08:31, before the deploy, healed by itself. After 11:17 pod_ready_replicas is back at 6 by 11:19 but the load stays: web-bff, booking-api and availability-service requests_per_sec are flat while pricing-engine's is ~3.7x and http_client_attempts_per_call goes 1.03 -> ~3.7; traces show four sibling attempts of 800 ms. Decoys: {vector} (pricing-engine 11:09, hoists a loop invariant: less work), {helm} (memory request only, CPU untouched), {bookinglog} (histogram), {bffretry} (a retry, but only of suggestions on 429, once, off the path), {profile} (11:14, unrelated). The drains are the trigger, not the cause."), "guilty", "11:24:00")


def deadlock():
    I = Inc("transfers-payroll-aborts", 4102, "2026-08-25T12:00", "2026-08-25T14:30", onset="2026-08-25T14:01")
    on = I.m("14:01")
    batch = lambda m: sum(max(0.0, min(1, (m - b - 1) / 2, (b + e - m) / 4)) for b, e in ((0, 22), (60, 23), (120, 60)))
    bad = lambda m: up(m, on, 2.0) * (0.92 + 0.08 * batch(m))
    nodes = {
        "mobile-gateway": dict(own=40, rps=420, err=0.002, calls=[("transfers-api", 0.45, 4000)]),
        "transfers-api": dict(own=58, rps=150, err=0.0025, calls=[("ledger-service", 1, 3500)]),
        "ledger-service": dict(own=72, rps=210, err=0.0012, load=lambda m: 1 + 0.45 * batch(m), lat=lambda m: 14 * batch(m) + 2350 * bad(m), fail=lambda m: 0.24 * bad(m),
                               cpu=lambda m: 0.33 + 0.06 * batch(m) - 0.09 * bad(m)),
        "fx-quote-service": dict(own=44, rps=90, err=0.004),
        "statement-service": dict(own=130, rps=35, err=0.003, lat=lambda m: 40 * bad(m)),
    }
    I.graph(nodes, {"mobile-gateway": ["rps", "p99", "err"], "transfers-api": ["rps", "p99", "err"], "ledger-service": ["rps", "p99", "err", "cpu"],
                    "fx-quote-service": ["p99", "err"], "statement-service": ["p99"]})
    I.metric("payout-worker", "batch_items_inflight", lambda m: 24 * batch(m), 0.06, 0)
    I.metric("payout-worker", "items_settled_per_min", lambda m: 640 * batch(m) * (1 - 0.71 * bad(m)), 0.06, 0)
    I.metric("ledger-service", "db_pool_active", lambda m: 11 + 9 * batch(m) + 38 * bad(m), 0.08, 0, hi=60)
    I.metric("ledgerdb", "deadlocks_per_min", lambda m: 38 * bad(m), 0.15, 0)
    I.metric("ledgerdb", "lock_wait_p95_ms", lambda m: 3.1 + 3.5 * batch(m) + 1015 * bad(m), 0.1, 1)
    I.metric("ledgerdb", "db_cpu_utilization", lambda m: 31 + 9 * batch(m) - 10 * bad(m), 0.05, 1)
    I.metric("ledgerdb", "replication_lag_ms", lambda m: 22, 0.25, 0, spikes=0.04)

    I.background([
        ("mobile-gateway", lambda r: f"POST /transfers 202 in {r.randint(120, 260)}ms", "/transfers"),
        ("transfers-api", lambda r: f"transfer accepted, fee {r.randint(0, 3)}.{r.randint(10, 99)} EUR", "/v1/transfers"),
        ("ledger-service", lambda r: f"posting committed, {r.choice([2, 2, 2, 4])} entries", "/internal/postings"),
        ("fx-quote-service", "quote refreshed", "/fx/quote"),
        ("statement-service", lambda r: f"statement rendered, {r.randint(1, 9)} pages", "/statements")], 90)
    I.stream("fx-quote-service", "WARN", lambda r, t: f"provider tick late by {r.randint(300, 900)}ms, using last quote", 0.07, 5)
    I.stream("statement-service", "ERROR", lambda r, t: f"pdf font 'Inter-Medium' missing, falling back", 0.05, 4)
    for h, n in (("12:01:02", 11820), ("13:01:02", 12044), ("14:01:02", 11967)):
        I.log(h, "payout-worker", "INFO", f"hourly merchant payout batch started: {n} items, concurrency 24", job="merchant-payout")
    for h, n in (("12:22:40", 11820), ("13:23:19", 12044)):
        I.log(h, "payout-worker", "INFO", f"hourly merchant payout batch finished: {n} items, 0 failed", job="merchant-payout")
    acct = lambda r: r.choice(["settlement-EUR", "acq-clearing", "settlement-GBP"])
    def dl(r, t):
        a, b = r.randint(4000, 9000), r.randint(4000, 9000)
        x = r.randint(81000000, 81990000)
        return ("ERROR: deadlock detected", {"sqlstate": "40P01", "detail": f"Process {a} waits for ShareLock on transaction {x}; blocked by process {b}. Process {b} waits for ShareLock on transaction {x - r.randint(1, 40)}; blocked by process {a}.",
                "statement": "SELECT id, balance, version FROM accounts WHERE id = $1 FOR UPDATE"})
    I.stream("ledgerdb", "ERROR", dl, lambda m: 1.5 * bad(m), 25)
    def ab(r, t):
        x, y = acct(r), f"merchant-{r.randint(100, 999)}"
        if r.random() < .5:
            x, y = y, x
        return ("posting aborted: CannotAcquireLockException", {"debit_account": x, "credit_account": y, "caller": r.choice(["payout-worker", "transfers-api", "payout-worker"]), "root": "PSQLException: deadlock detected"})
    I.stream("ledger-service", "ERROR", ab, lambda m: 1.4 * bad(m), 26)
    I.stream("transfers-api", "ERROR", lambda r, t: ("ledger posting failed with 409, transfer left PENDING", {"http__route": "/v1/transfers"}), lambda m: 0.01 + 0.8 * bad(m), 17)
    I.stream("payout-worker", "WARN", lambda r, t: (f"item requeued after ledger abort (attempt {r.randint(1, 5)})", {"job": "merchant-payout"}), lambda m: 1.0 * bad(m), 30)
    I.stream("mobile-gateway", "WARN", lambda r, t: ("transfers-api slow or failing, showing 'processing' screen", {"http__route": "/transfers"}), lambda m: 0.02 + 0.7 * bad(m), 14)
    I.stream("ledger-service", "WARN", lambda r, t: f"serialization failure on statement close (40001), retrying once", lambda m: 0.05 if m > 14 else 0, 4)

    def post(when, st, waits, caller="payout-worker"):
        kids = [("ledgerdb", "SELECT accounts FOR UPDATE", w, s, {"db.rows": 1, "account": a}) for a, w, s in waits]
        tot = sum(w for _, w, _ in waits) + 30
        lg = ("ledger-service", "PostEntries", tot, st, {} if st == "OK" else {"error": "40P01 deadlock detected"}, kids)
        if caller == "payout-worker":
            I.trace(when, ("payout-worker", "settle item", tot + 12, st, {}, [lg]))
        else:
            I.trace(when, ("mobile-gateway", "POST /transfers", tot + 90, st, {}, [("transfers-api", "CreateTransfer", tot + 50, st, {}, [lg])]))
    I.trace("13:02:10", ("payout-worker", "settle item", 61, "OK", {}, [("ledger-service", "PostEntries", 49, "OK", {}, [
        ("ledgerdb", "SELECT accounts FOR UPDATE", 8, "OK", {"db.rows": 2, "accounts": "merchant-417,settlement-EUR"}), ("ledgerdb", "INSERT ledger_entries", 11, "OK")])]))
    I.trace("13:01:50", ("payout-worker", "settle item", 58, "OK", {}, [("ledger-service", "PostEntries", 47, "OK", {}, [
        ("ledgerdb", "SELECT accounts FOR UPDATE", 7, "OK", {"db.rows": 2, "accounts": "merchant-417,settlement-EUR"}), ("ledgerdb", "INSERT ledger_entries", 12, "OK")])]))
    post("13:31:14", "OK", [("cust-88120", 6, "OK"), ("cust-40312", 6, "OK")], "m")
    post("14:03:31", "ERROR", [("settlement-EUR", 9, "OK"), ("merchant-417", 1002, "ERROR")])
    post("14:03:31", "OK", [("merchant-417", 7, "OK"), ("settlement-EUR", 1018, "OK")], "m")
    post("14:12:08", "ERROR", [("acq-clearing", 240, "OK"), ("merchant-233", 1004, "ERROR")])
    post("14:19:55", "ERROR", [("merchant-781", 610, "OK"), ("settlement-EUR", 1001, "ERROR")], "m")

    I.commit("serial", "tomasz.wrona", "11:48:20", "fix(ledger): retry once on serialization failure when closing statements", ["ledger-service/src/main/java/com/finlo/ledger/StatementCloser.java"], """
--- a/ledger-service/src/main/java/com/finlo/ledger/StatementCloser.java
+++ b/ledger-service/src/main/java/com/finlo/ledger/StatementCloser.java
@@ -41 +41 @@ public class StatementCloser {
   public void close(StatementId id) {
-    tx.executeWithoutResult(s -> doClose(id));
+    try {
+      tx.executeWithoutResult(s -> doClose(id));
+    } catch (CannotSerializeTransactionException e) {
+      log.warn("serialization failure on statement close ({}), retrying once", sqlState(e));
+      tx.executeWithoutResult(s -> doClose(id));
+    }
   }
""", ("ledger-service", "12:14:00"))
    I.commit("guilty", "elif.demir", "12:41:36", "tidy(ledger): load accounts through the repository, drop the helper set", ["ledger-service/src/main/java/com/finlo/ledger/PostingService.java", "ledger-service/src/main/java/com/finlo/ledger/AccountRepository.java"], """
--- a/ledger-service/src/main/java/com/finlo/ledger/PostingService.java
+++ b/ledger-service/src/main/java/com/finlo/ledger/PostingService.java
@@ -57 +57 @@ public class PostingService {
   @Transactional
   public Posting post(PostingRequest req) {
-    SortedSet<String> ids = new TreeSet<>();
-    req.legs().forEach(leg -> ids.add(leg.accountId()));
-    Map<String, Account> accounts = accountRepository.lockAll(ids);
+    Map<String, Account> accounts = new HashMap<>();
+    for (Leg leg : req.legs()) {
+      accounts.computeIfAbsent(leg.accountId(), accountRepository::getForUpdate);
+    }
     for (Leg leg : req.legs()) {
       accounts.get(leg.accountId()).apply(leg);
     }
     return postings.save(Posting.of(req, accounts));
   }
--- a/ledger-service/src/main/java/com/finlo/ledger/AccountRepository.java
+++ b/ledger-service/src/main/java/com/finlo/ledger/AccountRepository.java
@@ -19 +19 @@ public interface AccountRepository extends Repository<Account, String> {
-  @Query(value = "SELECT * FROM accounts WHERE id IN (:ids) ORDER BY id FOR UPDATE", nativeQuery = true)
-  List<Account> lockRows(Collection<String> ids);
-
-  default Map<String, Account> lockAll(SortedSet<String> ids) {
-    return lockRows(ids).stream().collect(toMap(Account::id, identity()));
-  }
+  @Query(value = "SELECT id, balance, version FROM accounts WHERE id = :id FOR UPDATE", nativeQuery = true)
+  Account getForUpdate(String id);
 }
""", ("ledger-service", "13:25:40"))
    I.commit("readonly", "samira.nasser", "13:18:02", "refactor(transfers): mark history queries read-only", ["transfers-api/src/main/java/com/finlo/transfers/HistoryService.java"], """
--- a/transfers-api/src/main/java/com/finlo/transfers/HistoryService.java
+++ b/transfers-api/src/main/java/com/finlo/transfers/HistoryService.java
@@ -23 +23 @@ public class HistoryService {
-  @Transactional
+  @Transactional(readOnly = true, timeout = 5)
   public Page<TransferView> history(CustomerId customer, Pageable page) {
     return transfers.findByCustomer(customer, page).map(TransferView::of);
   }
""", ("transfers-api", "13:38:30"))
    I.commit("memo", "pavel.hruska", "13:33:41", "feat(db): nullable memo column on ledger_entries", ["ledgerdb/migrations/V118__ledger_entries_memo.sql"], """
--- /dev/null
+++ b/ledgerdb/migrations/V118__ledger_entries_memo.sql
@@ -0 +1 @@
+SET lock_timeout = '2s';
+ALTER TABLE ledger_entries ADD COLUMN IF NOT EXISTS memo text;
+COMMENT ON COLUMN ledger_entries.memo IS 'free text shown on statements';
""", ("ledgerdb", "13:47:15"))
    I.commit("group", "jonas.berg", "13:40:28", "perf(payout): fetch items of a batch in one page", ["payout-worker/worker/batch.py"], """
--- a/payout-worker/worker/batch.py
+++ b/payout-worker/worker/batch.py
@@ -35 +35 @@ async def run_batch(batch_id, ledger, concurrency=24):
-    items = []
-    async for page in repo.pages(batch_id, size=500):
-        items.extend(page)
+    items = await repo.all_items(batch_id)
     sem = asyncio.Semaphore(concurrency)
     await asyncio.gather(*(settle(sem, ledger, item) for item in items))
""", ("payout-worker", "13:55:05"))
    I.commit("fonts", "grace.omondi", "13:44:50", "chore(statements): slim runtime image", ["statement-service/Dockerfile"], """
--- a/statement-service/Dockerfile
+++ b/statement-service/Dockerfile
@@ -9 +9 @@ RUN ./gradlew --no-daemon installDist
-FROM eclipse-temurin:21-jre
+FROM eclipse-temurin:21-jre-alpine
 COPY --from=build /src/build/install/statements /opt/statements
""")
    I.commit("tests", "elif.demir", "13:52:11", "test(ledger): cover three-leg postings", ["ledger-service/src/test/java/com/finlo/ledger/PostingServiceTest.java"])
    I.commit("gw", "samira.nasser", "13:57:44", "feat(gateway): show fee breakdown on confirmation", ["mobile-gateway/src/transfers/confirm.ts"], """
--- a/mobile-gateway/src/transfers/confirm.ts
+++ b/mobile-gateway/src/transfers/confirm.ts
@@ -18 +18 @@ export function toConfirmation(t: Transfer): Confirmation {
   return {
     id: t.id,
     amount: format(t.amount, t.currency),
+    fees: t.fees.map((f) => ({ label: f.kind, value: format(f.amount, t.currency) })),
   };
 }
""", ("mobile-gateway", "14:00:20"))
    I.flag("13:50:00", "transfers_instant_v2", "transfers-api", "10%->20%", "samira.nasser")
    I.finish(dict(service="ledger-service", metric="error_rate_5xx_ratio", threshold=0.05, severity="critical", monitor="ledger-posting-failures",
                  summary="ledger-service postings failing above 5% for 3m; p99 above 2s, payout batch not draining"),
             dict(first="ledger-service", blast=["transfers-api", "mobile-gateway", "payout-worker"], remediation="rollback",
                  notes="Lock ordering. {guilty} replaces one ordered 'SELECT ... ORDER BY id FOR UPDATE' over a sorted set by one SELECT FOR UPDATE per leg in request order, so A->B and B->A postings lock in opposite orders. Deployed 13:25; latent until the hourly payout batch at 14:01 posts merchant<->settlement pairs against live transfers. The 12:00 and 13:00 batches (same size, same concurrency 24) ran without a deadlock. ledgerdb: deadlocks_per_min 0 -> ~38, lock waits ~1 s (deadlock_timeout), CPU falls; traces: before one SELECT with two rows, after two SELECTs one row each, in either order. Decoys: {group} (payout-worker 13:55, right before; concurrency unchanged, only loads the items at once), {memo} (nullable column, instant, with lock_timeout), {readonly} (history reads only), {serial} (handles 40001 in another class, and ran through the 13:00 batch), {gw} (presentation)."), "guilty", "14:05:00")


def leak():
    I = Inc("dispatch-address-timeouts", 4103, "2026-07-22T05:30", "2026-07-22T09:50", onset="2026-07-22T09:19")
    d1, d2, full, on = I.m("06:12"), I.m("08:04"), 40.0, I.m("09:19")
    traffic = lambda m: 0.45 + 0.55 / (1 + 2.718 ** (-(m - I.m("07:25")) / 22))
    # 4 pods x 40 connections; each not-found lookup strands one until the pod restarts
    leaked = {}
    cur = 0.0
    for i in range(I.n):
        if i == int(d2):
            cur = 0.0
        if i >= d1:
            cur += 2.15 * traffic(i) * (0.8 + 0.4 * I.r.random())
        cur = min(cur, 160)
        leaked[i] = cur
    lk = lambda m: leaked[int(m)]
    bad = lambda m: up(m, on, 4) if lk(m) > 120 else 0.0
    nodes = {
        "dispatch-web": dict(own=70, rps=60, err=0.003, load=traffic, calls=[("route-planner", 0.6, 15000)]),
        "route-planner": dict(own=310, rps=42, err=0.004, load=traffic, calls=[("address-service", 1, 6000)]),
        "address-service": dict(own=46, rps=190, err=0.001, load=traffic, lat=lambda m: 60 * max(0, (lk(m) - 120) / 40) ** 2 + 5000 * bad(m), fail=lambda m: 0.62 * bad(m),
                                cpu=lambda m: 0.22 + 0.16 * traffic(m) - 0.17 * bad(m)),
        "driver-app-api": dict(own=55, rps=240, err=0.003, load=traffic),
        "eta-service": dict(own=90, rps=110, err=0.002, load=traffic),
    }
    I.graph(nodes, {"dispatch-web": ["rps", "p99", "err"], "route-planner": ["rps", "p99", "err", "cpu"], "address-service": ["rps", "p99", "err", "cpu"],
                    "driver-app-api": ["p99", "err"], "eta-service": ["p99"]})
    I.metric("address-service", "db_pool_in_use", lambda m: min(160, lk(m) + 7 * traffic(m) * (1 - bad(m))), 0.015, 0, hi=160)
    I.metric("address-service", "db_pool_max", lambda m: 160, 0, 0)
    I.metric("address-service", "db_pool_wait_p95_ms", lambda m: 0.4 + 30 * max(0, (lk(m) - 128) / 32) ** 2 + 4960 * bad(m), 0.12, 1, hi=5003)
    I.metric("address-service", "http_404_per_min", lambda m: 2.15 * traffic(m) * (1 - 0.6 * bad(m)), 0.2, 1)
    I.metric("addressdb", "sessions_idle_in_transaction", lambda m: lk(m) + 0.6, 0.01, 0)
    I.metric("addressdb", "db_cpu_utilization", lambda m: 12 + 21 * traffic(m) - 19 * bad(m), 0.06, 1)
    I.metric("addressdb", "db_query_duration_p99_ms", lambda m: 6.8 + traffic(m), 0.08, 1)
    I.metric("addressdb", "connections_total", lambda m: 36 + max(16, lk(m)), 0.005, 0)

    I.background([
        ("dispatch-web", lambda r: f"board refreshed, {r.randint(20, 190)} stops", "/board"),
        ("route-planner", lambda r: f"route built: {r.randint(8, 40)} stops, {r.randint(40, 210)} km", "/routes"),
        ("address-service", lambda r: f"geocoded in {r.randint(4, 19)}ms, confidence 0.{r.randint(71, 99)}", "/lookup"),
        ("driver-app-api", "position batch stored", "/positions"),
        ("eta-service", "eta recomputed", "/eta")], 120)
    streets = ["Lindenstr 114b", "12 Rue des Tanneurs", "Kungsgatan 7 c/o Holm", "Via Monti 3/int.2", "Unit 9 Ashdown Ind Est"]
    I.stream("address-service", "INFO", lambda r, t: (f"address not found: {r.choice(streets)}", {"http.status_code": 404, "http.route": "/lookup"}),
             lambda m: 0.13 * traffic(m), 10, "neutral", sig="address not found: <*>")
    I.stream("driver-app-api", "ERROR", lambda r, t: f"push token rejected by fcm: NotRegistered (device {r.randint(10000, 99999)})", 0.06, 7)
    I.stream("eta-service", "WARN", lambda r, t: f"traffic tile {r.randint(100, 999)} older than 10m", 0.05, 5)
    I.stream("address-service", "ERROR", lambda r, t: ("couldn't get a connection after 5.00 sec", {"exc": "psycopg_pool.PoolTimeout", "pool": "addressdb-rw", "requests_waiting": r.randint(20, 90), "http.route": "/lookup"}),
             lambda m: 1.7 * bad(m), 55)
    I.stream("address-service", "WARN", lambda r, t: (f"pool addressdb-rw: {r.randint(36, 40)}/40 connections checked out", {"pod": f"address-service-{r.choice(['x2k9f', 'p7dmt', 'q4vzl', 'b8rns'])}"}),
             lambda m: 0.45 if lk(m) > 140 else (0.12 if lk(m) > 118 else 0), 6)
    I.stream("route-planner", "ERROR", lambda r, t: (f"geocoding failed for {r.randint(1, 9)} stops, route left unplanned", {"http.route": "/routes", "peer": "address-service"}), lambda m: 0.01 + 1.0 * bad(m), 22)
    I.stream("dispatch-web", "WARN", lambda r, t: ("route-planner timed out, board shows stale routes", {"http.route": "/board"}), lambda m: 0.01 + 0.8 * bad(m), 16)
    for h, n, age in (("07:30:00", 112, 78), ("08:00:00", 157, 108), ("08:30:00", 54, 26), ("09:00:00", 118, 56), ("09:30:00", 160, 86)):
        n = leaked[int(I.m(h))]
        I.log(h, "addressdb", "WARN" if n > 60 else "INFO", f"pg_stat_activity sample: {n:.0f} sessions idle in transaction, oldest {age}m", application_name="address-service",
              last_query="SELECT id, lat, lon, confidence FROM addresses WHERE normalized = $1")
    I.log("06:00:00", "addressdb", "INFO", "pg_stat_activity sample: 0 sessions idle in transaction, oldest 0m", application_name="address-service")
    I.log("08:03:52", "address-service", "INFO", f"pool closed with {leaked[int(d2) - 1]:.0f} connections still checked out, process exiting", version="v2026.07.22-0548")

    ok = lambda: ("address-service", "GET /lookup", 21, "OK", {"db.pool_wait_ms": 0}, [("addressdb", "SELECT addresses", 6, "OK")])
    I.trace("07:02:15", ("dispatch-web", "POST /board/plan", 410, "OK", {}, [("route-planner", "Plan", 360, "OK", {}, [ok(), ok(), ok()])]))
    I.trace("07:02:48", ("route-planner", "Plan", 350, "OK", {}, [ok(), ("address-service", "GET /lookup", 18, "OK", {"db.pool_wait_ms": 0, "http.status_code": 404}, [("addressdb", "SELECT addresses", 6, "OK", {"db.rows": 0})])]))
    I.trace("08:55:09", ("dispatch-web", "POST /board/plan", 433, "OK", {}, [("route-planner", "Plan", 380, "OK", {}, [ok(), ok()])]))
    for w in ("09:22:10", "09:31:44", "09:40:02"):
        I.trace(w, ("dispatch-web", "POST /board/plan", 5490, "ERROR", {}, [("route-planner", "Plan", 5420, "ERROR", {"error": "geocoding failed"}, [
            ("address-service", "GET /lookup", 5006, "ERROR", {"db.pool_wait_ms": 5000, "error": "PoolTimeout"})])]))
    I.trace("09:33:20", ("route-planner", "Plan", 4610, "OK", {}, [("address-service", "GET /lookup", 4302, "OK", {"db.pool_wait_ms": 4288}, [("addressdb", "SELECT addresses", 7, "OK")])]))

    I.commit("guilty", "ingrid.solberg", "05:48:31", "refactor(address): port lookups to psycopg 3", ["address-service/app/store.py", "address-service/requirements.txt"], """
--- a/address-service/app/store.py
+++ b/address-service/app/store.py
@@ -1 +1 @@
-from psycopg2.pool import ThreadedConnectionPool
-from app.db import borrowed
+from psycopg.rows import namedtuple_row
+from psycopg_pool import ConnectionPool
 from app.errors import AddressNotFound
 from app.models import Address

-pool = ThreadedConnectionPool(4, 40, dsn=settings.DSN)
+pool = ConnectionPool(settings.DSN, min_size=4, max_size=40, timeout=5.0, name="addressdb-rw")

 def lookup(normalized: str) -> Address:
-    with borrowed(pool) as conn, conn.cursor() as cur:
-        cur.execute(LOOKUP_SQL, (normalized,))
-        row = cur.fetchone()
-        if row is None:
-            raise AddressNotFound(normalized)
-        return Address(*row)
+    conn = pool.getconn()
+    cur = conn.cursor(row_factory=namedtuple_row)
+    row = cur.execute(LOOKUP_SQL, (normalized,)).fetchone()
+    cur.close()
+    if row is None:
+        raise AddressNotFound(normalized)
+    conn.commit()
+    pool.putconn(conn)
+    return Address(*row)
--- a/address-service/requirements.txt
+++ b/address-service/requirements.txt
@@ -6 +6 @@ orjson==3.10.6
-psycopg2-binary==2.9.9
+psycopg[binary,pool]==3.2.1
 pydantic==2.8.2
""", ("address-service", "06:12:20"))
    I.commit("eta", "marco.bianchi", "06:50:10", "fix(eta): clamp negative dwell times", ["eta-service/eta/dwell.go"], """
--- a/eta-service/eta/dwell.go
+++ b/eta-service/eta/dwell.go
@@ -27 +27 @@ func Dwell(arrive, leave time.Time) time.Duration {
-    return leave.Sub(arrive)
+    return max(0, leave.Sub(arrive))
 }
""", ("eta-service", "07:10:00"), tabs=True)
    I.commit("i18n", "lucas.ferreira", "07:41:22", "feat(address): return the formatted label in the caller's language", ["address-service/app/api.py", "address-service/app/labels.py"], """
--- a/address-service/app/api.py
+++ b/address-service/app/api.py
@@ -24 +24 @@ router = APIRouter()
 @router.get("/lookup")
 def get_lookup(q: str, lang: str = "en"):
     try:
         address = store.lookup(normalize(q))
     except AddressNotFound as exc:
         log.info("address not found: %s", q)
         raise HTTPException(404, detail=str(exc))
-    return address.dict()
+    return {**address.dict(), "label": labels.format(address, lang)}
""", ("address-service", "08:04:00"))
    I.commit("tf", "stefan.maier", "08:22:40", "chore(tf): memory settings for addressdb after the resize", ["terraform/addressdb/parameters.tf"], """
--- a/terraform/addressdb/parameters.tf
+++ b/terraform/addressdb/parameters.tf
@@ -11 +11 @@ resource "aws_db_parameter_group" "addressdb" {
   parameter {
     name  = "work_mem"
-    value = "8192"
+    value = "16384"
   }
   parameter {
     name  = "effective_cache_size"
-    value = "1048576"
+    value = "2097152"
   }
   parameter {
     name         = "max_connections"
     value        = "400"
     apply_method = "pending-reboot"
   }
""", ("addressdb", "08:41:30"))
    I.commit("httpx", "yara.mansour", "08:49:57", "perf(route-planner): reuse one httpx client for geocoding", ["route-planner/planner/geocode.py"], """
--- a/route-planner/planner/geocode.py
+++ b/route-planner/planner/geocode.py
@@ -8 +8 @@ from planner.models import Stop
+_client = httpx.AsyncClient(base_url=settings.ADDRESS_URL, timeout=6.0, limits=httpx.Limits(max_connections=30))
+
 async def geocode(stops: list[Stop]) -> list[Point]:
-    async with httpx.AsyncClient(base_url=settings.ADDRESS_URL, timeout=6.0, limits=httpx.Limits(max_connections=30)) as client:
-        return await asyncio.gather(*(one(client, s) for s in stops))
+    return await asyncio.gather(*(one(_client, s) for s in stops))
""", ("route-planner", "09:06:45"))
    I.commit("web", "lucas.ferreira", "09:02:12", "style(dispatch): wider columns on the board", ["dispatch-web/src/board/Board.css"], """
--- a/dispatch-web/src/board/Board.css
+++ b/dispatch-web/src/board/Board.css
@@ -40 +40 @@
 .board__column {
-  min-width: 220px;
+  min-width: 260px;
 }
""", ("dispatch-web", "09:15:10"))
    I.commit("owners", "stefan.maier", "07:58:00", "chore: add geo team to CODEOWNERS", ["CODEOWNERS"])
    I.commit("norm", "ingrid.solberg", "09:30:44", "test(address): property tests for normalize()", ["address-service/tests/test_normalize.py"])
    I.flag("08:58:00", "dispatch_live_board", "dispatch-web", "off->on", "yara.mansour")
    I.finish(dict(service="address-service", metric="http_server_duration_p99_ms", threshold=2000, severity="critical", monitor="address-lookup-p99",
                  summary="address-service p99 above 2s for 3m and 5xx rising; routes cannot be planned"),
             dict(first="address-service", blast=["route-planner", "dispatch-web"], remediation="rollback", more_decoys=[],
                  notes="Connection leak on an error path. {guilty} (06:12) replaces 'with borrowed(pool)' by getconn/putconn; the 'raise AddressNotFound' leaves before putconn (and before commit), so each 404 strands one connection, idle in transaction. http_404_per_min does not change, but db_pool_in_use and addressdb sessions_idle_in_transaction climb from 06:12 on. They drop to zero at 08:04 only because the {i18n} deploy restarts the pods ('pool closed with ... connections still checked out', old version), then climb again, faster with the morning traffic, until 160/160 about 09:19. addressdb itself is idle: query p99 flat, CPU falls, time in the traces is pool wait. Decoys: {i18n} (latest on the service, only formats a label; the climb predates it), {tf} (work_mem; max_connections is context only, 196 of 400 used), {httpx} (route-planner 09:06, 13 min before onset, same limits and timeout), {web} (CSS, 4 min before), {eta}."), "guilty", "09:25:00")
