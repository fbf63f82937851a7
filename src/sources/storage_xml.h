// Confluence's storage format as XML: parsed, and small questions about its nodes.
//
// Thread safety: pure.
#pragma once

#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "base/error.h"
#include "sources/storage_include.h"

namespace precedent {

// The page is the first child. Errors: kInvalidArgument naming the place, kResourceExhausted.
Result<void> parse_storage(std::string_view storage, pugi::xml_document& document);

// On one line, entities decoded.
std::string storage_attribute(const pugi::xml_node& node, const char* name);
// All text below, CDATA as it is.
std::string storage_raw_text(const pugi::xml_node& node);

bool is_storage_macro(const pugi::xml_node& node);
std::string macro_parameter(const pugi::xml_node& macro, std::string_view name);
// Which page an including macro means; a title of "" if that cannot be told.
StorageInclude include_of(const pugi::xml_node& macro, bool excerpt);
// What an excerpt of that name holds ("": the first), in the order of the page. Null: none.
pugi::xml_node find_excerpt(const pugi::xml_node& page, const std::string& name);
// The node after this one in the order of the page, below `root`. Null at the end.
pugi::xml_node next_node(const pugi::xml_node& node, const pugi::xml_node& root);

}  // namespace precedent
