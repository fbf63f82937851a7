#include "server/knowledge/changes_api.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "server/http/problem.h"
#include "server/http/request_body.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMostAtOnce = 1000;

// One record, or {changes: [record, …]}.
Result<std::vector<std::string>> records_of(const json& body) {
  if (!body.is_object())
    return fail(ErrorCode::kInvalidArgument, "the body is no JSON object in UTF-8");
  const auto list = body.find("changes");
  if (list == body.end()) return std::vector{dump_json(body)};
  if (!list->is_array() || list->empty() || list->size() > kMostAtOnce || body.size() != 1)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'changes' must be a list of 1 to {} records, with nothing beside it",
                            kMostAtOnce));
  std::vector<std::string> records;
  for (const json& record : *list) records.push_back(dump_json(record));
  return records;
}

ServedResponse append(KnowledgeDesk& desk, const ServedRequest& request) {
  const auto records = records_of(parse_json(request.body));
  if (!records) return problem(records.error());
  const auto done = desk.append_changes(*records);
  if (!done) return problem(done.error());
  json appended = json::array();
  for (const std::string& line : done->appended) appended.push_back(parse_json(line));
  return json_response({{"appended", std::move(appended)}, {"known", done->known}},
                       done->appended.empty() ? 200 : 201);
}

}  // namespace

void add_changes_route(Router& router, KnowledgeDesk& desk) {
  router.add_now("POST", "/changes",
                 [&desk](const Routed& routed) { return append(desk, routed.request); });
}

}  // namespace precedent
