#include "telemetry/snapshot/metric_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "telemetry/snapshot/exposition.h"

namespace precedent {
namespace {

// Above this a number of seconds is a number of milliseconds (the year 5138).
constexpr double kFirstMilliseconds = 1e11;
constexpr size_t kMaxLine = 1 << 20;
// A wide file of every pod of a large cluster has thousands.
constexpr size_t kMaxColumns = 10'000;
constexpr std::array<std::string_view, 5> kTimeNames = {"timestamp", "time", "ts", "datetime",
                                                        "date"};

// Fields point into the line, or into `storage` where quotes were taken out.
struct Row {
  std::vector<std::string> cells;
};

Row split_row(std::string_view line, char delimiter) {
  Row row;
  std::string cell;
  bool is_quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (is_quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      cell += line[++i];
    } else if (c == '"' && (is_quoted || trim(cell).empty())) {
      is_quoted = !is_quoted;
    } else if (c == delimiter && !is_quoted) {
      row.cells.emplace_back(trim(cell));
      cell.clear();
    } else {
      cell += c;
    }
  }
  row.cells.emplace_back(trim(cell));
  return row;
}

char delimiter_of(std::string_view header) {
  constexpr std::array<char, 3> kDelimiters = {',', '\t', ';'};
  return *std::ranges::max_element(kDelimiters, {},
                                   [&](char c) { return std::ranges::count(header, c); });
}

bool is_time_name(std::string_view name) {
  return std::ranges::any_of(kTimeNames,
                             [&](std::string_view known) { return iequals(known, name); });
}

std::optional<Instant> instant_of(std::string_view text) {
  if (const auto number = metric_value(text))
    return metric_time(*number >= kFirstMilliseconds ? *number / 1000 : *number);
  const auto time = parse_time(text);
  if (!time) return std::nullopt;
  return Instant(*time);
}

class CsvMetrics {
 public:
  CsvMetrics(std::string_view path, MetricBuilder& into, ReadProblems& problems)
      : path_(path), into_(into), problems_(problems) {}

  // False: nothing of the file can be used.
  bool read_header(std::string_view line) {
    delimiter_ = delimiter_of(line);
    header_ = split_row(line, delimiter_).cells;
    if (header_.size() > kMaxColumns) return wrong(1, "has more than 10,000 columns"), false;
    for (const std::string_view wanted : kTimeNames) {
      const auto found = std::ranges::find_if(
          header_, [&](const std::string& name) { return iequals(name, wanted); });
      if (found == header_.end()) continue;
      time_ = static_cast<size_t>(found - header_.begin());
      break;
    }
    if (!time_) return wrong(1, "has no column called timestamp; it is left out"), false;
    for (size_t i = 0; i < header_.size(); ++i) {
      if (iequals(header_[i], "metric") || iequals(header_[i], "metric_name")) metric_ = i;
      if (iequals(header_[i], "value")) value_ = i;
      names_.push_back(as_metric_name(header_[i]));
    }
    return true;
  }

  void read_row(size_t number, std::string_view line) {
    if (trim(line).empty()) return;
    if (line.size() > kMaxLine) return wrong(number, "is longer than a megabyte");
    const Row row = split_row(line, delimiter_);
    if (row.cells.size() != header_.size())
      return wrong(number,
                   fmt::format("has {} fields, the header {}", row.cells.size(), header_.size()));
    const std::string& when = row.cells[*time_];
    // Rows of one moment follow each other.
    if (when != last_when_) {
      last_when_ = when;
      last_at_ = instant_of(when);
    }
    if (!last_at_)
      return wrong(number, fmt::format("'{}' is no time of 2001 to 2100; write "
                                       "2026-11-19T14:05:00Z or seconds since 1970",
                                       utf8_prefix(repair_utf8(when), 60)));
    if (metric_ && value_)
      read_long(number, row);
    else
      read_wide(number, row);
  }

 private:
  void wrong(size_t number, std::string_view what) {
    problems_.add(fmt::format("{}:{}: {}", path_, number, what));
  }

  bool is_label(size_t column) const {
    return column != *time_ && !is_time_name(header_[column]) && !names_[column].empty();
  }

  LabelSet labels_of(const Row& row, const std::vector<size_t>& columns) const {
    LabelSet labels;
    for (const size_t column : columns) {
      std::string name = names_[column];
      std::ranges::replace(name, ':', '_');
      if (!row.cells[column].empty())
        labels.insert_or_assign(std::move(name), repair_utf8(row.cells[column]));
    }
    return labels;
  }

  void put(size_t number, const std::string& metric, const Row& row,
           const std::vector<size_t>& label_columns, double value) {
    if (into_.full()) {
      if (!said_full_)
        wrong(number, "the snapshot is too large; keep fewer series or a shorter time");
      said_full_ = true;
      return;
    }
    key_ = metric;
    for (const size_t column : label_columns) (key_ += '\0') += row.cells[column];
    std::vector<Sample>* series = into_.find(key_);
    if (series == nullptr) {
      LabelSet labels = labels_of(row, label_columns);
      if (label_columns.empty() && !metric_) {
        const size_t slash = path_.find_last_of('/');
        const std::string_view file = path_.substr(slash == std::string_view::npos ? 0 : slash + 1);
        labels["file"] = file.substr(0, file.find('.'));
      }
      series = into_.begin(key_, metric, std::move(labels));
    }
    into_.add(*series, {*last_at_, value});
  }

  void read_long(size_t number, const Row& row) {
    if (label_columns_.empty() && !columns_known_)
      for (size_t i = 0; i < header_.size(); ++i)
        if (i != *metric_ && i != *value_ && is_label(i)) label_columns_.push_back(i);
    columns_known_ = true;
    if (row.cells[*value_].empty()) return;
    const auto value = metric_value(row.cells[*value_]);
    const std::string metric = as_metric_name(row.cells[*metric_]);
    if (!value || metric.empty())
      return wrong(number, value ? "names no metric" : "has no number in the column value");
    put(number, metric, row, label_columns_, *value);
  }

  void read_wide(size_t number, const Row& row) {
    if (!columns_known_) {
      for (size_t i = 0; i < header_.size(); ++i) {
        if (!is_label(i)) continue;
        const bool is_text = !row.cells[i].empty() && !metric_value(row.cells[i]);
        (is_text ? label_columns_ : metric_columns_).push_back(i);
      }
      columns_known_ = true;
    }
    for (const size_t column : metric_columns_) {
      if (row.cells[column].empty()) continue;
      const auto value = metric_value(row.cells[column]);
      if (!value) {
        wrong(number, fmt::format("the column {} has no number", repair_utf8(header_[column])));
        continue;
      }
      put(number, names_[column], row, label_columns_, *value);
    }
  }

  std::string_view path_;
  MetricBuilder& into_;
  ReadProblems& problems_;
  char delimiter_ = ',';
  std::vector<std::string> header_, names_;
  std::optional<size_t> time_, metric_, value_;
  bool columns_known_ = false;
  std::vector<size_t> label_columns_, metric_columns_;
  std::string last_when_;
  std::optional<Instant> last_at_;
  std::string key_;
  bool said_full_ = false;
};

}  // namespace

std::string as_metric_name(std::string_view text) {
  std::string out;
  for (const char c : trim(text)) {
    const bool keeps = is_alnum(c) || c == '_' || c == ':';
    if (keeps)
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (out.ends_with('_')) out.pop_back();
  if (!out.empty() && is_digit(out[0])) out.insert(out.begin(), '_');
  return out;
}

void read_metric_csv(std::string_view text, std::string_view path, MetricBuilder& into,
                     ReadProblems& problems) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  CsvMetrics reader(path, into, problems);
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view line = trim(text.substr(0, end));
    if (number == 1) {
      if (!reader.read_header(line)) break;
    } else {
      reader.read_row(number, line);
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  into.end_file();
}

}  // namespace precedent
