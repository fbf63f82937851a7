#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "agent/compose/compose_parts.h"
#include "agent/language/fixed_phrases.h"
#include "base/ids.h"
#include "base/strings.h"

namespace precedent {
namespace {

// "Action items", "Follow-ups": the heading or attribute under which the work that an incident left
// is listed.
bool lists_work(const Evidence& e) {
  static const RE2 kWork(
      "(?i)^\\W*(?:(?:open |remaining )?(?:action (?:items?|points?)|actions?|to-?dos?)|"
      "follow-?up (?:actions?|items?|tasks?)|follow-?ups?)\\W*$");
  if (e.form != Form::kItem && e.form != Form::kRow) return false;
  const std::string& heading = e.heading.empty() ? e.label : e.heading;
  const std::string key = is_attribute(e) ? e.quote.substr(0, e.quote.find(':')) : heading;
  return RE2::PartialMatch(key, kWork);
}

// Whether an item says that it is done; "not done" is open.
bool is_done(const std::string& item) {
  static const RE2 kDone(
      "(?i)\\b(?:done|closed|completed?|finished|shipped|implemented)\\b|\\[x\\]|✓|✔|✅");
  static const RE2 kNot("(?i)\\b(?:not|never|to be) (?:yet )?(?:done|closed|complete|finished)");
  return RE2::PartialMatch(item, kDone) && !RE2::PartialMatch(item, kNot);
}

// The documents in which one of the incidents is named.
std::set<std::string> documents_on(const std::vector<std::string>& incidents,
                                   const Answer& answer) {
  std::set<std::string> ids;
  for (const auto& [receipt, found] : results_of<SectionsResult>(answer))
    for (const KnowledgeItem& section : found->sections) {
      const std::string text = fold_hyphens(section.text + "\n" + section.preview);
      const auto is_named = [&](const std::string& id) { return text.contains(id); };
      if (section.kind == Kind::kPostmortem && std::ranges::any_of(incidents, is_named))
        ids.insert(section.id);
    }
  return ids;
}

}  // namespace

bool compose_work(Answer& answer, Writer& out) {
  const std::vector<std::string>& incidents = answer.intent.ids;
  const std::set<std::string> documents = documents_on(incidents, answer);
  std::vector<Evidence> items = collect_evidence(answer.receipts);
  std::erase_if(items, [&](const Evidence& e) {
    const bool theirs = documents.contains(e.source.id) ||
                        std::ranges::find(incidents, e.source.id) != incidents.end();
    return !theirs || !lists_work(e);
  });
  if (items.empty()) {
    out.missing(fmt::format("{}: no action items of {} were found.", kUnansweredNote,
                            join(incidents, ", ")));
    return false;
  }
  // If all are done, they say so themselves.
  const auto done = [](const Evidence& e) { return is_done(e.quote); };
  if (answer.intent.qualifiers.open_work && !std::ranges::all_of(items, done))
    std::erase_if(items, done);
  std::ranges::sort(items, {}, &Evidence::position);
  out.gap();
  out.line("**Action items**");
  for (const Evidence& e : items) out.quotation("- ", e.quote, " " + out.cite(e.source), e.source);
  return true;
}

}  // namespace precedent
