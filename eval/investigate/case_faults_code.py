"""Faults of code that cost time, memory or connections: case_fault.py says what each part means."""

from case_fault import Fault, cached, code, edge_of


@code
def n_plus_one(world, rng):
    s = rng.choice(world.with_db())

    def apply(v, t):
        v[s]["queries_factor"], v[s]["cpu_factor"] = 9, 1.5

    return Fault(
        s,
        apply,
        "Related rows are no longer fetched with the list, so each row costs a "
        "query of its own.",
        "rollback",
        "@svc@/repository.py",
        "Return @ent@ notes in list responses",
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
+        return views""",
        language="python",
        topic="query",
        warnings=[(s, "slow request: {n}2 statements in one session for list_open", 1.5, 1)],
    )


@code
def cache_without_bound(world, rng):
    s = rng.choice(world.middle())
    leak = rng.uniform(14, 22)

    def apply(v, t):
        v[s]["leak_mb"] = leak
        v[s]["base_ms"] *= 1 + min(t, 60) / 55

    return Fault(
        s,
        apply,
        "A map keyed by session is never emptied; memory grows until the "
        "container is killed, again and again.",
        "rollback",
        "src/main/java/com/@svcid@/@Ent@Resolver.java",
        "Memoise resolved @ent@s per session",
        """ public class @Ent@Resolver {
   private final @Ent@Store store;
-  private final Cache<String, @Ent@> resolved =
-      Caffeine.newBuilder().maximumSize(20_000).expireAfterWrite(Duration.ofMinutes(5)).build();
+  private final Map<SessionKey, @Ent@> resolved = new ConcurrentHashMap<>();
 
-  public @Ent@ resolve(String id) {
-    return resolved.get(id, store::load);
+  public @Ent@ resolve(String id, Session session) {
+    return resolved.computeIfAbsent(new SessionKey(session.id(), id), k -> store.load(k.id()));
   }""",
        language="java",
        topic="memory",
        delay=4,
        warnings=[(s, "GC pause 6{n}0ms, heap {n}% used after collection", 0.6, 14)],
    )


@code
def retries_without_backoff(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        v[s]["calls"][dep]["retries"] = 6
        v[s]["calls"][dep]["factor"] = 2.6 + min(t, 6) * 0.25

    return Fault(
        s,
        apply,
        "Each call that is merely slow is sent again at once, up to six times; "
        "the callee drowns in repeated requests.",
        "rollback",
        "internal/clients/@depid@.go",
        "Hedge @ent@ lookups so that one slow replica does not stall us",
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
 }""",
        dep=dep,
        language="go",
        first=dep,
        topic="retry",
        warnings=[(s, "attempt {n} of 7 for @dep@ failed, trying again", 3, 1)],
        errors={(dep, "rejected"): ["503 shed: {n}0 requests in flight, limit reached"]},
    )


@code
def coarse_lock(world, rng):
    s = rng.choice([x for x in world.middle() if world.services[x]["calls"]] or world.middle())

    def apply(v, t):
        v[s]["serial"] = 0.97

    return Fault(
        s,
        apply,
        "A lock now covers the remote lookup as well, so requests pass one at a " "time.",
        "rollback",
        "internal/@svcid@/registry.go",
        "Fix data race on the @ent@ registry",
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
 	return value, nil""",
        language="go",
        topic="lock",
        warnings=[(s, "request waited {n}40ms before handler ran", 1.0, 1)],
    )


@code
def cache_key_unique(world, rng):
    s = cached(world, rng)

    def apply(v, t):
        v[s]["hit"] = max(0.02, 0.9 - 0.3 * (t + 1))
        v[s]["db_load"] = 0.3

    return Fault(
        s,
        apply,
        "The cache's key now holds the request's id, so nothing is ever found in "
        "it and every read reaches the database.",
        "rollback",
        "src/@svcid@/cachedStore.ts",
        "Separate cached @ent@s by caller for audit",
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
     return row;""",
        language="ts",
        topic="cache",
    )


@code
def verbose_logging(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        v[s]["cpu_factor"] = 2.7
        v[s]["base_ms"] *= 2.4
        v[s]["disk"] = min(0.93, v[s]["disk"] + 0.004 * t)

    return Fault(
        s,
        apply,
        "Every payload is rendered and written synchronously; the processor is "
        "busy with logging.",
        "rollback",
        "src/@svcid@/server.ts",
        "Trace @ent@ payloads while we hunt the duplicate bug",
        """ const app = buildServer({
-  logger: { level: process.env.LOG_LEVEL ?? "info" },
+  logger: { level: "trace", transport: { target: "pino-pretty", options: { sync: true } } },
   trustProxy: true,
 });
 
+app.addHook("preSerialization", async (req, _reply, payload) => {
+  const shown = { body: req.body, payload };
+  req.log.trace(inspect(shown, { depth: 12 }));
+  return payload;
+});
+
 app.register(@ent@Routes, { prefix: "/v2" });""",
        language="ts",
        topic="cpu",
        warnings=[(s, "event loop delayed by {n}7ms", 1, 1)],
    )


@code
def regex_backtracks(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        v[s]["cpu_factor"] = 2.9 + 0.1 * min(t, 4)
        v[s]["base_ms"] *= 2

    return Fault(
        s,
        apply,
        "The new pattern for references backtracks exponentially on long ones, "
        "and burns the processor.",
        "rollback",
        "@svc@/validation.py",
        "Accept grouped reference numbers",
        """-REFERENCE = re.compile(r"^[A-Z]{2}\\d{6,12}$")
+REFERENCE = re.compile(r"^(([A-Z0-9]+[- ]?)+)+[A-Z0-9]$")
 
 
 def check_reference(value: str) -> str:
     value = value.strip().upper()
-    if not REFERENCE.match(value):
+    if not REFERENCE.fullmatch(value):
         raise InvalidReference(value)
-    return value
+    return value.replace(" ", "").replace("-", "")""",
        language="python",
        topic="cpu",
        warnings=[(s, "check_reference took {n}20ms", 1.5, 1)],
    )


@code
def rows_not_closed(world, rng):
    s = rng.choice(world.with_db())
    pace = rng.uniform(0.022, 0.034)

    def apply(v, t):
        v[s]["leaked"] = min(0.97, pace * t)

    return Fault(
        s,
        apply,
        "An early return leaves the result open, and its connection is never "
        "given back; the pool drains over half an hour.",
        "rollback",
        "internal/store/@ent@s.go",
        "Stop reading @ent@s after the first match",
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
+	return nil, rows.Err()""",
        language="go",
        topic="pool",
        delay=2,
        errors={
            (s, "pool"): [
                "acquire connection: context deadline exceeded (pool exhausted, {n} waiting)"
            ]
        },
    )


@code
def executor_narrowed(world, rng):
    s = rng.choice([x for x in world.middle() if world.services[x]["calls"]] or world.middle())

    def apply(v, t):
        v[s]["threads_factor"] = 0.2

    return Fault(
        s,
        apply,
        "The pool of threads that serves requests is a sixteenth of what it was; "
        "requests wait, then are turned away.",
        "rollback",
        "src/main/java/com/@svcid@/Executors.java",
        "Name executor threads for easier dumps",
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
   }""",
        language="java",
        topic="pool",
        errors={(s, "rejected"): ["request dropped: waited {n}00ms for a worker, queue 4096"]},
        warnings=[(s, "executor @ent@-request: active 4, queued {n}03", 1, 1)],
    )
