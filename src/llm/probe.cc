#include "llm/probe.h"

#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr size_t kMaxAnswerBytes = 200;
// A reasoning model thinks before it says one word.
constexpr int kMaxTokens = 1024;

class StopWatch final : public EventSink {
 public:
  void emit(const Event& event) override {
    if (event.type == Event::Type::kToken && !first_) first_ = elapsed();
  }
  milliseconds elapsed() const {
    return std::chrono::ceil<milliseconds>(SteadyClock::now() - started_);
  }
  milliseconds first() const { return first_.value_or(milliseconds(0)); }

 private:
  SteadyClock::time_point started_ = SteadyClock::now();
  std::optional<milliseconds> first_;
};

}  // namespace

ProbeReport probe(ChatModel& model, const CancelToken& cancel, milliseconds timeout) {
  ProbeReport report{model.name()};
  StopWatch watch;
  ModelContext context{watch, cancel, SteadyClock::now() + timeout};
  ModelRequest request;
  request.messages = {{Role::kUser, "Reply with the single word: pong"}};
  request.sampling.max_output_tokens = kMaxTokens;
  auto reply = model.complete(request, context);
  report.total = watch.elapsed();
  report.first_token = watch.first();
  report.reachable = reply.has_value() || context.failure.http_status != 0;
  if (!reply) {
    report.error = std::move(reply).error();
    return report;
  }
  report.answer = utf8_prefix(squeeze(reply->message.content), kMaxAnswerBytes);
  report.follows = ascii_lower(report.answer).contains("pong");
  report.model = std::move(reply->model);
  report.usage = reply->usage;
  return report;
}

}  // namespace precedent
