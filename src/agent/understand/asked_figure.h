// Whether a question names a metric, by the names that the metrics source has, and asks what it is.
//
// Thread safety: pure but for the look-ups in the sources.
#pragma once

#include <optional>

#include "agent/sources/sources.h"
#include "agent/understand/open_intent.h"

namespace precedent {

// The question with the metric that it names, if it asks what that is now: "is the ingest lag ok?".
// `read`: the intent by its words alone.
std::optional<OpenIntent> with_its_metric(const Reference& asked, const OpenIntent& read,
                                          const IntentContext& context, const Sources& sources);

}  // namespace precedent
