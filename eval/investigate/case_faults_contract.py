"""Faults of code that breaks an agreement of two services: case_fault.py says what a part means."""

from case_fault import Fault, code, edge_of


@code
def missing_key(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        v[s]["own_error"] = 0.28

    return Fault(
        s,
        apply,
        "The new code takes for granted a field that records of older clients " "lack.",
        "rollback",
        "@svc@/handlers.py",
        "Show the preferred window on @ent@ summaries",
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
     )""",
        language="python",
        topic="codec",
        errors={
            (s, "own"): [
                "KeyError: 'preferences'",
                "unhandled exception in summarise: KeyError('preferences')",
            ]
        },
    )


@code
def header_renamed(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        v[s]["calls"][dep]["error"] = 0.8
        v[s]["calls"][dep]["retries"] = 0

    return Fault(
        s,
        apply,
        "The caller sends its service token under a name that the callee does not "
        ""
        "read; calls come back 401.",
        "rollback",
        "src/@svcid@/http/serviceClient.ts",
        "Unify outgoing headers",
        """ export function serviceHeaders(token: ServiceToken, traceId: string): HeadersInit {
   return {
     "content-type": "application/json",
-    "x-service-token": token.value,
-    "x-trace-id": traceId,
+    "service-authorization": `Bearer ${token.value}`,
+    "traceparent": toTraceparent(traceId),
     "x-caller": SERVICE_NAME,
   };
 }""",
        dep=dep,
        language="ts",
        first=s,
        topic="auth",
        errors={
            (s, "refused:" + dep): [
                "@dep@ answered 401: service token missing",
                "call to @dep@ rejected: 401 unauthenticated",
            ]
        },
        warnings=[(dep, "rejected request of @svc@: no x-service-token header", 2, 1)],
    )


@code
def producer_type_changed(world, rng):
    s, worker = world.producer, world.worker

    def apply(v, t):
        v[worker]["own_error"] = 0.5
        v[worker]["drain_factor"] = 0.45

    return Fault(
        s,
        apply,
        "The producer writes the quantity as text now, and the worker behind the "
        "queue expects a number.",
        "rollback",
        "src/main/java/com/@svcid@/events/@Ent@Changed.java",
        "Keep decimals in @ent@ events",
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
 }""",
        up=worker,
        language="java",
        first=worker,
        topic="codec",
        errors={
            (worker, "own"): [
                'cannot read @ent@ event: quantity: expected number, found string "{n}.50"',
                "message rejected, delivery {n}: field quantity has the wrong type",
            ]
        },
    )
