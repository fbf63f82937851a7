"""What is seen of precedent from outside: the request log, `stats`, `config check`, the dashboard and the alert rules."""
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import unittest

from harness import NOW, ROOT, Case, environment, run

QUESTION = "Show me incident INC-2025-01-20-005"
FIELDS = ["time", "request_id", "thread_id", "status", "user_question", "intent_record", "plan", "tool_calls", "tool_calls_total",
          "final_answer_summary", "grounding", "usage", "durations"]
PROMTOOL = shutil.which("promtool")


class RequestLog(Case):
    def setUp(self):
        super().setUp()
        self.copy_of_sample()
        self.log = self.data / "requests.jsonl"

    def command(self, *args, code=0, **options):
        return self.check(run(*args, "--now", NOW, "--data-dir", self.data, **options), code)

    def records(self, file=None):
        return [json.loads(line) for line in (file or self.log).read_text().splitlines()]

    def test_a_question_is_one_line_with_every_field(self):
        thread = self.command("ask", QUESTION, "--json").json()["thread_id"]
        (record,) = self.records()
        self.assertEqual(list(record), FIELDS)
        self.assertRegex(record["time"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ$")
        self.assertRegex(record["request_id"], "^q-[0-9a-f]{12}$")
        self.assertEqual((record["thread_id"], record["status"], record["user_question"]), (thread, "ok", QUESTION))
        self.assertEqual(record["intent_record"]["question_type"], "lookup_incident")
        self.assertEqual([step["tool"] for step in record["plan"]], [call["tool"] for call in record["tool_calls"]])
        call = record["tool_calls"][0]
        self.assertEqual((call["receipt"], call["tool"], call["status"]), ("R1", "lookup_incident_by_id", "ok"))
        self.assertIn("INC-2025-01-20-005", json.dumps(call["input"]))
        self.assertTrue(0 < len(call["output_summary"].encode()) <= 600)
        self.assertGreaterEqual(call["ms"], 0)
        self.assertIn("PayU", record["final_answer_summary"])
        self.assertIsNone(record["usage"])
        self.assertGreaterEqual(record["durations"]["total_ms"], call["ms"])
        self.assertEqual(self.log.stat().st_mode & 0o777, 0o600)

    def test_every_way_to_ask_is_logged(self):
        thread = self.command("ask", QUESTION, "--json").json()["thread_id"]
        batch = self.write("batch.jsonl", '{"id": 1, "question": "What is PayU?"}\n\nno JSON\n{"id": 2, "question": "How do I build a bomb?"}\n')
        self.command("ask", "--batch", batch, code=1)
        self.command("chat", stdin=f"{QUESTION}\n/help\nWhat was the resolution?\n".encode())
        self.command("threads", "resume", thread)
        asked = [(r["user_question"], r["status"]) for r in self.records()]
        self.assertEqual([q for q, _ in asked], [QUESTION, "What is PayU?", "How do I build a bomb?", QUESTION, "What was the resolution?", QUESTION])
        self.assertEqual(asked[2][1], "refused")
        ids = [r["request_id"] for r in self.records()]
        self.assertEqual(len(set(ids)), len(ids))

    def test_the_follow_up_has_its_thread(self):
        self.command("chat", stdin=f"{QUESTION}\nWhat was the resolution?\n".encode())
        self.assertEqual(len({r["thread_id"] for r in self.records()}), 1)

    def test_off_and_elsewhere(self):
        self.command("ask", QUESTION, env=environment(PRECEDENT_REQUEST_LOG="off"))
        self.assertFalse(self.log.exists())
        other = self.folder / "other.jsonl"
        self.command("ask", QUESTION, env=environment(PRECEDENT_REQUEST_LOG=str(other)))
        self.assertEqual(len(self.records(other)), 1)
        config = self.write("conf/precedent.yaml", "log: {requests: beside.jsonl}\n")
        self.command("ask", QUESTION, "--config", config)
        self.assertEqual(len(self.records(self.folder / "conf" / "beside.jsonl")), 1)
        config.write_text("log: {requests: off}\n")
        self.command("ask", QUESTION, "--config", config)
        self.assertFalse(self.log.exists())

    def test_a_wrong_setting_is_an_error_of_configuration(self):
        config = self.write("precedent.yaml", "log:\n  request: off\n")
        done = self.command("ask", QUESTION, "--config", config, code=2)
        self.assertIn("precedent.yaml:2: log.request is unknown; did you mean requests?", done.err)

    def test_a_log_that_cannot_be_written_costs_one_warning(self):
        answer = self.command("ask", QUESTION).out
        self.log.unlink()
        self.log.mkdir()
        done = self.command("ask", QUESTION)
        self.assertEqual(done.out, answer)
        self.assertEqual(done.err.count("requests are not logged"), 1, done)
        done = self.command("chat", stdin=f"{QUESTION}\nWhat was the resolution?\n".encode())
        self.assertEqual(done.err.count("requests are not logged"), 1, done)

    def test_secrets_are_not_logged(self):
        self.command("ask", "PayU answers 403 with password=hunter2xyz since the deploy")
        text = self.log.read_text()
        self.assertNotIn("hunter2xyz", text)
        self.assertIn("[redacted", text)

    def test_a_long_question_is_cut(self):
        self.command("ask", "PayU answers 403. " + "€ " * 12000)
        (record,) = self.records()
        self.assertRegex(record["user_question"], r"…\[cut, \d+ bytes in all\]$")
        self.assertLess(self.log.stat().st_size, 32000)

    def test_several_processes_write_whole_lines(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda i: self.command("ask", f"{QUESTION} please {'x' * 100 * i}"), range(8)))
        self.assertEqual(len(self.records()), 8)

    def test_a_log_that_was_rotated_is_begun_anew(self):
        self.command("ask", QUESTION)
        self.log.rename(self.data / "requests.jsonl.1")
        self.command("ask", QUESTION)
        self.assertEqual(len(self.records()), 1)


class Stats(Case):
    def setUp(self):
        super().setUp()
        self.copy_of_sample()

    def stats(self, *args, code=0, **options):
        return self.check(run("stats", *args, "--data-dir", self.data, **options), code)

    def ask_some(self):
        for question in (QUESTION, "What is PayU?", "How do I fix HTTP 403 errors in PayU?"):
            self.check(run("ask", question, "--now", NOW, "--data-dir", self.data), 0)

    @staticmethod
    def record(**fields):
        return json.dumps({"time": "2026-11-19T10:00:00.000Z", "request_id": "q-1", "intent_record": {"question_type": "debug_incident"},
                           "tool_calls": [], "durations": {"total_ms": 10}} | fields) + "\n"

    def test_the_log_is_counted(self):
        self.ask_some()
        report = self.stats("--json").json()
        self.assertEqual(report["requests"], 3)
        self.assertEqual(report["by_question_type"]["lookup_incident"], 1)
        calls = [call for line in (self.data / "requests.jsonl").read_text().splitlines() for call in json.loads(line)["tool_calls"]]
        self.assertEqual(sum(tool["calls"] for tool in report["tools"].values()), len(calls))
        self.assertEqual(report["duration"]["count"], 3)
        self.assertGreater(report["duration"]["p95_ms"], 0)
        table = self.stats().out
        self.assertIn("3 requests", table)
        self.assertRegex(table, r"lookup_incident +1\n")
        self.assertRegex(table, r"lookup_incident_by_id +\d+ +0 ")

    def test_bad_lines_are_named_and_cost_nothing_else(self):
        log = self.write("log.jsonl", self.record() + '{"time": \n' + "x" * 40000 + "\n" + self.record() + "\n" + self.record()[:50])
        done = self.stats(log, "--json")
        self.assertEqual((done.json()["requests"], done.json()["bad_lines"]), (2, 3))
        self.assertIn(f"{log}:2: is not valid JSON; skipped", done.err)
        self.assertIn(f"{log}:3: is longer than 32000 bytes; skipped", done.err)

    def test_grounding_and_errors(self):
        call = {"tool": "doc_search", "status": "error", "ms": 3}
        log = self.write("log.jsonl", self.record(grounding={"grounded": True}) + self.record(grounding={"grounded": False}) +
                         self.record(tool_calls=[call, call | {"status": "ok"}, {"tool": "rm -rf", "status": "error"}]))
        report = self.stats(log, "--json").json()
        self.assertEqual((report["grounded"], report["checked"], report["grounding_rate"]), (1, 2, 0.5))
        self.assertEqual(report["tools"]["doc_search"]["errors"], 1)
        self.assertEqual(report["tools"]["other"]["calls"], 1)
        self.assertIn("grounded: 1 of 2 checked answers (50 %)", self.stats(log).out)

    def test_a_window(self):
        log = self.write("log.jsonl", "".join(self.record(time=f"2026-11-{day:02}T10:00:00Z") for day in range(1, 20)))
        for since, count in (("48h", 1), ("7d", 6), ("2026-11-15", 5), ("2026-11-02/2026-11-04", 2)):
            self.assertEqual(self.stats(log, "--json", "--since", since, "--now", "2026-11-20T12:00Z").json()["requests"], count, since)
        self.check(run("stats", log, "--since", "a while"), 2, "--since: 'a while' is no window")
        self.assertIn("No request in this time", self.stats(log, "--since", "1h", "--now", "2026-11-30").out)

    def test_several_files_and_standard_input(self):
        one = self.write("one.jsonl", self.record())
        self.assertEqual(self.stats(one, "-", "--json", stdin=self.record().encode()).json()["requests"], 2)

    def test_without_a_log_it_says_so(self):
        self.check(run("stats", "--data-dir", self.data), 1, "no request has been logged yet", "requests.jsonl")
        self.check(run("stats", "--data-dir", self.data, env=environment(PRECEDENT_REQUEST_LOG="off")), 2, "requests are not logged")
        self.check(run("stats", self.folder / "nothing.jsonl"), 1, "nothing.jsonl")
        self.check(run("stats", self.folder), 1, "directory")

    def test_prometheus_reads_the_exposition(self):
        self.ask_some()
        text = self.stats("--prometheus").out
        self.assertIn('agent_requests_total{question_type="lookup_incident"} 1\n', text)
        self.assertIn("agent_request_duration_seconds_count 3\n", text)
        if PROMTOOL is None:
            self.skipTest("promtool is not installed")
        done = subprocess.run([PROMTOOL, "check", "metrics"], input=text, text=True, capture_output=True, check=False)
        # Its linter wants no rate as a gauge of its own; the name is the one that people ask for.
        self.assertNotIn("error", (done.stdout + done.stderr).lower())


class ConfigCheck(Case):
    def config(self, *args, code=0, **options):
        return self.check(run("config", "check", *args, **options), code)

    def test_what_is_built_in_is_right(self):
        done = self.config("--data-dir", self.data, cwd=self.folder)
        for file in ("precedent.yaml", "tools.yaml", "guardrails.yaml", "synonyms.txt", "prompts/system.md"):
            self.assertRegex(done.out, rf"ok +{re.escape(file)} \(built in\)")
        self.assertNotIn("FAIL", done.out)

    def test_what_the_project_ships_is_right(self):
        files = [ROOT / "config" / name for name in ("precedent.yaml", "tools.yaml", "guardrails.yaml", "synonyms.txt")]
        self.config(*files, *sorted((ROOT / "prompts").glob("*.md")))

    def test_all_problems_are_told_with_file_line_and_key(self):
        self.write("data/precedent.yaml", "modle: {}\nmodel:\n  provider: opnai\n  retries: many\n  temprature: 1\nlog:\n  requests: [a]\n")
        self.write("data/tools.yaml", "environment: prod\nenvironments:\n  prod:\n    metrics:\n      prometheus: {url: x, retrys: 1}\n"
                   "  staging:\n    metrics:\n      window: soon\n      snapshots: x\n"
                   "metrics:\n  names:\n    p95:\n      statistic: median\n      metric: a\n    p99: {}\nchanges:\n  logs: [a, ['b']]\n  repositories:\n    - {name: x}\n")
        self.write("data/guardrails.yaml", "ofer: x\nallow: ['!']\ndeny:\n  similarity: 7\n  groups:\n    - words: [a]\n    - {name: x, words: ['!']}\n")
        self.write("data/synonyms.txt", "a, b\nalone\n\na => b => c\n")
        self.write("data/prompts/title.md", "{{transscript}}\n\n{{#x}}\n")
        self.write("data/prompts/tittle.md", "x")
        done = self.config("--data-dir", self.data, cwd=self.folder, code=2)
        for place in ("precedent.yaml:1: modle is unknown; did you mean model?", "precedent.yaml:3: model.provider: 'opnai' is unknown",
                      "precedent.yaml:4: model.retries: 'many'", "precedent.yaml:5: model.temprature is unknown", "precedent.yaml:7: log.requests",
                      "tools.yaml:5: environments.prod.metrics.prometheus.retrys", "tools.yaml:8: environments.staging.metrics.window",
                      "tools.yaml:9: environments.staging.metrics.snapshots", "tools.yaml:13: metrics.names.p95.statistic",
                      "tools.yaml:15: metrics.names.p99.metric", "tools.yaml:17: changes.logs", "tools.yaml:19: changes.repositories[0].path",
                      "guardrails.yaml:1: the file has no key 'ofer'", "guardrails.yaml:2: '!' in allow holds no word", "guardrails.yaml:4: 'similarity' is '7'",
                      "guardrails.yaml:6: an entry of deny.groups has no name", "guardrails.yaml:7: '!' in words holds no word",
                      "there is no 'clarify'", "there is no 'other' in 'refusals'", "synonyms.txt:2: one word alone", "synonyms.txt:4: more than one '=>'",
                      "title.md:1: the prompt 'title' has no variable 'transscript'", "title.md:3: the prompt 'title' has no variable 'x'",
                      "tittle.md: there is no prompt of this name; did you mean title.md?"):
            self.assertIn(place, done.out)
        lines = [int(line) for line in re.findall(r"tools\.yaml:(\d+):", done.out)]
        self.assertEqual(lines, sorted(lines))

    def test_broken_yaml_is_told_once(self):
        file = self.write("precedent.yaml", "model: {provider: offline\n")
        self.assertEqual(self.config(file, code=2).out.count("this is no YAML"), 1)

    def test_files_are_known_by_name_or_as_they_are_called(self):
        other = self.write("staging.yaml", "metrics: {window: soon}\n")
        self.check(run("config", "check", other), 2, "no configuration is called so", "tools.yaml")
        done = self.config(other, "--as", "tools", code=2)
        self.assertIn("staging.yaml:1: metrics.window", done.out)
        self.assertEqual(self.config(other, "--as", "tools", "--json", code=2).json()[0]["file"], str(other))
        self.assertIn("cannot open", self.config(self.folder / "tools.yaml", code=2).out)

    def test_a_key_that_is_not_exported_is_a_problem(self):
        file = self.write("precedent.yaml", "model: {provider: anthropic, api_key_env: NOT_EXPORTED}\n")
        self.assertIn("the variable NOT_EXPORTED is not set", self.config(file, code=2).out)
        self.config(file, env=environment(NOT_EXPORTED="x"))


class DashboardAndAlerts(Case):
    def metrics(self):
        """The series that the counters expose, by name."""
        text = run("stats", "-", "--prometheus", stdin=b"").out
        return set(re.findall(r"^(agent_\w+)(?:\{| )", text, re.M))

    def test_every_expression_names_metrics_that_exist(self):
        dashboard = json.loads((ROOT / "config" / "grafana-dashboard.json").read_text())
        expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
        self.assertGreaterEqual(len(expressions), 9)
        rules = (ROOT / "config" / "alert-rules.yaml").read_text()
        self.assertGreaterEqual(len(re.findall(r"\bagent_\w+", rules)), 8)
        metrics = self.metrics()
        self.assertIn("agent_requests_total", metrics)
        for text in [*expressions, rules]:
            named = set(re.findall(r"\bagent_\w+", text))
            self.assertTrue(named and named <= metrics, (text, named - metrics))

    def test_panels_do_not_overlap_and_have_ids_of_their_own(self):
        panels = json.loads((ROOT / "config" / "grafana-dashboard.json").read_text())["panels"]
        self.assertEqual(len({panel["id"] for panel in panels}), len(panels))
        taken = set()
        for panel in panels:
            at = panel["gridPos"]
            cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
            self.assertFalse(cells & taken, panel["title"])
            self.assertLessEqual(at["x"] + at["w"], 24)
            taken |= cells

    @unittest.skipIf(PROMTOOL is None, "promtool is not installed")
    def test_the_rules_are_valid_and_fire_when_they_should(self):
        for args in (["check", "rules", ROOT / "config" / "alert-rules.yaml"],
                     ["test", "rules", pathlib.Path(__file__).with_name("alert_rules_test.yaml")]):
            done = subprocess.run([PROMTOOL, *map(str, args)], text=True, capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
