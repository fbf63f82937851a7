#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checker.h"

namespace precedent {
namespace {

// What stands in more places is no place.
constexpr size_t kMaxCitedPlaces = 8;

// Of a part of a bracket that is no path: more plain words are prose.
constexpr ptrdiff_t kMaxCitedWords = 2;
// The first digits of a commit's hash; what is shorter stands within many words.
constexpr size_t kMinPartOfId = 6;

// "R7": a receipt's number, and nothing else that a text may hold.
bool is_receipt_number(std::string_view id) {
  return id.size() > 1 && (id[0] == 'R' || id[0] == 'r') &&
         std::ranges::all_of(id.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

// "docs/a b.md:3-9": where the lines begin, and which they are; the whole and {} without any.
std::pair<std::string_view, LineRange> split_lines_off(std::string_view cited) {
  const size_t colon = cited.rfind(':');
  if (colon == std::string_view::npos) return {cited, {}};
  LineRange lines;
  uint32_t* number = &lines.begin;
  for (const char c : cited.substr(colon + 1)) {
    if (c == '-' && number == &lines.begin && lines.begin > 0) {
      number = &lines.end;
    } else if (c >= '0' && c <= '9' && *number < 10'000'000) {
      *number = *number * 10 + static_cast<uint32_t>(c - '0');
    } else {
      return {cited, {}};
    }
  }
  if (lines.end == 0) lines.end = lines.begin;
  return {cited.substr(0, colon), lines};
}

}  // namespace

// A bracket that is one path of the receipts, whatever characters it has: its receipts are what the
// sentence rests on.
ReceiptIndex::PathMatch Checker::cites_path(const TextRange& bracket) {
  const auto [path, lines] = split_lines_off(trim(bracket.in(answer_)));
  const ReceiptIndex::PathMatch match = evidence_.find_path(path, lines);
  for (size_t r = 0; match == ReceiptIndex::PathMatch::kMatch && r < evidence_.records().size();
       ++r)
    if (evidence_.has_literal(path, evidence_.records()[r].receipt)) scope_[r] = scoped_ = true;
  return match;
}

// What stands in brackets beside ids and paths: words that nobody wrote cite nothing.
Checker::Verdict Checker::check_cited_words(const TextRange& bracket) const {
  for (std::string_view part : split(bracket.in(answer_), ',')) {
    const std::string_view whole = trim(part);
    ptrdiff_t words = 0;
    bool known = true;
    const auto begin = static_cast<uint32_t>(whole.data() - answer_.data());
    for (const Token& token : statement_->citations.tokens) {
      const bool plain = token.kind == TokenKind::kWord || token.kind == TokenKind::kName;
      if (!plain || token.part || token.begin < begin || token.end > begin + whole.size()) continue;
      ++words;
      known = known && evidence_.find(token.term) != ReceiptIndex::kNoTerm;
    }
    const size_t colon = whole.find(": ");
    const bool literal =
        evidence_.has_literal(whole) ||
        (colon != std::string_view::npos && is_receipt_number(whole.substr(0, colon)) &&
         evidence_.has_literal(whole.substr(colon + 2)));
    if (words == 0 || literal || (words <= kMaxCitedWords && known)) continue;
    return Fault{ClaimKind::kId,
                 fmt::format("it cites {}, which no receipt holds", squeeze(whole))};
  }
  return {};
}

Checker::Verdict Checker::read_citations() {
  const auto& records = evidence_.records();
  scope_.assign(records.size(), false);
  scoped_ = false;
  cited_units_.clear();
  const auto add = [&](size_t record) { scope_[record] = scoped_ = true; };
  const auto is_receipt = [&](const Token& token, size_t receipt) {
    return token.kind == TokenKind::kIdentifier &&
           hash64(ascii_lower(evidence_.receipts()[receipt].id)) == token.term;
  };
  const auto add_mentions = [&](uint64_t term) {
    if (const uint32_t id = evidence_.find(term); id != ReceiptIndex::kNoTerm) {
      for (const uint32_t token : evidence_.postings(id))
        add(evidence_.units()[evidence_.unit_of(token)].record);
    }
  };
  Verdict fault;
  const auto& cited = statement_->citations.tokens;
  std::vector<TextRange> paths;
  for (const TextRange& bracket : statement_->cited) {
    const ReceiptIndex::PathMatch match = cites_path(bracket);
    if (match != ReceiptIndex::PathMatch::kUnknown) paths.push_back(bracket);
    if (match == ReceiptIndex::PathMatch::kWrongLines && !fault)
      fault = Fault{ClaimKind::kPath,
                    fmt::format("the receipts do not show these lines: {}", bracket.in(answer_))};
    if (match == ReceiptIndex::PathMatch::kUnknown && !fault) fault = check_cited_words(bracket);
  }
  for (size_t t = 0; t < cited.size(); ++t) {
    const Token& token = cited[t];
    if (token.part || (token.kind != TokenKind::kIdentifier && token.kind != TokenKind::kPath))
      continue;
    if (std::ranges::any_of(paths, [&](const TextRange& path) {
          return path.begin <= token.begin && token.end <= path.end;
        }))
      continue;
    const auto named = [&](size_t r) {
      return std::ranges::find(records[r].keys, token.term) != records[r].keys.end();
    };
    bool known = false;
    // "[R1: latency]": of all that has that name, what R1 holds.
    const bool of_receipt = t > 1 && cited[t - 1].kind == TokenKind::kBreak &&
                            cited[t - 1].value == ':' && cited[t - 2].kind != TokenKind::kBreak;
    bool narrowed = false;
    for (size_t r = 0; r < records.size() && of_receipt; ++r)
      narrowed = narrowed || (is_receipt(cited[t - 2], records[r].receipt) && named(r));
    for (size_t r = 0; r < records.size(); ++r) {
      const bool own = is_receipt(token, records[r].receipt);
      if (!own && (!named(r) || (narrowed && !is_receipt(cited[t - 2], records[r].receipt))))
        continue;
      add(r);
      known = true;
    }
    if (const uint32_t id = evidence_.find(token.term);
        id != ReceiptIndex::kNoTerm && evidence_.postings(id).size() <= kMaxCitedPlaces) {
      for (const uint32_t place : evidence_.postings(id))
        cited_units_.push_back(evidence_.unit_of(place));
    }
    for (size_t r = 0; r < evidence_.receipts().size(); ++r) {
      known = known || is_receipt(token, r) ||
              (of_receipt && is_receipt(cited[t - 2], r) &&
               evidence_.find(token.term) != ReceiptIndex::kNoTerm);
    }
    if (token.kind == TokenKind::kPath) {
      const LineRange& lines = statement_->citations.lines[token.value];
      const auto match = evidence_.find_path(spelled(token), lines);
      if (match == ReceiptIndex::PathMatch::kWrongLines)
        fault = Fault{ClaimKind::kPath,
                      fmt::format("the receipts do not show these lines: {}", spelled(token))};
      known = known || match == ReceiptIndex::PathMatch::kMatch;
    } else if (!known && !is_receipt_number(spelled(token)) &&
               evidence_.find(token.term) != ReceiptIndex::kNoTerm) {
      known = true;
      add_mentions(token.term);
    }
    const bool part_of_id =
        spelled(token).size() >= kMinPartOfId && evidence_.has_literal(spelled(token));
    if (!known && !fault && !part_of_id)
      fault = Fault{token.kind == TokenKind::kPath ? ClaimKind::kPath : ClaimKind::kId,
                    fmt::format("it cites {}, which no receipt holds", spelled(token))};
  }
  // What cites a line of a file rests on more than the records that it names.
  if (!scoped_ && cited.empty()) {
    for (const Token& token : statement_->lexed.tokens) {
      if (token.kind != TokenKind::kIdentifier) continue;
      const bool key = std::ranges::any_of(records, [&](const EvidenceRecord& record) {
        return std::ranges::find(record.keys, token.term) != record.keys.end();
      });
      if (key && std::ranges::any_of(spelled(token), [](char c) { return c >= '0' && c <= '9'; }))
        add_mentions(token.term);
    }
  }
  if (!scoped_) scope_.assign(records.size(), true);
  return fault;
}

// "SHA-1" for "sha1", "95th" for "p95".
bool Checker::spelled_otherwise(std::string_view name) const {
  std::string joined(name);
  std::erase(joined, '-');
  if (joined.size() < name.size() &&
      evidence_.find(term_of(ascii_lower(joined))) != ReceiptIndex::kNoTerm)
    return true;
  // "p99" for "the 99th percentile", "3d/6h" for "3d" and "6h".
  if (name.size() > 1 && (name[0] == 'p' || name[0] == 'P') &&
      evidence_.find(term_of(fmt::format("{}th", name.substr(1)))) != ReceiptIndex::kNoTerm)
    return true;
  const auto parts = split(name, '/');
  if (parts.size() > 1 && std::ranges::all_of(parts, [&](std::string_view part) {
        return part.size() > 1 && evidence_.has_literal(fmt::format(" {}", part));
      }))
    return true;
  return name.ends_with("th") &&
         evidence_.find(term_of(fmt::format("p{}", name.substr(0, name.size() - 2)))) !=
             ReceiptIndex::kNoTerm;
}

Checker::Verdict Checker::check_references() {
  for (const Token& token : statement_->lexed.tokens) {
    if (token.part) continue;
    if (token.kind == TokenKind::kPath) {
      switch (evidence_.find_path(spelled(token), statement_->lexed.lines[token.value])) {
        case ReceiptIndex::PathMatch::kMatch: continue;
        case ReceiptIndex::PathMatch::kWrongLines:
          return Fault{ClaimKind::kPath,
                       fmt::format("the receipts do not show these lines: {}", spelled(token))};
        case ReceiptIndex::PathMatch::kUnknown:
          return Fault{ClaimKind::kPath,
                       fmt::format("no receipt names the file {}", spelled(token))};
      }
    }
    if (token.kind != TokenKind::kIdentifier || evidence_.find(token.term) != ReceiptIndex::kNoTerm)
      continue;
    if (evidence_.has_literal(spelled(token)) || spelled_otherwise(spelled(token))) continue;
    return Fault{ClaimKind::kId, fmt::format("no receipt holds {}", spelled(token))};
  }
  return {};
}

Checker::Verdict Checker::check_quotations() {
  for (const TextRange& range : statement_->quoted) {
    if (evidence_.has_literal(range.in(answer_))) continue;
    const bool code = range.begin > 0 && answer_[range.begin - 1] == '`';
    bool held = code;
    for (const Token& token : statement_->lexed.tokens) {
      if (!held || token.begin < range.begin || token.end > range.end) continue;
      if (is_content(token.kind) && !token.part)
        held = evidence_.find(token.term) != ReceiptIndex::kNoTerm ||
               evidence_.has_literal(spelled(token));
    }
    if (!held)
      return Fault{ClaimKind::kQuotation,
                   fmt::format("no receipt says literally: {}", squeeze(range.in(answer_)))};
  }
  return {};
}

}  // namespace precedent
