#include "grounding/checks/claim_check.h"

namespace precedent {

// alerts.cc, changes.cc and lists.cc; exchanges.cc, fields.cc, tables.cc
CheckFunction check_alerts, check_lists, check_lines, check_only;
CheckFunction check_exchanges, check_fields, check_compared_fields, check_tables;
// citations.cc, literal.cc, references.cc
CheckFunction check_citations, check_code_line, check_literal, check_references, check_quotations;
// figures.cc, times.cc, names.cc, gaps.cc
CheckFunction check_quantities, check_times, check_names, check_missing, check_absence;
// causes.cc, outcomes.cc, sequences.cc, trend_checks.cc, wording.cc
CheckFunction check_causer, check_outcomes, check_named_order, check_switches;
CheckFunction check_trends, check_always, check_words, check_polarity;

namespace {

bool any(const Sentence&) { return true; }
// An entry of the list of sources names things and claims nothing about them.
bool states(const Sentence& s) { return s.statement->form != StatementForm::kSource; }
bool tells(const Sentence& s) { return s.is_assertion && !s.statement->supposing; }
bool asserts(const Sentence& s) { return tells(s) && !s.statement->advising; }
bool asserts_in_prose(const Sentence& s) { return asserts(s) && !s.is_row(); }

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
    {"tables", kBindings, states, check_tables, "a cell is told of its own row",
     "the limit of one row told of another"},
    {"fields", kBindings, states, check_fields, "a figure is told of its own label",
     "the mean given as the p95"},
    {"compared fields", kBindings, states, check_compared_fields,
     "\"lower than a week ago\" holds for the figure under that label",
     "\"higher than yesterday\" for lower"},
    {"exchanges", kBindings, asserts_in_prose, check_exchanges,
     "no two facts stand in each other's place", "\"A called B\" where B called A"},
    {"absence", kBindings, states, check_absence, "of what was not found nothing else is said",
     "\"INC-9 was closed\", which the tools did not find"},
    {"words", kWords, any, check_words, "the receipts hold most of its words, its causes above all",
     "an invented sentence, an invented cause"},
    {"trends", kAssertions, asserts, check_trends, "what rose, fell or stayed did so",
     "\"latency fell\" where it rose"},
    {"alerts", kAssertions, asserts, check_alerts, "nothing is called over or calm that alerts",
     "\"SearchSlow has cleared\""},
    {"always", kAssertions, asserts, check_always,
     "\"stayed below\" holds for the lowest and highest figure",
     "\"stayed below 1 s\" with a peak of 3 s"},
    {"causer", kAssertions, asserts, check_causer,
     "what is called the cause is told where its effect is", "\"the cache caused it\""},
    {"lines", kAssertions, asserts, check_lines,
     "a word of one line of a list is not told of another",
     "\"X has the severity high\", which Y has"},
    {"switches", kAssertions, asserts, check_switches, "a flag was switched the way that is listed",
     "\"lanes_v2 was switched off\" for on"},
    {"named order", kAssertions, asserts, check_named_order,
     "\"A before B\" by the dated lines of both", "\"raised only after 4.2.0\" for before"},
    {"only", kAssertions, asserts, check_only, "what \"only\" leaves stands in the lines meant",
     "\"deployed to staging only\""},
    {"outcomes", kOutcomes, asserts, check_outcomes,
     "how it ended is told: resolved, reverted, fine", "\"it was rolled back\""},
    {"polarity", kPolarity, any, check_polarity,
     "what is denied here is denied there, and only that", "\"no customer was affected\""},
};

}  // namespace

std::span<const ClaimCheck> claim_checks() { return kChecks; }

}  // namespace precedent
