#include "investigate/hypotheses/hypothesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "investigate/hypotheses/weights.h"

namespace precedent {
namespace {

// A need that hardly holds speaks against; it does not refute.
constexpr double kLeastNeed = 0.01;

const fitted::MeasureWeight& weight_of(Measure measure) {
  return fitted::kWeights[static_cast<size_t>(measure)];
}

void share(const std::vector<Hypothesis*>& hypotheses) {
  // "None of these" scores 0. The highest is taken off first: no exponent overflows.
  double highest = 0, sum = 0;
  std::vector<double> scores;
  for (const Hypothesis* hypothesis : hypotheses) {
    scores.push_back(score_of(*hypothesis));
    highest = std::max(highest, scores.back());
  }
  for (double& score : scores) sum += score = std::exp(score - highest);
  sum += std::exp(-highest);
  for (size_t i = 0; i < hypotheses.size(); ++i) hypotheses[i]->confidence = scores[i] / sum;
}

}  // namespace

bool is_convicted(const Hypothesis& hypothesis) {
  return !hypothesis.change.empty() && !hypothesis.refuted() &&
         hypothesis.confidence >= kConvincing;
}

static_assert(fitted::kWeights.size() == kMeasures);

std::string_view name(Category category) {
  switch (category) {
    case Category::kCode: return "code_change";
    case Category::kConfiguration: return "configuration";
    case Category::kDependency: return "dependency";
    case Category::kCapacity: return "capacity";
    case Category::kTraffic: return "traffic";
    case Category::kInfrastructure: return "infrastructure";
    case Category::kData: return "data";
    case Category::kCertificate: return "certificate";
    case Category::kUpstream: return "upstream";
    case Category::kKnown: return "known";
  }
  return "code_change";
}

bool Hypothesis::refuted() const {
  return std::ranges::any_of(needs, [](const Condition& need) { return need.holds <= 0; });
}

std::string_view name(Measure measure) {
  return fitted::kWeights[static_cast<size_t>(measure)].name;
}

double score_of(const Hypothesis& hypothesis) {
  if (hypothesis.refuted()) return -std::numeric_limits<double>::infinity();
  const auto row = std::ranges::find(fitted::kRows, hypothesis.row, &fitted::RowWeight::name);
  double score = hypothesis.told + (row != fitted::kRows.end() ? row->start : 0);
  for (const Condition& need : hypothesis.needs)
    score += weight_of(need.measure).need * std::log(std::clamp(need.holds, kLeastNeed, 1.0));
  double held = 0, weights = 0;
  for (const Condition& prediction : hypothesis.predictions) {
    const double holds = std::clamp(prediction.holds, 0.0, 1.0);
    if (prediction.measure != Measure::kOther) {
      score += weight_of(prediction.measure).prediction * holds;
      continue;
    }
    held += prediction.weight * holds;
    weights += prediction.weight;
  }
  // Of rows with weights of their own, the mean: so a row does not gain by making more predictions.
  if (weights > 0) score += weight_of(Measure::kOther).prediction * held / weights;
  return score;
}

void share_confidence(std::vector<Hypothesis>& hypotheses) {
  std::map<std::string, std::vector<Hypothesis*>> parts;
  for (Hypothesis& hypothesis : hypotheses) parts[hypothesis.part].push_back(&hypothesis);
  std::set<std::string> elsewhere;
  for (const auto& [part, own] : parts) {
    share(own);
    for (const Hypothesis* hypothesis : own)
      if (!part.empty() && is_convicted(*hypothesis)) elsewhere.insert(hypothesis->change);
  }
  std::vector<Hypothesis*>& whole = parts[""];
  std::vector<Hypothesis*> without = whole;
  std::erase_if(without, [&](const Hypothesis* each) { return elsewhere.contains(each->change); });
  if (without.size() == whole.size()) return;
  share(without);
  if (std::ranges::any_of(without, [](const Hypothesis* each) { return is_convicted(*each); })) {
    for (Hypothesis* each : whole)
      if (elsewhere.contains(each->change)) each->confidence = 0;
    return;
  }
  share(whole);
}

std::vector<PathStep> path_from(const CaseFile& evidence, std::string_view service) {
  std::vector<PathStep> out;
  const auto add = [&](const std::string& from, const std::string& to, bool waits) {
    const CallEdge* calls = evidence.graph.edge(from, to);
    const CallEdge* called = evidence.graph.edge(to, from);
    const CallEdge* edge = calls != nullptr ? calls : called;
    if (edge == nullptr)
      out.push_back({from, to, "no call between them was seen", ""});
    else
      out.push_back({from, to,
                     waits ? fmt::format("{} waits for {}: {}", to, from, edge->why) : edge->why,
                     edge->receipt});
  };
  if (!service.empty() && service != evidence.failing) {
    const std::vector<std::string> way = evidence.graph.way(service, evidence.failing);
    if (way.empty()) add(std::string(service), evidence.failing, false);
    for (size_t i = 1; i < way.size(); ++i) add(way[i - 1], way[i], false);
  }
  const auto stands = [&](const std::string& from, const std::string& to) {
    return std::ranges::any_of(out, [&](const PathStep& step) {
      return (step.from == from && step.to == to) || (step.from == to && step.to == from);
    });
  };
  for (const std::string& affected : evidence.affected) {
    if (affected == service) continue;
    const std::vector<std::string> way = evidence.graph.way(evidence.failing, affected);
    if (way.size() < 2) add(evidence.failing, affected, true);
    for (size_t i = 1; i < way.size(); ++i)
      if (!stands(way[i - 1], way[i])) add(way[i - 1], way[i], true);
  }
  return out;
}

}  // namespace precedent
