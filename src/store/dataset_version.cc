#include "store/dataset_version.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace precedent {
namespace {

using enum VersionState;

struct Step {
  VersionState from, to;
  std::string_view command;  // that does it
};

// In the order in which they are proposed.
constexpr Step kSteps[] = {
    {kDraft, kValidated, "validate"},
    {kDraft, kFailed, ""},
    {kDraft, kDiscarded, "discard"},
    {kFailed, kValidated, "validate"},
    {kFailed, kFailed, ""},
    {kFailed, kDiscarded, "discard"},
    {kValidated, kIngesting, "ingest"},
    {kValidated, kValidated, "validate"},
    {kValidated, kFailed, ""},
    {kValidated, kDiscarded, "discard"},
    {kIngesting, kReady, "ingest"},
    {kIngesting, kIngesting, ""},
    {kIngesting, kDiscarded, "discard"},
    {kReady, kActive, "activate"},
    {kReady, kDiscarded, "discard"},
    {kSuperseded, kActive, "activate"},
    {kSuperseded, kDiscarded, "discard"},
    {kActive, kSuperseded, ""},
};

}  // namespace

std::string_view name(VersionState state) {
  switch (state) {
    case kDraft: return "draft";
    case kValidated: return "validated";
    case kFailed: return "failed";
    case kIngesting: return "ingesting";
    case kReady: return "ready";
    case kActive: return "active";
    case kSuperseded: return "superseded";
    case kDiscarded: return "discarded";
  }
  return "draft";
}

const VersionActivation* DatasetVersion::forced() const {
  const auto last =
      std::ranges::find_if(activations.rbegin(), activations.rend(), &VersionActivation::forced);
  return last == activations.rend() ? nullptr : &*last;
}

Result<void> require_transition(const DatasetVersion& version, VersionState to) {
  std::vector<std::string> possible;
  for (const Step& step : kSteps) {
    if (step.from != version.state) continue;
    if (step.to == to) return {};
    if (!step.command.empty())
      possible.push_back(fmt::format("`precedent dataset {} {}`", step.command, version.number));
  }
  const std::string next = version.state == kActive ? "activate another one, or roll back"
                           : possible.empty() ? "make a new one with `precedent dataset create`"
                                              : join(possible, " or ");
  return fail(ErrorCode::kConflict,
              fmt::format("version {} is {} and cannot become {}; what is possible: {}",
                          version.number, name(version.state), name(to), next));
}

std::string record_hash(Document record) {
  record.path.clear();
  return content_hash(record);
}

}  // namespace precedent
