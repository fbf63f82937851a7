// Hypotheses: what may have caused an incident, what each predicts, and how well that holds.
//
// Generators are rows of one table (generators.cc): a name, a category, what triggers it. All of
// their hypotheses are scored by one function with one rule:
//
//   confidence = product of the needs × weighted mean of the predictions
//
// A need is a condition without which the hypothesis is false (a change was live before the onset;
// a certificate did expire); 0 refutes. A prediction is what would also be seen; what is not seen
// lowers the confidence and refutes nothing. Thread safety: pure functions over values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "investigate/evidence.h"

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
};
std::string_view name(Category category);  // "code_change"

// A condition or a prediction, and how far it holds.
struct Condition {
  std::string what;     // "live before the onset"
  double holds = 0;     // 0 to 1
  double weight = 1;    // of predictions; needs multiply
  std::string because;  // what was seen, a sentence
  std::string receipt;  // "" where nothing was seen
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
  std::vector<Condition> needs, predictions;
  std::vector<PathStep> path;
  std::string remedy;  // "rollback", "scale", …
  std::string advice;  // a sentence
  double confidence = 0;
  bool refuted() const;
};

// The rule above.
double confidence_of(const Hypothesis& hypothesis);

// The way from a cause to where the failure begins and on to those that wait for it; each step has
// the receipt of its edge, or none.
std::vector<PathStep> path_from(const CaseFile& evidence, std::string_view service);

}  // namespace precedent
