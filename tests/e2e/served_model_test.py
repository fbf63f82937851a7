"""precedent serve with a model behind it: what leaves while the model speaks, and what a SIGTERM does meanwhile."""
import json
import signal
import threading
import unittest
import urllib.request

from harness import environment, run
from served_program import Serving
from vendor import VendorCase

INCIDENT = {"incident_id": "INC-2026-05-02-002", "title": "The press stood still", "description": "For an hour.", "root_cause": "A torn belt",
            "opened_at": "2026-05-02T10:00:00Z", "impacted_application": "Press hall"}
QUESTION = "What caused INC-2026-05-02-002?"
SENTENCES = ("INC-2026-05-02-002 was caused by a torn belt. ", "It was opened in 2019. ", "Its title is The press stood still.\n")
ENOUGH = 60  # s: for whatever has to come


class ServedModel(Serving, VendorCase):
    def setUp(self):
        super().setUp()
        self.ingest_documents({"incidents.json": json.dumps([INCIDENT])})
        self.speaks, self.gates = threading.Event(), [threading.Event() for _ in SENTENCES]
        self.late, self.calls = [], 0
        self.server.reply = self.reply

    def reply(self, request):
        """It looks the incident up. Its first answer is gated: after each sentence it waits until the test lets it go on."""
        if not request.get("tools"):
            return [({"content": "A Torn Belt"}, None), ({}, "stop")]
        self.calls += 1
        if self.calls == 1:
            function = {"name": "lookup_incident_by_id", "arguments": json.dumps({"incident_id": INCIDENT["incident_id"]})}
            return [({"tool_calls": [{"index": 0, "id": "call_a", "type": "function", "function": function}]}, None), ({}, "tool_calls")]
        return self.gated() if self.calls == 2 else [({"content": SENTENCES[0]}, None), ({}, "stop")]

    def gated(self):
        for sentence, gate in zip(SENTENCES, self.gates):
            for at in range(0, len(sentence), 7):
                yield {"content": sentence[at:at + 7]}, None
            self.speaks.set()
            if not gate.wait(ENOUGH):
                self.late.append(sentence)
        yield {}, "stop"

    def told(self):
        """The events of the chat 'mine', one after the other, as they come."""
        request = urllib.request.Request(self.url + "/chat/prompt/stream", headers={"Content-Type": "application/json"},
                                         data=json.dumps({"message": QUESTION, "session_id": "mine"}).encode())
        with urllib.request.urlopen(request, timeout=2 * ENOUGH) as response:
            event = {}
            for line in map(str.strip, map(bytes.decode, response)):
                if line.startswith(("event: ", "data: ")):
                    name, value = line.split(": ", 1)
                    event[name] = json.loads(value) if name == "data" else value
                elif not line and event:
                    yield event["event"], event["data"]
                    event = {}

    def asked(self):
        """What came of the question, in the end; once the model speaks."""
        events = []
        reader = threading.Thread(target=lambda: events.extend(self.told()))
        reader.start()
        self.addCleanup(reader.join)
        self.addCleanup(self.open_gates)  # before
        self.assertTrue(self.speaks.wait(ENOUGH))
        return reader, events

    def open_gates(self):
        for gate in self.gates:
            gate.set()

    def test_each_sentence_has_its_verdict_before_the_model_goes_on(self):
        self.start()
        self.addCleanup(self.open_gates)
        draft, said, verdicts = "", [], []
        for name, data in self.told():
            if name == "token" and data["draft"]:
                draft += data["text"]
                said.append(len(verdicts))
            elif name == "grounding" and data.get("draft"):
                for claim in data["claims"]:
                    begin, end = claim["bytes"]["begin"], claim["bytes"]["end"]
                    verdicts.append((draft.encode()[begin:end].decode(), claim["verdict"]))
                # Only now does the model say its next sentence.
                self.gates[len(verdicts) - 1].set()
            elif name in ("reset", "complete"):
                break
        self.assertEqual(self.late, [], "the model was kept waiting for the verdict")
        self.assertEqual(verdicts, list(zip(map(str.strip, SENTENCES), ("supported", "unsupported", "supported"))))
        # Every token came between its verdict and the one before.
        self.assertEqual(said, sorted(said))
        self.assertEqual(set(said), {0, 1, 2})

    def test_a_model_that_does_not_answer_is_told(self):
        self.start()
        self.server.reply = lambda request: "no such key"

        def model():
            return next(part for part in json.loads(self.call("GET", "/readyz")[1])["parts"] if part["name"] == "model")

        self.assertEqual(model(), {"name": "model", "ready": True, "detail": "openai test"})
        self.assertEqual(self.call("POST", "/chat/prompt", {"message": QUESTION})[0], 200)
        self.assertIn("gave no answer last time", model()["detail"])
        self.assertIn("no such key", model()["detail"])

    def ask_by_mcp(self, **options):
        call = {"name": "ask", "arguments": {"question": QUESTION, "chat_id": "mine"}, **options}
        return json.loads(self.call("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})[1])

    def test_what_mcp_asks_in_a_chat_is_seen_and_cancelled_there(self):
        self.start()
        answers, events = [], []
        asking = threading.Thread(target=lambda: answers.append(self.ask_by_mcp()))
        asking.start()
        self.addCleanup(asking.join)
        self.addCleanup(self.open_gates)
        self.assertTrue(self.speaks.wait(ENOUGH))
        [listed] = json.loads(self.call("GET", "/chat/")[1])["chats"]
        turn = listed["running_turn"]
        self.assertEqual(listed["chat_id"], "mine")
        self.assertEqual(json.loads(self.call("GET", "/chat/messages/mine")[1])["running_turn"], turn)
        status, body = self.call("POST", "/chat/prompt", {"message": "and then?", "chat_id": "mine"})
        self.assertEqual((status, json.loads(body)["turn_id"]), (409, turn))
        busy = self.ask_by_mcp()["error"]
        self.assertEqual((busy["code"], busy["data"]), (-32000, {"chat_id": "mine", "turn_id": turn}))
        joining = threading.Thread(target=lambda: events.extend(self.events(self.call("GET", "/chat/mine/stream")[1])))
        joining.start()
        self.addCleanup(joining.join)
        status, body = self.call("POST", "/chat/mine/cancel")
        self.assertEqual((status, json.loads(body)["turn_id"]), (202, turn))
        for thread in (joining, asking):
            thread.join(ENOUGH)
        self.assertFalse(any(gate.is_set() for gate in self.gates))
        self.assertTrue(answers[0]["result"]["isError"], answers)
        self.assertEqual(json.loads(events[0]["data"])["question"], QUESTION)
        self.assertEqual({event["id"].rsplit(".", 1)[0] for event in events}, {turn})
        self.assertEqual((events[-1]["event"], json.loads(events[-1]["data"])["title"]), ("error", "Cancelled"))
        self.assertIsNone(json.loads(self.call("GET", "/chat/")[1])["chats"][0]["running_turn"])

    def test_a_turn_that_ends_in_time_is_answered_although_the_server_was_told_to_stop(self):
        program = self.start("--drain", "3600")
        reader, events = self.asked()
        program.send_signal(signal.SIGTERM)
        self.assertTrue(any("stopping" in line for line in program.stderr))
        self.open_gates()
        reader.join(ENOUGH)
        self.assertEqual(events[-1][0], "complete")
        self.assertEqual(program.wait(ENOUGH), 0)
        self.start()
        messages = json.loads(self.call("GET", "/chat/messages/mine")[1])["messages"]
        self.assertEqual([m["content"] for m in messages], [QUESTION, events[-1][1]["answer"]])

    def test_a_turn_that_does_not_end_in_time_stops_at_a_checkpoint_and_says_so(self):
        program = self.start("--drain", "1")
        reader, events = self.asked()
        program.send_signal(signal.SIGTERM)
        # The model says nothing more, and waits longer than the server may.
        self.assertEqual(program.wait(ENOUGH // 2), 0)
        self.assertFalse(any(gate.is_set() for gate in self.gates))
        reader.join(ENOUGH)
        name, data = events[-1]
        self.assertEqual((name, data["status"]), ("error", 503))
        self.assertIn("the server was stopped", data["detail"])
        self.open_gates()
        self.start()
        shown = json.loads(self.call("GET", "/chat/messages/mine")[1])
        self.assertEqual([m["content"] for m in shown["messages"]], [QUESTION])
        self.assertIsNone(shown["running_turn"])
        resumed = self.check(run("threads", "resume", "mine", "--model", "offline", "--data-dir", self.folder / "kb", env=environment()), 0)
        self.assertIn("torn belt", resumed.out)
        answered = json.loads(self.call("GET", "/chat/messages/mine")[1])["messages"]
        self.assertEqual(answered[0]["content"], QUESTION)
        self.assertIn("torn belt", answered[1]["content"].lower())


if __name__ == "__main__":
    unittest.main()
