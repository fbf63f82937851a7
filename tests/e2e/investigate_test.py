"""precedent investigate over live systems: an incident of PagerDuty or an alert, recorded and found out; precedent snapshot."""
import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
import unittest
import urllib.request

import json_schema
import stores
from harness import BINARY, ROOT, Case, environment, run

SCHEMA = json.loads((ROOT / "docs/format/investigation.schema.json").read_text())

BEGIN = 1_790_000_040  # of the metrics; the fault begins 60 minutes later
FAULT = BEGIN + 60 * 60
NOW = BEGIN + 90 * 60
GUARDED = """package label

func zone(a *Address) string {
	if a.Region == nil {
		return home
	}
	return a.Region.Zone
}
"""
BARE = """package label

func zone(a *Address) string {
	return a.Region.Zone
}
"""


def stamp(seconds):
    return subprocess.run(["date", "-u", "-d", f"@{seconds}", "+%Y-%m-%dT%H:%M:%SZ"], capture_output=True, text=True,
                          check=True).stdout.strip()


class PagerDuty(http.server.BaseHTTPRequestHandler):
    """Answers as the reference of the REST API shows; refuses another token."""

    def log_message(self, *args):
        pass

    def do_GET(self):
        self.server.asked.append(self.path)
        if self.path in self.server.held:
            self.server.held.pop(self.path).wait(60)
            return self.close_connection  # whoever asked was killed
        status, body = 404, {"error": {"message": "Not Found", "code": 2100}}
        if self.headers["Authorization"] != "Token token=pd-token":
            status, body = 401, {"error": {"message": "Unauthorized"}}
        elif self.path == "/incidents/77":
            status, body = 200, {"incident": {"id": "PT4KHLK", "title": "label fails", "created_at": stamp(FAULT + 300), "urgency": "high",
                                              "service": {"summary": "label"}}}
        elif self.path.startswith("/incidents/77/alerts"):
            status, body = 200, {"alerts": [{"summary": "label errors above 5 %", "severity": "critical",
                                             "body": {"details": {"log": "panic: nil pointer dereference in zone"}}}]}
        elif self.path.startswith("/incidents/77/"):
            status, body = 200, {self.path.split("/")[3].split("?")[0]: []}
        self.answer(status, json.dumps(body).encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posted.append((self.path, self.headers["From"], json.loads(body)))
        if self.path.startswith("/services/"):
            return self.answer(200, b"ok")
        if self.path.startswith("/api/chat."):
            return self.answer(200, json.dumps(self.server.slack_says).encode())
        known = self.path == "/incidents/PT4KHLK/notes" and self.headers["Authorization"] == "Token token=pd-token"
        return self.answer(201 if known else 403, b"{}")

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


class Live(Case):
    def setUp(self):
        super().setUp()
        self.pagerduty = http.server.ThreadingHTTPServer(("127.0.0.1", 0), PagerDuty)
        self.pagerduty.asked, self.pagerduty.posted, self.pagerduty.held = [], [], {}
        self.pagerduty.slack_says = {"ok": True, "channel": "C1", "ts": "1.1"}
        threading.Thread(target=self.pagerduty.serve_forever, daemon=True).start()
        self.addCleanup(self.pagerduty.server_close)
        self.addCleanup(self.pagerduty.shutdown)
        rows = [f"{BEGIN + 60 * i},{service},http_errors_ratio,{(before if i < 60 else after) * (1 + 0.01 * (i * 7 % 5))}"
                for service, before, after in (("label", 0.001, 0.6), ("web", 0.001, 0.4)) for i in range(90)]
        self.write("systems/metrics.csv", "timestamp,service,metric,value\n" + "\n".join(rows) + "\n")
        self.write("systems/alerts.json", json.dumps([{"labels": {"alertname": "LabelErrors", "service": "label", "severity": "critical"},
                                                       "annotations": {"summary": "label fails"}, "startsAt": stamp(FAULT + 300)}]))
        self.guilty = self.repository()
        self.write("deploys.jsonl", json.dumps({"time": stamp(FAULT - 60), "service": "label", "version": "2.1", "commit": self.guilty}) + "\n")
        self.tools = self.write("tools.yaml", f"""environments:
  default:
    metrics:
      snapshot: {self.folder}/systems
changes:
  repositories:
    - path: {self.folder}/shop
      name: shop
  logs: [{self.folder}/deploys.jsonl]
""")

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def git(self, *args, at=None):
        when = f"{at} +0000"
        env = {**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when} if at else None
        return subprocess.run(["git", "-C", self.folder / "shop", "-c", "user.name=Mia", "-c", "user.email=mia@example.org", *args],
                              capture_output=True, text=True, check=True, env=env).stdout.strip()

    def repository(self):
        """Returns the commit that takes a check out."""
        file = self.write("shop/services/label/zone.go", GUARDED)
        self.git("init", "-q", "-b", "main")
        self.git("add", ".")
        self.git("commit", "-qm", "Zones of labels", at=BEGIN - 86400)
        file.write_text(BARE)
        self.git("commit", "-qam", "Simplify zone", at=FAULT - 600)
        return self.git("rev-parse", "HEAD")

    def investigate(self, *args, code=0, token="pd-token", **more):
        env = environment(PAGERDUTY_URL=f"http://127.0.0.1:{self.pagerduty.server_port}", PAGERDUTY_TOKEN=token, **more)
        done = self.check(run("investigate", *args, "--tools-config", self.tools, "--now", str(stamp(NOW)), "--data-dir", self.data, env=env), code)
        if "--json" in args and done.out:
            self.shaped(done.lines()[-1]["data"] if "--stream" in args else done.json())
        return done

    def shaped(self, report):
        """Every report has the published shape."""
        self.assertEqual(json_schema.problems(report, SCHEMA), [])
        self.assertEqual(report["$schema"], SCHEMA["$id"])

    def test_an_incident_of_pagerduty_is_found_out_and_can_be_again(self):
        kept = self.folder / "kept"
        done = self.investigate("PD-77", "--record", kept, "--json")
        found = done.json()
        self.assertIn("recorded", done.err)
        self.assertEqual(found["root_cause_commit"], self.guilty)
        self.assertEqual(found["first_failing_service"], "label")
        self.assertIn("/incidents/77/notes", self.pagerduty.asked)
        again = self.investigate(kept, "--service", "label", "--json").json()
        self.assertEqual(again["root_cause_commit"], self.guilty)

    def with_stores(self):
        """A Loki and a Tempo, to which metrics leave the failing service: only web's tell of errors."""
        server = stores.serve()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        rows = [row for row in (self.folder / "systems/metrics.csv").read_text().splitlines() if ",label," not in row]
        self.write("systems/metrics.csv", "\n".join(rows) + "\n")
        label, web = {"app": "label", "pod": "label-7"}, {"app": "web", "pod": "web-1"}
        for at in range(BEGIN, NOW, 30):
            trace, bad = at - BEGIN + 1, at >= FAULT
            server.lines.append((at, web, json.dumps({"level": "info", "msg": "GET /cart", "took_ms": at % 7})))
            server.lines.append((at, label, "INFO label printed"))
            if bad:
                server.lines.append((at, label, "ERROR panic: runtime error: invalid memory address or nil pointer dereference in zone"))
            error = "nil pointer dereference" if bad else None
            server.traces[f"{trace:032x}"] = (at, bad, [stores.span(trace, 1, 0, "web", "GET /cart", at, "" if bad else None),
                                                        stores.span(trace, 2, 1, "label", "Zone", at, error)])
        self.tools.write_text(self.tools.read_text() + f"""logs:
  loki: {{url: "http://127.0.0.1:{server.server_port}", tenant: shop, token_env: STORE_TOKEN}}
traces:
  tempo: {{url: "http://127.0.0.1:{server.server_port}/", tenant: shop, token_env: STORE_TOKEN}}
""")
        return server

    def test_logs_and_traces_of_live_systems_are_evidence_and_replay_identically(self):
        server = self.with_stores()
        kept = self.folder / "kept"
        done = self.investigate("LabelErrors", "--record", kept, "--json", STORE_TOKEN="store-token")
        found = done.json()
        self.assertRegex(done.err, r"\d{3} log lines, \d{3} spans")
        self.assertEqual(found["first_failing_service"], "label")
        self.assertEqual(found["root_cause_commit"], self.guilty)
        cited = "\n".join(receipt["text"] for receipt in found["receipts"])
        for text in ("nil pointer dereference in zone", "Zone"):
            self.assertIn(text, cited)
        self.assertLessEqual({"logs", "traces"}, {each["tool"] for each in found["receipts"]})
        self.assertEqual(next(fields["query"] for path, fields in server.asked if "query" in fields), '{app="label"}')
        server.asked.clear()
        again = self.investigate("LabelErrors", "--snapshot", kept, "--json", STORE_TOKEN="store-token").json()
        self.assertEqual(again, found)
        self.assertEqual(server.asked, [], "a replay asks nobody")
        frozen = self.folder / "frozen"
        self.check(run("snapshot", frozen, "--service", "label", "--tools-config", self.tools, "--now", stamp(NOW), "--data-dir", self.data,
                       env=environment(STORE_TOKEN="store-token")), 0)
        self.assertIn("nil pointer dereference in zone", (frozen / "logs.ndjson").read_text())
        self.assertEqual(len(json.loads((frozen / "traces.json").read_text())) % 2, 0)

    def test_stores_that_refuse_are_missing_from_the_report(self):
        self.with_stores()
        found = self.investigate("LabelErrors", "--json", STORE_TOKEN="expired").json()
        missing = "\n".join(found["missing"])
        self.assertRegex(missing, r"logs could not be read: Loki at 127.0.0.1:\d+ answered with status 401 \(no org id\); check STORE_TOKEN")
        self.assertRegex(missing, r"traces could not be read: Tempo at .* check STORE_TOKEN")
        self.assertNotIn("expired", missing)
        self.assertIn("STORE_TOKEN is not set", self.investigate("LabelErrors", code=2).err)

    def test_an_active_alert_is_one_by_its_name(self):
        self.assertIn(self.guilty[:10], self.investigate("labelerrors").out)
        unknown = self.investigate("NoSuchAlert", code=1)
        self.assertIn("active are LabelErrors", unknown.err)

    def test_what_it_teaches_is_drafted_and_can_be_ingested(self):
        drafts = self.folder / "drafts"
        self.assertIn("a draft to be reviewed", self.investigate("LabelErrors", "--learn", drafts).err)
        self.assertIn(self.guilty[:10], (drafts / "postmortem.md").read_text())
        done = self.check(run("ingest", drafts, "--dry-run", "--data-dir", self.data), 0)
        self.assertRegex(done.out + done.err, r"known[_ ]issue")

    def test_the_shape_of_a_report_is_published_and_holds_for_all_kinds(self):
        self.assertEqual(self.check(run("investigate", "--schema"), 0).json(), SCHEMA)
        self.write("rb.md", "---\ntype: runbook\ntitle: label fails\nservices: [label]\n---\n\n## Looking\n\nIs it label?\n\n"
                   "## Mitigation\n\n1. Drain the printer.\n2. Restart label.\n")
        self.check(run("ingest", self.folder / "rb.md", "--data-dir", self.data), 0)
        found = self.investigate("LabelErrors", "--json").json()
        self.assertEqual([step["place"].rsplit(":", 1)[1] for step in found["runbook"]["steps"]], ["13", "14"])
        nothing = self.investigate("--service", "nobody", "--description", "nothing is wrong", "--snapshot", self.unsure(), "--json").json()
        self.assertEqual(nothing["version"], 1)
        alone = self.write("alone.json", json.dumps({"alerts": [{"labels": {"alertname": "LabelErrors", "service": "label"}, "startsAt": stamp(FAULT)}]}))
        self.tools.write_text("environments: {}\n")
        self.assertEqual(self.investigate(alone, "--json").json()["outcome"], "inconclusive")
        # The check itself finds what is wrong.
        for key, value in (("version", 2), ("outcome", "perhaps"), ("confidence", 1.5), ("receipts", [{}]), ("more", 1), ("causes", "H1")):
            self.assertTrue(json_schema.problems({**found, key: value}, SCHEMA), key)
        del found["receipts"]
        self.assertTrue(json_schema.problems(found, SCHEMA))

    def test_a_snapshot_is_made_whole_and_never_over_something(self):
        folder = self.folder / "frozen"
        args = ("snapshot", folder, "--tools-config", self.tools, "--now", stamp(NOW), "--data-dir", self.data)
        self.check(run(*args), 0)
        self.assertIn("-\tif a.Region == nil {", json.loads((folder / "context/commits.json").read_text())[0]["diff"])
        self.assertIn("holds something already", self.check(run(*args), 1).err)
        self.assertEqual(self.investigate(folder, "--json").json()["root_cause_commit"], self.guilty)

    def test_a_bundle_is_proof_elsewhere_and_a_changed_one_is_none(self):
        bundle = self.folder / "proof.json"
        done = self.investigate("PD-77", "--bundle", bundle)
        self.assertIn("signed with", done.err)
        verified = self.check(run("verify", bundle), 0)
        self.assertIn(self.guilty[:10], verified.out)
        signer = self.check(run("verify", bundle, "--json"), 0).json()["signer"]
        self.check(run("verify", bundle, "--key", signer[:8]), 0)
        self.assertIn("not with", self.check(run("verify", bundle, "--key", "0123"), 1).err)
        bundle.write_text(bundle.read_text().replace("label fails", "label works"))
        self.assertIn("the signature does not fit", self.check(run("verify", bundle), 1).err)

    def test_whom_to_page_and_what_is_downstream_come_from_the_knowledge_base(self):
        self.write("known/parcels.md", "---\ntype: ownership\ntitle: Team Parcels\nteam: Parcels\nservices: [label]\n"
                   "oncall: parcels-primary\n---\n\n# Team Parcels\n\nOwns label and its printers.\n")
        self.write("known/flow.md", "---\ntype: architecture\ntitle: How parcels leave\nservices: [web, courier]\n"
                   "dependencies: [label, parcels-db]\n---\n\n# How parcels leave\n\nweb asks label for a label.\n")
        self.check(run("ingest", self.folder / "known", "--data-dir", self.data), 0)
        found = self.investigate("LabelErrors", "--json").json()
        owner, = found["owners"]
        self.assertEqual(owner["title"], "Team Parcels")
        self.assertIn("Oncall: parcels-primary", owner["says"])
        receipts = {receipt["id"]: receipt for receipt in found["receipts"]}
        self.assertEqual(receipts[owner["receipt"]]["text"], owner["says"])
        self.assertEqual({one["service"] for one in found["downstream"]}, {"web", "courier"})
        for one in found["downstream"]:
            self.assertIn("label", receipts[one["receipt"]]["text"])
        bundle = self.folder / "proof.json"
        self.investigate("LabelErrors", "--bundle", bundle)
        inner = json.loads(json.loads(bundle.read_text())["bundle"])
        self.assertEqual(inner["report"]["owners"][0]["title"], "Team Parcels")
        self.shaped(inner["report"])
        verified = self.check(run("verify", bundle, "--json"), 0).json()
        self.assertEqual(verified["failed"], [])
        text = self.investigate("LabelErrors").out
        self.assertIn("Whom to page", text)
        self.assertIn("Downstream of label", text)

    def unsure(self):
        """A frozen incident for which two edits are as likely."""
        edits = {"a": "-\treturn lookup(id, region)\n+\treturn lookup(id, home)\n", "b": "-\tlimit := 40\n+\tlimit := 50\n"}
        frozen = self.folder / "unsure"
        self.write("unsure/metrics.csv", (self.folder / "systems/metrics.csv").read_text())
        self.write("unsure/alert.json", json.dumps({"title": "label fails", "service": "label", "fired_at": stamp(FAULT + 300)}))
        self.write("unsure/context/commits.json", json.dumps(
            [{"sha": letter * 40, "timestamp": stamp(FAULT - 600), "message": "tidy up", "files_changed": [f"services/label/{letter}.go"],
              "diff": f"@@ func zone()\n{edit}"} for letter, edit in edits.items()]))
        self.write("unsure/context/deploys.json", json.dumps(
            [{"timestamp": stamp(FAULT - 60), "service": "label", "commit_sha": letter * 40} for letter in edits]))
        return frozen

    def test_phases_are_kept_and_the_deciding_question_moves_the_verdict(self):
        frozen = self.unsure()
        done = self.investigate(frozen, "--ask", "--json", "--stream", code=4)
        lines = [json.loads(line) for line in done.out.splitlines()]
        phases = list(dict.fromkeys(line["node"] for line in lines if line["event"] == "status"))
        self.assertEqual(phases, ["triage", "hypothesise", "investigate", "evaluate"])
        self.assertEqual([line["event"] for line in lines[-2:]], ["interrupt", "report"])
        report = lines[-1]["data"]
        self.assertEqual(report["outcome"], "inconclusive")
        name = re.search(r"precedent: investigation (i-[0-9a-f]+)", done.err)[1]
        self.assertIn(f"--resume {name} --answer yes|no", done.err)
        self.assertIn("answer yes or no", self.investigate("--resume", name, "--answer", "perhaps", code=2).err)
        # The evidence is kept: nobody looks for it again.
        shutil.rmtree(frozen)
        answered = self.investigate("--resume", name, "--answer", "yes", "--json").json()
        self.assertEqual(answered["outcome"], "cause")
        self.assertEqual(answered["hypotheses"][0]["statement"], report["hypotheses"][0]["statement"])
        self.assertEqual(answered["answers"][0]["question"], report["deciding_question"]["question"])
        self.assertIn("what is complete is forgotten", self.investigate("--resume", name, code=1).err)

    def test_a_live_run_that_was_killed_is_resumed_with_its_recording_and_bundled(self):
        # Killed where it asks: two edits of one service are as likely.
        self.git("reset", "-q", "--hard", "HEAD~1")
        zone = self.folder / "shop/services/label/zone.go"
        lane = self.write("shop/services/label/lane.go", zone.read_text())
        self.git("add", ".")
        self.git("commit", "-qm", "Lanes of labels", at=BEGIN - 86300)
        for number, file in enumerate((zone, lane)):
            file.write_text(file.read_text().replace("Region.Zone", "Region.Name"))
            self.git("commit", "-qam", "Tidy up", at=FAULT - 600)
            commit = self.git("rev-parse", "HEAD")
            with open(self.folder / "deploys.jsonl", "a") as deploys:
                deploys.write(json.dumps({"time": stamp(FAULT - 60), "service": "label", "version": f"2.{number}", "commit": commit}) + "\n")
        asks = self.investigate("LabelErrors", "--ask", code=4)
        name = re.search(r"precedent: investigation (i-[0-9a-f]+)", asks.err)[1]
        evidence = self.data / "investigations/evidence" / name
        self.assertTrue((evidence / "incident.json").is_file())
        shutil.rmtree(self.folder / "systems")
        self.tools.write_text("environments: {default: {metrics: {snapshot: %s}}}\n" % evidence)
        bundle = self.folder / "proof.json"
        done = self.investigate("--resume", name, "--answer", "yes", "--bundle", bundle, "--json")
        self.assertEqual(done.json()["outcome"], "cause")
        verified = self.check(run("verify", bundle, "--json"), 0).json()
        self.assertEqual(verified["failed"], [])
        self.assertFalse(evidence.exists(), "what is complete is forgotten")

    def serve(self):
        env = environment(PAGERDUTY_URL=f"http://127.0.0.1:{self.pagerduty.server_port}", PAGERDUTY_TOKEN="pd-token")
        server = subprocess.Popen([BINARY, "serve", "--port", "0", "--tools-config", self.tools, "--now", stamp(NOW), "--data-dir", self.data],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        return server, re.search(r"http://\S+", server.stdout.readline()).group()

    def asked_of(self, url, path, body=None):
        request = urllib.request.Request(url + path, data=body and json.dumps(body).encode(), headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.loads(response.read())

    def test_what_a_server_ran_when_it_was_killed_the_next_one_goes_on_with(self):
        self.write("runbook.md", "# Labels\n\nRestart the label service.\n")
        self.check(run("ingest", self.folder / "runbook.md", "--data-dir", self.data), 0)
        held = self.pagerduty.held["/incidents/77"] = threading.Event()
        server, url = self.serve()
        name = self.asked_of(url, "/investigations", {"incident": "PD-77"})["id"]
        while "/incidents/77" not in self.pagerduty.asked:
            time.sleep(0.01)
        self.assertEqual(self.asked_of(url, f"/investigations/{name}")["state"], "running")
        server.send_signal(signal.SIGKILL)
        server.wait()
        held.set()
        server, url = self.serve()
        for _ in range(600):
            shown = self.asked_of(url, f"/investigations/{name}")
            if "ended_at" in shown:
                break
            time.sleep(0.1)
        self.assertEqual(shown["state"], "done", shown)
        self.assertEqual(shown["report"]["root_cause_commit"], self.guilty)
        self.shaped(shown["report"])
        self.assertEqual(self.asked_of(url, "/openapi.json")["components"]["schemas"]["InvestigationReport"], SCHEMA)
        self.assertFalse((self.data / "investigations/evidence" / name).exists())

    def test_a_note_is_written_only_where_it_was_asked_for(self):
        slack = f"http://127.0.0.1:{self.pagerduty.server_port}/services/secret"
        places = {"PAGERDUTY_FROM": "mia@example.org", "SLACK_WEBHOOK_URL": slack}
        self.investigate("PD-77", **places)
        self.assertEqual(self.pagerduty.posted, [])
        done = self.investigate("PD-77", "--note", **places)
        self.assertIn("wrote a note on PagerDuty's incident 77", done.err)
        (path, sender, note), (hook, _, card) = self.pagerduty.posted
        self.assertEqual((path, sender, hook), ("/incidents/PT4KHLK/notes", "mia@example.org", "/services/secret"))
        self.assertIn(self.guilty[:10], note["note"]["content"])
        self.assertIn(self.guilty[:10], json.dumps(card["blocks"]))

    def test_a_card_in_slack_has_later_states_in_its_thread(self):
        bot = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_CHANNEL": "#incidents", "SLACK_API_URL": f"http://127.0.0.1:{self.pagerduty.server_port}/api"}
        self.assertIn("SLACK_CHANNEL is not set", self.investigate("LabelErrors", "--note", code=2, SLACK_BOT_TOKEN="xoxb-1").err)
        asks = self.investigate(self.unsure(), "--ask", "--note", code=4, **bot)
        self.assertIn("wrote a card in Slack", asks.err)
        self.investigate("--resume", re.search(r"investigation (i-[0-9a-f]+)", asks.err)[1], "--answer", "yes", "--note", **bot)
        methods, _, (card, update, reply) = zip(*self.pagerduty.posted)
        self.assertEqual(methods, ("/api/chat.postMessage", "/api/chat.update", "/api/chat.postMessage"))
        self.assertIn("The deciding question", json.dumps(card["blocks"]))
        self.assertNotIn("actions", json.dumps(card["blocks"]), "nobody takes presses")
        self.assertEqual((update["channel"], update["ts"]), ("C1", "1.1"))
        self.assertIn("cause found", json.dumps(update["blocks"]))
        self.assertRegex(reply["thread_ts"] + reply["text"], r"^1\.1Answered \*yes\*")
        self.pagerduty.slack_says = {"ok": False, "error": "not_in_channel"}
        refused = self.investigate("LabelErrors", "--note", "--json", code=1, **bot)
        self.assertEqual(refused.json()["root_cause_commit"], self.guilty)
        self.assertRegex(refused.err, "a card in Slack could not be written: .*invite the app")
        self.assertNotIn("xoxb-1", refused.err)

    def test_a_note_that_cannot_be_written_costs_no_report(self):
        self.assertIn("PAGERDUTY_FROM", self.investigate("PD-77", "--note", code=2).err)
        self.assertIn("SLACK_WEBHOOK_URL", self.investigate("LabelErrors", "--note", code=2, PAGERDUTY_FROM="mia@example.org").err)
        self.assertEqual(self.pagerduty.asked, [])
        slack = f"http://127.0.0.1:{self.pagerduty.server_port}/refused/secret"
        done = self.investigate("LabelErrors", "--note", "--json", code=1, SLACK_WEBHOOK_URL=slack)
        self.assertEqual(done.json()["root_cause_commit"], self.guilty)
        self.assertIn("a message to Slack could not be written", done.err)
        self.assertNotIn("secret", done.err)

    def test_what_is_wrong_names_what_to_do(self):
        self.assertIn("PAGERDUTY_TOKEN", self.investigate("PD-77", code=1, token="expired").err)
        self.assertIn("PagerDuty has no incident 78", self.investigate("PD-78", code=1).err)


if __name__ == "__main__":
    unittest.main()
