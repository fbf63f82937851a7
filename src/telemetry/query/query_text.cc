#include "telemetry/query/query_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "telemetry/promql/promql_parser.h"

namespace precedent {
namespace {

using std::chrono::seconds;

// A line that somebody writes; a longer one is something else.
constexpr size_t kMaxText = 16 * 1024;
// Filters and labels that one question names.
constexpr size_t kMaxParts = 32;
// Shorter than two scrapes.
constexpr seconds kMinWindow{30};

const std::vector<std::string>& keys() {
  static const std::vector<std::string> kKeys = {"metric", "window", "since", "until",  "filter",
                                                 "by",     "stat",   "agg",   "promql", "alert"};
  return kKeys;
}

std::string shown(std::string_view text) {
  return std::string(utf8_prefix(strip_controls(repair_utf8(text)), 80));
}

std::unexpected<Error> wrong(std::string_view token, std::string_view what) {
  return fail(ErrorCode::kInvalidArgument, fmt::format("'{}': {}", shown(token), what));
}

// The key at the front of `text`, if a word and a single '=' are there.
std::string_view key_at_front(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && (is_lower(text[end]) || text[end] == '_')) ++end;
  const bool assigns = end > 0 && end < text.size() && text[end] == '=';
  // == and =~ are PromQL's.
  if (!assigns || (end + 1 < text.size() && (text[end + 1] == '=' || text[end + 1] == '~')))
    return {};
  return text.substr(0, end);
}

struct Token {
  std::string_view raw;  // as written
  std::string key, value;
};

// Reads `key=value`; the value without its quotes.
Result<Token> take_token(std::string_view& rest) {
  Token token;
  std::string text;
  char quote = 0;
  size_t i = 0;
  for (; i < rest.size() && (quote != 0 || !is_blank(rest[i])); ++i) {
    const char c = rest[i];
    if (quote != 0 && c == '\\' && i + 1 < rest.size() &&
        (rest[i + 1] == quote || rest[i + 1] == '\\')) {
      text += rest[++i];
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      text += c;
    }
  }
  token.raw = rest.substr(0, i);
  rest.remove_prefix(i);
  if (quote != 0)
    return wrong(token.raw,
                 fmt::format("the quote {} is not closed; write {}…{}", quote, quote, quote));
  token.key = key_at_front(token.raw);
  if (token.key.empty())
    return wrong(token.raw,
                 "is no key=value; put values with spaces into quotes: filter=\"name=a b\"");
  token.value = repair_utf8(text.substr(token.key.size() + 1));
  if (std::ranges::find(keys(), token.key) == keys().end()) {
    const auto close = nearest(token.key, keys());
    return wrong(token.raw,
                 close
                     ? fmt::format("there is no {}=; did you mean {}=?", token.key, *close)
                     : fmt::format("there is no {}=; there are {}", token.key, join(keys(), ", ")));
  }
  if (token.value.empty()) return wrong(token.raw, "has no value");
  return token;
}

Result<TimeSpec> read_time(const Token& token) {
  if (token.value == "now") return TimeSpec(seconds(0));
  if (const auto ago = duration_of(token.value)) return TimeSpec(*ago);
  const auto time = parse_time(token.value);
  if (!time)
    return wrong(token.raw, token.key == "since"
                                ? "is no time; write 2026-11-19T13:00Z, 2h for two hours ago, or "
                                  "last-deploy"
                                : "is no time; write 2026-11-19T13:00Z, or 2h for two hours ago");
  return TimeSpec(*time);
}

Result<void> read_statistic(const Token& token, MetricsQuestion& question) {
  if (token.value.starts_with('p')) {
    double percent = 0;
    const std::string_view digits = std::string_view(token.value).substr(1);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), percent);
    if (error != std::errc() || end != digits.data() + digits.size() ||
        !(percent >= 0 && percent <= 100))
      return wrong(token.raw, "is no percentile; write stat=p95");
    question.statistic = Statistic::kQuantile;
    // To eight digits, so that p99.9 is 0.999.
    question.quantile = std::round(percent * 1e6) / 1e8;
    return {};
  }
  question.statistic = statistic_of(token.value);
  if (!question.statistic || *question.statistic == Statistic::kQuantile ||
      *question.statistic == Statistic::kRatio)
    return wrong(token.raw, "is no statistic; there are value, rate, increase and p0 to p100");
  return {};
}

Result<void> put_text(const Token& token, std::string& out) {
  if (!out.empty()) return wrong(token.raw, "is given twice; keep one of them");
  out = token.value;
  return {};
}

Result<void> read_by(const Token& token, MetricsQuestion& question) {
  for (const std::string_view part : split(token.value, ',')) {
    const std::string_view label = trim(part);
    if (!is_label_name(label))
      return wrong(token.raw, fmt::format("'{}' is no label; write by=handler,code", shown(label)));
    if (std::ranges::find(question.by, label) == question.by.end()) question.by.emplace_back(label);
  }
  if (question.by.size() > kMaxParts) return wrong(token.raw, "names more than 32 labels");
  return {};
}

Result<void> apply(const Token& token, MetricsQuestion& question) {
  if (token.key == "metric") {
    std::string_view name = token.value;
    const bool lists = name.ends_with(kListMetrics);
    if (lists) name.remove_suffix(1);
    if (!is_metric_name(name) && !(lists && name.empty()))
      return wrong(token.raw, token.value.find('{') != std::string::npos
                                  ? "labels do not stand here; write filter=code=500 for each"
                                  : "is no name of a metric; PromQL goes into promql=\"…\"");
    return put_text(token, question.metric);
  }
  if (token.key == "promql") return put_text(token, question.promql);
  if (token.key == "alert") return put_text(token, question.alert);
  if (token.key == "stat") return read_statistic(token, question);
  if (token.key == "by") return read_by(token, question);
  if (token.key == "agg") {
    question.aggregation = aggregation_of(token.value);
    if (!question.aggregation)
      return wrong(token.raw, "is no aggregation; there are sum, avg, min, max and count");
    return {};
  }
  if (token.key == "filter") {
    if (question.filters.size() == kMaxParts) return wrong(token.raw, "is the 33rd filter");
    question.filters.push_back(TRY(parse_filter(token.value)));
    return {};
  }
  if (token.key == "window") {
    question.window = duration_of(token.value);
    if (!question.window || *question.window < kMinWindow)
      return wrong(token.raw, "is no duration from 30s on; write window=15m, 24h or 7d");
    return {};
  }
  constexpr std::string_view kLastDeploy = "last-deploy";
  // "last_deploy" and "last deploy" are as good.
  std::string start = token.value.substr(0, kLastDeploy.size());
  std::ranges::replace_if(start, [](char c) { return c == '_' || c == ' '; }, '-');
  if (token.key == "since" && start == kLastDeploy) {
    const std::string_view service = std::string_view(token.value).substr(kLastDeploy.size());
    if (!service.empty() && (service[0] != ':' || service.size() == 1))
      return wrong(token.raw, "is no deploy; write since=last-deploy or since=last-deploy:SERVICE");
    question.since = LastDeployOf{std::string(service.empty() ? service : service.substr(1))};
    return {};
  }
  (token.key == "since" ? question.since : question.until) = TRY(read_time(token));
  return {};
}

Result<void> apply_all(std::string_view tokens, MetricsQuestion& question) {
  std::set<std::string> given;
  for (std::string_view rest = trim(tokens); !rest.empty(); rest = trim(rest)) {
    const Token token = TRY(take_token(rest));
    const bool repeats = token.key == "filter" || token.key == "by";
    if (!given.insert(token.key).second && !repeats)
      return wrong(token.raw, "is given twice; keep one of them");
    TRY(apply(token, question));
  }
  return {};
}

// Where PromQL ends and window=, since= or until= begin: outside of quotes and brackets.
size_t end_of_promql(std::string_view text) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\' && quote != '`')
        ++i;
      else if (c == quote)
        quote = 0;
      continue;
    }
    if (c == '"' || c == '\'' || c == '`') quote = c;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth != 0 || !is_blank(c)) continue;
    const std::string_view key = key_at_front(text.substr(i + 1));
    if (key == "window" || key == "since" || key == "until") return i;
  }
  return text.size();
}

Result<MetricsQuestion> read_promql(std::string_view text) {
  const size_t end = end_of_promql(text);
  MetricsQuestion question;
  const std::string_view promql = trim(text.substr(0, end));
  if (is_metric_name(promql)) {
    question.metric = promql;
  } else if (!parse_promql(promql) &&
             promql.find_first_of("(){}[]+-*/<>=") == std::string_view::npos) {
    return wrong(promql,
                 "is neither metric=… nor PromQL; write metric=p95_latency window=24h "
                 "filter=endpoint=/api/search");
  } else {
    question.promql = repair_utf8(promql);
  }
  TRY(apply_all(text.substr(end), question));
  return question;
}

Instant at(const TimeSpec& spec, Instant now, Instant otherwise) {
  if (const auto* time = std::get_if<TimePoint>(&spec)) return *time;
  if (const auto* ago = std::get_if<seconds>(&spec)) return now - *ago;
  return otherwise;
}

}  // namespace

Result<LabelFilter> parse_filter(std::string_view text) {
  const size_t at = text.find_first_of("=!");
  LabelFilter filter;
  const std::string_view label = trim(text.substr(0, at));
  const std::string_view rest = at == std::string_view::npos ? std::string_view() : text.substr(at);
  using Op = LabelFilter::Op;
  size_t size = 1;
  if (rest.starts_with("=~") || rest.starts_with("!~") || rest.starts_with("!=")) {
    size = 2;
    filter.op = rest[1] == '=' ? Op::kNotEqual : rest[0] == '=' ? Op::kMatches : Op::kNotMatches;
  } else if (!rest.starts_with('=')) {
    return wrong(text, "is no filter; write filter=label=value, or != =~ !~ for =");
  }
  if (!is_label_name(label))
    return wrong(text, fmt::format("'{}' is no label; write filter=label=value", shown(label)));
  filter.label = label;
  std::string_view value = trim(rest.substr(size));
  // filter=code="500" within other quotes.
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
    value = value.substr(1, value.size() - 2);
  filter.value = repair_utf8(value);
  return filter;
}

Result<MetricsQuestion> parse_metrics_question(std::string_view text) {
  text = trim(text);
  if (text.size() > kMaxText)
    return fail(ErrorCode::kInvalidArgument, "the query is longer than 16 KB; shorten it");
  if (text.empty())
    return fail(ErrorCode::kInvalidArgument,
                "the query is empty; write metric=p95_latency window=24h");
  if (key_at_front(text).empty()) return read_promql(text);
  MetricsQuestion question;
  TRY(apply_all(text, question));
  const int subjects =
      !question.metric.empty() + !question.promql.empty() + !question.alert.empty();
  if (subjects != 1)
    return wrong(text, subjects == 0
                           ? "names no metric; add metric=<name>, promql=\"…\" or alert=<name>"
                           : "has more than one of metric=, promql= and alert=; keep one");
  const bool lists = question.metric.ends_with(kListMetrics);
  if (lists && (!question.filters.empty() || !question.by.empty() || question.statistic ||
                question.aggregation))
    return wrong(text, "filter=, by=, stat= and agg= go with one metric; leave them out of a list");
  if (!question.promql.empty() && (!question.filters.empty() || !question.by.empty() ||
                                   question.statistic || question.aggregation))
    return wrong(text, "filter=, by=, stat= and agg= go with metric=; write them into the PromQL");
  return question;
}

Result<TimeSpan> resolve_span(const MetricsQuestion& question, Instant now,
                              seconds default_window) {
  const bool has_since = !std::holds_alternative<std::monostate>(question.since);
  const bool has_until = !std::holds_alternative<std::monostate>(question.until);
  TimeSpan span;
  span.to = at(question.until, now, now);
  if (has_since) {
    span.from = at(question.since, now, now);
    if (!has_until && question.window)
      span.to = std::min<Instant>(now, span.from + *question.window);
  } else {
    span.from = span.to - question.window.value_or(default_window);
  }
  if (span.from >= now)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("since={} is not before now ({}); give an earlier time",
                            format_time(span.from), format_time(now)));
  span.to = std::min(span.to, now);
  if (span.to - span.from < kMinWindow)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("from {} to {} is no window; let since= be at least 30s before until=",
                            format_time(span.from), format_time(span.to)));
  return span;
}

}  // namespace precedent
