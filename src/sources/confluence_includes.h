// What a page of Confluence includes of other pages, followed: their text stands where the include
// stands, as Confluence shows it.
//
// A page is shown only where everybody may read it whom its finder lets through; else it is named.
// Pages that include each other end where the first comes again; depth, number and size are
// bounded, and what lies beyond is named, too. Thread safety: one thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sources/confluence_reply.h"
#include "sources/storage_markdown.h"

namespace precedent {

// "SPACE/Title" → the version that was shown; 0: it was not to be read.
using IncludedVersions = std::map<std::string, int64_t>;

std::string page_key(const std::string& space, const std::string& title);

class ConfluenceIncludes {
 public:
  struct World {
    // The page with its text, if all who read this source may read it. Errors end the sync.
    std::function<Result<std::optional<ConfluencePage>>(const std::string& space,
                                                        const std::string& title)>
        find;
    // An address that opens it.
    std::function<std::string(const std::string& space, const std::string& title)> link;
  };
  explicit ConfluenceIncludes(World world) : world_(std::move(world)) {}

  // For each include of `text`, which is the page's.
  Result<IncludedTexts> follow(const ConfluencePage& page, const StorageText& text,
                               IncludedVersions& seen);

 private:
  using Found = std::shared_ptr<const ConfluencePage>;
  struct Path;

  Result<Found> find(const std::string& space, const std::string& title);
  Result<IncludedTexts> texts(const StorageText& text, const std::string& space, Path& path);
  Result<std::string> markdown_of(const ConfluencePage& page, const StorageInclude& include,
                                  Path& path);

  const World world_;
  std::map<std::pair<std::string, std::string>, Found> found_;  // null: none that may be shown
  size_t found_bytes_ = 0;
};

}  // namespace precedent
