#include "agent/findings/extra_fields.h"

#include <re2/re2.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "base/strings.h"

namespace precedent {
namespace {

using nlohmann::json;

std::string readable(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c == '_' || c == '-') {
      out += ' ';
    } else if (is_upper(c) && !out.empty() && is_lower(out.back())) {
      out += ' ';
      out += static_cast<char>(tolower(c));
    } else {
      out += c;
    }
  }
  return out;
}

// "389 minutes", "1.5 h", "6h29m": all numbers with a unit, added up.
std::optional<std::chrono::minutes> read_duration(const std::string& text) {
  static const RE2 kPart(
      "(?i)(\\d+(?:\\.\\d+)?)\\s*(d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?)\\b?");
  re2::StringPiece rest(text);
  double number = 0, minutes = 0;
  std::string unit;
  bool found = false;
  while (RE2::FindAndConsume(&rest, kPart, &number, &unit)) {
    const char first = ascii_lower(unit)[0];
    minutes += number * (first == 'd' ? 1440 : first == 'h' ? 60 : 1);
    found = true;
  }
  if (!found || minutes > 1e8) return std::nullopt;
  return std::chrono::minutes(static_cast<int64_t>(minutes));
}

}  // namespace

std::vector<ExtraField> extra_fields(const Incident& incident) {
  std::vector<ExtraField> fields;
  for (const auto& [key, value] : incident.extra) {
    // Lists and objects are kept as compact JSON.
    const auto object = value.starts_with('{') ? parse_json(value) : json();
    if (!object.is_object()) {
      fields.push_back({readable(key), value});
      continue;
    }
    for (const auto& [name, member] : object.items())
      fields.push_back(
          {readable(name), member.is_string() ? member.get<std::string>() : dump_json(member)});
  }
  return fields;
}

std::vector<ExtraField> measured_times(const Incident& incident) {
  static const RE2 kMeasured(
      "(?i)\\btime to\\b|\\bduration\\b|\\bdown ?time\\b|\\bmtt[rd]\\b|\\btt[rd]\\b");
  std::vector<ExtraField> times = extra_fields(incident);
  std::erase_if(times, [](const ExtraField& field) {
    return !RE2::PartialMatch(field.name, kMeasured) ||
           field.value.find_first_of("0123456789") == std::string::npos;
  });
  return times;
}

std::optional<std::chrono::minutes> time_to_recover(const Incident& incident) {
  if (const auto known = lasted(incident)) return known;
  static const RE2 kWhole("(?i)recover|resol|repair|restor|duration|down ?time|ttr\\b");
  for (const ExtraField& field : measured_times(incident)) {
    if (!RE2::PartialMatch(field.name, kWhole)) continue;
    if (const auto duration = read_duration(field.value)) return duration;
  }
  return std::nullopt;
}

}  // namespace precedent
