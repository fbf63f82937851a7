#include "ingest/records/golden_reader.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "base/utf8.h"
#include "ingest/records/field_map.h"
#include "ingest/records/json_reader.h"

namespace precedent {
namespace {

// Of a value that is quoted in a message.
constexpr size_t kShownBytes = 60;

// The fields of one record, each taken by the type that it must have; remembers the first problem.
class Fields {
 public:
  explicit Fields(const Record& record) : record_(record) {}

  std::string text(std::string_view field) {
    const Value* value = find(field);
    if (value == nullptr) return {};
    if (value->type == Value::Type::kText) return value->text;
    // An id or a name that happens to be a number.
    if (value->type == Value::Type::kNumber && field == "id") return value->text;
    return wrong(field, "must be text"), std::string();
  }
  std::optional<bool> flag(std::string_view field) {
    const Value* value = find(field);
    if (value == nullptr) return std::nullopt;
    // Who says "yes" to what an answer may rest on says it in so many words; a CSV has texts alone.
    const std::string text = ascii_lower(trim(value->text));
    if ((value->type == Value::Type::kBool || value->type == Value::Type::kText) &&
        (text == "true" || text == "false"))
      return text == "true";
    return wrong(field, fmt::format("is '{}'; write true or false", shown(*value))), std::nullopt;
  }
  std::vector<std::string> list(std::string_view field) {
    const Value* value = find(field);
    if (value == nullptr) return {};
    if (value->type == Value::Type::kList || value->type == Value::Type::kText)
      return list_items(*value);
    return wrong(field, "must be a list of texts"), std::vector<std::string>();
  }
  std::optional<TimePoint> time(std::string_view field) {
    const std::string written = text(field);
    if (written.empty()) return std::nullopt;
    const auto read = parse_time(written);
    if (!read) return wrong(field, read.error().message), std::nullopt;
    return *read;
  }

  void wrong(std::string_view field, std::string message) {
    if (!problem_)
      problem_ = BadRecord{record_.path, record_.line, std::string(field), std::move(message)};
  }
  std::optional<BadRecord>& problem() { return problem_; }

  static std::string shown(const Value& value) {
    return std::string(utf8_prefix(value.text, kShownBytes));
  }

 private:
  const Value* find(std::string_view field) const {
    const std::string wanted = bare_name(field);
    const Value* found = nullptr;
    for (const Field& f : record_.fields) {
      if (bare_name(f.name) == wanted && !f.value.blank()) found = &f.value;
    }
    return found;
  }

  const Record& record_;
  std::optional<BadRecord> problem_;
};

GoldenSource source_type(Fields& fields) {
  const std::string written = fields.text("source_type");
  if (written.empty()) return GoldenSource::kManual;
  const auto source = parse_golden_source(written);
  if (!source) {
    fields.wrong("source_type", fmt::format("is '{}'; write positive, negative or manual",
                                            utf8_prefix(written, kShownBytes)));
  }
  return source.value_or(GoldenSource::kManual);
}

}  // namespace

std::expected<GoldenDraft, BadRecord> golden_draft_of(const Record& record,
                                                      const Review& reviewer) {
  Fields fields(record);
  GoldenDraft draft;
  draft.id = fields.text("id");
  draft.question = fields.text("question");
  draft.answer = fields.text("answer");
  draft.source = source_type(fields);
  std::string corrected = fields.text("corrected_answer");
  if (draft.source == GoldenSource::kNegative) {
    draft.rejected_answer = std::exchange(draft.answer, std::move(corrected));
    if (trim(draft.rejected_answer).empty() && trim(draft.answer).empty())
      fields.wrong("answer", "is missing; give the rejected answer, or a 'corrected_answer'");
  } else if (!corrected.empty()) {
    fields.wrong("corrected_answer",
                 "belongs to a negative example; write source_type: negative, or leave it out");
  }
  draft.reviewed = fields.flag("reviewed");
  draft.active = fields.flag("active");
  draft.tags = fields.list("tags");
  draft.sources = fields.list("sources");
  draft.review = reviewer;
  if (std::string by = fields.text("reviewed_by"); !by.empty()) draft.review.by = std::move(by);
  if (const auto at = fields.time("reviewed_at")) draft.review.at = *at;
  if (auto& problem = fields.problem()) return std::unexpected(std::move(*problem));
  // The same rules as everywhere, told at this line.
  if (auto problem = problem_of(example_of(std::nullopt, draft, draft.review.at)))
    return std::unexpected(
        BadRecord{record.path, record.line, problem->field, std::move(problem->message)});
  return draft;
}

Result<void> read_golden(ByteSource& in, const GoldenReadOptions& options,
                         const GoldenDraftSink& sink, const BadRecordSink& bad) {
  if (auto problem = check_text_file(in)) {
    bad({options.path, 0, "", std::move(*problem)});
    return {};
  }
  const RecordSink take = [&](Record&& record) -> Result<void> {
    auto draft = golden_draft_of(record, options.reviewer);
    if (draft) return sink(std::move(*draft), record.line);
    bad(std::move(draft.error()));
    return {};
  };
  return read_json(in, {options.path, options.limits.max_record_bytes, true}, take, bad);
}

}  // namespace precedent
