// precedent stats: what was asked, which tools ran, how long it took, from the request log.
#include <fmt/format.h>

#include <cmath>
#include <istream>
#include <nlohmann/json.hpp>

#include "changes/window.h"
#include "cli/command/input.h"
#include "cli/conversation/session.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "observe/counters.h"
#include "observe/request_reader.h"
#include "tools/all_tools.h"

namespace precedent {
namespace {

using nlohmann::json;

struct StatsOptions : CommonOptions {
  std::vector<std::string> files;
  std::string since, config;
  bool prometheus = false;
};

// What was read, beside the counters.
struct Read {
  size_t records = 0;  // within the window
  size_t bad = 0;
  std::vector<std::string> bad_lines;  // "file:line: why"
  std::optional<RequestTime> first, last;
};

Result<std::vector<std::string>> files_of(const StatsOptions& options) {
  if (!options.files.empty()) return options.files;
  const auto data_dir = data_dir_of(options);
  const ConfigFile config = TRY(find_config(options.config, data_dir));
  const auto file = TRY(configured_request_log(config, data_dir));
  if (file.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "requests are not logged (log.requests is off); name a file of another time");
  }
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    return fail(ErrorCode::kNotFound,
                fmt::format("no request has been logged yet: there is no {}", file.string()));
  }
  return std::vector<std::string>{file.string()};
}

Result<Read> read_files(const std::vector<std::string>& files, const TimeRange& range,
                        Counters& counters) {
  Read read;
  const auto each = [&](const RequestRecord& record) {
    if (!range.contains(std::chrono::floor<std::chrono::seconds>(record.at))) return;
    ++read.records;
    read.first = std::min(read.first.value_or(record.at), record.at);
    read.last = std::max(read.last.value_or(record.at), record.at);
    counters.add(record);
  };
  for (const std::string& name : files) {
    const auto input = TRY(InputBuffer::open(name));
    std::istream lines(input.get());
    const RequestsRead done = read_requests(lines, each);
    TRY(input->failure());
    read.bad += done.bad;
    for (const BadLine& bad : done.bad_lines)
      read.bad_lines.push_back(fmt::format("{}:{}: {}", name, bad.line, bad.why));
  }
  return read;
}

// Milliseconds of a duration in seconds, with the digits that a histogram gives; NaN is null.
json shown_ms(double seconds) { return std::round(seconds * 1e5) / 100; }

double mean(const Distribution& d) {
  return d.count == 0 ? std::nan("") : d.sum / static_cast<double>(d.count);
}

json duration_json(const Distribution& d) {
  return {{"count", d.count},
          {"mean_ms", shown_ms(mean(d))},
          {"p50_ms", shown_ms(d.quantile(0.5))},
          {"p95_ms", shown_ms(d.quantile(0.95))}};
}

json time_or_null(const std::optional<RequestTime>& at) {
  return at ? json(format_time(std::chrono::floor<std::chrono::seconds>(*at))) : json();
}

json report_json(const std::vector<std::string>& files, const Read& read, const Totals& totals) {
  json tools = json::object();
  for (const auto& [tool, of] : totals.tools)
    tools[tool] = {
        {"calls", of.calls}, {"errors", of.errors}, {"duration", duration_json(of.took)}};
  return {{"files", files},
          {"first", time_or_null(read.first)},
          {"last", time_or_null(read.last)},
          {"requests", totals.requests},
          {"by_question_type", totals.by_type},
          {"tools", std::move(tools)},
          {"grounded", totals.grounded},
          {"checked", totals.checked},
          {"grounding_rate", totals.checked == 0 ? json()
                                                 : json(static_cast<double>(totals.grounded) /
                                                        static_cast<double>(totals.checked))},
          {"duration", duration_json(totals.took)},
          {"bad_lines", read.bad},
          {"bad", read.bad_lines}};
}

std::string duration_text(double seconds) {
  if (std::isnan(seconds)) return "–";
  return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1000) : fmt::format("{:.3g} s", seconds);
}

void print_report(const Read& read, const Totals& totals) {
  if (totals.requests == 0) {
    fmt::print("No request in this time.\n");
    return;
  }
  fmt::print("{} requests, {} to {}\n", totals.requests,
             time_or_null(read.first).get<std::string>(),
             time_or_null(read.last).get<std::string>());
  fmt::print("answered in {} (p50), {} (p95), {} (mean)\n",
             duration_text(totals.took.quantile(0.5)), duration_text(totals.took.quantile(0.95)),
             duration_text(mean(totals.took)));
  if (totals.checked > 0) {
    fmt::print("grounded: {} of {} checked answers ({:.0f} %)\n", totals.grounded, totals.checked,
               100.0 * static_cast<double>(totals.grounded) / static_cast<double>(totals.checked));
  } else {
    fmt::print("grounded: no answer was checked\n");
  }
  fmt::print("\n{:<28}{:>8}\n", "question type", "requests");
  for (const auto& [type, count] : totals.by_type) fmt::print("{:<28}{:>8}\n", type, count);
  if (totals.tools.empty()) return;
  fmt::print("\n{:<28}{:>8}{:>8}{:>12}{:>12}\n", "tool", "calls", "errors", "p50", "p95");
  for (const auto& [tool, of] : totals.tools) {
    fmt::print("{:<28}{:>8}{:>8}{:>12}{:>12}\n", tool, of.calls, of.errors,
               duration_text(of.took.quantile(0.5)), duration_text(of.took.quantile(0.95)));
  }
}

Result<int> stats(const StatsOptions& options) {
  const auto clock = TRY(clock_of(options.now));
  TimeRange range;
  if (!options.since.empty()) {
    auto window = read_window(options.since, clock->now(), "", nullptr);
    if (!window) return std::unexpected(std::move(window).error().within("--since"));
    range = window->range;
  }
  const std::vector<std::string> files = TRY(files_of(options));
  std::vector<std::string> tools;
  const Toolset all = all_tools();
  for (const auto& tool : all.all()) tools.push_back(tool->spec().name);
  Counters counters(tools);
  const Read read = TRY(read_files(files, range, counters));
  for (const std::string& bad : read.bad_lines) to_stderr("precedent: {}; skipped\n", bad);
  if (read.bad > read.bad_lines.size())
    to_stderr("precedent: {} lines more were skipped\n", read.bad - read.bad_lines.size());
  if (options.prometheus) {
    fmt::print("{}", counters.exposition());
  } else if (options.json) {
    fmt::print("{}\n", dump(report_json(files, read, counters.totals()), 2));
  } else {
    print_report(read, counters.totals());
  }
  return kExitOk;
}

}  // namespace

void add_stats(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<StatsOptions>();
  CLI::App* command = app.add_subcommand(
      "stats", "Summarise the request log: types, tools, errors, durations, grounding");
  command
      ->add_option("file", options->files,
                   "Request logs (default: the current one); '-' is standard input")
      ->type_name("FILE");
  command
      ->add_option("--since", options->since,
                   "Only requests of this window: 24h, 7d, a time, or FROM/TO")
      ->type_name("WINDOW");
  CLI::Option* as_json = command->add_flag("--json", options->json, "As JSON");
  command
      ->add_flag("--prometheus", options->prometheus,
                 "As Prometheus metrics, for a file that node_exporter collects")
      ->excludes(as_json);
  add_config(*command, options->config);
  add_now(*command, *options);
  add_data_dir(*command, *options);
  command->callback([options, &exit_code] {
    const Result<int> code = stats(*options);
    exit_code = code ? *code : fail_with(code.error());
  });
}

}  // namespace precedent
