// Any bytes as a vendor's reply: cut anywhere they give the same reply or the same error, which is
// valid UTF-8, and ids of calls are there and unique.
#include <cstdint>
#include <cstdlib>
#include <set>

#include "base/utf8.h"
#include "llm/response_reader.h"

namespace {

using namespace precedent;

Result<ModelReply> read(const Dialect& dialect, std::string_view bytes, size_t piece) {
  const ModelRequest request;
  ResponseReader reader(dialect, request, nullptr, "seed");
  for (size_t at = 0; at < bytes.size(); at += piece) {
    const auto more = reader.feed(bytes.substr(at, piece));
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
  }
  return reader.finish();
}

void check(const Dialect& dialect, std::string_view bytes, size_t piece) {
  const auto whole = read(dialect, bytes, bytes.size());
  const auto cut = read(dialect, bytes, piece);
  if (whole.has_value() != cut.has_value()) std::abort();
  if (!whole && whole.error().message != cut.error().message) std::abort();
  if (!whole)
    return whole.error().message.empty() || invalid_utf8_at(whole.error().message) ? std::abort()
                                                                                   : void();
  if (*whole != *cut || invalid_utf8_at(whole->message.content)) std::abort();
  std::set<std::string> ids;
  for (const ToolCall& call : whole->message.tool_calls)
    if (call.id.empty() || !ids.insert(call.id).second) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto openai = openai_dialect({"openai", "http://localhost", "m"});
  static const auto anthropic = anthropic_dialect({"anthropic", "http://localhost", "m"});
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  check(data[0] % 2 != 0 ? *openai : *anthropic, bytes, 1 + data[0] / 2 % 9);
  return 0;
}
