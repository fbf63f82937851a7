#include "tools/source.h"

#include <nlohmann/json.hpp>

namespace precedent {

using nlohmann::json;

json to_json(const LineRange& lines) { return {{"begin", lines.begin}, {"end", lines.end}}; }

json to_json(const Source& source) {
  json out = {{"id", source.id},
              {"title", source.title},
              {"type", source.kind},
              {"path", source.path},
              {"receipt", source.receipt}};
  if (source.lines.begin > 0) out["lines"] = to_json(source.lines);
  return out;
}

}  // namespace precedent
