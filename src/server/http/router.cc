#include "server/http/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/ascii.h"
#include "base/strings.h"
#include "server/http/doubled_key.h"
#include "server/http/problem.h"

namespace precedent {
namespace {

// How many parts of a pattern are names of their own: "/threads/{id}/runs/wait" has three.
size_t literals(std::string_view pattern) {
  return static_cast<size_t>(std::ranges::count_if(split(pattern, '/'), [](std::string_view part) {
    return !part.empty() && !part.starts_with('{');
  }));
}

bool matches(std::string_view pattern, std::string_view path,
             std::map<std::string, std::string, std::less<>>& names) {
  const std::vector<std::string_view> wanted = split(pattern, '/'), given = split(path, '/');
  if (wanted.size() != given.size()) return false;
  names.clear();
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i].starts_with('{')) {
      if (wanted[i] != given[i]) return false;
      continue;
    }
    if (given[i].empty()) return false;
    names.emplace(wanted[i].substr(1, wanted[i].size() - 2), given[i]);
  }
  return true;
}

// Why a body cannot be read as what the route takes; "" where it can.
std::string unreadable(const ServedRequest& request, Takes takes) {
  if (request.method == "GET" || request.method == "HEAD" || request.body.empty()) return "";
  const std::string_view coding = request.header("Content-Encoding");
  if (!coding.empty() && ascii_lower(coding) != "identity")
    return fmt::format("the body is encoded as '{}'; send it as it is", coding);
  if (takes == Takes::kAnything) return "";
  const std::string_view type = request.header("Content-Type");
  const std::string_view media = trim(type.substr(0, type.find(';')));
  if (media.empty() || ascii_lower(media) == "application/json") return "";
  return fmt::format("the content type is '{}'; send application/json", media);
}

}  // namespace

std::string Router::wrong_in(const ServedRequest& request, const Route& route) {
  if (route.check != nullptr)
    if (std::string why = route.check(route.pattern, request); !why.empty()) return why;
  if (route.takes != Takes::kJson || request.method == "GET" || request.method == "HEAD") return "";
  const auto key = doubled_key(request.body);
  return key ? fmt::format("'{}' is there twice in the body; say it once", *key) : "";
}

void Router::add(std::string_view method, std::string_view pattern, RouteHandler handler,
                 Takes takes) {
  routes_.push_back({std::string(method), std::string(pattern), std::move(handler), takes, check_});
}

void Router::add_now(std::string_view method, std::string_view pattern,
                     std::function<ServedResponse(const Routed&)> handler, Takes takes) {
  add(
      method, pattern,
      [handler = std::move(handler)](const Routed& routed, const Respond& respond) {
        respond(handler(routed));
      },
      takes);
}

void Router::dispatch(ServedRequest request, Respond respond) const {
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  std::set<std::string> allowed;
  Routed routed;
  // What is named outright is no id.
  size_t most = 0;
  for (const Route& route : routes_)
    if (matches(route.pattern, request.path, routed.names))
      most = std::max(most, literals(route.pattern));
  for (const Route& route : routes_) {
    if (literals(route.pattern) < most) continue;
    if (!matches(route.pattern, request.path, routed.names)) continue;
    if (route.method == method) {
      if (const std::string why = unreadable(request, route.takes); !why.empty())
        return respond(problem(415, why));
      if (const std::string why = wrong_in(request, route); !why.empty())
        return respond(problem(400, why));
      routed.request = std::move(request);
      return route.handler(std::move(routed), std::move(respond));
    }
    allowed.insert(route.method);
  }
  if (allowed.empty())
    return respond(problem(404, "there is nothing at " + request.path + "; see /openapi.json"));
  const std::string allow = join(std::vector<std::string>(allowed.begin(), allowed.end()), ", ");
  ServedResponse refused =
      problem(405, request.method + " is not possible at " + request.path + "; use " + allow);
  refused.headers.push_back({"Allow", allow});
  respond(std::move(refused));
}

bool Router::knows(std::string_view path) const {
  std::map<std::string, std::string, std::less<>> names;
  return std::ranges::any_of(
      routes_, [&](const Route& route) { return matches(route.pattern, path, names); });
}

std::vector<std::string> Router::routes() const {
  std::vector<std::string> all;
  for (const Route& route : routes_) all.push_back(route.method + " " + route.pattern);
  return all;
}

}  // namespace precedent
