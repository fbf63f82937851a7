// Random PromQL over the metrics of promql_lab.h, for the comparison with a real Prometheus: what
// nobody thought of writing down. The same on every machine for the same seed.
//
// Not made: what hangs on the last bit of a sum (floor, % and comparisons of computed values), and
// topk of what can be equal, whose choice is Prometheus' own. Thread safety: one thread.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <random>
#include <string>

namespace precedent {

class PromqlMaker {
 public:
  explicit PromqlMaker(uint64_t seed) : random_(seed) {}

  // An expression of type instant vector, of at most so many levels.
  std::string vector(int depth) {
    if (depth <= 0) return one_of({selector(), selector() + " offset " + duration()});
    switch (random_() % 8) {
      case 0: return selector();
      case 1: return aggregation(depth);
      case 2: return binary(depth);
      case 3: return set_operation(depth);
      case 4:
        return fmt::format("{}({})", one_of({"abs", "sgn", "-", "sqrt", "ln"}), vector(depth - 1));
      case 5:
        return fmt::format("{}({}, {})", one_of({"clamp_min", "clamp_max"}), vector(depth - 1),
                           scalar());
      case 6: return comparison();
      default: return over_range(depth);
    }
  }

 private:
  std::string one_of(std::initializer_list<std::string> all) {
    return *(all.begin() + random_() % all.size());
  }
  std::string scalar() {
    return one_of({"0", "1", "7.5", "-3", "1e6", "scalar(queue_length{job=\"api\"})"});
  }
  std::string duration() { return one_of({"1m", "3m", "5m", "7m30s", "20m", "1h"}); }
  std::string selector() {
    return one_of({"requests_total", "requests_total{code=~\"[45]..\"}",
                   "requests_total{job=\"api\"}", "requests_total{instance!=\"0\",code!~\"5.*\"}",
                   "temperature", "queue_length", "latency_seconds_bucket", "latency_seconds_count",
                   "build_info", "limit_bytes", "used_bytes", "{__name__=~\"(used|limit)_bytes\"}",
                   "temperature{room=~\"[0-4]\"}"});
  }
  std::string labels() {
    return one_of({"()", "(job)", "(job, instance)", "(code)", "(room)", "(le)", "(version)",
                   "(__name__)", "(job, code, instance, le, room, floor)"});
  }

  std::string over_range(int depth) {
    const std::string function = one_of(
        {"rate", "irate", "increase", "delta", "idelta", "resets", "changes", "avg_over_time",
         "min_over_time", "max_over_time", "sum_over_time", "count_over_time", "last_over_time",
         "present_over_time", "stddev_over_time", "absent_over_time"});
    const std::string offset = one_of({"", "", " offset 4m", " offset -3m"});
    if (random_() % 3 == 0)
      return fmt::format("{}({}[{}:{}]{})", function, vector(depth - 2), duration(),
                         one_of({"", "1m", "47s", "5m"}), offset);
    return fmt::format("{}({}[{}]{})", function, selector(), duration(), offset);
  }

  std::string aggregation(int depth) {
    const std::string of = vector(depth - 1);
    const std::string grouping = one_of({"", " by " + labels(), " without " + labels()});
    if (random_() % 4 == 0) return fmt::format("quantile{} (0.7, {})", grouping, of);
    return fmt::format("{}{} ({})",
                       one_of({"sum", "avg", "min", "max", "count", "group", "stddev", "stdvar"}),
                       grouping, of);
  }

  std::string binary(int depth) {
    const std::string op = one_of({"+", "-", "*", "/"});
    if (random_() % 3 == 0) return fmt::format("({} {} {})", vector(depth - 1), op, scalar());
    const std::string matching =
        one_of({"", "", "on " + labels(), "ignoring " + labels(), "on (job) group_left ()",
                "on (job) group_left (version)", "on (job) group_right ()",
                "ignoring (instance) group_left ()"});
    return fmt::format("({} {} {} {})", vector(depth - 1), op, matching, vector(depth - 1));
  }

  std::string set_operation(int depth) {
    return fmt::format("({} {} {} {})", vector(depth - 1), one_of({"and", "or", "unless"}),
                       one_of({"", "on " + labels(), "ignoring " + labels()}), vector(depth - 1));
  }

  // Of samples as they are, which both read the same.
  std::string comparison() {
    return fmt::format("({} {} {}{})", selector(), one_of({"==", "!=", "<", "<=", ">", ">="}),
                       one_of({"", "bool "}),
                       one_of({scalar(), scalar(), selector() + " offset " + duration()}));
  }

  std::mt19937_64 random_;
};

}  // namespace precedent
