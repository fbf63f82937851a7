// Which thing a fact belongs to: a time to a kind of change, a figure to a metric, what "only"
// leaves, to whom something belongs, in which version something went.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/measured_trends.h"
#include "grounding/checks/places.h"
#include "grounding/text/clauses.h"

namespace precedent {
namespace {

bool is_only(const Token& token) {
  static const TermSet kTerms = terms_of("only solely exclusively just exactly alone");
  return is_any(token, kTerms);
}
bool is_alert(const Token& token) {
  static const TermSet kTerms = terms_of("alert alerts alarm alarms");
  return is_any(token, kTerms);
}
bool is_place_word(const Token& token) {
  static const TermSet kTerms = terms_of("to in on into at within for");
  return is_any(token, kTerms);
}
bool owns(const Token& token) {
  static const TermSet kTerms = terms_of("own owns owned owner owners ownership owning");
  return is_any(token, kTerms);
}
bool takes_away(const Token& token) {
  static const TermSet kTerms =
      terms_of("remove removed removes delete deleted retire retired withdrawn");
  return is_any(token, kTerms);
}
// "With commit 9f3c2ab", "in 2.31.0": what a change came in.
bool brings(const Token& token) {
  static const TermSet kTerms = terms_of("with by in from since of");
  return is_any(token, kTerms);
}
bool is_thing(const Token& token) { return is_content(token.kind) && !token.part; }

}  // namespace

// "2.31.0 was deployed at 14:12", where the change of 14:12 is its commit.
Judgement check_change_kinds(const Sentence& sentence, const Facts& facts) {
  const std::span tokens(sentence.tokens());
  for (const Clause& clause : clauses_of(tokens)) {
    std::optional<size_t> kind;
    bool one = true;
    for (size_t t = clause.first; t < clause.end; ++t) {
      const bool companion = t > clause.first && brings(tokens[t - 1]);
      const std::optional<size_t> own = companion ? std::nullopt : change_kind(tokens[t]);
      one = one && (!own || !kind || own == kind);
      kind = kind ? kind : own;
    }
    std::vector<Mention> mentions;
    for (const Mention& mention : sentence.mentions)
      if (mention.token >= clause.first && mention.token < clause.end) mentions.push_back(mention);
    if (!kind || !one || mentions.size() != 1) continue;
    bool same = false, other = false, elsewhere = false;
    for (const DatedEvent& change : facts.changes) {
      const bool at = is_at(change, mentions.front());
      (at ? (is_of_kind(facts, change, kind) ? same : other) : elsewhere) |=
          at || is_of_kind(facts, change, kind);
    }
    if (other && !same && elsewhere)
      return refuted(ClaimKind::kTime, "the change of that time was of another kind");
  }
  return {};
}

// "error_rate is 2.5 s", where that is the figure of p95_latency: a clause that names one metric
// has its figures from what was measured of it, if they were measured at all.
Judgement check_measured_figures(const Sentence& sentence, const Facts& facts) {
  const auto& lexed = sentence.lexed();
  const auto& stated = facts.index.lexed();
  const auto& records = facts.index.records();
  // The words that are the name of one metric, or a part of it, and of no other.
  const auto metric_of = [&](uint64_t term) -> std::optional<uint64_t> {
    std::optional<uint64_t> found;
    for (const EvidenceRecord& record : records) {
      if (!facts.index.receipts()[record.receipt].measured || record.end_title == record.first_unit)
        continue;
      const uint32_t first = facts.index.units()[record.first_unit].first;
      bool own = stated.tokens[first].term == term;
      for (uint32_t t = first + 1; t < stated.tokens.size() && stated.tokens[t].part; ++t)
        own = own || stated.tokens[t].term == term;
      if (!own) continue;
      if (found && *found != stated.tokens[first].term) return std::nullopt;
      found = stated.tokens[first].term;
    }
    return found;
  };
  for (const Clause& clause : clauses_of(lexed.tokens, ClauseEnd::kBreakOrWord)) {
    std::optional<uint64_t> metric;
    bool one = true;
    for (size_t t = clause.first; t < clause.end; ++t) {
      if (!is_thing(lexed.tokens[t])) continue;
      const std::optional<uint64_t> own = metric_of(lexed.tokens[t].term);
      one = one && (!own || !metric || own == metric);
      metric = metric ? metric : own;
    }
    if (!metric || !one) continue;
    for (size_t t = clause.first; t < clause.end; ++t) {
      if (lexed.tokens[t].kind != TokenKind::kQuantity) continue;
      const Quantity& q = lexed.quantities[lexed.tokens[t].value];
      if (q.dimension == Dimension::kTimes) continue;
      bool own = false, others = false, unmeasured = false;
      for (const uint32_t place : facts.index.quantities_near(q, lexed.tokens[t].hedge)) {
        if (!same_fact(sentence, facts, lexed.tokens[t], stated.tokens[place])) continue;
        const EvidenceRecord& record =
            records[facts.index.units()[facts.index.unit_of(place)].record];
        const bool measured = facts.index.receipts()[record.receipt].measured;
        const uint64_t title = stated.tokens[facts.index.units()[record.first_unit].first].term;
        (!measured ? unmeasured : title == *metric ? own : others) = true;
      }
      if (others && !own && !unmeasured)
        return refuted(ClaimKind::kNumber,
                       fmt::format("the receipts measured {} of another metric",
                                   squeeze(sentence.spelling(lexed.tokens[t]))));
    }
  }
  return {};
}

// "Deployed to staging only", "only in Frankfurt": what is left stands in the lines that are meant.
Judgement check_only(const Sentence& sentence, const Facts& facts) {
  constexpr size_t kNear = 3;
  const std::span tokens(sentence.tokens());
  for (const Clause& clause : clauses_of(tokens)) {
    for (size_t t = clause.first; t < clause.end; ++t) {
      if (!is_only(tokens[t])) continue;
      std::optional<size_t> left;
      // "To staging only" ends its clause, "only to staging" goes on.
      if (t + 1 == clause.end && t > clause.first + 1 && is_place_word(tokens[t - 2])) left = t - 1;
      if (!left && t + 1 < clause.end && is_place_word(tokens[t + 1]))
        for (size_t n = t + 2; n < std::min(clause.end, t + 2 + kNear) && !left; ++n)
          if (is_thing(tokens[n])) left = n;
      if (!left || !is_thing(tokens[*left])) continue;
      // The lines with everything else that the clause names.
      std::vector<uint64_t> names;
      for (size_t n = clause.first; n < clause.end; ++n)
        if (n != *left && is_named(tokens[n]) && !tokens[n].part &&
            facts.index.find(tokens[n].term) != ReceiptIndex::kNoTerm)
          names.push_back(tokens[n].term);
      bool any = false, held = false;
      for (const uint32_t place :
           names.empty() ? std::span<const uint32_t>() : facts.index.postings_of(names.front())) {
        const uint32_t unit = facts.index.unit_of(place);
        if (!std::ranges::all_of(names,
                                 [&](uint64_t name) { return facts.index.unit_has(unit, name); }))
          continue;
        any = true;
        held = held || facts.index.unit_has(unit, tokens[*left].term) ||
               (!facts.index.receipt_of(unit).lists_changes &&
                facts.index.find(tokens[*left].term) != ReceiptIndex::kNoTerm);
      }
      if (any ? !held : facts.index.find(tokens[*left].term) == ReceiptIndex::kNoTerm)
        return refuted(ClaimKind::kName, fmt::format("the receipts do not say {} of it",
                                                     squeeze(sentence.spelling(tokens[*left]))));
    }
  }
  return {};
}

// "Only two alerts", "just three deploys": as many as the whole list has of those that are named.
Judgement check_only_so_many(const Sentence& sentence, const Facts& facts) {
  constexpr size_t kNear = 4;
  const std::span tokens(sentence.tokens());
  if (std::ranges::any_of(tokens, is_past)) return {};
  for (size_t t = 0; t + 1 < tokens.size(); ++t) {
    // "One" is a pronoun, too, and no quantity.
    const bool one = ascii_lower(sentence.spelling(tokens[t + 1])) == "one";
    if (!is_only(tokens[t]) || (!one && tokens[t + 1].kind != TokenKind::kQuantity)) continue;
    const double most = one ? 1 : sentence.lexed().quantities[tokens[t + 1].value].value;
    std::vector<uint64_t> names;
    for (const Token& token : tokens)
      if (is_named(token) && token.kind != TokenKind::kQuantity) names.push_back(token.term);
    const auto named = [&](uint32_t unit) {
      return std::ranges::all_of(names,
                                 [&](uint64_t name) { return facts.index.unit_has(unit, name); });
    };
    for (size_t n = t + 2; n < std::min(tokens.size(), t + kNear); ++n) {
      const std::optional<size_t> kind = change_kind(tokens[n]);
      const bool alerts = is_alert(tokens[n]) &&
                          std::ranges::any_of(facts.index.receipts(), &ReceiptPlace::all_alerts);
      const bool changes =
          kind && std::ranges::any_of(facts.index.receipts(), &ReceiptPlace::all_changes);
      if (!alerts && !changes) continue;
      const auto there = alerts
                             ? std::ranges::count_if(facts.active_alerts, named)
                             : std::ranges::count_if(facts.changes, [&](const DatedEvent& change) {
                                 return is_of_kind(facts, change, kind) && named(change.unit);
                               });
      if (static_cast<double>(there) > most)
        return refuted(ClaimKind::kNumber, fmt::format("the receipts list {} of them", there));
    }
  }
  return {};
}

// "Team X does not own search", where a line says that it does.
Judgement check_owned(const Sentence& sentence, const Facts& facts) {
  const std::span tokens(sentence.tokens());
  for (const Clause& clause : clauses_of(tokens)) {
    const auto words = tokens.subspan(clause.first, clause.end - clause.first);
    if (std::ranges::none_of(words, owns) || std::ranges::none_of(words, denies)) continue;
    std::vector<uint64_t> names;
    for (const Token& token : words)
      if (is_thing(token) && !owns(token) && facts.index.find(token.term) != ReceiptIndex::kNoTerm)
        names.push_back(token.term);
    if (names.size() < 2) continue;
    for (uint32_t unit = 0; unit < facts.index.units().size(); ++unit) {
      const EvidenceUnit& u = facts.index.units()[unit];
      const EvidenceRecord& record = facts.index.records()[u.record];
      const std::span own(facts.index.lexed().tokens.data() + u.first, u.end - u.first);
      if (!sentence.scope[u.record] || std::ranges::none_of(own, owns) ||
          std::ranges::any_of(own, denies))
        continue;
      const bool all = std::ranges::all_of(names, [&](uint64_t name) {
        return facts.index.unit_has(unit, name) ||
               std::ranges::binary_search(record.title_terms, facts.index.find(name));
      });
      if (all) return refuted(ClaimKind::kName, "the receipts say that it does");
    }
  }
  return {};
}

// "The cache was removed in 2.31.0", where nothing that tells of 2.31.0 took anything away.
Judgement check_taken_away(const Sentence& sentence, const Facts& facts) {
  const std::span tokens(sentence.tokens());
  for (const Clause& clause : clauses_of(tokens)) {
    const auto words = tokens.subspan(clause.first, clause.end - clause.first);
    if (std::ranges::none_of(words, takes_away) || std::ranges::any_of(words, denies)) continue;
    for (const Token& token : words) {
      // A version or an id: it has a digit.
      const bool in_it = &token != words.data() && brings(*(&token - 1));
      if (!in_it || token.part || token.kind != TokenKind::kIdentifier || token.value == 0)
        continue;
      bool any = false, held = false;
      for (const uint32_t place : facts.index.postings_of(token.term)) {
        const uint32_t unit = facts.index.unit_of(place);
        const EvidenceRecord& record = facts.index.records()[facts.index.units()[unit].record];
        const bool of_list = facts.index.receipt_of(unit).lists_changes;
        for (uint32_t u = of_list ? unit : record.first_unit;
             u < (of_list ? unit + 1 : record.end_unit); ++u) {
          const EvidenceUnit& there = facts.index.units()[u];
          const std::span own(facts.index.lexed().tokens.data() + there.first,
                              there.end - there.first);
          held = held || std::ranges::any_of(own, takes_away);
        }
        any = true;
      }
      if (any && !held)
        return refuted(ClaimKind::kGeneral,
                       fmt::format("the receipts do not say of {} that it took anything away",
                                   squeeze(sentence.spelling(token))));
    }
  }
  return {};
}

}  // namespace precedent
