"""precedent serve on a knowledge base of one runbook, and what a client of it needs."""
import json
import re
import subprocess
import urllib.error
import urllib.request

from harness import BINARY, Case, environment, run


class Serving:
    """For a Case: what starts the program on `folder`/kb, and asks it."""

    env = None  # of the program; None: that of every run

    def ingest_documents(self, documents):
        for name, text in documents.items():
            self.write(f"docs/{name}", text)
        self.check(run("ingest", self.folder / "docs", "--data-dir", self.folder / "kb"), 0)

    def start(self, *arguments):
        server = subprocess.Popen([BINARY, "serve", "--port", "0", "--data-dir", str(self.folder / "kb"), *arguments],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.env or environment())
        self.addCleanup(self.stop, server)
        self.url = re.search(r"http://\S+", server.stdout.readline()).group()
        return server

    def stop(self, server):
        if server.poll() is None:
            server.kill()
        server.communicate()

    def call(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = "Bearer " + token
        request = urllib.request.Request(self.url + path, method=method, headers=headers,
                                         data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def events(self, text):
        return [dict(line.split(": ", 1) for line in event.split("\n")) for event in text.split("\n\n") if event and not event.startswith(":")]


class Served(Serving, Case):
    documents = {"press.md": "# Drain a press\n\n## Steps\n\n1. Stop the feeder.\n2. Open the valves.\n"}

    def setUp(self):
        super().setUp()
        self.ingest_documents(self.documents)
        self.server = self.start()
