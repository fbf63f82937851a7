"""What the copilot says without a model is proved by its own receipts, whatever it is asked."""
import re
import unittest

from harness import EXAMPLES, ROOT, Case, run
from walkthrough_test import QUESTION, Story

QUESTIONS = (
    QUESTION,
    "What is the p95 latency of /api/search now?",
    "Is search-service healthy now?",
    "Is ledger healthy?",
    "Is saturation of search-db high?",
    "What is the cache hit ratio of search-service?",
    "How did latency of /api/search behave on 2026-11-10?",
    "Which alerts are firing?",
    "Which alerts are firing for checkout-api?",
    "What changed in search-service in the last week?",
    "Which feature flags were changed in the last two weeks?",
    "What happened between 2026-11-10 and 2026-11-14?",
    "How do I fix HTTP 403 errors in PayU?",
    "What was the root cause of INC-2026-03-12-003?",
    "Where is the cache key built in search-service?",
    "Who is on call for search-service?",
)


class Offline(Story):
    def test_every_answer_is_grounded(self):
        for question in QUESTIONS:
            with self.subTest(question):
                answer = self.investigate(question=question)
                self.assertTrue(answer["claims"])
                self.assertEqual([(claim["text"], claim["reason"]) for claim in answer["claims"] if claim["verdict"] == "unsupported"], [])
                self.assertTrue(answer["grounding"]["grounded"])


def folded(text):
    """As a reader sees it: without Markdown's marks and line breaks."""
    return re.sub(r"\s+", " ", re.sub(r"[*_`>|\\]", " ", text)).strip(" .").lower()


class Composed(Case):
    """Each sentence is a note, a quotation that stands in its receipt, or computed from one."""

    def test_of_the_sample_company(self):
        run("ingest", EXAMPLES, "--data-dir", self.folder / "data")
        done = run("ask", "--batch", ROOT / "eval/sample/answers.jsonl", "--data-dir", self.folder / "data", "--json")
        quoted, computed = 0, []
        for answer in done.lines():
            self.assertNotIn("(unverified)", answer["answer"])
            receipts = {receipt["id"]: receipt for receipt in answer["receipts"]}
            for claim in answer["claims"]:
                with self.subTest(claim["text"]):
                    self.assertNotEqual(claim["verdict"], "unsupported")
                    self.assertNotIn("check", claim, "no check rejected it")
                    if claim["reason"].startswith("it was computed from "):
                        computed.append((claim["text"], claim["reason"]))
                    if not claim["reason"].startswith("it is a quotation of "):
                        continue
                    quoted += 1
                    proof, = claim["proofs"]
                    receipt = receipts[proof["receipt"]]
                    if "bytes" in proof:
                        place = receipt["text"].encode()[proof["bytes"]["begin"]:proof["bytes"]["end"]].decode()
                        self.assertIn(place, answer["answer"])
                        self.assertIn(folded(place), folded(claim["text"]))
        self.assertGreater(quoted, 100)
        self.assertEqual(computed, [])


if __name__ == "__main__":
    unittest.main()
