"""The question of the sample company's story, from the question to the cited answer: on a frozen snapshot, on a real Prometheus and a
real Alertmanager, with parts of the evidence missing, and with a model that would rather not look."""
import datetime
import json
import pathlib
import re
import shutil
import socket
import subprocess
import threading
import time
import unittest
import urllib.parse
import urllib.request

from harness import ROOT, Case, environment, run
from vendor import VendorCase

SYSTEMS = ROOT / "sample-systems"
QUESTION = "Latency on /api/search has been spiky since yesterday's deploy. What's going on?"
STORY = "2026-11-18T09:30:00Z"
DEPLOY = "2026-11-17T15:40:00Z"
RUNBOOK = ROOT / "examples/runbooks/search-latency.md"
HANDLER = "search-service/search_service.py"
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def numbers(text):
    return set(NUMBER.findall(text))


def section(answer, heading):
    """What stands under a bold heading."""
    found = re.search(rf"^\*\*{re.escape(heading)}\*\*(.*?)(?=^\*\*[A-Z][^*\n]*\*\*(?: |$|\n)|\Z)", answer, re.M | re.S)
    return found.group(1) if found else ""


def time_of(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


class Story(Case):
    """The sample company with its systems: the knowledge base holds its code, too."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.platform = cls.folder_of_class / "platform"
        cls.snapshot = cls.folder_of_class / "snapshot"
        subprocess.run([ROOT / "scripts/sample-repository", cls.platform], check=True)
        subprocess.run([ROOT / "scripts/sample-metrics", cls.snapshot], check=True)
        cls.documents = cls.folder_of_class / "documents"
        shutil.copytree(cls.shared, cls.documents)
        done = run("ingest", "--repo", cls.platform, "--data-dir", cls.shared)
        if done.code != 0:
            raise AssertionError(f"the sample company's code does not load: {done}")

    def tools(self, metrics=None):
        """sample-systems/tools.yaml with this test's paths, and with other sources of metrics where they are named."""
        text = (SYSTEMS / "tools.yaml").read_text(encoding="utf-8")
        for old, new in (("snapshot: ../build/sample/snapshot", metrics or f"snapshot: {self.snapshot}"),
                         ("../build/sample/platform", str(self.platform)),
                         ("[deploys.jsonl, flags.jsonl]", json.dumps([str(SYSTEMS / "deploys.jsonl"), str(SYSTEMS / "flags.jsonl")]))):
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.write("tools.yaml", text)

    def command(self, *args, question=QUESTION, tools=None, data=None, env=None, code=0):
        return self.check(run("ask", question, "--now", STORY, "--data-dir", data or self.shared, "--tools-config",
                              tools or self.tools(), *args, env=env), code)

    def investigate(self, **options):
        return self.command("--json", **options).json()

    def check_intent(self, answer):
        intent = answer["intent"]
        self.assertEqual(intent["question_type"], "debug_incident")
        self.assertEqual(intent["subjects"], ["/api/search"])
        (hint,) = intent["time_hints"]
        self.assertEqual((hint["text"], hint["relative_to"], hint["from"]), ("since yesterday's deploy", "last_deploy", DEPLOY))
        self.assertIn("search-service 2.31.0", hint["resolved_by"])
        self.assertIn("a recorded deploy", hint["resolved_by"])
        self.assertIn("deploys.jsonl:64", hint["resolved_by"])

    def check_plan(self, answer):
        calls = [(step["tool"], step["args"].get("query", "")) for step in answer["plan"]]
        first = {tool: query for tool, query in reversed(calls)}
        self.assertLessEqual({"metrics_query", "repo_search", "doc_search", "recent_changes"}, set(first))
        self.assertRegex(first["metrics_query"], r"^metric=p95_latency .*filter=endpoint=/api/search")
        self.assertIn("/api/search", first["repo_search"])
        self.assertIn("/api/search", first["doc_search"])
        for receipt in answer["receipts"]:
            self.assertTrue(receipt["note"].startswith(f"{receipt['id']} {receipt['tool']}: "), receipt["note"])
        for step in answer["plan"]:
            self.assertTrue(step["purpose"], step)
            if step["tool"] in ("metrics_query", "repo_search"):
                self.assertIn(step["rule"], ("behaviour_needs_metrics", "second_look"), step)
        made = [(receipt["tool"], json.dumps(receipt["args"], sort_keys=True)) for receipt in answer["receipts"]]
        self.assertEqual(len(made), len(set(made)), "a call was made twice")
        self.assertEqual(sorted(made), sorted((s["tool"], json.dumps(s["args"], sort_keys=True)) for s in answer["plan"]))

    def metric(self, answer, name):
        return next(receipt["result"] for receipt in answer["receipts"]
                    if receipt["tool"] == "metrics_query" and receipt["result"].get("metric") == name)

    def check_metrics(self, answer):
        text = section(answer["answer"], "Evidence from metrics")
        latency, database = self.metric(answer, "p95_latency"), self.metric(answer, "db_latency")
        self.assertGreater(latency["current"]["value"], 2)
        self.assertGreater(latency["comparisons"][0]["ratio"], 1.5)
        self.assertGreater(database["comparisons"][0]["ratio"], 2)
        self.assertLess(self.metric(answer, "cache_hit_ratio")["current"]["value"], 0.05)
        self.assertRegex(text, rf"\*\*p95_latency\*\*: {latency['current']['value']:.4g} s now")
        self.assertRegex(text, rf"\*\*db_latency\*\*: {database['current']['value']:.4g} s now.*, {database['comparisons'][0]['ratio']:.3g}× the 1d before ")
        self.assertRegex(answer["answer"], r"\A\*\*p95_latency rose at 2026-11-18T\d\d:\d\d:00Z from 0\.2\d* s to [23]\.\d+ s\.\*\*")
        for alert, since in (("SearchLatencyHigh", "2026-11-18T08:22:30Z"), ("SearchDbCpuHigh", "2026-11-18T08:42:30Z"),
                             ("SearchCacheHitRatioLow", "2026-11-17T16:12:30Z")):
            self.assertIn(f"Alert **{alert}** since {since}", text)

    def check_code(self, answer):
        """Every excerpt is what stands in these lines; one of them is the wrong unit of the cache, beside the commit that wrote it."""
        text = section(answer["answer"], "Evidence from code and configuration")
        excerpts = re.findall(r"\[([^\]]+):(\d+)-(\d+)\][^\n]*\n```\w*\n(.*?)```", text, re.S)
        self.assertTrue(excerpts, text)
        for path, first, last, excerpt in excerpts:
            lines = (self.platform / path).read_text(encoding="utf-8").splitlines()[int(first) - 1:int(last)]
            self.assertEqual(excerpt.splitlines(), lines, path)
        self.assertTrue(any(path == HANDLER and "px=ttl" in excerpt for path, _, _, excerpt in excerpts), text)
        self.assertRegex(text, rf"\[{re.escape(HANDLER)}:\d+-\d+\] \[7d7a801d43\]")

    def check_documents(self, answer):
        lines = RUNBOOK.read_text(encoding="utf-8").splitlines()
        steps = re.search(rf"^\*\*Steps\*\* from runbook \"Search latency on /api/search\", (\w+) \[{re.escape(str(RUNBOOK))}:(\d+)-(\d+)\]:\n(.*?)(?=^\*\*)",
                          answer["answer"], re.M | re.S)
        self.assertTrue(steps, answer["answer"])
        self.assertEqual(lines[int(steps.group(2)) - 1], f"## {steps.group(1)}")
        section = lines[int(steps.group(2)) - 1:int(steps.group(3))]
        self.assertTrue(section[0].startswith("## "), section[0])  # which the line above the steps names
        self.assertTrue(steps.group(4).startswith("\n".join(section[1:]).strip()), steps.group(4))
        for word in ("TTL", "key", "index"):
            self.assertIn(word, steps.group(4))
        self.assertIn(str(RUNBOOK), [source["path"] for source in answer["sources"]])

    def check_cause(self, answer):
        text = section(answer["answer"], "Likely cause")
        self.assertIn("(a hypothesis, not proved)", text.splitlines()[0])
        self.assertRegex(text, r"\n- Hypothesis: Deploy of search-service 2\.31\.0 .*\[deploys\.jsonl:64\]")
        self.assertIn("To prove or refute it", text)
        # Nothing outside says that the deploy is behind it.
        self.assertNotRegex(answer["answer"].replace(text, ""), r"(?i)hypothesis:|is behind it|caused by")
        self.assertIn(f"- {DEPLOY} Deploy of search-service 2.31.0 (was 2.30.4), by Clara Neumann [deploys.jsonl:64]",
                      section(answer["answer"], "What changed"))

    def check_numbers(self, answer):
        """Every number stands in a receipt, or is a lapse of time between two that do."""
        told = numbers(" ".join(json.dumps(receipt, ensure_ascii=False) for receipt in answer["receipts"]))
        for hours, at in re.findall(r"came ([\d.]+) h before \S+ rose at (\S+Z)", answer["answer"]):
            lapse = time_of(at) - time_of(DEPLOY)
            self.assertAlmostEqual(float(hours), lapse.total_seconds() / 3600, delta=0.05)
            told.add(hours)
        # An address is no number; R1 names a receipt, ten digits of a hash a commit: both are looked for as they are.
        names = {receipt["id"] for receipt in answer["receipts"]}
        dump = json.dumps(answer["receipts"])
        text = re.sub(r"\[(R\d+|[0-9a-f]{10})\b", lambda m: self.assertTrue(m[1] in names or m[1] in dump, m[1]) or "[",
                      re.sub(rf"{re.escape(str(ROOT))}|127\.0\.0\.1:\d+", "", answer["answer"]))
        self.assertEqual(numbers(text) - told, set())

    def check_story(self, answer):
        self.assertEqual((answer["status"], answer["missing"]), ("ok", []))
        self.check_intent(answer)
        self.check_plan(answer)
        self.check_metrics(answer)
        self.check_code(answer)
        self.check_documents(answer)
        self.assertIn("cache misconfiguration", answer["answer"].lower())
        self.check_cause(answer)
        self.check_numbers(answer)


class Frozen(Story):
    def test_the_story_is_told(self):
        self.check_story(self.investigate())

    def test_the_plan_is_shown_before_the_answer(self):
        out = self.command("--plan").out
        self.assertTrue(out.startswith("Plan\n"))
        answer = out.index("**p95_latency rose")
        for tool in ("metrics_query", "repo_search", "doc_search"):
            self.assertRegex(out[:answer], rf"\n +\d+\. {tool} \{{")
        self.assertIn("(rule behaviour_needs_metrics)", out[:answer])

    def test_the_request_log_has_the_plan(self):
        log = self.folder / "requests.jsonl"
        answer = self.investigate(env=environment(PRECEDENT_REQUEST_LOG=str(log)))
        record = json.loads(log.read_text())
        self.assertEqual(record["plan"], answer["plan"])
        self.assertEqual(record["intent_record"], answer["intent"])
        self.assertEqual([call["receipt"] for call in record["tool_calls"]], [receipt["id"] for receipt in answer["receipts"]])

    def test_the_same_question_gets_the_same_answer(self):
        first, second = self.investigate(), self.investigate()
        self.assertEqual(first["answer"], second["answer"])


class WithEncoder(Story):
    def setUp(self):
        super().setUp()
        for what in ((ROOT / "examples",), ("--repo", self.platform)):
            done = self.check(run("ingest", *what, "--data-dir", self.data, weights=True), 0)
        if "searching by words only" in done.err:
            self.skipTest("no embedding weights; scripts/fetch-model fetches them")

    def ask(self, question):
        return self.investigate(question=question, data=self.data, env=environment(weights=True))

    def test_the_story_is_told_and_the_cache_is_shown(self):
        answer = self.investigate(data=self.data, env=environment(weights=True))
        self.check_story(answer)
        self.assertRegex(answer["answer"], rf"`{HANDLER}` \([^)]*ResultCache[^)]*\)[^\[\n]*\[{HANDLER}:\d+-\d+\]")

    def test_trouble_is_measured_whatever_words_tell_of_it_and_what_is_written_is_not(self):
        for question, system in (("Pods of payment-service restart all the time", "payment-service"),
                                 ("webhook-dispatcher queue is growing", "webhook-dispatcher")):
            answer = self.ask(question)
            asked = [call["args"]["query"] for call in answer["plan"] if call["tool"] == "metrics_query"]
            self.assertTrue(any(f"service={system}" in query for query in asked), answer["plan"])
            self.assertEqual(answer["grounding"]["unmet_rules"], [])
            # What to do about other trouble of the same system is no step of this.
            self.assertNotIn("**Steps**", answer["answer"])
        self.assertIn("**p95_latency", self.ask("is the API slow?")["answer"])
        for question in ("payment-service overview", "how do I restart payment-service pods",
                         "Has payment-service ever run out of connections?"):
            self.assertNotIn("metrics_query", [call["tool"] for call in self.ask(question)["plan"]], question)

    def test_what_also_asks_for_a_runbook_gets_both(self):
        answer = self.ask("fx-rates refuses with 503 rates_stale since 21:05 last night - is it the Curvio poller, have we had this before, "
                          "and is there a runbook?")
        self.assertIn("metrics_query", [call["tool"] for call in answer["plan"]])
        self.assertIn("**fx-rates stale or refusing**", answer["answer"])
        self.assertEqual(answer["answer"].count("**Steps**"), 1)

    def test_a_word_of_the_vocabulary_is_not_misspelt(self):
        self.assertNotIn("Taking '", self.ask("spicy latency of /api/search")["answer"])


class Live(Story):
    """Beside the snapshot, with the same figures. Alertmanager knows only the present, so the alerts that were active then are
    given to it as lasting."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.name = str(cls.folder_of_class)
        started = subprocess.run([ROOT / "scripts/telemetry-servers", "start", cls.name, cls.snapshot / "metrics.om"],
                                 capture_output=True, text=True, check=False)
        if started.returncode != 0:
            super().tearDownClass()
            raise AssertionError(f"no servers: {started.stderr}")
        cls.prometheus, cls.alertmanager = started.stdout.split()
        cls.post_alerts()

    @classmethod
    def tearDownClass(cls):
        subprocess.run([ROOT / "scripts/telemetry-servers", "stop", cls.name], check=True)
        super().tearDownClass()

    @classmethod
    def post_alerts(cls):
        until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
        alerts = [alert | {"endsAt": until.isoformat()} for alert in json.loads((SYSTEMS / "alerts.json").read_text())
                  if time_of(alert["startsAt"]) <= time_of(STORY) < time_of(alert["endsAt"])]
        request = urllib.request.Request(cls.alertmanager + "/api/v2/alerts", json.dumps(alerts).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10):
            pass

    def live(self):
        return environment(PRECEDENT_PROMETHEUS_URL=self.prometheus, PRECEDENT_ALERTMANAGER_URL=self.alertmanager)

    def test_the_same_story_is_told(self):
        answer = self.investigate(env=self.live())
        self.check_story(answer)
        self.assertEqual({self.metric(answer, name)["source"] for name in ("p95_latency", "db_latency")},
                         {f"Prometheus at {self.prometheus.removeprefix('http://')}"})
        frozen = self.investigate()
        self.assertEqual(section(answer["answer"], "What changed"), section(frozen["answer"], "What changed"))
        for name in ("p95_latency", "db_latency", "saturation", "cache_hit_ratio"):
            live, cold = self.metric(answer, name), self.metric(frozen, name)
            self.assertEqual(live["query"], cold["query"])
            for value in (lambda m: m["current"]["value"], lambda m: m["summary"]["mean"]):
                self.assertAlmostEqual(value(live) / value(cold), 1, delta=1e-9, msg=name)

    def value_at(self, query, at):
        text = urllib.parse.urlencode({"query": query, "time": at})
        with urllib.request.urlopen(f"{self.prometheus}/api/v1/query?{text}", timeout=10) as reply:
            (series,) = json.load(reply)["data"]["result"]
        return float(series["value"][1])

    def test_what_is_compared_is_what_the_server_says_of_that_time(self):
        answer = self.investigate(env=self.live())
        for name in ("p95_latency", "db_latency", "saturation"):
            metric = self.metric(answer, name)
            (earlier,) = (then for then in metric["now_against"] if then["what"] == "the same time a day earlier")
            told = self.value_at(metric["query"], (time_of(STORY) - datetime.timedelta(days=1)).isoformat())
            self.assertAlmostEqual(earlier["value"] / told, 1, delta=1e-9, msg=name)

    def test_the_highest_is_that_of_the_samples_and_not_of_a_grid(self):
        receipt = self.check(run("tools", "call", "metrics_query", '{"query": "metric=db_cpu_usage_ratio window=24h filter=db=search-db"}',
                                 "--json", "--now", STORY, "--data-dir", self.shared, env=self.live()), 0).json()
        summary = receipt["result"]["summary"]
        for figure, function in (("max", "max_over_time"), ("min", "min_over_time")):
            self.assertEqual(summary[figure], self.value_at(f'{function}(db_cpu_usage_ratio{{db="search-db"}}[24h])', STORY))

    def test_a_file_of_configuration_leads_there(self):
        tools = self.tools(metrics=f"prometheus: '{self.prometheus}'\n      alertmanager: '{self.alertmanager}'")
        self.assertEqual(self.investigate(tools=tools)["answer"], self.investigate(env=self.live())["answer"])

    def test_an_alertmanager_that_is_dead_is_not_taken_for_calm(self):
        dead = environment(PRECEDENT_PROMETHEUS_URL=self.prometheus, PRECEDENT_ALERTMANAGER_URL="http://127.0.0.1:9")
        refused = r"Alertmanager at 127\.0\.0\.1:9: .*refuses connections"
        answer = self.investigate(question="which alerts are firing?", env=dead, code=1)
        self.assertEqual(answer["status"], "error")
        self.assertRegex(answer["answer"], rf"\ANot found: alert=\*\. metrics_query failed: {refused}")
        self.assertNotIn("No active alert", json.dumps(answer))
        answer = self.investigate(question="is checkout-api healthy right now?", env=dead)
        self.assertEqual(answer["status"], "partial")
        self.assertRegex(answer["answer"], r"\ANot found: values of p95_latency, .* from before \S+ to compare with\.\n")
        self.assertRegex(answer["answer"], rf"Not found: active alerts, which could not be read\. {refused}")
        self.assertNotIn("No active alert", json.dumps(answer))


class Gaps(Story):
    """What cannot be looked at is named, and the rest of the answer goes on."""

    def check_partial(self, answer, *sentences):
        self.assertEqual(answer["status"], "partial")
        for sentence in sentences:
            self.assertTrue(any(re.search(sentence, gap) for gap in answer["missing"]), (sentence, answer["missing"]))
            self.assertRegex(answer["answer"], sentence)
        self.assertNotIn("", answer["missing"])

    def test_a_prometheus_that_is_dead(self):
        answer = self.investigate(env=environment(PRECEDENT_PROMETHEUS_URL="http://127.0.0.1:9"))
        self.check_partial(answer, r"metrics_query failed: Prometheus at 127\.0\.0\.1:9.*refuses connections")
        self.assertRegex(answer["answer"], r"\ANot found: metric=p95_latency [^\n]*; metric=")
        self.assertEqual(answer["answer"].count("refuses connections"), 1)
        self.assertEqual({r["status"] for r in answer["receipts"] if r["tool"] == "metrics_query"}, {"error"})
        self.check_intent(answer)
        self.check_code(answer)
        self.check_documents(answer)
        self.check_cause(answer)
        self.check_numbers(answer)
        # Without metrics nothing is said of how the system behaves.
        self.assertEqual(section(answer["answer"], "Evidence from metrics"), "")
        self.assertNotRegex(answer["answer"], r"\brose at\b|Moved with it")

    def test_a_prometheus_that_hangs_is_waited_for_once(self):
        with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
            asked, held = [], []

            def accept():
                try:
                    while True:
                        held.append(server.accept()[0])
                        asked.append(held[-1].recv(200))
                except OSError:
                    pass

            threading.Thread(target=accept, daemon=True).start()
            tools = self.tools(metrics=f"prometheus: {{url: 'http://127.0.0.1:{server.getsockname()[1]}', timeout: 2s}}")
            began = time.monotonic()
            answer = self.investigate(tools=tools)
            took = time.monotonic() - began
            for one in held:
                one.close()
        self.assertTrue(asked)
        self.assertLess(took, 5, "one timeout and what an answer takes")
        self.check_partial(answer, r"metrics_query failed: Prometheus at 127\.0\.0\.1.*raise timeout \(2000 ms\)")
        self.assertEqual(answer["answer"].count("raise timeout (2000 ms)"), 1)

    def test_what_could_not_be_read_stands_right_below_the_headline(self):
        tools = self.tools()
        tools.write_text(tools.read_text(encoding="utf-8").replace("flags.jsonl", "gone.jsonl"), encoding="utf-8")
        answer = self.investigate(tools=tools)
        paragraphs = answer["answer"].split("\n\n")
        self.assertRegex(paragraphs[0], r"\A\*\*p95_latency rose")
        self.assertRegex(paragraphs[1], r"\Agone\.jsonl could not be read: [^\n]*gone\.jsonl: No such file[^\n]*\Z")
        self.assertEqual(answer["answer"].count("gone.jsonl could not be read"), 1)
        # Of a list as well, before its lines.
        answer = self.investigate(question="what changed in search-service in the last two weeks?", tools=tools)
        self.assertRegex(answer["answer"], r"\A\*\*Changes of search-service[^\n]*\n\ngone\.jsonl could not be read[^\n]*\n\n- ")

    def test_what_was_undone_is_told_below_the_headline_and_not_advised_again(self):
        log = self.write("with_rollback.jsonl", (SYSTEMS / "deploys.jsonl").read_text(encoding="utf-8") + json.dumps(
            {"time": "2026-11-18T09:05:00Z", "service": "search-service", "kind": "rollback", "version": "2.30.4", "from": "2.31.0",
             "environment": "production"}) + "\n")
        tools = self.tools()
        tools.write_text(tools.read_text(encoding="utf-8").replace(str(SYSTEMS / "deploys.jsonl"), str(log)), encoding="utf-8")
        undone = r"search-service 2\.31\.0, which may be behind it [^\n]* was undone at 2026-11-18T09:05:00Z: Rollback of search-service"
        for question in (QUESTION, "is the deploy of search-service to blame?"):
            text = self.investigate(question=question, tools=tools)["answer"]
            (line,) = (number for number, line in enumerate(text.splitlines()) if re.search(undone, line))
            self.assertLess(line, 4, text)
            self.assertRegex(text.splitlines()[line], r"no change of p95_latency since: before that it rose at 2026-11-18T08:15:00Z from 0\.2\d+ s to "
                             r"2\.9\d+ s, and it was 3\.\d+ s at ")
            self.assertNotIn("undo it where that is safe", text)

    def test_alerts_of_a_snapshot_that_are_cut_short_are_not_taken_for_calm(self):
        broken = self.folder / "broken"
        shutil.copytree(self.snapshot, broken)
        for file in broken.rglob("alert*.json"):
            file.write_text(file.read_text(encoding="utf-8")[:200], encoding="utf-8")
        tools = self.tools(metrics=f"snapshot: {broken}")
        for question, code in (("which alerts are firing?", 1), ("is everything ok?", 0)):
            answer = self.investigate(question=question, tools=tools, code=code)
            self.assertRegex(answer["answer"], r"\ANot found: alert=\*\. [^\n]*alerts\.json: this is no JSON")
            self.assertNotIn("No active alert", json.dumps(answer))
        self.assertIn("alerts.json: this is no JSON", self.check(run("config", "check", tools), 2, "").out)

    def test_an_alert_of_a_system_leads_where_its_metrics_are_as_ever(self):
        alarmed = self.folder / "alarmed"
        shutil.copytree(self.snapshot, alarmed)
        (file,) = alarmed.rglob("alerts.json")
        alerts = json.loads(file.read_text(encoding="utf-8"))
        queue = dict(alerts[0], startsAt="2026-11-18T08:00:00.000Z", annotations={"summary": "Payments wait"},
                     labels={"alertname": "PaymentQueueLong", "service": "payment-service", "severity": "page"})
        file.write_text(json.dumps([*alerts, queue]), encoding="utf-8")
        tools = self.tools(metrics=f"snapshot: {alarmed}")
        for question in ("is payment-service ok?", "is payment-service healthy"):
            answer = self.investigate(question=question, tools=tools)
            self.assertRegex(answer["answer"], r"\AAlert \*\*PaymentQueueLong\*\* since 2026-11-18T08:00:00Z: Payments wait")
            self.assertNotIn("Nothing unusual", answer["answer"])
            self.assertEqual(answer["grounding"]["unsupported"], 0)

    def test_what_carries_the_name_of_a_system_leads_where_its_labelled_metrics_are_as_ever(self):
        queued = self.folder / "queued"
        shutil.copytree(self.snapshot, queued)
        file = queued / "metrics.om"
        now = 1794994200
        depth = "".join(f"payment_queue_depth {90 if age < 4 * 3600 else 5 + age // 300 % 2} {now - age}\n" for age in range(8 * 86400, -1, -300))
        file.write_text(file.read_text(encoding="utf-8").replace("# EOF", f"# TYPE payment_queue_depth gauge\n{depth}# EOF"), encoding="utf-8")
        tools = self.tools(metrics=f"snapshot: {queued}")
        text = pathlib.Path(tools).read_text(encoding="utf-8").replace("      names:\n", "      names:\n        queue_depth: {statistic: value, metric: payment_queue_depth}\n")
        tools = self.write("tools.yaml", text)
        answer = self.investigate(question="is payment-service ok?", tools=tools)
        self.assertRegex(answer["answer"], r"\A\*\*queue_depth (rose|was above)[^\n]*2026-11-18T0[56]:")
        # Of an endpoint it is no figure.
        answer = self.investigate(question="is /v1/payments ok?", tools=tools)
        self.assertNotRegex(answer["answer"], r"\A\*\*queue_depth")

    def test_lines_of_a_log_that_cannot_be_read_are_told(self):
        log = self.write("deploys.jsonl", '{"time":"2026-11-18T03:00:00Z","service":"search-service","kind":"deploy","version":"9"}\ncut off\n')
        tools = self.write("tools.yaml", f"changes: {{logs: '{log}'}}\n")
        answer = self.investigate(question="what was deployed today?", tools=tools)
        self.check_partial(answer, r"Not all of deploys\.jsonl could be read: 1 of its lines cannot be read; the first: \S*deploys\.jsonl:2")
        self.assertIn("[deploys.jsonl:1]", answer["answer"])

    def test_an_endpoint_without_metrics(self):
        answer = self.investigate(question="Why is /v1/webhooks slow since yesterday's deploy?")
        self.check_partial(answer, r"Not found: the metric p95_latency, .* to 2026-11-18T09:30:00Z\. No series fits endpoint=\"/v1/webhooks\"; "
                                   r"endpoint is for example: /api/search")
        queries = [r["args"]["query"] for r in answer["receipts"] if r["tool"] == "metrics_query" and r["status"] == "empty"]
        self.assertEqual(len(queries), 2, "one retry with a refined query")
        self.assertIn("filter=endpoint=/v1/webhooks", queries[0])
        self.assertIn("filter=service=webhook-dispatcher", queries[1])
        self.assertNotIn("**p95_latency", answer["answer"])

    def test_no_repository_is_indexed(self):
        answer = self.investigate(data=self.documents)
        self.assertRegex(answer["answer"], r"(?m)^Code was not searched: no repository is indexed")
        self.assertIs(answer["grounding"]["grounded"], False)
        self.assertEqual(section(answer["answer"], "Evidence from code and configuration"), "")
        self.check_metrics(answer)
        self.check_documents(answer)
        self.check_cause(answer)

    def test_nothing_is_configured(self):
        answer = self.investigate(data=self.documents, tools=self.write("none.yaml", "environment: default\nenvironments: {default: {metrics: {}}}\n"))
        for what, remedy in (("Metrics were not checked", "Prometheus"), ("Code was not searched", "precedent ingest --repo PATH")):
            self.assertRegex(answer["answer"], rf"(?m)^{what}: no.*{remedy}")
        self.assertIs(answer["grounding"]["grounded"], False)
        self.assertIn("behaviour_needs_metrics", answer["grounding"]["unmet_rules"])
        self.assertEqual({r["tool"] for r in answer["receipts"]} & {"metrics_query", "repo_search", "recent_changes"}, set())
        self.check_documents(answer)


class WithModel(VendorCase, Story):
    """A rule binds the model, too: what it does not look at is looked at before it is asked."""

    def log(self):
        return self.folder / "requests.jsonl"

    def ask_model(self, *replies, code=0):
        """The answer, where the model says these one after another; the last one again and again, also when told to correct it."""
        left = list(replies)
        self.server.reply = lambda request: left.pop(0) if request.get("tools") and len(left) > 1 else left[-1]
        return self.investigate(env=self.env | {"PRECEDENT_REQUEST_LOG": str(self.log())}, code=code)

    def check_rule(self, answer):
        tools = [receipt["tool"] for receipt in answer["receipts"]]
        self.assertLessEqual({"metrics_query", "repo_search"}, set(tools))
        record = json.loads(self.log().read_text())
        for steps in (answer["plan"], record["plan"]):
            asked = {(step["tool"], step.get("rule")) for step in steps}
            self.assertLessEqual({("metrics_query", "behaviour_needs_metrics"), ("repo_search", "behaviour_needs_metrics")}, asked)
        self.assertEqual([call["tool"] for call in record["tool_calls"]], tools)

    def test_that_answers_at_once_has_the_evidence_before_it(self):
        answer = self.ask_model([({"content": "The disk of search-db is 97 % full since 08:12."}, None), ({}, "stop")])
        self.check_rule(answer)
        asked = [request for request in self.server.requests if request.get("tools")]
        # Already the first request for an answer shows what the tools said.
        results = "\n".join(m["content"] for m in asked[0]["messages"] if m["role"] == "tool")
        for evidence in ("p95_latency", "search-service/search_service.py"):
            self.assertIn(evidence, results)
        # No receipt proves what it says.
        self.assertEqual(answer["status"], "partial")
        self.assertNotEqual(answer["answer"].strip(), "The disk of search-db is 97 % full since 08:12.")

    def test_that_calls_another_tool_first_is_bound_as_well(self):
        call = {"index": 0, "id": "call_a", "type": "function",
                "function": {"name": "get_recent_incidents", "arguments": json.dumps({"days": 7})}}
        answer = self.ask_model([({"tool_calls": [call]}, None), ({}, "tool_calls")], [({"content": "I do not know."}, None), ({}, "stop")])
        self.check_rule(answer)
        self.assertIn("get_recent_incidents", [receipt["tool"] for receipt in answer["receipts"]])


class LiveQuestions(Story):
    """What people ask of systems in operation besides the story."""

    def test_incidents_from_after_the_moment_that_is_asked_for_are_not_open_yet(self):
        answer = self.investigate(question="why is the cpu of search-db so high?")["answer"]
        self.assertRegex(answer, r"(?m)^- \*\*INC-2026-11-18-001\*\*")
        self.assertNotRegex(answer, r"INC-2026-11-(?:19|2\d)-")

    def test_what_has_been_before_is_not_what_is_going_on(self):
        answer = self.investigate(question="have we had spikes of the latency of /api/search since a deploy of search-service before?")["answer"]
        told = re.search(r"^\*\*(INC-[\d-]+): ", answer, re.M)
        self.assertNotEqual(told and told.group(1), "INC-2026-11-18-001")
        self.assertNotRegex(answer, r"(?m)^> .*\[INC-2026-11-18-001\]")

    def test_misspelt_words_and_names_said_in_parts_are_read_as_what_they_mean(self):
        answer = self.command(question="Latancy on api search is spikey since yesterdays deploy").out
        self.assertIn("Taking 'Latancy' to mean latency. Taking 'spikey' to mean spiky. Taking 'api search' to mean /api/search.", answer)
        self.assertIn("**p95_latency rose at ", answer)

    def test_a_verb_is_no_unknown_name(self):
        answer = self.command("--json", question="why does payment-service throw errors").json()
        self.assertEqual(answer["intent"]["question_type"], "debug_incident")
        self.assertNotIn("mentions 'throw'", answer["answer"])

    def test_a_metric_is_measured_by_its_words(self):
        answer = self.command(question="cache hit ratio search").out
        self.assertIn("**cache_hit_ratio is ", answer)

    def test_an_alert_that_is_over_is_listed(self):
        answer = self.command(question="has SearchLatencyHigh fired recently?").out
        self.assertIn("**Alerts that are over**\n- Alert **SearchLatencyHigh** was active from ", answer)

    def test_which_alerts_are_active(self):
        answer = self.investigate(question="which alerts are firing?")
        self.assertEqual([receipt["args"] for receipt in answer["receipts"]], [{"query": "alert=*"}])
        for alert in ("SearchDbCpuHigh", "SearchLatencyHigh", "SearchCacheHitRatioLow", "Watchdog"):
            self.assertRegex(answer["answer"], rf"(?m)^- Alert \*\*{alert}\*\* \([^)]*severity \w+[^)]*\) since 2026-11-1?\d")
        answer = self.investigate(question="what is firing, and what changed in search-service since yesterday?")
        self.assertEqual([receipt["tool"] for receipt in answer["receipts"]], ["metrics_query", "recent_changes"])
        self.assertRegex(answer["answer"], r"(?s)\A\*\*what is firing\?\*\*\n\n\*\*Active alerts\*\*.*SearchDbCpuHigh.*\n\n\*\*Changes of search-service since 2026-11-17")
        answer = self.investigate(question="any active alerts for checkout-api?")
        self.assertEqual(answer["status"], "partial")
        self.assertRegex(answer["answer"], r"\ANot found: an active alert of [\w-]+ in the snapshot")

        answer = self.investigate(question="is SearchLatencyHigh firing?")
        self.assertEqual([receipt["args"] for receipt in answer["receipts"]], [{"query": "alert=SearchLatencyHigh"}])
        self.assertRegex(answer["answer"], r"(?m)^- Alert \*\*SearchLatencyHigh\*\* ")
        answer = self.investigate(question="is SearchQueueLong firing?")
        self.assertIn("Not found: an active alert of SearchQueueLong in the snapshot", answer["answer"])

    def test_each_half_of_a_message_is_answered_by_what_knows_it(self):
        def halves(question, first, second):
            answer = self.investigate(question=question)
            self.assertEqual(answer["status"], "ok", answer["missing"])
            self.assertRegex(answer["answer"], rf"(?s)\A\*\*[^\n]+\?\*\*\n\n.*{first}.*\n\*\*[^\n]+\?\*\*\n.*{second}")
        halves("what does SearchLatencyHigh mean and is it firing?", "alert SearchLatencyHigh", r"- Alert \*\*SearchLatencyHigh\*\* \(")
        halves("what's the SLO for search and are we meeting it?", "400 ms", r"p95_latency of .* rose at")
        halves("is search ok? and who is on call?", r"p95_latency of .* rose at", "mx-primary")
        halves("what is p99 of /api/search and where is the cache TTL configured?", r"p99_latency rose at .* is \d", "SEARCH_CACHE_TTL_SECONDS")
        # Where it is set comes before where it is used.
        answer = self.investigate(question="where is the cache TTL configured?")
        self.assertRegex(answer["answer"], r"\A\*\*Evidence from code and configuration\*\*\n- `search-service/settings\.py`")
        # What leans on what is yet to be found is left out, and said so.
        answer = self.investigate(question="which services have firing alerts and who owns them")
        self.assertIn("- Alert **SearchDbCpuHigh** (search-service,", answer["answer"])
        self.assertIn("Not answered: 'who owns them'", " ".join(answer["missing"]))

    def test_a_service_that_is_fine_is_not_blamed_for_another_ones_trouble(self):
        answer = self.investigate(question="is checkout-api healthy right now?")
        self.assertIn("metrics_query", {receipt["tool"] for receipt in answer["receipts"]})
        self.assertRegex(answer["answer"], r"\ANot found: values of p95_latency, .* from before 2026-11-17T09:30:00Z to compare with, or an active alert\.")
        # Its own database, of the two that the metric is of.
        self.assertIn("metric=saturation window=24h filter=db=checkout-db", [step["args"].get("query") for step in answer["plan"]])
        self.assertRegex(answer["answer"], r"\*\*saturation\*\*: 21\.\d+ % now")
        self.assertIn("**error_rate**", answer["answer"])
        # Asked whether: nothing is, so there is no cause, and nothing to be done.
        for heading in ("Likely cause", "Steps", "Similar incidents", "From documents"):
            self.assertNotIn(f"**{heading}", answer["answer"])

    def test_what_is_not_measured_is_told_first_and_what_is_open_next(self):
        answer = self.investigate(question="is merchant-portal ok?")
        self.assertEqual(answer["status"], "partial")
        self.assertRegex(answer["answer"], r"\ANot found: the metrics p95_latency, error_rate, .* No series fits service=\"merchant-portal\"")
        self.assertIn("Not found: an active alert of merchant-portal in", answer["answer"])
        self.assertIn("INC-2026-11-18-001", section(answer["answer"], "Open incidents"))
        self.assertIn("merchant-portal 9.7.0", section(answer["answer"], "What changed"))
        # Neither what another service does, nor what to do where nothing is known to be wrong.
        for absent in ("/api/search**", "**Steps", "**Evidence from code"):
            self.assertNotIn(absent, answer["answer"])

    def test_words_of_a_metric_and_names_that_are_written_are_not_repaired(self):
        answer = self.investigate(question="what is the error rate since the last deploy?")["answer"]
        self.assertNotIn("Taking '", answer)
        self.assertIn("**error_rate", answer)
        answer = self.investigate(question="search-db CPU")["answer"]
        self.assertNotIn("Taking '", answer)
        self.assertRegex(answer, r"\A\*\*saturation was ")

    def test_trouble_that_is_only_told_is_measured_and_has_no_other_systems_figures(self):
        answer = self.investigate(question="Disk full on payments-db-1")
        self.assertEqual(answer["plan"][0]["tool"], "metrics_query")
        self.assertIn('"Disk full on Postgres', answer["answer"])
        self.assertNotIn("db_latency", answer["answer"])

    def test_a_system_may_be_called_in_short_or_misspelt(self):
        for question, said, name in (("why are payments slow?", "payments", "payment-service"),
                                     ("searchservice slow?", "searchservice", "search-service"),
                                     ("is checkout ok?", "checkout", "checkout-api"),
                                     ("why is /api/serach slow?", "/api/serach", "/api/search"),
                                     ("payments failing, what do i do", "payments", "payment-service")):
            answer = self.investigate(question=question)
            self.assertTrue(answer["answer"].startswith(f"Taking '{said}' to mean {name}.\n"), question)
            self.assertEqual(answer["grounding"]["unmet_rules"], [], question)
            self.assertTrue(any(f"={name}" in step["args"].get("query", "") for step in answer["plan"] if step["tool"] == "metrics_query"), question)
        # Whose alerts and incidents, if nobody is named: all.
        answer = self.investigate(question="is everything ok?")
        self.assertRegex(answer["answer"], r"(?s)\A\*\*Active alerts\*\*.*SearchLatencyHigh.*\*\*Open incidents\*\*\n- \*\*INC-2026-11-18-001")

    def test_what_is_blamed_is_held_against_when_it_began(self):
        for question in ("Was the payment-service deploy to blame for the search latency?", "is the search latency caused by the payments deploy?"):
            answer = self.investigate(question=question)["answer"]
            self.assertRegex(answer, r"\A(?:Taking '\w+' to mean \S+\n\n)?\*\*p95_latency of \{endpoint=\"/api/search\"\} rose", question)
            self.assertIn("\n- payment-service had last been changed 7 h 15 min before that: 2026-11-17T08:25:00Z Deploy of payment-service 5.3.5", answer)
        answer = self.investigate(question="did the portal deploy cause the search latency?")["answer"]
        self.assertRegex(answer, r"\n- merchant-portal had last been changed 5 h 25 min before that: .* Flag portal_bulk_refund")

    def test_what_runs_is_told_by_the_latest_deploy(self):
        answer = self.investigate(question="which version of search-service is running in prod?")
        self.assertRegex(answer["answer"], r"\A\*\*search-service: version 2\.31\.0 since 2026-11-17T15:40:00Z\*\*, as far as is recorded \[deploys\.jsonl:\d+\]")
        self.assertIn("Deploy of search-service 2.31.0", answer["answer"])
        answer = self.investigate(question="were there any rollbacks this month?")
        self.assertEqual([receipt["args"].get("kinds") for receipt in answer["receipts"]][0], ["rollback"])

    def test_an_endpoint_that_nobody_knows_is_not_answered_with_another(self):
        for question in ("p95 of /api/refunds", "why is /nosuch/thing slow?"):
            answer = self.investigate(question=question)
            self.assertRegex(answer["answer"], r"\ANothing in the knowledge base mentions '/")
            self.assertIn("endpoint is for example: /api/search", answer["answer"])
            for other in ("Likely cause", "What changed", "Evidence from", "Steps", "is 1.4"):
                self.assertNotIn(other, answer["answer"])

    def test_whether_something_else_is_affected_is_measured(self):
        answer = self.investigate(question="is /api/search/suggest affected too?")
        self.assertRegex(answer["answer"], r"\ANothing unusual: \*\*p95_latency is 0\.09\d+ s now\*\*")
        self.assertNotIn("**Steps**", answer["answer"])
        self.assertNotIn("What changed", answer["answer"])

    def test_another_resource_is_told_as_that(self):
        answer = self.investigate(question="disk usage of search-db")
        self.assertRegex(answer["answer"], r"\ANot found: a disk metric; saturation measures cpu\.\n")
        self.assertNotIn("Not found: a metric of", self.investigate(question="cpu of search-db")["answer"])

    def test_a_suspected_deploy_is_looked_at_from_then_on(self):
        for question in ("is it the 15:40 deploy?", "was it because of yesterday's search-service deploy?", "is the deploy of search-service to blame?",
                         "did the 15:40 deploy break search"):
            answer = self.investigate(question=question)
            self.assertRegex(answer["answer"], r"(?m)^\*\*p95_latency", question)
            self.assertIn("Hypothesis: Deploy of search-service 2.31.0 is behind it", answer["answer"], question)
        answer = self.investigate(question="is it the 03:33 deploy?")
        self.assertRegex(answer["answer"], r"\ANot found: deploys|\ANot found: changes")
        self.assertNotIn("p95_latency", answer["answer"])
        # What was asked for is what was not found.
        answer = self.investigate(question="was search-service rolled back today?")
        self.assertRegex(answer["answer"], r"\ANot found: rollbacks of search-service since [^\n]*\n\n\*\*The last deploy\*\*\n- 2026-11-17T15:40:00Z")
        answer = self.investigate(question="what was deployed at 15:40?")
        self.assertIn("search-service 2.31.0", answer["answer"])

    def test_trouble_of_nothing_named_is_looked_for_and_blamed_on_whose_it_is(self):
        answer = self.investigate(question="latency is up since yesterday 15:00, why?")
        self.assertRegex(answer["answer"], r"\A\*\*p95_latency")
        cause = section(answer["answer"], "Likely cause")
        self.assertIn("search-service 2.31.0", cause)
        self.assertNotIn("checkout-api", cause)

    def test_a_moment_is_looked_at(self):
        for question in ("p95 of /api/search at 14:00", "p95 of /api/search yesterday at 14:00"):
            answer = self.investigate(question=question)
            self.assertRegex(answer["answer"], r"\*\*p95_latency was 0\.[12]\d+ s at 2026-11-17T14:00:00Z\*\*")

    def test_what_is_yet_to_come_was_not_measured(self):
        answer = self.investigate(question="error rate of search-service on 2026-12-24")
        self.assertEqual(answer["answer"].strip(), "'on 2026-12-24' has not come yet; nothing was measured then.")
        self.assertEqual(answer["status"], "partial")

    def test_measures_of_several_systems_are_told_one_by_one(self):
        answer = self.investigate(question="what is p95 of /api/search and the error rate of payment-service?")
        queries = [r["args"]["query"] for r in answer["receipts"] if r["tool"] == "metrics_query"]
        self.assertTrue(any("p95_latency" in q and "endpoint=/api/search" in q for q in queries), queries)
        self.assertTrue(any("error_rate" in q and "service=payment-service" in q for q in queries), queries)
        self.assertIn("**what is the error rate of payment-service?**", answer["answer"])

    def test_a_figure_is_told_without_what_is_around_it(self):
        answer = self.investigate(question="p95 of /api/search/suggest")
        self.assertIn("**p95_latency is 0.09", answer["answer"])
        for other in ("Evidence from code", "From documents", "Steps", "Similar incidents"):
            self.assertNotIn(other, answer["answer"])

    def test_an_alert_that_is_pasted_is_looked_at_until_now(self):
        alert = json.dumps({"status": "firing", "labels": {"alertname": "SearchLatencyHigh", "service": "search-service"},
                            "startsAt": "2026-11-17T23:22:00Z"})
        answer = self.investigate(question=f"what is this {alert}")
        queries = [r["args"]["query"] for r in answer["receipts"] if r["tool"] == "metrics_query"]
        self.assertTrue(queries)
        self.assertIn("since=2026-11-17T22:22:00Z", queries[0])
        self.assertNotIn("until=", queries[0])

    def test_what_it_is_compared_with_is_not_when_it_was_changed(self):
        answer = self.investigate(question="compare p95 of /api/search with last week")
        self.assertIn("search-service 2.31.0", section(answer["answer"], "What changed"))

    def test_changes_of_others_are_told_as_such(self):
        answer = self.investigate(question="is settlement-engine ok?")
        self.assertIn("Not found: changes of settlement-engine since 2026-11-11T09:30:00Z.", answer["answer"])
        self.assertIn("search-service 2.31.0", section(answer["answer"], "What changed elsewhere"))

    def test_a_deploy_of_another_service_is_not_blamed(self):
        answer = self.investigate(question="Why is webhook-dispatcher slow since yesterday's deploy?")
        self.assertIn("2.31.0", section(answer["answer"], "What changed elsewhere"))
        self.assertNotIn("Likely cause", answer["answer"])

    def test_a_neighbours_trouble_is_not_that_of_what_is_asked_about(self):
        answer = self.investigate(question="Why is /api/search/suggest slow?")
        self.assertRegex(answer["answer"], r"\A\*\*p95_latency is 0\.09\d+ s now\*\*")
        self.assertNotIn("Likely cause", answer["answer"])

    def test_a_value_is_measured(self):
        answer = self.investigate(question="How many requests per second does /api/search handle?")
        self.assertRegex(answer["answer"], r"\A\*\*throughput is \d+\.?\d* requests/s now\*\*")
        for heading in ("What changed", "From documents", "Evidence from code and configuration"):
            self.assertNotIn(f"**{heading}", answer["answer"])

    def test_a_time_alone_is_enough_to_measure(self):
        answer = self.investigate(question="Why are searches slow since the last deploy?")
        self.assertRegex(answer["answer"], r"\A\*\*p95_latency of .*/api/search.* rose")
        self.assertLessEqual({"metrics_query", "repo_search"}, {receipt["tool"] for receipt in answer["receipts"]})

    def test_a_metric_is_called_by_its_name(self):
        answer = self.investigate(question="p95_latency on checkout-api over the last 3 hours")
        self.assertRegex(answer["answer"], r"\A\*\*p95_latency is 0\.2\d+ s now\*\*")
        answer = self.investigate(question="how high was http_server_requests_total yesterday?")
        self.assertTrue(any(step["args"].get("query", "").startswith("metric=http_server_requests_total since=2026-11-17T00:00:00Z until=")
                            for step in answer["plan"]), answer["plan"])

    def test_services_are_ranked(self):
        answer = self.investigate(question="Which service had the most errors in the last 6 hours?")
        places = [answer["answer"].find(f'service="{name}"') for name in ("payment-service", "checkout-api", "search-service")]
        self.assertEqual(places, sorted(places))
        self.assertGreater(places[0], 0)
        self.assertEqual(answer["grounding"]["unsupported"], 0)
        answer = self.investigate(question="which endpoint is slowest right now?")
        self.assertRegex(answer["answer"], r"\A\*\*p95_latency since 2026-11-18T08:30:00Z, highest first.*\n- \{endpoint=\"/api/search\"\}")

    def test_whether_a_service_level_is_met_is_measured(self):
        answer = self.investigate(question="are we meeting the SLO of /api/search?")
        self.assertIn("metric=p95_latency window=24h filter=endpoint=/api/search", [step["args"].get("query") for step in answer["plan"]])
        self.assertRegex(answer["answer"], r"\A\*\*p95_latency rose")

    def test_a_window_that_is_over_has_no_later_suspects(self):
        answer = self.investigate(question="How was /api/search latency on 2026-11-15?")
        self.assertRegex(answer["answer"], r"Not found: the metrics p95_latency, db_latency, saturation, 2026-11-15T00:00:00Z")
        self.assertNotIn("Likely cause", answer["answer"])
        self.assertNotIn("Deploy of search-service 2.31.0", answer["answer"])

    def test_a_time_that_is_only_compared_to_is_not_the_window(self):
        answer = self.investigate(question="Compare error rate of /api/search with last week")
        self.assertRegex(answer["answer"], r"\*\*error_rate\*\*: 0\.639\d % now \(at 2026-11-18T09:30:00Z\)[^\n]* a week earlier \(")

    def test_what_a_window_that_is_over_ends_with_is_not_the_present(self):
        answer = self.investigate(question="error rate of /api/search on 2026-11-11")
        line = next(line for line in answer["answer"].splitlines() if line.startswith("- **error_rate**"))
        self.assertRegex(line, r"% at 2026-11-11T09:30:00Z, no values since")
        self.assertNotRegex(answer["answer"], r" now\b|active alert")


class WhatChanged(Story):
    """Questions that the record of changes answers, and nothing else need be asked for."""

    def changes(self, question, tools=("recent_changes",)):
        answer = self.investigate(question=question)
        self.assertEqual({receipt["tool"] for receipt in answer["receipts"]}, set(tools), question)
        self.assertEqual(answer["grounding"]["unsupported"], 0, question)
        return answer

    def test_of_a_service_since_a_day(self):
        answer = self.changes("what changed in search-service since Monday?")
        self.assertEqual(answer["status"], "ok")
        self.assertRegex(answer["answer"], r"\A\*\*Changes of search-service since 2026-11-16T00:00:00Z\*\*\n- 2026-11-17T15:40:00Z Deploy of search-service 2\.31\.0")
        self.assertIn(f"`{HANDLER}`", answer["answer"])
        self.assertNotIn("checkout-api", answer["answer"])
        self.assertNotIn("Likely cause", answer["answer"])

    def test_of_an_environment(self):
        answer = self.changes("Was search-service deployed on staging?")
        self.assertIn("deploys.jsonl:63", answer["answer"])
        self.assertNotIn("deploys.jsonl:64", answer["answer"])

    def test_of_a_kind_with_nothing_in_that_time(self):
        answer = self.changes("any feature flags flipped today?")
        self.assertEqual(answer["status"], "partial")
        self.assertRegex(answer["answer"], r"(?s)\ANot found: changes of flags since 2026-11-18T00:00:00Z\..*\*\*Before that\*\*\n- 2026-11-17T10:15:00Z Flag portal_bulk_refund")

    def test_what_came_after_the_window_is_not_before_it(self):
        answer = self.changes("What changed in payment-service last week?")
        before = answer["answer"].split("**Before that**")[1]
        self.assertRegex(before, r"\A\n- 2026-10-28T13:05:00Z Deploy of payment-service 5\.3\.4")

    def test_of_a_commit(self):
        answer = self.changes("What did commit a3ec5d68 change?")
        self.assertRegex(answer["answer"], r'- 2026-11-17T14:20:00Z commit "search-service 2\.31\.0", by Clara Neumann \[a3ec5d6837\]\n  in .*`search-service/search_service\.py`')
        self.assertIn("deploys.jsonl:64", answer["answer"])
        answer = self.changes("who wrote commit deadbeef12?")
        self.assertIn("Not found: the commit 'deadbeef12' in any change source.", answer["answer"])

    def test_of_a_person_a_flag_and_a_thing_in_other_words(self):
        answer = self.changes("commits of clara neumann this week")
        self.assertRegex(answer["answer"], r'\A\*\*Changes by Clara Neumann since 2026-11-16T00:00:00Z\*\*\n- [^\n]*commit "search-service 2\.31\.0"')
        answer = self.changes("was portal_bulk_refund switched")
        self.assertRegex(answer["answer"], r"\A\*\*portal_bulk_refund is 10% since 2026-11-17T10:15:00Z\*\*")
        self.assertEqual(self.changes("has portal bulk refund been turned on")["answer"], answer["answer"])
        # By the titles and the files of commits.
        answer = self.changes("who changed the waiting room?")
        self.assertRegex(answer["answer"], r"\A\*\*Changes about 'waiting room'[^\n]*\n- [^\n]*, by \w+")

    def test_of_a_file_and_of_a_version(self):
        for question in ("who wrote search_service.py?", "who last changed search-service/search_service.py"):
            answer = self.changes(question, tools=("recent_changes", "repo_search"))
            self.assertRegex(answer["answer"], r"\A\*\*Changes about '[^']*search_service\.py' since")
            self.assertIn("by Clara Neumann [d1c5617f4f]", answer["answer"])
            self.assertNotIn("checkout", answer["answer"])
        # The folder's name is no kind of change.
        answer = self.changes("who changed deploy/prod/search-service.yaml", tools=("recent_changes", "repo_search"))
        self.assertIn("[a3ec5d6837]", answer["answer"])
        answer = self.changes("what did search-service 2.31.0 change?")
        told = answer["answer"].split("**Sources**")[0]
        self.assertIn("deploys.jsonl:64", told)
        self.assertIn("[a3ec5d6837]", told)
        self.assertNotIn("2.30.4:", told)
        answer = self.changes("which commits are in search-service 9.9.9?")
        self.assertIn("Not found: commits of search-service about '9.9.9'", answer["answer"])
        self.assertNotIn("2.31.0", answer["answer"])

    def test_a_version_is_the_deploy_that_is_meant(self):
        answer = self.investigate(question="was there any increase in errors on /api/search after we shipped v2.30?")
        self.assertIn("search-service 2.30.4", answer["intent"]["time_hints"][0]["resolved_by"])
        answer = self.investigate(question="was there any increase in errors on /api/search after we shipped v84?")
        self.assertIn("Not found: a deploy for 'after we shipped v84'", answer["answer"])


if __name__ == "__main__":
    unittest.main()
