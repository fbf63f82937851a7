"""--trace against a collector on loopback: what arrives, and that a collector which is ill changes no answer."""
import base64
import http.server
import json
import socket
import threading
import time
import unittest

from harness import NOW, Case, environment, run

QUESTION = "Show me incident INC-2025-01-20-005"


class Collector(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, dict(self.headers), json.loads(body)))
        self.send_response(self.server.status)
        self.end_headers()
        self.wfile.write(self.server.answer)


def spans_of(request):
    return request[2]["resourceSpans"][0]["scopeSpans"][0]["spans"]


def said_of_tracing(done):
    """The lines on stderr about tracing; there is one about the missing encoder as well."""
    return [line for line in done.err.splitlines() if "trac" in line]


def attributes_of(span):
    return {a["key"]: next(iter(a["value"].values())) for a in span["attributes"]}


class Tracing(Case):
    def setUp(self):
        super().setUp()
        self.copy_of_sample()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
        self.server.requests, self.server.status, self.server.answer = [], 200, b"{}"
        self.server_thread = threading.Thread(target=self.server.serve_forever)
        self.server_thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def tearDown(self):
        self.server.shutdown()
        self.server_thread.join()
        self.server.server_close()

    def env(self, **variables):
        env = {k: v for k, v in environment().items() if not k.startswith(("OTEL_", "LANGFUSE_"))}
        return env | variables

    def otlp(self, url=None):
        return self.env(OTEL_EXPORTER_OTLP_ENDPOINT=url or self.url, OTEL_EXPORTER_OTLP_HEADERS="x-key=hidden-key",
                        OTEL_SERVICE_NAME="on-call")

    def command(self, *args, env, stdin=b"", code=0, now=True):
        return self.check(run(*args, *(["--now", NOW] if now else []), "--data-dir", self.data, env=env, stdin=stdin), code)

    def test_a_turn_arrives_as_one_tree(self):
        done = self.command("ask", QUESTION, "--trace", "--json", env=self.otlp())
        self.assertEqual(said_of_tracing(done), [])
        (request,) = self.server.requests
        path, headers, body = request
        self.assertEqual((path, headers["Content-Type"], headers["x-key"]), ("/v1/traces", "application/json", "hidden-key"))
        resource = body["resourceSpans"][0]["resource"]["attributes"]
        self.assertIn({"key": "service.name", "value": {"stringValue": "on-call"}}, resource)
        spans = spans_of(request)
        self.assertEqual(len({s["traceId"] for s in spans}), 1)
        (root,) = [s for s in spans if "parentSpanId" not in s]
        self.assertEqual(root["name"], "invoke_agent precedent")
        ids = {s["spanId"] for s in spans}
        self.assertTrue(all(s["parentSpanId"] in ids for s in spans if s is not root))
        for name in ("Support Bot LLM", "Incident Report Qdrant Tool", "execute_tool lookup_incident_by_id", "Title Generator LLM"):
            self.assertIn(name, [s["name"] for s in spans])
        for span in spans:
            self.assertRegex(span["traceId"], "^[0-9a-f]{32}$")
            self.assertLessEqual(int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"]))
            self.assertEqual(attributes_of(span)["session.id"], done.json()["thread_id"])

    def test_langfuse_is_reached_with_its_keys(self):
        env = self.env(LANGFUSE_HOST=self.url, LANGFUSE_PUBLIC_KEY="pk-lf-1", LANGFUSE_SECRET_KEY="sk-lf-2")
        self.command("ask", QUESTION, "--trace", env=env)
        (request,) = self.server.requests
        self.assertEqual(request[0], "/api/public/otel/v1/traces")
        self.assertEqual(request[1]["Authorization"], "Basic " + base64.b64encode(b"pk-lf-1:sk-lf-2").decode())
        (root,) = [s for s in spans_of(request) if "parentSpanId" not in s]
        self.assertIn("INC-2025-01-20-005", attributes_of(root)["langfuse.observation.input"])
        self.assertIn("langfuse.session.id", attributes_of(root))

    def test_who_asks_is_on_every_span_and_kept_with_the_conversation(self):
        def users():
            return {attributes_of(span).get("user.id") for request in self.server.requests for span in spans_of(request)}

        env = self.otlp() | {"PRECEDENT_USER": "ana"}
        for command, stdin in ((["ask", QUESTION], b""), (["chat"], QUESTION.encode())):
            for args, user in (([], "ana"), (["--user", "user-456"], "user-456")):
                self.server.requests.clear()
                done = self.command(*command, "--trace", "--json", *args, env=env, stdin=stdin)
                self.assertEqual(users(), {user})
        thread = done.lines()[-1]["thread_id"]
        self.server.requests.clear()
        self.command("ask", "What was the resolution?", "--trace", "--resume", thread, env=self.otlp())
        self.assertIn("user-456", users())

    def test_without_the_flag_nothing_leaves(self):
        self.command("ask", QUESTION, env=self.otlp())
        self.command("chat", env=self.otlp(), stdin=QUESTION.encode())
        self.assertEqual(self.server.requests, [])

    def test_a_chat_is_a_trace_a_turn(self):
        self.command("chat", "--trace", "--json", env=self.otlp(), stdin=f"{QUESTION}\nWhat was the resolution?\n".encode())
        spans = [span for request in self.server.requests for span in spans_of(request)]
        self.assertEqual(len([s for s in spans if "parentSpanId" not in s]), 2)
        self.assertEqual(len({attributes_of(s)["session.id"] for s in spans}), 1)

    def test_a_turn_that_is_replayed_or_finished_is_traced_if_it_is_asked_for(self):
        thread = self.command("ask", QUESTION, "--json", env=self.otlp()).json()["thread_id"]
        begun = self.command("threads", "history", thread, "--json", env=self.otlp(), now=False).lines()[-1]["id"]
        self.command("threads", "replay", thread, "--at", str(begun), "--as", "silent", env=self.otlp())
        self.assertEqual(self.server.requests, [])
        self.command("threads", "replay", thread, "--at", str(begun), "--as", "again", "--trace", env=self.otlp())
        self.command("threads", "fork", thread, "--at", str(begun), "--as", "cut", env=self.otlp(), now=False)
        self.command("threads", "resume", "cut", "--trace", env=self.otlp())
        for request, name in zip(self.server.requests, ("again", "cut"), strict=True):
            spans = spans_of(request)
            self.assertIn("execute_tool lookup_incident_by_id", [s["name"] for s in spans])
            self.assertEqual({attributes_of(s)["session.id"] for s in spans}, {name})
        done = self.command("threads", "resume", "cut", "--trace", env=self.env())
        self.assertEqual(len(said_of_tracing(done)), 1, done)

    def test_secrets_stay_here(self):
        self.command("ask", "PayU answers 403 with password=hunter2xyz", "--trace", env=self.otlp())
        sent = json.dumps(self.server.requests)
        self.assertIn("[redacted", sent)
        self.assertNotIn("hunter2xyz", sent)

    def test_asked_for_without_a_collector_is_one_warning(self):
        done = self.command("ask", QUESTION, "--trace", "--json", env=self.env())
        self.assertEqual(len(said_of_tracing(done)), 1, done)
        self.assertIn("OTEL_EXPORTER_OTLP_ENDPOINT", done.err)
        self.assertEqual(done.json()["status"], "ok")

    def test_half_a_configuration_is_named(self):
        done = self.command("ask", QUESTION, "--trace", env=self.env(LANGFUSE_PUBLIC_KEY="pk-lf-1"))
        self.assertIn("LANGFUSE_SECRET_KEY is not set", done.err)

    def test_an_ill_collector_changes_no_answer(self):
        answer = self.command("ask", QUESTION, "--json", env=self.env()).json()

        def same(env, *said):
            done = self.command("ask", QUESTION, "--trace", "--json", env=env)
            for key in ("status", "answer", "sources", "title"):
                self.assertEqual(done.json()[key], answer[key])
            for text in said:
                self.assertIn(text, done.err)
            self.assertNotIn("hidden-key", done.err)
            self.assertEqual(len(said_of_tracing(done)), 1 if said else 0, done)

        same(self.otlp("http://127.0.0.1:9"), "spans were not delivered", "127.0.0.1:9")
        self.server.status = 500
        same(self.otlp(), "HTTP status 500")
        self.server.status, self.server.answer = 200, b"\xff<html>" * 100000
        same(self.otlp())

    def test_a_collector_that_never_answers_holds_the_end_up_for_a_moment_only(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            before = time.monotonic()
            done = self.command("ask", QUESTION, "--trace", env=self.otlp(f"http://127.0.0.1:{silent.getsockname()[1]}"))
            # Two seconds are allowed; a minute is a machine under load, or for ever.
            self.assertLess(time.monotonic() - before, 60)
        self.assertIn("did not answer in time", done.err)
        self.assertIn("INC-2025-01-20-005", done.out)


if __name__ == "__main__":
    unittest.main()
