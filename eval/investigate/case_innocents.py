"""Changes that did nothing wrong: TEMPTING ones speak the words of a topic, PLAIN ones do not.

Each is (file, message, diff body); none changes behaviour under load.
"""

TEMPTING = {
    "pool": [
        (
            "internal/db/pool.go",
            "Report pool usage as a gauge",
            """ func (p *Pool) Collect() {
 	stats := p.db.Stats()
 	inUse.Set(float64(stats.InUse))
+	idle.Set(float64(stats.Idle))
+	waitCount.Set(float64(stats.WaitCount))
+	// Shown beside the time to acquire a connection.
+	waitSeconds.Set(stats.WaitDuration.Seconds())
 }""",
        ),
        (
            "deploy/@svc@/values.yaml",
            "@svc@: room for more connections",
            """   database:
-    maxOpenConns: 40
+    maxOpenConns: 60
     maxIdleConns: 20
     connMaxLifetime: 30m""",
        ),
    ],
    "query": [
        (
            "@svc@/repository.py",
            "Name the slow query in traces",
            """     def find(self, @ent@_id: str) -> Row | None:
-        with self.session() as s:
+        with self.session() as s, span("db.find_@ent@"):
             return s.execute(FIND, {"id": @ent@_id}).one_or_none()""",
        )
    ],
    "memory": [
        (
            "src/main/java/com/@svcid@/Health.java",
            "Expose heap usage in health details",
            """   public Map<String, Object> details() {
+    var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
     return Map.of(
         "version", version,
+        "heapUsed", heap.getUsed(),
+        "heapMax", heap.getMax(),
         "uptime", uptime());
   }""",
        ),
        (
            "k8s/@svc@/deployment.yaml",
            "@svc@: more memory for the nightly report",
            """           limits:
-            memory: 1Gi
+            memory: 1536Mi
             cpu: "2\"""",
        ),
    ],
    "timeout": [
        (
            "config/@svc@/production.yaml",
            "@svc@: wait longer for audit",
            """   audit:
     baseUrl: http://audit:8080
-    timeout: 3s
+    timeout: 5s""",
        ),
        (
            "internal/clients/errors.go",
            "Say which call timed out",
            """ 	if errors.Is(err, context.DeadlineExceeded) {
-		return fmt.Errorf("timeout: %w", err)
+		return fmt.Errorf("%s: context deadline exceeded after %s: %w", op, budget, err)
 	}""",
        ),
    ],
    "retry": [
        (
            "internal/clients/retry.go",
            "Spread retries out",
            """ func backoff(attempt int) time.Duration {
-	return time.Duration(attempt) * 200 * time.Millisecond
+	base := time.Duration(attempt) * 250 * time.Millisecond
+	return base + time.Duration(rand.Int63n(int64(base)/2))
 }""",
        )
    ],
    "lock": [
        (
            "internal/@svcid@/registry_test.go",
            "Run registry tests with the race detector",
            """ func TestLookupConcurrent(t *testing.T) {
+	t.Parallel()
 	r := New(fakeSource{})
+	var mu sync.Mutex
+	seen := map[string]int{}
 	for i := 0; i < 64; i++ {
-		go r.Lookup(ctx, "x")
+		go func() { v, _ := r.Lookup(ctx, "x"); mu.Lock(); seen[v.ID]++; mu.Unlock() }()
 	}""",
        )
    ],
    "cache": [
        (
            "src/@svcid@/metrics.ts",
            "Count cache hits and misses by region",
            """ export const cacheReads = new Counter({
   name: "cache_reads_total",
-  labelNames: ["result"],
+  labelNames: ["result", "region"],
 });""",
        ),
        (
            "deploy/@svc@/app.yaml",
            "@svc@: larger cache",
            """   cache:
-    maxEntries: 100000
+    maxEntries: 150000
     backend: redis""",
        ),
    ],
    "index": [
        (
            "migrations/0150_@ent@_search_index.sql",
            "Index @ent@s by last change",
            """+CREATE INDEX CONCURRENTLY IF NOT EXISTS
+    idx_@ent@_updated_at ON @ent@s (updated_at DESC);
+ANALYZE @ent@s;""",
        )
    ],
    "dependency": [
        (
            "requirements.txt",
            "Update pinned test tools",
            """ fastapi==0.110.0
 httpx==0.27.0
-pytest==8.0.2
-pytest-asyncio==0.23.4
+pytest==8.1.1
+pytest-asyncio==0.23.6""",
        )
    ],
    "cpu": [
        (
            "@svc@/ranking.py",
            "Precompute weights once at start",
            """-def weight(kind: str) -> float:
-    return load_weights()[kind]
+_WEIGHTS = load_weights()
+
+
+def weight(kind: str) -> float:
+    return _WEIGHTS[kind]""",
        ),
        (
            "k8s/@svc@/hpa.yaml",
            "@svc@: scale earlier on CPU",
            """   metrics:
   - type: Resource
     resource:
       name: cpu
       target:
-        averageUtilization: 80
+        averageUtilization: 70""",
        ),
    ],
    "codec": [
        (
            "src/main/java/com/@svcid@/api/@Ent@Json.java",
            "Name the field in parse errors",
            """     } catch (JsonProcessingException e) {
-      throw new BadRequest("cannot parse @ent@");
+      throw new BadRequest("cannot parse @ent@: field " + e.getPathReference(), e);
     }""",
        ),
        (
            "@svc@/schemas.py",
            "Document optional preferences",
            """ class @Ent@In(BaseModel):
     title: str
-    preferences: dict | None = None
+    preferences: dict | None = Field(None, description="absent for older clients")""",
        ),
    ],
    "limit": [
        (
            "deploy/@svc@/limits.yaml",
            "@svc@: higher limit for batch",
            """   callers:
     batch:
-      requestsPerSecond: 40
+      requestsPerSecond: 80
       burst: 120""",
        )
    ],
    "queue": [
        (
            "@svc@/dashboard.json",
            "Show queue age on the dashboard",
            """   "panels": [
     { "title": "Queue depth", "expr": "queue_depth" },
+    { "title": "Oldest message", "expr": "queue_oldest_age_seconds", "unit": "s" },
     { "title": "Deliveries", "expr": "rate(deliveries_total[5m])" }""",
        ),
        (
            "config/@svc@.yaml",
            "Name the consumer",
            """ consumer:
   queue: @ent@.events
-  group: default
+  group: default
+  tag: @svc@-${HOSTNAME}
   concurrency: 16""",
        ),
    ],
    "auth": [
        (
            "src/@svcid@/http/errors.ts",
            "Answer 401 with a reason",
            """-  if (!token) return reply.code(401).send();
+  if (!token) return reply.code(401).send({ reason: "no service token" });""",
        )
    ],
    "tls": [
        (
            "docs/runbooks/certificates.md",
            "How to read a failed handshake",
            """ ## Certificates
+If a handshake fails, look at the chain first:
+`openssl s_client -connect HOST:443 -showcerts`
+An unknown authority and an expired certificate look alike in our logs.""",
        ),
        (
            "internal/tlsconf/config.go",
            "Log the peer's name when TLS fails",
            """ 	if err := conn.Handshake(); err != nil {
-		return err
+		return fmt.Errorf("tls handshake with %s: %w", conn.RemoteAddr(), err)
 	}""",
        ),
    ],
    "provider": [
        (
            "src/@svcid@/provider/client.ts",
            "Tag provider metrics with the endpoint",
            """   const started = performance.now();
   const res = await fetch(url, init);
-  providerLatency.observe(performance.now() - started);
+  providerLatency.labels(endpointOf(url)).observe(performance.now() - started);
   return res;""",
        )
    ],
}

PLAIN = [
    (
        "@svc@/README.md",
        "Describe local setup",
        """ ## Run it here
-    make run
+    make deps run
+
+The fixtures hold twelve @ent@s; see `fixtures/`.""",
    ),
    (
        "web/src/components/@Ent@Card.tsx",
        "Show state with an icon",
        """   return (
-    <Card title={@ent@.title}>{@ent@.state}</Card>
+    <Card title={@ent@.title}>
+      <StateIcon state={@ent@.state} /> {@ent@.state}
+    </Card>
   );""",
    ),
    (
        "internal/@svcid@/names.go",
        "Rename helper",
        """-func mk@Ent@Id(n int) string {
+func format@Ent@ID(n int) string {
 	return fmt.Sprintf("@ent@-%06d", n)
 }""",
    ),
    (
        "@svc@/tests/test_dates.py",
        "Test the turn of the year",
        """ def test_week():
     assert week(date(2026, 1, 5)) == 2
+
+
+def test_last_week_of_a_long_year():
+    assert week(date(2026, 12, 31)) == 53""",
    ),
    (
        "src/main/java/com/@svcid@/api/@Ent@Controller.java",
        "Add a read-only summary endpoint",
        """+  @GetMapping("/{id}/summary")
+  Summary summary(@PathVariable String id) {
+    return Summary.of(service.find(id));
+  }
+
   @GetMapping("/{id}")
   @Ent@Dto get(@PathVariable String id) {""",
    ),
    (
        "deploy/@svc@/values.yaml",
        "@svc@: label pods with the team",
        """   podLabels:
     app: @svc@
+    team: core
+    cost-center: "4411\"""",
    ),
    (
        "src/@svcid@/copy/en.json",
        "Wording of the confirmation",
        """-  "confirm.title": "Done!",
+  "confirm.title": "Your @ent@ is confirmed",
   "confirm.back": "Back to overview",""",
    ),
    (
        "@svc@/export.py",
        "Write the unit into the CSV header",
        """-HEADER = ["id", "title", "amount"]
+HEADER = ["id", "title", "amount_eur"]""",
    ),
    (
        "internal/@svcid@/log.go",
        "Log the route template instead of the path",
        """ 	log.Info("request",
-		"path", r.URL.Path,
+		"route", routeOf(r),
 		"status", status)""",
    ),
    (
        ".github/workflows/build.yml",
        "Cache the toolchain in CI",
        """       - uses: actions/checkout@v4
+      - uses: actions/cache@v4
+        with:
+          path: ~/.cache/build
+          key: build-${{ hashFiles('**/lock*') }}""",
    ),
]
