"""The web page in a real browser: Debian's Chromium, driven by playwright-core; accessibility by axe-core.

PRECEDENT_PICTURES=docs/page with the arguments Pictures FirstRunPictures InvestigationPictures takes the pictures of docs/page.md anew.
"""
import datetime
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import threading
import unittest

from harness import ROOT, run
from served import Served
from vendor import Vendor, VendorCase

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")


INCIDENT = {"incident_id": "INC-2026-05-02-002", "title": "Vault sealed", "description": "The vault was sealed for an hour.",
            "impacted_application": "Payroll", "opened_at": "2026-05-02T10:00:00Z"}


class Browsed(Served):
    @classmethod
    def setUpClass(cls):
        if not CHROMIUM:
            raise (AssertionError if os.environ.get("CI") else unittest.SkipTest)("no chromium; run scripts/install-packages test")
        super().setUpClass()

    def browse(self, part, *more):
        self.run_script("page.mjs", part, self.url, CHROMIUM, *more)


class Page(Browsed):
    def test_a_question_its_work_and_its_evidence(self):
        self.browse("evidence")

    def test_conversations_are_renamed_found_forked_and_put_away(self):
        self.browse("conversations")

    def test_the_steps_of_a_conversation_are_replayed_and_gone_on_from(self):
        self.browse("steps")

    def test_nothing_sticks_out_on_a_phone(self):
        self.browse("phone")

    def test_nobody_who_cannot_see_or_use_a_mouse_is_left_out_of_a_chat(self):
        self.browse("chatAccess", "light")

    def test_nor_in_the_dark(self):
        self.browse("chatAccess", "dark")


class Forge(http.server.BaseHTTPRequestHandler):
    """Shows one file of a repository."""

    def do_GET(self):
        there = self.path.startswith("/ops/src/") and self.path.endswith("/heat/boiler.md")
        self.send_response(200 if there else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<link rel=icon href=data:,><p>The forge shows it</p>" if there else b"")

    def log_message(self, *_):
        pass


class FromSource(Browsed):
    """A runbook comes from a repository, whose forge shows its files."""

    def test_a_document_of_a_source_is_opened_where_it_lives(self):
        forge = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Forge)
        threading.Thread(target=forge.serve_forever, daemon=True).start()
        self.addCleanup(forge.server_close)
        self.addCleanup(forge.shutdown)
        self.write("repo/heat/boiler.md", "# Bleed a boiler\n\n## Steps\n\n1. Close the inlet.\n2. Open the vent.\n")
        git = ["git", "-C", self.folder / "repo", "-c", "user.name=Mia", "-c", "user.email=mia@example.org"]
        for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "Boilers"]):
            subprocess.run([*git, *command], check=True, capture_output=True)
        commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
        address = f"http://127.0.0.1:{forge.server_port}/ops/src"
        config = self.write("sources.yaml", "sources: [{name: ops, type: git, url: repo, kind: runbook, "
                            f'link: "{address}/{{commit}}/{{path}}"}}]')
        self.check(run("sources", "sync", "--config", config, "--data-dir", self.data), 0)
        self.serve()
        self.browse("sourceLink", f"{address}/{commit}/heat/boiler.md")


class WithIncident(Browsed):
    """An incident is known, beside the runbook."""

    def setUp(self):
        super().setUp()
        self.write("more/incidents.json", json.dumps([INCIDENT]))
        self.ingest(self.folder / "more")
        self.serve()


class Knowledge(WithIncident):
    def test_documents_are_filtered_found_read_at_a_line_and_deleted(self):
        self.browse("documents")

    def test_a_bad_file_is_told_what_is_wrong_and_a_good_one_is_ingested(self):
        self.browse("uploads")

    def test_a_version_is_prepared_activated_and_gone_back_to(self):
        self.browse("versions")

    def test_an_investigation_is_ordered_watched_and_found_again(self):
        self.browse("investigations")

    def test_feedback_becomes_a_golden_example(self):
        self.browse("review")

    def test_nobody_who_cannot_see_or_use_a_mouse_is_left_out_of_what_is_known(self):
        self.browse("knowledgeAccess", "light")

    def test_nor_in_the_dark(self):
        self.browse("knowledgeAccess", "dark")


class SignedIn(WithIncident):
    """People who are known by their tokens."""

    def setUp(self):
        super().setUp()
        self.reader = self.token("rita", "--role", "reader", "--kind", "runbook")
        self.editor = self.token("ed", "--role", "editor")

    def token(self, name, *options):
        return self.check(run("tokens", "create", name, *options, "--data-dir", self.data), 0).out.strip()

    def test_a_reader_does_not_see_what_an_editor_sees(self):
        self.browse("signIn", self.reader, self.editor)

    def test_everybody_can_sign_in(self):
        self.browse("signInAccess", "light")

    def test_nor_in_the_dark(self):
        self.browse("signInAccess", "dark")


class KnowsNothing(Browsed):
    def setUp(self):
        super().setUp()
        self.data = self.folder / "nothing"
        self.serve()


class FirstRun(KnowsNothing):
    def test_whoever_knows_nothing_yet_is_told_how_to_begin(self):
        self.browse("firstRun")


def stamp(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class TwoChanges(Browsed):
    """A service fails, and either of two changes may be why."""

    BEGIN = 1_790_000_040  # of the metrics
    FAULT = BEGIN + 60 * 60

    def setUp(self):
        super().setUp()
        rows = [f"{self.BEGIN + 60 * i},{service},http_errors_ratio,{(0.001 if i < 60 else after) * (1 + 0.01 * (i * 7 % 5))}"
                for service, after in (("label", 0.6), ("web", 0.4)) for i in range(90)]
        self.write("systems/metrics.csv", "\n".join(["timestamp,service,metric,value", *rows, ""]))
        self.write("systems/alerts.json", json.dumps(
            [{"labels": {"alertname": "LabelErrors", "service": "label", "severity": "critical"},
              "annotations": {"summary": "label fails"}, "startsAt": stamp(self.FAULT + 300)}]))
        self.write("deploys.jsonl", "".join(
            json.dumps({"time": stamp(self.FAULT - 60), "service": "label", "version": f"2.{i}", "commit": commit}) + "\n"
            for i, commit in enumerate(self.changes())))
        self.write("tools.yaml", f"""environments: {{default: {{metrics: {{snapshot: {self.folder}/systems}}}}}}
changes: {{repositories: [{{path: {self.folder}/shop, name: shop}}], logs: [{self.folder}/deploys.jsonl]}}
""")
        self.write("known/parcels.md", "---\ntype: ownership\ntitle: Team Parcels\nteam: Parcels\nservices: [label]\n"
                   "oncall: parcels-primary\n---\n\n# Team Parcels\n\nOwns label and its printers.\n")
        self.write("known/label.md", "---\ntype: runbook\ntitle: LabelErrors\nservices: [label]\n---\n\n# LabelErrors: label fails\n\n"
                   "## Steps\n\n1. Restart `printd`.\n2. Send a label that fails again.\n")
        self.write("known/flow.md", "---\ntype: architecture\ntitle: How parcels leave\nservices: [web, courier]\n"
                   "dependencies: [label, parcels-db]\n---\n\n# How parcels leave\n\nweb asks label for a label.\n")
        self.ingest(self.folder / "known")
        self.serve("--tools-config", str(self.folder / "tools.yaml"), "--now", stamp(self.FAULT + 30 * 60))

    def git(self, *arguments, at=0):
        when = f"{at} +0000"
        return subprocess.run(["git", "-C", self.folder / "shop", "-c", "user.name=Mia", "-c", "user.email=mia@example.org", *arguments],
                              capture_output=True, text=True, check=True,
                              env={**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}).stdout.strip()

    def changes(self):
        """The commits."""
        code = {"a": "func zone() string {\n\treturn lookup(id, region)\n}\n", "b": "func most() int {\n\tlimit := 40\n\treturn limit\n}\n"}
        for name, text in code.items():
            self.write(f"shop/services/label/{name}.go", f"package label\n\n{text}")
        self.git("init", "-q", "-b", "main")
        self.git("add", ".")
        self.git("commit", "-qm", "Zones of labels", at=self.BEGIN - 86400)
        for name, text in code.items():
            self.write(f"shop/services/label/{name}.go", "package label\n\n" + text.replace("region", "home").replace("40", "50"))
            self.git("commit", "-qam", f"tidy up {name}", at=self.FAULT - 600)
            yield self.git("rev-parse", "HEAD")


class Investigated(TwoChanges):
    def test_the_deciding_question_is_asked_and_answered(self):
        self.browse("decidingQuestion")


class SampleSystems(Browsed):
    """The sample company with its systems, by the paths that everybody has."""

    def setUp(self):
        super().setUp()
        subprocess.run([ROOT / "scripts/sample-systems"], check=True, capture_output=True)
        self.data = self.folder / "pictured"
        for what in (["examples"], ["--repo", "build/sample/platform"]):
            self.check(run("ingest", *what, "--data-dir", self.data, cwd=ROOT), 0)
        self.serve("--tools-config", str(ROOT / "sample-systems/tools.yaml"), "--now", "2026-11-18T09:30:00Z", cwd=ROOT)


class Story(SampleSystems):
    def test_metrics_are_drawn_and_code_and_incidents_are_shown(self):
        self.browse("story")


def pictures():
    """The folder they go to."""
    folder = os.environ.get("PRECEDENT_PICTURES")
    if not folder:
        raise unittest.SkipTest("PRECEDENT_PICTURES names no folder")
    return pathlib.Path(folder).resolve()


class Pictures(SampleSystems):
    def test_pictures(self):
        self.browse("pictures", pictures())


class FirstRunPictures(KnowsNothing):
    def test_pictures(self):
        self.browse("firstRunPictures", pictures())


class InvestigationPictures(TwoChanges):
    def test_pictures(self):
        self.browse("investigationPictures", pictures())


class SlowVendor(Vendor):
    """Goes on with an answer when somebody asks for anything by GET."""

    def do_GET(self):
        self.server.go_on.set()
        self.send_response(204)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()


class SlowAnswer(VendorCase, Browsed):
    """A model that waits in the middle of an answer until the test lets it go on."""

    handler = SlowVendor

    def setUp(self):
        super().setUp()
        self.go_on = self.server.go_on = threading.Event()
        self.server.reply = self.slowly
        self.serve(env=self.env)

    def tearDown(self):
        self.go_on.set()
        super().tearDown()

    def slowly(self, request):
        if not request.get("tools"):
            return [({"content": "A title"}, None), ({}, "stop")]
        return self.pieces()

    def pieces(self):
        yield {"content": "The press was drained by nobody. It"}, None
        self.go_on.wait(600)
        yield {"content": " stands still."}, None
        yield {}, "stop"

    def browse(self, part, *more):
        super().browse(part, f"http://127.0.0.1:{self.server.server_port}/go-on", *more)

    def test_a_reload_in_the_middle_of_an_answer_goes_on_where_it_was(self):
        self.browse("reload")

    def test_a_draft_is_marked_sentence_by_sentence(self):
        self.browse("draft")

    def test_an_answer_is_stopped(self):
        self.browse("stop")


if __name__ == "__main__":
    unittest.main(verbosity=2)  # which prints why a test is skipped
