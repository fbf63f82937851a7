"""A Loki and a Tempo on one port of this machine, that answer as their references show. They take one token and one tenant."""
import base64
import http.server
import json
import re
import threading
import urllib.parse


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        fields = dict(urllib.parse.parse_qsl(url.query))
        self.server.asked.append((url.path, fields))
        if self.headers["Authorization"] != "Bearer store-token" or self.headers["X-Scope-OrgID"] != "shop":
            return self.answer(401, b"no org id\n")
        answer = self.loki(url.path, fields) if url.path.startswith("/loki/") else self.tempo(url.path, fields)
        return self.answer(404, b"404 page not found\n") if answer is None else self.answer(200, json.dumps(answer).encode())

    def loki(self, path, fields):
        lines = self.server.lines  # (seconds, labels, text)
        label = re.fullmatch(r"/loki/api/v1/label/(\w+)/values", path)
        if path == "/loki/api/v1/labels":
            return {"status": "success", "data": sorted({name for _, labels, _ in lines for name in labels})}
        if label:
            return {"status": "success", "data": sorted({labels[label[1]] for _, labels, _ in lines})}
        if path != "/loki/api/v1/query_range" or fields["direction"] != "forward":
            return None
        name, operator, value = re.match(r'\{(\w+)(=~|!=|=)"([^"]*)"', fields["query"]).groups()
        fits = {"=": lambda own: own == value, "!=": lambda own: own != value, "=~": lambda own: bool(own)}[operator]
        found = sorted((at, json.dumps(labels), text) for at, labels, text in lines
                       if int(fields["start"]) <= at * 10**9 < int(fields["end"]) and fits(labels[name]))
        streams = {}
        for at, labels, text in found[:int(fields["limit"])]:
            streams.setdefault(labels, []).append([str(at * 10**9), text])
        return {"status": "success", "data": {"resultType": "streams", "stats": {},
                                              "result": [{"stream": json.loads(k), "values": v} for k, v in streams.items()]}}

    def tempo(self, path, fields):
        traces = self.server.traces  # id: (seconds, failed, batches)
        if path == "/api/search":
            found = [{"traceID": name, "startTimeUnixNano": str(at * 10**9)} for name, (at, failed, _) in traces.items()
                     if int(fields["start"]) <= at < int(fields["end"]) and (failed or "status = error" not in fields["q"])]
            return {"traces": found[:int(fields["limit"])], "metrics": {}}
        name = path.removeprefix("/api/traces/")
        return {"batches": traces[name][2]} if name in traces else None

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def span(trace, number, parent, service, name, at, error=None):
    """A batch of one span, in protobuf's JSON: identifiers are base64."""
    def identifier(value, size):
        return base64.b64encode(value.to_bytes(size, "big")).decode()
    record = {"traceId": identifier(trace, 16), "spanId": identifier(number, 8), "name": name, "kind": "SPAN_KIND_SERVER",
              "startTimeUnixNano": str(at * 10**9), "endTimeUnixNano": str(at * 10**9 + 40_000_000), "status": {}}
    if parent:
        record["parentSpanId"] = identifier(parent, 8)
    if error is not None:
        record["status"] = {"code": "STATUS_CODE_ERROR", "message": error}
    return {"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": service}}]}, "scopeSpans": [{"spans": [record]}]}


def serve():
    """The server; its lines, traces and what it was asked are its attributes."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.lines, server.traces, server.asked = [], {}, []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
