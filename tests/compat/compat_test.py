"""Clients of other projects against the real program, on loopback: MCP, the APIs of OpenAI and LangGraph, and the OpenAPI document."""
import json
import re
import unittest

from harness import BINARY, ROOT, TIMEOUT
from served import HERE, Served, clients


def expected_failures(section):
    """Name → reason, of one section of expected_failures.txt."""
    rows, current = {}, None
    for line in (HERE / "expected_failures.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = line.strip("[]")
        elif current == section and line and not line.startswith("#"):
            name, _, reason = line.partition("  ")
            if not reason.strip():
                raise AssertionError(f"expected_failures.txt: no reason for {name}")
            rows[name] = reason.strip()
    return rows


class Checked(Served):
    """A run whose failures are compared with those that are expected."""

    def check_failures(self, failed, section, output):
        expected = expected_failures(section)
        wrong = [f"not in expected_failures.txt: {name}" for name in sorted(failed - expected.keys())]
        wrong += [f"passes now, remove it from expected_failures.txt: {name}" for name in sorted(expected.keys() - failed)]
        if wrong:
            self.fail("\n".join([output[-20000:], *wrong]))


class Mcp(Checked):
    def test_the_client_of_both_revisions(self):
        self.run_script("mcp_client.mjs", self.url, BINARY, self.data)

    def test_the_client_of_the_older_revisions(self):
        self.run_script("mcp_sdk.mjs", self.url, BINARY, self.data)

    def test_conformance_with_2025_11_25(self):
        self.check_conformance("2025-11-25")

    def test_conformance_with_2026_07_28(self):
        self.check_conformance("2026-07-28")

    def check_conformance(self, revision):
        self.serve_fixtures()
        results = self.folder / "results"
        output = self.node(clients() / "node_modules/@modelcontextprotocol/conformance/dist/index.js", "server", "--url",
                           f"{self.url}/mcp", "--requirements", revision, "--output-dir", results, codes=(0, 1))
        failed = set()
        for file in results.glob("*/checks.json"):
            scenario = re.fullmatch(r"server-(.+)-\d{4}-\d\d-\d\dT.*", file.parent.name).group(1)
            failed |= {f"{scenario}:{check['id']}" for check in json.loads(file.read_text(encoding="utf-8"))
                       if check["status"] == "FAILURE"}
        self.check_failures(failed, revision, output)


class OpenAi(Served):
    def test_the_client_of_openai(self):
        self.run_script("openai.mjs", self.url)

    def test_the_cases_of_open_responses(self):
        self.run_script("open_responses.mjs", self.url)


class LangGraph(Served):
    def test_the_client_of_langgraph(self):
        self.ingest(ROOT / "examples")
        self.serve()  # what is ingested is seen by a server that starts after it
        self.run_script("langgraph.mjs", self.url)


# The shapes of LangGraph's server.
LANGGRAPH = r"^/(assistants|threads|runs|info|ok)(/|$)"
# A stream without an end of its own: each right request to it waits for its time to be up.
ENDLESS = "/threads/{id}/stream/events"
# Whether right requests are taken is asked of each operation; failures of operations after one another name none.
ACCEPTANCE = "positive_data_acceptance,negative_data_rejection"


class OpenApi(Checked):
    """schemathesis: requests made from the document at /openapi.json, right ones and wrong ones, with a fixed seed."""

    def test_each_operation(self):
        self.check_document("each operation", "--phases", "coverage,fuzzing", "--exclude-path-regex", LANGGRAPH)

    def test_each_operation_on_threads_and_runs(self):
        self.check_document("threads and runs", "--phases", "coverage,fuzzing", "--include-path-regex", LANGGRAPH, "--exclude-path", ENDLESS)

    def test_the_stream_that_has_no_end(self):
        self.check_document("the stream that has no end", "--phases", "coverage,fuzzing", "--include-path", ENDLESS, examples=5, timeout=2)

    def test_operations_after_one_another(self):
        self.check_document("operations after one another", "--phases", "stateful", "--exclude-path-regex", LANGGRAPH, "--exclude-checks",
                            ACCEPTANCE)

    def test_threads_and_runs_after_one_another(self):
        # A thread that was just made has no checkpoint of an id that was made up: 404.
        self.check_document("threads and runs after one another", "--phases", "stateful", "--include-path-regex", LANGGRAPH, "--exclude-path", ENDLESS,
                            "--exclude-checks", f"{ACCEPTANCE},ensure_resource_availability")

    def check_document(self, section, *options, examples=20, timeout=TIMEOUT // 4):
        report = self.folder / "report.json"
        # No NUL: an address with one is refused before anybody reads it.
        output = self.run_client("python3", "-m", "schemathesis.cli", "run", f"{self.url}/openapi.json", "--seed", "1",
                                 "--max-examples", str(examples), "--continue-on-failure", "--generation-allow-x00", "false",
                                 "--generation-database", "none", "--request-timeout", str(timeout), "--no-color",
                                 "--report-json-path", report, *options, codes=(0, 1), PYTHONPATH=str(clients() / "python"))
        told = json.loads(report.read_text(encoding="utf-8"))
        self.assertEqual((told["complete"], told["errors"]), (True, []), output)
        failed = {f"{operation}: {failure['title']}" for failure in told["failures"] for operation in failure["operations"]}
        self.check_failures(failed, section, output)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # which prints why a test is skipped
