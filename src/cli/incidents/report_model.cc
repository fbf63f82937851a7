#include "cli/incidents/report_model.h"

#include <memory>

#include "cli/conversation/session.h"
#include "llm/model_factory.h"
#include "net/curl_http_client.h"

namespace precedent {
namespace {

// Later members use earlier ones.
struct OwnModel {
  std::unique_ptr<PromptLibrary> prompts;
  CurlHttpClient http;
  SystemClock clock;
  ModelFactory models{http, clock, []() -> Result<std::shared_ptr<ChatModel>> {
                        return fail(ErrorCode::kInternal,
                                    "the offline reasoner was asked for as a model");
                      }};
};

Result<ModelStep> open_step(const std::filesystem::path& data_dir, const std::string& config,
                            const std::string& model) {
  const auto file = TRY(find_config(config, data_dir));
  ModelConfig wanted = TRY(configured_model(file, model));
  // Without a model the report is complete.
  std::erase_if(wanted.fallback,
                [](const ModelConfig& each) { return each.provider == Provider::kOffline; });
  if (wanted.provider == Provider::kOffline) return ModelStep();
  const auto own = std::make_shared<OwnModel>();
  own->prompts = TRY(PromptLibrary::open(data_dir / "prompts"));
  const ModelStep step = model_step(TRY(own->models.get(wanted)), wanted.limits, *own->prompts);
  return [own, step](Investigation& made, const CancelToken& cancel) { step(made, cancel); };
}

}  // namespace

Result<ModelStep> open_model_step(const std::filesystem::path& data_dir, const std::string& config,
                                  const std::string& model) {
  auto step = open_step(data_dir, config, model);
  if (step || !config.empty() || !model.empty()) return step;
  return [why = step.error().text()](Investigation& made, const CancelToken&) {
    made.evidence.missing.push_back("the model: " + why);
  };
}

}  // namespace precedent
