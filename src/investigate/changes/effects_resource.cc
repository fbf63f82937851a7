// Rows of diff_effects about what is held and shared: memory, handles, locks, caches, retries.
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "investigate/changes/edit.h"
#include "investigate/changes/effect_rows.h"
#include "investigate/symptoms/words.h"

namespace precedent {
namespace {

using S = Symptom;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string lines_of(const std::vector<Hunk>& all, std::string_view kinds) {
  std::string out;
  for (const Hunk& hunk : all)
    for (const DiffLine& line : hunk.lines)
      if (kinds.find(line.kind) != std::string_view::npos) out += line.text + '\n';
  return out;
}

bool has_part(std::string_view text, std::initializer_list<std::string_view> wanted) {
  const std::vector<std::string> parts = parts_of(text);
  return std::ranges::any_of(parts, [&](const std::string& part) {
    return std::ranges::find(wanted, part) != wanted.end();
  });
}

// What keeps a collection small, in code that names it.
bool is_bounded(std::string_view text) {
  return has_part(
      text, {"evict",  "evicted", "lru",     "max",    "limit",    "cap",   "capacity", "ttl",
             "expire", "expires", "delete",  "remove", "pop",      "clear", "reset",    "trim",
             "prune",  "ring",    "maxsize", "maxlen", "truncate", "shift"});
}

// The name of a collection that lives as long as the process and is declared in the line.
std::string long_lived(std::string_view line) {
  static const RE2 kGo(R"(^var\s+(\w+)\s.*(?:\[\]|map\[|sync\.Map|make\())");
  static const RE2 kPlain(
      R"(^(?:export\s+)?(?:const|let|var)?\s*(\w+)\s*(?::[^=]+)?=\s*(?:\[\s*\]|\{\s*\}|list\(|dict\(|set\(|defaultdict|deque\(\)|new\s+(?:Map|Set|Array|HashMap|ArrayList|ConcurrentHashMap)))");
  static const RE2 kStatic(
      R"(static\s+.*(?:List|Map|Set|Vector|vector|Dictionary|Queue|Deque|unordered_map|map)\b.*?(\w+)\s*(?:=|;|\{))");
  static const RE2 kMember(
      R"((?:self|this)\.(\w+)\s*(?::[^=]+)?=\s*(?:\[\s*\]|\{\s*\}|new\s+(?:Map|Set|Array)))");
  std::string name;
  for (const RE2* form : {&kGo, &kPlain, &kStatic, &kMember})
    if (RE2::PartialMatch(line, *form, &name)) return name;
  return "";
}

bool adds_to(std::string_view line, const std::string& name) {
  const std::string text = packed(line);
  for (const std::string_view how :
       {"=append(", ".append(", ".add(", ".push(", ".put(", ".set(", ".push_back(", ".insert(",
        ".emplace", ".Store(", ".offer(", ".Add("})
    if (contains(text, name + std::string(how))) return true;
  return contains(text, name + "[") && contains(text, "]=") && !contains(text, "]==");
}

// Whether a field or variable that the line was made of is gone from it ("ref.OrgID").
bool loses_a_field(std::string_view before, std::string_view after) {
  static const RE2 kField(R"((?:\w+\.)+(\w+)\b(?:[^(\w]|$))");
  re2::StringPiece rest(before.data(), before.size());
  for (std::string name; RE2::FindAndConsume(&rest, kField, &name);)
    if (!contains(after, name)) return true;
  return false;
}

bool gives_back(std::string_view text) {
  return RE2::PartialMatch(
      text,
      R"((?i)\b(?:close|release|unlock|runlock|cancel|dispose|rollback|stop|shutdown|unsubscribe|free|returnObject)\s*\()");
}

}  // namespace

std::optional<RowHit> unbounded_growth(const Hunk& hunk, const std::vector<Hunk>& all) {
  const SymptomSet causes = {S::kMemory,  S::kOutOfMemory, S::kCrash,
                             S::kLatency, S::kHandles,     S::kCpu};
  const std::string added = lines_of(all, "+");
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != '+') continue;
    const std::string name = long_lived(line.text);
    if (name.empty()) continue;
    std::string about;
    bool grows = false;
    for (const std::string_view other : split_lines(added)) {
      if (!contains(other, name)) continue;
      grows = grows || adds_to(other, name);
      about += std::string(other) + '\n';
    }
    if (grows && !is_bounded(about)) return RowHit{causes, 0.9, line.text, false};
  }
  // What kept something small is gone.
  const std::string removed = lines_of({hunk}, "-");
  if (has_part(removed, {"evict", "lru", "prune", "expire", "maxsize", "maxlen"}) &&
      !is_bounded(added))
    for (const DiffLine& line : hunk.lines)
      if (line.kind == '-' && is_bounded(line.text)) return RowHit{causes, 0.8, line.text, false};
  return std::nullopt;
}

std::optional<RowHit> not_released(const Hunk& hunk, const std::vector<Hunk>& all) {
  const SymptomSet causes = {S::kPool,     S::kHandles, S::kMemory, S::kOutOfMemory, S::kLatency,
                             S::kTimeouts, S::kLock,    S::kQueue,  S::kErrors};
  const std::string added = lines_of(all, "+");
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '-' && gives_back(line.text) && !gives_back(added))
      return RowHit{causes, 0.9, line.text, false};
  // It was given back on every way out, and is now on some.
  static const RE2 kOnEveryWay(R"((?im)^\s*(?:defer|ensure|finally|with|using|try\s*\())");
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '-' && gives_back(line.text) && RE2::PartialMatch(line.text, kOnEveryWay) &&
        std::ranges::none_of(hunk.lines, [&](const DiffLine& other) {
          return other.kind == '+' && RE2::PartialMatch(other.text, kOnEveryWay);
        }))
      return RowHit{causes, 0.85, line.text, false};
  // A block that gave it back at its end is gone; what stands there now gives it back by hand.
  static const RE2 kBlock(R"((?i)^\s*(?:with\s+\S.*\bas\b|using\s*\(|try\s*\())");
  static const RE2 kByHand(R"((?i)\b(?:put\w*conn\w*|checkin|putback|return\w*conn\w*)\s*\()");
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '-' && RE2::PartialMatch(line.text, kBlock) &&
        !RE2::PartialMatch(added, kOnEveryWay) &&
        (gives_back(added) || RE2::PartialMatch(added, kByHand)))
      return RowHit{causes, 0.85, line.text, false};
  const std::string kept = lines_of({hunk}, "+ ");
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != '+') continue;
    static const RE2 kTakes(
        R"((?i)(?:rows\s*,?.*\.query|\.acquire\(|\.getconnection\(|\.begin(?:tx)?\(|newticker\(|\.subscribe\(|os\.open\(|\.checkout\(|net\.dial|\.lock\())");
    if (RE2::PartialMatch(line.text, kTakes) && !gives_back(kept) && !contains(kept, "with ") &&
        !contains(kept, "using "))
      return RowHit{causes, 0.65, line.text, false};
  }
  return std::nullopt;
}

std::optional<RowHit> lock_removed(const Hunk& hunk, const std::vector<Hunk>& all) {
  static const RE2 kTakes(
      R"((?i)(?:\.r?lock\(|synchronized|lock_guard|unique_lock|with\s+\w*lock|for update))");
  if (RE2::PartialMatch(lines_of(all, "+"), kTakes)) return std::nullopt;
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '-' && RE2::PartialMatch(line.text, kTakes))
      return RowHit{{S::kCrash, S::kErrors, S::kDataFormat, S::kCpu}, 0.85, line.text};
  return std::nullopt;
}

std::optional<RowHit> lock_added(const Hunk& hunk, const std::vector<Hunk>& all) {
  const std::string removed = lines_of(all, "-");
  static const RE2 kLocks(
      R"((?i)(?:\.r?lock\(|synchronized|mutex|for update|lock table|pg_advisory_lock|\bflock\(|lock_guard|serializable))");
  const SymptomSet causes = {S::kLock, S::kLatency, S::kTimeouts, S::kQueue, S::kPool};
  if (RE2::PartialMatch(removed, kLocks)) {
    // Taken before, too: it is held longer if it was given back on the way and now is at the end,
    // and keeps more out if readers shared it.
    static const RE2 kGivesBack(R"((?i)^\s*[\w.>()-]*r?unlock(?:_shared)?\()");
    static const RE2 kAtTheEnd(
        R"((?i)(?:defer\s.*unlock\(|finally|lock_guard|unique_lock|with\s))");
    static const RE2 kShared(R"((?i)(?:rlock|readlock|shared_lock|lock_shared)\b)");
    const std::string added = lines_of(all, "+");
    bool gave_back = false;
    for (const DiffLine& line : hunk.lines)
      gave_back = gave_back || (line.kind == '-' && RE2::PartialMatch(line.text, kGivesBack));
    const bool longer = gave_back && RE2::PartialMatch(added, kAtTheEnd);
    const bool wider = RE2::PartialMatch(removed, kShared) && RE2::PartialMatch(added, kLocks) &&
                       !RE2::PartialMatch(added, kShared);
    if (!longer && !wider) return std::nullopt;
    for (const DiffLine& line : hunk.lines)
      if (line.kind == '+' && RE2::PartialMatch(line.text, kLocks))
        return RowHit{causes, 0.8, line.text};
    return std::nullopt;
  }
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '+' && RE2::PartialMatch(line.text, kLocks))
      return RowHit{causes, 0.7, line.text};
  return std::nullopt;
}

std::optional<RowHit> retry_added(const Hunk& hunk, const std::vector<Hunk>& all) {
  const std::string removed = lines_of(all, "-"), added = lines_of(all, "+");
  if (has_part(removed, {"retry", "retries", "attempt", "attempts"})) {
    // The waiting between attempts is gone.
    const bool waited = has_part(removed, {"backoff", "jitter", "sleep"}),
               waits = has_part(added, {"backoff", "jitter", "sleep"});
    if (!waited || waits) return std::nullopt;
    for (const DiffLine& line : hunk.lines)
      if (line.kind == '-' && has_part(line.text, {"backoff", "jitter", "sleep"}))
        return RowHit{{S::kFanOut, S::kTraffic, S::kLatency, S::kQueue, S::kPool, S::kCpu,
                       S::kTimeouts, S::kQuota},
                      0.85,
                      line.text};
    return std::nullopt;
  }
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '+' && has_part(line.text, {"retry", "retries", "attempt", "attempts"}))
      return RowHit{{S::kFanOut, S::kTraffic, S::kLatency, S::kQueue, S::kPool, S::kCpu,
                     S::kTimeouts, S::kQuota},
                    has_part(added, {"backoff", "jitter"}) ? 0.4 : 0.75,
                    line.text};
  return std::nullopt;
}

std::optional<RowHit> cache_bypassed(const Hunk& hunk, const std::vector<Hunk>& all) {
  const SymptomSet causes = {S::kCacheMisses, S::kLatency,  S::kTraffic, S::kCpu,
                             S::kPool,        S::kTimeouts, S::kFanOut};
  const std::string added = lines_of(all, "+");
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != '-' ||
        !has_part(line.text, {"cache", "cached", "memo", "memoize", "memcache", "redis"}))
      continue;
    if (!has_part(added, {"cache", "cached", "memo", "memoize", "memcache", "redis"}))
      return RowHit{causes, 0.8, line.text};
  }
  for (const DiffLine& before : hunk.lines) {
    if (before.kind != '-' || !has_part(before.text, {"key"})) continue;
    for (const DiffLine& after : hunk.lines)
      if (after.kind == '+' && has_part(after.text, {"key"}) &&
          packed(after.text) != packed(before.text) &&
          has_part(lines_of({hunk}, "+- ") + hunk.heading + hunk.file, {"cache", "cached"})) {
        if (!loses_a_field(before.text, after.text)) return RowHit{causes, 0.7, after.text};
        // What the key no longer tells apart gets the entry of somebody else.
        SymptomSet wider = causes;
        wider.add({S::kErrors, S::kAccess, S::kDataFormat});
        return RowHit{wider, 0.8, after.text};
      }
  }
  return std::nullopt;
}

std::optional<RowHit> spawned(const Hunk& hunk, const std::vector<Hunk>& all) {
  const std::string removed = lines_of(all, "-");
  static const RE2 kSpawns(
      R"((?:\bgo\s+\w[\w.]*\(|\bgo\s+func|new Thread\(|create_task\(|ensure_future\(|setInterval\(|Promise\.all\(|std::thread|tokio::spawn|\.submit\(|CompletableFuture))");
  if (RE2::PartialMatch(removed, kSpawns)) return std::nullopt;
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '+' && RE2::PartialMatch(line.text, kSpawns))
      return RowHit{{S::kHandles, S::kMemory, S::kOutOfMemory, S::kPool, S::kCpu, S::kLatency,
                     S::kCrash, S::kLock},
                    0.6,
                    line.text,
                    false};
  return std::nullopt;
}

}  // namespace precedent
