// The parts of an answer that come from the record of changes.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>
#include <span>

#include "agent/compose/compose_parts.h"
#include "agent/findings/given_arguments.h"
#include "agent/language/fixed_phrases.h"
#include "agent/slots/subjects.h"
#include "base/strings.h"
#include "changes/change_record.h"
#include "tools/present.h"

namespace precedent {

Source source_of(const Change& change, const Receipt& receipt) {
  for (Source& source : sources_of(receipt))
    if (source.id == change.id) return std::move(source);
  return {change.id, change.title, std::string(name(change.kind)), change.source, {}, receipt.id};
}

namespace {

// How many changes are shown: beside other evidence, and alone.
constexpr size_t kMaxChangesShown = 4;
constexpr size_t kMaxChangesListed = 20;
constexpr size_t kMaxFilesShown = 4;
constexpr size_t kMostFlagChanges = 100;

// Titles of log entries name the kind already: "Deploy of search-service 2.31.0".
std::string describe(const Change& change) {
  std::string text =
      fmt::format("{} {}", format_time(change.at),
                  change.kind == ChangeKind::kCommit || change.kind == ChangeKind::kTag
                      ? fmt::format("{} \"{}\"", name(change.kind), change.title)
                      : change.title);
  if (!change.from.empty() && change.kind != ChangeKind::kFlag)
    text += fmt::format(" (was {})", change.from);
  if (!change.author.empty()) text += ", by " + change.author;
  if (change.written) text += fmt::format(", written {}", format_time(*change.written));
  return text;
}

// What a question about changes names that the record could not be asked for: a file, or something
// that is no service.
struct Named {
  std::set<std::string> files, words;
  bool empty() const { return files.empty() && words.empty(); }
};

Named named_otherwise(const Intent& intent) {
  Named named;
  // Receipts of earlier turns are about what was asked then.
  if (!intent.signals.changes || intent.recall != Recall::kNothing) return named;
  const bool words = intent.service.empty() && !asks_only_for_records(intent);
  for (const Subject& subject : intent.subjects) {
    if (subject.kind == SubjectKind::kFile) named.files.insert(subject.text);
    if (!words) continue;
    for (const std::string& word : telling_words(subject.text))
      if (!frames_a_question(word) && word.find_first_not_of("0123456789") != std::string::npos)
        named.words.insert(word);
  }
  return named;
}

bool speaks_of(const Change& change, const Named& named) {
  if (!named.files.empty())
    return std::ranges::any_of(change.files, [&](const std::string& file) {
      return std::ranges::any_of(named.files,
                                 [&](const std::string& end) { return file.ends_with(end); });
    });
  const std::set<std::string> its =
      telling_words(fmt::format("{} {}", change.title, join(change.services, " ")));
  return named.words.empty() || std::ranges::any_of(named.words, [&](const std::string& word) {
           return its.contains(word);
         });
}

void tell(Writer& out, const ShownChange& shown) {
  out.line(fmt::format("- {} {}", describe(*shown.change),
                       out.cite(source_of(*shown.change, *shown.receipt))));
}

// A release's tag repeats what its deploy says, and so does the version that the service reports
// afterwards.
bool is_said_by_a_deploy(const Change& said, const std::vector<Change>& changes) {
  return std::ranges::any_of(changes, [&](const Change& change) {
    if (change.kind != ChangeKind::kDeploy) return false;
    const bool same = change.version == said.version && change.services == said.services;
    return said.kind == ChangeKind::kTag || (said.kind == ChangeKind::kVersionSeen && same);
  });
}

}  // namespace

std::vector<ShownChange> changes_of(const Answer& answer, size_t most) {
  const Named named = named_otherwise(answer.intent);
  std::vector<ShownChange> shown;
  std::set<std::string> ids;
  for (const auto& [receipt, result] : results_of<ChangesResult>(answer))
    for (const Change& change : result->changes)
      if (shown.size() < most && !is_said_by_a_deploy(change, result->changes) &&
          speaks_of(change, named) && ids.insert(change.id).second)
        shown.push_back({receipt, &change});
  return shown;
}

namespace {

std::string files_of(const Change& change) {
  std::vector<std::string> files(
      change.files.begin(),
      change.files.begin() + static_cast<ptrdiff_t>(std::min(change.files.size(), kMaxFilesShown)));
  for (std::string& file : files) file = fmt::format("`{}`", file);
  const bool more = std::max(change.files_total, change.files.size()) > files.size();
  return join(files, ", ") + (more ? " and others" : "");
}

}  // namespace

void tell_whole(Writer& out, const ShownChange& shown) {
  tell(out, shown);
  if (!shown.change->files.empty()) out.line(fmt::format("  in {}", files_of(*shown.change)));
}

namespace {

std::string window_text(const TimeRange& range, TimePoint now) {
  std::string text = range.from ? "since " + format_time(*range.from) : "so far";
  if (range.to && *range.to < now) text += " until " + format_time(*range.to);
  return text;
}

// "Yesterday's deploy", if there was none yesterday.
void tell_other_deploy(Writer& out, const Intent& intent) {
  if (!intent.deploy || !intent.deploy->deploy) return;
  const TimeRange& day = intent.deploy->day;
  const TimePoint at = intent.deploy->deploy->change.at;
  const bool of_day = (!day.from || at >= *day.from) && (!day.to || at < *day.to);
  if (of_day && intent.deploy->of_version) return;
  const std::string sentence =
      not_found(fmt::format("a deploy for '{}'; the last one known before is {}.",
                            intent.deploy->text, intent.deploy->deploy->text()));
  out.gap();
  out.line(sentence);
  out.missing(sentence);
}

// "search-service runs 2.31.0": by its latest deploy.
void tell_version(Writer& out, const std::vector<ShownChange>& changes) {
  const auto latest = std::ranges::find_if(changes, [](const ShownChange& shown) {
    return !shown.change->version.empty() && !shown.change->services.empty();
  });
  if (latest == changes.end()) return;
  out.line(fmt::format("**{}: version {} since {}**, as far as is recorded {}",
                       latest->change->services.front(), latest->change->version,
                       format_time(latest->change->at),
                       out.cite(source_of(*latest->change, *latest->receipt))));
}

bool is_off(std::string_view value) {
  static const RE2 kOff("(?i)(?:off|false|no|0 ?%?|disabled?|none|archived|removed)?");
  return RE2::FullMatch(re2::StringPiece(value.data(), value.size()), kOff);
}

// What flags are set to: by the latest change of each.
void list_flags(Answer& answer, Writer& out, const Subject& asked) {
  const bool all = asked.text == kAllFlags;
  const bool off = all && answer.intent.qualifiers.switched_off;
  std::set<std::string, std::less<>> told;
  std::vector<ShownChange> changes = changes_of(answer, kMostFlagChanges), shown;
  for (const ShownChange& change : changes) {
    const std::string_view flag = flag_of(*change.change);
    if (flag.empty() || !told.emplace(flag).second) continue;
    if (!all || is_off(change.change->to) == off) shown.push_back(change);
  }
  if (shown.empty()) {
    out.missing(not_found(all ? fmt::format("a flag that was switched {}.", off ? "off" : "on")
                              : fmt::format("a change of the flag {}.", asked.text)));
    return out.line(answer.missing.back());
  }
  if (all)
    out.line(fmt::format("**Flags that are {}**, as far as is recorded", off ? "off" : "on"));
  for (const ShownChange& latest : shown) {
    const Change& change = *latest.change;
    const std::string of =
        change.services.empty() ? "" : fmt::format(" ({})", join(change.services, ", "));
    const std::string by = change.author.empty() ? "" : ", by " + change.author;
    out.line(fmt::format("{}**{} is {} since {}**{}{}{} {}", all ? "- " : "", flag_of(change),
                         change.to, format_time(change.at), of, by,
                         change.from.empty() ? "" : "; before: " + change.from,
                         out.cite(source_of(change, *latest.receipt))));
  }
  if (all || changes.size() < 2) return;
  out.gap();
  out.line("**Before that**");
  for (const ShownChange& change : std::span(changes).subspan(1)) tell(out, change);
}

// What was asked for: "rollbacks" if only those were, so that nothing else is said to be missing.
std::string_view asked_kinds(const Receipt& receipt) {
  const std::vector<std::string> given = given_words(receipt, "kinds");
  std::set<std::string> kinds(given.begin(), given.end());
  for (const ChangeKind other : {ChangeKind::kTag, ChangeKind::kVersionSeen, ChangeKind::kConfig})
    if (kinds.size() > 1) kinds.erase(std::string(name(other)));
  const auto only = [&](std::initializer_list<ChangeKind> these) {
    return !kinds.empty() && std::ranges::all_of(kinds, [&](const std::string& kind) {
      return std::ranges::any_of(these, [&](ChangeKind one) { return name(one) == kind; });
    });
  };
  if (only({ChangeKind::kRollback})) return "rollbacks";
  if (only({ChangeKind::kFlag})) return "changes of flags";
  if (only({ChangeKind::kCommit})) return "commits";
  return only({ChangeKind::kDeploy, ChangeKind::kRollback}) ? "deploys" : "changes";
}

// Everything changed in the time that is asked about; if nothing was, what was changed before it.
void list_changes(Answer& answer, Writer& out) {
  const auto subject_of = [&](SubjectKind kind) -> const Subject* {
    const auto found = std::ranges::find(answer.intent.subjects, kind, &Subject::kind);
    return found == answer.intent.subjects.end() ? nullptr : &*found;
  };
  if (const Subject* flag = subject_of(SubjectKind::kFlag)) return list_flags(answer, out, *flag);
  const Subject* person = subject_of(SubjectKind::kPerson);
  const auto results = results_of<ChangesResult>(answer);
  const auto& [receipt, asked] = results.front();
  std::string commit = answer.intent.qualifiers.commit;
  // The form in which it is cited.
  if (!commit.empty() && !asked->changes.empty())
    commit = asked->changes.front().commit.substr(0, std::max<size_t>(commit.size(), 10));
  const std::string of = !commit.empty()          ? " of commit " + commit
                         : asked->service.empty() ? ""
                                                  : " of " + asked->service;
  const std::string& environment = answer.intent.qualifiers.environment;
  const std::string in = environment.empty() ? "" : fmt::format(" in {}", environment);
  const std::string by = person == nullptr ? "" : " by " + person->text;
  const std::string about =
      answer.intent.changed.empty() ? "" : fmt::format(" about '{}'", answer.intent.changed);
  const std::string when = window_text(asked->range, answer.intent.now);
  const std::vector<ShownChange> changes = changes_of(answer, kMaxChangesListed);
  if (answer.intent.qualifiers.version) tell_version(out, changes);
  out.gap();
  if (asked->changes.empty()) {
    out.missing(not_found(fmt::format("{}{}{}{}{} {}.{}", asked_kinds(*receipt), of, in, about, by,
                                      when, asked->note.empty() ? "" : " " + asked->note)));
    out.line(answer.missing.back());
    const auto& last = asked->last_deploy;
    const bool is_there = last && (in.empty() || last->evidence != DeployEvidence::kTag);
    if (changes.empty() && is_there && person == nullptr && about.empty()) {
      out.gap();
      out.line("**The last deploy**");
      tell(out, {receipt, &last->change});
    }
    if (changes.empty()) return;
    out.gap();
    out.line("**Before that**");
  } else {
    out.line(fmt::format("**Changes{}{}{}{} {}**", of, in, about, by, when));
  }
  for (const ShownChange& shown : changes) tell_whole(out, shown);
  if (asked->more) out.line("- Older ones are left out.");
}

}  // namespace

void compose_changes(Answer& answer, Writer& out) {
  tell_other_deploy(out, answer.intent);
  if (results_of<ChangesResult>(answer).empty()) return;
  if (asks_only_for_records(answer.intent)) return list_changes(answer, out);
  const std::vector<ShownChange> changes = changes_of(answer, kMaxChangesShown);
  if (changes.empty()) return;
  const bool its_own =
      std::ranges::none_of(results_of<ChangesResult>(answer), [&](const auto& asked) {
        return !asked.second->service.empty() && asked.second->changes.empty() &&
               !iequals(asked.second->service, answer.intent.blamed);
      });
  out.gap();
  out.line(its_own ? "**What changed**" : "**What changed elsewhere**");
  for (const ShownChange& shown : changes) tell(out, shown);
}

void compose_blame(Answer& answer, Writer& out, std::optional<Instant> begun) {
  const std::string& blamed = answer.intent.blamed;
  if (blamed.empty() || !begun) return;
  const Change *before = nullptr, *after = nullptr;
  const Receipt* read = nullptr;
  for (const auto& [receipt, result] : results_of<ChangesResult>(answer)) {
    if (!iequals(result->service, blamed)) continue;
    read = receipt;
    // Newest first; a commit that was not deployed does nothing yet.
    for (const Change& change : result->changes) {
      if (change.kind == ChangeKind::kCommit || change.kind == ChangeKind::kTag ||
          is_said_by_a_deploy(change, result->changes))
        continue;
      if (change.at > *begun) after = &change;
      if (change.at <= *begun && before == nullptr) before = &change;
    }
  }
  if (read == nullptr) return;
  const auto apart = [&](const Change& change) {
    return duration_text(
        std::chrono::abs(std::chrono::duration_cast<std::chrono::minutes>(*begun - change.at)));
  };
  if (before != nullptr)
    out.line(fmt::format("- {} had last been changed {} before that: {} {}", blamed, apart(*before),
                         describe(*before), out.cite(source_of(*before, *read))));
  if (after != nullptr)
    out.line(fmt::format("- {} was changed {} after that, which cannot be behind it: {} {}", blamed,
                         apart(*after), describe(*after), out.cite(source_of(*after, *read))));
  if (before == nullptr && after == nullptr) {
    const std::string none = not_found(fmt::format("a change of {} that came before.", blamed));
    out.line(none);
    out.missing(none);
  }
}

namespace {

bool is_said(std::string_view what, const std::vector<std::string>& sentences) {
  return std::ranges::any_of(sentences, [&](const std::string& s) { return s.contains(what); });
}

}  // namespace

void compose_changes_gaps(Answer& answer, Writer& out) {
  for (const auto& [receipt, changes] : results_of<ChangesResult>(answer)) {
    const std::string of = changes->service.empty() ? "" : " of " + changes->service;
    if (!changes->changes.empty() || asks_only_for_records(answer.intent)) continue;
    out.missing(
        not_found(fmt::format("changes{} {}.{}", of, window_text(changes->range, answer.intent.now),
                              changes->note.empty() ? "" : " " + changes->note)));
  }
  for (const auto& [receipt, changes] : results_of<ChangesResult>(answer))
    for (const AskedSource& source : changes->asked)
      if (!source.failed && !source.note.empty() && !is_said(source.note, answer.missing))
        out.missing(fmt::format("Not all of {} could be read: {}.", source.name, source.note));
  if (!named_otherwise(answer.intent).empty() && !results_of<ChangesResult>(answer).empty() &&
      changes_of(answer, 1).empty())
    out.missing(not_found("a change that names what the question is about."));
}

}  // namespace precedent
