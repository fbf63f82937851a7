#include "investigate/changes/diff_effects.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "investigate/changes/effect_rows.h"
#include "investigate/changes/renames.h"
#include "investigate/symptoms/words.h"

namespace precedent {
namespace {

struct EffectRow {
  std::string_view name, text;
  std::initializer_list<FileRole> roles;
  RowFinder find;
};
constexpr std::array<EffectRow, 33> kRows = {{
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
    {"narrowed",
     "a number is held in fewer bits",
     {FileRole::kCode, FileRole::kMigration},
     narrowed},
    {"setting_renamed",
     "a setting is read under another name",
     {FileRole::kCode, FileRole::kSetting, FileRole::kPage},
     setting_renamed},
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

// What code is about tells which rare symptom a slip in it has: an edit of the rate limiter may use
// up a quota, whatever the edit is. The last two names of the path and the line say it.
SymptomSet about(std::string_view file, std::string_view line) {
  struct Subject {
    Symptom symptom;
    std::array<std::string_view, 7> parts;  // "" where there are fewer
  };
  static constexpr std::array<Subject, 9> kSubjects = {{
      {Symptom::kQuota, {"ratelimit", "ratelimiter", "limiter", "throttle", "quota"}},
      {Symptom::kCacheMisses, {"cache", "cached", "memo", "memoize"}},
      {Symptom::kPool, {"pool", "conn", "connection", "connections"}},
      {Symptom::kLock, {"lock", "mutex", "semaphore"}},
      {Symptom::kQueue, {"queue", "consumer", "producer", "kafka", "broker", "dlq"}},
      {Symptom::kAccess, {"auth", "authz", "jwt", "jwks", "oauth", "permission", "session"}},
      {Symptom::kCertificate, {"tls", "cert", "certificate", "x509"}},
      {Symptom::kDns, {"dns", "resolver"}},
      {Symptom::kDataFormat, {"codec", "proto", "decode", "encode", "serializer", "parser"}},
  }};
  const size_t name = file.rfind('/');
  const size_t folder = name == 0 || name == std::string_view::npos ? 0 : file.rfind('/', name - 1);
  std::vector<std::string> parts =
      parts_of(folder == std::string_view::npos ? file : file.substr(folder));
  std::ranges::move(parts_of(line), std::back_inserter(parts));
  SymptomSet out;
  for (const Subject& subject : kSubjects)
    for (const std::string_view part : subject.parts)
      if (std::ranges::find(parts, part) != parts.end()) out.add(subject.symptom);
  return out;
}

}  // namespace

std::vector<Effect> effects_of(const std::vector<Hunk>& diff) {
  const std::vector<Hunk> hunks = without_renames(diff);
  std::vector<Effect> out;
  for (const EffectRow& row : kRows) {
    for (const Hunk& hunk : hunks) {
      if (std::ranges::find(row.roles, hunk.role) == row.roles.end()) continue;
      auto hit = row.find(hunk, hunks);
      if (!hit) continue;
      hit->can_cause.add(about(hunk.file, hit->line));
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
