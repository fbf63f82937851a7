#include "grounding/checks/claim_check.h"

namespace precedent {

// alerts.cc, changes.cc, lists.cc
CheckFunction check_alerts, check_change_times, check_lists;
// bindings.cc, entities.cc, fields.cc, tables.cc, exchanges.cc
CheckFunction check_pairings, check_dated_figures, check_line_order, check_lines;
CheckFunction check_change_kinds, check_measured_figures, check_only, check_only_so_many;
CheckFunction check_owned, check_taken_away, check_fields, check_compared_fields, check_tables;
CheckFunction check_exchanges;
// citations.cc, literal.cc, references.cc
CheckFunction check_citations, check_code_line, check_literal, check_references, check_quotations;
// figures.cc, times.cc, names.cc, intervals.cc
CheckFunction check_quantities, check_comparisons, check_times, check_names, check_intervals;
// gaps.cc
CheckFunction check_missing, check_absence;
// causes_and_settings.cc, outcomes.cc, owners.cc
CheckFunction check_outcomes, check_denied_cause, check_direction;
CheckFunction check_possessions, check_acts, check_people;
CheckFunction check_settings, check_causer;
// sequences.cc, states.cc, trend_checks.cc, wording.cc
CheckFunction check_own_order, check_named_order, check_bounds, check_switches;
CheckFunction check_status, check_items, check_whole;
CheckFunction check_trends, check_order, check_always, check_trend_after_change;
CheckFunction check_words, check_polarity;

namespace {

bool any(const Sentence&) { return true; }
// An entry of the list of sources names things and claims nothing about them.
bool states(const Sentence& s) { return s.statement->form != StatementForm::kSource; }
bool tells(const Sentence& s) { return s.is_assertion && !s.statement->supposing; }
bool asserts(const Sentence& s) { return tells(s) && !s.statement->advising; }
bool asserts_in_prose(const Sentence& s) { return asserts(s) && !s.is_row(); }
bool states_as_fact(const Sentence& s) {
  return states(s) && !s.statement->supposing && !s.statement->advising;
}

using enum CheckStage;

constexpr ClaimCheck kChecks[] = {
    {"code line", kCode, any, check_code_line, "a line of code stands in a receipt",
     "`kubectl delete ns payments`, which nobody wrote"},
    {"citations", kCitations, any, check_citations, "what is cited exists, with the lines cited",
     "[INC-9] where no receipt holds INC-9"},
    {"references", kReferences, any, check_references,
     "ids, identifiers and paths stand in a receipt", "an invented incident, commit or file"},
    {"literal", kLiteral, any, check_literal, "a receipt says it word for word: proved", ""},
    {"lists", kLists, asserts, check_lists,
     "against whole lists of alerts and changes: refuted or proved",
     "\"no alert is firing\" while one is listed"},
    {"missing", kMissing, tells, check_missing, "what is said to be missing is not told",
     "\"the cause is not recorded\" where it is"},
    {"quotations", kNames, states, check_quotations, "what is quoted stands there literally",
     "words put into somebody's mouth"},
    {"names", kNames, states, check_names,
     "names occur, and in the place that the sentence gives them",
     "one service in the place of another"},
    {"quantities", kFigures, states, check_quantities,
     "figures are stated of that, rounded, or computed as the sentence says",
     "\"47 minutes\" for 32"},
    {"times", kFigures, states, check_times, "dates and times occur, and of that",
     "\"at 03:10\" for 03:01"},
    {"intervals", kBindings, states_as_fact, check_intervals,
     "\"ten minutes later\" fits the moments told", "\"six minutes earlier\" for later"},
    {"tables", kBindings, states, check_tables, "a cell is told of its own row",
     "the limit of one row told of another"},
    {"fields", kBindings, states, check_fields, "a figure is told of its own label",
     "the mean given as the p95"},
    {"compared fields", kBindings, states, check_compared_fields,
     "\"lower than a week ago\" holds for the figure under that label",
     "\"higher than yesterday\" for lower"},
    {"exchanges", kBindings, asserts_in_prose, check_exchanges,
     "no two facts stand in each other's place", "\"A called B\" where B called A"},
    {"comparisons", kBindings, states, check_comparisons, "its own figures say what its words say",
     "\"480 ms, above the objective of 600 ms\""},
    {"absence", kBindings, states, check_absence, "of what was not found nothing else is said",
     "\"INC-9 was closed\", which the tools did not find"},
    {"words", kWords, any, check_words, "the receipts hold most of its words, its causes above all",
     "an invented sentence, an invented cause"},
    {"trends", kAssertions, asserts, check_trends, "what rose, fell or stayed did so",
     "\"latency fell\" where it rose"},
    {"alerts", kAssertions, asserts, check_alerts, "nothing is called over or calm that alerts",
     "\"SearchSlow has cleared\""},
    {"change times", kAssertions, asserts, check_change_times, "a deploy's time is that deploy's",
     "\"search was deployed at 09:12\", when something else was"},
    {"always", kAssertions, asserts, check_always,
     "\"stayed below\" holds for the lowest and highest figure",
     "\"stayed below 1 s\" with a peak of 3 s"},
    {"order", kAssertions, asserts, check_order,
     "a rise came before or after the change as it says", "\"the rise began before the deploy\""},
    {"settings", kAssertions, asserts, check_settings,
     "a setting has the value that the lines give it", "\"max_conns is 40\" for 20"},
    {"causer", kAssertions, asserts, check_causer,
     "what is called the cause is told where its effect is", "\"the cache caused it\""},
    {"lines", kAssertions, asserts, check_lines,
     "a word of one line of a list is not told of another",
     "\"X has the severity high\", which Y has"},
    {"dated figures", kAssertions, asserts, check_dated_figures, "a figure has its own time",
     "\"peaked at 255 at 05:00\", the time of the lowest"},
    {"line order", kAssertions, asserts, check_line_order,
     "\"X began before Y\" by the times of their lines",
     "\"the timeouts began before the errors\" for after"},
    {"pairings", kAssertions, asserts, check_pairings, "two figures go with their own nouns",
     "\"82 % CPU and 78 % memory\" exchanged"},
    {"status", kAssertions, asserts, check_status,
     "an incident is open or closed as its status says", "\"INC-7 was closed\", which is open"},
    {"items", kAssertions, asserts, check_items, "an action is open or done as its line says",
     "\"the alert is in place\", which is open"},
    {"whole", kAssertions, asserts, check_whole, "\"all\" is not two of five",
     "\"all shards moved\""},
    {"possessions", kAssertions, asserts, check_possessions, "\"the playlist of X\" is not Y's",
     "a thing given to another owner"},
    {"acts", kAssertions, asserts, check_acts, "who did it is who the lines name",
     "\"P issued the certificate\", as Q did"},
    {"people", kAssertions, asserts, check_people, "who leads a team is whom its record names",
     "another team's lead"},
    {"own order", kAssertions, asserts, check_own_order, "its own times stand as its words say",
     "\"at 03:20, before the deploy at 03:04\""},
    {"bounds", kAssertions, asserts, check_bounds, "\"at most N\" has the limit of the receipts",
     "\"at most 38,000 listeners\" for 75,000"},
    {"switches", kAssertions, asserts, check_switches, "a flag was switched the way that is listed",
     "\"lanes_v2 was switched off\" for on"},
    {"named order", kAssertions, asserts, check_named_order,
     "\"A before B\" by the dated lines of both", "\"raised only after 4.2.0\" for before"},
    {"change kinds", kAssertions, asserts, check_change_kinds,
     "the change of a time is of the kind that is said",
     "\"2.31.0 was deployed at 14:12\", the time of its commit"},
    {"measured figures", kAssertions, asserts, check_measured_figures,
     "a figure is of the metric that is named", "\"error_rate is 2.5 s\", which is p95_latency"},
    {"only", kAssertions, asserts, check_only, "what \"only\" leaves stands in the lines meant",
     "\"deployed to staging only\""},
    {"only so many", kAssertions, asserts, check_only_so_many,
     "\"only two\" are not more on the whole list", "\"only two alerts\" of three"},
    {"owned", kAssertions, asserts, check_owned, "\"does not own\" is not denied by a line",
     "\"team X does not own search\""},
    {"taken away", kAssertions, asserts, check_taken_away,
     "a version that removed something is said to have", "\"the cache was removed in 2.31.0\""},
    {"trend after change", kAssertions, asserts, check_trend_after_change,
     "a figure moved after the change, not before",
     "\"after the rollback latency came down\", which had before"},
    {"outcomes", kOutcomes, asserts, check_outcomes,
     "how it ended is told: resolved, reverted, fine", "\"it was rolled back\""},
    {"denied cause", kOutcomes, asserts, check_denied_cause,
     "a denied cause is denied by a receipt", "\"the deploy did not cause it\""},
    {"direction", kOutcomes, asserts, check_direction, "\"from A to B\" is not from B to A",
     "\"from 2.7 s to 0.2 s\" turned round"},
    {"polarity", kPolarity, any, check_polarity,
     "what is denied here is denied there, and only that", "\"no customer was affected\""},
};

}  // namespace

std::span<const ClaimCheck> claim_checks() { return kChecks; }

}  // namespace precedent
