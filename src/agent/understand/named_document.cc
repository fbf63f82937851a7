#include "agent/understand/named_document.h"

#include <re2/re2.h>

#include "agent/slots/signals.h"
#include "base/strings.h"

namespace precedent {
namespace {

bool asks_for_something_else(const Intent& intent) {
  const Asks& a = intent.asks;
  return intent.type == QuestionType::kDebugIncident || intent.signals.changes ||
         intent.signals.firing || a.contact || a.number || (a.value && intent.signals.behaviour());
}

}  // namespace

std::string named_document(const Intent& intent, const std::vector<Receipt>& receipts,
                           const std::function<bool(std::string_view)>& is_system) {
  if (asks_for_something_else(intent)) return {};
  std::vector<std::string> names = intent.qualifiers.names;
  if (!intent.qualifiers.of_a_document)
    std::erase_if(names,
                  [&](const std::string& name) { return !name.contains('/') && is_system(name); });
  return find_named_document(names, receipts);
}

std::string overview_document(const Intent& intent, const std::vector<Receipt>& receipts) {
  if (!intent.qualifiers.overview) return {};
  static const RE2 kWhole(
      "(?i)\\b(?:overview|architecture|landscape|systems|platform|big picture|context map)\\b");
  const KnowledgeItem* best = nullptr;
  const auto rank = [](const KnowledgeItem& item) {
    const bool says = RE2::PartialMatch(item.title, kWhole) || item.path.contains("overview");
    return std::pair(says, item.services.size());
  };
  for (const Receipt& receipt : receipts) {
    const auto* found = std::get_if<SectionsResult>(&receipt.result);
    if (found == nullptr) continue;
    for (const KnowledgeItem& item : found->sections)
      if (item.kind == Kind::kArchitecture && (best == nullptr || rank(item) > rank(*best)))
        best = &item;
  }
  return best == nullptr ? "" : best->id;
}

}  // namespace precedent
