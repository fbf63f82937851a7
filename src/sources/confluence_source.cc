#include "sources/confluence_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/hash.h"
#include "base/strings.h"
#include "net/url.h"
#include "sources/page_document.h"
#include "sources/rendered_macros.h"
#include "sources/storage_markdown.h"

namespace precedent {
namespace {

using nlohmann::json;

// Raise this when the same page gives another text.
constexpr int kConverterRules = 2;
// What a page of results may have: both APIs give less if that is too much.
constexpr int kListLimit = 250;
constexpr int kSearchLimit = 100;
// Pages whose bodies come in one reply of Cloud.
constexpr size_t kBatch = 25;
// A space of more pages is not one that people wrote.
constexpr size_t kMaxPages = 200'000;
// CQL reads times in the time zone of the account, which may be 14 hours off.
constexpr std::chrono::hours kOverlap{25};
constexpr std::string_view kExpand =
    "space,version,ancestors,metadata.labels,restrictions.read.restrictions.user,"
    "restrictions.read.restrictions.group";

// "2026-11-24 09:30", as CQL takes it.
std::string cql_time(TimePoint time) {
  const std::string text = format_time(time);
  return fmt::format("{} {}", text.substr(0, 10), text.substr(11, 5));
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(fmt::format("\"{}\"", name));
  return join(quoted, ",");
}

bool any_in(const std::vector<std::string>& some, const std::set<std::string>& all) {
  return std::ranges::any_of(some, [&](const std::string& one) { return all.contains(one); });
}

}  // namespace

// What the next listing needs of this one.
struct ConfluenceSource::Cursor {
  std::optional<TimePoint> since;    // the latest change that was seen
  std::set<std::string> restricted;  // ids of pages

  static Cursor parse(const std::string& text) {
    Cursor cursor;
    const json value = parse_json(text);
    if (!value.is_object()) return cursor;
    if (const auto since = value.find("since"); since != value.end() && since->is_string())
      if (const auto time = parse_time(since->get<std::string>())) cursor.since = *time;
    if (const auto ids = value.find("restricted"); ids != value.end() && ids->is_array())
      for (const json& id : *ids)
        if (id.is_string()) cursor.restricted.insert(id.get<std::string>());
    return cursor;
  }
  std::string text() const {
    json value = {{"restricted", restricted}};
    if (since) value["since"] = format_time(*since);
    return dump_json(value);
  }
};

// One read(), and what it found.
struct ConfluenceSource::Reading {
  DocumentSink& sink;
  ReadSummary summary = {};
  std::map<std::string, size_t> unknown_macros = {};
  size_t rendered = 0, includes = 0;

  void bad(const std::string& path, std::string message) {
    ++summary.bad;
    sink.bad({path, 0, "", std::move(message)});
  }
};

ConfluenceSource::ConfluenceSource(SourceHttp http, ConfluenceOptions options)
    : http_(std::move(http)),
      options_(std::move(options)),
      scope_(fmt::format("confluence:{}", options_.name)) {}

std::string ConfluenceSource::document_id(const std::string& page) const {
  return fmt::format("{}-{}", options_.name, page);
}

std::string ConfluenceSource::path_of(const ConfluencePage& page) const {
  std::string title = page.title;
  std::ranges::replace(title, '/', ' ');
  return fmt::format("confluence:{}/{}", page.space, squeeze(title));
}

std::string ConfluenceSource::link_of(const ConfluencePage& page) const {
  return page.link.empty() ? http_.address(fmt::format("/pages/viewpage.action?pageId={}", page.id))
                           : http_.address(page.link);
}

// A page may move or be labelled without another version. One word: it is nothing to read.
std::string ConfluenceSource::revision_of(const ConfluencePage& page) const {
  return fmt::format("{}.{}-{}", page.version, kConverterRules,
                     content_hash(fmt::format("{}\n{}\n{}\n{}", options_.settings, page.space,
                                              page.title, join(page.labels, "\n"))));
}

Result<void> ConfluenceSource::each_page(std::string url, const CancelToken& cancel,
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

Result<void> ConfluenceSource::search(const std::string& cql, const CancelToken& cancel,
                                      const OnPage& on_page) {
  return each_page(
      http_.address(fmt::format("/rest/api/content/search?cql={}&expand={}&limit={}",
                                percent_encoded(cql), percent_encoded(kExpand), kSearchLimit)),
      cancel, on_page);
}

Result<void> ConfluenceSource::sweep_cloud(std::vector<ConfluencePage>& pages,
                                           SourceListing& listing, const CancelToken& cancel) {
  std::map<std::string, ConfluencePage> found;
  TRY(search(fmt::format("space in ({}) and type = page", quoted_list(options_.spaces)), cancel,
             [&](ConfluencePage&& page) {
               std::string id = page.id;
               found.insert_or_assign(std::move(id), std::move(page));
             }));
  size_t unknown = 0;
  for (const std::string& space : options_.spaces) {
    const json reply =
        TRY(http_.get_json(http_.address("/api/v2/spaces?keys=" + percent_encoded(space)), cancel));
    const std::string id = first_space_id(reply);
    if (id.empty())
      return fail(ErrorCode::kNotFound,
                  fmt::format("there is no space '{}', or it is not shown to this account; check "
                              "'spaces'",
                              space));
    TRY(each_page(http_.address(fmt::format("/api/v2/spaces/{}/pages?status=current&limit={}", id,
                                            kListLimit)),
                  cancel, [&](ConfluencePage&& page) {
                    const auto known = found.find(page.id);
                    // New pages reach the index of the search later. Until then nobody knows who
                    // may read them.
                    if (known == found.end()) {
                      ++unknown;
                      listing.kept.push_back(document_id(page.id));
                      return;
                    }
                    page.space = space;
                    page.ancestors = std::move(known->second.ancestors);
                    page.labels = std::move(known->second.labels);
                    page.restricted = known->second.restricted;
                    pages.push_back(std::move(page));
                  }));
  }
  if (unknown > 0)
    listing.notes.push_back(fmt::format(
        "{} pages are not yet in Confluence's own index; the next sync takes them", unknown));
  return {};
}

Result<void> ConfluenceSource::sweep(SourceListing& listing, Cursor& cursor,
                                     const CancelToken& cancel) {
  listing.everything = true;
  cursor = {};
  std::vector<ConfluencePage> pages;
  if (options_.data_center) {
    for (const std::string& space : options_.spaces)
      TRY(each_page(
          http_.address(fmt::format(
              "/rest/api/content?type=page&status=current&spaceKey={}&expand={}&start=0&limit={}",
              percent_encoded(space), percent_encoded(kExpand), kSearchLimit)),
          cancel, [&](ConfluencePage&& page) {
            if (page.space.empty()) page.space = space;
            pages.push_back(std::move(page));
          }));
  } else {
    TRY(sweep_cloud(pages, listing, cancel));
  }
  for (const ConfluencePage& page : pages)
    if (page.restricted) cursor.restricted.insert(page.id);
  take(std::move(pages), listing, cursor);
  return {};
}

Result<void> ConfluenceSource::changes(SourceListing& listing, Cursor& cursor,
                                       const CancelToken& cancel) {
  std::vector<ConfluencePage> pages;
  TRY(search(fmt::format("space in ({}) and type = page and lastmodified >= \"{}\" order by "
                         "lastmodified",
                         quoted_list(options_.spaces), cql_time(*cursor.since - kOverlap)),
             cancel, [&](ConfluencePage&& page) { pages.push_back(std::move(page)); }));
  for (const ConfluencePage& page : pages) {
    if (page.restricted)
      cursor.restricted.insert(page.id);
    else
      cursor.restricted.erase(page.id);
  }
  take(std::move(pages), listing, cursor);
  return {};
}

// What of the pages may be taken.
void ConfluenceSource::take(std::vector<ConfluencePage> pages, SourceListing& listing,
                            Cursor& cursor) {
  size_t hidden = 0;
  for (ConfluencePage& page : pages) {
    if (page.modified && (!cursor.since || *page.modified > *cursor.since))
      cursor.since = page.modified;
    const bool labelled = options_.labels.empty() ||
                          std::ranges::any_of(options_.labels, [&](const std::string& label) {
                            return std::ranges::find(page.labels, label) != page.labels.end();
                          });
    const bool restricted =
        cursor.restricted.contains(page.id) || any_in(page.ancestors, cursor.restricted);
    hidden += restricted && labelled;
    if (restricted || !labelled) {
      listing.gone.push_back(document_id(page.id));
      continue;
    }
    listing.entries.push_back({document_id(page.id), revision_of(page), page.id});
    std::string id = page.id;
    listed_.insert_or_assign(std::move(id), std::move(page));
  }
  if (hidden > 0)
    listing.notes.push_back(fmt::format("{} page{} not taken, as only some people may read {}",
                                        hidden, hidden == 1 ? " was" : "s were",
                                        hidden == 1 ? "it" : "them"));
}

Result<SourceListing> ConfluenceSource::list(const std::string& text, const SyncContext& context) {
  SourceListing listing;
  listed_.clear();
  Cursor cursor = Cursor::parse(text);
  if (context.sweep || !cursor.since)
    TRY(sweep(listing, cursor, context.cancel));
  else
    TRY(changes(listing, cursor, context.cancel));
  listing.cursor = cursor.text();
  return listing;
}

Result<ReadSummary> ConfluenceSource::read(std::span<const SourceEntry> entries,
                                           const SyncContext& context, DocumentSink& sink) {
  Reading reading{sink};
  const size_t batch = options_.data_center ? 1 : kBatch;
  for (size_t begin = 0; begin < entries.size(); begin += batch) {
    TRY(context.cancel.check());
    TRY(read_batch(entries.subspan(begin, std::min(batch, entries.size() - begin)), context.cancel,
                   reading));
    sink.progress(begin, entries.size());
  }
  std::vector<std::string> macros;
  for (const auto& [name, count] : reading.unknown_macros)
    macros.push_back(fmt::format("{} ({})", name, count));
  if (!macros.empty())
    reading.summary.warnings.push_back(fmt::format(
        "macros that are not known, of which the text was kept: {}{}", join(macros, ", "),
        reading.rendered == 0
            ? ""
            : fmt::format("; {} without one as the page shows them", reading.rendered)));
  if (reading.includes > 0)
    reading.summary.warnings.push_back(
        fmt::format("{} includes of other pages are named, not followed", reading.includes));
  return std::move(reading.summary);
}

Result<void> ConfluenceSource::read_batch(std::span<const SourceEntry> entries,
                                          const CancelToken& cancel, Reading& reading) {
  if (entries.size() == 1) return read_one(entries.front(), cancel, reading);
  std::vector<std::string> ids;
  for (const SourceEntry& entry : entries) ids.push_back(entry.ref);
  std::map<std::string, ConfluencePage> pages;
  const auto asked = each_page(
      http_.address(fmt::format("/api/v2/pages?id={}&body-format=storage&status=current&limit={}",
                                join(ids, ","), kBatch)),
      cancel, [&](ConfluencePage&& page) {
        std::string id = page.id;
        pages.insert_or_assign(std::move(id), std::move(page));
      });
  // One page that is too large must not cost its neighbours.
  const bool too_large = !asked && asked.error().code == ErrorCode::kResourceExhausted;
  if (!asked && !too_large) return asked;
  for (const SourceEntry& entry : entries) {
    const auto page = pages.find(entry.ref);
    if (page != pages.end())
      TRY(hand_on(entry, page->second, cancel, reading));
    else if (too_large)
      TRY(read_one(entry, cancel, reading));
  }
  return {};
}

Result<void> ConfluenceSource::read_one(const SourceEntry& entry, const CancelToken& cancel,
                                        Reading& reading) {
  const auto reply = http_.get_json(
      http_.address(
          options_.data_center
              ? fmt::format("/rest/api/content/{}?expand=body.storage,version,space", entry.ref)
              : fmt::format("/api/v2/pages/{}?body-format=storage", entry.ref)),
      cancel);
  if (reply) return hand_on(entry, read_confluence_page(*reply), cancel, reading);
  // Deleted since it was listed: the next sync sees that.
  if (reply.error().code == ErrorCode::kNotFound) return {};
  if (reply.error().code != ErrorCode::kResourceExhausted) return std::unexpected(reply.error());
  const auto listed = listed_.find(entry.ref);
  reading.bad(listed == listed_.end() ? entry.id : path_of(listed->second),
              fmt::format("the page is larger than {} MB and was not read; divide it",
                          kMaxSourceReply >> 20));
  return {};
}

Result<StorageText> ConfluenceSource::with_rendered(StorageText text, const ConfluencePage& page,
                                                    const CancelToken& cancel) const {
  if (!options_.rendered || text.bodiless.empty()) return text;
  const auto reply = http_.get_json(
      http_.address(options_.data_center
                        ? fmt::format("/rest/api/content/{}?expand=body.view", page.id)
                        : fmt::format("/api/v2/pages/{}?body-format=view", page.id)),
      cancel);
  if (!reply) {
    // A view that is too large, or refused: the page itself is there.
    const ErrorCode code = reply.error().code;
    if (code == ErrorCode::kCancelled || code == ErrorCode::kUnavailable ||
        code == ErrorCode::kTimeout)
      return std::unexpected(reply.error());
    return text;
  }
  RenderedMacros rendered = rendered_macros(read_confluence_page(*reply).view, text.bodiless);
  std::erase_if(rendered, [&](const auto& one) {
    const auto count = text.bodiless.find(one.first);
    return count == text.bodiless.end() || count->second != one.second.size();
  });
  if (rendered.empty()) return text;
  auto whole = storage_to_markdown(*page.storage, rendered);
  return whole ? std::move(*whole) : std::move(text);
}

Result<void> ConfluenceSource::hand_on(const SourceEntry& entry, const ConfluencePage& page,
                                       const CancelToken& cancel, Reading& reading) {
  const auto listed = listed_.find(entry.ref);
  if (listed == listed_.end() || page.id != entry.ref) return {};
  const ConfluencePage& known = listed->second;
  const std::string path = path_of(known);
  ++reading.summary.files;
  if (!page.storage) {
    reading.bad(path, "came without its text; check that the account may read it");
    return {};
  }
  auto text = storage_to_markdown(*page.storage);
  if (!text) {
    reading.bad(path, text.error().message);
    return {};
  }
  *text = TRY(with_rendered(std::move(*text), page, cancel));
  reading.rendered += text->rendered;
  for (const auto& [name, count] : text->unknown_macros) reading.unknown_macros[name] += count;
  reading.includes += text->includes;
  auto document = page_document(known.title.empty() ? entry.ref : known.title, text->markdown, path,
                                options_.read.kind);
  if (!document) {
    reading.bad(path, document.error().message);
    return {};
  }
  document->id = entry.id;
  document->source = scope_;
  document->updated_at = known.modified;
  document->services = options_.read.services;
  document->tags = options_.read.tags;
  document->tags.insert(document->tags.end(), known.labels.begin(), known.labels.end());
  document->attributes[std::string(kRevisionAttribute)] = entry.revision;
  document->attributes[std::string(kVersionAttribute)] = std::to_string(known.version);
  document->attributes[std::string(kLinkAttribute)] = link_of(known);
  ++reading.summary.documents;
  return reading.sink.document(std::move(*document), 0);
}

}  // namespace precedent
