#include "tools/record_words.h"

#include <algorithm>
#include <map>
#include <set>

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

struct Words {
  Terms short_fields, all;
};

Words words_of(const Incident& incident, const Analyzer& analyzer) {
  Words words;
  const auto field = [&](const std::string& text) {
    if (text.size() <= kShortField) add(words.short_fields, analyzer, text);
    add(words.all, analyzer, text);
  };
  field(incident.title);
  for (const std::string* text : {&incident.impacted_application, &incident.accountable_party,
                                  &incident.source_system, &incident.status, &incident.severity})
    field(*text);
  for (const auto* list : {&incident.services, &incident.tags})
    for (const std::string& text : *list) field(text);
  for (const auto& [name, text] : incident.extra) field(text);
  for (const std::string* text :
       {&incident.description, &incident.root_cause, &incident.action_taken, &incident.mitigation})
    add(words.all, analyzer, *text);
  return words;
}

bool any(const std::vector<bool>& chosen) {
  return std::ranges::find(chosen, true) != chosen.end();
}

bool says(const Terms& terms, const std::vector<std::string>& wanted) {
  return std::ranges::all_of(wanted, [&](const std::string& term) { return terms.contains(term); });
}

}  // namespace

std::vector<std::string> keep_those_saying(std::vector<IncidentItem>& records,
                                           const std::vector<std::string>& words) {
  const Analyzer analyzer;
  std::vector<Words> said;
  said.reserve(records.size());
  for (const IncidentItem& record : records) said.push_back(words_of(record.incident, analyzer));
  std::vector<bool> kept(records.size(), true);
  std::vector<std::string> left_out;
  for (const std::string& word : words) {
    const std::vector<std::string> wanted = analyzer.terms(word);
    std::vector<bool> by_field(records.size()), anywhere(records.size());
    for (size_t i = 0; i < records.size(); ++i) {
      by_field[i] = kept[i] && says(said[i].short_fields, wanted);
      anywhere[i] = kept[i] && says(said[i].all, wanted);
    }
    std::vector<bool>& chosen = any(by_field) ? by_field : anywhere;
    if (any(chosen))
      kept = std::move(chosen);
    else
      left_out.push_back(word);
  }
  size_t i = 0;
  std::erase_if(records, [&](const IncidentItem&) { return !kept[i++]; });
  return left_out;
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

}  // namespace precedent
