// A small knowledge base in memory with a Searcher over it: for the tests of search/ and tools/.
//
// A chunk is a paragraph of the body, a vector is hashed words. What is real: the analyser, the
// weights of sparse_encoder.h, and the ranking. The index can be told to fail. One thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "embed/fake_embedder.h"
#include "embed/fake_learned_reader.h"
#include "index/memory_index.h"
#include "index/sparse_encoder.h"
#include "knowledge/incident.h"
#include "search/searcher.h"
#include "text/code_analyzer.h"

namespace precedent {

// A MemoryIndex that fails every search and list once `error` is set, or throws.
class BreakableIndex final : public KnowledgeIndex {
 public:
  std::optional<Error> error;
  bool throws = false;

  IndexInfo info() const override { return memory_.info(); }
  Result<std::vector<PointScore>> search_sparse(const SparseVector& query, const Filter& filter,
                                                Level level, size_t limit) const override {
    TRY(check());
    return memory_.search_sparse(query, filter, level, limit);
  }
  Result<std::vector<PointScore>> search_dense(std::span<const float> query, const Filter& filter,
                                               size_t limit) const override {
    TRY(check());
    return memory_.search_dense(query, filter, limit);
  }
  Result<std::vector<Payload>> payloads(std::span<const uint64_t> ids) const override {
    return memory_.payloads(ids);
  }
  Result<std::vector<std::pair<uint64_t, Payload>>> chunks_of(
      std::string_view doc_id) const override {
    return memory_.chunks_of(doc_id);
  }
  Result<std::vector<std::vector<float>>> vectors(std::span<const uint64_t> ids) const override {
    return memory_.vectors(ids);
  }
  Result<std::vector<Payload>> list(const Filter& filter, Order order,
                                    size_t limit) const override {
    TRY(check());
    return memory_.list(filter, order, limit);
  }
  Result<size_t> count_documents(const Filter& filter) const override {
    TRY(check());
    return memory_.count_documents(filter);
  }
  Result<std::vector<FacetCount>> facet(Facet facet, const Filter& filter) const override {
    return memory_.facet(facet, filter);
  }
  Result<void> apply(const IndexUpdate& update, uint64_t version) override {
    return memory_.apply(update, version);
  }

 private:
  Result<void> check() const {
    if (throws) throw std::runtime_error("the index threw");
    if (error) return std::unexpected(*error);
    return {};
  }

  MemoryIndex memory_;
};

class SearchLab {
 public:
  explicit SearchLab(bool dense = true) : dense_(dense) {}

  SearchLab& add(const Document& document) {
    IndexUpdate update;
    std::vector<Chunk> chunks = paragraphs(document);
    Point whole = point_of(document, nullptr, document.body, chunks.size());
    update.add.push_back(std::move(whole));
    for (const Chunk& chunk : chunks)
      update.add.push_back(point_of(document, &chunk, chunk.text, chunks.size()));
    if (dense_) update.model_id = std::string(embedder.model_id());
    if (const auto applied = index.apply(update, ++version_); !applied)
      throw std::invalid_argument(applied.error().text());
    return *this;
  }

  // After the last add(): a Searcher reads the catalogue of names once.
  const Searcher& search(std::string_view synonym_rules = "") {
    synonyms_ = Synonyms::parse(synonym_rules, "test", analyzer).value();
    searcher_ = Searcher::open(index, dense_ ? &embedder : nullptr, analyzer, *synonyms_,
                               dense_ ? &lines : nullptr)
                    .value();
    return *searcher_;
  }

  BreakableIndex index;
  FakeEmbedder embedder;
  FakeLearnedReader lines;
  Analyzer analyzer;

 private:
  static std::vector<Chunk> paragraphs(const Document& document) {
    std::vector<Chunk> chunks;
    std::string_view rest = document.body;
    do {
      const size_t end = rest.find("\n\n");
      Chunk chunk;
      chunk.ordinal = static_cast<uint32_t>(chunks.size());
      chunk.text = std::string(rest.substr(0, end));
      chunks.push_back(std::move(chunk));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
    } while (!rest.empty());
    return chunks;
  }

  Point point_of(const Document& d, const Chunk* chunk, std::string_view text, size_t chunks) {
    Point point;
    point.id = ++points_;
    const auto count = [&](std::string_view words) {
      const bool code = population(d.kind) == Population::kCode;
      return count_terms(code ? CodeAnalyzer().terms(words) : analyzer.terms(words),
                         population(d.kind));
    };
    const TermCounts title = count(d.title);
    const TermCounts body = count(text);
    // About the averages of real runbooks; the tests compare documents of like length.
    point.sparse = encode({&title, nullptr, nullptr, &body}, {6, 0, 0, 40}, {});
    if (chunk != nullptr && dense_) {
      const std::string embedded = d.title + "\n" + chunk->text;
      const std::string_view view = embedded;
      point.dense = embedder.embed({&view, 1}).value().values;
    }
    Payload& p = point.payload;
    p.doc_id = d.id;
    p.kind = d.kind;
    p.level = chunk == nullptr ? Level::kDocument : Level::kChunk;
    p.chunk_count = static_cast<uint32_t>(chunks);
    p.title = d.title;
    p.path = d.path;
    p.services = d.services;
    p.tags = d.tags;
    p.application = d.application;
    p.severity = d.severity;
    p.status = d.status;
    p.opened_at = d.opened_at;
    if (chunk != nullptr) {
      p.ordinal = chunk->ordinal;
      p.heading = chunk->heading;
      p.text = chunk->text;
    }
    return point;
  }

  bool dense_;
  uint64_t points_ = 0;
  uint64_t version_ = 0;
  std::optional<Synonyms> synonyms_;
  std::optional<Searcher> searcher_;
};

inline Document lab_document(Kind kind, std::string id, std::string title, std::string body) {
  Document d;
  d.kind = kind;
  d.path = std::string(name(kind)) + "/" + id + ".md";
  d.id = std::move(id);
  d.title = std::move(title);
  d.body = std::move(body);
  return d;
}

inline Document lab_incident(std::string id, std::string title, std::string description,
                             std::string application, std::string_view opened_at = {}) {
  Incident incident;
  incident.incident_id = std::move(id);
  incident.title = std::move(title);
  incident.description = std::move(description);
  incident.impacted_application = std::move(application);
  if (!opened_at.empty()) incident.opened_at = parse_time(opened_at).value();
  Document d = to_document(incident);
  d.path = "incidents.jsonl";
  return d;
}

}  // namespace precedent
