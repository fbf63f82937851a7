// Where requests are logged: `log.requests` of config/precedent.yaml, or PRECEDENT_REQUEST_LOG,
// which wins. "off": nowhere; else a file. docs/observability.md is its page.
//
// Reads no file itself. Thread safety: pure functions.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/config_values.h"
#include "base/error.h"

namespace precedent {

// The file; "" for none. `yaml` is the text of the file `path`, from whose folder a relative path
// is taken; `variable` the value of PRECEDENT_REQUEST_LOG, taken from the working directory; where
// neither says anything, `otherwise`. Errors: kInvalidArgument with path:line:key; with `all`, all
// of them.
Result<std::filesystem::path> read_request_log(std::string_view yaml, std::string_view path,
                                               const std::optional<std::string>& variable,
                                               const std::filesystem::path& otherwise,
                                               ConfigProblems* all = nullptr);

}  // namespace precedent
