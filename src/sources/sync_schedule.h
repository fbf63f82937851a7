// When a source is synced next: what it was told (`every`), how the last sync went, and a jitter.
//
// A pure function of what is remembered, so that a restart and several processes keep to the same
// schedule. Thread safety: pure.
#pragma once

#include <optional>

#include "sources/sources_config.h"
#include "sources/sync_state.h"

namespace precedent {

// Nothing for one that is only synced when asked; a time that is past for one that never was. The
// wait is up to a tenth shorter or longer, by name and time, so that servers that began together do
// not ask together. After a failure it doubles each time, up to six hours; one that is asked less
// often than that is tried again sooner.
std::optional<TimePoint> next_sync(const SourceConfig& config, const SourceState& state);

}  // namespace precedent
