"""precedent ask: the walk-throughs of the specification, its JSON, batches, and what bad questions get."""
import json
import os
import unittest

from harness import EXAMPLES, NOW, Case, environment, run

KEYS = ["answer", "claims", "grounding", "intent", "missing", "plan", "receipts", "sections", "sources", "status", "thread_id", "title"]


def cited(answer):
    return [source["id"] for source in answer["sources"]]


def tools(answer):
    return [receipt["tool"] for receipt in answer["receipts"]]


class WalkThroughs(Case):
    def test_how_do_i_fix_cites_the_incident_that_was_like_it(self):
        answer = self.ask("How do I fix HTTP 403 errors in PayU?")
        self.assertEqual(answer["status"], "ok")
        self.assertIn("INC-2025-01-20-005", cited(answer))
        self.assertIn("INC-2025-01-20-005", answer["answer"])
        self.assertIn("examples/runbooks/payu-403.md", answer["answer"])

    def test_an_id_is_found_whatever_its_hyphens(self):
        for question in ("Show me incident INC‑2025‑08‑24‑001", "show me inc-2025-08-24-001",
                         "what was INC–2025–08–24–001?"):
            answer = self.ask(question)
            self.assertEqual(tools(answer)[0], "lookup_incident_by_id", question)
            self.assertEqual(answer["receipts"][0]["args"], {"incident_id": "INC-2025-08-24-001"}, question)
            self.assertIn("INC-2025-08-24-001", cited(answer), question)

    def test_incidents_of_an_application_are_listed(self):
        with_sign = self.ask("What incidents affected the Settlement & Reporting system?")
        with_word = self.ask("What incidents affected the settlement and reporting system?")
        self.assertEqual(tools(with_sign), ["get_incidents_by_application"])
        self.assertGreater(len(cited(with_sign)), 5)
        self.assertEqual(cited(with_sign), cited(with_word))

    def test_the_last_days_end_now(self):
        answer = self.ask("Show me incidents from the last 7 days")
        self.assertEqual(tools(answer), ["get_recent_incidents"])
        self.assertEqual(answer["receipts"][0]["args"]["days"], 7)
        opened = [i["opened_at"] for i in answer["receipts"][0]["result"]["incidents"]]
        self.assertTrue(opened)
        self.assertEqual(opened, sorted(opened, reverse=True))
        for at in opened:
            self.assertGreater(at, "2026-11-13T23:59:59Z")
            self.assertLessEqual(at, "2026-11-20T23:59:59Z")

    def test_questions_with_subjects_of_their_own_are_answered_one_by_one(self):
        answer = self.ask("What caused INC-2025-01-20-005, and who owns settlement-engine?")
        first, second = answer["answer"].split("**who owns settlement-engine?**")
        self.assertTrue(first.startswith("**What caused INC-2025-01-20-005?**"), first)
        self.assertIn("**Cause:** Scheduled API key rotation", first)
        self.assertIn("Oncall: money-primary", second)
        self.assertNotIn("INC-2025-01-20-005", second.split("**Sources**")[0])
        self.assertEqual(second.count("**Sources**"), 1)
        self.assertEqual(answer["grounding"]["unsupported"], 0)

    def test_the_open_action_items_of_an_incident_are_those_of_its_post_mortem(self):
        answer = self.ask("which action items of INC-2025-02-26-001 are still open?")
        self.assertIn("Search for other hand-made certificates", answer["answer"])
        self.assertNotIn("x509-exporter over all TLS secrets", answer["answer"])
        self.assertIn("examples/postmortems/2025-02-26-vault-certificate-expiry.md", answer["answer"])
        every = self.ask("action items of INC-2025-02-26-001")
        self.assertIn("x509-exporter over all TLS secrets", every["answer"])

    def test_what_will_be_is_said_to_be_unknown(self):
        for question, when in (("next weeks deploys?", "next weeks"), ("will checkout be ok by 9am", "by 9am")):
            answer = self.ask(question)
            self.assertEqual(answer["missing"], [f"'{when}' has not come yet; what will be then is not known."])
            self.assertEqual(answer["sources"], [])

    def test_an_objective_that_nobody_wrote_down_is_said_to_be_missing(self):
        self.write("notes/lamps.md", "---\ntype: runbook\ntitle: Lamps\nservices: [lamp-hub]\n---\n# Lamps\n"
                                     "lamp-hub drops lamps older than 12 hours. Restart lamp-hub at night.\n")
        self.check(run("ingest", self.folder / "notes", "--data-dir", self.folder / "kb"), 0)
        for question, what in (("slo of lamp-hub?", "a service level objective of lamp-hub"),
                               ("what depends on lamp-hub", "what depends on lamp-hub")):
            answer = run("ask", question, "--data-dir", self.folder / "kb", "--json").json()
            self.assertEqual(answer["missing"],
                             [f"Nothing in the knowledge base answers this: {what} is not recorded."])
            self.assertNotIn("12 hours", answer["answer"])

    def test_what_stands_under_the_heading_that_is_asked_for_comes_first(self):
        self.write("notes/lamps.md", "---\ntype: runbook\ntitle: Lamps are dim\nservices: [lamp-hub]\nlastValidated: 2027-05-11\n"
                                     "---\n# Lamps are dim\nThe dim lamps page the keeper at 20:00.\n\n"
                                     "## Escalation\nAfter 30 minutes call Ada Brunner; else Omar Sane.\n")
        self.write("notes/lamps.jsonl", '{"incident_id": "LMP-1", "title": "Dim lamps", "impacted_application": "lamp-hub", '
                                        '"opened_at": "2027-01-02T10:00:00Z", "accountable_party": "Lights", "root_cause": "Dust"}')
        self.check(run("ingest", self.folder / "notes", "--data-dir", self.folder / "kb"), 0)
        answer = run("ask", "when do the dim lamps get escalated and to who", "--data-dir", self.folder / "kb", "--json").json()
        self.assertTrue(answer["answer"].startswith("> "), answer["answer"])
        self.assertIn("After 30 minutes call Ada Brunner", answer["answer"].splitlines()[0])
        self.assertNotIn("Last validated", answer["answer"])

    def test_when_something_was_done_is_no_time_of_something_else(self):
        self.write("notes/lamps.md", "---\ntype: postmortem\ntitle: Two keepers\nservices: [lamp-hub]\n---\n# Two keepers\n"
                                     "## Timeline\n- 06:34: Ada Brunner switches lamp-hub to read-only.\n"
                                     "- 07:20: lamp-hub 6.1.1 is deployed and the version of lamp-hub is shown.\n\n"
                                     "## Root cause\nThe check had been removed in 6.0.0, when the store was moved.\n")
        self.check(run("ingest", self.folder / "notes", "--data-dir", self.folder / "kb"), 0)
        answer = run("ask", "when was the lamp-hub version check removed", "--data-dir", self.folder / "kb", "--json").json()
        self.assertIn("removed in 6.0.0", answer["answer"].splitlines()[0])

    def test_an_id_that_does_not_exist_is_said_not_to(self):
        answer = self.ask("Show me incident INC-2031-01-01-001")
        self.assertEqual(answer["status"], "partial")
        self.assertTrue(any("INC-2031-01-01-001" in sentence for sentence in answer["missing"]), answer["missing"])
        self.assertEqual(cited(answer), [])

    def test_sources_are_files_that_exist(self):
        answer = self.ask("How do I fix HTTP 403 errors in PayU?")
        for source in answer["sources"]:
            self.assertTrue(os.path.exists(source["path"]), source)


class WithWeights(Case):
    """The same with the encoder: meaning must not cost what words found."""

    def test_the_walk_throughs(self):
        done = run("ingest", EXAMPLES, "--data-dir", self.data, "--json", weights=True)
        self.check(done, 0)
        if "searching by words only" in done.err or done.json()["embedded"] == 0:
            self.skipTest("no embedding weights; scripts/fetch-model fetches them")
        for question, expected in (("How do I fix HTTP 403 errors in PayU?", "INC-2025-01-20-005"),
                                   ("Show me incident INC‑2025‑08‑24‑001", "INC-2025-08-24-001"),
                                   ("What incidents affected the Settlement & Reporting system?", "INC-2026-11-10-002"),
                                   ("Show me incidents from the last 7 days", "INC-2026-11-18-001")):
            asked = self.check(run("ask", question, "--json", "--now", NOW, "--data-dir", self.data, weights=True), 0)
            self.assertIn(expected, cited(asked.json()), question)
            self.assertEqual(asked.err, "", question)
        # What only resembles the question is named, and neither quoted nor followed.
        remote = self.check(run("ask", "how do I rotate the TLS certificate of the coffee machine", "--json", "--now", NOW, "--data-dir", self.data, weights=True), 0).json()
        self.assertEqual(remote["status"], "partial")
        self.assertRegex(remote["answer"], r"\ANothing in the knowledge base answers this directly\.\n\nThe nearest documents")
        self.assertNotIn("**Steps**", remote["answer"])
        again = self.check(run("ingest", EXAMPLES, "--data-dir", self.data, "--json", weights=True), 0).json()
        self.assertEqual((again["added"] + again["changed"], again["embedded"]), (0, 0))

    def test_weights_that_are_damaged_are_named(self):
        weights = self.write("models/all-MiniLM-L6-v2/model.safetensors", b"no weights").parent
        done = run("ask", "PayU 403", "--data-dir", self.shared, env=environment(PRECEDENT_MODEL_DIR=str(weights.parent)))
        self.check(done, done.code)
        self.assertIn("all-MiniLM-L6-v2", done.err)


class Json(Case):
    def test_has_exactly_these_keys(self):
        for question in ("How do I fix HTTP 403 errors in PayU?", "Show me incident INC-2031-01-01-001", "gibberish qq"):
            self.assertEqual(sorted(self.ask(question)), KEYS, question)
        self.assertEqual(sorted(self.ask("", code=4)), KEYS)

    def test_receipts_have_what_a_log_keeps(self):
        for receipt in self.ask("How do I fix HTTP 403 errors in PayU?")["receipts"]:
            for key in ("id", "tool", "args", "status", "result"):
                self.assertIn(key, receipt)

    def test_sources_name_a_receipt_of_the_answer(self):
        answer = self.ask("How do I fix HTTP 403 errors in PayU?")
        ids = {receipt["id"] for receipt in answer["receipts"]}
        for source in answer["sources"]:
            self.assertIn(source["receipt"], ids)

    def test_is_the_same_each_time(self):
        question = "why did settlement files arrive late?"
        first, second = self.ask(question), self.ask(question)
        self.assertNotEqual(first.pop("thread_id"), second.pop("thread_id"))
        self.assertEqual(first, second)

    def test_stdout_carries_the_answer_alone(self):
        done = self.check(run("ask", "How do I fix HTTP 403 errors in PayU?", "--data-dir", self.shared), 0)
        self.assertNotIn("precedent:", done.out)
        self.assertIn("INC-2025-01-20-005", done.out)
        self.assertNotIn("\x1b", done.out + done.err)

    def test_explain_gives_reasons(self):
        answer = self.ask("How do I fix HTTP 403 errors in PayU?", "--explain")
        self.assertTrue(answer["explain"])
        self.assertTrue(all("explain" in receipt for receipt in answer["receipts"]))


class WhereTheKnowledgeIs(Case):
    def test_the_environment_names_it(self):
        env = environment(PRECEDENT_DATA_DIR=str(self.shared))
        self.check(run("ask", "PayU 403", env=env), 0)

    def test_the_option_wins_over_the_environment(self):
        env = environment(PRECEDENT_DATA_DIR="/nonexistent")
        self.check(run("ask", "PayU 403", "--data-dir", self.shared, env=env), 0)

    def test_none_is_said_with_the_remedy(self):
        done = self.check(run("ask", "PayU 403", "--data-dir", self.data), 1, str(self.data), "precedent ingest")
        self.assertEqual(done.out, "")
        done = self.check(run("ask", "PayU 403", "--json", "--data-dir", self.data), 1, "precedent ingest")
        self.assertEqual((sorted(done.json()), done.json()["status"]), (KEYS, "error"))
        self.assertFalse(self.data.exists(), "asking must not create a knowledge base")

    def test_an_empty_one_is_said_with_the_remedy(self):
        (self.folder / "nothing").mkdir()
        self.ingest(self.folder / "nothing")
        done = run("ask", "PayU 403", "--data-dir", self.data)
        self.check(done, done.code)
        self.assertIn(done.code, (0, 1))
        self.assertIn("precedent ingest", done.out + done.err)

    def test_a_read_only_one_can_be_asked(self):
        data = self.copy_of_sample()
        for path in [data, *data.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        try:
            self.assertIn("INC-2025-08-24-001", cited(self.ask("Show me incident INC-2025-08-24-001", data=data)))
        finally:
            for path in [data, *data.rglob("*")]:
                path.chmod(0o755)

    def test_missing_weights_are_said_once(self):
        done = self.check(run("ask", "How do I fix HTTP 403 errors in PayU?", "--data-dir", self.shared), 0)
        self.assertEqual(done.err.count("searching by words only"), 1, done)
        self.assertIn("scripts/fetch-model", done.err)
        batch = self.write("b.jsonl", '{"question":"PayU 403"}\n' * 3)
        done = self.check(run("ask", "--batch", batch, "--data-dir", self.shared), 0)
        self.assertEqual(done.err.count("searching by words only"), 1, done)


class BadQuestions(Case):
    def raw(self, *args, code, **options):
        return self.check(run("ask", "--data-dir", self.shared, "--json", *args, **options), code)

    def test_an_empty_one_needs_input(self):
        for question in ("", "   ", "\n\t", "\x01\x02"):
            self.assertEqual(self.ask(question, code=4)["status"], "needs_input", repr(question))

    def test_one_megabyte_is_refused_with_the_limit(self):
        done = self.raw("-", code=1, stdin=b"why " * (1 << 18))
        self.assertEqual(done.json()["status"], "error")
        self.assertIn("larger than 64 KB", done.json()["answer"])

    def test_the_largest_is_answered(self):
        done = self.raw("-", code=0, stdin=(b"payu 403 on 2025-01-20 from 10.2.3.4 " * 2000)[:64 * 1024])
        self.assertIn(done.json()["status"], ("ok", "partial"))

    def test_invalid_utf8_is_located(self):
        done = self.raw(b"payu \xff\xfe 403", code=1)
        self.assertIn("not valid UTF-8 (byte 6 is wrong)", done.json()["answer"])

    def test_control_characters_are_ignored(self):
        plain = self.ask("How do I fix HTTP 403 errors in PayU?")
        odd = self.ask("How do I\x07 fix HTTP\x1b 403 errors\x00 in PayU?".replace("\x00", ""))
        self.assertEqual(cited(plain), cited(odd))
        self.assertNotIn("\x1b", odd["answer"])

    def test_standard_input_and_files_belong_to_the_question(self):
        done = self.raw("-", code=0, stdin=b"Show me incident INC-2025-08-24-001\n")
        self.assertIn("INC-2025-08-24-001", cited(done.json()))
        log = self.write("alert.log", "HTTP 403 from PayU, INC-2025-01-20-005\n")
        done = self.raw("what is this?", "-i", log, code=0)
        self.assertIn("INC-2025-01-20-005", cited(done.json()))
        self.check(run("ask", "x", "-i", self.folder / "none.log", "--data-dir", self.shared), 1, "none.log")

    def test_an_option_takes_one_value_and_the_question_follows(self):
        alert = self.write("alert.txt", "HTTP 403 from PayU")
        answer = run("ask", "-i", alert, "--json", "--now", NOW, "--data-dir", self.shared, "what is this?")
        self.assertIn("INC-2025-01-20-005", self.check(answer, 0).out)
        self.check(run("ingest", "--tag", "t1", "--service", "s1", alert.parent, "--data-dir", self.data), 0)

    def test_a_conversation_that_cannot_be_written_is_answered_and_not_kept(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        data = self.copy_of_sample()
        (data / "threads.db").write_bytes(b"")
        (data / "threads.db").chmod(0o444)
        done = run("ask", "Show me incident INC-2025-08-24-001", "--data-dir", data)
        self.assertIn("not kept", self.check(done, 0).err)

    def test_usage_errors_are_two(self):
        self.check(run("aks"), 2, "aks", "did you mean `precedent ask`?")
        for args in (["ask"], ["ask", "x", "--frobnicate"], ["ask", "x", "--now", "yesterdayish"], ["frobnicate"], []):
            self.check(run(*args), 2)
        self.check(run("ask", "x", "--now", "20-20", "--data-dir", self.shared), 2, "--now", "20-20")

    def test_help_and_version_are_zero(self):
        for args in (["--help"], ["ask", "--help"], ["ingest", "--help"], ["--version"]):
            self.assertNotEqual(self.check(run(*args), 0).out, "")


class Batch(Case):
    def batch(self, *lines, code=0):
        text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n"
        file = self.write("batch.jsonl", text)
        return self.check(run("ask", "--batch", file, "--now", NOW, "--data-dir", self.shared), code)

    def test_one_answer_a_line_with_its_id(self):
        done = self.batch({"id": "a", "question": "Show me incident INC-2025-08-24-001"},
                          "", {"id": 7, "question": "PayU 403"}, {"question": "settlement late"})
        answers = done.lines()
        self.assertEqual([answer["id"] for answer in answers], ["a", 7, None])
        for answer in answers:
            self.assertEqual(sorted(answer), sorted(KEYS + ["id"]))
        self.assertIn("INC-2025-08-24-001", cited(answers[0]))

    def test_each_line_may_have_its_own_now(self):
        question = "Show me incidents from the last 7 days"
        late, early = self.batch({"question": question}, {"question": question, "now": "2025-01-21T00:00:00Z"}).lines()
        self.assertNotEqual(cited(late), cited(early))
        self.assertIn("INC-2025-01-20-005", cited(early))

    def test_history_tells_what_it_is(self):
        answer, = self.batch({"question": "What was its root cause?", "history": [
            {"role": "user", "content": "Show me incident INC-2025-08-24-001"},
            {"role": "assistant", "content": "INC-2025-08-24-001: payments unavailable"}]}).lines()
        self.assertIn("INC-2025-08-24-001", cited(answer))

    def test_a_bad_line_is_an_answer_that_says_so_and_the_others_go_on(self):
        bad = ['{"id":1,', "[]", '"x"', "{}", '{"question":7}', '{"question":"x","history":{}}',
               '{"question":"x","history":[7]}', '{"question":"x","history":[{"role":"system","content":"x"}]}',
               '{"question":"x","history":[{"role":"user"}]}', '{"question":"x","now":"nowish"}', '{"question":"x","now":7}']
        done = self.batch(*bad, {"id": "last", "question": "PayU 403"}, code=1)
        answers = done.lines()
        self.assertEqual(len(answers), len(bad) + 1)
        for line, answer in zip(bad, answers):
            self.assertEqual(answer["status"], "error", line)
            self.assertTrue(answer["missing"], line)
        self.assertEqual((answers[-1]["id"], answers[-1]["status"]), ("last", "ok"))
        for number in range(1, len(bad) + 1):
            self.assertIn(f"batch.jsonl:{number}:", done.err)

    def test_the_id_of_a_bad_line_is_kept(self):
        answer, = self.batch('{"id":"q9","question":7}', code=1).lines()
        self.assertEqual(answer["id"], "q9")

    def test_an_empty_question_in_a_batch_needs_input(self):
        answer, = self.batch({"id": 1, "question": " "}).lines()
        self.assertEqual(answer["status"], "needs_input")

    def test_an_invalid_byte_spoils_its_line_only(self):
        file = self.write("b.jsonl", b'{"id":1,"question":"\xff"}\n{"id":2,"question":"PayU 403"}\n')
        done = self.check(run("ask", "--batch", file, "--data-dir", self.shared), 1)
        self.assertEqual([answer["status"] for answer in done.lines()], ["error", "ok"])

    def test_from_standard_input(self):
        done = self.check(run("ask", "--batch", "-", "--data-dir", self.shared, stdin=b'{"question":"PayU 403"}\n'), 0)
        self.assertEqual(len(done.lines()), 1)

    def test_a_file_that_is_missing_is_named(self):
        self.check(run("ask", "--batch", self.folder / "none.jsonl", "--data-dir", self.shared), 1, "none.jsonl")

    def test_a_windows_file_reads_alike(self):
        file = self.write("b.jsonl", b'\xef\xbb\xbf{"id":1,"question":"PayU 403"}\r\n{"id":2,"question":"PayU 403"}\r\n')
        done = self.check(run("ask", "--batch", file, "--data-dir", self.shared), 0)
        self.assertEqual([answer["id"] for answer in done.lines()], [1, 2])


if __name__ == "__main__":
    unittest.main()
