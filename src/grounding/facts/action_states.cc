#include "grounding/facts/action_states.h"

#include <algorithm>

#include "grounding/text/clauses.h"

namespace precedent {

bool is_open_word(const Token& token) {
  static const uint64_t kOpen = term_of("open");
  constexpr uint32_t kBytes = 4;
  return token.kind == TokenKind::kWord && token.term == kOpen && token.end - token.begin == kBytes;
}
bool is_unfinished(const Token& token) {
  static const TermSet kTerms = terms_of("ongoing unresolved pending outstanding unfinished");
  return is_open_word(token) || is_any(token, kTerms);
}
bool is_closed(const Token& token) {
  static const TermSet kTerms = terms_of("closed resolved");
  return is_any(token, kTerms);
}
bool is_done(const Token& token) {
  static const TermSet kTerms = terms_of("done finished completed implemented");
  return is_any(token, kTerms);
}
bool is_work(const Token& token) {
  static const TermSet kTerms =
      terms_of("worked investigated investigation investigating monitored monitoring progress");
  return is_any(token, kTerms);
}

std::optional<ActionProgress> status_of(const ReceiptIndex& index, const EvidenceRecord& record) {
  static const uint64_t kStatus = term_of("status");
  const auto& tokens = index.lexed().tokens;
  for (uint32_t unit = record.first_unit; unit < record.end_unit; ++unit) {
    const EvidenceUnit& u = index.units()[unit];
    if (tokens[u.first].term != kStatus || !index.is_label(u.first)) continue;
    const std::span own(tokens.data() + u.first, u.end - u.first);
    if (std::ranges::any_of(own, is_closed) || std::ranges::any_of(own, is_done))
      return ActionProgress::kDone;
    if (std::ranges::any_of(own, is_unfinished) || std::ranges::any_of(own, is_work))
      return ActionProgress::kOpen;
  }
  return std::nullopt;
}

namespace {

// "Retry the renewal (M. Ito, open)", "[ ] Retry the renewal", "Retry the renewal. Owner: M. Ito.
// Done."
std::optional<ActionProgress> state_of_item(const ReceiptIndex& index, uint32_t unit) {
  const auto& tokens = index.lexed().tokens;
  const EvidenceUnit& u = index.units()[unit];
  const auto is_mark = [&](uint32_t t, char mark) {
    return t < u.end && tokens[t].kind == TokenKind::kBreak &&
           tokens[t].value == static_cast<uint8_t>(mark);
  };
  if (is_mark(u.first, '[') && is_mark(u.first + 1, ']')) return ActionProgress::kOpen;
  for (uint32_t t = u.first + 1; t < u.end; ++t) {
    if (!is_mark(t - 1, '(') && !is_mark(t - 1, ',')) continue;
    // In brackets, not in the middle of prose.
    const bool inside = std::any_of(tokens.begin() + t, tokens.begin() + u.end, [](const Token& x) {
      return x.kind == TokenKind::kBreak && x.value == ')';
    });
    if (!inside) continue;
    if (is_unfinished(tokens[t])) return ActionProgress::kOpen;
    if (is_done(tokens[t])) return ActionProgress::kDone;
  }
  return std::nullopt;
}

}  // namespace

std::vector<ActionState> find_actions(const ReceiptIndex& index) {
  std::vector<ActionState> found;
  for (uint32_t unit = 0; unit < index.units().size(); ++unit)
    if (const auto progress = state_of_item(index, unit)) found.push_back({unit, *progress});
  return found;
}

}  // namespace precedent
