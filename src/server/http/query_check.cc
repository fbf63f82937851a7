#include "server/http/query_check.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "base/strings.h"
#include "server/http/openapi.h"

namespace precedent {
namespace {

using nlohmann::json;

struct Parameters {
  std::vector<std::string> names;
  std::set<std::string, std::less<>> lists;
  bool has(std::string_view name) const { return std::ranges::find(names, name) != names.end(); }
};

// By "get /chat/".
std::map<std::string, Parameters> read_document() {
  std::map<std::string, Parameters> all;
  const json document = parse_json(openapi_document());
  for (const auto& [path, operations] : document["paths"].items())
    for (const auto& [method, operation] : operations.items())
      for (const json& parameter : operation.value("parameters", json::array())) {
        if (parameter["in"] != "query") continue;
        Parameters& own = all[method + " " + path];
        const std::string name = parameter["name"];
        own.names.push_back(name);
        if (parameter["schema"].value("type", json()) == "array") own.lists.insert(name);
      }
  return all;
}

}  // namespace

std::string query_problem(std::string_view pattern, const ServedRequest& request) {
  if (request.query.empty()) return "";
  static const std::map<std::string, Parameters> kAll = read_document();
  static const Parameters kNone;
  const std::string method = ascii_lower(request.method == "HEAD" ? "GET" : request.method);
  const auto found = kAll.find(fmt::format("{} {}", method, pattern));
  const Parameters& own = found == kAll.end() ? kNone : found->second;
  std::set<std::string_view> seen;
  for (const auto& [name, value] : request.query) {
    if (!own.has(name))
      return fmt::format(
          "'{}' in the query is not known here; {}", name,
          own.names.empty() ? "there is nothing to be set" : "known are: " + join(own.names, ", "));
    if (!seen.insert(name).second && !own.lists.contains(name))
      return fmt::format("'{}' is in the query twice; say it once", name);
  }
  return "";
}

}  // namespace precedent
