#include "telemetry/prometheus/prometheus_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/redact.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"
#include "telemetry/snapshot/exposition.h"

namespace precedent {
namespace {

using nlohmann::json;

// Longer advice of a server is nobody's reading.
constexpr size_t kMaxMessage = 500;
constexpr size_t kMaxNames = 200'000;

// The events of one answer. Where we are is the list of keys that are open; "" is a list.
class AnswerReader final : public nlohmann::json_sax<json> {
 public:
  PrometheusAnswer answer;
  bool has_status = false;
  bool too_large = false;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t value) override {
    return number(static_cast<double>(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return number(static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool binary(binary_t&) override { return true; }

  bool string(string_t& text) override {
    const size_t depth = path_.size();
    if (depth == 1 && path_[0] == "status") has_status = true;
    if (depth == 1 && path_[0] == "error") answer.error = shortened(text);
    if (depth == 1 && path_[0] == "errorType") answer.error_type = shortened(text);
    if (depth == 2 && path_[0] == "warnings") answer.set.warnings.push_back(shortened(text));
    if (depth == 2 && path_[0] == "data" && path_[1] == "resultType") answer.result_type = text;
    if (depth == 2 && path_[0] == "data" && path_[1].empty()) {
      answer.names.push_back(repair_utf8(text));
      return fits(answer.names.size(), kMaxNames);
    }
    if (depth == 3 && path_[0] == "data" && path_[1].empty())
      label(answer.label_sets.back(), path_[2], text);
    if (in_metric_) label(series().labels, path_.back(), text);
    if (in_values_ && has_time_) return sample(text);
    return true;
  }

  bool start_object(size_t) override {
    if (path_.size() == 2 && path_[0] == "data" && path_[1].empty()) {
      answer.label_sets.emplace_back();
      path_.emplace_back();
      return fits(answer.label_sets.size(), MetricsSource::kMaxSeries);
    }
    if (in_result() && path_.size() == 3) answer.set.series.emplace_back();
    if (in_result() && path_.size() == 4 && path_[3] == "metric") in_metric_ = true;
    path_.emplace_back();
    return shallow() && fits(answer.set.series.size(), MetricsSource::kMaxSeries);
  }
  bool end_object() override {
    path_.pop_back();
    in_metric_ = false;
    return true;
  }
  bool key(string_t& text) override {
    path_.back() = text;
    return true;
  }
  bool start_array(size_t) override {
    // [time, "value"] of a series in values, of a vector's value, or of a scalar's result itself.
    if (path_.size() == 2 && path_[1] == "result" &&
        (answer.result_type == "scalar" || answer.result_type == "string"))
      answer.set.series.emplace_back();
    if (path_.size() >= 2 && path_[0] == "data" && path_[1] == "result") {
      in_values_ = !answer.set.series.empty();
      has_time_ = false;
    }
    path_.emplace_back();
    return shallow();
  }
  bool end_array() override {
    path_.pop_back();
    in_values_ = has_time_ = false;
    return true;
  }
  bool parse_error(size_t, const std::string&, const json::exception&) override { return false; }

 private:
  bool in_result() const { return path_.size() >= 2 && path_[0] == "data" && path_[1] == "result"; }
  bool shallow() const { return path_.size() <= kMaxJsonDepth; }
  Series& series() { return answer.set.series.back(); }
  static std::string shortened(const std::string& text) {
    return std::string(utf8_prefix(redact(visible_text(text)), kMaxMessage));
  }
  static void label(LabelSet& labels, const std::string& name, const std::string& value) {
    if (!value.empty()) labels.insert_or_assign(repair_utf8(name), repair_utf8(value));
  }
  bool fits(size_t size, size_t limit) {
    too_large = too_large || size > limit;
    return !too_large;
  }
  bool number(double value) {
    if (!in_values_ || has_time_ || !(std::abs(value) < 1e15)) return true;
    at_ = Instant(std::chrono::milliseconds(std::llround(value * 1000)));
    has_time_ = true;
    return true;
  }
  bool sample(const std::string& text) {
    has_time_ = false;
    const auto value = metric_value(text);
    if (!value) return false;
    series().samples.push_back({at_, *value});
    return fits(++samples_, MetricsSource::kMaxSamples);
  }

  std::vector<std::string> path_;  // the open key of each open object, "" of each list
  bool in_metric_ = false;
  bool in_values_ = false;
  bool has_time_ = false;
  Instant at_{};
  size_t samples_ = 0;
};

Error not_an_answer() {
  return {ErrorCode::kCorrupt, "the answer is not one of Prometheus' HTTP API"};
}

}  // namespace

Result<PrometheusAnswer> read_prometheus_answer(std::string_view text) {
  AnswerReader reader;
  const bool read = json::sax_parse(text, &reader);
  if (reader.too_large)
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("the answer has more than {} series or {} samples; aggregate with sum "
                            "by (...), take topk(10, ...), or ask for a shorter window",
                            MetricsSource::kMaxSeries, MetricsSource::kMaxSamples));
  if (!read || !reader.has_status) return std::unexpected(not_an_answer());
  for (Series& series : reader.answer.set.series) {
    series.labels.erase("__name__");
    normalize(series.samples);
  }
  for (LabelSet& labels : reader.answer.label_sets) labels.erase("__name__");
  return std::move(reader.answer);
}

Result<PrometheusAnswer> read_prometheus_metadata(std::string_view text) {
  const json root = parse_json(text);
  if (!root.is_object() || !root.contains("data") || !root["data"].is_object())
    return std::unexpected(not_an_answer());
  const auto text_of = [](const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string()
               ? repair_utf8(found->get_ref<const std::string&>())
               : std::string();
  };
  PrometheusAnswer answer;
  for (const auto& [name, entries] : root["data"].items()) {
    if (!entries.is_array() || entries.empty() || !entries[0].is_object()) continue;
    if (answer.metadata.size() == kMaxNames) break;
    const json& entry = entries[0];
    answer.metadata.push_back({repair_utf8(name), metric_type_of(text_of(entry, "type")),
                               text_of(entry, "unit"), text_of(entry, "help")});
  }
  return answer;
}

}  // namespace precedent
