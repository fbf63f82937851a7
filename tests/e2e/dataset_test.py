"""precedent dataset: versions of the incident data, from an export to the active one and back."""
import json
import pathlib
import subprocess
import time
import unittest

from harness import BINARY, Case, run

MAPPING = """fields:
  incident_id: {template: "INC-{opened:%Y-%m-%d}-{n:03}"}
  title: Summary
  description: Details
  severity: {column: Prio, values: {P1: SEV1, P2: SEV2}}
  opened_at: {column: Opened, format: "%d/%m/%Y %H:%M", zone: Europe/Berlin}
  impacted_application: System
  action_taken: Fix
limits: {max_bad: 40%, max_vanished: 50%}
"""
HEAD = "Ticket,Summary,Details,Prio,Opened,System,Fix\n"
SLOW = '1,Carousel jams,"The carousel stood still. password=hunter2secret",P1,03/04/2025 12:00,carousel,{fix}\n'
LATE = "2,Ferry late,The ferry left late,P2,04/04/2025 08:00,ferry,Called the harbour\n"
BARE = "3,Bell silent,,P9,05/04/2025 09:00,bell,\n"


class Dataset(Case):
    def setUp(self):
        super().setUp()
        self.copy_of_sample()
        self.mapping = self.folder / "mapping.yaml"
        self.mapping.write_text(MAPPING)

    def dataset(self, *args, code=0):
        return self.check(run("dataset", *map(str, args), "--data-dir", self.data), code)

    def file(self, name, *lines):
        path = self.folder / name
        path.write_text(HEAD + "".join(lines))
        return path

    def ready(self, path):
        version = self.dataset("create", path, "--mapping", self.mapping, "--by", "mia", "--json").json()["version"]
        report = self.dataset("validate", version, "--json").json()
        self.dataset("ingest", version)
        return version, report

    def first(self):
        return self.file("a.csv", SLOW.format(fix="Freed the belt"), LATE, BARE)

    def second(self):
        return self.file("b.csv", SLOW.format(fix="Replaced the belt"), BARE)

    def answer(self):
        return self.ask("What fixed INC-2025-04-03-001?", data=self.data)["answer"]

    def found(self, text):
        listed = run("tools", "call", "lookup_incident_by_id", json.dumps({"incident_id": text}), "--json", "--data-dir", self.data)
        return "not_found" not in listed.out and listed.code == 0


class Versions(Dataset):
    def test_from_an_export_to_an_answer_and_back(self):
        version, report = self.ready(self.first())
        self.assertEqual((report["records"], report["bad"], report["bare"]), (3, 0, 1))
        self.assertEqual(report["difference"]["added"], ["INC-2025-04-03-001", "INC-2025-04-04-001", "INC-2025-04-05-001"])
        self.assertEqual({(p["rule"], p["value"]) for p in report["report"]["problems"]}, 
                         {("secret", ""), ("unknown_value", "P9"), ("bare", "")})
        self.assertEqual(report["report"]["secrets"], 1)
        self.dataset("activate", version)
        self.assertIn("Freed the belt", self.answer())
        other, report = self.ready(self.second())
        self.assertEqual(report["difference"]["vanished"], ["INC-2025-04-04-001"])
        self.assertIn("Freed the belt", self.answer(), "nothing changes before it is active")
        self.dataset("activate", other)
        self.assertIn("Replaced the belt", self.answer())
        self.first().unlink()
        self.dataset("rollback")
        self.assertIn("Freed the belt", self.answer(), "without its file")
        states = {v["version"]: v["state"] for v in self.dataset("list", "--json").json()}
        self.assertEqual(states, {version: "active", other: "superseded"})

    def test_what_is_unchanged_is_told_of_the_file_that_is_active(self):
        first, _ = self.ready(self.first())
        second, _ = self.ready(self.second())
        self.dataset("activate", first)
        self.assertEqual(self.path_of("INC-2025-04-05-001"), "a.csv")
        self.dataset("activate", second)
        self.assertEqual(self.path_of("INC-2025-04-05-001"), "b.csv")
        self.dataset("rollback")
        self.assertEqual(self.path_of("INC-2025-04-05-001"), "a.csv")

    def path_of(self, incident):
        found = run("tools", "call", "lookup_incident_by_id", json.dumps({"incident_id": incident}), "--json", "--data-dir", self.data)
        return pathlib.Path(self.check(found, 0).json()["result"]["incidents"][0]["path"]).name

    def test_secrets_are_in_no_file(self):
        secret = "password=hunter2secret"
        mapping = self.folder / "all.yaml"
        mapping.write_text('fields: {incident_id: Ticket, title: Summary, severity: {column: Prio, values: {P1: SEV1}}, status: State,'
                           ' opened_at: {column: Opened, format: "%d/%m/%Y"}, impacted_application: System, services: Services, tags: Tags}')
        path = self.folder / "secrets.csv"
        path.write_text("Ticket,Summary,Details,Prio,State,Opened,System,Services,Tags,Symptoms,Password\n"
                        f"A-1,{','.join([secret] * 9)},hunter2secret\n{secret},Jam,,P1,,,,,,,\n")
        version = self.dataset("create", path, "--mapping", mapping, "--json").json()["version"]
        report = self.dataset("validate", version, "--json").json()
        self.assertEqual((report["records"], report["bad"], report["report"]["secrets"]), (1, 1, 1))
        self.assertNotIn("hunter2secret", json.dumps(report))
        self.assertIn("the id holds a secret", json.dumps(report))
        self.dataset("ingest", version)
        self.dataset("activate", version)
        for path in self.data.rglob("*"):
            if path.is_file():
                self.assertNotIn(b"hunter2secret", path.read_bytes(), path)

    def test_a_limit_refuses_and_force_is_written_down(self):
        version, _ = self.ready(self.first())
        self.dataset("activate", version)
        worse, _ = self.ready(self.file("c.csv", SLOW.format(fix="x")))
        refused = self.dataset("activate", worse, code=1)
        self.assertIn("66.7 % of the incidents of version", refused.err)
        self.dataset("activate", worse, "--force", code=2)
        self.dataset("activate", worse, "--force", "--why", "a harbour was sold", "--by", "ana")
        self.assertIn("activated by ana although a limit forbade it: a harbour was sold", self.dataset("show", worse).out)

    def test_who_activated_a_version_is_kept_for_good(self):
        version, _ = self.ready(self.first())
        worse, _ = self.ready(self.file("c.csv", SLOW.format(fix="x")))
        self.dataset("activate", version, "--by", "mia")
        self.dataset("activate", worse, "--force", "--why", "a harbour was sold", "--by", "ana")
        self.dataset("rollback", "--by", "bea", "--why", "it was not")
        self.dataset("activate", worse, "--by", "cem")
        told = lambda number: [(a["by"], a["back"], a["forced"], a["why"]) for a in self.dataset("show", number, "--json").json()["activations"]]
        self.assertEqual(told(version), [("mia", False, False, ""), ("bea", True, False, "it was not")])
        self.assertEqual(told(worse), [("ana", False, True, "a harbour was sold"), ("cem", False, False, "")])
        self.dataset("activate", worse, "--by", "dee")
        self.assertEqual(len(told(worse)), 2, "nothing changed")
        self.assertRegex(self.dataset("show", version).out, r"\n20\S+Z brought back by bea: it was not\n")
        self.assertIn("activated by ana although a limit forbade it: a harbour was sold", self.dataset("show", worse).out)

    def test_no_limit_stands_between_a_bad_export_and_the_way_back(self):
        small, _ = self.ready(self.file("c.csv", SLOW.format(fix="x")))
        self.dataset("activate", small)
        large, _ = self.ready(self.file("d.csv", SLOW.format(fix="y"), LATE, BARE))
        self.dataset("activate", large)
        self.assertEqual(self.dataset("rollback", "--json").json()["version"], small, "two of three incidents vanish")

    def test_what_is_ingested_over_a_version_is_told_and_listed(self):
        version, _ = self.ready(self.first())
        self.dataset("activate", version)
        self.assertEqual(self.dataset("diff", version, "--json").json()["replaced"], [])
        over = self.folder / "over.json"
        over.write_text(json.dumps([{"id": "INC-2025-04-03-001", "type": "incident", "title": "Jam", "root_cause": "Another cause"},
                                    {"id": "INC-2025-04-09-001", "type": "incident", "title": "New", "root_cause": "Of its own"}]))
        told = self.check(run("ingest", over, "--data-dir", self.data), 0).err
        self.assertIn(f"1 of these documents is in the place of incidents of version {version}, which is active", told)
        self.check(run("remove", "INC-2025-04-04-001", "--data-dir", self.data), 0)
        replaced = ["INC-2025-04-03-001", "INC-2025-04-04-001"]
        self.assertEqual(self.dataset("diff", version, "--json").json()["replaced"], replaced)
        self.assertIn("! INC-2025-04-03-001\n! INC-2025-04-04-001\n", self.dataset("diff", version).out)
        other, report = self.ready(self.second())
        self.assertEqual(report["difference"]["replaced"], replaced)
        self.assertEqual(self.dataset("diff", other, version, "--json").json()["replaced"], [], "not from the active one")
        again = self.dataset("activate", version)
        self.assertIn("replaced by an ingest or a removal since", again.err)
        self.assertIn("was active already; its own incidents are in their place again", again.out)
        self.assertIn("Freed the belt", self.answer())
        self.assertEqual(self.dataset("diff", version, "--json").json()["replaced"], [])
        self.assertNotIn("replaced", self.dataset("activate", version).err)

    def three_active(self):
        numbers = [self.ready(self.file(f"{name}.csv", SLOW.format(fix=f"Chose {name}"), LATE, BARE))[0] for name in ("alpha", "beta", "gamma")]
        for number in numbers:
            self.dataset("activate", number)
        return numbers

    def back(self, *to):
        return self.dataset("rollback", *to, "--json").json()["version"]

    def test_a_rollback_done_twice_is_done_once_and_never_goes_forward(self):
        first, second, bad = self.three_active()
        self.assertEqual((self.back(), self.back()), (second, second))
        again = self.dataset("rollback").out
        self.assertIn(f"version {second} was active already, so nothing changed; to go further back, name a version", again)
        self.assertEqual((self.back(first), self.back()), (first, first))
        self.dataset("activate", bad)
        self.assertEqual(self.back(), first, "not to what a rollback left")

    def test_a_rollback_that_was_killed_can_be_repeated(self):
        _, second, bad = self.three_active()
        for delay in (0.0, 0.01, 0.02, 0.04, 0.06):
            process = subprocess.Popen([BINARY, "dataset", "rollback", "--data-dir", self.data], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.kill()
            process.wait()
            self.assertEqual(self.back(), second)
            self.assertIn("Chose beta", self.answer())
            self.dataset("activate", bad)

    def test_a_rollback_goes_to_what_was_active_only(self):
        self.assertIn("there is no earlier version", self.dataset("rollback", code=1).err)
        ready, _ = self.ready(self.first())
        self.assertIn(f"version {ready} is ready, and a rollback goes to one that was active before",
                      self.dataset("rollback", ready, code=1).err)
        self.dataset("activate", ready)
        self.assertIn("there is no version 9", self.dataset("rollback", 9, code=1).err)

    def test_what_is_wrong_is_named(self):
        path = self.first()
        self.assertIn("is no field", self.with_mapping("fields: {titel: Summary}", path).err)
        self.assertIn("other.yaml:1: fields.title: there is no column 'Sumary'; the columns are Ticket, Summary", self.with_mapping("fields: {title: Sumary}", path).err)
        version = self.dataset("create", path, "--json").json()["version"]
        path.write_text(HEAD + LATE)
        self.assertIn("has changed since version", self.dataset("validate", version, code=1).err)
        self.assertIn("what is possible", self.dataset("activate", version, code=1).err)
        self.assertIn("there is no version 99", self.dataset("show", 99, code=1).err)
        self.assertIn("'abc' is no version number; `precedent dataset list` shows them", self.dataset("show", "abc", code=2).err)
        self.assertIn("nowhere.csv is not there; name an export", self.dataset("create", self.folder / "nowhere.csv", code=1).err)
        version = self.dataset("create", path, "--json").json()["version"]
        path.unlink()
        self.assertIn(f"is gone since version {version} was made; put it back", self.dataset("validate", version, code=1).err)

    def test_a_mapping_that_cannot_be_meant_is_refused_before_anything_is_made(self):
        path = self.first()
        for text, told in (
                ("fields:\n  title: Sumary\n  description: Detail\n",
                 "other.yaml:2: fields.title: there is no column 'Sumary'; {0}:3: fields.description: there is no column 'Detail'; the columns"),
                ('fields: {incident_id: {template: "INC-{Foo}"}}', "fields.incident_id: there is no column 'Foo'"),
                ('fields: {incident_id: {template: "INC-{n:03"}}', "fields.incident_id.template: has '{n:03' that is not closed; write {n:03}"),
                ("fields: {opened_at: {column: Opened, format: YYYY-MM-DD}}", "fields.opened_at.format: has 'YYYY-MM-DD' without a %"),
                ("fields:\n  title: Summary\n  title: Details\n", "other.yaml:3: fields.title is there twice; keep one"),
                ("fields: {severity: {column: Prio, values: {P1: A, P1: B}}}", "fields.severity.values.P1 is there twice"),
                ('fields: {source_system: {constant: ""}}', "fields.source_system.constant: is empty"),
                ("limits: {max_bad: 1}", "limits.max_bad: is 1 without a %; write 1% or 0.01")):
            self.assertIn(told.replace("{0}", str(self.folder / "other.yaml")), self.with_mapping(text, path).err, text)
        self.assertEqual(self.dataset("list", "--json").json(), [])
        made = self.dataset("create", path, "--mapping", self.mapping_of("fields: {incident_id: Ticket, title: Summary}\nignore: [Nothing, Prio]"))
        self.assertIn("other.yaml:2: ignore: there is no column 'Nothing'", made.err)
        report = self.dataset("validate", 1, "--json").json()["report"]
        self.assertIn("no_column", [p["rule"] for p in report["problems"]])

    def test_times_may_follow_several_formats(self):
        mapping = 'fields: {incident_id: Ticket, title: Summary, description: Details, opened_at: {column: Opened, format: ["%d/%m/%Y", "%d %b %Y"]}}'
        path = self.file("d.csv", "A-1,Jam,Stood still,P1,03/04/2025,belt,x\n", "A-2,Jam,Stood still,P1,5 Apr 2025,belt,x\n",
                         "A-3,Jam,Stood still,P1,Easter,belt,x\n")
        report = self.with_mapping(mapping, path, "--json", validate=True, code=0).json()["report"]
        self.assertEqual([p["value"] for p in report["problems"]], ["Easter"])
        self.assertIn("does not follow the format %d/%m/%Y or %d %b %Y", report["problems"][0]["message"])

    def test_a_step_that_is_done_already_says_so(self):
        version, _ = self.ready(self.first())
        self.assertIn(f"version {version} is ready already", self.dataset("ingest", version).out)
        self.assertIn(f"version {version} is discarded\n", self.dataset("discard", version).out)
        self.assertIn(f"version {version} is discarded already", self.dataset("discard", version).out)

    def mapping_of(self, text):
        mapping = self.folder / "other.yaml"
        mapping.write_text(text)
        return mapping

    def with_mapping(self, text, path, *options, validate=False, code=2):
        made = run("dataset", "create", path, "--mapping", self.mapping_of(text), "--json", "--data-dir", self.data)
        if not validate:
            return self.check(made, 2)
        return self.dataset("validate", self.check(made, 0).json()["version"], *options, code=code)

    def test_a_time_that_does_not_follow_its_format_is_left_out_and_its_text_kept(self):
        mapping = 'fields: {incident_id: Ticket, title: Summary, description: Details, opened_at: {column: Opened, format: "%d/%m/%Y"}}'
        path = self.file("d.csv", "A-1,Jam,Stood still,P1,03/04/2025,belt,x\n", "A-2,Jam,Stood still,P1,2025-04-05,belt,x\n",
                         'A-3,Jam,Stood still,P1,"Apr 6, 2025",belt,x\n')
        report = self.with_mapping(mapping, path, "--json", validate=True, code=0).json()["report"]
        self.assertEqual([(p["rule"], p["line"], p["value"]) for p in report["problems"]], [("unread_field", 3, "2025-04-05")])
        self.assertIn("(1 more of this column)", report["problems"][0]["message"])
        self.assertEqual(report["coverage"]["opened_at"], 1)

    def test_each_unknown_value_is_named_with_its_line(self):
        rows = [f"{i},Jam,Stood still,{prio},03/04/2025 12:00,belt,x\n" for i, prio in
                enumerate(["P1", "P9", "Urgent", "P7", "P9", "P10", "P11", "P12", "P12"])]
        version = self.dataset("create", self.file("p.csv", *rows), "--mapping", self.mapping, "--json").json()["version"]
        problems = self.dataset("validate", version, "--json").json()["report"]["problems"]
        self.assertEqual([(p["value"], p["line"]) for p in problems], [("P9", 3), ("Urgent", 4), ("P7", 5), ("P10", 7), ("P11", 8)])
        self.assertIn("(1 more of this value)", problems[0]["message"])
        self.assertIn("(2 more with other values of this column)", problems[4]["message"])

    def test_a_record_that_is_left_out_is_not_said_to_be_loaded(self):
        rows = ("1,Jam,Stood still,P9,not a day,belt,x\n", "2,Late,Left late,P1,04/04/2025 08:00,ferry,y\n")
        version = self.dataset("create", self.file("p.csv", *rows), "--mapping", self.mapping, "--json").json()["version"]
        report = self.dataset("validate", version, "--json").json()
        self.assertEqual([p["rule"] for p in report["report"]["problems"]], ["no_incident_id"])
        self.assertEqual((report["records"], report["bad"]), (1, 1))

    def test_a_report_has_coverage_columns_and_the_limit_that_will_refuse(self):
        version, _ = self.ready(self.first())
        self.dataset("activate", version)
        path = self.folder / "c.csv"
        path.write_text(HEAD.strip() + ",Floor\n" + SLOW.format(fix="x").strip() + ",3\n")
        worse = self.dataset("create", path, "--mapping", self.mapping, "--json").json()["version"]
        text = self.dataset("validate", worse).out
        self.assertRegex(text, r"of 1 incidents have: .*\baction_taken 1\b.*\bservices 0\b")
        self.assertIn("a limit of the mapping refuses to activate it: 66.7 % of the incidents", text)
        self.assertNotIn("next:", text)
        markdown = self.dataset("validate", worse, "--markdown").out
        self.assertIn("a limit of the mapping refuses to activate it", markdown)
        self.assertIn("Columns kept under their own names: Floor.", markdown)
        self.assertIn("66.7 %", self.dataset("validate", worse, "--json").json()["refused_by_limit"])
        self.assertIn("next: precedent dataset ingest", self.dataset("validate", self.dataset(
            "create", self.second(), "--mapping", self.mapping, "--json").json()["version"]).out)

    def test_a_golden_example_of_what_changed_is_named(self):
        version, _ = self.ready(self.first())
        self.dataset("activate", version)
        made = run("golden", "add", "--question", "How was the carousel freed?", "--answer", "By hand.", "--source",
                   "INC-2025-04-03-001", "--json", "--data-dir", self.data)
        example = self.check(made, 0).json()["id"]
        other, _ = self.ready(self.second())
        self.check(run("golden", "review", example, "--by", "Ana", "--data-dir", self.data), 0)
        self.assertEqual(self.golden(example)["served"], True)
        self.assertEqual(self.golden(example)["dataset_version"], version)
        self.assertEqual(self.dataset("activate", other, "--json").json()["golden_to_review"], [example])
        doubtful = self.golden(example)
        self.assertEqual((doubtful["served"], doubtful["outdated_sources"]), (False, ["INC-2025-04-03-001"]))
        self.assertIn("review again", self.check(run("golden", "list", "--all", "--data-dir", self.data), 0).out)
        self.check(run("golden", "review", example, "--by", "Ana", "--data-dir", self.data), 0)
        self.assertEqual((self.golden(example)["served"], self.golden(example)["dataset_version"]), (True, other))
        # It is found again with the version that it was reviewed with, and needs no other review.
        self.assertEqual(self.dataset("activate", version, "--json").json()["golden_to_review"], [example])
        self.assertNotIn(example, self.ask("How was the carousel freed?", data=self.data)["answer"])
        self.check(run("golden", "add", "--question", "x?", "--answer", "y", "--data-dir", self.data), 0)
        self.assertEqual(self.dataset("rollback", "--json").json()["golden_to_review"], [])
        self.assertIn(example, self.ask("How was the carousel freed?", data=self.data)["answer"])

    def test_what_is_no_longer_kept_is_named(self):
        versions = [self.ready(path)[0] for path in (self.first(), self.second(), self.first(), self.second())]
        for version in versions[:3]:
            self.dataset("activate", version)
        told = self.dataset("activate", versions[3], "--keep", 1).err
        self.assertIn(f"no longer kept for a rollback (--keep 1), and discarded: {versions[1]}, {versions[0]}", told)
        self.assertEqual(self.dataset("rollback", "--json").json()["version"], versions[2])

    def golden(self, example):
        listed = self.check(run("golden", "list", "--all", "--json", "--data-dir", self.data), 0).json()
        return next(one for one in listed if one["id"] == example)

    def test_an_answer_remembers_its_version(self):
        self.assertNotIn("dataset_version", self.ask("What fixed INC-2025-04-03-001?", data=self.data))
        version, _ = self.ready(self.first())
        self.dataset("activate", version)
        self.assertEqual(self.ask("What fixed INC-2025-04-03-001?", data=self.data)["dataset_version"], version)

    def test_killed_while_it_becomes_active_the_old_or_the_new_one_is_whole(self):
        version, _ = self.ready(self.first())
        other, _ = self.ready(self.second())
        self.dataset("activate", version)
        for delay in (0.0, 0.005, 0.01, 0.02, 0.04):
            process = subprocess.Popen([BINARY, "dataset", "activate", str(other), "--data-dir", self.data],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.kill()
            process.wait()
            active = [v["version"] for v in self.dataset("list", "--json").json() if v["state"] == "active"]
            self.assertEqual(len(active), 1)
            self.assertEqual(self.found("INC-2025-04-04-001"), active == [version])
            self.dataset("activate", active[0])
            self.assertIn("Freed" if active == [version] else "Replaced", self.answer())
            self.dataset("activate", version)


class Precision(Dataset):
    def setUp(self):
        super().setUp()
        self.data = self.folder / "empty"

    def with_weights(self, *args):
        return run("dataset", *map(str, args), "--data-dir", self.data, weights=True)

    def assert_int8(self):
        status = self.check(run("index", "status", "--json", "--data-dir", self.data), 0).json()
        self.assertTrue(status["model"].endswith("/int8"), status)

    def test_what_was_embedded_in_int8_stays_so(self):
        for path in (self.first(), self.second()):
            version = self.dataset("create", path, "--mapping", self.mapping, "--json").json()["version"]
            self.dataset("validate", version)
            made = self.with_weights("ingest", version, "--int8")
            if "searching by words only" in made.err or "needs a processor" in made.err:
                self.skipTest(made.err)
            self.check(made, 0)
            self.check(self.with_weights("activate", version), 0)
            self.assert_int8()
        self.check(self.with_weights("rollback"), 0)
        self.assert_int8()


class Guess(Dataset):
    def test_a_first_mapping_reads_its_own_file(self):
        path = self.first()
        mapping = self.folder / "guess.yaml"
        mapping.write_text(self.dataset_guess(path))
        version = self.check(run("dataset", "create", path, "--mapping", mapping, "--json", "--data-dir", self.data), 0).json()
        self.assertEqual(self.dataset("validate", version["version"], "--json").json()["records"], 3)

    def test_its_own_file_loads_without_a_warning(self):
        path = self.folder / "guess.csv"
        path.write_text("id,title,description,severity,status,opened,closed\n"
                        "A-1,Jam,Stood still,P1,Done,03/04/2025 12:00,2025-04-05\n"
                        "A-2,Late,Left late,Urgent,Open,13/04/2025 08:00,16 Apr 2025\n"
                        'A-3,Silent,Made no sound,p1,Done,"14/04/2025 09:30",2025-05-07\n')
        text = self.dataset_guess(path)
        self.assertIn('  severity: {column: "severity", values: {"P1": "P1", "Urgent": "Urgent"}}\n', text)
        self.assertIn('  status: {column: "status", values: {"Done": "Done", "Open": "Open"}}\n', text)
        self.assertIn('  opened_at: {column: "opened", format: "%d/%m/%Y %H:%M"}\n', text)
        self.assertIn('  resolved_at: {column: "closed", format: ["%Y-%m-%d","%d %b %Y"]}\n', text)
        mapping = self.folder / "guess.yaml"
        mapping.write_text(text)
        version = self.dataset("create", path, "--mapping", mapping, "--json").json()["version"]
        report = self.dataset("validate", version, "--json").json()
        self.assertEqual((report["records"], report["report"]["problems"]), (3, []))
        self.assertEqual((report["report"]["coverage"]["opened_at"], report["report"]["coverage"]["resolved_at"]), (3, 3))

    def test_a_file_without_ids_gets_them_made(self):
        path = self.folder / "guess.csv"
        path.write_text("title,description,opened\nJam,Stood still,2025-04-13\nLate,Left late,2025-04-13\n")
        mapping = self.folder / "guess.yaml"
        mapping.write_text(self.dataset_guess(path))
        version = self.dataset("create", path, "--mapping", mapping, "--json").json()["version"]
        validated = self.dataset("validate", version, "--json").json()
        self.assertEqual(validated["difference"]["added"], ["INC-2025-04-13-001", "INC-2025-04-13-002"])

    def test_what_is_wrong_is_told_with_its_value_and_what_to_do(self):
        path = self.folder / "wrong.csv"
        path.write_text("ID,Summary,Details,Opened,Floor,Empty\nA-1,Jam,password=hunter2secret,2025-04-13,3,\n"
                        "a-1,Late,Left late,2025-04-13,,\n,Silent,x,,,\n")
        version = self.dataset("create", path, "--json").json()["version"]
        report = self.dataset("validate", version, "--json").json()["report"]
        # "Empty" holds nothing that could be kept.
        self.assertEqual(report["unmapped_columns"], ["Floor"])
        problems = {p["rule"]: p for p in report["problems"]}
        self.assertEqual(problems["duplicate_id"]["value"], "A-1")
        self.assertEqual((problems["secret"]["line"], problems["secret"]["field"]), (2, "description"))
        self.assertIn("in the mapping, incident_id: COLUMN names its column", problems["no_incident_id"]["message"])
        # What costs a record comes first.
        severities = [line.split(":")[0] for line in self.dataset("validate", version).out.splitlines() if "wrong.csv" in line]
        self.assertEqual(severities, sorted(severities))

    def test_no_number_of_warnings_hides_an_error(self):
        path = self.folder / "bare.csv"
        path.write_text("ID,Summary,Details\n" + "".join(f"A-{i},Jam,\n" for i in range(1200)) + "A-1,Late,Left late\n")
        version = self.dataset("create", path, "--json").json()["version"]
        report = self.dataset("validate", version, "--json").json()["report"]
        self.assertEqual((len(report["problems"]), report["problem_count"]), (1000, 1201))
        self.assertEqual([p["line"] for p in report["problems"] if p["severity"] == "error"], [1202])
        self.assertIn("bare.csv:1202 'id': 'A-1' was read before", self.dataset("validate", version).out)

    def dataset_guess(self, path):
        return self.check(run("dataset", "guess", path), 0).out


if __name__ == "__main__":
    unittest.main()
