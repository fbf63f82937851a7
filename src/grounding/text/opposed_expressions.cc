#include "grounding/text/opposed_expressions.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/text/lexer.h"
#include "grounding/text/negation.h"
#include "text/opposites.h"

namespace precedent {
namespace {

// Expressions are separated by semicolons.
struct Matter {
  std::string_view affirms, denies;
};

constexpr std::array kMatters = {
    Matter{"fix; help; solve; cure; remedy; effective; made a difference",
           "no effect; without effect; little effect; changed nothing; changes nothing; useless; "
           "pointless; in vain; to no avail; ineffective; no difference; fruitless; cures nothing"},
    Matter{"to blame; culprit; at fault; guilty; involved; was the cause; was the reason; "
           "was the problem; is the cause; is the reason; is the problem; played a part; caused "
           "by; due to; because of; triggered by; came from; comes from; owing to; resulted from; "
           "result of; was the bottleneck",
           "innocent; nothing to do with; unrelated; uninvolved; ruled out; "
           "exonerated; no part in; "
           "cleared of"},
    Matter{"honour; honor; respect; obey; heed; adhere",
           "ignore; disregard; bypass; violate; "
           "flout; overlook"},
    Matter{"available; reachable; online; alive", "unavailable; unreachable; offline; dead"},
    Matter{"affected; suffered; was hit; were hit; hit as well; was disturbed",
           "unaffected; spared; was fine; were fine; stayed fine; unharmed; "
           "undisturbed"},
    Matter{"keep; wait; retain; stay; survive; remain; preserve",
           "lose; lost; drop; discard; vanish; throw away; thrown away; threw away; evict"},
    Matter{"harmless; safe", "harmful; dangerous; unsafe; risky"},
    Matter{"as intended; as designed; as expected; as planned; correctly; properly; on purpose; "
           "deliberately; intentionally; intended",
           "wrong; wrongly; by mistake; mistakenly; accidentally; misconfigured; misconfiguration; "
           "faulty; incorrect; incorrectly; misdirected"},
    Matter{"enough; sufficient; suffices; sufficed",
           "insufficient; too few; too low; too small; "
           "too little; too short"},
    Matter{"present; in place; exists; existed", "missing; absent; lacks; lacked; lacking; gone"},
    Matter{"exhausted; saturated; ran dry; ran out; run out; used up",
           "idle; half empty; to spare; headroom"},
    Matter{"automatic; automatically; automated; by itself; by themselves; on its own",
           "manual; manually; by hand"},
    Matter{"permanent; permanently; for good", "temporary; temporarily"},
    Matter{"suspicion; suspected; suspects",
           "ruled out; rules out; excluded; dismissed; discarded as"},
    Matter{"confirmed; proved; proven; evidence; proof",
           "refuted; disproved; no evidence; "
           "without evidence; no proof"},
    Matter{"quiet; calm; normal; normally", "abnormal; unusual; unusually"},
    Matter{"critical; urgent; serious", "minor; trivial; negligible"},
    Matter{"optional; voluntary", "mandatory; compulsory; obligatory"},
    Matter{"public; publicly", "secret; secretly; confidential"},
    Matter{"firing; fires; fired; went off; goes off; go off; sounded",
           "pending; inactive; silenced; stayed silent; stays silent; kept silent"},
    Matter{
        "worked; works; kept working; kept playing; kept running; carried on; carries on; "
        "carry on; stayed up",
        "was out; were out; went down; goes down; go down; was down; were down; stopped working"},
    Matter{"enabled; switched on; turned on; true", "disabled; switched off; turned off; false"},
    Matter{"fine; good; healthy; okay", "slow; bad; poor; sick"},
    Matter{"fine; right; okay; allowed", "wrong; forbidden"},
    Matter{"covered by; inside; within reach", "outside; uncovered; out of reach"},
    Matter{"in time; on time; timely; before the deadline; met the deadline",
           "too late; late; missed; overdue; after the deadline"},
    Matter{"warm; hot", "cold; cool"},
    Matter{"new; newer; newest", "old; older; oldest; former"},
    Matter{"first; earliest; initial", "last; latest; final"},
    Matter{"large; largest; big; biggest; great", "small; smallest; tiny"},
    Matter{"more; longer; most", "less; fewer; fewest; shorter"},
    Matter{"merged; approved; released", "unmerged; in review; under review; unreleased"},
    Matter{"necessary; needed; required; must", "unnecessary; needless; optional"},
    Matter{"complete; completely; whole; entire; entirely; fully",
           "partial; partially; partly; "
           "incomplete"},
};

struct Expression {
  std::vector<uint64_t> terms;
  uint16_t matter = 0;
  bool denies = false;
  bool negated = false;    // holds a negator itself
  bool direction = false;  // of text/opposites.h: may tell where a figure went
};

class Lexicon {
 public:
  Lexicon() {
    uint16_t matter = 0;
    for (const Opposites& sides : opposites()) {
      if (sides.kind != Opposition::kContrary) continue;
      for (const std::string_view word : split(sides.left, ' ')) add(word, matter, false);
      for (const std::string_view word : split(sides.right, ' ')) add(word, matter, true);
      ++matter;
    }
    opposites_ = false;
    for (const Matter& m : kMatters) {
      for (const std::string_view text : split(m.affirms, ';')) add(trim(text), matter, false);
      for (const std::string_view text : split(m.denies, ';')) add(trim(text), matter, true);
      ++matter;
    }
  }

  std::span<const Expression> beginning_with(uint64_t term) const {
    const auto found = by_first_.find(term);
    return found == by_first_.end() ? std::span<const Expression>() : found->second;
  }

 private:
  void add(std::string_view text, uint16_t matter, bool denies) {
    LexedText lexed;
    lex(text, 0, lexed);
    Expression expression{{}, matter, denies, false, opposites_};
    for (const Token& token : lexed.tokens) {
      if (token.part || token.kind == TokenKind::kBreak) continue;
      expression.terms.push_back(token.term);
      expression.negated = expression.negated || token.kind == TokenKind::kNegator;
    }
    by_first_[expression.terms.front()].push_back(std::move(expression));
  }

  bool opposites_ = true;
  std::unordered_map<uint64_t, std::vector<Expression>> by_first_;
};

// The last token of the expression that begins at `first`; `first` - 1 if it is not there. Negators
// within are passed over and counted: "was not the cause".
struct Match {
  bool found = false;
  size_t last = 0;
  bool denied = false;
};
Match match(const Expression& expression, std::span<const Token> tokens, size_t first) {
  Match m;
  size_t term = 1;
  m.last = first;
  for (size_t t = first + 1; term < expression.terms.size(); ++t) {
    if (t == tokens.size() || tokens[t].kind == TokenKind::kBreak) return {};
    if (tokens[t].part) continue;
    if (tokens[t].term == expression.terms[term]) {
      ++term;
      m.last = t;
    } else if (tokens[t].kind == TokenKind::kNegator) {
      m.denied = !m.denied;
    } else {
      return {};
    }
  }
  m.found = true;
  return m;
}

bool moves_figure(std::span<const Token> tokens, size_t last) {
  static const uint64_t kMarks[] = {hash64("from"), hash64("to"), hash64("by")};
  return last + 2 < tokens.size() && tokens[last + 1].kind == TokenKind::kStop &&
         std::ranges::find(kMarks, tokens[last + 1].term) != std::end(kMarks) &&
         tokens[last + 2].kind == TokenKind::kQuantity;
}

bool lags(std::span<const Token> tokens, size_t last) {
  constexpr size_t kNear = 5;
  static const uint64_t kBehind = hash64("behind"), kStem = term_of("behind");
  for (size_t t = last + 1; t < std::min(tokens.size(), last + kNear); ++t) {
    if (tokens[t].kind == TokenKind::kBreak) return false;
    if (tokens[t].term == kBehind || tokens[t].term == kStem) return true;
  }
  return false;
}

}  // namespace

std::vector<OpposedExpression> find_opposed_expressions(std::span<const Token> tokens,
                                                        std::span<const uint8_t> negation) {
  static const Lexicon lexicon;
  static const uint64_t kOver = hash64("over");
  std::vector<OpposedExpression> found;
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (tokens[t].part || tokens[t].term == 0) continue;
    for (const Expression& expression : lexicon.beginning_with(tokens[t].term)) {
      const Match m = match(expression, tokens, t);
      if (!m.found) continue;
      // "p95 dropped from 5.4 s": a figure moved, nothing was lost.
      if (!expression.direction && moves_figure(tokens, m.last)) continue;
      // "Fell 40 seconds behind": nothing sank.
      if (expression.direction && lags(tokens, m.last)) continue;
      // "Fail over" is another verb.
      if (m.last + 1 < tokens.size() && tokens[m.last + 1].term == kOver) continue;
      const auto ranks = negation.subspan(t, m.last + 1 - t);
      const auto governs = std::ranges::find_if(ranks, [](uint8_t rank) { return rank != 0; });
      const uint8_t rank = governs == ranks.end() ? 0 : *governs;
      if (rank == kConditional) continue;
      // The negator is part of the expression, or stands in the middle of it.
      const bool free = rank == 0 || expression.negated || m.denied;
      if (!free && rank == kSecondWord) continue;
      found.push_back({static_cast<uint32_t>(t), static_cast<uint32_t>(m.last), expression.matter,
                       expression.denies != (m.denied || !free)});
    }
  }
  return found;
}

}  // namespace precedent
