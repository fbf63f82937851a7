// OtlpTracer: spans to a collector over OTLP/HTTP, in the background.
//
// One thread sends what record() left in a bounded queue, in batches, with at most one repetition.
// Whatever the collector does (down, slow, nonsense), record() costs the same: what does not fit
// or is not taken is dropped and counted, and report() says so once, at the end of a command.
// Thread safety: all members. Lifetime: the client outlives it. The destructor cancels what is
// under way; call flush() before.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <thread>

#include "base/cancel.h"
#include "base/mutex.h"
#include "net/http_client.h"
#include "observe/otlp_config.h"
#include "observe/otlp_json.h"
#include "observe/tracer.h"

namespace precedent {

struct OtlpOptions {
  // A turn has about ten spans: the queue holds a collector's outage of a hundred turns.
  size_t max_queue_spans = 1024;
  // Spans hold texts: what tracing may cost in memory, and what collectors accept in one request.
  size_t max_queue_bytes = 16 * 1024 * 1024;
  size_t max_batch_spans = 128;
  size_t max_batch_bytes = 2 * 1024 * 1024;
  // How long a batch waits for more, so that a turn is one request.
  std::chrono::milliseconds linger{1000};
  // Of one request: a collector answers within milliseconds; beyond this it is ill.
  std::chrono::milliseconds timeout{5000};
  std::chrono::milliseconds retry_pause{200};
};

// Every span that was recorded is in exactly one of the counts.
struct OtlpReport {
  size_t delivered = 0;
  size_t overflowed = 0;     // dropped, since the queue was full
  size_t undelivered = 0;    // refused, or the collector did not answer
  size_t pending = 0;        // not yet sent
  std::string problem = {};  // the last one, as a sentence without a key
};

class OtlpTracer final : public Tracer {
 public:
  // Errors: kResourceExhausted if the thread cannot be started.
  static Result<std::unique_ptr<OtlpTracer>> start(HttpClient& http, OtlpConfig config,
                                                   OtlpOptions options = {});
  ~OtlpTracer() override;

  void record(Span span) override;
  // Sends what is there now, and waits for it no longer than `limit`. True if nothing is left.
  bool flush(std::chrono::milliseconds limit);
  OtlpReport report() const;

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;
  OtlpTracer(HttpClient& http, OtlpConfig config, OtlpOptions options)
      : http_(http), config_(std::move(config)), options_(options) {}
  void run();
  // Waits for spans; none: the tracer ends.
  std::vector<Span> next_batch();
  // How many of these the collector took.
  size_t deliver(const std::vector<Span>& spans, std::string& problem);
  Result<HttpResponse> post(const std::string& body);
  // False if the tracer ends meanwhile.
  bool pause();

  HttpClient& http_;
  const OtlpConfig config_;
  const OtlpOptions options_;
  CancelToken cancel_;

  mutable Mutex mutex_;
  ConditionVariable changed_;  // there is work: something new, a flush, the end
  ConditionVariable settled_;  // a batch is done
  std::deque<Span> queue_ GUARDED_BY(mutex_);
  size_t queue_bytes_ GUARDED_BY(mutex_) = 0;
  size_t sending_ GUARDED_BY(mutex_) = 0;
  size_t flushes_ GUARDED_BY(mutex_) = 0;  // that wait
  bool stopping_ GUARDED_BY(mutex_) = false;
  OtlpReport report_ GUARDED_BY(mutex_);
  std::jthread thread_;
};

// What an operator is told at the end of a command; "" if every span arrived.
std::string warning_of(const OtlpReport& report, const OtlpConfig& config);

}  // namespace precedent
