#include "ingest/intake/version_note.h"

#include <fmt/format.h>

namespace precedent {

std::string over_version(size_t documents, uint64_t version) {
  if (documents == 0) return "";
  return fmt::format(
      "{0} of these documents {1} in the place of incidents of version {2}, which is active; "
      "activating a version puts its own back (`precedent dataset diff {2}` lists them)",
      documents, documents == 1 ? "is" : "are", version);
}

}  // namespace precedent
