"""Damaged knowledge bases: every command says which file and what to do, and never crashes."""
import contextlib
import shutil
import sqlite3
import unittest

from harness import EXAMPLES, Case, environment, run

COMMANDS = (["ask", "How do I fix HTTP 403 errors in PayU?"], ["tools", "call", "doc_search", '{"query":"403"}'])


class Damaged(Case):
    def setUp(self):
        super().setUp()
        self.copy_of_sample()
        self.database = self.data / "precedent.db"
        self.segments = sorted(path for path in self.data.glob("index/*/*") if path.stat().st_size > 64)

    def commands_say(self, *said, codes=(1,)):
        for command in COMMANDS:
            done = run(*command, "--data-dir", self.data)
            self.assertIn(done.code, codes, done)
            self.check(done, done.code, *said)

    def checkpointed(self):
        """Everything in precedent.db itself, as after a clean shutdown."""
        connection = sqlite3.connect(self.database)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()

    def test_a_truncated_database_is_named(self):
        self.checkpointed()
        size = self.database.stat().st_size
        for keep in (size // 2, 5000, 100, 10):
            with open(self.database, "r+b") as file:
                file.truncate(keep)
            for command in COMMANDS:
                done = run(*command, "--data-dir", self.data)
                self.check(done, done.code)
                if done.code != 0:
                    self.assertEqual(done.code, 1, done)
                    self.assertIn("precedent.db", done.err, done)
        self.commands_say("precedent.db")

    def test_an_ingest_over_a_damaged_page_does_not_end_well(self):
        self.checkpointed()
        with contextlib.closing(sqlite3.connect(self.database)) as database:
            (page,) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'vectors'").fetchone()
            (size,) = database.execute("PRAGMA page_size").fetchone()
        with open(self.database, "r+b") as file:
            file.seek((page - 1) * size)
            file.write(b"\xff" * size)
        done = self.check(run("ingest", "--data-dir", self.data, self.write("runbooks/none.md", "")), 1)
        self.assertIn("precedent.db", done.err)
        self.assertIn("restore it from a backup", done.err)

    def test_a_database_of_zeroes_is_named(self):
        self.checkpointed()
        self.database.write_bytes(b"\0" * self.database.stat().st_size)
        self.commands_say("precedent.db")
        self.check(run("doctor", "--data-dir", self.data), 1)

    def test_an_empty_database_file_is_no_knowledge_base(self):
        for path in self.data.glob("precedent.db*"):
            path.unlink()
        self.database.write_bytes(b"")
        self.commands_say("precedent.db")

    def test_a_database_that_is_a_folder_is_named(self):
        for path in self.data.glob("precedent.db*"):
            path.unlink()
        self.database.mkdir()
        self.commands_say("precedent.db")

    def test_flipped_bytes_in_the_index_are_named_and_the_next_ingest_repairs_them(self):
        for segment in self.segments:
            good = segment.read_bytes()
            step = max(1, len(good) // 40)
            for at in range(0, len(good), step):
                segment.write_bytes(good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1:])
                # Between two sections there are bytes that nothing reads.
                done = run(*COMMANDS[0], "--data-dir", self.data)
                self.assertIn(done.code, (0, 1), done)
                self.check(done, done.code, *(["index", "precedent ingest"] if done.code else []))
            segment.write_bytes(good)
        self.check(run(*COMMANDS[0], "--data-dir", self.data), 0)
        middle = len(good) // 2
        segment.write_bytes(good[:middle] + bytes([good[middle] ^ 0xFF]) + good[middle + 1:])
        self.ingest(self.write("runbooks/one.md", "# One more\n\nDrain the node.\n"))
        self.check(run("doctor", "--data-dir", self.data), 0)

    def test_doctor_finds_a_flipped_byte(self):
        largest = max(self.segments, key=lambda path: path.stat().st_size)
        good = largest.read_bytes()
        for at in (len(good) // 3, len(good) // 2, len(good) - 9):
            largest.write_bytes(good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1:])
            done = self.check(run("doctor", "--data-dir", self.data), 1)
            self.assertIn("FAIL", done.out)
            self.assertIn(largest.name, done.out)

    def test_doctor_finds_damaged_conversations(self):
        self.check(run("ask", "Show me incident INC-2025-08-24-001", "--data-dir", self.data), 0)
        self.assertIn("threads", self.check(run("doctor", "--data-dir", self.data), 0).out)
        for path in self.data.glob("threads.db-*"):
            path.unlink()
        (self.data / "threads.db").write_bytes(b"not a database" * 1000)
        done = self.check(run("doctor", "--data-dir", self.data), 1)
        self.assertIn("threads.db", done.out)

    def test_doctor_reads_every_checkpoint(self):
        for question in ("Show me incident INC-2025-08-24-001", "What caused INC-2025-01-20-005?"):
            thread = self.check(run("ask", question, "--json", "--data-dir", self.data), 0).json()["thread_id"]
        doctor = ["doctor", "--data-dir", self.data]
        self.assertIn("threads.db, every checksum right", self.check(run(*doctor), 0).out)
        with contextlib.closing(sqlite3.connect(self.data / "threads.db")) as database, database:
            (last,) = database.execute("SELECT max(id) FROM checkpoints").fetchone()
            database.execute("UPDATE checkpoints SET body = zeroblob(40) WHERE id = ?", (last,))
        done = self.check(run(*doctor), 1)
        self.assertIn(f"conversation '{thread}', checkpoint {last}: its checksum does not match", done.out)
        self.assertNotIn("ok    threads", done.out)

    def test_doctor_looks_at_the_database_that_is_configured(self):
        self.check(run("ask", "Show me incident INC-2025-08-24-001", "--data-dir", self.data), 0)
        env = environment(PRECEDENT_DATABASE_URL="postgresql://ana:hunter2@127.0.0.1:9/kept?connect_timeout=2")
        done = self.check(run("doctor", "--data-dir", self.data, env=env), 1)
        self.assertIn("FAIL  threads      PostgreSQL at 127.0.0.1:9/kept: ", done.out)
        self.assertNotIn("hunter2", done.out + done.err)
        self.assertNotIn("threads.db", done.out)

    def test_a_truncated_index_is_named_and_the_next_ingest_repairs_it(self):
        for segment in self.segments:
            with open(segment, "r+b") as file:
                file.truncate(segment.stat().st_size // 2)
        self.commands_say("index", "rebuilds it")
        self.ingest(EXAMPLES)
        self.check(run("doctor", "--data-dir", self.data), 0)
        self.assertEqual(self.ask("Show me incident INC-2025-08-24-001", data=self.data)["status"], "ok")

    def test_what_another_version_cut_is_said_and_cut_anew(self):
        doctor = ["doctor", "--data-dir", self.data]
        cut = "cut by another version"
        self.assertNotIn(cut, self.check(run(*doctor), 0).out)
        with contextlib.closing(sqlite3.connect(self.database)) as database, database:
            database.execute("UPDATE documents SET hash = 'old'")
        self.assertIn(cut, self.check(run(*doctor), 0).out)
        self.ingest(EXAMPLES)
        self.assertNotIn(cut, self.check(run(*doctor), 0).out)

    def test_a_lost_index_is_rebuilt_by_the_next_ingest(self):
        shutil.rmtree(self.data / "index")
        self.assertIn("precedent ingest", self.check(run("doctor", "--data-dir", self.data), 1).out)
        self.assertFalse((self.data / "index").exists())
        self.commands_say("index", "precedent ingest")
        self.ingest(EXAMPLES)
        self.assertEqual(self.ask("Show me incident INC-2025-08-24-001", data=self.data)["status"], "ok")

    def test_a_bad_synonym_file_is_named_with_its_line(self):
        (self.data / "synonyms.txt").write_text("db, database\nalone\n")
        self.commands_say("synonyms.txt:2", codes=(2,))

    def test_an_own_synonym_file_is_used(self):
        (self.data / "synonyms.txt").write_text("frobnication => settlement\n")
        done = self.check(run("ask", "why was frobnication late?", "--explain", "--json", "--data-dir", self.data), 0)
        self.assertIn("expanded 'frobnic", done.out)


if __name__ == "__main__":
    unittest.main()
