// Any bytes as a server's response: read as each thing it could be, they end in a value or an
// error, and what is made of them is bounded.
#include <cstdint>
#include <cstdlib>

#include "base/foreign_json.h"
#include "mcp/mcp_wire.h"
#include "mcp/tool_schema.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;
  const nlohmann::json said = parse_json({reinterpret_cast<const char*>(data), size});
  if (said.is_discarded()) return 0;
  (void)answers(said, 1);
  (void)read_response(said);
  if (const auto outcome = read_outcome(said); outcome && outcome->left_out.size() > 201)
    std::abort();
  const auto page = read_tools(said);
  if (!page) return 0;
  for (const OfferedTool& tool : page->tools) {
    (void)params_of(tool.schema);
    (void)param_headers(tool.schema, said);
    if (said.is_object()) (void)fit(tool.schema, said);
    if (described(tool.description, 100).size() > 103) std::abort();
  }
  return 0;
}
