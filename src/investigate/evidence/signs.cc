// Findings → signs with receipts, and from these where the failure begins.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/foreign_json.h"
#include "investigate/evidence/evidence.h"
#include "investigate/evidence/failing_parts.h"
#include "investigate/traces/slow_calls.h"

namespace precedent {
namespace {

using std::chrono::floor;
using std::chrono::seconds;

constexpr size_t kMaxReceipts = 400;
// Equal calls of one span that are many: a page of a list has ten.
constexpr size_t kManyCalls = 8;
// Of what is used more, and not in full.
constexpr double kPartlyUsed = 0.4;
// What anybody feels: slow answers are twice as slow, or nearly.
constexpr double kFelt = 0.58;

std::string number(double value) { return fmt::format("{:.4g}", value); }

// Of what became so many times as large.
double weight_of(double factor) {
  return std::min(1.0, 0.4 + 0.2 * std::log2(std::max(1.0, factor)));
}

void add_metric_sign(CaseFile& evidence, const MetricFinding& finding) {
  const Departure& course = finding.course;
  std::string what = finding.metric;
  if (!finding.service.empty()) what += " of " + finding.service;
  if (finding.crossed_zero)
    what += " ran out at " + format_time(*finding.crossed_zero);
  else
    what += fmt::format(
        " {} from {} to {}{} at {}{}",
        course.ramp ? (course.up() ? "climbed" : "sank") : (course.up() ? "rose" : "fell"),
        number(course.usual), number(course.peak), finding.per_second ? " a second" : "",
        format_time(course.onset), finding.saturated ? ", its ceiling" : "");
  const Instant onset = finding.crossed_zero.value_or(course.onset);
  nlohmann::json args = {{"metric", finding.metric},
                         {"labels", finding.labels},
                         {"from", format_time(evidence.window.from)},
                         {"to", format_time(evidence.window.to)},
                         {"usual", course.usual},
                         {"spread", course.spread},
                         {"peak", course.peak},
                         {"onset", format_time(onset)}};
  const std::string receipt = add_receipt(evidence, "metrics", args, what, onset);
  Symptom symptom = finding.meaning->symptom;
  if (symptom == Symptom::kTraffic && !course.up()) symptom = Symptom::kTrafficLoss;
  double weight = weight_of(course.factor());
  // More work is no failure before something is in full use.
  if (symptom == Symptom::kPool || symptom == Symptom::kCpu) weight = std::min(weight, kPartlyUsed);
  if (finding.saturated || finding.crossed_zero) weight = 1;
  evidence.signs.push_back({symptom, finding.service, onset, weight, what, receipt});
}

bool tells(const MetricFinding& finding) {
  if (!finding.meaning) return false;
  switch (finding.meaning->symptom) {
    case Symptom::kTraffic: return finding.course.factor() >= 1.3;
    case Symptom::kCertificate: return finding.crossed_zero.has_value();
    default: return finding.worse;
  }
}

void add_log_signs(CaseFile& evidence, const LogTemplate& made) {
  if (!made.bad() || !(made.fresh || made.grown)) return;
  const std::optional<Instant> onset = made.line > 0 ? std::optional(made.onset) : std::nullopt;
  const std::string what =
      fmt::format("{} logs {} times{}: {}", made.service, made.count,
                  onset ? " since " + format_time(*onset) : "", shown_text(made.sample, 200));
  const std::string receipt = add_receipt(evidence, "logs",
                                          {{"service", made.service},
                                           {"template", shown_text(made.text)},
                                           {"file", made.file},
                                           {"line", made.line}},
                                          what, onset);
  SymptomSet symptoms = made.symptoms;
  if (symptoms.empty() || made.level == LogLevel::kError) symptoms.add(Symptom::kErrors);
  const double weight = made.level == LogLevel::kError ? 0.9 : 0.6;
  for (const Symptom symptom : symptoms.list())
    evidence.signs.push_back({symptom, made.service, onset, weight, what, receipt});
}

void add_trace_signs(CaseFile& evidence) {
  const Traces& traces = evidence.traces;
  std::set<std::pair<std::string, std::string>> told;
  const auto add = [&](const TraceSpan& span, SymptomSet symptoms, std::string what) {
    if (!told.insert({span.service, what}).second) return;
    const std::string receipt = add_receipt(evidence, "traces",
                                            {{"file", traces.file},
                                             {"span", span.place},
                                             {"trace_id", shown_text(span.trace, 64)},
                                             {"span_id", shown_text(span.id, 64)}},
                                            what, span.when());
    for (const Symptom symptom : symptoms.list())
      evidence.signs.push_back({symptom, span.service, span.when(), 0.8, what, receipt});
  };
  const FailingSpans failing = failing_spans(traces);
  const std::vector<const TraceSpan*> origins = error_origins(traces);
  for (const TraceSpan* span : origins) {
    if (!failing.hold(*span)) continue;
    SymptomSet symptoms = symptoms_of_text(span->error);
    symptoms.add(Symptom::kErrors);
    add(*span, symptoms,
        fmt::format("the span {} of {} fails{}", span->name, span->service,
                    span->error.empty() ? "" : ": " + shown_text(span->error, 200)));
  }
  for (const TraceSpan& span : traces.spans)
    if (span.failed && failing.hold(span) && std::ranges::find(origins, &span) == origins.end())
      add(span, {Symptom::kErrors},
          fmt::format("the span {} of {} fails as what it calls fails", span.name, span.service));
  for (const RepeatedCall& call : repeated_calls(traces, kManyCalls))
    add(*call.parent, {Symptom::kFanOut},
        fmt::format("one {} of {} calls {} of {} {} times", call.parent->name, call.parent->service,
                    call.name, call.service, call.count));
}

bool is_felt(const Sign& sign) {
  return is_failure(sign.symptom) && !sign.service.empty() && sign.weight >= kFelt;
}

// Traces are a sample, and its times are rough: where anything else shows the failure, they say how
// slow the edges of its path became, and no more.
void add_slow_calls(CaseFile& evidence) {
  const bool shown = std::ranges::any_of(evidence.signs, is_felt);
  for (const SlowCall& call : slow_calls(evidence.traces)) {
    const TraceSpan& span = *call.span;
    const std::string took = fmt::format("took {} ms, and {} ms since {}", number(call.usual_ms),
                                         number(call.slow_ms), format_time(call.since));
    const std::string what =
        fmt::format("{} of {}{} {}", span.name, span.service,
                    call.caller.empty() ? "" : ", called by " + call.caller, took);
    const std::string receipt = add_receipt(evidence, "traces",
                                            {{"file", evidence.traces.file},
                                             {"span", span.place},
                                             {"trace_id", shown_text(span.trace, 64)},
                                             {"span_id", shown_text(span.id, 64)},
                                             {"usual_ms", call.usual_ms},
                                             {"slow_ms", call.slow_ms}},
                                            what, call.since);
    if (!shown)
      evidence.signs.push_back(
          {Symptom::kLatency, span.service, call.since, weight_of(call.factor()), what, receipt});
    for (CallEdge& edge : evidence.graph.edges())
      if (edge.caller == call.caller && edge.callee == span.service &&
          !edge.why.contains(" since "))
        edge.why += ", which " + took;
  }
}

void number_edges(CaseFile& evidence) {
  for (CallEdge& edge : evidence.graph.edges())
    edge.receipt =
        add_receipt(evidence, edge.traced ? "traces" : "logs",
                    {{"caller", edge.caller}, {"callee", edge.callee}}, edge.why, std::nullopt);
}

struct Failing {
  std::string service;
  std::optional<Instant> onset;
  double weight = 0;
};

// Whoever fails shows it in several ways. One complaint or one blip of a service beside that is any
// day's, however early it came: what weighs less than this share of the heaviest is left out.
constexpr double kMarked = 0.25;

// When it began, by what is felt of it, in the order of time: with the first sign, unless that is a
// small part of the failure and stands by itself, long before the rest.
constexpr int kLongBefore = 20;  // steps of which an onset may be off
struct Felt {
  Instant at;
  double weight;
};
std::optional<Instant> begin_of(const std::vector<Felt>& felt, std::chrono::milliseconds slack) {
  double all = 0, before = 0;
  for (const Felt& each : felt) all += each.weight;
  for (size_t i = 0; i + 1 < felt.size(); ++i) {
    before += felt[i].weight;
    if (before > kMarked * all) break;
    if (felt[i + 1].at - felt[i].at > kLongBefore * slack) return felt[i + 1].at;
  }
  return felt.empty() ? std::nullopt : std::optional(felt.front().at);
}

std::vector<Failing> failing_services(const CaseFile& evidence) {
  std::map<std::string, std::vector<Felt>> felt;
  std::vector<Failing> out;
  for (const Sign& sign : evidence.signs) {
    if (!is_felt(sign)) continue;
    auto known = std::ranges::find(out, sign.service, &Failing::service);
    if (known == out.end()) known = out.insert(out.end(), {sign.service, {}, 0});
    known->weight += sign.weight;
    if (sign.onset) felt[sign.service].push_back({*sign.onset, sign.weight});
  }
  for (Failing& each : out) {
    std::ranges::stable_sort(felt[each.service], {}, &Felt::at);
    each.onset = begin_of(felt[each.service], evidence.slack);
  }
  // Whoever has neither logs nor metrics of its own is only seen from outside: the failure that can
  // be looked into begins with its caller.
  const auto has_own = [&](const Failing& one) { return has_own_records(evidence, one.service); };
  if (std::ranges::any_of(out, has_own)) std::erase_if(out, std::not_fn(has_own));
  double heaviest = 0;
  for (const Failing& one : out) heaviest = std::max(heaviest, one.weight);
  std::erase_if(out, [&](const Failing& one) { return one.weight < kMarked * heaviest; });
  return out;
}

// So many steps without a sample are a gap, not jitter.
constexpr int kGap = 3;

std::optional<Instant> dark_before_onset(const CaseFile& evidence) {
  std::optional<Instant> calm;
  if (!evidence.onset) return calm;
  for (const MetricFinding& finding : evidence.metrics.findings) {
    const Departure& course = finding.course;
    if (finding.service != evidence.failing || !tells(finding)) continue;
    if (course.visible + evidence.slack < *evidence.onset || course.calm > *evidence.onset)
      continue;
    if (!calm || course.calm > *calm) calm = course.calm;
  }
  if (calm && *evidence.onset - *calm <= kGap * evidence.slack) calm.reset();
  return calm;
}

}  // namespace

std::string add_receipt(CaseFile& evidence, std::string_view tool, const nlohmann::json& args,
                        std::string text, std::optional<Instant> at) {
  if (evidence.receipts.size() >= kMaxReceipts) return "";
  Receipt receipt;
  receipt.id = fmt::format("R{}", evidence.receipts.size() + 1);
  receipt.tool = tool;
  receipt.args = dump_json(args);
  receipt.at = floor<seconds>(at.value_or(evidence.window.to));
  receipt.text = std::move(text);
  evidence.receipts.push_back(receipt);
  return evidence.receipts.back().id;
}

bool has_own_records(const CaseFile& evidence, std::string_view service) {
  return std::ranges::find(evidence.metrics.services, service) != evidence.metrics.services.end() ||
         std::ranges::any_of(evidence.logs,
                             [&](const LogTemplate& made) { return made.service == service; });
}

void make_signs(CaseFile& evidence) {
  for (const MetricFinding& finding : evidence.metrics.findings)
    if (tells(finding)) add_metric_sign(evidence, finding);
  for (const LogTemplate& made : evidence.logs) add_log_signs(evidence, made);
  add_trace_signs(evidence);
  add_slow_calls(evidence);
  number_edges(evidence);
  std::ranges::stable_sort(evidence.signs, [](const Sign& a, const Sign& b) {
    return a.onset.value_or(Instant::max()) < b.onset.value_or(Instant::max());
  });
}

void find_failing(CaseFile& evidence) {
  std::vector<Failing> all = failing_services(evidence);
  if (all.empty()) return;
  const auto later = std::chrono::milliseconds(2 * evidence.slack);
  // Who calls something that fails as early only waits.
  const auto waits = [&](const Failing& one) {
    return std::ranges::any_of(all, [&](const Failing& other) {
      return evidence.graph.edge(one.service, other.service) != nullptr &&
             evidence.graph.edge(other.service, one.service) == nullptr &&
             (!one.onset || !other.onset || *other.onset <= *one.onset + later);
    });
  };
  const auto better = [&](const Failing& a, const Failing& b) {
    const auto rank = [&](const Failing& one) {
      return std::tuple(waits(one), one.service != evidence.brief.service,
                        one.onset.value_or(Instant::max()), -one.weight, one.service);
    };
    return rank(a) < rank(b);
  };
  std::ranges::sort(all, better);
  evidence.failing = all.front().service;
  evidence.onset = all.front().onset;
  // Before logs that begin with the failure it is dark, unless a metric saw it come.
  const bool measured =
      std::ranges::any_of(evidence.metrics.findings, [&](const MetricFinding& finding) {
        return finding.service == evidence.failing && tells(finding);
      });
  const auto gap = dark_before_onset(evidence);
  if (gap || measured) evidence.dark_since = gap;
  std::vector<Failing> others(all.begin() + 1, all.end());
  std::ranges::stable_sort(others, {},
                           [](const Failing& one) { return one.onset.value_or(Instant::max()); });
  for (const Failing& other : others) evidence.affected.push_back(other.service);
  evidence.apart.clear();
  std::vector<std::string> names;
  for (const Failing& one : all) names.push_back(one.service);
  const auto parts = failing_parts(evidence.graph, names);
  for (size_t i = 1; i < parts.size(); ++i)
    evidence.apart.push_back(
        {parts[i], std::ranges::find(all, parts[i].front(), &Failing::service)->onset});
}

}  // namespace precedent
