// Span: one piece of work of a trace, as it is once it has ended. The terms are OpenTelemetry's.
//
// Names of attributes are those of its semantic conventions for generative AI (gen_ai.*),
// session.id and user.id, and precedent.* for what is ours. Thread safety: plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/trace_context.h"

namespace precedent {

// As numbered in OTLP.
enum class SpanKind { kInternal = 1, kServer = 2, kClient = 3 };
enum class SpanStatus { kUnset = 0, kOk = 1, kError = 2 };

using AttributeValue = std::variant<std::string, int64_t, double, bool, std::vector<std::string>>;
struct Attribute {
  std::string key;
  AttributeValue value;
  bool operator==(const Attribute&) const = default;
};

// Nanoseconds, unlike base/time.h: steps of a turn take microseconds.
using SpanTime = std::chrono::sys_time<std::chrono::nanoseconds>;

struct Span {
  TraceContext context;
  uint64_t parent = 0;  // 0: the root of its trace
  std::string name;
  SpanKind kind = SpanKind::kInternal;
  SpanTime start{};
  SpanTime end{};
  std::vector<Attribute> attributes = {};
  SpanStatus status = SpanStatus::kUnset;
  std::string status_message = {};

  // The value of this key, or null.
  const AttributeValue* find(std::string_view key) const;
  // What it holds of text, roughly its size in memory.
  size_t bytes() const;
};

}  // namespace precedent
