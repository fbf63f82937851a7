#include "search/searcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/strings.h"
#include "index/sparse_encoder.h"
#include "search/two_readings.h"
#include "text/code_analyzer.h"

namespace precedent {
namespace {

// Candidates taken from each list. Deep enough for recall@100 after documents with several hits
// were folded; deeper lists changed no measured nDCG@10 and cost time.
constexpr size_t kCandidates = 400;

// A synonym is evidence, but weaker than the word itself (eval/README.md, "Expansion").
constexpr float kExpansionWeight = 0.25f;

// The cosine at which two texts in MiniLM's space are about the same thing beyond doubt; scales
// confidence.
constexpr float kSureCosine = 0.65f;

struct DocumentHits {
  Candidate candidate;
  // Chunks found, by point id: sparse and dense scores.
  std::map<uint64_t, std::pair<std::optional<float>, std::optional<float>>> chunks;
};

bool only_incidents(const Filter& filter) {
  return filter.kinds.size() == 1 && filter.kinds.front() == Kind::kIncident;
}

// What the question restricts itself to, added to what the caller asked for. A field that the kinds
// in question do not carry would exclude them all, so applications, dates, states and severities
// bind incidents only.
Filter combined(const Filter& asked, const Filter& read) {
  Filter filter = asked;
  const auto take = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
    if (to.empty()) to = from;
  };
  take(filter.services, only_incidents(asked) ? std::vector<std::string>{} : read.services);
  if (!only_incidents(asked)) return filter;
  take(filter.applications, read.applications);
  take(filter.severities, read.severities);
  take(filter.statuses, read.statuses);
  if (filter.opened.unbounded()) filter.opened = read.opened;
  return filter;
}

// The filter as the index is given it: no search goes through golden examples unasked.
Filter without_golden(Filter filter) {
  if (filter.kinds.empty()) filter.kinds.assign(ordinary_kinds().begin(), ordinary_kinds().end());
  return filter;
}

void keep_max(std::optional<float>& best, float score) {
  if (!best || score > *best) best = score;
}

SparseVector sparse_query(const std::vector<std::string>& terms,
                          const std::vector<Synonyms::Expansion>& expansions,
                          Population population) {
  std::map<uint32_t, float> weights;
  for (const std::string& term : terms) weights[term_id(term, population)] += 1;
  // BM25's saturation of query terms with k3 = 1: a word that several alerts of one page repeat is
  // not several times as important (eval/README.md, "Query terms").
  for (auto& [term, weight] : weights) weight = 2 * weight / (weight + 1);
  for (const auto& expansion : expansions) {
    weights.try_emplace(term_id(expansion.term, population), kExpansionWeight);
  }
  SparseVector query;
  for (const auto& [term, weight] : weights) {
    query.terms.push_back(term);
    query.weights.push_back(weight);
  }
  return query;
}

float name_bonus(const Payload& payload, const std::vector<NameMention>& names) {
  for (const NameMention& mention : names) {
    const std::string name = name_key(mention.name);
    if (name_key(payload.application) == name) return 1;
    for (const std::string& service : payload.services) {
      if (name_key(service) == name) return 1;
    }
  }
  return 0;
}

// The candidate's scores become those of its best passages, each next one counting less.
void add_up_passages(DocumentHits& hits, const CodeWeights& weights) {
  std::vector<float> sparse, dense;
  for (const auto& [id, scores] : hits.chunks) {
    if (scores.first) sparse.push_back(*scores.first);
    if (scores.second) dense.push_back(*scores.second);
  }
  const auto sum = [&](std::vector<float>& scores) {
    std::ranges::sort(scores, std::greater());
    float total = 0, factor = 1;
    for (size_t i = 0; i < std::min(scores.size(), weights.passages); ++i) {
      total += factor * scores[i];
      factor *= weights.next_passage;
    }
    return total;
  };
  if (!sparse.empty()) hits.candidate.passage = sum(sparse);
  if (!dense.empty()) hits.candidate.dense = sum(dense);
}

}  // namespace

struct Searcher::Query {
  const SearchRequest* request;
  SparseVector sparse;
  std::vector<float> dense;
  std::vector<std::string> terms;
  std::vector<NameMention> names;
  CodeNames code_names;  // where code is searched
  std::optional<RolePrior> role_prior;
};

Result<Searcher> Searcher::open(const KnowledgeIndex& index, const Embedder* embedder,
                                const Analyzer& analyzer, const Synonyms& synonyms,
                                const LearnedReader* lines, FusionWeights weights) {
  Searcher searcher;
  searcher.index_ = &index;
  searcher.embedder_ = embedder;
  searcher.lines_ = lines;
  searcher.analyzer_ = &analyzer;
  searcher.synonyms_ = &synonyms;
  searcher.weights_ = weights;
  const auto values = [&](Facet facet) -> Result<std::vector<std::string>> {
    std::vector<std::string> names;
    for (FacetCount& count : TRY(index.facet(facet, {}))) names.push_back(std::move(count.value));
    return names;
  };
  searcher.catalogue_.applications = TRY(values(Facet::kApplication));
  searcher.catalogue_.services = TRY(values(Facet::kService));
  searcher.catalogue_.severities = TRY(values(Facet::kSeverity));
  searcher.catalogue_.statuses = TRY(values(Facet::kStatus));
  return searcher;
}

// What the question restricts itself to, and what else a reader makes of it.
struct Searcher::Reading {
  SelfQuery rules;          // with the reader's filter, if there is a reader
  std::string reworded;     // beside the question's own words; "": nothing
  bool only_lists = false;  // the reader sees nothing beyond the filter, the rules do
};

Searcher::Reading Searcher::read_question(const SearchRequest& request,
                                          std::vector<std::string>& notes) const {
  Reading read{.rules = read_self_query(request.text, catalogue_, request.now)};
  // Where the rules account for every word, a reader has nothing to add.
  if (request.reader != nullptr && !read.rules.lists) {
    auto better = request.reader->read(request.text, catalogue_, request.now);
    if (better) {
      read.rules.filter = std::move(better->filter);
      read.rules.cues = std::move(better->cues);
      read.reworded = std::string(trim(better->query));
      if (read.reworded == trim(request.text)) read.reworded.clear();
      read.only_lists = trim(better->query).empty() && !read.rules.filter.empty();
    } else {
      notes.push_back("read by rule, since the model did not: " + better.error().text());
    }
  }
  for (const std::string& cue : read.rules.cues) notes.push_back("read " + cue);
  if (!read.reworded.empty())
    notes.push_back(fmt::format("searched for '{}' (by the model), too", read.reworded));
  return read;
}

Result<Searcher::Query> Searcher::query_of(const SearchRequest& request, const std::string& text,
                                           SearchResponse& response) const {
  Query query{.request = &request, .names = response.self_query.names};
  const Population searched = population(request.filter.kinds);
  if (searched == Population::kCode) {
    query.terms = CodeAnalyzer().terms(text);
    query.code_names = find_code_names(text);
    query.role_prior.emplace(text);
  } else {
    query.terms = analyzer_->terms(text);
  }
  response.terms = query.terms;
  response.expansions = synonyms_->expand(query.terms);
  for (const auto& expansion : response.expansions) {
    response.notes.push_back(
        fmt::format("expanded '{}' with '{}'", expansion.because, expansion.term));
  }
  if (searched == Population::kCode) {
    for (std::string& joined : joined_words(text))
      response.expansions.push_back({std::move(joined), "joined words"});
  }
  query.sparse = sparse_query(query.terms, response.expansions, searched);

  if (request.mode != SearchMode::kSparse && embedder_ != nullptr &&
      index_->info().dimensions > 0) {
    const std::string_view embedded_text = text;
    Embeddings embedded = TRY(embedder_->embed({&embedded_text, 1}));
    query.dense = std::move(embedded.values);
  } else if (request.mode != SearchMode::kSparse) {
    response.lexical_only = true;
    response.notes.emplace_back(
        "lexical only: no embedding weights, or the knowledge base was ingested without them");
  }
  return query;
}

Result<SearchResponse> Searcher::search(const SearchRequest& request) const {
  SearchResponse response;
  if (trim(request.text).empty()) {
    response.filter = request.filter;
    response.notes.emplace_back("empty query: listed by filter, newest first");
    response.hits = TRY(list(request.filter, request.limit));
    return response;
  }
  Reading reading;
  if (request.self_query) reading = read_question(request, response.notes);
  response.self_query = std::move(reading.rules);
  const Query query = TRY(query_of(request, request.text, response));
  std::optional<Query> second;
  if (!reading.reworded.empty()) {
    SearchResponse unused{.self_query = response.self_query};
    second = TRY(query_of(request, reading.reworded, unused));
  }
  const auto ranked = [&](const Filter& filter) -> Result<std::vector<Hit>> {
    std::vector<Hit> own = TRY(run(query, filter));
    if (second) return fuse_readings(std::move(own), TRY(run(*second, filter)), request.limit);
    if (reading.only_lists)
      return fuse_readings(std::move(own), TRY(list(filter, request.limit)), request.limit);
    return own;
  };

  const Filter filter = combined(request.filter, response.self_query.filter);
  response.filter = filter;
  if (response.self_query.lists && !(filter == request.filter)) {
    response.hits = TRY(list(filter, request.limit));
    response.notes.emplace_back("nothing is asked beyond the filter: listed, newest first");
  } else {
    response.hits = TRY(ranked(filter));
  }
  // Where only a list is asked for, its window of time is never widened: older incidents are no
  // answer to "last week".
  Filter wider = request.filter;
  if (response.self_query.lists || reading.only_lists) wider.opened = filter.opened;
  if (response.hits.empty() && !(filter == wider)) {
    response.notes.push_back(
        fmt::format("nothing matches {}; searched without it", to_string(filter)));
    response.widened = true;
    response.filter = wider;
    response.hits = TRY(ranked(wider));
  }
  for (Hit& hit : response.hits)
    hit.snippet = make_snippet(hit.payload.text, query.terms, *analyzer_);
  return response;
}

Result<std::vector<Hit>> Searcher::run(const Query& query, const Filter& asked) const {
  const Filter filter = without_golden(asked);
  const SearchMode mode = query.request->mode;
  const size_t depth = std::max(kCandidates, query.request->limit * 2);
  const auto [documents, chunks, dense] = TRY(index_->search_all(
      mode == SearchMode::kDense ? SparseVector() : query.sparse, query.dense, filter, depth));

  std::vector<uint64_t> ids;
  for (const auto* list : {&documents, &chunks, &dense}) {
    for (const PointScore& score : *list) ids.push_back(score.id);
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::unordered_map<uint64_t, Payload> payloads;
  {
    std::vector<Payload> fetched = TRY(index_->payloads(ids));
    for (size_t i = 0; i < fetched.size() && fetched.size() == ids.size(); ++i)
      payloads.emplace(ids[i], std::move(fetched[i]));
  }

  const bool code = query.role_prior.has_value();
  const FusionWeights& weights = code ? code_weights_.fusion : weights_;
  std::map<std::string, DocumentHits> by_document;
  const auto document_of = [&](uint64_t point) -> DocumentHits* {
    const auto found = payloads.find(point);
    if (found == payloads.end()) return nullptr;  // removed since the search
    DocumentHits& hits = by_document[found->second.doc_id];
    if (hits.candidate.doc_id.empty()) {
      hits.candidate.doc_id = found->second.doc_id;
      hits.candidate.bonus = name_bonus(found->second, query.names);
      if (code) hits.candidate.prior = query.role_prior->of(found->second.path);
    }
    if (code)
      hits.candidate.bonus =
          std::max(hits.candidate.bonus, name_bonus(found->second, query.code_names));
    return &hits;
  };
  for (const PointScore& score : documents) {
    if (DocumentHits* hits = document_of(score.id)) keep_max(hits->candidate.document, score.score);
  }
  for (const PointScore& score : chunks) {
    if (DocumentHits* hits = document_of(score.id)) {
      keep_max(hits->candidate.passage, score.score);
      hits->chunks[score.id].first = score.score;
    }
  }
  for (const PointScore& score : dense) {
    if (DocumentHits* hits = document_of(score.id)) {
      keep_max(hits->candidate.dense, score.score);
      hits->chunks[score.id].second = score.score;
    }
  }

  std::vector<Candidate> candidates;
  std::vector<const DocumentHits*> found;
  for (auto& [id, hits] : by_document) {
    if (code) add_up_passages(hits, code_weights_);
    candidates.push_back(hits.candidate);
    found.push_back(&hits);
  }
  const std::vector<Fused> ranked = fuse(candidates, weights);

  // How sure the best evidence is, so that relevance means something across questions too.
  const float best_cosine = dense.empty() ? 0 : dense.front().score;
  const float confidence =
      query.dense.empty() ? 1 : std::clamp(best_cosine / kSureCosine, 0.05f, 1.0f);

  std::vector<Hit> hits;
  for (const Fused& fused : ranked) {
    if (hits.size() >= query.request->limit) break;
    // The document's chunks, best first: scaled sparse and dense scores added, as for documents.
    const DocumentHits& document = *found[fused.candidate];
    std::vector<std::pair<float, uint64_t>> order;
    for (const auto& [id, scores] : document.chunks) {
      const float sparse_part = scores.first && *document.candidate.passage > 0
                                    ? *scores.first / *document.candidate.passage
                                    : 0;
      const float dense_part = scores.second && *document.candidate.dense > 0
                                   ? *scores.second / *document.candidate.dense
                                   : 0;
      order.emplace_back(sparse_part + dense_part, id);
    }
    if (order.empty()) {
      const auto all = TRY(index_->chunks_of(document.candidate.doc_id));
      if (all.empty()) continue;
      order.emplace_back(0, all.front().first);
      payloads.emplace(all.front().first, all.front().second);
    }
    std::ranges::sort(order, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (size_t i = 0;
         i < order.size() && i < query.request->per_document && hits.size() < query.request->limit;
         ++i) {
      Hit hit;
      hit.point = order[i].second;
      hit.payload = payloads.at(hit.point);
      hit.relevance = fused.parts.fused * confidence;
      hit.parts = fused.parts;
      hits.push_back(std::move(hit));
    }
  }
  return hits;
}

Result<std::vector<Hit>> Searcher::list(const Filter& asked, size_t limit) const {
  const Filter filter = without_golden(asked);
  std::vector<Hit> hits;
  for (const Payload& payload : TRY(index_->list(filter, KnowledgeIndex::Order::kNewest, limit))) {
    const auto chunks = TRY(index_->chunks_of(payload.doc_id));
    Hit hit;
    hit.payload = chunks.empty() ? payload : chunks.front().second;
    hit.point = chunks.empty() ? 0 : chunks.front().first;
    hit.relevance = 1;
    hit.snippet = make_snippet(hit.payload.text, {}, *analyzer_);
    hits.push_back(std::move(hit));
  }
  return hits;
}

}  // namespace precedent
