#include "ingest/version_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>

#include "base/foreign_json.h"
#include "base/hash.h"
#include "base/redact.h"
#include "base/redact_json.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "files/files.h"
#include "knowledge/incident.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// No incident of a running system is older.
constexpr TimePoint kEarliest = std::chrono::sys_days(std::chrono::year(1990) / 1 / 1);
// Clocks differ, and so do time zones.
constexpr auto kFuture = std::chrono::days(1);

std::string_view rule_of(ReadNote::What what) {
  switch (what) {
    case ReadNote::What::kUnreadField: return "unread_field";
    case ReadNote::What::kUnknownValue: return "unknown_value";
    case ReadNote::What::kDateOrder: return "date_order";
    case ReadNote::What::kNoRecord: return "no_record";
    case ReadNote::What::kNoColumn: return "no_column";
  }
  return "";
}

// Fields of a record that a report counts.
constexpr std::pair<const char*, bool (*)(const Incident&)> kCounted[] = {
    {"description", [](const Incident& i) { return !i.description.empty(); }},
    {"action_taken", [](const Incident& i) { return !i.action_taken.empty(); }},
    {"root_cause", [](const Incident& i) { return !i.root_cause.empty(); }},
    {"mitigation", [](const Incident& i) { return !i.mitigation.empty(); }},
    {"impacted_application", [](const Incident& i) { return !i.impacted_application.empty(); }},
    {"accountable_party", [](const Incident& i) { return !i.accountable_party.empty(); }},
    {"source_system", [](const Incident& i) { return !i.source_system.empty(); }},
    {"severity", [](const Incident& i) { return !i.severity.empty(); }},
    {"status", [](const Incident& i) { return !i.status.empty(); }},
    {"opened_at", [](const Incident& i) { return i.opened_at.has_value(); }},
    {"resolved_at", [](const Incident& i) { return i.resolved_at.has_value(); }},
    {"services", [](const Incident& i) { return !i.services.empty(); }},
};

// The fields in which there was a secret. The id is another question.
std::vector<std::string> redact_all(Document& document) {
  std::vector<std::string> found;
  const auto add = [&](std::string_view field) {
    if (found.empty() || found.back() != field) found.emplace_back(field);
  };
  const auto clean = [&](std::string_view field, std::string& text) {
    std::string safe = redact(text);
    if (safe != text) add(field);
    text = std::move(safe);
  };
  clean("title", document.title);
  clean("description", document.body);
  clean("impacted_application", document.application);
  clean("severity", document.severity);
  clean("status", document.status);
  for (std::string& text : document.services) clean("services", text);
  for (std::string& text : document.symptoms) clean("symptoms", text);
  for (std::string& text : document.tags) clean("tags", text);
  for (auto& [key, text] : document.attributes) {
    std::string safe = redact_value(key, text);
    // A text in which something only hides is no secret, and stays as it is.
    if (safe == visible_text(text)) continue;
    add(key);
    text = std::move(safe);
  }
  return found;
}

// A message quotes the value, and does not always say of which column it is.
void redact_all(VersionProblem& problem) {
  std::string safe = redact_value(problem.field, problem.value);
  const size_t at = problem.message.find(problem.value);
  if (safe != visible_text(problem.value) && at != std::string::npos)
    problem.message.replace(at, problem.value.size(), safe);
  problem.value = std::move(safe);
  problem.message = redact(problem.message);
}

class Collector final : public DocumentSink {
 public:
  explicit Collector(TimePoint now) : now_(now) {}

  Result<void> document(Document&& document, size_t line) override {
    if (document.kind != Kind::kIncident) {
      ++reading_.report.counts.bad;
      add({document.path, line, "type", "not_an_incident",
           fmt::format("'{}' is a {}; a dataset holds incidents, so ingest it by itself",
                       document.id, name(document.kind)),
           true});
      return {};
    }
    if (redact(document.id) != document.id) {
      ++reading_.report.counts.bad;
      add({document.path, line, "id", "secret_id",
           "the id holds a secret, so the record was left out; make ids of another column", true});
      return {};
    }
    document.source = kVersionSource;
    const std::vector<std::string> secret = redact_all(document);
    if (!secret.empty()) {
      ++reading_.report.secrets;
      add({document.path, line, join(secret, ", "), "secret",
           fmt::format("'{}' held a secret, which was left out; take it out of the export, and "
                       "replace it where it is in use",
                       document.id)});
    }
    judge(incident_of(document), document.path, line);
    reading_.records.push_back(std::move(document));
    return {};
  }
  void bad(BadRecord&& bad) override {
    ++reading_.report.counts.bad;
    const bool twice = bad.message.contains("was read before");
    const std::string place = bad.record.empty() ? "" : fmt::format(" ({})", bad.record);
    add({bad.path, bad.line, bad.field,
         twice               ? "duplicate_id"
         : bad.field.empty() ? "unreadable"
                             : fmt::format("no_{}", bad.field),
         bad.message + place, true, bad.value});
  }
  void columns(const FileColumns& columns) override {
    // Of an empty column nothing is kept.
    for (const ColumnUse& use : columns.columns)
      if (use.how == ColumnUse::How::kKept && !use.example.empty() &&
          std::ranges::find(reading_.report.unmapped, use.column) == reading_.report.unmapped.end())
        reading_.report.unmapped.push_back(use.column);
  }
  void noted(const ReadNote& note) override {
    add({note.path, note.line, note.field, std::string(rule_of(note.what)), note.message, false,
         note.value});
  }

  VersionReading finish() {
    VersionReport& report = reading_.report;
    report.counts.records = reading_.records.size();
    for (const auto& [field, has] : kCounted) report.coverage.try_emplace(field, 0);
    std::ranges::sort(reading_.records, {}, &Document::id);
    return std::move(reading_);
  }

 private:
  void add(VersionProblem problem) {
    redact_all(problem);
    std::vector<VersionProblem>& kept = reading_.report.problems;
    if (++reading_.report.problem_count <= kMaxVersionProblems) {
      warnings_ += problem.costs_record ? 0 : 1;
      kept.push_back(std::move(problem));
    } else if (problem.costs_record && warnings_ > 0) {
      // No number of warnings hides what keeps a version from being activated.
      const auto warning = std::ranges::find_if(kept | std::views::reverse,
                                                std::not_fn(&VersionProblem::costs_record));
      *warning = std::move(problem);
      --warnings_;
    }
  }

  void judge(const Incident& incident, const std::string& path, size_t line) {
    const auto warn = [&](const char* field, const char* rule, std::string message,
                          const std::optional<TimePoint>& value = std::nullopt) {
      add({path, line, field, rule, std::move(message), false, value ? format_time(*value) : ""});
    };
    for (const auto& [field, has] : kCounted)
      if (has(incident)) ++reading_.report.coverage[field];
    if (incident.description.empty() && incident.root_cause.empty() &&
        incident.action_taken.empty() && incident.mitigation.empty()) {
      ++reading_.report.counts.bare;
      warn("description", "bare",
           fmt::format("'{}' has a title and no text: it is found by its id and its title alone",
                       incident.incident_id));
    }
    if (incident.opened_at &&
        (*incident.opened_at < kEarliest || *incident.opened_at > now_ + kFuture))
      warn("opened_at", "date_range",
           fmt::format("'{}' was opened on {}", incident.incident_id,
                       format_date(*incident.opened_at)),
           incident.opened_at);
    if (incident.opened_at && incident.resolved_at && *incident.resolved_at < *incident.opened_at)
      warn("resolved_at", "date_range",
           fmt::format("'{}' was resolved before it was opened", incident.incident_id),
           incident.resolved_at);
  }

  TimePoint now_;
  size_t warnings_ = 0;  // among the problems that are kept
  VersionReading reading_;
};

Result<VersionSource> source_at(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  if (fs::is_directory(whole, error))
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is a folder; name the files of the version", path));
  if (!fs::exists(whole, error) && !error)
    return fail(ErrorCode::kNotFound,
                fmt::format("{} is not there; name an export: CSV, JSON or JSON lines", path));
  const MappedFile file = TRY(MappedFile::open(whole));
  return VersionSource{whole.lexically_normal().string(), file.text().size(),
                       content_hash(file.text())};
}

Result<ReadOptions> options_of(const VersionDraft& draft) {
  ReadOptions options;
  options.known_source = kVersionSource;
  for (const VersionSource& source : draft.sources) {
    options.paths.push_back(source.path);
    if (!source.name.empty()) options.known_as.emplace(source.path, source.name);
  }
  if (!draft.mapping.empty())
    options.mapping = std::make_shared<const RecordMapping>(
        TRY(RecordMapping::parse(draft.mapping, draft.mapping_path)));
  options.map_name = "in the mapping,";
  options.map_sign = ": ";
  return options;
}

}  // namespace

Result<std::vector<VersionSource>> version_sources(const std::vector<std::string>& paths) {
  std::vector<VersionSource> sources;
  for (const std::string& path : paths) {
    VersionSource source = TRY(source_at(path));
    if (std::ranges::find(sources, source.path, &VersionSource::path) != sources.end())
      return fail(ErrorCode::kInvalidArgument, fmt::format("{} is named twice", path));
    sources.push_back(std::move(source));
  }
  return sources;
}

Result<std::vector<std::string>> check_draft(const VersionDraft& draft) {
  if (draft.mapping.empty()) return std::vector<std::string>();
  return check_columns(TRY(options_of(draft)));
}

Result<VersionReading> read_version(const DatasetVersion& version, TimePoint now,
                                    const CancelToken& cancel, const Embedder* embedder) {
  for (const VersionSource& source : version.sources) {
    auto found = source_at(source.path);
    if (!found && found.error().code == ErrorCode::kNotFound)
      return fail(ErrorCode::kNotFound,
                  fmt::format("{} is gone since version {} was made; put it back, or make a new "
                              "version of another file",
                              source.name.empty() ? source.path : source.name, version.number));
    const VersionSource there = TRY(std::move(found));
    if (there.hash != source.hash)
      return fail(ErrorCode::kConflict,
                  fmt::format("{} has changed since version {} was made; make a new version of it",
                              source.name.empty() ? source.path : source.name, version.number));
  }
  ReadOptions options = TRY(options_of(version));
  options.embedder = embedder;
  options.cancel = &cancel;
  Collector collector(now);
  TRY(read_documents(options, collector));
  return collector.finish();
}

json to_json(const VersionReport& report) {
  json problems = json::array();
  for (const VersionProblem& problem : report.problems)
    problems.push_back({{"file", problem.file},
                        {"line", problem.line},
                        {"field", problem.field},
                        {"rule", problem.rule},
                        {"value", problem.value},
                        {"message", problem.message},
                        {"severity", problem.costs_record ? "error" : "warning"}});
  return {{"records", report.counts.records}, {"bad", report.counts.bad},
          {"bare", report.counts.bare},       {"secrets", report.secrets},
          {"coverage", report.coverage},      {"unmapped_columns", report.unmapped},
          {"problems", std::move(problems)},  {"problem_count", report.problem_count}};
}

Result<std::string> over_limit(const DatasetVersion& version, const VersionDifference& difference,
                               size_t active_records) {
  if (version.mapping.empty()) return std::string();
  const RecordMapping mapping = TRY(RecordMapping::parse(version.mapping, version.mapping_path));
  const auto share = [](size_t part, size_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  const double bad = share(version.counts.bad, version.counts.bad + version.counts.records);
  if (bad > mapping.max_bad())
    return fmt::format("{:.1f} % of its records are bad, and at most {:g} % may be", bad * 100,
                       mapping.max_bad() * 100);
  const double vanished = share(difference.vanished.size(), active_records);
  if (vanished > mapping.max_vanished())
    return fmt::format(
        "{:.1f} % of the incidents of version {} would vanish, and at most {:g} % may",
        vanished * 100, difference.from, mapping.max_vanished() * 100);
  return std::string();
}

DocumentReader version_records(const DatasetVersions& versions, uint64_t number) {
  return [&versions, number](const ReadOptions&, DocumentSink& sink) -> Result<ReadSummary> {
    ReadSummary summary;
    summary.sources = {std::string(kVersionSource)};
    // Read whole first: whoever receives a record asks the store.
    std::vector<Document> records;
    const auto wanted = [&](const std::string& id, const std::string& hash) {
      return !sink.unchanged_content(id, hash, std::string(kVersionSource));
    };
    TRY(versions.visit(number, wanted, [&](Document&& record) -> Result<void> {
      records.push_back(std::move(record));
      return {};
    }));
    for (Document& record : records) {
      ++summary.documents;
      TRY(sink.document(std::move(record), 0));
    }
    return summary;
  };
}

}  // namespace precedent
