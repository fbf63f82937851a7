"""The shape of an answer: what answers comes first, a procedure is whole, nothing is told that was not asked for."""
import re
import unittest

from harness import Case, run

DRAIN = """# Drain a press

Why one would.

## Before

> Only if the twin press runs: otherwise the night's edition is lost.

## Steps

1. Stop the feeder: `pressctl feed stop p1`.
2. Wait until the web is empty:

   ```
   pressctl web p1
   ```

   It takes two minutes.

3. Open the valves
   - left first
   - then right
4. Write it into the log.

## After

Tell the desk.
"""
COUNTED = """# Failover of the imaging server

## 1. Look

- `imgctl lag --all`

## 2. Switch

Press the key on the second console.

## 3. Tell

Write to the desk.

## Notes

None.
"""
CONTENTS = """# Drains

- [Drain a press](drain.md)
- [Drain a tank](tank.md)
- [Drain a queue](queue.md)
"""
POSTMORTEM = """# Review: the drain of 3 May

- 02:10 the press was drained
- 02:14 the twin press stopped
- 02:30 the night's edition was lost
- 05:00 paper was delivered late
"""
INCIDENTS = "Ticket No,Opened (local),Prio,Affected system,What happened,Root cause,Fix,Closed\n" + "".join(
    f"T-{100 + i},{day:02}/03/2026 02:10,P2,press,{text},{cause},{fix},{day:02}/03/2026 04:00\n" for i, (day, text, cause, fix) in enumerate([
        (5, "The web of press p1 tore during a drain", "feeder not stopped", "feeder stopped first"),
        (18, "Imaging server lost its link", "switch port dead", "port replaced"),
        (19, "Ink pressure low on p2", "filter clogged", "filter changed")]))


class Company(Case):
    """A printing house that nothing was developed with."""

    def setUp(self):
        super().setUp()
        for path, text in (("docs/sop/drain.md", DRAIN), ("docs/wiki/failover.md", COUNTED), ("docs/wiki/index.md", CONTENTS),
                           ("docs/wiki/may.md", POSTMORTEM), ("tickets.csv", INCIDENTS)):
            self.write(path, text)
        self.report = self.check(run("ingest", self.folder / "docs", self.folder / "tickets.csv", "--data-dir", self.folder / "kb"), 0)

    def answered(self, question):
        return self.ask(question, data=self.folder / "kb")

    def body(self, question):
        return self.answered(question)["answer"].split("**Sources**")[0]


class Procedures(Company):
    def test_all_of_the_steps_with_what_warns_of_them(self):
        body = self.body("how do I drain a press?")
        steps = DRAIN[DRAIN.index("1. Stop"):DRAIN.index("\n## After")].strip()
        self.assertIn(steps, body)
        self.assertLess(body.index("Only if the twin press runs"), body.index("1. Stop the feeder"))
        self.assertLess(body[:body.index("1. Stop")].count("\n"), 8, "it comes first")
        self.assertNotIn("02:14", body)

    def test_headings_that_are_counted_are_steps(self):
        body = self.body("how do I fail over the imaging server?")
        for part in ("imgctl lag --all", "Press the key on the second console.", "Write to the desk."):
            self.assertIn(part, body)
        self.assertLess(body.index("imgctl lag"), body.index("Press the key"))

    def test_steps_for_one_host_are_not_told_of_another(self):
        self.write("hosts/plate.md", "# Change to the standby database\n\n## Steps\n\n1. Stop qplate-db1.\n2. Promote qplate-db2.\n")
        self.write("hosts/all.md", "# Hosts\n\n| host | what for |\n|---|---|\n| qpress-db1 | the press, no standby |\n")
        self.check(run("ingest", self.folder / "hosts", "--data-dir", self.folder / "kb"), 0)
        self.assertIn("Promote qplate-db2", self.body("how do I change qplate-db1 to its standby?"))
        body = self.body("how do I change qpress-db1 to its standby?")
        self.assertNotIn("Promote", body)
        self.assertIn("no standby", body)

    def test_a_table_of_contents_is_no_procedure(self):
        self.assertNotIn("[Drain a tank]", self.body("how do I drain a press?"))

    def test_a_page_that_has_moved_is_followed(self):
        self.write("moved/press.md", "# Empty a press overnight\n\nHas moved: see [Empty a press](empty.md).\n")
        self.write("moved/empty.md", "# Emptying\n\n## Steps\n\n1. Open the drain cock.\n2. Close the lid.\n")
        self.check(run("ingest", self.folder / "moved", "--data-dir", self.folder / "kb"), 0)
        body = self.body("how do I empty a press overnight?")
        self.assertIn("1. Open the drain cock.\n2. Close the lid.", body)
        self.assertIn("empty.md:", body)

    def test_a_long_one_says_how_much_is_shown_and_where_the_rest_stands(self):
        self.write("long/tanks.md", "# Clean the tanks\n\n" + "".join(
            f"{i}. Do part {i} of the cleaning, and write the pressure of tank {i} down.\n" for i in range(1, 61)))
        self.check(run("ingest", self.folder / "long", "--data-dir", self.folder / "kb"), 0)
        body = self.body("how do I clean the tanks?")
        self.assertIn("1. Do part 1 of", body)
        self.assertNotIn("Do part 60 of", body)
        shown = re.search(r"Steps 1–(\d+) of 60; the rest stands in \[.*tanks\.md:\d+-\d+\]", body)
        self.assertTrue(shown, body)
        self.assertIn(f"\n{shown.group(1)}. Do part", body)
        self.assertNotIn(f"\n{int(shown.group(1)) + 1}. Do part", body)


class Shape(Company):
    def test_no_answer_is_longer_than_a_page(self):
        for question in ("how do I drain a press?", "press p1 web tears, what do I do", "has the web torn before?",
                         "why did the imaging server lose its link?", "ink pressure low"):
            body = self.body(question)
            self.assertLessEqual(len(body.split()), 300, question)
            self.assertLessEqual(body.count("\n"), 60, question)

    def test_sections_are_typed_and_together_are_the_answer(self):
        answer = self.answered("how do I drain a press?")
        types = [section["type"] for section in answer["sections"]]
        self.assertEqual(types[0], "steps")
        self.assertEqual(types[-1], "sources")
        words = " ".join(section["text"] for section in answer["sections"]).split()
        self.assertEqual(words, answer["answer"].split())

    def test_a_pasted_line_is_found_whatever_stands_round_it(self):
        self.write("more/errors.md", "# Errors of the feeder\n\n| message | what to do |\n|---|---|\n"
                                     "| `roll splice aborted by tension guard` | Change the roll. |\n| `knife jam` | Call the fitter. |\n")
        self.check(run("ingest", self.folder / "more", "--data-dir", self.folder / "kb"), 0)
        body = self.body("2026-03-19T02:11:43.120Z ERROR [feed-3-thread-7] p.f.Splicer press-host-09 "
                         "roll splice aborted by tension guard after 812 ms (id=9f3c22)")
        self.assertIn("Change the roll.", "\n".join(body.split("\n")[:5]))
        self.assertNotIn("Nothing in the knowledge base mentions", body)


class Loading(Company):
    def test_columns_and_kinds_are_recognised_and_told(self):
        self.assertIn("with the day first", self.report.err)
        self.assertRegex(self.report.out, r"read as .*3 incident .*; --kind, or `type:` at the top of a file, changes it")
        self.assertRegex(self.report.out, r"1 postmortem \(.*may\.md\)")
        record = self.answered("T-100")
        self.assertIn("2026-03-05", record["answer"])
        self.assertIn("feeder not stopped", record["answer"])


if __name__ == "__main__":
    unittest.main()
