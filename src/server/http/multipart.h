// multipart/form-data → its parts. Strict: what a browser or curl sends is read, and whatever could
// be read in two ways is refused.
//
// Format: RFC 7578 over RFC 2046, with file names as WHATWG's form encoding and RFC 5987 write
// them. Refused are parts within parts, transfer encodings, folded headers, and text before the
// first or after the last boundary. Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace precedent {

struct MultipartPart {
  std::string name;
  bool is_file = false;  // it has a file name
  std::string filename;  // its last component: no path
  std::string content_type;
  std::string_view body;
};

struct MultipartLimits {
  size_t parts = 64;
  size_t header_bytes = 4096;  // of one part
};

bool is_multipart(std::string_view content_type);
// Errors: kInvalidArgument saying what is malformed, and in which part. Lifetime: bodies point into
// `body`.
Result<std::vector<MultipartPart>> parse_multipart(std::string_view content_type,
                                                   std::string_view body,
                                                   const MultipartLimits& limits = {});

// "C:\logs\a.csv" → "a.csv": what follows the last slash of either kind.
std::string_view last_component(std::string_view path);

}  // namespace precedent
