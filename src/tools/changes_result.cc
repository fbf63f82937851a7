#include "tools/changes_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "base/strings.h"

namespace precedent {
namespace {

using nlohmann::json;

// A hash as people write it.
constexpr size_t kShortHash = 10;
// Files and hashes named in a line of text; the JSON has more.
constexpr size_t kShownFiles = 5;

std::string short_id(const Change& change) {
  return change.kind == ChangeKind::kCommit ? change.id.substr(0, kShortHash) : change.id;
}

std::string range_text(const TimeRange& range) {
  return fmt::format("{} to {}", range.from ? format_time(*range.from) : "the beginning",
                     range.to ? format_time(*range.to) : "now");
}

json to_json(const AskedSource& source) {
  json out = {{"name", source.name}, {"found", source.found}};
  if (source.failed) out["failed"] = true;
  if (!source.note.empty()) out["note"] = source.note;
  return out;
}

std::string files_text(const Change& change) {
  if (change.files.empty()) return "";
  const size_t shown = std::min(kShownFiles, change.files.size());
  std::string out = join({change.files.begin(), change.files.begin() + shown}, ", ");
  if (change.files_total > shown) out += fmt::format(" and {} more", change.files_total - shown);
  return out;
}

std::vector<std::string> shortened(std::span<const std::string> hashes) {
  std::vector<std::string> shown;
  for (const std::string& hash : hashes.first(std::min(kShownFiles, hashes.size())))
    shown.push_back(hash.substr(0, kShortHash));
  return shown;
}

std::string line_of(const Change& change) {
  std::string out = fmt::format("- {} {} [{}] {}", format_time(change.at), name(change.kind),
                                short_id(change), change.title);
  const auto field = [&](std::string_view label, std::string_view value) {
    if (!value.empty()) fmt::format_to(std::back_inserter(out), "; {} {}", label, value);
  };
  field("services:", join(change.services, ", "));
  const bool in_title = change.title.find(change.from) != std::string::npos;
  if (!in_title) field("was", change.from);
  field("environment", change.environment);
  if (change.kind != ChangeKind::kCommit) field("commit", change.commit.substr(0, kShortHash));
  field("by", change.author);
  if (change.written) field("written", format_time(*change.written));
  field("reverts", join(shortened(change.reverts), ", "));
  field("files:", files_text(change));
  return out + '\n';
}

std::string line_of(const AskedSource& source) {
  std::string out = fmt::format("{}: ", source.name);
  out += source.failed       ? "could not be read"
         : source.found == 0 ? "nothing in this window"
                             : fmt::format("{}", source.found);
  return source.note.empty() ? out : fmt::format("{} ({})", out, source.note);
}

}  // namespace

json to_json(const Change& change) {
  json out = {{"id", change.id},           {"time", format_time(change.at)},
              {"kind", name(change.kind)}, {"services", change.services},
              {"title", change.title},     {"source", change.source}};
  const auto put = [&](const char* key, const std::string& value) {
    if (!value.empty()) out[key] = value;
  };
  put("version", change.version);
  put("environment", change.environment);
  put("commit", change.commit);
  put("author", change.author);
  put("from", change.from);
  put("to", change.to);
  if (change.written) put("written_at", format_time(*change.written));
  if (!change.reverts.empty()) out["reverts"] = change.reverts;
  put("path", change.path);
  if (change.line > 0) out["line"] = change.line;
  if (!change.files.empty()) {
    out["files"] = change.files;
    out["filesTotal"] = change.files_total;
  }
  return out;
}

json to_json(const ChangesResult& result) {
  json out = {{"changes", json::array()}, {"more", result.more}, {"asked", json::array()}};
  if (!result.service.empty()) out["service"] = result.service;
  if (result.range.from) out["from"] = format_time(*result.range.from);
  if (result.range.to) out["to"] = format_time(*result.range.to);
  for (const Change& change : result.changes) out["changes"].push_back(to_json(change));
  for (const AskedSource& source : result.asked) out["asked"].push_back(to_json(source));
  if (result.last_deploy) {
    out["lastDeploy"] = to_json(result.last_deploy->change);
    out["lastDeploy"]["knownFrom"] = name(result.last_deploy->evidence);
  }
  if (!result.note.empty()) out["note"] = result.note;
  return out;
}

std::string present(const ChangesResult& result) {
  std::string out = fmt::format("Changes{} from {}, newest first\n",
                                result.service.empty() ? "" : fmt::format(" of {}", result.service),
                                range_text(result.range));
  if (!result.note.empty()) out += result.note + '\n';
  for (const Change& change : result.changes) out += line_of(change);
  if (result.changes.empty()) out += "No changes found.\n";
  if (result.more) out += "Older ones are left out; ask for a shorter window or a higher limit.\n";
  if (result.last_deploy)
    fmt::format_to(std::back_inserter(out), "Last deploy: {}\n", result.last_deploy->text());
  std::vector<std::string> asked;
  for (const AskedSource& source : result.asked) asked.push_back(line_of(source));
  fmt::format_to(std::back_inserter(out), "Asked: {}\n", join(asked, "; "));
  return out;
}

std::vector<Source> sources_of(const ChangesResult& result, const std::string& receipt) {
  std::vector<Source> sources;
  const auto add = [&](const Change& change) {
    Source source{.id = change.id,
                  .title = change.title,
                  .kind = std::string(name(change.kind)),
                  .path = change.path.empty() ? change.source : change.path,
                  .receipt = receipt};
    if (change.line > 0) {
      const auto line = static_cast<uint32_t>(change.line);
      source.lines = {line, line};
    }
    for (const Source& known : sources) {
      if (known == source) return;
    }
    sources.push_back(std::move(source));
  };
  for (const Change& change : result.changes) add(change);
  if (result.last_deploy) add(result.last_deploy->change);
  return sources;
}

}  // namespace precedent
