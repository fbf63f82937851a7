// For benches: what takes time and memory, and values that must be there.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "chat/event.h"

namespace precedent {

[[noreturn]] inline void die(const Error& error) {
  std::cerr << error.text() << '\n';
  std::exit(1);
}
template <typename T>
T need(Result<T> result) {
  if (!result) die(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// Wall and processor seconds since it was made.
struct Stopwatch {
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  double cpu_start = cpu_now();
  static double cpu_now() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  }
  double wall() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  double cpu() const { return cpu_now() - cpu_start; }
};

// The value at `share` (0–1) of the sorted values. REQUIRES: values.
inline double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<size_t>(std::lround(share * last))];
}
inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

// When the first event of a turn came.
class FirstEvent final : public EventSink {
 public:
  explicit FirstEvent(const Stopwatch& watch) : watch_(watch) {}
  void emit(const Event&) override {
    if (seconds == 0) seconds = watch_.wall();
  }
  double seconds = 0;

 private:
  const Stopwatch& watch_;
};

// Bytes of memory that this process has in use now.
inline uint64_t resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (std::string_view(line).starts_with("VmRSS:"))
      return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  return 0;
}

}  // namespace precedent
