#include "cli/knowledge/upload_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "base/utf8.h"
#include "ingest/records/field_map.h"

namespace precedent {
namespace {

constexpr std::string_view kFolder = "uploads/";

std::string known_path(const UploadedFile& file) { return std::string(kFolder) + file.name; }

std::string format_of(std::string_view name) {
  const std::string extension = ascii_lower(name.substr(std::min(name.size(), name.rfind('.'))));
  if (extension == ".json") return "json";
  if (extension == ".jsonl" || extension == ".ndjson") return "jsonl";
  return extension == ".csv" || extension == ".tsv" ? "csv" : "markdown";
}

std::string described(ColumnUse::How how) {
  switch (how) {
    case ColumnUse::How::kKept: return "";
    case ColumnUse::How::kName: return "by its name";
    case ColumnUse::How::kMapped: return "as you mapped it";
    case ColumnUse::How::kGuessed: return "guessed";
    case ColumnUse::How::kIgnored: return "left out";
  }
  return "";
}

// Hands everything on, and writes down what it was.
class Watch final : public DocumentSink {
 public:
  Watch(const Upload& upload, DocumentSink& to, UploadReport& report)
      : upload_(upload), to_(to), report_(report) {
    for (const UploadedFile& file : upload.files) {
      UploadFileReport told;
      told.name = file.name;
      told.format = format_of(file.name);
      if (told.format == "markdown") told.records = 1;
      report_.files.push_back(std::move(told));
    }
    kinds_.resize(report_.files.size());
  }

  Result<void> document(Document&& document, size_t line) override {
    if (UploadFileReport* file = file_at(document.path)) {
      ++file->documents;
      ++kinds_[static_cast<size_t>(file - report_.files.data())][document.kind];
    }
    return to_.document(std::move(document), line);
  }
  void bad(BadRecord&& bad) override {
    add_problem(bad.path, bad.line, bad.field,
                bad.record.empty() ? bad.message : fmt::format("{} ({})", bad.message, bad.record),
                true);
    to_.bad(std::move(bad));
  }
  void noted(const ReadNote& note) override {
    add_problem(note.path, note.line, note.field, note.message, false);
    to_.noted(note);
  }
  void columns(const FileColumns& columns) override {
    if (UploadFileReport* file = file_at(columns.path)) {
      file->records = columns.records;
      for (const ColumnUse& use : columns.columns)
        file->columns.push_back(
            {use.column, std::string(use.field), described(use.how), use.example});
    }
    to_.columns(columns);
  }
  bool unchanged(const std::string& id, std::string_view revision,
                 const std::string& source) override {
    return to_.unchanged(id, revision, source);
  }
  std::string id_of(const Place& place) override { return to_.id_of(place); }
  void progress(uint64_t bytes_read, uint64_t bytes_total) override {
    to_.progress(bytes_read, bytes_total);
  }

  // Once everything was read.
  void finish() {
    size_t documents = 0;
    for (size_t i = 0; i < report_.files.size(); ++i) {
      UploadFileReport& file = report_.files[i];
      documents += file.documents;
      tell_kind(file, kinds_[i]);
      if (file.documents == 0) tell_missing(file);
    }
    for (const std::string_view field : canonical_fields()) report_.fields.emplace_back(field);
    report_.ready = documents > 0 && report_.required_missing.empty();
  }

 private:
  UploadFileReport* file_at(std::string_view path) {
    if (path.starts_with(kFolder)) path.remove_prefix(kFolder.size());
    const auto file = std::ranges::find(report_.files, path, &UploadFileReport::name);
    return file == report_.files.end() ? nullptr : &*file;
  }

  void add_problem(const std::string& path, size_t line, const std::string& field,
                   std::string message, bool costs_record) {
    UploadFileReport* file = file_at(path);
    if (file == nullptr || ++file->problem_count > kMaxUploadProblems) return;
    file->problems.push_back({line == 0 ? file->name : fmt::format("{}:{}", file->name, line),
                              field, std::move(message), costs_record});
  }

  void tell_kind(UploadFileReport& file, const std::map<Kind, size_t>& kinds) const {
    const auto most = std::ranges::max_element(kinds, {}, &std::pair<const Kind, size_t>::second);
    if (most != kinds.end()) file.kind = name(most->first);
    const auto type = std::ranges::find(file.columns, "type", &UploadColumn::field);
    if (upload_.kind) {
      file.how_kind = "as you said";
      if (file.kind.empty()) file.kind = name(*upload_.kind);
    } else if (file.format == "markdown") {
      file.how_kind = "by what it says of itself, its name and its headings";
    } else if (type != file.columns.end()) {
      file.how_kind = fmt::format("by its column '{}'", type->column);
    } else {
      file.how_kind = "records are incidents, unless a column says otherwise";
    }
  }

  // A file none of whose records can be used, as what every incident needs is in no column.
  void tell_missing(const UploadFileReport& file) {
    if (file.columns.empty() || upload_.kind.value_or(Kind::kIncident) != Kind::kIncident) return;
    const auto has = [&](std::string_view field) {
      return std::ranges::find(file.columns, field, &UploadColumn::field) != file.columns.end();
    };
    std::vector<std::string> free;
    for (const UploadColumn& column : file.columns)
      if (column.field.empty()) free.push_back(column.column);
    if (!has("incident_id")) report_.required_missing.push_back({"incident_id", free});
    if (!has("title") && !has("description"))
      report_.required_missing.push_back({"title", std::move(free)});
  }

  const Upload& upload_;
  DocumentSink& to_;
  UploadReport& report_;
  std::vector<std::map<Kind, size_t>> kinds_;  // of report_.files
};

}  // namespace

IngestOptions ingest_options(const Upload& upload) {
  IngestOptions options;
  options.read.kind = upload.kind;
  for (const auto& [field, column] : upload.map)
    options.read.map.push_back(fmt::format("{}={}", field, column));
  options.read.map_name = "'map'";
  options.read.map_where_found = true;
  for (const UploadedFile& file : upload.files) {
    options.read.paths.push_back(file.stored.string());
    options.read.known_as.emplace(file.stored.string(), known_path(file));
  }
  const std::string source = squeeze(strip_controls(repair_utf8(upload.source)));
  options.read.known_source =
      "uploads:" +
      (source.empty() ? upload.files.empty() ? "" : upload.files.front().name : source);
  return options;
}

DocumentReader reporting_reader(const Upload& upload, UploadReport& report) {
  return [&upload, &report](const ReadOptions& options, DocumentSink& to) -> Result<ReadSummary> {
    Watch watch(upload, to, report);
    ReadSummary summary = TRY(read_documents(options, watch));
    watch.finish();
    return summary;
  };
}

}  // namespace precedent
