// CaseVerdict: what the hypotheses come to.
//
// A cause is found if the likeliest hypothesis is not refuted and has at least kConvincing
// confidence. Everything else is inconclusive, with the question whose answer would separate those
// that are left. Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "investigate/hypothesis.h"

namespace precedent {

// Confidences are shares: whoever has this is likelier than all others and "none of these"
// together, with something to spare. eval/investigate/README.md has what other bounds come to.
inline constexpr double kConvincing = 0.6;

// Less likely than this is no longer open.
inline constexpr double kLeft = 0.1;

enum class VerdictKind { kCause, kInconclusive };
std::string_view name(VerdictKind outcome);

// The measurement that would separate the hypotheses that are left.
struct DecidingQuestion {
  std::string question;
  std::string if_yes, if_no;  // what follows, said beforehand
};

struct Alternative {
  std::string hypothesis;  // its id
  std::string why_not;
};

struct CaseVerdict {
  VerdictKind outcome = VerdictKind::kInconclusive;
  std::vector<std::string> causes;  // ids of hypotheses; one, or none
  double confidence = 0;
  std::string summary;
  std::string first_failing_service;
  std::vector<std::string> blast_radius;
  std::string root_cause_commit;  // "none" where no commit is convicted
  std::string remediation, advice;
  std::vector<Alternative> alternatives;
  std::optional<DecidingQuestion> question;
};

CaseVerdict conclude(const CaseFile& evidence, const std::vector<Hypothesis>& hypotheses);

}  // namespace precedent
