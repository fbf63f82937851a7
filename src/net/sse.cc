#include "net/sse.h"

#include <fmt/format.h>

#include <charconv>

namespace precedent {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

Result<void> SseDecoder::feed(std::string_view bytes, const OnEvent& on_event) {
  while (!bytes.empty()) {
    if (after_cr_ && bytes.front() == '\n') bytes.remove_prefix(1);
    after_cr_ = false;
    const size_t end = bytes.find_first_of("\r\n");
    TRY(add_to_line(bytes.substr(0, end)));
    if (end == std::string_view::npos) return {};
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    if (!TRY(end_line(on_event))) return {};
  }
  return {};
}

Result<void> SseDecoder::add_to_line(std::string_view bytes) {
  if (line_.size() + bytes.size() > limits_.max_line_bytes)
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("a line of the event stream is longer than {} bytes; it is refused",
                            limits_.max_line_bytes));
  line_ += bytes;
  return {};
}

Result<bool> SseDecoder::end_line(const OnEvent& on_event) {
  std::string_view line = line_;
  if (at_start_ && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  at_start_ = false;
  if (!line.empty()) {
    TRY(read_field(line));
    line_.clear();
    return true;
  }
  line_.clear();
  bool go_on = true;
  if (has_data_) go_on = on_event(pending_);
  pending_.event.clear();
  pending_.data.clear();
  has_data_ = false;
  return go_on;
}

Result<void> SseDecoder::read_field(std::string_view line) {
  const size_t colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "data") {
    if (pending_.data.size() + value.size() > limits_.max_event_bytes)
      return fail(ErrorCode::kResourceExhausted,
                  fmt::format("an event of the stream is larger than {} bytes; it is refused",
                              limits_.max_event_bytes));
    if (has_data_) pending_.data += '\n';
    pending_.data += value;
    has_data_ = true;
  } else if (field == "event") {
    pending_.event = value;
  } else if (field == "id") {
    if (!value.contains('\0')) pending_.id = value;
  } else if (field == "retry") {
    int64_t milliseconds = 0;
    const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), milliseconds);
    if (error == std::errc() && end == value.data() + value.size() && milliseconds >= 0)
      retry_ = std::chrono::milliseconds(milliseconds);
  }
  return {};
}

}  // namespace precedent
