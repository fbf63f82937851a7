#include "knowledge/kind.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {

Population population(std::span<const Kind> kinds) {
  const bool code = !kinds.empty() && std::ranges::all_of(kinds, [](Kind kind) {
    return population(kind) == Population::kCode;
  });
  return code ? Population::kCode : Population::kProse;
}

std::span<const Kind> ordinary_kinds() {
  static constexpr auto kOrdinary = [] {
    std::array<Kind, kAllKinds.size() - 2> kinds{};
    size_t count = 0;
    for (const Kind kind : kAllKinds) {
      if (kind != Kind::kGolden && kind != Kind::kCode) kinds[count++] = kind;
    }
    return kinds;
  }();
  return kOrdinary;
}

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::kIncident: return "incident";
    case Kind::kRunbook: return "runbook";
    case Kind::kPostmortem: return "postmortem";
    case Kind::kArchitecture: return "architecture";
    case Kind::kKnownIssue: return "known_issue";
    case Kind::kOwnership: return "ownership";
    case Kind::kEnvironment: return "environment";
    case Kind::kPlaybook: return "playbook";
    case Kind::kFaq: return "faq";
    case Kind::kDoc: return "doc";
    case Kind::kAdr: return "adr";
    case Kind::kCode: return "code";
    case Kind::kGolden: return "golden";
  }
  return "doc";
}

std::optional<Kind> parse_kind(std::string_view text) {
  static const std::unordered_map<std::string_view, Kind> kNames = {
      {"incident", Kind::kIncident},
      {"incidentreport", Kind::kIncident},
      {"runbook", Kind::kRunbook},
      {"postmortem", Kind::kPostmortem},
      {"retrospective", Kind::kPostmortem},
      {"incidentreview", Kind::kPostmortem},
      {"architecture", Kind::kArchitecture},
      {"design", Kind::kArchitecture},
      {"knownissue", Kind::kKnownIssue},
      {"knownproblem", Kind::kKnownIssue},
      {"knownerror", Kind::kKnownIssue},
      {"ownership", Kind::kOwnership},
      {"owner", Kind::kOwnership},
      {"team", Kind::kOwnership},
      {"environment", Kind::kEnvironment},
      {"env", Kind::kEnvironment},
      {"playbook", Kind::kPlaybook},
      {"faq", Kind::kFaq},
      {"doc", Kind::kDoc},
      {"document", Kind::kDoc},
      {"documentation", Kind::kDoc},
      {"guide", Kind::kDoc},
      {"reference", Kind::kDoc},
      {"adr", Kind::kAdr},
      {"decision", Kind::kAdr},
      {"architecturedecisionrecord", Kind::kAdr},
      {"code", Kind::kCode},
      {"golden", Kind::kGolden},
      {"goldenexample", Kind::kGolden},
  };
  std::string key;
  for (const char c : ascii_lower(text)) {
    if (is_lower(c) || is_digit(c)) key += c;
  }
  auto found = kNames.find(key);
  if (found == kNames.end() && key.ends_with('s')) {
    found = kNames.find(std::string_view(key).substr(0, key.size() - 1));
  }
  if (found == kNames.end()) return std::nullopt;
  return found->second;
}

}  // namespace precedent
