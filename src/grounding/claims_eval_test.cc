// Freely worded claims over receipts of companies that nobody here knows
// (eval/claims_blind_*.jsonl, written last, by authors who saw neither data nor code), against the
// checks alone and with what was learned beside them. Prints the table of eval/README.md. Needs the
// weights (fixture "model").
#include <gtest/gtest.h>

#include "grounding/grounding_eval.h"

namespace precedent {
namespace {

double share(const ClaimScore& score, const std::string& label) {
  return static_cast<double>(score.rejected.at(label)) / static_cast<double>(score.all.at(label));
}

class ClaimsEval : public testing::Test {
 protected:
  void SetUp() override {
    encoder_ = MiniLmEmbedder::open(default_model_folder(), {.threads = 1}).value();
    judge_ = AdapterReader::open(AdapterKind::kJudge, *encoder_).value();
  }
  static ClaimScore print(const std::string& file, const LearnedReader* judge) {
    const ClaimScore own = score(read_claims(file), judge);
    std::printf("| %s, %s |", file.c_str(), judge != nullptr ? "with judge" : "checks alone");
    for (const char* label : {"supported", "contradicted", "not_stated"})
      std::printf(" %s %zu of %zu (%.0f %%) |", label, own.rejected.at(label), own.all.at(label),
                  100 * share(own, label));
    std::printf("\n");
    return own;
  }

  std::unique_ptr<MiniLmEmbedder> encoder_;
  std::unique_ptr<AdapterReader> judge_;
};

TEST_F(ClaimsEval, WithTheJudgeFewerTrueClaimsAreRejectedAndAsManyOthersCaught) {
  for (const char* file :
       {"eval/claims_blind_1.jsonl", "eval/claims_blind_2.jsonl", "eval/claims_blind_3.jsonl"}) {
    const ClaimScore alone = print(file, nullptr), both = print(file, judge_.get());
    const auto caught = [](const ClaimScore& v) {
      return v.rejected.at("contradicted") + v.rejected.at("not_stated");
    };
    EXPECT_LT(share(both, "supported"), share(alone, "supported")) << file;
    // As many but for one in fifty.
    EXPECT_GE(caught(both), caught(alone) * 49 / 50) << file;
  }
}

// The older sets: falsehoods of one edited word, which the checks were made for.
TEST_F(ClaimsEval, OfEditedAnswersNoFewerAreCaught) {
  const auto facts = read_grounding_facts();
  for (const GroundingSet& set : {kEvenHalf, kOddHalf, kBlindSet}) {
    size_t caught[2] = {}, rejected[2] = {}, sentences = 0;
    for (const LabelledAnswer& answer : read_grounding_set(set)) {
      for (const bool with : {false, true}) {
        const AnswerScore own =
            score(answer, facts.at(answer.context), claim_checks(), with ? judge_.get() : nullptr);
        caught[with] += own.caught && !answer.kind.empty() ? 1 : 0;
        rejected[with] += own.rejected.size();
        if (with) sentences += own.true_sentences;
      }
    }
    std::printf("| %s | caught %zu, with judge %zu | true rejected %zu, with judge %zu of %zu |\n",
                set.title, caught[0], caught[1], rejected[0], rejected[1], sentences);
    EXPECT_GE(caught[1], caught[0]) << set.title;
    EXPECT_LE(rejected[1], rejected[0] + 1) << set.title;
  }
}

}  // namespace
}  // namespace precedent
