// The agent streaming protocol of LangGraph (@langchain/protocol 0.0.21): commands, and the events
// of a thread. What a command cannot do is an answer of the protocol, {type: "error"}; what stands
// in its way, such as a run that goes on, a problem document.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "server/http/problem.h"
#include "server/http/request_body.h"
#include "server/threads/run_request.h"
#include "server/threads/thread_events.h"
#include "server/threads/threads_api.h"
#include "server/turns/chats.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr const char* kNotOffered[] = {"agent.getTree",
                                       "input.inject",
                                       "state.get",
                                       "state.listCheckpoints",
                                       "state.fork",
                                       "subscription.subscribe",
                                       "subscription.unsubscribe",
                                       "subscription.reconnect"};

ServedResponse protocol_error(const json& id, const char* code, const std::string& message) {
  return json_response({{"type", "error"}, {"id", id}, {"error", code}, {"message", message}});
}

ServedResponse refused(const json& id, const Error& error, const char* if_missing) {
  if (error.code == ErrorCode::kInvalidArgument)
    return protocol_error(id, "invalid_argument", error.text());
  if (error.code == ErrorCode::kNotFound) return protocol_error(id, if_missing, error.text());
  return problem(error);
}

// Starts what was read, and says which run it is.
ServedResponse started(const ThreadsApi& api, const json& id, Result<RunRequest> request,
                       const char* if_missing) {
  if (!request) return refused(id, request.error(), if_missing);
  const auto run = api.runs.start(std::move(*request));
  if (!run) return refused(id, run.error(), if_missing);
  return json_response({{"type", "success"}, {"id", id}, {"result", {{"run_id", (*run)->id}}}});
}

ServedResponse run_start(const ThreadsApi& api, const json& id, const std::string& thread,
                         json params) {
  // The client invents the thread.
  params["if_not_exists"] = "create";
  RequestBody body(std::move(params));
  if (const std::string what = unsupported(body); !what.empty())
    return protocol_error(id, "not_supported", what);
  // What is given while something was asked back is the answer to it.
  auto request = read_run(body, thread, api.threads);
  if (request && request->question && !request->from)
    if (const auto open = api.threads.interrupt(thread); open && !open->is_null())
      request->answers = (*open)["id"];
  return started(api, id, std::move(request), "no_such_checkpoint");
}

// {interrupt_id, response}, or {responses: [{interrupt_id, response}]} of one.
Result<RunRequest> read_response(RequestBody& params, const std::string& thread,
                                 const ThreadsApi& api) {
  json response = {{"interrupt_id", params.value("interrupt_id")},
                   {"response", params.value("response")}};
  if (const json all = params.value("responses"); !all.is_null()) {
    if (!all.is_array() || all.size() != 1 || !all[0].is_object())
      return fail(ErrorCode::kInvalidArgument,
                  "'responses' must be a list of one; no more is ever asked at a time");
    response = all[0];
  }
  RequestBody one(std::move(response));
  const std::string interrupt = TRY(one.text("interrupt_id", Need::kRequired));
  auto request = TRY(read_answer(thread, interrupt, one.value("response"), api.threads));
  request.metadata = TRY(params.object("metadata"));
  return request;
}

ServedResponse input_respond(const ThreadsApi& api, const json& id, const std::string& thread,
                             json params) {
  for (const char* field : {"update", "goto"})
    if (!params.value(field, json()).empty())
      return protocol_error(id, "not_supported", fmt::format("'{}' is not offered", field));
  RequestBody body(std::move(params));
  auto request = read_response(body, thread, api);
  // An answer to nothing is an answer to an interrupt that there is not.
  if (!request && request.error().code == ErrorCode::kConflict)
    return protocol_error(id, "no_such_interrupt", request.error().text());
  return started(api, id, std::move(request), "no_such_interrupt");
}

ServedResponse command(const ThreadsApi& api, const Routed& routed) {
  auto body = RequestBody::of(routed.request);
  if (!body) return problem(body.error());
  const json id = body->value("id");
  if (!id.is_number_unsigned()) return problem(400, "'id' must be the number of the command");
  const auto method = body->text("method", Need::kRequired);
  if (!method) return protocol_error(id, "invalid_argument", method.error().text());
  auto params = body->object("params");
  if (!params) return protocol_error(id, "invalid_argument", params.error().text());
  const std::string& thread = routed.at("id");
  if (!is_chat_id(thread)) return problem(400, fmt::format("'{}' is no id of a thread", thread));
  if (*method == "run.start") return run_start(api, id, thread, std::move(*params));
  if (*method == "input.respond") return input_respond(api, id, thread, std::move(*params));
  if (std::ranges::find(kNotOffered, *method) != std::end(kNotOffered))
    return protocol_error(id, "not_supported", fmt::format("'{}' is not offered", *method));
  return protocol_error(id, "unknown_command", fmt::format("there is no command '{}'", *method));
}

ServedResponse events(const ThreadsApi& api, const Routed& routed) {
  auto body = RequestBody::of(routed.request);
  if (!body) return problem(body.error());
  auto filter = read_filter(*body);
  if (!filter) return problem(filter.error());
  const std::string& thread = routed.at("id");
  if (const auto there = api.threads.require(thread); !there) return problem(there.error());
  const uint64_t since = filter->since;
  auto shown = std::make_shared<ThreadEvents>(std::move(*filter));
  return event_stream(api.runs.log_of(thread)->follow(
      since, [shown](const ThreadEvent& event) { return shown->show(event); }));
}

}  // namespace

void add_command_routes(Router& router, const ThreadsApi& api) {
  router.add_now("POST", "/threads/{id}/commands",
                 [api](const Routed& routed) { return command(api, routed); });
  router.add_now("POST", "/threads/{id}/stream/events",
                 [api](const Routed& routed) { return events(api, routed); });
}

}  // namespace precedent
