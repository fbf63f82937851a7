// For tests: an Investigator that can be held up, knows of every incident but PD-0, and asks where
// it may.
//
// Thread safety: all members.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "server/investigations/investigator.h"

namespace precedent {

class FakeInvestigator final : public Investigator {
 public:
  Result<InvestigationReport> investigate(const InvestigationOrder& order,
                                          const std::string& /*id*/,
                                          const std::function<void(std::string_view)>& say,
                                          const CancelToken& cancel) override {
    ++asked;
    say("Looking for the cause");
    while (held && !cancel.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    TRY(cancel.check());
    if (order.incident == "PD-0") return fail(ErrorCode::kNotFound, "no incident 0");
    return InvestigationReport{{{"outcome", order.ask ? "inconclusive" : "found"},
                                {"incident", {{"title", title}}},
                                {"summary", order.incident + order.alert},
                                {"deciding_question", {{"question", "Is it so?"}}}},
                               "# " + order.incident,
                               order.ask};
  }
  Result<void> check(const InvestigationOrder& order, const CancelToken& /*cancel*/) override {
    if (order.incident == "PD-UNKNOWN") return fail(ErrorCode::kNotFound, "nobody knows it");
    return {};
  }
  Result<InvestigationReport> answer(const std::string& /*id*/, const std::string& answer,
                                     const std::function<void(std::string_view)>& say,
                                     const CancelToken& /*cancel*/) override {
    say("Weighing the answer");
    if (answer != "yes" && answer != "no")
      return fail(ErrorCode::kInvalidArgument, "answer yes or no");
    return InvestigationReport{{{"outcome", "found"}, {"summary", "answered " + answer}},
                               "# answered"};
  }
  Result<void> tell(const InvestigationOrder& order, const std::string& /*id*/,
                    const InvestigationReport& report, const CancelToken& cancel) override {
    ++told;
    while (slow_to_tell && !cancel.cancelled())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (order.incident == "PD-MUTE") return fail(ErrorCode::kUnavailable, "nobody can be told");
    return report.markdown.empty() ? fail(ErrorCode::kCorrupt, "no report") : Result<void>();
  }
  Result<nlohmann::json> score(const nlohmann::json& report, TimePoint /*since*/,
                               TimePoint /*until*/) override {
    return nlohmann::json{{"outcome", "confirmed"}, {"because", report.value("summary", "")}};
  }
  Result<void> tell_resolved(const std::string& /*id*/, const CancelToken& /*cancel*/) override {
    ++resolved;
    return {};
  }
  std::string title;  // of each incident; REQUIRES: nothing runs while it is set
  std::atomic<int> asked{0};
  std::atomic<int> told{0};
  std::atomic<int> resolved{0};
  std::atomic<bool> held{false};
  std::atomic<bool> slow_to_tell{false};
};

}  // namespace precedent
