// What an ingest beside the versions of the incident data says where it replaced some of theirs.
//
// Thread safety: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace precedent {

// "" for no documents. `version`: the active one.
std::string over_version(size_t documents, uint64_t version);

}  // namespace precedent
