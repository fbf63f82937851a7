#include "agent/compose.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <set>

#include "agent/field_words.h"
#include "agent/held_terms.h"
#include "base/ids.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

// Below both of these a piece of evidence is about something else.
constexpr float kMinCoverage = 0.30f;
constexpr float kMinCosine = 0.35f;
// A further quotation must be nearly as good as the best one.
constexpr float kNearlyAsGood = 0.80f;
constexpr size_t kMaxQuotes = 3;
// The document talked about answers, unless another one has a much better line and it has hardly a
// word of the question in one place.
constexpr float kDocumentShare = 0.7f;
constexpr float kDocumentCoverage = 0.6f;
// Outweighs every other part of a section's score.
constexpr float kActingSection = 4;
// An incident below this share of the best one's relevance is not the precedent being asked for.
constexpr float kRelatedShare = 0.6f;

std::string citation(const Source& source) {
  if (source.kind == name(Kind::kIncident) || source.path.empty())
    return fmt::format("[{}]", source.id);
  if (source.lines.begin == 0) return fmt::format("[{}]", source.path);
  return fmt::format("[{}:{}-{}]", source.path, source.lines.begin, source.lines.end);
}

class Writer {
 public:
  explicit Writer(Answer& answer) : answer_(answer) {}

  void line(std::string_view text) { answer_.text.append(text).append("\n"); }
  void gap() {
    if (!answer_.text.empty() && !answer_.text.ends_with("\n\n")) answer_.text += "\n";
  }
  void missing(std::string sentence) {
    if (std::ranges::find(answer_.missing, sentence) == answer_.missing.end())
      answer_.missing.push_back(std::move(sentence));
  }
  // The citation of a source, which thereby is one of the answer's.
  std::string cite(const Source& source) {
    const bool known = std::ranges::any_of(answer_.sources, [&](const Source& s) {
      return s.id == source.id && s.lines == source.lines;
    });
    if (!known) answer_.sources.push_back(source);
    return citation(source);
  }
  void paragraph(std::string_view label, std::string_view text, const Source& source) {
    if (trim(text).empty()) return;
    gap();
    line(fmt::format("**{}:** {} {}", label, trim(text), cite(source)));
  }

 private:
  Answer& answer_;
};

Source source_of(const IncidentItem& item, const Receipt& receipt) {
  return {item.incident.incident_id,
          item.incident.title,
          std::string(name(Kind::kIncident)),
          item.path,
          {},
          receipt.id};
}

std::string duration(TimePoint from, TimePoint to) {
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(to - from).count();
  if (minutes < 0) return "";
  const auto days = minutes / 1440, hours = minutes / 60 % 24, rest = minutes % 60;
  std::string out;
  if (days > 0) out += fmt::format("{} d ", days);
  if (hours > 0) out += fmt::format("{} h ", hours);
  if (rest > 0 || out.empty()) out += fmt::format("{} min", rest);
  return std::string(trim(out));
}

std::string facts(const Incident& i) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view label, std::string_view value) {
    if (!value.empty()) parts.push_back(fmt::format("{} {}", label, value));
  };
  add("application", i.impacted_application);
  add("severity", i.severity);
  add("status", i.status);
  if (const auto at = opened(i)) add("opened", i.opened_at ? format_time(*at) : format_date(*at));
  if (i.resolved_at) add("resolved", format_time(*i.resolved_at));
  if (i.opened_at && i.resolved_at) {
    if (const std::string lasted = duration(*i.opened_at, *i.resolved_at); !lasted.empty())
      add("lasted", lasted);
  }
  add("accountable", i.accountable_party);
  if (i.repeat_incident) add("repeat incident", *i.repeat_incident ? "yes" : "no");
  return join(parts, " · ");
}

std::string one_line(const Incident& i) {
  std::vector<std::string> parts;
  if (const auto at = opened(i)) parts.push_back(format_date(*at));
  for (const std::string* part : {&i.impacted_application, &i.severity, &i.status}) {
    if (!part->empty()) parts.push_back(*part);
  }
  return fmt::format("**{}** {} ({})", i.incident_id, i.title, join(parts, ", "));
}

// A cited quotation in the form that reads best.
void quote(Writer& out, const Evidence& e) {
  const std::string where = out.cite(e.source);
  // The attributes of a document name themselves.
  const std::string label =
      e.label.empty() || e.label == "Details" ? "" : fmt::format("{}: ", e.label);
  if (e.form == Form::kCommand) {
    out.line(fmt::format("> {}\n> ```\n> {}\n> ```\n> {}",
                         e.label.empty() ? e.source.title : e.label, e.quote, where));
  } else {
    out.line(fmt::format("> {}{} {}", label, e.quote, where));
  }
  out.line("");
}

bool is_convincing(const Evidence& e) {
  return e.coverage >= kMinCoverage || e.cosine.value_or(0) >= kMinCosine;
}

// The best pieces, nearly as good as the first; returns whether there was any.
bool quote_best(Writer& out, const std::vector<Evidence>& evidence, size_t most) {
  size_t quoted = 0;
  for (const Evidence& e : evidence) {
    if (quoted >= most || !is_convincing(e) || e.score < kNearlyAsGood * evidence.front().score)
      break;
    if (quoted == 0) out.gap();
    quote(out, e);
    ++quoted;
  }
  return quoted > 0;
}

const Receipt* receipt_of(const Answer& answer, std::string_view tool) {
  for (const Receipt& receipt : answer.receipts) {
    if (receipt.tool == tool) return &receipt;
  }
  return nullptr;
}

const IncidentsResult* incidents_of(const Receipt* receipt) {
  return receipt == nullptr ? nullptr : std::get_if<IncidentsResult>(&receipt->result);
}

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

void compose_list(Answer& answer, Writer& out) {
  const Receipt& receipt = answer.receipts.front();
  const IncidentsResult* result = incidents_of(&receipt);
  if (result == nullptr) return;
  if (!result->note.empty()) {
    out.line(result->note);
    if (receipt.status == ReceiptStatus::kEmpty || result->fallback) out.missing(result->note);
  }
  if (result->incidents.empty()) return;
  std::vector<const IncidentItem*> items;
  for (const IncidentItem& item : result->incidents) items.push_back(&item);
  std::stable_sort(items.begin(), items.end(), [](const IncidentItem* a, const IncidentItem* b) {
    const auto x = opened(a->incident), y = opened(b->incident);
    return x.has_value() != y.has_value() ? x.has_value() : x > y;
  });
  std::vector<std::string> scope;
  if (!answer.intent.application.empty()) {
    scope.push_back("of " + (result->matched_names.empty() ? answer.intent.application
                                                           : join(result->matched_names, ", ")));
  }
  for (const TimeHint& hint : answer.intent.times) scope.push_back(hint.text);
  if (!result->fallback) {
    out.gap();
    out.line(fmt::format(
        "{} incident{}{}{}:", result->total, result->total == 1 ? "" : "s",
        scope.empty() ? "" : " " + join(scope, " "),
        result->total > items.size() ? fmt::format(", the {} newest", items.size()) : ""));
  }
  for (const IncidentItem* item : items) {
    const Incident& i = item->incident;
    out.line(fmt::format("- {} {}", one_line(i), out.cite(source_of(*item, receipt))));
    if (items.size() <= 10 && !trim(i.root_cause).empty()) {
      out.line(fmt::format("  Cause: {}", squeeze(utf8_prefix(i.root_cause, 240)) +
                                              (i.root_cause.size() > 240 ? " …" : "")));
    }
  }
}

// The incidents of a search that are near enough to the best one to be called precedents.
std::vector<const IncidentItem*> precedents(const Answer& answer,
                                            const std::vector<Evidence>& evidence,
                                            const Receipt*& receipt) {
  receipt = receipt_of(answer, "search_similar_incidents");
  const IncidentsResult* result = incidents_of(receipt);
  std::vector<const IncidentItem*> near;
  if (result == nullptr || result->incidents.empty()) return near;
  for (const IncidentItem& item : result->incidents) {
    const bool supported = std::ranges::any_of(evidence, [&](const Evidence& e) {
      return e.source.id == item.incident.incident_id && is_convincing(e);
    });
    if (supported && item.relevance >= kRelatedShare * result->incidents.front().relevance)
      near.push_back(&item);
  }
  return near;
}

// The share of `wanted` that the text holds.
float overlap(const std::set<std::string>& wanted, std::string_view text,
              const Analyzer& analyzer) {
  if (wanted.empty()) return 0;
  std::set<std::string> held;
  for (std::string& term : analyzer.terms(text)) {
    if (wanted.contains(term)) held.insert(std::move(term));
  }
  return static_cast<float>(held.size()) / static_cast<float>(wanted.size());
}

// A long section was cut into pieces, which are as much part of a procedure: the text of those that
// join `piece` without a gap, among those that were found, and their lines.
std::pair<std::string, LineRange> whole_section(const KnowledgeItem& piece,
                                                const std::vector<KnowledgeItem>& found) {
  std::vector<const KnowledgeItem*> pieces;
  for (const KnowledgeItem& item : found)
    if (item.id == piece.id && item.heading == piece.heading) pieces.push_back(&item);
  std::ranges::sort(pieces, {}, [](const KnowledgeItem* p) { return p->lines.begin; });
  std::string text;
  LineRange lines;
  for (const KnowledgeItem* p : pieces) {
    // A blank line may stand between two pieces; one line may be said in both.
    const bool joins = p->lines.begin + 1 >= lines.end && p->lines.begin <= lines.end + 2;
    if (!joins || lines.end == 0) {
      if (lines.begin <= piece.lines.begin && piece.lines.end <= lines.end) break;
      text.clear();
      lines = p->lines;
    }
    text += std::string(trim(p->text)) + "\n";
    lines.end = p->lines.end;
  }
  return {text, lines};
}

// The steps of the section that evidence points to: its list items and commands, in their order. Where the precedent's
// cause is known, the section that deals with that cause.
void compose_steps(Answer& answer, Writer& out, const std::vector<Evidence>& evidence,
                   std::string_view cause) {
  const Receipt* receipt = receipt_of(answer, "doc_search");
  const SectionsResult* result =
      receipt == nullptr ? nullptr : std::get_if<SectionsResult>(&receipt->result);
  if (result == nullptr) return;
  const KnowledgeItem* best = nullptr;
  float best_score = 0;
  const Analyzer analyzer;
  const std::vector<std::string> cause_terms = analyzer.terms(cause);
  const std::set<std::string> wanted(cause_terms.begin(), cause_terms.end());
  for (const KnowledgeItem& section : result->sections) {
    if (section.kind != Kind::kRunbook && section.kind != Kind::kPlaybook &&
        section.kind != Kind::kKnownIssue)
      continue;
    if (section.relevance < kRelatedShare * result->sections.front().relevance) continue;
    size_t steps = 0;
    float score = 0;
    for (const Evidence& e : evidence) {
      if (e.source.id != section.id || e.source.lines != section.lines) continue;
      if (e.form == Form::kItem || e.form == Form::kCommand) ++steps;
      if (is_convincing(e)) score = std::max(score, e.score);
    }
    if (steps == 0) continue;
    static constexpr std::string_view kActing[] = {
        "mitigat", "resol", "fix", "step", "remed", "recover", "procedure", "workaround", "action"};
    const std::string heading = section.heading.empty() ? "" : ascii_lower(section.heading.back());
    const bool acts = std::ranges::any_of(
        kActing, [&](std::string_view word) { return heading.find(word) != std::string::npos; });
    score += section.relevance * 0.5f + overlap(wanted, section.text, analyzer);
    // What to do comes before how to look.
    if (acts) score += kActingSection;
    if (score > best_score) {
      best_score = score;
      best = &section;
    }
  }
  if (best == nullptr) return;
  const auto [text, lines] = whole_section(*best, result->sections);
  const Source source{best->id,   best->title, std::string(name(best->kind)),
                      best->path, lines,       receipt->id};
  out.gap();
  out.line(fmt::format("**Steps** from {} \"{}\"{} {}:", name(best->kind), best->title,
                       best->heading.empty() ? "" : fmt::format(", {}", best->heading.back()),
                       out.cite(source)));
  out.line(trim(text));
}

// The records that were looked up or remembered, with the receipts they are in.
std::vector<std::pair<const IncidentItem*, const Receipt*>> records(const Answer& answer) {
  std::vector<std::pair<const IncidentItem*, const Receipt*>> all;
  const auto add = [&](const Receipt& receipt) {
    if (const IncidentsResult* result = incidents_of(&receipt))
      for (const IncidentItem& item : result->incidents) all.emplace_back(&item, &receipt);
  };
  for (const Receipt& receipt : answer.remembered) add(receipt);
  for (const Receipt& receipt : answer.receipts)
    if (receipt.tool == "lookup_incident_by_id") add(receipt);
  return all;
}

// Whether the answer is one line of the record rather than the record.
bool is_specific(const Asks& a) {
  return a.person || a.time || a.number || a.status || a.impact || a.command || a.count || a.other;
}

// A follow-up gets what it asks for: the record has been seen.
void describe_asked(Writer& out, const IncidentItem& item, const Receipt& receipt, const Asks& asks,
                    const std::string& question) {
  const Incident& i = item.incident;
  const Source source = source_of(item, receipt);
  out.gap();
  out.line(fmt::format("**{}: {}** {}", i.incident_id, i.title, out.cite(source)));
  if (const std::string line = facts(i); is_specific(asks) && !line.empty()) out.line(line);
  if (asks.cause) out.paragraph("Cause", i.root_cause, source);
  if (asks.remedy || asks.steps) {
    out.paragraph("What was done", i.action_taken, source);
    out.paragraph("Mitigation", i.mitigation, source);
  }
  // What is asked about by other words than its fields stands in the story, if anywhere.
  if (asks.impact || !own_terms(question).empty())
    out.paragraph("What happened", i.description, source);
  const auto lacks = [&](bool asked, std::string_view what, std::string_view text) {
    if (!asked || !trim(text).empty()) return;
    out.missing(fmt::format("The record of {} has no {}.", i.incident_id, what));
  };
  lacks(asks.cause, "root cause", i.root_cause);
  lacks(asks.remedy, "action taken", i.action_taken + i.mitigation);
  lacks(asks.person, "accountable party", i.accountable_party);
  lacks(asks.status, "status", i.status + i.severity);
  static const RE2 kRepeat("\\brepeat|\\b(?:happen\\w*|had|seen) (?:it |this |that )?before\\b");
  static const RE2 kFuture("\\bwill\\b|\\bgoing to\\b|\\beta\\b");
  const std::string lower = ascii_lower(question);
  if (RE2::PartialMatch(lower, kRepeat) && !i.repeat_incident)
    out.missing(
        fmt::format("The record of {} does not say whether it was a repeat.", i.incident_id));
  if (RE2::PartialMatch(lower, kFuture) && !i.resolved_at)
    out.missing(
        fmt::format("The record of {} does not say when it will be resolved.", i.incident_id));
  if (const std::vector<std::string> strange = words_not_held(question, terms_of(i));
      !strange.empty())
    out.missing(
        fmt::format("The record of {} says nothing of {}.", i.incident_id, join(strange, ", ")));
}

// Several records and nothing asked of each: a list.
constexpr size_t kMostDescribed = 2;

void compose_lookup(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  const auto found = records(answer);
  const Asks& a = answer.intent.asks;
  const bool asked = a.cause || a.remedy || a.steps || is_specific(a);
  // A question about the incident, rather than the wish to see it, gets its line first.
  if (!found.empty() && is_specific(a))
    quote_best(out, evidence, found.size() > 1 ? found.size() + 1 : 2);
  for (const auto& [item, receipt] : found) {
    const bool list = found.size() > kMostDescribed && !a.cause && !a.remedy;
    if (list) {
      out.line(
          fmt::format("- {} {}", one_line(item->incident), out.cite(source_of(*item, *receipt))));
    } else if (answer.intent.follow_up && asked) {
      describe_asked(out, *item, *receipt, a, answer.intent.question);
    } else {
      describe_incident(out, *item, *receipt, a);
    }
  }
  for (const Receipt& receipt : answer.receipts) {
    const IncidentsResult* result = incidents_of(&receipt);
    if (receipt.tool != "lookup_incident_by_id" || result == nullptr || result->note.empty())
      continue;
    out.gap();
    out.line(result->note);
    out.missing(result->note);
  }
  if (answer.intent.follow_up && found.empty() && answer.receipts.empty())
    out.missing("None of the incidents that were named fits this.");
  const std::string cause = found.empty() ? "" : found.front().first->incident.root_cause;
  if (a.steps || a.command) compose_steps(answer, out, evidence, cause);
}

// Something the question names does not exist: what is nearest is shown as that, and nothing is told as the answer.
void compose_nearest(Writer& out, const std::vector<Evidence>& evidence) {
  constexpr size_t kMost = 3;
  std::set<std::string> named;
  for (const Evidence& e : evidence) {
    if (named.size() >= kMost || !is_convincing(e)) break;
    if (!named.insert(e.source.id).second) continue;
    if (named.size() == 1) {
      out.gap();
      out.line("The nearest documents, which may not be what you mean:");
    }
    out.line(fmt::format("- {} {}", e.source.title, out.cite(e.source)));
  }
}

// Whether a post-mortem that was asked for "it" names that incident in any section that was found.
bool names_incident(const Answer& answer, const KnowledgeItem& postmortem) {
  const std::vector<std::string>& ids = answer.intent.documents.incidents;
  if (ids.empty()) return true;
  const auto names = [&](const KnowledgeItem& item) {
    return item.id == postmortem.id && std::ranges::any_of(ids, [&](const std::string& id) {
             return fold_hyphens(item.text + item.preview).contains(id);
           });
  };
  const Receipt* receipt = receipt_of(answer, "doc_search");
  const auto* found = receipt == nullptr ? nullptr : std::get_if<SectionsResult>(&receipt->result);
  return names(postmortem) || (found != nullptr && std::ranges::any_of(found->sections, names));
}

// The documents that were asked for; then what the best of them says.
void compose_documents(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  const Receipt* receipt = receipt_of(answer, "search_knowledge");
  const KnowledgeResult* result =
      receipt == nullptr ? nullptr : std::get_if<KnowledgeResult>(&receipt->result);
  if (result == nullptr) return;
  std::vector<std::string> kinds;
  for (const Kind kind : answer.intent.documents.kinds) kinds.emplace_back(name(kind));
  const Analyzer analyzer;
  const std::vector<std::string> terms = analyzer.terms(answer.intent.question);
  std::set<std::string> wanted(terms.begin(), terms.end());
  for (const std::string& kind : kinds)
    for (const std::string& term : analyzer.terms(kind)) wanted.erase(term);
  std::set<std::string> listed;
  for (const KnowledgeItem& item : result->items) {
    if (item.kind == Kind::kPostmortem && !names_incident(answer, item)) continue;
    const bool supported = answer.intent.documents.all ||
                           overlap(wanted, item.title, analyzer) > 0 ||
                           std::ranges::any_of(evidence, [&](const Evidence& e) {
                             return e.source.id == item.id && is_convincing(e);
                           });
    if (!supported || item.relevance < kRelatedShare * result->items.front().relevance) continue;
    if (listed.empty()) out.line(fmt::format("From the {} documents:", join(kinds, " and ")));
    listed.insert(item.id);
    const Source source{item.id,   item.title, std::string(name(item.kind)),
                        item.path, {},         receipt->id};
    const std::string services =
        item.services.empty() ? "" : fmt::format(" ({})", join(item.services, ", "));
    out.line(fmt::format("- **{}**{} {}", item.title, services, out.cite(source)));
  }
  if (listed.empty()) {
    out.missing(fmt::format("No {} on this was found.", join(kinds, " or ")));
    return compose_nearest(out, evidence);
  }
  if (answer.intent.documents.all) return;
  std::vector<Evidence> theirs;
  std::ranges::copy_if(evidence, std::back_inserter(theirs),
                       [&](const Evidence& e) { return listed.contains(e.source.id); });
  const size_t before = answer.text.size();
  compose_steps(answer, out, theirs, "");
  if (answer.text.size() == before) quote_best(out, theirs, kMaxQuotes);
}

// A follow-up on a document gets its lines, if it has any that answer; else its steps, if it asks
// for nothing else. Returns whether it had.
bool compose_document(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  std::vector<Evidence> theirs;
  std::ranges::copy_if(evidence, std::back_inserter(theirs),
                       [&](const Evidence& e) { return e.source.id == answer.intent.document; });
  if (theirs.empty()) return false;
  const bool fields_only = own_terms(answer.intent.question).empty();
  const bool best = theirs.front().score >= kDocumentShare * evidence.front().score ||
                    theirs.front().coverage >= kDocumentCoverage;
  if (!fields_only && !best) return false;
  const bool quoted = quote_best(out, theirs, kMaxQuotes);
  const Asks& a = answer.intent.asks;
  const size_t before = answer.text.size();
  if (a.steps || a.command || !quoted) compose_steps(answer, out, theirs, "");
  return quoted || answer.text.size() > before;
}

void compose_search(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  const Asks& a = answer.intent.asks;
  const bool narrow = (a.number || a.person || a.time || a.command || a.count) &&
                      answer.intent.type != QuestionType::kSimilarIncidents;
  const bool quoted = quote_best(out, evidence, kMaxQuotes);
  const Receipt* receipt = nullptr;
  const std::vector<const IncidentItem*> near = precedents(answer, evidence, receipt);
  const bool incident_first = !evidence.empty() && evidence.front().kind == Kind::kIncident;
  if (!near.empty() && (!narrow || incident_first)) {
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
  if (a.steps || a.remedy || a.command ||
      (answer.intent.type == QuestionType::kKnowledge && !narrow))
    compose_steps(answer, out, evidence, near.empty() ? "" : near.front()->incident.root_cause);
  if (!quoted && near.empty()) {
    out.missing("Nothing in the knowledge base answers this question.");
  } else if (near.empty() && answer.intent.type == QuestionType::kSimilarIncidents) {
    out.missing("No similar incident was found.");
  }
}

void finish(Answer& answer, Writer& out) {
  for (const Receipt& receipt : answer.receipts) {
    if (receipt.status == ReceiptStatus::kError) out.missing(receipt.text);
  }
  for (const std::string& missing : answer.missing) {
    if (answer.text.find(missing) != std::string::npos) continue;
    out.gap();
    out.line(missing);
  }
  if (trim(answer.text).empty()) {
    out.missing("Nothing in the knowledge base answers this question.");
    out.line(answer.missing.back());
  }
  const bool all_failed =
      !answer.receipts.empty() && std::ranges::all_of(answer.receipts, [](const Receipt& r) {
        return r.status == ReceiptStatus::kError;
      });
  answer.status = all_failed               ? AnswerStatus::kError
                  : answer.missing.empty() ? AnswerStatus::kOk
                                           : AnswerStatus::kPartial;
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

void compose(Answer& answer, const std::vector<Evidence>& evidence,
             const std::vector<std::string>& unknown) {
  Writer out(answer);
  for (const std::string& name : unknown) {
    const std::string sentence = fmt::format("Nothing in the knowledge base mentions '{}'.", name);
    out.line(sentence);
    out.missing(sentence);
  }
  switch (answer.intent.type) {
    case QuestionType::kLookupIncident: compose_lookup(answer, out, evidence); break;
    case QuestionType::kApplicationIncidents:
    case QuestionType::kRecentIncidents: compose_list(answer, out); break;
    default:
      if (unknown.empty() && !answer.intent.documents.kinds.empty()) {
        compose_documents(answer, out, evidence);
        break;
      }
      if (!answer.intent.document.empty() && compose_document(answer, out, evidence)) break;
      unknown.empty() ? compose_search(answer, out, evidence) : compose_nearest(out, evidence);
      break;
  }
  finish(answer, out);
}

}  // namespace precedent
