#include "sources/confluence_reply.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "sources/page_document.h"

namespace precedent {
namespace {

using nlohmann::json;

// An id becomes part of an address.
constexpr size_t kMaxIdDigits = 24;

// Null where a step leads nowhere.
const json& at(const json& value, std::initializer_list<const char*> steps) {
  static const json kNothing;
  const json* here = &value;
  for (const char* step : steps) {
    if (!here->is_object()) return kNothing;
    const auto found = here->find(step);
    if (found == here->end()) return kNothing;
    here = &*found;
  }
  return *here;
}

std::string text_at(const json& value, std::initializer_list<const char*> steps) {
  const json& found = at(value, steps);
  return found.is_string() ? found.get<std::string>() : "";
}

// Ids are text in both APIs, and numbers in some versions of them.
std::string id_of(const json& value) {
  std::string id = value.is_number_unsigned() ? std::to_string(value.get<uint64_t>())
                   : value.is_string()        ? value.get<std::string>()
                                              : "";
  const bool digits = !id.empty() && id.size() <= kMaxIdDigits && std::ranges::all_of(id, is_digit);
  return digits ? id : "";
}

bool is_restricted(const json& page) {
  const json& read = at(page, {"restrictions", "read", "restrictions"});
  if (!read.is_object()) return true;
  return std::ranges::any_of(std::initializer_list<const char*>{"user", "group"},
                             [&](const char* who) {
                               const json& results = at(read, {who, "results"});
                               return !results.is_array() || !results.empty();
                             });
}

}  // namespace

ConfluencePage read_confluence_page(const json& page) {
  ConfluencePage out;
  out.id = id_of(at(page, {"id"}));
  out.title = clean_name(text_at(page, {"title"}));
  out.space = clean_name(text_at(page, {"space", "key"}));
  const json& version = at(page, {"version", "number"});
  if (version.is_number_integer()) out.version = version.get<int64_t>();
  std::string when = text_at(page, {"version", "when"});
  if (when.empty()) when = text_at(page, {"version", "createdAt"});
  if (const auto time = parse_time(when)) out.modified = *time;
  out.link = clean_address(text_at(page, {"_links", "webui"}));
  if (!out.link.starts_with('/') || out.link.starts_with("//")) out.link.clear();
  const json& ancestors = at(page, {"ancestors"});
  if (ancestors.is_array())
    for (const json& ancestor : ancestors)
      if (std::string id = id_of(at(ancestor, {"id"})); !id.empty())
        out.ancestors.push_back(std::move(id));
  const json& labels = at(page, {"metadata", "labels", "results"});
  if (labels.is_array())
    for (const json& label : labels)
      if (std::string name = clean_name(text_at(label, {"name"})); !name.empty())
        out.labels.push_back(std::move(name));
  std::ranges::sort(out.labels);
  out.restricted = is_restricted(page);
  const json& storage = at(page, {"body", "storage", "value"});
  if (storage.is_string()) out.storage = storage.get<std::string>();
  out.view = text_at(page, {"body", "view", "value"});
  return out;
}

Result<ConfluenceList> read_confluence_list(const json& reply) {
  const json& results = at(reply, {"results"});
  if (!results.is_array())
    return fail(ErrorCode::kCorrupt,
                "Confluence answered without a list of results; check 'url' and 'edition'");
  ConfluenceList list;
  for (const json& result : results) {
    ConfluencePage page = read_confluence_page(result);
    if (!page.id.empty()) list.pages.push_back(std::move(page));
  }
  list.next = text_at(reply, {"_links", "next"});
  return list;
}

std::string first_space_id(const json& reply) {
  const json& results = at(reply, {"results"});
  return results.is_array() && !results.empty() ? id_of(at(results.front(), {"id"})) : "";
}

}  // namespace precedent
