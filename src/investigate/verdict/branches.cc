#include "investigate/verdict/branches.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace precedent {
namespace {

bool is_change(const Hypothesis& hypothesis) { return !hypothesis.change.empty(); }

// The deploy that brought the change to the service of the hypothesis; null where none is recorded.
const WentLive* release_of(const CaseFile& evidence, const Hypothesis& hypothesis) {
  for (const ChangeCandidate& candidate : evidence.changes.candidates) {
    if (candidate.change.id != hypothesis.change || candidate.change.kind != ChangeKind::kCommit)
      continue;
    const auto live = std::ranges::find(candidate.live, hypothesis.service, &WentLive::service);
    if (live != candidate.live.end() && !live->deploy.empty()) return &*live;
  }
  return nullptr;
}

const Condition* need_of(const Hypothesis& hypothesis, Measure measure) {
  const auto found = std::ranges::find(hypothesis.needs, measure, &Condition::measure);
  return found == hypothesis.needs.end() ? nullptr : &*found;
}

// A level of a hypothesis: what it is called by, and how it reads.
struct Level {
  BranchLevel level;
  std::string key;
  Hypothesis wider;
};

// From the widest to the narrowest.
std::vector<Level> levels_of(const CaseFile& evidence, const Hypothesis& hypothesis) {
  std::vector<Level> out;
  const std::string& service = hypothesis.service;
  if (service.empty()) return out;
  Hypothesis place;
  place.row = name(BranchLevel::kPlace);
  place.category = hypothesis.category;
  place.service = service;
  place.statement = service == evidence.failing
                        ? fmt::format("the cause lies in {}, where the failure begins", service)
                        : fmt::format("the cause lies in {}", service);
  place.path = hypothesis.path;
  if (const Condition* reach = need_of(hypothesis, Measure::kReach)) place.needs = {*reach};
  out.push_back({BranchLevel::kPlace, service, place});
  if (!is_change(hypothesis)) return out;
  Hypothesis changes = place;
  changes.row = name(BranchLevel::kChanges);
  changes.statement = fmt::format("a change of {} did it", service);
  out.push_back({BranchLevel::kChanges, service, changes});
  const WentLive* live = release_of(evidence, hypothesis);
  if (live == nullptr) return out;
  Hypothesis release = changes;
  release.row = name(BranchLevel::kRelease);
  release.change = live->deploy;
  release.statement = fmt::format("the release {} of {} did it, which went live at {}",
                                  shown_line(live->deploy, 80), service, format_time(live->at));
  if (const Condition* before = need_of(hypothesis, Measure::kLive))
    release.needs.insert(release.needs.begin(), *before);
  release.remedy = "rollback";
  release.advice = fmt::format("Roll {} back to before {}.", service, shown_line(live->deploy, 80));
  out.push_back(
      {BranchLevel::kRelease,
       fmt::format("{}\n{}\n{}", service, live->deploy, live->at.time_since_epoch().count()),
       std::move(release)});
  return out;
}

// What is below a level: hypotheses, and narrower levels, by their keys.
struct Node {
  Level level;
  std::vector<Node> nodes;
  std::vector<const Hypothesis*> leaves;

  size_t branches() const { return nodes.size() + leaves.size(); }
  double confidence() const {
    double sum = 0;
    for (const Node& node : nodes) sum += node.confidence();
    for (const Hypothesis* leaf : leaves) sum += leaf->confidence;
    return sum;
  }
};

Node& node_at(std::vector<Node>& nodes, Level&& level) {
  const auto found = std::ranges::find_if(nodes, [&](const Node& node) {
    return node.level.level == level.level && node.level.key == level.key;
  });
  if (found != nodes.end()) return *found;
  return nodes.emplace_back(Node{std::move(level), {}, {}});
}

// Leaves out what has a single branch: that takes its place.
void prune(std::vector<Node>& nodes, std::vector<const Hypothesis*>& leaves) {
  std::vector<Node> kept;
  for (Node& node : nodes) {
    prune(node.nodes, node.leaves);
    if (node.branches() > 1) {
      kept.push_back(std::move(node));
    } else {
      leaves.insert(leaves.end(), node.leaves.begin(), node.leaves.end());
      std::ranges::move(node.nodes, std::back_inserter(kept));
    }
  }
  nodes = std::move(kept);
}

// Numbers what is left, parents first.
void write(std::vector<Node>& nodes, const std::string& parent, Branches& out) {
  std::ranges::stable_sort(nodes, std::greater<>(), &Node::confidence);
  for (Node& node : nodes) {
    const size_t at = out.wider.size();
    WiderHypothesis wider{node.level.wider, node.level.level, parent, {}};
    wider.hypothesis.id = fmt::format("W{}", at + 1);
    wider.hypothesis.confidence = node.confidence();
    const std::string id = wider.hypothesis.id;
    out.wider.push_back(std::move(wider));
    write(node.nodes, id, out);
    std::vector<std::pair<double, std::string>> branches;
    for (size_t i = at + 1; i < out.wider.size(); ++i)
      if (out.wider[i].parent == id)
        branches.emplace_back(-out.wider[i].hypothesis.confidence, out.wider[i].hypothesis.id);
    for (const Hypothesis* leaf : node.leaves) {
      out.parent_of[leaf->id] = id;
      branches.emplace_back(-leaf->confidence, leaf->id);
    }
    std::ranges::sort(branches);
    for (auto& [less, branch] : branches) out.wider[at].branches.push_back(std::move(branch));
  }
}

}  // namespace

std::string_view name(BranchLevel level) {
  switch (level) {
    case BranchLevel::kPlace: return "place";
    case BranchLevel::kChanges: return "changes";
    case BranchLevel::kRelease: return "release";
  }
  return "place";
}

const WiderHypothesis* Branches::find(std::string_view id) const {
  const auto found = std::ranges::find_if(
      wider, [&](const WiderHypothesis& each) { return each.hypothesis.id == id; });
  return found == wider.end() ? nullptr : &*found;
}

Branches branches_of(const CaseFile& evidence, const std::vector<Hypothesis>& hypotheses) {
  std::vector<Node> roots;
  for (const Hypothesis& hypothesis : hypotheses) {
    if (!hypothesis.part.empty() || hypothesis.refuted()) continue;
    std::vector<Node>* nodes = &roots;
    Node* last = nullptr;
    for (Level& level : levels_of(evidence, hypothesis)) {
      last = &node_at(*nodes, std::move(level));
      nodes = &last->nodes;
    }
    if (last != nullptr) last->leaves.push_back(&hypothesis);
  }
  Branches out;
  std::vector<const Hypothesis*> alone;
  prune(roots, alone);
  write(roots, "", out);
  return out;
}

const WiderHypothesis* convicted_release(const Branches& branches,
                                         const std::vector<Hypothesis>& hypotheses) {
  for (const WiderHypothesis& wider : branches.wider) {
    if (wider.level != BranchLevel::kRelease) continue;
    double open = 0;
    for (const Hypothesis& hypothesis : hypotheses) {
      const auto parent = branches.parent_of.find(hypothesis.id);
      if (parent != branches.parent_of.end() && parent->second == wider.hypothesis.id &&
          hypothesis.confidence >= kLeft)
        open += hypothesis.confidence;
    }
    if (open >= kConvincing) return &wider;
  }
  return nullptr;
}

}  // namespace precedent
