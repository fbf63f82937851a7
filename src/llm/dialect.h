// Dialect: how one vendor's API is spoken. Pure: requests are values, replies are read from bytes.
//
// A dialect knows its endpoint and its key; HttpChatModel sends, ResponseReader reads the body.
// Thread safety: const members may be called from several threads.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "llm/chat_model.h"
#include "llm/reply_builder.h"
#include "net/http_client.h"
#include "net/sse.h"

namespace precedent {

// Where a model is and how it is called there.
struct Endpoint {
  std::string provider;  // for messages: "openai"
  std::string base_url;  // "https://api.openai.com/v1", without a slash at the end
  std::string model;     // Azure: the deployment
  std::string api_key = {};
  std::string api_version = {};  // Azure
};

// Reads the events of one streamed reply.
class StreamAssembler {
 public:
  virtual ~StreamAssembler() = default;
  // False: the reply is complete, whatever may follow. Errors: what the stream itself reports.
  virtual Result<bool> event(const SseEvent& event, ReplyBuilder& reply) = 0;
};

class Dialect {
 public:
  virtual ~Dialect() = default;
  virtual const Endpoint& endpoint() const = 0;
  // REQUIRES: messages are valid UTF-8; ill-formed ones are repaired.
  virtual HttpRequest request(const ModelRequest& request) const = 0;
  virtual std::unique_ptr<StreamAssembler> assembler(const ModelRequest& request) const = 0;
  // A reply that came whole although a stream was asked for.
  virtual Result<void> read_whole(const nlohmann::json& body, const ModelRequest& request,
                                  ReplyBuilder& reply) const = 0;
};

std::unique_ptr<Dialect> openai_dialect(Endpoint endpoint);
std::unique_ptr<Dialect> anthropic_dialect(Endpoint endpoint);

}  // namespace precedent
