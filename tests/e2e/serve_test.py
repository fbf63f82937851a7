"""precedent serve: what a client sees of the real program."""
import json
import shutil
import signal
import threading
import time
import unittest
import urllib.error

from harness import run
from served_program import Served


class Serve(Served):
    def test_a_conversation_goes_on_over_http_and_on_the_command_line(self):
        status, body = self.call("POST", "/chat/prompt", {"message": "how do I drain a press?", "session_id": "mine"})
        self.assertEqual(status, 200, body)
        self.assertIn("Open the valves.", json.loads(body)["answer"])
        status, body = self.call("POST", "/chat/prompt/stream", {"message": "which document says so?", "chat_id": "mine"})
        self.assertEqual(self.events(body)[-1]["event"], "complete")
        self.assertEqual(len(json.loads(self.call("GET", "/chat/messages/mine")[1])["messages"]), 4)
        shown = self.check(run("threads", "show", "mine", "--data-dir", self.folder / "kb"), 0)
        self.assertIn("how do I drain a press?", shown.out)

    def test_what_was_kept_is_told_again_after_a_restart(self):
        self.call("POST", "/chat/prompt", {"message": "how do I drain a press?", "session_id": "mine"})
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(30), 0)
        self.start()
        last = self.events(self.call("GET", "/chat/mine/stream")[1])[-1]
        self.assertEqual(last["event"], "complete")
        self.assertIn("Open the valves.", json.loads(last["data"])["answer"])

    def test_killed_in_the_middle_it_comes_back_with_all_that_was_kept(self):
        self.call("POST", "/chat/prompt", {"message": "how do I drain a press?", "session_id": "mine"})
        asking = threading.Thread(target=lambda: self.quietly("POST", "/chat/prompt", {"message": "and then?", "chat_id": "mine"}))
        asking.start()
        self.server.kill()
        asking.join()
        self.server.wait(30)
        self.start()
        messages = json.loads(self.call("GET", "/chat/messages/mine")[1])["messages"]
        self.assertEqual(messages[0]["content"], "how do I drain a press?")
        self.assertIn("Open the valves.", messages[1]["content"])

    def test_an_index_that_was_left_behind_is_brought_up(self):
        self.server.send_signal(signal.SIGTERM)
        self.server.wait(30)
        index = self.folder / "kb" / "index"
        shutil.copytree(index, self.folder / "before")
        note = self.write("more/seal.md", "# Change a seal\n\n## Steps\n\n1. Cool the chuck.\n2. Pull the seal.\n")
        self.check(run("ingest", note, "--data-dir", self.folder / "kb"), 0)
        # As after a kill between the store and the index.
        shutil.rmtree(index)
        shutil.copytree(self.folder / "before", index)
        self.start()
        found = json.loads(self.call("GET", "/search?q=seal")[1])
        self.assertIn("Change a seal", json.dumps(found))

    def quietly(self, *arguments):
        try:
            self.call(*arguments)
        except (OSError, urllib.error.URLError):
            pass

    def test_many_at_once_are_all_answered(self):
        answers = []
        def ask(number):
            answers.append(self.call("POST", "/chat/prompt", {"message": "how do I drain a press?", "session_id": f"s-{number}"}))
        askers = [threading.Thread(target=ask, args=(number,)) for number in range(24)]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join()
        self.assertEqual([status for status, _ in answers], [200] * 24)
        self.assertEqual(len({json.loads(body)["answer"] for _, body in answers}), 1)

    def test_what_is_ingested_meanwhile_is_known_at_the_next_question(self):
        def answer():
            return json.loads(self.call("POST", "/chat/prompt", {"message": "how do I clean the ink rollers?"})[1])["answer"]
        self.assertNotIn("Lift the rollers.", answer())
        self.write("docs/rollers.md", "# Clean the ink rollers\n\n## Steps\n\n1. Lift the rollers.\n2. Wash them.\n")
        self.check(run("ingest", self.folder / "docs", "--data-dir", self.folder / "kb"), 0)
        # It looks once a second whether anything has changed.
        until = time.monotonic() + 60
        while "Lift the rollers." not in answer():
            self.assertLess(time.monotonic(), until)

    def test_where_nothing_is_known_yet_it_says_so_and_learns(self):
        self.server.kill()
        self.server.wait(30)
        self.folder.joinpath("kb").rename(self.folder / "old")
        self.start()
        parts = {part["name"]: part for part in json.loads(self.call("GET", "/readyz")[1])["parts"]}
        self.assertEqual(parts["store"]["detail"], "0 documents")
        status, body = self.call("POST", "/chat/prompt", {"message": "how do I drain a press?"})
        self.assertEqual(status, 200, body)
        self.assertNotIn("valves", body)
        self.check(run("ingest", self.folder / "docs", "--data-dir", self.folder / "kb"), 0)
        until = time.monotonic() + 60
        while "Open the valves." not in self.call("POST", "/chat/prompt", {"message": "how do I drain a press?"})[1]:
            self.assertLess(time.monotonic(), until)

    def test_three_questions_are_suggested_also_where_incidents_name_no_service(self):
        self.write("docs/press.md", "---\ntype: runbook\n---\n\n" + self.documents["press.md"])
        self.write("docs/incidents.json", json.dumps([{"incident_id": "INC-2026-05-02-002", "title": "Vault sealed",
                                                       "description": "For an hour.", "impacted_application": "Payroll",
                                                       "opened_at": "2026-05-02T10:00:00Z"}]))
        self.check(run("ingest", self.folder / "docs", "--data-dir", self.folder / "kb"), 0)
        until = time.monotonic() + 60
        wanted = ["What do we know about INC-2026-05-02-002?", 'What are the steps of "Drain a press"?', "Which incidents did Payroll have?"]
        while json.loads(self.call("GET", "/suggestions")[1])["questions"] != wanted:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)

    def test_a_response_is_annotated_where_each_passage_is_cited(self):
        self.write("docs/parcels.md", "---\ntype: ownership\ntitle: Team Parcels\nteam: Parcels\nservices: [label]\n"
                   "oncall: parcels-primary\n---\n\n# Team Parcels\n\nOwns label and its printers. Lead is Mia.\n")
        self.check(run("ingest", self.folder / "docs", "--data-dir", self.folder / "kb"), 0)
        self.start()
        response = json.loads(self.call("POST", "/v1/responses", {"input": "Who owns label?"})[1])
        [part] = response["output"][0]["content"]
        cited = [part["text"][annotation["index"]:].split("]")[0] for annotation in part["annotations"]]
        self.assertEqual(sorted(cited), ["[parcels.md", "[parcels.md:11-11"], part["text"])

    def test_no_incident_is_suggested_that_has_yet_to_begin(self):
        self.write("docs/incidents.json", json.dumps([
            {"incident_id": f"INC-2026-05-0{day}-001", "title": "Vault sealed", "description": "For an hour.",
             "impacted_application": "Payroll", "opened_at": f"2026-05-0{day}T10:00:00Z"} for day in (1, 2, 3)]))
        self.check(run("ingest", self.folder / "docs", "--data-dir", self.folder / "kb"), 0)
        self.start("--now", "2026-05-02T12:00:00Z")
        self.assertEqual(json.loads(self.call("GET", "/suggestions")[1])["questions"][0], "What do we know about INC-2026-05-02-001?")

    def test_no_client_is_told_where_on_this_machine_anything_lies(self):
        self.write("deep/docs/rollers/clean.md", "# Clean the ink rollers\n\n## Steps\n\n1. Lift the rollers.\n")
        self.write("deep/docs/press.md", "# Order paper\n\nThe supplier is Holm.\n")
        incident = self.write("incidents.json", json.dumps([{"incident_id": "INC-2026-05-02-002", "title": "Vault sealed",
                                                             "description": "For an hour.", "opened_at": "2026-05-02T10:00:00Z"}]))
        self.check(run("ingest", self.folder / "deep/docs", incident, "--data-dir", self.folder / "kb"), 0)
        # What the report on a version complains of names its file.
        bare = self.write("bare.json", json.dumps([{"incident_id": "INC-2026-05-03-001", "title": "Vault sealed again"}]))
        self.check(run("dataset", "create", incident, bare, "--data-dir", self.folder / "kb"), 0)
        question, told = {"message": "how do I clean the ink rollers?"}, {}

        def tell(method, path, body=None):
            told[f"{method} {path} {body}"] = self.call(method, path, body)[1]
            return told[f"{method} {path} {body}"]

        def mcp(method, params):
            return tell("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})

        until = time.monotonic() + 60
        while "Lift the rollers." not in (answer := tell("POST", "/chat/prompt", question)):
            self.assertLess(time.monotonic(), until)
        listed = {document["id"]: document["path"] for document in json.loads(tell("GET", "/documents"))["documents"]}
        self.assertEqual(set(listed.values()), {"press.md", "rollers/clean.md", "incidents.json"})
        for identity, path in listed.items():
            self.assertEqual(json.loads(tell("GET", f"/document?id={identity}"))["path"], path)
        self.assertIn("rollers/clean.md", tell("GET", "/search?q=ink+rollers"))
        self.assertIn("rollers/clean.md", [source["path"] for source in json.loads(answer)["sources"]])
        tell("POST", "/chat/prompt/stream", question)
        tell("POST", "/v1/chat/completions", {"messages": [{"role": "user", "content": question["message"]}]})
        tell("POST", "/v1/responses", {"input": question["message"]})
        tell("POST", "/runs/wait", {"assistant_id": "precedent", "input": {"messages": [{"role": "user", "content": question["message"]}]}})
        tell("GET", f"/chat/messages/{json.loads(answer)['chat_id']}")
        for resource in json.loads(mcp("resources/list", {}))["result"]["resources"]:
            mcp("resources/read", {"uri": resource["uri"]})
        mcp("tools/call", {"name": "ask", "arguments": {"question": question["message"]}})
        mcp("tools/call", {"name": "search_knowledge", "arguments": {"query": "ink rollers"}})
        mcp("tools/call", {"name": "lookup_incident_by_id", "arguments": {"incident_id": "INC-2026-05-02-002"}})
        self.assertIn("incidents.json", tell("GET", "/datasets?all=true"))
        self.assertIn("bare.json", tell("POST", "/datasets/1/validate"))
        for path in ("/readyz", "/datasets/1", "/document?id=none", "/sources", "/suggestions", "/datasets/1/difference"):
            tell("GET", path)
        self.assertEqual({asked: body for asked, body in told.items() if str(self.folder) in body}, {})

    def test_a_port_that_is_taken_and_an_address_beyond_this_machine_are_refused(self):
        port = self.url.rsplit(":", 1)[1]
        taken = run("serve", "--port", port, "--data-dir", self.folder / "kb")
        self.assertNotEqual(taken.code, 0)
        self.assertIn("--port", taken.err)
        beyond = run("serve", "--address", "0.0.0.0", "--data-dir", self.folder / "kb")
        self.assertEqual(beyond.code, 2, beyond)
        self.assertIn("127.0.0.1", beyond.err)


if __name__ == "__main__":
    unittest.main()
