#include "agent/understand/understanding.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "agent/language/fixed_phrases.h"
#include "agent/slots/blame.h"
#include "agent/slots/change_subjects.h"
#include "agent/slots/subjects.h"
#include "agent/sources/asked_metrics.h"
#include "agent/sources/dictionary.h"
#include "agent/sources/known_systems.h"
#include "agent/sources/system_names.h"
#include "agent/sources/unknown_names.h"
#include "agent/understand/asked_figure.h"
#include "agent/understand/asked_settings.h"
#include "agent/understand/read_intent.h"
#include "agent/understand/system_words.h"
#include "base/strings.h"

namespace precedent {
namespace {

// The question with the name of the system that it calls in short or misspells, if that makes it
// one about how the system behaves or what was changed in it.
std::optional<OpenIntent> with_its_system(const Reference& asked, const OpenIntent& read,
                                          const IntentContext& context, const Sources& sources) {
  const bool live = sources.live.metrics != nullptr || sources.live.changes != nullptr;
  const Signals& s = read.signals;
  const bool of_a_system = s.behaviour() || s.deploy || s.changes || s.slo;
  const bool known = std::ranges::any_of(read.subjects, [](const Subject& subject) {
    return subject.kind == SubjectKind::kApplication || subject.kind == SubjectKind::kIncident;
  });
  // What is laid down is written in documents.
  static const RE2 kLaidDown(
      "(?i)\\b(?:objectives?|thresholds?|targets?|limits?|means?|meaning|defined)\\b");
  const bool laid_down = !read.asks.whether && RE2::PartialMatch(asked.question, kLaidDown);
  // Earlier cases are told by records, whatever system they are of.
  if (!live || known || !of_a_system || laid_down || s.precedent) return std::nullopt;
  const auto meant = meant_system(
      asked.question, read_known_systems(sources, context.now), dictionary_of(sources, context.now),
      metrics_in_words(asked.question, read_metric_names(sources, context.now)));
  if (!meant) return std::nullopt;
  Reference named = asked;
  named.question = meant->question;
  OpenIntent intent = read_intent(named, context);
  if (intent.type != QuestionType::kDebugIncident && !intent.signals.changes) return std::nullopt;
  intent.taken_for = taken_note(meant->said, meant->name);
  intent.cues.push_back(intent.taken_for);
  return intent;
}

// What somebody changed, whether a flag is on, who wrote a file: the record of changes knows, by
// the names that it has.
std::optional<OpenIntent> with_recorded_names(const OpenIntent& read, const Sources& sources) {
  if (sources.live.changes == nullptr || read.follow_up || !read.ids.empty()) return std::nullopt;
  const auto file = std::ranges::find(read.subjects, SubjectKind::kFile, &Subject::kind);
  OpenIntent intent = read;
  if (file != read.subjects.end() && read.qualifiers.author) {
    intent.changed = file->text;
    intent.signals.changes = true;
    intent.type = QuestionType::kExplainCode;
    intent.cues.emplace_back("who changed a file");
    return intent;
  }
  std::optional<RecordedNames> names;
  const auto known = [&]() -> const RecordedNames& {
    const auto recorded = [&] { return read_recorded_names(*sources.live.changes, read.now); };
    if (!names)
      names =
          sources.names == nullptr ? recorded() : sources.names->recorded.get(read.now, recorded);
    return *names;
  };
  // What it broke, or where it is read, is another question.
  const bool plain = !read.signals.behaviour() && !read.signals.code &&
                     !read.signals.configuration && !read.asks.steps && !read.asks.cause;
  auto flag = asked_flag(read.question, known);
  if (!flag && plain) flag = asked_flag_switch(read.question, known);
  const std::string author = flag ? "" : asked_author(read.question, known);
  // "What did Checkout deploy": a system, not a person.
  const bool system = std::ranges::any_of(read.subjects, [&](const Subject& s) {
    return (s.kind == SubjectKind::kService || s.kind == SubjectKind::kApplication) &&
           name_key(s.text) == name_key(author);
  });
  if (!flag && (author.empty() || system)) return std::nullopt;
  std::erase_if(intent.subjects, [](const Subject& s) {
    return s.kind == SubjectKind::kThing || s.kind == SubjectKind::kSymbol;
  });
  if (flag)
    intent.subjects.push_back({flag->empty() ? std::string(kAllFlags) : *flag, SubjectKind::kFlag});
  else
    intent.subjects.push_back({author, SubjectKind::kPerson});
  intent.signals.changes = true;
  intent.type = QuestionType::kKnowledge;
  intent.after.reset();
  intent.confidence = 0.9;
  intent.cues.push_back(flag ? "the state of a flag" : "changes by " + author);
  return intent;
}

// Who changed something, or when, that is no system: as the titles and the files of changes call
// it, if any does.
std::optional<OpenIntent> with_what_was_changed(const OpenIntent& read, const Sources& sources) {
  if (sources.live.changes == nullptr || read.follow_up || !read.ids.empty() ||
      read.questions.size() > 1 || read.type == QuestionType::kDebugIncident || read.asks.steps)
    return std::nullopt;
  std::vector<std::string> told;
  for (const Subject& subject : read.subjects)
    if (subject.kind == SubjectKind::kService || subject.kind == SubjectKind::kApplication)
      told.push_back(subject.text);
  const size_t systems = told.size();
  for (const TimeHint& hint : read.times) told.push_back(hint.text);
  if (read.deploy) told.push_back(read.deploy->text);
  const auto words = asked_change_words(read.question, told);
  if (!words || (words->empty() && systems == 0)) return std::nullopt;
  // A version of a system that nobody recorded is said to be not found, not told of in documents on
  // others.
  const bool version = systems > 0 && words->size() == 1 && words->front().contains('.');
  if (!words->empty() && !version && !is_recorded(*words, *sources.live.changes, read.now))
    return std::nullopt;
  OpenIntent intent = read;
  intent.changed = join(*words, " ");
  intent.signals.changes = true;
  intent.type = QuestionType::kKnowledge;
  intent.after.reset();
  intent.confidence = 0.9;
  intent.cues.push_back("who changed it, or when: " +
                        (intent.changed.empty() ? told.front() : intent.changed));
  return intent;
}

OpenIntent answered_by_code(const OpenIntent& read, bool Signals::* signal, std::string cue) {
  OpenIntent intent = read;
  intent.signals.*signal = true;
  intent.type = QuestionType::kExplainCode;
  intent.after.reset();
  intent.confidence = 0.85;
  intent.cues.push_back(std::move(cue));
  return intent;
}

// A value that the code gives to a setting, which the question calls by plain words.
std::optional<OpenIntent> with_its_setting(const OpenIntent& read, const Sources& sources) {
  const std::string name = asked_setting(read, sources.search);
  if (name.empty()) return std::nullopt;
  return answered_by_code(read, &Signals::configuration, "the setting " + name);
}

// An error code that only the code knows: what it means stands there.
std::optional<OpenIntent> with_what_the_code_says(const OpenIntent& read, const Sources& sources) {
  if (read.follow_up || !read.ids.empty() || !read.documents.kinds.empty() ||
      read.type == QuestionType::kDebugIncident || read.signals.changes)
    return std::nullopt;
  const std::string code = code_of_the_code(read.question, sources.search);
  if (code.empty()) return std::nullopt;
  return answered_by_code(read, &Signals::code, "only the code has " + code);
}

// "Did A cause B" asks how B behaves, and what was changed in A before it began. A and B are
// systems that are known, and not the same.
std::optional<OpenIntent> with_whom_it_blames(const Reference& asked, const IntentContext& context,
                                              const Sources& sources) {
  const std::optional<Blame> blame = read_blame(asked.question);
  if (!blame || sources.live.metrics == nullptr || sources.live.changes == nullptr)
    return std::nullopt;
  const KnownSystems known = read_known_systems(sources, context.now);
  const IsWord is_word = dictionary_of(sources, context.now);
  const std::string cause = system_in(blame->cause, known, is_word),
                    effect = system_in(blame->effect, known, is_word);
  if (cause.empty() || effect.empty() || cause == effect) return std::nullopt;
  Reference its = asked;
  const auto meant = meant_system(blame->effect, known, is_word);
  its.question = fmt::format("What is going on with {}?", meant ? meant->question : blame->effect);
  OpenIntent intent = read_intent(its, context);
  if (intent.type != QuestionType::kDebugIncident) return std::nullopt;
  intent.blamed = cause;
  intent.cues.push_back(fmt::format("whether {} is behind what {} does", cause, effect));
  return intent;
}

// "Is it the 22:50 deploy?" asks how the system that was deployed behaves since.
std::optional<OpenIntent> with_the_blamed_deploy(const Reference& asked,
                                                 const IntentContext& context,
                                                 const Sources& sources) {
  const std::string blamed = read_blamed_deploy(asked.question);
  if (blamed.empty() || sources.live.metrics == nullptr || sources.live.changes == nullptr)
    return std::nullopt;
  const std::string system = system_in(blamed, read_known_systems(sources, context.now),
                                       dictionary_of(sources, context.now));
  // What took it back since is not what is blamed.
  DeployWanted wanted{.rollbacks = false};
  const auto hint = find_deploy_hint("since the " + blamed, context.now);
  if (hint) wanted.range = hint->day, wanted.version = hint->version;
  const auto found = last_deploy(*sources.live.changes, system, context.now, wanted);
  Reference its = asked;
  if (found && !*found && wanted.range.from) {
    its.question =
        fmt::format("What was deployed at {}?", format_time(*wanted.range.to).substr(0, 16));
    return read_intent(its, context);
  }
  if (!found || !*found || (*found)->change.services.empty()) return std::nullopt;
  const Change& deploy = (*found)->change;
  its.question = fmt::format("What is going on with {} since the last deploy?",
                             system.empty() ? deploy.services.front() : system);
  OpenIntent intent = read_intent(its, context);
  if (intent.type != QuestionType::kDebugIncident || !intent.deploy) return std::nullopt;
  intent.deploy->day = {deploy.at, deploy.at + std::chrono::seconds(1)};
  intent.taken_for = taken_note(blamed, deploy.title);
  intent.cues.push_back("whether a deploy is behind it: " + (*found)->text());
  return intent;
}

OpenIntent read_with_names(const Reference& asked, const IntentContext& context,
                           const Sources& sources) {
  if (auto blaming = with_whom_it_blames(asked, context, sources)) return std::move(*blaming);
  if (auto blaming = with_the_blamed_deploy(asked, context, sources)) return std::move(*blaming);
  OpenIntent intent = read_intent(asked, context);
  if (auto recorded = with_recorded_names(intent, sources)) return std::move(*recorded);
  if (auto changed = with_what_was_changed(intent, sources)) return std::move(*changed);
  if (auto measured = with_its_metric(asked, intent, context, sources)) return std::move(*measured);
  if (auto set = with_its_setting(intent, sources)) return std::move(*set);
  if (auto coded = with_what_the_code_says(intent, sources)) return std::move(*coded);
  auto named = with_its_system(asked, intent, context, sources);
  return named ? std::move(*named) : intent;
}

// Documents of a moment are those of its day; metrics and changes know it to the minute. What a
// line of a log tells may go on.
void take_moment(OpenIntent& intent) {
  using std::chrono::hours, std::chrono::minutes;
  constexpr hours kBefore{1}, kStillGoesOn{24};
  const bool live = intent.type == QuestionType::kDebugIncident || intent.signals.changes;
  const bool one_day = intent.times.size() == 1 && intent.times[0].range.from &&
                       intent.times[0].range.to &&
                       *intent.times[0].range.to - *intent.times[0].range.from <= hours(24);
  // "Since the 22:50 deploy": from then on.
  if (!live || !(intent.times.empty() || one_day) || (intent.deploy && !intent.signals.changes))
    return;
  const auto moment = find_moment(intent.question, intent.now);
  if (!moment || *moment > intent.now) return;
  TimeRange range{*moment - kBefore, moment};
  if (intent.signals.changes) range.to = *moment + minutes(15);
  if (intent.signals.log_line) range.to = *moment + kBefore;
  if (intent.signals.log_line && intent.now - *moment <= kStillGoesOn) range.to.reset();
  const size_t end = intent.question.size();
  if (intent.times.empty()) intent.times.push_back({format_time(*moment), end, end, {}, {}});
  intent.times[0].range = range;
}

}  // namespace

OpenIntent understand(const Reference& asked, const IntentContext& context,
                      const Sources& sources) {
  OpenIntent intent = read_with_names(asked, context, sources);
  take_moment(intent);
  return intent;
}

}  // namespace precedent
