// What belongs together: a figure and the noun beside it, a line of a list and what it tells of.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/places.h"

namespace precedent {
namespace {

// A stretch between commas and "and" with one figure: "CPU at 78 %".
struct Pairing {
  size_t figure = 0;
  std::vector<uint64_t> words;
};

std::vector<Pairing> find_pairings(std::span<const Token> tokens) {
  static const uint64_t kAnd = hash64("and");
  std::vector<Pairing> out;
  Pairing here;
  size_t figures = 0;
  for (size_t t = 0; t <= tokens.size(); ++t) {
    const bool ends = t == tokens.size() || tokens[t].kind == TokenKind::kBreak ||
                      tokens[t].term == kAnd || is_contrast(tokens[t]);
    if (ends) {
      if (figures == 1 && !here.words.empty()) out.push_back(here);
      here = {};
      figures = 0;
    } else if (tokens[t].kind == TokenKind::kQuantity) {
      here.figure = t;
      ++figures;
    } else if (is_content(tokens[t].kind) && !tokens[t].part) {
      here.words.push_back(tokens[t].term);
    }
  }
  return out;
}

bool share_word(const Pairing& one, const Pairing& other) {
  return std::ranges::any_of(one.words, [&](uint64_t word) {
    return std::ranges::find(other.words, word) != other.words.end();
  });
}

}  // namespace

// "82 % CPU and 78 % memory" where one line has "CPU at 78 % and memory at 82 %".
Judgement check_pairings(const Sentence& sentence, const Facts& facts) {
  const auto& lexed = sentence.lexed();
  const auto& stated = facts.index.lexed();
  const std::vector<Pairing> own = find_pairings(lexed.tokens);
  if (own.size() < 2) return {};
  for (const uint32_t unit : sentence.alignment->passages()) {
    const EvidenceUnit& u = facts.index.units()[unit];
    const std::span tokens(stated.tokens.data() + u.first, u.end - u.first);
    const std::vector<Pairing> theirs = find_pairings(tokens);
    for (size_t i = 0; i < own.size(); ++i) {
      for (size_t j = 0; j < own.size(); ++j) {
        if (i == j || share_word(own[i], own[j])) continue;
        const auto pairs = [&](const Pairing& figure, const Pairing& words) {
          return std::ranges::any_of(theirs, [&](const Pairing& there) {
            return share_word(words, there) &&
                   same_fact(sentence, facts, lexed.tokens[figure.figure], tokens[there.figure]);
          });
        };
        if (pairs(own[i], own[j]) && pairs(own[j], own[i]) && !pairs(own[i], own[i]) &&
            !pairs(own[j], own[j]))
          return refuted(ClaimKind::kNumber,
                         fmt::format("the receipts have {} and {} the other way round",
                                     squeeze(sentence.spelling(lexed.tokens[own[i].figure])),
                                     squeeze(sentence.spelling(lexed.tokens[own[j].figure]))));
      }
    }
  }
  return {};
}

// "Peaked at 255 at 05:00" where one line has "lowest 60 at 05:00, highest 255 at 17:00".
Judgement check_dated_figures(const Sentence& sentence, const Facts& facts) {
  const auto& lexed = sentence.lexed();
  const auto& stated = facts.index.lexed();
  // By stretch between marks and "and": its figure and its time, if it has one of each.
  struct Dated {
    size_t figure = SIZE_MAX, time = SIZE_MAX;
  };
  const auto find_dated = [](std::span<const Token> tokens) {
    static const uint64_t kAnd = hash64("and");
    std::vector<Dated> out;
    Dated here;
    size_t figures = 0, times = 0;
    for (size_t t = 0; t <= tokens.size(); ++t) {
      if (t == tokens.size() || tokens[t].kind == TokenKind::kBreak || tokens[t].term == kAnd) {
        if (figures == 1 && times == 1) out.push_back(here);
        figures = times = 0;
      } else if (tokens[t].kind == TokenKind::kQuantity) {
        here.figure = t;
        ++figures;
      } else if (tokens[t].kind == TokenKind::kTime) {
        here.time = t;
        ++times;
      }
    }
    return out;
  };
  for (const Dated& own : find_dated(lexed.tokens)) {
    bool same = false, exchanged = false;
    for (uint32_t unit = 0; unit < facts.index.units().size(); ++unit) {
      const EvidenceUnit& u = facts.index.units()[unit];
      if (!sentence.scope[u.record]) continue;
      const std::span tokens(stated.tokens.data() + u.first, u.end - u.first);
      bool figure = false, time = false;
      for (const Dated& there : find_dated(tokens)) {
        const bool f = same_fact(sentence, facts, lexed.tokens[own.figure], tokens[there.figure]);
        const bool t = same_fact(sentence, facts, lexed.tokens[own.time], tokens[there.time]);
        same = same || (f && t);
        figure = figure || (f && !t);
        time = time || (t && !f);
      }
      exchanged = exchanged || (figure && time);
    }
    if (exchanged && !same)
      return refuted(ClaimKind::kTime,
                     fmt::format("the receipts give {} for another figure",
                                 squeeze(sentence.spelling(lexed.tokens[own.time]))));
  }
  return {};
}

// "X began before Y", where the lines that begin with their names give the times.
Judgement check_line_order(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  // Of the first line that a name in [first, end) begins.
  const auto moment = [&](size_t first, size_t end) -> std::optional<double> {
    for (size_t t = first; t < end; ++t) {
      if (tokens[t].part || !is_fact(tokens[t].kind) || !is_content(tokens[t].kind)) continue;
      for (const uint32_t place : facts.index.postings_of(tokens[t].term)) {
        const uint32_t unit = facts.index.unit_of(place);
        if (facts.index.units()[unit].first != place) continue;
        const auto moments = moments_in(facts.index, unit, unit + 1);
        if (moments.size() == 1 && moments.front() >= kFirstDay) return moments.front();
      }
    }
    return std::nullopt;
  };
  for (size_t t = 1; t + 1 < tokens.size(); ++t) {
    if (tokens[t].kind == TokenKind::kBreak || tokens[t - 1].kind == TokenKind::kQuantity) continue;
    const std::string word = ascii_lower(sentence.spelling(tokens[t]));
    if (word != "before" && word != "after") continue;
    size_t first = t, end = t;
    while (first > 0 && tokens[first - 1].kind != TokenKind::kBreak) --first;
    while (end < tokens.size() && tokens[end].kind != TokenKind::kBreak) ++end;
    const auto left = moment(first, t), right = moment(t + 1, end);
    if (left && right && *left != *right && (*left < *right) != (word == "before"))
      return refuted(ClaimKind::kTime,
                     fmt::format("by the times of the receipts it was not \"{}\"", word));
  }
  return {};
}

// "X has the severity high", where that stands in the lines of others only. A line of a list is
// named by its first word, if no other line has it.
Judgement check_lines(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  const auto& stated = facts.index.lexed().tokens;
  const auto names_line = [&](uint32_t place) {
    const EvidenceUnit& unit = facts.index.units()[facts.index.unit_of(place)];
    return unit.first == place && sentence.scope[unit.record] &&
           facts.index.records()[unit.record].list_items > 1;
  };
  size_t begin = 0;
  for (size_t t = 0; t <= tokens.size(); ++t) {
    if (t < tokens.size() && tokens[t].kind != TokenKind::kBreak && !is_contrast(tokens[t]))
      continue;
    std::vector<uint64_t> lines;
    for (size_t s = begin; s < t; ++s) {
      if (tokens[s].part || !is_fact(tokens[s].kind) || !is_content(tokens[s].kind)) continue;
      const auto places = facts.index.postings_of(tokens[s].term);
      if (!places.empty() && std::ranges::all_of(places, names_line))
        lines.push_back(tokens[s].term);
    }
    // The words that only lines of lists hold, none of them the one that is named.
    for (size_t s = begin; s < t && lines.size() == 1; ++s) {
      const auto places = facts.index.postings_of(tokens[s].term);
      if (tokens[s].kind != TokenKind::kWord || tokens[s].part || places.empty()) continue;
      bool others = true, own = false;
      for (const uint32_t place : places) {
        const EvidenceUnit& unit = facts.index.units()[facts.index.unit_of(place)];
        const auto first = facts.index.postings_of(stated[unit.first].term);
        own = own || facts.index.unit_has(facts.index.unit_of(place), lines.front());
        others = others && unit.first != place && is_fact(stated[unit.first].kind) &&
                 std::ranges::all_of(first, names_line);
      }
      if (others && !own)
        return refuted(ClaimKind::kName, fmt::format("the receipts tell \"{}\" of another",
                                                     squeeze(sentence.spelling(tokens[s]))));
    }
    begin = t + 1;
  }
  return {};
}

}  // namespace precedent
