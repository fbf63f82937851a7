"""Faults that a recorded change causes: what the diff says, what it does to the simulated service, and what the
service then writes to its log. In texts, @svc@ is the changed service, @dep@ one that it calls, @up@ one that
calls it, @ent@ what the company trades in, @lib@ its shared library, @prov@ an outside provider.
"""
from dataclasses import dataclass, field
from typing import Callable, Optional


@dataclass
class Fault:
    service: str                         # where the change goes live, or where an external fault strikes
    apply: Callable                      # (services, minutes since it went live)
    notes: str
    remediation: str
    file: str = ""
    message: str = ""
    diff: str = ""
    dep: str = ""
    up: str = ""
    language: Optional[str] = None
    first: Optional[str] = None          # where the truth is not simply the first to depart
    errors: dict = field(default_factory=dict)    # (service, reason) -> texts of failures
    warnings: list = field(default_factory=list)  # (service, text, lines a minute, from minute)
    topic: str = ""                      # which look-alike commit tempts
    flag: Optional[str] = None           # it goes live by a flag, its code came earlier
    extra: list = field(default_factory=list)     # further files of the diff: (file, body)
    consumers: list = field(default_factory=list)  # services that deploy the same commit later
    surge: Optional[Callable] = None
    delay: int = 1                       # minutes from deploy to the first effect


CODE = {}


def code(function):
    CODE[function.__name__] = function
    return function


def edge_of(world, rng, want=lambda w, s, c: True):
    pairs = [(s, c) for s, c in world.inner_edges() if want(world, s, c)]
    return rng.choice(pairs or world.inner_edges())


@code
def pool_shrunk(world, rng):
    s = rng.choice(world.with_db())

    def apply(v, t):
        v[s]["pool_factor"] = 0.22
    return Fault(s, apply, "The pool of database connections was cut to an eighth of what the load holds; requests wait for a connection.",
        "config-revert", "deploy/@svc@/values.yaml", "@svc@: align database settings with the platform template",
        """   database:
     host: @svc@-primary.internal
     name: @ent@s
-    maxOpenConns: 96
-    maxIdleConns: 48
+    maxOpenConns: 12
+    maxIdleConns: 6
     connMaxLifetime: 30m
+    statementTimeout: 15s
   resources:
     requests:
       cpu: 500m""", topic="pool",
        errors={(s, "pool"): ["acquire connection: timed out after 2000ms (open 12, in use 12, waiting {n})"]})


@code
def n_plus_one(world, rng):
    s = rng.choice(world.with_db())

    def apply(v, t):
        v[s]["queries_factor"], v[s]["cpu_factor"] = 9, 1.5
    return Fault(s, apply, "Related rows are no longer fetched with the list, so each row costs a query of its own.",
        "rollback", "@svc@/repository.py", "Return @ent@ notes in list responses",
        """     def list_open(self, owner_id: str, limit: int = 50) -> list[@Ent@View]:
         rows = (
             self.session.query(@Ent@)
-            .options(selectinload(@Ent@.items), joinedload(@Ent@.owner))
             .filter(@Ent@.owner_id == owner_id, @Ent@.closed_at.is_(None))
             .order_by(@Ent@.created_at.desc())
             .limit(limit)
         )
-        return [@Ent@View.from_row(r) for r in rows]
+        views = []
+        for row in rows:
+            view = @Ent@View.from_row(row)
+            view.items = [i.label for i in row.items]
+            view.note = row.owner.note or ""
+            views.append(view)
+        return views""", language="python", topic="query",
        warnings=[(s, "slow request: {n}2 statements in one session for list_open", 1.5, 1)])


@code
def cache_without_bound(world, rng):
    s = rng.choice(world.middle())
    leak = rng.uniform(14, 22)

    def apply(v, t):
        v[s]["leak_mb"] = leak
        v[s]["base_ms"] *= 1 + min(t, 60) / 55
    return Fault(s, apply, "A map keyed by session is never emptied; memory grows until the container is killed, again and again.",
        "rollback", "src/main/java/com/@svcid@/@Ent@Resolver.java", "Memoise resolved @ent@s per session",
        """ public class @Ent@Resolver {
   private final @Ent@Store store;
-  private final Cache<String, @Ent@> resolved =
-      Caffeine.newBuilder().maximumSize(20_000).expireAfterWrite(Duration.ofMinutes(5)).build();
+  private final Map<SessionKey, @Ent@> resolved = new ConcurrentHashMap<>();
 
-  public @Ent@ resolve(String id) {
-    return resolved.get(id, store::load);
+  public @Ent@ resolve(String id, Session session) {
+    return resolved.computeIfAbsent(new SessionKey(session.id(), id), k -> store.load(k.id()));
   }""", language="java", topic="memory", delay=4,
        warnings=[(s, "GC pause 6{n}0ms, heap {n}% used after collection", 0.6, 14)])


@code
def timeout_lowered(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        call = v[s]["calls"][dep]
        call["timeout_ms"] = calm_ms(world, dep) * 1.15
        call["retries"] = 0
    return Fault(s, apply, "The client's timeout is now below what its callee takes on a normal day; a good share of calls is given up.",
        "config-revert", "config/@svc@/production.yaml", "Tighten client budgets in @svc@",
        """ clients:
   @dep@:
     baseUrl: http://@dep@:8080
-    timeout: 2500ms
-    retries: 1
+    timeout: @ms@ms
+    retries: 0
     keepAlive: true
   audit:
     baseUrl: http://audit:8080
-    timeout: 5s
+    timeout: 3s""", dep=dep, first=s, topic="timeout")


@code
def retries_without_backoff(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        v[s]["calls"][dep]["retries"] = 6
        v[s]["calls"][dep]["factor"] = 2.6 + min(t, 6) * 0.25
    return Fault(s, apply, "Each call that is merely slow is sent again at once, up to six times; the callee drowns in repeated requests.",
        "rollback", "internal/clients/@depid@.go", "Hedge @ent@ lookups so that one slow replica does not stall us",
        """ func (c *Client) Fetch(ctx context.Context, id string) (*@Ent@, error) {
-	resp, err := c.do(ctx, id)
-	if err != nil && isTemporary(err) {
-		time.Sleep(jitter(200 * time.Millisecond))
-		resp, err = c.do(ctx, id)
+	var resp *@Ent@
+	var err error
+	for attempt := 0; attempt < 7; attempt++ {
+		attemptCtx, cancel := context.WithTimeout(ctx, 8*time.Millisecond)
+		resp, err = c.do(attemptCtx, id)
+		cancel()
+		if err == nil {
+			break
+		}
 	}
 	return resp, err
 }""", dep=dep, language="go", first=dep, topic="retry",
        warnings=[(s, "attempt {n} of 7 for @dep@ failed, trying again", 3, 1)],
        errors={(dep, "rejected"): ["503 shed: {n}0 requests in flight, limit reached"]})


@code
def coarse_lock(world, rng):
    s = rng.choice([x for x in world.middle() if world.services[x]["calls"]] or world.middle())

    def apply(v, t):
        v[s]["serial"] = 0.97
    return Fault(s, apply, "A lock now covers the remote lookup as well, so requests pass one at a time.",
        "rollback", "internal/@svcid@/registry.go", "Fix data race on the @ent@ registry",
        """ func (r *Registry) Lookup(ctx context.Context, id string) (*@Ent@, error) {
-	r.mu.RLock()
-	entry, ok := r.entries[id]
-	r.mu.RUnlock()
+	r.mu.Lock()
+	defer r.mu.Unlock()
+	entry, ok := r.entries[id]
 	if ok && !entry.stale() {
 		return entry.value, nil
 	}
 	value, err := r.source.Load(ctx, id)
 	if err != nil {
 		return nil, fmt.Errorf("load @ent@ %s: %w", id, err)
 	}
-	r.mu.Lock()
 	r.entries[id] = newEntry(value)
-	r.mu.Unlock()
 	return value, nil""", language="go", topic="lock",
        warnings=[(s, "request waited {n}40ms before handler ran", 1.0, 1)])


@code
def cache_key_unique(world, rng):
    s = cached(world, rng)

    def apply(v, t):
        v[s]["hit"] = max(0.02, 0.9 - 0.3 * (t + 1))
        v[s]["db_load"] = 0.3
    return Fault(s, apply, "The cache's key now holds the request's id, so nothing is ever found in it and every read reaches the database.",
        "rollback", "src/@svcid@/cachedStore.ts", "Separate cached @ent@s by caller for audit",
        """ export class Cached@Ent@Store {
-  private key(id: string, region: string): string {
-    return `@ent@:${region}:${id}`;
+  private key(id: string, region: string, ctx: RequestContext): string {
+    return `@ent@:${region}:${id}:${ctx.caller}:${ctx.requestId}`;
   }
 
-  async get(id: string, region: string): Promise<@Ent@> {
-    const hit = await this.redis.get(this.key(id, region));
+  async get(id: string, region: string, ctx: RequestContext): Promise<@Ent@> {
+    const hit = await this.redis.get(this.key(id, region, ctx));
     if (hit) return JSON.parse(hit);
     const row = await this.db.load(id, region);
-    await this.redis.set(this.key(id, region), JSON.stringify(row), "EX", 900);
+    await this.redis.set(this.key(id, region, ctx), JSON.stringify(row), "EX", 900);
     return row;""", language="ts", topic="cache")


@code
def cache_ttl_unit(world, rng):
    s = cached(world, rng)

    def apply(v, t):
        v[s]["hit"] = max(0.08, 0.88 - 0.13 * t)
    return Fault(s, apply, "The lifetime of cached entries is read as milliseconds now, and so entries live for less than a second.",
        "config-revert", "deploy/@svc@/app.yaml", "Rename cache settings to the new schema (@svc@)",
        """   cache:
     backend: redis
     address: cache.internal:6379
-    ttlSeconds: 900
+    ttl: 900          # unit is milliseconds in schema v2
     maxEntries: 200000
-    negativeTtlSeconds: 30
+    negativeTtl: 30
   metrics:
     port: 9102""", topic="cache", delay=2)


@code
def index_dropped(world, rng):
    s = rng.choice(world.with_db())

    def apply(v, t):
        v[s]["query_factor"] = 16
    return Fault(s, apply, "The migration drops the index that the commonest query uses; each one reads the whole table.",
        "roll-forward", "migrations/0147_drop_unused_indexes.sql", "Drop indexes the advisor reports as unused",
        """+-- Reported unused over 7 days by the advisor on the replica.
+BEGIN;
+DROP INDEX IF EXISTS idx_@ent@_archive_year;
+DROP INDEX IF EXISTS idx_@ent@_owner_state;
+DROP INDEX IF EXISTS idx_@ent@_import_batch;
+ALTER TABLE @ent@_history SET (fillfactor = 90);
+COMMIT;""", topic="index",
        warnings=[(s, "slow query ({n}80 ms): SELECT id, state FROM @ent@s WHERE owner_id = $1 AND state = $2", 2, 1)])


@code
def column_renamed(world, rng):
    s, up = rng.choice([(c, u) for u, c in world.inner_edges() if world.services[c]["db"]] or
                       [(c, u) for u, c in world.inner_edges()])

    def apply(v, t):
        v[up]["own_error"] = 0.42
    return Fault(s, apply, "A column was renamed by its owner, while another service still reads it by the old name.",
        "roll-forward", "migrations/0092_@ent@_grade.sql", "Rename columns to match the domain glossary",
        """+BEGIN;
+ALTER TABLE @ent@s RENAME COLUMN rating TO grade;
+ALTER TABLE @ent@s RENAME COLUMN rated_at TO graded_at;
+CREATE INDEX CONCURRENTLY IF NOT EXISTS idx_@ent@_graded_at ON @ent@s (graded_at);
+COMMENT ON COLUMN @ent@s.grade IS 'glossary: grade, 1 to 5';
+COMMIT;""", up=up, first=up, topic="index",
        errors={(up, "own"): ['ERROR: column "rating" does not exist at character 2{n} (SQLSTATE 42703)',
                              'report query failed: column "rating" does not exist']})


@code
def client_library_bump(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        v[s]["threads_factor"] = 0.24
        v[s]["calls"][dep]["extra_ms"] = 60
    return Fault(s, apply, "The newer HTTP client keeps two connections a host unless told otherwise; callers queue for one.",
        "rollback", "package.json", "Update dependencies (security advisories)",
        """   "dependencies": {
     "fastify": "^4.26.1",
-    "linkwire-http": "3.8.4",
+    "linkwire-http": "4.0.1",
     "pino": "^8.19.0",
-    "zod": "3.22.2"
+    "zod": "3.22.4"
   },""", dep=dep, language="ts", topic="dependency",
        extra=[("CHANGES.vendor.md", """+## linkwire-http 4.0.1
+- maxSocketsPerHost defaults to 2 (was unlimited); set it explicitly for high fan-out.
+- Keep-alive probes every 30 s.""")],
        warnings=[(s, "linkwire-http: {n}5 requests queued for a socket to @dep@", 2, 1)])


@code
def flag_turned_on(world, rng):
    s = rng.choice(world.with_db())

    def apply(v, t):
        v[s]["cpu_factor"] = 1.3 + min(t, 5) * 0.22
        v[s]["base_ms"] *= 3
        v[s]["own_error"] = 0.06
    return Fault(s, apply, "The flag turns on a ranking that compares every @ent@ with every other; its code had been live, unused, for hours.",
        "flag-off", "@svc@/ranking.py", "Add pairwise ranking behind a flag",
        """ def rank(candidates: list[@Ent@], ctx: Context) -> list[@Ent@]:
+    if ctx.flags.enabled("pairwise-ranking"):
+        return _rank_pairwise(candidates, ctx)
     return sorted(candidates, key=lambda c: -c.score)
+
+
+def _rank_pairwise(candidates: list[@Ent@], ctx: Context) -> list[@Ent@]:
+    wins = {c.id: 0 for c in candidates}
+    for left in candidates:
+        for right in candidates:
+            if left is not right and ctx.model.prefers(left, right):
+                wins[left.id] += 1
+    return sorted(candidates, key=lambda c: -wins[c.id])""", language="python", topic="cpu", flag="pairwise-ranking",
        errors={(s, "own"): ["rank: gave up after 1500ms with {n}00 candidates", "RankTimeout: pairwise comparison not finished"]})


@code
def shared_library_strict(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        v[s]["own_error"] = 0.35
    return Fault(s, apply, "The shared library refuses unknown fields by default now; messages of a callee carry one, and cannot be read.",
        "rollback", "@lib@/codec/options.go", "@lib@: decode strictly by default",
        """ func DefaultOptions() Options {
 	return Options{
 		MaxDepth:      32,
-		UnknownFields: Ignore,
+		UnknownFields: Reject,
 		TimeLayout:    time.RFC3339Nano,
 	}
 }
 
 // Lenient is for peers that are a version ahead.
-func Lenient() Options { return DefaultOptions() }
+func Lenient() Options {
+	o := DefaultOptions()
+	o.UnknownFields = Ignore
+	return o
+}""", dep=dep, language="go", first=s, topic="codec",
        errors={(s, "own"): ["decode reply of @dep@: unknown field \"channel\" (@lib@ codec)", "@lib@ codec: unknown field \"channel\" at depth 2"]})


@code
def missing_key(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        v[s]["own_error"] = 0.28
    return Fault(s, apply, "The new code takes for granted a field that records of older clients lack.",
        "rollback", "@svc@/handlers.py", "Show the preferred window on @ent@ summaries",
        """ def summarise(@ent@: dict) -> Summary:
     owner = @ent@["owner"]
-    window = @ent@.get("window") or DEFAULT_WINDOW
+    window = @ent@["preferences"]["window"]
     return Summary(
         title=f"{owner['name']}: {@ent@['title']}",
-        window=window,
+        window=Window.parse(window),
+        zone=@ent@["preferences"].get("zone", "UTC"),
         state=@ent@["state"],
     )""", language="python", topic="codec",
        errors={(s, "own"): ["KeyError: 'preferences'", "unhandled exception in summarise: KeyError('preferences')"]})


@code
def rate_limit_cut(world, rng):
    s, up = rng.choice([(c, u) for u, c in world.inner_edges()])

    def apply(v, t):
        v[up]["calls"][s]["error"] = 0.55
        v[up]["calls"][s]["retries"] = 0
    return Fault(s, apply, "The limit per caller was set to a tenth; the callee turns its largest caller away with 429.",
        "config-revert", "deploy/@svc@/limits.yaml", "Per-caller limits for @svc@, first numbers",
        """ limits:
   default:
-    requestsPerSecond: 600
-    burst: 900
+    requestsPerSecond: 60
+    burst: 90
   callers:
     batch:
       requestsPerSecond: 40
+      burst: 60
   response:
     status: 429""", up=up, first=up, topic="limit",
        errors={(up, "refused:" + s): ["@svc@ answered 429 Too Many Requests", "call to @svc@ refused: 429, retry-after 1"]},
        warnings=[(s, "limiter: caller @up@ over its budget, {n} rejected in the last second", 2, 1)])


@code
def memory_limit_cut(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        v[s]["limit_mb"] = world.services[s]["memory_mb"] * 0.99
    return Fault(s, apply, "The container's memory limit is now below its working set; it is killed every few minutes.",
        "config-revert", "k8s/@svc@/deployment.yaml", "Right-size requests and limits from last month's usage",
        """         resources:
           requests:
             cpu: 400m
-            memory: 768Mi
+            memory: 256Mi
           limits:
-            cpu: "2"
-            memory: 1Gi
+            cpu: "2"
+            memory: @limit@Mi
         readinessProbe:
           periodSeconds: 5""", topic="memory")


@code
def consumer_narrowed(world, rng):
    s = world.worker

    def apply(v, t):
        v[s]["drain_factor"] = 0.2
    return Fault(s, apply, "The worker takes one message at a time instead of sixteen; its queue grows steadily until the age alert.",
        "config-revert", "config/@svc@.yaml", "Keep @ent@ events in order",
        """ consumer:
   queue: @ent@.events
   group: @svc@
-  concurrency: 16
-  prefetch: 64
+  concurrency: 1
+  prefetch: 1
   ackMode: manual
   deadLetter: @ent@.events.dead
-  maxDeliveries: 5
+  maxDeliveries: 8""", topic="queue", delay=2,
        warnings=[(s, "oldest message is {n}1s old, backlog still growing", 0.8, 6)])


@code
def verbose_logging(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        v[s]["cpu_factor"] = 2.7
        v[s]["base_ms"] *= 2.4
        v[s]["disk"] = min(0.93, v[s]["disk"] + 0.004 * t)
    return Fault(s, apply, "Every payload is rendered and written synchronously; the processor is busy with logging.",
        "rollback", "src/@svcid@/server.ts", "Trace @ent@ payloads while we hunt the duplicate bug",
        """ const app = buildServer({
-  logger: { level: process.env.LOG_LEVEL ?? "info" },
+  logger: { level: "trace", transport: { target: "pino-pretty", options: { sync: true } } },
   trustProxy: true,
 });
 
+app.addHook("preSerialization", async (req, _reply, payload) => {
+  req.log.trace({ body: inspect(req.body, { depth: 12 }), payload: inspect(payload, { depth: 12 }) });
+  return payload;
+});
+
 app.register(@ent@Routes, { prefix: "/v2" });""", language="ts", topic="cpu",
        warnings=[(s, "event loop delayed by {n}7ms", 1, 1)])


@code
def regex_backtracks(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        v[s]["cpu_factor"] = 2.9 + 0.1 * min(t, 4)
        v[s]["base_ms"] *= 2
    return Fault(s, apply, "The new pattern for references backtracks exponentially on long ones, and burns the processor.",
        "rollback", "@svc@/validation.py", "Accept grouped reference numbers",
        '''-REFERENCE = re.compile(r"^[A-Z]{2}\\d{6,12}$")
+REFERENCE = re.compile(r"^(([A-Z0-9]+[- ]?)+)+[A-Z0-9]$")
 
 
 def check_reference(value: str) -> str:
     value = value.strip().upper()
-    if not REFERENCE.match(value):
+    if not REFERENCE.fullmatch(value):
         raise InvalidReference(value)
-    return value
+    return value.replace(" ", "").replace("-", "")''', language="python", topic="cpu",
        warnings=[(s, "check_reference took {n}20ms", 1.5, 1)])


@code
def header_renamed(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        v[s]["calls"][dep]["error"] = 0.8
        v[s]["calls"][dep]["retries"] = 0
    return Fault(s, apply, "The caller sends its service token under a name that the callee does not read; calls come back 401.",
        "rollback", "src/@svcid@/http/serviceClient.ts", "Unify outgoing headers",
        """ export function serviceHeaders(token: ServiceToken, traceId: string): HeadersInit {
   return {
     "content-type": "application/json",
-    "x-service-token": token.value,
-    "x-trace-id": traceId,
+    "service-authorization": `Bearer ${token.value}`,
+    "traceparent": toTraceparent(traceId),
     "x-caller": SERVICE_NAME,
   };
 }""", dep=dep, language="ts", first=s, topic="auth",
        errors={(s, "refused:" + dep): ["@dep@ answered 401: service token missing", "call to @dep@ rejected: 401 unauthenticated"]},
        warnings=[(dep, "rejected request of @svc@: no x-service-token header", 2, 1)])


@code
def producer_type_changed(world, rng):
    s, worker = world.producer, world.worker

    def apply(v, t):
        v[worker]["own_error"] = 0.5
        v[worker]["drain_factor"] = 0.45
    return Fault(s, apply, "The producer writes the quantity as text now, and the worker behind the queue expects a number.",
        "rollback", "src/main/java/com/@svcid@/events/@Ent@Changed.java", "Keep decimals in @ent@ events",
        """ public record @Ent@Changed(
     String id,
     String owner,
-    long quantity,
+    String quantity,
     Instant at) {
 
   static @Ent@Changed of(@Ent@ e) {
-    return new @Ent@Changed(e.id(), e.owner(), e.quantity().longValue(), e.updatedAt());
+    return new @Ent@Changed(e.id(), e.owner(), e.quantity().toPlainString(), e.updatedAt());
   }
 }""", up=worker, language="java", first=worker, topic="codec",
        errors={(worker, "own"): ["cannot read @ent@ event: quantity: expected number, found string \"{n}.50\"", "message rejected, delivery {n}: field quantity has the wrong type"]})


@code
def rows_not_closed(world, rng):
    s = rng.choice(world.with_db())
    pace = rng.uniform(0.022, 0.034)

    def apply(v, t):
        v[s]["leaked"] = min(0.97, pace * t)
    return Fault(s, apply, "An early return leaves the result open, and its connection is never given back; the pool drains over half an hour.",
        "rollback", "internal/store/@ent@s.go", "Stop reading @ent@s after the first match",
        """ 	rows, err := s.db.QueryContext(ctx, find@Ent@s, owner)
 	if err != nil {
 		return nil, err
 	}
-	defer rows.Close()
-	var found []*@Ent@
 	for rows.Next() {
 		var e @Ent@
 		if err := rows.Scan(&e.ID, &e.Owner, &e.State); err != nil {
 			return nil, err
 		}
-		found = append(found, &e)
+		if e.State == StateOpen {
+			return &e, nil
+		}
 	}
-	return first(found), rows.Err()
+	return nil, rows.Err()""", language="go", topic="pool", delay=2,
        errors={(s, "pool"): ["acquire connection: context deadline exceeded (pool exhausted, {n} waiting)"]})


@code
def batch_moved_to_peak(world, rng):
    s = rng.choice(world.with_db())
    start = rng.randint(14, 26)

    def apply(v, t):
        if t >= start:
            v[s]["db_load"] = world.services[s]["db_load"] + 0.75
            v[s]["query_factor"] = 3
    return Fault(s, apply, "The nightly export was moved by a change of time zone into the day; when it starts it takes the database for itself.",
        "config-revert", "k8s/@svc@/export-cronjob.yaml", "Run exports on local time",
        """ kind: CronJob
 metadata:
   name: @svc@-export
 spec:
-  schedule: "10 2 * * *"
-  timeZone: Etc/UTC
+  schedule: "@cron@ * * *"
+  timeZone: Etc/UTC
   concurrencyPolicy: Forbid
   jobTemplate:
     spec:
-      parallelism: 1
+      parallelism: 8
       template:""", topic="query", delay=0, first=s,
        warnings=[(s, "export: scanning @ent@s, chunk {n} of 400", 2, start), (s, "slow query ({n}40 ms): SELECT * FROM @ent@s WHERE id > $1 ORDER BY id", 1, start)])


@code
def executor_narrowed(world, rng):
    s = rng.choice([x for x in world.middle() if world.services[x]["calls"]] or world.middle())

    def apply(v, t):
        v[s]["threads_factor"] = 0.2
    return Fault(s, apply, "The pool of threads that serves requests is a sixteenth of what it was; requests wait, then are turned away.",
        "rollback", "src/main/java/com/@svcid@/Executors.java", "Name executor threads for easier dumps",
        """   @Bean
   Executor requestExecutor() {
-    return new ThreadPoolExecutor(64, 64, 30, SECONDS, new ArrayBlockingQueue<>(256));
+    var executor = new ThreadPoolTaskExecutor();
+    executor.setThreadNamePrefix("@ent@-request-");
+    executor.setCorePoolSize(4);
+    executor.setMaxPoolSize(64);
+    executor.setQueueCapacity(4096);
+    executor.initialize();
+    return executor;
   }""", language="java", topic="pool",
        errors={(s, "rejected"): ["request dropped: waited {n}00ms for a worker, queue 4096"]},
        warnings=[(s, "executor @ent@-request: active 4, queued {n}03", 1, 1)])


@code
def trust_store_replaced(world, rng):
    s = rng.choice(world.middle())
    world.services[s]["provider"] = True

    def apply(v, t):
        v[s]["provider_error"] = 0.95
    return Fault(s, apply, "The new base image trusts fewer authorities; the provider's chain cannot be verified any more.",
        "rollback", "Dockerfile", "@svc@: slimmer runtime image",
        """-FROM registry.internal/base/java:21-full
+FROM registry.internal/base/java:21-minimal
 
 WORKDIR /app
 COPY build/libs/@svc@.jar app.jar
-COPY certs/public-roots.pem /etc/ssl/certs/roots.pem
-ENV TRUST_STORE=/etc/ssl/certs/roots.pem
+ENV TRUST_STORE=/etc/ssl/certs/internal-ca.pem
 USER 1001
 ENTRYPOINT ["java", "-jar", "app.jar"]""", language="java", topic="tls",
        errors={(s, "provider"): ["@prov@: PKIX path building failed: unable to find valid certification path", "TLS handshake with api.@provid@.example failed: unknown authority"]})


@code
def breaker_too_tight(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        v[s]["calls"][dep]["error"] = 0.5
        v[s]["calls"][dep]["factor"] = 0.5
        v[s]["calls"][dep]["retries"] = 0
    return Fault(s, apply, "The breaker opens after one failure in a hundred calls and stays open for a minute; half of the calls never leave.",
        "config-revert", "config/@svc@/resilience.yaml", "Protect @dep@ better",
        """ breakers:
   @dep@:
     window: 100
-    failureRateThreshold: 50
+    failureRateThreshold: 1
     slowCallDuration: 2s
-    waitDurationInOpenState: 5s
-    permittedCallsInHalfOpen: 20
+    waitDurationInOpenState: 60s
+    permittedCallsInHalfOpen: 1
   audit:
     window: 50""", dep=dep, first=s, topic="retry",
        errors={(s, "refused:" + dep): ["breaker '@dep@' is open, call not permitted", "@dep@ not called: breaker open"]})


def cached(world, rng):
    s = rng.choice(world.with_db())
    world.services[s]["cache"] = True
    return s


def calm_ms(world, service):
    """What the service answers in, in the middle, on a normal minute."""
    from case_sim import Run
    return Run(world, 1).at[0][service]["p50"]
