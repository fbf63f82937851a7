#include "ingest/records/json_record.h"

#include <fmt/format.h>

#include "base/foreign_json.h"
#include "base/utf8.h"

namespace precedent {
namespace {

std::string quoted_json(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// nlohmann says "[json.exception.parse_error.101] parse error at line 1, column 17: <what we
// want>".
std::string reason(std::string_view what) {
  constexpr size_t kEnough = 240;
  if (const size_t column = what.find("column "); column != std::string_view::npos) {
    if (const size_t colon = what.find(": ", column); colon != std::string_view::npos)
      what.remove_prefix(colon + 2);
  }
  std::string text = repair_utf8(utf8_prefix(what, kEnough));
  return what.size() > kEnough ? text + "…" : text;
}

}  // namespace

bool JsonRecordBuilder::scalar(Value::Type type, std::string text, bool quoted) {
  if (quoted && nul_field_.empty() && text.find('\0') != std::string::npos) nul_field_ = key_;
  if (has_items_.size() == 1) {
    record_.set(std::move(key_), {type, std::move(text)});
    return true;
  }
  if (!after_key_ && has_items_.back()) nested_ += ',';
  has_items_.back() = true;
  after_key_ = false;
  nested_ += quoted ? quoted_json(text) : text;
  return true;
}

bool JsonRecordBuilder::open(char bracket) {
  if (has_items_.size() >= kMaxJsonDepth) {
    problem_ = fmt::format("nested deeper than {} levels", kMaxJsonDepth);
    return false;
  }
  if (has_items_.size() == 1) {
    nested_.clear();
    nested_type_ = bracket == '[' ? Value::Type::kList : Value::Type::kObject;
  } else if (has_items_.size() > 1) {
    if (!after_key_ && has_items_.back()) nested_ += ',';
    has_items_.back() = true;
  }
  if (!has_items_.empty()) nested_ += bracket;
  after_key_ = false;
  has_items_.push_back(false);
  return true;
}

bool JsonRecordBuilder::close(char bracket) {
  has_items_.pop_back();
  if (has_items_.empty()) return true;
  nested_ += bracket;
  if (has_items_.size() == 1) record_.set(std::move(key_), {nested_type_, std::move(nested_)});
  return true;
}

bool JsonRecordBuilder::null() {
  return scalar(Value::Type::kNull, has_items_.size() > 1 ? "null" : "", false);
}
bool JsonRecordBuilder::boolean(bool value) {
  return scalar(Value::Type::kBool, value ? "true" : "false", false);
}
bool JsonRecordBuilder::number_integer(number_integer_t value) {
  return scalar(Value::Type::kNumber, std::to_string(value), false);
}
bool JsonRecordBuilder::number_unsigned(number_unsigned_t value) {
  return scalar(Value::Type::kNumber, std::to_string(value), false);
}
bool JsonRecordBuilder::number_float(number_float_t, const string_t& as_written) {
  return scalar(Value::Type::kNumber, as_written, false);
}
bool JsonRecordBuilder::string(string_t& value) {
  return scalar(Value::Type::kText, std::move(value), true);
}
bool JsonRecordBuilder::binary(binary_t&) { return false; }  // does not exist in JSON text
bool JsonRecordBuilder::start_object(std::size_t) { return open('{'); }
bool JsonRecordBuilder::end_object() { return close('}'); }
bool JsonRecordBuilder::start_array(std::size_t) { return open('['); }
bool JsonRecordBuilder::end_array() { return close(']'); }

bool JsonRecordBuilder::key(string_t& name) {
  if (has_items_.size() == 1) {
    key_ = std::move(name);
    if (record_.fields.size() < kMaxFields) return true;
    problem_ = fmt::format("an object of more than {} fields", kMaxFields);
    return false;
  }
  if (has_items_.back()) nested_ += ',';
  has_items_.back() = true;
  after_key_ = true;
  nested_ += quoted_json(name);
  nested_ += ':';
  return true;
}

bool JsonRecordBuilder::parse_error(std::size_t position, const std::string&,
                                    const nlohmann::json::exception& error) {
  position_ = position;
  problem_ = reason(error.what());
  return false;
}

}  // namespace precedent
