#include "cli/writer.h"

#include <fmt/format.h>

#include "agent/knowledge_base.h"
#include "ingest/document_chunks.h"
#include "text/analyzer.h"

namespace precedent {

Result<KnowledgeWriter> KnowledgeWriter::open(const WriterOptions& options) {
  TRY(make_directories(options.data_dir));
  Result<FileLock> lock = FileLock::acquire(ingest_lock_file(options.data_dir));
  if (!lock && lock.error().code == ErrorCode::kConflict) {
    return fail(
        ErrorCode::kConflict,
        fmt::format(
            "another process is ingesting into {}: {}; wait for it to end and run this again",
            options.data_dir.string(), lock.error().text()));
  }
  if (!lock) return std::unexpected(lock.error());
  KnowledgeStore store =
      TRY(KnowledgeStore::open(store_file(options.data_dir), KnowledgeStore::Access::kReadWrite));
  KnowledgeWriter writer(std::move(*lock), std::move(store), options.data_dir);
  if (!options.dense) {
    writer.without_weights_ = "searching by words only, as asked";
    return writer;
  }
  EncoderState encoder = TRY(open_encoder(options.precision));
  writer.without_weights_ = std::move(encoder.missing);
  writer.embedder_ = std::move(encoder.embedder);
  return writer;
}

Result<IngestReport> KnowledgeWriter::ingest(const IngestOptions& options, DocumentReader read,
                                             ProgressSink* progress, const CancelToken& cancel) {
  const Analyzer analyzer;
  const PieceCounter count = embedder_ != nullptr ? PieceCounter([this](std::string_view text) {
    return embedder_->tokenizer().count(text);
  })
                                                  : PieceCounter(estimate_pieces);
  const IngestParts parts{store_,
                          indexes_,
                          embedder_.get(),
                          [&](std::string_view text) { return analyzer.terms(text); },
                          [&](const Document& document) { return document_chunks(document, count, limits_); },
                          std::move(read)};
  return precedent::ingest(options, parts, progress, cancel);
}

}  // namespace precedent
