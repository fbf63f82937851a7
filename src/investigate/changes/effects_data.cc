// Rows of diff_effects about data: schemas, queries, formats, libraries, images.
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/strings.h"
#include "investigate/changes/edit.h"
#include "investigate/changes/effect_rows.h"

namespace precedent {
namespace {

using S = Symptom;

std::string lines_of(const std::vector<Hunk>& all, std::string_view kinds) {
  std::string out;
  for (const Hunk& hunk : all)
    for (const DiffLine& line : hunk.lines)
      if (kinds.find(line.kind) != std::string_view::npos) out += line.text + '\n';
  return out;
}

const DiffLine* first_of(const Hunk& hunk, char kind) {
  for (const DiffLine& line : hunk.lines)
    if (line.kind == kind && !trim(line.text).empty()) return &line;
  return nullptr;
}

std::vector<int> version_in(std::string_view line) {
  static const RE2 kVersion(R"(v?(\d+)\.(\d+)(?:\.(\d+))?)");
  int major = 0, minor = 0;
  std::string patch;
  if (!RE2::PartialMatch(line, kVersion, &major, &minor, &patch)) return {};
  return {major, minor, patch.empty() ? 0 : std::atoi(patch.c_str())};
}

// What a line of a manifest is about: all of it but its numbers.
std::string library_of(std::string_view line) {
  std::string out;
  for (const std::string& token : tokens_of(line)) {
    const bool number = token.front() >= '0' && token.front() <= '9';
    const bool version =
        token.size() > 1 && token.front() == 'v' && token[1] >= '0' && token[1] <= '9';
    if (!number && !version && token != "." && token != "^" && token != "~") out += token;
  }
  return out;
}

}  // namespace

std::optional<RowHit> schema_changed(const Hunk& hunk, const std::vector<Hunk>& all) {
  const std::string added = lines_of(all, "+");
  struct Form {
    const char* pattern;
    double strength;
    SymptomSet causes;
  };
  static const std::array<Form, 5> kForms = {{
      {R"((?i)\b(?:drop\s+(?:table|column)|rename|alter\s+column|set\s+not\s+null|not\s+null|add\s+constraint)\b)",
       0.85,
       {S::kSchema, S::kErrors, S::kCrash, S::kLock}},
      {R"((?i)\bdrop\s+index\b)", 0.9, {S::kCpu, S::kLatency, S::kTimeouts, S::kPool, S::kQueue}},
      {R"((?i)\bcreate\s+(?:unique\s+)?index\s+concurrently\b)", 0.2, {S::kDisk, S::kLatency}},
      {R"((?i)\b(?:create\s+(?:unique\s+)?index|lock\s+table|update\s+\w+\s+set|alter\s+table)\b)",
       0.7,
       {S::kLock, S::kLatency, S::kTimeouts, S::kPool, S::kQueue, S::kCpu, S::kDisk, S::kSchema}},
      {R"(.)", 0.3, {S::kSchema, S::kErrors, S::kLatency}},
  }};
  for (const Form& form : kForms)
    if (RE2::PartialMatch(added, form.pattern))
      if (const DiffLine* line = first_of(hunk, '+'))
        return RowHit{form.causes, form.strength, line->text};
  return std::nullopt;
}

std::optional<RowHit> query_changed(const Hunk& hunk, const std::vector<Hunk>& all) {
  static const RE2 kTable(R"((?i)\b(?:from|join|into|update)\s+["`]?([a-z_][a-z0-9_.]*))");
  static const RE2 kVerb(
      R"((?i)\b(?:select\b.*\bfrom|insert\s+into|update\s+\w+\s+set|delete\s+from)\b)");
  static const RE2 kBound(R"((?i)\b(?:limit|where|index|fetch\s+first)\b)");
  const bool migrates = std::ranges::any_of(
      all, [](const Hunk& other) { return other.role == FileRole::kMigration; });
  const std::string known = lines_of({hunk}, "- ");
  std::optional<RowHit> best;
  const auto offer = [&](RowHit hit) {
    if (!best || hit.strength > best->strength) best = std::move(hit);
  };
  for (const DiffLine& line : hunk.lines) {
    if (line.kind == '+' && RE2::PartialMatch(line.text, kVerb)) {
      std::string table;
      const bool fresh =
          RE2::PartialMatch(line.text, kTable, &table) && known.find(table) == std::string::npos;
      offer({{S::kSchema, S::kErrors, S::kLatency, S::kCpu, S::kTimeouts},
             fresh && !migrates ? 0.7 : 0.45,
             line.text});
    }
    static const RE2 kScan(
        R"((?i)(?:like\s+'%|order\s+by\s+rand|\boffset\b|not\s+in\s*\(\s*select|cross\s+join))");
    if (line.kind == '+' && RE2::PartialMatch(line.text, kScan) && !RE2::PartialMatch(known, kScan))
      offer({{S::kLatency, S::kCpu, S::kTimeouts, S::kPool, S::kDisk, S::kQueue}, 0.75, line.text});
    if (line.kind == '-' && RE2::PartialMatch(line.text, kBound) &&
        (RE2::PartialMatch(line.text, kVerb) || line.text.find("imit(") != std::string::npos) &&
        !RE2::PartialMatch(lines_of({hunk}, "+"), kBound))
      offer({{S::kLatency, S::kCpu, S::kMemory, S::kOutOfMemory, S::kTimeouts, S::kPool},
             0.8,
             line.text});
  }
  return best;
}

std::optional<RowHit> format_changed(const Hunk& hunk, const std::vector<Hunk>&) {
  static const RE2 kForm(
      R"((?:`?(?:json|yaml|xml|bson|db|avro):"|@JsonProperty|@Column|=\s*\d+\s*;\s*$|\.proto\b|SerializedName|alias=))");
  // The year of the week is another one than the date's around new year.
  static const RE2 kWeekYear(R"(["'][^"']*\bYYYY\W?MM\W?dd|%G[-/.]?%m)");
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '+' && RE2::PartialMatch(line.text, kWeekYear) &&
        !RE2::PartialMatch(lines_of({hunk}, "-"), kWeekYear))
      return RowHit{{S::kDataFormat, S::kErrors, S::kSchema}, 0.85, line.text, false};
  const bool before = std::ranges::any_of(hunk.lines, [](const DiffLine& line) {
    return line.kind == '-' && RE2::PartialMatch(line.text, kForm);
  });
  if (!before) return std::nullopt;
  const std::string added = packed(lines_of({hunk}, "+"));
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '-' && RE2::PartialMatch(line.text, kForm) &&
        added.find(packed(line.text)) == std::string::npos)
      return RowHit{{S::kDataFormat, S::kErrors, S::kCrash, S::kSchema}, 0.75, line.text};
  return std::nullopt;
}

std::optional<RowHit> library_changed(const Hunk& hunk, const std::vector<Hunk>&) {
  if (hunk.file.ends_with(".sum") || hunk.file.ends_with(".lock")) return std::nullopt;
  std::optional<RowHit> best;
  const SymptomSet causes = {S::kLibrary, S::kCrash, S::kErrors,      S::kDataFormat, S::kMemory,
                             S::kLatency, S::kCpu,   S::kCertificate, S::kTimeouts};
  for (const DiffLine& removed : hunk.lines) {
    if (removed.kind != '-') continue;
    const std::vector<int> from = version_in(removed.text);
    for (const DiffLine& added : hunk.lines) {
      if (added.kind != '+' || library_of(added.text) != library_of(removed.text)) continue;
      const std::vector<int> to = version_in(added.text);
      if (from.empty() || to.empty() || from == to) continue;
      // Semantic versions: what may break is said by the place that changed.
      const bool breaking = from[0] != to[0] || (from[0] == 0 && from[1] != to[1]);
      const double strength = breaking ? 0.65 : from[1] != to[1] ? 0.45 : 0.2;
      if (!best || strength > best->strength) best = RowHit{causes, strength, added.text};
    }
  }
  if (!best)
    if (const DiffLine* line = first_of(hunk, '+')) best = RowHit{causes, 0.3, line->text};
  return best;
}

std::optional<RowHit> image_changed(const Hunk& hunk, const std::vector<Hunk>&) {
  // What is no longer put in may have been needed, and what is not there fails as it is looked for.
  const SymptomSet causes = {S::kCrash, S::kLibrary, S::kCertificate, S::kAccess, S::kErrors};
  for (const DiffLine& line : hunk.lines) {
    const std::string_view text = trim(line.text);
    if (line.kind == '-' &&
        (text.starts_with("COPY") || text.starts_with("ADD") || text.starts_with("RUN")))
      return RowHit{causes, 0.6, line.text};
  }
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '+' && trim(line.text).starts_with("FROM"))
      return RowHit{causes, 0.35, line.text};
  if (const DiffLine* line = first_of(hunk, '+'))
    return RowHit{{S::kCrash, S::kErrors, S::kAccess}, 0.25, line->text};
  return std::nullopt;
}

}  // namespace precedent
