#include "server/investigations/investigations_api.h"

#include <fmt/format.h>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/time.h"
#include "server/http/problem.h"
#include "server/http/request_body.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMaxText = 4000;
constexpr size_t kMaxKey = 200;

Result<ServedResponse> order(Investigations& investigations, const ServedRequest& request,
                             const std::string& by, RequestBody& body) {
  json object = json::object();
  for (const char* field : {"incident", "alert", "service", "since", "until", "description", "ask"})
    if (const json value = body.value(field); !value.is_null()) object[field] = value;
  TRY(body.end());
  const InvestigationOrder order = TRY(read_order(object));
  const std::string_view key = request.header("Idempotency-Key");
  if (key.size() > kMaxKey)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the Idempotency-Key has more than {} bytes", kMaxKey));
  const std::string id = TRY(investigations.start(order, by, std::string(key)));
  ServedResponse response = json_response(to_json(TRY(investigations.find(id))), 202);
  response.headers.push_back({"Location", "/investigations/" + id});
  return response;
}

ServedResponse show(const Investigations& investigations, const Routed& routed) {
  const std::string& id = routed.at("id");
  const auto shown = investigations.find(id);
  if (!shown) return problem(shown.error());
  const auto report = investigations.report(id);
  const std::string_view format = routed.request.parameter("format");
  if (format == "markdown") {
    if (!report) return problem(report.error());
    return {.headers = {{"Content-Type", "text/markdown; charset=utf-8"}},
            .body = report->markdown};
  }
  if (!format.empty() && format != "json") return problem(400, "'format' must be json or markdown");
  json body = to_json(*shown);
  if (report) body["report"] = report->report, body["markdown"] = report->markdown;
  return json_response(body);
}

ServedResponse watch(const Investigations& investigations, const Routed& routed) {
  const auto log = investigations.log(routed.at("id"));
  if (!log) return problem(log.error());
  if (*log == nullptr)
    return problem(410,
                   "its log ended with the server that ran it; GET /investigations/{id} has "
                   "what came of it");
  return event_stream((*log)->read(routed.request.header("Last-Event-ID")));
}

}  // namespace

Result<InvestigationOrder> read_order(const json& object) {
  InvestigationOrder order;
  for (const auto& [field, into] :
       {std::pair("incident", &order.incident), std::pair("service", &order.service),
        std::pair("since", &order.since), std::pair("until", &order.until),
        std::pair("description", &order.description)}) {
    if (!object.contains(field) || object[field].is_null()) continue;
    if (!object[field].is_string() || object[field].get_ref<const std::string&>().size() > kMaxText)
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'{}' must be a text of at most {} bytes", field, kMaxText));
    *into = trim(object[field].get_ref<const std::string&>());
  }
  for (const auto& [field, text] :
       {std::pair("since", &order.since), std::pair("until", &order.until)})
    if (const auto time = parse_time(*text); !text->empty() && !time)
      return fail(ErrorCode::kInvalidArgument, fmt::format("'{}': {}", field, time.error().text()));
  if (object.contains("ask") && !object["ask"].is_null()) {
    if (!object["ask"].is_boolean())
      return fail(ErrorCode::kInvalidArgument, "'ask' must be true or false");
    order.ask = object["ask"];
  }
  if (object.contains("alert") && !object["alert"].is_null()) {
    if (!object["alert"].is_structured())
      return fail(ErrorCode::kInvalidArgument,
                  "'alert' must be an alert, a list of them or a notification, as JSON");
    order.alert = dump_json(object["alert"]);
  }
  if (order.incident.empty() && order.alert.empty() && order.description.empty() &&
      order.service.empty())
    return fail(ErrorCode::kInvalidArgument,
                "nothing to investigate: give 'incident', 'alert', 'service' or 'description'");
  return order;
}

void add_investigation_routes(Router& router, Investigations& investigations,
                              const std::string& by) {
  const std::string who = by.empty() ? "operator" : by;
  router.add_now("GET", "/investigations", [&investigations](const Routed&) {
    json all = json::array(), scores = json::object();
    for (const ShownInvestigation& each : investigations.list()) {
      all.push_back(to_json(each));
      if (!each.score.is_object()) continue;
      json& count = scores[each.score.value("outcome", "unknown")];
      count = count.is_null() ? 1 : count.get<int>() + 1;
    }
    return json_response({{"investigations", std::move(all)},
                          {"left_out", investigations.left_out()},
                          {"scores", std::move(scores)}});
  });
  router.add_now("POST", "/investigations", [&investigations, who](const Routed& routed) {
    return answered(routed.request, [&](RequestBody& body) {
      return order(investigations, routed.request, who, body);
    });
  });
  router.add_now("GET", "/investigations/{id}",
                 [&investigations](const Routed& routed) { return show(investigations, routed); });
  router.add_now("GET", "/investigations/{id}/stream",
                 [&investigations](const Routed& routed) { return watch(investigations, routed); });
  router.add_now("POST", "/investigations/{id}/answer", [&investigations](const Routed& routed) {
    return answered(routed.request, [&](RequestBody& body) -> Result<ServedResponse> {
      const json answer = body.value("answer");
      if (!answer.is_string())
        return fail(ErrorCode::kInvalidArgument, "'answer' must be yes or no");
      TRY(body.end());
      return json_response(to_json(TRY(investigations.answer(routed.at("id"), answer))), 202);
    });
  });
  router.add_now("POST", "/investigations/{id}/cancel", [&investigations](const Routed& routed) {
    return answered(routed.request, [&](RequestBody& body) -> Result<ServedResponse> {
      TRY(body.end());
      return json_response(to_json(TRY(investigations.cancel(routed.at("id")))));
    });
  });
}

}  // namespace precedent
