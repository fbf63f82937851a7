// The parts that answers are composed of, each in the file that its comment names. Only compose*.cc
// include this.
//
// `evidence` is ranked, best first. Thread safety: pure functions over values.
#pragma once

#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "agent/compose/compose_writer.h"
#include "agent/evidence/hypothesis.h"
#include "agent/evidence/undone.h"
#include "text/analyzer.h"

namespace precedent {

// Whether the answer is one line of a record rather than the record.
bool is_specific(const Asks& asks);
// An incident that a search found: its title, and how its cause and what was done begin.
void describe_briefly(Writer& out, const IncidentItem& item, const Receipt& receipt,
                      const Asks& asks);
// The list of a tool that lists.
void compose_list(Answer& answer, Writer& out);
bool has_figures(const Answer& answer);
// What was computed over incidents.
void compose_figures(Answer& answer, Writer& out);
// Open incidents of the system that the question is about; nullptr if they were not asked for
// (plan/live_calls.h).
const IncidentsResult* open_incidents(const Answer& answer);
// Whether it began after `now`, so that nobody knew of it: a past moment may be asked about.
inline bool is_later(const Incident& incident, TimePoint now) {
  return incident.opened_at && *incident.opened_at > now;
}
void compose_open(Answer& answer, Writer& out);
// "Which one do you mean?", and the incidents that it may be: answer.remembered.
void compose_candidates(Answer& answer, Writer& out);
// The records that were looked up or remembered.
void compose_lookup(Answer& answer, Writer& out, const std::vector<Evidence>& evidence);

// An objective of a system, or what depends on it: tells it, or says that it is not recorded, since
// nothing else answers such a question. Returns whether one was asked.
bool compose_absent(Answer& answer, Writer& out, const std::vector<Evidence>& evidence);
// The action items of the incidents that are named, those that are open if that is asked:
// compose_work.cc. Returns whether there were any.
bool compose_work(Answer& answer, Writer& out);

// The section whose steps answer: of the document that evidence points to; where `cause` is known,
// of the one that deals with it. Nothing if no procedure was found. compose_procedure.cc.
struct FoundProcedure {
  const KnowledgeItem* section;  // of the receipt
  const Receipt* receipt;
  float support;  // the score of its document's best piece of evidence
  bool named;     // the question says the document's title
};
std::optional<FoundProcedure> find_procedure(const Answer& answer,
                                             const std::vector<Evidence>& evidence,
                                             std::string_view cause);
// A section under a line that names it; a long one as far as there is room, with where the rest is.
void show_section(Writer& out, const KnowledgeItem& section, const Receipt& receipt,
                  std::string_view label);
// The share of the terms `wanted` that a text holds.
float overlap(const std::set<std::string>& wanted, std::string_view text, const Analyzer& analyzer);
// Where they stand, in one line.
void point_to_steps(Writer& out, const FoundProcedure& found);
// The steps, if any were found.
void compose_steps(Answer& answer, Writer& out, const std::vector<Evidence>& evidence,
                   std::string_view cause);
// The place that holds the message which the question pasted: its line, then the steps beside it or
// what is recorded of the incident: compose_search.cc. Returns whether there was one.
bool compose_message(Answer& answer, Writer& out, const std::vector<Evidence>& evidence);
// What documents and past incidents say, where nothing else answers: compose_search.cc.
void compose_search(Answer& answer, Writer& out, const std::vector<Evidence>& evidence);
// Whether the record says that it is not over.
bool is_going_on(const Incident& incident);
bool found_code(const Answer& answer);
// Past incidents near to the question: the nearest one described, the others listed.
void compose_precedents(Answer& answer, Writer& out, const std::vector<Evidence>& evidence);
// The results of one kind, each with its receipt, in the order of the calls.
template <typename ResultType>
std::vector<std::pair<const Receipt*, const ResultType*>> results_of(const Answer& answer) {
  std::vector<std::pair<const Receipt*, const ResultType*>> found;
  for (const Receipt& receipt : answer.receipts)
    if (const auto* result = std::get_if<ResultType>(&receipt.result))
      found.emplace_back(&receipt, result);
  return found;
}
Source source_of(const Change& change, const Receipt& receipt);
Source source_of(const MetricsResult& metric, const Receipt& receipt);
// The receipt itself: what is computed stands in no document.
Source source_of(const FiguresResult& figures, const Receipt& receipt);
// A metric by its name; if it has several series, with the labels of the one that was measured.
std::string metric_label(const MetricsResult& metric);
// What may be behind what the metrics did: compose_cause.cc.
struct Causes {
  const Onset* onset;  // null: nothing was measured that began
  const std::vector<Moved>& moved;
  const std::optional<Suspect>& suspect;
  const std::optional<Recorded>& recorded;
  std::optional<Undone> undone = {};  // the suspected change
};
void compose_cause(Writer& out, const Causes& causes);
// A line below the headline: the suspected change was undone, and what happened then, which speaks
// for or against it.
void tell_undone(Writer& out, const Suspect& suspect, const Undone& undone, const Onset* onset);
// A change with the receipt that tells of it.
struct ShownChange {
  const Receipt* receipt;
  const Change* change;
};
// The changes in an answer's receipts, newest first, each once, at most `most`.
std::vector<ShownChange> changes_of(const Answer& answer, size_t most);
// A line on it, and the files that it touched.
void tell_whole(Writer& out, const ShownChange& shown);
// What the record of changes says: compose_changes.cc. All of it, if nothing else is asked.
void compose_changes(Answer& answer, Writer& out);
// One line: whether what is blamed was changed before the trouble began, or after. `begun`: nothing
// if nothing began.
void compose_blame(Answer& answer, Writer& out, std::optional<Instant> begun);
void compose_changes_gaps(Answer& answer, Writer& out);
// Which alerts are active: alert_lines.cc.
void compose_alerts(Answer& answer, Writer& out);
// Whether metrics or changes were asked for, and whether there was an answer.
bool has_asked_systems(const Answer& answer);
bool has_live_results(const Answer& answer);
// When what is asked about began, by the metrics.
std::optional<Onset> onset_of(const Answer& answer);
// The service whose changes may be behind it: the one that is asked about or, if none is named, the
// one whose series moved most. "": any.
std::string suspected_service(const Answer& answer, const Onset* onset);
void tell_onset(Writer& out, const Onset& onset, TimePoint now);
// What was read of a system before, if nothing more is asked (Intent::recall): compose_recall.cc.
void compose_recall(Answer& answer, Writer& out);
// What changed, what the metrics say, where it stands in the code, which cause is likely, what to
// do: compose_live.cc.
void compose_investigation(Answer& answer, Writer& out, const std::vector<Evidence>& evidence);
// The places in the code that were found, those of files the changes touched first:
// compose_code.cc. Then what `evidence` says otherwise of the same setting.
void compose_code(Answer& answer, Writer& out, const std::vector<Evidence>& evidence);
// What metrics, changes and code did not have.
void compose_gaps(Answer& answer, Writer& out);
// What was not found and what could not be looked at, unless it is said already.
void tell_gaps(Answer& answer, Writer& out);
// Below the headline, what could not be looked at: whoever reads on must know what the rest lacks.
void tell_failures(Answer& answer, Writer& out);
// Expired documents that are quoted, the gaps, the status and the sources: compose_ending.cc.
void tell_ending(Answer& answer, Writer& out);
// Whom to call and how: compose_contact.cc.
void compose_contact(Answer& answer, Writer& out, const std::vector<Evidence>& evidence);
// The question names something that does not exist: the nearest documents are shown as such, and
// nothing as the answer. `with_lines`: also the nearest line of each.
void compose_nearest(Writer& out, const std::vector<Evidence>& evidence, bool with_lines = false);
// The documents that were asked for; then what the best of them says.
void compose_documents(Answer& answer, Writer& out, const std::vector<Evidence>& evidence);
// A follow-up on a document gets the section that it names, or the lines that answer, or the steps
// if it asks for nothing else. Returns whether anything was written.
bool compose_document(Answer& answer, Writer& out, const std::vector<Evidence>& evidence);

}  // namespace precedent
