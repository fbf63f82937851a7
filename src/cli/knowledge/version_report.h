// The report on a dataset version, for people.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "store/dataset_version.h"

namespace precedent {

// "12 incidents, 1 bad, …": of the version as it was validated.
std::string summary_of(const DatasetVersion& version);
// "against version 1: 3 added, …".
std::string summary_of(const VersionDifference& found);
// "next: precedent dataset ingest 2\n"; "" where nothing follows by itself.
std::string next_step(const DatasetVersion& version);

// What validation found, and what would change. `limit`: what forbids the activation; or "".
class VersionReportText {
 public:
  // Lifetime: of all three.
  VersionReportText(const DatasetVersion& version, const VersionDifference& found,
                    const std::string& limit)
      : version_(version), found_(found), limit_(limit) {}
  std::string text() const;
  std::string markdown() const;

 private:
  const DatasetVersion& version_;
  const VersionDifference& found_;
  const std::string& limit_;
};

}  // namespace precedent
