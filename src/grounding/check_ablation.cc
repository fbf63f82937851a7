// Measured: what each check of the verifier is worth: over all sets of eval/, how many falsehoods
// get through and how many true sentences are no longer rejected if it alone is left out of the
// table. The learned judge has its say, as in the program.
// Corpus: eval/grounding.jsonl, whose even half the rules were tuned on; eval/grounding_blind.jsonl
// and eval/claims_blind_*.jsonl, which nobody read who wrote checks.
// Notes: run from the project root; prints the table of eval/README.md, and at its end what those
// checks cost together that earn nothing on unseen text (of two that catch the same, neither earns
// anything alone). Arguments: names of checks that are left out of every run.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "embed/learned_reader.h"
#include "grounding/grounding_eval.h"

namespace precedent {
namespace {

// Reads each claim once: the checks change from run to run, what was learned does not.
class RememberingReader final : public LearnedReader {
 public:
  explicit RememberingReader(const LearnedReader& reader) : reader_(reader) {}
  Result<AdaptedReading> read(std::string_view text,
                              std::span<const PastTurn> past) const override {
    std::string key(text);
    for (const PastTurn& turn : past) {
      key += '\0';
      key += turn.question;
      key += '\0';
      key += turn.answer;
    }
    const MutexLock lock(mutex_);
    const auto known = readings_.find(key);
    if (known != readings_.end()) return known->second;
    return readings_.emplace(std::move(key), reader_.read(text, past)).first->second;
  }

 private:
  const LearnedReader& reader_;
  mutable Mutex mutex_;
  mutable std::map<std::string, Result<AdaptedReading>> readings_ GUARDED_BY(mutex_);
};

struct Totals {
  int caught = 0, rejected = 0;
};

class Sets {
 public:
  static constexpr std::array kTitles = {"even",     "odd",      "blind",
                                         "claims 1", "claims 2", "claims 3"};
  static constexpr size_t kFirstUnseen = 1;

  explicit Sets(const LearnedReader& judge) : judge_(judge) {
    for (const GroundingSet& set : {kEvenHalf, kOddHalf, kBlindSet})
      answers_.push_back(read_grounding_set(set));
    for (const char* file :
         {"eval/claims_blind_1.jsonl", "eval/claims_blind_2.jsonl", "eval/claims_blind_3.jsonl"})
      claims_.push_back(read_claims(file));
  }

  // One for each set.
  std::vector<Totals> run(std::span<const ClaimCheck> checks) const {
    std::vector<Totals> all;
    for (const std::vector<LabelledAnswer>& set : answers_) {
      Totals& totals = all.emplace_back();
      for (const LabelledAnswer& answer : set) {
        const AnswerScore own = score(answer, facts_.at(answer.context), checks, &judge_);
        totals.caught += own.caught && !answer.kind.empty() ? 1 : 0;
        totals.rejected += static_cast<int>(own.rejected.size());
      }
    }
    for (const std::vector<LabelledClaims>& set : claims_) {
      const ClaimScore own = score(set, &judge_, checks);
      all.push_back(
          {static_cast<int>(own.rejected.at("contradicted") + own.rejected.at("not_stated")),
           static_cast<int>(own.rejected.at("supported"))});
    }
    return all;
  }

 private:
  const RememberingReader judge_;
  const std::map<std::string, Facts> facts_ = read_grounding_facts();
  std::vector<std::vector<LabelledAnswer>> answers_;
  std::vector<std::vector<LabelledClaims>> claims_;
};

std::vector<ClaimCheck> without(std::span<const std::string_view> names) {
  std::vector<ClaimCheck> rest;
  for (const ClaimCheck& check : claim_checks())
    if (std::ranges::find(names, check.name) == names.end()) rest.push_back(check);
  return rest;
}

// Whether without it no fewer falsehoods of unseen text are caught.
bool earns_nothing(const std::vector<Totals>& totals, const std::vector<Totals>& all) {
  int caught = 0;
  for (size_t i = Sets::kFirstUnseen; i < all.size(); ++i)
    caught += all[i].caught - totals[i].caught;
  return caught <= 0;
}

void print_row(std::string_view title, const std::vector<Totals>& totals,
               const std::vector<Totals>& all) {
  std::printf("| %.*s |", static_cast<int>(title.size()), title.data());
  for (size_t i = 0; i < all.size(); ++i)
    std::printf(" %+d, %+d |", totals[i].caught - all[i].caught,
                totals[i].rejected - all[i].rejected);
  std::printf("\n");
  std::fflush(stdout);
}

void print_ablation(const Sets& sets, std::vector<std::string_view> left_out) {
  std::printf("| left out |");
  for (const char* title : Sets::kTitles) std::printf(" %s |", title);
  std::printf("\n|---|---|---|---|---|---|---|\n| nothing |");
  const std::vector<ClaimCheck> checks = without(left_out);
  const std::vector<Totals> all = sets.run(checks);
  for (const Totals& totals : all)
    std::printf(" %d caught, %d rejected |", totals.caught, totals.rejected);
  std::printf("\n");
  std::vector<std::string_view> idle = left_out;
  for (const ClaimCheck& out : checks) {
    left_out.push_back(out.name);
    const std::vector<Totals> totals = sets.run(without(left_out));
    left_out.pop_back();
    print_row(out.name, totals, all);
    if (earns_nothing(totals, all)) idle.push_back(out.name);
  }
  print_row("all that earn nothing on unseen text", sets.run(without(idle)), all);
}

}  // namespace
}  // namespace precedent

int main(int argc, char** argv) {
  using namespace precedent;
  const auto encoder = MiniLmEmbedder::open(default_model_folder(), {.threads = 1}).value();
  const auto judge = AdapterReader::open(AdapterKind::kJudge, *encoder).value();
  print_ablation(Sets(*judge), {argv + 1, argv + argc});
}
