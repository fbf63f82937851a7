#include "investigate/diff_effects.h"

#include <algorithm>
#include <array>

#include "investigate/effect_rows.h"
#include "investigate/renames.h"

namespace precedent {
namespace {

struct EffectRow {
  std::string_view name, text;
  std::initializer_list<FileRole> roles;
  RowFinder find;
};
constexpr std::array<EffectRow, 31> kRows = {{
    {"guard_removed", "a check is gone", {FileRole::kCode}, guard_removed},
    {"call_in_loop", "a call runs once an element of a loop", {FileRole::kCode}, call_in_loop},
    {"unbounded_growth",
     "a collection grows and nothing bounds it",
     {FileRole::kCode},
     unbounded_growth},
    {"not_released", "something is taken and not given back", {FileRole::kCode}, not_released},
    {"lock_removed", "less runs under a lock", {FileRole::kCode}, lock_removed},
    {"lock_added", "more runs under a lock", {FileRole::kCode, FileRole::kMigration}, lock_added},
    {"retry_added",
     "failed calls are repeated",
     {FileRole::kCode, FileRole::kSetting},
     retry_added},
    {"cache_bypassed",
     "a cache is passed by, or its keys differ",
     {FileRole::kCode},
     cache_bypassed},
    {"spawned", "work is started beside the request", {FileRole::kCode}, spawned},
    {"loads_all", "everything is read at once", {FileRole::kCode}, loads_all},
    {"lazy_again", "what was read together is read one by one", {FileRole::kCode}, lazy_again},
    {"logs_more", "far more is logged", {FileRole::kCode, FileRole::kSetting}, logs_more},
    {"aborts", "the process or the request is given up", {FileRole::kCode}, aborts},
    {"heavy_work", "more is computed for each request", {FileRole::kCode}, heavy_work},
    {"call_added", "a request waits for something else", {FileRole::kCode}, call_added},
    {"query_added", "a request makes one more query", {FileRole::kCode}, query_added},
    {"value_changed",
     "a number was changed",
     {FileRole::kCode, FileRole::kSetting, FileRole::kMigration},
     value_changed},
    {"bound_removed", "a limit is gone", {FileRole::kCode, FileRole::kSetting}, bound_removed},
    {"setting_removed", "a setting is gone", {FileRole::kSetting}, setting_removed},
    {"switch_flipped", "a switch is turned", {FileRole::kCode, FileRole::kSetting}, switch_flipped},
    {"name_changed",
     "an address or a name was changed",
     {FileRole::kCode, FileRole::kSetting},
     name_changed},
    {"access_changed",
     "who may do what was changed",
     {FileRole::kCode, FileRole::kSetting},
     access_changed},
    {"schema_changed", "the schema was changed", {FileRole::kMigration}, schema_changed},
    {"query_changed", "a query was changed", {FileRole::kCode}, query_changed},
    {"format_changed",
     "the format of what is written or read was changed",
     {FileRole::kCode},
     format_changed},
    {"library_changed",
     "a library was moved to another version",
     {FileRole::kDependency},
     library_changed},
    {"image_changed", "the image has another base", {FileRole::kImage}, image_changed},
    {"rejects_more",
     "something is refused that was accepted before",
     {FileRole::kCode},
     rejects_more},
    {"expression_changed", "an expression was changed", {FileRole::kCode}, expression_changed},
    {"reordered", "the same steps run in another order", {FileRole::kCode}, reordered},
    {"behaviour_changed", "the code now does something else", {FileRole::kCode}, behaviour_changed},
}};

}  // namespace

std::vector<Effect> effects_of(const std::vector<Hunk>& diff) {
  const std::vector<Hunk> hunks = without_renames(diff);
  std::vector<Effect> out;
  for (const EffectRow& row : kRows) {
    for (const Hunk& hunk : hunks) {
      if (std::ranges::find(row.roles, hunk.role) == row.roles.end()) continue;
      const auto hit = row.find(hunk, hunks);
      if (!hit) continue;
      const auto same = std::ranges::find_if(out, [&](const Effect& effect) {
        return effect.row == row.name && effect.file == hunk.file;
      });
      if (same != out.end()) {
        same->can_cause.add(hit->can_cause);
        same->strength = std::max(same->strength, hit->strength);
        continue;
      }
      out.push_back(
          {row.name, row.text, hit->can_cause, hit->strength, hit->at_once, hit->line, hunk.file});
    }
  }
  std::ranges::stable_sort(out, std::greater<>(), &Effect::strength);
  return out;
}

std::vector<std::string_view> effect_rows() {
  std::vector<std::string_view> out;
  for (const EffectRow& row : kRows) out.push_back(row.name);
  return out;
}

std::string_view effect_text(std::string_view row) {
  const auto found = std::ranges::find(kRows, row, &EffectRow::name);
  return found == kRows.end() ? std::string_view() : found->text;
}

}  // namespace precedent
