"""The knowledge base in a real PostgreSQL: every command, several servers, killed ingests, and the way there and back."""
import json
import re
import subprocess
import time
import unittest
import urllib.request

from harness import BINARY, EXAMPLES, NOW, Case, environment, run
from own_postgres import OwnPostgres

QUESTION = "What caused INC-2025-08-24-001?"


class Store(OwnPostgres, Case):
    """`self.env` names a PostgreSQL of the test's own."""

    def setUp(self):
        super().setUp()
        self.url = self.start_postgres()
        self.env = environment(PRECEDENT_STORE_URL=self.url)

    def command(self, *args, code=0, env=None, data=None):
        done = run(*args, "--data-dir", data or self.data, env=env or self.env)
        return self.check(done, done.code if code is None else code)

    def said(self, question, **more):
        return self.command("ask", question, "--json", "--now", NOW, **more).json()

    def count(self):
        done = self.command("doctor")
        found = re.search(r"store +(\d+) documents", done.out)
        return int(found.group(1)) if found else 0

    def serve(self, data=None, env=None):
        server = subprocess.Popen([BINARY, "serve", "--port", "0", "--data-dir", str(data or self.data)], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, env=env or self.env)

        def stop():
            if server.poll() is None:
                server.kill()
            server.communicate()

        self.addCleanup(stop)
        return re.search(r"http://\S+", server.stdout.readline()).group()

    def asked(self, url, question):
        request = urllib.request.Request(url + "/chat/prompt", data=json.dumps({"message": question}).encode(),
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.loads(response.read())["answer"]

    def until(self, condition):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end)


class Commands(Store):
    def test_all_of_it_lives_in_postgresql(self):
        self.command("ingest", EXAMPLES)
        answer = self.said(QUESTION)
        self.assertEqual(answer["answer"], self.ask(QUESTION)["answer"], "as from a file")
        self.command("ask", "What was the resolution?", "--resume", answer["thread_id"], "--now", NOW)
        self.assertIn(answer["thread_id"], self.command("threads", "list").out)
        made = self.command("golden", "add", "--question", "Who owns the press?", "--answer", "Ana.", "--json").json()["id"]
        self.command("golden", "review", made, "--by", "ana")
        self.assertIn(made, self.command("golden", "list").out)
        told = self.command("doctor").out
        self.assertIn("in PostgreSQL at", told)
        self.assertIn(self.home, told)
        self.assertEqual({path.name for path in self.data.iterdir()} & {"precedent.db", "threads.db"}, set())
        again = self.command("ingest", EXAMPLES, "--json").json()
        self.assertEqual((again["added"], again["changed"], again["unchanged"]), (0, 0, again["documents"] - 1))

    def test_versions_of_a_dataset_go_forth_and_back(self):
        head = "incident_id,title,description,action_taken\n"
        numbers = []
        for fix in ("Freed the belt", "Replaced the belt"):
            path = self.write("a.csv", head + f"INC-2025-04-03-001,Carousel jams,It stood still,{fix}\n")
            version = self.command("dataset", "create", path, "--by", "mia", "--json").json()["version"]
            for step in ("validate", "ingest", "activate"):
                self.command("dataset", step, str(version))
            numbers.append(version)
            self.assertIn(fix, self.said("What fixed INC-2025-04-03-001?")["answer"])
        self.command("dataset", "rollback")
        self.assertIn("Freed the belt", self.said("What fixed INC-2025-04-03-001?")["answer"])
        states = {v["version"]: v["state"] for v in self.command("dataset", "list", "--json").json()}
        self.assertEqual(states, {numbers[0]: "active", numbers[1]: "superseded"})

    def test_nothing_there_and_nobody_there_are_told(self):
        self.assertIn("there is no knowledge base in PostgreSQL at", self.command("ask", QUESTION, code=1).err)
        self.kill_server()
        for args in (("ask", QUESTION), ("ingest", EXAMPLES), ("golden", "list"), ("dataset", "list"), ("doctor",)):
            with self.subTest(command=args[0]):
                done = self.command(*args, code=1)
                self.assertIn("check that it runs and can be reached", done.out + done.err)

    def test_a_password_is_never_told(self):
        secret = "postgresql://ana:hunter2@127.0.0.1:9/kept?connect_timeout=2"
        file = self.write("url", secret + "\n")
        config = self.write("precedent.yaml", f"store:\n  url: {secret}\n")
        named = environment(PRECEDENT_CONFIG=str(config))
        for env in (environment(PRECEDENT_STORE_URL=secret), environment(PRECEDENT_STORE_URL_FILE=str(file)), named):
            for args in (("ask", QUESTION), ("ingest", EXAMPLES), ("doctor",)):
                done = run(*args, "--data-dir", self.data, env=env)
                self.assertNotEqual(done.code, 0, done)
                self.assertNotIn("hunter2", done.out + done.err)
        self.assertIn("a password has no place here", self.command("ask", QUESTION, code=2, env=named).err)
        config.write_text(f"store:\n  url: {self.url}\n")
        self.command("ingest", EXAMPLES / "runbooks", env=named)
        self.assertGreater(self.count(), 0)


class Servers(Store):
    def test_two_of_them_see_what_a_third_writes_and_outlive_the_database(self):
        self.write("docs/press.md", "# Drain a press\n\n## Steps\n\n1. Stop the feeder.\n2. Open the valves.\n")
        self.command("ingest", self.folder / "docs")
        servers = [self.serve(), self.serve()]
        for url in servers:
            self.assertIn("Open the valves.", self.asked(url, "how do I drain a press?"))
        self.write("docs/rollers.md", "# Clean the ink rollers\n\n## Steps\n\n1. Lift the rollers.\n2. Wash them.\n")
        self.command("ingest", self.folder / "docs")
        for url in servers:
            self.until(lambda url=url: "Lift the rollers." in self.asked(url, "how do I clean the ink rollers?"))
        self.kill_server()
        self.postgres("start")
        for url in servers:
            self.until(lambda url=url: "Open the valves." in self.asked(url, "how do I drain a press?"))


class Killed(Store):
    def test_an_ingest_killed_anywhere_leaves_the_old_or_the_new(self):
        self.command("ingest", EXAMPLES / "runbooks")
        old = self.count()
        for moment in (0.02, 0.05, 0.1, 0.2, 0.3, 0.5):
            writer = subprocess.Popen([BINARY, "ingest", EXAMPLES, "--data-dir", self.data], stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL, env=self.env)
            try:
                writer.wait(moment)
            except subprocess.TimeoutExpired:
                writer.kill()
                writer.wait()
            self.assertGreaterEqual(self.count(), old)
            self.assertIn("disk", self.said("How do I handle a full disk?")["answer"])
            self.command("remove", "--kind", "incident", code=None)
        whole = self.command("ingest", EXAMPLES, "--json").json()
        self.assertEqual(whole["bad"], [])
        self.assertEqual(self.said(QUESTION)["answer"], self.ask(QUESTION)["answer"])

    def test_a_database_that_dies_under_an_ingest_loses_nothing(self):
        self.command("ingest", EXAMPLES / "runbooks")
        old = self.count()
        for moment in (0.05, 0.15, 0.3):
            writer = subprocess.Popen([BINARY, "ingest", EXAMPLES, "--data-dir", self.data], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True, env=self.env)
            try:
                writer.wait(moment)
            except subprocess.TimeoutExpired:
                pass
            self.kill_server()
            said = writer.communicate(timeout=120)[1]
            if writer.returncode != 0:
                self.assertIn("PostgreSQL", said)
            self.postgres("start")
            self.assertGreaterEqual(self.count(), old)
        self.command("ingest", EXAMPLES)
        self.assertEqual(self.said(QUESTION)["answer"], self.ask(QUESTION)["answer"])


class Migration(Store):
    def put_away(self, name):
        (self.data / name).rename(self.folder / name)
        for suffix in ("-wal", "-shm"):
            (self.data / f"{name}{suffix}").unlink(missing_ok=True)

    def psql(self, sql):
        done = subprocess.run(["psql", self.url, "-qAtc", sql], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def test_there_and_back_with_the_same_answers(self):
        self.copy_of_sample()
        plain = environment()
        before = self.said(QUESTION, env=plain)["answer"]
        there = self.command("store", "migrate", "--to", self.url, "--json", env=plain).json()["tables"]
        self.put_away("precedent.db")
        self.put_away("threads.db")
        self.assertEqual(self.said(QUESTION)["answer"], before)
        self.assertEqual(self.command("ingest", EXAMPLES, "--json").json()["added"], 0)
        back = self.command("store", "migrate", "--to", "sqlite", "--json").json()["tables"]
        self.assertEqual([t["table"] for t in there], [t["table"] for t in back])
        self.assertEqual(self.said(QUESTION, env=plain)["answer"], before)
        again = self.command("store", "migrate", "--to", self.url, code=1, env=plain)
        self.assertIn("has a knowledge base already", again.err)

    def test_conversations_go_along_and_are_continued_on_the_other_side(self):
        self.copy_of_sample()
        plain = environment()
        thread = self.said(QUESTION, env=plain)["thread_id"]
        self.command("ask", "What was the resolution?", "--resume", thread, "--now", NOW, env=plain)
        before = self.command("threads", "export", thread, env=plain).out
        told = self.command("store", "migrate", "--to", self.url, env=plain).out
        self.assertIn("the rest of the data directory is not copied", told)
        self.assertNotIn("conversations stay", told)
        self.put_away("precedent.db")
        self.put_away("threads.db")
        self.assertEqual(self.command("threads", "export", thread).out, before)
        self.command("ask", "Who resolved it?", "--resume", thread, "--now", NOW)
        other = self.said(QUESTION)["thread_id"]
        after = self.command("threads", "export", thread).out
        self.assertGreater(len(after), len(before))
        back = self.command("store", "migrate", "--to", "sqlite", "--json").json()
        rows = {t["table"]: t["rows"] for t in back["tables"]}
        self.assertEqual(rows["threads"], 2)
        self.assertEqual(rows["checkpoints"], int(self.psql("SELECT count(*) FROM precedent.checkpoints")))
        self.assertEqual(self.command("threads", "export", thread, env=plain).out, after)
        self.command("ask", "What was the resolution?", "--resume", other, "--now", NOW, env=plain)
        self.assertIn("every checksum right", self.command("doctor", env=plain).out)

    def test_killed_anywhere_it_goes_on_with_the_same_command(self):
        self.copy_of_sample()
        plain = environment()
        thread = self.said(QUESTION, env=plain)["thread_id"]
        before = self.command("threads", "export", thread, env=plain).out
        for moment in (0.02, 0.05, 0.1, 0.15, 0.2):
            migration = subprocess.Popen([BINARY, "store", "migrate", "--to", self.url, "--data-dir", self.data],
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=plain)
            try:
                migration.wait(moment)
            except subprocess.TimeoutExpired:
                migration.kill()
                migration.wait()
            if migration.returncode == 0:
                break
        else:
            self.command("store", "migrate", "--to", self.url, env=plain)
        self.put_away("precedent.db")
        self.put_away("threads.db")
        self.assertEqual(self.command("threads", "export", thread).out, before)
        self.assertEqual(self.command("ingest", EXAMPLES, "--json").json()["added"], 0)

    def test_conversations_stay_where_they_have_a_place_of_their_own_or_are_asked_to(self):
        self.copy_of_sample()
        plain = environment()
        thread = self.said(QUESTION, env=plain)["thread_id"]
        # Of its own the target has one already.
        self.said(QUESTION, env={**plain, "PRECEDENT_DATABASE_URL": self.url})
        refused = self.command("store", "migrate", "--to", self.url, env=plain, code=1).err
        self.assertIn("has conversations of its own already", refused)
        self.assertIn("--without-conversations", refused)
        own = self.command("store", "migrate", "--to", self.url, "--without-conversations", env=plain).out
        self.assertIn(f"conversations stay in {self.data / 'threads.db'}", own)
        self.assertIn(thread, self.command("threads", "list", "--all", env=plain).out)
        self.assertNotIn(thread, self.command("threads", "list", "--all").out)
        self.put_away("precedent.db")
        kept = self.command("store", "migrate", "--to", "sqlite", "--json", env={**self.env, "PRECEDENT_DATABASE_URL": self.url})
        self.assertIn(self.home, kept.json()["conversations_stay_in"])
        self.assertNotIn("threads", [t["table"] for t in kept.json()["tables"]])

    def test_a_database_of_a_newer_precedent_is_refused_by_every_command(self):
        self.command("ingest", EXAMPLES / "runbooks")
        thread = self.said(QUESTION)["thread_id"]
        self.psql("UPDATE precedent.formats SET version = version + 1000 WHERE name = 'store'")
        for args in (("ask", QUESTION), ("ingest", EXAMPLES), ("golden", "list"), ("dataset", "list"), ("doctor",),
                     ("store", "migrate", "--to", "sqlite")):
            with self.subTest(command=args[0]):
                done = self.command(*args, code=None)
                self.assertNotEqual(done.code, 0, done)
                self.assertIn("written by a newer precedent", done.out + done.err)
                self.assertIn("upgrade it, or use another database", done.out + done.err)
        self.assertFalse((self.data / "precedent.db").exists())
        self.psql("UPDATE precedent.formats SET version = 99 WHERE name = 'threads'")
        self.psql("UPDATE precedent.formats SET version = version - 1000 WHERE name = 'store'")
        refused = self.command("threads", "show", thread, code=1).err
        self.assertIn("the tables 'threads' have format 99, written by a newer precedent", refused)

    def test_what_cannot_be_a_place_is_told(self):
        self.copy_of_sample()
        plain = environment()
        self.assertIn("none of a PostgreSQL", self.command("store", "migrate", "--to", "mysql://x", code=2, env=plain).err)
        done = self.command("store", "migrate", "--to", "postgresql://ana:hunter2@db/x", code=2, env=plain)
        self.assertIn("PGPASSWORD", done.err)
        self.assertNotIn("hunter2", done.err)
        self.assertIn("already", self.command("store", "migrate", "--to", "sqlite", code=2, env=plain).err)


if __name__ == "__main__":
    unittest.main()
