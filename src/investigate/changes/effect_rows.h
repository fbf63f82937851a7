// The rows of diff_effects.h, by what they look at. Each looks at one hunk, with all hunks of the
// commit beside it, and gives nothing where its kind of edit is not there.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "investigate/changes/diff.h"
#include "investigate/symptoms/symptom.h"

namespace precedent {

// What a row found; the table adds its name, its text and the file.
struct RowHit {
  SymptomSet can_cause;
  double strength = 0;
  std::string line;
  bool at_once = true;
};
using RowFinder = std::optional<RowHit> (*)(const Hunk& hunk, const std::vector<Hunk>& all);

// effects_code.cc: how code runs.
std::optional<RowHit> guard_removed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> call_in_loop(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> aborts(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> heavy_work(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> call_added(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> query_added(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> rejects_more(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> expression_changed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> reordered(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> behaviour_changed(const Hunk& hunk, const std::vector<Hunk>& all);
// effects_resource.cc: what is held and shared.
std::optional<RowHit> unbounded_growth(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> not_released(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> lock_removed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> lock_added(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> retry_added(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> cache_bypassed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> spawned(const Hunk& hunk, const std::vector<Hunk>& all);
// effects_value.cc: numbers, switches and names.
std::optional<RowHit> value_changed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> bound_removed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> setting_removed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> switch_flipped(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> name_changed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> narrowed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> setting_renamed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> access_changed(const Hunk& hunk, const std::vector<Hunk>& all);
// effects_load.cc: how much at once.
std::optional<RowHit> loads_all(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> lazy_again(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> logs_more(const Hunk& hunk, const std::vector<Hunk>& all);
// effects_data.cc: queries, schemas, formats, libraries.
std::optional<RowHit> schema_changed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> query_changed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> format_changed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> library_changed(const Hunk& hunk, const std::vector<Hunk>& all);
std::optional<RowHit> image_changed(const Hunk& hunk, const std::vector<Hunk>& all);

}  // namespace precedent
