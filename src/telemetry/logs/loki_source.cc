#include "telemetry/logs/loki_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "net/url.h"
#include "telemetry/logs/loki_json.h"

namespace precedent {
namespace {

// Parts of the window that have the same share of the lines: of seven hours, 18 minutes each.
constexpr int64_t kStretches = 24;
// A page of lines that are this long is asked for in smaller ones before it is given up.
constexpr size_t kSmallestPage = 50;
constexpr size_t kMaxNamed = 20;

int64_t to_ns(Instant at) { return at.time_since_epoch().count() * 1'000'000; }

// "shop/label" is how job names of Kubernetes say namespace and service.
std::string_view last_part(std::string_view value) {
  const size_t slash = value.rfind('/');
  return slash == std::string_view::npos ? value : value.substr(slash + 1);
}

// The value that names the service: as it is written, else in another case, else as the last part.
const std::string* value_of(const std::vector<std::string>& values, const std::string& service) {
  const std::string lower = ascii_lower(service);
  const auto find = [&](auto&& same) -> const std::string* {
    const auto found = std::ranges::find_if(values, same);
    return found == values.end() ? nullptr : &*found;
  };
  if (const auto* exact = find([&](const std::string& v) { return v == service; })) return exact;
  if (const auto* any = find([&](const std::string& v) { return ascii_lower(v) == lower; }))
    return any;
  return find([&](const std::string& v) { return ascii_lower(last_part(v)) == lower; });
}

}  // namespace

// Where the service stands: `label`="" if no label that names services is known.
struct LokiSource::Place {
  std::string label, value;
  std::vector<std::string> missing;
};

// What one reading may still take, and what it has.
class LokiSource::Reading {
 public:
  Reading(const LokiSource& source, const LogsWanted& wanted, Place place,
          const SourceContext& context)
      : source_(source), wanted_(wanted), place_(std::move(place)), context_(context) {
    found_.missing = place_.missing;
  }

  Result<LogsFound> run() {
    const std::string& label = place_.label;
    const size_t all = source_.options_.max_lines;
    const bool known = !place_.value.empty();
    // Half of the room is for the service that is asked for; what it leaves is the others'.
    bool more = true;
    if (known)
      more = TRY(read_all(fmt::format("{{{}={}}}", label, quote(place_.value)),
                          "of " + wanted_.service, all / 2, source_.options_.max_bytes / 2));
    const std::string others =
        known ? fmt::format("{{{}!={}, {}=~\".+\"}}", label, quote(place_.value), label)
              : fmt::format("{{{}=~\".+\"}}", label);
    if (more)
      TRY(read_all(others, known ? "of other services" : "of all services",
                   all - found_.lines.size(), source_.options_.max_bytes - bytes_));
    std::ranges::stable_sort(found_.lines, {}, &StoredLine::at_ns);
    if (found_.lines.empty())
      found_.missing.push_back(fmt::format("{} has no lines from {} to {}", source_.describe(),
                                           format_time(wanted_.from), format_time(wanted_.to)));
    return std::move(found_);
  }

 private:
  // All stretches of one selector, each with its share of the lines that are left. False: the
  // source failed behind what is there already. Errors: it failed, and nothing is there.
  Result<bool> read_all(const std::string& selector, std::string_view whose, size_t lines,
                        size_t bytes) {
    const int64_t begin = to_ns(wanted_.from), end = to_ns(wanted_.to) + 1'000'000;
    const int64_t stretch = std::max<int64_t>((end - begin + kStretches - 1) / kStretches, 1);
    size_t cut = 0;
    for (int64_t from = begin; from < end; from += stretch) {
      const auto left = static_cast<size_t>((end - from + stretch - 1) / stretch);
      const auto taken =
          read_stretch(selector, from, std::min(from + stretch, end), lines / left, bytes / left);
      if (!taken) {
        if (found_.lines.empty() || taken.error().code == ErrorCode::kCancelled)
          return std::unexpected(taken.error());
        found_.missing.push_back(
            fmt::format("log lines {} from {} on: {}", whose,
                        format_time(Instant(std::chrono::milliseconds(from / 1'000'000))),
                        taken.error().text()));
        return false;
      }
      lines -= taken->lines, bytes -= taken->bytes;
      cut += taken->cut;
    }
    if (cut > 0)
      found_.missing.push_back(fmt::format(
          "{}: in {} of {} parts of the window there are more lines {} than were read; the first "
          "ones of each part were",
          source_.describe(), cut, kStretches, whose));
    if (jammed_)
      found_.missing.push_back(fmt::format(
          "{}: more lines {} than one request holds have the same time; some may not have been "
          "read",
          source_.describe(), whose));
    jammed_ = false;
    return true;
  }

  struct Taken {
    size_t lines = 0, bytes = 0;
    bool cut = false;
  };

  // Page by page: the next begins with the time of the last line, whose lines may not all have been
  // in the page; those that were are known.
  Result<Taken> read_stretch(const std::string& selector, int64_t from, int64_t to, size_t lines,
                             size_t bytes) {
    Taken taken;
    std::vector<StoredLine> last;  // lines of the latest time, which the next page has again
    size_t limit = source_.options_.page;
    while (from < to) {
      auto page = source_.page(selector, from, to, limit, context_);
      if (!page && page.error().code == ErrorCode::kResourceExhausted && limit > kSmallestPage) {
        limit = std::max(limit / 4, kSmallestPage);
        continue;
      }
      if (!page) return std::unexpected(std::move(page).error());
      const bool full = page->size() >= limit;
      for (StoredLine& line : *page) {
        if (std::ranges::find(last, line) != last.end()) continue;
        if (taken.lines >= lines || taken.bytes + line.text.size() > bytes) {
          taken.cut = true;
          return taken;
        }
        if (!last.empty() && line.at_ns > last.front().at_ns) last.clear();
        last.push_back(line);
        ++taken.lines, taken.bytes += line.text.size();
        bytes_ += line.text.size();
        keep(std::move(line));
      }
      if (!full) return taken;
      const int64_t reached = page->back().at_ns;
      // A page of one time alone would come for ever.
      jammed_ |= reached <= from;
      from = reached <= from ? from + 1 : reached;
    }
    return taken;
  }

  void keep(StoredLine line) {
    const auto value = line.labels.find(place_.label);
    if (value != line.labels.end())
      line.service = value->second == place_.value && !wanted_.service.empty()
                         ? wanted_.service
                         : std::string(last_part(value->second));
    found_.lines.push_back(std::move(line));
  }

  const LokiSource& source_;
  const LogsWanted& wanted_;
  const Place place_;
  const SourceContext& context_;
  LogsFound found_;
  size_t bytes_ = 0;
  bool jammed_ = false;
};

Result<std::vector<std::string>> LokiSource::names(const std::string& path,
                                                   const LogsWanted& wanted,
                                                   const SourceContext& context) const {
  const auto answer = TRY(http_.get(path,
                                    {{"start", fmt::format("{}", to_ns(wanted.from))},
                                     {"end", fmt::format("{}", to_ns(wanted.to) + 1'000'000)}},
                                    context));
  auto read = read_loki_names(answer);
  if (!read) return http_.not_ours(dump_json(answer));
  return read;
}

// The first label one of whose values names the service; else the first that is there, for all.
Result<LokiSource::Place> LokiSource::find_service(const LogsWanted& wanted,
                                                   const SourceContext& context) const {
  const std::vector<std::string> known = TRY(names("/loki/api/v1/labels", wanted, context));
  Place first;
  std::vector<std::string> there;
  for (const std::string& label : options_.labels) {
    if (std::ranges::find(known, label) == known.end()) continue;
    there.push_back(label);
    if (wanted.service.empty()) return Place{label, "", {}};
    const auto values = TRY(names(
        fmt::format("/loki/api/v1/label/{}/values", percent_encoded(label)), wanted, context));
    if (const std::string* value = value_of(values, wanted.service))
      return Place{label, *value, {}};
    if (first.label.empty() && !values.empty()) first.label = label;
  }
  if (known.empty())
    first.missing.push_back(fmt::format("{} has no lines from {} to {}", describe(),
                                        format_time(wanted.from), format_time(wanted.to)));
  else if (there.empty())
    first.missing.push_back(fmt::format(
        "{} has none of the labels {}; name the one that says whose a stream is in logs.labels of "
        "tools.yaml; there are {}",
        describe(), join(options_.labels, ", "),
        join(std::vector(known.begin(),
                         known.begin() + static_cast<ptrdiff_t>(std::min(known.size(), kMaxNamed))),
             ", ")));
  else if (!wanted.service.empty())
    first.missing.push_back(
        fmt::format("{} has no lines of {} (by {}); those of all services were "
                    "read",
                    describe(), wanted.service, join(there, ", ")));
  return first;
}

Result<std::vector<StoredLine>> LokiSource::page(const std::string& selector, int64_t from,
                                                 int64_t to, size_t limit,
                                                 const SourceContext& context) const {
  const auto answer = TRY(http_.get("/loki/api/v1/query_range",
                                    {{"query", selector},
                                     {"start", fmt::format("{}", from)},
                                     {"end", fmt::format("{}", to)},
                                     {"limit", fmt::format("{}", limit)},
                                     {"direction", "forward"}},
                                    context));
  auto lines = read_loki_streams(answer);
  if (!lines) return http_.not_ours(dump_json(answer));
  return lines;
}

Result<LogsFound> LokiSource::read(const LogsWanted& wanted, const SourceContext& context) const {
  Place place = TRY(find_service(wanted, context));
  if (place.label.empty()) return LogsFound{{}, std::move(place.missing)};
  return Reading(*this, wanted, std::move(place), context).run();
}

}  // namespace precedent
