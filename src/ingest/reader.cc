#include "ingest/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/strings.h"
#include "files/files.h"
#include "ingest/byte_source.h"
#include "ingest/csv_reader.h"
#include "ingest/field_map.h"
#include "ingest/front_matter.h"
#include "ingest/json_reader.h"
#include "ingest/record_document.h"
#include "ingest/sources.h"

namespace precedent {
namespace {

constexpr uint64_t kProgressBytes = 1 << 20;

void add_missing(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const std::string& item : more) {
    if (std::ranges::find(list, item) == list.end()) list.push_back(item);
  }
}

class Reader {
 public:
  Reader(const ReadOptions& options, DocumentSink& sink, FieldMap fields)
      : options_(options), sink_(sink), fields_(std::move(fields)) {}

  Result<ReadSummary> read() {
    Sources sources = TRY(expand_sources(options_.paths));
    for (const SourceFile& file : sources.files) total_ += file.bytes;
    for (BadRecord& bad : sources.unreadable) report(std::move(bad));
    summary_.ignored = std::move(sources.ignored);
    summary_.sources = std::move(sources.roots);
    summary_.incomplete = std::move(sources.incomplete);
    for (const SourceFile& file : sources.files) {
      TRY(read_file(file));
      done_ += file.bytes;
      sink_.progress(done_, total_);
    }
    add_warnings(sources);
    return std::move(summary_);
  }

 private:
  Result<void> read_file(const SourceFile& file);
  Result<void> read_records(const SourceFile& file);
  Result<void> read_markdown_file(const SourceFile& file);
  Result<void> hand_on(Document&& document, const SourceFile& file, size_t line);
  void add_warnings(const Sources& sources);

  Result<void> check_cancelled() const {
    if (options_.cancel == nullptr) return {};
    return options_.cancel->check();
  }
  void report(BadRecord&& bad) {
    ++summary_.bad;
    sink_.bad(std::move(bad));
  }
  // What a bad record was before it went bad must not be taken for removed.
  void report_in(const SourceFile& file, BadRecord&& bad) {
    report(std::move(bad));
    add_missing(summary_.incomplete, {file.source});
  }

  const ReadOptions& options_;
  DocumentSink& sink_;
  FieldMap fields_;
  ReadSummary summary_;
  uint64_t done_ = 0, total_ = 0;
  bool any_record_ = false;
  struct Place {
    std::string path;
    size_t line;
  };
  std::unordered_map<std::string, Place> ids_;  // of everything handed on
};

Result<void> Reader::read_file(const SourceFile& file) {
  TRY(check_cancelled());
  ++summary_.files;
  return file.format == Format::kMarkdown ? read_markdown_file(file) : read_records(file);
}

Result<void> Reader::read_markdown_file(const SourceFile& file) {
  auto text = precedent::read_file(file.path, options_.limits.max_record_bytes);
  if (!text) {
    report_in(file, {file.path, 0, "", text.error().text()});
    return {};
  }
  auto document = read_markdown(*text, {file.path, file.canonical, file.source}, options_.kind);
  if (!document) {
    report_in(file, std::move(document.error()));
    return {};
  }
  return hand_on(std::move(*document), file, 1);
}

Result<void> Reader::read_records(const SourceFile& file) {
  auto in = ByteSource::open(file.path);
  if (!in) {
    report_in(file, {file.path, 0, "", in.error().text()});
    return {};
  }
  if (auto problem = check_text_file(*in)) {
    report_in(file, {file.path, 0, "", std::move(*problem)});
    return {};
  }
  uint64_t told = 0;
  bool sink_stopped = false;
  const RecordSink sink = [&](Record&& record) -> Result<void> {
    any_record_ = true;
    auto document = document_of(record, fields_, options_.kind);
    if (in->offset() - told >= kProgressBytes) {
      told = in->offset();
      sink_.progress(done_ + told, total_);
    }
    if (!document) {
      report_in(file, std::move(document.error()));
      return check_cancelled();
    }
    auto handed = hand_on(std::move(*document), file, record.line);
    sink_stopped = !handed;
    return handed;
  };
  const BadRecordSink bad = [&](BadRecord&& record) {
    any_record_ = true;
    report_in(file, std::move(record));
  };
  const size_t limit = options_.limits.max_record_bytes;
  const bool tabs = iequals(
      std::string_view(file.path).substr(file.path.size() - std::min<size_t>(4, file.path.size())),
      ".tsv");
  auto read =
      file.format == Format::kCsv
          ? read_csv(*in, {file.path, limit, tabs ? '\t' : '\0'}, sink, bad)
          : read_json(*in, {file.path, limit, file.format == Format::kJsonLines}, sink, bad);
  if (!read && in->error() && !sink_stopped) {
    report_in(file, {file.path, 0, "", read.error().text()});
    return {};
  }
  return read;
}

Result<void> Reader::hand_on(Document&& document, const SourceFile& file, size_t line) {
  TRY(check_cancelled());
  const auto [first, is_new] = ids_.try_emplace(document.id, Place{file.path, line});
  if (!is_new) {
    report({file.path, line, "id",
            fmt::format(
                "'{}' was read before, from {}:{}; this one is skipped, give it an id of its own",
                document.id, first->second.path, first->second.line)});
    return {};
  }
  document.source = file.source;
  add_missing(document.services, options_.services);
  add_missing(document.tags, options_.tags);
  ++summary_.documents;
  return sink_.document(std::move(document), line);
}

void Reader::add_warnings(const Sources& sources) {
  for (const std::string& path : sources.empty) {
    summary_.warnings.push_back(fmt::format(
        "{}: nothing to read there; sources are .json .jsonl .ndjson .csv .tsv .md .markdown .txt",
        path));
  }
  if (!any_record_) return;
  for (const std::string& column : fields_.unseen_columns()) {
    summary_.warnings.push_back(
        fmt::format("--map: no record has a field '{}'; check its spelling", column));
  }
}

}  // namespace

Result<ReadSummary> read_documents(const ReadOptions& options, DocumentSink& sink) {
  FieldMap fields = TRY(FieldMap::create(options.map));
  return Reader(options, sink, std::move(fields)).read();
}

}  // namespace precedent
