// Where a Qdrant is, and how it is asked.
//
// From `qdrant` of precedent.yaml (docs/qdrant.md), and from the environment, which wins:
// PRECEDENT_QDRANT_URL switches Qdrant on, or off if it says so; PRECEDENT_QDRANT_API_KEY is its
// key and PRECEDENT_QDRANT_API_KEY_2 a second one, so that keys can be changed while precedent
// runs; PRECEDENT_QDRANT_API_KEY_FILE names a file with one or two keys, a line each, instead.
// An address of the environment takes its keys from there, too: those of the file are for its own.
// A key is never part of a message. Thread safety: plain values.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/config_values.h"
#include "base/error.h"

namespace precedent {

struct QdrantConfig {
  std::string url;                // http or https; may have a path, "https://example.com/qdrant"
  std::vector<std::string> keys;  // at most two: the one that is accepted is used
  // What to change, for messages: a variable, or a key of precedent.yaml.
  std::string url_from = "PRECEDENT_QDRANT_URL";
  std::string keys_from = "PRECEDENT_QDRANT_API_KEY";
  // Of searches: exhaustive ones are right to the last hit and slow above some 100,000 chunks.
  bool exact = false;
  std::chrono::milliseconds connect_timeout{2'000};
  std::chrono::milliseconds read_timeout{10'000};
  // The same while somebody waits for an answer.
  std::chrono::milliseconds answer_timeout{5'000};
  // Writing waits for the server to have done it; a large batch takes a while.
  std::chrono::milliseconds write_timeout{120'000};
  // A server that asks for more patience than this is an error.
  std::chrono::milliseconds max_retry_after{10'000};
  int attempts = 3;
  // How long a server that was gone is not asked again: calls fail at once, but for one at a time
  // that looks whether it is back. 0: each call asks.
  std::chrono::milliseconds rest{0};
  // Of new collections. With more than one, a power cut may lose points (qdrant_index.h).
  int shards = 1;
  // How long a collection stays after another has taken its place: who reads it finishes.
  std::chrono::milliseconds grace{10 * 60 * 1000};
  // Qdrant itself refuses bodies above 32 MB.
  size_t batch_bytes = size_t{4} * 1024 * 1024;
  // Points asked for at once. With their texts, some 2 MB.
  size_t page_points = 512;
};

// Gives nothing for a variable that is not set.
using QdrantEnvironment = std::function<std::optional<std::string>(const char*)>;

// Nothing if no Qdrant is named.
// Errors: kInvalidArgument naming the variable, and those of check_qdrant_config.
Result<std::optional<QdrantConfig>> read_qdrant_config(const QdrantEnvironment& environment);
// The same with what precedent.yaml says. Errors: also path:line: qdrant.key.
Result<std::optional<QdrantConfig>> read_qdrant_config(std::string_view yaml, std::string_view path,
                                                       const QdrantEnvironment& environment,
                                                       ConfigProblems* all = nullptr);
// Of this process.
std::optional<std::string> qdrant_environment(const char* name);
Result<std::optional<QdrantConfig>> qdrant_config_of_environment();
// For who answers meanwhile: less patient, and resting where the server is gone.
QdrantConfig impatient(QdrantConfig config);

// Errors: kInvalidArgument for an address that is none, kPermission for a key that would leave this
// machine without TLS.
Result<void> check_qdrant_config(const QdrantConfig& config);

}  // namespace precedent
