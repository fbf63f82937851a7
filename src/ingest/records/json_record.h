// One JSON object → one Record, by nlohmann's event parser: no tree is built, nested values become
// compact JSON text.
//
// Used by json_reader.h only.
// Thread safety: one object, one thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ingest/records/record.h"

namespace precedent {

// The sink of the event parser. After `json::sax_parse` returned false, `problem()` says why.
class JsonRecordBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonRecordBuilder(Record& record) : record_(record) {}

  bool null() override;
  bool boolean(bool value) override;
  bool number_integer(number_integer_t value) override;
  bool number_unsigned(number_unsigned_t value) override;
  bool number_float(number_float_t value, const string_t& as_written) override;
  bool string(string_t& value) override;
  bool binary(binary_t& value) override;
  bool start_object(std::size_t elements) override;
  bool key(string_t& name) override;
  bool end_object() override;
  bool start_array(std::size_t elements) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::json::exception& error) override;

  const std::string& problem() const { return problem_; }
  size_t problem_position() const { return position_; }  // bytes read when it was found, 1-based
  const std::string& nul_field() const { return nul_field_; }  // the first one that holds U+0000

 private:
  bool scalar(Value::Type type, std::string text, bool quoted);
  bool open(char bracket);
  bool close(char bracket);

  Record& record_;
  std::string key_;
  std::string nested_;  // compact JSON of the list or object being read
  Value::Type nested_type_ = Value::Type::kNull;
  std::vector<bool> has_items_;  // of the open brackets, whether a comma is due
  bool after_key_ = false;
  std::string problem_;
  size_t position_ = 0;
  std::string nul_field_;
};

}  // namespace precedent
