// For the tests of sources: a knowledge base with all around it faked, and a vendor's server on a
// port of this machine.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ingest/ingest_lab.h"
#include "net/curl_http_client.h"
#include "net/http_server.h"
#include "sources/source_http.h"
#include "sources/sync.h"

namespace precedent {

// Syncs a source into a store that is opened anew each time.
class SourceLab {
 public:
  Result<SyncReport> sync(KnowledgeSource& source, SyncOptions options = {}) {
    const std::vector<DocumentState> known = TRY(states());
    const SyncContext context{cancel, known};
    Result<SyncReport> report = sync_source(source, cursor, options, context, access(),
                                            lab_.folder / "spool" / std::to_string(++syncs_));
    if (report && !options.dry_run) cursor = report->cursor;
    return report;
  }

  Result<std::vector<DocumentState>> states() {
    return TRY(KnowledgeStore::open(store_file(lab_.folder), KnowledgeStore::Access::kReadWrite))
        .states();
  }

  // Every document, by id.
  std::map<std::string, Document> documents() {
    std::map<std::string, Document> all;
    const auto known = states();
    EXPECT_TRUE(known) << known.error().text();
    std::vector<std::string> ids;
    for (const DocumentState& state : *known) ids.push_back(state.id);
    auto store =
        KnowledgeStore::open(store_file(lab_.folder), KnowledgeStore::Access::kReadOnly).value();
    auto stored = store.stored(ids).value();
    for (StoredDocument& one : stored) all.emplace(one.document.id, std::move(one.document));
    return all;
  }

  KnowledgeAccess access() {
    return {[this] { return states(); },
            [this]() -> Result<KnowledgeDoor> {
              TRY(before_opening());
              return TRY(door());
            }};
  }
  Result<KnowledgeDoor> door() {
    std::vector<DocumentState> known = TRY(states());
    return KnowledgeDoor{
        std::move(known),
        [this](const IngestOptions& options, DocumentReader read) -> Result<IngestReport> {
          auto store = TRY(
              KnowledgeStore::open(store_file(lab_.folder), KnowledgeStore::Access::kReadWrite));
          EmbeddedIndexCatalog indexes(lab_.folder);
          return ingest(options, {store, indexes, nullptr, words, paragraphs, std::move(read)},
                        nullptr, cancel);
        },
        [this](const std::vector<std::string>& ids, bool dry_run) {
          return lab_.remove(ids, dry_run);
        }};
  }

  // What somebody does while the source is asked.
  std::function<Result<void>()> before_opening = [] { return Result<void>(); };
  const std::filesystem::path& folder() const { return lab_.folder; }
  std::string cursor;
  CancelToken cancel;

 private:
  IngestLab lab_;
  size_t syncs_ = 0;
};

// Answers as `answer` says, and keeps what it was asked.
class VendorLab {
 public:
  using Answer = std::function<ServedResponse(const ServedRequest&)>;

  explicit VendorLab(Answer answer) : answer_(std::move(answer)) {
    server_ = HttpServer::start(
                  {},
                  [this](ServedRequest request, const Respond& respond) {
                    {
                      const std::lock_guard lock(mutex_);
                      requests_.push_back(request);
                    }
                    respond(answer_(request));
                  },
                  [](int status, std::string_view, std::string_view) {
                    return ServedResponse{.status = status};
                  })
                  .value();
  }

  std::string url(const std::string& path = "") const {
    return "http://127.0.0.1:" + std::to_string(server_->port()) + path;
  }
  // Since the last call.
  std::vector<ServedRequest> requests() {
    const std::lock_guard lock(mutex_);
    return std::exchange(requests_, {});
  }
  // Instead of waiting, the seconds are written down.
  SourceHttp http(const std::string& path = "", std::vector<HttpHeader> headers = {}) {
    return SourceHttp(
        client_, clock_,
        {url(path), std::move(headers), "LAB_TOKEN",
         [this](std::chrono::seconds time, const CancelToken& cancel) -> Result<void> {
           waited.push_back(time.count());
           return cancel.check();
         }});
  }

  std::vector<int64_t> waited;

 private:
  Answer answer_;
  std::mutex mutex_;
  std::vector<ServedRequest> requests_;
  CurlHttpClient client_{CurlHttpOptions{.loopback_only = true}};
  FixedClock clock_{parse_time("2026-11-24T12:00:00Z").value()};
  std::unique_ptr<HttpServer> server_;
};

}  // namespace precedent
