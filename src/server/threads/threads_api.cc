#include "server/threads/threads_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "server/http/problem.h"
#include "server/http/request_body.h"
#include "server/threads/thread_shape.h"

namespace precedent {
namespace {

using nlohmann::json;

// States are made one by one, each of all that was said until then.
constexpr size_t kMostStates = 1000;

// One of these, or "". Errors: kInvalidArgument naming them.
Result<std::string> one_of(RequestBody& body, const char* field,
                           const std::vector<std::string>& known) {
  std::string text = TRY(body.text(field));
  if (text.empty() || std::ranges::find(known, text) != known.end()) return text;
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("'{}' is '{}'; it must be {}", field, text, join(known, " or ")));
}

Result<json> create(const ThreadsApi& api, const ServedRequest& request) {
  RequestBody body = TRY(RequestBody::of(request));
  const std::string wanted = TRY(body.text("thread_id"));
  const json metadata = TRY(body.object("metadata"));
  const std::string if_exists = TRY(one_of(body, "if_exists", {"raise", "do_nothing"}));
  if (!body.value("supersteps").empty())
    return fail(ErrorCode::kInvalidArgument, "'supersteps' is not offered; copy a thread instead");
  const std::string id = wanted.empty() ? new_chat_id() : wanted;
  if (if_exists != "do_nothing" || !TRY(api.threads.exists(id)))
    TRY(api.threads.create(id, metadata));
  return api.threads.get(id);
}

Result<Threads::Search> read_search(RequestBody& body) {
  for (const char* field : {"metadata", "values"}) TRY(body.object(field));
  TRY(body.texts("ids"));
  Threads::Search search;
  search.metadata = body.value("metadata");
  search.values = body.value("values");
  search.ids = body.value("ids");
  search.status = TRY(one_of(body, "status", {"idle", "busy", "interrupted"}));
  search.sort_by = TRY(body.text("sort_by"));
  const std::string order = TRY(one_of(body, "sort_order", {"asc", "desc"}));
  search.ascending = order == "asc";
  // The order in which they are kept.
  if ((search.sort_by == "updated_at" || search.sort_by == "state_updated_at") && !search.ascending)
    search.sort_by.clear();
  search.limit = TRY(body.count("limit", kMostStates)).value_or(search.limit);
  search.offset = TRY(body.count("offset", UINT32_MAX)).value_or(0);
  return search;
}

Result<json> list(const ThreadsApi& api, const ServedRequest& request) {
  RequestBody body = TRY(RequestBody::of(request));
  const json names = TRY(body.texts("select"));
  const Threads::Search wanted = TRY(read_search(body));
  json threads = json::array();
  for (json& thread : TRY(api.threads.search(wanted)))
    threads.push_back(selected(std::move(thread), names));
  return threads;
}

Result<json> count(const ThreadsApi& api, const ServedRequest& request) {
  RequestBody body = TRY(RequestBody::of(request));
  Threads::Search wanted = TRY(read_search(body));
  wanted.limit = UINT32_MAX;
  wanted.offset = 0;
  return json(TRY(api.threads.search(wanted)).size());
}

json names_of(const ServedRequest& request) {
  json names = json::array();
  for (const auto& [name, value] : request.query)
    if (name == "select") names.push_back(value);
  return names;
}

Result<json> state(const ThreadsApi& api, const Routed& routed, const json& checkpoint,
                   const json& names) {
  const auto at = TRY(checkpoint_of(checkpoint));
  return selected(TRY(api.threads.state(routed.at("id"), at)), names);
}

Result<json> state_at(const ThreadsApi& api, const Routed& routed) {
  RequestBody body = TRY(RequestBody::of(routed.request));
  const json checkpoint = body.value("checkpoint");
  const json names = TRY(body.texts("select"));
  return state(api, routed, checkpoint, names);
}

Result<json> history(const ThreadsApi& api, const Routed& routed) {
  RequestBody body = TRY(RequestBody::of(routed.request));
  Threads::Past past;
  past.limit = TRY(body.count("limit", kMostStates)).value_or(past.limit);
  past.before = TRY(checkpoint_of(body.value("before")));
  TRY(body.object("metadata"));
  past.metadata = body.value("metadata");
  const json names = TRY(body.texts("select"));
  json states = json::array();
  for (json& one : TRY(api.threads.history(routed.at("id"), past)))
    states.push_back(selected(std::move(one), names));
  return states;
}

Result<json> update(const ThreadsApi& api, const Routed& routed) {
  RequestBody body = TRY(RequestBody::of(routed.request));
  auto from = TRY(checkpoint_of(body.value("checkpoint_id")));
  if (!from) from = TRY(checkpoint_of(body.value("checkpoint")));
  const std::string& id = routed.at("id");
  const CheckpointId made = TRY(api.threads.update(id, body.value("values"), from));
  const json checkpoint = checkpoint_ref(id, made);
  return json{{"checkpoint", checkpoint}, {"configurable", checkpoint}};
}

Result<json> patch(const ThreadsApi& api, const Routed& routed) {
  RequestBody body = TRY(RequestBody::of(routed.request));
  const std::string& id = routed.at("id");
  const json metadata = TRY(body.object("metadata"));
  TRY(api.threads.add_metadata(id, metadata));
  return api.threads.get(id);
}

Result<json> copy(const ThreadsApi& api, const std::string& id) {
  const std::string made = TRY(api.threads.copy(id));
  return api.threads.get(made);
}

ServedResponse remove(const ThreadsApi& api, const std::string& id) {
  if (const auto removed = api.threads.remove(id); !removed) return problem(removed.error());
  api.runs.forget_thread(id);
  return {.status = 204};
}

}  // namespace

void add_thread_routes(Router& router, const ThreadsApi& api) {
  add_assistant_routes(router, api);
  const auto add = [&](const char* method, const char* path, auto answer) {
    router.add_now(method, path, [api, answer](const Routed& routed) {
      return json_or_problem(answer(api, routed));
    });
  };
  const auto of_body = [](auto answer) {
    return [answer](const ThreadsApi& own, const Routed& routed) {
      return answer(own, routed.request);
    };
  };
  add("POST", "/threads", of_body(create));
  add("POST", "/threads/search", of_body(list));
  add("POST", "/threads/count", of_body(count));
  add("GET", "/threads/{id}",
      [](const ThreadsApi& own, const Routed& routed) { return own.threads.get(routed.at("id")); });
  add("PATCH", "/threads/{id}", patch);
  router.add_now("DELETE", "/threads/{id}",
                 [api](const Routed& routed) { return remove(api, routed.at("id")); });
  add("POST", "/threads/{id}/copy",
      [](const ThreadsApi& own, const Routed& routed) { return copy(own, routed.at("id")); });
  add("GET", "/threads/{id}/state", [](const ThreadsApi& own, const Routed& routed) {
    return state(own, routed, json(), names_of(routed.request));
  });
  add("GET", "/threads/{id}/state/{checkpoint}", [](const ThreadsApi& own, const Routed& routed) {
    return state(own, routed, routed.at("checkpoint"), names_of(routed.request));
  });
  add("POST", "/threads/{id}/state/checkpoint", state_at);
  add("POST", "/threads/{id}/state", update);
  add("PATCH", "/threads/{id}/state", patch);
  add("POST", "/threads/{id}/history", history);
  add_run_routes(router, api);
  add_command_routes(router, api);
}

}  // namespace precedent
