// Source: what an answer may cite.
//
// Thread safety: a plain value, a pure function.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "knowledge/document.h"

namespace precedent {

// "id, title, path" of everything a receipt holds.
struct Source {
  std::string id;
  std::string title;
  std::string kind;
  std::string path;
  LineRange lines;
  std::string receipt;
  bool operator==(const Source&) const = default;
};

nlohmann::json to_json(const LineRange& lines);
nlohmann::json to_json(const Source& source);

}  // namespace precedent
