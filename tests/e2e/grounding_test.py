"""What the copilot says without a model is proved by its own receipts, whatever it is asked."""
import unittest

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


if __name__ == "__main__":
    unittest.main()
