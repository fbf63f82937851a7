#include "agent/evidence/own_runbooks.h"

#include <algorithm>
#include <set>
#include <span>

#include "search/self_query.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

bool says_what_to_do(Kind kind) {
  return kind == Kind::kRunbook || kind == Kind::kPlaybook || kind == Kind::kKnownIssue;
}

std::span<const KnowledgeItem> items_of(const Receipt& receipt) {
  if (const auto* found = std::get_if<SectionsResult>(&receipt.result)) return found->sections;
  if (const auto* found = std::get_if<KnowledgeResult>(&receipt.result)) return found->items;
  return {};
}

const KnowledgeItem* item_of(const std::string& id, const std::vector<Receipt>& receipts) {
  for (const Receipt& receipt : receipts) {
    const auto items = items_of(receipt);
    const auto item = std::ranges::find(items, id, &KnowledgeItem::id);
    if (item != items.end()) return &*item;
  }
  return nullptr;
}

template <typename Drop>
std::vector<Evidence> without(std::vector<Evidence> evidence, const std::vector<Receipt>& receipts,
                              const Drop& drop) {
  std::erase_if(evidence, [&](const Evidence& piece) {
    if (!says_what_to_do(piece.kind)) return false;
    const KnowledgeItem* document = item_of(piece.source.id, receipts);
    return document != nullptr && drop(*document);
  });
  return evidence;
}

// Whether the search of its sections found no other document nearly as relevant.
bool stands_out(const KnowledgeItem& document, const std::vector<Receipt>& receipts) {
  constexpr float kNearly = 0.9f;
  for (const Receipt& receipt : receipts) {
    const auto items = items_of(receipt);
    if (!std::holds_alternative<SectionsResult>(receipt.result) || items.empty()) continue;
    const auto own = std::ranges::find(items, document.id, &KnowledgeItem::id);
    if (own != items.end() && std::ranges::none_of(items, [&](const KnowledgeItem& other) {
          return other.id != document.id && other.relevance > kNearly * own->relevance;
        }))
      return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> systems_of_documents(const std::vector<std::string>& systems,
                                              const std::vector<Receipt>& receipts) {
  std::vector<std::string> known;
  for (const std::string& system : systems) {
    if (system.empty()) continue;
    const bool named = std::ranges::any_of(receipts, [&](const Receipt& receipt) {
      return std::ranges::any_of(items_of(receipt), [&](const KnowledgeItem& item) {
        return !item.services.empty() && is_written_for(item, {system});
      });
    });
    if (named) known.push_back(system);
  }
  return known;
}

bool is_written_for(const KnowledgeItem& document, const std::vector<std::string>& systems) {
  if (document.services.empty() || systems.empty()) return true;
  return std::ranges::any_of(document.services, [&](const std::string& service) {
    return std::ranges::any_of(
        systems, [&](const std::string& system) { return name_key(system) == name_key(service); });
  });
}

std::vector<Evidence> without_others_runbooks(std::vector<Evidence> evidence,
                                              const std::vector<Receipt>& receipts,
                                              const std::vector<std::string>& systems) {
  return without(std::move(evidence), receipts,
                 [&](const KnowledgeItem& document) { return !is_written_for(document, systems); });
}

std::vector<Evidence> runbooks_on(const std::vector<std::string>& asked,
                                  std::vector<Evidence> evidence,
                                  const std::vector<Receipt>& receipts,
                                  const std::vector<std::string>& systems) {
  if (systems.empty()) return evidence;
  const Analyzer analyzer;
  std::set<std::string> trouble(asked.begin(), asked.end());
  for (const std::string& system : systems)
    for (const std::string& term : analyzer.terms(system)) trouble.erase(term);
  return without(std::move(evidence), receipts, [&](const KnowledgeItem& document) {
    const std::vector<std::string> title = analyzer.terms(document.title);
    return std::ranges::none_of(title, [&](const auto& term) { return trouble.contains(term); }) &&
           !stands_out(document, receipts);
  });
}

}  // namespace precedent
