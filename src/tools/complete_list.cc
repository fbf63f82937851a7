#include "tools/complete_list.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "telemetry/query/query_text.h"

namespace precedent {
namespace {

// No arguments at all, where they are no JSON.
nlohmann::json arguments_of(const Receipt& receipt) {
  nlohmann::json args = nlohmann::json::parse(receipt.args, nullptr, false);
  return args.is_object() ? args : nlohmann::json::object();
}

}  // namespace

bool lists_every_alert(const Receipt& receipt) {
  const auto* result = std::get_if<MetricsResult>(&receipt.result);
  if (result == nullptr || result->alert_source.empty() || !result->alert_problem.empty() ||
      result->alerts.size() < result->alerts_total)
    return false;
  const nlohmann::json args = arguments_of(receipt);
  const auto query = args.find("query");
  if (query == args.end() || !query->is_string()) return false;
  const auto question = parse_metrics_question(query->get_ref<const std::string&>());
  return question &&
         (!question->metric.empty() || (question->alert == "*" && question->filters.empty()));
}

bool lists_every_change(const Receipt& receipt) {
  const auto* result = std::get_if<ChangesResult>(&receipt.result);
  return result != nullptr && !result->more &&
         std::ranges::none_of(result->asked, &AskedSource::failed) &&
         !arguments_of(receipt).contains("kinds");
}

}  // namespace precedent
