"""Faults of settings: limits, times, sizes. case_fault.py says what each part means."""

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
