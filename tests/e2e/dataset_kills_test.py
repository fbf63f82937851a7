"""precedent dataset, killed at every step: the active version stays whole, nothing is lost, and the same command finishes it.

In files, with the store in PostgreSQL, and with the index in Qdrant, too.
"""
import subprocess
import time
import unittest

from harness import BINARY, Case, environment
from postgres_qdrant_test import IDS, Both, export
from store_test import Store

# Of the time that the command takes when nobody kills it.
SHARES = (0.1, 0.35, 0.55, 0.75, 0.9)
ONLY_IN_ONE = IDS[0]


class Kills:
    """Beside a Store: versions 1 and 2 are ready, and 1 is active."""

    def prepare(self):
        self.write("docs/press.md", "# Drain a press\n\n## Steps\n\n1. Stop the feeder.\n2. Open the valves.\n")
        self.command("ingest", self.folder / "docs")
        self.one = self.version("ingest", self.write("one.csv", export("one", IDS)))
        self.two = self.version("ingest", self.write("two.csv", export("two", IDS[1:])))
        self.dataset("activate", self.one)

    def dataset(self, *args):
        return self.command("dataset", *map(str, args))

    def shown(self, version):
        return self.dataset("show", version, "--json").json()

    def listed(self):
        return {version["version"]: version for version in self.dataset("list", "--all", "--json").json()}

    def version(self, last, path=None):
        """A version that went as far as `last`."""
        number = self.dataset("create", path or self.folder / "two.csv", "--by", "mia", "--json").json()["version"]
        for step in ("validate", "ingest"):
            if last != "create":
                self.dataset(step, number)
            if step == last:
                break
        return number

    def time_of(self, *args):
        begun = time.monotonic()
        self.dataset(*args)
        return time.monotonic() - begun

    def killed(self, seconds, *args):
        process = subprocess.Popen([BINARY, "dataset", *map(str, args), "--data-dir", self.data], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=self.env)
        time.sleep(seconds)
        process.kill()
        process.wait()

    def assert_whole(self, *may_be):
        """One version is active, one of these, and it alone is in every answer."""
        active = [number for number, version in self.listed().items() if version["state"] == "active"]
        self.assertEqual(len(active), 1)
        self.assertIn(active[0], may_be)
        edition, other = ("one", "two") if active == [self.one] else ("two", "one")
        answer = self.said("What fixed the carousel jams?")["answer"]
        self.assertIn(f"edition {edition}", answer)
        self.assertNotIn(f"edition {other}", answer)
        self.assertEqual("edition one" in self.said(f"What fixed {ONLY_IN_ONE}?")["answer"], edition == "one")
        self.assertIn("Open the valves.", self.said("how do I drain a press?")["answer"])

    def test_create(self):
        takes = self.time_of("create", self.folder / "two.csv", "--by", "mia")
        for share in SHARES:
            before = self.listed()
            self.killed(share * takes, "create", self.folder / "two.csv", "--by", "mia")
            after = self.listed()
            self.assertEqual({number: after[number] for number in before}, before)
            self.assertLessEqual(len(after), len(before) + 1)
            again = self.version("create")
            for number in set(self.listed()) - set(before):
                self.assertEqual(self.dataset("validate", number, "--json").json()["records"], len(IDS) - 1)
            self.assertEqual(self.shown(again)["state"], "validated")
        self.assert_whole(self.one)

    def test_validate(self):
        takes = self.time_of("validate", self.version("create"))
        for share in SHARES:
            version = self.version("create")
            self.killed(share * takes, "validate", version)
            found = self.shown(version)
            self.assertIn((found["state"], found["records"]), (("draft", 0), ("validated", len(IDS) - 1)))
            self.assertEqual(self.dataset("validate", version, "--json").json()["records"], len(IDS) - 1)
        self.dataset("ingest", version)
        self.assert_whole(self.one)
        self.dataset("activate", version)
        self.assert_whole(version)

    def test_ingest(self):
        takes = self.time_of("ingest", self.version("validate"))
        for share in SHARES:
            version = self.version("validate")
            self.killed(share * takes, "ingest", version)
            self.assertIn(self.shown(version)["state"], ("validated", "ingesting", "ready"))
            self.assertIn("edition one", self.said(f"What fixed {IDS[9]}?")["answer"])
            self.dataset("ingest", version)
            self.assertEqual(self.shown(version)["state"], "ready")
        self.assert_whole(self.one)
        self.dataset("activate", version)
        self.assert_whole(version)

    def test_discard(self):
        takes = self.time_of("discard", self.version("ingest"))
        for share in SHARES:
            version = self.version("ingest")
            self.killed(share * takes, "discard", version)
            state = self.shown(version)["state"]
            self.assertIn(state, ("ready", "discarded"))
            # All of its records or none.
            differs = self.dataset("diff", version, "--json").json()
            self.assertEqual((len(differs["changed"]), len(differs["vanished"])),
                             (len(IDS) - 1, 1) if state == "ready" else (0, len(IDS)))
            self.dataset("discard", version)
            self.assertEqual(self.shown(version)["state"], "discarded")
        self.assert_whole(self.one)

    def test_activate_and_rollback(self):
        takes = self.time_of("activate", self.two)
        back = self.time_of("rollback")
        for share in SHARES:
            self.killed(share * takes, "activate", self.two)
            self.assert_whole(self.one, self.two)
            self.dataset("activate", self.two)
            self.assert_whole(self.two)
            self.killed(share * back, "rollback")
            self.assert_whole(self.one, self.two)
            self.assertEqual(self.dataset("rollback", "--json").json()["version"], self.one)
            self.assert_whole(self.one)
        self.assertIn("holds what the store says", self.command("index", "status").out)


class InFiles(Kills, Store):
    def setUp(self):
        Case.setUp(self)
        self.env = environment()
        self.prepare()


class InPostgres(Kills, Store):
    def setUp(self):
        super().setUp()
        self.prepare()


class InPostgresAndQdrant(Kills, Both):
    def setUp(self):
        super().setUp()
        self.prepare()


if __name__ == "__main__":
    unittest.main()
