#include "tools/aggregate_incidents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include "base/ascii.h"
#include "base/strings.h"
#include "knowledge/case_fold.h"
#include "telemetry/metrics/metric_query.h"
#include "tools/conditioned_list.h"
#include "tools/figures.h"
#include "tools/incident_lists.h"
#include "tools/incident_scope.h"
#include "tools/present.h"
#include "tools/record_columns.h"
#include "tools/record_words.h"

namespace precedent {
namespace {

constexpr int64_t kMostFigures = 50;

// Below, no column is meant by the words.
constexpr float kNear = 0.4f;

std::string key_of(std::string_view name) {
  std::string key;
  for (const char c : name)
    if (is_letter(c) || is_digit(c)) key += c;
  return ascii_lower(key);
}

// Single words and neighbouring ones.
std::vector<std::string> pieces_of(std::string_view words) {
  std::vector<std::string> single;
  for (const std::string_view word : split(words, ' '))
    if (const std::string_view bare = trim(word); !bare.empty()) single.emplace_back(bare);
  std::vector<std::string> pieces = single;
  for (size_t i = 0; i + 1 < single.size(); ++i) pieces.push_back(single[i] + " " + single[i + 1]);
  constexpr size_t kMost = 120;
  if (pieces.size() > kMost) pieces.resize(kMost);
  return pieces;
}

// How near the nearest piece comes to what a column means.
float nearness(std::span<const float> means, const Embeddings& pieces) {
  float best = 0;
  for (size_t i = 0; i < pieces.count(); ++i) {
    const auto row = pieces.row(i);
    best = std::max(best, std::inner_product(row.begin(), row.end(), means.begin(), 0.0f));
  }
  return best;
}

using Fits = std::function<bool(const RecordColumn&, const std::vector<IncidentItem>&)>;

// Errors: kNotFound, which names the columns that there are.
Result<RecordColumn> column_of(std::string_view words, const std::vector<IncidentItem>& items,
                               const Fits& fits, std::string_view sort, const Embedder* embedder) {
  std::vector<RecordColumn> fitting;
  for (RecordColumn& column : columns_of(items)) {
    if (!fits(column, items)) continue;
    if (key_of(column.name) == key_of(words)) return column;
    fitting.push_back(std::move(column));
  }
  std::vector<std::string> names;
  for (const RecordColumn& column : fitting) names.push_back(column.name);
  const auto none = [&]() {
    return fail(ErrorCode::kNotFound,
                names.empty()
                    ? fmt::format("no column of the incident records holds {}.", sort)
                    : fmt::format("none of the columns that hold {} ({}) is clearly meant.", sort,
                                  join(names, ", ")));
  };
  if (fitting.empty() || embedder == nullptr) return none();
  const std::vector<std::string> pieces = pieces_of(words);
  const std::vector<std::string_view> views(pieces.begin(), pieces.end());
  const Embeddings vectors = TRY(embedder->embed(views));
  std::vector<std::string_view> meanings;
  for (const RecordColumn& column : fitting) meanings.push_back(column.means);
  const Embeddings means = TRY(embedder->embed(meanings));
  std::vector<float> near;
  for (size_t i = 0; i < fitting.size(); ++i) near.push_back(nearness(means.row(i), vectors));
  const auto best = std::ranges::max_element(near);
  if (*best < kNear) return none();
  return std::move(fitting[static_cast<size_t>(best - near.begin())]);
}

std::string weekday_of(TimePoint at) {
  static constexpr std::string_view kDays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                               "Thursday", "Friday", "Saturday"};
  const std::chrono::weekday day(std::chrono::floor<std::chrono::days>(at));
  return std::string(kDays[day.c_encoding()]);
}

// By ISO 8601 a week belongs to the year of its Thursday.
std::string week_of(TimePoint at) {
  using namespace std::chrono;
  const sys_days day = floor<days>(at);
  const sys_days thursday = day + days(4 - static_cast<int>(weekday(day).iso_encoding()));
  const year_month_day date(thursday);
  const auto number = (thursday - sys_days(date.year() / January / 1)).count() / 7 + 1;
  return fmt::format("{}-W{:02}", static_cast<int>(date.year()), number);
}

constexpr std::array<std::string_view, 5> kFunctions = {"count", "sum", "average", "highest",
                                                        "lowest"};
constexpr std::array<std::string_view, 2> kOrders = {"most", "least"};

// The value of a list that takes one of these; "" where it is left out.
Result<std::string> one_of(const Args& args, std::string_view name,
                           std::span<const std::string_view> values) {
  const std::vector<std::string>& given = args.list(name);
  if (given.empty()) return "";
  if (given.size() > 1)
    return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' takes one value", name));
  if (std::ranges::find(values, given.front()) != values.end()) return given.front();
  return fail(ErrorCode::kInvalidArgument, fmt::format("'{}' is '{}', but takes {}", name,
                                                       given.front(), fmt::join(values, ", ")));
}

using GroupOf = std::function<std::string(const Incident&)>;

// By the time at which they began.
std::optional<GroupOf> by_time(std::string_view by) {
  static const std::map<std::string_view, std::string (*)(TimePoint)> kTimes = {
      {"year", [](TimePoint at) { return format_date(at).substr(0, 4); }},
      {"month", [](TimePoint at) { return format_date(at).substr(0, 7); }},
      {"week", week_of},
      {"weekday", weekday_of},
      {"hour", [](TimePoint at) { return format_time(at).substr(11, 2) + ":00"; }}};
  const auto found = kTimes.find(by);
  if (found == kTimes.end()) return std::nullopt;
  return [group = found->second](const Incident& incident) {
    const auto at = began(incident);
    return at ? group(*at) : std::string();
  };
}

// Keeps the incidents of which a column that groups them says one of the words, and no more.
// Returns what was kept by.
std::vector<std::string> keep_values(std::vector<IncidentItem>& items,
                                     const std::vector<std::string>& words) {
  std::vector<std::string> said;
  for (const RecordColumn& column : columns_of(items)) {
    if (!is_of_groups(column, items)) continue;
    for (const std::string& word : words) {
      const auto says = [&](const IncidentItem& item) {
        return case_fold(column.cell(item.incident)) == case_fold(word);
      };
      if (!std::ranges::any_of(items, says)) continue;
      std::erase_if(items, [&](const IncidentItem& item) { return !says(item); });
      said.push_back(fmt::format("{} {}", column.name, word));
    }
  }
  return said;
}

using ValueOf = std::function<std::optional<double>(const Incident&)>;

void order(std::vector<IncidentFigure>& figures, bool least) {
  std::ranges::stable_sort(figures, [&](const IncidentFigure& a, const IncidentFigure& b) {
    return least ? a.value < b.value : a.value > b.value;
  });
}

void compute(FiguresResult& result, const std::vector<IncidentItem>& items, const ValueOf& value,
             const GroupOf& group) {
  struct Sum {
    double total = 0;
    size_t incidents = 0;
  };
  std::map<std::string, Sum> groups;
  const bool each = result.function == "highest" || result.function == "lowest";
  for (const IncidentItem& item : items) {
    const std::optional<double> own = value(item.incident);
    const std::string name = group ? group(item.incident) : "";
    if (!own || (group && trim(name).empty())) {
      ++result.without;
    } else if (each) {
      result.figures.push_back({item.incident.incident_id, item.incident.title, *own, 1});
    } else {
      Sum& sum = groups[name];
      sum.total += *own;
      ++sum.incidents;
    }
  }
  for (const auto& [name, sum] : groups) {
    const double mean = sum.total / static_cast<double>(sum.incidents);
    result.figures.push_back(
        {name, "", result.function == "average" ? mean : sum.total, sum.incidents});
  }
}

}  // namespace

// No such column is an answer: what was asked for cannot be computed, and why.
Result<Tool::Outcome> AggregateIncidents::cannot(FiguresResult result, const Error& error) {
  if (error.code != ErrorCode::kNotFound) return std::unexpected(error);
  result.note = "That cannot be computed: " + error.message;
  Outcome outcome;
  outcome.empty = true;
  outcome.text = present(result);
  outcome.result = std::move(result);
  return outcome;
}

AggregateIncidents::AggregateIncidents()
    : Tool(
          {"aggregate_incidents",
           "Compute figures over the incident records: how many, the sum or average of a column of "
           "numbers or of how long they lasted, which were the highest or lowest, by month, system "
           "or any other column.",
           with_incident_scope(with_record_words(
               {{.name = "function",
                 .type = Param::Type::kStringList,
                 .description = "What to compute, one of these",
                 .required = true,
                 .allowed = {kFunctions.begin(), kFunctions.end()}},
                {.name = "of",
                 .description = "Of what: 'duration', or a column of numbers, by its name or in "
                                "words; not for 'count'"},
                {.name = "by",
                 .description = "By 'month', 'week', 'weekday', 'hour', 'year' of their beginning, "
                                "or by a column, by its name or in words; without it, of all "
                                "together"},
                {.name = "order",
                 .type = Param::Type::kStringList,
                 .description = "Of groups: most first, or least first; times are in their order "
                                "without it",
                 .allowed = {kOrders.begin(), kOrders.end()}},
                {.name = "app_name",
                 .description = "Only incidents of this application or service"},
                {.name = "limit",
                 .type = Param::Type::kInteger,
                 .description = "Most figures to return",
                 .default_value = 12,
                 .minimum = 1,
                 .maximum = kMostFigures}}))}) {}

Result<Tool::Outcome> AggregateIncidents::run(const Args& args, ToolContext& context) const {
  FiguresResult result;
  result.function = TRY(one_of(args, "function", kFunctions));
  const std::string first = TRY(one_of(args, "order", kOrders));
  Filter scope = TRY(incident_scope(args));
  const Named named = TRY(name_scope(args.text("app_name"), scope, context));
  context.events.status("Computing over the incident records...");
  std::vector<IncidentItem> items;
  std::vector<std::string> scopes;
  std::optional<RecordConditions> ordered;
  auto conditioned =
      TRY(records_by_conditions(scope, named.names.empty() ? nullptr : &named, args, context));
  // Conditions that nothing meets were hardly stated: a figure of nothing says nothing.
  if (conditioned && !conditioned->items.empty()) {
    items = std::move(conditioned->items);
    scopes = std::move(conditioned->said);
    std::ranges::move(keep_values(items, conditioned->words), std::back_inserter(scopes));
    if (!conditioned->names.empty()) scopes.push_back("of " + join(conditioned->names, ", "));
    if (conditioned->conditions.by_number && args.text("by").empty())
      ordered = std::move(conditioned->conditions);
    // Said already.
    scope.severities.clear(), scope.statuses.clear();
  } else {
    IncidentsResult all;
    const ListedIncidents list = TRY(listed(named.filter, kAllIncidents, context));
    TRY(fill(all, list.page, context));
    items = std::move(all.incidents);
    scopes = keep_values(items, args.list("saying"));
    if (args.flag("open")) {
      keep_open(items);
      scopes.emplace_back("not over yet");
    }
    if (!named.names.empty()) scopes.push_back("of " + join(named.names, ", "));
  }
  if (const std::string restricted = describe_scope(scope); !restricted.empty())
    scopes.push_back(restricted);
  result.scope = join(scopes, ", ");
  result.incidents = items.size();

  Outcome outcome;
  if (items.empty()) {
    result.note = "No incident is within that scope" +
                  (result.scope.empty() ? "." : fmt::format(" ({}).", result.scope));
    outcome.empty = true;
    outcome.text = present(result);
    outcome.result = std::move(result);
    return outcome;
  }
  const Embedder* embedder = context.search.embedder();
  ValueOf value = [](const Incident&) { return std::optional<double>(1); };
  const std::string of(trim(args.text("of")));
  if (ordered) {
    // "The five longest": each of them, in an order that is a column's.
    result.function = ordered->lowest_first ? "lowest" : "highest";
    result.of = ordered->order_column;
    value = ordered->by;
  } else if (result.function != "count") {
    if (of.empty())
      return fail(ErrorCode::kInvalidArgument,
                  "'of' is missing: give 'duration' or the name of a column of numbers");
    if (of == kDuration) {
      result.of = of;
      value = minutes_of;
    } else {
      const auto column = column_of(of, items, is_of_numbers, "numbers", embedder);
      if (!column) return cannot(std::move(result), column.error());
      result.of = column->name;
      outcome.explain.push_back(fmt::format("'{}' is read as the column {}", of, column->name));
      value = [cell = column->cell](const Incident& i) { return number_in(cell(i)); };
    }
  }
  const std::string by(trim(args.text("by")));
  GroupOf group;
  const auto of_time = by_time(by);
  if (of_time) {
    result.by = by;
    group = *of_time;
  } else if (!by.empty()) {
    // The numbers themselves are no groups.
    const auto may_group = [&](const RecordColumn& column, const std::vector<IncidentItem>& rows) {
      return column.name != result.of && is_of_groups(column, rows);
    };
    const auto column = column_of(by, items, may_group, "values to group by", embedder);
    if (!column) return cannot(std::move(result), column.error());
    result.by = column->name;
    outcome.explain.push_back(fmt::format("'{}' is read as the column {}", by, column->name));
    group = column->cell;
  }
  compute(result, items, value, group);
  const bool least = result.function == "lowest" || first == "least";
  if (!of_time || !first.empty() || result.function == "highest" || least)
    order(result.figures, least);
  const size_t limit =
      ordered && ordered->limit ? *ordered->limit : static_cast<size_t>(args.integer("limit"));
  if (result.figures.size() > limit) {
    result.left_out = result.figures.size() - limit;
    result.figures.resize(limit);
  }
  outcome.empty = result.figures.empty();
  if (outcome.empty) result.note = fmt::format("None of {} incidents says that.", result.incidents);
  outcome.text = present(result);
  outcome.result = std::move(result);
  return outcome;
}

}  // namespace precedent
