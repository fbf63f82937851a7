"""Where the output goes wrong: full disks, closed pipes, terminals."""
import os
import pty
import subprocess
import unittest

from harness import BINARY, NOW, Case, environment, run

QUESTION = ["ask", "How do I fix HTTP 403 errors in PayU?", "--now", NOW]


class FullDisk(Case):
    def test_an_answer_that_cannot_be_written_is_a_failure(self):
        batch = self.write("b.jsonl", '{"question":"PayU 403"}\n' * 20)
        for command in (["tools", "list"], ["tools", "list", "--json"], ["--help"], ["--version"],
                        [*QUESTION, "--data-dir", self.shared], [*QUESTION, "--json", "--data-dir", self.shared],
                        ["ask", "--batch", batch, "--data-dir", self.shared], ["doctor", "--data-dir", self.shared]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([BINARY, *map(str, command)], stdout=full, stderr=subprocess.PIPE,
                                      env=environment(), timeout=60, check=False)
            self.assertEqual(done.returncode, 1, (command, done.stderr))
            self.assertIn(b"No space left on device", done.stderr, command)
            self.assertNotIn(b"terminate", done.stderr, command)

    def test_a_reader_that_goes_away_is_no_crash(self):
        process = subprocess.Popen([BINARY, "tools", "list", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment())
        process.stdout.close()
        err = process.stderr.read()
        process.stderr.close()
        self.assertIn(process.wait(), (0, 1, -13, 141), err)
        self.assertNotIn(b"terminate", err)


class Terminal(Case):
    def on_terminal(self, *command, **extra):
        """The output of a command whose standard output and error are a terminal."""
        leader, follower = pty.openpty()
        env = environment(TERM="xterm", **extra)
        if "NO_COLOR" not in extra:
            env.pop("NO_COLOR", None)
        process = subprocess.Popen([BINARY, *map(str, command)], stdout=follower, stderr=follower, env=env)
        os.close(follower)
        out = b""
        while True:
            try:
                chunk = os.read(leader, 65536)
            except OSError:  # the other side is closed
                break
            if not chunk:
                break
            out += chunk
        os.close(leader)
        self.assertEqual(process.wait(), 0, out)
        return out

    def test_colour_only_there_and_not_with_no_color(self):
        command = [*QUESTION, "--data-dir", self.shared]
        self.assertIn(b"\x1b[1m", self.on_terminal(*command))
        self.assertNotIn(b"\x1b[1m", self.on_terminal(*command, NO_COLOR="1"))
        self.assertNotIn("\x1b", run(*command).out)


class Messages(Case):
    def test_long_and_broken_arguments_are_shown_in_part(self):
        done = self.check(run("tools", "call", "doc_search", b'{"query":"\xff' + b"x" * 100000,
                              "--data-dir", self.shared), 2, "not valid JSON")
        self.assertLess(len(done.err), 1000)
        done = self.check(run("ask", "x", "--now", "9" * 100000, "--data-dir", self.shared), 2, "--now")
        self.assertLess(len(done.err), 1000)

    def test_an_empty_data_dir_is_not_the_default_one(self):
        for command in (["ask", "x"], ["ingest", "examples"], ["tools", "call", "doc_search", "{}"], ["doctor"]):
            env = environment(HOME=str(self.folder), XDG_DATA_HOME=str(self.folder / "xdg"))
            self.check(run(*command, "--data-dir", "", env=env), 2, "--data-dir")
            self.assertFalse((self.folder / "xdg").exists(), command)


if __name__ == "__main__":
    unittest.main()
