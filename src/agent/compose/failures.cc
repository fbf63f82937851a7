#include "agent/compose/failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agent/language/own_notes.h"
#include "base/foreign_json.h"
#include "base/strings.h"
#include "llm/call_check.h"

namespace precedent {
namespace {

// "metric=p95_latency window=24h …": what a call that failed had asked for; "" of other tools.
std::string metric_query_of(const Receipt& receipt) {
  const auto args = parse_json(receipt.args);
  const auto query = args.is_object() ? args.find("query") : args.end();
  // What a model calls may have any shape.
  if (receipt.tool != "metrics_query" || query == args.end() || !query->is_string()) return "";
  return query->get<std::string>();
}

// That a call was made before, or is refused, is said to the model that made it.
bool is_for_a_model(const Receipt& receipt) {
  return receipt.text == repetition_text({.id = {}, .name = receipt.tool, .args = {}}) ||
         receipt.text.starts_with(kNotCalled);
}

// What several calls failed for: the tools that it stopped, and what was asked for in vain.
struct Failure {
  std::string reason;
  std::vector<std::string> tools = {};
  std::vector<std::string> asked = {};
};

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

std::vector<std::string> failed_calls(const std::vector<Receipt>& receipts) {
  std::vector<Failure> failures;
  for (const Receipt& receipt : receipts) {
    if (receipt.status != ReceiptStatus::kError || is_for_a_model(receipt)) continue;
    std::string_view reason = receipt.text;
    const std::string by_tool = receipt.tool + " failed: ";
    const bool names_tool = reason.starts_with(by_tool);
    if (names_tool) reason.remove_prefix(by_tool.size());
    auto same = std::ranges::find(failures, reason, &Failure::reason);
    if (same == failures.end())
      same = failures.insert(failures.end(), Failure{std::string(reason)});
    if (names_tool) add_once(same->tools, receipt.tool);
    if (std::string asked = metric_query_of(receipt); !asked.empty())
      same->asked.push_back(std::move(asked));
  }
  std::vector<std::string> sentences;
  for (const auto& [reason, tools, asked] : failures) {
    const std::string sentence =
        tools.empty() ? reason : fmt::format("{} failed: {}", join(tools, ", "), reason);
    sentences.push_back(
        asked.empty() ? sentence : fmt::format("Not found: {}. {}", join(asked, "; "), sentence));
  }
  return sentences;
}

}  // namespace

std::vector<std::string> failures_of(const std::vector<Receipt>& receipts) {
  std::vector<std::string> sentences = failed_calls(receipts);
  const auto is_said = [&](std::string_view what) {
    return std::ranges::any_of(sentences, [&](const std::string& s) { return s.contains(what); });
  };
  const auto add = [&](std::string sentence) {
    if (!is_said(sentence)) sentences.push_back(std::move(sentence));
  };
  for (const Receipt& receipt : receipts) {
    if (const auto* metric = std::get_if<MetricsResult>(&receipt.result);
        metric != nullptr && !metric->alert_problem.empty())
      add("Not found: active alerts, which could not be read. " + metric->alert_problem);
    const auto* changes = std::get_if<ChangesResult>(&receipt.result);
    if (changes == nullptr) continue;
    // Why a source could not be read may be said by a tool that asked it for something else.
    std::vector<AskedSource> untold = changes->asked;
    std::erase_if(untold, [&](const AskedSource& source) {
      return !source.note.empty() && is_said(source.note);
    });
    for (const std::string& unread : unreadable_sources(untold)) add(unread + ".");
  }
  return sentences;
}

bool all_failed(const std::vector<Receipt>& receipts) {
  return !receipts.empty() && std::ranges::all_of(receipts, [](const Receipt& receipt) {
    return receipt.status == ReceiptStatus::kError;
  });
}

}  // namespace precedent
