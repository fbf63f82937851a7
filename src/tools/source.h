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
  // Of a document that lives elsewhere: an address that opens it there, and which version of it
  // this is; "" if it says none.
  std::string link = {};
  std::string version = {};
  bool operator==(const Source&) const = default;
};

nlohmann::json to_json(const LineRange& lines);
nlohmann::json to_json(const Source& source);

// " — version 7, https://…", behind its line in a list of sources; "" for one that has no address.
std::string where_it_lives(const Source& source);

// What a document says of where it lives. An address that is none of http or https, or holds what
// no address does, is no link: it comes from the document.
std::string link_of(const Attributes& attributes);
std::string version_of(const Attributes& attributes);

}  // namespace precedent
