#include "agent/compose/failures.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/findings/given_arguments.h"
#include "agent/language/fixed_phrases.h"
#include "base/strings.h"

namespace precedent {
namespace {

// "metric=p95_latency window=24h …": what a call that failed had asked for; "" of other tools.
std::string metric_query_of(const Receipt& receipt) {
  return receipt.tool == "metrics_query" ? given_text(receipt, "query") : "";
}

// Whether the text is meant for the model that made the call.
bool is_for_a_model(const Receipt& receipt) {
  return receipt.failure == CallFailure::kRepeated || receipt.failure == CallFailure::kRefused;
}

// A reason for which calls failed, with the tools that failed and what they were asked.
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
    const bool names_tool = receipt.failure == CallFailure::kTool;
    if (names_tool) reason.remove_prefix(failure_text(receipt.tool, "").size());
    auto same = std::ranges::find(failures, reason, &Failure::reason);
    if (same == failures.end())
      same = failures.insert(failures.end(), Failure{std::string(reason)});
    if (names_tool) add_once(same->tools, receipt.tool);
    if (std::string asked = metric_query_of(receipt); !asked.empty())
      same->asked.push_back(std::move(asked));
  }
  std::vector<std::string> sentences;
  for (const auto& [reason, tools, asked] : failures) {
    const std::string sentence = tools.empty() ? reason : failure_text(join(tools, ", "), reason);
    sentences.push_back(
        asked.empty() ? sentence : not_found(fmt::format("{}. {}", join(asked, "; "), sentence)));
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
      add(not_found("active alerts, which could not be read. ") + metric->alert_problem);
    const auto* changes = std::get_if<ChangesResult>(&receipt.result);
    if (changes == nullptr) continue;
    // Another tool that asked the same source may have said already why it could not be read.
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
