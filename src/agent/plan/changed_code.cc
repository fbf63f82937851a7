#include "agent/plan/changed_code.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>

#include "base/strings.h"

namespace precedent {
namespace {

// Changes whose code is looked at, files of one commit, and passages of a file.
constexpr size_t kMaxCalls = 4, kMaxFiles = 2, kMaxRanges = 3;
constexpr int kPassages = 2;
// A commit of so few lines only sets a version or a word.
constexpr uint32_t kFewLines = 2;

// README, CHANGELOG and the like tell what was done, and tests what should be; only code runs.
bool runs_nowhere(const std::string& path) {
  static const RE2 kAside(
      "(?i)(?:\\.(?:md|rst|adoc|txt)|(?:^|/)(?:changelog|readme|licen[cs]e|codeowners)[^/]*|"
      "(?:^|/)tests?/.*|(?:^|/)test_[^/]*|[^/]*[._-](?:test|spec)\\.[^/]*)$");
  return RE2::PartialMatch(path, kAside);
}

struct WrittenFile {
  std::string path;
  std::vector<ChangedLines> lines;  // the longest first
  uint32_t size = 0;
};

uint32_t size_of(const ChangedLines& lines) { return lines.end - lines.begin + 1; }

// Code before prose, then the file of which most was written.
std::vector<WrittenFile> files_of(const Change& commit, const ChangeSource* source) {
  std::vector<WrittenFile> files;
  if (source == nullptr) return files;
  for (ChangedLines& lines : source->changed_lines(commit)) {
    auto file = std::ranges::find(files, lines.path, &WrittenFile::path);
    if (file == files.end()) file = files.insert(files.end(), {lines.path, {}, 0});
    file->size += size_of(lines);
    file->lines.push_back(std::move(lines));
  }
  for (WrittenFile& file : files) std::ranges::stable_sort(file.lines, std::greater<>(), size_of);
  std::ranges::stable_sort(files, [](const WrittenFile& a, const WrittenFile& b) {
    if (runs_nowhere(a.path) != runs_nowhere(b.path)) return runs_nowhere(b.path);
    return a.size > b.size;
  });
  return files;
}

struct Place {
  const Change* commit;
  std::string path, lines;
  int rank;           // the less the sooner
  uint32_t size = 0;  // of what was written: the more the sooner
};

Place place_of(const Change& commit, const WrittenFile& file, size_t nth) {
  std::vector<std::string> ranges;
  for (const ChangedLines& lines : file.lines)
    if (ranges.size() < kMaxRanges)
      ranges.push_back(lines.begin == lines.end ? std::to_string(lines.begin)
                                                : fmt::format("{}-{}", lines.begin, lines.end));
  const int rank =
      (runs_nowhere(file.path) ? 4 : 0) + (file.size <= kFewLines ? 2 : 0) + (nth > 0 ? 1 : 0);
  return {&commit, file.path, join(ranges, ","), rank, file.size};
}

PlannedCall call_of(const Place& place) {
  return {CodeQuery{place.commit->title, kPassages, place.path, place.lines},
          "what the commit " + place.commit->id.substr(0, 10) + " touched", "second_look"};
}

}  // namespace

std::vector<PlannedCall> changed_code(const std::vector<Receipt>& receipts,
                                      const ChangeSource* source) {
  std::vector<Place> places;
  for (const Receipt& receipt : receipts) {
    const auto* changes = std::get_if<ChangesResult>(&receipt.result);
    if (changes == nullptr) continue;
    std::map<std::string, int> touched;
    for (const Change& change : changes->changes)
      for (const std::string& file : change.files) ++touched[file];
    for (const Change& change : changes->changes) {
      if (change.kind != ChangeKind::kCommit || change.files.empty()) continue;
      const std::vector<WrittenFile> files = files_of(change, source);
      for (size_t i = 0; i < std::min(files.size(), kMaxFiles); ++i)
        places.push_back(place_of(change, files[i], i));
      if (!files.empty()) continue;
      const auto most = std::ranges::max_element(
          change.files, {}, [&](const std::string& file) { return touched[file]; });
      places.push_back({&change, *most, "", 0});
    }
  }
  std::ranges::stable_sort(places, [](const Place& a, const Place& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.size > b.size;
  });
  std::vector<PlannedCall> calls;
  for (const Place& place : places)
    if (calls.size() < kMaxCalls) calls.push_back(call_of(place));
  return calls;
}

}  // namespace precedent
