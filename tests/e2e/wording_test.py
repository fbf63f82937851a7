"""The same question in other words: names in plain words, typing errors, and what an answer leaves out."""
import subprocess
import unittest

from harness import Case, run

OVERVIEW = """---
type: architecture
title: Glazeworks systems
services: [kiln-control, tint-api]
---
# Systems
kiln-control fires the ovens; tint-api mixes the colours and asks kiln-control for a slot.
"""

LEVELS = """---
type: architecture
title: Service levels
services: [kiln-control, tint-api]
---
# Service levels
| service | objective | window |
|---|---|---|
| kiln-control | 99.5% of runs started within 60 s | 30 days |
| tint-api | 99.9% of requests without error | 30 days |
"""

DECISION = """---
type: adr
title: "ADR-0003: Firing curves are cached, with an upper bound"
services: [kiln-control]
---
## Context
An oven needs up to 2 s to compute a curve, and in May the memory ran full.
## Decision
kiln-control keeps at most 2,000 curves (`CURVE_CACHE_MAX=2000`).
## Consequences
A curve is about 1.4 MB.
"""

INCIDENT = ('{"incident_id": "GLZ-2041", "title": "kiln-control logs acknowledge timeouts", "impacted_application": "kiln-control", '
            '"status": "Closed", "opened_at": "2026-05-04T10:00:00Z", "resolved_at": "2026-05-04T11:00:00Z", '
            '"description": "No oven acknowledged a run.", "root_cause": "A cable was cut."}')

CURVES = """import os

# 0: no bound.
CURVE_CACHE_MAX = int(os.environ.get("CURVE_CACHE_MAX", "0"))


def keep(curve):
    return curve
"""

OVENS = "import os\n\nOVEN_ACK_TIMEOUT_MS = int(os.environ.get('OVEN_ACK_TIMEOUT_MS', '15000'))\n"


class Wording(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        notes, repo, cls.kb = (cls.folder_of_class / name for name in ("notes", "repo", "kb"))
        for path, text in ((notes / "architecture/systems.md", OVERVIEW), (notes / "architecture/levels.md", LEVELS),
                           (notes / "adr/0003-curves.md", DECISION), (notes / "incidents.jsonl", INCIDENT + "\n"),
                           (repo / "kiln-control/curves.py", CURVES), (repo / "kiln-control/ovens.py", OVENS)):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        git = ["git", "-C", repo, "-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
        for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "ovens"]):
            subprocess.run([*git, *command], check=True)
        for args in ([notes], ["--repo", repo]):
            done = run("ingest", *args, "--data-dir", cls.kb)
            if done.code != 0:
                raise AssertionError(done)

    def answer(self, question):
        answer = self.ask(question, data=self.kb)
        # Nothing to prove: no grounding at all.
        self.assertEqual((answer["grounding"] or {"unsupported": 0})["unsupported"], 0, answer["answer"])
        return answer["answer"]

    def test_a_setting_of_the_code_is_found_by_the_plain_words_of_its_name(self):
        answer = self.answer("whats the ack timeout of the ovens")
        self.assertLess(answer.find("OVEN_ACK_TIMEOUT_MS"), answer.find("**Sources**"))
        self.assertIn("'15000'", answer)
        self.assertNotIn("What happened", answer)

    def test_a_document_that_says_another_value_than_the_code_is_told_so(self):
        answer = self.answer("what is the default of CURVE_CACHE_MAX")
        self.assertRegex(answer, r"They differ:\*\* `CURVE_CACHE_MAX` is 0 in the code \[[^\]]*curves\.py[^\]]*\], but 2000 in \"ADR-0003")
        self.assertNotIn("ovens.py", answer)

    def test_the_systems_as_a_whole_in_any_wording(self):
        for question in ("how do the systems hang together", "architecture overview", "how do the services fit together?",
                         "give me an overview of the systems"):
            self.assertIn("asks kiln-control for a slot", self.answer(question), question)

    def test_the_reason_of_a_decision_comes_first(self):
        answer = self.answer("why do we bound the firing curves")
        self.assertRegex(answer, r"\A> [^\n]*An oven needs up to 2 s")
        self.assertNotIn("GLZ-2041", answer)

    def test_a_service_level_comes_first_and_no_incident_behind_it(self):
        answer = self.answer("slo of kiln-control?")
        self.assertRegex(answer, r"\A> [^\n]*99\.5% of runs")
        self.assertNotIn("What happened", answer)

    def test_an_id_that_exists_without_its_hyphen(self):
        for question in ("status of glz 2041", "GLZ2041", "what happened in glz_2041"):
            self.assertIn("GLZ-2041", self.answer(question), question)

    def test_a_typing_error_in_an_ordinary_verb(self):
        self.assertIn("1 incident on 2026-05-04:", self.answer("what happend on 4 may"))

    def test_what_was_not_found_is_told_without_a_mark(self):
        self.assertIn("No runbook on this was found.", self.answer("runbook for dns outage"))


if __name__ == "__main__":
    unittest.main()
