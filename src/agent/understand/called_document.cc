#include "agent/understand/called_document.h"

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

// "The page on X", "X guide".
bool says_document(std::string_view question) {
  static const RE2 kDocument(
      "(?i)\\b(?:runbooks?|playbooks?|documents?|docs?|guides?|articles?|post-?mortems?|"
      "(?:the|this|that|our) (?:[\\w-]+ ){0,3}page)\\b");
  return RE2::PartialMatch(re2::StringPiece(question.data(), question.size()), kDocument);
}

}  // namespace

std::string called_document(const Intent& intent, const std::vector<Receipt>& receipts,
                            const std::function<bool(std::string_view)>& is_system) {
  if (asks_for_something_else(intent)) return {};
  if (says_document(intent.question)) return find_called_document(intent.question, receipts);
  std::vector<std::string> words;
  for (std::string_view word : split(intent.question, ' ')) {
    while (!word.empty() && std::string_view("?!.,;:()\"'").contains(word.back()))
      word.remove_suffix(1);
    if (!word.empty() && (word.contains('/') || !is_system(word))) words.emplace_back(word);
  }
  return find_called_document(join(words, " "), receipts);
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
