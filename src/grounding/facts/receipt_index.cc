#include "grounding/facts/receipt_index.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/hash.h"
#include "base/instructions.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "grounding/text/fold_literal.h"
#include "grounding/text/lexer.h"
#include "grounding/text/negation.h"
#include "grounding/text/plain_english.h"
#include "tools/complete_list.h"

namespace precedent {
namespace {

// Of a label or heading, how much is looked at.
constexpr size_t kMaxLabelBytes = 80;
constexpr std::string_view kTitleLabel = "**Title**";
// The sentences at the beginning of an empty receipt that say what was not found.
constexpr uint32_t kMissingBytes = 300;
// "Same time a week ago"
constexpr uint32_t kMaxLabelTokens = 6;
// Of a receipt's text, roughly: for what is reserved.
constexpr size_t kBytesPerToken = 4;
// A header line that is longer holds prose, which is about itself.
constexpr uint32_t kMaxHeaderBytes = 160;

// What a typed result says in words and the text does not. Its numbers are relevances and lines.
void add_leaves(const nlohmann::json& json, const std::string& key, std::string_view text,
                std::string& out) {
  if (json.is_object()) {
    for (const auto& [name, value] : json.items()) add_leaves(value, name, text, out);
  } else if (json.is_array()) {
    for (const auto& value : json) add_leaves(value, key, text, out);
  } else if (json.is_string()) {
    const auto& value = json.get_ref<const std::string&>();
    if (!value.empty() && text.find(value) == std::string_view::npos)
      out.append(key).append(": ").append(value) += '\n';
  }
}

std::string text_beyond(const Receipt& receipt) {
  std::string out;
  if (!std::holds_alternative<std::monostate>(receipt.result))
    add_leaves(to_json(receipt.result), "", receipt.text, out);
  return out;
}

// "**Title**: …" or "# …"
bool is_field_line(std::string_view text, size_t at) {
  return text.substr(at, 2) == "**" || text.substr(at, 1) == "#";
}

void blank(std::string& text, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i)
    if (text[i] != '\n') text[i] = ' ';
}

}  // namespace

ReceiptIndex::ReceiptIndex(std::span<const Receipt> receipts) {
  uint32_t base = 0;
  size_t bytes = 0;
  for (const Receipt& receipt : receipts) bytes += receipt.text.size() + receipt.args.size();
  lexed_.tokens.reserve(std::min(bytes, kMaxEvidenceBytes) / kBytesPerToken);
  text_.reserve(std::min(bytes, kMaxEvidenceBytes));
  texts_.reserve(std::min(bytes, kMaxEvidenceBytes));
  for (const Receipt& receipt : receipts) {
    const size_t left = kMaxEvidenceBytes - std::min<size_t>(kMaxEvidenceBytes, base);
    const std::string own = blank_instructions(utf8_prefix(receipt.text, left));
    const std::string_view text = own;
    std::string beyond = text_beyond(receipt);
    const size_t args_at = beyond.size();
    beyond.append(receipt.args) += '\n';
    const std::string others = blank_instructions(utf8_prefix(beyond, left - text.size()));
    const std::string_view more = others;
    if (text.size() + more.size() < receipt.text.size() + beyond.size()) cut_ = true;
    const auto number = static_cast<uint32_t>(receipts_.size());
    const auto text_bytes = static_cast<uint32_t>(text.size());
    receipts_.push_back(
        {.id = receipt.id,
         .status = receipt.status,
         .measured = receipt.tool == "metrics_query",
         .lists_changes = receipt.tool == "recent_changes",
         .all_alerts = lists_every_alert(receipt),
         .all_changes = lists_every_change(receipt),
         .base = base,
         .text_bytes = text_bytes,
         .args = base + text_bytes + static_cast<uint32_t>(std::min(args_at, more.size()))});
    const auto first_unit = static_cast<uint32_t>(units_.size());
    const auto first_token = static_cast<uint32_t>(lexed_.tokens.size());
    lex(text, base, lexed_);
    base += text_bytes;
    lex("\n", base, lexed_);
    lex(more, base, lexed_);
    base += static_cast<uint32_t>(more.size());
    text_.append(text).append(more);
    uint32_t begin = first_token;
    for (auto t = first_token; t < lexed_.tokens.size(); ++t) {
      const Token& token = lexed_.tokens[t];
      if (token.kind != TokenKind::kBreak || token.strength == BreakStrength::kClause) continue;
      if (t > begin) units_.push_back({begin, t});
      begin = t + 1;
    }
    if (begin < lexed_.tokens.size())
      units_.push_back({begin, static_cast<uint32_t>(lexed_.tokens.size())});
    const std::vector<size_t> lines = lines_of(first_unit, text, receipts_.back().base);
    cut_records(number, first_unit, text, lines);
    mark_causes(first_unit, text, lines);
    texts_.add(text, more);
    for (auto t = first_token; t < lexed_.tokens.size(); ++t) {
      const Token& token = lexed_.tokens[t];
      if (token.kind != TokenKind::kPath || token.begin < receipts_.back().base) continue;
      const size_t at = token.begin - receipts_.back().base;
      const std::string_view whole = at < text.size() ? text : more;
      paths_.add(without_lines(whole.substr(at < text.size() ? at : at - text.size(),
                                            token.end - token.begin)),
                 lexed_.lines[token.value]);
    }
    for (const Source& source : sources_of(receipt)) {
      if (!source.path.empty()) paths_.add(source.path, source.lines);
    }
  }
  negation_ = find_negation(lexed_.tokens);
  opposed_expressions_ = find_opposed_expressions(lexed_.tokens, negation_);
  std::ranges::stable_sort(opposed_expressions_, {}, &OpposedExpression::matter);
  index_terms();
  quantities_.build(lexed_);
}

std::string_view ReceiptIndex::said(uint32_t unit) const {
  const uint32_t begin = lexed_.tokens[units_[unit].first].begin;
  return std::string_view(text_).substr(begin, lexed_.tokens[units_[unit].end - 1].end - begin);
}

// They are no evidence.
std::string ReceiptIndex::blank_instructions(std::string_view text) {
  std::string out(text);
  for (const auto& [begin, end] : find_instructions(text)) {
    instructions_ += fold_literal(text.substr(begin, end - begin)) + '\n';
    blank(out, begin, end);
  }
  return out;
}

std::string ReceiptIndex::without_instructions(std::string_view text) const {
  std::string out(text);
  if (instructions_.empty()) return out;
  for (const auto& [begin, end] : find_instructions(text)) {
    if (instructions_.find(fold_literal(trim(text.substr(begin, end - begin)))) !=
        std::string::npos)
      blank(out, begin, end);
  }
  return out;
}

std::vector<size_t> ReceiptIndex::lines_of(uint32_t first_unit, std::string_view text,
                                           uint32_t base) const {
  std::vector<size_t> lines;
  lines.reserve(units_.size() - first_unit);
  size_t line = 0, seen = 0;
  for (size_t u = first_unit; u < units_.size(); ++u) {
    const size_t at = lexed_.tokens[units_[u].first].begin - base;
    if (at >= text.size()) {
      lines.push_back(std::string_view::npos);
      continue;
    }
    const size_t newline = text.substr(seen, at + 1 - seen).rfind('\n');
    if (newline != std::string_view::npos) line = seen + newline + 1;
    seen = at + 1;
    lines.push_back(line);
  }
  return lines;
}

void ReceiptIndex::cut_records(uint32_t receipt, uint32_t first_unit, std::string_view text,
                               std::span<const size_t> lines) {
  bool in_header = true;
  records_.push_back({.receipt = receipt,
                      .first_unit = first_unit,
                      .end_unit = first_unit,
                      .end_header = first_unit,
                      .end_title = first_unit});
  for (auto u = first_unit; u < units_.size(); ++u) {
    const size_t at = lines[u - first_unit];
    const size_t newline = at == std::string_view::npos ? at : text.find('\n', at);
    // A second-level heading with a field below it begins the next record.
    const bool opens = newline != std::string_view::npos && text.substr(at, 3) == "## " &&
                       (is_field_line(text, newline + 1) || text.substr(newline + 1, 3) == "```" ||
                        text.substr(newline + 1, 2) == "- ");
    if (opens && (u == first_unit || units_[u - 1].record != UINT32_MAX) &&
        (u == first_unit || lines[u - 1 - first_unit] != at)) {
      if (u > first_unit)
        records_.push_back(
            {.receipt = receipt, .first_unit = u, .end_unit = u, .end_header = u, .end_title = u});
      in_header = true;
    }
    EvidenceRecord& record = records_.back();
    const auto number = static_cast<uint32_t>(records_.size() - 1);
    units_[u].record = number;
    record.end_unit = u + 1;
    const bool new_line = u == first_unit || lines[u - 1 - first_unit] != at;
    if (new_line && at != std::string_view::npos && text.substr(at, 2) == "- ") ++record.list_items;
    if (new_line && at != std::string_view::npos && text.substr(at, 3) == "- {")
      mark_labels(units_[u], text.substr(0, newline), at);
    const size_t length = newline == std::string_view::npos ? 0 : newline - at;
    in_header = in_header && at != std::string_view::npos && is_field_line(text, at) &&
                length <= kMaxHeaderBytes;
    if (!in_header) continue;
    record.end_header = u + 1;
    if (text.substr(at, 1) == "#" || text.substr(at, kTitleLabel.size()) == kTitleLabel)
      record.end_title = u + 1;
    for (uint32_t t = units_[u].first; t < units_[u].end; ++t) {
      const Token& token = lexed_.tokens[t];
      const bool title = u == record.first_unit;
      const bool named =
          token.kind == TokenKind::kPath ||
          (token.kind == TokenKind::kIdentifier && (title || text.substr(at, 6) == "**Id**"));
      if (named) record.keys.push_back(token.term);
    }
  }
}

// "- {pod="q-1"}: mean 2.3 s" at `at`, to the end of `text`.
void ReceiptIndex::mark_labels(EvidenceUnit& unit, std::string_view text, size_t at) {
  const size_t close = text.find("}:", at);
  if (close == std::string_view::npos) return;
  const uint32_t end = lexed_.tokens[unit.first].begin + static_cast<uint32_t>(close - at);
  unit.labels_end = unit.first;
  while (unit.labels_end < unit.end && lexed_.tokens[unit.labels_end].begin < end)
    ++unit.labels_end;
}

void ReceiptIndex::mark_causes(uint32_t first_unit, std::string_view text,
                               std::span<const size_t> lines) {
  static const std::unordered_set<uint64_t> loose = {
      hash64("since"), hash64("as"),   hash64("so"),       hash64("why"),
      hash64("hence"), hash64("thus"), hash64("therefore")};
  static const auto terms = [] {
    std::unordered_set<uint64_t> out;
    for (const std::string_view word : causal_words()) out.insert({hash64(word), term_of(word)});
    return out;
  }();
  causal_.resize(units_.size(), false);
  named_cause_.resize(units_.size(), false);
  bool section = false;
  for (auto u = first_unit; u < units_.size(); ++u) {
    const size_t at = lines[u - first_unit];
    if (at == std::string_view::npos) break;
    const std::string_view line = text.substr(at);
    // A label or a heading holds for what follows, up to the next.
    if (is_field_line(line, 0)) {
      const std::string label =
          ascii_lower(line.substr(0, std::min<size_t>(kMaxLabelBytes, line.find('\n'))));
      const size_t end = label.starts_with('#') ? label.size() : label.find("**", 2);
      section = label.substr(0, end).find("cause") != std::string::npos ||
                label.substr(0, end).find("reason") != std::string::npos ||
                label.substr(0, end).find("why") != std::string::npos;
    }
    causal_[u] = named_cause_[u] = section;
    for (uint32_t t = units_[u].first; t < units_[u].end && !named_cause_[u]; ++t) {
      const Token& token = lexed_.tokens[t];
      if (token.kind == TokenKind::kBreak) continue;
      named_cause_[u] = terms.contains(token.term);
      causal_[u] = causal_[u] || named_cause_[u] || loose.contains(token.term);
    }
  }
}

void ReceiptIndex::index_terms() {
  const size_t count = lexed_.tokens.size();
  vocabulary_.reserve(count / 2);
  term_ids_.assign(count, kNoTerm);
  std::vector<uint32_t> counts;
  unit_of_.assign(count, 0);
  for (uint32_t u = 0; u < units_.size(); ++u) {
    for (uint32_t t = units_[u].first; t < units_[u].end; ++t) unit_of_[t] = u;
  }
  for (uint32_t t = 0; t < count; ++t) {
    const Token& token = lexed_.tokens[t];
    switch (token.kind) {
      case TokenKind::kTime: times_.push_back(t); continue;
      case TokenKind::kDate: dates_.push_back(t); continue;
      case TokenKind::kQuantity:
      case TokenKind::kStop:
      case TokenKind::kNegator:
      case TokenKind::kBreak: continue;
      default: break;
    }
    const auto [at, added] =
        vocabulary_.try_emplace(token.term, static_cast<uint32_t>(vocabulary_.size()));
    if (added) counts.push_back(0);
    term_ids_[t] = at->second;
    ++counts[at->second];
  }
  for (EvidenceRecord& record : records_) {
    if (record.end_header == record.first_unit) continue;
    const auto terms = [&](uint32_t end_unit) {
      std::vector<uint32_t> out;
      if (end_unit == record.first_unit) return out;
      for (uint32_t t = units_[record.first_unit].first; t < units_[end_unit - 1].end; ++t) {
        if (term_ids_[t] != kNoTerm) out.push_back(term_ids_[t]);
      }
      std::ranges::sort(out);
      return out;
    };
    record.header_terms = terms(record.end_header);
    record.title_terms = terms(record.end_title);
  }
  postings_begin_.assign(counts.size() + 1, 0);
  for (size_t i = 0; i < counts.size(); ++i)
    postings_begin_[i + 1] = postings_begin_[i] + counts[i];
  postings_.resize(postings_begin_.back());
  std::vector<uint32_t> next(postings_begin_.begin(), postings_begin_.end() - 1);
  for (uint32_t t = 0; t < count; ++t) {
    if (term_ids_[t] != kNoTerm) postings_[next[term_ids_[t]]++] = t;
  }
}

uint32_t ReceiptIndex::find(uint64_t term) const {
  const auto found = vocabulary_.find(term);
  return found == vocabulary_.end() ? kNoTerm : found->second;
}

std::span<const uint32_t> ReceiptIndex::postings(uint32_t term) const {
  return std::span(postings_).subspan(postings_begin_[term],
                                      postings_begin_[term + 1] - postings_begin_[term]);
}

bool ReceiptIndex::unit_has(uint32_t unit, uint64_t term) const {
  const EvidenceUnit& u = units_[unit];
  return std::any_of(
      lexed_.tokens.begin() + u.first, lexed_.tokens.begin() + u.end,
      [&](const Token& token) { return token.kind != TokenKind::kBreak && token.term == term; });
}

double ReceiptIndex::idf(uint32_t term) const {
  const double units = static_cast<double>(units_.size()) + 1;
  // What stands once or twice says no more than what is unknown.
  const double with =
      term == kNoTerm ? 2 : std::max<double>(2, static_cast<double>(postings(term).size()));
  return std::log(1 + units / with);
}

std::span<const OpposedExpression> ReceiptIndex::opposed_expressions(uint16_t matter) const {
  const auto found =
      std::ranges::equal_range(opposed_expressions_, matter, {}, &OpposedExpression::matter);
  return {found.begin(), found.end()};
}

bool ReceiptIndex::is_found(uint32_t token) const {
  const EvidenceUnit& unit = units_[unit_of_[token]];
  const ReceiptPlace& receipt = receipts_[records_[unit.record].receipt];
  if (lexed_.tokens[token].begin >= receipt.args) return false;
  if (receipt.status == ReceiptStatus::kOk) return true;
  // What is missing is said first; what follows is offered instead.
  if (lexed_.tokens[unit.first].begin - receipt.base > kMissingBytes) return true;
  return std::none_of(lexed_.tokens.begin() + unit.first, lexed_.tokens.begin() + unit.end,
                      [](const Token& t) { return t.kind == TokenKind::kNegator; });
}

bool ReceiptIndex::is_label(uint32_t token) const {
  const auto& tokens = lexed_.tokens;
  const EvidenceUnit& unit = units_[unit_of_[token]];
  if (token - unit.first >= kMaxLabelTokens) return false;
  for (uint32_t t = token; t < std::min(unit.end, unit.first + kMaxLabelTokens + 1); ++t) {
    if (tokens[t].kind == TokenKind::kBreak) return tokens[t].value == ':';
  }
  return false;
}

}  // namespace precedent
