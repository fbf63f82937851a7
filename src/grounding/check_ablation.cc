// Measured: what each check of the verifier is worth: over all sets of eval/, how many planted
// falsehoods get through and how many true sentences are no longer rejected if it alone is left out
// of the table.
// Corpus: eval/grounding.jsonl, whose even half the rules were tuned on, and
// eval/grounding_blind.jsonl.
// Notes: run from the project root; prints the table of eval/README.md. Of two checks that catch
// the same, neither is worth anything here, and most catch kinds of falsehood that these sets have
// no example of: a check with zeros is a candidate to look at, and *_test.cc has the falsehoods
// that asked for it.
#include <cstdio>
#include <cstdlib>

#include "grounding/grounding_eval.h"

namespace precedent {
namespace {

struct Set {
  GroundingSet set;
  std::vector<LabelledAnswer> answers;
};
struct Totals {
  int caught = 0, rejected = 0;
};

Totals run(const Set& set, const std::map<std::string, Facts>& facts,
           std::span<const ClaimCheck> checks) {
  Totals totals;
  for (const LabelledAnswer& answer : set.answers) {
    const AnswerScore own = score(answer, facts.at(answer.context), checks);
    totals.caught += own.caught && !answer.kind.empty() ? 1 : 0;
    totals.rejected += static_cast<int>(own.rejected.size());
  }
  return totals;
}

void print_ablation() {
  const auto facts = read_grounding_facts();
  std::vector<Set> sets;
  std::vector<Totals> all;
  std::printf("| left out |");
  for (const GroundingSet& set : {kEvenHalf, kOddHalf, kBlindSet}) {
    sets.push_back({set, read_grounding_set(set)});
    if (sets.back().answers.empty()) std::abort();
    all.push_back(run(sets.back(), facts, claim_checks()));
    std::printf(" %s |", set.title);
  }
  std::printf("\n|---|---|---|---|\n| nothing |");
  for (const Totals& totals : all)
    std::printf(" %d caught, %d rejected |", totals.caught, totals.rejected);
  std::printf("\n");
  for (const ClaimCheck& out : claim_checks()) {
    std::vector<ClaimCheck> rest;
    for (const ClaimCheck& check : claim_checks())
      if (check.name != out.name) rest.push_back(check);
    std::printf("| %.*s |", static_cast<int>(out.name.size()), out.name.data());
    for (size_t i = 0; i < sets.size(); ++i) {
      const Totals totals = run(sets[i], facts, rest);
      std::printf(" %+d, %+d |", totals.caught - all[i].caught, totals.rejected - all[i].rejected);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace precedent

int main() { precedent::print_ablation(); }
