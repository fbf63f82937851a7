#include "agent/sources/asked_metrics.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "agent/slots/subjects.h"
#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

constexpr std::chrono::seconds kPatience{1};
constexpr size_t kMostWords = 7;
// Every metric has them, or they are asked for by a signal (agent/slots/signals.h).
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
    return is_alnum(c) || (underscores && (c == '_' || c == ':'));
  };
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && in_word(text[end])) ++end;
    if (end > at) words.push_back({singular(ascii_lower(text.substr(at, end - at))), at, end});
    at = std::max(end, at + 1);
  }
  return words;
}

// "Temp" of temperature, "matrices" of matrix: as it is said, or as much of it as tells it.
bool is_said(const std::string& word, const std::string& of_name) {
  constexpr size_t kTells = 4, kAlike = 5, kMostEnding = 3;
  if (word == of_name || (word.size() >= kTells && of_name.starts_with(word))) return true;
  const auto [w, n] = std::ranges::mismatch(word, of_name);
  const size_t alike = static_cast<size_t>(w - word.begin());
  return alike >= kAlike && word.size() - alike <= kMostEnding &&
         of_name.size() - alike <= kMostEnding;
}

// Whether it is a part of a name that is written as one: "db" of search-db.
bool is_cut(std::string_view text, const Word& word) {
  const auto joins = [&](size_t at) {
    return at < text.size() && std::string_view("-_/.:").contains(text[at]);
  };
  const auto in_name = [&](size_t at) { return at < text.size() && is_alnum(text[at]); };
  return (word.begin > 1 && joins(word.begin - 1) && in_name(word.begin - 2)) ||
         (joins(word.end) && in_name(word.end + 1));
}

// "p95"
bool is_quantile(const Word& word) {
  return word.text.size() > 1 && word.text[0] == 'p' &&
         std::ranges::all_of(std::string_view(word.text).substr(1), is_digit);
}

bool tells(const Word& word, const std::set<std::string>& systems) {
  return !is_quantile(word) && std::ranges::find(kGeneric, word.text) == kGeneric.end() &&
         !systems.contains(word.text) && !systems.contains(word.text + "s");
}

// A metric, and the words that it may be said in.
struct Said {
  const std::string* name;
  std::vector<std::string> words;

  // How many of `run` it is said in; 0 where one of them that is no frame is none of its own.
  size_t match(std::span<const Word> run) const {
    std::vector<bool> used(words.size());
    size_t matched = 0;
    for (const Word& word : run) {
      bool own = false;
      for (size_t i = 0; i < words.size() && !own; ++i) {
        own = !used[i] && is_said(word.text, words[i]);
        if (own) used[i] = true;
      }
      if (!own && !frames_a_question(word.text)) return 0;
      matched += own;
    }
    return matched;
  }
};

// Those that a word of the question tells.
std::vector<Said> candidates(const std::vector<Word>& question,
                             const std::vector<MetricName>& metrics,
                             const std::set<std::string>& systems) {
  std::vector<Said> found;
  for (const MetricName& metric : metrics)
    for (const std::string_view own :
         {std::string_view(metric.name), std::string_view(metric.own)}) {
      Said said{&metric.name, {}};
      for (Word& word : words_of(own, false)) said.words.push_back(std::move(word.text));
      const bool told = std::ranges::any_of(question, [&](const Word& word) {
        return tells(word, systems) && !frames_a_question(word.text) && said.match({&word, 1}) > 0;
      });
      // "Hit ratio": two of its words side by side tell it, whatever each is used for elsewhere.
      bool beside = false;
      for (size_t i = 0; i + 1 < question.size() && !told; ++i)
        beside = beside || (said.match({&question[i], 2}) == 2 &&
                            (tells(question[i], systems) || tells(question[i + 1], systems)));
      if (told || beside) found.push_back(std::move(said));
    }
  return found;
}

MeantMetric replaced(std::string_view question, size_t begin, size_t end, const std::string& name) {
  std::string whole(question);
  whole.replace(begin, end - begin, name);
  return {std::string(question.substr(begin, end - begin)), name, std::move(whole)};
}

// Names of the configuration, each with the metric of the source that it alone is made of.
std::vector<MetricName> configured_names(const MetricsConfig& config) {
  std::map<std::string, int> uses;
  for (const MetricTemplate& known : config.names)
    for (const std::string& metric : known.metrics) ++uses[metric];
  std::vector<MetricName> names;
  for (const MetricTemplate& known : config.names) {
    const auto own = std::ranges::find_if(
        known.metrics, [&](const std::string& metric) { return uses[metric] == 1; });
    const bool value = known.statistic.value_or(Statistic::kValue) == Statistic::kValue;
    names.push_back({known.name, value && own != known.metrics.end() ? *own : ""});
  }
  return names;
}

std::vector<MetricName> read_source(const Sources& sources) {
  const LiveSources& live = sources.live;
  if (live.metrics == nullptr || live.metrics_config == nullptr) return {};
  std::vector<MetricName> names = configured_names(*live.metrics_config);
  const CancelToken never;
  const auto catalogue =
      live.metrics->catalogue({never, std::chrono::steady_clock::now() + kPatience});
  if (!catalogue) return names;
  const auto configured = static_cast<ptrdiff_t>(names.size());
  const auto is_configured = [&](const std::string& name) {
    return std::any_of(names.begin(), names.begin() + configured, [&](const MetricName& known) {
      return known.name == name || known.own == name;
    });
  };
  for (const MetricInfo& metric : *catalogue)
    if (!is_configured(metric.name)) names.push_back({metric.name, ""});
  return names;
}

}  // namespace

std::vector<MetricName> read_metric_names(const Sources& sources, TimePoint now) {
  if (sources.names == nullptr) return read_source(sources);
  return sources.names->metrics.get(now, [&] { return read_source(sources); });
}

std::vector<Stretch> metrics_in_words(std::string_view question,
                                      const std::vector<MetricName>& metrics) {
  const std::vector<Word> words = words_of(question, false);
  std::vector<Stretch> found;
  for (const MetricName& metric : metrics)
    for (const std::string_view own :
         {std::string_view(metric.name), std::string_view(metric.own)}) {
      const std::vector<Word> its = words_of(own, false);
      if (its.size() < 2) continue;
      for (std::span<const Word> rest(words); rest.size() >= its.size(); rest = rest.subspan(1)) {
        const auto run = rest.first(its.size());
        if (std::ranges::equal(run, its, {}, &Word::text, &Word::text))
          found.push_back({run.front().begin, run.back().end});
      }
    }
  return found;
}

std::optional<MeantMetric> meant_metric(std::string_view question,
                                        const std::vector<MetricName>& metrics,
                                        const std::set<std::string>& systems, bool by_one_word,
                                        const std::function<bool(const std::string&)>& fits) {
  for (const Word& word : words_of(question, true)) {
    const std::string_view said = question.substr(word.begin, word.end - word.begin);
    if (!said.contains('_') && !said.contains(':')) continue;
    for (const MetricName& metric : metrics)
      if (metric.name == said || metric.own == said)
        return replaced(question, word.begin, word.end, metric.name);
  }
  const std::vector<Word> words = words_of(question, false);
  const std::vector<Said> said_so = candidates(words, metrics, systems);
  struct Reading {
    size_t matched = 0;
    std::span<const Word> run;
    std::vector<const Said*> metrics;
  };
  Reading best;
  for (size_t i = 0; i < words.size(); ++i)
    for (size_t j = i; j < std::min(words.size(), i + kMostWords); ++j) {
      const std::span<const Word> run(words.data() + i, j - i + 1);
      const std::string_view said =
          question.substr(run.front().begin, run.back().end - run.front().begin);
      if (said.find_first_of("?!.,;:/-_\n") != std::string_view::npos) break;
      if (is_cut(question, run.front()) || is_cut(question, run.back())) continue;
      if (std::ranges::none_of(run, [&](const Word& w) { return tells(w, systems); })) continue;
      Reading reading{.run = run};
      for (const Said& metric : said_so) {
        if (run.size() > 1 && (metric.match(run.first(1)) == 0 || metric.match(run.last(1)) == 0))
          continue;
        const size_t matched = metric.match(run);
        if (matched == 0 || matched < reading.matched || !fits(*metric.name)) continue;
        if (matched > reading.matched) reading.metrics.clear();
        reading.matched = matched;
        reading.metrics.push_back(&metric);
      }
      if (reading.matched > best.matched) best = std::move(reading);
    }
  if (best.matched < (by_one_word ? 1u : 2u)) return std::nullopt;
  // The whole of a name is nearer than a part of another.
  const auto is_part = [&](const Said* metric) { return metric->words.size() > best.matched; };
  if (!std::ranges::all_of(best.metrics, is_part)) std::erase_if(best.metrics, is_part);
  const std::string& first = *best.metrics.front()->name;
  if (std::ranges::any_of(best.metrics, [&](const Said* m) { return *m->name != first; }))
    return std::nullopt;
  // "Lag of coldchain": whose it is stays.
  const auto is_whose = [&](const Word& word) { return systems.contains(word.text); };
  const auto is_frame = [](const Word& word) { return frames_a_question(word.text); };
  while (best.run.size() > 2 && is_whose(best.run.back()) &&
         is_frame(best.run[best.run.size() - 2])) {
    best.run = best.run.first(best.run.size() - 1);
    while (is_frame(best.run.back())) best.run = best.run.first(best.run.size() - 1);
  }
  return replaced(question, best.run.front().begin, best.run.back().end, first);
}

}  // namespace precedent
