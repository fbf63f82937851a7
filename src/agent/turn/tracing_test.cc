// What a traced turn leaves behind, and that any other turn leaves nothing.
#include "agent/turn/tracing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "agent/turn/copilot_lab.h"
#include "agent/turn/traced_model.h"
#include "embed/fake_embedder.h"
#include "embed/fake_learned_reader.h"
#include "graph/memory_checkpointer.h"
#include "llm/scripted_model.h"
#include "observe/recording_tracer.h"
#include "search/search_lab.h"

namespace precedent {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const TimePoint kNow = *parse_time("2026-11-20T12:00:00Z");
const AskOptions kTraced{.thread = "t", .user = "user-456", .langfuse_enabled = true};

std::string text_of(const Span& span, std::string_view key) {
  const AttributeValue* value = span.find(key);
  return value == nullptr ? "" : std::get<std::string>(*value);
}

class TracingTest : public ::testing::Test {
 protected:
  TracingTest() : search_lab(false) {
    Incident incident;
    incident.incident_id = "INC-2025-01-20-005";
    incident.title = "PayU HTTP 403 authorization failure";
    incident.description = "Payments failed for an hour.";
    incident.impacted_application = "PayU Core";
    incident.root_cause = "Scheduled API key rotation; the old key was AKIAIOSFODNN7EXAMPLE";
    const Document document = to_document(incident);
    search_lab.add(document);
    store.apply({.put = {{.document = document, .hash = content_hash(document)}}}).value();
  }
  CopilotLab lab(ChatModel* model = nullptr, const TypeOpinion* intents = nullptr,
                 RunLimits limits = {}) {
    return CopilotLab(search_lab.search(), store, kNow, model, &threads, &tracer, intents, limits);
  }
  // The tree, each span below its parent, children in the order in which they began; but the title
  // last: it is asked for beside the others.
  std::string tree() const {
    const std::vector<Span> spans = tracer.spans();
    std::multimap<std::pair<uint64_t, SpanTime>, const Span*> children;
    for (const Span& span : spans) {
      const bool title = span.name == "Title Generator LLM";
      children.insert({{span.parent, title ? SpanTime::max() : span.start}, &span});
    }
    std::string text;
    const auto draw = [&](const auto& self, uint64_t parent, size_t depth) -> void {
      for (auto at = children.lower_bound({parent, SpanTime::min()});
           at != children.end() && at->first.first == parent; ++at) {
        text += std::string(2 * depth, ' ') + at->second->name + "\n";
        self(self, at->second->context.span_id, depth + 1);
      }
    };
    draw(draw, 0, 0);
    return text;
  }
  Span span(std::string_view name) const {
    for (const Span& span : tracer.spans())
      if (span.name == name) return span;
    ADD_FAILURE() << "no span " << name << " in\n" << tree();
    return {};
  }

  SearchLab search_lab;
  KnowledgeStore store =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  MemoryCheckpointer threads;
  RecordingTracer tracer;
};

constexpr const char* kTurn =
    "invoke_agent precedent\n"
    "  guardrail_check\n"
    "  Support Bot LLM\n"
    "  Incident Report Qdrant Tool\n"
    "    execute_tool lookup_incident_by_id\n"
    "  Support Bot LLM\n"
    "  Title Generator LLM\n";

TEST_F(TracingTest, ATurnOfTheOfflineReasonerIsATree) {
  lab().ask("What caused INC-2025-01-20-005?", kTraced);
  EXPECT_EQ(tree(), kTurn);
  EXPECT_EQ(text_of(span("Support Bot LLM"), "gen_ai.request.model"), "offline");
}

TEST_F(TracingTest, ATurnOfAModelIsTheSameTree) {
  ScriptedModel model("openai gpt-test");
  model.call({{"c1", "lookup_incident_by_id", R"({"incident_id": "INC-2025-01-20-005"})"}});
  CopilotLab agent = lab(&model);
  agent.titles.answer("PayU Key Rotation");
  model.compute([&](const ModelRequest&) -> ModelReply {
    agent.await_title();
    return {.message = {Role::kAssistant, "A key was rotated [INC-2025-01-20-005]."},
            .usage = {120, 30, 100},
            .model = "gpt-test-2026"};
  });
  agent.ask("Why did PayU fail?", kTraced);
  EXPECT_EQ(tree(), kTurn);
  const std::vector<Span> spans = tracer.spans();
  const Span second = *std::ranges::find_if(
      spans, [](const Span& span) { return span.find("gen_ai.usage.input_tokens") != nullptr; });
  EXPECT_EQ(second.name, "Support Bot LLM");
  EXPECT_EQ(second.kind, SpanKind::kClient);
  EXPECT_EQ(text_of(second, "gen_ai.operation.name"), "chat");
  EXPECT_EQ(text_of(second, "gen_ai.provider.name"), "openai");
  EXPECT_EQ(text_of(second, "gen_ai.system"), "openai");
  EXPECT_EQ(text_of(second, "gen_ai.request.model"), "gpt-test");
  EXPECT_EQ(text_of(second, "gen_ai.response.model"), "gpt-test-2026");
  EXPECT_EQ(*second.find("gen_ai.usage.input_tokens"), AttributeValue(int64_t{120}));
  EXPECT_EQ(*second.find("gen_ai.usage.output_tokens"), AttributeValue(int64_t{30}));
  EXPECT_EQ(json::parse(text_of(second, "gen_ai.output.messages")), json::parse(R"([
    {"role": "assistant", "finish_reason": "stop",
     "parts": [{"type": "text", "content": "A key was rotated [INC-2025-01-20-005]."}]}])"));
}

// Each purpose that a model serves in a turn costs another power of ten.
ModelReply reply_by_purpose(const ModelRequest& request) {
  const auto reply = [](std::string text, int64_t tokens) {
    return ModelReply{
        .message = {Role::kAssistant, std::move(text)}, .usage = {tokens, 1, 0}, .cost_usd = 0.01};
  };
  if (request.response && request.response->name == "intent")
    return reply(R"({"question_type": "knowledge"})", 1000);
  if (request.response && request.response->name == "search")
    return reply(R"({"query": "403"})", 10'000);
  if (request.tools.empty()) return reply("PayU Key Rotation", 100'000);
  if (request.messages.back().role == Role::kTool)
    return reply("A key was rotated [INC-2025-01-20-005].", 100);
  ModelReply call = reply("", 10);
  call.message.tool_calls = {{"c1", "search_similar_incidents", R"({"query": "PayU 403"})"}};
  return call;
}

class EveryRequest : public TracingTest {
 protected:
  EveryRequest() {
    for (int i = 0; i < 9; ++i) {
      model.compute([this](const ModelRequest& request) {
        if (request.messages.back().role == Role::kTool) before_answer();
        return reply_by_purpose(request);
      });
    }
  }
  std::function<void()> before_answer = [] {};
  // The rules are unsure, and of what the operator takes it for nothing is named.
  static constexpr const char* kUnsure = "Why did PayU fail?";
  const FakeEmbedder embedder;
  const FakeLearnedReader reader;
  const std::unique_ptr<TypeOpinion> intents =
      TypeOpinion::parse("types:\n  similar_incidents: ['Why did PayU fail?']\n", "i.yaml", reader,
                         embedder)
          .value();
  ScriptedModel model{"openai gpt-test"};
};

TEST_F(EveryRequest, IsCountedAndIsASpanBelowWhatItServes) {
  CopilotLab agent = lab(&model, intents.get());
  agent.titles.compute(reply_by_purpose);
  before_answer = [&] { agent.await_title(); };
  const Reply reply = agent.ask(kUnsure, kTraced);
  EXPECT_EQ(reply.usage.usage, (Usage{111'110, 5, 0}));
  EXPECT_EQ(reply.usage.steps, 5);
  EXPECT_NEAR(reply.usage.cost_usd.value_or(0), 0.05, 1e-9);
  EXPECT_EQ(tree(),
            "invoke_agent precedent\n"
            "  guardrail_check\n"
            "  Intent LLM\n"
            "  Support Bot LLM\n"
            "  Incident Report Qdrant Tool\n"
            "    execute_tool search_similar_incidents\n"
            "      Self Query LLM\n"
            "  Support Bot LLM\n"
            "  Title Generator LLM\n");
  const Span reading = span("Self Query LLM");
  EXPECT_EQ(text_of(reading, "gen_ai.operation.name"), "chat");
  EXPECT_EQ(text_of(reading, "gen_ai.request.model"), "gpt-test");
  EXPECT_EQ(*reading.find("gen_ai.usage.input_tokens"), AttributeValue(int64_t{10'000}));
  EXPECT_EQ(text_of(reading, "user.id"), "user-456");
}

TEST_F(EveryRequest, CountsTowardsTheLimits) {
  // Intent and call are within it; the search's own request goes beyond it.
  const Reply reply = lab(&model, intents.get(), {.max_tokens = 5000}).ask(kUnsure, kTraced);
  EXPECT_EQ(reply.usage.usage.input_tokens, 11'010);
  EXPECT_THAT(reply.missing, testing::Contains(HasSubstr("model.limits.tokens")));
}

TEST_F(EveryRequest, IsCountedAlsoWhereTheModelThenFails) {
  ScriptedModel failing("openai gpt-test");
  failing.compute(reply_by_purpose);
  failing.fail_with({{ErrorCode::kUnavailable, "connection refused"}});
  const Reply reply = lab(&failing, intents.get()).ask(kUnsure, kTraced);
  EXPECT_EQ(reply.usage.usage.input_tokens, 1000);
}

TEST_F(TracingTest, ACallSaysWhatWasAskedAndWhatCameBack) {
  lab().ask("What caused INC-2025-01-20-005?", kTraced);
  const Span call = span("execute_tool lookup_incident_by_id");
  EXPECT_EQ(text_of(call, "gen_ai.operation.name"), "execute_tool");
  EXPECT_EQ(text_of(call, "gen_ai.tool.name"), "lookup_incident_by_id");
  EXPECT_THAT(text_of(call, "gen_ai.tool.call.id"), Not(IsEmpty()));
  EXPECT_THAT(text_of(call, "gen_ai.tool.call.arguments"), HasSubstr("INC-2025-01-20-005"));
  EXPECT_THAT(text_of(call, "gen_ai.tool.call.result"), HasSubstr("Scheduled API key rotation"));
  EXPECT_EQ(text_of(call, "precedent.receipt.id"), "R1");
  EXPECT_EQ(call.status, SpanStatus::kUnset);
}

TEST_F(TracingTest, EverySpanNamesTheConversationAndWhoAsks) {
  lab().ask("What caused INC-2025-01-20-005?", kTraced);
  for (const Span& span : tracer.spans()) {
    for (const char* key : {"session.id", "langfuse.session.id"})
      EXPECT_EQ(text_of(span, key), "t") << span.name;
    for (const char* key : {"user.id", "langfuse.user.id"})
      EXPECT_EQ(text_of(span, key), "user-456") << span.name;
  }
}

TEST_F(TracingTest, NoSpanHoldsASecret) {
  ScriptedModel model;
  model.call({{"c1", "lookup_incident_by_id",
               R"({"incident_id": "INC-2025-01-20-005", "note": "password=hunter2xyz"})"}});
  model.fail_with(
      {{ErrorCode::kUnavailable, "refused, token=ghp_0123456789abcdefghijABCDEFGHIJ012345"}});
  lab(&model).ask("PayU fails with password=hunter2xyz and AKIAIOSFODNN7EXAMPLE", kTraced);
  std::string everything;
  for (const Span& span : tracer.spans()) {
    everything += span.name + span.status_message;
    for (const Attribute& attribute : span.attributes)
      if (const auto* text = std::get_if<std::string>(&attribute.value)) everything += *text;
  }
  EXPECT_THAT(everything, HasSubstr("[redacted"));
  for (const char* secret : {"AKIAIOSFODNN7EXAMPLE", "hunter2xyz", "ghp_0123456789"})
    EXPECT_THAT(everything, Not(HasSubstr(secret)));
}

TEST_F(TracingTest, AModelThatFailsIsASpanThatFailed) {
  ScriptedModel model("openai gpt-test");
  model.fail_with({{ErrorCode::kUnavailable, "connection refused"}});
  lab(&model).ask("What caused INC-2025-01-20-005?", kTraced);
  const Span failed = span("Support Bot LLM");
  EXPECT_EQ(failed.status, SpanStatus::kError);
  EXPECT_EQ(text_of(failed, "error.type"), name(ErrorCode::kUnavailable));
  EXPECT_THAT(failed.status_message, HasSubstr("connection refused"));
  EXPECT_EQ(span("invoke_agent precedent").status, SpanStatus::kUnset);
}

TEST_F(TracingTest, ARefusalIsTracedToo) {
  CopilotLab agent = lab();
  agent.reads("Write me a poem about the sea", "off_topic");
  agent.ask("Write me a poem about the sea", kTraced);
  EXPECT_THAT(text_of(span("guardrail_check"), "precedent.guardrail"), Not(IsEmpty()));
  EXPECT_EQ(text_of(span("invoke_agent precedent"), "precedent.answer.status"), "refused");
}

TEST_F(TracingTest, ATurnThatDoesNotAskForItIsNotTraced) {
  CopilotLab agent = lab();
  agent.ask("What caused INC-2025-01-20-005?", {.thread = "t"});
  EXPECT_THAT(tracer.spans(), IsEmpty());
  agent.ask("What was done?", kTraced);
  EXPECT_THAT(tracer.spans(), Not(IsEmpty()));
  const size_t before = tracer.spans().size();
  agent.ask("And the cause?", {.thread = "t"});
  EXPECT_EQ(tracer.spans().size(), before);
}

TEST_F(TracingTest, TracingChangesNoAnswer) {
  CopilotLab plain(search_lab.search(), store, kNow);
  CopilotLab traced = lab();
  const AskOptions unkept{.langfuse_enabled = true};
  EXPECT_EQ(to_json(plain.ask("What caused INC-2025-01-20-005?")),
            to_json(traced.ask("What caused INC-2025-01-20-005?", unkept)));
}

TEST(ModelNames, AreThoseOfTheConventions) {
  EXPECT_EQ(model_names("openai gpt-4o"), (ModelNames{"openai", "gpt-4o"}));
  EXPECT_EQ(model_names("openai gpt-4o, else anthropic x"), (ModelNames{"openai", "gpt-4o"}));
  EXPECT_EQ(model_names("azure d"), (ModelNames{"azure.ai.openai", "d"}));
  EXPECT_EQ(model_names("offline"), (ModelNames{"precedent", "offline"}));
  EXPECT_EQ(model_names("scripted"), (ModelNames{"scripted", "scripted"}));
}

}  // namespace
}  // namespace precedent
