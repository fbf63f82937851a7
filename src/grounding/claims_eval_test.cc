// Freely worded claims over receipts of companies that nobody here knows
// (eval/claims_blind_*.jsonl, written last, by authors who saw neither data nor code), against the
// checks alone and with what was learned beside them. Prints the table of eval/README.md. Needs the
// weights (fixture "model").
#include <gtest/gtest.h>

#include "grounding/grounding_eval.h"

namespace precedent {
namespace {

struct Verdicts {
  // By label: all claims, and those that are rejected.
  std::map<std::string, size_t> all, rejected;
  double share(const std::string& label) const {
    return static_cast<double>(rejected.at(label)) / static_cast<double>(all.at(label));
  }
};

Receipt receipt_of(const nlohmann::json& row) {
  Receipt receipt;
  receipt.id = "R1";
  receipt.tool = row.at("tool");
  receipt.status = ReceiptStatus::kOk;
  for (const auto& line : row.at("lines")) receipt.text += line.get<std::string>() + "\n";
  return receipt;
}

Verdicts run(const std::string& file, const LearnedReader* judge) {
  Verdicts verdicts;
  for (const nlohmann::json& row : read_json_lines(file)) {
    const Receipt receipt = receipt_of(row);
    const Facts facts(std::span(&receipt, 1));
    for (const auto& told : row.at("claims")) {
      const std::string claim = told.at("claim"), label = told.at("label");
      bool rejected = false;
      for (const Claim& c : verify(claim, facts, judge).claims)
        rejected = rejected || c.verdict == ClaimVerdict::kUnsupported;
      ++verdicts.all[label];
      verdicts.rejected[label] += rejected ? 1 : 0;
    }
  }
  return verdicts;
}

class ClaimsEval : public testing::Test {
 protected:
  void SetUp() override {
    encoder_ = MiniLmEmbedder::open(default_model_folder(), {.threads = 1}).value();
    judge_ = AdapterReader::open(AdapterKind::kJudge, *encoder_).value();
  }
  Verdicts print(const std::string& file, const LearnedReader* judge) const {
    const Verdicts v = run(file, judge);
    std::printf("| %s, %s |", file.c_str(), judge != nullptr ? "with judge" : "checks alone");
    for (const char* label : {"supported", "contradicted", "not_stated"})
      std::printf(" %s %zu of %zu (%.0f %%) |", label, v.rejected.at(label), v.all.at(label),
                  100 * v.share(label));
    std::printf("\n");
    return v;
  }

  std::unique_ptr<MiniLmEmbedder> encoder_;
  std::unique_ptr<AdapterReader> judge_;
};

TEST_F(ClaimsEval, WithTheJudgeFewerTrueClaimsAreRejectedAndAsManyOthersCaught) {
  for (const char* file : {"eval/claims_blind_1.jsonl", "eval/claims_blind_2.jsonl"}) {
    const Verdicts alone = print(file, nullptr), both = print(file, judge_.get());
    const auto caught = [](const Verdicts& v) {
      return v.rejected.at("contradicted") + v.rejected.at("not_stated");
    };
    EXPECT_LT(both.share("supported"), alone.share("supported")) << file;
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
