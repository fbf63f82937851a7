// The `Tracer` seam: where spans go once they have ended; and ScopedSpan, which makes them.
//
//   ScopedSpan turn = ScopedSpan::root(tracer, "invoke_agent precedent");
//   ScopedSpan call(tracer, turn.context(), "execute_tool doc_search");
//   call.set("gen_ai.tool.name", "doc_search");
//
// A null tracer is tracing that is off: a ScopedSpan without one, or without a parent, does nothing
// and allocates nothing. Text is redacted (base/redact.h), made valid UTF-8 and cut on its way into
// a span, so that no tracer ever holds a secret.
// Thread safety: record() may be called by several threads; a ScopedSpan belongs to one.
// Lifetime: a tracer outlives its spans.
#pragma once

#include <memory>
#include <string_view>
#include <type_traits>

#include "base/error.h"
#include "observe/span.h"

namespace precedent {

class Tracer {
 public:
  virtual ~Tracer() = default;
  // Takes a span that has ended. Never blocks, never fails. tracer_contract.h tests it.
  virtual void record(Span span) = 0;
};

class ScopedSpan {
 public:
  ScopedSpan() = default;  // off
  // A child; off if `parent` is not traced.
  ScopedSpan(Tracer* tracer, const TraceContext& parent, std::string_view name,
             SpanKind kind = SpanKind::kInternal);
  // The first span of a trace of its own.
  static ScopedSpan root(Tracer* tracer, std::string_view name,
                         SpanKind kind = SpanKind::kInternal);
  ScopedSpan(ScopedSpan&&) = default;
  ScopedSpan& operator=(ScopedSpan&&) = delete;
  // Ends the span and gives it to the tracer.
  ~ScopedSpan();

  // Whether anything is traced: ask before a value is made that takes work.
  explicit operator bool() const { return span_ != nullptr; }
  // For children; not traced if this is not.
  TraceContext context() const { return span_ ? span_->context : TraceContext{}; }

  // The last value of a key wins. Empty text is left out.
  template <typename T>
  void set(std::string_view key, const T& value) {
    if (!span_) return;
    if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
      put(key, value);
    } else if constexpr (std::is_integral_v<T>) {
      put(key, static_cast<int64_t>(value));
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      put_text(key, value);
    } else {
      put_texts(key, value);
    }
  }
  void fail(const Error& error);
  void fail(std::string_view type, std::string_view message);

 private:
  void put(std::string_view key, AttributeValue value);
  void put_text(std::string_view key, std::string_view text);
  void put_texts(std::string_view key, const std::vector<std::string>& texts);

  Tracer* tracer_ = nullptr;
  std::unique_ptr<Span> span_;  // null: off
};

// What a span keeps of a text: without secrets, at most `max_bytes`.
std::string span_text(std::string_view text, size_t max_bytes);

}  // namespace precedent
