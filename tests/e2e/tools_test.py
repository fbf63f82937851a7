"""precedent tools and precedent eval tools."""
import json
import unittest

from harness import NOW, Case, environment, run

SEVEN = ["lookup_incident_by_id", "search_similar_incidents", "get_incidents_by_application", "get_recent_incidents",
         "aggregate_incidents", "search_knowledge", "doc_search"]
ALL = SEVEN + ["repo_search", "metrics_query", "recent_changes"]


class List(Case):
    def test_names_them_with_their_parameters(self):
        text = self.check(run("tools", "list"), 0).out
        for name in ALL + ["incident_id", "app_name", "typeFilter", "(required)", "(default 7)"]:
            self.assertIn(name, text)

    def test_json_has_strict_schemas(self):
        listed = self.check(run("tools", "list", "--json"), 0).json()
        self.assertEqual([tool["name"] for tool in listed], ALL)
        for tool in listed:
            schema = tool["parameters"]
            self.assertEqual(schema["type"], "object")
            self.assertIs(schema["additionalProperties"], False)
            self.assertLessEqual(set(schema["required"]), set(schema["properties"]))
            for name, parameter in schema["properties"].items():
                self.assertTrue(parameter["description"], name)
                self.assertIn(parameter["type"], ("string", "integer", "array", "boolean"), name)
        knowledge = listed[5]["parameters"]["properties"]
        self.assertEqual(sorted(knowledge), ["limit", "query", "serviceFilter", "tagFilter", "typeFilter"])
        self.assertIn("known_issue", knowledge["typeFilter"]["items"]["enum"])


class Call(Case):
    def call(self, name, args, *more, code=0):
        text = args if isinstance(args, str) else json.dumps(args)
        return self.check(run("tools", "call", name, text, "--json", "--now", NOW, "--data-dir", self.shared, *more),
                          code)

    def test_each_tool_answers(self):
        for name, args in zip(SEVEN, ({"incident_id": "inc‑2025‑08‑24‑001"}, {"query": "403 from PayU"},
                                    {"app_name": "settlement and reporting", "limit": 3}, {"days": 7},
                                    {"function": ["count"]},
                                    {"query": "403", "typeFilter": ["Runbooks"]}, {"query": "rotate API keys"})):
            receipt = self.call(name, args).json()
            self.assertEqual((receipt["tool"], receipt["status"], receipt["id"]), (name, "ok", "R1"))
            self.assertEqual(receipt["args"], args)

    def test_limits_count_incidents(self):
        for name, args in (("search_similar_incidents", {"query": "timeout", "limit": 4}),
                           ("get_incidents_by_application", {"app_name": "Settlement & Reporting", "limit": 4}),
                           ("get_recent_incidents", {"days": 365, "limit": 4})):
            incidents = self.call(name, args).json()["result"]["incidents"]
            self.assertEqual(len({i["incident_id"] for i in incidents}), 4, name)

    def test_an_empty_query_with_a_filter_lists(self):
        groups = self.call("search_knowledge", {"query": "", "typeFilter": ["runbook"], "limit": 100}).json()["result"]
        self.assertGreaterEqual(len(groups["runbooks"]), 15)
        self.assertEqual((groups["postmortems"], groups["architecture"], groups["knownIssues"]), ([], [], []))

    def test_nothing_found_is_no_failure(self):
        receipt = self.call("lookup_incident_by_id", {"incident_id": "INC-2031-01-01-001"}).json()
        self.assertEqual(receipt["status"], "empty")
        self.assertIn("INC-2031-01-01-001", receipt["text"])

    def test_text_and_explanation(self):
        done = self.check(run("tools", "call", "doc_search", '{"query":"rotate keys"}', "--explain", "--data-dir",
                              self.shared), 0)
        self.assertIn("relevance", done.out)

    def test_usage_errors_are_two_and_name_the_offender(self):
        for name, args, said in (("doc_serch", {}, "did you mean 'doc_search'?"), ("metrics", {}, "the tools are"),
                                 ("doc_search", {"qurey": "x"}, "did you mean 'query'?"),
                                 ("doc_search", {}, "'query'"), ("doc_search", "{", "not valid JSON"),
                                 ("doc_search", "[]", "JSON object"), ("doc_search", {"query": 7}, "got 7"),
                                 ("get_recent_incidents", {"days": 0}, "from 1 to")):
            done = self.call(name, args, code=2)
            self.assertIn(said, done.err)
            self.assertEqual(done.json()["status"], "error")
            self.assertIn(said, done.json()["text"])

    def test_no_knowledge_base_is_one(self):
        self.check(run("tools", "call", "doc_search", '{"query":"x"}', "--data-dir", self.data), 1, "precedent ingest")


class RecentChanges(Case):
    LOG = ('{"time":"2026-11-17T15:40:00Z","service":"search-service","version":"2.31.0","from":"2.30.4"}\n'
           '{"time":"2026-11-19T22:00:00Z","flag":"waiting_room","service":"checkout-api","from":"off","to":"on"}\n')

    def call(self, args, *more, code=0):
        return self.check(run("tools", "call", "recent_changes", json.dumps(args), "--json", "--now", NOW, "--data-dir",
                              self.shared, *more), code)

    def test_lists_what_the_configured_log_holds(self):
        self.write("deploys.jsonl", self.LOG)
        config = self.write("tools.yaml", "changes: {logs: deploys.jsonl}\n")
        result = self.call({"service": "search-service"}, "--tools-config", config).json()["result"]
        self.assertEqual([c["version"] for c in result["changes"]], ["2.31.0"])
        self.assertEqual(result["lastDeploy"]["time"], "2026-11-17T15:40:00Z")
        self.assertEqual(result["asked"], [{"name": "deploys.jsonl", "found": 1}])

    def test_what_cannot_be_read_is_named_and_never_taken_for_nothing(self):
        config = self.write("tools.yaml", "changes:\n  repositories:\n    - path: gone\n  logs: [gone.jsonl]\n")
        self.assertIn("gone.jsonl could not be read", self.call({}, "--tools-config", config, code=1).json()["text"])
        ask = lambda code: self.check(run("ask", "What was deployed since 17 November 2026?", "--json", "--now", NOW, "--data-dir",
                                          self.shared, env=environment(PRECEDENT_TOOLS=str(config))), code).json()
        self.assertEqual(ask(1)["status"], "error")
        checked = self.check(run("config", "check", config), 2, "").out
        self.assertIn(f"{config}:3: changes.repositories[0].path: ", checked)
        self.assertIn(f"{config}:4: changes.logs: ", checked)
        # A part that can be read is told, and what is missing beside it.
        self.write("gone.jsonl", self.LOG)
        answer = ask(0)
        self.assertEqual(answer["status"], "partial")
        self.assertIn("2.31.0", answer["answer"])
        self.assertIn("git:gone could not be read", answer["answer"])

    def test_without_configuration_it_says_how(self):
        self.assertIn("'changes' in tools.yaml", self.call({}, code=1).json()["text"])

    def test_a_wrong_configuration_is_two_and_named(self):
        config = self.write("tools.yaml", "changes:\n  lgos: deploys.jsonl\n")
        self.assertIn("tools.yaml:2: changes.lgos is unknown; did you mean logs?",
                      self.call({}, "--tools-config", config, code=2).err)


class EvalTools(Case):
    def checks(self, *checks, code):
        file = self.write("checks.jsonl", "".join(
            (check if isinstance(check, str) else json.dumps(check)) + "\n" for check in checks))
        return self.check(run("eval", "tools", file, "--data-dir", self.shared), code).out.splitlines()

    def test_ends_with_the_count(self):
        right = {"kind": "by_id", "args": {"incident_id": "INC-2025-08-24-001"}, "expect_ids": ["INC-2025-08-24-001"]}
        none = {"kind": "by_id", "args": {"incident_id": "INC-2031-01-01-001"}, "expect_ids": []}
        unknown = {"kind": "by_application", "args": {"app_name": "Space Elevator"}, "expect_ids": []}
        wrong = dict(right, expect_ids=["INC-1"])
        self.assertEqual(self.checks(right, none, unknown, code=0)[-1], "3 passed, 0 failed")
        lines = self.checks(right, wrong, "{", {"kind": "by_moon", "args": {}, "expect_ids": []}, {"kind": 7}, "", code=1)
        self.assertEqual(lines[-1], "1 passed, 4 failed")
        self.assertIn("checks.jsonl:2: expected [INC-1], got [INC-2025-08-24-001]", lines[0])

    def test_a_check_may_have_its_own_now(self):
        check = {"kind": "recent", "args": {"days": 1, "as_of": "2025-08-24T12:00:00Z"},
                 "expect_ids": ["INC-2025-08-24-001"]}
        self.assertEqual(self.checks(check, code=0)[-1], "1 passed, 0 failed")

    def test_a_missing_file_is_named(self):
        self.check(run("eval", "tools", self.folder / "none", "--data-dir", self.shared), 1, "none")


if __name__ == "__main__":
    unittest.main()
