#include "server/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/strings.h"
#include "net/url.h"
#include "server/auth/access.h"
#include "server/auth/audit.h"
#include "server/auth/digest.h"
#include "server/auth/oidc.h"
#include "server/http/openapi.h"
#include "server/http/page.h"
#include "server/http/problem.h"
#include "server/http/router.h"
#include "server/investigations/webhooks.h"
#include "server/openai/openai_shape.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr std::string_view kResourcePath = "/.well-known/oauth-protected-resource";

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

bool is_openai(std::string_view path) { return path.starts_with("/v1/"); }

// Holds the site of a caller while a stream of it is read.
class SiteStream final : public HttpStream {
 public:
  SiteStream(std::shared_ptr<Site> site, std::shared_ptr<HttpStream> stream)
      : site_(std::move(site)), stream_(std::move(stream)) {}
  State next(std::string& piece) override { return stream_->next(piece); }
  void wake_with(std::function<void()> wake) override { stream_->wake_with(std::move(wake)); }
  std::string heartbeat() const override { return stream_->heartbeat(); }

 private:
  const std::shared_ptr<Site> site_;
  const std::shared_ptr<HttpStream> stream_;  // goes first
};

class HttpApi final : public Server {
 public:
  HttpApi(const ServerServices& services, const ServerOptions& options)
      : services_(services),
        options_(options),
        sign_in_(options.sign_in, services.clock),
        rate_(options.requests_a_minute),
        audit_(options.audit),
        counters_(services.tools),
        pool_(options.turns),
        uploads_(services.desk, services.clock),
        investigations_(
            services.investigator == nullptr
                ? nullptr
                : std::make_unique<Investigations>(*services.investigator, pool_, services.clock,
                                                   options.investigations,
                                                   options.investigation_limits, services.warn)),
        sites_(services.seat, {pool_, counters_, services.desk, uploads_, services.sources,
                               services.clock, services.model, services.version, random_text(32),
                               services.investigator, investigations_.get()}) {
    add_page_routes(own_);
    add_webhooks();
    add_own_routes();
  }

  // What runs ends while its site is still here: a turn that held the last of a site would wait
  // for itself.
  ~HttpApi() override {
    http_.reset();
    pool_.stop();
  }

  Result<void> listen() {
    if (!TRY(sign_in_.required())) {
      if (!is_loopback(options_.http.address))
        return fail(ErrorCode::kPermission,
                    fmt::format("'{}' is reached from other machines, and nobody would be asked "
                                "who they are; make a token first (`precedent tokens create`), or "
                                "listen at 127.0.0.1",
                                options_.http.address));
      // What cannot be opened is said now rather than to the first who asks.
      TRY(sites_.of(Caller::local()));
    }
    http_ = TRY(HttpServer::start(
        options_.http,
        [this](ServedRequest request, Respond respond) {
          handle(std::move(request), std::move(respond));
        },
        [](int status, std::string_view detail, std::string_view target) {
          ServedResponse refused = problem(status, detail);
          if (is_openai(target)) refused = in_openai_shape(std::move(refused));
          add_safety(refused, "");
          return refused;
        }));
    return {};
  }

  uint16_t port() const override { return http_->port(); }
  void drain(std::chrono::milliseconds time) override {
    draining_ = true;
    pool_.drain(time);
    sites_.close();
    http_->drain(std::chrono::seconds(5));
  }

  Result<std::vector<std::string>> routes() override {
    std::vector<std::string> all = own_.routes();
    std::ranges::copy(TRY(sites_.of(Caller::local()))->routes(), std::back_inserter(all));
    return all;
  }

  void handle(ServedRequest request, Respond respond) override {
    const std::string origin(request.header("Origin"));
    const bool allowed =
        std::ranges::find(options_.allowed_origins, origin) != options_.allowed_origins.end();
    const auto dressed = [respond = std::move(respond), origin = allowed ? origin : "",
                          openai = is_openai(request.path)](ServedResponse response) {
      if (openai) response = in_openai_shape(std::move(response));
      add_safety(response, origin);
      respond(std::move(response));
    };
    const auto signed_in = sign_in_.required();
    const bool local_only = signed_in && !*signed_in;
    if (const std::string_view host = request.header("Host");
        local_only && !host.empty() && !is_loopback(host_of(host)))
      return dressed(
          problem(403, fmt::format("'{}' is no name of this machine; ask localhost", host)));
    if (!origin.empty() && !allowed && !is_own(origin, request.header("Host")))
      return dressed(problem(403, fmt::format("pages of {} may not ask here; start the server with "
                                              "--allow-origin to let them",
                                              origin)));
    if (allowed && request.method == "OPTIONS") return dressed(preflight());
    const std::optional<AccessRole> needed = role_needed(request.method, request.path);
    if (!needed) return own_.dispatch(std::move(request), dressed);
    auto caller = sign_in_.caller(request);
    if (const auto* refused = std::get_if<SignIn::Refusal>(&caller))
      return dressed(turned_away(*refused, request));
    serve(std::get<Caller>(caller), *needed, std::move(request), dressed);
  }

 private:
  void serve(const Caller& caller, AccessRole needed, ServedRequest request, Respond respond) {
    const auto audited = [this, entry = Audit::entry_of(request), caller,
                          respond = std::move(respond)](ServedResponse response) {
      write_down(entry, caller, response.status);
      respond(std::move(response));
    };
    if (!caller.name.empty()) {
      if (const auto wait = rate_.take(caller.name, std::chrono::steady_clock::now()))
        return audited(too_many("you ask more often than this server lets anybody", *wait));
    }
    auto site = sites_.of(caller);
    if (!site) return audited(problem(site.error()));
    const bool own = own_.knows(request.path);
    if (!own && !(*site)->knows(request.path))
      return audited(problem(404, "there is nothing at " + request.path + "; see /openapi.json"));
    if (caller.role < needed)
      return audited(problem(403, fmt::format("this takes the role '{}'; {} is '{}'", name(needed),
                                              caller.name, name(caller.role))));
    if (own) return own_.dispatch(std::move(request), audited);
    (*site)->dispatch(std::move(request), [site = *site, audited](ServedResponse response) {
      if (response.stream != nullptr)
        response.stream = std::make_shared<SiteStream>(site, std::move(response.stream));
      audited(std::move(response));
    });
  }

  ServedResponse too_many(std::string_view detail, std::chrono::seconds wait) const {
    ServedResponse response = problem(429, detail);
    response.headers.push_back({"Retry-After", std::to_string(wait.count())});
    return response;
  }

  ServedResponse turned_away(const SignIn::Refusal& refusal, const ServedRequest& request) {
    if (refusal.status == 429) return too_many(refusal.detail, refusal.wait);
    ServedResponse response = problem(refusal.status, refusal.detail);
    if (refusal.status != 401) return response;
    if (refusal.wrong) write_down(Audit::entry_of(request), {.name = "?"}, 401);
    response.headers.push_back(
        {"WWW-Authenticate",
         fmt::format("Bearer realm=\"precedent\", resource_metadata=\"{}{}\"{}", base_url(request),
                     kResourcePath, refusal.wrong ? ", error=\"invalid_token\"" : "")});
    return response;
  }

  void write_down(const Audit::Entry& entry, const Caller& caller, int status) {
    const auto written = audit_.add(entry, caller, status, services_.clock.now());
    if (!written && !audit_failed_.exchange(true))
      services_.warn("the audit log cannot be written: " + written.error().text());
  }

  // As the client reached it. A proxy that speaks TLS says so.
  static std::string base_url(const ServedRequest& request) {
    const std::string_view host = request.header("Host");
    const bool is_host = std::ranges::all_of(host, [](char c) {
      return is_letter(c) || is_digit(c) || std::string_view("-.:[]").contains(c);
    });
    const bool tls = request.header("X-Forwarded-Proto") == "https";
    return fmt::format("{}://{}", tls ? "https" : "http", is_host ? host : "localhost");
  }

  static bool is_own(std::string_view origin, std::string_view host) {
    const size_t scheme = origin.find("://");
    return scheme != std::string_view::npos && origin.substr(scheme + 3) == host;
  }

  static void add_safety(ServedResponse& response, const std::string& origin) {
    // What one caller may see is nobody else's, and old tomorrow; only the page says otherwise.
    if (std::ranges::find(response.headers, "Cache-Control", &HttpHeader::name) ==
        response.headers.end())
      response.headers.push_back({"Cache-Control", "no-store"});
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
    return {
        .status = 204,
        .headers = {{"Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE"},
                    {"Access-Control-Allow-Headers",
                     "Content-Type, Last-Event-ID, Authorization, X-Api-Key, MCP-Protocol-Version, "
                     "Mcp-Method, Mcp-Name, Idempotency-Key"},
                    {"Access-Control-Max-Age", "600"}}};
  }

  void add_own_routes() {
    own_.add_now("GET", "/healthz",
                 [](const Routed&) { return json_response({{"status", "alive"}}); });
    own_.add_now("GET", "/readyz", [this](const Routed& routed) { return ready(routed.request); });
    // RFC 9728.
    own_.add_now("GET", kResourcePath, [this](const Routed& routed) {
      ProtectedResource resource{.resource = base_url(routed.request)};
      if (!options_.issuer.empty()) resource.authorization_servers = {options_.issuer};
      return ServedResponse{.headers = {{"Content-Type", "application/json"}},
                            .body = protected_resource_document(resource)};
    });
    own_.add_now("GET", "/metrics", [this](const Routed&) {
      return ServedResponse{
          .headers = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
          .body = counters_.exposition() + gauges()};
    });
    own_.add_now("GET", "/openapi.json", [](const Routed&) {
      return ServedResponse{.headers = {{"Content-Type", "application/json"}},
                            .body = std::string(openapi_document())};
    });
  }

  // How much is known, and what went wrong, is not for everybody.
  bool is_admin(const ServedRequest& request) {
    const auto signed_in = sign_in_.required();
    if (signed_in && !*signed_in) return true;
    if (request.header("Authorization").empty() && request.header("x-api-key").empty())
      return false;
    const auto caller = sign_in_.caller(request);
    const auto* known = std::get_if<Caller>(&caller);
    return known != nullptr && known->role == AccessRole::kAdmin;
  }

  ServedResponse ready(const ServedRequest& request) {
    json parts = json::array();
    const bool told = is_admin(request);
    bool all = !draining_;
    if (draining_)
      parts.push_back(
          {{"name", "server"}, {"ready", false}, {"detail", "it stops once its turns have ended"}});
    for (const ReadinessPart& part : services_.readiness()) {
      parts.push_back(
          {{"name", part.name}, {"ready", part.ready}, {"detail", told ? part.detail : ""}});
      all = all && part.ready;
    }
    return json_response({{"ready", all}, {"parts", std::move(parts)}}, all ? 200 : 503);
  }

  std::string gauges() const {
    const auto gauge = [](std::string_view name, std::string_view help, size_t value) {
      return fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n{0} {2}\n", name, help, value);
    };
    return gauge("agent_turns_running", "Turns that a worker runs", pool_.running()) +
           gauge("agent_turns_waiting", "Turns that wait for a worker", pool_.waiting()) +
           gauge("agent_http_connections", "Open connections", http_->connections());
  }

  void add_webhooks() {
    if (investigations_ == nullptr) return;
    const std::filesystem::path& folder = options_.investigations;
    webhooks_.emplace(*investigations_, options_.webhook_secrets,
                      folder.empty() ? folder : folder / "webhooks.jsonl", services_.clock,
                      services_.warn);
    own_.add_now(
        "POST", "/webhook/pagerduty",
        [this](const Routed& routed) { return webhooks_->pagerduty(routed.request); },
        Takes::kAnything);
    own_.add_now(
        "POST", "/webhook/alertmanager",
        [this](const Routed& routed) { return webhooks_->alertmanager(routed.request); },
        Takes::kAnything);
    buttons_.emplace(
        options_.slack,
        SlackButtons::Parts{.investigations = *investigations_,
                            .clock = services_.clock,
                            .ids = folder.empty() ? folder : folder / "slack.jsonl",
                            .tokens = options_.sign_in.tokens,
                            .identity_provider = !options_.issuer.empty(),
                            .audit = [this](const Audit::Entry& entry, const Caller& caller,
                                            int status) { write_down(entry, caller, status); },
                            .warn = services_.warn});
    own_.add_now(
        "POST", "/webhook/slack",
        [this](const Routed& routed) { return buttons_->press(routed.request); }, Takes::kAnything);
  }

  const ServerServices services_;
  const ServerOptions options_;
  SignIn sign_in_;
  RateLimit rate_;
  const Audit audit_;
  std::atomic<bool> audit_failed_{false};
  std::atomic<bool> draining_{false};
  Counters counters_;
  TurnPool pool_;
  Uploads uploads_;
  const std::unique_ptr<Investigations> investigations_;  // null: there are none
  std::optional<Webhooks> webhooks_;
  std::optional<SlackButtons> buttons_;
  Sites sites_;
  Router own_;  // what is the same for every caller
  std::unique_ptr<HttpServer> http_;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::start(const ServerServices& services,
                                              const ServerOptions& options) {
  auto server = std::make_unique<HttpApi>(services, options);
  TRY(server->listen());
  return server;
}

}  // namespace precedent
