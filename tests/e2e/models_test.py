"""A language model behind the agent: one on loopback that speaks the vendor's protocol, and what happens when it does not."""
import json
import pathlib
import random
import re
import signal
import subprocess
import threading
import time
import unittest

from harness import BINARY, NOW, environment, run
from vendor import KEY, AnthropicVendor, VendorCase


def well_behaved(request):
    """Asks for one tool, then answers with what it was given."""
    messages = request["messages"]
    if not request.get("tools"):
        return [({"content": "PayU Key Rotation"}, None), ({}, "stop")]
    if messages[-1]["role"] == "user":
        args = json.dumps({"incident_id": "INC-2025-01-20-005"})
        call = {"index": 0, "id": "call_a", "type": "function", "function": {"name": "lookup_incident_by_id", "arguments": args[:9]}}
        rest = {"index": 0, "function": {"arguments": args[9:]}}
        return [({"tool_calls": [call]}, None), ({"tool_calls": [rest]}, None), ({}, "tool_calls")]
    return [({"content": "The key had been "}, None), ({"content": "rotated [INC-2025-01-20-005]."}, None), ({}, "stop")]


def is_for_title(request):
    return not request.get("tools") and not request.get("response_format")


class Models(VendorCase):
    def setUp(self):
        super().setUp()
        self.copy_of_sample()
        self.server.reply = well_behaved

    def ask_model(self, question, *args, code=0):
        return self.check(run("ask", question, "--json", "--now", NOW, "--data-dir", self.data, *args, env=self.env), code).json()

    def ask_titled(self, question, *args):
        """As ask_model(), but the model answers once the title was said: both are asked for at once, and no answer waits for a title."""
        titled, reply = threading.Event(), self.server.reply

        def in_order(request):
            if request.get("tools") and request["messages"][-1]["role"] != "user":
                self.assertTrue(titled.wait(60))
            return reply(request)

        self.server.reply = in_order
        command = [BINARY, "ask", question, "--json", "--stream", "--now", NOW, "--data-dir", self.data, *args]
        with subprocess.Popen(command, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as asked:
            for line in map(json.loads, asked.stdout):
                if line["event"] == "title":
                    titled.set()
        self.server.reply = reply
        self.assertEqual((asked.returncode, line["event"]), (0, "answer"))
        return line

    def test_a_model_calls_tools_and_answers_with_sources(self):
        answer = self.ask_titled("Why did PayU return 403 in January?")
        self.assertEqual(answer["answer"], "The key had been rotated [INC-2025-01-20-005].")
        self.assertEqual([r["tool"] for r in answer["receipts"]], ["lookup_incident_by_id"])
        self.assertEqual([s["id"] for s in answer["sources"]], ["INC-2025-01-20-005"])
        self.assertEqual(answer["title"], "PayU Key Rotation")
        first = next(r for r in self.server.requests if not is_for_title(r))
        self.assertIn("precedent", first["messages"][0]["content"])
        self.assertEqual(len(first["tools"]), 8)

    def test_a_model_that_is_down_is_said_and_the_offline_reasoner_answers(self):
        self.env["OPENAI_BASE_URL"] = "http://127.0.0.1:9/v1"
        answer = self.ask_model("Show me incident INC-2025-01-20-005")
        self.assertIn("INC-2025-01-20-005", [s["id"] for s in answer["sources"]])
        self.assertTrue(any("offline reasoner" in m for m in answer["missing"]), answer["missing"])
        self.assertNotIn("sk-test-key", json.dumps(answer))

    def test_what_could_not_be_looked_at_stands_below_the_headline_of_a_model_too(self):
        said = "The pool of checkout-api was exhausted.\n\n- It was raised afterwards [INC-2025-01-20-005]."
        self.server.reply = lambda request: [({"content": said if request.get("tools") else "T"}, None), ({}, "stop")]
        self.env["PRECEDENT_PROMETHEUS_URL"] = "http://127.0.0.1:9"
        answer = self.ask_model("What is the p95 latency of checkout-api now?")
        unread = answer["answer"].index("Not found: metric=p95_latency")
        self.assertLess(answer["answer"].index("was exhausted"), unread)
        self.assertLess(unread, answer["answer"].index("It was raised"))
        self.assertTrue(any("127.0.0.1:9" in m for m in answer["missing"]), answer["missing"])
        self.assertEqual(answer["status"], "partial")
        # Every claim is where its words are.
        claims = answer["claims"]
        self.assertTrue(any("It was raised" in c["text"] for c in claims), claims)
        self.assertFalse(any("Not found" in c["text"] for c in claims), claims)

    def test_fast_asks_no_judge(self):
        weights = environment(weights=True).get("PRECEDENT_MODEL_DIR") or pathlib.Path.home() / ".cache/precedent/models"
        if not pathlib.Path(weights, "all-MiniLM-L6-v2/model.safetensors").exists():
            self.skipTest("no embedding weights; scripts/fetch-model fetches them")
        self.env["PRECEDENT_MODEL_DIR"] = str(weights)
        for fast in ([], ["--fast"]):
            answer = self.ask_model("Why did PayU return 403 in January?", *fast)
            claim, = answer["claims"]
            self.assertEqual(claim["text"], "The key had been rotated [INC-2025-01-20-005].")
            self.assertEqual("opinion" in claim, not fast)

    def test_a_model_that_repeats_itself_is_stopped(self):
        call = {"index": 0, "id": "c", "type": "function", "function": {"name": "search_similar_incidents", "arguments": '{"query":"PayU"}'}}
        self.server.reply = lambda request: ([({"content": "T"}, "stop")] if not request.get("tools") else
                                             [({"tool_calls": [call]}, None), ({}, "tool_calls")])
        answer = self.ask_model("Why did PayU return 403?")
        self.assertLess(len(self.server.requests), 15)
        self.assertIn(answer["status"], ("ok", "partial"))
        self.assertTrue(answer["sources"])

    def test_an_invented_tool_is_told_to_the_model(self):
        call = {"index": 0, "id": "c", "type": "function", "function": {"name": "search_incidents", "arguments": "{}"}}
        replies = iter([[({"tool_calls": [call]}, None), ({}, "tool_calls")], [({"content": "I do not know."}, None), ({}, "stop")]])
        self.server.reply = lambda request: (next(replies) if request.get("tools") else [({"content": "T"}, "stop")])
        answer = self.ask_model("Why did PayU return 403?")
        self.assertEqual(answer["answer"], "I do not know.")
        self.assertEqual(answer["receipts"][0]["status"], "error")
        self.assertIn("search_similar_incidents", answer["receipts"][0]["text"])

    def test_the_request_log_says_what_the_model_cost(self):
        def slow(request):
            time.sleep(0.05)
            return well_behaved(request)

        self.server.reply = slow
        self.ask_titled("Why did PayU return 403 in January?")
        text = (self.data / "requests.jsonl").read_text()
        record = json.loads(text)
        self.assertEqual(record["usage"]["steps"], len(self.server.requests))
        # Nobody waited for the title.
        self.assertGreaterEqual(record["durations"]["model_ms"], 50 * (len(self.server.requests) - 1))
        self.assertLessEqual(record["durations"]["model_ms"], record["durations"]["total_ms"])
        self.assertNotIn(self.env["OPENAI_API_KEY"], text)

    def test_every_request_is_in_the_usage(self):
        def purpose(request):
            form = (request.get("response_format") or {}).get("json_schema", {}).get("name")
            return form or ("think" if request.get("tools") else "title")

        def reply(request):
            if purpose(request) == "search":
                return [({"content": '{"query": "403"}'}, None), ({}, "stop")]
            if not request.get("tools") or request["messages"][-1]["role"] != "user":
                return well_behaved(request)
            function = {"name": "search_similar_incidents", "arguments": '{"query": "PayU 403"}'}
            return [({"tool_calls": [{"index": 0, "id": "c", "type": "function", "function": function}]}, None), ({}, "tool_calls")]

        self.server.reply = reply
        self.server.used = lambda request: {"search": 10_000, "title": 100_000}.get(purpose(request), 100)
        usage = self.ask_titled("Why did PayU return 403?")["usage"]
        self.assertEqual(sorted({purpose(r) for r in self.server.requests}), ["search", "think", "title"])
        self.assertEqual(usage["input_tokens"], sum(map(self.server.used, self.server.requests)))
        self.assertEqual((usage["steps"], usage["output_tokens"]), (len(self.server.requests),) * 2)
        # Without prices nothing is known about money.
        self.assertNotIn("cost_usd", usage)
        del self.env["PRECEDENT_MODEL"]
        priced = self.write("priced.yaml", "model: {provider: openai, name: test, prices: {input: 2.5, output: 10}}\n")
        usage = self.ask_titled("Why did PayU return 403?", "--config", priced)["usage"]
        self.assertAlmostEqual(usage["cost_usd"], (usage["input_tokens"] * 2.5 + usage["output_tokens"] * 10) / 1e6)

    def broken_arguments(self):
        whole = '{"query": "PayU 403 \u00e9", "limit": 3}'
        yield from ("", "null", "[1, 2]", "17", '"text"', "{", "}", '{"query": NaN}', '{"query": 1e999}', '{"query": "\udcff\udc80"}', "\udcff",
                    '{"query": "\\ud800"}', '{"query": "a\x00b"}', '{"a":' * 70 + "1" + "}" * 70, "[" * 60_000, "[" * 60_000 + "]" * 60_000,
                    '{"query": {"a": [[]]}}', '{"kinds": [1, {}], "query": 7}', "<discarded>", '```json\n{"query": "x"}')
        seed = 17
        chance = random.Random(seed)
        for _ in range(20):
            at = chance.randrange(len(whole))
            yield chance.choice((whole[:at], whole[at:], whole[:at] + "\udcc3" + whole[at + 1:], whole[:at] + '"' + whole[at:]))

    def strict(self, text, of):
        def refuse(constant):
            raise ValueError(f"{constant} is no JSON")
        try:
            return json.loads(text, parse_constant=refuse)
        except ValueError as error:
            self.fail(f"{of}: {error}: {text[:300]}")

    def test_everything_that_leaves_as_json_is_json_whatever_a_model_sends_as_arguments(self):
        all_arguments = list(self.broken_arguments())
        tools = ("search_similar_incidents", "get_recent_incidents", "change_search", "no_such_tool")
        for begin in range(0, len(all_arguments), 4):
            some = all_arguments[begin:begin + 4]
            calls = [{"index": i, "id": f"c{i}", "type": "function", "function": {"name": tools[i], "arguments": text}} for i, text in enumerate(some)]
            self.server.reply = lambda request: (
                [({"content": "T"}, "stop")] if not request.get("tools") else
                [({"tool_calls": calls}, None), ({}, "tool_calls")] if request["messages"][-1]["role"] == "user" else
                [({"content": "I do not know."}, None), ({}, "stop")])
            of = ascii(some)[:400]
            done = self.check(run("ask", "Why did PayU return 403?", "--json", "--explain", "--now", NOW, "--data-dir", self.data, env=self.env), 0)
            answer = self.strict(done.out, of)
            self.assertTrue(answer["receipts"], of)
            for receipt in answer["receipts"]:
                self.assertIsInstance(receipt["args"], (dict, list, str, int, type(None)), of)
            exported = run("threads", "export", answer["thread_id"], "--data-dir", self.data)
            self.strict(self.check(exported, 0).out, of)
            streamed = run("ask", "Why did PayU return 403?", "--stream", "--json", "--now", NOW, "--data-dir", self.data, env=self.env)
            for line in self.check(streamed, 0).out.splitlines():
                self.strict(line, of)
        for line in (self.data / "requests.jsonl").read_text().splitlines():
            self.strict(line, "requests.jsonl")

    def test_an_interrupted_question_says_how_to_go_on(self):
        asked = threading.Event()
        go_on = threading.Event()

        def hang(request):
            asked.set()
            go_on.wait(30)
            return well_behaved(request)

        self.server.reply = hang
        command = [BINARY, "ask", "Why did PayU return 403 in January?", "--now", NOW, "--data-dir", self.data]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.env) as process:
            self.assertTrue(asked.wait(30))
            process.send_signal(signal.SIGINT)
            said = process.communicate()[1].decode()
        go_on.set()
        self.assertEqual(process.returncode, 130)
        thread = re.search(r"precedent ask --resume (t-\w+)", said)
        self.assertTrue(thread, said)
        self.server.reply = well_behaved
        answer = self.ask_model("Why did PayU return 403 in January?", "--resume", thread[1])
        self.assertEqual(answer["thread_id"], thread[1])
        self.assertEqual(answer["status"], "ok")

    def test_the_time_is_that_of_the_whole_question(self):
        def slow(request):
            time.sleep(0.4)
            return well_behaved(request)

        self.server.reply = slow
        del self.env["PRECEDENT_MODEL"]
        limited = self.write("limited.yaml", "model: {provider: openai, name: test, limits: {time: 600ms}}\n")
        answer = self.ask_model("Why did PayU return 403 in January?", "--config", limited)
        # Whatever one request takes, the next gets what is left; the receipts that there are answer.
        self.assertLessEqual(len([r for r in self.server.requests if not is_for_title(r)]), 2)
        self.assertTrue(any("model.limits.time" in m for m in answer["missing"]), answer["missing"])
        self.assertIn("INC-2026-01-19-002", [s["id"] for s in answer["sources"]])

    def test_whoever_watches_the_stream_knows_what_is_waited_for(self):
        done = self.check(run("ask", "Why did PayU return 403 in January?", "--json", "--stream", "--now", NOW, "--data-dir", self.data,
                              env=self.env), 0)
        lines = done.lines()
        self.assertEqual(lines[0]["event"], "status")
        statuses = [line["text"] for line in lines if line["event"] == "status"]
        waited_for = [r for r in self.server.requests if not is_for_title(r)]
        self.assertEqual(statuses.count("Waiting for the model openai test..."), len(waited_for))

    def test_an_answer_does_not_wait_for_its_title(self):
        answered = threading.Event()
        self.addCleanup(answered.set)

        def reply(request):
            if is_for_title(request):
                answered.wait(60)
            return well_behaved(request)

        self.server.reply = reply
        answer = self.ask_model("Why did PayU return 403 in January?")
        self.assertFalse(answered.is_set())
        self.assertEqual(answer["answer"], "The key had been rotated [INC-2025-01-20-005].")
        self.assertIn("PayU", answer["title"])
        self.assertNotEqual(answer["title"], "PayU Key Rotation")

    def test_a_model_that_rewrites_the_search_does_not_replace_the_words_of_the_question(self):
        def reply(request):
            if (request.get("response_format") or {}).get("json_schema", {}).get("name") == "search":
                return [({"content": '{"query": "banana"}'}, None), ({}, "stop")]
            if request.get("tools") and request["messages"][-1]["role"] == "user":
                function = {"name": "search_similar_incidents", "arguments": '{"query": "PayU answers HTTP 403"}'}
                return [({"tool_calls": [{"index": 0, "id": "c", "type": "function", "function": function}]}, None), ({}, "tool_calls")]
            return well_behaved(request)

        self.server.reply = reply
        answer = self.ask_model("Why did PayU return 403?")
        found = [r for r in answer["receipts"] if r["tool"] == "search_similar_incidents"]
        self.assertIn("INC-2025-01-20-005", found[0]["text"])

    def test_a_prompt_that_is_edited_while_a_chat_runs_is_in_the_next_request(self):
        prompts = self.data / "prompts"
        prompts.mkdir()
        system = prompts / "system.md"
        system.write_text("FIRST RULES {{now}} {{verified_knowledge}}\n")
        command = [BINARY, "chat", "--json", "--now", NOW, "--data-dir", self.data]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.env) as chat:
            def ask(question):
                self.server.requests.clear()
                chat.stdin.write(question.encode() + b"\n")
                chat.stdin.flush()
                while json.loads(chat.stdout.readline())["event"] != "answer":
                    pass
                return [r for r in self.server.requests if r.get("tools")][0]["messages"][0]["content"]

            self.assertIn("FIRST RULES", ask("Why did PayU return 403 in January?"))
            system.write_text("OTHER RULES {{now}} {{verified_knowledge}}\n")
            self.assertIn("OTHER RULES", ask("What was the resolution?"))
            system.write_text("BROKEN RULES {{nwo}} {{verified_knowledge}}\n")
            self.assertIn("OTHER RULES", ask("What was the cause?"))
            said = chat.communicate()[1].decode()
        self.assertEqual(chat.returncode, 0)
        self.assertEqual(said.count("system.md:1"), 1, said)

    def test_a_prompt_with_an_unknown_variable_is_an_error_at_the_start(self):
        (self.data / "prompts").mkdir()
        (self.data / "prompts/title.md").write_text("Name it.\n{{transcirpt}}\n")
        for command in (["ask", "Why did PayU return 403?"], ["chat"]):
            done = run(*command, "--data-dir", self.data, env=self.env)
            self.assertEqual(done.code, 2, done)
            self.assertIn("title.md:2", done.err)
            self.assertIn("did you mean {{transcript}}?", done.err)
        self.assertEqual(self.server.requests, [])

    def test_a_conversation_beyond_the_window_is_summarised_once_and_by_the_prompt_of_the_operator(self):
        self.server.reply = lambda request: ([({"content": "They rotated the key."}, "stop")] if "MARK" in json.dumps(request)
                                             else well_behaved(request))
        (self.data / "prompts").mkdir()
        (self.data / "prompts/compact.md").write_text("MARK {{#summary}}BEFORE {{summary}}{{/summary}} {{transcript}}")
        config = self.write("precedent.yaml", 'model: {provider: openai, name: test, context_tokens: 5000}\n')
        asked = "".join(f"What about part {n} of INC-2025-01-20-005?\n" for n in range(12))
        done = self.check(run("chat", "--json", "--now", NOW, "--config", config, "--data-dir", self.data, env=self.env, stdin=asked.encode()), 0)
        answers = [e for e in map(json.loads, done.out.splitlines()) if e["event"] == "answer"]
        self.assertEqual([a["receipts"][-1]["tool"] for a in answers], ["lookup_incident_by_id"] * 12)
        sent = [json.dumps(request) for request in self.server.requests]
        summaries = [text for text in sent if "MARK" in text]
        self.assertGreater(len(summaries), 1)
        self.assertLess(len(summaries), 7, "one summary serves several turns")
        self.assertNotIn("BEFORE", summaries[0])
        for later in summaries[1:]:
            self.assertIn("They rotated the key.", later[later.index("BEFORE"):])
        last = next(text for text in reversed(sent) if '"tools"' in text)
        self.assertIn("They rotated the key.", last)
        self.assertIn("part 11", last)
        self.assertNotIn("part 0", last)
        self.assertRegex(last, r"Ids that were mentioned: R1, .*INC-2025-01-20-005")

    def test_models_tells_what_is_there(self):
        done = self.check(run("models", "--json", "--data-dir", self.data, env=self.env), 0)
        (model,) = json.loads(done.out)
        self.assertTrue(model["reachable"])
        self.env["OPENAI_BASE_URL"] = "http://127.0.0.1:9/v1"
        done = self.check(run("models", "--data-dir", self.data, env=self.env), 1)
        self.assertIn("not reachable", done.out)
        done = self.check(run("models", "--data-dir", self.data), 0)
        self.assertIn("offline reasoner", done.out)

    def test_a_key_that_a_server_quotes_is_never_printed(self):
        self.server.reply = lambda request: "Incorrect API key provided: sk-" + "proj-abcdEFGH1234abcdEFGH5678"
        for form in ([], ["--json"]):
            done = self.check(run("models", *form, "--data-dir", self.data, env=self.env), 1)
            self.assertIn("[redacted:api-key]", done.out)
            self.assertNotIn("abcdEFGH", done.out + done.err)

    def test_a_configuration_that_is_wrong_is_named(self):
        config = self.write("precedent.yaml", "model:\n  provider: opnai\n")
        self.check(run("ask", "x y", "--config", config, "--data-dir", self.data), 2, "precedent.yaml:2", "openai")

    def test_azure_is_reached_at_its_deployment_with_its_key(self):
        config = self.write("precedent.yaml", 'model: {provider: azure, name: gpt4o-eu, api_version: "2024-10-21"}\n')
        self.env = environment(AZURE_OPENAI_API_KEY=KEY, AZURE_OPENAI_ENDPOINT=f"http://127.0.0.1:{self.server.server_port}")
        answer = self.ask_model("Why did PayU return 403 in January?", "--config", config)
        self.assertEqual(answer["answer"], "The key had been rotated [INC-2025-01-20-005].")
        self.assertEqual(self.server.path, "/openai/deployments/gpt4o-eu/chat/completions?api-version=2024-10-21")
        self.assertEqual(self.server.headers["api-key"], KEY)
        self.assertIsNone(self.server.headers["Authorization"])


class Anthropic(VendorCase):
    """The same conversation in Anthropic's own protocol; the server refuses what the vendor would."""

    handler = AnthropicVendor

    def test_a_conversation_with_tools(self):
        def reply(request):
            content = request["messages"][-1]["content"]
            results = [] if isinstance(content, str) else [b for b in content if b["type"] == "tool_result"]
            if not request.get("tools"):
                return [{"text": "PayU Key Rotation"}]
            if request.get("tool_choice", {}).get("type") == "tool":  # an output of a given form
                return [{"text": "no"}]
            if not results:
                return [{"text": "I look it up."}, {"tool": "lookup_incident_by_id", "args": {"incident_id": "INC-2025-01-20-005"}},
                        {"tool": "search_knowledge", "args": {"query": "PayU 403"}}]
            return [{"text": "The key had been rotated [INC-2025-01-20-005]."}]

        self.copy_of_sample()
        self.server.reply = reply
        self.env = environment(ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=f"http://127.0.0.1:{self.server.server_port}")
        asked = b"Why did PayU return 403 in January?\nAnd what about the sandbox?\n"
        done = self.check(run("chat", "--json", "--now", NOW, "--data-dir", self.data, env=self.env, stdin=asked), 0)
        first, second = [e for e in map(json.loads, done.out.splitlines()) if e["event"] == "answer"]
        for answer in (first, second):
            self.assertEqual(answer["answer"].split("\n")[0], "The key had been rotated [INC-2025-01-20-005].")
            self.assertLessEqual({"lookup_incident_by_id", "search_knowledge"}, {r["tool"] for r in answer["receipts"]})
            self.assertGreater(answer["usage"]["output_tokens"], 42)
        self.assertEqual(second["title"], first["title"])
        self.assertIn("precedent", json.dumps([r["system"] for r in self.server.requests if "system" in r]))


if __name__ == "__main__":
    unittest.main()
