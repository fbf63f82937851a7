#include "agent/sources/known_systems.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "agent/language/nearest_name.h"
#include "agent/slots/signals.h"
#include "agent/slots/subjects.h"
#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

constexpr std::chrono::seconds kPatience{1};
constexpr std::chrono::hours kLately{1};
// Metrics whose labels are read: any of them has its service and its endpoint.
constexpr size_t kMaxMetrics = 4;
// Shorter words begin too many names.
constexpr size_t kShortest = 4;
// A name is taken for a misspelt one with so many edits, if it is so long.
constexpr size_t kLongEnough = 6;

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
}

void read_labels(KnownSystems& known, const LiveSources& live, TimePoint now) {
  if (live.metrics == nullptr || live.metrics_config == nullptr) return;
  const CancelToken never;
  const SourceContext context{never, std::chrono::steady_clock::now() + kPatience};
  const Instant to =
      live.metrics->frozen_at().value_or(std::chrono::floor<std::chrono::milliseconds>(now));
  const auto values = [&](const LabelSet& labels, const std::string& label,
                          std::vector<std::string>& names) {
    if (const auto own = labels.find(label); own != labels.end()) add_once(names, own->second);
    const auto aliases = live.metrics_config->labels.find(label);
    if (aliases == live.metrics_config->labels.end()) return;
    for (const std::string& alias : aliases->second)
      if (const auto its = labels.find(alias); its != labels.end()) add_once(names, its->second);
  };
  std::set<std::string> asked;
  for (const MetricTemplate& named : live.metrics_config->names) {
    // The series of a histogram go by other names than its own.
    if (named.metrics.empty() || named.statistic == Statistic::kQuantile) continue;
    if (asked.size() >= kMaxMetrics || !asked.insert(named.metrics.front()).second) continue;
    const auto series = live.metrics->series({named.metrics.front()}, to - kLately, to, context);
    if (!series) return;
    for (const LabelSet& labels : *series) {
      values(labels, "service", known.services);
      values(labels, "endpoint", known.endpoints);
    }
  }
}

// Letters and digits in lower case, of one thing where there are several: "payments" → "payment".
std::string folded(std::string_view text) {
  std::string key = bare_name(text);
  if (key.size() > kShortest && key.ends_with('s') && !key.ends_with("ss")) key.pop_back();
  return key;
}

struct Word {
  size_t begin, end;
};

// Those that may be a name: neither what is asked nor how something behaves.
std::vector<Word> naming_words(std::string_view question) {
  std::vector<Word> words;
  const auto in_word = [&](size_t i) {
    const unsigned char c = static_cast<unsigned char>(question[i]);
    return isalnum(c) != 0 || c == '-' || c == '_' || c == '/' || c >= 0x80;
  };
  for (size_t at = 0; at < question.size();) {
    size_t end = at;
    while (end < question.size() && in_word(end)) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    const std::string lower = ascii_lower(question.substr(at, end - at));
    const Signals own = read_signals(lower);
    if (lower.size() >= kShortest && !frames_a_question(lower) && !own.behaviour() && !own.deploy)
      words.push_back({at, end});
    at = end;
  }
  return words;
}

// The path's last part that is no parameter: "bookings" of /v1/bookings/{id}.
std::string last_part(std::string_view endpoint) {
  std::string last;
  for (const std::string_view part : split(endpoint, '/'))
    if (!part.empty() && part.find_first_of("{:*") == std::string_view::npos) last = part;
  return last;
}

// "search" of search-service: whether nothing else tells the name from others.
bool is_all_of(const std::string& key, const std::string& service) {
  const std::set<std::string> words = telling_words(service);
  return words.size() == 1 && folded(*words.begin()) == key;
}

bool begins(const std::string& key, const std::string& service) {
  const size_t end = std::min(service.find_first_of("-_ ."), service.size());
  return end < service.size() && folded(std::string_view(service).substr(0, end)) == key;
}

// As it is written there: "rate" is no part of fx-rates.
bool has_part(std::string_view word, const std::string& service) {
  return telling_words(service).contains(ascii_lower(word));
}

// The only one of `names` for which it holds; of endpoints the one that all others go on from. ""
// if there is none.
template <typename Fits>
std::string only(const std::vector<std::string>& names, const Fits& fits) {
  std::string found;
  for (const std::string& name : names) {
    if (!fits(name)) continue;
    if (found.empty() || found.starts_with(name + "/"))
      found = name;
    else if (!name.starts_with(found + "/"))
      return "";
  }
  return found;
}

std::string called_so(std::string_view word, const KnownSystems& known) {
  for (const auto* names : {&known.services, &known.endpoints})
    for (const std::string& name : *names)
      if (iequals(name, word)) return name;
  return "";
}

std::string named_by(std::string_view word, const KnownSystems& known, const IsWord& is_word) {
  const std::string key = folded(word);
  for (const auto* names : {&known.services, &known.endpoints})
    if (std::string same = only(*names, [&](const auto& n) { return folded(n) == key; });
        !same.empty())
      return same;
  if (word.find_first_of("-_/") == std::string_view::npos) {
    if (std::string all =
            only(known.services, [&](const std::string& n) { return is_all_of(key, n); });
        !all.empty())
      return all;
    if (std::string endpoint = only(
            known.endpoints, [&](const std::string& n) { return folded(last_part(n)) == key; });
        !endpoint.empty())
      return endpoint;
    if (std::string first =
            only(known.services, [&](const std::string& n) { return begins(key, n); });
        !first.empty())
      return first;
    return only(known.services, [&](const std::string& n) { return has_part(word, n); });
  }
  // Misspelt: of the same form, and nothing else is as near. A word that is written somewhere is
  // another thing.
  if (is_word(word)) return "";
  const bool path = word.front() == '/';
  const std::vector<std::string>& names = path ? known.endpoints : known.services;
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view nearest = nearest_name(word, views);
  const bool near = word.size() >= kLongEnough && nearest.size() >= kLongEnough &&
                    edit_distance(word, nearest) <= (word.size() < kLongEnough + 2 ? 1 : 2);
  return near ? std::string(nearest) : "";
}

// "api search" for /api/search, "departure board" for departure-board: a name whose parts are said
// one by one.
std::optional<MeantSystem> said_apart(std::string_view question, const KnownSystems& known) {
  constexpr size_t kMostParts = 4;
  std::vector<Word> words;
  for (size_t at = 0; at < question.size(); ++at) {
    size_t end = at;
    while (end < question.size() && is_alnum(question[end])) ++end;
    if (end == at) continue;
    words.push_back({at, end});
    at = end;
  }
  for (size_t count = kMostParts; count > 1; --count)
    for (size_t i = 0; i + count <= words.size(); ++i) {
      const size_t begin = words[i].begin, end = words[i + count - 1].end;
      const std::string_view said = question.substr(begin, end - begin);
      // Nothing but a space between each two.
      if (static_cast<size_t>(std::ranges::count(said, ' ')) != count - 1 ||
          said.find_first_not_of(
              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ") !=
              std::string_view::npos)
        continue;
      const std::string key = bare_name(said);
      for (const auto* names : {&known.services, &known.endpoints})
        for (const std::string& name : *names) {
          if (key.size() < kLongEnough || bare_name(name) != key) continue;
          std::string whole(question);
          whole.replace(begin, said.size(), name);
          return MeantSystem{std::string(said), name, std::move(whole)};
        }
    }
  return std::nullopt;
}

KnownSystems read_sources(const Sources& sources, TimePoint now) {
  KnownSystems known;
  read_labels(known, sources.live, now);
  known.written = sources.search.catalogue().services;
  if (sources.live.changes != nullptr)
    for (const std::string& name : sources.live.changes->services()) add_once(known.written, name);
  for (const std::string& name : known.written) add_once(known.services, name);
  return known;
}

}  // namespace

KnownSystems read_known_systems(const Sources& sources, TimePoint now) {
  if (sources.names == nullptr) return read_sources(sources, now);
  return sources.names->systems.get(now, [&] { return read_sources(sources, now); });
}

bool is_system(std::string_view name, const Sources& sources, TimePoint now) {
  const auto has = [key = name_key(name)](const std::vector<std::string>& names) {
    return std::ranges::any_of(names, [&](const auto& known) { return name_key(known) == key; });
  };
  return has(sources.search.catalogue().applications) ||
         has(read_known_systems(sources, now).services);
}

std::string system_in(std::string_view text, const KnownSystems& known, const IsWord& is_word) {
  for (const Word& word : naming_words(text))
    if (std::string name = called_so(text.substr(word.begin, word.end - word.begin), known);
        !name.empty())
      return name;
  const auto meant = meant_system(text, known, is_word);
  return meant ? meant->name : "";
}

std::optional<MeantSystem> meant_system(std::string_view question, const KnownSystems& known,
                                        const IsWord& is_word, std::span<const Stretch> taken) {
  std::optional<MeantSystem> meant;
  std::vector<Word> words = naming_words(question);
  std::erase_if(words, [&](const Word& word) {
    return std::ranges::any_of(taken, [&](const Stretch& other) {
      return other.begin <= word.begin && word.end <= other.end;
    });
  });
  const auto text_of = [&](const Word& word) {
    return question.substr(word.begin, word.end - word.begin);
  };
  if (std::ranges::any_of(words,
                          [&](const Word& w) { return !called_so(text_of(w), known).empty(); }))
    return std::nullopt;
  if (auto apart = said_apart(question, known)) return apart;
  for (const Word& word : words) {
    const std::string_view said = text_of(word);
    std::string name = named_by(said, known, is_word);
    if (name.empty() || (meant && meant->name == name)) continue;
    if (meant) return std::nullopt;
    std::string whole(question);
    whole.replace(word.begin, said.size(), name);
    meant = {std::string(said), std::move(name), std::move(whole)};
  }
  return meant;
}

}  // namespace precedent
