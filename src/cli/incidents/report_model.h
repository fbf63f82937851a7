// The configured language model (docs/models.md), opened for the report of one investigation.
//
// Thread safety: any thread. Ownership: the step owns what it needs.
#pragma once

#include <filesystem>
#include <string>

#include "cli/conversation/model_step.h"

namespace precedent {

// Empty where the offline reasoner is configured. `config` and `model`: the values of --config and
// --model, "" where not given. A configuration that nobody named here and that cannot be read costs
// no report: `missing` says what is wrong. Errors: of one that was named.
Result<ModelStep> open_model_step(const std::filesystem::path& data_dir, const std::string& config,
                                  const std::string& model);

}  // namespace precedent
