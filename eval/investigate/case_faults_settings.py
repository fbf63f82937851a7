"""Faults of settings, schemas, limits, flags and dependencies: see case_fault.py for what each part means."""

from case_fault import Fault, cached, calm_ms, code, edge_of


@code
def pool_shrunk(world, rng):
    s = rng.choice(world.with_db())

    def apply(v, t):
        v[s]["pool_factor"] = 0.22

    return Fault(
        s,
        apply,
        "The pool of database connections was cut to an eighth of what the load "
        "holds; requests wait for a connection.",
        "config-revert",
        "deploy/@svc@/values.yaml",
        "@svc@: align database settings with the platform template",
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
       cpu: 500m""",
        topic="pool",
        errors={
            (s, "pool"): [
                "acquire connection: timed out after 2000ms (open 12, in use 12, waiting {n})"
            ]
        },
    )


@code
def timeout_lowered(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        call = v[s]["calls"][dep]
        call["timeout_ms"] = calm_ms(world, dep) * 1.15
        call["retries"] = 0

    return Fault(
        s,
        apply,
        "The client's timeout is now below what its callee takes on a normal day; "
        ""
        "a good share of calls is given up.",
        "config-revert",
        "config/@svc@/production.yaml",
        "Tighten client budgets in @svc@",
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
+    timeout: 3s""",
        dep=dep,
        first=s,
        topic="timeout",
    )


@code
def cache_ttl_unit(world, rng):
    s = cached(world, rng)

    def apply(v, t):
        v[s]["hit"] = max(0.08, 0.88 - 0.13 * t)

    return Fault(
        s,
        apply,
        "The lifetime of cached entries is read as milliseconds now, and so "
        "entries live for less than a second.",
        "config-revert",
        "deploy/@svc@/app.yaml",
        "Rename cache settings to the new schema (@svc@)",
        """   cache:
     backend: redis
     address: cache.internal:6379
-    ttlSeconds: 900
+    ttl: 900          # unit is milliseconds in schema v2
     maxEntries: 200000
-    negativeTtlSeconds: 30
+    negativeTtl: 30
   metrics:
     port: 9102""",
        topic="cache",
        delay=2,
    )


@code
def index_dropped(world, rng):
    s = rng.choice(world.with_db())

    def apply(v, t):
        v[s]["query_factor"] = 16

    return Fault(
        s,
        apply,
        "The migration drops the index that the commonest query uses; each one "
        "reads the whole table.",
        "roll-forward",
        "migrations/0147_drop_unused_indexes.sql",
        "Drop indexes the advisor reports as unused",
        """+-- Reported unused over 7 days by the advisor on the replica.
+BEGIN;
+DROP INDEX IF EXISTS idx_@ent@_archive_year;
+DROP INDEX IF EXISTS idx_@ent@_owner_state;
+DROP INDEX IF EXISTS idx_@ent@_import_batch;
+ALTER TABLE @ent@_history SET (fillfactor = 90);
+COMMIT;""",
        topic="index",
        warnings=[
            (
                s,
                "slow query ({n}80 ms): SELECT id, state FROM @ent@s WHERE owner_id = $1 AND state = $2",
                2,
                1,
            )
        ],
    )


@code
def column_renamed(world, rng):
    s, up = rng.choice(
        [(c, u) for u, c in world.inner_edges() if world.services[c]["db"]]
        or [(c, u) for u, c in world.inner_edges()]
    )

    def apply(v, t):
        v[up]["own_error"] = 0.42

    return Fault(
        s,
        apply,
        "A column was renamed by its owner, while another service still reads it "
        "by the old name.",
        "roll-forward",
        "migrations/0092_@ent@_grade.sql",
        "Rename columns to match the domain glossary",
        """+BEGIN;
+ALTER TABLE @ent@s RENAME COLUMN rating TO grade;
+ALTER TABLE @ent@s RENAME COLUMN rated_at TO graded_at;
+CREATE INDEX CONCURRENTLY IF NOT EXISTS idx_@ent@_graded_at ON @ent@s (graded_at);
+COMMENT ON COLUMN @ent@s.grade IS 'glossary: grade, 1 to 5';
+COMMIT;""",
        up=up,
        first=up,
        topic="index",
        errors={
            (up, "own"): [
                'ERROR: column "rating" does not exist at character 2{n} (SQLSTATE 42703)',
                'report query failed: column "rating" does not exist',
            ]
        },
    )


@code
def client_library_bump(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        v[s]["threads_factor"] = 0.24
        v[s]["calls"][dep]["extra_ms"] = 60

    return Fault(
        s,
        apply,
        "The newer HTTP client keeps two connections a host unless told "
        "otherwise; callers queue for one.",
        "rollback",
        "package.json",
        "Update dependencies (security advisories)",
        """   "dependencies": {
     "fastify": "^4.26.1",
-    "linkwire-http": "3.8.4",
+    "linkwire-http": "4.0.1",
     "pino": "^8.19.0",
-    "zod": "3.22.2"
+    "zod": "3.22.4"
   },""",
        dep=dep,
        language="ts",
        topic="dependency",
        extra=[
            (
                "CHANGES.vendor.md",
                """+## linkwire-http 4.0.1
+- maxSocketsPerHost defaults to 2 (was unlimited); set it explicitly for high fan-out.
+- Keep-alive probes every 30 s.""",
            )
        ],
        warnings=[(s, "linkwire-http: {n}5 requests queued for a socket to @dep@", 2, 1)],
    )


@code
def flag_turned_on(world, rng):
    s = rng.choice(world.with_db())

    def apply(v, t):
        v[s]["cpu_factor"] = 1.3 + min(t, 5) * 0.22
        v[s]["base_ms"] *= 3
        v[s]["own_error"] = 0.06

    return Fault(
        s,
        apply,
        "The flag turns on a ranking that compares every @ent@ with every other; "
        "its code had been live, unused, for hours.",
        "flag-off",
        "@svc@/ranking.py",
        "Add pairwise ranking behind a flag",
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
+    return sorted(candidates, key=lambda c: -wins[c.id])""",
        language="python",
        topic="cpu",
        flag="pairwise-ranking",
        errors={
            (s, "own"): [
                "rank: gave up after 1500ms with {n}00 candidates",
                "RankTimeout: pairwise comparison not finished",
            ]
        },
    )


@code
def shared_library_strict(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        v[s]["own_error"] = 0.35

    return Fault(
        s,
        apply,
        "The shared library refuses unknown fields by default now; messages of a "
        "callee carry one, and cannot be read.",
        "rollback",
        "@lib@/codec/options.go",
        "@lib@: decode strictly by default",
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
+}""",
        dep=dep,
        language="go",
        first=s,
        topic="codec",
        errors={
            (s, "own"): [
                'decode reply of @dep@: unknown field "channel" (@lib@ codec)',
                '@lib@ codec: unknown field "channel" at depth 2',
            ]
        },
    )


@code
def rate_limit_cut(world, rng):
    s, up = rng.choice([(c, u) for u, c in world.inner_edges()])

    def apply(v, t):
        v[up]["calls"][s]["error"] = 0.55
        v[up]["calls"][s]["retries"] = 0

    return Fault(
        s,
        apply,
        "The limit per caller was set to a tenth; the callee turns its largest "
        "caller away with 429.",
        "config-revert",
        "deploy/@svc@/limits.yaml",
        "Per-caller limits for @svc@, first numbers",
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
     status: 429""",
        up=up,
        first=up,
        topic="limit",
        errors={
            (up, "refused:" + s): [
                "@svc@ answered 429 Too Many Requests",
                "call to @svc@ refused: 429, retry-after 1",
            ]
        },
        warnings=[
            (s, "limiter: caller @up@ over its budget, {n} rejected in the last second", 2, 1)
        ],
    )


@code
def memory_limit_cut(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        v[s]["limit_mb"] = world.services[s]["memory_mb"] * 0.99

    return Fault(
        s,
        apply,
        "The container's memory limit is now below its working set; it is killed "
        "every few minutes.",
        "config-revert",
        "k8s/@svc@/deployment.yaml",
        "Right-size requests and limits from last month's usage",
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
           periodSeconds: 5""",
        topic="memory",
    )


@code
def consumer_narrowed(world, rng):
    s = world.worker

    def apply(v, t):
        v[s]["drain_factor"] = 0.2

    return Fault(
        s,
        apply,
        "The worker takes one message at a time instead of sixteen; its queue "
        "grows steadily until the age alert.",
        "config-revert",
        "config/@svc@.yaml",
        "Keep @ent@ events in order",
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
+  maxDeliveries: 8""",
        topic="queue",
        delay=2,
        warnings=[(s, "oldest message is {n}1s old, backlog still growing", 0.8, 6)],
    )


@code
def batch_moved_to_peak(world, rng):
    s = rng.choice(world.with_db())
    start = rng.randint(14, 26)

    def apply(v, t):
        if t >= start:
            v[s]["db_load"] = world.services[s]["db_load"] + 0.75
            v[s]["query_factor"] = 3

    return Fault(
        s,
        apply,
        "The nightly export was moved by a change of time zone into the day; when "
        ""
        "it starts it takes the database for itself.",
        "config-revert",
        "k8s/@svc@/export-cronjob.yaml",
        "Run exports on local time",
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
       template:""",
        topic="query",
        delay=0,
        first=s,
        warnings=[
            (s, "export: scanning @ent@s, chunk {n} of 400", 2, start),
            (s, "slow query ({n}40 ms): SELECT * FROM @ent@s WHERE id > $1 ORDER BY id", 1, start),
        ],
    )


@code
def trust_store_replaced(world, rng):
    s = rng.choice(world.middle())
    world.services[s]["provider"] = True

    def apply(v, t):
        v[s]["provider_error"] = 0.95

    return Fault(
        s,
        apply,
        "The new base image trusts fewer authorities; the provider's chain cannot "
        ""
        "be verified any more.",
        "rollback",
        "Dockerfile",
        "@svc@: slimmer runtime image",
        """-FROM registry.internal/base/java:21-full
+FROM registry.internal/base/java:21-minimal
 
 WORKDIR /app
 COPY build/libs/@svc@.jar app.jar
-COPY certs/public-roots.pem /etc/ssl/certs/roots.pem
-ENV TRUST_STORE=/etc/ssl/certs/roots.pem
+ENV TRUST_STORE=/etc/ssl/certs/internal-ca.pem
 USER 1001
 ENTRYPOINT ["java", "-jar", "app.jar"]""",
        language="java",
        topic="tls",
        errors={
            (s, "provider"): [
                "@prov@: PKIX path building failed: unable to find valid certification path",
                "TLS handshake with api.@provid@.example failed: unknown authority",
            ]
        },
    )


@code
def breaker_too_tight(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        v[s]["calls"][dep]["error"] = 0.5
        v[s]["calls"][dep]["factor"] = 0.5
        v[s]["calls"][dep]["retries"] = 0

    return Fault(
        s,
        apply,
        "The breaker opens after one failure in a hundred calls and stays open "
        "for a minute; half of the calls never leave.",
        "config-revert",
        "config/@svc@/resilience.yaml",
        "Protect @dep@ better",
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
     window: 50""",
        dep=dep,
        first=s,
        topic="retry",
        errors={
            (s, "refused:" + dep): [
                "breaker '@dep@' is open, call not permitted",
                "@dep@ not called: breaker open",
            ]
        },
    )
