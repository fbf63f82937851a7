#include "tools/recent_changes.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "base/nearest.h"
#include "base/strings.h"
#include "changes/about.h"
#include "changes/change_record.h"
#include "changes/window.h"
#include "tools/people.h"

namespace precedent {
namespace {

constexpr int64_t kMaxLimit = static_cast<int64_t>(Limits{}.max_tool_limit);
// What is looked at unless told: a week for "lately", six hours to each side of a moment.
constexpr std::string_view kUsualWindow = "7d";
constexpr std::string_view kUsualAround = "6h";

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const ChangeKind kind : kAllChangeKinds) names.emplace_back(name(kind));
  return names;
}

Result<ChangeWindow> around_window(const std::string& around, std::string_view window) {
  const auto moment = parse_time(around);
  if (!moment) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("'around': {}", moment.error().text()));
  }
  const auto duration = read_duration(window);
  if (!duration) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'window' is '{}'; with 'around' it is a duration like 2h, looked at "
                            "before and after",
                            window));
  }
  return ChangeWindow{{*moment - *duration, *moment + *duration + std::chrono::seconds(1)},
                      std::nullopt};
}

// More than any window that is asked for holds.
constexpr size_t kMostRead = 20'000;

// By whom, of which flag and about what; "" and none: any.
struct Asked {
  std::string person, flag;
  std::set<std::string> about;
  bool empty() const { return person.empty() && flag.empty() && about.empty(); }
};

// Those that are asked for, the newest so many.
void keep_asked(ChangeList& list, const Asked& asked, size_t limit) {
  std::erase_if(list.changes, [&](const Change& change) {
    return (!asked.person.empty() && !is_called(change.author, asked.person)) ||
           (!asked.flag.empty() && !iequals(flag_of(change), asked.flag)) ||
           (!asked.about.empty() && !is_about(change, asked.about));
  });
  list.more |= list.changes.size() > limit;
  if (list.changes.size() > limit) list.changes.resize(limit);
}

// The text of a receipt, whose first line says by whom and about what, too: "Changes by Ana Ruiz
// from …".
std::string with_asked(std::string text, const Asked& asked) {
  std::string by = asked.person.empty() ? "" : " by " + asked.person;
  if (!asked.about.empty())
    by += fmt::format(" about '{}'", join({asked.about.begin(), asked.about.end()}, " "));
  const size_t at = text.find(" from ");
  return by.empty() || at == std::string::npos ? text : text.insert(at, by);
}

// Where none was found: whether anything of the year before is by that name.
Result<std::string> author_note(const std::string& person, const ChangeSource& source,
                                TimePoint now) {
  constexpr std::chrono::days kYear{365};
  const ChangeList year = TRY(
      source.changes({.range = {now - kYear, now + std::chrono::seconds(1)}, .limit = kMostRead}));
  const bool known = std::ranges::any_of(
      year.changes, [&](const Change& change) { return is_called(change.author, person); });
  return known ? ""
               : fmt::format("Not found: a change by '{}' in any change source within a year.",
                             person);
}

std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  const std::string lower = squeeze(ascii_lower(text));
  for (const std::string_view word : split(lower, ' '))
    if (!word.empty()) words.emplace(word);
  return words;
}

// As the sources write it; "" if none is asked for.
Result<std::string> commit_of(const Args& args) {
  const std::string commit = ascii_lower(trim(args.text("commit")));
  static const RE2 kHash("[0-9a-f]{7,40}");
  if (commit.empty() || RE2::FullMatch(commit, kHash)) return commit;
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("'commit' is '{}'; it is a hash, of which 7 to 40 hexadecimal digits are given",
                  commit));
}

Result<ChangeWindow> window_of(const Args& args, const std::string& service, ToolContext& context) {
  if (!args.text("commit").empty() && args.text("window").empty() && args.text("around").empty())
    return ChangeWindow{{std::nullopt, context.clock.now() + std::chrono::seconds(1)},
                        std::nullopt};
  const std::string& around = args.text("around");
  const std::string& window = args.text("window");
  if (!around.empty()) return around_window(around, window.empty() ? kUsualAround : window);
  return read_window(window.empty() ? kUsualWindow : window, context.clock.now(), service,
                     context.live.changes, args.text("environment"));
}

// As the sources write it.
template <typename Same>
std::string as_known(std::string name, const std::vector<std::string>& known, const Same& same) {
  const auto other =
      std::ranges::find_if(known, [&](const std::string& its) { return same(name, its); });
  return other == known.end() ? name : *other;
}

// Names are cut short ("prod") more often than they are mistyped.
std::optional<std::string> meant(const std::string& name, const std::vector<std::string>& known) {
  const auto longer = std::ranges::find_if(known, [&](const std::string& other) {
    return other.size() > name.size() && iequals(other.substr(0, name.size()), name);
  });
  return longer != known.end() ? *longer : nearest(name, known);
}

// `what`: "service". `unread`: some source could not be asked, and may know it.
std::string unknown_note(std::string_view what, const std::string& name,
                         const std::vector<std::string>& known, bool unread) {
  if (name.empty() || std::ranges::find(known, name) != known.end()) return "";
  const auto close = meant(name, known);
  return fmt::format("Not found: the {} '{}' in any change source{}{}", what, name,
                     unread ? " that could be read" : "",
                     close           ? fmt::format("; did you mean '{}'?", *close)
                     : known.empty() ? "."
                                     : fmt::format("; the {}s are: {}.", what, join(known, ", ")));
}

std::unexpected<Error> no_source() {
  return fail(ErrorCode::kUnavailable,
              "no change source is configured; name repositories and deploy logs under 'changes' "
              "in tools.yaml (docs/changes.md)");
}

}  // namespace

RecentChanges::RecentChanges()
    : Tool(
          {"recent_changes",
           "What was changed lately: commits, releases, deploys, rollbacks, feature flags and "
           "settings, newest first, with the services and files they touch, and when a service was "
           "last deployed.",
           {{.name = "service",
             .type = Param::Type::kString,
             .description = "Only changes of this service"},
            {.name = "window",
             .type = Param::Type::kString,
             .description = "24h, 7d, since=<time>, since=last-deploy or <time>/<time>; 7d unless "
                            "given. With 'around': how far to each side, 6h unless given"},
            {.name = "around",
             .type = Param::Type::kString,
             .description = "A moment, instead of now: 2026-11-17T15:40:00Z"},
            {.name = "commit",
             .type = Param::Type::kString,
             .description = "Only this commit, of whatever time, and its deploys: 7 digits of its "
                            "hash at least"},
            {.name = "author",
             .type = Param::Type::kString,
             .description = "Only changes by this person; the first name suffices"},
            {.name = "flag",
             .type = Param::Type::kString,
             .description = "Only changes of this feature flag"},
            {.name = "about",
             .type = Param::Type::kString,
             .description = "Only changes whose title or files have all of these words"},
            {.name = "kinds",
             .type = Param::Type::kStringList,
             .description = "Only these kinds",
             .allowed = kind_names()},
            {.name = "environment",
             .type = Param::Type::kString,
             .description = "Another environment than the configured one"},
            {.name = "limit",
             .type = Param::Type::kInteger,
             .description = "Most changes to return",
             .default_value = 20,
             .minimum = 1,
             .maximum = kMaxLimit}}}) {}

Result<Tool::Outcome> RecentChanges::run(const Args& args, ToolContext& context) const {
  if (context.live.changes == nullptr) return no_source();
  const std::vector<std::string> known = context.live.changes->services();
  ChangesResult result;
  result.service = as_known(args.text("service"), known, iequals);
  const std::vector<std::string> environments = context.live.changes->environments();
  const std::string environment =
      as_known(args.text("environment"), environments, same_environment);
  const ChangeWindow window = TRY(window_of(args, result.service, context));
  result.range = window.range;
  ChangeQuery query{.range = window.range,
                    .service = result.service,
                    .environment = environment,
                    .kinds = {},
                    .commit = TRY(commit_of(args)),
                    .limit = static_cast<size_t>(args.integer("limit"))};
  for (const std::string& text : args.list("kinds")) {
    const auto kind = parse_change_kind(text);
    if (!kind) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'{}' in 'kinds' is no kind of change; the kinds are {}", text,
                              join(kind_names(), ", ")));
    }
    query.kinds.push_back(*kind);
  }
  context.events.status("Looking at recent changes...");
  const Asked asked{std::string(trim(args.text("author"))), std::string(trim(args.text("flag"))),
                    words_of(args.text("about"))};
  const size_t limit = query.limit;
  if (!asked.empty()) query.limit = kMostRead;
  ChangeList list = TRY(context.live.changes->changes(query));
  TRY(check_readable(list.asked));
  if (!asked.empty()) keep_asked(list, asked, limit);
  // Metrics that could tell of versions do not.
  if (list.asked.empty()) return no_source();
  result.changes = std::move(list.changes);
  result.more = list.more;
  result.asked = std::move(list.asked);
  std::vector<std::string> notes;
  for (const std::string& unreadable : unreadable_sources(result.asked))
    notes.push_back(unreadable + '.');
  const bool unread = !notes.empty();
  notes.push_back(unknown_note("service", result.service, known, unread));
  // Where no record names one, all changes belong to all of them.
  if (!environments.empty())
    notes.push_back(unknown_note("environment", environment, environments, unread));
  if (result.changes.empty() && !query.commit.empty())
    notes.push_back(fmt::format("Not found: the commit '{}' in any change source.", query.commit));
  if (result.changes.empty() && !asked.person.empty())
    notes.push_back(TRY(author_note(asked.person, *context.live.changes, context.clock.now())));
  std::erase(notes, "");
  result.note = join(notes, " ");
  result.last_deploy =
      TRY(last_deploy(*context.live.changes, result.service,
                      *result.range.to - std::chrono::seconds(1), {.environment = environment}));
  Outcome outcome;
  outcome.empty = result.changes.empty();
  context.events.status(outcome.empty ? std::string("No changes found")
                                      : fmt::format("Found {} changes...", result.changes.size()));
  outcome.text = with_asked(present(result), asked);
  outcome.result = std::move(result);
  return outcome;
}

}  // namespace precedent
