"""What a hostile or broken world does to the program: outputs that cannot be written, input without end,
JSON without bottom, secrets in records, files that others could read."""
import json
import os
import signal
import stat
import subprocess
import tempfile
import time
import unittest

import harness


SECRETS = {"id": "INC-7", "title": "Tide logins fail", "description": "Logins fail since the change.",
           "opened_at": "2026-11-01T10:00:00Z",
           "changes": [{"key": "TIDE_DB_PASSWORD", "from": "oldSecret1", "to": "newSecret2"}]}


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name
        cls.data = os.path.join(cls.folder, "data")
        cls.record = os.path.join(cls.folder, "record.json")
        with open(cls.record, "w", encoding="utf-8") as file:
            json.dump([SECRETS], file)
        done = harness.run("ingest", "--data-dir", cls.data, cls.record)
        assert done.code == 0, done

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def commands(self):
        data = ["--data-dir", self.data]
        return [["ask", *data, "what is INC-7?"], ["ask", "--data-dir", self.folder, "x"], ["doctor", *data],
                ["threads", "list", *data], ["ingest", *data, self.record], ["tools", "list"], ["stats", *data],
                ["golden", "list", *data], ["config", "check"], ["aks"], ["ask", "--now", "zz", "x"]]

    def code(self, command, redirection):
        line = 'exec "$0" "$@" ' + redirection
        done = subprocess.run(["sh", "-c", line, harness.BINARY, *command], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=harness.environment(),
                              timeout=harness.TIMEOUT, check=False)
        return done.returncode

    def test_messages_that_cannot_be_written_change_nothing(self):
        for command in self.commands():
            usual = self.code(command, "")
            self.assertIn(usual, (0, 1, 2), command)
            for redirection in ("2>/dev/full", "2>&-"):
                self.assertEqual(self.code(command, redirection), usual, (command, redirection))

    def test_an_answer_that_cannot_be_written_is_an_error(self):
        for redirection in (">/dev/full", ">&-"):
            for command in (["ask", "--data-dir", self.data, "what is INC-7?"], ["tools", "list"]):
                self.assertEqual(self.code(command, redirection), 1, (command, redirection))

    def test_a_changed_secret_is_not_told(self):
        done = harness.run("ask", "--data-dir", self.data, "--json", "--explain", "what changed in INC-7?")
        self.assertEqual(done.code, 0, done)
        self.assertIn("TIDE_DB_PASSWORD", done.out)
        for name in (None, "requests.jsonl", "threads.db", "threads.db-wal"):
            text = done.out
            if name is not None:
                with open(os.path.join(self.data, name), encoding="latin-1") as file:
                    text = file.read()
            self.assertNotIn("newSecret2", text, name)
            self.assertNotIn("oldSecret1", text, name)

    def test_the_data_directory_is_its_owners_alone(self):
        os.chmod(self.data, 0o755)
        for name in os.listdir(self.data):
            path = os.path.join(self.data, name)
            os.chmod(path, 0o755 if os.path.isdir(path) else 0o644)
        harness.run("ask", "--data-dir", self.data, "what is INC-7?")
        for folder, _, files in os.walk(self.data):
            for path in [folder, *(os.path.join(folder, name) for name in files)]:
                self.assertEqual(stat.S_IMODE(os.stat(path).st_mode) & 0o077, 0, path)

    def test_a_batch_that_cannot_be_read_has_failed(self):
        done = harness.run("ask", "--data-dir", self.data, "--batch", self.folder)
        self.assertEqual(done.code, 1, done)
        self.assertIn("directory", done.err)

    def test_json_without_bottom_is_refused(self):
        deep = "[" * 70_000 + "]" * 70_000
        batch = ('{"id":%s,"question":"x"}\n' % deep).encode()
        done = harness.run("ask", "--data-dir", self.data, "--batch", "-", stdin=batch)
        self.assertEqual(done.code, 1, done)
        self.assertEqual(done.json()["status"], "error")
        done = harness.run("tools", "call", "--data-dir", self.data, "doc_search", '{"query":%s}' % deep[30_000:-30_000])
        self.assertEqual(done.code, 2, done)

    def test_a_question_has_a_limit_and_can_be_interrupted(self):
        done = harness.run("ask", "--data-dir", self.data, "-", stdin=b"x" * 3_000_000)
        self.assertEqual(done.code, 1, done)
        self.assertIn("standard input is larger than 64 KB", done.err)
        log = os.path.join(self.folder, "log")
        with open(log, "w", encoding="utf-8") as file:
            file.write("tide login failed\n" * 4000)
        done = harness.run("ask", "--data-dir", self.data, "-i", log, "why?")
        self.assertNotEqual(done.code, 0)
        self.assertIn("log is larger than 64 KB", done.err)
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        for command in (["ask", "-"], ["ask", "-i", pipe, "x"], ["ask", "--batch", pipe], ["stats", "-"], ["stats", pipe]):
            for number in (signal.SIGINT, signal.SIGTERM):
                asked = subprocess.Popen([harness.BINARY, *command, "--data-dir", self.data], stdin=subprocess.PIPE,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=harness.environment())
                time.sleep(0.5)
                asked.send_signal(number)
                try:
                    self.assertEqual(asked.wait(10), 128 + number, command)
                finally:
                    asked.kill()
                    asked.wait()
                    asked.stdin.close()

    def test_errors_are_json_where_json_was_asked_for(self):
        data = ["--data-dir", self.data, "--json"]
        for command in (["--now", "zz", "x"], ["--resume", "t-nothing", "x"], ["-i", "/nonexistent", "x"]):
            done = harness.run("ask", *data, *command)
            self.assertNotEqual(done.code, 0, done)
            self.assertEqual(done.json()["status"], "error")
        self.assertEqual(harness.run("ask", "--data-dir", self.data, "--now", "", "x").code, 2)
        for command in (["nothing", "{}"], ["doc_search", "{"], ["doc_search", '{"nothing":1}'], ["doc_search", "[1]"],
                        ["doc_search", '{"query":"x"}', "--now", "zz"]):
            done = harness.run("tools", "call", *command, *data)
            self.assertEqual(done.code, 2, done)
            receipt = done.json()
            self.assertEqual((receipt["status"], receipt["tool"]), ("error", command[0]))
            self.assertIn(receipt["text"].split(";")[0][:40], done.err)


if __name__ == "__main__":
    unittest.main()
