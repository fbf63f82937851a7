// The parts of an answer that come from the systems in operation: what the metrics say, which
// alerts are active, and which cause is likely.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "agent/compose/alert_lines.h"
#include "agent/compose/compose_metrics.h"
#include "agent/compose/section.h"
#include "agent/evidence/own_runbooks.h"
#include "agent/language/fixed_phrases.h"
#include "agent/understand/system_words.h"
#include "base/strings.h"
#include "time/time_hints.h"
#include "tools/present.h"

namespace precedent {
namespace {

// A sentence that nothing is wrong, as far as was measured; "" if an alert concerns it, or no
// metric was read.
std::string calm_of(const Answer& answer, const std::set<std::string>& words) {
  bool alerts_read = false;
  const MetricsResult* past = nullptr;
  const MetricsResult* measured = nullptr;
  std::vector<std::string> compared, alone;
  for (const auto& [receipt, metric] : alerted(answer, words))
    for (const Alert& alert : metric->alerts)
      if (concerns(alert, words, metric->from)) return "";
  for (const auto& [receipt, metric] : results_of<MetricsResult>(answer)) {
    alerts_read |= !metric->alert_source.empty() && metric->alert_problem.empty();
    if (!metric->summary || !concerns(*metric, *receipt, words)) continue;
    measured = metric;
    (metric->comparisons.empty() ? alone : compared).push_back(metric_label(*metric));
    if (!is_current(*metric, answer.intent.now)) past = metric;
  }
  if (measured == nullptr) return "";
  // Without a past, a value is neither usual nor unusual.
  if (compared.empty())
    return not_found(fmt::format("values of {} from before {} to compare with{}.",
                                 join(alone, ", "), format_time(measured->from),
                                 alerts_read ? ", or an active alert" : ""));
  // Nothing is known of the alerts at that time, or of the time since.
  if (past != nullptr)
    return fmt::format("These metrics look normal from {} to {}.", format_time(past->from),
                       format_time(past->to));
  return alerts_read ? "These metrics look normal, and no alert is active."
                     : "These metrics look normal.";
}

// What should have been measured and was not comes before what was found instead, and so does that
// no alert tells of it.
void tell_unmeasured(Answer& answer, Writer& out, const std::set<std::string>& words) {
  compose_gaps(answer, out);
  const auto results = results_of<MetricsResult>(answer);
  const auto read = std::ranges::find_if(results, [](const auto& result) {
    return !result.second->alert_source.empty() && result.second->alert_problem.empty();
  });
  const bool alerted = std::ranges::any_of(results, [&](const auto& result) {
    return std::ranges::any_of(result.second->alerts, [&](const Alert& alert) {
      return concerns(alert, words, result.second->from);
    });
  });
  if (read != results.end() && !alerted && !words.empty())
    out.missing(no_alert_text(answer.intent, *read->second));
  tell_gaps(answer, out);
}

// "Memory of X", if only its CPU is measured: said before the figure, which is of something else.
void tell_resource(Answer& answer, Writer& out) {
  static const RE2 kPart("(memory|heap|cpu|disk)");
  const std::string& asked = answer.intent.qualifiers.resource;
  if (asked.empty()) return;
  const std::string other = asked == "heap" ? "memory" : asked;
  for (const auto& [receipt, metric] : results_of<MetricsResult>(answer)) {
    const std::string own = ascii_lower(metric->metric + " " + metric->expression);
    std::string its;
    if (own.contains(asked) || own.contains(other)) return;
    if (!metric->summary || !RE2::PartialMatch(own, kPart, &its)) continue;
    const std::string note =
        not_found(fmt::format("a {} metric; {} measures {}.", asked, metric->metric, its));
    out.missing(note);
    out.line(note);
    out.gap();
    return;
  }
}

// An active alert about the subject, if no metric shows that something began. Returns whether there
// is one.
bool tell_alarm(Writer& out, const Answer& answer, const std::set<std::string>& words) {
  const std::vector<std::string> lines =
      alert_lines(out, answer, words, 1, [&](const Alert& alert, const MetricsResult& metric) {
        return concerns(alert, words, metric.from);
      });
  for (std::string_view line : lines) {
    if (line.starts_with("- ")) line.remove_prefix(2);
    out.line(std::string(line));
    out.gap();
  }
  return !lines.empty();
}

// "What is p95 of X", "memory of X": neither why nor whether something is wrong.
bool asks_for_a_figure(const Intent& intent) {
  const Asks& asks = intent.asks;
  const bool named = std::ranges::any_of(
      intent.subjects, [](const Subject& s) { return s.kind == SubjectKind::kMetric; });
  return !intent.signals.unhealthy &&
         (asks.value || (named && !asks.cause && !asks.whether && !asks.steps && !intent.deploy));
}

// The objective, beside the measured value.
void tell_objective(Writer& out, const std::vector<Evidence>& evidence,
                    const std::set<std::string>& words) {
  static const RE2 kBound(
      "(?i)\\b(?:slos?|objectives?|targets?|below|under|within|at (?:most|least)|above|less "
      "than)\\b.*\\d|\\d.*\\b(?:slos?|objectives?)\\b");
  std::vector<Evidence> bounds;
  for (const Evidence& piece : evidence) {
    const std::set<std::string> its = telling_words(piece.quote);
    const bool named =
        std::ranges::any_of(words, [&](const std::string& word) { return its.contains(word); });
    if (named && RE2::PartialMatch(piece.quote, kBound)) bounds.push_back(piece);
  }
  if (bounds.empty()) return;
  out.gap();
  quote_best(out, bounds, 1);
}

// Whether exactly what the question names was measured.
bool is_measured(const Answer& answer) {
  return std::ranges::any_of(results_of<MetricsResult>(answer), [](const auto& m) {
    return m.second->summary && is_asked_for(*m.first);
  });
}

// "Is X ok?", rather than one of its endpoints or metrics.
bool is_of_whole_systems(const Intent& intent) {
  return std::ranges::none_of(intent.subjects, [](const Subject& s) {
    return s.kind == SubjectKind::kEndpoint || s.kind == SubjectKind::kMetric;
  });
}

// Whether there are figures of a metric that the question names.
bool names_measured(const Answer& answer) {
  return std::ranges::any_of(results_of<MetricsResult>(answer), [&](const auto& m) {
    return m.second->summary && is_named(*m.second, answer.intent);
  });
}

}  // namespace

std::string suspected_service(const Answer& answer, const Onset* onset) {
  if (!answer.intent.service.empty() || onset == nullptr || onset->metric->top.empty())
    return answer.intent.service;
  for (const auto& [label, value] : onset->metric->top.front().labels)
    for (const auto& [receipt, changes] : results_of<ChangesResult>(answer))
      for (const Change& change : changes->changes)
        if (std::ranges::any_of(change.services,
                                [&](const std::string& own) { return iequals(own, value); }))
          return value;
  return "";
}

std::optional<Onset> onset_of(const Answer& answer) {
  const std::set<std::string> words = system_words(answer.intent);
  // Exactly what the question names, else what goes with it: a neighbour's trouble is not its own.
  const bool measured = is_measured(answer);
  const bool named = std::ranges::any_of(results_of<MetricsResult>(answer), [&](const auto& m) {
    return m.second->summary && is_named(*m.second, answer.intent);
  });
  const auto of_the_question = [&](const MetricsResult& metric, const Receipt& receipt) {
    if (named && words.empty()) return is_named(metric, answer.intent);
    return measured ? is_asked_for(receipt) : concerns(metric, receipt, words);
  };
  const Direction direction = asked_direction(answer.intent);
  const auto own = find_onset(answer.receipts, of_the_question, direction);
  if (own || !measured || !is_of_whole_systems(answer.intent)) return own;
  // A metric that carries a system's name belongs to it, however its series are labelled.
  const auto by_name = [&](const MetricsResult& metric, const Receipt& receipt) {
    return concerns(metric, receipt, words);
  };
  return find_onset(answer.receipts, by_name, direction);
}

bool has_live_results(const Answer& answer) {
  return std::ranges::any_of(answer.receipts, [](const Receipt& receipt) {
    return std::holds_alternative<MetricsResult>(receipt.result) ||
           std::holds_alternative<ChangesResult>(receipt.result);
  });
}

bool has_asked_systems(const Answer& answer) {
  return std::ranges::any_of(answer.receipts, [](const Receipt& receipt) {
    return receipt.tool == "metrics_query" || receipt.tool == "recent_changes";
  });
}

namespace {

// What an investigation has found out, before a word of it is written.
struct Investigation {
  Answer& answer;
  Writer& out;
  const std::vector<Evidence>& evidence;

  const std::set<std::string> words = system_words(answer.intent);  // of the systems in question
  // Figures of what the question names exactly.
  const bool measured = is_measured(answer);
  const std::optional<Onset> onset = onset_of(answer);
  const std::vector<Moved> moved = moved_with_it();
  // Figures of what the question is about.
  const bool seen = std::ranges::any_of(results_of<MetricsResult>(answer), [&](const auto& m) {
    return m.second->summary && concerns(*m.second, *m.first, words);
  });
  // The sentence that nothing is wrong; "" if something may be.
  const std::string calm = onset || !moved.empty() ? "" : calm_of(answer, words);
  const bool over = ended_before_now();
  const std::optional<Suspect> suspect = suspected_change();
  const std::optional<Undone> undone =
      suspect ? find_undone(answer.receipts, *suspect->change) : std::nullopt;
  // Only a figure is asked for, not what surrounds it.
  const bool figure = (measured || names_measured(answer)) && asks_for_a_figure(answer.intent);
  bool alarmed = false;  // an active alert of the system was told
  bool stepped = false;  // steps were told

  const Onset* begun() const { return onset ? &*onset : nullptr; }
  bool whether() const { return answer.intent.asks.whether; }
  // It is asked whether something is wrong, and the figures are as usual: other metrics that moved
  // may still be told.
  bool as_ever() const { return !onset && !alarmed && measured && whether() && !over; }
  // A figure is asked for, or whether something is wrong, and nothing is: no steps are asked for.
  bool goes_on() const { return !figure && !((!calm.empty() || as_ever()) && whether()); }
  // Nor if nothing shows that; but earlier trouble of the same system may help to find out.
  bool only_before() const { return !seen && whether(); }
  bool explains() const { return goes_on() && !only_before(); }

  const std::vector<std::string> systems = systems_in_question();
  const std::vector<Evidence> own = without_others_runbooks(evidence, answer.receipts, systems);

 private:
  std::vector<Moved> moved_with_it() const {
    std::vector<Moved> found = find_moved(answer.receipts, begun());
    // That a metric has no past matters only beside one that changed.
    std::erase_if(found, [&](const Moved& m) {
      return !concerns(*m.metric, *m.receipt, words) || (m.appeared && !onset);
    });
    return found;
  }
  bool ended_before_now() const {
    const TimeRange asked = intersection(answer.intent.times);
    return asked.to && *asked.to < answer.intent.now;
  }
  // Without an onset, a cause is suggested only if the question says that something is wrong now.
  std::optional<Suspect> suspected_change() const {
    const bool claims = !whether() && !answer.intent.asks.value && !over;
    if (answer.intent.type != QuestionType::kDebugIncident ||
        (!onset && (measured || !claims || !calm.empty())))
      return std::nullopt;
    return find_suspect(answer.receipts, begun(), suspected_service(answer, begun()), evidence);
  }
  std::vector<std::string> systems_in_question() const {
    std::vector<std::string> named = {answer.intent.service, answer.intent.blamed};
    if (suspect)
      named.insert(named.end(), suspect->change->services.begin(), suspect->change->services.end());
    return systems_of_documents(named, answer.receipts);
  }
};

void tell_calm(Investigation& c) {
  c.out.missing(c.calm);
  c.out.line(c.calm);
}

void tell_total(Investigation& c) {
  const auto& [metric, receipt] = std::pair(c.onset->metric, c.onset->receipt);
  c.out.line(fmt::format("{}: {} in all from {} to {}. {}", metric_label(*metric),
                         format_total(*metric), format_time(metric->from), format_time(metric->to),
                         c.out.cite(source_of(*metric, *receipt))));
}

void quote_documents(Investigation& c) {
  if (c.own.empty() || is_remote(c.own) || !is_convincing(c.own.front())) return;
  c.out.gap();
  c.out.line("**From documents**");
  quote_best(c.out, c.own, kMaxQuotes);
}

void tell_cause(Investigation& c) {
  const auto recorded =
      c.onset ? find_recorded(c.answer.receipts, *c.onset, c.words, c.answer.intent.now)
              : std::nullopt;
  compose_cause(c.out, {c.begun(), c.moved, c.suspect, recorded, c.undone});
}

void tell_steps(Investigation& c) {
  std::string cause = c.suspect ? c.suspect->change->title : "";
  for (const Evidence* told : c.suspect ? c.suspect->told : std::vector<const Evidence*>())
    cause += " " + told->quote;
  const size_t before = c.answer.text.size();
  const FrozenText asked = c.answer.intent.asked.text.with(" " + cause);
  compose_steps(c.answer, c.out, runbooks_on(asked.terms(), c.own, c.answer.receipts, c.systems),
                cause);
  c.stepped = c.answer.text.size() > before;
}

using Part = AnswerSection<Investigation>;
using In = const Investigation&;
using Of = Investigation&;
constexpr Part kInvestigation[] = {
    {"unmeasured", "nothing of it was measured", [](In c) { return !c.seen; },
     [](Of c) { tell_unmeasured(c.answer, c.out, c.words); }},
    {"other_resource", "another resource was measured than the one that is asked about",
     [](In) { return true; }, [](Of c) { tell_resource(c.answer, c.out); }},
    {"ranking", "the question asks which of several is the highest", [](In) { return true; },
     [](Of c) { tell_ranking(c.out, c.answer); }, Then::kEndIfWritten},
    {"onset", "something began in the window", [](In c) { return c.onset.has_value(); },
     [](Of c) { tell_onset(c.out, *c.onset, c.answer.intent.now); }},
    {"total", "a figure is asked for, and something began",
     [](In c) {
       return c.onset && c.answer.intent.asks.value && c.onset->metric->total.has_value();
     },
     tell_total},
    {"undone", "the suspected change was undone", [](In c) { return c.undone.has_value(); },
     [](Of c) { tell_undone(c.out, *c.suspect, *c.undone, c.begun()); }},
    {"blame", "the question blames a system", [](In) { return true; },
     [](Of c) {
       compose_blame(c.answer, c.out, c.onset ? std::optional(c.onset->at()) : std::nullopt);
     }},
    {"calm", "nothing unusual was found", [](In c) { return !c.calm.empty(); }, tell_calm},
    // An alert of a system says more about it than one metric that is as usual.
    {"alarm", "nothing began, and whether the system is well is asked",
     [](In c) {
       return !c.onset && is_of_whole_systems(c.answer.intent) && !c.words.empty() && c.whether() &&
              !c.over;
     },
     [](Of c) { c.alarmed = tell_alarm(c.out, c.answer, c.words); }},
    {"state", "nothing began in the window", [](In c) { return !c.onset; },
     [](Of c) { tell_state(c.out, c.answer, c.words, c.as_ever() && c.calm.empty()); }},
    {"objective", "a service level is asked about",
     [](In c) { return c.answer.intent.signals.slo; },
     [](Of c) { tell_objective(c.out, c.evidence, c.words); }},
    {"open_incidents", "more than a figure is asked for", [](In c) { return !c.figure; },
     [](Of c) { compose_open(c.answer, c.out); }},
    {"cause", "something may be wrong", [](In c) { return c.explains(); }, tell_cause},
    {"similar_incidents", "something may be wrong", [](In c) { return c.explains(); },
     [](Of c) { compose_precedents(c.answer, c.out, c.evidence); }},
    // If a runbook was asked for, its steps are above.
    {"steps", "something may be wrong, and no runbook was asked for by itself",
     [](In c) {
       return c.explains() && !is_remote(c.own) && c.answer.intent.documents.kinds.empty();
     },
     tell_steps},
    {"changes", "something began, or the question is about trouble",
     [](In c) {
       const bool bare = c.answer.intent.asks.value || !c.onset;
       return !(c.figure && bare) && !c.as_ever();
     },
     [](Of c) { compose_changes(c.answer, c.out); }},
    {"metrics", "it is an investigation", [](In) { return true; },
     [](Of c) { show_metrics(c.out, c.answer, c.words, c.begun(), c.moved); }},
    {"similar_incidents", "nothing was measured, and whether something is wrong is asked",
     [](In c) { return c.goes_on() && c.only_before(); },
     [](Of c) { compose_precedents(c.answer, c.out, c.evidence); }, Then::kEnd},
    {"code", "something may be wrong", [](In c) { return c.goes_on(); },
     [](Of c) { compose_code(c.answer, c.out, c.evidence); }},
    {"documents", "something may be wrong, and no steps were found",
     [](In c) { return c.goes_on() && !c.stepped; }, quote_documents},
};

}  // namespace

void compose_investigation(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  Investigation investigation{answer, out, evidence};
  write_sections(std::span<const Part>(kInvestigation), investigation);
}

}  // namespace precedent
