// Server-sent events: bytes → events and back, as the WHATWG HTML standard defines the format
// ("9.2.6 Interpreting an event stream").
//
// Lines end in \n, \r or \r\n, also when cut between the two; a byte order mark is skipped once;
// several data lines are joined by \n; a comment is ignored; an event without data is not
// dispatched, and neither is one that the end of the stream cuts. Ill-formed UTF-8 is passed on as
// it is: whoever reads the data repairs it.
// Thread safety: a decoder belongs to one thread.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace precedent {

struct SseEvent {
  std::string event = {};  // the type; "" means "message"
  std::string data = {};
  std::string id = {};  // the last id of the stream, also if this event set none
  bool operator==(const SseEvent&) const = default;
};

struct SseLimits {
  // One line is one JSON object of a model; a tool call with a pasted log stays below 1 MB.
  size_t max_line_bytes = 4 * 1024 * 1024;
  // All data lines of one event.
  size_t max_event_bytes = 8 * 1024 * 1024;
};

class SseDecoder {
 public:
  explicit SseDecoder(SseLimits limits = {}) : limits_(limits) {}

  // Called for every event that `bytes` completes. False: feed() returns at once, the rest unread.
  using OnEvent = std::function<bool(const SseEvent&)>;
  // Errors: kResourceExhausted naming the limit; the decoder is then of no further use.
  Result<void> feed(std::string_view bytes, const OnEvent& on_event);

  // What the stream asked for between reconnections, if it did.
  std::optional<std::chrono::milliseconds> retry() const { return retry_; }

 private:
  Result<void> add_to_line(std::string_view bytes);
  Result<bool> end_line(const OnEvent& on_event);  // false: on_event said stop
  Result<void> read_field(std::string_view line);

  SseLimits limits_;
  std::string line_;
  bool after_cr_ = false;
  bool at_start_ = true;  // a byte order mark may come
  bool has_data_ = false;
  SseEvent pending_;
  std::optional<std::chrono::milliseconds> retry_;
};

}  // namespace precedent
