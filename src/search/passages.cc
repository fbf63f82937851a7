#include "search/passages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <unordered_map>

#include "base/utf8.h"
#include "search/verbatim.h"

namespace precedent {
namespace {

// Of a passage's context as it is embedded, in bytes: titles and headings are half of what is read
// otherwise, and which passage answers did not depend on their ends (eval/).
constexpr size_t kEmbeddedContext = 64;

struct Lexical {
  float score = 0;     // weight of matched words over weight of all, with length normalisation
  float coverage = 0;  // the same without
};

// Words that half of the passages hold say little about which of them answers.
float rarity(size_t with, size_t all) {
  return std::log(1.0f +
                  (static_cast<float>(all - with) + 0.5f) / (static_cast<float>(with) + 0.5f));
}

std::vector<Lexical> lexical_scores(const std::vector<std::string>& query,
                                    const std::vector<Passage>& passages, const Analyzer& analyzer,
                                    float context_weight) {
  const std::set<std::string> wanted(query.begin(), query.end());
  struct Found {
    std::set<std::string> text, context;
    size_t length = 0;
  };
  std::vector<Found> found(passages.size());
  std::unordered_map<std::string, size_t> with;
  size_t total_length = 0;
  for (size_t i = 0; i < passages.size(); ++i) {
    for (std::string& term : analyzer.terms(passages[i].text)) {
      ++found[i].length;
      if (wanted.contains(term)) found[i].text.insert(std::move(term));
    }
    for (std::string& term : analyzer.terms(passages[i].context)) {
      if (wanted.contains(term) && !found[i].text.contains(term))
        found[i].context.insert(std::move(term));
    }
    total_length += found[i].length;
    for (const std::string& term : found[i].text) ++with[term];
  }
  const float average =
      std::max(1.0f, static_cast<float>(total_length) /
                         static_cast<float>(std::max<size_t>(1, passages.size())));
  float all = 0;
  std::unordered_map<std::string, float> weight;
  for (const std::string& term : wanted) all += weight[term] = rarity(with[term], passages.size());
  std::vector<Lexical> scores(passages.size());
  for (size_t i = 0; i < passages.size() && all > 0; ++i) {
    float text = 0, context = 0;
    for (const std::string& term : found[i].text) text += weight[term];
    for (const std::string& term : found[i].context) context += weight[term];
    // BM25's length normalisation with b = 0.4: a short line that holds the words beats a paragraph
    // that does.
    const float norm = 0.6f + 0.4f * static_cast<float>(found[i].length) / average;
    scores[i].coverage = (text + context) / all;
    scores[i].score = (text * 2.2f / (1 + 1.2f * norm) + context_weight * context) / all;
  }
  return scores;
}

// How likely a passage answers; nothing if it cannot be read.
std::optional<float> answers(std::string_view question, const Passage& passage,
                             const LearnedReader& lines) {
  const PastTurn before[] = {{question, passage.title}};
  const auto reading = lines.read(passage.text, before);
  if (!reading) return std::nullopt;
  return reading->head("answers").labels.front().probability;
}

bool better(const PassageScore& a, const PassageScore& b) {
  return a.score != b.score ? a.score > b.score : a.passage < b.passage;
}

}  // namespace

Result<std::vector<PassageScore>> rank_passages(std::string_view question,
                                                const std::vector<Passage>& passages,
                                                const Searcher& search,
                                                const PassageWeights& weights,
                                                size_t max_embedded) {
  const std::vector<std::string> query = search.analyzer().terms(question);
  const std::vector<Lexical> lexical =
      lexical_scores(query, passages, search.analyzer(), weights.context);
  std::vector<PassageScore> scores(passages.size());
  const Verbatim verbatim(question, search.analyzer());
  for (size_t i = 0; i < passages.size(); ++i) {
    const float shared = verbatim.shared(passages[i].text);
    scores[i] = {i,
                 weights.lexical * lexical[i].score + weights.prior * passages[i].prior +
                     weights.bonus * passages[i].bonus + weights.verbatim * shared,
                 lexical[i].coverage,
                 shared,
                 std::nullopt,
                 std::nullopt};
  }
  std::ranges::sort(scores, better);
  if (search.embedder() == nullptr || passages.empty()) return scores;

  std::vector<std::string> texts;
  const size_t embedded = std::min(max_embedded, scores.size());
  for (size_t i = 0; i < embedded; ++i) {
    const Passage& p = passages[scores[i].passage];
    const std::string_view context = utf8_prefix(p.context, kEmbeddedContext);
    texts.push_back(context.empty() ? p.text : fmt::format("{}: {}", context, p.text));
  }
  std::vector<std::string_view> views(texts.begin(), texts.end());
  views.push_back(question);
  const Embeddings rows = TRY(search.embedder()->embed(views));
  const auto target = rows.row(embedded);
  for (size_t i = 0; i < embedded; ++i) {
    const auto row = rows.row(i);
    const float cosine = std::inner_product(row.begin(), row.end(), target.begin(), 0.0f);
    scores[i].cosine = cosine;
    scores[i].score += weights.dense * std::max(0.0f, cosine);
  }
  std::ranges::sort(scores, better);
  if (search.lines() == nullptr) return scores;

  for (PassageScore& score : std::span(scores).first(std::min(kMaxRead, scores.size())))
    score.answers = answers(question, passages[score.passage], *search.lines());
  return scores;
}

}  // namespace precedent
