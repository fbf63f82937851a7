#include "llm/response_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm/stream_cases.h"

namespace precedent {
namespace {

// A generated id is a hash between two underscores.
std::string shown_id(const std::string& id) {
  const size_t end = id.rfind('_');
  return id.starts_with("call_") && end > 5 ? "call_*" + id.substr(end) : id;
}

std::string describe(const Result<ModelReply>& reply, const ModelFailure& failure) {
  if (!reply)
    return fmt::format("! {}{}: {}", name(reply.error().code), failure.retryable ? " (again)" : "",
                       reply.error().message);
  std::string out =
      fmt::format("{} {} {}/{}/{} '{}'", name(reply->stop), reply->model, reply->usage.input_tokens,
                  reply->usage.output_tokens, reply->usage.cached_tokens, reply->message.content);
  for (const ToolCall& call : reply->message.tool_calls)
    out += fmt::format(" {}:{}{}", shown_id(call.id), call.name, call.args);
  if (!reply->reasoning.empty()) out += fmt::format(" thinking '{}'", reply->reasoning);
  return out;
}

// What comes of `bytes` cut at `cut`, and what was streamed meanwhile.
std::pair<std::string, std::string> read(const Dialect& dialect, std::string_view bytes,
                                         size_t cut) {
  ModelRequest request;
  request.response = ToolDescription{"filter"};
  std::string streamed;
  ResponseReader reader(dialect, request, [&](std::string_view text) { streamed += text; }, "seed");
  for (const std::string_view piece : {bytes.substr(0, cut), bytes.substr(cut)}) {
    const auto more = reader.feed(piece);
    if (!more) return {describe(std::unexpected(more.error()), reader.failure()), streamed};
    if (!*more) break;
  }
  auto reply = reader.finish();
  if (reply) {
    EXPECT_EQ(reply->message.content, streamed);
  }
  return {describe(reply, reader.failure()), streamed};
}

class VendorStreams : public testing::TestWithParam<StreamCase> {};

TEST_P(VendorStreams, GiveTheSameReplyWhereverTheyAreCut) {
  const StreamCase& test = GetParam();
  const Endpoint endpoint{"test", "http://localhost", "m"};
  const auto dialect = test.anthropic ? anthropic_dialect(endpoint) : openai_dialect(endpoint);
  const auto [whole, streamed] = read(*dialect, test.bytes, test.bytes.size());
  EXPECT_EQ(whole, test.expected);
  for (size_t cut = 0; cut < test.bytes.size(); ++cut)
    ASSERT_EQ(read(*dialect, test.bytes, cut), std::pair(whole, streamed)) << "cut at " << cut;
}

INSTANTIATE_TEST_SUITE_P(OpenAi, VendorStreams, testing::ValuesIn(openai_streams()),
                         [](const auto& test) { return test.param.name; });
INSTANTIATE_TEST_SUITE_P(Anthropic, VendorStreams, testing::ValuesIn(anthropic_streams()),
                         [](const auto& test) { return test.param.name; });

TEST(ReplyBuilder, TooManyCallsAreALoop) {
  ReplyBuilder reply(nullptr, "seed");
  for (int64_t i = 0; i < 64; ++i) ASSERT_TRUE(reply.tool_piece({i, "", "lookup", "{}"}));
  const auto refused = reply.tool_piece({64, "", "lookup", "{}"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
}

TEST(ReplyBuilder, MadeIdsDifferBetweenRequestsAndWithinOne) {
  const auto ids = [](const char* seed) {
    ReplyBuilder reply(nullptr, seed);
    EXPECT_TRUE(reply.tool_piece({0, "", "a", "{}"}));
    EXPECT_TRUE(reply.tool_piece({1, "", "a", "{}"}));
    const auto calls = reply.finish()->message.tool_calls;
    EXPECT_NE(calls[0].id, calls[1].id);
    return calls[0].id;
  };
  EXPECT_EQ(ids("one"), ids("one"));
  EXPECT_NE(ids("one"), ids("two"));
}

}  // namespace
}  // namespace precedent
