"""A language model on loopback that speaks the vendor's protocol and says what a test tells it."""
import http.server
import json
import threading

from harness import Case, environment

KEY = "sk-test-key-0123456789"


class Vendor(http.server.BaseHTTPRequestHandler):
    """Answers with the chunks (delta, finish reason) that `server.reply` makes of a request, and with the tokens that `server.used` says;
    refuses with what `reply` says, if that is a text."""

    def log_message(self, *args):
        pass

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(request)
        self.server.path, self.server.headers = self.path, self.headers
        chunks = self.server.reply(request)
        refused = isinstance(chunks, str)
        self.send_response(401 if refused else 200)
        self.send_header("Content-Type", "application/json" if refused else "text/event-stream")
        self.end_headers()
        if refused:
            self.wfile.write(json.dumps({"error": {"message": chunks}}).encode())
            return
        for delta, finish in chunks:
            chunk = {"id": "x", "model": "test", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
            # A surrogate escape in a text leaves as the byte that it stands for: bytes that are no UTF-8.
            self.wfile.write(f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode(errors="surrogateescape"))
        if tokens := self.server.used(request):
            chunk = {"id": "x", "model": "test", "choices": [], "usage": {"prompt_tokens": tokens, "completion_tokens": 1}}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")


class AnthropicVendor(http.server.BaseHTTPRequestHandler):
    """Anthropic's Messages API: refuses what that would refuse, and streams the blocks, {"text"} or {"tool", "args"}, that
    `server.reply` makes of a request. After https://docs.anthropic.com/en/api/messages and its page on streaming."""

    def log_message(self, *args):
        pass

    def problem(self, request):
        messages = request["messages"]
        if self.path != "/v1/messages" or self.headers["x-api-key"] != KEY or not self.headers["anthropic-version"]:
            return "path or headers"
        if not request["max_tokens"] or any(m["role"] not in ("user", "assistant") for m in messages):
            return "max_tokens or a role"
        if messages[0]["role"] != "user" or any(a["role"] == b["role"] for a, b in zip(messages, messages[1:])):
            return "roles do not alternate"
        blocks = [m["content"] if isinstance(m["content"], list) else [{"type": "text", "text": m["content"]}] for m in messages]
        for now, following in zip(blocks, [*blocks[1:], []]):
            used = sorted(b["id"] for b in now if b["type"] == "tool_use")
            if used and used != sorted(b["tool_use_id"] for b in following if b["type"] == "tool_result"):
                return "a tool_use without its tool_result"
            if any(b["type"] == "text" and not b["text"].strip() for b in now):
                return "a text block without text"
        return None

    def event(self, kind, **fields):
        self.wfile.write(f"event: {kind}\ndata: {json.dumps({'type': kind} | fields)}\n\n".encode())

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(request)
        problem = self.problem(request)
        self.send_response(400 if problem else 200)
        self.send_header("Content-Type", "application/json" if problem else "text/event-stream")
        self.end_headers()
        if problem:
            error = {"type": "error", "error": {"type": "invalid_request_error", "message": problem}}
            self.wfile.write(json.dumps(error).encode())
            return
        blocks = self.server.reply(request)
        self.event("message_start", message={"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": request["model"],
                                             "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 100, "output_tokens": 1}})
        for index, block in enumerate(blocks):
            used = {"type": "tool_use", "id": f"toolu_{len(request['messages'])}_{index}", "name": block.get("tool"), "input": {}}
            self.event("content_block_start", index=index, content_block=used if "tool" in block else {"type": "text", "text": ""})
            self.event("ping")
            text = json.dumps(block["args"]) if "tool" in block else block["text"]
            for at in range(0, len(text), 9):
                piece = text[at:at + 9]
                delta = {"type": "input_json_delta", "partial_json": piece} if "tool" in block else {"type": "text_delta", "text": piece}
                self.event("content_block_delta", index=index, delta=delta)
            self.event("content_block_stop", index=index)
        stop = "tool_use" if any("tool" in block for block in blocks) else "end_turn"
        self.event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage={"output_tokens": 42})
        self.event("message_stop")


class VendorCase(Case):
    """`self.env` leads to a model of the test's own: `self.server.reply`, and `self.server.requests` that it was sent."""

    handler = Vendor

    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler)
        self.server.requests, self.server.used = [], lambda request: 0
        self.server_thread = threading.Thread(target=self.server.serve_forever)
        self.server_thread.start()
        self.env = environment(OPENAI_API_KEY=KEY, PRECEDENT_MODEL="openai/test",
                               OPENAI_BASE_URL=f"http://127.0.0.1:{self.server.server_port}/v1")

    def tearDown(self):
        self.server.shutdown()
        self.server_thread.join()
        self.server.server_close()
        super().tearDown()
