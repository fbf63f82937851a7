// What is usual for the hour: whether a series went as far at that hour on earlier days.
//
// Looked at are the last three days and the day a week before. Whatever most of those that are
// recorded did is no departure, as the load of every morning is none.
// Thread safety: one thread.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "investigate/metrics/metric_courses.h"
#include "investigate/onset/departure.h"

namespace precedent {

struct BesideEarlierDays {
  bool usual = false;
  // Since when it went beyond what they did; only if that is long after it departed.
  std::optional<Instant> beyond;
};

class EarlierDays {
 public:
  EarlierDays(const MetricsSource& source, const Window& window, const SourceContext& context)
      : source_(source), window_(window), context_(context) {}

  // `course` is that of the series, `departure` was found in it. Nothing: no earlier day of it is
  // recorded.
  std::optional<BesideEarlierDays> compare(const RecordedSeries& recorded,
                                           const std::vector<Sample>& course,
                                           const Departure& departure);

 private:
  std::vector<Sample> samples_of(const std::string& metric, const LabelSet& labels,
                                 std::chrono::hours earlier);

  const MetricsSource& source_;
  const Window window_;
  const SourceContext& context_;
  std::map<std::pair<std::string, std::chrono::hours>, SeriesSet> read_;
};

}  // namespace precedent
