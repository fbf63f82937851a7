"""Conversations in a real PostgreSQL that goes away and comes back: in the middle of a turn, between two, and for good."""
import json
import subprocess
import unittest

from harness import BINARY, NOW, environment, run
from own_postgres import OwnPostgres
from vendor import VendorCase

FIRST, SECOND = "What caused INC-2025-08-24-001?", "What was the resolution?"


class Postgres(OwnPostgres, VendorCase):
    """`self.kept` is the environment of a model on loopback and of a PostgreSQL of the test's own."""

    def setUp(self):
        super().setUp()
        self.copy_of_sample()
        url = self.start_postgres()
        self.kept = {**self.env, "PRECEDENT_DATABASE_URL": url}
        self.offline = environment(PRECEDENT_DATABASE_URL=url)

    def say(self, question, *args, env, code=0):
        return self.check(run("ask", question, "--json", "--now", NOW, "--data-dir", self.data, *args, env=env), code)

    def threads(self, *args, code=0):
        return self.check(run("threads", *args, "--data-dir", self.data, env=self.offline), code)

    def questions(self, thread):
        messages = self.threads("export", thread).json()["messages"]
        return [m["content"] for m in messages if m["role"] == "user"]

    def test_killed_in_the_middle_of_a_turn(self):
        thread = self.say(FIRST, env=self.offline).json()["thread_id"]
        kept = self.threads("show", thread).out

        def reply(request):
            self.kill_server()
            return [({"content": "The JVM cached the address [INC-2025-08-24-001]."}, "stop")]

        self.server.reply = reply
        done = self.say(SECOND, "--resume", thread, env=self.kept, code=1)
        said = done.json()
        # The answer is given, and it is said that it is not kept, where, and why.
        self.assertIn("The JVM cached the address", said["answer"])
        self.assertEqual(said["thread_id"], thread)
        self.assertIn("PostgreSQL", said["not_kept"])
        self.assertIn(self.home, said["not_kept"])
        self.assertIn(f"not kept in conversation {thread}", done.err)
        # Nothing can be read or asked meanwhile, and the reason is the same.
        for args in (("list",), ("show", thread), ("resume", thread)):
            self.check(self.threads(*args, code=1), 1, "conversations cannot be opened", self.home)
        self.check(self.say(SECOND, "--resume", thread, env=self.offline, code=1), 1, self.home)
        self.postgres("start")
        # Nothing is lost, and the turn can be finished, or asked again.
        shown = self.threads("show", thread)
        self.assertTrue(shown.out.startswith(kept), shown)
        self.assertIn(f"precedent threads resume {thread}", shown.err)
        self.assertIn("cut off", self.threads("list").out)
        self.assertEqual(self.questions(thread), [FIRST, SECOND])
        self.check(run("threads", "resume", thread, "--now", NOW, "--data-dir", self.data, env=self.offline), 0)
        self.assertNotIn("cut off", self.threads("list").out)
        again = self.say(SECOND, "--resume", thread, env=self.offline).json()
        self.assertEqual([s["id"] for s in again["sources"]], ["INC-2025-08-24-001"])
        self.assertEqual(again["receipts"], [])

    def test_of_two_turns_at_once_the_second_is_refused(self):
        for env, offline in ((self.kept, self.offline), (self.env, environment())):
            with self.subTest(database=env.get("PRECEDENT_DATABASE_URL", "SQLite")):
                thread = self.say(FIRST, env=offline).json()["thread_id"]
                second = []

                def reply(request):
                    # While the first waits for its model.
                    if not second:
                        second.append(None)
                        second[0] = self.say("Who was accountable?", "--resume", thread, env=env, code=1)
                    return [({"content": "The JVM cached the address [INC-2025-08-24-001]."}, "stop")]

                self.server.reply = reply
                self.assertIn("The JVM cached the address", self.say(SECOND, "--resume", thread, env=env).json()["answer"])
                self.assertIn("is busy with another turn", second[0].out)
                self.assertIn("ask again", second[0].out)
                shown = self.check(run("threads", "export", thread, "--data-dir", self.data, env=offline), 0).json()["messages"]
                self.assertEqual([m["content"] for m in shown if m["role"] == "user"], [FIRST, SECOND])

    def test_a_chat_outlives_it(self):
        chat = subprocess.Popen([BINARY, "chat", "--json", "--now", NOW, "--data-dir", self.data], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.offline)
        self.addCleanup(chat.kill)

        def say(question):
            chat.stdin.write(question.encode() + b"\n")
            chat.stdin.flush()
            return next(event for event in map(json.loads, chat.stdout) if event["event"] == "answer")

        thread = say(FIRST)["thread_id"]
        # Started again between two questions: nobody notices.
        self.kill_server()
        self.postgres("start")
        self.assertEqual([s["id"] for s in say(SECOND)["sources"]], ["INC-2025-08-24-001"])
        self.kill_server()
        gone = say("Who was accountable?")
        self.assertEqual(gone["status"], "error")
        self.assertIn(self.home, gone["answer"])
        self.postgres("start")
        self.assertIn("Payments Core", say("Who was accountable?")["answer"])
        chat.stdin.close()
        self.assertEqual(chat.wait(60), 0)
        chat.stdout.close()
        self.assertEqual(self.questions(thread), [FIRST, SECOND, "Who was accountable?"])

    def test_one_that_is_not_there_costs_the_conversation_alone(self):
        self.kill_server()
        done = self.say(FIRST, env=self.offline)
        self.check(done, 0, "not kept", self.home)
        self.assertIsNone(done.json()["thread_id"])
        self.assertIn("JVM", done.json()["answer"])


if __name__ == "__main__":
    unittest.main()
