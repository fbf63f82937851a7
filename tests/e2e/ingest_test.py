"""precedent ingest: what is loaded, what is reported, and what is never lost."""
import fcntl
import json
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

from harness import BINARY, EXAMPLES, Case, environment, example_documents, run


KEPT = "# Lantern\nThe brass lantern holds 7 litres of paraffin.\n"
KEPT_QUESTION = "how many litres of paraffin does the brass lantern hold?"


def incident(number, **fields):
    return {"incident_id": f"INC-2025-03-{number:02}-001", "title": f"Incident {number}",
            "description": f"Something broke for the {number}. time.", **fields}


def json_lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


class Examples(Case):
    def test_every_document_is_loaded_once(self):
        report = self.report(EXAMPLES)
        self.assertEqual((report["added"], report["bad_count"]), (example_documents(), 0))
        self.assertEqual(report["documents"], example_documents())

    def test_a_second_ingest_changes_nothing(self):
        self.report(EXAMPLES)
        again = self.report(EXAMPLES)
        self.assertEqual((again["added"], again["changed"], again["removed"], again["unchanged"]),
                         (0, 0, 0, example_documents()))
        self.assertEqual((again["embedded"], again["repaired"]), (0, ""))

    def test_the_summary_is_a_sentence(self):
        done = self.ingest(EXAMPLES)
        self.assertIn(f"{example_documents()} added, 0 changed, 0 unchanged, 0 removed, 0 bad", done.out)
        self.assertIn(f"{example_documents()} documents in {self.data}", done.out)


class Options(Case):
    def test_a_dry_run_changes_nothing(self):
        report = self.report(EXAMPLES, "--dry-run")
        self.assertEqual(report["added"], example_documents())
        self.check(run("ask", "PayU 403", "--data-dir", self.data), 1)
        self.report(EXAMPLES)
        notes = self.write("notes/a.md", "# A note\nText.\n").parent
        self.assertEqual(self.report(notes, "--dry-run")["added"], 1)
        self.assertEqual(self.report(notes)["added"], 1)

    def test_strict_loads_nothing_if_one_is_bad(self):
        file = self.write("i.jsonl", json_lines([incident(1), {"title": "no id"}]))
        report = self.report(file, "--strict", code=1)
        self.assertTrue(report["refused"])
        self.assertEqual(report["documents"], 0)
        self.assertEqual(self.report(file)["added"], 1)

    def test_prune_removes_what_vanished_from_its_source_only(self):
        one = self.write("one/a.md", "# A\nText of a.\n").parent
        gone = self.write("one/b.md", "# B\nText of b.\n")
        two = self.write("two/c.md", "# C\nText of c.\n").parent
        self.report(one, two)
        gone.unlink()
        self.assertEqual(self.report(one)["removed"], 0)
        report = self.report(one, "--prune")
        self.assertEqual((report["removed"], report["documents"]), (1, 2))

    def test_a_changed_document_replaces_itself(self):
        note = self.write("n/a.md", "# A\nThe pool holds 40 connections.\n")
        self.report(note.parent)
        note.write_text("# A\nThe pool holds 80 connections.\n")
        report = self.report(note.parent)
        self.assertEqual((report["changed"], report["documents"]), (1, 1))
        answer = self.ask("how many connections does the pool hold?", data=self.data)
        self.assertIn("80", answer["answer"])
        self.assertNotIn("40 connections", answer["answer"])

    def test_kind_service_and_tag(self):
        self.report(self.write("n/a.md", "# Restart it\nTurn it off.\n").parent, "--kind", "runbooks", "--service", "svc-a",
                    "--tag", "t1")
        done = self.check(run("tools", "call", "search_knowledge", '{"query":"","tagFilter":["t1"]}', "--json",
                              "--data-dir", self.data), 0)
        self.assertEqual([item["services"] for item in done.json()["result"]["runbooks"]], [["svc-a"]])

    def test_wrong_options_are_two_and_named(self):
        note = self.write("a.md", "# A\nText.\n")
        self.check(run("ingest", note, "--kind", "poem", "--data-dir", self.data), 2, "--kind", "poem", "runbook")
        self.check(run("ingest", note, "--map", "opened_at", "--data-dir", self.data), 2, "opened_at")
        self.check(run("ingest", "--data-dir", self.data), 2)

    def test_mapped_columns(self):
        file = self.write("i.csv", "Key,What,Long,Raised\nOPS-7,Printer on fire,It burns,2025-03-04 10:00\n")
        self.report(file, "--kind", "incident", "--map", "incident_id=Key", "title=What",
                    "description=Long", "--map", "opened_at=Raised")
        answer = self.ask("Show me incident OPS-7", data=self.data)
        self.assertIn("2025-03-04", answer["answer"])


    def test_a_mapped_column_that_does_not_exist_erases_nothing(self):
        file = self.write("i.csv", "id,title,Raised\nOPS-7,Printer on fire,2025-03-04\n")
        self.report(file, "--map", "opened_at=Raised")
        done = self.check(run("ingest", file, "--map", "opened_at=Rised", "--data-dir", self.data), 2, "Rised",
                          "id, title, Raised")
        self.assertNotIn("changed", done.out)
        self.assertIn("2025-03-04", self.ask("Show me incident OPS-7", data=self.data)["answer"])

    def test_prune_after_a_bad_file_removes_what_is_safe_and_says_what_it_kept(self):
        gone = self.write("kb/gone.md", "# Gone\nText.\n")
        broken = self.write("kb/broken.md", "# Broken\nText.\n")
        self.write("kb/good.md", "# Good\nText.\n")
        self.report(gone.parent)
        gone.unlink()
        broken.write_text("---\ntype: poem\n---\nText.\n")
        report = self.report(gone.parent, "--prune")
        self.assertEqual((report["removed"], report["documents"]), (1, 2))
        self.assertEqual(report["not_pruned"], {str(broken): 1})
        self.assertIn("1 document of " + str(broken) + " not pruned", self.ingest(gone.parent, "--prune").err)

    def test_a_renamed_folder_keeps_its_documents(self):
        folder = self.write("kb/runbooks/a.md", "# A\nText.\n").parents[1]
        self.report(folder)
        moved = folder.rename(folder.with_name("docs"))
        report = self.report(moved)
        self.assertEqual((report["added"], report["changed"], report["documents"]), (0, 1, 1))

    def test_what_was_left_out_is_named(self):
        folder = self.write("kb/a.md", "# A\nText.\n").parent
        self.write("kb/pic.png", "x")
        self.write("kb/vendor/b.md", "# B\n")
        secret = self.write("secret.md", "# Secret\nThe cellar key is under the third stone.\n")
        (folder / "link.md").symlink_to(secret)
        report = self.report(folder)
        self.assertEqual(report["documents"], 1)
        self.assertEqual(report["ignored_files"], {".png": [str(folder / "pic.png")]})
        left_out = {reason: names for reason, names in report["left_out_files"].items()}
        self.assertIn([str(folder / "link.md")], left_out.values())
        self.assertIn([str(folder / "vendor")], left_out.values())
        done = self.ingest(folder)
        self.assertIn("link.md", done.err)
        self.assertIn("pic.png", done.err)
        self.assertEqual(self.report(folder, "--follow-links")["documents"], 2)


class Remove(Case):
    def setUp(self):
        super().setUp()
        self.kb = self.write("kb/a.md", "---\nid: rb-a\ntype: runbook\n---\n# A\nText.\n").parent
        self.write("kb/sub/b.md", "# B\n" + KEPT)
        self.write("kb/i.jsonl", json_lines([incident(1), incident(2)]))
        self.report(self.kb)

    def remove(self, *args, code=0):
        return self.check(run("remove", *args, "--json", "--data-dir", self.data), code)

    def test_by_id_path_source_and_kind(self):
        self.assertEqual(self.remove("inc-2025-03-01-001").json()["documents"], 3)
        self.assertEqual(self.remove("--path", self.kb / "sub").json()["documents"], 2)
        done = self.ask(KEPT_QUESTION, data=self.data)
        self.assertNotIn("7 litres", done["answer"])
        self.assertEqual(self.remove("--kind", "incident").json()["documents"], 1)
        self.assertEqual(self.remove("--source", self.kb).json()["documents"], 0)

    def test_a_dry_run_changes_nothing(self):
        done = self.remove("--source", self.kb, "--dry-run").json()
        self.assertEqual((done["removed"], done["documents"]), (4, 4))
        self.assertIn("rb-a", [document["id"] for document in done["removed_documents"]])

    def test_what_fits_nothing_is_named(self):
        self.check(run("remove", "rb-a", "nobody", "--data-dir", self.data), 1, "nobody", "nothing was removed")
        self.check(run("remove", "--data-dir", self.data), 2, "--path")
        self.assertEqual(self.remove("rb-a").json()["removed"], 1)

    def test_the_summary_is_a_sentence(self):
        done = self.check(run("remove", "--kind", "incident", "--data-dir", self.data), 0)
        self.assertIn("2 removed (2 incident), 2 left", done.out)


class Expired(Case):
    def test_an_expired_runbook_is_quoted_with_a_warning(self):
        self.report(self.write("rb/pool.md", "---\ntype: runbook\ntitle: Lantern pool exhausted\nexpiresAt: 2026-03-01\n"
                               "---\n## Steps\n1. Drain the lantern pool with `lantern drain`.\n2. Restart the lantern "
                               "pool.\n").parent)
        question = "what are the steps when the lantern pool is exhausted?"
        late = run("ask", question, "--now", "2026-11-20", "--data-dir", self.data)
        self.assertIn("lantern drain", late.out)
        self.assertIn('"Lantern pool exhausted" expired on 2026-03-01', late.out)
        self.assertNotIn("not verified", late.out)
        for day in ("2026-02-27", "2026-03-01"):
            early = run("ask", question, "--now", day, "--data-dir", self.data)
            self.assertIn("lantern drain", early.out)
            self.assertNotIn("expired", early.out)


class BeforeTheVerb(Case):
    def test_options_stand_before_the_verb_too(self):
        note = self.write("a.md", "# Lantern\n" + KEPT)
        self.check(run("--data-dir", self.data, "ingest", note), 0)
        done = self.check(run("--data-dir", self.data, "--json", "ask", KEPT_QUESTION), 0)
        self.assertIn("7 litres", done.json()["answer"])
        self.check(run("--data-dir", self.data, "config", "check"), 0)
        self.check(run("--tools-config", "x", "graph"), 2, "--tools-config")

    def test_config_check_takes_the_files_that_the_program_would_take(self):
        tools = self.write("t.yaml", "metric:\n  prometheus: x\n")
        done = self.check(run("config", "check", "--tools-config", tools, "--data-dir", self.data), 2)
        self.assertIn(str(tools), done.out)
        tools = self.write("sum.yaml", "metrics:\n  names:\n    lag: {unit: seconds, statistic: value, aggregation: sum, metric: [lag_seconds]}\n")
        done = self.check(run("config", "check", "--tools-config", tools, "--data-dir", self.data), 2)
        self.assertIn("'lag' sums its series, and seconds does not add up", done.out)
        self.check(run("--tools-config", self.folder / "gone.yaml", "config", "check", "--data-dir", self.data), 2)


class BadInput(Case):
    def test_bad_records_are_reported_and_the_others_load(self):
        lines = [json.dumps(incident(1)), '{"incident_id": "INC-2', json.dumps({"title": "x", "description": "y"}),
                 json.dumps(incident(4, opened_at="the other day")), json.dumps(incident(5))]
        file = self.write("i.jsonl", "\n".join(lines) + "\n")
        report = self.report(file)
        self.assertEqual((report["added"], report["bad_count"]), (3, 2))
        self.assertEqual([bad["line"] for bad in report["bad"]], [2, 3])
        self.assertEqual(report["bad"][1]["field"], "incident_id")
        self.assertEqual(len(report["warnings"]), 1)
        self.assertIn("i.jsonl:4: 'opened_at': 'the other day'", report["warnings"][0])
        for bad in report["bad"]:
            self.assertTrue(bad["path"].endswith("i.jsonl"), bad)
        done = self.ingest(file)
        self.assertIn("i.jsonl:2", done.err)
        self.assertIn("i.jsonl:4", done.err)

    def test_bytes_that_are_not_utf8_are_reported_with_their_line(self):
        file = self.write("i.jsonl", json_lines([incident(1)]).encode() + b'{"incident_id":"\xff"}\n')
        report = self.report(file)
        self.assertEqual((report["added"], [bad["line"] for bad in report["bad"]]), (1, [2]))

    def test_all_bad_is_a_failure(self):
        self.report(self.write("i.jsonl", "{\n{\n"), code=1)

    def test_a_path_that_does_not_exist_is_named(self):
        done = self.check(run("ingest", self.folder / "nowhere", "--data-dir", self.data), 1, "nowhere")
        self.assertEqual(done.out, "")

    def test_an_unreadable_folder_is_named(self):
        secret = self.write("sources/secret/a.md", "# A\nText.\n").parent
        self.write("sources/open/b.md", "# B\nText.\n")
        # Root reads everything: then somebody else ingests.
        somebody = 65534 if os.geteuid() == 0 else None
        if somebody is not None:
            for folder in (self.folder_of_class, self.folder):
                folder.chmod(0o777)
        secret.chmod(0)
        try:
            done = run("ingest", self.folder / "sources", "--json", "--data-dir", self.data, user=somebody)
        except PermissionError:
            self.skipTest("the binary is out of reach for anybody but root")
        finally:
            secret.chmod(0o755)
        report = self.check(done, 0).json()
        self.assertEqual(report["added"], 1)
        self.assertIn("secret", report["bad"][0]["path"])

    def test_a_data_dir_that_is_a_file_is_named(self):
        self.write("data", "no folder")
        self.check(run("ingest", EXAMPLES, "--data-dir", self.data), 1, str(self.data))

    def test_files_that_are_no_source_are_counted(self):
        self.write("n/a.md", "# A\nText.\n")
        self.write("n/b.png", b"\x89PNG")
        self.assertEqual(self.report(self.folder / "n")["ignored"], {".png": 1})


class Interruption(Case):
    def many(self):
        # Long texts, so that the analysis takes a while.
        return self.write("many.jsonl", json_lines(
            {"incident_id": f"INC-2025-03-04-{i:05}", "title": f"Incident {i}",
             "description": f"The pool {i} of database {i % 97} was exhausted. " * 60} for i in range(6000)))

    def test_a_second_process_is_told_to_wait(self):
        self.report(EXAMPLES)
        with open(self.data / "ingest.lock", "a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = self.check(run("ingest", EXAMPLES, "--data-dir", self.data), 1, "another process is ingesting",
                              str(self.data), "wait")
            self.assertEqual(done.out, "")
            self.ask("PayU 403", data=self.data)  # reading goes on
        self.report(EXAMPLES)

    def wait_for_handler(self, process, number):
        """Until the process catches the signal: a loaded machine takes a while to start it."""
        until = time.monotonic() + 30
        while time.monotonic() < until and process.poll() is None:
            status = Path(f"/proc/{process.pid}/status").read_text()
            caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
            if int(caught.split()[1], 16) >> (number - 1) & 1:
                return
            time.sleep(0.01)

    def interrupted(self, number):
        many = self.many()
        self.report(self.write("n/a.md", KEPT).parent)
        process = subprocess.Popen([BINARY, "ingest", many, "--data-dir", self.data], env=environment(),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for_handler(process, number)
        time.sleep(0.1)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        if process.returncode == 0:
            self.skipTest("the ingest was over before the signal came")
        self.assertEqual(process.returncode, 128 + number, (out, err))
        return many, out.decode(), err.decode()

    def test_sigint_leaves_what_was_there_searchable(self):
        many, _, _ = self.interrupted(signal.SIGINT)
        self.assertIn("7 litres", self.ask(KEPT_QUESTION, data=self.data)["answer"])
        report = self.report(many)
        self.assertEqual(report["added"] + report["unchanged"], 6000)
        self.assertEqual(report["documents"], 6001)

    def test_sigterm_has_a_code_of_its_own(self):
        self.interrupted(signal.SIGTERM)

    def test_killed_it_is_repaired(self):
        many = self.many()
        self.report(self.write("n/a.md", KEPT).parent)
        process = subprocess.Popen([BINARY, "ingest", many, "--data-dir", self.data], env=environment(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.3)
        process.kill()
        process.wait()
        self.assertIn("7 litres", self.ask(KEPT_QUESTION, data=self.data)["answer"])
        self.assertEqual(self.report(many)["documents"], 6001)
        self.assertEqual(self.check(run("doctor", "--data-dir", self.data), 0).out.count("FAIL"), 0)


if __name__ == "__main__":
    unittest.main()
