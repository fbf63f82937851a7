#include "telemetry/snapshot/exposition.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// Far above any line of an exporter; a longer one is no exposition.
constexpr size_t kMaxLine = 1 << 20;
// 2001-09-09 and 2100-01-01, in seconds: what lies beyond is in a wrong unit, or has lost a digit.
constexpr double kFirstSeconds = 1e9;
constexpr double kLastSeconds = 4102444800.0;
// From here on (the year 5138) a number of seconds is one of milliseconds.
constexpr double kFirstMilliseconds = 1e11;

std::string_view skip_blanks(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

// The word at the front, taken off.
std::string_view take_word(std::string_view& rest) {
  rest = skip_blanks(rest);
  const size_t end = std::min(rest.find_first_of(" \t"), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

// Where the {…} that opens at `begin` ends, one past its brace; npos if it does not.
size_t end_of_labels(std::string_view line, size_t begin) {
  bool is_quoted = false;
  for (size_t i = begin + 1; i < line.size(); ++i) {
    if (is_quoted && line[i] == '\\')
      ++i;
    else if (line[i] == '"')
      is_quoted = !is_quoted;
    else if (line[i] == '}' && !is_quoted)
      return i + 1;
  }
  return std::string_view::npos;
}

// Takes `"…"` off the front; nothing if it is not closed.
std::optional<std::string> take_quoted(std::string_view& rest) {
  std::string value;
  if (!rest.starts_with('"')) return std::nullopt;
  for (size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return repair_utf8(value);
    }
    if (rest[i] == '\\' && i + 1 < rest.size()) {
      ++i;
      value += rest[i] == 'n' ? '\n' : rest[i];
    } else {
      value += rest[i];
    }
  }
  return std::nullopt;
}

// `inside` is what stands between the braces.
std::optional<LabelSet> read_labels(std::string_view inside) {
  LabelSet labels;
  for (inside = skip_blanks(inside); !inside.empty(); inside = skip_blanks(inside)) {
    const size_t equals = inside.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view name = trim(inside.substr(0, equals));
    inside = skip_blanks(inside.substr(equals + 1));
    auto value = take_quoted(inside);
    if (!value || !is_label_name(name)) return std::nullopt;
    // An empty label is none, as in Prometheus.
    if (!value->empty()) labels.insert_or_assign(std::string(name), std::move(*value));
    inside = skip_blanks(inside);
    if (inside.starts_with(',')) inside.remove_prefix(1);
  }
  return labels;
}

class ExpositionReader {
 public:
  // `whole`: it ends as OpenMetrics does.
  ExpositionReader(std::string_view path, bool whole, MetricBuilder& into, ReadProblems& problems)
      : path_(path), into_(into), problems_(problems) {
    if (whole) seconds_ = true;
  }

  void read_line(size_t number, std::string_view line) {
    line = trim(line);
    if (line.empty()) return;
    if (line.size() > kMaxLine) return wrong(number, "is longer than a megabyte");
    if (line[0] == '#')
      read_comment(line.substr(1));
    else
      read_sample(number, line);
  }

 private:
  void wrong(size_t number, std::string_view what) {
    problems_.add(fmt::format("{}:{}: {}", path_, number, what));
  }

  void read_comment(std::string_view rest) {
    const std::string_view keyword = take_word(rest);
    if (keyword != "TYPE" && keyword != "UNIT" && keyword != "HELP") return;
    const std::string_view metric = take_word(rest);
    if (!is_metric_name(metric)) return;
    auto& all = into_.info();
    if (all.empty() || all.back().name != metric) into_.describe({std::string(metric)});
    const std::string_view said = trim(rest);
    if (keyword == "TYPE") all.back().type = metric_type_of(said);
    if (keyword == "UNIT") all.back().unit = repair_utf8(said);
    if (keyword == "HELP") all.back().help = repair_utf8(said);
  }

  void read_sample(size_t number, std::string_view line) {
    const size_t brace = line.find('{');
    const size_t blank = line.find_first_of(" \t");
    size_t end = blank;
    if (brace < blank) end = end_of_labels(line, brace);
    // "name {a="b"} 1" is allowed as well.
    if (blank < brace && brace != std::string_view::npos &&
        skip_blanks(line.substr(blank)).starts_with('{'))
      end = end_of_labels(line, brace);
    if (end == std::string_view::npos)
      return wrong(number, "is no sample; write name{label=\"value\"} value timestamp");
    const std::string_view key = line.substr(0, end);
    std::string_view rest = line.substr(end);
    const auto value = metric_value(take_word(rest));
    if (!value) return wrong(number, "has no number for a value");
    const std::string_view when = take_word(rest);
    if (when.empty() || when == "#")
      return wrong(number,
                   fmt::format("has no timestamp; write it after the value, in {}", unit()));
    const auto at = instant_of(when);
    if (!at)
      return wrong(number,
                   fmt::format("has a timestamp that is no time of 2001 to 2100 in {}", unit()));
    if (into_.full()) {
      if (!said_full_)
        wrong(number, "the snapshot is too large; keep fewer series or a shorter time");
      said_full_ = true;
      return;
    }
    std::vector<Sample>* series = into_.find(key);
    if (series == nullptr) series = begin_series(number, key);
    if (series != nullptr) into_.add(*series, {*at, *value});
  }

  std::vector<Sample>* begin_series(size_t number, std::string_view key) {
    const size_t brace = key.find('{');
    const std::string_view metric = trim(key.substr(0, brace));
    std::optional<LabelSet> labels = LabelSet();
    if (brace != std::string_view::npos)
      labels = read_labels(key.substr(brace + 1, key.size() - brace - 2));
    if (!is_metric_name(metric) || !labels) {
      wrong(number, "is no sample; write name{label=\"value\"} value timestamp");
      return nullptr;
    }
    return into_.begin(key, std::string(metric), std::move(*labels));
  }

  std::string_view unit() const { return seconds_.value_or(false) ? "seconds" : "milliseconds"; }

  std::optional<Instant> instant_of(std::string_view text) {
    const auto number = metric_value(text);
    if (!number) return std::nullopt;
    if (!seconds_) learn_unit(*number);
    return metric_time(*seconds_ ? *number : *number / 1000);
  }

  // Without an end that tells, the first timestamp does: seconds of our days would be milliseconds
  // of 1970.
  void learn_unit(double first) {
    seconds_ = first < kFirstMilliseconds;
    if (*seconds_)
      problems_.add(
          fmt::format("{}: does not end with \"# EOF\", though its timestamps are in "
                      "seconds, as in OpenMetrics: its end is missing, and what stood "
                      "there is in no answer; copy the whole file",
                      path_));
  }

  std::string_view path_;
  std::optional<bool> seconds_;  // of timestamps; nothing until it is known
  MetricBuilder& into_;
  ReadProblems& problems_;
  bool said_full_ = false;
};

}  // namespace

std::optional<Instant> metric_time(double seconds) {
  if (!(seconds >= kFirstSeconds && seconds < kLastSeconds)) return std::nullopt;
  return Instant(std::chrono::milliseconds(std::llround(seconds * 1000)));
}

std::optional<double> metric_value(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('+') || text.empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void read_exposition(std::string_view text, std::string_view path, MetricBuilder& into,
                     ReadProblems& problems) {
  ExpositionReader reader(path, trim(text).ends_with("# EOF"), into, problems);
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    reader.read_line(++number, text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  into.end_file();
}

}  // namespace precedent
