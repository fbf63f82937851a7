// Runs over HTTP: in the background, waited for, or streamed; followed, joined and cancelled.
#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "server/http/problem.h"
#include "server/http/request_body.h"
#include "server/threads/run_request.h"
#include "server/threads/thread_shape.h"
#include "server/threads/threads_api.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr const char* kStateless = "";

// Where the run is found again.
void locate(ServedResponse& response, const ThreadRun& run, bool kept) {
  const std::string path =
      kept ? fmt::format("/threads/{}/runs/{}", run.thread, run.id) : "/runs/" + run.id;
  response.headers.push_back({"Content-Location", path});
  if (kept) response.headers.push_back({"Location", path + "/stream"});
}

// A run that began, or the response that says why not.
std::expected<std::shared_ptr<ThreadRun>, ServedResponse> begin(const ThreadsApi& api,
                                                                const ServedRequest& request,
                                                                const std::string& thread) {
  const auto refused = [](const Error& error) { return std::unexpected(problem(error)); };
  auto body = RequestBody::of(request);
  if (!body) return refused(body.error());
  if (const std::string what = unsupported(*body); !what.empty())
    return std::unexpected(problem(422, what));
  auto read = read_run(*body, thread, api.threads);
  if (!read) return refused(read.error());
  auto run = api.runs.start(std::move(*read));
  if (!run) return refused(run.error());
  return std::move(*run);
}

ServedResponse background(const ThreadsApi& api, const Routed& routed) {
  const auto run = begin(api, routed.request, routed.at("id"));
  if (!run) return run.error();
  ServedResponse response = json_response((*run)->document());
  locate(response, **run, true);
  return response;
}

void wait(const ThreadsApi& api, const ServedRequest& request, const std::string& thread,
          const Respond& respond) {
  const auto run = begin(api, request, thread);
  if (!run) return respond(run.error());
  (*run)->when_ended([respond, own = *run, kept = !thread.empty()](const json& result) {
    ServedResponse response = json_response(result);
    locate(response, *own, kept);
    respond(std::move(response));
  });
}

ServedResponse stream(const ThreadsApi& api, const ServedRequest& request,
                      const std::string& thread) {
  const auto run = begin(api, request, thread);
  if (!run) return run.error();
  ServedResponse response =
      event_stream(api.runs.stream(*run, (*run)->modes, 0, (*run)->cancel_if_left));
  locate(response, **run, !thread.empty());
  return response;
}

Result<std::shared_ptr<ThreadRun>> find(const ThreadsApi& api, const Routed& routed) {
  if (auto run = api.runs.find(routed.at("id"), routed.at("run"))) return run;
  return fail(ErrorCode::kNotFound,
              fmt::format("no run '{}' of the thread '{}' is remembered; the thread's state is "
                          "what came of those there were",
                          routed.at("run"), routed.at("id")));
}

Result<json> list(const ThreadsApi& api, const Routed& routed) {
  TRY(api.threads.require(routed.at("id")));
  json runs = json::array();
  const std::string_view status = routed.request.parameter("status");
  for (const auto& run : api.runs.of(routed.at("id")))
    if (json document = run->document(); status.empty() || document["status"] == status)
      runs.push_back(std::move(document));
  return runs;
}

void join(const ThreadsApi& api, const Routed& routed, const Respond& respond) {
  const auto run = find(api, routed);
  if (!run) return respond(problem(run.error()));
  (*run)->when_ended([respond](const json& result) { respond(json_response(result)); });
}

Result<RunModes> modes_of(const ServedRequest& request, const ThreadRun& run) {
  json modes = json::array();
  for (const auto& [name, value] : request.query)
    if (name == "stream_mode") modes.push_back(value);
  if (modes.empty()) return run.modes;
  return read_modes(modes);
}

ServedResponse join_stream(const ThreadsApi& api, const Routed& routed) {
  const auto run = find(api, routed);
  if (!run) return problem(run.error());
  const auto modes = modes_of(routed.request, **run);
  if (!modes) return problem(modes.error());
  // Of no stream of ours: from the beginning.
  const std::string_view last = routed.request.header("Last-Event-ID");
  uint64_t seen = 0;
  std::from_chars(last.data(), last.data() + last.size(), seen);
  return event_stream(
      api.runs.stream(*run, *modes, seen, routed.request.parameter("cancel_on_disconnect") == "1"));
}

void cancel(const ThreadsApi& api, const Routed& routed, const Respond& respond) {
  const auto run = find(api, routed);
  if (!run) return respond(problem(run.error()));
  if (routed.request.parameter("action") == "rollback")
    return respond(problem(422,
                           "'rollback' is not offered; 'interrupt' stops a run, and keeps "
                           "what it had finished"));
  (*run)->cancel();
  if (routed.request.parameter("wait") != "1") return respond({.status = 202});
  (*run)->when_ended([respond](const json&) { respond({.status = 204}); });
}

ServedResponse forget(const ThreadsApi& api, const Routed& routed) {
  const auto run = find(api, routed);
  if (!run) return problem(run.error());
  if (!(*run)->ended()) return problem(409, "the run goes on; cancel it first");
  api.runs.forget(*run);
  return {.status = 204};
}

}  // namespace

void add_run_routes(Router& router, const ThreadsApi& api) {
  router.add("POST", "/runs/wait", [api](const Routed& routed, const Respond& respond) {
    wait(api, routed.request, kStateless, respond);
  });
  router.add_now("POST", "/runs/stream",
                 [api](const Routed& routed) { return stream(api, routed.request, kStateless); });
  router.add_now("POST", "/threads/{id}/runs",
                 [api](const Routed& routed) { return background(api, routed); });
  router.add_now("GET", "/threads/{id}/runs",
                 [api](const Routed& routed) { return json_or_problem(list(api, routed)); });
  router.add("POST", "/threads/{id}/runs/wait",
             [api](const Routed& routed, const Respond& respond) {
               wait(api, routed.request, routed.at("id"), respond);
             });
  router.add_now("POST", "/threads/{id}/runs/stream", [api](const Routed& routed) {
    return stream(api, routed.request, routed.at("id"));
  });
  router.add_now("GET", "/threads/{id}/runs/{run}", [api](const Routed& routed) {
    const auto run = find(api, routed);
    return run ? json_response((*run)->document()) : problem(run.error());
  });
  router.add_now("DELETE", "/threads/{id}/runs/{run}",
                 [api](const Routed& routed) { return forget(api, routed); });
  router.add("GET", "/threads/{id}/runs/{run}/join",
             [api](const Routed& routed, const Respond& respond) { join(api, routed, respond); });
  router.add_now("GET", "/threads/{id}/runs/{run}/stream",
                 [api](const Routed& routed) { return join_stream(api, routed); });
  router.add("POST", "/threads/{id}/runs/{run}/cancel",
             [api](const Routed& routed, const Respond& respond) { cancel(api, routed, respond); });
}

}  // namespace precedent
