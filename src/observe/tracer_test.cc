#include "observe/tracer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "observe/recording_tracer.h"

namespace precedent {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::string text_of(const Span& span, std::string_view key) {
  const AttributeValue* value = span.find(key);
  return value == nullptr ? "" : std::get<std::string>(*value);
}

TEST(ScopedSpan, AChildBelongsToTheTraceOfItsParent) {
  RecordingTracer tracer;
  {
    const ScopedSpan turn = ScopedSpan::root(&tracer, "turn");
    const ScopedSpan call(&tracer, turn.context(), "call", SpanKind::kClient);
  }
  const auto spans = tracer.spans();
  ASSERT_THAT(spans, SizeIs(2));
  const Span &call = spans[0], &turn = spans[1];
  EXPECT_EQ(turn.parent, 0u);
  EXPECT_EQ(call.parent, turn.context.span_id);
  EXPECT_EQ(call.context.trace_id, turn.context.trace_id);
  EXPECT_NE(call.context.span_id, turn.context.span_id);
  EXPECT_EQ(call.kind, SpanKind::kClient);
  EXPECT_LE(turn.start, call.start);
  EXPECT_LE(call.start, call.end);
  EXPECT_LE(call.end, turn.end);
}

TEST(ScopedSpan, OffIsSilent) {
  RecordingTracer tracer;
  for (Tracer* none : {static_cast<Tracer*>(nullptr), static_cast<Tracer*>(&tracer)}) {
    // No tracer, or a parent that is not traced.
    ScopedSpan span(none, none == nullptr ? TraceContext{{1, 2}, 3} : TraceContext{}, "call");
    span.set("key", "value");
    span.fail("type", "message");
    EXPECT_FALSE(span);
    EXPECT_FALSE(span.context());
  }
  EXPECT_FALSE(ScopedSpan::root(nullptr, "turn"));
  EXPECT_THAT(tracer.spans(), IsEmpty());
}

TEST(ScopedSpan, NoTextEntersWithASecret) {
  RecordingTracer tracer;
  const std::string secret = "AKIAIOSFODNN7EXAMPLE";
  {
    ScopedSpan span = ScopedSpan::root(&tracer, "call " + secret);
    span.set("text", "key " + secret);
    span.set("texts", std::vector<std::string>{secret});
    span.fail({ErrorCode::kUnavailable, "refused " + secret});
  }
  const Span span = tracer.spans().at(0);
  EXPECT_THAT(span.name, Not(HasSubstr(secret)));
  EXPECT_THAT(span.status_message, AllOf(HasSubstr("[redacted"), Not(HasSubstr(secret))));
  EXPECT_THAT(text_of(span, "text"), AllOf(HasSubstr("[redacted"), Not(HasSubstr(secret))));
  EXPECT_THAT(std::get<std::vector<std::string>>(*span.find("texts")).at(0),
              Not(HasSubstr(secret)));
}

TEST(ScopedSpan, ASecretIsNotCutInTwo) {
  EXPECT_EQ(span_text("0123456789 AKIAIOSFODNN7EXAMPLE", 20), "0123456789 [redacted…");
  EXPECT_EQ(span_text("ab\xff", 20), "ab\xEF\xBF\xBD");
  EXPECT_EQ(span_text("aé", 2), "a…");
}

TEST(ScopedSpan, KeepsTheLastValueOfAKeyAndNoEmptyText) {
  RecordingTracer tracer;
  {
    ScopedSpan span = ScopedSpan::root(&tracer, "turn");
    span.set("count", 1);
    span.set("count", size_t{2});
    span.set("flag", true);
    span.set("share", 0.5);
    span.set("empty", "");
    span.set("text", std::string("x"));
  }
  EXPECT_THAT(tracer.spans().at(0).attributes,
              testing::ElementsAre(Attribute{"count", int64_t{2}}, Attribute{"flag", true},
                                   Attribute{"share", 0.5}, Attribute{"text", std::string("x")}));
}

TEST(ScopedSpan, AFailureNamesItsKind) {
  RecordingTracer tracer;
  {
    ScopedSpan::root(&tracer, "turn").fail({ErrorCode::kTimeout, "too late"});
  }
  const Span span = tracer.spans().at(0);
  EXPECT_EQ(span.status, SpanStatus::kError);
  EXPECT_EQ(span.status_message, "too late");
  EXPECT_EQ(text_of(span, "error.type"), name(ErrorCode::kTimeout));
}

}  // namespace
}  // namespace precedent
