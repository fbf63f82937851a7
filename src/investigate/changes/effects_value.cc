// Rows of diff_effects about values: numbers, switches, names and permissions.
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/strings.h"
#include "investigate/changes/edit.h"
#include "investigate/changes/effect_rows.h"
#include "investigate/symptoms/words.h"

namespace precedent {
namespace {

using S = Symptom;

// What a number that is called so does when it falls, and when it rises. The first key of which one
// part stands in the line or right before it decides.
struct ValueKey {
  std::vector<std::string_view> parts;
  SymptomSet falls, rises;
  bool at_once;
};
const std::vector<ValueKey>& value_keys() {
  static const std::vector<ValueKey> keys = {
      {{"ttl", "expiry", "expiration", "expires", "maxage", "stale"},
       {S::kCacheMisses, S::kLatency, S::kTraffic, S::kCpu, S::kPool, S::kTimeouts, S::kAccess,
        S::kFanOut},
       {S::kMemory, S::kOutOfMemory, S::kDataFormat, S::kErrors},
       false},
      {{"retry", "retries", "attempt", "attempts"},
       {S::kErrors, S::kTimeouts},
       {S::kFanOut, S::kTraffic, S::kLatency, S::kQueue, S::kPool, S::kCpu, S::kTimeouts,
        S::kQuota},
       true},
      {{"backoff", "interval", "period", "delay", "poll", "debounce"},
       {S::kTraffic, S::kFanOut, S::kCpu, S::kQuota, S::kPool, S::kLatency, S::kQueue},
       {S::kLatency, S::kQueue, S::kTimeouts},
       true},
      {{"timeout", "deadline", "keepalive", "grace"},
       {S::kTimeouts, S::kErrors, S::kFanOut, S::kRefused, S::kQueue},
       {S::kLatency, S::kPool, S::kQueue, S::kHandles, S::kTimeouts},
       true},
      {{"probe", "liveness", "readiness", "initialdelayseconds", "initial", "threshold"},
       {S::kCrash, S::kErrors, S::kRefused},
       {S::kErrors, S::kRefused, S::kLatency},
       true},
      {{"memory", "mem", "heap", "xmx", "gomemlimit"},
       {S::kOutOfMemory, S::kCrash, S::kMemory, S::kLatency},
       {S::kOutOfMemory, S::kNode, S::kMemory},
       true},
      {{"cpu"}, {S::kCpu, S::kLatency, S::kTimeouts, S::kQueue}, {S::kNode, S::kCpu}, true},
      {{"replicas", "instances", "shards", "partitions", "minreplicas", "maxreplicas"},
       {S::kCpu, S::kLatency, S::kQueue, S::kTimeouts, S::kErrors, S::kPool},
       {S::kPool, S::kQuota, S::kNode},
       true},
      {{"batch", "buffer", "page", "chunk", "size", "prefetch"},
       {S::kQueue, S::kFanOut, S::kLatency, S::kTraffic, S::kPool},
       {S::kMemory, S::kOutOfMemory, S::kLatency, S::kTimeouts, S::kLock},
       true},
      {{"pool", "conn", "conns", "connections", "idle", "workers", "worker", "threads",
        "concurrency", "parallelism", "inflight", "semaphore", "queue", "max", "limit", "capacity"},
       {S::kPool, S::kQueue, S::kLatency, S::kTimeouts, S::kErrors, S::kQuota},
       {S::kPool, S::kCpu, S::kMemory, S::kOutOfMemory, S::kLatency, S::kHandles, S::kQuota,
        S::kLock, S::kTimeouts},
       true},
      {{"rate", "quota", "rps", "qps", "burst", "throttle", "budget"},
       {S::kQuota, S::kErrors, S::kQueue},
       {S::kTraffic, S::kCpu, S::kLatency, S::kQuota},
       true},
      {{"port"}, {S::kRefused, S::kErrors, S::kCrash}, {S::kRefused, S::kErrors, S::kCrash}, true},
  };
  return keys;
}

const ValueKey* key_of(std::string_view line, const Hunk& hunk) {
  const auto find_in = [](std::string_view text) -> const ValueKey* {
    const std::vector<std::string> parts = parts_of(text);
    for (const ValueKey& key : value_keys())
      if (std::ranges::any_of(parts, [&](const std::string& part) {
            return std::ranges::find(key.parts, part) != key.parts.end();
          }))
        return &key;
    return nullptr;
  };
  if (const ValueKey* key = find_in(line)) return key;
  // The key may be the mapping that the line stands in.
  std::string around = hunk.heading;
  for (const DiffLine& other : hunk.lines) {
    if (other.text == line) break;
    if (other.kind == ' ') around = other.text;
  }
  return find_in(around);
}

// A host, an address, a topic, a path: one word with joints.
bool is_address(std::string_view value) {
  return !value.empty() && value.find(' ') == std::string_view::npos &&
         value.find_first_of("./:-_") != std::string_view::npos;
}

// A line that begins with a quoted name and gives it a value: a header, a field of a document.
bool names_field(std::string_view line) {
  const std::string text = packed(line);
  if (text.empty() || (text.front() != '"' && text.front() != '\'')) return false;
  const size_t end = text.find(text.front(), 1);
  if (end == std::string::npos || end + 1 >= text.size()) return false;
  const std::string_view behind = std::string_view(text).substr(end + 1);
  return behind.starts_with(':') || behind.starts_with('=') || behind.starts_with(',');
}
constexpr double kFieldRenamed = 0.5;

// "search:2.31.0" is what "search:2.30.4" was: every release has another number. An address of
// four numbers has none.
std::string without_versions(std::string_view line) {
  static const RE2 kNumbers(R"((^|[^\d.])v?\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?($|[^\d.]))");
  std::string text = packed(line);
  RE2::GlobalReplace(&text, kNumbers, R"(\1\2)");
  return text;
}

}  // namespace

std::optional<RowHit> value_changed(const Hunk& hunk, const std::vector<Hunk>&) {
  std::optional<RowHit> best;
  for (const NumberEdit& edit : number_edits(hunk)) {
    const ValueKey* key = key_of(edit.after, hunk);
    const double ratio = edit.ratio();
    const bool falls = edit.to < edit.from;
    // To or from nothing, or three times and more, is a matter of kind.
    const double size = ratio > 0 ? std::min(1.0, std::abs(std::log(ratio)) / std::log(3.0)) : 1;
    const double strength = key != nullptr ? 0.35 + 0.55 * size : 0.25 + 0.15 * size;
    const SymptomSet causes = key == nullptr ? SymptomSet{S::kErrors, S::kLatency, S::kTimeouts}
                              : falls        ? key->falls
                                             : key->rises;
    if (!best || strength > best->strength)
      best = RowHit{causes, strength, edit.after, key == nullptr || key->at_once};
  }
  return best;
}

std::optional<RowHit> switch_flipped(const Hunk& hunk, const std::vector<Hunk>&) {
  for (const auto& [before, after] : replaced_lines(hunk)) {
    std::vector<std::string> a = tokens_of(before->text), b = tokens_of(after->text);
    if (a.size() != b.size()) continue;
    size_t flips = 0, others = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      if (a[i] == b[i]) continue;
      const std::string from = ascii_lower(a[i]), to = ascii_lower(b[i]);
      const auto pair = [&](std::string_view x, std::string_view y) {
        return (from == x && to == y) || (from == y && to == x);
      };
      (pair("true", "false") || pair("on", "off") || pair("enabled", "disabled") ||
               pair("yes", "no")
           ? flips
           : others) += 1;
    }
    if (flips == 1 && others == 0) {
      SymptomSet causes = {S::kErrors, S::kLatency, S::kTimeouts, S::kCrash, S::kAccess, S::kCpu};
      if (const ValueKey* key = key_of(after->text, hunk))
        causes.add(key->falls), causes.add(key->rises);
      return RowHit{causes, 0.65, after->text};
    }
  }
  return std::nullopt;
}

std::optional<RowHit> name_changed(const Hunk& hunk, const std::vector<Hunk>&) {
  std::optional<RowHit> best;
  for (const auto& [before, after] : replaced_lines(hunk)) {
    if (without_versions(before->text) == without_versions(after->text)) continue;
    std::vector<std::string> old_names, new_names;
    const bool same = packed(without_strings(before->text, old_names)) ==
                      packed(without_strings(after->text, new_names));
    const bool setting = hunk.role == FileRole::kSetting;
    if (setting && old_names.empty() && new_names.empty()) {
      const auto value_of = [](std::string_view line) {
        const size_t colon = line.find_first_of(":=");
        return colon == std::string_view::npos ? std::string_view() : trim(line.substr(colon + 1));
      };
      const auto key_part = [](std::string_view line) {
        return trim(line.substr(0, line.find_first_of(":=")));
      };
      if (key_part(before->text) == key_part(after->text) &&
          value_of(before->text) != value_of(after->text) && is_address(value_of(after->text)) &&
          value_of(after->text).find_first_not_of("0123456789.smhMGiKk") != std::string_view::npos)
        best = RowHit{{S::kRefused, S::kDns, S::kErrors, S::kTimeouts, S::kAccess, S::kSchema,
                       S::kLatency, S::kDataFormat, S::kCrash},
                      0.7,
                      after->text};
      continue;
    }
    // "x-token": … → "authorization": …: whoever reads it looks for the old one.
    if (!setting && names_field(before->text) && names_field(after->text) &&
        old_names.front() != new_names.front() && is_address(old_names.front()) &&
        (!best || best->strength < kFieldRenamed))
      best =
          RowHit{{S::kErrors, S::kAccess, S::kDataFormat, S::kRefused}, kFieldRenamed, after->text};
    if (!same || old_names == new_names || old_names.size() != new_names.size()) continue;
    bool address = false;
    for (size_t i = 0; i < old_names.size(); ++i)
      address = address || (old_names[i] != new_names[i] && is_address(old_names[i]) &&
                            is_address(new_names[i]));
    const double strength = address ? 0.7 : 0.2;
    if (!best || strength > best->strength)
      best = RowHit{address ? SymptomSet{S::kRefused, S::kDns, S::kErrors, S::kTimeouts, S::kAccess,
                                         S::kSchema, S::kLatency, S::kDataFormat, S::kCrash}
                            : SymptomSet{S::kErrors, S::kDataFormat},
                    strength, after->text};
  }
  return best;
}

// A number that is held in fewer bits than before fails once it outgrows them.
std::optional<RowHit> narrowed(const Hunk& hunk, const std::vector<Hunk>& all) {
  static const RE2 kNarrows(
      R"((?:\.(?:int|short|byte|float)Value\(\)|\((?:int|short|byte|float)\)\s*\w|\bu?int(?:8|16|32)\(|\bfloat32\(|\bas [iu](?:8|16|32)\b|\.to(?:Int|Short|Float)\(\)|static_cast<\s*(?:u?int(?:8|16|32)_t|int|short|float)\s*>|Convert\.ToInt(?:16|32)))");
  static const RE2 kWide(
      R"(\b(?:long|Long|u?int64(?:_t)?|[iu]64|bigint|BIGINT|BigInteger|BigDecimal|Decimal|double|float64|f64)\b)");
  static const RE2 kSmall(
      R"(\b(?:int|Integer|u?int32(?:_t)?|[iu]32|integer|INTEGER|INT|float|float32|f32|smallint)\b)");
  const SymptomSet causes = {S::kErrors, S::kDataFormat, S::kCrash, S::kSchema};
  for (const Hunk& each : all)
    for (const DiffLine& line : each.lines)
      if (line.kind == '-' && RE2::PartialMatch(line.text, kNarrows)) return std::nullopt;
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '+' && RE2::PartialMatch(line.text, kNarrows))
      return RowHit{causes, 0.7, line.text, false};
  for (const auto& [before, after] : replaced_lines(hunk))
    if (RE2::PartialMatch(before->text, kWide) && !RE2::PartialMatch(after->text, kWide) &&
        RE2::PartialMatch(after->text, kSmall) && !RE2::PartialMatch(before->text, kSmall))
      return RowHit{causes, 0.7, after->text, false};
  return std::nullopt;
}

// A setting that is read under another name has its default from now on, unless it is also given
// under the new one.
std::optional<RowHit> setting_renamed(const Hunk& hunk, const std::vector<Hunk>& all) {
  static const RE2 kReads(
      R"((?i)(?:\.Values\.|getenv\(|environ\b|process\.env\.|env::var\(|viper\.|\$\{[A-Z]|@Value\(|(?:config|settings|conf|cfg)(?:\.|\[|\.get\()))");
  for (const auto& [before, after] : replaced_lines(hunk)) {
    if (!RE2::PartialMatch(before->text, kReads) || !RE2::PartialMatch(after->text, kReads))
      continue;
    const std::vector<std::string> a = tokens_of(before->text), b = tokens_of(after->text);
    if (a.size() != b.size()) continue;
    std::vector<size_t> other;
    for (size_t i = 0; i < a.size(); ++i)
      if (a[i] != b[i]) other.push_back(i);
    if (other.size() != 1 || parts_of(b[other.front()]).empty()) continue;
    const std::string& name = b[other.front()];
    const bool given = std::ranges::any_of(all, [&](const Hunk& each) {
      return each.role == FileRole::kSetting &&
             std::ranges::any_of(each.lines, [&](const DiffLine& line) {
               const std::vector<std::string> tokens = tokens_of(line.text);
               return line.kind == '+' && std::ranges::find(tokens, name) != tokens.end();
             });
    });
    if (given) continue;
    SymptomSet causes = {S::kErrors, S::kRefused, S::kAccess, S::kCrash, S::kTimeouts};
    if (const ValueKey* key = key_of(before->text, hunk))
      causes.add(key->falls), causes.add(key->rises);
    return RowHit{causes, 0.75, after->text};
  }
  return std::nullopt;
}

std::optional<RowHit> access_changed(const Hunk& hunk, const std::vector<Hunk>&) {
  constexpr std::array<std::string_view, 16> kParts = {
      "auth",   "permission", "permissions", "role",   "roles", "scope",    "scopes", "jwt",
      "policy", "iam",        "rbac",        "secret", "cors",  "audience", "issuer", "acl"};
  for (const DiffLine& line : hunk.lines) {
    if (line.kind == ' ') continue;
    const std::vector<std::string> parts = parts_of(line.text);
    if (std::ranges::any_of(parts, [&](const std::string& part) {
          return std::ranges::find(kParts, part) != kParts.end();
        }))
      return RowHit{{S::kAccess, S::kErrors}, 0.6, line.text};
  }
  return std::nullopt;
}

}  // namespace precedent
