#include "agent/compose/compose.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agent/compose/compose_parts.h"
#include "agent/compose/section.h"
#include "agent/language/fixed_phrases.h"
#include "base/strings.h"

namespace precedent {

bool quotes_evidence(const Intent& intent) {
  switch (intent.type) {
    case QuestionType::kApplicationIncidents:
    case QuestionType::kRecentIncidents: return false;
    case QuestionType::kLookupIncident:
      return intent.follow_up || is_specific(intent.asks) || intent.asks.steps;
    default: return true;
  }
}

namespace {

// Whether something known was investigated, although the question also names something unknown.
bool is_investigated_all_the_same(const Answer& answer, const std::vector<std::string>& unknown) {
  if (answer.intent.type != QuestionType::kDebugIncident || !has_live_results(answer)) return false;
  const auto is_unknown = [&](const Subject& subject) {
    return std::ranges::any_of(
        unknown, [&](const std::string& name) { return subject.text.ends_with(name); });
  };
  const std::vector<Subject>& subjects = answer.intent.subjects;
  // "p95 of /v1/nothing": a metric of what is not there.
  const bool of_unknown = std::ranges::any_of(subjects, is_unknown);
  return std::ranges::any_of(subjects, [&](const Subject& subject) {
    const bool system = subject.kind == SubjectKind::kEndpoint ||
                        subject.kind == SubjectKind::kService ||
                        subject.kind == SubjectKind::kApplication ||
                        (subject.kind == SubjectKind::kMetric && !of_unknown);
    return system && !is_unknown(subject);
  });
}

// The time of a question about systems, if all of it lies in the future; else nullptr.
const TimeHint* future_of(const Intent& intent) {
  const bool measured = intent.type == QuestionType::kDebugIncident || intent.signals.behaviour();
  if (!measured || intent.times.empty()) return nullptr;
  const bool all = std::ranges::all_of(intent.times, [&](const TimeHint& hint) {
    return hint.range.from && *hint.range.from > intent.now;
  });
  return all ? &intent.times.front() : nullptr;
}

// What an answer is made of, before a word of it is written.
struct Composition {
  Answer& answer;
  Writer& out;
  const std::vector<Evidence>& evidence;
  std::vector<std::string> unknown;  // names in the question that nothing mentions

  bool message = false;  // what the question pasted was found, and is told

  // If a name is unknown, the rest of what was found is not about it, unless a system was
  // investigated.
  const bool beside = is_investigated_all_the_same(answer, unknown);
  const Intent& intent = answer.intent;
  bool known() const { return unknown.empty(); }
  bool of_type(QuestionType type) const { return intent.type == type; }
  // Only records are asked for, and they were read.
  bool records() const { return asks_only_for_records(intent) && has_asked_systems(answer); }
};
using Part = AnswerSection<Composition>;
using In = const Composition&;
using Of = Composition&;

void tell_order(Of c) {
  const std::string sentence =
      fmt::format("{} {} anything for you.", kOnlyReadsNote, c.intent.order);
  c.out.note(sentence);
  c.out.missing(sentence);
  c.out.gap();
}

// "'Tomorrow' has not come yet", in the words of the question; "" if nothing of it lies in the
// future.
std::string future_in(In c) {
  if (const TimeHint* future = future_of(c.intent))
    return fmt::format("'{}{}", future->text, kFutureNote);
  const std::string& when = c.intent.qualifiers.future;
  return when.empty() ? "" : fmt::format("'{}{}", when, kUnknownFutureNote);
}

void tell_unknown(Of c) {
  for (const std::string& name : c.unknown) {
    const std::string sentence = unmentioned_note(name);
    if (!c.beside) c.out.line(sentence);
    c.out.missing(sentence);
  }
  if (c.beside) c.unknown.clear();
}

void tell_documents(Of c) {
  compose_documents(c.answer, c.out, c.evidence);
  if (c.intent.asks.contact) {
    c.out.gap();
    compose_contact(c.answer, c.out, c.evidence);
  }
  if (!c.intent.investigated || !has_live_results(c.answer)) return;
  c.out.gap();
  compose_investigation(c.answer, c.out, c.evidence);
}

void tell_contact(Of c) {
  compose_contact(c.answer, c.out, c.evidence);
  if (c.intent.questions.size() < 2) return;
  c.out.gap();
  compose_search(c.answer, c.out, c.evidence);
}

// Asked whether something is wrong now, and nothing could show it: that comes first. The past is no
// answer, but may help.
void tell_unseen(Of c) {
  tell_gaps(c.answer, c.out);
  compose_open(c.answer, c.out);
  quote_best(c.out, c.evidence, kMaxQuotes);
  compose_precedents(c.answer, c.out, c.evidence);
}

// The answer itself: one of these, by what is asked and was found.
constexpr Part kFindings[] = {
    {"record", "an incident is asked about",
     [](In c) { return c.of_type(QuestionType::kLookupIncident); },
     [](Of c) { compose_lookup(c.answer, c.out, c.evidence); }, Then::kEnd},
    {"figures", "figures over the incidents were computed",
     [](In c) { return has_figures(c.answer); }, [](Of c) { compose_figures(c.answer, c.out); },
     Then::kEnd},
    {"list", "incidents are to be listed",
     [](In c) {
       return c.of_type(QuestionType::kApplicationIncidents) ||
              c.of_type(QuestionType::kRecentIncidents);
     },
     [](Of c) {
       // If the subject does not exist, other incidents of that time are no answer.
       if (c.known() || c.of_type(QuestionType::kApplicationIncidents))
         compose_list(c.answer, c.out);
     },
     Then::kEnd},
    {"documents", "documents of a kind are asked for",
     [](In c) { return c.known() && !c.intent.documents.kinds.empty(); }, tell_documents,
     Then::kEnd},
    {"document", "one document is meant", [](In c) { return !c.intent.document.empty(); },
     [](Of c) { compose_document(c.answer, c.out, c.evidence); }, Then::kEndIfWritten},
    {"contact", "whom to call is asked", [](In c) { return c.intent.asks.contact && c.known(); },
     tell_contact, Then::kEnd},
    {"alerts", "which alerts are active is asked",
     [](In c) { return c.records() && c.intent.signals.firing; },
     [](Of c) { compose_alerts(c.answer, c.out); }},
    {"open_incidents", "alerts or changes are asked for", [](In c) { return c.records(); },
     [](Of c) { compose_open(c.answer, c.out); }},
    {"changes", "alerts or changes are asked for", [](In c) { return c.records(); },
     [](Of c) { compose_changes(c.answer, c.out); }, Then::kEnd},
    {"message", "what the question pasted stands somewhere",
     [](In c) {
       return (c.intent.signals.log_line || !is_specific(c.intent.asks)) &&
              pasted_message(c.evidence) != nullptr;
     },
     [](Of c) { c.message = compose_message(c.answer, c.out, c.evidence); }},
    {"investigation", "metrics or changes were looked at",
     [](In c) { return has_live_results(c.answer); },
     [](Of c) {
       if (c.known()) compose_investigation(c.answer, c.out, c.evidence);
     },
     Then::kEnd},
    {"unseen", "whether something is wrong is asked, and nothing could show it",
     [](In c) {
       return c.of_type(QuestionType::kDebugIncident) && c.intent.asks.whether && c.known();
     },
     tell_unseen, Then::kEnd},
    {"not_recorded", "an objective or a dependency is asked for", [](In c) { return c.known(); },
     [](Of c) { compose_absent(c.answer, c.out, c.evidence); }, Then::kEndIfWritten},
    {"code", "code was found", [](In c) { return found_code(c.answer); },
     [](Of c) { compose_code(c.answer, c.out, c.evidence); }},
    {"search", "all names of the question are known, and nothing was pasted that stands somewhere",
     [](In c) { return c.known() && !c.message; },
     [](Of c) { compose_search(c.answer, c.out, c.evidence); }, Then::kEnd},
    {"nearest", "a name of the question is not known", [](In c) { return !c.message; },
     [](Of c) { compose_nearest(c.out, c.evidence); }},
};

constexpr Part kAnswer[] = {
    {"order", "something is to be done", [](In c) { return !c.intent.order.empty(); }, tell_order},
    {"taken_for", "a name was not as the sources have it",
     [](In c) { return !c.intent.taken_for.empty(); },
     [](Of c) {
       c.out.note(c.intent.taken_for);
       c.out.gap();
     }},
    {"future", "it is asked what has not come yet", [](In c) { return !future_in(c).empty(); },
     [](Of c) {
       c.out.missing(future_in(c));
       c.out.note(c.answer.missing.back());
     },
     Then::kEnd},
    {"unknown_names", "nothing mentions a name of the question",
     [](In c) { return !c.unknown.empty(); }, tell_unknown},
    // What could not be asked comes before what documents say instead.
    {"not_asked", "alerts or changes are asked for, and nobody could be asked",
     [](In c) { return asks_only_for_records(c.intent) && !has_asked_systems(c.answer); },
     [](Of c) {
       for (const std::string& gap : c.answer.unasked) c.out.note(gap);
       c.out.gap();
     }},
    {"candidates", "several incidents may be meant",
     [](In c) { return !c.intent.candidates.empty(); },
     [](Of c) { compose_candidates(c.answer, c.out); }, Then::kEnd},
    {"recall", "the conversation holds it",
     [](In c) { return c.intent.recall != Recall::kNothing; },
     [](Of c) { compose_recall(c.answer, c.out); }, Then::kEnd},
    {"findings", "the question can be answered", [](In) { return true; },
     [](Of c) { write_sections(std::span<const Part>(kFindings), c); }},
    {"gaps", "the question can be answered", [](In) { return true; },
     [](Of c) { compose_gaps(c.answer, c.out); }},
};

// The answer without its sources; open incidents are left out by the caller if the past is asked
// about.
void compose_found(Answer& answer, Writer& out, const std::vector<Evidence>& evidence,
                   std::vector<std::string> unknown) {
  // People and flags in the record of changes need not be in a document.
  std::erase_if(unknown, [&](const std::string& name) {
    return std::ranges::any_of(answer.intent.subjects, [&](const Subject& subject) {
      return (subject.kind == SubjectKind::kPerson || subject.kind == SubjectKind::kFlag) &&
             subject.text.contains(name);
    });
  });
  Composition composition{answer, out, evidence, std::move(unknown)};
  write_sections(std::span<const Part>(kAnswer), composition);
}

// The open incidents among all that was found, each once.
std::vector<std::pair<const Receipt*, const IncidentItem*>> going_on(const Answer& answer) {
  std::vector<std::pair<const Receipt*, const IncidentItem*>> all;
  std::set<std::string> ids;
  for (const Receipt& receipt : answer.receipts)
    if (const IncidentsResult* result = incidents_of(&receipt))
      for (const IncidentItem& item : result->incidents)
        if (is_going_on(item.incident) && ids.insert(item.incident.incident_id).second)
          all.emplace_back(&receipt, &item);
  return all;
}

// The answer without its sources. An open incident does not answer a question about the past; it is
// named at the end.
void compose_body(Answer& answer, Writer& out, const std::vector<Evidence>& evidence,
                  const std::vector<std::string>& unknown) {
  const auto ongoing = going_on(answer);
  if (ongoing.empty() || !answer.intent.qualifiers.before)
    return compose_found(answer, out, evidence, unknown);
  std::vector<Evidence> past = evidence;
  std::vector<const std::pair<const Receipt*, const IncidentItem*>*> meant;
  for (const auto& one : ongoing) {
    const bool near = std::erase_if(past, [&](const Evidence& piece) {
      return piece.source.id == one.second->incident.incident_id && is_convincing(piece);
    });
    std::erase_if(past, [&](const Evidence& piece) {
      return piece.source.id == one.second->incident.incident_id;
    });
    if (near) meant.push_back(&one);
  }
  compose_found(answer, out, past, unknown);
  for (const auto* one : meant) {
    const Incident& incident = one->second->incident;
    if (std::ranges::find(answer.sources, incident.incident_id, &Source::id) !=
        answer.sources.end())
      continue;
    out.gap();
    out.line(fmt::format("{} \"{}\" is going on now, and is not counted. {}", incident.incident_id,
                         incident.title, out.cite(source_of(*one->second, *one->first))));
  }
}

// The question as a heading.
std::string heading_of(const Intent& part) {
  std::string text = part.asked.text.to_show();
  std::ranges::replace(text, '\n', ' ');
  text.resize(text.find_last_not_of(" ?.!") + 1);
  return fmt::format("**{}?**", text);
}

}  // namespace

void compose_parts(Answer& answer, const std::vector<AnswerPart>& parts,
                   const std::vector<FrozenText>& left_out) {
  Writer out(answer);
  for (const AnswerPart& part : parts) {
    Answer own;
    own.intent = part.intent;
    own.receipts = part.receipts;
    own.named = part.named;
    Writer writer(own);
    compose_body(own, writer, part.evidence, part.unknown);
    tell_failures(own, writer);
    tell_gaps(own, writer);
    if (trim(own.text).empty()) {
      writer.missing(std::string(kUnansweredQuestionNote));
      writer.note(own.missing.back());
    }
    // With only one part, a heading would say nothing.
    if (parts.size() > 1) {
      out.gap();
      out.note(heading_of(part.intent));
      out.line("");
    }
    out.take(std::move(own));
  }
  for (const FrozenText& question : left_out)
    out.missing(fmt::format(
        "Not answered: '{}'. It leans on what was found; ask it again with one of those names.",
        question.to_show()));
  tell_ending(answer, out);
}

void compose(Answer& answer, const std::vector<Evidence>& evidence,
             const std::vector<std::string>& unknown) {
  Writer out(answer);
  compose_body(answer, out, evidence, unknown);
  tell_failures(answer, out);
  tell_ending(answer, out);
}

}  // namespace precedent
