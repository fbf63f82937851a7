#include "server/knowledge/golden_api.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/ids.h"
#include "knowledge/golden_state.h"
#include "server/http/problem.h"
#include "server/http/request_body.h"
#include "tools/receipt.h"

namespace precedent {
namespace {

using nlohmann::json;

json shown(const GoldenExample& example) {
  json out = to_json(example);
  out["state"] = state_of(example);
  return out;
}

json shown(const GoldenChange& change) {
  json out = shown(change.example);
  out["result"] = change.result;
  out["unknown_sources"] = change.unknown_sources;
  return out;
}

Result<json> changed(const Result<GoldenChange>& change) {
  if (!change) return std::unexpected(change.error());
  return shown(*change);
}

bool is_in(const GoldenExample& example, std::string_view state) {
  if (state == "served") return is_served(example);
  if (state == "pending") return example.active && !is_served(example);
  if (state == "inactive") return !example.active;
  return true;
}

Result<json> list(const KnowledgeServices& knowledge, const ServedRequest& request) {
  const std::string_view state = request.parameter("state");
  if (!state.empty() && state != "served" && state != "pending" && state != "inactive" &&
      state != "all")
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'state' is '{}'; it must be served, pending, inactive or all", state));
  const KnowledgeView view = knowledge.view();
  json examples = json::array();
  for (const GoldenExample& example : TRY(view.store.golden_examples()))
    if (is_in(example, state)) examples.push_back(shown(example));
  return json{{"examples", std::move(examples)}};
}

Result<GoldenExample> example_of(const KnowledgeServices& knowledge, const std::string& id) {
  const KnowledgeView view = knowledge.view();
  auto example = TRY(view.store.golden(normalize_id(id)));
  if (example) return std::move(*example);
  return fail(ErrorCode::kNotFound,
              fmt::format("there is no golden example '{}'; GET /golden lists them", id));
}

Result<json> show(const KnowledgeServices& knowledge, const std::string& id) {
  return shown(TRY(example_of(knowledge, id)));
}

Result<ServedResponse> add(const KnowledgeServices& knowledge, RequestBody& body) {
  GoldenDraft draft;
  draft.id = TRY(body.text("id"));
  draft.question = TRY(body.text("question", Need::kRequired));
  draft.answer = TRY(body.text("answer", Need::kRequired));
  draft.sources = TRY(body.texts("sources"));
  draft.tags = TRY(body.texts("tags"));
  TRY(body.end());
  const GoldenChange change = TRY(knowledge.desk.put_golden(draft));
  return json_response(shown(change), change.result == "added" ? 201 : 200);
}

// What the body does not name stays.
Result<ServedResponse> replace(const KnowledgeServices& knowledge, const std::string& id,
                               RequestBody& body) {
  const GoldenExample stored = TRY(example_of(knowledge, id));
  GoldenDraft draft;
  draft.id = stored.id;
  draft.source = stored.source;
  draft.rejected_answer = stored.rejected_answer;
  draft.question = body.value("question").is_null() ? stored.question : TRY(body.text("question"));
  draft.answer = body.value("answer").is_null() ? stored.answer : TRY(body.text("answer"));
  draft.sources = body.value("sources").is_null() ? stored.sources : TRY(body.texts("sources"));
  draft.tags = body.value("tags").is_null() ? stored.tags : TRY(body.texts("tags"));
  TRY(body.end());
  return json_response(shown(TRY(knowledge.desk.put_golden(draft))));
}

Result<ServedResponse> review(const KnowledgeServices& knowledge, const std::string& id,
                              RequestBody& body) {
  const std::string answer = TRY(body.text("answer"));
  const std::string by = TRY(body.text("by"));
  TRY(body.end());
  return json_response(shown(TRY(knowledge.desk.review_golden(id, answer, by))));
}

}  // namespace

void add_golden_routes(Router& router, const KnowledgeServices& knowledge) {
  router.add_now("GET", "/golden", [knowledge](const Routed& routed) {
    return json_or_problem(list(knowledge, routed.request));
  });
  router.add_now("POST", "/golden", [knowledge](const Routed& routed) {
    return answered(routed.request, [&](RequestBody& body) { return add(knowledge, body); });
  });
  router.add_now("GET", "/golden/{id}", [knowledge](const Routed& routed) {
    return json_or_problem(show(knowledge, routed.at("id")));
  });
  router.add_now("PUT", "/golden/{id}", [knowledge](const Routed& routed) {
    return answered(routed.request,
                    [&](RequestBody& body) { return replace(knowledge, routed.at("id"), body); });
  });
  router.add_now("POST", "/golden/{id}/review", [knowledge](const Routed& routed) {
    return answered(routed.request,
                    [&](RequestBody& body) { return review(knowledge, routed.at("id"), body); });
  });
  router.add_now("POST", "/golden/{id}/activate", [knowledge](const Routed& routed) {
    return json_or_problem(changed(knowledge.desk.activate_golden(routed.at("id"), true)));
  });
  router.add_now("POST", "/golden/{id}/deactivate", [knowledge](const Routed& routed) {
    return json_or_problem(changed(knowledge.desk.activate_golden(routed.at("id"), false)));
  });
  router.add_now("DELETE", "/golden/{id}", [knowledge](const Routed& routed) {
    return json_or_problem(changed(knowledge.desk.remove_golden(routed.at("id"))));
  });
}

}  // namespace precedent
