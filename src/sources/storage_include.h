// Includes of Confluence's pages: which page shows what of which other one.
//
// Thread safety: values.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace precedent {

// What a page shows of another one.
struct StorageInclude {
  std::string space, title;            // a space of "": the page's own
  std::optional<std::string> excerpt;  // the one of this name ("": the first) instead of the page
  auto operator<=>(const StorageInclude&) const = default;
};
struct IncludedText {
  std::string markdown;  // "": the page is named instead
  std::string link;      // then, an address that opens it
};
using IncludedTexts = std::map<StorageInclude, IncludedText>;

// Of storage, and of Markdown: an ingest takes no more of one record.
inline constexpr size_t kMaxStorage = 16 * 1024 * 1024;

}  // namespace precedent
