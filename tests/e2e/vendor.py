"""A language model on loopback that speaks the vendor's protocol and says what a test tells it."""
import http.server
import json
import threading

from harness import Case, environment

KEY = "sk-test-key-0123456789"


class Vendor(http.server.BaseHTTPRequestHandler):
    """Answers with the chunks (delta, finish reason) that `server.reply` makes of a request."""

    def log_message(self, *args):
        pass

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(request)
        chunks = self.server.reply(request)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for delta, finish in chunks:
            chunk = {"id": "x", "model": "test", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")


class VendorCase(Case):
    """`self.env` leads to a model of the test's own: `self.server.reply`, and `self.server.requests` that it was sent."""

    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Vendor)
        self.server.requests = []
        self.server_thread = threading.Thread(target=self.server.serve_forever)
        self.server_thread.start()
        self.env = environment(OPENAI_API_KEY=KEY, PRECEDENT_MODEL="openai/test",
                               OPENAI_BASE_URL=f"http://127.0.0.1:{self.server.server_port}/v1")

    def tearDown(self):
        self.server.shutdown()
        self.server_thread.join()
        self.server.server_close()
        super().tearDown()
