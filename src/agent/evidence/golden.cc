#include "agent/evidence/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agent/frozen/time_word.h"
#include "base/ids.h"
#include "base/strings.h"
#include "tools/present.h"

namespace precedent {
namespace {

// Candidates of one search: more than are served, since the index may still hold stale ones, one
// for each update that was interrupted.
constexpr size_t kCandidates = 32;

// The candidates with their similarity, still unchecked.
Result<std::vector<Hit>> candidates(const FrozenText& question, const Searcher& search,
                                    SearchResponse& response) {
  SearchRequest request;
  request.text = question.to_search();
  request.filter.kinds = {Kind::kGolden};
  request.limit = kCandidates;
  request.self_query = false;
  request.mode = SearchMode::kDense;
  response = TRY(search.search(request));
  if (!response.lexical_only) return std::move(response.hits);
  request.mode = SearchMode::kSparse;
  return TRY(search.search(request)).hits;
}

std::vector<Source> cited_of(const GoldenExample& example, const KnowledgeStore& store) {
  std::vector<Source> cited;
  for (const std::string& id : example.sources) {
    auto found = store.find(normalize_id(id));
    if (!found || !*found) found = store.find(id);
    if (!found || !*found) continue;  // removed since; the answer still names it
    const Document& document = **found;
    cited.push_back({document.id,
                     document.title,
                     std::string(name(document.kind)),
                     document.path,
                     {},
                     "",
                     link_of(document.attributes),
                     version_of(document.attributes)});
  }
  return cited;
}

bool lists_incidents(const Intent& intent) {
  return intent.type == QuestionType::kRecentIncidents ||
         intent.type == QuestionType::kApplicationIncidents ||
         (intent.type == QuestionType::kSimilarIncidents && intent.asks.list);
}

}  // namespace

float lexical_similarity(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::set<std::string> x(a.begin(), a.end()), y(b.begin(), b.end());
  if (x.empty() || y.empty()) return 0;
  const auto shared = std::ranges::count_if(x, [&](const auto& term) { return y.contains(term); });
  return 2 * static_cast<float>(shared) / static_cast<float>(x.size() + y.size());
}

Result<std::vector<GoldenItem>> find_golden(const FrozenText& question, const Searcher& search,
                                            const KnowledgeStore& store) {
  std::vector<GoldenItem> items;
  if (question.blank() || !TRY(store.serves_golden())) return items;
  SearchResponse response;
  // If examples cannot be searched, the answer does without them; its receipts say so.
  const auto found = candidates(question, search, response);
  for (const Hit& hit : found ? *found : std::vector<Hit>()) {
    std::optional<GoldenExample> example = TRY(store.golden(hit.payload.doc_id));
    // Compared by its present question, not by an earlier one that the index may still hold.
    if (!example || !is_served(*example) || example->question != hit.payload.title) continue;
    GoldenItem item;
    item.lexical = response.lexical_only;
    item.similarity = item.lexical ? lexical_similarity(question.terms(),
                                                        search.analyzer().terms(example->question))
                                   : std::clamp(hit.parts.dense.value_or(0), 0.0f, 1.0f);
    if (item.similarity < kGuidingSimilarity) continue;
    item.example = std::move(*example);
    items.push_back(std::move(item));
  }
  std::ranges::stable_sort(items, [](const GoldenItem& a, const GoldenItem& b) {
    return a.similarity != b.similarity ? a.similarity > b.similarity : a.example.id < b.example.id;
  });
  if (items.size() > kMaxGuidingExamples) items.resize(kMaxGuidingExamples);
  for (GoldenItem& item : items) item.cited = cited_of(item.example, store);
  return items;
}

std::optional<std::string> time_dependence(const std::string& time_word, const Asks& asks) {
  if (!time_word.empty()) return time_word;
  if (asks.status) return "asks for a state";
  if (asks.count) return "asks how many";
  return std::nullopt;
}

std::string why_not_direct(const GoldenItem& item, const Intent& intent, const Synonyms& synonyms,
                           TimePoint now) {
  const GoldenExample& example = item.example;
  if (item.similarity < kDirectSimilarity) {
    return fmt::format("similarity {:.2f} is below {:.2f}", item.similarity, kDirectSimilarity);
  }
  if (!is_served(example)) return "it is not reviewed and active";
  if (intent.follow_up) return "the question is about what was said before";
  if (lists_incidents(intent))
    return "the answer depends on the time: incidents are listed as they are now";
  for (const std::string& word : {intent.asked.time_word, time_word(example.question, now)}) {
    if (const auto dependence = time_dependence(word, intent.asks))
      return fmt::format("the answer depends on the time: {}", *dependence);
  }
  if (const std::string difference =
          intent.asked.text.difference_from(example.question, Analyzer(), synonyms);
      !difference.empty())
    return fmt::format("the questions differ in {}", difference);
  return "";
}

std::string verified_knowledge_section(std::span<const GoldenItem> items) {
  if (items.empty()) return "";
  return "## Verified knowledge\n\n"
         "Each answers the question that it names, not the one that is asked. Where one is used, "
         "call it \"a verified answer to a similar question\" and quote that question.\n\n" +
         present(GoldenResult{{items.begin(), items.end()}});
}

}  // namespace precedent
