#include "llm/response_reader.h"

#include <fmt/format.h>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "llm/vendor_error.h"

namespace precedent {
namespace {

// The first bytes that tell JSON from an event stream come at once; more white space is neither.
constexpr size_t kMaxLeadingBytes = 4096;

std::string who(const Endpoint& endpoint) { return endpoint.provider + " " + endpoint.model; }

std::string fragment(std::string_view text) {
  return squeeze(strip_controls(repair_utf8(text.substr(0, 80))));
}

}  // namespace

ResponseReader::ResponseReader(const Dialect& dialect, const ModelRequest& request,
                               std::function<void(std::string_view)> on_text, std::string id_seed)
    : dialect_(dialect),
      request_(request),
      reply_(std::move(on_text), std::move(id_seed)),
      assembler_(dialect.assembler(request)) {}

Result<bool> ResponseReader::feed(std::string_view bytes) {
  if (complete_) return false;
  if (form_ == Form::kUnknown) {
    body_ += bytes;
    const size_t begin = body_.find_first_not_of(" \r\n\t");
    if (begin == std::string::npos && body_.size() < kMaxLeadingBytes) return true;
    // '<': a web page, of a proxy or of the wrong address.
    const char first = begin < kMaxLeadingBytes ? body_[begin] : ' ';
    form_ = first == '{' || first == '<' ? Form::kWhole : Form::kStream;
    if (form_ == Form::kWhole) return true;
    const std::string held = std::exchange(body_, "");
    return feed(held);
  }
  if (form_ == Form::kWhole) {
    body_ += bytes;
    return true;
  }
  std::optional<Error> error;
  const auto fed = decoder_.feed(bytes, [&](const SseEvent& event) {
    auto more = read_event(event);
    if (!more) {
      error = std::move(more).error();
      return false;
    }
    complete_ = !*more;
    return *more;
  });
  if (!fed) return std::unexpected(Error(fed.error()).within(who(dialect_.endpoint())));
  if (error) return std::unexpected(std::move(*error));
  return !complete_;
}

Result<bool> ResponseReader::read_event(const SseEvent& event) {
  SseEvent clean = event;
  clean.data = repair_utf8(trim(event.data));
  if (clean.data.empty()) return true;
  if (clean.data != "[DONE]") {
    const auto json = parse_json(clean.data);
    if (!json.is_object())
      return fail(ErrorCode::kUnavailable,
                  fmt::format("{} sent an event that is no JSON object: '{}'; is model.base_url "
                              "right?",
                              who(dialect_.endpoint()), fragment(clean.data)));
    if (auto refusal = vendor_error_in(json, who(dialect_.endpoint()))) {
      failure_ = refusal->failure;
      return std::unexpected(std::move(refusal->error));
    }
  }
  return assembler_->event(clean, reply_);
}

Result<void> ResponseReader::read_body() {
  const auto json = parse_json(repair_utf8(body_));
  if (!json.is_object()) {
    failure_.retryable = trim(body_).starts_with('{');
    return fail(ErrorCode::kUnavailable,
                fmt::format("{} sent {} bytes that are no whole JSON object: '{}'; {}",
                            who(dialect_.endpoint()), body_.size(), fragment(body_),
                            failure_.retryable ? "try again" : "is model.base_url right?"));
  }
  if (auto refusal = vendor_error_in(json, who(dialect_.endpoint()))) {
    failure_ = refusal->failure;
    return std::unexpected(std::move(refusal->error));
  }
  TRY(dialect_.read_whole(json, request_, reply_));
  complete_ = true;
  return {};
}

Result<ModelReply> ResponseReader::finish() {
  if (form_ == Form::kWhole) TRY(read_body());
  if (!complete_ && !reply_.stopped()) {
    failure_.retryable = true;
    return fail(ErrorCode::kUnavailable, fmt::format("{} cut its stream after {}; try again",
                                                     who(dialect_.endpoint()), reply_.progress()));
  }
  auto reply = reply_.finish();
  if (!reply) {
    failure_.retryable = reply.error().code == ErrorCode::kUnavailable;
    return std::unexpected(std::move(reply).error().within(who(dialect_.endpoint())));
  }
  if (reply->model.empty()) reply->model = dialect_.endpoint().model;
  return reply;
}

}  // namespace precedent
