// Retrieval measures over judged queries, as trec_eval and BEIR define them.
//
// nDCG@10: linear gain, log2 discount (Järvelin and Kekäläinen 2002). MRR@10: reciprocal rank of
// the first relevant document within ten. Recall@k: share of the relevant documents within k.
// Averages run over the queries that have at least one relevant document; a query without results
// counts 0. Thread safety: pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace precedent {

using Qrels = std::map<std::string, std::map<std::string, int>>;   // query → document → grade
using Run = std::map<std::string, std::vector<std::string>>;       // query → documents, best first
using Queries = std::vector<std::pair<std::string, std::string>>;  // id, text

struct IrMeasures {
  double ndcg10 = 0, mrr10 = 0, recall10 = 0, recall100 = 0;
  size_t queries = 0;
};
IrMeasures measure(const Qrels& qrels, const Run& run);

// Format: TREC qrels "qid 0 docid grade"; queries "qid<TAB>text". Errors name the file and line.
Result<Qrels> read_qrels(const std::string& path);
Result<Queries> read_queries(const std::string& path);

}  // namespace precedent
