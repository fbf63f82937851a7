// Over 400 lines: one sweep over two editions of the API, by one cursor.
#include "sources/confluence_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/hash.h"
#include "base/strings.h"
#include "sources/page_document.h"
#include "sources/rendered_macros.h"
#include "sources/storage_markdown.h"

namespace precedent {
namespace {

using nlohmann::json;

// Raise this when the same page gives another text.
constexpr int kConverterRules = 3;
// CQL reads times in the time zone of the account, which may be 14 hours off.
constexpr std::chrono::hours kOverlap{25};
// "2026-11-24 09:30", as CQL takes it.
std::string cql_time(TimePoint time) {
  const std::string text = format_time(time);
  return fmt::format("{} {}", text.substr(0, 10), text.substr(11, 5));
}

// A page whose includes changed is another one.
std::string with_includes(const std::string& revision, const IncludedVersions& includes) {
  if (includes.empty()) return revision;
  std::string text;
  for (const auto& [page, version] : includes) text += fmt::format("{}\n{}\n", page, version);
  return fmt::format("{}+{}", revision, content_hash(text));
}

// Whether a request that failed ends the sync, rather than leaving out what it asked for.
bool ends_sync(ErrorCode code) {
  return code == ErrorCode::kCancelled || code == ErrorCode::kUnavailable ||
         code == ErrorCode::kTimeout;
}

bool any_in(const std::vector<std::string>& some, const std::set<std::string>& all) {
  return std::ranges::any_of(some, [&](const std::string& one) { return all.contains(one); });
}

}  // namespace

// What the next listing needs of this one.
struct ConfluenceSource::Cursor {
  std::optional<TimePoint> since;    // the latest change that was seen
  std::set<std::string> restricted;  // ids of pages
  std::map<std::string, IncludedVersions> includes;

  static Cursor parse(const std::string& text) {
    Cursor cursor;
    const json value = parse_json(text);
    if (!value.is_object()) return cursor;
    if (const auto since = value.find("since"); since != value.end() && since->is_string())
      if (const auto time = parse_time(since->get<std::string>())) cursor.since = *time;
    if (const auto ids = value.find("restricted"); ids != value.end() && ids->is_array())
      for (const json& id : *ids)
        if (id.is_string()) cursor.restricted.insert(id.get<std::string>());
    if (const auto pages = value.find("includes"); pages != value.end() && pages->is_object())
      for (const auto& [id, included] : pages->items())
        for (const auto& [page, version] : included.items())
          if (version.is_number_integer()) cursor.includes[id][page] = version.get<int64_t>();
    return cursor;
  }
  std::string text() const {
    json value = {{"restricted", restricted}};
    if (!includes.empty()) value["includes"] = includes;
    if (since) value["since"] = format_time(*since);
    return dump_json(value);
  }
};

// One read(), and what it found.
struct ConfluenceSource::Reading {
  DocumentSink& sink;
  ConfluenceIncludes included;
  ReadSummary summary = {};
  std::map<std::string, size_t> unknown_macros = {};
  size_t rendered = 0, followed = 0, named = 0;

  void bad(const std::string& path, std::string message) {
    ++summary.bad;
    sink.bad({path, 0, "", std::move(message)});
  }
};

ConfluenceSource::ConfluenceSource(SourceHttp http, ConfluenceOptions options)
    : api_(std::move(http), options.data_center),
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

// A page may move or be labelled without another version. One word: it is nothing to read.
std::string ConfluenceSource::revision_of(const ConfluencePage& page) const {
  return fmt::format("{}.{}-{}", page.version, kConverterRules,
                     content_hash(fmt::format("{}\n{}\n{}\n{}", options_.settings, page.space,
                                              page.title, join(page.labels, "\n"))));
}

Result<void> ConfluenceSource::sweep_cloud(std::vector<ConfluencePage>& pages,
                                           SourceListing& listing, const CancelToken& cancel) {
  std::map<std::string, ConfluencePage> found;
  TRY(api_.search(fmt::format("space in ({}) and type = page", cql_list(options_.spaces)), cancel,
                  [&](ConfluencePage&& page) {
                    std::string id = page.id;
                    found.insert_or_assign(std::move(id), std::move(page));
                  }));
  size_t unknown = 0;
  for (const std::string& space : options_.spaces) {
    TRY(api_.cloud_pages(space, cancel, [&](ConfluencePage&& page) {
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
      TRY(api_.space_pages(space, cancel, [&](ConfluencePage&& page) {
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

void ConfluenceSource::note_restrictions(const std::vector<ConfluencePage>& pages, Cursor& cursor) {
  for (const ConfluencePage& page : pages) {
    if (page.restricted)
      cursor.restricted.insert(page.id);
    else
      cursor.restricted.erase(page.id);
  }
}

Result<void> ConfluenceSource::changes(SourceListing& listing, Cursor& cursor,
                                       const CancelToken& cancel) {
  std::vector<ConfluencePage> pages;
  TRY(api_.search(fmt::format("space in ({}) and type = page and lastmodified >= \"{}\" order by "
                              "lastmodified",
                              cql_list(options_.spaces), cql_time(*cursor.since - kOverlap)),
                  cancel, [&](ConfluencePage&& page) { pages.push_back(std::move(page)); }));
  note_restrictions(pages, cursor);
  take(std::move(pages), listing, cursor);
  return changed_includes(listing, cursor, cancel);
}

// Pages that did not change, and show one that did.
Result<void> ConfluenceSource::changed_includes(SourceListing& listing, Cursor& cursor,
                                                const CancelToken& cancel) {
  std::vector<std::string> ids;
  for (auto& [id, included] : cursor.includes) {
    bool changed = false;
    for (auto& [page, version] : included)
      if (const auto now = versions_.find(page); now != versions_.end() && now->second != version) {
        version = now->second;
        changed = true;
      }
    if (changed && !listed_.contains(id)) ids.push_back(id);
  }
  for (size_t begin = 0; begin < ids.size(); begin += ConfluenceApi::kBatch) {
    const std::vector<std::string> some(
        ids.begin() + static_cast<std::ptrdiff_t>(begin),
        ids.begin() +
            static_cast<std::ptrdiff_t>(std::min(ids.size(), begin + ConfluenceApi::kBatch)));
    std::vector<ConfluencePage> pages;
    TRY(api_.search(fmt::format("space in ({}) and type = page and id in ({})",
                                cql_list(options_.spaces), join(some, ",")),
                    cancel, [&](ConfluencePage&& page) { pages.push_back(std::move(page)); }));
    note_restrictions(pages, cursor);
    take(std::move(pages), listing, cursor);
  }
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
    versions_[page_key(page.space, page.title)] = restricted ? 0 : page.version;
    if (restricted || !labelled) {
      cursor.includes.erase(page.id);
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
  versions_.clear();
  Cursor cursor = Cursor::parse(text);
  if (context.sweep || !cursor.since)
    TRY(sweep(listing, cursor, context.cancel));
  else
    TRY(changes(listing, cursor, context.cancel));
  for (SourceEntry& entry : listing.entries)
    if (const auto included = cursor.includes.find(entry.ref); included != cursor.includes.end())
      entry.revision = with_includes(entry.revision, included->second);
  listing.cursor = cursor.text();
  restricted_ = std::move(cursor.restricted);
  includes_ = std::move(cursor.includes);
  return listing;
}

std::string ConfluenceSource::cursor_after(const std::string& listed) const {
  Cursor cursor = Cursor::parse(listed);
  cursor.includes = includes_;
  return cursor.text();
}

Result<ReadSummary> ConfluenceSource::read(std::span<const SourceEntry> entries,
                                           const SyncContext& context, DocumentSink& sink) {
  Reading reading{sink,
                  ConfluenceIncludes({[&](const std::string& space, const std::string& title) {
                                        return find_page(space, title, context.cancel);
                                      },
                                      [this](const std::string& space, const std::string& title) {
                                        return api_.link_to(space, title);
                                      }})};
  const size_t batch = options_.data_center ? 1 : ConfluenceApi::kBatch;
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
  if (reading.followed + reading.named > 0)
    reading.summary.warnings.push_back(fmt::format(
        "includes of other pages: {} were followed, {} are only named, as not everybody "
        "may read those pages, or they are elsewhere",
        reading.followed, reading.named));
  return std::move(reading.summary);
}

Result<void> ConfluenceSource::read_batch(std::span<const SourceEntry> entries,
                                          const CancelToken& cancel, Reading& reading) {
  if (entries.size() == 1) return read_one(entries.front(), cancel, reading);
  std::vector<std::string> ids;
  for (const SourceEntry& entry : entries) ids.push_back(entry.ref);
  std::map<std::string, ConfluencePage> pages;
  const auto asked = api_.bodies(ids, cancel, [&](ConfluencePage&& page) {
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
  const auto page = api_.body(entry.ref, cancel);
  if (page) return hand_on(entry, *page, cancel, reading);
  // Deleted since it was listed: the next sync sees that.
  if (page.error().code == ErrorCode::kNotFound) return {};
  if (page.error().code != ErrorCode::kResourceExhausted) return std::unexpected(page.error());
  const auto listed = listed_.find(entry.ref);
  reading.bad(listed == listed_.end() ? entry.id : path_of(listed->second),
              fmt::format("the page is larger than {} MB and was not read; divide it",
                          kMaxSourceReply >> 20));
  return {};
}

Result<std::optional<ConfluencePage>> ConfluenceSource::find_page(const std::string& space,
                                                                  const std::string& title,
                                                                  const CancelToken& cancel) const {
  // Of another space nobody said that its pages may be read.
  if (std::ranges::find(options_.spaces, space) == options_.spaces.end()) return std::nullopt;
  const auto found = api_.page_named(space, title, cancel);
  if (!found && ends_sync(found.error().code)) return found;
  if (!found || !*found) return std::nullopt;
  const ConfluencePage& page = **found;
  if (page.restricted || restricted_.contains(page.id) || any_in(page.ancestors, restricted_))
    return std::nullopt;
  return found;
}

Result<RenderedMacros> ConfluenceSource::rendered_of(const StorageText& text,
                                                     const ConfluencePage& page,
                                                     const CancelToken& cancel) const {
  if (!options_.rendered || text.bodiless.empty()) return RenderedMacros();
  const auto view = api_.view(page.id, cancel);
  if (!view) {
    // A view that is too large, or refused: the page itself is there.
    if (ends_sync(view.error().code)) return std::unexpected(view.error());
    return RenderedMacros();
  }
  RenderedMacros rendered = rendered_macros(*view, text.bodiless);
  std::erase_if(rendered, [&](const auto& one) {
    const auto count = text.bodiless.find(one.first);
    return count == text.bodiless.end() || count->second != one.second.size();
  });
  return rendered;
}

Result<StorageText> ConfluenceSource::whole_text(StorageText text, const ConfluencePage& known,
                                                 const ConfluencePage& page,
                                                 const CancelToken& cancel, Reading& reading) {
  const RenderedMacros rendered = TRY(rendered_of(text, page, cancel));
  IncludedVersions seen;
  const IncludedTexts included = TRY(reading.included.follow(known, text, seen));
  includes_.erase(page.id);
  if (!seen.empty()) includes_[page.id] = std::move(seen);
  if (rendered.empty() && included.empty()) return text;
  auto whole = storage_to_markdown(*page.storage, rendered, included);
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
  *text = TRY(whole_text(std::move(*text), known, page, cancel, reading));
  reading.rendered += text->rendered;
  for (const auto& [name, count] : text->unknown_macros) reading.unknown_macros[name] += count;
  reading.followed += text->followed;
  reading.named += text->includes;
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
  const auto includes = includes_.find(page.id);
  document->attributes[std::string(kRevisionAttribute)] = with_includes(
      revision_of(known), includes == includes_.end() ? IncludedVersions() : includes->second);
  document->attributes[std::string(kVersionAttribute)] = std::to_string(known.version);
  document->attributes[std::string(kLinkAttribute)] = api_.link_of(known);
  ++reading.summary.documents;
  return reading.sink.document(std::move(*document), 0);
}

}  // namespace precedent
