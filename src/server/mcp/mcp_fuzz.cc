// Any bytes as a message of MCP, of either revision and over either transport: an answer of
// JSON-RPC in valid UTF-8, or none for a notification; never a crash. The first byte says which
// headers come with it. Tools and answers are stand-ins.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/foreign_json.h"
#include "server/mcp/mcp.h"

namespace {

using namespace precedent;

class Echo final : public Answerer {
 public:
  Reply ask(const Question& question, const AskOptions& options, const Clock&, EventSink& events,
            const CancelToken&) override {
    events.status(question.text);
    const bool vague = question.text.size() < 4;
    return plain_reply(vague ? AnswerStatus::kNeedsInput : AnswerStatus::kOk, question.text,
                       options.thread);
  }
  Reply resume(const AskOptions&, const Clock&, EventSink&, const CancelToken&) override {
    return plain_reply(AnswerStatus::kOk, "");
  }
};

const Mcp& served() {
  static Echo answerer;
  static const Toolset tools;
  static const FixedClock clock{TimePoint{}};
  static const Mcp mcp({.answerer = answerer,
                        .tools = tools,
                        .call_tool = {},
                        .clock = clock,
                        .version = "fuzz",
                        .state_key = "fuzz"});
  return mcp;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view message(reinterpret_cast<const char*>(data) + 1, size - 1);
  McpHeaders headers{.protocol_version = data[0] & 1 ? "2026-07-28" : "2025-11-25",
                     .method = "tools/call",
                     .name = data[0] & 2 ? "ask" : "=?base64?YXNr?="};
  const CancelToken cancel;
  SilentPeer peer;
  const McpAnswer answer = served().handle(message, data[0] & 4 ? &headers : nullptr, cancel, peer);
  if (answer.body.is_null()) return answer.status == 202 ? 0 : (std::abort(), 0);
  const nlohmann::json read = parse_json(dump_json(answer.body));
  if (read.is_discarded() || read["jsonrpc"] != "2.0" ||
      read.contains("result") == read.contains("error"))
    std::abort();
  return 0;
}
