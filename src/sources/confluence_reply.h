// What Confluence answers: the replies of its REST APIs, version 2 of Cloud and version 1 of Cloud
// and Data Center, as structs.
//
// A reply is data: what is missing or of another type makes a page without it, and a page without
// an id is left out. Errors: kCorrupt for a reply that holds no list. Thread safety: pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace precedent {

struct ConfluencePage {
  std::string id;  // digits
  std::string title, space;
  int64_t version = 0;
  std::optional<TimePoint> modified;
  std::string link;  // below the base address; "" if it is no path
  // Of version 1, where they were asked for:
  std::vector<std::string> ancestors, labels;
  bool restricted = true;              // to some readers; unless it is told, nobody knows
  std::optional<std::string> storage;  // the body, where it was asked for
  std::string view;                    // the same as Confluence shows it
};

struct ConfluenceList {
  std::vector<ConfluencePage> pages;
  std::string next;  // `_links.next`; "" at the end
};

ConfluencePage read_confluence_page(const nlohmann::json& page);
Result<ConfluenceList> read_confluence_list(const nlohmann::json& reply);
// The id of the first space of a list; "" if there is none.
std::string first_space_id(const nlohmann::json& reply);

}  // namespace precedent
