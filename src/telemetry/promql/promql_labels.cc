#include "telemetry/promql/promql_labels.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <span>

#include "base/ascii.h"
#include "base/utf8.h"
#include "telemetry/metrics/evaluate.h"

namespace precedent {
namespace {

constexpr size_t kShown = 100;

// Empty values are no labels.
void put(LabelSet& labels, const std::string& label, std::string value) {
  if (value.empty())
    labels.erase(label);
  else
    labels[label] = std::move(value);
}

// "$1-${name}" with what a pattern matched; $$ is a dollar, an unknown group is nothing. As in Go's
// Regexp.Expand, a name is as long as it can be.
class Template {
 public:
  Template(std::string_view text, const RE2& pattern)
      : text_(text), names_(pattern.NamedCapturingGroups()) {}

  std::string expand(std::span<const re2::StringPiece> groups) {
    std::string out;
    for (size_t i = 0; i < text_.size();) {
      if (text_[i] != '$') {
        out += text_[i++];
        continue;
      }
      const std::string_view rest = text_.substr(i + 1);
      if (rest.starts_with('$')) {
        out += '$';
        i += 2;
        continue;
      }
      const bool braced = rest.starts_with('{');
      size_t end = braced ? 1 : 0;
      const auto is_word = [](char c) { return is_alnum(c) || c == '_'; };
      while (end < rest.size() && is_word(rest[end])) ++end;
      const std::string_view name = rest.substr(braced ? 1 : 0, end - (braced ? 1 : 0));
      const bool closed = !braced || (end < rest.size() && rest[end] == '}');
      if (name.empty() || !closed) {
        out += text_[i++];
        continue;
      }
      append(out, name, groups);
      i += 1 + end + (braced ? 1 : 0);
    }
    return out;
  }

 private:
  void append(std::string& out, std::string_view name,
              std::span<const re2::StringPiece> groups) const {
    size_t index = groups.size();
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
    if (error != std::errc() || end != name.data() + name.size()) {
      const auto named = names_.find(std::string(name));
      index = named == names_.end() ? groups.size() : static_cast<size_t>(named->second);
    }
    if (index < groups.size() && groups[index].data() != nullptr)
      out.append(groups[index].data(), groups[index].size());
  }

  std::string_view text_;
  const std::map<std::string, int>& names_;
};

std::unexpected<Error> no_label(const std::string& text) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("writes to '{}', which is no label; write letters, digits and _",
                          utf8_prefix(text, kShown)));
}

}  // namespace

Result<PromMatrix> replace_labels(PromMatrix matrix, const std::vector<std::string>& texts) {
  const std::string &to = texts[0], &replacement = texts[1], &from = texts[2];
  if (!is_label_name(to)) return no_label(to);
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 pattern(texts[3], options);
  if (!pattern.ok())
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("has '{}', which is no regular expression ({})",
                            utf8_prefix(texts[3], kShown), pattern.error()));
  Template filled(replacement, pattern);
  std::vector<re2::StringPiece> groups(static_cast<size_t>(pattern.NumberOfCapturingGroups()) + 1);
  for (PromColumn& column : matrix) {
    const auto found = column.labels.find(from);
    const std::string value = found == column.labels.end() ? std::string() : found->second;
    if (pattern.Match(value, 0, value.size(), RE2::ANCHOR_BOTH, groups.data(),
                      static_cast<int>(groups.size())))
      put(column.labels, to, filled.expand(groups));
  }
  return united(std::move(matrix));
}

Result<PromMatrix> join_labels(PromMatrix matrix, const std::vector<std::string>& texts) {
  const std::string &to = texts[0], &separator = texts[1];
  if (!is_label_name(to)) return no_label(to);
  const std::span<const std::string> from = std::span(texts).subspan(2);
  for (const std::string& label : from)
    if (!is_label_name(label))
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("reads '{}', which is no label", utf8_prefix(label, kShown)));
  for (PromColumn& column : matrix) {
    std::string value;
    for (size_t i = 0; i < from.size(); ++i) {
      if (i > 0) value += separator;
      if (const auto found = column.labels.find(from[i]); found != column.labels.end())
        value += found->second;
    }
    put(column.labels, to, std::move(value));
  }
  return united(std::move(matrix));
}

PromMatrix histogram_quantiles(const PromMatrix& buckets, std::span<const double> quantile,
                               size_t points) {
  struct Histogram {
    std::vector<const PromColumn*> columns;
    std::vector<double> bounds;
  };
  std::map<LabelSet, Histogram> histograms;
  for (const PromColumn& column : buckets) {
    const double bound = bucket_bound(column.labels);
    if (std::isnan(bound)) continue;
    LabelSet labels = column.labels;
    labels.erase("le");
    Histogram& histogram = histograms[std::move(labels)];
    histogram.columns.push_back(&column);
    histogram.bounds.push_back(bound);
  }
  PromMatrix out;
  for (const auto& [labels, histogram] : histograms) {
    PromColumn& made = out.emplace_back(without_name(labels), points);
    for (size_t point = 0; point < points; ++point) {
      std::vector<Bucket> at_point;
      for (size_t i = 0; i < histogram.columns.size(); ++i)
        if (histogram.columns[i]->has(point))
          at_point.push_back({histogram.bounds[i], histogram.columns[i]->values[point]});
      if (!at_point.empty())
        made.values[point] = bucket_quantile(quantile[point], std::move(at_point));
    }
  }
  return out;
}

LabelSet labels_of_absent(const PromNode& node) {
  const PromNode* inner = &node;
  if (const auto* range = std::get_if<PromRange>(&node.kind)) inner = range->of.get();
  LabelSet labels;
  const auto* selector = std::get_if<PromSelector>(&inner->kind);
  if (selector == nullptr) return labels;
  // What an equality says stays, unless a later filter speaks of the same label.
  std::set<std::string> said;
  for (const LabelFilter& filter : selector->filters) {
    if (filter.label == kNameLabel) continue;
    if (filter.op == LabelFilter::Op::kEqual && said.insert(filter.label).second)
      put(labels, filter.label, filter.value);
    else
      labels.erase(filter.label);
  }
  return labels;
}

}  // namespace precedent
