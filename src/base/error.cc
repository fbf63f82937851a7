#include "base/error.h"

namespace precedent {

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument: return "invalid_argument";
    case ErrorCode::kNotFound: return "not_found";
    case ErrorCode::kConflict: return "conflict";
    case ErrorCode::kCorrupt: return "corrupt";
    case ErrorCode::kUnavailable: return "unavailable";
    case ErrorCode::kResourceExhausted: return "resource_exhausted";
    case ErrorCode::kPermission: return "permission";
    case ErrorCode::kTimeout: return "timeout";
    case ErrorCode::kCancelled: return "cancelled";
    case ErrorCode::kInternal: return "internal";
  }
  return "internal";
}

Error Error::within(std::string_view outer) && {
  context = context.empty() ? std::string(outer) : std::string(outer) + ": " + context;
  return std::move(*this);
}

std::string Error::text() const { return context.empty() ? message : context + ": " + message; }

}  // namespace precedent
