"""What the end-to-end tests share: the real binary, run on knowledge bases in a temporary folder.

PRECEDENT_BINARY names the binary. Every run is without the encoder, which is fast and exact, unless it says
weights=True.
"""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
BINARY = os.environ["PRECEDENT_BINARY"]
# The sample company's present: the day after its latest incident.
NOW = "2026-11-20"
# No command here takes seconds, but under a sanitizer; a hanging one must not hang the tests.
TIMEOUT = int(os.environ.get("PRECEDENT_TEST_TIMEOUT", "600")) // 5


def environment(weights=False, **extra):
    env = {k: v for k, v in os.environ.items() if not k.startswith("PRECEDENT_") or k == "PRECEDENT_MODEL_DIR"}
    if not weights:
        env["PRECEDENT_MODEL_DIR"] = "/nonexistent/models"
    env["NO_COLOR"] = "1"
    env.update(extra)
    return env


class Result:
    def __init__(self, done, errors="strict"):
        self.code = done.returncode
        self.out = done.stdout.decode("utf-8", errors)
        self.err = done.stderr.decode("utf-8", errors)

    def json(self):
        return json.loads(self.out)

    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]

    def __str__(self):
        return f"exit {self.code}\n--- stdout\n{self.out[:3000]}\n--- stderr\n{self.err[:3000]}"


def run(*args, weights=False, stdin=b"", env=None, cwd=None, errors="strict", user=None):
    done = subprocess.run([BINARY, *map(os.fsencode, args)], input=stdin, capture_output=True, timeout=TIMEOUT,
                          env=env or environment(weights), cwd=cwd, user=user, check=False)
    return Result(done, errors)


def example_documents():
    """How many documents the sample company has, counted without precedent."""
    count = len([line for line in (EXAMPLES / "incidents.jsonl").read_text().splitlines() if line.strip()])
    for file in EXAMPLES.glob("*.csv"):
        with file.open(newline="") as rows:
            count += sum(1 for _ in csv.DictReader(rows))
    return count + len(list(EXAMPLES.rglob("*.md")))


class Case(unittest.TestCase):
    """A test with a folder of its own, and the sample company's knowledge base to read from."""

    shared = None

    @classmethod
    def setUpClass(cls):
        cls.folder_of_class = pathlib.Path(tempfile.mkdtemp(prefix="precedent-e2e-"))
        cls.shared = cls.folder_of_class / "sample"
        done = run("ingest", EXAMPLES, "--data-dir", cls.shared)
        if done.code != 0:
            raise AssertionError(f"the sample company does not load: {done}")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder_of_class)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder_of_class))
        self.data = self.folder / "data"

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def copy_of_sample(self):
        shutil.copytree(self.shared, self.data)
        return self.data

    def check(self, result, code, *in_stderr):
        self.assertEqual(result.code, code, result)
        for text in in_stderr:
            self.assertIn(text, result.err, result)
        self.assertNotRegex(result.err + result.out, r"terminate called|Segmentation fault|AddressSanitizer|\.(cc|h):\d+:\d+: runtime error")
        return result

    def ingest(self, *args, code=0):
        return self.check(run("ingest", *args, "--data-dir", self.data), code)

    def report(self, *args, code=0):
        return self.ingest(*args, "--json", code=code).json()

    def ask(self, question, *args, data=None, code=0):
        return self.check(run("ask", question, "--json", "--now", NOW, "--data-dir", data or self.shared, *args),
                          code).json()
