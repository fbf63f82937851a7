// Rows of diff_effects about how much is done or kept at once.
#include <re2/re2.h>

#include <algorithm>

#include "base/strings.h"
#include "investigate/changes/edit.h"
#include "investigate/changes/effect_rows.h"
#include "investigate/symptoms/words.h"

namespace precedent {
namespace {

using S = Symptom;

std::string lines_of(const std::vector<Hunk>& all, char kind) {
  std::string out;
  for (const Hunk& hunk : all)
    for (const DiffLine& line : hunk.lines)
      if (line.kind == kind) out += line.text + '\n';
  return out;
}

}  // namespace

std::optional<RowHit> loads_all(const Hunk& hunk, const std::vector<Hunk>& all) {
  static const RE2 kAll(
      R"((?:ReadAll\(|readlines\(|\.readFileSync\(|\.collect\(\)|\.toList\(\)|findAll\(\)|fetchall\(|\.all\(\)|readAllBytes|\.read\(\)))");
  if (RE2::PartialMatch(lines_of(all, '-'), kAll)) return std::nullopt;
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '+' && RE2::PartialMatch(line.text, kAll))
      return RowHit{
          {S::kMemory, S::kOutOfMemory, S::kLatency, S::kCpu, S::kTimeouts}, 0.6, line.text};
  return std::nullopt;
}

std::optional<RowHit> lazy_again(const Hunk& hunk, const std::vector<Hunk>& all) {
  // What object mappers call loading related rows with the first query.
  static const RE2 kEager(
      R"((?i)(?:preload|eager|joinedload|selectinload|select_related|prefetch_related|includes?\(|join\s+fetch|dataloader|singleflight|loadmany|getall\(|mget|batchget))");
  if (RE2::PartialMatch(lines_of(all, '+'), kEager)) return std::nullopt;
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '-' && RE2::PartialMatch(line.text, kEager))
      return RowHit{
          {S::kFanOut, S::kLatency, S::kTraffic, S::kCpu, S::kPool, S::kTimeouts, S::kCacheMisses},
          0.8,
          line.text};
  return std::nullopt;
}

std::optional<RowHit> logs_more(const Hunk& hunk, const std::vector<Hunk>& all) {
  static const RE2 kVerbose(
      R"((?i)(?:level\S*\s*[:=(]\s*["']?(?:debug|trace)|debuglevel|setlevel\(\w*\.?(?:debug|trace)))");
  if (RE2::PartialMatch(lines_of(all, '-'), kVerbose)) return std::nullopt;
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '+' && RE2::PartialMatch(line.text, kVerbose))
      return RowHit{{S::kDisk, S::kCpu, S::kLatency, S::kQueue, S::kNode}, 0.65, line.text, false};
  return std::nullopt;
}

}  // namespace precedent
