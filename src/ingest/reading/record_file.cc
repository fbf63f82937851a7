#include "ingest/reading/record_file.h"

#include <set>
#include <unordered_set>

#include "base/strings.h"
#include "ingest/records/csv_reader.h"
#include "ingest/records/json_reader.h"

namespace precedent {
namespace {

// `{"…` and `[{`: no header of a CSV file begins so, though one may begin with `[Id]`.
bool begins_like_json(std::string_view start) {
  start = trim(start);
  if (start.empty() || (start[0] != '{' && start[0] != '[')) return false;
  const std::string_view next = trim(start.substr(1));
  return start[0] == '{' ? next.starts_with('"') || next.starts_with('}')
                         : next.starts_with('{') || next.starts_with(']');
}

bool ends_with_name(std::string_view path, std::string_view extension) {
  return path.size() >= extension.size() &&
         iequals(path.substr(path.size() - extension.size()), extension);
}

}  // namespace

Result<void> read_record_file(const SourceFile& file, const Limits& limits, ByteSource& in,
                              const RecordSink& sink, const BadRecordSink& bad) {
  const size_t limit = limits.max_record_bytes;
  if (file.format != Format::kCsv || begins_like_json(in.ahead()))
    return read_json(in, {file.path, limit, file.format == Format::kJsonLines}, sink, bad);
  const char delimiter = ends_with_name(file.path, ".tsv") ? '\t' : '\0';
  return read_csv(in, {file.path, limit, delimiter}, sink, bad);
}

DateOrder FileSurvey::order_of(std::string_view column) const {
  const auto own = dates.find(column);
  if (own != dates.end() && own->second.order() != DateOrder::kUnknown) return own->second.order();
  if (own != dates.end() && !own->second.decided_by().empty()) return DateOrder::kUnknown;
  std::set<DateOrder> others;
  for (const auto& [name, votes] : dates) {
    if (!votes.decided_by().empty()) others.insert(votes.order());
  }
  return others.size() == 1 ? *others.begin() : DateOrder::kUnknown;
}

Result<FileSurvey> survey(const SourceFile& file, const Limits& limits, const CancelToken* cancel) {
  FileSurvey seen;
  auto in = ByteSource::open(file.bytes_at());
  if (!in || check_text_file(*in)) return seen;
  std::unordered_set<std::string> columns;
  const RecordSink look = [&](Record&& record) -> Result<void> {
    ++seen.records;
    for (const Field& field : record.fields) {
      if (columns.size() < kMaxFields && columns.insert(field.name).second)
        seen.columns.push_back(field.name);
      if (columns.contains(field.name)) seen.profiles[field.name].see(field.value);
      if (field.value.type == Value::Type::kText && columns.contains(field.name))
        seen.dates[field.name].see(field.value.text);
    }
    return cancel == nullptr ? Result<void>() : cancel->check();
  };
  const auto read = read_record_file(file, limits, *in, look, [](BadRecord&&) {});
  if (!read && read.error().code == ErrorCode::kCancelled) return std::unexpected(read.error());
  return seen;
}

}  // namespace precedent
