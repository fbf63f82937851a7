// DocumentSpool: what a source hands on, kept in a file until it may be stored.
//
// A wiki is asked for minutes; the knowledge base is locked for the seconds that storing takes. In
// between the documents wait here, one JSON object a line, so that memory is bounded by the largest
// one. The file is of this process and this sync alone: it goes with the object, and what a killed
// process left is overwritten. Errors: kResourceExhausted for a full disk and above kMaxSpoolBytes;
// kCorrupt for a file that somebody else changed; those of the source and of the sink.
// Thread safety: one thread.
#pragma once

#include <filesystem>
#include <functional>

#include "base/cancel.h"
#include "base/error.h"
#include "ingest/reading/reader.h"

namespace precedent {

// Of the texts of one sync. 200,000 pages of 20 kB.
inline constexpr uint64_t kMaxSpoolBytes = uint64_t{4} * 1024 * 1024 * 1024;

class DocumentSpool {
 public:
  static Result<DocumentSpool> open(const std::filesystem::path& file);
  DocumentSpool(DocumentSpool&& other) noexcept;
  DocumentSpool& operator=(DocumentSpool&&) = delete;
  ~DocumentSpool();

  // Keeps all that `read` hands on, and its summary; after an error, what came before it.
  Result<void> fill(const std::function<Result<ReadSummary>(DocumentSink& sink)>& read);
  bool empty() const { return bytes_ == 0; }
  // Hands the same on.
  Result<ReadSummary> replay(DocumentSink& sink, const CancelToken& cancel);

 private:
  explicit DocumentSpool(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;  // "" once moved from
  ReadSummary summary_;
  uint64_t bytes_ = 0;
};

}  // namespace precedent
