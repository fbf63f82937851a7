#include "observe/tracer.h"

#include <algorithm>
#include <random>

#include "base/redact.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// A span is read by people; collectors refuse requests of more than a few MB.
constexpr size_t kMaxTextBytes = 64 * 1024;
constexpr size_t kMaxNameBytes = 128;

uint64_t random_id() {
  thread_local std::mt19937_64 engine = [] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }();
  uint64_t id = 0;
  while (id == 0) id = engine();  // zero is no id
  return id;
}

SpanTime now() {
  return std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now());
}

std::unique_ptr<Span> started(TraceContext context, uint64_t parent, std::string_view name,
                              SpanKind kind) {
  auto span = std::make_unique<Span>();
  span->context = context;
  span->parent = parent;
  span->name = span_text(name, kMaxNameBytes);
  span->kind = kind;
  span->start = now();
  return span;
}

}  // namespace

const AttributeValue* Span::find(std::string_view key) const {
  const auto found =
      std::ranges::find_if(attributes, [&](const Attribute& a) { return a.key == key; });
  return found == attributes.end() ? nullptr : &found->value;
}

size_t Span::bytes() const {
  size_t bytes = sizeof(Span) + name.size() + status_message.size();
  for (const Attribute& attribute : attributes) {
    bytes += sizeof(Attribute) + attribute.key.size();
    if (const auto* text = std::get_if<std::string>(&attribute.value)) bytes += text->size();
    if (const auto* texts = std::get_if<std::vector<std::string>>(&attribute.value))
      for (const std::string& text : *texts) bytes += sizeof(std::string) + text.size();
  }
  return bytes;
}

// Redacted before it is cut: half a secret is not recognised any more.
std::string span_text(std::string_view text, size_t max_bytes) {
  std::string clean = redact(repair_utf8(text));
  if (clean.size() <= max_bytes) return clean;
  return std::string(utf8_prefix(clean, max_bytes)) + "…";
}

ScopedSpan::ScopedSpan(Tracer* tracer, const TraceContext& parent, std::string_view name,
                       SpanKind kind)
    : tracer_(tracer) {
  if (tracer == nullptr || !parent) return;
  span_ = started({parent.trace_id, random_id()}, parent.span_id, name, kind);
}

ScopedSpan ScopedSpan::root(Tracer* tracer, std::string_view name, SpanKind kind) {
  ScopedSpan span;
  if (tracer == nullptr) return span;
  span.tracer_ = tracer;
  span.span_ = started({{random_id(), random_id()}, random_id()}, 0, name, kind);
  return span;
}

ScopedSpan::~ScopedSpan() {
  if (!span_) return;
  // The system's clock may have been set back meanwhile.
  span_->end = std::max(now(), span_->start);
  tracer_->record(std::move(*span_));
}

void ScopedSpan::put(std::string_view key, AttributeValue value) {
  auto& list = span_->attributes;
  const auto found = std::ranges::find_if(list, [&](const Attribute& a) { return a.key == key; });
  if (found != list.end()) {
    found->value = std::move(value);
  } else {
    list.push_back({std::string(key), std::move(value)});
  }
}

void ScopedSpan::put_text(std::string_view key, std::string_view text) {
  if (!text.empty()) put(key, span_text(text, kMaxTextBytes));
}

void ScopedSpan::put_texts(std::string_view key, const std::vector<std::string>& texts) {
  std::vector<std::string> clean;
  for (const std::string& text : texts) clean.push_back(span_text(text, kMaxTextBytes));
  put(key, std::move(clean));
}

void ScopedSpan::fail(std::string_view type, std::string_view message) {
  if (!span_) return;
  set("error.type", type);
  span_->status = SpanStatus::kError;
  span_->status_message = span_text(message, kMaxTextBytes);
}

void ScopedSpan::fail(const Error& error) {
  if (span_) fail(precedent::name(error.code), error.text());
}

}  // namespace precedent
