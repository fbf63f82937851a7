#include "telemetry/metrics/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/strings.h"

namespace precedent {
namespace {

constexpr std::array<std::string_view, 5> kTypes = {"unknown", "counter", "gauge", "histogram",
                                                    "summary"};
// Base units of the OpenMetrics specification, and two that people use all the same.
constexpr std::array<std::string_view, 10> kUnits = {"seconds",      "bytes",  "ratio",   "celsius",
                                                     "meters",       "volts",  "amperes", "joules",
                                                     "milliseconds", "percent"};

std::string unit_in(std::string_view name) {
  if (name.ends_with("_total")) name.remove_suffix(6);
  if (name.ends_with("_ms")) return "milliseconds";
  for (const std::string_view unit : kUnits)
    if (name.ends_with(unit) && name.size() > unit.size() &&
        name[name.size() - unit.size() - 1] == '_')
      return std::string(unit);
  return "";
}

// "http_requests_total" → {http, requests, total}; a plural counts as the singular.
std::set<std::string> parts_of(std::string_view name) {
  std::set<std::string> parts;
  std::string part;
  for (const char c : ascii_lower(name) + "_") {
    if (is_lower(c) || is_digit(c)) {
      part += c;
      continue;
    }
    if (part.size() > 3 && part.ends_with('s')) part.pop_back();
    if (!part.empty()) parts.insert(part);
    part.clear();
  }
  return parts;
}

}  // namespace

std::string_view name(MetricType type) { return kTypes[static_cast<size_t>(type)]; }

MetricType metric_type_of(std::string_view name) {
  for (size_t i = 0; i < kTypes.size(); ++i)
    if (kTypes[i] == name) return static_cast<MetricType>(i);
  return MetricType::kUnknown;
}

std::vector<MetricInfo> build_catalogue(std::vector<std::string> names,
                                        std::span<const MetricInfo> known) {
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  const auto exists = [&](const std::string& name) {
    return std::ranges::binary_search(names, name);
  };
  const auto recorded = [&](const std::string& name) -> const MetricInfo* {
    const auto found = std::ranges::find(known, name, &MetricInfo::name);
    return found == known.end() ? nullptr : &*found;
  };
  std::map<std::string, MetricInfo> out;
  for (const std::string& series_name : names) {
    std::string family = series_name;
    MetricType type = series_name.ends_with("_total") ? MetricType::kCounter : MetricType::kGauge;
    for (const std::string_view ending : {"_bucket", "_count", "_sum"}) {
      if (!series_name.ends_with(ending)) continue;
      const std::string base = series_name.substr(0, series_name.size() - ending.size());
      if (exists(base + "_bucket") && exists(base + "_count")) {
        family = base;
        type = MetricType::kHistogram;
      } else if (exists(base + "_count") && exists(base + "_sum")) {
        type = MetricType::kCounter;  // of a summary; the quantiles are the family itself
      }
    }
    MetricInfo& info = out[family];
    info.name = family;
    if (const MetricInfo* said = recorded(family); said != nullptr) {
      info = *said;
      if (said->type != MetricType::kUnknown) type = said->type;
    } else if (family.ends_with("_total")) {
      // OpenMetrics names a counter's family without the ending.
      if (const MetricInfo* base = recorded(family.substr(0, family.size() - 6)); base != nullptr) {
        info.unit = base->unit;
        info.help = base->help;
      }
    }
    info.type = type;
    if (info.unit.empty()) info.unit = unit_in(family);
  }
  std::vector<MetricInfo> catalogue;
  catalogue.reserve(out.size());
  for (auto& [name, info] : out) catalogue.push_back(std::move(info));
  return catalogue;
}

const MetricInfo* find_metric(std::span<const MetricInfo> catalogue, std::string_view name) {
  const auto found = std::ranges::find(catalogue, name, &MetricInfo::name);
  return found == catalogue.end() ? nullptr : &*found;
}

std::vector<std::string> suggest(std::string_view wrong, const std::vector<std::string>& names,
                                 size_t limit) {
  struct Candidate {
    double score;
    const std::string* name;
  };
  const auto typo = nearest(wrong, names);
  const std::set<std::string> wanted = parts_of(wrong);
  std::vector<Candidate> candidates;
  for (const std::string& name : names) {
    const std::set<std::string> parts = parts_of(name);
    const auto shared = std::ranges::count_if(
        wanted, [&](const std::string& part) { return parts.contains(part); });
    double score =
        static_cast<double>(2 * shared) / static_cast<double>(wanted.size() + parts.size() + 1);
    // One shared part is what a slip of the finger gives as well.
    if (typo && name == *typo) score += 0.5;
    if (score > 0) candidates.push_back({score, &name});
  }
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : *a.name < *b.name;
  });
  std::vector<std::string> out;
  for (const Candidate& candidate : candidates) {
    if (out.size() == limit) break;
    out.push_back(*candidate.name);
  }
  return out;
}

std::string nearest_names(const std::vector<std::string>& names) {
  if (names.empty()) return "metrics_query metric=* lists all metrics.";
  return fmt::format("The nearest names: {}; metrics_query metric=* lists all.", join(names, ", "));
}

}  // namespace precedent
