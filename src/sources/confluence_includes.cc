#include "sources/confluence_includes.h"

#include <algorithm>

namespace precedent {
namespace {

// Templates of templates of templates: people nest no deeper, and a mistake does.
constexpr size_t kMaxDepth = 5;
// A page that shows more others is a directory of them.
constexpr size_t kMaxFollowed = 50;
// Longer, it is a document rather than a part of one.
constexpr size_t kMaxIncludedBytes = 256 * 1024;
// What many pages include is asked for once, as long as it fits here.
constexpr size_t kMaxKept = 16 * 1024 * 1024;

}  // namespace

// The way from a page down to what is being included.
struct ConfluenceIncludes::Path {
  std::vector<std::string> above;  // ids of pages
  IncludedVersions& seen;
  size_t left = kMaxFollowed;
};

std::string page_key(const std::string& space, const std::string& title) {
  return space + "/" + title;
}

Result<IncludedTexts> ConfluenceIncludes::follow(const ConfluencePage& page,
                                                 const StorageText& text, IncludedVersions& seen) {
  Path path{{page.id}, seen};
  return texts(text, page.space, path);
}

Result<ConfluenceIncludes::Found> ConfluenceIncludes::find(const std::string& space,
                                                           const std::string& title) {
  const std::pair key(space, title);
  if (const auto known = found_.find(key); known != found_.end()) return known->second;
  std::optional<ConfluencePage> page = TRY(world_.find(space, title));
  Found found;
  if (page && page->storage) found = std::make_shared<const ConfluencePage>(std::move(*page));
  const size_t bytes = found == nullptr ? 0 : found->storage->size();
  if (found_bytes_ + bytes > kMaxKept) {
    found_.clear();
    found_bytes_ = 0;
  }
  found_bytes_ += bytes;
  found_.emplace(key, found);
  return found;
}

Result<IncludedTexts> ConfluenceIncludes::texts(const StorageText& text, const std::string& space,
                                                Path& path) {
  IncludedTexts all;
  for (const StorageInclude& include : text.wants) {
    const std::string& in = include.space.empty() ? space : include.space;
    IncludedText& shown = all[include];
    shown.link = world_.link(in, include.title);
    if (path.above.size() > kMaxDepth || path.left == 0) continue;
    --path.left;
    const Found page = TRY(find(in, include.title));
    if (page == nullptr) {
      path.seen[page_key(in, include.title)] = 0;
      continue;
    }
    if (std::ranges::find(path.above, page->id) != path.above.end()) continue;
    path.seen[page_key(page->space, page->title)] = page->version;
    path.above.push_back(page->id);
    auto markdown = markdown_of(*page, include, path);
    path.above.pop_back();
    shown.markdown = TRY(std::move(markdown));
  }
  return all;
}

Result<std::string> ConfluenceIncludes::markdown_of(const ConfluencePage& page,
                                                    const StorageInclude& include, Path& path) {
  const auto convert = [&](const IncludedTexts& included) {
    return include.excerpt ? excerpt_to_markdown(*page.storage, *include.excerpt, included)
                           : storage_to_markdown(*page.storage, {}, included);
  };
  auto text = convert({});
  // No such excerpt, or no storage format: its own document says which.
  if (!text) return std::string();
  if (!text->wants.empty())
    if (auto whole = convert(TRY(texts(*text, page.space, path)))) text = std::move(whole);
  if (text->markdown.size() > kMaxIncludedBytes) return std::string();
  return std::move(text->markdown);
}

}  // namespace precedent
