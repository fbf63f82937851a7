// What kind of document a Markdown file is when it does not say so itself.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/records/record.h"
#include "knowledge/kind.h"

namespace precedent {

struct KindHints {
  std::string_view path;           // as the operator named it
  std::string_view root;           // the canonical path of the argument: its last folder counts too
  const Record* fields = nullptr;  // of the front matter
  const std::vector<std::string>& headings;  // without their #
  std::string_view body = {};                // Markdown
};

// In this order: the innermost folder with a telling name (runbooks/, post-mortems/, adr/,
// decisions/, known-issues/ …); the file name (ADR-0007…, …postmortem…, README); the fields
// (workaround, incidentDate, oncall …); the headings (Timeline and Root cause; Context and
// Decision; Diagnosis …); what it is made of: a table of people and how they are reached, a course
// of clock times, three numbered steps; a folder docs/; else a runbook.
Kind infer_kind(const KindHints& hints);

}  // namespace precedent
