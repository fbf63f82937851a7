#include "telemetry/metrics/series.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/ascii.h"

namespace precedent {
namespace {

constexpr uint64_t kStaleBits = 0x7ff0000000000002;

bool is_name(std::string_view text, bool colon) {
  const auto fits = [colon](char c) { return is_letter(c) || c == '_' || (colon && c == ':'); };
  return !text.empty() && fits(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return fits(c) || is_digit(c); });
}

}  // namespace

double stale_marker() { return std::bit_cast<double>(kStaleBits); }
bool is_stale(double value) { return std::bit_cast<uint64_t>(value) == kStaleBits; }

void normalize(std::vector<Sample>& samples) {
  const auto out_of_order = [](const Sample& a, const Sample& b) { return a.at >= b.at; };
  if (std::ranges::adjacent_find(samples, out_of_order) == samples.end()) return;
  std::ranges::stable_sort(samples, {}, &Sample::at);
  size_t kept = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (i + 1 < samples.size() && samples[i + 1].at == samples[i].at) continue;
    samples[kept++] = samples[i];
  }
  samples.resize(kept);
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

std::string format_labels(const LabelSet& labels) {
  std::string out = "{";
  for (const auto& [name, value] : labels) {
    if (out.size() > 1) out += ",";
    out += name + "=" + quote(value);
  }
  return out + "}";
}

bool is_metric_name(std::string_view text) { return is_name(text, true); }
bool is_label_name(std::string_view text) { return is_name(text, false); }

std::string format_time(Instant at) {
  return format_time(std::chrono::floor<std::chrono::seconds>(at));
}

}  // namespace precedent
