// Symptom: what a fault does that can be seen. The vocabulary that evidence and hypotheses share.
//
// Metrics are read by the parts of their names (OpenMetrics and OpenTelemetry conventions), error
// texts by the signatures that runtimes and protocols give them: errno, SQLSTATE messages, gRPC
// and HTTP codes, X.509. Thread safety: pure functions over constant tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

enum class Symptom : uint8_t {
  kErrors,
  kLatency,
  kTimeouts,
  kRefused,
  kTraffic,      // more requests arrive
  kTrafficLoss,  // fewer do
  kFanOut,       // more calls a request
  kCacheMisses,
  kQueue,
  kPool,  // connections or workers are used up
  kCpu,
  kMemory,
  kOutOfMemory,
  kCrash,
  kSchema,   // a table, column or type that the database does not have
  kLibrary,  // libraries that do not fit each other
  kCertificate,
  kDns,
  kAccess,
  kQuota,
  kDisk,
  kLock,
  kDataFormat,
  kHandles,  // files, threads, goroutines
  kNode,     // of the machine below
};
inline constexpr size_t kSymptoms = 25;

std::string_view name(Symptom symptom);  // "cache_misses"
std::string_view text(Symptom symptom);  // "more cache misses"
// Whether few kinds of fault do it. Errors and latency follow from nearly anything.
bool is_specific(Symptom symptom);
// How much it counts that a cause explains it: four times as much where it is specific.
double weight(Symptom symptom);
// Whether it is a failure that users or callers feel, rather than a condition that leads to one.
bool is_failure(Symptom symptom);

// A small set.
class SymptomSet {
 public:
  constexpr SymptomSet() = default;
  constexpr SymptomSet(std::initializer_list<Symptom> all) {
    for (const Symptom symptom : all) add(symptom);
  }
  constexpr void add(Symptom symptom) { bits_ |= bit(symptom); }
  constexpr void add(SymptomSet other) { bits_ |= other.bits_; }
  constexpr bool has(Symptom symptom) const { return (bits_ & bit(symptom)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  std::vector<Symptom> list() const;
  bool operator==(const SymptomSet&) const = default;

 private:
  static constexpr uint32_t bit(Symptom symptom) { return 1u << static_cast<uint8_t>(symptom); }
  uint32_t bits_ = 0;
};

// What a metric measures, by its name; `bad_up` whether more of it is worse.
struct MetricMeaning {
  Symptom symptom;
  bool bad_up = true;
};
std::optional<MetricMeaning> meaning_of_metric(std::string_view metric);

// What an error text says of its kind. Empty where no signature is known.
SymptomSet symptoms_of_text(std::string_view text);

}  // namespace precedent
