// eval/grounding.jsonl and eval/grounding_blind.jsonl against the verifier: planted falsehoods are
// caught, true sentences pass. Prints the table of eval/README.md. Rules and thresholds were tuned
// on the answers of the first with an even number; those of the second were written before and
// never looked at one by one.
#include "grounding/grounding_eval.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace precedent {
namespace {

struct Count {
  size_t all = 0, hit = 0;
  double share() const {
    return all == 0 ? 0 : static_cast<double>(hit) / static_cast<double>(all);
  }
};

// What is reached today (eval/README.md), so that a change for the worse fails.
struct Reached {
  double caught = 0, rejected = 0;
};

void run(const GroundingSet& set, const Reached& reached) {
  const auto facts = read_grounding_facts();
  const auto answers = read_grounding_set(set);
  ASSERT_FALSE(answers.empty()) << set.file;
  // Set: prints what was missed or rejected, one a line.
  const bool show = std::getenv("PRECEDENT_SHOW_MISSES") != nullptr;
  std::map<std::string, Count> caught;  // by kind
  Count falsehoods, rejected;
  for (const LabelledAnswer& answer : answers) {
    const AnswerScore own = score(answer, facts.at(answer.context));
    rejected.all += own.true_sentences;
    rejected.hit += own.rejected.size();
    for (const Claim& claim : own.rejected)
      if (show && answer.kind.empty())
        std::printf("%d rejected (%s): %s\n", answer.id, claim.reason.c_str(),
                    std::string(claim.bytes.in(answer.answer)).c_str());
    if (answer.kind.empty()) continue;
    for (Count* count : {&caught[answer.kind], &falsehoods}) {
      ++count->all;
      count->hit += own.caught ? 1 : 0;
    }
    if (!own.caught && show)
      std::printf("%d missed (%s): %s\n", answer.id, answer.kind.c_str(), answer.answer.c_str());
  }
  std::printf("| %s |", set.title);
  for (const auto& [kind, count] : caught)
    std::printf(" %s %zu/%zu |", kind.c_str(), count.hit, count.all);
  std::printf(" caught %zu/%zu | true rejected %zu/%zu |\n", falsehoods.hit, falsehoods.all,
              rejected.hit, rejected.all);
  EXPECT_GE(falsehoods.share(), reached.caught);
  EXPECT_LE(rejected.share(), reached.rejected);
}

TEST(GroundingEval, EvenHalf) { run(kEvenHalf, {0.94, 0.015}); }
TEST(GroundingEval, OddHalf) { run(kOddHalf, {0.88, 0.06}); }
TEST(GroundingEval, Blind) { run(kBlindSet, {0.79, 0.12}); }

}  // namespace
}  // namespace precedent
