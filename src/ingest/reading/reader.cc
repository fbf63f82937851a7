// Over 400 lines: the walk from paths to documents is one pass, whose steps share its report.
#include "ingest/reading/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/strings.h"
#include "files/files.h"
#include "ingest/fields/field_notes.h"
#include "ingest/fields/learned_columns.h"
#include "ingest/fields/record_document.h"
#include "ingest/reading/front_matter.h"
#include "ingest/reading/record_file.h"
#include "ingest/reading/sources.h"
#include "ingest/records/byte_source.h"
#include "ingest/records/field_map.h"

namespace precedent {
namespace {

constexpr uint64_t kProgressBytes = 1 << 20;
// Of a column, that a mapping does not know.
constexpr size_t kToldValues = 5;

void add_missing(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const std::string& item : more) {
    if (std::ranges::find(list, item) == list.end()) list.push_back(item);
  }
}

std::string shown(const std::vector<std::string>& columns) {
  constexpr size_t kShown = 40;
  const std::vector<std::string> first(
      columns.begin(),
      columns.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, columns.size())));
  return fmt::format(
      "{}{}", fmt::join(first, ", "),
      columns.size() > kShown ? fmt::format(" and {} more", columns.size() - kShown) : "");
}

class Reader {
 public:
  Reader(const ReadOptions& options, DocumentSink& sink, FieldMap fields)
      : options_(options), sink_(sink), fields_(std::move(fields)) {
    if (options.mapping != nullptr) mapper_.emplace(options.mapping);
  }

  Result<std::vector<std::string>> check() {
    FoundFiles sources = TRY(expand_sources(options_.paths, options_.follow_links));
    for (SourceFile& file : sources.files) know_as(file);
    return check_map(sources.files);
  }

  Result<ReadSummary> read() {
    FoundFiles sources = TRY(expand_sources(options_.paths, options_.follow_links));
    for (SourceFile& file : sources.files) know_as(file);
    for (std::string& problem : TRY(check_map(sources.files))) {
      sink_.noted({ReadNote::What::kNoColumn, "", 0, "", problem});
      summary_.warnings.push_back(std::move(problem));
    }
    for (const SourceFile& file : sources.files) total_ += file.bytes;
    for (BadRecord& bad : sources.unreadable) report(std::move(bad));
    summary_.ignored = std::move(sources.ignored);
    summary_.left_out = std::move(sources.left_out);
    summary_.sources = std::move(sources.roots);
    summary_.unread = std::move(sources.unread);
    for (const std::string& path : sources.empty) {
      summary_.warnings.push_back(
          fmt::format("{}: nothing to read there; sources are .json .jsonl .ndjson .csv .tsv .md "
                      ".markdown .txt",
                      path));
    }
    for (const SourceFile& file : sources.files) {
      TRY(read_file(file));
      done_ += file.bytes;
      sink_.progress(done_, total_);
    }
    tell_fields(unread_fields_, ReadNote::What::kUnreadField);
    tell_fields(unknown_values_, ReadNote::What::kUnknownValue);
    return std::move(summary_);
  }

 private:
  Result<std::vector<std::string>> check_map(const std::vector<SourceFile>& files) const;
  std::vector<NamedColumn> missing_from(const std::vector<std::string>& columns) const;
  Result<void> check_unknown(const SourceFile& file, const std::vector<std::string>& columns) const;
  Result<void> read_file(const SourceFile& file);
  Result<void> read_records(const SourceFile& file);
  Result<void> read_markdown_file(const SourceFile& file);
  Result<void> hand_on(Document&& document, const SourceFile& file, size_t line);
  std::expected<Document, BadRecord> read_record(Record&& record, const FieldMap& fields,
                                                 const RecordContext& context);
  using Guesses = std::vector<std::pair<std::string_view, std::string>>;
  Result<Guesses> guesses_of(const SourceFile& file, const FieldMap& own, const FileSurvey& survey);
  void tell_columns(const SourceFile& file, const FieldMap& own, const FileSurvey& survey,
                    const Guesses& guesses);
  void tell_date_orders(const SourceFile& file, const FileSurvey& survey,
                        const std::map<std::string, DateOrder>& orders);

  void tell_fields(const FieldNotes& notes, ReadNote::What what) {
    for (FieldNotes::Told told : notes.told()) {
      const BadRecord& first = told.first;
      sink_.noted(
          {what, first.path, first.line, first.field, std::move(told.message), first.value});
      summary_.warnings.push_back(std::move(told.warning));
    }
  }
  void know_as(SourceFile& file) const {
    const auto other = options_.known_as.find(file.path);
    if (other == options_.known_as.end()) return;
    file.stored = std::exchange(file.path, other->second);
    file.relative = file.canonical = file.path;
    file.source = options_.known_source;
  }
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
    const Unread unread{file.source, file.relative};
    if (summary_.unread.empty() || summary_.unread.back() != unread)
      summary_.unread.push_back(unread);
  }

  const ReadOptions& options_;
  DocumentSink& sink_;
  FieldMap fields_;
  std::optional<RecordMapper> mapper_;
  std::optional<LearnedColumns> learned_;  // once a file needs it
  ReadSummary summary_;
  FieldNotes unread_fields_{
      "the record is loaded without this field, whose text is kept as it was "
      "written"};
  FieldNotes unknown_values_{"it stays as it is", kToldValues};
  std::vector<std::pair<FieldNotes*, BadRecord>> notes_;  // of the record that is being read
  uint64_t done_ = 0, total_ = 0;
  struct FirstPlace {
    std::string path;
    size_t line;
  };
  std::unordered_map<std::string, FirstPlace> ids_;  // of everything handed on
};

std::vector<NamedColumn> Reader::missing_from(const std::vector<std::string>& columns) const {
  std::vector<NamedColumn> missing;
  for (std::string& column : fields_.missing_from(columns))
    missing.push_back({std::move(column), options_.map_name});
  if (options_.mapping != nullptr)
    for (NamedColumn& named : options_.mapping->missing_from(columns))
      missing.push_back(std::move(named));
  return missing;
}

// A mapped column that no file has is a mistake, and reading on would put nothing in the place of
// what an earlier ingest stored. Looked up before anything is handed on.
Result<std::vector<std::string>> Reader::check_map(const std::vector<SourceFile>& files) const {
  std::optional<std::vector<NamedColumn>> missing;  // from every file so far
  std::vector<std::string> columns;
  for (const SourceFile& file : files) {
    if ((options_.map.empty() && options_.mapping == nullptr) || file.format == Format::kMarkdown)
      continue;
    const FileSurvey seen = TRY(survey(file, options_.limits, options_.cancel));
    if (seen.columns.empty()) continue;
    std::vector<NamedColumn> lacks = missing_from(seen.columns);
    if (options_.mapping != nullptr) TRY(check_unknown(file, seen.columns));
    if (missing) {
      std::erase_if(*missing, [&](const NamedColumn& named) {
        return std::ranges::find(lacks, named) == lacks.end();
      });
    } else {
      missing = std::move(lacks);
    }
    add_missing(columns, seen.columns);
  }
  std::vector<std::string> harmless, wrong;
  for (const NamedColumn& named : missing.value_or(std::vector<NamedColumn>()))
    (named.ignored ? harmless : wrong)
        .push_back(fmt::format("{}: there is no column '{}'", named.place, named.column));
  if (wrong.empty()) return harmless;
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}; the columns are {}", fmt::join(wrong, "; "), shown(columns)));
}

Result<void> Reader::check_unknown(const SourceFile& file,
                                   const std::vector<std::string>& columns) const {
  if (options_.mapping->unknown() != RecordMapping::Unknown::kRefuse) return {};
  const std::vector<std::string> by_name = fields_.by_name(columns).columns;
  std::vector<std::string> unknown;
  for (const std::string& column : columns)
    if (options_.mapping->field_of(column).empty() && !options_.mapping->ignores(column) &&
        std::ranges::find(by_name, column) == by_name.end())
      unknown.push_back(column);
  if (unknown.empty()) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: the mapping does not know {}, and refuses what it does not know; "
                          "map it, or put it under `ignore`",
                          file.path, shown(unknown)));
}

Result<void> Reader::read_file(const SourceFile& file) {
  TRY(check_cancelled());
  ++summary_.files;
  return file.format == Format::kMarkdown ? read_markdown_file(file) : read_records(file);
}

Result<void> Reader::read_markdown_file(const SourceFile& file) {
  auto text = precedent::read_file(file.bytes_at(), options_.limits.max_record_bytes);
  if (!text) {
    report_in(file, {file.path, 0, "", text.error().text()});
    return {};
  }
  auto document = read_markdown(*text, {file.path, file.source}, options_.kind,
                                [&](BadRecord&& field) { unread_fields_.add(std::move(field)); });
  if (!document) {
    report_in(file, std::move(document.error()));
    return {};
  }
  return hand_on(std::move(*document), file, 1);
}

Result<void> Reader::read_records(const SourceFile& file) {
  auto in = ByteSource::open(file.bytes_at());
  if (!in) {
    report_in(file, {file.path, 0, "", in.error().text()});
    return {};
  }
  if (auto problem = check_text_file(*in)) {
    report_in(file, {file.path, 0, "", std::move(*problem)});
    return {};
  }
  const FileSurvey seen = TRY(survey(file, options_.limits, options_.cancel));
  const FieldMap own = options_.map_where_found ? fields_.within(seen.columns) : fields_;
  if (const auto missing = own.missing_from(seen.columns);
      !missing.empty() && !seen.columns.empty()) {
    report_in(file,
              {file.path, 0, "",
               fmt::format("--map: the file has no column '{}'; its columns are {}; ingest it "
                           "by itself without that --map",
                           missing.front(), shown(seen.columns))});
    return {};
  }
  const Guesses guesses = TRY(guesses_of(file, own, seen));
  const FieldMap fields = own.with(guesses);
  tell_columns(file, own, seen, guesses);
  std::map<std::string, DateOrder> orders;  // of the columns that hold a date
  const RecordContext context{
      [&](const std::string& column) {
        return orders.try_emplace(column, seen.order_of(column)).first->second;
      },
      [&](BadRecord&& field) { notes_.emplace_back(&unread_fields_, std::move(field)); },
      options_.map_name, options_.map_sign};
  uint64_t told = 0;
  bool sink_stopped = false, any = false;
  const RecordSink sink = [&](Record&& record) -> Result<void> {
    any = true;
    const size_t line = record.line;
    notes_.clear();
    auto document = read_record(std::move(record), fields, context);
    if (in->offset() - told >= kProgressBytes) {
      told = in->offset();
      sink_.progress(done_ + told, total_);
    }
    if (!document) {
      report_in(file, std::move(document.error()));
      return check_cancelled();
    }
    // Only now: of a record that is left out, nothing was loaded without a field.
    for (auto& [notes, field] : notes_) notes->add(std::move(field));
    auto handed = hand_on(std::move(*document), file, line);
    sink_stopped = !handed;
    return handed;
  };
  const BadRecordSink bad = [&](BadRecord&& record) {
    any = true;
    report_in(file, std::move(record));
  };
  auto read = read_record_file(file, options_.limits, *in, sink, bad);
  tell_date_orders(file, seen, orders);
  if (!any) {
    summary_.warnings.push_back(fmt::format("{}: no record in it", file.path));
    sink_.noted({ReadNote::What::kNoRecord, file.path, 0, "", "no record in it"});
  }
  if (!read && in->error() && !sink_stopped) {
    report_in(file, {file.path, 0, "", read.error().text()});
    return {};
  }
  return read;
}

std::expected<Document, BadRecord> Reader::read_record(Record&& record, const FieldMap& fields,
                                                       const RecordContext& context) {
  if (!mapper_) return document_of(record, fields, options_.kind, context);
  auto mapped = mapper_->map(std::move(record), [&](RecordMapper::Note what, BadRecord&& field) {
    const bool unknown = what == RecordMapper::Note::kUnknownValue;
    notes_.emplace_back(unknown ? &unknown_values_ : &unread_fields_, std::move(field));
  });
  if (!mapped) return std::unexpected(std::move(mapped).error());
  return document_of(*mapped, fields, options_.kind, context);
}

// What no column has by name is taken from the column that means it, or else from the one that
// holds what such a field does.
Result<Reader::Guesses> Reader::guesses_of(const SourceFile& file, const FieldMap& own,
                                           const FileSurvey& survey) {
  if (options_.mapping != nullptr) return Guesses();
  if (options_.kind.value_or(Kind::kIncident) != Kind::kIncident) return Guesses();
  FieldMap::ByName named = own.by_name(survey.columns);
  // Records of several kinds: what a title looks like in one says nothing of the others.
  if (std::ranges::find(named.fields, "type") != named.fields.end()) return Guesses();
  Guesses guesses;
  const auto take = [&](Guesses&& more, std::string_view by) {
    for (auto& [field, column] : more) {
      summary_.warnings.push_back(
          fmt::format("{}: '{}' is taken for {}, by what {}; --map {}=COLUMN says otherwise",
                      file.path, column, field, by, field));
      named.fields.push_back(field);
      named.columns.push_back(column);
      guesses.emplace_back(field, std::move(column));
    }
  };
  if (options_.embedder != nullptr && survey.records >= kFewestRecords) {
    if (!learned_) learned_ = TRY(LearnedColumns::open());
    take(TRY(learned_->guess(survey.columns, survey.profiles, survey.records, named.fields,
                             named.columns, *options_.embedder)),
         "it means");
  }
  take(guess_columns(survey.columns, survey.profiles, survey.records, named.fields, named.columns),
       "stands in it");
  return guesses;
}

// A record of the first value of every column is mapped as the others will be.
void Reader::tell_columns(const SourceFile& file, const FieldMap& own, const FileSurvey& survey,
                          const Guesses& guesses) {
  Record examples;
  for (const std::string& column : survey.columns) {
    const auto profile = survey.profiles.find(column);
    examples.fields.push_back(
        {column, profile == survey.profiles.end() ? Value{} : profile->second.example()});
  }
  FileColumns told{file.path, survey.records, {}};
  for (const Field& field : examples.fields)
    told.columns.push_back({field.name, "", ColumnUse::How::kKept, field.value.text});
  for (const auto& [canonical, field] : own.with(guesses).map(examples).known) {
    ColumnUse& use = told.columns[static_cast<size_t>(field - examples.fields.data())];
    if (!use.field.empty() && !own.names(canonical)) continue;  // a mapped field goes first
    use.field = canonical;
    const bool guessed =
        std::ranges::find(guesses, canonical, &std::pair<std::string_view, std::string>::first) !=
        guesses.end();
    use.how = own.names(canonical) ? ColumnUse::How::kMapped
              : guessed            ? ColumnUse::How::kGuessed
                                   : ColumnUse::How::kName;
  }
  if (options_.mapping != nullptr) {
    for (ColumnUse& use : told.columns) {
      const std::string_view field = options_.mapping->field_of(use.column);
      if (!field.empty()) use = {use.column, field, ColumnUse::How::kMapped, use.example};
      if (options_.mapping->ignores(use.column)) use.how = ColumnUse::How::kIgnored;
    }
  }
  sink_.columns(told);
}

// Only where a date of the column needed it: else there was nothing to decide.
void Reader::tell_date_orders(const SourceFile& file, const FileSurvey& survey,
                              const std::map<std::string, DateOrder>& orders) {
  const auto tell = [&](const std::string& column, std::string_view colon, std::string message) {
    summary_.warnings.push_back(fmt::format("{}: '{}'{} {}", file.path, column, colon, message));
    sink_.noted({ReadNote::What::kDateOrder, file.path, 0, column, std::move(message)});
  };
  for (const auto& [column, order] : orders) {
    const auto votes = survey.dates.find(column);
    if (votes == survey.dates.end() || !votes->second.needed()) continue;
    if (order == DateOrder::kUnknown) {
      tell(column, ":",
           "nothing in the file tells whether day or month comes first, so dates that could be "
           "either were left out; write them as 2025-01-20");
      continue;
    }
    const std::string& decided = votes->second.decided_by();
    tell(column, "",
         fmt::format("is read with the {} first{}", order == DateOrder::kDayFirst ? "day" : "month",
                     decided.empty() ? ", as the other dates of the file"
                                     : fmt::format(", as in {}", decided)));
  }
}

Result<void> Reader::hand_on(Document&& document, const SourceFile& file, size_t line) {
  TRY(check_cancelled());
  if (document.id.empty()) {
    const size_t record_line = file.format == Format::kMarkdown ? 0 : line;
    document.id = sink_.id_of({file.source, file.relative, file.canonical, file.path, record_line});
  }
  const auto [first, is_new] = ids_.try_emplace(document.id, FirstPlace{file.path, line});
  if (!is_new) {
    report({file.path, line, "id",
            fmt::format(
                "'{}' was read before, from {}:{}; this one is skipped, give it an id of its own",
                document.id, first->second.path, first->second.line),
            "", document.id});
    return {};
  }
  document.source = file.source;
  add_missing(document.services, options_.services);
  add_missing(document.tags, options_.tags);
  ++summary_.documents;
  return sink_.document(std::move(document), line);
}

}  // namespace

Result<ReadSummary> read_documents(const ReadOptions& options, DocumentSink& sink) {
  FieldMap fields = TRY(FieldMap::create(options.map, options.map_name));
  return Reader(options, sink, std::move(fields)).read();
}

Result<std::vector<std::string>> check_columns(const ReadOptions& options) {
  class Nothing final : public DocumentSink {
    Result<void> document(Document&&, size_t) override { return {}; }
    void bad(BadRecord&&) override {}
  } nothing;
  FieldMap fields = TRY(FieldMap::create(options.map, options.map_name));
  return Reader(options, nothing, std::move(fields)).check();
}

}  // namespace precedent
