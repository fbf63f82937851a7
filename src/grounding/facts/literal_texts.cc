#include "grounding/facts/literal_texts.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "grounding/text/fold_literal.h"

namespace precedent {
namespace {

bool holds(std::string_view folded_text, std::string_view quoted) {
  std::string folded = fold_literal(quoted);
  while (!folded.empty() && (folded.back() == ' ' || folded.back() == '.' || folded.back() == ','))
    folded.pop_back();
  const size_t first = folded.find_first_not_of(' ');
  if (first == std::string::npos) return true;
  // Most are whole sentences, of which this skips their length at a time.
  const std::boyer_moore_horspool_searcher searcher(
      folded.begin() + static_cast<std::ptrdiff_t>(first), folded.end());
  return std::search(folded_text.begin(), folded_text.end(), searcher) != folded_text.end();
}

}  // namespace

void LiteralTexts::add(std::string_view text, std::string_view beyond) {
  const auto begin = static_cast<uint32_t>(folded_.size());
  for (const std::string_view part : {text, beyond}) {
    folded_ += fold_literal(part);
    folded_ += ' ';
  }
  receipts_.push_back({begin, static_cast<uint32_t>(folded_.size())});
}

bool LiteralTexts::hold(std::string_view quoted) const { return holds(folded_, quoted); }

bool LiteralTexts::hold(std::string_view quoted, uint32_t receipt) const {
  return holds(receipts_[receipt].in(folded_), quoted);
}

bool LiteralTexts::hold_sentence(std::string_view quoted) const {
  constexpr std::string_view kBefore = ".!?:;|>)]", kAfter = ".!?;|";
  std::string folded = fold_literal(quoted);
  while (!folded.empty() && (folded.back() == ' ' || kAfter.contains(folded.back())))
    folded.pop_back();
  const size_t first = folded.find_first_not_of(' ');
  if (first == std::string::npos) return false;
  folded.erase(0, first);
  for (size_t at = 0; (at = folded_.find(folded, at)) != std::string::npos; ++at) {
    const size_t before = at == 0 ? std::string::npos : folded_.find_last_not_of(" -", at - 1);
    const size_t after = at + folded.size();
    const bool begins = before == std::string::npos || kBefore.contains(folded_[before]);
    const bool ends = after == folded_.size() || kAfter.contains(folded_[after]);
    if (begins && ends) return true;
  }
  return false;
}

}  // namespace precedent
