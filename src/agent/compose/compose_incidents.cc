#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "agent/compose/compose_parts.h"
#include "agent/converse/held_terms.h"
#include "agent/findings/extra_fields.h"
#include "agent/findings/given_arguments.h"
#include "agent/language/field_words.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "text/analyzer.h"
#include "text/markdown.h"
#include "text/sentences.h"

namespace precedent {
namespace {

// Whether a word names the incident's own time: "April", "2025", "April's".
bool says_its_time(const std::string& word, const Incident& i) {
  static constexpr std::string_view kMonths[] = {"january",   "february", "march",    "april",
                                                 "may",       "june",     "july",     "august",
                                                 "september", "october",  "november", "december"};
  std::string said = ascii_lower(word);
  if (said.ends_with("'s")) said.resize(said.size() - 2);
  for (const auto& at : {began(i), i.resolved_at}) {
    if (!at) continue;
    const std::string date = format_date(*at);  // 2025-04-22
    if (said.size() >= 3 && kMonths[std::stoul(date.substr(5, 2)) - 1].starts_with(said))
      return true;
    if (said == date.substr(0, 4) || said == date) return true;
  }
  return false;
}

// The records that were looked up or remembered, with the receipts they are in.
std::vector<std::pair<const IncidentItem*, const Receipt*>> records(const Answer& answer) {
  std::vector<std::pair<const IncidentItem*, const Receipt*>> all;
  const auto add = [&](const Receipt& receipt) {
    const IncidentsResult* result = incidents_of(&receipt);
    if (result == nullptr) return;
    for (const IncidentItem& item : result->incidents) {
      const bool known = std::ranges::any_of(all, [&](const auto& one) {
        return one.first->incident.incident_id == item.incident.incident_id;
      });
      if (!known) all.emplace_back(&item, &receipt);
    }
  };
  for (const Receipt& receipt : answer.remembered) add(receipt);
  for (const Receipt& receipt : answer.receipts) add(receipt);
  return all;
}

// What a record says that lacks the field that is asked for: its columns may call it otherwise.
void tell_rest(Writer& out, const IncidentItem& item, const Source& source, bool quoted) {
  const Incident& i = item.incident;
  if (!quoted) out.paragraph("What happened", i.description, source);
  for (const ExtraField& field : extra_fields(i)) out.paragraph(field.name, field.value, source);
}

// Only what is asked of a record. `quoted`: a line of it was told.
void describe_asked(Writer& out, const IncidentItem& item, const Receipt& receipt,
                    const Intent& intent, bool answered, bool quoted) {
  const Asks& asks = intent.asks;
  const FrozenText& question = intent.asked.text;
  const Incident& i = item.incident;
  const Source source = source_of(item, receipt);
  out.gap();
  out.line(fmt::format("**{}: {}** {}", i.incident_id, i.title, out.cite(source)));
  const bool gap = (asks.cause && trim(i.root_cause).empty()) ||
                   (asks.remedy && trim(i.action_taken + i.mitigation).empty());
  if (const std::string line = facts(i); (gap || is_specific(asks)) && !line.empty())
    out.line(line);
  if (asks.cause) out.paragraph("Cause", i.root_cause, source);
  if (asks.remedy || asks.steps) {
    out.paragraph("What was done", i.action_taken, source);
    out.paragraph("Mitigation", i.mitigation, source);
  }
  // If the question uses other words than the record's fields, the story may answer it.
  const bool field = !intent.follow_up && (asks.cause || asks.remedy);
  if (!quoted && !gap && !field && (asks.impact || asks.detection || !question.own_terms().empty()))
    out.paragraph("What happened", i.description, source);
  const auto lacks = [&](bool asked, std::string_view what, std::string_view text) {
    if (!asked || !trim(text).empty()) return;
    out.missing(fmt::format("The record of {} has no {}.", i.incident_id, what));
  };
  lacks(asks.cause, "root cause", i.root_cause);
  lacks(asks.remedy, "action taken", i.action_taken + i.mitigation);
  if (gap) tell_rest(out, item, source, quoted);
  lacks(asks.person, "accountable party", i.accountable_party);
  const auto held = terms_of(i);
  const auto tells = [&](std::string_view words) {
    return std::ranges::any_of(Analyzer().terms(words),
                               [&](const std::string& term) { return held.contains(term); });
  };
  lacks(asks.detection, "word on how it was noticed",
        tells("detected alert alerted noticed reported monitoring paged") ? i.description : "");
  lacks(asks.status, "status", i.status + i.severity);
  if (intent.qualifiers.repeat && !i.repeat_incident)
    out.missing(
        fmt::format("The record of {} does not say whether it was a repeat.", i.incident_id));
  if (intent.qualifiers.outlook && !i.resolved_at)
    out.missing(
        fmt::format("The record of {} does not say when it will be resolved.", i.incident_id));
  if (!answered && intent.follow_up) {
    std::vector<std::string> strange = question.words_not_held(terms_of(i));
    std::erase_if(strange, [&](const std::string& word) { return says_its_time(word, i); });
    for (std::string& word : strange) word = "'" + word + "'";
    if (!strange.empty())
      out.missing(
          fmt::format("The record of {} does not mention {}.", i.incident_id, join(strange, ", ")));
  }
}

// Whether a line of the record says in other words what is asked.
constexpr float kSameMeaning = 0.5f;
bool means_the_same(const std::vector<Evidence>& evidence, std::string_view id) {
  return std::ranges::any_of(evidence, [&](const Evidence& e) {
    return e.source.id == id && e.cosine.value_or(0) >= kSameMeaning;
  });
}

// If only fields are asked for, a sentence that shares a word with their names ("account",
// "accountable") is no answer: the fields are, and lines that mean the same.
std::vector<Evidence> answering(const Intent& intent, const std::vector<Evidence>& evidence) {
  const Asks& a = intent.asks;
  const bool of_facts = a.person || a.time || a.status;
  if (!intent.follow_up || !of_facts || !intent.asked.text.own_terms().empty()) return evidence;
  std::vector<Evidence> kept = evidence;
  std::erase_if(kept, [](const Evidence& e) {
    return e.form != Form::kField && e.cosine.value_or(0) < kSameMeaning;
  });
  return kept;
}

// "on 2026-11-12", as records write the day that a question names; nothing for longer times and
// "yesterday".
std::optional<std::string> day_of(const TimeHint& hint) {
  constexpr std::chrono::hours kDay{24};
  const bool numbered = std::ranges::any_of(hint.text, [](unsigned char c) { return isdigit(c); });
  const auto& [from, to] = hint.range;
  if (!numbered || !from || !to || *to - *from != kDay || !is_midnight(*from)) return std::nullopt;
  return "on " + format_date(*from);
}

// "6 SEV1 incidents of PayU Core in 2025": what the call was restricted to, no more and no less.
std::string heading_of(const Intent& intent, const Receipt& receipt,
                       const IncidentsResult& result) {
  const size_t shown = result.incidents.size();
  const bool several = shown > 1 || result.total == 1;
  std::vector<std::string> heading;
  const bool conditioned = !result.conditions.empty() || !result.order.empty();
  const bool ranked = !intent.ranked.empty() && !conditioned;
  if (ranked)
    heading = {several ? fmt::format("The {} {} of", shown, intent.ranked)
                       : fmt::format("The {} of", intent.ranked)};
  heading.push_back(std::to_string(result.total));
  if (const auto severities = given_words(receipt, "severity"); !severities.empty() && !conditioned)
    heading.push_back(join(severities, " or "));
  heading.emplace_back(result.total == 1 ? "incident" : "incidents");
  if (!result.matched_names.empty()) heading.push_back("of " + join(result.matched_names, ", "));
  for (const TimeHint& hint : intent.times) {
    const bool year = std::ranges::all_of(hint.text, [](unsigned char c) { return isdigit(c); });
    heading.push_back(year ? "in " + hint.text : day_of(hint).value_or(hint.text));
  }
  if (!given_words(receipt, "status").empty() && !conditioned) {
    std::set<std::string> statuses;
    for (const IncidentItem& item : result.incidents) statuses.insert(item.incident.status);
    heading.push_back(fmt::format(
        "(status {})", join(std::vector<std::string>(statuses.begin(), statuses.end()), " or ")));
  }
  if (!result.conditions.empty()) heading.push_back("(" + join(result.conditions, "; ") + ")");
  std::string text = join(heading, " ");
  if (!result.order.empty()) {
    text += fmt::format(", {}{}", shown < result.total ? fmt::format("{} of them, ", shown) : "",
                        result.order);
  } else if (ranked) {
    text += " whose beginning and end are recorded";
  } else if (!intent.lists_only) {
    text += ", nearest to the question first";
  } else if (result.total > result.incidents.size()) {
    text += fmt::format(", the {} newest", result.incidents.size());
  }
  return text + ":";
}

void list_receipt(Answer& answer, Writer& out, const Receipt& receipt,
                  const IncidentsResult& result) {
  out.gap();
  // A list of something else begins by saying so; what a list leaves out follows it.
  const bool instead = receipt.status == ReceiptStatus::kEmpty || result.fallback;
  if (!result.note.empty() && instead) {
    out.line(result.note);
    out.missing(result.note);
  }
  // Incidents that are only near to something that does not exist are no answer.
  if (result.incidents.empty() || result.fallback) return;
  std::vector<const IncidentItem*> items;
  for (const IncidentItem& item : result.incidents) items.push_back(&item);
  const bool ranked = !answer.intent.ranked.empty() || !result.order.empty();
  if (answer.intent.lists_only && !ranked) {
    std::ranges::stable_sort(items, [](const IncidentItem* a, const IncidentItem* b) {
      const auto x = opened(a->incident), y = opened(b->incident);
      return x.has_value() != y.has_value() ? x.has_value() : x > y;
    });
  }
  out.gap();
  out.line(heading_of(answer.intent, receipt, result));
  for (const IncidentItem* item : items) {
    const Incident& i = item->incident;
    const std::string duration = ranked ? lasted_text(i) : "";
    out.line(fmt::format("- {}{} {}", one_line(i), duration.empty() ? "" : ", " + duration,
                         out.cite(source_of(*item, receipt))));
    if (items.size() <= 10 && !trim(i.root_cause).empty()) {
      out.line(fmt::format("  Cause: {}", squeeze(utf8_prefix(i.root_cause, 240)) +
                                              (i.root_cause.size() > 240 ? " …" : "")));
    }
  }
  if (result.note.empty() || instead) return;
  out.gap();
  out.line(result.note);
}

// Several records and nothing asked of each: a list.
constexpr size_t kMostDescribed = 2;

// The record, with what was asked for first.
void describe_incident(Writer& out, const IncidentItem& item, const Receipt& receipt,
                       const Asks& asks) {
  const Incident& i = item.incident;
  const Source source = source_of(item, receipt);
  out.gap();
  out.line(fmt::format("**{}: {}** {}", i.incident_id, i.title, out.cite(source)));
  if (const std::string line = facts(i); !line.empty()) out.line(line);
  struct Part {
    std::string_view label;
    const std::string* text;
    bool asked;
  };
  std::array<Part, 4> parts = {{{"What happened", &i.description, false},
                                {"Cause", &i.root_cause, asks.cause},
                                {"What was done", &i.action_taken, asks.remedy || asks.steps},
                                {"Mitigation", &i.mitigation, asks.remedy || asks.steps}}};
  std::ranges::stable_sort(parts, [](const Part& x, const Part& y) { return x.asked && !y.asked; });
  for (const Part& part : parts) out.paragraph(part.label, *part.text, source);
}

}  // namespace

bool is_specific(const Asks& a) {
  return a.person || a.time || a.number || a.status || a.impact || a.command || a.count ||
         a.detection || a.other;
}

namespace {

// The first blocks that fit into `room` bytes; if the first one does not, its first sentences.
// Headings alone say nothing.
std::string_view beginning(std::string_view text, size_t room) {
  text = trim(text);
  size_t end = 0;
  bool told = false;
  for (const Block& block : parse_blocks(text)) {
    if (told && block.bytes.end > room) break;
    const bool heading = block.kind == BlockKind::kHeading;
    if (!told && !heading && block.bytes.end > room) {
      const size_t begin = block.content.begin;
      const std::string_view content = block.content.in(text);
      for (const TextRange& sentence : split_sentences(content)) {
        if (end > begin && begin + sentence.end > room) break;
        end = begin + sentence.end;
      }
      break;
    }
    end = block.bytes.end;
    told = told || !heading;
  }
  return trim(text.substr(0, end));
}

}  // namespace

void describe_briefly(Writer& out, const IncidentItem& item, const Receipt& receipt,
                      const Asks& asks) {
  constexpr size_t kRoom = 260;
  const Incident& i = item.incident;
  const Source source = source_of(item, receipt);
  out.gap();
  const std::string line = one_line(i);
  const size_t title = line.find(i.title);
  out.quotation(line.substr(0, title), i.title,
                line.substr(title + i.title.size()) + " " + out.cite(source), source);
  const auto tell = [&](std::string_view label, std::string_view text) {
    out.paragraph(label, beginning(text, kRoom), source);
    return !trim(text).empty();
  };
  const bool fix_first = asks.remedy || asks.steps;
  bool told = !fix_first && !asks.cause && tell("What happened", i.description);
  const std::string& done = trim(i.action_taken).empty() ? i.mitigation : i.action_taken;
  told = (fix_first && tell("What was done", done)) || told;
  told = tell("Cause", i.root_cause) || told;
  told = (!fix_first && tell("What was done", done)) || told;
  if (!told) tell("What happened", i.description);
}

void compose_list(Answer& answer, Writer& out) {
  for (const Receipt& receipt : answer.receipts)
    if (const IncidentsResult* result = incidents_of(&receipt))
      list_receipt(answer, out, receipt, *result);
}

namespace {

// The lists that plan_live.cc asks for beside metrics.
const Receipt* open_receipt(const Answer& answer) {
  if (answer.intent.qualifiers.everything) return receipt_of(answer, "get_recent_incidents");
  return answer.intent.type == QuestionType::kDebugIncident
             ? receipt_of(answer, "get_incidents_by_application")
             : nullptr;
}

}  // namespace

const IncidentsResult* open_incidents(const Answer& answer) {
  return incidents_of(open_receipt(answer));
}

void compose_open(Answer& answer, Writer& out) {
  const IncidentsResult* result = open_incidents(answer);
  if (result == nullptr || result->incidents.empty()) return;
  const Receipt* receipt = open_receipt(answer);
  std::vector<const IncidentItem*> open;
  for (const IncidentItem& item : result->incidents)
    if (!is_later(item.incident, answer.intent.now)) open.push_back(&item);
  if (open.empty()) return;
  out.gap();
  out.line("**Open incidents**");
  for (const IncidentItem* item : open)
    out.line(with_cause(item->incident) + " " + out.cite(source_of(*item, *receipt)));
}

void compose_candidates(Answer& answer, Writer& out) {
  out.note("Which one do you mean?");
  for (const auto& [item, receipt] : records(answer))
    out.line(
        fmt::format("- {} {}", one_line(item->incident), out.cite(source_of(*item, *receipt))));
}

void compose_lookup(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  const auto found = records(answer);
  const Asks& a = answer.intent.asks;
  if (a.work && !found.empty() && compose_work(answer, out) && answer.intent.follow_up &&
      !a.number && !a.time)
    return;
  const bool asked = a.cause || a.remedy || a.steps || is_specific(a);
  if (!answer.chosen.empty() && !found.empty()) {
    const auto& [item, receipt] = found.front();
    out.line(fmt::format("{} {}", answer.chosen, out.cite(source_of(*item, *receipt))));
    out.gap();
  }
  // A question about the incident, rather than the wish to see it, gets its line first.
  const bool quoted =
      !found.empty() && answer.chosen.empty() && is_specific(a) && !a.count &&
      quote_best(out, answering(answer.intent, evidence), found.size() > 1 ? found.size() + 1 : 2);
  if (a.count && found.size() > 1) out.line(fmt::format("{} incidents:", found.size()));
  for (const auto& [item, receipt] : found) {
    const bool list = found.size() > kMostDescribed && !a.cause && !a.remedy;
    if (list) {
      out.line(
          fmt::format("- {} {}", one_line(item->incident), out.cite(source_of(*item, *receipt))));
    } else if (asked && (answer.intent.follow_up || quoted || a.cause || a.remedy)) {
      describe_asked(out, *item, *receipt, answer.intent,
                     means_the_same(evidence, item->incident.incident_id), quoted);
    } else {
      describe_incident(out, *item, *receipt, a);
    }
  }
  for (const Receipt& receipt : answer.receipts) {
    const IncidentsResult* result = incidents_of(&receipt);
    if (result == nullptr || result->note.empty()) continue;
    out.gap();
    out.line(result->note);
    out.missing(result->note);
  }
  if (answer.intent.follow_up && found.empty() && answer.receipts.empty())
    out.missing("None of the incidents that were named fits this.");
  const std::string cause = found.empty() ? "" : found.front().first->incident.root_cause;
  if (!a.steps && !a.command) return;
  const auto steps = find_procedure(answer, evidence, cause);
  if (!steps) return;
  // "What was done to fix it" is in the record.
  if (a.remedy && !found.empty())
    point_to_steps(out, *steps);
  else
    show_section(out, *steps->section, *steps->receipt, "Steps");
}

}  // namespace precedent
