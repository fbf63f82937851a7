// Any request to any route, as it looks behind the socket: it is answered once, with a status that
// there is and headers of one line each, and what goes wrong is said as its API says it.
//
// The first bytes choose a route of the OpenAPI document, or none, and a body that it may take;
// the rest is what somebody would put into them. What is never answered hangs, and what is thrown
// ends the program: libFuzzer tells of both.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "base/mutex.h"
#include "base/utf8.h"
#include "files/temporary_folder.h"
#include "server/http/openapi.h"
#include "server/lab_seat.h"
#include "server/server.h"

namespace {

using namespace precedent;  // NOLINT
using nlohmann::json;

// Chats and uploads add up; a new server has none.
constexpr size_t kRequestsOfOneServer = 200;

struct Lab {
  Lab() : knowledge(false) {
    knowledge.add(lab_document(Kind::kRunbook, "rb-1", "Letters are late",
                               "# Letters are late\n\nSwitch the courier to swift."));
    search = &knowledge.search();
    server =
        Server::start({.seat = [this](const Caller& caller) -> Result<std::unique_ptr<Seat>> {
                         return std::make_unique<LabSeat>(
                             LabSeat::Parts{*search, store, tools, clock, threads, held}, caller);
                       },
                       .clock = clock,
                       .model = "offline",
                       .version = "test",
                       .readiness = [] { return std::vector<ReadinessPart>(); },
                       .desk = desk},
                      {})
            .value();
  }

  FixedClock clock{*parse_time("2026-05-04T10:00:00Z")};
  SearchLab knowledge;
  const Searcher* search = nullptr;
  KnowledgeStore store =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  TemporaryFolder folder;
  FakeKnowledgeDesk desk{store, folder.path() / "uploads", clock.now()};
  const Toolset tools = knowledge_tools();
  MemoryCheckpointer threads;
  std::atomic<bool> held{false};
  std::unique_ptr<Server> server;
};

struct Route {
  std::string method, path;
};

std::string upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

const std::vector<Route>& routes() {
  static const std::vector<Route> kRoutes = [] {
    std::vector<Route> routes;
    const auto document = parse_json(openapi_document());
    for (const auto& [path, methods] : document["paths"].items())
      for (const auto& [method, about] : methods.items()) routes.push_back({upper(method), path});
    return routes;
  }();
  return kRoutes;
}

// What `text` says, as clients of the different APIs say it.
std::string body_of(uint8_t form, std::string_view text) {
  const std::string said = repair_utf8(text);
  switch (form % 6) {
    case 0: return std::string(text);
    case 1: return dump_json({{"message", said}, {"session_id", "s-1"}, {"title", said}});
    case 2:
      return dump_json({{"assistant_id", "precedent"},
                        {"if_not_exists", "create"},
                        {"stream_mode", said.substr(0, 8)},
                        {"input", {{"messages", {{{"role", "user"}, {"content", said}}}}}}});
    case 3:
      return dump_json({{"model", "precedent"},
                        {"stream", form / 6 % 2 == 0},
                        {"input", said},
                        {"messages", {{{"role", "user"}, {"content", said}}}}});
    case 4:
      return dump_json({{"jsonrpc", "2.0"},
                        {"id", 1},
                        {"method", said.substr(0, said.find('\n'))},
                        {"params", {{"name", "ask"}, {"arguments", {{"question", said}}}}}});
    default: return "[" + std::string(text) + "]";
  }
}

// The next line of `text`, which goes from it.
std::string_view take_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string filled(const Route& route, std::string_view name) {
  std::string path = route.path;
  for (size_t at = path.find('{'); at != std::string::npos; at = path.find('{', at + 1))
    path.replace(at, path.find('}', at) - at + 1, name);
  return path;
}

// Nothing for what the HTTP server would not let through.
std::optional<ServedRequest> request_of(std::string_view bytes) {
  if (bytes.size() < 3) return std::nullopt;
  const auto choice = static_cast<uint8_t>(bytes[0]), form = static_cast<uint8_t>(bytes[1]);
  bytes.remove_prefix(2);
  ServedRequest request{.client = "127.0.0.1"};
  const std::string_view method = take_line(bytes), target = take_line(bytes);
  const bool free = choice >= routes().size();
  const Route route = free ? Route{std::string(method), std::string(target)} : routes()[choice];
  request.method = route.method;
  const auto is_token = [](char c) { return is_letter(c) || c == '-'; };
  if (request.method.empty() || !std::ranges::all_of(request.method, is_token)) return std::nullopt;
  // "NAME" or "NAME?QUERY" of the route.
  const size_t mark = std::min(target.find('?'), target.size());
  const std::string whole =
      free ? route.path : filled(route, target.substr(0, mark)) + std::string(target.substr(mark));
  if (!read_target(whole, request)) return std::nullopt;
  if (form % 6 != 0) request.headers.push_back({"Content-Type", "application/json"});
  for (std::string_view line = take_line(bytes); !line.empty(); line = take_line(bytes)) {
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || line.find('\r') != std::string_view::npos ||
        line.find('\0') != std::string_view::npos)
      return std::nullopt;
    request.headers.push_back(
        {std::string(line.substr(0, colon)), std::string(trim(line.substr(colon + 1)))});
  }
  request.body = body_of(form, bytes);
  return request;
}

class Reception {
 public:
  void take(ServedResponse response) {
    const MutexLock lock(mutex_);
    if (response_) std::abort();  // the second one
    response_ = std::move(response);
    changed_.notify_all();
  }
  ServedResponse wait() {
    const MutexLock lock(mutex_);
    while (!response_) changed_.wait(mutex_);
    return *response_;
  }

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  std::optional<ServedResponse> response_ GUARDED_BY(mutex_);
};

void check_error(const ServedRequest& request, const ServedResponse& response,
                 std::string_view type) {
  const json body = json::parse(response.body, nullptr, false);
  if (!body.is_object()) std::abort();
  if (type == "application/problem+json") {
    if (body.value("status", 0) != response.status || body.value("title", "").empty() ||
        body.value("detail", "").empty())
      std::abort();
    return;
  }
  const bool own_shape = request.path.starts_with("/v1/") || request.path.starts_with("/mcp");
  if (!own_shape || !body.contains("error")) std::abort();
}

void check(const ServedRequest& request, const ServedResponse& response) {
  if (response.status < 100 || response.status > 599) std::abort();
  std::string type;
  for (const HttpHeader& header : response.headers) {
    if (header.name.empty()) std::abort();
    for (const char c : header.name + header.value)
      if (c == '\r' || c == '\n' || c == '\0') std::abort();
    if (header.name == "Content-Type") type = header.value;
  }
  if (response.stream != nullptr) {
    // As far as it is there: the client leaves.
    std::string piece;
    while (response.stream->next(piece) == HttpStream::State::kPiece) piece.clear();
    response.stream->wake_with({});
    return;
  }
  const bool is_json = type == "application/json" || type == "application/problem+json";
  if (is_json && !json::accept(response.body)) std::abort();
  if (response.status >= 400) check_error(request, response, type);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static std::unique_ptr<Lab> lab;
  static size_t asked = 0;
  auto request = request_of({reinterpret_cast<const char*>(data), size});
  if (!request) return -1;
  if (asked++ % kRequestsOfOneServer == 0) lab = std::make_unique<Lab>();
  const auto reception = std::make_shared<Reception>();
  lab->server->handle(
      *request, [reception](ServedResponse response) { reception->take(std::move(response)); });
  check(*request, reception->wait());
  return 0;
}
