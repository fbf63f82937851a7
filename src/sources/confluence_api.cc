#include "sources/confluence_api.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/strings.h"
#include "net/url.h"
#include "sources/page_document.h"

namespace precedent {
namespace {

using nlohmann::json;

// What a page of results may have: both APIs give less if that is too much.
constexpr int kListLimit = 250;
constexpr int kSearchLimit = 100;
// A space of more pages is not one that people wrote.
constexpr size_t kMaxPages = 200'000;
constexpr std::string_view kExpand =
    "space,version,ancestors,metadata.labels,restrictions.read.restrictions.user,"
    "restrictions.read.restrictions.group";

std::string cql_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

std::string cql_list(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(cql_quoted(name));
  return join(quoted, ",");
}

Result<void> ConfluenceApi::each_page(std::string url, const CancelToken& cancel,
                                      const OnPage& on_page) const {
  std::set<std::string> asked;
  for (size_t count = 0; !url.empty();) {
    if (!asked.insert(url).second)
      return fail(ErrorCode::kCorrupt, "Confluence names the same page of results again and again");
    const json reply = TRY(http_.get_json(url, cancel));
    ConfluenceList list = TRY(read_confluence_list(reply));
    count += list.pages.size();
    if (count > kMaxPages)
      return fail(ErrorCode::kResourceExhausted,
                  fmt::format("more than {} pages; name fewer spaces, or labels", kMaxPages));
    for (ConfluencePage& page : list.pages) on_page(std::move(page));
    url = list.next.empty() ? "" : TRY(http_.next_address(list.next));
  }
  return {};
}

Result<void> ConfluenceApi::space_pages(const std::string& space, const CancelToken& cancel,
                                        const OnPage& on_page) const {
  return each_page(
      http_.address(fmt::format(
          "/rest/api/content?type=page&status=current&spaceKey={}&expand={}&start=0&limit={}",
          percent_encoded(space), percent_encoded(kExpand), kSearchLimit)),
      cancel, on_page);
}

Result<void> ConfluenceApi::search(const std::string& cql, const CancelToken& cancel,
                                   const OnPage& on_page) const {
  return each_page(
      http_.address(fmt::format("/rest/api/content/search?cql={}&expand={}&limit={}",
                                percent_encoded(cql), percent_encoded(kExpand), kSearchLimit)),
      cancel, on_page);
}

Result<void> ConfluenceApi::cloud_pages(const std::string& space, const CancelToken& cancel,
                                        const OnPage& on_page) const {
  const json reply =
      TRY(http_.get_json(http_.address("/api/v2/spaces?keys=" + percent_encoded(space)), cancel));
  const std::string id = first_space_id(reply);
  if (id.empty())
    return fail(
        ErrorCode::kNotFound,
        fmt::format("there is no space '{}', or it is not shown to this account; check 'spaces'",
                    space));
  return each_page(
      http_.address(fmt::format("/api/v2/spaces/{}/pages?status=current&limit={}", id, kListLimit)),
      cancel, on_page);
}

Result<std::optional<ConfluencePage>> ConfluenceApi::page_named(const std::string& space,
                                                                const std::string& title,
                                                                const CancelToken& cancel) const {
  const std::string expand = percent_encoded(fmt::format("{},body.storage", kExpand));
  const std::string url =
      data_center_
          ? fmt::format("/rest/api/content?type=page&status=current&spaceKey={}&title={}&expand={}",
                        percent_encoded(space), percent_encoded(title), expand)
          : fmt::format("/rest/api/content/search?cql={}&expand={}",
                        percent_encoded(fmt::format("space = {} and type = page and title = {}",
                                                    cql_quoted(space), cql_quoted(title))),
                        expand);
  std::optional<ConfluencePage> found;
  TRY(each_page(http_.address(url), cancel, [&](ConfluencePage&& page) {
    // A search may find what is only like it.
    if (page.space == space && ascii_lower(page.title) == ascii_lower(clean_name(title)))
      found = std::move(page);
  }));
  return found;
}

Result<void> ConfluenceApi::bodies(const std::vector<std::string>& ids, const CancelToken& cancel,
                                   const OnPage& on_page) const {
  return each_page(
      http_.address(fmt::format("/api/v2/pages?id={}&body-format=storage&status=current&limit={}",
                                join(ids, ","), kBatch)),
      cancel, on_page);
}

Result<ConfluencePage> ConfluenceApi::body(const std::string& id, const CancelToken& cancel) const {
  return read_confluence_page(TRY(http_.get_json(
      http_.address(data_center_
                        ? fmt::format("/rest/api/content/{}?expand=body.storage,version,space", id)
                        : fmt::format("/api/v2/pages/{}?body-format=storage", id)),
      cancel)));
}

Result<std::string> ConfluenceApi::view(const std::string& id, const CancelToken& cancel) const {
  return read_confluence_page(
             TRY(http_.get_json(
                 http_.address(data_center_
                                   ? fmt::format("/rest/api/content/{}?expand=body.view", id)
                                   : fmt::format("/api/v2/pages/{}?body-format=view", id)),
                 cancel)))
      .view;
}

std::string ConfluenceApi::link_of(const ConfluencePage& page) const {
  return page.link.empty() ? http_.address(fmt::format("/pages/viewpage.action?pageId={}", page.id))
                           : http_.address(page.link);
}

std::string ConfluenceApi::link_to(const std::string& space, const std::string& title) const {
  return http_.address(
      fmt::format("/display/{}/{}", percent_encoded(space), percent_encoded(title)));
}

}  // namespace precedent
