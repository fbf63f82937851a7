// KnowledgeBase: everything that answering reads, opened once: store, index, encoder, analyser,
// synonyms, search.
//
// The data directory:
//   precedent.db        the store (truth), unless that is in a PostgreSQL
//   index/<collection>  the index (derived), unless a Qdrant is named for it (qdrant_config.h)
//   synonyms.txt        the operator's synonyms, instead of the built-in ones
// The embedding weights lie outside it (default_model_folder() of embed/minilm.h), since several
// data directories share them.
//
// Read-only, and works while another process ingests. Thread safety: const members from any thread.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/sources/standby_index.h"
#include "base/error.h"
#include "embed/batching_embedder.h"
#include "embed/caching_embedder.h"
#include "embed/learned_reader.h"
#include "embed/minilm.h"
#include "index/knowledge_index.h"
#include "search/searcher.h"
#include "store/knowledge_store.h"

namespace precedent {

// PRECEDENT_DATA_DIR, else $XDG_DATA_HOME/precedent, else ~/.local/share/precedent.
std::filesystem::path default_data_dir();
// The encoder, or why there is none: weights that are not there are normal (lexical search),
// damaged ones are not.
struct EncoderState {
  std::unique_ptr<MiniLmEmbedder> embedder;
  std::string missing;  // "" if there is one, else a sentence with the remedy
};
Result<EncoderState> open_encoder(Precision precision = Precision::kFloat32);

// QuestionEncoder: the encoder of questions with what it remembers; one serves all knowledge bases
// of a process. Thread safety: const members from any thread.
class QuestionEncoder {
 public:
  static Result<std::shared_ptr<const QuestionEncoder>> open();
  // Null without weights.
  const Embedder* embedder() const { return embedder_ ? &*embedder_ : nullptr; }
  // What reads with a learned adapter. Null without weights.
  const LearnedReader* reader(AdapterKind kind) const {
    return readers_[static_cast<size_t>(kind)].get();
  }
  // Its vocabulary. Null without weights.
  const WordPieceTokenizer* words() const { return words_; }
  // Why there are no weights, with the remedy; "" if there are.
  const std::string& missing() const { return missing_; }

 private:
  QuestionEncoder() = default;
  std::unique_ptr<MiniLmEmbedder> encoder_;
  std::array<std::unique_ptr<LearnedReader>, kAdapterKinds.size()> readers_;  // by AdapterKind
  const WordPieceTokenizer* words_ = nullptr;
  std::optional<BatchingEmbedder> batched_;
  // A question is embedded once although every tool searches with it.
  MemoryVectorCache vectors_;
  std::optional<CachingEmbedder> embedder_;
  std::string missing_;
};

class QdrantApi;

class KnowledgeBase {
 public:
  // `seen_by`: what others may see of it, without the paths of this machine; nothing: all of it,
  // for whoever sits here. `server`: where its index is; null: in the data directory. A server that
  // is gone is a warning: what needs no search works without (standby_index.h). Errors: kNotFound
  // if nothing was ever ingested, kCorrupt naming the file and the remedy, kConflict for an index
  // of another encoder.
  static Result<std::unique_ptr<KnowledgeBase>> open(const StoreAddress& store,
                                                     const std::filesystem::path& data_dir,
                                                     std::shared_ptr<QdrantApi> server,
                                                     std::shared_ptr<const QuestionEncoder> encoder,
                                                     const std::optional<Scope>& seen_by = {});
  // Over precedent.db.
  static Result<std::unique_ptr<KnowledgeBase>> open(const std::filesystem::path& data_dir,
                                                     std::shared_ptr<QdrantApi> server = nullptr);
  // In which nothing is known yet.
  static Result<std::unique_ptr<KnowledgeBase>> empty(
      std::shared_ptr<const QuestionEncoder> encoder);

  const Searcher& search() const { return *searcher_; }
  const KnowledgeStore& store() const { return *store_; }
  const KnowledgeIndex& index() const { return *index_; }
  // Null without weights.
  const Embedder* embedder() const { return encoder_->embedder(); }
  const LearnedReader* reader(AdapterKind kind) const { return encoder_->reader(kind); }
  // Its vocabulary. Null without weights.
  const WordPieceTokenizer* words() const { return encoder_->words(); }
  // How many documents the index has: asks it, and nothing else. Errors: those of its server.
  Result<size_t> indexed_documents() const;
  // What the operator should know: no weights, an index that cannot be reached.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  KnowledgeBase() = default;
  Result<void> open_index(const std::filesystem::path& data_dir,
                          const std::shared_ptr<QdrantApi>& server);
  Result<void> open_search();

  std::vector<std::string> warnings_;
  std::optional<KnowledgeStore> store_;
  const StandbyIndex* standby_ = nullptr;  // within index_, where it is on a server
  std::unique_ptr<KnowledgeIndex> whole_;  // behind index_ where that is scoped, else null
  std::unique_ptr<KnowledgeIndex> index_;
  std::shared_ptr<const QuestionEncoder> encoder_;
  Analyzer analyzer_;
  std::optional<Synonyms> synonyms_;
  std::optional<Searcher> searcher_;
};

}  // namespace precedent
