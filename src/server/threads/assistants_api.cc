// Assistants: there is one, and nobody can make another.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "server/http/problem.h"
#include "server/http/request_body.h"
#include "server/threads/thread_shape.h"
#include "server/threads/threads_api.h"

namespace precedent {
namespace {

using nlohmann::json;

json assistant() {
  // It comes with the program.
  constexpr const char* kMade = "1970-01-01T00:00:00Z";
  return {{"assistant_id", kGraphId},
          {"graph_id", kGraphId},
          {"name", kGraphId},
          {"description",
           "Answers about incidents, runbooks and metrics, each claim with its "
           "evidence"},
          {"config", json::object()},
          {"context", json::object()},
          {"metadata", {{"created_by", "system"}}},
          {"version", 1},
          {"created_at", kMade},
          {"updated_at", kMade}};
}

// Those that a search finds: one, or none.
Result<json> found(const ServedRequest& request) {
  RequestBody body = TRY(RequestBody::of(request));
  const std::string graph = TRY(body.text("graph_id"));
  const std::string name = TRY(body.text("name"));
  TRY(body.object("metadata"));
  TRY(body.texts("select"));
  const size_t offset = TRY(body.count("offset", SIZE_MAX)).value_or(0);
  const bool here = (graph.empty() || graph == kGraphId) && (name.empty() || name == kGraphId) &&
                    holds_all(assistant()["metadata"], body.value("metadata")) && offset == 0;
  return here ? json::array({assistant()}) : json::array();
}

}  // namespace

void add_assistant_routes(Router& router, const ThreadsApi& api) {
  router.add_now("POST", "/assistants/search",
                 [](const Routed& routed) { return json_or_problem(found(routed.request)); });
  router.add_now("POST", "/assistants/count", [](const Routed& routed) -> ServedResponse {
    const auto all = found(routed.request);
    return all ? json_response(all->size()) : problem(all.error());
  });
  router.add_now("GET", "/assistants/{id}", [](const Routed& routed) {
    if (routed.at("id") == kGraphId) return json_response(assistant());
    return problem(
        404, fmt::format("there is no assistant '{}'; there is '{}'", routed.at("id"), kGraphId));
  });
  router.add_now("GET", "/ok", [](const Routed&) { return json_response({{"ok", true}}); });
  router.add_now("GET", "/info", [version = api.version](const Routed&) {
    return json_response({{"version", version},
                          {"flags", {{"assistants", true}, {"crons", false}, {"store", false}}}});
  });
}

}  // namespace precedent
