// Asked metrics: which metric of the source a question names, by its own name or by the words of
// it: "ingest lag".
//
// Thread safety: read_metric_names() as the source it asks; meant_metric() is a pure function.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/sources/known_systems.h"
#include "agent/sources/sources.h"
#include "agent/sources/system_names.h"

namespace precedent {

// As configured, and of the source. What cannot be read within a second is left out.
// Remembered for a turn (agent/sources/system_names.h).
std::vector<MetricName> read_metric_names(const Sources& sources, TimePoint now);

// Where a question says the whole of a metric's name in words: "error rate" is error_rate, and no
// system.
std::vector<Stretch> metrics_in_words(std::string_view question,
                                      const std::vector<MetricName>& metrics);

struct MeantMetric {
  std::string said, name;
  std::string question;  // with the name instead
};
// Nothing if none is named, or several could be meant. Words that only say how something behaves
// ("error rate") or that are a system's
// (`systems`: its words) name no metric. In one word ("memory") only `by_one_word`: where nothing
// else is asked of a system. `fits`: whether a metric that is called in words may be meant.
std::optional<MeantMetric> meant_metric(std::string_view question,
                                        const std::vector<MetricName>& metrics,
                                        const std::set<std::string>& systems, bool by_one_word,
                                        const std::function<bool(const std::string&)>& fits);

}  // namespace precedent
