#include "agent/understand/asked_figure.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "agent/language/fixed_phrases.h"
#include "agent/sources/asked_metrics.h"
#include "agent/sources/dictionary.h"
#include "agent/sources/known_systems.h"
#include "agent/sources/unknown_names.h"
#include "agent/understand/read_intent.h"
#include "agent/understand/system_words.h"
#include "base/strings.h"

namespace precedent {
namespace {

// Whether a figure is asked for: neither a record nor what is written about it. `live`: it leans on
// what systems were asked about.
bool may_name_a_metric(const OpenIntent& read, bool live) {
  const Signals& s = read.signals;
  const bool other = (read.follow_up && !live) || !read.ids.empty() ||
                     !read.documents.kinds.empty() || read.asks.contact || read.asks.steps ||
                     s.changes || s.firing || s.code || s.configuration || s.architecture ||
                     s.precedent || s.slo || s.alerts;
  // What only looks like a question for incidents is not sure to be one.
  constexpr double kSure = 0.6;
  const bool listed =
      read.confidence > kSure && (read.type == QuestionType::kApplicationIncidents ||
                                  read.type == QuestionType::kRecentIncidents);
  static const RE2 kWritten(
      "(?i)\\b(?:should|must|allowed?|limits?|thresholds?|targets?|objectives?|configured|defined|"
      "ttl|timeouts?|retr(?:y|ies)|settings?|replicas?|means?|measures?|expected|documented|"
      "documentation|where)\\b");
  return !other && !listed && !RE2::PartialMatch(read.question, kWritten);
}

// The series of a metric, lately; none where they cannot be read within a second.
std::vector<LabelSet> series_of(const std::string& metric, const Sources& sources, TimePoint now) {
  constexpr std::chrono::seconds kPatience{1};
  const MetricTemplate* known = sources.live.metrics_config->find(metric);
  if (known != nullptr && known->metrics.empty()) return {};
  const CancelToken never;
  const Instant to = sources.live.metrics->frozen_at().value_or(
      std::chrono::floor<std::chrono::milliseconds>(now));
  auto series = sources.live.metrics->series({known != nullptr ? known->metrics.front() : metric},
                                             to - std::chrono::hours(1), to,
                                             {never, std::chrono::steady_clock::now() + kPatience});
  return series ? std::move(*series) : std::vector<LabelSet>();
}

// Whether a metric is one of the system that the question names: as its own name or the labels of
// its series say.
bool is_of_the_system(const std::string& metric, const OpenIntent& read, const Sources& sources) {
  const std::set<std::string> words = system_words(read);
  if (words.empty() || sources.live.metrics_config->find(metric) != nullptr) return true;
  const std::set<std::string> its = telling_words(metric);
  if (std::ranges::any_of(words, [&](const std::string& word) { return its.contains(word); }))
    return true;
  return std::ranges::any_of(series_of(metric, sources, read.now), [&](const LabelSet& labels) {
    return naming_label(labels, words) != labels.end();
  });
}

// "FRZ-12" of "freezer temperature FRZ-12": the label of the metric's series that the question
// names by its value, as a filter; "" if there is none.
std::string named_series(std::string_view question, const std::string& metric,
                         const Sources& sources, TimePoint now) {
  static const RE2 kToken("([\\pL\\d][\\pL\\d_.:/-]*[\\pL\\d])");
  std::vector<std::string> said;
  re2::StringPiece rest(question.data(), question.size());
  for (std::string token; RE2::FindAndConsume(&rest, kToken, &token);)
    if (!frames_a_question(ascii_lower(token))) said.push_back(std::move(token));
  for (const LabelSet& labels : series_of(metric, sources, now))
    for (const auto& [label, value] : labels)
      if (std::ranges::any_of(said, [&](const std::string& s) { return iequals(s, value); }))
        return label + "=" + value;
  return "";
}

// Whether all that a question holds beside a system is one word: "memory of route-engine?"
bool asks_in_one_word(const OpenIntent& read, const std::set<std::string>& systems) {
  if (system_words(read).empty()) return false;
  // How it moves is no word of its name.
  static const RE2 kMoves(
      "(?i)\\b(?:ris(?:e|es|ing|en)|rose|grow\\w*|grew|fall(?:s|ing|en)?|fell|drop\\w*|climb\\w*|"
      "jump\\w*|increas\\w*|decreas\\w*|"
      "usage|level|high|low|full)\\b");
  std::string question = read.question;
  RE2::GlobalReplace(&question, kMoves, " ");
  const std::set<std::string> words = telling_words(question);
  return std::ranges::count_if(words, [&](const std::string& word) {
           return !systems.contains(word) && !frames_a_question(word);
         }) == 1;
}

// "Is the text backlog still growing?", where a configured metric is called so: one word with an
// article says which.
bool names_a_configured_one(std::string_view question, const MetricsConfig& config) {
  static const RE2 kThing("(?i)\\b(?:the|our) ([\\pL\\d-]+)(?: ([\\pL\\d-]+))?\\b");
  re2::StringPiece rest(question.data(), question.size());
  for (std::string one, other; RE2::FindAndConsume(&rest, kThing, &one, &other);)
    if (config.find(ascii_lower(one)) != nullptr || config.find(ascii_lower(other)) != nullptr)
      return true;
  return false;
}

}  // namespace

std::optional<OpenIntent> with_its_metric(const Reference& asked, const OpenIntent& read,
                                          const IntentContext& context, const Sources& sources) {
  constexpr long kFewWords = 6;
  if (sources.live.metrics == nullptr || sources.live.metrics_config == nullptr)
    return std::nullopt;
  const bool few = std::ranges::count(asked.question, ' ') < kFewWords;
  const KnownSystems known = read_known_systems(sources, context.now);
  std::set<std::string> systems;
  for (const auto* names : {&known.services, &known.endpoints})
    for (const std::string& name : *names) systems.merge(telling_words(name));
  const auto meant = meant_metric(
      asked.question, read_metric_names(sources, context.now), systems,
      asks_in_one_word(read, systems) ||
          names_a_configured_one(asked.question, *sources.live.metrics_config),
      [&](const std::string& metric) { return is_of_the_system(metric, read, sources); });
  if (!meant) return std::nullopt;
  static const RE2 kNowOrThen(
      "(?i)\\b(?:now|currently|at the moment|today|yesterday|compared?|versus|vs|than|since "
      "when|when did)\\b");
  const bool figure = few || read.asks.whether || read.asks.value || read.signals.behaviour() ||
                      RE2::PartialMatch(asked.question, kNowOrThen);
  if (!figure) return std::nullopt;
  Reference named = asked;
  named.question = meant->question;
  std::string taken_for =
      bare_name(meant->said) == bare_name(meant->name) ? "" : taken_note(meant->said, meant->name);
  // "Cache hit ratio search": of what, in short.
  if (system_words(read).empty())
    if (const auto system =
            meant_system(meant->question, known, dictionary_of(sources, context.now))) {
      named.question = system->question;
      taken_for += (taken_for.empty() ? "" : " ") + taken_note(system->said, system->name);
    }
  OpenIntent intent = read_intent(named, context);
  // A word of its name may have looked like what something else is asked with: "traffic import
  // age".
  const bool live = !asked.live.empty();
  if (!may_name_a_metric(read, live) && !may_name_a_metric(intent, live)) return std::nullopt;
  std::erase_if(intent.subjects, [&](const Subject& s) { return s.text == meant->name; });
  intent.subjects.push_back({meant->name, SubjectKind::kMetric});
  std::ranges::stable_sort(intent.subjects, {}, &Subject::kind);
  intent.type = QuestionType::kDebugIncident;
  intent.after.reset();
  intent.confidence = 0.9;
  intent.taken_for = std::move(taken_for);
  if (system_words(intent).empty())
    intent.series = named_series(named.question, meant->name, sources, context.now);
  intent.cues.push_back("names the metric " + meant->name);
  return intent;
}

}  // namespace precedent
