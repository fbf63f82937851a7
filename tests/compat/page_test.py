"""The web page in a real browser: Debian's Chromium, driven by playwright-core; accessibility by axe-core.

PRECEDENT_PICTURES=docs/page with the argument Pictures takes the pictures of docs/page.md anew.
"""
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

    def test_nobody_who_cannot_see_or_use_a_mouse_is_left_out_of_a_chat(self):
        self.browse("chatAccess", "light")

    def test_nor_in_the_dark(self):
        self.browse("chatAccess", "dark")


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


class Pictures(Browsed):
    def test_pictures(self):
        folder = os.environ.get("PRECEDENT_PICTURES")
        if not folder:
            self.skipTest("PRECEDENT_PICTURES names no folder")
        subprocess.run([ROOT / "scripts/sample-systems"], check=True, capture_output=True)
        # By the paths that a reader of the pictures has, too.
        self.data = self.folder / "pictured"
        for what in (["examples"], ["--repo", "build/sample/platform"]):
            self.check(run("ingest", *what, "--data-dir", self.data, cwd=ROOT), 0)
        self.serve("--tools-config", str(ROOT / "sample-systems/tools.yaml"), "--now", "2026-11-18T09:30:00Z", cwd=ROOT)
        self.browse("pictures", pathlib.Path(folder).resolve())


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
