// Documents and their chunks → points of the index. The place that says which text is which field.
//
//   title, body   as they are
//   heading       a chunk: the path of headings above it; a document: each different one once
//   meta          services, symptoms, tags, application and the id
//
// At chunk level the title and the meta of the document count for each of its chunks, so that a
// passage is found by the context it stands in. At document level the body is the sum of its
// chunks' bodies (the sentences by which chunks overlap count twice).
// Thread safety: pure functions; values.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/knowledge_index.h"
#include "index/sparse_encoder.h"
#include "knowledge/document.h"
#include "store/knowledge_store.h"

namespace precedent {

// Text → terms; Analyzer::terms in the product, for code CodeAnalyzer::terms. Called from several
// threads at once.
using Tokenizer = std::function<std::vector<std::string>(std::string_view, Population)>;

// The terms of a document, field by field: everything about its sparse vectors that needs no
// corpus.
struct DocumentTerms {
  TermCounts title;
  TermCounts meta;
  TermCounts headings;  // each different heading once
  struct ForChunk {
    TermCounts heading;
    TermCounts body;
  };
  std::vector<ForChunk> chunks;

  FieldLengths lengths() const;
};

DocumentTerms analyze(const Document& document, std::span<const StoredChunk> chunks,
                      const Tokenizer& tokenize);

CorpusStats stats_of(const CorpusLengths& lengths);

// What the points of an index mean: changes with the encoder's parameters, and with this file's
// rules and the analyser's through kPointRules in the .cc. An index of another format is rebuilt.
int32_t point_format(const Bm25Params& params);

// The document's own point, with the id `point`, then its chunks'. `vectors`: one for each chunk,
// empty ones where there is none; or none at all. REQUIRES: terms.chunks.size() == chunks.size().
std::vector<Point> build_points(uint64_t point, const Document& document,
                                std::span<const StoredChunk> chunks, const DocumentTerms& terms,
                                std::vector<std::vector<float>> vectors, const CorpusStats& stats,
                                const Bm25Params& params);

}  // namespace precedent
