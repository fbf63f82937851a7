#include "grounding/checks/claim_check.h"
#include "grounding/checks/listed.h"

namespace precedent {

// Refuted as soon as one clause is; proved only if all are.
Judgement check_lists(const Sentence& sentence, const Facts& facts) {
  bool proves = true, any = false;
  for (const Clause& clause : clauses_of(sentence.tokens())) {
    Listed own = Listed::kSilent;
    for (const auto judge :
         {judge_no_alert, judge_active_alert, judge_no_change, judge_newest, judge_all_changes}) {
      const Listed listed = judge(sentence, facts, clause);
      if (listed == Listed::kRefuted)
        return refuted(ClaimKind::kGeneral, "what the receipts list of it says otherwise");
      if (listed == Listed::kProved) own = listed;
    }
    any = true;
    proves = proves && own == Listed::kProved;
  }
  return any && proves ? proved("what the receipts list of it says so") : Judgement{};
}

}  // namespace precedent
