#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/places.h"
#include "grounding/text/comparisons.h"

namespace precedent {
namespace {

// How far from its figure the words of a label stand in a sentence, in tokens.
constexpr size_t kLabelReach = 6;
// Fields of a record that are looked at; each is compared with each.
constexpr size_t kMaxFields = 64;

bool is_compared(const Token& token) {
  static const uint64_t kWords[] = {hash64("than"),     hash64("against"), hash64("from"),
                                    hash64("compared"), hash64("versus"),  hash64("vs"),
                                    hash64("times")};
  return token.kind != TokenKind::kBreak &&
         std::ranges::find(kWords, token.term) != std::end(kWords);
}

struct Field {
  std::vector<uint64_t> label;  // the words that no other label of the record has
  uint32_t first = 0, end = 0;  // tokens of the receipts behind it, half-open
};

// The fields of a record that state a figure under a label: "Same time a week ago: 0.211 s".
std::vector<Field> figure_fields(const Facts& facts, const EvidenceRecord& record) {
  const auto& tokens = facts.index.lexed().tokens;
  std::vector<Field> fields;
  for (uint32_t u = record.first_unit; u < record.end_unit && fields.size() < kMaxFields; ++u) {
    const EvidenceUnit& unit = facts.index.units()[u];
    Field field{{}, unit.first, unit.end};
    for (; field.first < unit.end && facts.index.is_label(field.first); ++field.first) {
      const Token& token = tokens[field.first];
      if (token.kind == TokenKind::kWord && !token.part) field.label.push_back(token.term);
    }
    const bool figure = std::any_of(tokens.begin() + field.first, tokens.begin() + field.end,
                                    [](const Token& t) { return t.kind == TokenKind::kQuantity; });
    if (!field.label.empty() && figure) fields.push_back(std::move(field));
  }
  // What all labels have tells none from another.
  std::vector<uint64_t> shared;
  for (const Field& field : fields) {
    for (const uint64_t term : field.label) {
      const auto others = std::ranges::count_if(fields, [&](const Field& other) {
        return std::ranges::find(other.label, term) != other.label.end();
      });
      if (others > 1) shared.push_back(term);
    }
  }
  for (Field& field : fields) {
    std::erase_if(field.label,
                  [&](uint64_t term) { return std::ranges::find(shared, term) != shared.end(); });
  }
  std::erase_if(fields, [](const Field& field) { return field.label.empty(); });
  return fields;
}

const Quantity* figure_of(const Facts& facts, const Field& field) {
  const auto& lexed = facts.index.lexed();
  for (uint32_t t = field.first; t < field.end; ++t) {
    if (lexed.tokens[t].kind == TokenKind::kQuantity)
      return &lexed.quantities[lexed.tokens[t].value];
  }
  return nullptr;
}

// Whether a word stands behind figure `at` in its clause, without another figure or a comparison
// between them.
bool belongs_to(const Sentence& sentence, uint64_t term, size_t at) {
  const auto& tokens = sentence.tokens();
  for (size_t t = at + 1; t < std::min(tokens.size(), at + kLabelReach + 1); ++t) {
    if (tokens[t].kind == TokenKind::kBreak || tokens[t].kind == TokenKind::kQuantity ||
        is_compared(tokens[t]))
      return false;
    if (tokens[t].term == term) return true;
  }
  return false;
}

}  // namespace

// A figure beside the words of one label must not be that of another label of the record.
Judgement check_fields(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  const auto& stated = facts.index.lexed().tokens;
  const bool figures = std::ranges::any_of(
      tokens, [](const Token& token) { return token.kind == TokenKind::kQuantity; });
  if (!figures) return {};
  for (size_t r = 0; r < facts.index.records().size(); ++r) {
    if (!sentence.subject[r]) continue;
    const std::vector<Field> fields = figure_fields(facts, facts.index.records()[r]);
    if (fields.size() < 2) continue;
    for (size_t t = 0; t < tokens.size(); ++t) {
      if (tokens[t].kind != TokenKind::kQuantity) continue;
      const auto in = [&](const Field& field) {
        return std::any_of(
            stated.begin() + field.first, stated.begin() + field.end,
            [&](const Token& token) { return same_fact(sentence, facts, tokens[t], token); });
      };
      const auto labelled = [&](const Field& field) {
        return std::ranges::all_of(field.label,
                                   [&](uint64_t term) { return belongs_to(sentence, term, t); });
      };
      if (std::ranges::none_of(fields, in)) continue;
      for (const Field& field : fields) {
        if (!labelled(field) || in(field)) continue;
        const bool elsewhere = std::ranges::any_of(
            fields, [&](const Field& other) { return in(other) && labelled(other); });
        const Quantity* figure = figure_of(facts, field);
        const bool alike =
            figure != nullptr &&
            figure->dimension == sentence.lexed().quantities[tokens[t].value].dimension;
        if (!elsewhere && alike)
          return refuted(ClaimKind::kNumber,
                         fmt::format("the receipts state {} under another label",
                                     squeeze(sentence.spelling(tokens[t]))));
      }
    }
  }
  return {};
}

// "Lower than a week ago": held against the figure under that label.
Judgement check_compared_fields(const Sentence& sentence, const Facts& facts) {
  static const uint64_t kCurrent = term_of("current"), kYesterday = hash64("yesterday");
  static const uint64_t kDay = term_of("day");
  const auto& tokens = sentence.tokens();
  for (const Comparison& c : find_comparisons(sentence.lexed())) {
    std::vector<uint64_t> words;
    const Quantity* left = nullptr;
    bool figure = false;
    for (size_t t = c.end; t < tokens.size() && tokens[t].kind != TokenKind::kBreak; ++t) {
      figure = figure || tokens[t].kind == TokenKind::kQuantity;
      if (tokens[t].kind == TokenKind::kWord && !tokens[t].part) words.push_back(tokens[t].term);
      if (tokens[t].term == kYesterday) words.push_back(kDay);
    }
    for (size_t t = c.first; t > 0; --t) {
      if (tokens[t - 1].kind != TokenKind::kQuantity) continue;
      left = &sentence.lexed().quantities[tokens[t - 1].value];
      // "1.3 GiB more": by how much.
      figure = figure || t == c.first;
      break;
    }
    if (figure || words.empty()) continue;
    bool denied = false, affirmed = false;
    for (size_t r = 0; r < facts.index.records().size(); ++r) {
      if (!sentence.subject[r]) continue;
      const std::vector<Field> fields = figure_fields(facts, facts.index.records()[r]);
      const auto labelled = [&](uint64_t term, const Field& field) {
        return std::ranges::find(field.label, term) != field.label.end();
      };
      const auto current = std::ranges::find_if(
          fields, [&](const Field& field) { return labelled(kCurrent, field); });
      for (const Field& field : fields) {
        const auto own =
            std::ranges::count_if(words, [&](uint64_t term) { return labelled(term, field); });
        const auto all = std::ranges::count_if(words, [&](uint64_t term) {
          return std::ranges::any_of(fields,
                                     [&](const Field& other) { return labelled(term, other); });
        });
        const bool named = own > 0 && own == all;
        const Quantity* mine = left != nullptr           ? left
                               : current == fields.end() ? nullptr
                                                         : figure_of(facts, *current);
        if (!named || mine == nullptr) continue;
        const auto holds = compare(*mine, *figure_of(facts, field), c.order);
        denied = denied || holds == false;
        affirmed = affirmed || holds == true;
      }
    }
    if (denied && !affirmed)
      return refuted(ClaimKind::kNumber, fmt::format("the figures of the receipts say the opposite "
                                                     "of \"{}\"",
                                                     squeeze(sentence.spelling(tokens[c.first]))));
  }
  return {};
}

}  // namespace precedent
