#include "investigate/hypothesis.h"

#include <fmt/format.h>

#include <algorithm>

namespace precedent {

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
  }
  return "code_change";
}

bool Hypothesis::refuted() const {
  return std::ranges::any_of(needs, [](const Condition& need) { return need.holds <= 0; });
}

double confidence_of(const Hypothesis& hypothesis) {
  double product = 1, held = 0, weights = 0;
  for (const Condition& need : hypothesis.needs) product *= std::clamp(need.holds, 0.0, 1.0);
  for (const Condition& prediction : hypothesis.predictions) {
    held += prediction.weight * std::clamp(prediction.holds, 0.0, 1.0);
    weights += prediction.weight;
  }
  return product * (weights > 0 ? held / weights : 1);
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
