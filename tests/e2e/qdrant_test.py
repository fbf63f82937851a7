"""A Qdrant that is away, slow or talks nonsense: what the store knows is answered, what is missing is named."""
import http.server
import json
import os
import socket
import subprocess
import threading
import unittest
import urllib.error
import urllib.request

from harness import NOW, Case, environment, run
from served_program import Served

SICK = {  # status, headers, body
    "broken": (500, {}, "panicked"),
    "busy": (429, {"Retry-After": "30"}, '{"status":{"error":"Too many requests"}}'),
    "babbling": (200, {}, '{"result": {"exists"'),
    "refusing": (401, {}, "Invalid API key or JWT"),
}


class SickQdrant:
    """Answers every request in one way; "hanging": none at all; "dead": nobody listens."""

    def __init__(self, how):
        self.asked = 0
        if how == "dead":
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.url = f"http://127.0.0.1:{free.getsockname()[1]}"
            self.stop = lambda: None
            return
        over = threading.Event()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                outer.asked += 1
                if how == "hanging":
                    over.wait()
                    return
                status, headers, body = SICK[how]
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            do_GET = do_POST = do_PUT = do_DELETE = answer

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def stop():
            over.set()
            server.shutdown()
            server.server_close()
        self.stop = stop


class Between:
    """Hands everything on to another Qdrant; once `refuses`, no points any more; `dies_at` that request, done but not
    answered, and stays dead."""

    def __init__(self, behind):
        self.refuses = False
        self.asked = 0
        self.dies_at = None
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                outer.asked += 1
                if outer.dies_at is not None and outer.asked >= outer.dies_at:
                    if outer.asked == outer.dies_at:
                        self.hand_on(body)
                    self.close_connection = True
                    return
                if outer.refuses and self.command == "PUT" and "/points" in self.path:
                    status, said = 500, b"panicked"
                else:
                    status, said = self.hand_on(body)
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

            def hand_on(self, body):
                asked = urllib.request.Request(behind + self.path, body or None, {"Content-Type": "application/json"},
                                               method=self.command)
                try:
                    with urllib.request.urlopen(asked) as response:
                        return response.status, response.read()
                except urllib.error.HTTPError as error:
                    return error.code, error.read()

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class GoneWhileAVersionBecomesActive(Case):
    """Versions 1 and 2 are ready, and 1 is active."""

    def setUp(self):
        super().setUp()
        fake = subprocess.Popen([os.environ["PRECEDENT_QDRANT_FAKE"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                text=True)
        self.addCleanup(fake.communicate)
        self.qdrant = Between(fake.stdout.readline().strip())
        self.addCleanup(self.qdrant.stop)
        config = self.write("between.yaml", f"qdrant:\n  url: {self.qdrant.url}\n  timeout: 2s\n")
        self.env = environment(PRECEDENT_CONFIG=str(config))
        for number, edition in enumerate(("one", "two"), 1):
            rows = "".join(f"INC-{i},Belt jam {i} edition {edition},It stood,carousel\n" for i in range(20))
            file = self.write(f"{edition}.csv", "incident_id,title,description,impacted_application\n" + rows)
            for step in (("create", str(file)), ("validate", str(number)), ("ingest", str(number))):
                self.dataset(*step)
        self.dataset("activate", "1")

    def dataset(self, *arguments, code=0):
        return self.check(run("dataset", *arguments, "--data-dir", self.data, env=self.env), code)

    def active(self):
        return [version["version"] for version in json.loads(self.dataset("list", "--json").out) if version["state"] == "active"]

    def assert_the_index_follows(self):
        status = self.check(run("index", "status", "--data-dir", self.data, env=self.env), 0)
        self.assertIn("holds what the store says", status.out)

    def test_what_is_active_is_said_and_the_index_follows_later(self):
        self.qdrant.refuses = True
        told = self.dataset("activate", "2", code=1).err
        self.assertIn("version 2 is active in the store, and the index does not follow it yet", told)
        self.assertEqual(self.active(), [2])
        self.qdrant.refuses = False
        self.assertIn("version 2 was active already", self.dataset("activate", "2").out)
        self.assert_the_index_follows()

    def test_dead_from_any_request_on_it_leaves_one_version_active_and_the_same_command_finishes(self):
        self.qdrant.asked = 0
        self.dataset("activate", "2")
        requests = self.qdrant.asked
        self.assertGreater(requests, 3)
        for request in range(1, requests + 1, 3):  # each takes four seconds, in which precedent tries again
            with self.subTest(request=request):
                before = self.active()[0]
                other = 3 - before
                self.qdrant.asked, self.qdrant.dies_at = 0, request
                done = run("dataset", "activate", str(other), "--data-dir", self.data, env=self.env)
                self.assertIn(self.qdrant.url.removeprefix("http://"), done.err)
                (after,) = self.active()
                if after == other:
                    self.assertIn(f"version {other} is active in the store, and the index does not follow it yet", done.err)
                else:
                    self.check(done, 1)
                self.qdrant.dies_at = None
                self.dataset("activate", str(other))
                self.assertEqual(self.active(), [other])
                self.assert_the_index_follows()


class Away(Case):
    def sick(self, how):
        qdrant = SickQdrant(how)
        self.addCleanup(qdrant.stop)
        # As an operator would set it; nobody waits for a test.
        config = self.write(f"{how}.yaml", f"qdrant:\n  url: {qdrant.url}\n  timeout: 300ms\n")
        return qdrant, environment(PRECEDENT_CONFIG=str(config))

    def test_incidents_are_looked_up_from_the_store_and_the_rest_is_named_missing(self):
        for how in ("dead", "hanging", *SICK):
            with self.subTest(how):
                qdrant, env = self.sick(how)
                look_up = ("tools", "call", "lookup_incident_by_id", '{"incident_id":"INC-2024-12-06-001"}',
                           "--data-dir", self.shared)
                there = run(*look_up)
                self.assertEqual(self.check(run(*look_up, env=env), 0).out, there.out)
                recent = ("tools", "call", "get_recent_incidents", '{"limit":3}', "--now", NOW, "--data-dir", self.shared)
                self.assertEqual(self.check(run(*recent, env=env), 0).out, run(*recent).out)
                address = qdrant.url.removeprefix("http://")
                asked = run("ask", "Show me INC-2024-12-06-001", "--now", NOW, "--data-dir", self.shared, env=env)
                self.check(asked, 0, "nothing can be searched", address)
                self.assertIn("INC-2024-12-06-001", asked.out)
                searched = run("ask", "How do I fix HTTP 403 errors in PayU?", "--now", NOW, "--data-dir", self.shared, env=env)
                self.check(searched, 1, "doc_search failed: ", address)
                # Nobody knows what would have been found.
                self.assertNotIn("Nothing in the knowledge base answers", searched.err)
                self.check(run("doctor", "--data-dir", self.shared, env=env), 1)

    def test_an_index_that_is_not_there_is_an_error_with_the_remedy(self):
        SICK["empty"] = (404, {}, '{"status":{"error":"Not found: Collection doesn\'t exist!"}}')
        self.addCleanup(SICK.pop, "empty")
        _, env = self.sick("empty")
        self.check(run("ask", "Show me INC-2024-12-06-001", "--data-dir", self.shared, env=env), 1, "answered 404")

    def test_settings_are_checked(self):
        wrong = self.write("precedent.yaml", "qdrant:\n  url: http://qdrant.example.com\n  shards: 0\n  key: secret\n")
        done = run("config", "check", wrong)
        self.check(done, 2)
        for said in (f"{wrong}:3: qdrant.shards: '0' is no whole number from 1 to 64", f"{wrong}:4: qdrant.key is unknown"):
            self.assertIn(said, done.out)
        self.assertNotIn("secret", done.out)
        self.check(run("ingest", self.write("a.md", "# A\n\ntext\n"), "--data-dir", self.data,
                       env=environment(PRECEDENT_CONFIG=str(wrong))), 2, "qdrant.key is unknown")

    def test_status_repair_and_snapshots_of_an_embedded_index(self):
        self.copy_of_sample()
        status = self.check(run("index", "status", "--json", "--data-dir", self.data), 0).json()
        self.assertEqual(status["index_change"], status["store_change"])
        self.assertEqual(status["differences"], [])
        self.assertIn("nothing to repair", self.check(run("index", "repair", "--data-dir", self.data), 0).out)
        for segment in [path for path in self.data.glob("index/*/*") if path.stat().st_size > 64]:
            segment.write_bytes(b"\xff" * segment.stat().st_size)
        self.check(run("index", "status", "--data-dir", self.data), 1)
        self.assertIn("rebuilt", self.check(run("doctor", "--repair", "--data-dir", self.data), 0).out)
        self.check(run("index", "status", "--data-dir", self.data), 0)
        self.check(run("index", "snapshot", "--data-dir", self.data), 2, "built anew from the store")
        self.check(run("index", "migrate", "--to", "qdrant", "--data-dir", self.data), 2, "no Qdrant is named")


class ServedWithoutIts(Served):
    """The server was started while its Qdrant was dead."""

    def start(self, *arguments):
        self.qdrant = SickQdrant("dead")
        config = self.write("without.yaml", f"qdrant:\n  url: {self.qdrant.url}\n  timeout: 300ms\n")
        return super().start("--config", str(config), *arguments)

    def test_it_serves_and_says_what_is_missing(self):
        status, body = self.call("GET", "/readyz")
        self.assertEqual(status, 503)
        parts = {part["name"]: part for part in json.loads(body)["parts"]}
        self.assertTrue(parts["store"]["ready"], body)
        self.assertFalse(parts["index"]["ready"], body)
        self.assertIn(self.qdrant.url.removeprefix("http://"), parts["index"]["detail"])
        self.assertEqual(self.call("GET", "/healthz")[0], 200)


if __name__ == "__main__":
    unittest.main()
