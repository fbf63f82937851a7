"""The store in PostgreSQL and the index in Qdrant together: versions go forth and back under two servers that answer.

The Qdrant is the one that PRECEDENT_QDRANT_URL names, else the fake behind the same interface. What the tests made
there goes with them.
"""
import json
import os
import re
import subprocess
import threading
import unittest
import urllib.request

from harness import environment
from store_test import Store

IDS = [f"INC-2025-04-{day:02}-001" for day in range(1, 29)]
HEAD = "incident_id,title,description,action_taken,impacted_application\n"
EDITION = re.compile(r"edition (one|two)")


def export(edition, ids):
    return HEAD + "".join(
        f"{one},\"Carousel jam on belt {i}, edition {edition}\",The carousel stood still at belt {i}.,"
        f"\"Belt {i} was freed, edition {edition}\",carousel\n" for i, one in enumerate(ids))


class Asker(threading.Thread):
    """Asks one server, again and again, and keeps what was said."""

    def __init__(self, test, url):
        super().__init__()
        self.test, self.url, self.said, self.errors, self.ends = test, url, [], [], False

    def run(self):
        questions = ["Which incidents affected carousel?", "What fixed the carousel jams?"]
        questions += [f"What fixed {one}?" for one in IDS[::9]]
        while not self.ends:
            for question in questions:
                try:
                    self.said.append((question, self.test.replied(self.url, question)))
                except OSError as error:
                    self.errors.append(f"{question}: {error}")


class Both(Store):
    """`self.env` names a PostgreSQL of the test's own, and a Qdrant."""

    def setUp(self):
        super().setUp()
        qdrant = os.environ.get("PRECEDENT_QDRANT_URL") or self.start_qdrant()
        keys = {name: value for name, value in os.environ.items() if name.startswith("PRECEDENT_QDRANT_API_KEY")}
        self.env = environment(PRECEDENT_STORE_URL=self.url, PRECEDENT_QDRANT_URL=qdrant, **keys)
        self.qdrant, self.key = qdrant, keys.get("PRECEDENT_QDRANT_API_KEY", "")
        before = self.collections()
        self.addCleanup(self.drop_collections_since, before)

    def start_qdrant(self):
        fake = subprocess.Popen([os.environ["PRECEDENT_QDRANT_FAKE"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                text=True)
        self.addCleanup(fake.communicate)
        return fake.stdout.readline().strip()

    def qdrant_call(self, method, path):
        headers = {"api-key": self.key} if self.key else {}
        request = urllib.request.Request(self.qdrant.rstrip("/") + path, method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)["result"]

    def collections(self):
        return {one["name"] for one in self.qdrant_call("GET", "/collections")["collections"]}

    def drop_collections_since(self, before):
        for name in self.collections() - before:
            self.qdrant_call("DELETE", f"/collections/{name}")

    def replied(self, url, question):
        request = urllib.request.Request(url + "/chat/prompt", data=json.dumps({"message": question}).encode(),
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    def got(self, url, path):
        with urllib.request.urlopen(url + path, timeout=60) as response:
            return json.load(response)

    def ready(self, name, text):
        path = self.write(name, text)
        version = self.command("dataset", "create", path, "--by", "mia", "--json").json()["version"]
        for step in ("validate", "ingest"):
            self.command("dataset", step, str(version))
        return version

    def editions(self, reply):
        return set(EDITION.findall(reply["answer"]))


class Together(Both):
    def test_a_version_becomes_active_for_all_and_no_answer_mixes_two(self):
        self.write("docs/press.md", "# Drain a press\n\n## Steps\n\n1. Stop the feeder.\n2. Open the valves.\n")
        self.command("ingest", self.folder / "docs")
        one = self.ready("one.csv", export("one", IDS))
        two = self.ready("two.csv", export("two", IDS[1:]))
        self.command("dataset", "activate", str(one))
        self.assertEqual((self.data / "precedent.db").exists(), False)
        self.assertIn("Qdrant", self.command("index", "status").out)
        self.assertEqual(self.editions(self.said("What fixed the carousel jams?")), {"one"})
        # Two servers of two machines: of the knowledge base, each has the addresses alone.
        askers = [Asker(self, self.serve(data=self.folder / name)) for name in ("first", "second")]
        for asker in askers:
            asker.start()
            self.addCleanup(asker.join)
            self.addCleanup(setattr, asker, "ends", True)
        for edition in ("two", "one", "two", "one"):
            self.command("dataset", *(("activate", str(two)) if edition == "two" else ("rollback",)))
            for asker in askers:
                seen = len(asker.said)
                self.until(lambda asker=asker, seen=seen, edition=edition: any(
                    self.editions(reply) == {edition} for _, reply in asker.said[seen:]))
        for asker in askers:
            asker.ends = True
            asker.join()
            self.assertEqual(asker.errors, [])
            # The chats that are looked up for the version that they keep: a request each.
            chats = {}
            for question, reply in asker.said:
                told = self.editions(reply)
                self.assertLessEqual(len(told), 1, f"{question}\n{reply['answer']}")
                for edition in told:
                    chats.setdefault(edition, []).append(reply["chat_id"])
            for edition, version in (("one", one), ("two", two)):
                for chat in chats[edition][:: max(1, len(chats[edition]) // 20)]:
                    self.assertEqual(self.got(asker.url, f"/chat/messages/{chat}")["dataset_version"], version)
        # What only the first version has is there again, and documents of no version stayed.
        self.assertIn("edition one", self.said(f"What fixed {IDS[0]}?")["answer"])
        for asker in askers:
            self.assertIn("Open the valves.", self.asked(asker.url, "how do I drain a press?"))
        self.assertIn("holds what the store says", self.command("index", "status").out)


if __name__ == "__main__":
    unittest.main()
