#include "investigate/logs/log_templates.h"

#include <algorithm>
#include <cctype>

#include "base/strings.h"
#include "investigate/onset/burst.h"

namespace precedent {
namespace {

// Of the words of two lines that are one template (Drain's default is 0.5; complaints are short,
// and "upstream a failed" is not "upstream b failed").
constexpr double kSimilar = 0.7;
constexpr size_t kMaxWords = 60;
constexpr std::string_view kVaries = "<*>";
// The begin of the logs that counts as calm.
constexpr double kCalmShare = 0.12;
// Lines of a template that say nothing of how often it comes.
constexpr size_t kRare = 3;

std::vector<std::string> raw_words_of(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string_view word : split(text, ' ')) {
    if (words.size() == kMaxWords) break;
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    if (words.size() == kMaxWords) break;
    const bool digits =
        std::ranges::any_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
    words.emplace_back(digits ? kVaries : word);
  }
  return words;
}

double likeness(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  size_t same = 0;
  for (size_t i = 0; i < a.size(); ++i) same += a[i] == b[i] || a[i] == kVaries || b[i] == kVaries;
  return a.empty() ? 1 : static_cast<double>(same) / static_cast<double>(a.size());
}

struct Group {
  LogTemplate made;
  std::vector<std::string> words;
  std::vector<std::string> raw;  // of the first line; "" where another line differs
  std::vector<Instant> times;
  bool burst = false;  // it comes more often from some moment on
};

void add_line(Group& group, const LogLine& line, const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i)
    if (group.words[i] != words[i]) group.words[i] = kVaries;
  const std::vector<std::string> raw = raw_words_of(line.text);
  for (size_t i = 0; i < std::min(raw.size(), group.raw.size()); ++i)
    if (group.raw[i] != raw[i]) group.raw[i].clear();
  std::erase_if(group.made.constant, [&](const auto& field) {
    const auto found = line.fields.find(field.first);
    return found == line.fields.end() || found->second != field.second;
  });
  group.made.last = line.at;
  ++group.made.count;
  group.times.push_back(line.at);
}

// Whether it came as often in the same hours of the day before.
bool is_usual(const std::vector<Instant>& times, Instant since, Instant end) {
  constexpr std::chrono::hours kDay{24};
  const auto within = [&](Instant from, Instant to) {
    return std::ranges::count_if(times, [&](Instant at) { return at >= from && at <= to; });
  };
  return 2 * within(since - kDay, end - kDay) >= within(since, end);
}

void settle(Group& group, Instant begin, Instant end) {
  LogTemplate& made = group.made;
  made.text = join(group.words, " ");
  const auto calm_end = begin + std::chrono::milliseconds(static_cast<int64_t>(
                                    kCalmShare * static_cast<double>((end - begin).count())));
  made.fresh = made.first > calm_end;
  const auto now = std::ranges::lower_bound(group.times, begin);
  auto burst = find_burst({now, group.times.end()}, begin, end);
  if (burst && is_usual(group.times, *burst, end)) burst.reset();
  made.onset = burst.value_or(made.first);
  group.burst = burst.has_value();
  made.grown = !made.fresh && group.burst;
  // "at offset 88123": the word before a value names it.
  for (size_t i = 1; i < std::min(group.raw.size(), group.words.size()); ++i)
    if (group.words[i] == kVaries && !group.raw[i].empty() && group.words[i - 1] != kVaries)
      made.constant.try_emplace(group.words[i - 1], group.raw[i]);
  if (made.count < 2) made.constant.clear();
}

// What is new and has no burst of its own is of the failure if its service, or all of them
// together, complain more often from about then on. Else it is one of the things that go wrong on
// any day, each in other words; where next to nothing is complained of, it is all there is.
void pass_over_everyday(std::vector<Group>& groups, Instant begin, Instant end) {
  constexpr std::chrono::minutes kAbout{1};
  const std::string everybody;
  std::map<std::string, std::vector<Instant>> complaints;
  for (const Group& group : groups) {
    if (!group.made.bad()) continue;
    for (const std::string& service : {group.made.service, everybody})
      std::copy(std::ranges::lower_bound(group.times, begin), group.times.end(),
                std::back_inserter(complaints[service]));
  }
  std::map<std::string, std::optional<Instant>> bursts;
  for (auto& [service, times] : complaints) {
    std::ranges::sort(times);
    bursts[service] = find_burst(times, begin, end);
  }
  const bool hardly_any = complaints[everybody].size() <= kRare;
  for (Group& group : groups) {
    LogTemplate& made = group.made;
    if (!made.fresh || group.burst || !made.bad()) continue;
    const auto with = [&](const std::string& service) {
      return bursts[service] && made.first >= *bursts[service] - kAbout;
    };
    made.fresh = hardly_any || with(made.service) || with(everybody);
  }
}

}  // namespace

bool LogTemplate::bad() const {
  if (level == LogLevel::kError || level == LogLevel::kWarn) return true;
  return level == LogLevel::kUnknown && !symptoms.empty();
}

std::string masked(std::string_view text) { return join(words_of(text), " "); }

std::vector<LogTemplate> mine_templates(std::span<const LogLine> lines, const LogCalm& calm) {
  std::vector<Group> groups;
  // By service, level and number of words; candidates are compared one by one.
  std::map<std::tuple<std::string, LogLevel, size_t>, std::vector<size_t>> places;
  for (const LogLine& line : lines) {
    std::vector<std::string> words = words_of(line.text);
    std::vector<size_t>& near = places[{line.service, line.level, words.size()}];
    const auto fits = std::ranges::find_if(
        near, [&](size_t place) { return likeness(groups[place].words, words) >= kSimilar; });
    if (fits != near.end()) {
      add_line(groups[*fits], line, words);
      continue;
    }
    if (groups.size() >= kMaxTemplates) continue;
    Group group;
    group.made.service = line.service;
    group.made.level = line.level;
    group.made.sample = line.text;
    group.made.file = line.file;
    group.made.line = line.line;
    group.made.first = group.made.last = line.at;
    group.made.count = 1;
    group.made.constant = line.fields;
    std::string detail = line.text;
    for (const auto& [key, value] : line.fields) {
      detail += ' ' + key + ' ';
      detail += value;
    }
    group.made.symptoms = symptoms_of_text(detail);
    group.made.detail = std::move(detail);
    group.words = std::move(words);
    group.raw = raw_words_of(line.text);
    group.times.push_back(line.at);
    near.push_back(groups.size());
    groups.push_back(std::move(group));
  }
  if (lines.empty()) return {};
  const Instant end = lines.back().at;
  const Instant begin = std::max(lines.front().at, calm.from.value_or(lines.front().at));
  for (Group& group : groups) settle(group, std::min(begin, end), end);
  pass_over_everyday(groups, std::min(begin, end), end);
  if (calm.failing)
    for (Group& group : groups)
      group.made.fresh |= group.made.level == LogLevel::kError || !group.made.symptoms.empty();
  std::vector<LogTemplate> out;
  for (Group& group : groups) out.push_back(std::move(group.made));
  return out;
}

}  // namespace precedent
