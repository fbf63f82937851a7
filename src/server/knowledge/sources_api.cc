#include "server/knowledge/sources_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "server/http/problem.h"
#include "server/http/request_body.h"

namespace precedent {
namespace {

using nlohmann::json;

// What of a source somebody may see.
struct Sight {
  bool counts = false;
  bool faults = false;
};

json shown(const SourceShown& source, Sight sight) {
  json out = {{"name", source.name},
              {"type", source.type},
              {"activity", source.activity},
              {"stale", source.stale()},
              {"every_seconds", source.every.count()}};
  const auto put = [&](const char* key, const std::optional<TimePoint>& at) {
    out[key] = at ? json(format_time(*at)) : json();
  };
  put("synced_at", source.synced_at);
  put("swept_at", source.swept_at);
  put("failed_at", source.failed_at);
  put("next_at", source.next_at);
  if (sight.counts) out["documents"] = source.documents;
  if (!sight.faults) return out;
  out["error"] = source.error;
  out["notes"] = source.notes;
  return out;
}

Result<json> list(SourceDesk* desk, Sight sight) {
  json sources = json::array();
  if (desk != nullptr)
    for (const SourceShown& source : TRY(desk->sources())) sources.push_back(shown(source, sight));
  json out = {{"sources", std::move(sources)}};
  if (sight.faults) out["problem"] = desk == nullptr ? "" : desk->problem();
  return out;
}

Result<ServedResponse> sync(SourceDesk* desk, const std::string& name, RequestBody& body) {
  SyncWish wish;
  wish.full = TRY(body.flag("full", false));
  wish.yes = TRY(body.flag("yes", false));
  TRY(body.end());
  if (desk == nullptr)
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no source '{}': this server has no sources.yaml", name));
  TRY(desk->sync(name, wish));
  return json_response({{"name", name}, {"asked", true}}, 202);
}

}  // namespace

void add_source_routes(Router& router, SourceDesk* desk, const Caller& caller) {
  const Sight sight{caller.scope.everything(), caller.role >= AccessRole::kEditor};
  router.add_now("GET", "/sources",
                 [desk, sight](const Routed&) { return json_or_problem(list(desk, sight)); });
  router.add_now("POST", "/sources/{name}/sync", [desk](const Routed& routed) {
    return answered(routed.request,
                    [&](RequestBody& body) { return sync(desk, routed.at("name"), body); });
  });
}

}  // namespace precedent
