#include "server/investigations/kept_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/strings.h"
#include "files/files.h"
#include "server/auth/digest.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Of a line, with room to spare: a time, a hash, and an id of ours.
constexpr size_t kMaxLine = 512;
// The file is written anew once it has this many times the lines that count.
constexpr size_t kMostLines = 2;
// 128 bits: nobody meets another's by chance.
constexpr size_t kHashDigits = 32;

std::string hash_of(std::string_view id) { return sha256_hex(id).substr(0, kHashDigits); }

}  // namespace

KeptIds::KeptIds(fs::path file, const Clock& clock, const Limits& limits, WarnOf warn)
    : file_(std::move(file)), clock_(clock), limits_(limits), warn_(std::move(warn)) {
  const MutexLock lock(mutex_);
  load();
}

void KeptIds::warn_once(const std::string& warning) {
  if (!std::exchange(warned_, true)) warn_(warning);
}

void KeptIds::load() {
  std::error_code ignored;
  if (file_.empty() || !fs::exists(file_, ignored)) return;
  const auto text = read_file(file_, kMostLines * limits_.number * kMaxLine);
  if (!text && text.error().code != ErrorCode::kResourceExhausted)
    return warn_once(
        fmt::format("{}; which messages came before is forgotten", text.error().text()));
  size_t bad = 0;
  for (const std::string_view line : split_lines(text ? std::string_view(*text) : "")) {
    if (line.empty()) continue;
    ++lines_;
    const json kept = parse_json(line);
    const auto at = parse_time(foreign::string_at(kept, "at"));
    const std::string hash = foreign::string_at(kept, "id");
    if (at && hash.size() == kHashDigits)
      insert({*at, hash, foreign::string_at(kept, "text")});
    else
      ++bad;
  }
  forget_old();
  if (!text)
    warn_(fmt::format("{} is larger than such a file gets, and is begun anew", file_.string()));
  else if (bad > 0)
    warn_(fmt::format("{} has {} line(s) that cannot be read; they are left out", file_.string(),
                      bad));
  if (!text || bad > 0) rewrite();
}

void KeptIds::insert(Kept kept) {
  if (const auto known = by_hash_.find(kept.hash); known != by_hash_.end()) {
    order_.erase(known->second);
    by_hash_.erase(known);
  }
  order_.push_back(std::move(kept));
  by_hash_[order_.back().hash] = std::prev(order_.end());
}

void KeptIds::forget_old() {
  const TimePoint oldest = clock_.now() - limits_.age;
  while (!order_.empty() && (order_.front().at < oldest || order_.size() > limits_.number)) {
    by_hash_.erase(order_.front().hash);
    order_.pop_front();
  }
}

void KeptIds::rewrite() {
  std::string text;
  for (const Kept& each : order_)
    text +=
        dump_json({{"at", format_time(each.at)}, {"id", each.hash}, {"text", each.text}}) + '\n';
  const std::string_view parts[] = {text};
  const auto written = write_file_atomically(file_, parts);
  if (!written) return warn_once(written.error().text());
  lines_ = order_.size();
}

std::optional<std::string> KeptIds::find(std::string_view id) const {
  const MutexLock lock(mutex_);
  const auto known = by_hash_.find(hash_of(id));
  if (known == by_hash_.end() || known->second->at < clock_.now() - limits_.age)
    return std::nullopt;
  return known->second->text;
}

void KeptIds::add(std::string_view id, std::string_view text) {
  const MutexLock lock(mutex_);
  insert({clock_.now(), hash_of(id), std::string(text)});
  forget_old();
  if (file_.empty()) return;
  // Sparing a file of few lines would only write it more often.
  constexpr size_t kFew = 100;
  if (lines_ >= kMostLines * std::max(order_.size(), kFew)) return rewrite();
  const Kept& own = order_.back();
  auto written = make_directories(file_.parent_path());
  if (written)
    written = append_line(
        file_, dump_json({{"at", format_time(own.at)}, {"id", own.hash}, {"text", own.text}}));
  if (!written) return warn_once(written.error().text());
  ++lines_;
}

}  // namespace precedent
