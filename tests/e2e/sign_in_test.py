"""Tokens, roles and scopes: what each of several people sees of one running server."""
import json
import threading
import unittest

from harness import run
from served_program import Served

PAYROLL = """---
type: runbook
title: Rotate the payroll vault key
services: [payroll]
---
# Rotate the payroll vault key

## Steps

1. Open the Zanzibar vault.
2. Press the violet button.
"""
LEDGER = """---
type: runbook
title: Restart the ledger
services: [ledger]
---
# Restart the ledger

## Steps

1. Drain the ledger queue.
2. Restart ledger-main.
"""
INCIDENTS = [
    {"incident_id": "INC-2026-05-01-001", "title": "Ledger queue stuck", "description": "The queue of the ledger was stuck.",
     "impacted_application": "ledger", "opened_at": "2026-05-01T10:00:00Z"},
    {"incident_id": "INC-2026-05-02-002", "title": "Payroll vault sealed", "description": "The Zanzibar vault was sealed for an hour.",
     "impacted_application": "Payroll", "opened_at": "2026-05-02T10:00:00Z"},
]


class SignIn(Served):
    documents = {"payroll.md": PAYROLL, "ledger.md": LEDGER, "incidents.json": json.dumps(INCIDENTS)}

    def token(self, name, *options):
        return self.check(run("tokens", "create", name, *options, "--data-dir", self.folder / "kb"), 0).out.strip()

    def ask(self, question, token, **more):
        status, body = self.call("POST", "/chat/prompt", {"message": question, **more}, token)
        self.assertEqual(status, 200, body)
        return body

    def test_what_a_scope_leaves_out_is_nowhere(self):
        self.assertIn("violet button", self.call("POST", "/chat/prompt", {"message": "how do I rotate the payroll vault key?"})[1])
        ledger, all_of_it = self.token("lena", "--service", "ledger"), self.token("ann")
        self.assertEqual(self.call("GET", "/whoami")[0], 401)
        for question in ["how do I rotate the payroll vault key?", "what is the Zanzibar vault?", "INC-2026-05-02-002",
                         "show me incidents of payroll", "how many incidents are there?", "which services do you know?",
                         "list all incidents", "what happened in May 2026?", "press the violet button"]:
            said = self.ask(question, ledger)
            for secret in ["violet", "Zanzibar v", "sealed", "payroll.md", "Payroll vault"]:
                # What was asked may be repeated.
                if secret.lower() not in question.lower():
                    self.assertNotIn(secret, said, question)
        self.assertIn("Drain the ledger queue", self.ask("how do I restart the ledger?", ledger))
        self.assertIn("Ledger queue stuck", self.ask("show me incidents of the ledger", ledger))
        self.assertIn("violet button", self.ask("how do I rotate the payroll vault key?", all_of_it))
        self.assertNotIn("ayroll", self.call("GET", "/suggestions", token=ledger)[1])
        called = self.call("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "lookup_incident_by_id", "arguments": {"incident_id": "INC-2026-05-02-002"}}}, ledger)[1]
        self.assertNotIn("sealed", called)

    def test_a_scope_that_leaves_nothing_is_told_so_whatever_is_known(self):
        nobody = self.token("nora", "--service", "nothing-of-ours")
        told = self.ask("how do I restart the ledger?", nobody)
        self.assertIn("You have access to no documents here", told)
        self.assertNotIn("empty", told)

    def test_another_scope_of_the_same_name_has_chats_of_its_own(self):
        whole = self.token("ann")
        chat = json.loads(self.ask("INC-2026-05-02-002", whole))["chat_id"]
        self.assertEqual(self.call("GET", f"/chat/messages/{chat}", token=whole)[0], 200)
        runbooks = self.token("ann", "--kind", "runbook")
        self.assertEqual(self.call("GET", f"/chat/messages/{chat}", token=runbooks)[0], 404)
        self.assertEqual(json.loads(self.call("GET", "/chat/", token=runbooks)[1])["chats"], [])
        told = self.call("POST", "/chat/prompt", {"message": "what was the root cause?", "chat_id": chat}, runbooks)[1]
        self.assertNotIn("sealed", told)

    def test_a_scope_of_kinds_and_a_reader(self):
        incidents, reader = self.token("ina", "--kind", "incident"), self.token("rita", "--role", "reader")
        self.assertNotIn("Drain the ledger queue", self.ask("how do I restart the ledger?", incidents))
        self.assertIn("Ledger queue stuck", self.ask("INC-2026-05-01-001", incidents))
        self.assertEqual(self.call("POST", "/chat/prompt", {"message": "how do I restart the ledger?"}, reader)[0], 403)
        self.assertEqual(self.call("GET", "/suggestions", token=reader)[0], 200)
        # Nobody is offered what they may not see.
        runbooks = self.token("rob", "--kind", "runbook")
        self.assertNotIn("ncident", self.call("GET", "/suggestions", token=runbooks)[1])

    def test_chats_belong_to_who_began_them(self):
        ann, bob = self.token("ann"), self.token("bob")
        self.ask("how do I restart the ledger?", ann, session_id="mine")
        self.assertEqual(self.call("GET", "/chat/messages/mine", token=bob)[0], 404)
        self.assertEqual(json.loads(self.call("GET", "/chat/", token=bob)[1])["chats"], [])
        self.assertEqual(len(json.loads(self.call("GET", "/chat/messages/mine", token=ann)[1])["messages"]), 2)
        listed = self.check(run("threads", "list", "--all", "--data-dir", self.folder / "kb"), 0).out
        self.assertIn("ann:mine", listed)

    def test_tokens_are_made_listed_and_revoked(self):
        self.token("ann", "--days", "30")
        listed = self.check(run("tokens", "list", "--json", "--data-dir", self.folder / "kb"), 0).json()
        self.assertEqual([(t["name"], t["role"], t["sees"]) for t in listed], [("ann", "user", "everything")])
        secret = self.token("bob")
        self.assertEqual(self.call("GET", "/whoami", token=secret)[0], 200)
        bob = next(t for t in self.check(run("tokens", "list", "--json", "--data-dir", self.folder / "kb"), 0).json()
                   if t["name"] == "bob")
        self.check(run("tokens", "revoke", bob["id"], "--data-dir", self.folder / "kb"), 0)
        self.assertEqual(self.call("GET", "/whoami", token=secret)[0], 401)
        for wrong in [["create", "a b"], ["create", "ed", "--role", "root"], ["create", "ed", "--role", "editor", "--service", "x"],
                      ["create", "ed", "--kind", "secrets"], ["revoke", "00000000"]]:
            done = run("tokens", *wrong, "--data-dir", self.folder / "kb")
            self.assertIn(done.code, (1, 2), done)
            self.assertTrue(done.err, done)
        self.assertNotIn(secret, (self.folder / "kb/tokens.json").read_text())
        self.assertEqual((self.folder / "kb/tokens.json").stat().st_mode & 0o077, 0)

    def test_beyond_this_machine_with_tokens_alone(self):
        self.token("ann")
        server = self.start("--address", "0.0.0.0")
        self.url = self.url.replace("0.0.0.0", "127.0.0.1")
        self.assertEqual(self.call("GET", "/whoami")[0], 401)
        self.assertEqual(self.call("GET", "/healthz")[0], 200)
        server.kill()

    def test_who_asked_is_in_the_audit_log(self):
        ann = self.token("ann")
        self.ask("how do I restart the ledger? api_key=abcdef0123456789abcdef", ann)
        self.call("POST", "/chat/prompt", {"message": "x"}, "prc_00000000_guess")
        log = (self.folder / "kb/audit.jsonl").read_text()
        lines = [json.loads(line) for line in log.splitlines()]
        asked = [line for line in lines if line["method"] != "COMMAND"]
        self.assertEqual([(line["who"], line["status"]) for line in asked], [("ann", 200), ("?", 401)])
        self.assertNotIn("abcdef0123456789", log)
        self.assertNotIn("guess", log)

    def test_versions_are_for_editors_and_each_step_is_in_the_audit_log(self):
        ann, ed = self.token("ann"), self.token("ed", "--role", "editor")
        steps = [("/datasets/7/validate", {}), ("/datasets/guess", {"upload_id": "up-0"})]
        for path, body in steps:
            self.assertEqual(self.call("POST", path, body, ann)[0], 403)
            self.assertEqual(self.call("POST", path, body, ed)[0], 404)
        lines = [json.loads(line) for line in (self.folder / "kb/audit.jsonl").read_text().splitlines()]
        asked = [line for line in lines if line["method"] != "COMMAND"]
        self.assertEqual([(line["who"], line["path"], line["status"]) for line in asked],
                         [(who, path, status) for path, _ in steps for who, status in (("ann", 403), ("ed", 404))])

    def test_who_made_and_revoked_tokens_is_in_the_audit_log_beside_a_running_server(self):
        ann = self.token("ann", "--kind", "runbook")
        asking = threading.Thread(target=lambda: [self.ask("how do I restart the ledger?", ann) for _ in range(5)])
        asking.start()
        made = [self.token(f"bob-{number}", "--days", "3") for number in range(5)]
        bob = next(t["id"] for t in self.check(run("tokens", "list", "--json", "--data-dir", self.folder / "kb"), 0).json()
                   if t["name"] == "bob-0")
        self.check(run("tokens", "revoke", bob, "--data-dir", self.folder / "kb"), 0)
        self.assertEqual(run("tokens", "revoke", bob, "--data-dir", self.folder / "kb").code, 1)
        asking.join()
        log = (self.folder / "kb/audit.jsonl").read_text()
        lines = [json.loads(line) for line in log.splitlines()]
        commands = [line for line in lines if line["method"] == "COMMAND"]
        self.assertEqual([line["path"] for line in commands], ["tokens create"] * 6 + ["tokens revoke"])
        self.assertEqual(len(lines) - len(commands), 5)
        first, last = json.loads(commands[0]["what"]), json.loads(commands[-1]["what"])
        self.assertEqual((first["name"], first["role"], first["sees"], first["expires"]), ("ann", "user", "kind runbook", "never"))
        self.assertEqual(last, {"id": bob})
        self.assertTrue(all(line["who"] and line["at"] and line["client"] == "local" for line in commands), commands)
        for secret in [ann, *made]:
            self.assertNotIn(secret.split("_", 2)[2], log)


if __name__ == "__main__":
    unittest.main()
