"""Knowledge that comes in over HTTP: uploads, golden examples, feedback and changes, with the real program."""
import fcntl
import json
import re
import subprocess
import threading
import unittest
import urllib.error
import urllib.parse
import urllib.request

from harness import BINARY, Case, environment, run

# Its id and its title are in columns that no rule knows, and two records are too few to guess from.
INCIDENTS = "Laufnummer,Worum es ging,raised\nP-17,Press 4 printed nothing but black pages,03.02.2026\nP-18,Ink pump of press 5 leaked,13.02.2026\n"


class Uploads(Case):
    def setUp(self):
        super().setUp()
        self.write("docs/press.md", "# Drain a press\n\n## Steps\n\n1. Stop the feeder.\n2. Open the valves.\n")
        self.ingest(self.folder / "docs")
        self.write("tools.yaml", "changes:\n  logs: [deploys.jsonl]\n")
        self.start()

    def start(self):
        self.server = subprocess.Popen([BINARY, "serve", "--port", "0", "--data-dir", str(self.data), "--tools-config", str(self.folder / "tools.yaml")],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        self.addCleanup(self.stop, self.server)
        self.url = re.search(r"http://\S+", self.server.stdout.readline()).group()

    def stop(self, server):
        if server.poll() is None:
            server.kill()
        server.communicate()

    def call(self, method, path, body=None, content_type="application/json"):
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, method=method, headers={"Content-Type": content_type}, data=data)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def ok(self, method, path, body=None, status=200, **more):
        got, text = self.call(method, path, body, **more)
        self.assertEqual(got, status, text)
        return json.loads(text)

    def send(self, *files, **fields):
        parts = [f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()]
        parts += [f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: text/csv\r\n\r\n{text}\r\n' for name, text in files]
        return self.ok("POST", "/uploads", ("".join(parts) + "--b--\r\n").encode(), 201, content_type="multipart/form-data; boundary=b")

    def ingest_upload(self, upload):
        status, text = self.call("POST", f"/uploads/{upload}/ingest")
        self.assertEqual(status, 200, text)
        events = [dict(line.split(": ", 1) for line in event.split("\n")) for event in text.split("\n\n") if event and not event.startswith(":")]
        self.assertEqual(events[0]["event"], "progress", text)
        self.assertEqual(events[-1]["event"], "complete", text)
        return json.loads(events[-1]["data"])

    def document(self, name, status=200):
        return self.ok("GET", "/document?id=" + urllib.parse.quote(name, safe=""), status=status)

    def test_a_file_with_columns_of_its_own_is_reported_mapped_and_ingested(self):
        sent = self.send(("presses.csv", INCIDENTS), source="Hall 2")
        report = sent["report"]
        self.assertFalse(report["ready"], report)
        self.assertEqual(report["required_missing"][0]["field"], "incident_id")
        self.assertIn("Laufnummer", report["required_missing"][0]["columns"])
        self.assertEqual(report["files"][0]["records"], 2)
        self.assertEqual(report["files"][0]["documents"], 0)
        problem = report["files"][0]["problems"][0]
        self.assertEqual((problem["where"], problem["severity"]), ("presses.csv:2", "error"), problem)
        self.assertNotIn(str(self.folder), json.dumps(sent))
        self.assertNotIn("--map", json.dumps(sent))
        self.assertEqual(self.call("POST", f"/uploads/{sent['upload_id']}/ingest")[0], 409)

        for wrong in ({"colour": "Laufnummer"}, {"title": "No such column"}):
            status, text = self.call("PUT", f"/uploads/{sent['upload_id']}", {"map": wrong})
            self.assertEqual(status, 400, text)
            self.assertIn("'map'", json.loads(text)["detail"])
        mapping = {"incident_id": "Laufnummer", "title": "Worum es ging", "opened_at": "raised"}
        mapped = self.ok("PUT", f"/uploads/{sent['upload_id']}", {"map": mapping})["report"]
        self.assertTrue(mapped["ready"], mapped)
        columns = {column["column"]: column for column in mapped["files"][0]["columns"]}
        self.assertEqual((columns["Laufnummer"]["field"], columns["Laufnummer"]["how"]), ("incident_id", "as you mapped it"))
        self.assertEqual(columns["Laufnummer"]["example"], "P-17")
        self.assertEqual(mapped["documents"], {"added": 2, "changed": 0, "unchanged": 0})
        self.document("P-17", status=404)  # nothing is stored yet

        done = self.ingest_upload(sent["upload_id"])
        self.assertEqual((done["documents_added"], done["documents_changed"], done["unchanged"]), (2, 0, 0), done)
        shown = self.document("P-17")
        self.assertEqual((shown["title"], shown["path"], shown["source"]), ("Press 4 printed nothing but black pages", "uploads/presses.csv", "uploads:Hall 2"))
        self.assertEqual(shown["opened_at"], "2026-02-03T00:00:00Z")
        answer = self.ok("POST", "/chat/prompt", {"message": "what was P-17?"})["answer"]
        self.assertIn("black pages", answer)

        again = self.send(("presses.csv", INCIDENTS.replace("black", "blue")), source="Hall 2")
        self.ok("PUT", f"/uploads/{again['upload_id']}", {"map": mapping})
        done = self.ingest_upload(again["upload_id"])
        self.assertEqual((done["documents_added"], done["documents_changed"], done["unchanged"]), (0, 1, 1), done)
        self.assertIn("blue pages", self.document("P-17")["title"])

    def test_a_page_is_updated_by_its_name_and_removed(self):
        for text in ("# Feed ink\n\nShake the can.\n", "# Feed ink\n\nWarm the can.\n"):
            self.ingest_upload(self.send(("ink.md", text), kind="runbook")["upload_id"])
        self.start()  # a server that starts now lists it
        found = self.ok("GET", "/documents?search=warm")["documents"]
        ink = [document for document in found if document["path"] == "uploads/ink.md"]
        self.assertEqual(len(ink), 1, found)
        self.assertIn("Warm the can.", self.document(ink[0]["id"])["text"])
        self.assertEqual(self.ok("DELETE", "/document?id=" + ink[0]["id"])["removed"], 1)
        self.document(ink[0]["id"], status=404)

    def test_files_that_wait_are_gone_when_the_server_is(self):
        self.send(("presses.csv", INCIDENTS))
        waiting = [path for path in (self.data / "uploads").rglob("*.csv")]
        self.assertEqual(len(waiting), 1)
        self.assertEqual(waiting[0].stat().st_mode & 0o077, 0)
        self.server.kill()
        self.server.wait()
        self.start()
        self.assertEqual(list((self.data / "uploads").rglob("*.csv")), [])
        self.send(("presses.csv", INCIDENTS))
        self.server.terminate()
        self.assertEqual(self.server.wait(60), 0)
        self.assertEqual(list((self.data / "uploads").rglob("*.csv")), [])

    def test_a_second_writer_is_a_conflict(self):
        sent = self.send(("ink.md", "# Feed ink\n\nShake the can.\n"))
        with open(self.data / "ingest.lock", "r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            status, text = self.call("POST", f"/uploads/{sent['upload_id']}/ingest")
            self.assertEqual(status, 409, text)
            self.assertIn("wait", json.loads(text)["detail"])
            self.assertEqual(self.call("POST", "/golden", {"question": "Why?", "answer": "So."})[0], 409)
        self.ingest_upload(sent["upload_id"])

    def test_a_version_is_guessed_validated_and_kept_as_on_the_command_line(self):
        export = "id,title,severity,opened\nP-17,Press 4 printed black pages,P1,2026-02-03\n"
        upload = self.send(("july.csv", export), kind="incident")["upload_id"]
        guessed = self.ok("POST", "/datasets/guess", {"upload_id": upload, "file": "july.csv"})["mapping"]
        path = self.write("july.csv", export)
        printed = self.check(run("dataset", "guess", path), 0).out
        self.assertEqual(guessed, printed.replace(str(path), "july.csv"))
        status, text = self.call("POST", "/datasets/guess", {"upload_id": upload, "file": "june.csv"})
        self.assertEqual(status, 404)
        self.assertIn("no file 'june.csv'; its files are july.csv", text)
        page = self.send(("ink.md", "# Feed ink\n\nShake the can.\n"))["upload_id"]
        status, text = self.call("POST", "/datasets/guess", {"upload_id": page})
        self.assertEqual(status, 400)
        self.assertIn("ink.md has no records with columns", text)
        # Made on the command line, the rest here.
        self.check(run("dataset", "create", path, "--data-dir", self.data), 0)
        checked = self.ok("POST", "/datasets/1/validate")
        self.assertEqual((checked["state"], checked["difference"]["added"], checked["refused_by_limit"]), ("validated", ["P-17"], ""))
        self.ok("POST", "/datasets/1/ingest", {"int8": True})
        self.ok("POST", "/datasets/1/activate")
        limits = "fields: {title: title}\nlimits: {max_vanished: 20%}\n"
        for n in (2, 3, 4):
            made = self.send((f"{n}.csv", f"id,title\nP-{n},Press {n} stood still\n"), kind="incident")["upload_id"]
            self.ok("POST", "/datasets", {"upload_id": made, "mapping": limits}, 201)
            checked = self.ok("POST", f"/datasets/{n}/validate")
            self.assertIn("would vanish", checked["refused_by_limit"])
            self.ok("POST", f"/datasets/{n}/ingest")
            done = self.ok("POST", f"/datasets/{n}/activate", {"force": True, "why": "a drill", "keep": 1})
        self.assertEqual(done["discarded"], [2])

    def test_an_upload_over_incidents_of_the_active_version_says_so_as_an_ingest_does(self):
        path = self.write("july.csv", "id,title,description\nP-17,Jam,Press 4 stood still\nP-18,Leak,Ink leaked\n")
        self.check(run("dataset", "create", path, "--data-dir", self.data), 0)
        for step in ("validate", "ingest", "activate"):
            self.check(run("dataset", step, "1", "--data-dir", self.data), 0)
        over = "id,title,description\nP-17,Jam,Press 4 stood still for an hour\nP-19,New,Of its own\n"
        sent = self.send(("over.csv", over), kind="incident")
        warned = sent["report"]["warnings"]
        dry = self.check(run("ingest", self.write("dry.csv", over), "--dry-run", "--data-dir", self.data), 0).err
        self.assertEqual([f"note: {warning}\n" for warning in warned], [dry])
        self.assertIn("1 of these documents is in the place of incidents of version 1", warned[0])
        self.assertEqual(self.ingest_upload(sent["upload_id"])["report"]["warnings"], warned)
        own = self.send(("own.csv", "id,title,description\nP-20,New,Of its own\n"), kind="incident")
        self.assertEqual(own["report"]["warnings"], [])

    def test_golden_examples_are_what_the_command_line_sees(self):
        made = self.ok("POST", "/golden", {"question": "How is ink warmed?", "answer": "In the hand.", "sources": ["K-9"]}, 201)
        self.assertEqual((made["state"], made["unknown_sources"]), ("not reviewed", ["K-9"]))
        self.ok("POST", f"/golden/{made['id']}/review", {"by": "Ada"})
        shown = self.check(run("golden", "show", made["id"], "--json", "--data-dir", self.data), 0).json()
        self.assertEqual((shown["served"], shown["reviewed_by"]), (True, "Ada"))
        self.assertEqual(self.call("POST", "/golden", {"question": "x" * 3000, "answer": "a"})[0], 400)

    def test_feedback_becomes_a_golden_example(self):
        chat = self.ok("POST", "/chat/prompt", {"message": "how do I drain a press?"})
        given = self.ok("POST", "/feedback", {"chat_id": chat["chat_id"], "verdict": "up", "reason": "exact"}, 201)
        self.assertEqual([one["id"] for one in self.ok("GET", "/feedback?pending=true")["feedback"]], [given["id"]])
        closed = self.ok("POST", f"/feedback/{given['id']}/close", {"as": "golden", "by": "Ada"})
        self.assertEqual(closed["example"]["question"], "how do I drain a press?")
        self.assertEqual(self.ok("GET", "/golden?state=served")["examples"][0]["id"], closed["example"]["id"])

    def test_many_thumbs_at_once_are_all_kept(self):
        statuses = []
        def give(number):
            statuses.append(self.call("POST", "/feedback", {"question": f"Q{number}?", "answer": "A.", "verdict": "up"})[0])
        givers = [threading.Thread(target=give, args=(number,)) for number in range(12)]
        for giver in givers:
            giver.start()
        for giver in givers:
            giver.join()
        self.assertEqual(statuses, [201] * 12)
        self.assertEqual(len(self.ok("GET", "/feedback")["feedback"]), 12)

    def test_changes_are_told_to_the_running_server(self):
        deploy = {"time": "2026-11-17T15:40:00Z", "service": "press", "version": "2.31.0", "author": "Ada"}
        self.assertEqual(len(self.ok("POST", "/changes", deploy, 201)["appended"]), 1)
        self.assertEqual(self.ok("POST", "/changes", deploy)["known"], 1)
        self.assertEqual(len((self.folder / "deploys.jsonl").read_text().splitlines()), 1)
        told = self.check(run("tools", "call", "recent_changes", '{"window": "2026-11-17/2026-11-18"}', "--tools-config", self.folder / "tools.yaml", "--data-dir", self.data), 0)
        self.assertIn("2.31.0", told.out)
        status, text = self.call("POST", "/changes", {"changes": [deploy, {"time": "never", "service": "press"}]})
        self.assertEqual(status, 400)
        self.assertIn("record 2", json.loads(text)["detail"])
        self.write("tools.yaml", "changes: {}\n")
        status, text = self.call("POST", "/changes", deploy)
        self.assertEqual(status, 409, text)
        self.assertIn("tools.yaml", json.loads(text)["detail"])


if __name__ == "__main__":
    unittest.main()
