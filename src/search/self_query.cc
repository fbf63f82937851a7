#include "search/self_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/ascii.h"
#include "base/ids.h"
#include "base/strings.h"
#include "time/time_words.h"

namespace precedent {
namespace {

// More than a person reads; 403 and 500 are no counts.
constexpr int kMostCounted = 50;

// A question longer than this is a description or a pasted log: its names are mentions, never
// scope.
constexpr size_t kMaxScopeWords = 24;

struct Word {
  std::string folded;  // lower case, "and" for '&'
  std::string_view written;
  size_t begin, end;
};

bool is_word_byte(unsigned char c) { return isalnum(c) != 0 || c >= 0x80; }

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '&') {
      words.push_back({"and", text.substr(i, 1), i, i + 1});
      ++i;
      continue;
    }
    if (!is_word_byte(static_cast<unsigned char>(text[i]))) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && is_word_byte(static_cast<unsigned char>(text[end]))) ++end;
    words.push_back({ascii_lower(text.substr(i, end - i)), text.substr(i, end - i), i, end});
    i = end;
  }
  return words;
}

bool has_inner_upper_or_digit(std::string_view word) {
  return std::any_of(word.begin() + (word.empty() ? 0 : 1), word.end(),
                     [](unsigned char c) { return isupper(c) || isdigit(c); });
}

// Whether a name can be recognised without regard to case: several words, or not a plain word.
bool is_distinctive(const std::vector<Word>& name, std::string_view written) {
  return name.size() > 1 || has_inner_upper_or_digit(written) ||
         written.find_first_of("-_./") != std::string_view::npos;
}

bool any_of(std::string_view word, std::initializer_list<std::string_view> set) {
  return std::find(set.begin(), set.end(), word) != set.end();
}

bool restricts_before(std::string_view word) {
  return any_of(
      word, {"in", "on", "for", "of", "affecting", "affected", "affect", "impacting", "impacted",
             "impact", "hit", "hitting", "involving", "at", "against", "with", "from"});
}

bool restricts_after(std::string_view word) {
  return any_of(word, {"incident", "incidents", "outage", "outages", "issue", "issues", "problem",
                       "problems", "failures", "postmortems", "runbook", "runbooks", "history"});
}

bool is_scope(const std::vector<Word>& words, size_t first, size_t last) {
  if (words.size() > kMaxScopeWords) return false;
  if (last + 1 < words.size() && restricts_after(words[last + 1].folded)) return true;
  size_t before = first;
  while (before > 0 && any_of(words[before - 1].folded, {"the", "our", "a"})) --before;
  return before > 0 && restricts_before(words[before - 1].folded);
}

bool holds_all(const std::vector<Word>& name, const std::vector<Word>& words) {
  return std::ranges::all_of(words, [&](const Word& word) {
    return std::ranges::any_of(name, [&](const Word& w) { return w.folded == word.folded; });
  });
}

void find_in(const std::vector<Word>& words, const std::vector<std::string>& names,
             NameMention::Field field, std::vector<NameMention>& found) {
  struct Name {
    const std::string* written;
    std::vector<Word> words;
  };
  std::vector<Name> sorted;
  for (const std::string& name : names) {
    if (auto parts = words_of(name); !parts.empty()) sorted.push_back({&name, std::move(parts)});
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Name& a, const Name& b) { return a.words.size() > b.words.size(); });
  std::vector<bool> taken(words.size());
  const auto add = [&](const Name& name, size_t first, size_t length, bool whole) {
    NameMention mention{*name.written, field, words[first].begin, words[first + length - 1].end,
                        whole,         false};
    // "Cloudflare" beside a "Cloudflare DNS" may mean either: it ranks, but excludes nothing.
    const bool shared = std::ranges::any_of(sorted, [&](const Name& other) {
      return other.written != name.written && holds_all(other.words, name.words);
    });
    mention.scope = whole && !shared && is_scope(words, first, first + length - 1);
    std::fill_n(taken.begin() + static_cast<long>(first), length, true);
    found.push_back(std::move(mention));
  };
  for (const Name& name : sorted) {
    const bool any_case = is_distinctive(name.words, *name.written);
    for (size_t i = 0; i + name.words.size() <= words.size(); ++i) {
      bool equal = !taken[i];
      for (size_t j = 0; equal && j < name.words.size(); ++j) {
        equal = any_case ? words[i + j].folded == name.words[j].folded
                         : words[i + j].written == name.words[j].written;
      }
      if (equal) add(name, i, name.words.size(), true);
    }
  }
  // "PayU" for "PayU Core": the distinctive first word of exactly one name.
  for (size_t i = 0; i < words.size(); ++i) {
    if (taken[i] || words[i].written.size() < 3) continue;
    const Name* only = nullptr;
    size_t count = 0;
    for (const Name& name : sorted) {
      if (name.words.size() < 2 || name.words[0].folded != words[i].folded) continue;
      only = &name;
      ++count;
    }
    if (count == 1 &&
        (has_inner_upper_or_digit(only->words[0].written) ||
         (is_upper(words[i].written[0]) && i > 0 && words[i].written == only->words[0].written))) {
      add(*only, i, 1, false);
      continue;
    }
    // "GitHub incidents": all whose name begins so.
    const bool of_incidents =
        i + 1 < words.size() && words.size() <= kMaxScopeWords &&
        any_of(words[i + 1].folded, {"incident", "incidents", "outage", "outages"});
    if (!of_incidents) continue;
    for (const Name& name : sorted) {
      if (name.words[0].folded != words[i].folded) continue;
      add(name, i, 1, false);
      found.back().scope = true;
    }
  }
}

// Of a severity that is a number or a letter by itself, what stands before it says so: "class A".
bool names_severity(std::string_view word) {
  return any_of(word, {"sev", "severity", "prio", "priority", "class", "level"});
}

// "SEV1", "sev-1", "SEV 1", "P1", "critical incidents": a severity the catalogue has.
void read_severity(const std::vector<Word>& words, const Catalogue& catalogue, bool of_records,
                   SelfQuery& out, std::vector<bool>& consumed) {
  for (const std::string& severity : catalogue.severities) {
    const std::string wanted = bare_name(severity);
    if (wanted.empty()) continue;
    const bool has_digit = std::any_of(wanted.begin(), wanted.end(), is_digit);
    for (size_t i = 0; i < words.size(); ++i) {
      // "SEV1s" of several.
      const bool one = words[i].folded == wanted || (has_digit && words[i].folded == wanted + "s");
      const bool two = i + 1 < words.size() && words[i].folded + words[i + 1].folded == wanted;
      // A plain word ("high", "critical") is a severity only next to what it qualifies.
      const size_t next = i + 1;
      const bool before_noun = next < words.size() && (restricts_after(words[next].folded) ||
                                                       words[next].folded == "severity");
      const bool bare = std::ranges::all_of(wanted, is_digit) || wanted.size() == 1;
      const bool said = i > 0 && names_severity(words[i - 1].folded);
      // "A" is a word, too; as a severity it is written as records write it.
      const bool letter = of_records && before_noun && words[i].written == severity;
      const bool qualifies = bare ? said || letter : has_digit || before_noun || of_records;
      if ((one || two) && qualifies) {
        consumed[i] = true;
        if (said) consumed[i - 1] = true;
        if (two) consumed[i + 1] = true;
        out.filter.severities.push_back(severity);
        out.cues.push_back(fmt::format("severity={}: '{}'", severity, words[i].written));
        break;
      }
    }
  }
}

void read_status(const std::vector<Word>& words, const Catalogue& catalogue, bool of_records,
                 SelfQuery& out, std::vector<bool>& consumed) {
  for (size_t i = 0; i < words.size(); ++i) {
    const bool before_noun = i + 1 < words.size() && restricts_after(words[i + 1].folded);
    const bool negated = i > 0 && any_of(words[i - 1].folded, {"not", "yet", "arent", "never"});
    const size_t verb = negated ? i - 1 : i;
    const bool after_verb = verb > 0 &&
                            any_of(words[verb - 1].folded,
                                   {"still", "currently", "are", "status", "is", "were", "not"}) &&
                            words.size() <= kMaxScopeWords;
    if (!before_noun && !after_verb && !of_records) continue;
    const bool finished_word = any_of(words[i].folded, {"resolved", "closed", "fixed", "done"});
    const bool unfinished =
        negated ? finished_word
                : any_of(words[i].folded, {"open", "unresolved", "ongoing", "active", "current"});
    // "Who fixed it" asks for no state.
    const bool finished = !negated && finished_word && (before_noun || after_verb);
    out.open = out.open || unfinished;
    for (const std::string& status : catalogue.statuses) {
      const bool named = !negated && bare_name(status) == words[i].folded;
      if (named || (unfinished && !is_closed_status(status)) ||
          (finished && is_closed_status(status))) {
        consumed[i] = true;
        if (negated) consumed[i - 1] = true;
        if (std::ranges::find(out.filter.statuses, status) == out.filter.statuses.end()) {
          out.filter.statuses.push_back(status);
          out.cues.push_back(fmt::format("status={}: '{}'", status, words[i].written));
        }
      }
    }
  }
}

// Whether a question is about past incidents rather than about something going on: then its times
// say which documents it wants ("incidents since March", but not "slow since yesterday's deploy").
bool about_past(const std::vector<Word>& words) {
  return std::ranges::any_of(words, [](const Word& word) {
    return any_of(word.folded, {"incident", "incidents", "outage", "outages", "happened",
                                "postmortem", "postmortems", "sev"});
  });
}

// Words of a request for a list that say nothing about what is listed.
bool frames_a_list(std::string_view word) {
  return restricts_before(word) || restricts_after(word) ||
         any_of(
             word,
             {"show",        "me",    "list",    "what",      "which",    "all",      "any",
              "give",        "find",  "get",     "us",        "the",      "a",        "an",
              "our",         "were",  "was",     "is",        "are",      "there",    "have",
              "had",         "did",   "do",      "we",        "i",        "happen",   "happened",
              "occurred",    "occur", "please",  "and",       "with",     "severity", "status",
              "how",         "many",  "that",    "to",        "by",       "during",   "system",
              "application", "app",   "service", "recent",    "recently", "latest",   "been",
              "so",          "far",   "still",   "currently", "tell",     "about",    "again",
              "opened",      "s",     "number",  "of",        "total",    "count",    "summarize",
              "summarise",   "past",  "last",    "broke",     "newest",   "lately",   "most"});
}

}  // namespace

std::string name_key(std::string_view name) {
  std::string out;
  for (const Word& word : words_of(fold_hyphens(name))) {
    if (!out.empty()) out += ' ';
    out += word.folded;
  }
  return out;
}

std::string known_name(std::string_view name, const std::vector<std::string>& known) {
  const std::string wanted = name_key(name);
  for (const std::string& candidate : known) {
    if (name_key(candidate) == wanted) return candidate;
  }
  return std::string(name);
}

bool is_closed_status(std::string_view status) {
  const std::string s = bare_name(status);
  return any_of(s, {"resolved", "closed", "done", "completed", "complete", "fixed", "mitigated",
                    "cancelled", "canceled", "postmortem", "finished"});
}

std::vector<NameMention> find_names(std::string_view question, const Catalogue& catalogue) {
  const std::vector<Word> words = words_of(question);
  std::vector<NameMention> found;
  find_in(words, catalogue.applications, NameMention::Field::kApplication, found);
  find_in(words, catalogue.services, NameMention::Field::kService, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const NameMention& a, const NameMention& b) { return a.begin < b.begin; });
  return found;
}

SelfQuery read_self_query(std::string_view question, const Catalogue& catalogue, TimePoint now,
                          bool of_records) {
  SelfQuery out;
  out.names = find_names(question, catalogue);
  for (const NameMention& mention : out.names) {
    if (!mention.scope) continue;
    const bool application = mention.field == NameMention::Field::kApplication;
    (application ? out.filter.applications : out.filter.services).push_back(mention.name);
    out.cues.push_back(fmt::format("{}={}: '{}'", application ? "application" : "service",
                                   mention.name,
                                   question.substr(mention.begin, mention.end - mention.begin)));
  }
  for (const IdMention& id : find_ids(question)) out.ids.push_back(id.id);
  out.times = find_time_hints(question, now);
  const std::vector<Word> words = words_of(question);
  std::vector<bool> consumed(words.size());
  read_severity(words, catalogue, of_records, out, consumed);
  read_status(words, catalogue, of_records, out, consumed);
  const TimeRange window = intersection(out.times);
  const bool ended = window.to && *window.to <= now - std::chrono::days(2);
  if (ended || of_records || about_past(words) || !out.filter.severities.empty() ||
      !out.filter.statuses.empty()) {
    out.filter.opened = window;
    for (const TimeHint& hint : out.times) {
      out.cues.push_back(fmt::format("opened: '{}'", hint.text));
    }
  }
  const auto inside = [](const Word& word, const auto& mention) {
    return word.begin >= mention.begin && word.end <= mention.end;
  };
  const auto read_count = [&](size_t i) -> std::optional<int> {
    const bool of_something =
        consumed[i] ||
        std::ranges::any_of(out.times, [&](const TimeHint& t) { return inside(words[i], t); }) ||
        std::ranges::any_of(out.names, [&](const NameMention& n) { return inside(words[i], n); }) ||
        std::ranges::any_of(find_ids(question),
                            [&](const IdMention& id) { return inside(words[i], id); });
    const auto number = of_something ? std::nullopt : read_number(words[i].folded);
    return number && *number >= 2 && *number <= kMostCounted ? number : std::nullopt;
  };
  size_t counts = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (const auto number = read_count(i)) {
      out.count = number;
      consumed[i] = ++counts == 1;
    }
  }
  if (counts > 1) out.count.reset();
  out.lists = !out.filter.empty();
  out.only_frames = true;
  out.of_records = of_records;
  size_t rest_end = 0;  // of the last other word
  for (size_t i = 0; i < words.size(); ++i) {
    const bool frames =
        consumed[i] || frames_a_list(words[i].folded) ||
        std::ranges::any_of(out.times, [&](const TimeHint& t) { return inside(words[i], t); });
    const auto is_named = [&](bool restricts) {
      return std::ranges::any_of(out.names, [&](const NameMention& n) {
        return (!restricts || n.scope || !n.whole) && inside(words[i], n);
      });
    };
    out.lists = out.lists && (frames || is_named(true));
    const bool framed = frames || is_named(false);
    if (!framed) {
      const bool joined = i > 0 && rest_end == words[i - 1].end && words[i].begin == rest_end + 1 &&
                          any_of(question.substr(rest_end, 1), {"-", "_", ".", "/"});
      if (!joined) out.rest.emplace_back();
      out.rest.back() += question.substr(joined ? rest_end : words[i].begin,
                                         words[i].end - (joined ? rest_end : words[i].begin));
      rest_end = words[i].end;
    }
    out.only_frames = out.only_frames && framed;
  }
  return out;
}

}  // namespace precedent
