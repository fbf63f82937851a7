#include "server/http/doubled_key.h"

#include <nlohmann/json.hpp>
#include <unordered_set>
#include <vector>

#include "base/foreign_json.h"

namespace precedent {
namespace {

using nlohmann::json;

// Told of each part of a text by the parser, which goes on while the answer is true.
class Keys {
 public:
  // NOLINTBEGIN(readability-identifier-naming): the parser's names
  bool null() { return true; }
  bool boolean(bool /*value*/) { return true; }
  bool number_integer(json::number_integer_t /*value*/) { return true; }
  bool number_unsigned(json::number_unsigned_t /*value*/) { return true; }
  bool number_float(json::number_float_t /*value*/, const std::string& /*text*/) { return true; }
  bool string(std::string& /*value*/) { return true; }
  bool binary(json::binary_t& /*value*/) { return true; }
  bool start_object(size_t /*elements*/) {
    open_.emplace_back();
    return open_.size() <= kMaxJsonDepth;
  }
  bool key(std::string& name) {
    if (open_.back().insert(name).second) return true;
    doubled = name;
    return false;
  }
  bool end_object() {
    open_.pop_back();
    return true;
  }
  bool start_array(size_t /*elements*/) { return true; }
  bool end_array() { return true; }
  bool parse_error(size_t /*at*/, const std::string& /*token*/, const json::exception& /*error*/) {
    return false;
  }
  // NOLINTEND(readability-identifier-naming)

  std::optional<std::string> doubled;

 private:
  std::vector<std::unordered_set<std::string>> open_;
};

}  // namespace

std::optional<std::string> doubled_key(std::string_view text) {
  Keys keys;
  json::sax_parse(text, &keys);
  return keys.doubled;
}

}  // namespace precedent
