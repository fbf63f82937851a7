"""The index in Qdrant's own engine (scripts/qdrant-edge): the contract of all indexes, and scores, filters and idf beside the plain index in memory."""
import os
import re
import subprocess
import unittest

from harness import ROOT, TIMEOUT, environment
from served import clients

# Ten thousand chunks take minutes.
TESTS = "QdrantServer*-*TenThousandChunks*"
# The engine waits for the disk after every write; nothing of it is kept.
MEMORY = "/dev/shm"


class QdrantEngine(unittest.TestCase):
    def serve(self):
        env = environment(PYTHONPATH=str(clients() / "python"), **({"TMPDIR": MEMORY} if os.path.isdir(MEMORY) else {}))
        engine = subprocess.Popen(["python3", "-B", ROOT / "scripts/qdrant-edge", "0"], stdout=subprocess.PIPE, text=True, env=env)
        self.addCleanup(engine.communicate)
        self.addCleanup(engine.terminate)
        return re.search(r"http://\S+", engine.stdout.readline()).group()

    def test_it_is_an_index_as_the_others_are(self):
        done = subprocess.run([os.environ["PRECEDENT_INDEX_TEST"], f"--gtest_filter={TESTS}"], capture_output=True, text=True,
                              timeout=TIMEOUT, env=environment(PRECEDENT_QDRANT_URL=self.serve()), check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-20000:] + done.stderr)
        passed = int(re.search(r"PASSED +\] (\d+) tests", done.stdout).group(1))
        self.assertGreater(passed, 20, done.stdout)
        self.assertNotIn("SKIPPED", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # which prints why a test is skipped
