// Server: precedent over HTTP. Start reading here: a request enters at handle(), is checked for
// where it comes from and who sends it, and goes by its path to a handler (router.h) of its
// caller's site (site.h).
//
// Where nobody signs in (auth/sign_in.h) only this machine may ask: the server binds to loopback
// alone and answers only to names of loopback, so that no page can reach it by a name of its own
// (DNS rebinding). In any case it refuses what a page of another origin sends unless that origin is
// allowed.
//
// Thread safety: all members. Ownership: borrows its services, which outlive it.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "net/http_server.h"
#include "server/auth/sign_in.h"
#include "server/investigations/investigations.h"
#include "server/investigations/slack_buttons.h"
#include "server/knowledge/knowledge_desk.h"
#include "server/knowledge/source_desk.h"
#include "server/site.h"
#include "server/turns/turns.h"

namespace precedent {

// One of the things that answering takes, and whether it is there.
struct ReadinessPart {
  std::string name;    // "store", "encoder", "model"
  bool ready = false;  // false: the server is not ready
  std::string detail;
};

struct ServerServices {
  // What a caller may use; asked once for each.
  Sites::MakeSeat seat;
  const Clock& clock;
  std::vector<std::string> tools;  // by name, for their counters
  std::string model;               // "offline", "openai gpt-4o"
  std::string version;
  std::function<std::vector<ReadinessPart>()> readiness;
  // Who changes what is known.
  KnowledgeDesk& desk;
  // Null: there are no investigations.
  Investigator* investigator = nullptr;
  SourceDesk* sources = nullptr;  // null: nothing is kept current
  // Told what went wrong beside a request: an audit log that cannot be written.
  std::function<void(const std::string& warning)> warn = [](const std::string&) {};
};

struct ServerOptions {
  HttpServerOptions http = {};
  TurnPoolOptions turns = {};
  std::vector<std::string> allowed_origins = {};  // "http://localhost:5173"
  SignIn::Options sign_in = {};
  std::string issuer = {};       // the identity provider's address; "": there is none
  size_t requests_a_minute = 0;  // of each caller who signed in; 0: any number
  std::filesystem::path audit = {};
  std::filesystem::path investigations = {};  // the folder of their reports
  InvestigationLimits investigation_limits = {};
  std::vector<std::string> webhook_secrets = {};  // of PagerDuty
  SlackButtonOptions slack = {};
};

class Server {
 public:
  // Errors: kPermission for an address beyond loopback where nobody signs in; those of SignIn, of
  // the seat of whoever sits at this machine, and of HttpServer::start.
  static Result<std::unique_ptr<Server>> start(const ServerServices& services,
                                               const ServerOptions& options);
  virtual ~Server() = default;

  virtual uint16_t port() const = 0;
  // What came over the line, or as if it had. `respond` is called once, from any thread.
  virtual void handle(ServedRequest request, Respond respond) = 0;
  // Takes nothing new; running turns may end until the time is up, and are cancelled then: they
  // stop at a checkpoint, from which `precedent threads resume` goes on.
  virtual void drain(std::chrono::milliseconds time) = 0;
  // "GET /chat/messages/{id}": all that somebody at this machine may ask, the page's files too.
  // Errors: those of the seat.
  virtual Result<std::vector<std::string>> routes() = 0;
};

}  // namespace precedent
