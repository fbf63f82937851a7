// precedent models: what is configured, whether it is there, and whether it answers.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/conversation/session.h"
#include "cli/terminal/render.h"
#include "llm/probe.h"

namespace precedent {
namespace {

using nlohmann::json;

struct ModelsOptions : CommonOptions {
  std::string config, model;
  bool no_probe = false;
};

json report_json(const ModelConfig& config, const std::optional<ProbeReport>& report) {
  json out = {
      {"provider", name(config.provider)}, {"name", config.name}, {"base_url", config.base_url}};
  if (!report) return out;
  out["reachable"] = report->reachable;
  out["answers"] = !report->error;
  out["follows"] = report->follows;
  out["milliseconds"] = report->total.count();
  if (report->error) out["error"] = printable(report->error->text());
  if (!report->model.empty()) out["model"] = report->model;
  return out;
}

std::string report_line(const std::optional<ProbeReport>& report) {
  if (!report) return "not asked";
  if (report->error) {
    return fmt::format("{}: {}",
                       report->reachable ? "reachable, but does not answer" : "not reachable",
                       printable(report->error->text()));
  }
  return fmt::format("answers in {} ms (first token after {} ms){}", report->total.count(),
                     report->first_token.count(),
                     report->follows ? "" : ", but does not do what it is told");
}

int show_models(const ModelsOptions& options) {
  const auto file = find_config(options.config, data_dir_of(options));
  if (!file) return fail_with(file.error());
  const auto config = configured_model(*file, options.model);
  if (!config) return fail_with(config.error());
  std::vector<ModelConfig> models = {*config};
  models.insert(models.end(), config->fallback.begin(), config->fallback.end());
  json all = json::array();
  int exit_code = kExitOk;
  SystemClock clock;
  CurlHttpClient http;
  ModelFactory factory(http, clock, []() -> Result<std::shared_ptr<ChatModel>> {
    return fail(ErrorCode::kInvalidArgument, "offline");
  });
  for (ModelConfig& model : models) {
    model.fallback.clear();
    std::optional<ProbeReport> report;
    if (model.provider != Provider::kOffline && !options.no_probe) {
      const auto opened = factory.get(model);
      if (!opened) return fail_with(opened.error());
      report = probe(**opened, interrupted());
      if (report->error) exit_code = kExitFailed;
    }
    if (options.json) {
      all.push_back(report_json(model, report));
    } else if (model.provider == Provider::kOffline) {
      fmt::print("the offline reasoner: always there, needs no key\n");
    } else {
      fmt::print("{}\n  {}\n", describe(model), report_line(report));
    }
  }
  if (options.json) fmt::print("{}\n", dump(all, 2));
  if (!options.json && config->provider != Provider::kOffline)
    fmt::print("where it fails: the offline reasoner answers, and says so\n");
  return exit_code;
}

}  // namespace

void add_models(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ModelsOptions>();
  CLI::App* command =
      app.add_subcommand("models", "Show the configured model, and check that it answers");
  add_model(*command, options->config, options->model);
  command->add_flag("--no-probe", options->no_probe,
                    "Send it nothing, so that no tokens are spent");
  command->add_flag("--json", options->json, "As JSON");
  add_data_dir(*command, *options);
  command->callback([options, &exit_code] { exit_code = show_models(*options); });
}

}  // namespace precedent
