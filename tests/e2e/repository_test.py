"""precedent ingest --repo and repo_search. Repositories are made with git, which the build needs anyway."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from harness import EXAMPLES, environment, run

IDENTITY = {"GIT_AUTHOR_NAME": "Ana", "GIT_AUTHOR_EMAIL": "ana@example.com", "GIT_COMMITTER_NAME": "Ana",
            "GIT_COMMITTER_EMAIL": "ana@example.com", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}


class Repository(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="precedent-e2e-")
        self.addCleanup(temporary.cleanup)
        self.base = pathlib.Path(temporary.name)
        self.repo, self.data = self.base / "shop", self.base / "data"
        self.repo.mkdir()
        self.git("init", "-q")
        self.write("payments/client.py", "class PaymentClient:\n    def charge(self):\n        return retry(3)\n")
        self.write("web/node_modules/x.js", "var x;\n")
        self.commit()

    def git(self, *args):
        return subprocess.run(["git", "-C", self.repo, *args], check=True, capture_output=True, text=True,
                              env={**os.environ, **IDENTITY}).stdout.strip()

    def write(self, path, text):
        (self.repo / path).parent.mkdir(parents=True, exist_ok=True)
        (self.repo / path).write_text(text)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "A change")

    def ingest(self, *more, code=0):
        done = run("ingest", "--repo", self.repo, "--json", "--data-dir", self.data, *more)
        self.assertEqual(done.code, code, done)
        return done

    def call(self, **args):
        done = run("tools", "call", "repo_search", json.dumps(args), "--json", "--data-dir", self.data)
        self.assertEqual(done.code, 0, done)
        return done.json()

    def test_what_was_committed_is_found_and_only_changes_are_read_again(self):
        report = self.ingest().json()
        self.assertEqual((report["added"], report["left_out"]), (1, {"vendored": 1}))
        found = self.call(query="how often does the payment client retry?")["result"]["results"][0]
        self.assertEqual((found["path"], found["commit"]), ("payments/client.py", self.git("rev-parse", "HEAD")))
        self.assertEqual(found["excerpt"].splitlines()[0], "class PaymentClient:")
        self.write("search.py", "def search():\n    return cache\n")
        self.commit()
        report = self.ingest().json()
        self.assertEqual((report["added"], report["unchanged"]), (1, 1))
        (self.repo / "search.py").unlink()
        self.commit()
        self.assertEqual(self.ingest().json()["removed"], 1)
        self.assertEqual(self.call(query="re:cache")["status"], "empty")

    def test_lines_of_a_file_come_first(self):
        body = "".join(f"def step_{n}():\n    return '{'x' * 200}'  # {n}\n\n\n" for n in range(60))
        self.write("steps.py", body)
        self.commit()
        self.ingest()
        for lines, held in (("5", 5), ("150-152", 150), ("233,1", 233)):
            found = self.call(query="steps", path="steps.py", lines=lines, limit=2)["result"]["results"]
            self.assertLessEqual(len(found), 2)
            first, last = found[0]["lines"]["begin"], found[0]["lines"]["end"]
            self.assertTrue(first <= held <= last, (held, first, last))

    def test_the_work_tree_and_a_bare_clone(self):
        self.write("payments/client.py", "limit = 7\n")
        self.ingest("--work-tree")
        found = self.call(query="re:limit")["result"]["results"][0]
        self.assertEqual(found["commit"], "")
        bare = self.base / "bare.git"
        self.git("clone", "-q", "--bare", str(self.repo), str(bare))
        done = run("ingest", "--repo", bare, "--name", "bare", "--data-dir", self.data)
        self.assertEqual(done.code, 0, done)
        done = run("ingest", "--repo", bare, "--work-tree", "--name", "bare", "--data-dir", self.data)
        self.assertEqual(done.code, 2, done)
        self.assertIn("is bare and has no work tree", done.err)

    def test_code_does_not_enter_what_searches_documents(self):
        self.ingest()
        run("ingest", EXAMPLES, "--data-dir", self.data)
        for tool in ("search_knowledge", "doc_search", "search_similar_incidents"):
            done = run("tools", "call", tool, json.dumps({"query": "PaymentClient charge retry"}), "--data-dir", self.data)
            self.assertNotIn("client.py", done.out)

    def test_what_is_no_repository_is_refused(self):
        for args in (["ingest", "--repo", self.base / "none"], ["ingest", "--repo", "/proc/self"]):
            done = run(*args, "--data-dir", self.data)
            self.assertEqual(done.code, 1, done)
            self.assertIn("there is no git repository", done.err)
        for args in (["ingest"], ["ingest", "x", "--repo", "y"], ["ingest", "x", "--work-tree"]):
            self.assertEqual(run(*args, "--data-dir", self.data).code, 2)

    def test_without_ctags_code_is_cut_by_lines(self):
        done = subprocess.run([os.environ["PRECEDENT_BINARY"], "ingest", "--repo", self.repo, "--data-dir", self.data],
                              env={**environment(), "PATH": "/nonexistent"}, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn(b"install the package universal-ctags", done.stderr)
        self.assertEqual(self.call(query="charge")["result"]["results"][0]["path"], "payments/client.py")


if __name__ == "__main__":
    unittest.main()
