"""Faults of schemas, flags, dependencies and images: case_fault.py says what each part means."""

from case_fault import Fault, code, edge_of


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
                "slow query ({n}80 ms): SELECT id FROM @ent@s WHERE owner_id = $1 AND state = $2",
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
