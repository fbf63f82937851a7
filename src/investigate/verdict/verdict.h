// CaseVerdict: what the hypotheses come to.
//
// Where failures are apart (failing_parts.h), each may have a cause of its own: if a change is
// convicted of the first, so are others of theirs.
//
// A cause is found if the likeliest hypothesis is not refuted and has at least kConvincing
// confidence; else if one release has that much by those of its changes that are open (branches.h).
// Everything else is inconclusive, with the question whose answer would separate those that are
// left.
//
// An answer is evidence like any other. "No" is a need of the hypothesis that does not hold: it is
// refuted. "Yes" is a need that holds, and multiplies its odds by kAnswerOdds. Then all
// confidences are shared anew, and the verdict is what they come to. Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "investigate/hypotheses/hypothesis.h"

namespace precedent {

// Whoever answers is wrong once in twenty times. So a yes convicts whatever was still open: odds of
// a ninth and more come above kConvincing.
inline constexpr double kAnswerOdds = 19;
// Questions one after the other. Who has answered so many and still knows nothing needs other data.
inline constexpr size_t kMaxAnswers = 4;

enum class VerdictKind { kCause, kInconclusive };
std::string_view name(VerdictKind outcome);

// The measurement that would separate the hypotheses that are left.
struct DecidingQuestion {
  std::string question;
  std::string if_yes, if_no;  // what follows, said beforehand
  // The id of the hypothesis that yes and no are about; "": more than yes or no is asked for.
  std::string hypothesis = {};
};

// What somebody answered. Ids change as confidences do: the hypothesis is known by what it states.
struct CaseAnswer {
  std::string question;
  std::string hypothesis;  // its statement
  std::string row;         // that made it
  bool yes = false;
  std::string receipt;
};
// "yes" and "no", however they are written; nothing of any other text.
std::optional<bool> yes_or_no(std::string_view text);
// By the rule above. `row`: the hypotheses that the row of the answer made.
void weigh(const CaseAnswer& answer, std::vector<Hypothesis>& row);

struct Alternative {
  std::string hypothesis;  // its id
  std::string why_not;
};

struct CaseVerdict {
  VerdictKind outcome = VerdictKind::kInconclusive;
  // Ids of hypotheses: one, or none; of failures that are apart one each, that of the first first.
  std::vector<std::string> causes;
  double confidence = 0;
  std::string summary;
  std::string first_failing_service;
  std::vector<std::string> blast_radius;
  std::string root_cause_commit;  // "none" where no single commit is convicted
  std::string remediation, advice;
  std::vector<Alternative> alternatives;
  std::optional<DecidingQuestion> question;
};

CaseVerdict conclude(const CaseFile& evidence, const std::vector<Hypothesis>& hypotheses);

}  // namespace precedent
