"""Dialogues about a system in operation: what follows an investigation is answered of that system, from what was read before where
that is over, and by new calls where it is about now. The company is the sample's, its systems are the snapshot."""
import re
import unittest

from harness import run
from walkthrough_test import DEPLOY, STORY, Story

DEPLOYED = "Deploy of search-service 2.31.0 (was 2.30.4), by Clara Neumann [deploys.jsonl:64]"
OLD_INCIDENT = re.compile(r"\*\*INC-[\d-]+: ")


class LiveDialogue(Story):
    """Each test goes on from one investigation, in a thread of its own."""

    def follow(self, *questions, later=STORY):
        """The answers to these questions after the investigation, in one thread."""
        answers, tools = [self.investigate()], self.tools()
        for question in questions:
            asked = run("ask", question, "--now", later, "--data-dir", self.shared, "--tools-config", tools, "--json",
                        "--resume", answers[0]["thread_id"])
            answers.append(asked.json())
        return answers[1:]

    def check_recalled(self, answer):
        self.assertEqual(answer["plan"], [], answer["answer"])
        self.assertTrue(answer["remembered"], answer)
        self.assertTrue(answer["grounding"]["grounded"], answer["claims"])
        self.check_live(answer)

    def check_live(self, answer):
        self.assertEqual(answer["intent"]["question_type"], "follow_up")
        self.assertNotRegex(answer["answer"], OLD_INCIDENT)

    def calls(self, answer, tool="metrics_query"):
        return [step["args"].get("query", "") for step in answer["plan"] if step["tool"] == tool]

    def test_when_it_began_is_remembered(self):
        for answer in self.follow("when exactly did it start?", "since when?"):
            self.check_recalled(answer)
            self.assertIn(f"at {DEPLOY}", answer["answer"])
            self.assertRegex(answer["answer"], r"\A\*\*p95_latency rose at 2026-11-18T\d\d:\d\d:00Z")

    def test_who_deployed_it_is_remembered(self):
        for answer in self.follow("who did that deploy?", "who deployed it?"):
            self.check_recalled(answer)
            self.assertTrue(answer["answer"].startswith(f"- {DEPLOY} {DEPLOYED}"), answer["answer"])

    def test_what_changed_before_is_remembered(self):
        (answer,) = self.follow("what changed right before that?")
        self.check_recalled(answer)
        self.assertIn(f"- {DEPLOY} {DEPLOYED}", answer["answer"])
        times = re.findall(r"^- (\S+Z) ", answer["answer"], re.M)
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertLessEqual(times[0], DEPLOY)

    def test_what_else_was_deployed_keeps_what_is_talked_about(self):
        deployed, code, state = self.follow("what else was deployed around that time", "show me the code", "is it still going on?")
        self.check_live(deployed)
        self.assertRegex(deployed["answer"], rf"\A\*\*Changes since 2026-11-17T12:\d\d:00Z until [^\n]*\n- {DEPLOY} Deploy of search-service")
        self.assertIn("`search-service/search_service.py`", code["answer"])
        self.assertTrue(state["answer"].startswith("**p95_latency"), state["answer"])

    def test_another_deploy_is_held_against_what_is_talked_about(self):
        (answer,) = self.follow("is it the 09:30 deploy of checkout-api?")
        self.check_live(answer)
        self.assertRegex(answer["answer"], r"\A\*\*p95_latency[^\n]*\n- checkout-api had last been changed [^\n]*Deploy of checkout-api 7\.8\.0")

    def test_last_week_is_compared_with_what_was_read(self):
        (answer,) = self.follow("and compared to last week?")
        self.check_recalled(answer)
        self.assertRegex(answer["answer"], r"\*\*p95_latency\*\*: its mean is [\d.]+× that of a week earlier \(")

    def test_the_code_is_that_of_the_deploy(self):
        for answer in self.follow("show me the code", "what did that commit change?"):
            self.check_recalled(answer)
            self.assertIn('commit "search-service 2.31.0"', answer["answer"])
            self.assertIn("`search-service/search_service.py`", answer["answer"])

    def test_another_metric_is_asked_of_the_same_endpoint_and_time(self):
        errors, slowest = self.follow("and the errors?", "is p99 affected too?")
        for answer, metric in ((errors, "error_rate"), (slowest, "p99_latency")):
            self.check_live(answer)
            self.assertEqual(self.calls(answer)[0], f"metric={metric} since=2026-11-17T09:30:00Z filter=endpoint=/api/search")
            self.assertTrue(answer["answer"].startswith(f"**{metric} "), answer["answer"])

    def test_the_present_is_asked_of_the_system(self):
        (answer,) = self.follow("is it still going on?")
        self.check_live(answer)
        self.assertIn("metric=p95_latency since=2026-11-17T09:30:00Z filter=endpoint=/api/search", self.calls(answer))
        self.assertRegex(answer["answer"].splitlines()[0], r"It is \d\.\d+ s now")

    def test_alerts_are_those_of_its_service(self):
        (answer,) = self.follow("which alerts are firing for it?")
        self.check_live(answer)
        self.assertEqual(self.calls(answer), ["alert=* filter=service=search-service"])
        self.assertIn("Alert **SearchLatencyHigh**", answer["answer"])

    def test_the_same_question_of_another_service(self):
        other, errors = self.follow("what about checkout-api?", "and the errors?")
        self.assertIn("metric=p95_latency window=24h filter=service=checkout-api", self.calls(other))
        self.assertIn("filter=service=checkout-api", self.calls(errors)[0])

    def test_how_to_fix_it_is_read_from_its_runbook(self):
        for answer in self.follow("how do I fix it?", "is there a runbook for it?"):
            self.assertIn("search-latency.md", answer["answer"])
        (order,) = self.follow("roll it back")
        self.assertTrue(order["answer"].startswith("I am read-only: I cannot roll back anything for you."), order["answer"])

    def test_earlier_cases_leave_the_system_what_is_talked_about(self):
        alike, author = self.follow("any similar incident before?", "who deployed it?")
        self.assertIn("search_similar_incidents", [step["tool"] for step in alike["plan"]])
        self.assertRegex(alike["answer"], r"INC-\d{4}-")
        self.check_recalled(author)
        self.assertIn(DEPLOYED, author["answer"])

    def test_an_incident_that_is_named_takes_over_until_one_returns(self):
        named, its, back, after = self.follow("what was INC-2025-08-24-001?", "when did it start?", "back to the latency: is it still high?",
                                              "who deployed it?")
        for answer in (named, its):
            self.assertIn("INC-2025-08-24-001", answer["answer"])
        self.assertIn("metric=p95_latency since=2026-11-17T09:30:00Z filter=endpoint=/api/search", self.calls(back))
        self.check_recalled(after)
        self.assertIn(DEPLOYED, after["answer"])

    def test_hours_later_what_was_read_is_not_called_the_present(self):
        (later,) = self.follow("when did it start?", later="2026-11-18T15:00:00Z")
        self.assertRegex(later["answer"], r"It was \d\.\d+ s at 2026-11-18T09:30:00Z")
        self.assertNotIn(" now", later["answer"].split("**Sources**")[0])


if __name__ == "__main__":
    unittest.main()
