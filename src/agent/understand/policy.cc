#include "agent/understand/policy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "tools/all_tools.h"

namespace precedent {
namespace {

constexpr SubjectKind kKinds[] = {SubjectKind::kIncident, SubjectKind::kEndpoint,
                                  SubjectKind::kService,  SubjectKind::kApplication,
                                  SubjectKind::kMetric,   SubjectKind::kFile,
                                  SubjectKind::kSymbol};

std::vector<std::string> known_mentions() {
  std::vector<std::string> names = signal_names();
  for (const SubjectKind kind : kKinds) names.emplace_back(name(kind));
  return names;
}

std::vector<std::string> known_tools() {
  std::vector<std::string> names;
  const Toolset tools = all_tools();
  for (const auto& tool : tools.all()) names.push_back(tool->spec().name);
  return names;
}

// Each of `found` among `known`, else the error that names it.
Result<void> check_names(const ConfigSection& section, std::string_view key,
                         const std::vector<std::string>& found, std::string_view what,
                         const std::vector<std::string>& known) {
  for (const std::string& name : found) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const auto near = nearest(name, known);
    return section.wrong(key, fmt::format("there is no {} '{}'{}", what, name,
                                          near ? fmt::format("; did you mean '{}'?", *near) : ""));
  }
  return {};
}

Result<PolicyRule> read_rule(const ConfigSection& section) {
  constexpr std::string_view kKeys[] = {"rule", "because", "when", "must_call", "prefer"};
  constexpr std::string_view kWhenKeys[] = {"question_type", "mentions"};
  TRY(section.check(kKeys));
  PolicyRule rule;
  TRY(section.read("rule", rule.name));
  if (rule.name.empty()) TRY(section.settle(section.wrong("rule", "a rule needs a name")));
  TRY(section.read("because", rule.because));
  TRY(section.read("must_call", rule.must_call));
  TRY(section.read("prefer", rule.prefer));
  static const std::vector<std::string> kTools = known_tools();
  TRY(section.settle(check_names(section, "must_call", rule.must_call, "tool", kTools)));
  TRY(section.settle(check_names(section, "prefer", rule.prefer, "tool", kTools)));
  if (!section.has("when")) return rule;
  const ConfigSection when = section.section("when");
  TRY(when.check(kWhenKeys));
  std::vector<std::string> types;
  TRY(when.read("question_type", types));
  for (const std::string& text : types) {
    const auto type = parse_question_type(text);
    if (type) {
      rule.types.push_back(*type);
    } else {
      TRY(section.settle(when.wrong(
          "question_type", fmt::format("there is no type '{}'{}", text, did_you_mean_type(text)))));
    }
  }
  TRY(when.read("mentions", rule.mentions));
  TRY(section.settle(
      check_names(when, "mentions", rule.mentions, "signal or kind of subject", known_mentions())));
  return rule;
}

bool mentions(const Intent& intent, const std::string& what) {
  if (const bool* signal = find_signal(intent.signals, what)) return *signal;
  return std::ranges::any_of(intent.subjects,
                             [&](const Subject& s) { return name(s.kind) == what; });
}

bool applies(const PolicyRule& rule, const Intent& intent) {
  // A how-to is knowledge, too; trouble is looked into beside what else is asked.
  const bool type = rule.types.empty() || std::ranges::any_of(rule.types, [&](QuestionType t) {
                      return name(t) == name(intent.type) ||
                             (t == QuestionType::kDebugIncident && intent.investigated);
                    });
  return type && (rule.mentions.empty() || std::ranges::any_of(rule.mentions, [&](const auto& m) {
                    return mentions(intent, m);
                  }));
}

}  // namespace

Result<Policy> read_policy(std::string_view yaml, std::string_view path, ConfigProblems* problems) {
  constexpr std::string_view kKeys[] = {"max_calls", "rules"};
  constexpr int64_t kMostCalls = 64;
  const ConfigSection root(TRY(parse_yaml(yaml, path)), path, "", problems);
  TRY(root.check(kKeys));
  Policy policy;
  int64_t max_calls = static_cast<int64_t>(policy.max_calls);
  TRY(root.read("max_calls", max_calls, 1, kMostCalls));
  policy.max_calls = static_cast<size_t>(max_calls);
  for (const ConfigSection& section : TRY(root.items("rules")))
    TRY(section.take(read_rule(section), policy.rules.emplace_back()));
  return policy;
}

void add_demand(std::vector<Demand>& demands, const Demand& demand) {
  const auto known = std::ranges::find(demands, demand.tool, &Demand::tool);
  if (known == demands.end()) {
    demands.push_back(demand);
  } else if (demand.must && !known->must) {
    *known = demand;
  }
}

std::vector<Demand> demands_of(const Policy& policy, const Intent& intent) {
  std::vector<Demand> demands;
  const auto add = [&](const PolicyRule& rule, const std::string& tool, bool must) {
    add_demand(demands, {tool, rule.name, rule.because, must});
  };
  for (const PolicyRule& rule : policy.rules) {
    if (!applies(rule, intent)) continue;
    for (const std::string& tool : rule.must_call) add(rule, tool, true);
    for (const std::string& tool : rule.prefer) add(rule, tool, false);
  }
  return demands;
}

std::vector<Demand> unmet(const std::vector<Demand>& demands,
                          const std::vector<Receipt>& receipts) {
  std::vector<Demand> left;
  for (const Demand& demand : demands) {
    const bool was_asked = std::ranges::any_of(
        receipts, [&](const Receipt& receipt) { return receipt.tool == demand.tool; });
    if (demand.must && !was_asked) left.push_back(demand);
  }
  return left;
}

}  // namespace precedent
