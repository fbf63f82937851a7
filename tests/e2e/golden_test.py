"""precedent golden and precedent feedback, and what they change in answers."""
import fcntl
import json
import sqlite3
import threading
import unittest

from harness import NOW, Case, run

QUESTION = "How do I fix HTTP 403 errors in PayU?"
ANSWER = "Rotate the merchant API key, then restart payment-service."


class Golden(Case):
    def setUp(self):
        super().setUp()
        self.copy_of_sample()

    def golden(self, *args, code=0, stdin=b"", env=None):
        return self.check(run("golden", *args, "--data-dir", self.data, stdin=stdin, env=env), code)

    def feedback(self, *args, code=0, stdin=b""):
        return self.check(run("feedback", *args, "--data-dir", self.data, stdin=stdin), code)

    def add(self, question=QUESTION, answer=ANSWER, *args):
        return self.golden("add", "--question", question, "--answer", answer, "--json", *args).json()

    def serve(self, question=QUESTION, answer=ANSWER, *args):
        example = self.add(question, answer, *args)
        return self.golden("review", example["id"], "--by", "Ana Ruiz", "--json").json()

    def tools_of(self, question=QUESTION):
        return [receipt["tool"] for receipt in self.ask(question, data=self.data)["receipts"]]

    def assert_direct(self, direct, question=QUESTION):
        self.assertEqual("golden_examples" in self.tools_of(question), direct)


class Served(Golden):
    def test_only_after_a_review_and_cited_as_verified(self):
        example = self.add(QUESTION, ANSWER, "--source", "INC-2025-08-24-001", "--tag", "payu")
        self.assertEqual((example["result"], example["served"], example["reviewed"]), ("added", False, False))
        self.assert_direct(False)
        reviewed = self.golden("review", example["id"].lower(), "--by", "Ana Ruiz").out
        self.assertIn(f"reviewed {example['id']}: served", reviewed)
        answer = self.ask("how do I fix http 403 errors in PayU", data=self.data)
        self.assertEqual(answer["status"], "ok")
        self.assertTrue(answer["answer"].startswith(ANSWER), answer["answer"])
        self.assertIn(f"Verified example {example['id']}, reviewed by Ana Ruiz on ", answer["answer"])
        self.assertEqual([s["id"] for s in answer["sources"]], [example["id"], "INC-2025-08-24-001"])
        self.assertEqual([r["tool"] for r in answer["receipts"]], ["golden_examples"])
        self.assertEqual(answer["receipts"][0]["result"]["examples"][0]["id"], example["id"])
        explained = self.ask(QUESTION, "--explain", data=self.data)["explain"]
        self.assertTrue([line for line in explained if line.startswith(f"golden: {example['id']}")], explained)

    def test_not_where_the_question_depends_on_time_or_names_another_thing(self):
        self.serve()
        for question in ("How do I fix the current HTTP 403 errors in PayU?", "How do I fix HTTP 403 errors in PayU now?",
                         "How do I fix HTTP 500 errors in PayU?", "How do I fix HTTP 403 errors in Klarna?"):
            self.assert_direct(False, question)

    def test_deactivated_it_vanishes_and_activated_it_is_back(self):
        example = self.serve()
        self.assert_direct(True)
        self.golden("deactivate", example["id"])
        self.assertNotIn(example["id"], json.dumps(self.ask(QUESTION, data=self.data)))
        self.assertEqual(self.golden("list", "--json").json(), [])
        self.assertEqual(len(self.golden("list", "--all", "--json").json()), 1)
        self.golden("activate", example["id"])
        self.assert_direct(True)

    def test_deactivated_it_vanishes_although_the_index_was_not_told(self):
        example = self.serve()
        with sqlite3.connect(self.data / "precedent.db") as db:
            db.execute("UPDATE golden_examples SET active = 0")
        db.close()
        self.assert_direct(False)
        self.assertEqual(self.by_type(), [])
        # The next ingest puts the index right.
        self.ingest(self.write("a.md", "# A note\n\nWords.\n"))
        with sqlite3.connect(self.data / "precedent.db") as db:
            self.assertEqual(db.execute("SELECT count(*) FROM documents WHERE kind = 'golden'").fetchone(), (0,))
        db.close()
        self.assertTrue(example)

    def test_what_an_interrupted_update_left_is_repaired_by_the_next_command(self):
        self.serve()
        with sqlite3.connect(self.data / "precedent.db") as db:
            db.execute("UPDATE golden_examples SET question = 'Who owns the gateway?'")
        db.close()
        self.assert_direct(False)
        self.add("Something else?", "Yes.")
        self.assert_direct(True, "Who owns the gateway?")

    def test_another_answer_must_be_reviewed_again(self):
        example = self.serve()
        changed = self.golden("add", "--question", QUESTION.lower(), "--answer", "Call PayU.")
        self.assertIn(f"changed {example['id']}: not reviewed", changed.out)
        self.assert_direct(False)
        self.golden("review", example["id"], "--by", "Bo")
        self.assertTrue(self.ask(QUESTION, data=self.data)["answer"].startswith("Call PayU."))
        for question, said in ((QUESTION.lower(), "unchanged"), (QUESTION, "changed")):
            again = self.golden("add", "--question", question, "--answer", "Call PayU.")
            self.assertIn(f"{said} {example['id']}: served", again.out)

    def by_type(self):
        receipt = self.check(run("tools", "call", "search_knowledge",
                                 json.dumps({"query": "403 PayU", "typeFilter": ["golden"]}), "--json", "--data-dir",
                                 self.data), 0).json()
        return [line for line in receipt["text"].splitlines() if "Verified example" in line]

    def test_other_tools_show_it_only_if_asked_by_type(self):
        counts = {days: self.recent(days) for days in (1, 3650)}
        example = self.serve(QUESTION, ANSWER, "--tag", "payu")
        self.assertEqual({days: self.recent(days) for days in (1, 3650)}, counts)
        for name, args in (("search_similar_incidents", {"query": QUESTION}), ("search_knowledge", {"query": QUESTION}),
                           ("search_knowledge", {"query": "", "tagFilter": ["payu"]}), ("doc_search", {"query": QUESTION}),
                           ("get_incidents_by_application", {"app_name": "PayU"})):
            done = run("tools", "call", name, json.dumps(args), "--json", "--now", NOW, "--data-dir", self.data)
            self.assertNotIn(example["id"], self.check(done, 0).out, name)
        self.assertEqual(len(self.by_type()), 1)

    def recent(self, days):
        done = run("tools", "call", "get_recent_incidents", json.dumps({"days": days, "limit": 1}), "--json", "--now", NOW,
                   "--data-dir", self.data)
        return self.check(done, 0).json()["result"]["total"]

    def test_without_any_incident_or_document(self):
        self.data = self.folder / "fresh"
        example = self.serve()
        self.assertEqual(self.golden("show", example["id"], "--json").json()["answer"], ANSWER)
        self.assert_direct(True)


class Transitions(Golden):
    def test_what_is_not_allowed_names_the_id_and_the_remedy(self):
        example = self.serve()["id"]
        for args, code, said in ((("review", example, "--by", "Bo"), 1, "was reviewed by Ana Ruiz"),
                                 (("activate", example), 1, "nothing to do"),
                                 (("show", "G-NONE"), 1, "golden list --all"),
                                 (("deactivate", "G-NONE"), 1, "'G-NONE'"),
                                 (("add", "--question", " ", "--answer", "a"), 2, "--question: is empty"),
                                 (("add", "--question", "q"), 2, "--answer: is empty"),
                                 (("add", "--question", "q", "--answer", "a", "--id", "a b"), 2, "is no id"),
                                 (("add", "--question", "q", "--answer", "a", "--id", "INC-2025-08-24-001"), 1,
                                  "another document"),
                                 (("add", "--question", "q", "--answer", "a", "--file", "f"), 2, "--file"),
                                 (("add", "--question", "q", "--file", self.folder / "none"), 1, "none"),
                                 (("add", "--question", "x" * 3000, "--answer", "a"), 2, "at most 2000"),
                                 (("review",), 2, "id is required"), ((), 2, "subcommand")):
            self.assertIn(said, self.golden(*args, code=code).err, args)
        self.golden("deactivate", example)
        self.assertIn(example + " is not active, it is not served; activate it", self.golden("deactivate", example, code=1).err)

    def test_an_answer_from_a_file_and_from_standard_input(self):
        file = self.write("answer.md", "# Steps\n\n1. Rotate.\n")
        self.golden("add", "--question", "a?", "--file", file)
        self.golden("add", "--question", "b?", "--file", "-", stdin=b"from stdin\n")
        answers = {e["question"]: e["answer"] for e in self.golden("list", "--json").json()}
        self.assertEqual(answers, {"a?": "# Steps\n\n1. Rotate.", "b?": "from stdin"})

    def test_what_is_deleted_is_gone_from_the_list_and_from_the_next_answer(self):
        example = self.serve()["id"]
        self.assert_direct(True)
        self.assertIn(f"deleted {example}: {QUESTION}", self.golden("delete", example.lower()).out)
        self.assert_direct(False)
        self.assertEqual(self.golden("list", "--all", "--json").json(), [])
        self.assertIn(f"'{example}'", self.golden("delete", example, code=1).err)
        self.serve()
        self.assert_direct(True)

    def test_lists_on_nothing_say_what_to_do(self):
        self.assertIn("precedent golden add", self.golden("list").err)
        self.data = self.folder / "none"
        for args in (("golden", "list"), ("feedback", "list"), ("golden", "show", "G-1")):
            self.check(run(*args, "--data-dir", self.data), 1, "precedent ingest")

    def test_help_names_every_subcommand(self):
        for command, names in (("golden", ("add", "list", "show", "review", "activate", "deactivate", "delete", "import")),
                               ("feedback", ("up", "down", "list", "review", "dismiss"))):
            text = self.check(run(command, "--help"), 0).out
            for name in names:
                self.assertIn(name, text)


class Import(Golden):
    def lines(self, *examples):
        return self.write("golden.jsonl", "".join(
            (e if isinstance(e, str) else json.dumps(e)) + "\n" for e in examples))

    def test_is_idempotent_and_names_bad_lines(self):
        file = self.lines({"question": QUESTION, "answer": ANSWER, "reviewed": True, "tags": ["payu"],
                           "sources": ["INC-2025-08-24-001"], "source_type": "positive"},
                          "{", {"question": "q?", "answer": "a", "source_type": "good"},
                          {"question": "", "answer": "a"}, {"question": "draft?", "answer": "a", "active": True},
                          {"question": QUESTION.upper(), "answer": "b"},
                          {"question": "c?", "answer": "a", "id": "INC-2025-08-24-001"})
        report = self.golden("import", file, "--by", "Ana Ruiz", "--json").json()
        self.assertEqual((report["added"], report["changed"], report["unchanged"], report["bad_count"]), (2, 0, 0, 5))
        self.assertEqual([(bad["line"], bad["field"]) for bad in report["bad"]],
                         [(2, ""), (3, "source_type"), (4, "question"), (6, "question"), (7, "id")])
        self.assert_direct(True)
        self.assertIn("reviewed by Ana Ruiz", self.ask(QUESTION, data=self.data)["answer"])
        done = self.golden("import", file)
        self.assertIn("0 added, 0 changed, 2 unchanged, 5 bad", done.out)
        self.assertIn(f"bad: {file}:3: 'source_type': is 'good'", done.err)
        self.assertIn("reviewed by Ana Ruiz", self.ask(QUESTION, data=self.data)["answer"])

    def test_a_negative_one_is_served_by_its_correction(self):
        self.golden("import", self.lines(
            {"question": QUESTION, "answer": "Reboot everything.", "source_type": "negative"},
            {"question": "How do I restart payment-service?", "answer": "Reboot.", "corrected_answer": "systemctl restart.",
             "source_type": "negative", "reviewed": True}))
        self.assert_direct(False)
        self.assertTrue(self.ask("How do I restart payment-service?", data=self.data)["answer"]
                        .startswith("systemctl restart."))
        wrong = [e for e in self.golden("list", "--json").json() if e["question"] == QUESTION][0]
        self.assertIn("corrected answer", self.golden("review", wrong["id"], "--by", "Ana", code=2).err)
        self.golden("review", wrong["id"], "--by", "Ana", "--answer", ANSWER)
        answer = self.ask(QUESTION, data=self.data)["answer"]
        self.assertTrue(answer.startswith(ANSWER))
        self.assertNotIn("Reboot", answer)

    def test_nothing_good_is_a_failure(self):
        self.golden("import", self.lines("{", "nonsense"), code=1)
        self.assertIn("none.jsonl", self.golden("import", self.folder / "none.jsonl", code=1).err)

    def test_documents_cannot_pose_as_golden(self):
        page = self.write("pose.md", "---\ntype: golden\ntitle: How?\n---\n\nSo.\n")
        report = self.report(page, code=1)
        self.assertEqual(report["bad"][0]["field"], "type")
        self.assertIn("precedent golden import", report["bad"][0]["message"])


class Feedback(Golden):
    def test_down_to_a_corrected_example(self):
        given = self.feedback("--question", QUESTION, "--answer", "Reboot.", "down", "--reason", "no help", "--json").json()
        self.assertEqual((given["id"], given["state"], given["thumb"]), ("F-1", "pending", "down"))
        self.assertIn("F-1", self.feedback("list").out)
        self.assertIn("corrected answer", self.feedback("review", "F-1", code=2).err)
        self.feedback("review", "F-1", "--answer", ANSWER, "--by", "Ana Ruiz")
        answer = self.ask(QUESTION, data=self.data)["answer"]
        self.assertTrue(answer.startswith(ANSWER))
        example = self.golden("list", "--json").json()[0]
        self.assertEqual((example["source_type"], example["rejected_answer"], example["feedback"]),
                         ("negative", "Reboot.", "F-1"))
        self.assertEqual(self.feedback("list", "--json").json(), [])
        self.assertEqual(self.feedback("list", "--all", "--json").json()[0]["golden"], example["id"])
        self.assertIn("was reviewed by Ana Ruiz", self.feedback("dismiss", "1", code=1).err)

    def test_up_to_a_positive_example(self):
        self.feedback("up", "--question", QUESTION, "--file", "-", stdin=ANSWER.encode())
        self.feedback("review", "F-1")
        self.assertEqual(self.golden("list", "--json").json()[0]["source_type"], "positive")
        self.assert_direct(True)

    def test_dismissed_makes_nothing(self):
        self.feedback("up", "--question", QUESTION, "--answer", ANSWER)
        self.feedback("dismiss", "F-1", "--reason", "a joke", "--by", "Bo")
        closed = self.feedback("list", "--all", "--json").json()[0]
        self.assertEqual((closed["state"], closed["note"], closed["closed_by"]), ("dismissed", "a joke", "Bo"))
        self.assert_direct(False)
        self.assertIn("was dismissed by Bo", self.feedback("review", "F-1", code=1).err)

    def test_usage(self):
        for args, code, said in ((("up",), 2, "--question"), (("up", "--question", "q"), 2, "--answer"),
                                 (("review", "x"), 2, "F-12"), (("review", "F-9"), 1, "F-9"), ((), 2, "subcommand")):
            self.assertIn(said, self.feedback(*args, code=code).err, args)


class Lock(Golden):
    def test_writers_wait_their_turn(self):
        lock = (self.data / "ingest.lock").open("a")
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            self.assertIn("ingest", self.golden("add", "--question", "q", "--answer", "a", code=1).err)
        finally:
            lock.close()

    def test_many_at_once_lose_nothing(self):
        done = []

        def one(i):
            while True:
                result = run("golden", "add", "--question", f"question {i}?", "--answer", "a", "--data-dir", self.data)
                if result.code == 0 or "another process" not in result.err:
                    done.append(result.code)
                    return

        threads = [threading.Thread(target=one, args=(i,)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(done, [0] * 6)
        self.assertEqual(len(self.golden("list", "--json").json()), 6)


if __name__ == "__main__":
    unittest.main()
