#include "agent/sources/dictionary.h"

#include <algorithm>

#include "agent/sources/asked_metrics.h"
#include "agent/sources/unknown_names.h"
#include "base/strings.h"
#include "text/wordpiece.h"

namespace precedent {
namespace {

bool is_whole_piece(std::string_view word, const WordPieceTokenizer& vocabulary) {
  const std::vector<WordPiece> pieces = vocabulary.pieces(word, 2);
  return pieces.size() == 1 && pieces.front().id != vocabulary.unknown_id();
}

bool is_in_a_metric(std::string_view word, const std::vector<MetricName>& metrics) {
  const auto holds = [&](std::string_view name) {
    return std::ranges::any_of(split(name, '_'),
                               [&](std::string_view part) { return iequals(part, word); });
  };
  return std::ranges::any_of(metrics, [&](const MetricName& metric) {
    return iequals(metric.name, word) || holds(metric.name) || holds(metric.own);
  });
}

}  // namespace

IsWord dictionary_of(const Sources& sources, TimePoint now) {
  return [sources, now](std::string_view word) {
    return is_written(word, sources.search) ||
           (sources.words != nullptr && is_whole_piece(word, *sources.words)) ||
           is_in_a_metric(word, read_metric_names(sources, now));
  };
}

}  // namespace precedent
