// What the reading side of an ingest decides about each document: new, changed, unchanged, twice
// there, bad.
//
// Thread safety: one thread at a time; read the results after the reading has ended.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ingest/intake/ingest_report.h"
#include "ingest/publish/prepare.h"
#include "ingest/reading/reader.h"
#include "store/knowledge_store.h"

namespace precedent {

class Intake final : public DocumentSink {
 public:
  // Receives batches of documents to be prepared, and empty ones that only say how far the reading
  // is.
  using Emit = std::function<Result<void>(PreparedBatch&&)>;

  // Lifetime: `report` outlives it. Counts unchanged and bad there; what is emitted is the
  // pipeline's to count.
  Intake(const std::vector<DocumentState>& known, size_t batch_bytes, const CancelToken& cancel,
         IngestReport& report);

  void emit_to(Emit emit) { emit_ = std::move(emit); }

  Result<void> document(Document&& document, size_t line) override;
  void bad(BadRecord&& bad) override;
  bool unchanged(const std::string& id, std::string_view revision,
                 const std::string& source) override;
  bool unchanged_content(const std::string& id, std::string_view hash,
                         const std::string& source) override;
  std::string id_of(const Place& place) override { return path_ids_.id_of(place); }
  void progress(uint64_t bytes_read, uint64_t bytes_total) override;
  // The last batch. To be called once after the reading.
  Result<void> finish();

  // Ids that belong to one of the sources and were not read again. What is in a file of which any
  // record was bad, or in what could not be read at all, has not vanished: it stays.
  struct Vanished {
    std::vector<std::string> ids;
    std::map<std::string, size_t> kept;  // documents that stay, by file
  };
  Vanished vanished(const ReadSummary& summary) const;

 private:
  struct Known {
    std::string hash;
    std::string source;
    std::string path;
    bool seen = false;
    std::string where{};  // "a.json:12", of the one that was seen
  };

  Result<void> send();
  bool is_of_another(const Document& document);
  bool taken_as_read(const std::string& id, const std::string& mark, const std::string& source);

  std::unordered_map<std::string, Known> known_;
  std::unordered_map<std::string, std::string> repositories_;  // where each is, by its name
  std::set<std::string> refused_;                              // repositories, told once each
  PathIds path_ids_;
  size_t batch_bytes_;
  const CancelToken& cancel_;
  IngestReport& report_;
  Emit emit_;
  PreparedBatch batch_;
  std::set<std::string> bad_paths_;
  OfKind bare_;  // incidents with a title alone
  uint64_t read_ = 0, total_ = 0;
};

}  // namespace precedent
