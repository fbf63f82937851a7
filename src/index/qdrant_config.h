// Where a Qdrant is, and how it is asked.
//
// From the environment: PRECEDENT_QDRANT_URL switches Qdrant on; PRECEDENT_QDRANT_API_KEY is its
// key and PRECEDENT_QDRANT_API_KEY_2 a second one, so that keys can be changed while precedent
// runs; PRECEDENT_QDRANT_API_KEY_FILE names a file with one or two keys, a line each, instead.
// A key is never part of a message. Thread safety: plain values.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace precedent {

struct QdrantConfig {
  std::string url;                // http or https; may have a path, "https://example.com/qdrant"
  std::vector<std::string> keys;  // at most two: the one that is accepted is used
  // Of searches: exhaustive ones are right to the last hit and slow above some 100,000 chunks.
  bool exact = false;
  std::chrono::milliseconds connect_timeout{2'000};
  std::chrono::milliseconds read_timeout{10'000};
  // Writing waits for the server to have done it; a large batch takes a while.
  std::chrono::milliseconds write_timeout{120'000};
  // A server that asks for more patience than this is an error.
  std::chrono::milliseconds max_retry_after{10'000};
  int attempts = 3;
  // Qdrant itself refuses bodies above 32 MB.
  size_t batch_bytes = size_t{4} * 1024 * 1024;
  // Points asked for at once. With their texts, some 2 MB.
  size_t page_points = 512;
};

// Nothing if no Qdrant is named. `environment` gives nothing for a variable that is not set.
// Errors: kInvalidArgument naming the variable, and those of check_qdrant_config.
Result<std::optional<QdrantConfig>> read_qdrant_config(
    const std::function<std::optional<std::string>(const char*)>& environment);
// Of this process.
Result<std::optional<QdrantConfig>> qdrant_config_of_environment();

// Errors: kInvalidArgument for an address that is none, kPermission for a key that would leave this
// machine without TLS.
Result<void> check_qdrant_config(const QdrantConfig& config);

}  // namespace precedent
