// What went wrong, for three readers: a program (code), an operator (message), a trace (context).
//
// A message names the offender (file, line, field, fragment) and the remedy, in that order, as one
// sentence: "runbooks/a.md:3: 'severity' is a list, expected text; write severity: SEV2".
//
// Thread safety: plain values.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace precedent {

enum class ErrorCode {
  kInvalidArgument,    // the caller's input is wrong; repeating it will not help
  kNotFound,           // a named thing does not exist
  kConflict,           // somebody else holds or changed it; retrying later may help
  kCorrupt,            // stored bytes are not what was written
  kUnavailable,        // a file, disk or service cannot be reached
  kResourceExhausted,  // a limit, memory or the disk is full
  kPermission,         // the system or a policy said no
  kTimeout,            // the deadline passed
  kCancelled,          // somebody asked us to stop; an outcome rather than a fault
  kInternal,           // our own bug, or a library's
};

// The stable, lower-case name of a code, as printed and as written to JSON.
std::string_view name(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::string context = {};  // outermost first: "ingest: opening the store"

  // The same error, seen from one floor higher.
  Error within(std::string_view outer) &&;
  // "context: message", or the message alone.
  std::string text() const;
};

template <typename T>
using Result = std::expected<T, Error>;

// return fail(ErrorCode::kNotFound, fmt::format(...));
inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{code, std::move(message)});
}

namespace detail {
template <typename T>
T take(std::expected<T, Error>&& result) {
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}
}  // namespace detail

}  // namespace precedent

// auto rows = TRY(read_rows(path)); returns the error to the caller of the enclosing function.
// A statement expression (g++ and clang), so that it works wherever an expression does.
#define TRY(expression)                                                       \
  ({                                                                          \
    auto try_result_ = (expression);                                          \
    if (!try_result_) return std::unexpected(std::move(try_result_).error()); \
    ::precedent::detail::take(std::move(try_result_));                        \
  })
