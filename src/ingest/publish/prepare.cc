#include "ingest/publish/prepare.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/hash.h"
#include "ingest/chunks/chunker.h"
#include "ingest/reading/reader.h"

namespace precedent {
namespace {

// Raise this when the same document gives other chunks (document_chunks.h), another
// embedding_text() or other FieldLengths: the next ingest then prepares every document again.
constexpr std::string_view kPreparationRules = ".4";

}  // namespace

std::string preparation_mark(const Document& document) {
  const auto revision = document.attributes.find(kRevisionAttribute);
  if (revision != document.attributes.end()) return preparation_mark(document.id, revision->second);
  return mark_of_content(document.source == kVersionSource ? record_hash(document)
                                                           : content_hash(document));
}

std::string mark_of_content(std::string_view hash) {
  return std::string(hash).append(kPreparationRules);
}

std::string preparation_mark(std::string_view id, std::string_view revision) {
  return content_hash(std::string("revision\0", 9).append(id).append("\0", 1).append(revision))
      .append(kPreparationRules);
}

bool is_of_these_rules(std::string_view mark) { return mark.ends_with(kPreparationRules); }

Preparer::Preparer(const KnowledgeStore& store, const Embedder* embedder, std::string model_id,
                   Tokenizer tokenize, Chunker chunk, bool look_only)
    : store_(store),
      embedder_(embedder),
      model_id_(std::move(model_id)),
      tokenize_(std::move(tokenize)),
      chunk_(std::move(chunk)),
      look_only_(look_only) {}

Result<void> Preparer::prepare(PreparedBatch& batch) const {
  for (PreparedDocument& item : batch.documents) {
    const Document& document = item.stored.document;
    for (Chunk& chunk : chunk_(document)) {
      std::string key = content_hash(embedding_text(document, chunk));
      item.stored.chunks.push_back({std::move(chunk), std::move(key)});
    }
    if (look_only_) continue;
    item.terms = analyze(document, item.stored.chunks, tokenize_);
    item.stored.lengths = item.terms.lengths();
  }
  return add_vectors(batch);
}

Result<void> Preparer::prepare_stored(PreparedBatch& batch) const {
  for (PreparedDocument& item : batch.documents) {
    item.terms = analyze(item.stored.document, item.stored.chunks, tokenize_);
  }
  return add_vectors(batch);
}

Result<void> Preparer::prepare_vectors(PreparedBatch& batch) const { return add_vectors(batch); }

// A chunk's place in the batch.
struct Preparer::Wanted {
  size_t document;
  size_t chunk;
};

Result<void> Preparer::add_vectors(PreparedBatch& batch) const {
  if (model_id_.empty()) return {};
  std::vector<std::string> keys;
  std::vector<Wanted> places;
  for (size_t d = 0; d < batch.documents.size(); ++d) {
    PreparedDocument& item = batch.documents[d];
    item.vectors.resize(item.stored.chunks.size());
    if (embedder_ != nullptr) item.stored.model_id = model_id_;
    for (size_t c = 0; c < item.stored.chunks.size(); ++c) {
      keys.push_back(item.stored.chunks[c].embedding_key);
      places.push_back({d, c});
    }
  }
  auto known = TRY(store_.vectors(model_id_, keys));
  std::vector<Wanted> missing;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (known[i].empty()) {
      missing.push_back(places[i]);
    } else {
      batch.documents[places[i].document].vectors[places[i].chunk] = std::move(known[i]);
      batch.cached.push_back(std::move(keys[i]));
    }
  }
  if (embedder_ == nullptr || missing.empty()) return {};
  return embed(batch, missing);
}

Result<void> Preparer::embed(PreparedBatch& batch, const std::vector<Wanted>& missing) const {
  // The same text in several chunks is embedded once.
  std::unordered_map<std::string_view, size_t> rows;
  std::vector<std::string> texts;
  for (const auto& [d, c] : missing) {
    const NewDocument& stored = batch.documents[d].stored;
    const StoredChunk& chunk = stored.chunks[c];
    if (!rows.try_emplace(chunk.embedding_key, rows.size()).second) {
      batch.cached.push_back(chunk.embedding_key);
      continue;
    }
    batch.fresh.push_back({chunk.embedding_key, {}});
    if (!look_only_) texts.push_back(embedding_text(stored.document, chunk.chunk));
  }
  if (look_only_) return {};
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const Embeddings embedded = TRY(embedder_->embed(views));
  if (embedded.count() != views.size()) {
    return fail(ErrorCode::kInternal,
                fmt::format("the embedder {} gave {} vectors for {} texts", embedder_->model_id(),
                            embedded.count(), views.size()));
  }
  for (size_t i = 0; i < views.size(); ++i) {
    const auto row = embedded.row(i);
    batch.fresh[i].values.assign(row.begin(), row.end());
  }
  for (const auto& [d, c] : missing) {
    PreparedDocument& item = batch.documents[d];
    item.vectors[c] = batch.fresh[rows.at(item.stored.chunks[c].embedding_key)].values;
  }
  return {};
}

}  // namespace precedent
