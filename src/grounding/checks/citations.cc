#include "grounding/checks/citations.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/text/clauses.h"

namespace precedent {
namespace {

// What stands in more places is no place.
constexpr size_t kMaxCitedPlaces = 8;

// Of a part of a bracket that is no path: more plain words are prose.
constexpr ptrdiff_t kMaxCitedWords = 2;
// How many words of a sentence may name its subject.
constexpr size_t kSubjectWords = 2;
// The first digits of a commit's hash; what is shorter stands within many words.
constexpr size_t kMinPartOfId = 6;

// "R7": a receipt's number, and nothing else that a text may hold.
bool is_receipt_number(std::string_view id) {
  return id.size() > 1 && (id[0] == 'R' || id[0] == 'r') &&
         std::ranges::all_of(id.substr(1), is_digit);
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
    } else if (is_digit(c) && *number < 10'000'000) {
      *number = *number * 10 + static_cast<uint32_t>(c - '0');
    } else {
      return {cited, {}};
    }
  }
  if (lines.end == 0) lines.end = lines.begin;
  return {cited.substr(0, colon), lines};
}

// A bracket that is one path of the receipts, whatever characters it has: its receipts are what the
// sentence rests on.
PathMatch cites_path(Sentence& sentence, const Facts& facts, const TextRange& bracket) {
  const auto [path, lines] = split_lines_off(trim(bracket.in(sentence.answer)));
  const PathMatch match = facts.index.find_path(path, lines);
  for (size_t r = 0; match == PathMatch::kMatch && r < facts.index.records().size(); ++r)
    if (facts.index.has_literal(path, facts.index.records()[r].receipt))
      sentence.scope[r] = sentence.scoped = true;
  return match;
}

// What stands in brackets beside ids and paths: words that nobody wrote cite nothing.
Judgement check_cited_words(const Sentence& sentence, const Facts& facts,
                            const TextRange& bracket) {
  for (std::string_view part : split(bracket.in(sentence.answer), ',')) {
    const std::string_view whole = trim(part);
    ptrdiff_t words = 0;
    bool known = true;
    const auto begin = static_cast<uint32_t>(whole.data() - sentence.answer.data());
    for (const Token& token : sentence.statement->citations.tokens) {
      const bool plain = token.kind == TokenKind::kWord || token.kind == TokenKind::kName;
      if (!plain || token.part || token.begin < begin || token.end > begin + whole.size()) continue;
      ++words;
      known = known && facts.index.find(token.term) != ReceiptIndex::kNoTerm;
    }
    const size_t colon = whole.find(": ");
    const bool literal =
        facts.index.has_literal(whole) ||
        (colon != std::string_view::npos && is_receipt_number(whole.substr(0, colon)) &&
         facts.index.has_literal(whole.substr(colon + 2)));
    if (words == 0 || literal || (words <= kMaxCitedWords && known)) continue;
    return refuted(ClaimKind::kId,
                   fmt::format("it cites {}, which no receipt holds", squeeze(whole)));
  }
  return {};
}

}  // namespace

void read_citations(Sentence& sentence, const Facts& facts) {
  const auto& records = facts.index.records();
  sentence.scope.assign(records.size(), false);
  const auto add = [&](size_t record) { sentence.scope[record] = sentence.scoped = true; };
  const auto is_receipt = [&](const Token& token, size_t receipt) {
    return token.kind == TokenKind::kIdentifier &&
           hash64(ascii_lower(facts.index.receipts()[receipt].id)) == token.term;
  };
  const auto add_mentions = [&](uint64_t term) {
    if (const uint32_t id = facts.index.find(term); id != ReceiptIndex::kNoTerm) {
      for (const uint32_t token : facts.index.postings(id))
        add(facts.index.units()[facts.index.unit_of(token)].record);
    }
  };
  Judgement& fault = sentence.citations;
  const auto& cited = sentence.statement->citations.tokens;
  std::vector<TextRange> paths;
  for (const TextRange& bracket : sentence.statement->cited) {
    const PathMatch match = cites_path(sentence, facts, bracket);
    if (match != PathMatch::kUnknown) paths.push_back(bracket);
    if (match == PathMatch::kWrongLines && fault.silent())
      fault = refuted(ClaimKind::kPath, fmt::format("the receipts do not show these lines: {}",
                                                    bracket.in(sentence.answer)));
    if (match == PathMatch::kUnknown && fault.silent())
      fault = check_cited_words(sentence, facts, bracket);
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
    if (const uint32_t id = facts.index.find(token.term);
        id != ReceiptIndex::kNoTerm && facts.index.postings(id).size() <= kMaxCitedPlaces) {
      for (const uint32_t place : facts.index.postings(id))
        sentence.cited_units.push_back(facts.index.unit_of(place));
    }
    for (size_t r = 0; r < facts.index.receipts().size(); ++r) {
      known = known || is_receipt(token, r) ||
              (of_receipt && is_receipt(cited[t - 2], r) &&
               facts.index.find(token.term) != ReceiptIndex::kNoTerm);
    }
    if (token.kind == TokenKind::kPath) {
      const LineRange& lines = sentence.statement->citations.lines[token.value];
      const auto match = facts.index.find_path(sentence.spelling(token), lines);
      if (match == PathMatch::kWrongLines)
        fault = refuted(ClaimKind::kPath, fmt::format("the receipts do not show these lines: {}",
                                                      sentence.spelling(token)));
      known = known || match == PathMatch::kMatch;
    } else if (!known && !is_receipt_number(sentence.spelling(token)) &&
               facts.index.find(token.term) != ReceiptIndex::kNoTerm) {
      known = true;
      add_mentions(token.term);
    }
    const bool part_of_id = sentence.spelling(token).size() >= kMinPartOfId &&
                            facts.index.has_literal(sentence.spelling(token));
    if (!known && fault.silent() && !part_of_id)
      fault = refuted(token.kind == TokenKind::kPath ? ClaimKind::kPath : ClaimKind::kId,
                      fmt::format("it cites {}, which no receipt holds", sentence.spelling(token)));
  }
  // What cites a line of a file rests on more than the records that it names.
  if (!sentence.scoped && cited.empty()) {
    for (const Token& token : sentence.tokens()) {
      if (token.kind != TokenKind::kIdentifier) continue;
      const bool key = std::ranges::any_of(records, [&](const EvidenceRecord& record) {
        return std::ranges::find(record.keys, token.term) != record.keys.end();
      });
      if (key && std::ranges::any_of(sentence.spelling(token), is_digit)) add_mentions(token.term);
    }
  }
  if (!sentence.scoped) sentence.scope.assign(records.size(), true);
}

Judgement check_citations(const Sentence& sentence, const Facts&) { return sentence.citations; }

std::vector<bool> subject_of(const Sentence& sentence, const Facts& facts) {
  const auto& records = facts.index.records();
  std::vector<bool> subject = sentence.scope;
  size_t words = 0;
  for (const Token& token : sentence.tokens()) {
    if (token.part || !is_content(token.kind)) continue;
    const uint32_t id = facts.index.find(token.term);
    if (id == ReceiptIndex::kNoTerm) continue;
    ++words;
    std::vector<bool> own(records.size(), false);
    bool any = false;
    for (size_t r = 0; r < records.size(); ++r) {
      own[r] =
          subject[r] && std::ranges::find(records[r].keys, token.term) != records[r].keys.end();
      any = any || own[r];
    }
    if (any && words <= kSubjectWords) return own;
    // A word that nothing but titles and their records hold.
    bool elsewhere = false;
    own.assign(records.size(), false);
    for (const uint32_t place : facts.index.postings(id)) {
      const uint32_t record = facts.index.units()[facts.index.unit_of(place)].record;
      if (!subject[record] || !facts.index.is_found(place)) continue;
      own[record] = true;
      elsewhere = elsewhere || !std::ranges::binary_search(records[record].title_terms, id);
    }
    if (!elsewhere && std::ranges::find(own, true) != own.end()) subject = own;
  }
  return subject;
}

std::vector<uint64_t> record_keys(std::span<const Token> words, const ReceiptIndex& index) {
  std::vector<uint64_t> keys;
  for (const Token& token : words) {
    const auto has_key = [&](const EvidenceRecord& record) {
      return std::ranges::find(record.keys, token.term) != record.keys.end();
    };
    if (!token.part && token.kind == TokenKind::kIdentifier &&
        std::ranges::any_of(index.records(), has_key))
      keys.push_back(token.term);
  }
  return keys;
}

uint64_t last_record_key(const LexedText& lexed, const ReceiptIndex& index, uint64_t before) {
  for (const Clause& clause : clauses_of(lexed.tokens, ClauseEnd::kBreak)) {
    const std::span words(lexed.tokens.data() + clause.first, clause.end - clause.first);
    const std::vector<uint64_t> keys = record_keys(words, index);
    if (!keys.empty()) before = keys.size() == 1 ? keys.front() : 0;
  }
  return before;
}

}  // namespace precedent
