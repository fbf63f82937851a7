// HttpChatModel: a ChatModel of a vendor behind HTTP; the thin loop between a Dialect and an
// HttpClient.
//
// One request is one HTTP request: repeating is RetryModel's. A message of an error names provider,
// model and host, never the key. Thread safety: all members. Lifetime: client and clock outlive it.
#pragma once

#include <memory>

#include "base/clock.h"
#include "llm/dialect.h"
#include "llm/vendor_error.h"
#include "net/http_client.h"

namespace precedent {

// US dollars for a million tokens, from the vendor's price list.
struct Prices {
  double input = 0;
  double output = 0;
  double cached_input = 0;
  bool operator==(const Prices&) const = default;
};
double cost_usd(const Usage& usage, const Prices& prices);

struct HttpModelOptions {
  // A reasoning model with tools may take minutes; nobody waits longer at night.
  std::chrono::milliseconds timeout{300'000};
  // Longer than any vendor thinks before its first token, or is silent between two.
  std::chrono::milliseconds stall_timeout{90'000};
  std::optional<Prices> prices = std::nullopt;
  Sampling sampling = {};  // where the request says nothing
};

class HttpChatModel final : public ChatModel {
 public:
  HttpChatModel(std::unique_ptr<Dialect> dialect, HttpClient& http, const Clock& clock,
                HttpModelOptions options = {});

  std::string name() const override;
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override;

 private:
  Error hide_key(Error error) const;
  VendorRefusal read_refusal(const HttpResponse& head, std::string_view body) const;

  std::unique_ptr<Dialect> dialect_;
  HttpClient& http_;
  const Clock& clock_;
  HttpModelOptions options_;
  std::string host_;
};

}  // namespace precedent
