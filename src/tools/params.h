// Parameters of a tool: declared once, written as a JSON schema and read back with good errors.
//
// Thread safety: immutable after construction.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"

namespace precedent {

struct Param {
  enum class Type { kString, kInteger, kStringList };
  std::string name;
  Type type = Type::kString;
  std::string description;
  bool required = false;
  std::optional<int64_t> default_value = std::nullopt;  // kInteger
  int64_t minimum = 0, maximum = 0;                     // kInteger, both inclusive
  std::vector<std::string> allowed = {};                // kStringList: the only values; empty: any
};

// Arguments that passed: every required one is there, defaults are filled in, types are right.
class Args {
 public:
  const std::string& text(std::string_view name) const;
  int64_t integer(std::string_view name) const;
  const std::vector<std::string>& list(std::string_view name) const;  // empty if not given

 private:
  friend Result<Args> read_args(const std::vector<Param>&, const nlohmann::json&, std::string_view);
  std::map<std::string, std::variant<std::string, int64_t, std::vector<std::string>>, std::less<>>
      values_;
};

// Errors: kInvalidArgument naming tool, argument, what it is and what is expected. A list may be
// given as one string; an integer as a string of digits or a whole float (models do both); out of
// range is clamped where it says "at most" harmlessly: a limit above the maximum is an error, as
// the caller should know.
Result<Args> read_args(const std::vector<Param>& params, const nlohmann::json& json,
                       std::string_view tool);

// A strict JSON schema (draft 2020-12): additionalProperties false.
nlohmann::json json_schema(const std::vector<Param>& params);

}  // namespace precedent
