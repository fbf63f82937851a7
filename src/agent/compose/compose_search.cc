// What documents and past incidents say, where a question is answered by search.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "agent/compose/compose_parts.h"
#include "agent/compose/failures.h"
#include "agent/compose/section.h"
#include "agent/language/fixed_phrases.h"
#include "base/strings.h"
#include "search/self_query.h"

namespace precedent {

bool is_going_on(const Incident& incident) {
  return !incident.resolved_at && !incident.status.empty() && !is_closed_status(incident.status);
}

bool found_code(const Answer& answer) {
  return std::ranges::any_of(answer.receipts, [](const Receipt& receipt) {
    const auto* code = std::get_if<CodeResult>(&receipt.result);
    return code != nullptr && !code->items.empty();
  });
}

namespace {

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
    if (answer.intent.qualifiers.before && is_going_on(item.incident)) continue;
    best = std::max(best, item.relevance);
    // Incidents like a record are searched by its title: being near to it is all that counts.
    const bool supported =
        !answer.intent.except.empty() || std::ranges::any_of(evidence, [&](const Evidence& e) {
          return e.source.id == item.incident.incident_id && is_convincing(e);
        });
    if (supported && item.relevance >= kRelatedShare * best) near.push_back(&item);
  }
  return near;
}

// Past incidents that were not asked for must answer nearly as well as the best piece.
constexpr float kAsGood = 0.85f;
bool is_as_good(const IncidentItem& item, const std::vector<Evidence>& evidence) {
  return std::ranges::any_of(evidence, [&](const Evidence& e) {
    return e.source.id == item.incident.incident_id && e.score >= kAsGood * evidence.front().score;
  });
}

// Whether past incidents belong into the answer beside documents and code: if one answers best, or
// trouble is asked about.
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

// The best piece of evidence must be so much better than the best step for a line to lead.
constexpr float kMuchBetter = 1.25f;
// How many past incidents are listed beside the one that is told; the rest is counted.
constexpr size_t kMaxListed = 3;

// What a search has found, before a word of it is written.
struct Found {
  Answer& answer;
  Writer& out;
  const std::vector<Evidence>& evidence;

  const Receipt* searched = nullptr;
  const std::vector<const IncidentItem*> near = precedents();
  const bool by_itself = !answer.intent.follow_up;
  // Names of the question that the best piece does not mention: it is about something else.
  const std::vector<std::string> unmentioned = names_left_out();
  const bool remote = by_itself && (is_remote(evidence) || !unmentioned.empty());
  const bool code = found_code(answer);
  // One line answers it, rather than a story.
  const bool narrow = asks_for_a_line();
  const std::optional<FoundProcedure> procedure =
      find_procedure(answer, evidence, near.empty() ? "" : near.front()->incident.root_cause);
  bool quoted = false;

  std::vector<std::string> names_left_out() const {
    if (evidence.empty()) return {};
    const Evidence& best = evidence.front();
    // A row is of what it names, whatever else its table holds.
    if (best.form == Form::kRow) return answer.named.missing_in(best.source.id, text_of(best));
    return answer.named.missing_in(best.source.id);
  }
  // Incidents that answer, or similar ones if those are asked for.
  std::vector<const IncidentItem*> precedents() {
    std::vector<const IncidentItem*> found = precedent::precedents(answer, evidence, searched);
    const Asks& a = answer.intent.asks;
    if (!of_the_past() && answer.intent.except.empty() && a.steps && !a.remedy)
      std::erase_if(found, [&](const IncidentItem* item) { return !is_as_good(*item, evidence); });
    return found;
  }
  // People would follow steps even if nothing connects them with the question.
  bool on_it() const {
    return quoted || !near.empty() || (procedure && procedure->section->pointed_to);
  }
  // What happened before is asked for, by itself or as the way to a cause.
  bool of_the_past() const {
    const Intent& intent = answer.intent;
    const bool dated = !intent.times.empty() && !intent.asks.steps && !trouble();
    return intent.type == QuestionType::kSimilarIncidents || intent.signals.precedent ||
           intent.qualifiers.before || dated;
  }
  // The best piece is a step of a procedure and no fact is asked for: however the question is put,
  // one step alone is no answer.
  bool answers_by_steps() const {
    const Asks& a = answer.intent.asks;
    if (!procedure || evidence.empty() || narrow || of_the_past()) return false;
    const Evidence& best = evidence.front();
    const KnowledgeItem& section = *procedure->section;
    if (best.source.id != section.id) return false;
    const bool step = (best.form == Form::kItem || best.form == Form::kCommand) &&
                      best.source.lines == section.lines;
    return step || !(a.other || a.value || a.whether || a.cause);
  }
  // The answer is a procedure, which then comes first.
  bool leads_with_steps() const {
    const Asks& a = answer.intent.asks;
    if (!procedure || of_the_past()) return false;
    // The runbook of the alert that was pasted.
    if (procedure->section->pointed_to && answer.intent.signals.log_line) return true;
    if (narrow && !a.steps) return false;
    if (procedure->named || answers_by_steps()) return true;
    // A line of a record or a decision is no step, however well it fits.
    const auto rival = std::ranges::find_if(evidence, [](const Evidence& e) {
      return e.kind != Kind::kIncident && e.kind != Kind::kPostmortem && e.kind != Kind::kAdr;
    });
    return a.steps && procedure->support > 0 && rival->score < kMuchBetter * procedure->support;
  }
  // The past is asked about: what documents say is no answer.
  bool leads_with_incidents() const {
    const bool record = evidence.empty() || evidence.front().kind == Kind::kIncident;
    return of_the_past() && !near.empty() && (record || answer.intent.qualifiers.before);
  }
  bool of_incidents() const {
    if (leads_with_incidents()) return true;
    const bool first = !evidence.empty() && evidence.front().kind == Kind::kIncident;
    return !near.empty() && !leads_with_steps() && (!narrow || first) &&
           tells_of_incidents(answer, evidence);
  }
  bool trouble() const { return answer.intent.type == QuestionType::kDebugIncident; }
  // Steps were not asked for but may help: only where they are is said.
  bool points_to_steps() const {
    const Asks& a = answer.intent.asks;
    const bool told_for = answer.intent.type == QuestionType::kKnowledge ||
                          answer.intent.type == QuestionType::kDebugIncident;
    return procedure && !leads_with_steps() && on_it() &&
           (a.steps || a.remedy || a.command || (told_for && !narrow));
  }
  // Trouble that nothing here can measure ("after") is trouble, too.
  bool wants_steps() const {
    return trouble() || answer.intent.after == QuestionType::kDebugIncident ||
           answer.intent.asks.steps;
  }
  // Incidents beside the one that is told, or all if none is.
  std::span<const IncidentItem* const> others() const {
    return std::span(near).subspan(of_incidents() ? 1 : 0);
  }

 private:
  bool asks_for_a_line() const {
    const Asks& a = answer.intent.asks;
    return (a.number || a.person || a.time || a.command || a.count) &&
           answer.intent.type != QuestionType::kSimilarIncidents;
  }
};

void tell_not_direct(Found& c) {
  const std::vector<std::string>& names = c.unmentioned;
  c.out.missing(fmt::format(
      "{} directly{}.", kUnansweredNote,
      names.empty() ? ""
                    : fmt::format(": what comes nearest does not mention {}", join(names, ", "))));
  c.out.note(c.answer.missing.back());
}

// One line each: what it was, and how its cause begins.
void list_similar(Found& c) {
  const auto others = c.others();
  c.out.gap();
  c.out.line("**Similar incidents**");
  for (const IncidentItem* item : others.first(std::min(others.size(), kMaxListed)))
    tell_in_short(c.out, *item, *c.searched);
  if (others.size() > kMaxListed)
    c.out.line(fmt::format("and {} more.", others.size() - kMaxListed));
}

using Part = AnswerSection<Found>;
using In = const Found&;
using Of = Found&;
constexpr Part kSearch[] = {
    {"not_direct", "what was found only resembles the question",
     [](In c) { return c.remote && !c.code; }, tell_not_direct},
    {"nearest", "what was found only resembles the question", [](In c) { return c.remote; },
     [](Of c) {
       compose_nearest(c.out, c.evidence, true);
       if (c.answers_by_steps())
         show_section(c.out, *c.procedure->section, *c.procedure->receipt, "Steps of the nearest");
     },
     Then::kEnd},
    {"steps", "what to do is asked, and a procedure answers",
     [](In c) { return c.leads_with_steps(); },
     [](Of c) {
       show_section(c.out, *c.procedure->section, *c.procedure->receipt, "Steps");
       c.quoted = true;
     }},
    {"quotations", "something was found, and neither procedure nor record is the answer",
     [](In c) { return !c.leads_with_steps() && !c.leads_with_incidents(); },
     [](Of c) { c.quoted = quote_best(c.out, c.evidence, kMaxQuotes); }},
    {"incident", "a past incident belongs to the answer", [](In c) { return c.of_incidents(); },
     [](Of c) { describe_briefly(c.out, *c.near.front(), *c.searched, c.answer.intent.asks); }},
    {"similar_incidents", "past incidents are alike",
     [](In c) {
       return !c.others().empty() &&
              (c.of_the_past() || (!c.narrow && tells_of_incidents(c.answer, c.evidence)));
     },
     list_similar},
    {"steps_beside", "there is trouble or what to do is asked, and a procedure may help",
     [](In c) { return c.points_to_steps() && c.wants_steps(); },
     [](Of c) { show_section(c.out, *c.procedure->section, *c.procedure->receipt, "Steps"); }},
    {"where_steps_are", "a procedure may help, and was not asked for",
     [](In c) { return c.points_to_steps() && !c.wants_steps(); },
     [](Of c) { point_to_steps(c.out, *c.procedure); }},
    {"unanswered", "nothing found answers the question",
     [](In c) { return !c.on_it() && !c.code && !all_failed(c.answer.receipts); },
     [](Of c) { c.out.missing(std::string(kUnansweredQuestionNote)); }},
    {"no_similar", "similar incidents are asked for, and there are none",
     [](In c) {
       return c.on_it() && c.near.empty() &&
              c.answer.intent.type == QuestionType::kSimilarIncidents;
     },
     [](Of c) { c.out.missing("No similar incident was found."); }},
};

}  // namespace

void compose_search(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  Found found{answer, out, evidence};
  write_sections(std::span<const Part>(kSearch), found);
}

bool compose_message(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  const Evidence* message = pasted_message(evidence);
  if (message == nullptr) return false;
  out.gap();
  quote(out, *message);
  std::set<std::string> holders;  // every document and record that holds it
  for (const Evidence& e : evidence)
    if (is_message(e)) holders.insert(e.source.id);
  bool described = false;
  for (const Receipt& receipt : answer.receipts) {
    const IncidentsResult* result = incidents_of(&receipt);
    if (result == nullptr) continue;
    for (const IncidentItem& item : result->incidents) {
      if (holders.erase(item.incident.incident_id) == 0) continue;
      if (described) {
        tell_in_short(out, item, receipt);
      } else {
        describe_briefly(out, item, receipt, answer.intent.asks);
        out.gap();
      }
      described = true;
    }
  }
  std::vector<Evidence> beside;
  std::ranges::copy_if(evidence, std::back_inserter(beside),
                       [&](const Evidence& e) { return holders.contains(e.source.id); });
  compose_steps(answer, out, beside, "");
  return true;
}

void compose_precedents(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  const Receipt* receipt = nullptr;
  std::vector<const IncidentItem*> near = precedents(answer, evidence, receipt);
  // Open incidents were told already.
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

}  // namespace precedent
