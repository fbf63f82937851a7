// Searcher: question → ranked, explained hits. The one query path behind every search tool.
//
//   analyse + expand (synonyms) ─┐
//   self-query → filter          ├→ sparse (documents, chunks) + dense (chunks) → fuse by document
//   → hits embed                       ─┘
//
// What a QuestionReader makes of the question is searched beside the question's own words, and both
// rankings are fused (two_readings.h): a reader that misreads it costs places, never the answer.
//
// Golden examples are found only where the filter names their kind: without kinds a search goes
// through ordinary_kinds().
//
// Owns no data. Lifetime: index, embedder, analyzer, synonyms and lines outlive it. An index that
// changes is seen at the next search; the catalogue of names is read at construction. Thread
// safety: search() may be called from several threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "embed/embedder.h"
#include "embed/learned_reader.h"
#include "index/knowledge_index.h"
#include "search/code_ranking.h"
#include "search/fusion.h"
#include "search/hit.h"
#include "search/question_reader.h"
#include "search/self_query.h"
#include "search/synonyms.h"
#include "text/analyzer.h"

namespace precedent {

enum class SearchMode { kHybrid, kSparse, kDense };

struct SearchRequest {
  std::string text;
  Filter filter;  // what the caller asks for; never widened
  size_t limit = 10;
  SearchMode mode = SearchMode::kHybrid;
  bool self_query = true;                  // read further filters off the text
  const QuestionReader* reader = nullptr;  // reads them where the rules leave words over
  size_t per_document = 1;                 // hits a document may have; 1 removes duplicates
  TimePoint now{};                         // resolves "last week"
};

struct SearchResponse {
  std::vector<Hit> hits;  // best first
  Filter filter;          // what was applied
  bool widened = false;   // the self-query's filter found nothing and was dropped
  bool lexical_only = false;
  SelfQuery self_query;
  std::vector<std::string> terms;  // analysed
  std::vector<Synonyms::Expansion> expansions;
  std::vector<std::string> notes;  // each decision in a sentence, for --explain
};

class Searcher {
 public:
  // `embedder` may be null: lexical only. `lines`: what was learned of which line answers a
  // question (adapters/select.md), for rank_passages(); may be null.
  static Result<Searcher> open(const KnowledgeIndex& index, const Embedder* embedder,
                               const Analyzer& analyzer, const Synonyms& synonyms,
                               const LearnedReader* lines = nullptr, FusionWeights weights = {});

  // An empty text with a filter lists what matches, newest first, with relevance 1.
  Result<SearchResponse> search(const SearchRequest& request) const;

  const Catalogue& catalogue() const { return catalogue_; }
  const Analyzer& analyzer() const { return *analyzer_; }
  const Synonyms& synonyms() const { return *synonyms_; }
  const Embedder* embedder() const { return embedder_; }
  const LearnedReader* lines() const { return lines_; }
  const KnowledgeIndex& index() const { return *index_; }

 private:
  struct Query;
  Searcher() = default;
  struct Reading;
  Reading read_question(const SearchRequest& request, std::vector<std::string>& notes) const;
  Result<Query> query_of(const SearchRequest& request, const std::string& text,
                         SearchResponse& response) const;
  Result<std::vector<Hit>> run(const Query& query, const Filter& filter) const;
  Result<std::vector<Hit>> list(const Filter& filter, size_t limit) const;

  const KnowledgeIndex* index_ = nullptr;
  const Embedder* embedder_ = nullptr;
  const LearnedReader* lines_ = nullptr;
  const Analyzer* analyzer_ = nullptr;
  const Synonyms* synonyms_ = nullptr;
  FusionWeights weights_;
  CodeWeights code_weights_;
  Catalogue catalogue_;
};

}  // namespace precedent
