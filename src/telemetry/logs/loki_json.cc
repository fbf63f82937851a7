#include "telemetry/logs/loki_json.h"

#include <algorithm>
#include <tuple>

#include "telemetry/http/json_fields.h"

namespace precedent {
namespace {

using nlohmann::json;

bool succeeded(const json& answer) { return text_field(answer, "status") == "success"; }

}  // namespace

Result<std::vector<StoredLine>> read_loki_streams(const json& answer) {
  const json* data = field(answer, "data");
  if (!succeeded(answer) || data == nullptr || text_field(*data, "resultType") != "streams")
    return fail(ErrorCode::kCorrupt, "no streams");
  std::vector<StoredLine> out;
  for (const json& stream : list_field(*data, "result")) {
    LabelSet labels;
    if (const json* set = field(stream, "stream"); set != nullptr && set->is_object())
      for (const auto& [name, value] : set->items())
        if (value.is_string()) labels[name] = value.get<std::string>();
    for (const json& entry : list_field(stream, "values")) {
      // Some versions put an object with further labels behind the line.
      if (!entry.is_array() || entry.size() < 2 || !entry[1].is_string())
        return fail(ErrorCode::kCorrupt, "a line that is none");
      const int64_t at = whole_number(entry[0]);
      if (at <= 0) return fail(ErrorCode::kCorrupt, "a line without a time");
      out.push_back({at, "", labels, entry[1].get<std::string>()});
    }
  }
  std::ranges::sort(out, [](const StoredLine& a, const StoredLine& b) {
    return std::tie(a.at_ns, a.labels, a.text) < std::tie(b.at_ns, b.labels, b.text);
  });
  return out;
}

Result<std::vector<std::string>> read_loki_names(const json& answer) {
  if (!succeeded(answer)) return fail(ErrorCode::kCorrupt, "no list of names");
  std::vector<std::string> out;
  for (const json& name : list_field(answer, "data"))
    if (name.is_string()) out.push_back(name.get<std::string>());
  return out;
}

}  // namespace precedent
