#include "tools/record_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/ascii.h"
#include "base/strings.h"
#include "search/self_query.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

// What is longer tells a story.
constexpr size_t kShortField = 80;
// The share of a status's records that have an end from which on the status itself means an end,
// and how many of them it takes.
constexpr double kMostlyEnded = 0.8;
constexpr size_t kEnoughRecords = 3;

using Terms = std::set<std::string>;

void add(Terms& terms, const Analyzer& analyzer, const std::string& text) {
  for (std::string& term : analyzer.terms(text)) terms.insert(std::move(term));
}

// Those of its short fields; of the `whole` record those of long ones and of its story, too.
Terms terms_of(const Incident& incident, const Analyzer& analyzer, bool whole) {
  Terms terms;
  const auto field = [&](const std::string& text) {
    if (whole || text.size() <= kShortField) add(terms, analyzer, text);
  };
  for (const std::string* text :
       {&incident.title, &incident.impacted_application, &incident.accountable_party,
        &incident.source_system, &incident.status, &incident.severity})
    field(*text);
  for (const auto* list : {&incident.services, &incident.tags})
    for (const std::string& text : *list) field(text);
  for (const auto& [name, text] : incident.extra) field(text);
  if (!whole) return terms;
  for (const std::string* text :
       {&incident.description, &incident.root_cause, &incident.action_taken, &incident.mitigation})
    add(terms, analyzer, *text);
  return terms;
}

std::vector<Terms> terms_of(const std::vector<IncidentItem>& records, const Analyzer& analyzer,
                            bool whole) {
  std::vector<Terms> terms;
  terms.reserve(records.size());
  for (const IncidentItem& record : records)
    terms.push_back(terms_of(record.incident, analyzer, whole));
  return terms;
}

bool any(const std::vector<bool>& chosen) {
  return std::ranges::find(chosen, true) != chosen.end();
}

bool says(const Terms& terms, const std::vector<std::string>& wanted) {
  return std::ranges::all_of(wanted, [&](const std::string& term) { return terms.contains(term); });
}

struct LeftOut {
  std::vector<std::string> words;
  std::set<std::string> said;  // those of them that some record says
};

LeftOut keep_saying(std::vector<IncidentItem>& records, const std::vector<std::string>& words,
                    bool restricted = false) {
  const Analyzer analyzer;
  std::vector<bool> kept(records.size(), true);
  LeftOut left{words, {}};
  // What fields say restricts first; then words that only stories hold say nothing reliable, but
  // for those with a digit: "3B" is a name wherever it stands.
  for (const bool whole : {false, true}) {
    if (left.words.empty()) break;
    const std::vector<Terms> terms = terms_of(records, analyzer, whole);
    const bool names_only = whole && restricted;
    std::vector<std::string> left_out;
    for (const std::string& word : left.words) {
      const std::vector<std::string> wanted = analyzer.terms(word);
      std::vector<bool> chosen(records.size());
      for (size_t i = 0; i < records.size(); ++i) {
        if (!says(terms[i], wanted)) continue;
        left.said.insert(word);
        chosen[i] = kept[i];
      }
      if (any(chosen) && (!names_only || std::ranges::any_of(word, is_digit))) {
        kept = std::move(chosen);
        restricted = true;
      } else {
        left_out.push_back(word);
      }
    }
    left.words = std::move(left_out);
  }
  size_t i = 0;
  std::erase_if(records, [&](const IncidentItem&) { return !kept[i++]; });
  return left;
}

}  // namespace

std::vector<std::string> keep_those_saying(std::vector<IncidentItem>& records,
                                           const std::vector<std::string>& words) {
  return keep_saying(records, words).words;
}

void keep_open(std::vector<IncidentItem>& records) {
  struct Seen {
    size_t all = 0, ended = 0;
  };
  std::map<std::string, Seen> statuses;
  for (const IncidentItem& record : records) {
    Seen& seen = statuses[record.incident.status];
    ++seen.all;
    if (record.incident.resolved_at) ++seen.ended;
  }
  std::erase_if(records, [&](const IncidentItem& record) {
    if (record.incident.resolved_at || is_closed_status(record.incident.status)) return true;
    const Seen& seen = statuses[record.incident.status];
    return seen.ended >= kEnoughRecords &&
           static_cast<double>(seen.ended) >= kMostlyEnded * static_cast<double>(seen.all);
  });
}

std::vector<Param> with_record_words(std::vector<Param> params) {
  params.push_back({.name = "saying",
                    .type = Param::Type::kStringList,
                    .description = "Only incidents that say each of these words; a word that none "
                                   "says is left out, and the "
                                   "note names it"});
  params.push_back({.name = "restriction",
                    .description = "What else restricts them, in words: 'customers were not told, "
                                   "longer than 2 hours, the three latest'. It is read against "
                                   "the columns of the records, and the answer says how"});
  params.push_back(
      {.name = "open",
       .type = Param::Type::kBoolean,
       .description = "Only incidents that are not over yet, whatever their status is called"});
  return params;
}

bool restricts_records(const Args& args) {
  return args.flag("open") || !args.list("saying").empty();
}

void restrict_records(IncidentsResult& result, const Args& args) {
  if (args.flag("open")) keep_open(result.incidents);
  restrict_by_words(result, args.list("saying"), false);
}

void restrict_by_words(IncidentsResult& result, const std::vector<std::string>& words,
                       bool restricted) {
  if (words.empty() || result.incidents.empty()) return;
  const LeftOut left = keep_saying(result.incidents, words, restricted);
  std::vector<std::string> said;
  for (const std::string& word : words)
    if (std::ranges::find(left.words, word) == left.words.end()) said.push_back(word);
  if (!said.empty()) result.note = fmt::format("Each of them says '{}'.", join(said, "' and '"));
  std::vector<std::string> unsaid, told;
  for (const std::string& word : left.words)
    (left.said.contains(word) ? told : unsaid).push_back(word);
  const auto add = [&](std::string_view says, const std::vector<std::string>& idle) {
    if (idle.empty()) return;
    if (!result.note.empty()) result.note += ' ';
    result.note += fmt::format(fmt::runtime(says), join(idle, "' and '"));
  };
  add("No incident says '{}', which restricts nothing here.", unsaid);
  add("'{}' restricts nothing here: only stories say it, or nothing says it beside the rest.",
      told);
}

}  // namespace precedent
