// The kinds of thing that precedent knows. A kind is a filter and a presentation; all share one
// index.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace precedent {

// Format: the values are stored in the index; append only.
enum class Kind : uint8_t {
  kIncident,
  kRunbook,
  kPostmortem,
  kArchitecture,
  kKnownIssue,
  kOwnership,
  kEnvironment,
  kPlaybook,
  kFaq,
  kDoc,
  kAdr,
  kCode,
  kGolden,
};

inline constexpr std::array<Kind, 13> kAllKinds = {
    Kind::kIncident,  Kind::kRunbook,     Kind::kPostmortem, Kind::kArchitecture, Kind::kKnownIssue,
    Kind::kOwnership, Kind::kEnvironment, Kind::kPlaybook,   Kind::kFaq,          Kind::kDoc,
    Kind::kAdr,       Kind::kCode,        Kind::kGolden};

// Whose words are counted together. A word is common or rare, a text long or short, among others of
// its kind: a large repository must not change what ranks first among the runbooks.
enum class Population : uint8_t { kProse, kCode };
inline constexpr size_t kPopulations = 2;
constexpr Population population(Kind kind) {
  return kind == Kind::kCode ? Population::kCode : Population::kProse;
}
// Of what a search among `kinds` goes through: code, where it is asked for alone.
Population population(std::span<const Kind> kinds);

// What a search without a filter of kinds goes through: everything that was written down or
// recorded. Code and golden examples answer questions of their own and are asked for by name only.
std::span<const Kind> ordinary_kinds();

// "incident", "known_issue", … as in front matter, filters and JSON.
std::string_view name(Kind kind);

// Reads a name in any usual spelling: case, spaces, '-' and '_' do not matter, plurals and common
// synonyms are accepted ("Post-Mortems", "known issue", "architecture decision record").
std::optional<Kind> parse_kind(std::string_view text);

}  // namespace precedent
