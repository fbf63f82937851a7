// Log files of a frozen incident: logs*.ndjson, *.jsonl, *.log, *.txt in the folder and in logs/,
// of any size and together bounded (log_keeper.h). A line without a time keeps that of the line
// before it. Thread safety: pure but for the files.
#pragma once

#include <filesystem>
#include <string_view>

#include "investigate/logs/log_keeper.h"

namespace precedent {

LogLines read_log_text(std::string_view text, std::string_view file);
// Nothing there is said in `missing`.
LogLines read_logs(const std::filesystem::path& folder, const std::optional<Window>& window = {},
                   const LogLimits& limits = {});

}  // namespace precedent
