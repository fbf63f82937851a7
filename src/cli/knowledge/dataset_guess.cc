#include "cli/knowledge/dataset_guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "agent/sources/knowledge_base.h"
#include "base/strings.h"
#include "cli/command/command.h"
#include "cli/terminal/render.h"
#include "ingest/fields/format_guess.h"
#include "ingest/reading/reader.h"
#include "ingest/reading/record_file.h"
#include "ingest/records/byte_source.h"
#include "ingest/records/field_map.h"

namespace precedent {
namespace {

using nlohmann::json;

// A column of more values is text, and no list of choices.
constexpr size_t kMostChoices = 20;
constexpr size_t kMostTimes = 20'000;

class Columns final : public DocumentSink {
 public:
  Result<void> document(Document&&, size_t) override { return {}; }
  void bad(BadRecord&&) override {}
  void columns(const FileColumns& columns) override { seen = columns; }
  FileColumns seen;
};

// The different texts of each column, in the order of the file, up to kMostTimes.
using Texts = std::map<std::string, std::vector<std::string>>;

Result<Texts> texts_of(const SourceFile& file) {
  Texts texts;
  std::set<std::pair<std::string, std::string>> seen;
  const RecordSink look = [&](Record&& record) -> Result<void> {
    for (const Field& field : record.fields) {
      const std::string text(trim(field.value.text));
      std::vector<std::string>& own = texts[field.name];
      if (text.empty() || own.size() >= kMostTimes) continue;
      if (seen.emplace(field.name, ascii_lower(text)).second) own.push_back(text);
    }
    return {};
  };
  ByteSource in = TRY(ByteSource::open(file.bytes_at()));
  TRY(read_record_file(file, {}, in, look, [](BadRecord&&) {}));
  return texts;
}

std::string yaml_text(const std::string& text) { return json(text).dump(); }

std::string yaml_list(const std::vector<std::string>& texts) {
  return texts.size() == 1 ? yaml_text(texts.front()) : json(texts).dump();
}

// "{"P1": "P1", …}": each becomes itself until somebody says otherwise.
std::string yaml_choices(const std::vector<std::string>& texts) {
  std::vector<std::string> pairs;
  for (const std::string& text : texts) pairs.push_back(fmt::format("{0}: {0}", yaml_text(text)));
  return fmt::format("{{{}}}", join(pairs, ", "));
}

// What the column of a field becomes in the mapping.
std::string yaml_field(std::string_view field, const std::string& column,
                       const std::vector<std::string>& texts, const FileSurvey& survey) {
  if (field.ends_with("_at")) {
    const DateOrder order = survey.order_of(column);
    const std::vector<std::string> formats = guess_formats(texts, order);
    const auto votes = survey.dates.find(column);
    const bool either =
        order == DateOrder::kUnknown && votes != survey.dates.end() && votes->second.needed();
    if (!formats.empty())
      return fmt::format("{{column: {}, format: {}}}{}", yaml_text(column), yaml_list(formats),
                         either ? "  # or the month first: no date of the file tells" : "");
  }
  const bool choice = field == "severity" || field == "status";
  if (choice && !texts.empty() && texts.size() <= kMostChoices)
    return fmt::format("{{column: {}, values: {}}}", yaml_text(column), yaml_choices(texts));
  return yaml_text(column);
}

}  // namespace

Result<std::string> first_mapping(const std::string& file, const std::string& called) {
  ReadOptions options;
  options.paths = {file};
  options.known_as.emplace(file, called);
  const EncoderState encoder = TRY(open_encoder());
  options.embedder = encoder.embedder.get();
  Columns sink;
  TRY(read_documents(options, sink));
  if (sink.seen.columns.empty())
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} has no records with columns; name a CSV or JSON file", called));
  const FoundFiles found = TRY(expand_sources(options.paths));
  const SourceFile& source = found.files.front();
  const FileSurvey seen = TRY(survey(source, options.limits, nullptr));
  const Texts texts = TRY(texts_of(source));
  std::string out = fmt::format("# How {} becomes incidents; see docs/datasets.md.\nfields:\n",
                                printable(called));
  const auto is_there = [&](std::string_view field) {
    return std::ranges::find(sink.seen.columns, field, &ColumnUse::field) !=
           sink.seen.columns.end();
  };
  if (!is_there("incident_id"))
    out += fmt::format(
        "  incident_id: {{template: \"INC-{}{{n:03}}\"}}  # no column holds ids, so they are "
        "numbered in the order of the file\n",
        is_there("opened_at") ? "{opened:%Y-%m-%d}-" : "");
  for (const std::string_view field : canonical_fields())
    for (const ColumnUse& use : sink.seen.columns) {
      if (use.field != field) continue;
      const auto own = texts.find(use.column);
      const std::string value = yaml_field(
          field, use.column, own == texts.end() ? std::vector<std::string>() : own->second, seen);
      out += fmt::format("  {}: {}{}\n", field, value,
                         use.how == ColumnUse::How::kGuessed ? "  # guessed" : "");
    }
  for (const ColumnUse& use : sink.seen.columns)
    if (use.field.empty())
      out += fmt::format("  # kept under its own name: {}\n", yaml_text(use.column));
  return out +
         "ignore: []\nunknown: keep  # or drop, or refuse\nlimits: {max_bad: 1%, max_vanished: "
         "20%}\n";
}

int print_first_mapping(const std::string& file) {
  const auto mapping = first_mapping(file, file);
  if (!mapping) return fail_with(mapping.error());
  fmt::print("{}", *mapping);
  return kExitOk;
}

}  // namespace precedent
