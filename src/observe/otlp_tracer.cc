#include "observe/otlp_tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "net/url.h"

namespace precedent {
namespace {

using SteadyClock = std::chrono::steady_clock;

// An answer is an empty object, or a sentence about what was rejected.
constexpr size_t kMaxAnswerBytes = 64 * 1024;

// What the specification calls retryable. A collector that says when to come back is not waited
// for: the command would be kept open for it.
bool worth_repeating(const Result<HttpResponse>& response) {
  if (!response) {
    return response.error().code == ErrorCode::kUnavailable ||
           response.error().code == ErrorCode::kTimeout;
  }
  const int status = response->status;
  return (status == 429 || (status >= 502 && status <= 504)) &&
         response->header("Retry-After").empty();
}

// Host and port: all of the address that a message may show.
std::string shown(const OtlpConfig& config) {
  const auto url = parse_url(config.url);
  return url ? url->shown() : "the collector";
}

}  // namespace

Result<std::unique_ptr<OtlpTracer>> OtlpTracer::start(HttpClient& http, OtlpConfig config,
                                                      OtlpOptions options) {
  std::unique_ptr<OtlpTracer> tracer(new OtlpTracer(http, std::move(config), options));
  try {
    tracer->thread_ = std::jthread([raw = tracer.get()] { raw->run(); });
  } catch (const std::system_error& error) {
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("the thread for tracing cannot be started: {}", error.what()));
  }
  return tracer;
}

OtlpTracer::~OtlpTracer() {
  cancel_.cancel();
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void OtlpTracer::record(Span span) {
  const size_t bytes = span.bytes();
  {
    const MutexLock lock(mutex_);
    if (queue_.size() >= options_.max_queue_spans ||
        queue_bytes_ + bytes > options_.max_queue_bytes) {
      ++report_.overflowed;
      return;
    }
    queue_bytes_ += bytes;
    queue_.push_back(std::move(span));
  }
  changed_.notify_all();
}

bool OtlpTracer::flush(std::chrono::milliseconds limit) {
  const SteadyTime until = SteadyClock::now() + limit;
  const MutexLock lock(mutex_);
  ++flushes_;
  changed_.notify_all();
  while ((!queue_.empty() || sending_ > 0) && settled_.wait_until(mutex_, until)) {
  }
  --flushes_;
  return queue_.empty() && sending_ == 0;
}

OtlpReport OtlpTracer::report() const {
  const MutexLock lock(mutex_);
  OtlpReport report = report_;
  report.pending = queue_.size() + sending_;
  return report;
}

std::vector<Span> OtlpTracer::next_batch() {
  const MutexLock lock(mutex_);
  while (!stopping_ && queue_.empty()) changed_.wait(mutex_);
  const SteadyTime until = SteadyClock::now() + options_.linger;
  while (!stopping_ && flushes_ == 0 && queue_.size() < options_.max_batch_spans &&
         changed_.wait_until(mutex_, until)) {
  }
  std::vector<Span> batch;
  size_t bytes = 0;
  while (!stopping_ && !queue_.empty() && batch.size() < options_.max_batch_spans &&
         (batch.empty() || bytes + queue_.front().bytes() <= options_.max_batch_bytes)) {
    bytes += queue_.front().bytes();
    batch.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  queue_bytes_ -= bytes;
  sending_ = batch.size();
  return batch;
}

void OtlpTracer::run() {
  for (std::vector<Span> batch = next_batch(); !batch.empty(); batch = next_batch()) {
    std::string problem;
    size_t taken = 0;
    // The end of a thread by an exception would be the end of the process.
    try {
      taken = deliver(batch, problem);
    } catch (const std::exception& error) {
      problem = error.what();
    }
    const MutexLock lock(mutex_);
    report_.delivered += taken;
    report_.undelivered += batch.size() - taken;
    if (!problem.empty()) report_.problem = std::move(problem);
    sending_ = 0;
    settled_.notify_all();
  }
}

Result<HttpResponse> OtlpTracer::post(const std::string& body) {
  HttpRequest request;
  request.method = "POST";
  request.url = config_.url;
  request.headers = {{"Content-Type", "application/json"}};
  request.headers.insert(request.headers.end(), config_.headers.begin(), config_.headers.end());
  request.body = body;
  request.connect_timeout = options_.timeout;
  // Whoever answers with more than is read is understood all the same.
  std::string answer;
  HttpResponse response =
      TRY(http_.stream(request, {cancel_, SteadyClock::now() + options_.timeout},
                       [&](const HttpResponse&, std::string_view piece) {
                         answer += piece.substr(0, kMaxAnswerBytes - answer.size());
                         return answer.size() < kMaxAnswerBytes;
                       }));
  response.body = std::move(answer);
  return response;
}

bool OtlpTracer::pause() {
  const SteadyTime until = SteadyClock::now() + options_.retry_pause;
  const MutexLock lock(mutex_);
  while (!stopping_ && changed_.wait_until(mutex_, until)) {
  }
  return !stopping_;
}

size_t OtlpTracer::deliver(const std::vector<Span>& spans, std::string& problem) {
  const std::string body = to_otlp_json(spans, config_);
  Result<HttpResponse> response = post(body);
  if (worth_repeating(response) && pause()) response = post(body);
  if (!response) {
    problem = response.error().message;
    return 0;
  }
  if (response->status < 200 || response->status > 299) {
    problem = fmt::format("{} answers with HTTP status {}", shown(config_), response->status);
    return 0;
  }
  const auto partial = read_partial_success(response->body);
  if (!partial) return spans.size();
  problem = fmt::format("{} rejected some{}{}", shown(config_),
                        partial->message.empty() ? "" : ": ", partial->message);
  return spans.size() - std::min<size_t>(spans.size(), partial->rejected);
}

std::string warning_of(const OtlpReport& report, const OtlpConfig& config) {
  const size_t lost = report.overflowed + report.undelivered + report.pending;
  if (lost == 0) return "";
  std::string why = report.problem;
  if (why.empty()) {
    why = report.pending > 0 ? shown(config) + " did not answer in time"
                             : "they came faster than " + shown(config) + " takes them";
  }
  return fmt::format("tracing: {} of {} spans were not delivered: {}", lost,
                     lost + report.delivered, why);
}

}  // namespace precedent
