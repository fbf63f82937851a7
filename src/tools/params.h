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
  // kJson: anything, for tools of others; who cannot write it as such gives it as a JSON text.
  enum class Type { kString, kInteger, kStringList, kNumber, kBoolean, kJson };
  std::string name;
  Type type = Type::kString;
  std::string description;
  bool required = false;
  std::optional<int64_t> default_value = std::nullopt;  // kInteger
  int64_t minimum = 0, maximum = 0;  // kInteger, both inclusive; equal: not bounded
  // kString, kStringList: the only values, for who reads the schema; empty: any.
  std::vector<std::string> allowed = {};
  bool bounded() const { return minimum < maximum; }
};

// Arguments that passed: every required one is there, defaults are filled in, types are right.
class Args {
 public:
  const std::string& text(std::string_view name) const;
  // REQUIRES: it is required, or has a default.
  int64_t integer(std::string_view name) const;
  const std::vector<std::string>& list(std::string_view name) const;  // empty if not given
  bool flag(std::string_view name) const;                             // false if not given
  // All of them as one object; what was not given and has no default is not in it.
  nlohmann::json given() const;

 private:
  friend Result<Args> read_args(const std::vector<Param>&, const nlohmann::json&, std::string_view);
  struct JsonText {
    std::string text;
  };
  using Value =
      std::variant<std::string, int64_t, std::vector<std::string>, double, bool, JsonText>;
  std::map<std::string, Value, std::less<>> values_;
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
