"""The web page in a real browser: Debian's Chromium, driven by playwright-core; accessibility by axe-core."""
import os
import shutil
import threading
import time
import unittest

from served import Served
from vendor import VendorCase

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")


class Browsed(Served):
    @classmethod
    def setUpClass(cls):
        if not CHROMIUM:
            raise (AssertionError if os.environ.get("CI") else unittest.SkipTest)("no chromium; run scripts/install-packages test")
        super().setUpClass()

    def browse(self, part):
        self.run_script("page.mjs", part, self.url, CHROMIUM)


class Page(Browsed):
    def test_a_question_its_work_and_its_evidence(self):
        self.browse("evidence")

    def test_conversations_are_renamed_found_forked_and_put_away(self):
        self.browse("conversations")

    def test_nobody_who_cannot_see_or_use_a_mouse_is_left_out(self):
        self.browse("accessibility")


class SlowAnswer(VendorCase, Browsed):
    """A model that takes its time, so that something can happen in the middle of an answer."""

    def setUp(self):
        super().setUp()
        self.go_on = threading.Event()
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
        self.go_on.wait(60)
        yield {"content": " stands still."}, None
        yield {}, "stop"

    def browse(self, part):
        self.timer = threading.Timer(6, self.go_on.set)
        self.timer.start()
        self.addCleanup(self.timer.cancel)
        super().browse(part)

    def test_a_reload_in_the_middle_of_an_answer_goes_on_where_it_was(self):
        self.browse("reload")

    def test_an_answer_is_stopped(self):
        began = time.monotonic()
        self.browse("stop")
        self.assertLess(time.monotonic() - began, 60)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # which prints why a test is skipped
