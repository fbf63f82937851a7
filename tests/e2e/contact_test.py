"""Whom to call: what documents on ownership say, and what they do not."""
import unittest

from harness import Case, run

PAINT = """---
type: ownership
title: Team Paint
team: Paint
services: [mixer-api, tint-worker]
oncall: paint-primary
escalation: ["paint-secondary after 10 min", "Ada Brunner after 20 min"]
---
# Team Paint

Owns mixer-api and tint-worker with the solvent store. Lead: Ada Brunner.

- Pigment supplier: +41 44 555 01 20, office hours.
- Courier: +41 44 555 01 99, until 22:00.
"""

WAREHOUSE = """---
type: ownership
title: Team Warehouse
team: Warehouse
services: [shelf-api]
oncall: warehouse-primary
---
# Team Warehouse

Owns shelf-api and the forklifts.
"""

# Nothing but sentences, of two teams in one document.
FLOOR = """---
type: ownership
title: Teams of the factory floor
services: [kiln-control, crane-hub]
---
Heat owns kiln-control. Lead: Signe Dahl. On-call rota "heat-primary", phone +41 44 555 01 77. The hall is closed in August.

Lifting owns crane-hub. Lead: Omar Sane. On-call rota "lift-primary", phone +41 44 555 01 66.
"""

# Short numbers; one team's calls go to another one at night, and a team is called by its heading alone.
HARBOUR = """---
type: ownership
title: Crews of the harbour
services: [tug-planner, pilot-desk]
---
# Crews of the harbour

## Tugs
Tugs owns tug-planner. Lead: Ingrid Voll. On call until 22:00; at night Pilots takes the calls.

## Pilots
Pilots owns pilot-desk. Lead: Tom Eriksen. On call around the clock, phone 5120.

## Divers
They look after the chains. On call on weekdays, extension 5177.
"""

CALLS = """---
type: architecture
title: Who calls whom
services: [mixer-api, shelf-api, label-printer]
---
# Who calls whom

mixer-api calls shelf-api for every order; shelf-api calls label-printer. Who calls label-printer twice gets two labels.
"""


class Contacts(Case):
    def setUp(self):
        super().setUp()
        self.write("notes/ownership/paint.md", PAINT)
        self.write("notes/ownership/warehouse.md", WAREHOUSE)
        self.write("notes/ownership/floor.md", FLOOR)
        self.write("notes/ownership/harbour.md", HARBOUR)
        self.write("notes/architecture/calls.md", CALLS)
        self.check(run("ingest", self.folder / "notes", "--data-dir", self.folder / "kb"), 0)

    def ask(self, question):
        return run("ask", question, "--data-dir", self.folder / "kb", "--json").json()

    def test_the_team_of_a_service_is_told_with_its_ways_in_their_order(self):
        answer = self.ask("who do I call for mixer-api?")["answer"]
        places = [answer.find(part) for part in ("Team Paint", "paint-primary", "paint-secondary", "Ada Brunner after")]
        self.assertNotIn(-1, places, answer)
        self.assertEqual(places, sorted(places))
        self.assertNotIn("warehouse-primary", answer)
        self.assertNotIn("Who calls whom", answer)

    def test_the_sentences_beside_the_name_are_told_with_it_and_no_other_team_s(self):
        answer = self.ask("who do i call for kiln-control")["answer"]
        places = [answer.find(part) for part in ("Heat owns", "Lead: Signe Dahl", "heat-primary", "+41 44 555 01 77")]
        self.assertNotIn(-1, places, answer)
        self.assertEqual(places, sorted(places))
        for other in ("Omar Sane", "lift-primary", "555 01 66", "August"):
            self.assertNotIn(other, answer)

    def test_a_thing_that_a_team_mentions(self):
        self.assertIn("warehouse-primary", self.ask("who owns the forklifts?")["answer"])

    def test_the_rota_is_not_known(self):
        answer = self.ask("who is on call for shelf-api right now?")
        self.assertIn("not in the knowledge base", answer["missing"][0])
        self.assertIn("warehouse-primary", answer["answer"])

    def test_nobody_owns_it(self):
        answer = self.ask("who owns label-printer?")
        self.assertTrue(any("'label-printer' is not recorded" in gap for gap in answer["missing"]), answer["missing"])

    def test_a_follow_up_asks_it_of_what_was_talked_about(self):
        self.write("more.jsonl", '{"incident_id": "INC-2026-01-02-001", "title": "Mixer stuck", "impacted_application": "mixer-api", '
                                 '"opened_at": "2026-01-02T10:00:00Z", "root_cause": "Solvent gone"}')
        self.check(run("ingest", self.folder / "more.jsonl", "--data-dir", self.folder / "kb"), 0)
        said = "what caused INC-2026-01-02-001?\nwho do I call?\nwhat about shelf-api?\n"
        done = self.check(run("chat", "--json", "--data-dir", self.folder / "kb", stdin=said.encode()), 0)
        answers = [event["answer"] for event in done.lines() if event["event"] == "answer"]
        self.assertEqual(len(answers), 3, done)
        self.assertIn("paint-primary", answers[1])
        self.assertIn("warehouse-primary", answers[2])
        self.assertNotIn("paint-primary", answers[2])

    def test_a_phone_number_is_that_of_what_is_asked_about(self):
        answer = self.ask("phone number of the pigment supplier")
        self.assertIn("+41 44 555 01 20", answer["answer"])
        self.assertNotIn("555 01 99", answer["answer"])
        self.assertEqual(answer["missing"], [])

    def test_another_ones_phone_number_is_not_given_as_the_answer(self):
        answer = self.ask("what is the phone number of the electrician?")
        before = answer["answer"].split("which may not be what you mean")[0]
        self.assertNotIn("+41", before)
        self.assertEqual(answer["grounding"]["unsupported"], 0)

    def test_calls_that_go_to_another_team_are_followed_to_it(self):
        answer = self.ask("who do i call for tug-planner at 3am")["answer"]
        places = [answer.find(part) for part in ("Ingrid Voll", "at night Pilots", "Tom Eriksen", "phone 5120")]
        self.assertNotIn(-1, places, answer)
        self.assertEqual(places, sorted(places))
        self.assertNotIn("5177", answer)
        phone = self.ask("phone number of tug-planner")
        self.assertIn("phone 5120", phone["answer"])
        self.assertNotIn("5177", phone["answer"])
        self.assertEqual(phone["missing"], [])

    def test_a_number_belongs_to_the_team_under_whose_heading_it_stands(self):
        answer = self.ask("phone number of the divers")
        self.assertIn("extension 5177", answer["answer"])
        self.assertNotIn("5120", answer["answer"])
        self.assertEqual(answer["missing"], [])

    def test_a_word_alone_asks_it_of_what_was_talked_about(self):
        said = "who owns pilot-desk\nphone?\n"
        done = self.check(run("chat", "--json", "--data-dir", self.folder / "kb", stdin=said.encode()), 0)
        answers = [event["answer"] for event in done.lines() if event["event"] == "answer"]
        self.assertIn("phone 5120", answers[1], answers)


if __name__ == "__main__":
    unittest.main()
