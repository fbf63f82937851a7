// Which thing a fact belongs to: a time to a kind of change, a figure to a metric, what "only" leaves, to
// whom something belongs, in which version something went.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checker.h"
#include "grounding/text/comparisons.h"

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
Checker::Verdict Checker::check_change_kinds() const {
  const std::span tokens(statement_->lexed.tokens);
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
    for (const Mention& mention : mentions_)
      if (mention.token >= clause.first && mention.token < clause.end) mentions.push_back(mention);
    if (!kind || !one || mentions.size() != 1) continue;
    bool same = false, other = false, elsewhere = false;
    for (const DatedEvent& change : changes_) {
      const bool at = is_at(change, mentions.front());
      (at ? (is_of_kind(change, kind) ? same : other) : elsewhere) |=
          at || is_of_kind(change, kind);
    }
    if (other && !same && elsewhere)
      return Fault{ClaimKind::kTime, "the change of that time was of another kind"};
  }
  return {};
}

// "error_rate is 2.5 s", where that is the figure of p95_latency: a clause that names one metric has
// its figures from what was measured of it, if they were measured at all.
Checker::Verdict Checker::check_measured_figures() const {
  const auto& lexed = statement_->lexed;
  const auto& stated = evidence_.lexed();
  const auto& records = evidence_.records();
  // The words that are the name of one metric, or a part of it, and of no other.
  const auto metric_of = [&](uint64_t term) -> std::optional<uint64_t> {
    std::optional<uint64_t> found;
    for (const EvidenceRecord& record : records) {
      if (!evidence_.receipts()[record.receipt].measured || record.end_title == record.first_unit)
        continue;
      const uint32_t first = evidence_.units()[record.first_unit].first;
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
      for (const uint32_t place : evidence_.quantities_near(q, lexed.tokens[t].hedge)) {
        if (!same_fact(lexed.tokens[t], stated.tokens[place])) continue;
        const EvidenceRecord& record = records[evidence_.units()[evidence_.unit_of(place)].record];
        const bool measured = evidence_.receipts()[record.receipt].measured;
        const uint64_t title = stated.tokens[evidence_.units()[record.first_unit].first].term;
        (!measured ? unmeasured : title == *metric ? own : others) = true;
      }
      if (others && !own && !unmeasured)
        return Fault{ClaimKind::kNumber, fmt::format("the receipts measured {} of another metric",
                                                     squeeze(spelled(lexed.tokens[t])))};
    }
  }
  return {};
}

// "Deployed to staging only", "only in Frankfurt": what is left stands in the lines that are meant.
Checker::Verdict Checker::check_only() const {
  constexpr size_t kNear = 3;
  const std::span tokens(statement_->lexed.tokens);
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
            evidence_.find(tokens[n].term) != ReceiptIndex::kNoTerm)
          names.push_back(tokens[n].term);
      bool any = false, held = false;
      for (const uint32_t place :
           names.empty() ? std::span<const uint32_t>() : evidence_.postings_of(names.front())) {
        const uint32_t unit = evidence_.unit_of(place);
        if (!std::ranges::all_of(names, [&](uint64_t name) { return unit_has(unit, name); }))
          continue;
        any = true;
        held = held || unit_has(unit, tokens[*left].term) ||
               (!evidence_.receipt_of(unit).lists_changes &&
                evidence_.find(tokens[*left].term) != ReceiptIndex::kNoTerm);
      }
      if (any ? !held : evidence_.find(tokens[*left].term) == ReceiptIndex::kNoTerm)
        return Fault{ClaimKind::kName, fmt::format("the receipts do not say {} of it",
                                                   squeeze(spelled(tokens[*left])))};
    }
  }
  return {};
}

// "Only two alerts", "just three deploys": as many as the whole list has of those that are named.
Checker::Verdict Checker::check_only_so_many() const {
  constexpr size_t kNear = 4;
  const std::span tokens(statement_->lexed.tokens);
  if (std::ranges::any_of(tokens, is_past)) return {};
  for (size_t t = 0; t + 1 < tokens.size(); ++t) {
    // "One" is a pronoun, too, and no quantity.
    const bool one = ascii_lower(spelled(tokens[t + 1])) == "one";
    if (!is_only(tokens[t]) || (!one && tokens[t + 1].kind != TokenKind::kQuantity)) continue;
    const double most = one ? 1 : statement_->lexed.quantities[tokens[t + 1].value].value;
    std::vector<uint64_t> names;
    for (const Token& token : tokens)
      if (is_named(token) && token.kind != TokenKind::kQuantity) names.push_back(token.term);
    const auto named = [&](uint32_t unit) {
      return std::ranges::all_of(names, [&](uint64_t name) { return unit_has(unit, name); });
    };
    for (size_t n = t + 2; n < std::min(tokens.size(), t + kNear); ++n) {
      const std::optional<size_t> kind = change_kind(tokens[n]);
      const bool alerts = is_alert(tokens[n]) &&
                          std::ranges::any_of(evidence_.receipts(), &ReceiptPlace::all_alerts);
      const bool changes =
          kind && std::ranges::any_of(evidence_.receipts(), &ReceiptPlace::all_changes);
      if (!alerts && !changes) continue;
      const auto there = alerts ? std::ranges::count_if(alerts_, named)
                                : std::ranges::count_if(changes_, [&](const DatedEvent& change) {
                                    return is_of_kind(change, kind) && named(change.unit);
                                  });
      if (static_cast<double>(there) > most)
        return Fault{ClaimKind::kNumber, fmt::format("the receipts list {} of them", there)};
    }
  }
  return {};
}

// "Team X does not own search", where a line says that it does.
Checker::Verdict Checker::check_owned() const {
  const std::span tokens(statement_->lexed.tokens);
  for (const Clause& clause : clauses_of(tokens)) {
    const auto words = tokens.subspan(clause.first, clause.end - clause.first);
    if (std::ranges::none_of(words, owns) || std::ranges::none_of(words, denies)) continue;
    std::vector<uint64_t> names;
    for (const Token& token : words)
      if (is_thing(token) && !owns(token) && evidence_.find(token.term) != ReceiptIndex::kNoTerm)
        names.push_back(token.term);
    if (names.size() < 2) continue;
    for (uint32_t unit = 0; unit < evidence_.units().size(); ++unit) {
      const EvidenceUnit& u = evidence_.units()[unit];
      const EvidenceRecord& record = evidence_.records()[u.record];
      const std::span own(evidence_.lexed().tokens.data() + u.first, u.end - u.first);
      if (!scope_[u.record] || std::ranges::none_of(own, owns) || std::ranges::any_of(own, denies))
        continue;
      const bool all = std::ranges::all_of(names, [&](uint64_t name) {
        return unit_has(unit, name) ||
               std::ranges::binary_search(record.title_terms, evidence_.find(name));
      });
      if (all) return Fault{ClaimKind::kName, "the receipts say that it does"};
    }
  }
  return {};
}

// "The cache was removed in 2.31.0", where nothing that tells of 2.31.0 took anything away.
Checker::Verdict Checker::check_taken_away() const {
  const std::span tokens(statement_->lexed.tokens);
  for (const Clause& clause : clauses_of(tokens)) {
    const auto words = tokens.subspan(clause.first, clause.end - clause.first);
    if (std::ranges::none_of(words, takes_away) || std::ranges::any_of(words, denies)) continue;
    for (const Token& token : words) {
      // A version or an id: it has a digit.
      const bool in_it = &token != words.data() && brings(*(&token - 1));
      if (!in_it || token.part || token.kind != TokenKind::kIdentifier || token.value == 0)
        continue;
      bool any = false, held = false;
      for (const uint32_t place : evidence_.postings_of(token.term)) {
        const uint32_t unit = evidence_.unit_of(place);
        const EvidenceRecord& record = evidence_.records()[evidence_.units()[unit].record];
        const bool of_list = evidence_.receipt_of(unit).lists_changes;
        for (uint32_t u = of_list ? unit : record.first_unit;
             u < (of_list ? unit + 1 : record.end_unit); ++u) {
          const EvidenceUnit& there = evidence_.units()[u];
          const std::span own(evidence_.lexed().tokens.data() + there.first,
                              there.end - there.first);
          held = held || std::ranges::any_of(own, takes_away);
        }
        any = true;
      }
      if (any && !held)
        return Fault{ClaimKind::kGeneral,
                     fmt::format("the receipts do not say of {} that it took anything away",
                                 squeeze(spelled(token)))};
    }
  }
  return {};
}

// "After the rollback at 11:10 latency came down", where it had come down before.
Checker::Verdict Checker::check_course_after_change() const {
  static const uint64_t kAfter = hash64("after"), kAfterStem = term_of("after");
  constexpr size_t kNear = 6;
  const auto& tokens = statement_->lexed.tokens;
  const std::vector<const Trend*> named = named_courses();
  for (const Mention& mention : mentions_) {
    bool after = false;
    for (size_t t = mention.token; t > 0 && t + kNear > mention.token; --t)
      after = after || (tokens[t - 1].kind != TokenKind::kBreak &&
                        (tokens[t - 1].term == kAfter || tokens[t - 1].term == kAfterStem));
    if (!after) continue;
    for (const TrendClaim& claim : find_trend_claims(statement_->lexed)) {
      if (claim.denied || claim.way == TrendDirection::kFlat) continue;
      bool holds = false, fails = false;
      for (const DatedEvent& change : changes_) {
        if (!is_at(change, mention)) continue;
        for (const Trend* trend : named)
          if (trend->way == claim.way && trend->since)
            (*trend->since >= change.at ? holds : fails) = true;
      }
      if (fails && !holds)
        return Fault{ClaimKind::kTime, "by the times of the receipts it was not after that"};
    }
  }
  return {};
}

}  // namespace precedent
