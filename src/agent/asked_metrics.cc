#include "agent/asked_metrics.h"

#include <algorithm>
#include <array>
#include <span>

#include "agent/system_names.h"
#include "base/strings.h"

namespace precedent {
namespace {

constexpr std::chrono::seconds kPatience{1};
constexpr size_t kMostWords = 4;
// Every metric has them, or they are asked for by a signal (agent/signals.h).
constexpr std::array kGeneric = std::to_array<std::string_view>(
    {"latency", "error", "request", "duration", "second", "total", "count", "http", "rate", "ratio",
     "time", "server", "client", "response", "status", "number", "process", "up"});

struct Word {
  std::string text;  // in lower case, of one thing where there are several
  size_t begin, end;
};

std::string singular(std::string word) {
  if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss")) word.pop_back();
  return word;
}

std::vector<Word> words_of(std::string_view text, bool underscores) {
  std::vector<Word> words;
  const auto in_word = [&](char c) {
    return isalnum(static_cast<unsigned char>(c)) != 0 || (underscores && (c == '_' || c == ':'));
  };
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && in_word(text[end])) ++end;
    if (end > at) words.push_back({singular(ascii_lower(text.substr(at, end - at))), at, end});
    at = std::max(end, at + 1);
  }
  return words;
}

// Whether `words` stand in the name one after another.
bool holds(const std::vector<Word>& name, std::span<const Word> words) {
  return !std::ranges::search(name, words, {}, &Word::text, &Word::text).empty();
}

// "p95"
bool is_quantile(const Word& word) {
  return word.text.size() > 1 && word.text[0] == 'p' &&
         std::ranges::all_of(std::string_view(word.text).substr(1),
                             [](char c) { return c >= '0' && c <= '9'; });
}

bool tells(const Word& word, const std::set<std::string>& systems) {
  return !is_quantile(word) && std::ranges::find(kGeneric, word.text) == kGeneric.end() &&
         !systems.contains(word.text) && !systems.contains(word.text + "s");
}

MeantMetric replaced(std::string_view question, size_t begin, size_t end, const std::string& name) {
  std::string whole(question);
  whole.replace(begin, end - begin, name);
  return {std::string(question.substr(begin, end - begin)), name, std::move(whole)};
}

std::vector<std::string> read_source(const CopilotServices& services) {
  const LiveSources& live = services.live;
  if (live.metrics == nullptr || live.metrics_config == nullptr) return {};
  std::vector<std::string> names;
  for (const MetricTemplate& known : live.metrics_config->names) names.push_back(known.name);
  const CancelToken never;
  const auto catalogue =
      live.metrics->catalogue({never, std::chrono::steady_clock::now() + kPatience});
  if (!catalogue) return names;
  for (const MetricInfo& metric : *catalogue)
    if (std::ranges::find(names, metric.name) == names.end()) names.push_back(metric.name);
  return names;
}

}  // namespace

std::vector<std::string> read_metric_names(const CopilotServices& services, TimePoint now) {
  if (services.names == nullptr) return read_source(services);
  return services.names->metrics.get(now, [&] { return read_source(services); });
}

std::optional<MeantMetric> meant_metric(std::string_view question,
                                        const std::vector<std::string>& metrics,
                                        const std::set<std::string>& systems,
                                        const std::function<bool(const std::string&)>& fits) {
  for (const Word& word : words_of(question, true)) {
    const std::string_view said = question.substr(word.begin, word.end - word.begin);
    if (!said.contains('_') && !said.contains(':')) continue;
    if (const auto own = std::ranges::find(metrics, said); own != metrics.end())
      return replaced(question, word.begin, word.end, *own);
  }
  const std::vector<Word> words = words_of(question, false);
  for (size_t count = std::min(kMostWords, words.size()); count > 1; --count) {
    for (size_t i = 0; i + count <= words.size(); ++i) {
      const std::span<const Word> run(words.data() + i, count);
      const size_t begin = run.front().begin, end = run.back().end;
      const std::string_view said = question.substr(begin, end - begin);
      if (said.find_first_of("?!.,;:/-_\n") != std::string_view::npos) continue;
      if (std::ranges::none_of(run, [&](const Word& word) { return tells(word, systems); }))
        continue;
      std::vector<const std::string*> found;
      for (const std::string& metric : metrics)
        if (holds(words_of(metric, false), run) && fits(metric)) found.push_back(&metric);
      // The whole of a name is nearer than a part of another.
      const auto is_part = [&](const std::string* name) {
        return words_of(*name, false).size() > count;
      };
      if (!std::ranges::all_of(found, is_part)) std::erase_if(found, is_part);
      if (found.size() == 1) return replaced(question, begin, end, *found.front());
    }
  }
  return std::nullopt;
}

}  // namespace precedent
