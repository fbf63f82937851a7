// A knowledge base in a temporary folder with everything around it faked: for the tests of the
// pipeline.
//
// Documents come from a list, chunks are paragraphs, terms are words, vectors are made of letters.
// What is real: the store and, unless the test says MemoryIndexCatalog, the index on disk.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/strings.h"
#include "ingest/pipeline.h"
#include "ingest/publish/index_catalog.h"
#include "store/knowledge_store.h"

namespace precedent {

// A vector for each text, made of its letters; counts what it was asked for.
class LetterEmbedder final : public Embedder {
 public:
  explicit LetterEmbedder(std::string model_id = "letters-1", size_t dimensions = 8)
      : model_id_(std::move(model_id)), dimensions_(dimensions) {}

  std::string_view model_id() const override { return model_id_; }
  size_t dimensions() const override { return dimensions_; }
  Result<Embeddings> embed(std::span<const std::string_view> texts) const override {
    Embeddings out{dimensions_, std::vector<float>(texts.size() * dimensions_, 0.01f)};
    for (size_t i = 0; i < texts.size(); ++i) {
      for (const unsigned char c : texts[i]) out.values[i * dimensions_ + c % dimensions_] += 1;
    }
    embedded += texts.size();
    if (fails) return fail(ErrorCode::kUnavailable, "the embedder is broken");
    return out;
  }

  mutable std::atomic<size_t> embedded = 0;
  std::atomic<bool> fails = false;

 private:
  std::string model_id_;
  size_t dimensions_;
};

inline std::vector<std::string> words(std::string_view text, Population = Population::kProse) {
  std::vector<std::string> out;
  const std::string squeezed = squeeze(ascii_lower(text));
  for (const std::string_view word : split(squeezed, ' ')) {
    if (!word.empty()) out.emplace_back(word);
  }
  return out;
}

inline std::vector<Chunk> paragraphs(const Document& document) {
  std::vector<Chunk> chunks;
  std::string_view rest = document.body;
  while (!rest.empty()) {
    const size_t end = rest.find("\n\n");
    Chunk chunk;
    chunk.ordinal = static_cast<uint32_t>(chunks.size());
    chunk.heading = {"Part " + std::to_string(chunks.size() / 2)};
    chunk.text = std::string(rest.substr(0, end));
    chunks.push_back(std::move(chunk));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
  }
  return chunks;
}

inline Document note(std::string id, std::string body, std::string source = "/notes") {
  Document d;
  d.id = std::move(id);
  d.kind = Kind::kRunbook;
  d.title = "About " + d.id;
  d.body = std::move(body);
  d.path = source.substr(1) + "/" + d.id + ".md";
  d.source = std::move(source);
  return d;
}

class IngestLab {
 public:
  IngestLab() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "precedent-ingest-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~IngestLab() { std::filesystem::remove_all(folder); }
  IngestLab(const IngestLab&) = delete;

  StoreAddress address() const { return server.value_or(StoreAddress{store_file(folder)}); }

  IndexCatalog& catalog_or(IndexCatalog& embedded) {
    if (other != nullptr) return *other;
    return in_memory ? static_cast<IndexCatalog&>(memory) : embedded;
  }

  // One ingest of `documents`, as a process of its own would do it: everything is opened anew.
  Result<IngestReport> run(IngestOptions options = {}, const Embedder* embedder = nullptr) {
    using Access = KnowledgeStore::Access;
    auto store = TRY(
        KnowledgeStore::open(address(), options.dry_run ? Access::kReadOnly : Access::kReadWrite));
    EmbeddedIndexCatalog embedded(folder);
    IndexCatalog& indexes = catalog_or(embedded);
    const IngestParts parts = {
        store, indexes,    embedder,
        words, paragraphs, [this](const ReadOptions&, DocumentSink& sink) { return read(sink); }};
    return ingest(options, parts, progress, cancel);
  }

  Result<IngestReport> remove(const std::vector<std::string>& ids, bool dry_run) {
    auto store = TRY(KnowledgeStore::open(address(), KnowledgeStore::Access::kReadWrite));
    EmbeddedIndexCatalog embedded(folder);
    IndexCatalog& indexes = catalog_or(embedded);
    IngestOptions options;
    options.dry_run = dry_run;
    return remove_documents(ids, options, {store, indexes, nullptr, words, paragraphs, {}},
                            progress, cancel);
  }

  // What a search would find: every document with its chunks, from the active index.
  struct Found {
    std::string title;
    std::vector<std::string> chunks;
    size_t vectors = 0;
    bool operator==(const Found&) const = default;
  };
  Result<std::map<std::string, Found>> searchable() {
    auto store = TRY(KnowledgeStore::open(address(), KnowledgeStore::Access::kReadOnly));
    const auto build = TRY(store.active_build());
    std::map<std::string, Found> all;
    if (!build) return all;
    EmbeddedIndexCatalog embedded(folder);
    IndexCatalog& indexes = catalog_or(embedded);
    const auto index = TRY(indexes.open(build->collection));
    for (const Payload& document : TRY(index->list({}, KnowledgeIndex::Order::kTitle, 1 << 20))) {
      Found& found = all[document.doc_id];
      found.title = document.title;
      std::vector<uint64_t> ids;
      for (const auto& [id, chunk] : TRY(index->chunks_of(document.doc_id))) {
        ids.push_back(id);
        found.chunks.push_back(chunk.text);
      }
      for (const auto& vector : TRY(index->vectors(ids))) found.vectors += !vector.empty();
    }
    return all;
  }

  // The same from the documents alone: what searchable() must give once they are ingested.
  std::map<std::string, Found> expected(bool with_vectors) const {
    std::map<std::string, Found> all;
    for (const Document& document : documents) {
      Found& found = all[document.id];
      found.title = document.title;
      for (Chunk& chunk : paragraphs(document)) found.chunks.push_back(std::move(chunk.text));
      found.vectors = with_vectors ? found.chunks.size() : 0;
    }
    return all;
  }

  std::filesystem::path folder;
  std::optional<StoreAddress> server;  // instead of a file in the folder
  std::vector<Document> documents;
  std::vector<BadRecord> bad;
  std::vector<std::string> sources = {"/notes"};
  std::vector<Unread> unread;
  bool in_memory = false;
  MemoryIndexCatalog memory;
  IndexCatalog* other = nullptr;  // than these two
  ProgressSink* progress = nullptr;
  CancelToken cancel;
  bool names_content = false;  // asks about each document by its hash before it hands it on
  size_t handed_on = 0;
  std::function<void(size_t)> before_document = [](size_t) {};

 private:
  Result<ReadSummary> read(DocumentSink& sink) {
    ReadSummary summary;
    summary.sources = sources;
    summary.unread = unread;
    for (const BadRecord& record : bad) sink.bad(BadRecord(record));
    for (size_t i = 0; i < documents.size(); ++i) {
      if (names_content &&
          sink.unchanged_content(documents[i].id, content_hash(documents[i]), documents[i].source))
        continue;
      before_document(i);
      ++handed_on;
      TRY(sink.document(Document(documents[i]), i + 1));
      sink.progress(i + 1, documents.size());
    }
    return summary;
  }
};

}  // namespace precedent
