#include "cli/config_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "agent/guard/guardrail_rules.h"
#include "agent/guard/guardrails.h"
#include "agent/language/type_opinion.h"
#include "agent/model/prompts.h"
#include "agent/understand/policy.h"
#include "base/strings.h"
#include "changes/changes_config.h"
#include "cli/command/durability.h"
#include "cli/config/mcp_servers.h"
#include "cli/config/store_config.h"
#include "files/files.h"
#include "index/qdrant_config.h"
#include "llm/model_config.h"
#include "observe/request_log_config.h"
#include "search/synonyms.h"
#include "server/auth/oidc_config.h"
#include "server/auth/slack_users.h"
#include "sources/sources_config.h"
#include "telemetry/query/metrics_config.h"
#include "telemetry/query/resolve_metric.h"
#include "telemetry/snapshot/snapshot.h"
#include "telemetry/stores_config.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrompt = "prompt";
constexpr std::string_view kPromptChecked = "variables, sections";
// The largest that any of the readers takes.
constexpr size_t kMaxBytes = 1 << 20;

// A reader's result among the problems that it has noted; it fails beside them where it could not
// go on.
template <typename T>
void note(const Result<T>& read, ConfigProblems& problems) {
  if (!read) problems.push_back(read.error());
}

Result<ConfigFile> find_in(const fs::path& data_dir, std::string_view file) {
  const fs::path path = data_dir / file;
  std::error_code error;
  if (fs::status(path, error).type() == fs::file_type::not_found) return ConfigFile{};
  std::string text = TRY(read_file(path, kMaxBytes));
  return ConfigFile{path.string(), std::move(text)};
}

ConfigProblems precedent_problems(const ConfigFile& file) {
  ConfigProblems problems;
  note(read_model_config(file.text, file.path, system_environment, &problems), problems);
  note(read_request_log(file.text, file.path, std::nullopt, {}, &problems), problems);
  note(read_durability(file.text, file.path, "", &problems), problems);
  note(read_store_config(file.text, file.path, &problems), problems);
  note(read_mcp_path(file.text, file.path, &problems), problems);
  note(read_oidc_config(file.text, file.path, &problems), problems);
  note(read_slack_users(file.text, file.path, &problems), problems);
  note(read_qdrant_config(file.text, file.path, qdrant_environment, &problems), problems);
  return problems;
}

Result<ConfigFile> find_mcp(const fs::path& data_dir, const std::string& named) {
  // What names it is checked for itself.
  const auto precedent = find_config_file("precedent.yaml", "PRECEDENT_CONFIG", "", data_dir);
  return find_mcp_config(named, data_dir, precedent.value_or(ConfigFile()));
}

ConfigProblems mcp_problems(const ConfigFile& file) {
  ConfigProblems problems;
  note(read_mcp_config(file.text, file.path, system_environment, &problems), problems);
  return problems;
}

ConfigProblems tools_problems(const ConfigFile& file) {
  ConfigProblems problems;
  const std::string text = file.path.empty() ? std::string(default_tools_config()) : file.text;
  const auto metrics = read_metrics_config(text, file.path, system_environment, &problems);
  note(metrics, problems);
  for (const MetricTemplate& one : metrics ? metrics->names : std::vector<MetricTemplate>())
    if (one.aggregation == Aggregation::kSum && adds_up_to_nothing(one.unit) &&
        one.statistic.value_or(Statistic::kValue) == Statistic::kValue)
      problems.push_back(
          {ErrorCode::kInvalidArgument,
           fmt::format("{}: the metric '{}' sums its series, and {} does not add up; "
                       "write aggregation: avg or max",
                       file.path.empty() ? "config/tools.yaml" : file.path, one.name, one.unit)});
  // Of the environment that is asked: what of its snapshot cannot be read is missed in every
  // answer.
  if (metrics && !metrics->snapshot.empty()) {
    const auto snapshot = open_snapshot(metrics->snapshot);
    note(snapshot, problems);
    for (const std::string& warning : snapshot ? snapshot->warnings : std::vector<std::string>())
      problems.push_back({ErrorCode::kUnavailable, warning});
  }
  note(read_changes_config(text, file.path, &problems), problems);
  note(read_stores_config(text, file.path, system_environment, &problems), problems);
  return problems;
}

ConfigProblems sources_problems(const ConfigFile& file) {
  ConfigProblems problems;
  note(read_sources_config(file.text, file.path, &problems), problems);
  return problems;
}

ConfigProblems guardrails_problems(const ConfigFile& file) {
  ConfigProblems problems;
  note(Guardrails::parse(file.path.empty() ? default_guardrails() : std::string_view(file.text),
                         file.path, nullptr, nullptr, {}, &problems),
       problems);
  return problems;
}

ConfigProblems synonyms_problems(const ConfigFile& file) {
  ConfigProblems problems;
  note(Synonyms::parse(file.path.empty() ? default_synonyms() : std::string_view(file.text),
                       file.path, Analyzer(), &problems),
       problems);
  return problems;
}

ConfigProblems prompt_problems(const PromptSpec& spec, const ConfigFile& file) {
  ConfigProblems problems;
  note(Prompt::parse(file.path.empty() ? default_prompt(spec.name) : std::string_view(file.text),
                     file.path, spec, &problems),
       problems);
  return problems;
}

ConfigProblems policy_problems(const ConfigFile& file) {
  ConfigProblems problems;
  note(read_policy(file.path.empty() ? default_policy() : std::string_view(file.text), file.path,
                   &problems),
       problems);
  return problems;
}

ConfigProblems intents_problems(const ConfigFile& file) {
  ConfigProblems problems;
  note(read_intents(file.path.empty() ? default_intents() : std::string_view(file.text), file.path,
                    &problems),
       problems);
  return problems;
}

constexpr ConfigKind kKinds[] = {
    {"precedent", "precedent.yaml", "model, log, threads, mcp, qdrant",
     [](const fs::path& data_dir, const std::string& named) {
       return find_config_file("precedent.yaml", "PRECEDENT_CONFIG", named, data_dir);
     },
     precedent_problems},
    {"tools", "tools.yaml", "metrics, changes, logs, traces, in every environment",
     [](const fs::path& data_dir, const std::string& named) {
       return find_config_file("tools.yaml", "PRECEDENT_TOOLS", named, data_dir);
     },
     tools_problems},
    {"mcp", "mcp.json", "servers, tools that may be called", find_mcp, mcp_problems},
    {"sources", "sources.yaml", "sources, without asking them",
     [](const fs::path& data_dir, const std::string& named) {
       return find_config_file("sources.yaml", "PRECEDENT_SOURCES", named, data_dir);
     },
     sources_problems},
    {"guardrails", "guardrails.yaml", "rules",
     [](const fs::path& data_dir, const std::string&) {
       return find_in(data_dir, "guardrails.yaml");
     },
     guardrails_problems},
    {"policy", "policy.yaml", "rules, tools, types of questions",
     [](const fs::path& data_dir, const std::string&) { return find_in(data_dir, "policy.yaml"); },
     policy_problems},
    {"intents", "intents.yaml", "types of questions",
     [](const fs::path& data_dir, const std::string&) { return find_in(data_dir, "intents.yaml"); },
     intents_problems},
    {"synonyms", "synonyms.txt", "rules",
     [](const fs::path& data_dir, const std::string&) { return find_in(data_dir, "synonyms.txt"); },
     synonyms_problems},
};

// Of "path:12: …"; 0 if there is none.
int line_of(const Error& error, const std::string& path) {
  const std::string_view message = error.message;
  int line = 0;
  if (message.starts_with(path + ":"))
    std::from_chars(message.data() + path.size() + 1, message.data() + message.size(), line);
  return line;
}

CheckedConfig checked(const ConfigFile& file, std::string_view name, std::string_view what,
                      ConfigProblems problems) {
  std::ranges::stable_sort(problems, {},
                           [&](const Error& error) { return line_of(error, file.path); });
  // Two readers of one file say the same of broken YAML.
  const auto same = std::ranges::unique(problems, {}, &Error::message);
  problems.erase(same.begin(), same.end());
  return {file.path.empty() ? fmt::format("{} (built in)", name) : file.path, std::string(what),
          std::move(problems)};
}

CheckedConfig unreadable(std::string name, std::string_view what, Error error) {
  return {std::move(name), std::string(what), {std::move(error)}};
}

const PromptSpec* find_prompt(std::string_view name) {
  const auto& specs = prompt_specs();
  const auto found = std::ranges::find(specs, name, &PromptSpec::name);
  return found == specs.end() ? nullptr : &*found;
}

CheckedConfig check_prompt(const PromptSpec& spec, const Result<ConfigFile>& file,
                           const std::string& name) {
  if (!file) return unreadable(name, kPromptChecked, file.error());
  return checked(*file, name, kPromptChecked, prompt_problems(spec, *file));
}

std::unexpected<Error> no_kind(const std::string& file) {
  std::vector<std::string> known;
  for (const ConfigKind& kind : kKinds) known.emplace_back(kind.file);
  for (const PromptSpec& spec : prompt_specs()) known.push_back(fmt::format("{}.md", spec.name));
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("{}: no configuration is called so; say with --as what it is, or name one "
                  "of {}",
                  file, join(known, ", ")));
}

}  // namespace

std::span<const ConfigKind> config_kinds() { return kKinds; }

std::vector<CheckedConfig> check_config(const fs::path& data_dir, const NamedConfigs& named) {
  std::vector<CheckedConfig> all;
  for (const ConfigKind& kind : kKinds) {
    const auto instead = named.find(kind.name);
    const auto file = kind.find(data_dir, instead == named.end() ? "" : instead->second);
    all.push_back(file ? checked(*file, kind.file, kind.checked, kind.problems(*file))
                       : unreadable(std::string(kind.file), kind.checked, file.error()));
  }
  for (const PromptSpec& spec : prompt_specs()) {
    const std::string name = fmt::format("prompts/{}.md", spec.name);
    all.push_back(check_prompt(spec, find_in(data_dir, name), name));
  }
  ConfigProblems names = check_prompt_names(data_dir / "prompts");
  if (!names.empty())
    all.push_back({(data_dir / "prompts").string(), "file names", std::move(names)});
  return all;
}

Result<std::vector<CheckedConfig>> check_config_files(const std::vector<std::string>& files,
                                                      const std::string& as) {
  std::vector<CheckedConfig> all;
  for (const std::string& path : files) {
    const std::string name = fs::path(path).filename().string();
    const auto read = [&]() -> Result<ConfigFile> {
      std::string text = TRY(read_file(path, kMaxBytes));
      return ConfigFile{path, std::move(text)};
    };
    const auto kind = std::ranges::find_if(kKinds, [&](const ConfigKind& known) {
      return as.empty() ? known.file == name : known.name == as;
    });
    if (kind != std::end(kKinds)) {
      const auto file = read();
      all.push_back(file ? checked(*file, name, kind->checked, kind->problems(*file))
                         : unreadable(path, kind->checked, file.error()));
      continue;
    }
    const bool prompt = as.empty() ? name.ends_with(".md") : as == kPrompt;
    const PromptSpec* spec = prompt ? find_prompt(fs::path(path).stem().string()) : nullptr;
    if (spec == nullptr) return no_kind(path);
    all.push_back(check_prompt(*spec, read(), path));
  }
  return all;
}

}  // namespace precedent
