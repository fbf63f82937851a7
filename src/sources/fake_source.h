// The fake of KnowledgeSource: documents in memory, with a version each. One thread.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sources/knowledge_source.h"

namespace precedent {

class FakeSource final : public KnowledgeSource {
 public:
  explicit FakeSource(std::string scope = "fake:notes") : scope_(std::move(scope)) {}

  void put(const std::string& name, std::string text) {
    Page& page = pages_[name];
    page.text = std::move(text);
    page.change = ++change_;
  }
  void remove(const std::string& name) {
    if (pages_.erase(name) > 0) removed_.emplace_back(++change_, name);
  }
  std::string id_of(const std::string& name) const { return fmt::format("{}/{}", scope_, name); }

  const std::string& scope() const override { return scope_; }
  bool is_remote() const override { return remote; }

  Result<SourceListing> list(const std::string& cursor, const SyncContext& context) override {
    TRY(context.cancel.check());
    if (list_fails) return std::unexpected(*list_fails);
    SourceListing listing;
    listing.everything = cursor.empty() || context.sweep;
    const size_t since = listing.everything ? 0 : std::stoul(cursor);
    for (const auto& [name, page] : pages_)
      if (page.change > since)
        listing.entries.push_back({id_of(name), fmt::format("v{}", page.change), name});
    for (const auto& [change, name] : removed_)
      if (change > since && !listing.everything && !pages_.contains(name))
        listing.gone.push_back(id_of(name));
    listing.cursor = std::to_string(change_);
    return listing;
  }

  Result<ReadSummary> read(std::span<const SourceEntry> entries, const SyncContext& context,
                           DocumentSink& sink) override {
    ReadSummary summary;
    for (const SourceEntry& entry : entries) {
      TRY(context.cancel.check());
      if (read_fails_at && summary.files == *read_fails_at)
        return fail(ErrorCode::kUnavailable, "the source broke off; try again");
      ++summary.files;
      ++reads;
      Document document;
      document.id = entry.id;
      document.kind = Kind::kRunbook;
      document.title = entry.ref;
      document.body = pages_.at(entry.ref).text;
      document.path = entry.id;
      document.source = scope_;
      document.attributes[std::string(kRevisionAttribute)] = entry.revision;
      TRY(sink.document(std::move(document), 1));
    }
    return summary;
  }

  bool remote = true;
  std::optional<Error> list_fails;
  std::optional<size_t> read_fails_at;  // after so many documents
  size_t reads = 0;

 private:
  struct Page {
    std::string text;
    size_t change = 0;
  };
  std::string scope_;
  std::map<std::string, Page> pages_;
  std::vector<std::pair<size_t, std::string>> removed_;
  size_t change_ = 0;
};

}  // namespace precedent
