#include "server/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/strings.h"
#include "net/url.h"
#include "server/chat_api.h"
#include "server/counting.h"
#include "server/mcp_api.h"
#include "server/openai_api.h"
#include "server/page.h"
#include "server/problem.h"
#include "server/router.h"
#include "server/runs.h"
#include "server/threads.h"
#include "server/threads_api.h"

namespace precedent {
namespace {

using nlohmann::json;

// "localhost" of "localhost:8484", "::1" of "[::1]:8484"; "" of what is no host and port. A name
// such as 127.0.0.1.example.com is somebody's own: is_loopback() (net/url.h) takes addresses alone.
std::string host_of(std::string_view authority) {
  const bool bracketed = authority.starts_with('[');
  const size_t end = bracketed ? authority.find(']') : authority.find(':');
  std::string_view rest = authority.substr(std::min(end, authority.size()));
  if (bracketed && !rest.empty()) rest.remove_prefix(1);
  if (bracketed && end == std::string_view::npos) return "";
  if (!rest.empty() && (rest[0] != ':' || !std::ranges::all_of(rest.substr(1), is_digit)))
    return "";
  return ascii_lower(bracketed ? authority.substr(1, end - 1) : authority.substr(0, end));
}

std::vector<std::string> names_of(const Toolset& tools) {
  std::vector<std::string> names;
  for (const auto& tool : tools.all()) names.push_back(tool->spec().name);
  return names;
}

class HttpApi final : public Server {
 public:
  HttpApi(const ServerServices& services, const ServerOptions& options)
      : services_(services),
        options_(options),
        counting_(names_of(services.tools)),
        chats_(services.copilot, services.threads),
        mcp_({services.answerer, services.tools, services.call_tool, services.clock,
              services.version}),
        threads_(services.copilot, services.threads, chats_, turns_, services.clock),
        runs_({services.answerer, threads_, turns_, services.clock, counting_}),
        turns_(options.turns) {
    add_chat_routes(
        router_, {services_.answerer, chats_, turns_, services_.clock, counting_, services_.model});
    add_openai_routes(router_, {services_.answerer, chats_, turns_, services_.clock, counting_});
    add_mcp_route(router_, mcp_, turns_);
    add_page_routes(router_);
    add_thread_routes(router_, {threads_, runs_, services_.clock, services_.version});
    add_own_routes();
  }

  Result<void> listen() {
    http_ = TRY(HttpServer::start(
        options_.http,
        [this](ServedRequest request, Respond respond) {
          handle(std::move(request), std::move(respond));
        },
        [](int status, std::string_view detail) { return problem(status, detail); }));
    return {};
  }

  uint16_t port() const override { return http_->port(); }
  void drain(std::chrono::milliseconds time) override {
    turns_.drain(time);
    runs_.close();
    http_->drain(std::chrono::seconds(5));
  }

 private:
  void handle(ServedRequest request, Respond respond) {
    if (const std::string_view host = request.header("Host");
        !host.empty() && !is_loopback(host_of(host)))
      return respond(
          problem(403, fmt::format("'{}' is no name of this machine; ask localhost", host)));
    const std::string origin(request.header("Origin"));
    const bool allowed =
        std::ranges::find(options_.allowed_origins, origin) != options_.allowed_origins.end();
    if (!origin.empty() && !allowed && !is_own(origin, request.header("Host")))
      return respond(problem(403, fmt::format("pages of {} may not ask here; start the server with "
                                              "--allow-origin to let them",
                                              origin)));
    const auto dressed = [respond = std::move(respond),
                          origin = allowed ? origin : ""](ServedResponse response) {
      add_safety(response, origin);
      respond(std::move(response));
    };
    if (allowed && request.method == "OPTIONS") return dressed(preflight());
    router_.dispatch(std::move(request), dressed);
  }

  static bool is_own(std::string_view origin, std::string_view host) {
    const size_t scheme = origin.find("://");
    return scheme != std::string_view::npos && origin.substr(scheme + 3) == host;
  }

  static void add_safety(ServedResponse& response, const std::string& origin) {
    response.headers.push_back({"X-Content-Type-Options", "nosniff"});
    response.headers.push_back({"Referrer-Policy", "no-referrer"});
    if (std::ranges::find(response.headers, "Content-Security-Policy", &HttpHeader::name) ==
        response.headers.end())
      response.headers.push_back(
          {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"});
    if (origin.empty()) return;
    response.headers.push_back({"Access-Control-Allow-Origin", origin});
    response.headers.push_back({"Access-Control-Expose-Headers", "Content-Location, Location"});
    response.headers.push_back({"Vary", "Origin"});
  }

  static ServedResponse preflight() {
    return {.status = 204,
            .headers = {{"Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE"},
                        {"Access-Control-Allow-Headers",
                         "Content-Type, Last-Event-ID, Authorization, X-Api-Key"},
                        {"Access-Control-Max-Age", "600"}}};
  }

  void add_own_routes() {
    router_.add_now("GET", "/healthz",
                    [](const Routed&) { return json_response({{"status", "alive"}}); });
    router_.add_now("GET", "/readyz", [this](const Routed&) { return ready(); });
    router_.add_now("GET", "/version", [this](const Routed&) {
      return json_response({{"version", services_.version}, {"model", services_.model}});
    });
    router_.add_now("GET", "/suggestions", [this](const Routed&) {
      return json_response({{"questions", services_.suggestions()}});
    });
    router_.add_now("GET", "/metrics", [this](const Routed&) {
      return ServedResponse{
          .headers = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
          .body = counting_.exposition() + gauges()};
    });
    router_.add_now("GET", "/openapi.json", [](const Routed&) {
      return ServedResponse{.headers = {{"Content-Type", "application/json"}},
                            .body = std::string(openapi_document())};
    });
  }

  ServedResponse ready() const {
    json parts = json::array();
    bool all = true;
    for (const ReadinessPart& part : services_.readiness()) {
      parts.push_back({{"name", part.name}, {"ready", part.ready}, {"detail", part.detail}});
      all = all && part.ready;
    }
    return json_response({{"ready", all}, {"parts", std::move(parts)}}, all ? 200 : 503);
  }

  std::string gauges() const {
    const auto gauge = [](std::string_view name, std::string_view help, size_t value) {
      return fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n{0} {2}\n", name, help, value);
    };
    return gauge("agent_turns_running", "Turns that a worker runs", turns_.running()) +
           gauge("agent_turns_waiting", "Turns that wait for a worker", turns_.waiting()) +
           gauge("agent_http_connections", "Open connections", http_->connections());
  }

  const ServerServices services_;
  const ServerOptions options_;
  RequestCounting counting_;
  Chats chats_;
  Router router_;
  const Mcp mcp_;
  const Threads threads_;
  Runs runs_;
  // Ends before all that it uses.
  Turns turns_;
  std::unique_ptr<HttpServer> http_;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::start(const ServerServices& services,
                                              const ServerOptions& options) {
  if (!is_loopback(options.http.address))
    return fail(ErrorCode::kPermission,
                fmt::format("'{}' is reached from other machines, and nobody would be asked who "
                            "they are; listen at 127.0.0.1 and put a proxy that signs people in "
                            "before it",
                            options.http.address));
  auto server = std::make_unique<HttpApi>(services, options);
  TRY(server->listen());
  return server;
}

}  // namespace precedent
