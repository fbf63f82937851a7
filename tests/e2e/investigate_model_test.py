"""precedent investigate with a language model: what the model may add to a report, and what it costs if it does not behave. Its replies
are a script's; one run is recorded as docs/format/model-recording.md says and played back."""
import hashlib
import json
import re
import subprocess
import sys
import time
import unittest
import urllib.request

import json_schema
from harness import BINARY, ROOT, environment, run
from vendor import VendorCase

SCHEMA = json.loads((ROOT / "docs/format/investigation.schema.json").read_text())
SYSTEMS = ROOT / "sample-systems"
STORY = "2026-11-18T09:30:00Z"
# Of our own cases one in which several hypotheses stay open.
UNPROVED = "14-brewery"
INVENTED = "A node of the cluster lost 17 % of its packets."


def report_in(request):
    """What the model was given, from between its marks."""
    return json.loads(re.search(r"<data-\w+>\n(.*)\n</data-\w+>", request["messages"][-1]["content"], re.S)[1])


def quoting(receipt):
    return f"{receipt['text']} [{receipt['id']}]."


def scripted(request):
    """Quotes two receipts, invents something, and turns the order of what is open around."""
    report = report_in(request)
    first, second = report["receipts"][:2]
    said = {"summary": f"{quoting(first)} {INVENTED} {quoting(second)}"}
    if report["open"]:
        said |= {"order": report["open"][::-1], "why": [quoting(first)] * len(report["open"])}
    return said


def stream(content):
    """In pieces, as a vendor sends it."""
    return [({"content": content[at:at + 40]}, None) for at in range(0, len(content), 40)] + [({}, "stop")]


def key_of(request):
    return hashlib.sha256(json.dumps(request["messages"], sort_keys=True).encode()).hexdigest()[:32]


class Model(VendorCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        subprocess.run([ROOT / "scripts/sample-repository", cls.folder_of_class / "platform"], check=True)
        subprocess.run([ROOT / "scripts/sample-metrics", cls.folder_of_class / "snapshot"], check=True)
        subprocess.run([sys.executable, "-B", ROOT / "eval/investigate/make_cases.py", cls.folder_of_class / "cases", "--half", "dev"], check=True,
                       stdout=subprocess.DEVNULL)
        cls.case = cls.folder_of_class / "cases/dev" / UNPROVED

    def setUp(self):
        super().setUp()
        self.says = scripted
        self.server.reply = lambda request: stream(json.dumps(self.says(request)))

    def investigate(self, *args, code=0, **env):
        return self.check(run("investigate", *args, "--data-dir", self.data, env=self.env | env), code)

    def tools(self):
        tools = (SYSTEMS / "tools.yaml").read_text(encoding="utf-8")
        for name in ("snapshot", "platform"):
            tools = tools.replace(f"../build/sample/{name}", str(self.folder_of_class / name))
        tools = tools.replace("[deploys.jsonl, flags.jsonl]", json.dumps([str(SYSTEMS / "deploys.jsonl"), str(SYSTEMS / "flags.jsonl")]))
        return self.write("tools.yaml", tools)

    def sample(self, *args):
        return self.investigate("SearchLatencyHigh", "--now", STORY, "--tools-config", self.tools(), "--json", *args).json()

    def check_beside(self, report, bare):
        """The model's part fits the schema and changes nothing else; it is returned."""
        self.assertEqual(json_schema.problems(report, SCHEMA), [])
        said = report.pop("model")
        self.assertEqual(report["missing"][-1], "1 sentence of the model was left out: not proved")
        self.assertEqual(report | {"missing": report["missing"][:-1]}, bare)
        self.assertEqual((said["name"], said["left_out"]), ("openai test", 1))
        self.assertNotIn("17 %", said["summary"])
        for receipt in report_in(self.server.requests[-1])["receipts"][:2]:
            self.assertIn(f"[{receipt['id']}]", said["summary"])
        return said

    def test_of_the_sample_incident_the_cause_stays_the_rules(self):
        self.copy_of_sample()
        bare = self.sample("--model", "offline")
        self.assertEqual(self.server.requests, [])
        self.assertNotIn("model", bare)
        self.assertEqual(bare["outcome"], "cause")
        said = self.check_beside(self.sample(), bare)
        self.assertEqual(said["order"], [])
        (request,) = self.server.requests
        self.assertNotIn("tools", request)

    def test_a_server_asks_the_model_too(self):
        self.copy_of_sample()
        bare = self.sample("--model", "offline")
        server = subprocess.Popen([BINARY, "serve", "--port", "0", "--tools-config", self.tools(), "--now", STORY, "--data-dir", self.data],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self.env)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        url = re.search(r"http://\S+", server.stdout.readline()).group() + "/investigations"

        def asked_of(url, body=None):
            request = urllib.request.Request(url, data=body and json.dumps(body).encode(), headers={"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.loads(response.read())

        name = asked_of(url, {"incident": "SearchLatencyHigh"})["id"]
        while "ended_at" not in (shown := asked_of(f"{url}/{name}")):
            time.sleep(0.1)
        self.check_beside(shown["report"], bare)

    def test_of_an_unproved_case_of_our_own_the_open_ones_are_ordered(self):
        bare = self.investigate(self.case, "--json", "--model", "offline").json()
        self.assertEqual(bare["outcome"], "inconclusive")
        made = self.investigate(self.case, "--json", "--bundle", self.folder / "it.json")
        said = self.check_beside(made.json(), bare)
        still_open = [h["id"] for h in bare["hypotheses"] if h["status"] == "open"]
        self.assertGreater(len(still_open), 1)
        self.assertEqual([placed["hypothesis"] for placed in said["order"]], still_open[::-1])
        self.assertTrue(all(placed["why"] for placed in said["order"]))
        # Signed with the rest; every claim of the rule holds without the model.
        bundle = json.loads(json.loads((self.folder / "it.json").read_text())["bundle"])
        self.assertEqual(bundle["report"]["model"], said)
        self.check(run("verify", self.folder / "it.json", env=environment()), 0)
        for shown in (self.investigate(self.case).out, self.investigate(self.case, "--html").out):
            self.assertIn("Written by the model openai test", shown)

    def test_a_recorded_stream_gives_the_same_report(self):
        lines = []
        self.server.reply = lambda request: lines.append(json.dumps({
            "version": 1, "hash": key_of(request), "request": {"messages": request["messages"]},
            "reply": {"content": json.dumps(scripted(request)), "tool_calls": [], "stop": "end", "model": "test"}})) or stream(json.dumps(scripted(request)))
        first = self.investigate(self.case, "--json").out
        replies = {line["hash"]: line["reply"]["content"] for line in map(json.loads, lines)}
        self.assertEqual(len(replies), 1)
        self.server.reply = lambda request: stream(replies[key_of(request)])
        self.assertEqual(self.investigate(self.case, "--json").out, first)
        self.assertEqual(len(self.server.requests), 2)

    def test_a_model_that_does_not_behave_costs_no_report(self):
        bare = self.investigate(self.case, "--json", "--model", "offline").json()
        good = lambda request, **other: scripted(request) | other
        for says in (lambda request: "The cause is H1.",
                     lambda request: good(request, causes=["H1"]),
                     lambda request: good(request, outcome="cause"),
                     lambda request: good(request, order=["H1", "H99"], why=["", ""]),
                     lambda request: good(request, summary="word " * 121)):
            self.says = says
            report = self.investigate(self.case, "--json").json()
            self.assertEqual(report | {"missing": report["missing"][:-1]}, bare)
            self.assertIn("the model openai test added nothing: ", report["missing"][-1])
        self.says = lambda request: good(request, summary="H1 caused the failure. The root cause of the failure is H1.")
        report = self.investigate(self.case, "--json").json()
        self.assertEqual((report["model"]["summary"], report["model"]["left_out"]), ("", 2))
        self.assertEqual((report["outcome"], report["causes"]), ("inconclusive", []))

    def test_a_model_that_is_not_there_costs_no_report(self):
        self.server.reply = lambda request: "Incorrect API key provided"
        bare = self.investigate(self.case, "--json", "--model", "offline").json()
        report = self.investigate(self.case, "--json").json()
        self.assertEqual(report | {"missing": report["missing"][:-1]}, bare)
        self.assertIn("Incorrect API key", report["missing"][-1])
        # A key that is not set: an error only where somebody named the model just now.
        del self.env["OPENAI_API_KEY"]
        self.env["PRECEDENT_MODEL"] = "anthropic/claude-sonnet-4-5"
        self.assertIn("ANTHROPIC_API_KEY", self.investigate(self.case, "--json").json()["missing"][-1])
        self.assertIn("ANTHROPIC_API_KEY", self.investigate(self.case, "--model", "anthropic/claude-sonnet-4-5", code=2).err)


if __name__ == "__main__":
    unittest.main()
