#include "investigate/evidence/failing_parts.h"

#include <algorithm>

namespace precedent {

std::vector<std::vector<std::string>> failing_parts(const ServiceGraph& graph,
                                                    const std::vector<std::string>& failing) {
  const auto linked = [&](const std::string& a, const std::string& b) {
    return graph.edge(a, b) != nullptr || graph.edge(b, a) != nullptr;
  };
  std::vector<std::vector<std::string>> parts;
  std::vector<std::string> left = failing;
  while (!left.empty() && parts.size() < kMaxParts) {
    std::vector<std::string>& part = parts.emplace_back();
    part.push_back(left.front());
    left.erase(left.begin());
    for (size_t i = 0; i < part.size(); ++i)
      for (auto it = left.begin(); it != left.end();)
        if (linked(part[i], *it)) {
          part.push_back(*it);
          it = left.erase(it);
        } else {
          ++it;
        }
  }
  return parts;
}

CaseFile evidence_of(const CaseFile& evidence, const FailingPart& part) {
  CaseFile out;
  out.brief = evidence.brief;
  out.window = evidence.window;
  out.metrics = evidence.metrics;
  out.changes = evidence.changes;
  out.graph = evidence.graph;
  out.slack = evidence.slack;
  out.failing = part.services.front();
  out.affected = {part.services.begin() + 1, part.services.end()};
  out.onset = part.onset;
  const auto within = [&](const std::string& service) {
    return std::ranges::find(part.services, service) != part.services.end();
  };
  for (const LogTemplate& made : evidence.logs)
    if (within(made.service)) out.logs.push_back(made);
  std::erase_if(out.metrics.findings,
                [&](const MetricFinding& finding) { return !within(finding.service); });
  for (const Sign& sign : evidence.signs)
    if (within(sign.service)) out.signs.push_back(sign);
  return out;
}

}  // namespace precedent
