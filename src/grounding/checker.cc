#include "grounding/checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/arithmetic.h"
#include "grounding/plain_english.h"
#include "grounding/polarity.h"

namespace precedent {
namespace {

// Of the places where a fact stands, how many are looked at; a fact in more places is no evidence
// for where.
constexpr size_t kMaxPlaces = 48;
// Proofs of a claim that are kept.
constexpr size_t kMaxProofs = 6;
// Two words may stand anywhere by chance.
constexpr size_t kMinLiteralBytes = 16;
// How far the words that announce a computation stand from its result.
constexpr size_t kCueBytes = 40;
// A clause of fewer words is judged with its sentence.
constexpr size_t kMinClauseWords = 3;

bool is_content(TokenKind kind) {
  return kind == TokenKind::kWord || kind == TokenKind::kName || kind == TokenKind::kService ||
         kind == TokenKind::kIdentifier || kind == TokenKind::kPath;
}
bool is_fact(TokenKind kind) {
  return kind != TokenKind::kWord && kind != TokenKind::kStop && kind != TokenKind::kNegator &&
         kind != TokenKind::kBreak;
}

// The sentence before its trailing brackets.
std::string_view without_citations(std::string_view body) {
  while (body.ends_with(']') || body.ends_with("].")) {
    const size_t open = body.rfind('[');
    if (open == std::string_view::npos || open == 0) break;
    body = trim(body.substr(0, open));
  }
  return body;
}

}  // namespace

std::string_view Checker::spelled(const Token& token) const {
  return answer_.substr(token.begin, token.end - token.begin);
}

bool Checker::in_scope(uint32_t token) const {
  return scope_[evidence_.units()[evidence_.unit_of(token)].record];
}

bool Checker::find_in_scope(uint64_t term) const {
  const uint32_t id = evidence_.find(term);
  if (id == Grounds::kNoTerm) return false;
  return std::ranges::any_of(evidence_.postings(id),
                             [&](uint32_t token) { return in_scope(token); });
}

Checker::Verdict Checker::read_citations() {
  const auto& records = evidence_.records();
  scope_.assign(records.size(), false);
  scoped_ = false;
  const auto add = [&](size_t record) { scope_[record] = scoped_ = true; };
  const auto add_mentions = [&](uint64_t term) {
    if (const uint32_t id = evidence_.find(term); id != Grounds::kNoTerm) {
      for (const uint32_t token : evidence_.postings(id))
        add(evidence_.units()[evidence_.unit_of(token)].record);
    }
  };
  Verdict fault;
  for (const Token& token : statement_->citations.tokens) {
    if (token.part || (token.kind != TokenKind::kIdentifier && token.kind != TokenKind::kPath))
      continue;
    bool known = false;
    for (size_t r = 0; r < records.size(); ++r) {
      const ReceiptPlace& receipt = evidence_.receipts()[records[r].receipt];
      if (hash64(ascii_lower(receipt.id)) == token.term ||
          std::ranges::find(records[r].keys, token.term) != records[r].keys.end()) {
        add(r);
        known = true;
      }
    }
    for (const ReceiptPlace& receipt : evidence_.receipts())
      known = known || hash64(ascii_lower(receipt.id)) == token.term;
    if (token.kind == TokenKind::kPath) {
      const LineRange& lines = statement_->citations.lines[token.value];
      const auto match = evidence_.find_path(spelled(token), lines);
      if (match == Grounds::PathMatch::kWrongLines)
        fault = Fault{ClaimKind::kPath,
                      fmt::format("the receipts do not show these lines: {}", spelled(token))};
      known = known || match == Grounds::PathMatch::kMatch;
    } else if (!known && evidence_.find(token.term) != Grounds::kNoTerm) {
      known = true;
      add_mentions(token.term);
    }
    if (!known && !fault && !evidence_.has_literal(spelled(token)))
      fault = Fault{token.kind == TokenKind::kPath ? ClaimKind::kPath : ClaimKind::kId,
                    fmt::format("it cites {}, which no receipt holds", spelled(token))};
  }
  if (!scoped_) {
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

Checker::Verdict Checker::check_references() {
  for (const Token& token : statement_->lexed.tokens) {
    if (token.part) continue;
    if (token.kind == TokenKind::kPath) {
      switch (evidence_.find_path(spelled(token), statement_->lexed.lines[token.value])) {
        case Grounds::PathMatch::kMatch: continue;
        case Grounds::PathMatch::kWrongLines:
          return Fault{ClaimKind::kPath,
                       fmt::format("the receipts do not show these lines: {}", spelled(token))};
        case Grounds::PathMatch::kUnknown:
          return Fault{ClaimKind::kPath,
                       fmt::format("no receipt names the file {}", spelled(token))};
      }
    }
    if (token.kind != TokenKind::kIdentifier || evidence_.find(token.term) != Grounds::kNoTerm)
      continue;
    if (evidence_.has_literal(spelled(token))) continue;
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
        held =
            evidence_.find(token.term) != Grounds::kNoTerm || evidence_.has_literal(spelled(token));
    }
    if (!held)
      return Fault{ClaimKind::kQuotation,
                   fmt::format("no receipt says literally: {}", squeeze(range.in(answer_)))};
  }
  return {};
}

std::vector<uint32_t> Checker::in_passages(const Alignment& alignment, TokenKind kind) const {
  std::vector<uint32_t> found;
  for (const uint32_t unit : alignment.passages()) {
    for (uint32_t t = evidence_.units()[unit].first; t < evidence_.units()[unit].end; ++t) {
      if (evidence_.lexed().tokens[t].kind == kind && found.size() < kMaxPlaces &&
          !evidence_.is_label(t))
        found.push_back(t);
    }
  }
  return found;
}

bool Checker::stands_in_place(Alignment& alignment, size_t at, const std::vector<uint32_t>& own,
                              const std::vector<uint32_t>& rivals) {
  Alignment::Affinity best;
  uint32_t best_place = own.empty() ? 0 : own.front();
  for (const uint32_t place : std::span(own).first(std::min(own.size(), kMaxPlaces))) {
    const Alignment::Affinity affinity = alignment.affinity(at, place);
    if (affinity.sum <= best.sum) continue;
    best = affinity;
    best_place = place;
  }
  const size_t rank = own.empty() ? SIZE_MAX : alignment.rank(evidence_.unit_of(best_place));
  for (const uint32_t place : rivals) {
    // A passage that fits the sentence less is no place to look for another.
    if (alignment.rank(evidence_.unit_of(place)) > rank) continue;
    const Alignment::Affinity rival = alignment.affinity(at, place);
    // One word alone stands near many things.
    if (rival.words < 2 || rival.words < best.words) continue;
    const bool same_unit = evidence_.unit_of(place) == evidence_.unit_of(best_place);
    const double factor =
        same_unit && !own.empty() ? rules_.near_rival_factor : rules_.rival_factor;
    if (best.sum < factor * rival.sum) return false;
  }
  if (!own.empty()) facts_.push_back(best_place);
  return true;
}

// Whether one of the places is among the fields of its record.
bool Checker::in_header(const std::vector<uint32_t>& places) const {
  return std::ranges::any_of(places, [&](uint32_t place) {
    const uint32_t unit = evidence_.unit_of(place);
    return unit < evidence_.records()[evidence_.units()[unit].record].end_header;
  });
}

Checker::Verdict Checker::check_names(Alignment& alignment) {
  const auto& tokens = statement_->lexed.tokens;
  for (size_t t = 0; t < tokens.size(); ++t) {
    const Token& token = tokens[t];
    const bool shaped = token.kind == TokenKind::kIdentifier && token.value != 0;
    if (token.part ||
        (token.kind != TokenKind::kName && token.kind != TokenKind::kService && !shaped))
      continue;
    const uint32_t id = evidence_.find(token.term);
    std::vector<uint32_t> own;
    if (id != Grounds::kNoTerm) {
      for (const uint32_t place : evidence_.postings(id)) {
        if (in_scope(place)) own.push_back(place);
      }
    }
    if (own.empty()) {
      if (shaped || (evidence_.has_literal(spelled(token)) && !scoped_)) continue;
      return Fault{ClaimKind::kName, fmt::format("{} does not occur in {}", spelled(token),
                                                 scoped_ ? "what it cites" : "any receipt")};
    }
    std::vector<uint32_t> rivals = in_passages(alignment, token.kind);
    std::erase_if(rivals, [&](uint32_t place) {
      const uint64_t term = evidence_.lexed().tokens[place].term;
      if (shaped && evidence_.lexed().tokens[place].value != token.value) return true;
      return std::ranges::any_of(tokens, [&](const Token& other) { return other.term == term; });
    });
    // A team or an application in a record's fields belongs to all that it tells.
    const bool field = token.kind == TokenKind::kName && scoped_ && in_header(own);
    if (!field && !statement_->supposing && !statement_->advising &&
        !stands_in_place(alignment, t, own, rivals))
      return Fault{ClaimKind::kName,
                   fmt::format("the receipts say this of another than {}", spelled(token))};
  }
  return {};
}

void Checker::add_figures(uint32_t first_unit, uint32_t end_unit,
                          std::vector<Quantity>& figures) const {
  const auto& lexed = evidence_.lexed();
  for (uint32_t unit = first_unit; unit < end_unit; ++unit) {
    const EvidenceUnit& u = evidence_.units()[unit];
    for (uint32_t t = u.first; t < u.end && figures.size() < kMaxFigures; ++t) {
      if (lexed.tokens[t].kind == TokenKind::kQuantity)
        figures.push_back(lexed.quantities[lexed.tokens[t].value]);
    }
  }
}

// The words around a quantity of the sentence, in lower case: those that say how it was computed.
std::string Checker::around(const Quantity& q) const {
  const std::string_view body = statement_->body.in(answer_);
  for (const Token& token : statement_->lexed.tokens) {
    if (token.kind != TokenKind::kQuantity || &statement_->lexed.quantities[token.value] != &q)
      continue;
    const size_t begin = token.begin - statement_->body.begin,
                 end = token.end - statement_->body.begin;
    const size_t from = begin > kCueBytes ? begin - kCueBytes : 0;
    return ascii_lower(body.substr(from, end + kCueBytes - from));
  }
  return {};
}

bool Checker::derived(const Alignment& alignment, const Quantity& q, Hedge hedge) {
  std::vector<Quantity> own;
  for (const Token& token : statement_->lexed.tokens) {
    if (token.kind != TokenKind::kQuantity) continue;
    const Quantity& other = statement_->lexed.quantities[token.value];
    if (&other != &q && other.dimension != Dimension::kTimes && own.size() < kMaxFigures / 2)
      own.push_back(other);
  }
  const ArithmeticCues cues = arithmetic_cues(around(q));
  if (derive(q, hedge, cues, own)) return true;
  // Two figures of the sentence would have been the operands.
  if (own.size() >= 2 && q.dimension == Dimension::kTimes) return false;
  for (const uint32_t unit : alignment.passages()) {
    std::vector<Quantity> figures = own;
    add_figures(unit, unit + 1, figures);
    if (derive(q, hedge, cues, figures)) return true;
  }
  // One operand may stand in the sentence, or both in the fields of one metric.
  const bool measured = q.dimension == Dimension::kBytes || q.dimension == Dimension::kTime ||
                        q.dimension == Dimension::kRate;
  if (!alignment.passages().empty() && (!own.empty() || measured)) {
    for (const uint32_t unit : alignment.passages()) {
      const EvidenceRecord& record = evidence_.records()[evidence_.units()[unit].record];
      std::vector<Quantity> figures = own;
      add_figures(record.first_unit, record.end_unit, figures);
      if (derive(q, hedge, cues, figures, own.size())) return true;
      if (own.empty() && derive(q, hedge, cues, figures)) return true;
    }
  }
  if (q.dimension != Dimension::kTime) return false;
  std::vector<double> times;
  for (const Token& token : statement_->lexed.tokens) {
    if (token.kind == TokenKind::kTime) times.push_back(token.value);
  }
  if (!times.empty()) {
    for (const uint32_t place : in_passages(alignment, TokenKind::kTime))
      times.push_back(evidence_.lexed().tokens[place].value);
  }
  if (derive_duration(q, hedge, times)) return true;
  // Two times of one passage, and the times among a record's fields: opened and resolved.
  const auto& tokens = evidence_.lexed().tokens;
  for (const uint32_t unit : alignment.passages()) {
    times.clear();
    for (uint32_t t = evidence_.units()[unit].first; t < evidence_.units()[unit].end; ++t) {
      if (tokens[t].kind == TokenKind::kTime) times.push_back(tokens[t].value);
    }
    if (derive_duration(q, hedge, times)) return true;
  }
  times.clear();
  for (const uint32_t unit :
       std::span(alignment.passages()).first(std::min<size_t>(2, alignment.passages().size()))) {
    for (uint32_t t = evidence_.units()[unit].first; t < evidence_.units()[unit].end; ++t) {
      if (tokens[t].kind == TokenKind::kTime) times.push_back(tokens[t].value);
    }
  }
  if (derive_duration(q, hedge, times)) return true;
  for (size_t r = 0; r < evidence_.records().size(); ++r) {
    const EvidenceRecord& record = evidence_.records()[r];
    if (!scope_[r] || record.end_header == record.first_unit) continue;
    times.clear();
    double day = 0;
    for (uint32_t t = evidence_.units()[record.first_unit].first;
         t < evidence_.units()[record.end_header - 1].end; ++t) {
      if (tokens[t].kind == TokenKind::kDate) {
        const CalendarDate& date = evidence_.lexed().dates[tokens[t].value];
        if (date.year != 0 && date.day != 0) {
          const std::chrono::sys_days days = std::chrono::year(date.year) / date.month / date.day;
          day = static_cast<double>(days.time_since_epoch().count()) * 86400;
        }
      }
      if (tokens[t].kind == TokenKind::kTime) times.push_back(day + tokens[t].value);
    }
    if (derive_duration(q, hedge, times)) return true;
  }
  return false;
}

// "3 incidents", "two deploys": as many as the list below has, or lines and names of the receipts.
bool Checker::counted(size_t at, const Quantity& q) const {
  if (q.dimension != Dimension::kNone ||
      q.value != static_cast<double>(static_cast<size_t>(std::abs(q.value))))
    return false;
  const auto wanted = static_cast<size_t>(q.value);
  if (statement_->listed > 0 && statement_->listed == wanted) return true;
  for (size_t r = 0; r < evidence_.records().size(); ++r) {
    if (scope_[r] && wanted > 1 && evidence_.records()[r].list_items == wanted) return true;
  }
  const auto& tokens = statement_->lexed.tokens;
  size_t named = 0;
  for (const Token& token : tokens)
    named += !token.part && (token.kind == TokenKind::kIdentifier ||
                             token.kind == TokenKind::kService || token.kind == TokenKind::kPath)
                 ? 1
                 : 0;
  if (named == wanted && wanted > 1) return true;
  // What is counted: the noun that follows.
  for (size_t t = at + 1; t < std::min(tokens.size(), at + 4); ++t) {
    if (tokens[t].kind != TokenKind::kWord || tokens[t].part) continue;
    const uint32_t id = evidence_.find(tokens[t].term);
    if (id == Grounds::kNoTerm) continue;
    size_t units = 0;
    uint32_t last = UINT32_MAX;
    for (const uint32_t place : evidence_.postings(id)) {
      if (!in_scope(place) || evidence_.unit_of(place) == last) continue;
      last = evidence_.unit_of(place);
      // Of a list: the noun stands near the beginning of its line.
      units += place - evidence_.units()[last].first < 6 ? 1 : 0;
    }
    if (units == wanted) return true;
    if (evidence_.postings(id).size() == wanted) return true;
  }
  return false;
}

Checker::Verdict Checker::check_quantities(Alignment& alignment) {
  const auto& tokens = statement_->lexed.tokens;
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (tokens[t].kind != TokenKind::kQuantity) continue;
    const Quantity& q = statement_->lexed.quantities[tokens[t].value];
    const Hedge hedge = tokens[t].hedge;
    const auto stated = [&](uint32_t place) -> const Quantity& {
      return evidence_.lexed().quantities[evidence_.lexed().tokens[place].value];
    };
    std::vector<uint32_t> own = evidence_.quantities_near(q);
    std::erase_if(own, [&](uint32_t place) {
      return !in_scope(place) || !same_quantity(q, stated(place), hedge);
    });
    if (own.empty() && q.dimension == Dimension::kNone) {
      const bool year = std::ranges::any_of(evidence_.dates(), [&](uint32_t place) {
        return in_scope(place) &&
               evidence_.lexed().dates[evidence_.lexed().tokens[place].value].year == q.value;
      });
      if (year) continue;
    }
    if (!own.empty()) {
      std::vector<uint32_t> rivals = in_passages(alignment, TokenKind::kQuantity);
      std::erase_if(rivals, [&](uint32_t place) {
        const Quantity& rival = stated(place);
        if (rival.dimension != q.dimension) return true;
        return std::ranges::any_of(tokens, [&](const Token& other) {
          return other.kind == TokenKind::kQuantity &&
                 same_quantity(statement_->lexed.quantities[other.value], rival, other.hedge);
        });
      });
      if (statement_->supposing || statement_->form != StatementForm::kSentence ||
          stands_in_place(alignment, t, own, rivals))
        continue;
    }
    if (derived(alignment, q, hedge) || counted(t, q)) continue;
    return Fault{ClaimKind::kNumber,
                 own.empty() ? fmt::format("no receipt states {} and none of its figures gives it",
                                           squeeze(spelled(tokens[t])))
                             : fmt::format("the receipts state {} of something else",
                                           squeeze(spelled(tokens[t])))};
  }
  return {};
}

Checker::Verdict Checker::check_times(Alignment& alignment) {
  const auto& tokens = statement_->lexed.tokens;
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (tokens[t].kind == TokenKind::kDate) {
      const CalendarDate& date = statement_->lexed.dates[tokens[t].value];
      const bool known = std::ranges::any_of(evidence_.dates(), [&](uint32_t place) {
        return in_scope(place) &&
               date.compatible(evidence_.lexed().dates[evidence_.lexed().tokens[place].value]);
      });
      if (!known)
        return Fault{ClaimKind::kTime,
                     fmt::format("no receipt has the date {}", spelled(tokens[t]))};
    }
    if (tokens[t].kind != TokenKind::kTime) continue;
    const auto minute = [](uint32_t seconds) { return seconds / 60; };
    std::vector<uint32_t> own, rivals;
    for (const uint32_t place : evidence_.times()) {
      if (in_scope(place) &&
          minute(evidence_.lexed().tokens[place].value) == minute(tokens[t].value))
        own.push_back(place);
    }
    if (own.empty())
      return Fault{ClaimKind::kTime, fmt::format("no receipt has the time {}", spelled(tokens[t]))};
    rivals = in_passages(alignment, TokenKind::kTime);
    std::erase_if(rivals, [&](uint32_t place) {
      return std::ranges::any_of(tokens, [&](const Token& other) {
        return other.kind == TokenKind::kTime &&
               minute(other.value) == minute(evidence_.lexed().tokens[place].value);
      });
    });
    if (!statement_->supposing && !stands_in_place(alignment, t, own, rivals))
      return Fault{ClaimKind::kTime,
                   fmt::format("the receipts give {} for something else", spelled(tokens[t]))};
  }
  return {};
}

Checker::Verdict Checker::check_words(const Alignment& alignment) {
  const auto& tokens = statement_->lexed.tokens;
  static const uint64_t kSince = hash64("since"), kAs = hash64("as");
  size_t begin = 0;
  bool cause = false;
  for (size_t t = 0; t <= tokens.size(); ++t) {
    const bool reason = t < tokens.size() && tokens[t].kind == TokenKind::kStop &&
                        (is_causal(ascii_lower(spelled(tokens[t]))) ||
                         (t > 0 && tokens[t - 1].kind == TokenKind::kBreak &&
                          (tokens[t].term == kSince || tokens[t].term == kAs)));
    if (t < tokens.size() && tokens[t].kind != TokenKind::kBreak && !reason) continue;
    const Alignment::Overlap clause = alignment.overlap(begin, t);
    const double least = cause ? rules_.min_cause_overlap : rules_.min_clause_overlap;
    if (clause.words >= (cause ? 2 : kMinClauseWords) && clause.share() < least) {
      return cause ? Fault{ClaimKind::kCause, "the receipts do not give this cause"}
                   : Fault{ClaimKind::kGeneral, "the receipts do not say a part of this"};
    }
    begin = t;
    cause = reason;
  }
  const Alignment::Overlap whole = alignment.overlap(0, tokens.size());
  if (whole.words > 0 && whole.share() < rules_.min_overlap)
    return Fault{ClaimKind::kGeneral, "the receipts do not say this"};
  if (alignment.longest_unknown_run() >= rules_.max_unknown_run)
    return Fault{ClaimKind::kGeneral, "the receipts have none of the words of a part of this"};
  return {};
}

Checker::Verdict Checker::check_polarity(Alignment& alignment) {
  // A row of a table denies by its column: "reload: no | meaning: …".
  const auto cells = std::ranges::count_if(statement_->lexed.tokens, [](const Token& token) {
    return token.kind == TokenKind::kBreak && token.value == '|';
  });
  if (cells > 1) return {};
  if (const auto flipped = find_flip(statement_->lexed, evidence_, alignment, scope_))
    return Fault{ClaimKind::kGeneral,
                 fmt::format("the receipts say the opposite about \"{}\"",
                             squeeze(spelled(statement_->lexed.tokens[*flipped])))};
  return {};
}

// What only a call without a result names cannot have any property but to be missing.
Checker::Verdict Checker::check_absence() {
  const auto& tokens = statement_->lexed.tokens;
  for (size_t at = 0; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    if (token.part || !is_fact(token.kind) || token.term == 0) continue;
    const uint32_t id = evidence_.find(token.term);
    if (id == Grounds::kNoTerm) continue;
    const bool only_missing = std::ranges::none_of(
        evidence_.postings(id), [&](uint32_t place) { return evidence_.is_found(place); });
    bool denied = false;
    const auto look = [&](size_t t) {
      denied = denied || tokens[t].kind == TokenKind::kNegator;
      return tokens[t].kind != TokenKind::kBreak;
    };
    for (size_t t = at; t > 0 && look(t - 1); --t) continue;
    for (size_t t = at + 1; t < tokens.size() && look(t); ++t) continue;
    if (only_missing && !denied)
      return Fault{ClaimKind::kGap,
                   fmt::format("the tools found nothing about {}", spelled(token))};
  }
  return {};
}

bool Checker::is_gap() const {
  bool denied = false, finding = false, gap = false;
  for (const Token& token : statement_->lexed.tokens) {
    if (token.kind == TokenKind::kBreak) denied = finding = false;
    denied = denied || token.kind == TokenKind::kNegator;
    finding =
        finding || (token.kind != TokenKind::kBreak && is_finding(ascii_lower(spelled(token))));
    gap = gap || (denied && finding);
  }
  if (!gap) return false;
  if (evidence_.records().empty()) return true;
  if (std::ranges::any_of(evidence_.receipts(),
                          [](const ReceiptPlace& r) { return r.status != ReceiptStatus::kOk; }))
    return true;
  // It names something that the receipts do not hold.
  return std::ranges::any_of(statement_->lexed.tokens, [&](const Token& token) {
    if (!is_fact(token.kind) || token.term == 0 || token.part) return false;
    const uint32_t id = evidence_.find(token.term);
    return id == Grounds::kNoTerm ||
           std::ranges::none_of(evidence_.postings(id),
                                [&](uint32_t place) { return evidence_.is_found(place); });
  });
}

bool Checker::is_general() const {
  const auto& tokens = statement_->lexed.tokens;
  if (tokens.empty() || !statement_->citations.tokens.empty()) return false;
  if (std::ranges::any_of(tokens, [](const Token& t) { return is_fact(t.kind); })) return false;
  if (statement_->advising) return true;
  bool general = false, first = true;
  for (const Token& token : tokens) {
    const std::string word = ascii_lower(spelled(token));
    if (first && (word == "a" || word == "an")) general = true;
    if (is_generalising(word)) general = true;
    // Told as something that happened, or caused something here.
    if (word == "was" || word == "were" || word == "had" || word == "did" || is_causal(word))
      return false;
    if (!first && token.kind == TokenKind::kWord && word.ends_with("ed")) return false;
    first = false;
  }
  return general;
}

ClaimKind Checker::kind_of() const {
  ClaimKind kind = ClaimKind::kGeneral;
  const auto raise = [&](ClaimKind other) { kind = std::min(kind, other); };
  if (!statement_->quoted.empty()) raise(ClaimKind::kQuotation);
  for (const Token& token : statement_->lexed.tokens) {
    if (token.part) continue;
    switch (token.kind) {
      case TokenKind::kIdentifier: raise(ClaimKind::kId); break;
      case TokenKind::kPath: raise(ClaimKind::kPath); break;
      case TokenKind::kQuantity: raise(ClaimKind::kNumber); break;
      case TokenKind::kTime:
      case TokenKind::kDate: raise(ClaimKind::kTime); break;
      case TokenKind::kName:
      case TokenKind::kService: raise(ClaimKind::kName); break;
      case TokenKind::kStop:
        if (is_causal(ascii_lower(spelled(token)))) raise(ClaimKind::kCause);
        break;
      default: break;
    }
  }
  return kind;
}

void Checker::prove(const Alignment& alignment, Claim& claim) const {
  const auto add = [&](uint32_t first, uint32_t last) {
    const auto& tokens = evidence_.lexed().tokens;
    const uint32_t record = evidence_.units()[evidence_.unit_of(first)].record;
    const ReceiptPlace& receipt = evidence_.receipts()[evidence_.records()[record].receipt];
    Proof proof{receipt.id, {}};
    if (tokens[last].end - receipt.base <= receipt.text_bytes)
      proof.bytes = {tokens[first].begin - receipt.base, tokens[last].end - receipt.base};
    if (claim.proofs.size() < kMaxProofs &&
        std::ranges::find(claim.proofs, proof) == claim.proofs.end())
      claim.proofs.push_back(std::move(proof));
  };
  for (const uint32_t unit :
       std::span(alignment.passages()).first(std::min<size_t>(2, alignment.passages().size())))
    add(evidence_.units()[unit].first, evidence_.units()[unit].end - 1);
  for (const uint32_t fact : facts_) add(fact, fact);
}

std::optional<Claim> Checker::check(const Statement& statement) {
  statement_ = &statement;
  facts_.clear();
  const auto& tokens = statement.lexed.tokens;
  const bool says = std::ranges::any_of(
      tokens, [](const Token& t) { return is_content(t.kind) || is_fact(t.kind); });
  const bool code = statement.form == StatementForm::kCode;
  if (statement.question || (!says && !code && statement.citations.tokens.empty()))
    return std::nullopt;
  const bool heading =
      statement.form == StatementForm::kHeading || statement.form == StatementForm::kFrame;
  const bool states = std::ranges::any_of(
      tokens, [](const Token& t) { return is_fact(t.kind) && t.kind != TokenKind::kName; });
  if (heading && !states && statement.citations.tokens.empty()) return std::nullopt;

  Claim claim;
  claim.bytes = statement.bytes;
  claim.kind = code ? ClaimKind::kQuotation : kind_of();
  const auto reject = [&](const Fault& fault) {
    claim.verdict = ClaimVerdict::kUnsupported;
    if (fault.kind != ClaimKind::kGeneral) claim.kind = fault.kind;
    claim.reason = fault.reason;
    return claim;
  };
  if (code) {
    if (!evidence_.has_literal(statement.bytes.in(answer_)))
      return reject({ClaimKind::kQuotation, "no receipt has this line of code"});
    claim.verdict = ClaimVerdict::kSupported;
    claim.reason = "it stands in a receipt literally";
    return claim;
  }
  if (const Verdict fault = read_citations()) return reject(*fault);
  if (is_gap()) {
    claim.kind = ClaimKind::kGap;
    claim.verdict = ClaimVerdict::kSupported;
    claim.reason = "the receipts do not have it either";
    return claim;
  }
  if (const Verdict fault = check_references()) return reject(*fault);
  const std::string_view body = trim(statement.body.in(answer_));
  if (body.size() >= kMinLiteralBytes && statement.lexed.tokens.size() > 2 &&
      evidence_.has_literal(without_citations(body))) {
    prove(Alignment(evidence_, statement.lexed, scope_), claim);
    claim.verdict = statement.supposing ? ClaimVerdict::kHypothesis : ClaimVerdict::kSupported;
    claim.reason = "it stands in a receipt literally";
    return claim;
  }
  Alignment alignment(evidence_, statement.lexed, scope_);
  if (statement.form != StatementForm::kSource) {
    if (const Verdict fault = check_quotations()) return reject(*fault);
    if (const Verdict fault = check_names(alignment)) return reject(*fault);
    Verdict wrong = check_quantities(alignment);
    if (!wrong) wrong = check_times(alignment);
    if (wrong && scoped_ && !statement.citations.tokens.empty()) {
      // A citation at the end may be for the last of several facts only.
      scope_.assign(scope_.size(), true);
      Alignment wide(evidence_, statement.lexed, scope_);
      wrong = check_quantities(wide);
      if (!wrong) wrong = check_times(wide);
    }
    if (wrong) return reject(*wrong);
    if (const Verdict fault = check_absence()) return reject(*fault);
  }
  prove(alignment, claim);
  if (statement.supposing) {
    claim.verdict = ClaimVerdict::kHypothesis;
    claim.reason = "worded as a supposition; what it names is in the receipts";
    return claim;
  }
  if (statement.form == StatementForm::kSentence) {
    const Verdict words = check_words(alignment);
    if (words && is_general()) {
      claim.verdict = ClaimVerdict::kGeneralKnowledge;
      claim.proofs.clear();
      claim.reason = "it says nothing about this company";
      return claim;
    }
    if (words && !(statement.advising && words->kind != ClaimKind::kCause)) return reject(*words);
    if (const Verdict fault = check_polarity(alignment)) return reject(*fault);
  }
  claim.verdict = ClaimVerdict::kSupported;
  claim.reason = "the receipts say so";
  return claim;
}

}  // namespace precedent
