#include "server/turns/progress_events.h"

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/redact.h"
#include "server/http/problem.h"

namespace precedent {

bool ProgressEvents::tell(std::string_view stage, uint64_t done, uint64_t total) {
  constexpr auto kBetween = std::chrono::milliseconds(200);
  const auto now = std::chrono::steady_clock::now();
  if (stage == stage_ && now - told_ < kBetween && done < total) return false;
  told_ = now;
  stage_ = stage;
  log_.say("progress", dump_json({{"stage", stage}, {"done", done}, {"total", total}}));
  return true;
}

void say_failed(ChatTurn& log, const Error& error) {
  const int status = http_status(error.code);
  log.say_last("error", dump_json({{"status", status},
                                   {"title", reason_phrase(status)},
                                   {"detail", redact(error.text())}}));
}

}  // namespace precedent
