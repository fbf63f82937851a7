#include "agent/converse/live_focus.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/findings/given_arguments.h"
#include "base/strings.h"
#include "telemetry/query/query_text.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

// The value that a filter demands of a label; "" if none does.
std::string filtered_by(const MetricsQuestion& asked, std::string_view label) {
  for (const LabelFilter& filter : asked.filters)
    if (filter.label == label && filter.op == LabelFilter::Op::kEqual) return filter.value;
  return "";
}

// "p95_latency" as people write it. Other names are kept: so they are known.
std::string spoken_name(const std::string& metric) {
  std::string words = metric;
  if (metric.ends_with("_latency") || metric == "error_rate") std::ranges::replace(words, '_', ' ');
  return words;
}

}  // namespace

std::optional<LiveFocus> read_live_focus(
    std::string_view question, const std::vector<std::shared_ptr<const Receipt>>& receipts) {
  LiveFocus focus;
  bool live = false;
  const auto name_it = [](std::string& name, std::string said) {
    if (name.empty()) name = std::move(said);
  };
  const auto add = [&](const MetricsResult& metric) {
    if (metric.summary && std::ranges::find(focus.metrics, metric.metric) == focus.metrics.end())
      focus.metrics.push_back(metric.metric);
  };
  for (const auto& receipt : receipts) {
    if (const auto* changes = std::get_if<ChangesResult>(&receipt->result)) {
      live |= !changes->changes.empty();
      name_it(focus.service, changes->service);
    }
    const auto* metric = std::get_if<MetricsResult>(&receipt->result);
    if (metric == nullptr) continue;
    live |= metric->summary.has_value() || !metric->alert_source.empty();
    if (focus.from.empty() && metric->summary) {
      // Up to then it was a window that ends now.
      constexpr std::chrono::minutes kFresh{15};
      focus.from = format_time(metric->from);
      if (receipt->at - metric->to > kFresh) focus.to = format_time(metric->to);
    }
    const auto asked = parse_metrics_question(given_text(*receipt, "query"));
    if (!asked) continue;
    const std::string endpoint = filtered_by(*asked, "endpoint");
    const std::string service = filtered_by(*asked, "service");
    name_it(focus.endpoint, endpoint);
    name_it(focus.service, service);
    if (!endpoint.empty() || !service.empty()) add(*metric);
  }
  if (!live) return std::nullopt;
  // Asked of whatever there is: the first is what was asked for.
  for (const auto& receipt : receipts) {
    if (!focus.metrics.empty()) break;
    if (const auto* metric = std::get_if<MetricsResult>(&receipt->result)) add(*metric);
  }
  focus.question = question;
  focus.receipts = receipts;
  return focus;
}

bool is_same_system(const LiveFocus& a, const LiveFocus& b) {
  if (a.system() == b.system()) return true;
  const bool whole = a.endpoint.empty() || b.endpoint.empty();
  return whole && !a.service.empty() && a.service == b.service;
}

LiveFocus go_on(const LiveFocus& before, LiveFocus after) {
  after.question = before.question;
  if (after.endpoint.empty()) after.endpoint = before.endpoint;
  if (after.service.empty()) after.service = before.service;
  if (after.from.empty()) after.from = before.from, after.to = before.to;
  std::vector<std::string> metrics = before.metrics;
  for (std::string& metric : after.metrics)
    if (std::ranges::find(metrics, metric) == metrics.end()) metrics.push_back(std::move(metric));
  after.metrics = std::move(metrics);
  after.receipts.insert(after.receipts.begin(), before.receipts.begin(), before.receipts.end());
  return after;
}

std::string question_of(const LiveFocus& focus, const std::string& other_system) {
  for (const std::string* own : {&focus.endpoint, &focus.service}) {
    const size_t at = own->empty() ? std::string::npos : focus.question.find(*own);
    if (at == std::string::npos) continue;
    std::string whole = focus.question;
    return whole.replace(at, own->size(), other_system);
  }
  return {};
}

std::set<std::string> terms_of(const LiveFocus& focus) {
  const auto terms = Analyzer().terms(fmt::format(
      "{}\n{}\n{} {}", focus.question, focus_phrase(focus), focus.endpoint, focus.service));
  return {terms.begin(), terms.end()};
}

std::string metrics_phrase(const LiveFocus& focus) {
  std::vector<std::string> names;
  for (const std::string& metric : focus.metrics) names.push_back(spoken_name(metric));
  return join(names, " and ");
}

std::string focus_phrase(const LiveFocus& focus) {
  std::string text = metrics_phrase(focus);
  if (!focus.system().empty()) text += (text.empty() ? "" : " of ") + focus.system();
  if (!focus.from.empty())
    text += focus.to.empty() ? " since " + focus.from
                             : fmt::format(" from {} to {}", focus.from, focus.to);
  return std::string(trim(text));
}

bool cites(std::string_view answer, const LiveFocus& focus) {
  return std::ranges::any_of(focus.receipts, [&](const auto& receipt) {
    // A metric is cited as what a receipt says of it, a change by its own name.
    if (std::holds_alternative<MetricsResult>(receipt->result))
      return answer.contains(fmt::format("[{}: ", receipt->id));
    const auto* changes = std::get_if<ChangesResult>(&receipt->result);
    constexpr size_t kShortHash = 10;
    return changes != nullptr && std::ranges::any_of(changes->changes, [&](const Change& change) {
             const std::string id =
                 change.kind == ChangeKind::kCommit ? change.id.substr(0, kShortHash) : change.id;
             return answer.contains(fmt::format("[{}]", id));
           });
  });
}

}  // namespace precedent
