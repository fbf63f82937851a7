// The request log: a JSON object a line for each request, for people and for log shippers.
//
// Format: docs/observability.md. A line is valid UTF-8 without secrets, without control characters
// and without any character that some reader takes for a line end, and never longer than
// kMaxRequestLine. Rotation is the system's: the file is opened anew for each line.
// Thread safety: pure but for the file; several threads and processes may append at once.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "observe/request_record.h"

namespace precedent {

// With its line end. Fluent Bit's tail input takes at most 32 KiB unless told otherwise; the other
// shippers read more.
constexpr size_t kMaxRequestLine = 32'000;

// Without a line end. Long texts are cut with a mark that says how long they were, long lists lose
// their tail; what is still too long is cut shorter, until the line fits.
std::string request_line(const RequestRecord& record);

// What request_line() wrote, as far as it kept it. Fields that are missing stay empty, unknown ones
// are skipped. Errors: kInvalidArgument naming the field.
Result<RequestRecord> parse_request_line(std::string_view line);

Result<void> append_request(const std::filesystem::path& file, const RequestRecord& record);

}  // namespace precedent
