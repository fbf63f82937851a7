// Server: precedent over HTTP. Start reading here: a request enters at handle(), is checked for
// where it comes from, and goes by its path to a handler (router.h) of one of the APIs.
//
// Only this machine may ask: the server binds to loopback alone, answers only to names of loopback
// (so that no page can reach it by a name of its own, DNS rebinding), and refuses what a page of
// another origin sends unless that origin is allowed.
//
// Thread safety: all members. Ownership: borrows its services, which outlive it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/turn/copilot.h"
#include "net/http_server.h"
#include "server/answerer.h"
#include "server/knowledge_desk.h"
#include "server/turns.h"
#include "tools/tool.h"

namespace precedent {

// One of the things that answering takes, and whether it is there.
struct ReadinessPart {
  std::string name;    // "store", "encoder", "model"
  bool ready = false;  // false: the server is not ready
  std::string detail;
};

struct ServerServices {
  Answerer& answerer;
  const Copilot& copilot;
  Checkpointer* threads;  // null: no chat is kept
  const Clock& clock;
  const Toolset& tools;
  // McpServices::call_tool
  std::function<Receipt(const Tool& tool, const nlohmann::json& args, const CancelToken& cancel)>
      call_tool;
  std::string model;  // "offline", "openai gpt-4o"
  std::string version;
  std::function<std::vector<ReadinessPart>()> readiness;
  // Questions that what is known here answers, for whoever does not know what to ask.
  std::function<std::vector<std::string>()> suggestions;
  KnowledgeServices knowledge;
};

struct ServerOptions {
  HttpServerOptions http = {};
  TurnsOptions turns = {};
  std::vector<std::string> allowed_origins = {};  // "http://localhost:5173"
};

class Server {
 public:
  // Errors: kPermission for an address beyond loopback; those of HttpServer::start.
  static Result<std::unique_ptr<Server>> start(const ServerServices& services,
                                               const ServerOptions& options);
  virtual ~Server() = default;

  virtual uint16_t port() const = 0;
  // Takes nothing new; running turns may end until the time is up, and are cancelled then: they
  // stop at a checkpoint, from which `precedent threads resume` goes on.
  virtual void drain(std::chrono::milliseconds time) = 0;
};

// The OpenAPI 3.1 document of what is served (docs/openapi.yaml), as JSON.
std::string_view openapi_document();

}  // namespace precedent
