#include "agent/compose/compose.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "agent/compose/compose_parts.h"
#include "agent/compose/failures.h"
#include "agent/language/own_notes.h"
#include "base/strings.h"
#include "search/self_query.h"

namespace precedent {
namespace {

// "Has it had 502s before?": not "what was changed before the deploy".
bool asks_of_the_past(const Intent& intent) {
  static const RE2 kPast(
      "(?i)\\b(?:ha[sd]|have|did|was|were)\\b[^.?!]*(?:\\b(?:ever|previously|already|in the "
      "past)\\b|"
      "\\b(?:before|earlier)\\s*(?:$|[?.!,;]))");
  return RE2::PartialMatch(intent.question, kPast);
}

// Which the records say is not over.
bool is_going_on(const Incident& incident) {
  return !incident.resolved_at && !incident.status.empty() && !is_closed_status(incident.status);
}

// Those that are going on, of all that was found, each once.
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

// The incidents of a search that are near enough to the best one to be called precedents.
std::vector<const IncidentItem*> precedents(const Answer& answer,
                                            const std::vector<Evidence>& evidence,
                                            const Receipt*& receipt) {
  receipt = receipt_of(answer, "search_similar_incidents");
  const IncidentsResult* result = incidents_of(receipt);
  std::vector<const IncidentItem*> near;
  if (result == nullptr || result->incidents.empty()) return near;
  float best = 0;
  for (const IncidentItem& item : result->incidents) {
    if (item.incident.incident_id == answer.intent.except) continue;
    if (is_later(item.incident, answer.intent.now)) continue;
    if (asks_of_the_past(answer.intent) && is_going_on(item.incident)) continue;
    best = std::max(best, item.relevance);
    // Others like a record are asked for by its title: that they are near to it is all there is.
    const bool supported =
        !answer.intent.except.empty() || std::ranges::any_of(evidence, [&](const Evidence& e) {
          return e.source.id == item.incident.incident_id && is_convincing(e);
        });
    if (supported && item.relevance >= kRelatedShare * best) near.push_back(&item);
  }
  return near;
}

bool found_code(const Answer& answer) {
  return std::ranges::any_of(answer.receipts, [](const Receipt& receipt) {
    const auto* code = std::get_if<CodeResult>(&receipt.result);
    return code != nullptr && !code->items.empty();
  });
}

// Whether a past incident belongs to the answer beside what documents and code say: where it answers best, or trouble is asked about.
bool tells_of_incidents(const Answer& answer, const std::vector<Evidence>& evidence) {
  const Intent& intent = answer.intent;
  const Kind best = evidence.empty() ? Kind::kIncident : evidence.front().kind;
  if (intent.type == QuestionType::kSimilarIncidents || intent.signals.precedent) return true;
  if (intent.type == QuestionType::kExplainCode && found_code(answer)) return false;
  if (intent.signals.architecture || intent.signals.slo || intent.signals.alerts)
    return best == Kind::kIncident;
  // A record of design that gives the reason is the answer to why something is so.
  return best != Kind::kAdr || intent.signals.behaviour() || intent.asks.remedy;
}

void compose_search(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  const Asks& a = answer.intent.asks;
  const bool narrow = (a.number || a.person || a.time || a.command || a.count) &&
                      answer.intent.type != QuestionType::kSimilarIncidents;
  if (!answer.intent.follow_up && is_remote(evidence)) {
    if (!found_code(answer)) {
      out.missing(fmt::format("{} directly.", kUnansweredNote));
      out.note(answer.missing.back());
    }
    compose_nearest(out, evidence);
    return;
  }
  const bool quoted = quote_best(out, evidence, kMaxQuotes);
  const Receipt* receipt = nullptr;
  const std::vector<const IncidentItem*> near = precedents(answer, evidence, receipt);
  const bool incident_first = !evidence.empty() && evidence.front().kind == Kind::kIncident;
  if (!near.empty() && (!narrow || incident_first) && tells_of_incidents(answer, evidence)) {
    describe_incident(out, *near.front(), *receipt, a);
    if (near.size() > 1) {
      out.gap();
      out.line("**Similar incidents:**");
      for (size_t i = 1; i < near.size(); ++i) {
        out.line(fmt::format("- {} {}", one_line(near[i]->incident),
                             out.cite(source_of(*near[i], *receipt))));
      }
    }
  }
  // Steps that nothing connects with the question would be followed all the same.
  const bool on_it = quoted || !near.empty();
  const bool told_for = answer.intent.type == QuestionType::kKnowledge ||
                        answer.intent.type == QuestionType::kDebugIncident;
  if (on_it && (a.steps || a.remedy || a.command || (told_for && !narrow)))
    compose_steps(answer, out, evidence, near.empty() ? "" : near.front()->incident.root_cause);
  if (!on_it && !found_code(answer)) {
    out.missing(fmt::format("{} question.", kUnansweredNote));
  } else if (on_it && near.empty() && answer.intent.type == QuestionType::kSimilarIncidents) {
    out.missing("No similar incident was found.");
  }
}

}  // namespace

void tell_gaps(Answer& answer, Writer& out) {
  for (std::string& failure : failures_of(answer.receipts)) out.missing(std::move(failure));
  for (const auto* gaps : {&answer.missing, &answer.unasked}) {
    for (const std::string& gap : *gaps) {
      if (answer.text.contains(gap)) continue;
      out.gap();
      out.note(gap);
    }
  }
}

namespace {

// Whoever reads on must know what the rest lacks.
void tell_failures(Answer& answer, Writer& out) {
  std::vector<std::string> untold;
  for (std::string& failure : failures_of(answer.receipts)) {
    if (!answer.text.contains(failure)) untold.push_back(failure);
    out.missing(std::move(failure));
  }
  out.below_headline(untold);
}

// Whether something is wrong now, where nothing shows it: that comes first, and what was before is no
// answer but may help.
void compose_unseen(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  tell_gaps(answer, out);
  compose_open(answer, out);
  quote_best(out, evidence, kMaxQuotes);
  compose_precedents(answer, out, evidence);
}

// What was quoted of documents that have expired, as far as it is not told beside the quotation.
void tell_expired(Answer& answer, Writer& out) {
  const auto tell = [&](const KnowledgeItem& item, const Receipt& receipt) {
    if (!item.expired_at) return;
    const std::string text = expired_text(item.title, *item.expired_at);
    if (answer.text.contains(text)) return;
    const auto cited = std::ranges::find_if(answer.sources, [&](const Source& source) {
      return source.id == item.id && source.receipt == receipt.id;
    });
    if (cited == answer.sources.end()) return;
    out.gap();
    out.line(fmt::format("{} {}", text, out.cite(Source(*cited))));
  };
  for (const Receipt& receipt : answer.receipts) {
    if (const auto* found = std::get_if<KnowledgeResult>(&receipt.result))
      for (const KnowledgeItem& item : found->items) tell(item, receipt);
    if (const auto* found = std::get_if<SectionsResult>(&receipt.result))
      for (const KnowledgeItem& item : found->sections) tell(item, receipt);
  }
}

void finish(Answer& answer, Writer& out) {
  tell_expired(answer, out);
  tell_gaps(answer, out);
  if (trim(answer.text).empty()) {
    out.missing(fmt::format("{} question.", kUnansweredNote));
    out.note(answer.missing.back());
  }
  const bool all_failed =
      !answer.receipts.empty() && std::ranges::all_of(answer.receipts, [](const Receipt& r) {
        return r.status == ReceiptStatus::kError;
      });
  answer.status = all_failed               ? AnswerStatus::kError
                  : answer.missing.empty() ? AnswerStatus::kOk
                                           : AnswerStatus::kPartial;
  if (!answer.intent.candidates.empty()) answer.status = AnswerStatus::kNeedsInput;
  if (answer.sources.empty()) return;
  out.gap();
  out.line("**Sources**");
  std::set<std::string> listed;
  for (const Source& source : answer.sources) {
    if (!listed.insert(source.id).second) continue;
    out.line(fmt::format("- {} — {} ({}{})", source.id, source.title, source.kind,
                         source.path.empty() ? "" : ", " + source.path));
  }
}

}  // namespace

void compose_precedents(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  const Receipt* receipt = nullptr;
  std::vector<const IncidentItem*> near = precedents(answer, evidence, receipt);
  // Those that are open were told as such.
  if (const IncidentsResult* open = open_incidents(answer))
    std::erase_if(near, [&](const IncidentItem* item) {
      return std::ranges::any_of(open->incidents, [&](const IncidentItem& other) {
        return other.incident.incident_id == item->incident.incident_id;
      });
    });
  if (near.empty()) return;
  out.gap();
  out.line("**Similar incidents**");
  for (const IncidentItem* item : near)
    out.line(with_cause(item->incident) + " " + out.cite(source_of(*item, *receipt)));
}

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

// Whether an investigation was made of something that is known, beside which something else is not.
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

// The time of a question on what systems did or do, where it is yet to come; nullptr if it is not.
const TimeHint* future_of(const Intent& intent) {
  const bool measured = intent.type == QuestionType::kDebugIncident || intent.signals.behaviour();
  if (!measured || intent.times.empty()) return nullptr;
  const bool all = std::ranges::all_of(intent.times, [&](const TimeHint& hint) {
    return hint.range.from && *hint.range.from > intent.now;
  });
  return all ? &intent.times.front() : nullptr;
}

// All but the sources, and but for what is going on where the past is asked about.
void compose_found(Answer& answer, Writer& out, const std::vector<Evidence>& evidence,
                   std::vector<std::string> unknown) {
  // Whom and what the record of changes knows need not stand in a document.
  std::erase_if(unknown, [&](const std::string& name) {
    return std::ranges::any_of(answer.intent.subjects, [&](const Subject& subject) {
      return (subject.kind == SubjectKind::kPerson || subject.kind == SubjectKind::kFlag) &&
             subject.text.contains(name);
    });
  });
  const bool beside = is_investigated_all_the_same(answer, unknown);
  if (!answer.intent.order.empty()) {
    const std::string sentence =
        fmt::format("{} {} anything for you.", kOnlyReadsNote, answer.intent.order);
    out.note(sentence);
    out.missing(sentence);
    out.gap();
  }
  if (!answer.intent.taken_for.empty()) {
    out.note(answer.intent.taken_for);
    out.gap();
  }
  if (const TimeHint* future = future_of(answer.intent)) {
    out.missing(fmt::format("'{}{}", future->text, kFutureNote));
    return out.note(answer.missing.back());
  }
  if (const std::string when = asked_future(answer.intent.question); !when.empty()) {
    out.missing(fmt::format("'{}{}", when, kUnknownFutureNote));
    return out.note(answer.missing.back());
  }
  for (const std::string& name : unknown) {
    const std::string sentence = fmt::format("Nothing in the knowledge base mentions '{}'.", name);
    if (!beside) out.line(sentence);
    out.missing(sentence);
  }
  if (beside) unknown.clear();
  // What nobody could be asked comes before what documents say instead.
  if (asks_only_for_records(answer.intent) && !has_asked_systems(answer)) {
    for (const std::string& gap : answer.unasked) out.note(gap);
    out.gap();
  }
  if (!answer.intent.candidates.empty()) return compose_candidates(answer, out);
  if (answer.intent.recall != Recall::kNothing) return compose_recall(answer, out);
  switch (answer.intent.type) {
    case QuestionType::kLookupIncident: compose_lookup(answer, out, evidence); break;
    case QuestionType::kApplicationIncidents: compose_list(answer, out); break;
    case QuestionType::kRecentIncidents:
      // What is asked about does not exist: other incidents of that time are no answer.
      if (unknown.empty()) compose_list(answer, out);
      break;
    default:
      if (unknown.empty() && !answer.intent.documents.kinds.empty()) {
        compose_documents(answer, out, evidence);
        if (answer.intent.investigated && has_live_results(answer)) {
          out.gap();
          compose_investigation(answer, out, evidence);
        }
        break;
      }
      if (!answer.intent.document.empty() && compose_document(answer, out, evidence)) break;
      if (answer.intent.asks.contact && unknown.empty()) {
        compose_contact(answer, out, evidence);
        if (answer.intent.questions.size() > 1) {
          out.gap();
          compose_search(answer, out, evidence);
        }
        break;
      }
      if (asks_only_for_records(answer.intent) && has_asked_systems(answer)) {
        if (answer.intent.signals.firing) compose_alerts(answer, out);
        compose_open(answer, out);
        compose_changes(answer, out);
        break;
      }
      if (has_live_results(answer)) {
        // What is there beside something that is not is not about it.
        if (unknown.empty()) compose_investigation(answer, out, evidence);
        break;
      }
      if (answer.intent.type == QuestionType::kDebugIncident && answer.intent.asks.whether &&
          unknown.empty()) {
        compose_unseen(answer, out, evidence);
        break;
      }
      if (unknown.empty() && compose_absent(answer, out, evidence)) break;
      if (found_code(answer)) compose_code(answer, out, evidence);
      unknown.empty() ? compose_search(answer, out, evidence) : compose_nearest(out, evidence);
      break;
  }
  compose_gaps(answer, out);
}

// All but the sources. What has been before is not answered by what is going on, which is named by the way.
void compose_body(Answer& answer, Writer& out, const std::vector<Evidence>& evidence,
                  const std::vector<std::string>& unknown) {
  const auto ongoing = going_on(answer);
  if (ongoing.empty() || !asks_of_the_past(answer.intent))
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
    if (answer.text.contains(incident.incident_id)) continue;
    out.gap();
    out.line(fmt::format("{} \"{}\" is going on now, and is not counted. {}", incident.incident_id,
                         incident.title, out.cite(source_of(*one->second, *one->first))));
  }
}

// The question as a heading: its last line, where others stand before it.
std::string heading_of(const Intent& part) {
  std::string text = part.question;
  std::ranges::replace(text, '\n', ' ');
  text.resize(text.find_last_not_of(" ?.!") + 1);
  return fmt::format("**{}?**", text);
}

}  // namespace

void compose_parts(Answer& answer, const std::vector<AnswerPart>& parts,
                   const std::vector<std::string>& left_out) {
  Writer out(answer);
  for (const AnswerPart& part : parts) {
    Answer own;
    own.intent = part.intent;
    own.receipts = part.receipts;
    Writer writer(own);
    compose_body(own, writer, part.evidence, part.unknown);
    tell_failures(own, writer);
    tell_gaps(own, writer);
    if (trim(own.text).empty()) {
      writer.missing(fmt::format("{} question.", kUnansweredNote));
      writer.note(own.missing.back());
    }
    // One part and what leans on it: a heading of its own would tell nothing.
    if (parts.size() > 1) {
      out.gap();
      out.note(heading_of(part.intent));
      out.line("");
    }
    out.take(std::move(own));
  }
  for (const std::string& question : left_out)
    out.missing(fmt::format(
        "Not answered: '{}'. It leans on what was found; ask it again with one of those names.",
        question));
  finish(answer, out);
}

void compose(Answer& answer, const std::vector<Evidence>& evidence,
             const std::vector<std::string>& unknown) {
  Writer out(answer);
  compose_body(answer, out, evidence, unknown);
  tell_failures(answer, out);
  finish(answer, out);
}

}  // namespace precedent
