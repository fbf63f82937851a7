#include "llm/http_chat_model.h"

#include <fmt/format.h>

#include "base/compute_slots.h"
#include "base/hash.h"
#include "base/strings.h"
#include "llm/response_reader.h"
#include "net/url.h"

namespace precedent {
namespace {

using SteadyClock = std::chrono::steady_clock;

// An error page is read so far.
constexpr size_t kMaxErrorBytes = 64 * 1024;

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

bool is_connection_failure(const Error& error) {
  return error.code == ErrorCode::kUnavailable || error.code == ErrorCode::kTimeout;
}

}  // namespace

double cost_usd(const Usage& usage, const Prices& prices) {
  const double fresh = static_cast<double>(usage.input_tokens - usage.cached_tokens);
  return (fresh * prices.input + static_cast<double>(usage.cached_tokens) * prices.cached_input +
          static_cast<double>(usage.output_tokens) * prices.output) /
         1e6;
}

HttpChatModel::HttpChatModel(std::unique_ptr<Dialect> dialect, HttpClient& http, const Clock& clock,
                             HttpModelOptions options)
    : dialect_(std::move(dialect)), http_(http), clock_(clock), options_(std::move(options)) {
  const auto url = parse_url(dialect_->endpoint().base_url);
  host_ = url ? url->shown() : "";
}

std::string HttpChatModel::name() const {
  return dialect_->endpoint().provider + " " + dialect_->endpoint().model;
}

// A vendor or a proxy may quote the key that it was sent.
Error HttpChatModel::hide_key(Error error) const {
  const std::string& key = dialect_->endpoint().api_key;
  // A shorter one ("k", for a local server) guards nothing, and stands in many words.
  constexpr size_t kShortestSecret = 6;
  if (key.size() >= kShortestSecret) replace_all(error.message, key, "[redacted:api-key]");
  return error;
}

VendorRefusal HttpChatModel::read_refusal(const HttpResponse& head, std::string_view body) const {
  VendorRefusal refusal = vendor_refusal(head.status, body, fmt::format("{} at {}", name(), host_));
  refusal.failure.retry_after = parse_retry_after(head.header("Retry-After"), clock_.now());
  return refusal;
}

Result<ModelReply> HttpChatModel::complete(const ModelRequest& request, ModelContext& context) {
  context.failure = {};
  TRY(context.check());
  ModelRequest filled = request;
  if (!filled.sampling.temperature) filled.sampling.temperature = options_.sampling.temperature;
  if (filled.sampling.max_output_tokens == 0)
    filled.sampling.max_output_tokens = options_.sampling.max_output_tokens;
  HttpRequest http = dialect_->request(filled);
  http.stall_timeout = options_.stall_timeout;
  auto deadline = SteadyClock::now() + options_.timeout;
  if (context.deadline) deadline = std::min(deadline, *context.deadline);
  const auto emit = [&](std::string_view text) {
    context.events.emit({Event::Type::kToken, std::string(text), context.node});
  };
  ResponseReader reader(*dialect_, filled, emit, content_hash(http.body));
  std::string refusal_body;
  std::optional<Error> error;
  bool began = false;
  // Whatever is wrong with an answer, somebody gave it.
  const auto failed = [&](ModelFailure failure) {
    if (began && failure.http_status == 0) failure.http_status = 200;
    context.failure = failure;
  };
  std::optional<WithoutComputeSlot> waiting(std::in_place);
  const auto response = http_.stream(
      http, {context.cancel, deadline}, [&](const HttpResponse& head, std::string_view piece) {
        if (head.status != 200) {
          refusal_body += piece.substr(0, kMaxErrorBytes - refusal_body.size());
          return refusal_body.size() < kMaxErrorBytes;
        }
        began = true;
        auto more = reader.feed(piece);
        if (more) return *more;
        error = std::move(more).error();
        return false;
      });
  waiting.reset();
  if (error) {
    failed(reader.failure());
    return std::unexpected(hide_key(std::move(*error)));
  }
  if (!response) {
    failed({0, is_connection_failure(response.error()), std::nullopt});
    return std::unexpected(hide_key(Error(response.error()).within(name())));
  }
  if (response->status != 200) {
    VendorRefusal refusal = read_refusal(*response, refusal_body);
    context.failure = refusal.failure;
    return std::unexpected(hide_key(std::move(refusal.error)));
  }
  auto reply = reader.finish();
  if (!reply) {
    failed(reader.failure());
    return std::unexpected(hide_key(std::move(reply).error()));
  }
  if (options_.prices) reply->cost_usd = cost_usd(reply->usage, *options_.prices);
  return reply;
}

}  // namespace precedent
