// Hypotheses: what may have caused an incident, what each predicts, and how well that holds.
//
// Generators are rows of one table (generators.cc): a name, a category, what triggers it. All of
// their hypotheses are scored by one function. A need is a condition without which the hypothesis
// is false (a change was live before the onset; a certificate did expire); 0 refutes. A prediction
// is what would also be seen; what is not seen lowers the score and refutes nothing:
//
//   score      = what its row starts with + Σ weight × ln(need) + Σ weight × prediction + told
//   confidence = e^score / (1 + Σ e^score of all that are not refuted)
//
// So the confidence is the probability that this is the cause, among all hypotheses and "none of
// these" (a conditional logit: McFadden, 1974). The weights are fitted (weights.h). `told` is what
// answers to the deciding question add (verdict.h).
// Thread safety: pure functions over values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "investigate/evidence/evidence.h"

namespace precedent {

enum class Category {
  kCode,
  kConfiguration,
  kDependency,
  kCapacity,
  kTraffic,
  kInfrastructure,
  kData,
  kCertificate,
  kUpstream,
  kKnown,  // what a document describes, whatever it is
};
std::string_view name(Category category);  // "code_change"

// What a condition measures: each has a weight. All that only few rows have shares one.
enum class Measure : uint8_t {
  kOther,
  kLive,      // live before the onset
  kReach,     // can reach what fails
  kEffect,    // its diff can do this
  kEarlier,   // nothing of it was there before
  kExplains,  // explains what is seen
  kWords,     // edits what the failure speaks of
  kTiming,    // shows at once, or builds up
  kSpecific,  // explains what few kinds of fault do
  kActs,      // edits like it do harm
  kAlike,     // edits like it do what is seen
};
inline constexpr size_t kMeasures = 11;
std::string_view name(Measure measure);  // "live"

// A condition or a prediction, and how far it holds.
struct Condition {
  std::string what;     // "live before the onset"
  double holds = 0;     // 0 to 1
  double weight = 1;    // within its row, of predictions that are kOther
  std::string because;  // what was seen, a sentence
  std::string receipt;  // "" where nothing was seen
  Measure measure = Measure::kOther;
};

struct PathStep {
  std::string from, to, why;
  std::string receipt;  // "" : unproved
};

struct Hypothesis {
  std::string id;  // "H1"
  std::string_view row;
  Category category = Category::kCode;
  std::string statement;
  std::string change;   // the id of a change; "" for causes outside
  std::string service;  // where the cause lies; "" if it is none of ours
  std::string part;     // of a failure apart (FailingPart), where that begins; else ""
  std::vector<Condition> needs, predictions;
  std::vector<PathStep> path;
  std::string remedy;  // "rollback", "scale", …
  std::string advice;  // a sentence
  double told = 0;
  double confidence = 0;
  bool refuted() const;
};

// Confidences are shares: whoever has this is likelier than all others and "none of these"
// together, with something to spare. eval/investigate/README.md has what other bounds come to.
inline constexpr double kConvincing = 0.6;
// Less likely than this is no longer open.
inline constexpr double kLeft = 0.1;
// Whether it is a change, and found to be a cause.
bool is_convicted(const Hypothesis& hypothesis);

// The rule above; of one that is refuted, minus infinity. REQUIRES: the row is set.
double score_of(const Hypothesis& hypothesis);
// Sets the confidence of each among those of its part; of what is refuted, 0. A change that
// explains a part beyond doubt is no candidate for the failure elsewhere, if another one explains
// that.
void share_confidence(std::vector<Hypothesis>& hypotheses);

// The way from a cause to where the failure begins and on to those that wait for it; each step has
// the receipt of its edge, or none.
std::vector<PathStep> path_from(const CaseFile& evidence, std::string_view service);

}  // namespace precedent
