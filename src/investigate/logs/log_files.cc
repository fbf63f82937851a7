#include "investigate/logs/log_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "base/strings.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

// Calls it with each line of a file, without its end, cut at kMaxRawLine; false if it cannot be
// read.
template <typename Each>
bool for_each_line(const fs::path& path, const Each& each) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  std::string block(1 << 20, '\0'), line;
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0) {
    std::string_view rest(block.data(), static_cast<size_t>(in.gcount()));
    for (size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      line += rest.substr(0, std::min(end, kMaxRawLine - std::min(kMaxRawLine, line.size())));
      each(std::string_view(line));
      line.clear();
      rest.remove_prefix(end + 1);
    }
    line += rest.substr(0, kMaxRawLine - std::min(kMaxRawLine, line.size()));
  }
  if (!line.empty()) each(std::string_view(line));
  return !in.bad();
}

bool is_log_file(const fs::path& path, bool in_logs) {
  constexpr std::array<std::string_view, 5> kEndings = {".ndjson", ".jsonl", ".log", ".txt",
                                                        ".json"};
  const std::string name = path.filename().string();
  const bool fits = std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
  return fits && (in_logs || name.starts_with("log"));
}

}  // namespace

LogLines read_log_text(std::string_view text, std::string_view file) {
  LogKeeper keeper({}, {});
  keeper.begin(file);
  for (const std::string_view raw : split_lines(text)) keeper.add(raw);
  return std::move(keeper).take();
}

LogLines read_logs(const fs::path& folder, const std::optional<Window>& window,
                   const LogLimits& limits) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const bool in_logs : {false, true}) {
    for (fs::directory_iterator entry(in_logs ? folder / "logs" : folder, error), end;
         !error && entry != end; entry.increment(error))
      if (entry->is_regular_file(error) && is_log_file(entry->path(), in_logs))
        files.push_back(entry->path());
    error.clear();
  }
  std::ranges::sort(files);
  LogKeeper keeper(window, limits);
  for (const fs::path& file : files) {
    keeper.begin(file.filename().string());
    if (!for_each_line(file, [&](std::string_view line) { keeper.add(line); }))
      keeper.fail(fmt::format("{}: cannot be read; check its permissions", file.string()));
  }
  LogLines out = std::move(keeper).take();
  if (files.empty()) out.missing.push_back("there are no logs (logs*.ndjson, *.jsonl, *.log)");
  return out;
}

}  // namespace precedent
