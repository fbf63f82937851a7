"""Documents from sources: a folder, a git repository, a wiki and issues, synced by the real binary."""
import http.server
import json
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from harness import BINARY, Case, environment, run


class Wiki(http.server.BaseHTTPRequestHandler):
    """Confluence Data Center with one space, as its REST documentation has it."""
    pages = {}
    fails = None

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if self.headers["Authorization"] != "Bearer wiki-secret":
            return self.answer(401, {})
        if self.fails:
            return self.answer(self.fails, {})
        if url.path.startswith("/rest/api/content/") and not url.path.endswith("search"):
            page = self.pages.get(url.path.rsplit("/", 1)[1])
            return self.answer(200 if page else 404, page or {})
        start = int(query.get("start", 0))
        pages = list(self.pages.values())
        links = {"next": f"/rest/api/content?spaceKey=OPS&start={start + 2}"} if start + 2 < len(pages) else {}
        self.answer(200, {"results": pages[start:start + 2], "_links": links})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def page(number, title, storage):
    nobody = {"results": []}
    return {"id": str(number), "type": "page", "title": title, "space": {"key": "OPS"},
            "version": {"number": 1, "when": "2026-11-20T10:00:00.000Z"}, "ancestors": [],
            "metadata": {"labels": {"results": []}}, "_links": {"webui": f"/pages/{number}"},
            "restrictions": {"read": {"restrictions": {"user": nobody, "group": nobody}}},
            "body": {"storage": {"value": storage}}}


class Server:
    """precedent serve, and what a client of it asks here."""

    def __init__(self, case, data, *args):
        self.process = subprocess.Popen([BINARY, "serve", "--port", "0", "--data-dir", str(data), *map(str, args)],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        case.addCleanup(self.kill)
        self.url = re.search(r"http://\S+", self.process.stdout.readline()).group()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def errors(self):
        return self.process.stderr.read()

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.url + path, method=method, headers={"Content-Type": "application/json"},
                                         data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                return json.load(error)

    def ask(self, question):
        return self.call("POST", "/chat/prompt", {"message": question})["answer"]

    def sources(self):
        return {source["name"]: source for source in self.call("GET", "/sources")["sources"]}


class Sources(Case):
    def sources(self, *args, code=0, **env):
        return self.check(run("sources", *args, "--data-dir", self.data, env=environment(**env)), code)

    def config(self, text):
        return self.write("sources.yaml", text)

    def git(self, *args, at="repo"):
        subprocess.run(["git", "-c", "user.name=Ana", "-c", "user.email=ana@example.com", "-C", self.folder / at, *args],
                       check=True, capture_output=True)

    def test_a_folder_and_a_repository_follow_their_changes(self):
        self.write("notes/faq.md", "# Parcels\n\nWhere is my parcel? Ask the courier.\n")
        self.write("repo/runbooks/pool.md", "# The pool is exhausted\n\n1. Drain the node.\n2. Restart the pool.\n")
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-qm", "one")
        config = self.config("sources:\n  - {name: notes, type: folder, path: notes}\n"
                             "  - {name: docs, type: git, url: repo, kind: runbook}\n")
        self.assertIn("docs                 git", self.sources("list", "--config", config).out)
        self.sources("sync", "--config", config)
        answer = self.ask("How do I fix an exhausted pool?", data=self.data)
        self.assertIn("Restart the pool", answer["answer"])
        self.assertIn("docs:runbooks/pool.md", json.dumps(answer))

        self.git("mv", "runbooks/pool.md", "runbooks/pools.md")
        self.git("commit", "-qm", "two")
        (self.folder / "notes/faq.md").unlink()
        notes, docs = self.sources("sync", "--config", config, "--json").json()
        self.assertEqual((notes["removed"], docs["added"], docs["removed"]), (1, 1, 1))
        notes, docs = self.sources("status", "--config", config, "--json").json()
        self.assertEqual((notes["documents"], docs["documents"], docs["stale"]), (0, 1, False))

    def test_a_verified_answer_comes_back_with_the_text_that_was_verified(self):
        verified = "# Parcels\n\nWhere is my parcel? Ask the courier.\n"
        self.write("notes/faq.md", verified)
        config = self.config("sources: [{name: notes, type: folder, path: notes}]")
        self.sources("sync", "--config", config)
        source = self.ask("Where is my parcel?", data=self.data)["sources"][0]["id"]
        for args in (("add", "--question", "Who has the parcels?", "--answer", "Ann.", "--source", source, "--id", "G-1"),
                     ("review", "G-1", "--by", "Ana")):
            self.check(run("golden", *args, "--data-dir", self.data), 0)
        self.write("notes/faq.md", "# Parcels\n\nWhere is my parcel? Look behind the press.\n")
        self.sources("sync", "--config", config)
        self.assertNotIn("G-1", self.ask("Who has the parcels?", data=self.data)["answer"])
        # Any command on golden examples takes out what may not be served.
        self.check(run("golden", "add", "--question", "x?", "--answer", "y", "--data-dir", self.data), 0)
        self.write("notes/faq.md", verified)
        self.sources("sync", "--config", config)
        self.assertIn("G-1", self.ask("Who has the parcels?", data=self.data)["answer"])

    def test_what_a_repository_keeps_elsewhere_is_named_and_stays_named(self):
        for name in ("repo", "library"):
            self.write(f"{name}/a.md", "# The pool is exhausted\n\n1. Drain the node.\n")
            for args in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "one")):
                self.git(*args, at=name)
        self.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", self.folder / "library", "docs/library")
        self.write("repo/docs/large.md", "version https://git-lfs.github.com/spec/v1\noid sha256:" + 64 * "0" + "\nsize 12345\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "two")
        config = self.config("sources: [{name: docs, type: git, url: repo}]")
        told = self.sources("sync", "--config", config).err
        for note in ("1 file not read: docs:docs/large.md; Git LFS keeps", "1 submodule not read: docs:docs/library; each is a repository"):
            self.assertIn(note, told)
            for _ in range(2):
                self.assertIn(note, self.sources("status", "--config", config).out)
                self.sources("sync", "--config", config)
        self.git("clone", "-q", "--depth", "1", "--bare", f"file://{self.folder}/repo", self.folder / "shallow.git")
        config = self.config("sources: [{name: shallow, type: git, url: shallow.git}]")
        refused = "shallow.git is a shallow clone, from which nothing can be fetched"
        self.assertIn(refused, self.sources("sync", "--config", config, code=1).err)
        self.assertIn(refused, self.sources("status", "--config", config, code=1).out)

    def test_too_many_deletions_are_asked_about(self):
        for i in range(30):
            self.write(f"notes/{i}.md", f"# Note {i}\n\ntext {i}\n")
        config = self.config("sources: [{name: notes, type: folder, path: notes}]")
        self.sources("sync", "--config", config)
        for i in range(1, 30):
            (self.folder / f"notes/{i}.md").unlink()
        self.assertIn("remove 29 of 30", self.sources("sync", "--config", config, code=4).err)
        self.assertIn("stale since", self.sources("status", "--config", config, code=1).out)
        self.assertIn("29 removed", self.sources("sync", "--config", config, "--yes").out)
        shutil.rmtree(self.folder / "notes")
        self.sources("sync", "--config", config, code=1)
        self.assertIn("1 documents, stale since", self.sources("status", "--config", config, code=1).out)

    def test_a_wiki_is_read_and_its_failure_keeps_what_is_known(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Wiki)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        steps = "<h2>Steps</h2><ol><li>Drain the node.</li><li>Restart the courier queue.</li></ol>"
        Wiki.pages = {str(i): page(i, f"Courier queue {i}", steps if i == 1 else "<p>Nothing here.</p>") for i in range(1, 6)}
        config = self.config(f"sources:\n  - name: wiki\n    type: confluence\n    url: http://127.0.0.1:{server.server_port}\n"
                             "    token_env: WIKI_TOKEN\n    spaces: [OPS]\n    kind: runbook\n")
        self.assertIn("has no WIKI_TOKEN", self.sources("sync", "--config", config, code=1).err)
        self.assertIn("5 added", self.sources("sync", "--config", config, WIKI_TOKEN="wiki-secret").out)
        answer = self.ask("What are the steps for courier queue 1?", data=self.data)
        self.assertIn("Restart the courier queue", answer["answer"])
        link = f"http://127.0.0.1:{server.server_port}/pages/1"
        cited = next(source for source in answer["sources"] if source["id"] == "wiki-1")
        self.assertEqual((cited["link"], cited["version"]), (link, "1"))
        self.assertIn(f"(runbook, confluence:OPS/Courier queue 1) — version 1, {link}", answer["answer"])

        told = self.sources("sync", "--config", config, "--full", code=1, WIKI_TOKEN="wiki-old")
        self.assertIn("it may have expired", told.err)
        status = self.sources("status", "--config", config, code=1)
        self.assertIn("5 documents, stale since", status.out)
        for text in (told.err, status.out, (self.data / "sources.json").read_text()):
            self.assertNotIn("wiki-old", text)
            self.assertNotIn("wiki-secret", text)

    def test_a_server_keeps_its_sources_current(self):
        self.write("notes/faq.md", "# Parcels\n\nWhere is my parcel? Ask the courier.\n")
        config = self.config("sources:\n  - {name: notes, type: folder, path: notes, every: 5s}\n"
                             "  - {name: gone, type: folder, path: missing}\n"
                             "  - {name: asked, type: folder, path: others, every: never}\n"
                             "  - {name: watched, type: folder, path: watched, watch: true, every: 24h}\n")
        self.write("watched/tea.md", "# Tea\n\nWhere is the tea? In the cellar.\n")
        server = Server(self, self.data, "--sources-config", config)
        # What never was synced is at once.
        self.until(lambda: "Ask the courier" in server.ask("Where is my parcel?"))
        shown = {source["name"]: source for source in self.until(lambda: server.sources()["gone"]["failed_at"] and server.sources()).values()}
        self.assertEqual((shown["notes"]["documents"], shown["notes"]["stale"]), (1, False))
        self.assertTrue(shown["gone"]["stale"])
        self.assertIn("check 'path'", shown["gone"]["error"])
        self.assertEqual((shown["asked"]["synced_at"], shown["asked"]["next_at"]), (None, None))
        parts = {part["name"]: part for part in server.call("GET", "/readyz")["parts"]}
        self.assertTrue(parts["sources"]["ready"])
        self.assertIn("gone was never synced: ", parts["sources"]["detail"])
        # By the schedule, without a restart.
        self.write("notes/faq.md", "# Parcels\n\nWhere is my parcel? Look behind the press.\n")
        self.until(lambda: "behind the press" in server.ask("Where is my parcel?"))
        # And when somebody asks.
        self.write("others/mugs.md", "# Mugs\n\nWhere are the mugs? Below the sink.\n")
        self.assertEqual(server.call("POST", "/sources/asked/sync"), {"name": "asked", "asked": True})
        self.until(lambda: "Below the sink" in server.ask("Where are the mugs?"))
        self.assertEqual(server.call("POST", "/sources/nobody/sync")["status"], 404)
        # And when something changes in a folder that is watched.
        self.until(lambda: "In the cellar" in server.ask("Where is the tea?"))
        self.write("watched/tea.md", "# Tea\n\nWhere is the tea? On the roof.\n")
        self.until(lambda: "On the roof" in server.ask("Where is the tea?"))
        # Others may sync and ingest meanwhile.
        self.sources("sync", "asked", "--config", config)
        self.assertEqual(server.end(), 0)

    def test_a_server_follows_its_sources_file(self):
        self.write("notes/faq.md", "# Parcels\n\nWhere is my parcel? Ask the courier.\n")
        self.write("others/mugs.md", "# Mugs\n\nWhere are the mugs? Below the sink.\n")
        notes = "sources:\n  - {name: notes, type: folder, path: notes, every: 5s}\n"
        config = self.config(notes)
        server = Server(self, self.data, "--sources-config", config)
        self.until(lambda: "Ask the courier" in server.ask("Where is my parcel?"))
        # A broken file changes nothing, and is named.
        self.config(notes + "  - {name: others, type: attic, path: others}\n")
        problem = self.until(lambda: server.call("GET", "/sources")["problem"])
        self.assertIn("sources.yaml:3: sources[1].type: 'attic' is not one of", problem)
        parts = {part["name"]: part for part in server.call("GET", "/readyz")["parts"]}
        self.assertIn("'attic'", parts["sources"]["detail"])
        self.assertEqual(list(server.sources()), ["notes"])
        # One source leaves, another comes; the documents of the first stay.
        self.config("sources:\n  - {name: others, type: folder, path: others}\n")
        self.until(lambda: "Below the sink" in server.ask("Where are the mugs?"))
        self.assertEqual(list(server.sources()), ["others"])
        self.assertEqual(server.call("GET", "/sources")["problem"], "")
        self.assertIn("Ask the courier", server.ask("Where is my parcel?"))
        self.assertEqual(server.call("POST", "/sources/notes/sync")["status"], 404)
        self.write("notes/faq.md", "# Parcels\n\nWhere is my parcel? Look behind the press.\n")
        # Longer than it took to be synced again by the schedule.
        time.sleep(7)
        self.assertIn("Ask the courier", server.ask("Where is my parcel?"))
        self.assertEqual(server.end(), 0)
        told = server.errors()
        self.assertEqual(told.count("'attic'"), 1, told)
        self.assertIn(f"source notes is no longer synced; `precedent remove --source {self.folder / 'notes'}`", told)

    def test_a_server_that_is_stopped_leaves_a_sync_that_waits(self):
        silent = socket.socket()
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        self.addCleanup(silent.close)
        config = self.config(f"sources:\n  - {{name: docs, type: git, url: 'http://127.0.0.1:{silent.getsockname()[1]}/a/b.git'}}\n")
        server = Server(self, self.data, "--sources-config", config, "--drain", "1")
        self.until(lambda: server.sources()["docs"]["activity"] == "syncing")
        self.assertEqual(server.end(), 0)

    def until(self, condition):
        end = time.monotonic() + 60
        while True:
            done = condition()
            if done:
                return done
            self.assertLess(time.monotonic(), end)
            time.sleep(.05)

    def test_a_wrong_file_is_named_with_line_and_key(self):
        config = self.config("sources:\n  - name: a\n    type: github\n    repo: a/b\n    labels: {x: runbook}\n    token_env: ghp_abc\n")
        told = self.sources("sync", "--config", config, code=2)
        self.assertIn("sources.yaml:6: sources[0].token_env", told.err)
        self.assertNotIn("ghp_abc", told.err)
        self.check(run("config", "check", config, "--data-dir", self.data), 2)
        told = run("sources", "list", "--data-dir", self.data, cwd=self.folder)
        self.assertIn("no sources.yaml", self.check(told, 2).err)

    def test_the_examples_are_as_they_should_be(self):
        root = pathlib.Path(__file__).parents[2]
        shipped = (root / "config/sources.yaml").read_text()
        self.assertEqual(self.sources("list", "--config", root / "config/sources.yaml").out, "")
        # A line of an example begins with a '#' and two blanks, others with one.
        lines = [line[1:] if line.startswith("#  ") else line for line in shipped.splitlines()]
        documented = re.search(r"```yaml\n(.*?)```", (root / "docs/sources.md").read_text(), re.S).group(1)
        for text, names in (("\n".join(lines), "notes runbooks handbook wiki old-wiki issues mill-issues"), (documented, "notes runbooks wiki issues")):
            config = self.config(text)
            self.check(run("config", "check", config, "--data-dir", self.data), 0)
            self.assertEqual([source["name"] for source in self.sources("list", "--config", config, "--json").json()], names.split())


if __name__ == "__main__":
    unittest.main()
