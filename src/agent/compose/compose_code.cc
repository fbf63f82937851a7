// The places in the code that were found, each with its latest commit.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>

#include "agent/compose/compose_parts.h"
#include "agent/findings/given_arguments.h"
#include "agent/language/field_words.h"
#include "agent/language/setting_values.h"
#include "agent/slots/subjects.h"
#include "base/strings.h"
#include "text/analyzer.h"
#include "tools/repo_search.h"

namespace precedent {
namespace {

constexpr size_t kMaxCodeShown = 3;
// How much of an excerpt is shown: enough to see what it does; its place says where to read on.
constexpr size_t kMaxExcerptLines = 24;

std::string excerpt_of(const CodeItem& item) {
  std::string text;
  size_t lines = 0;
  for (const std::string_view line : split_lines(item.excerpt)) {
    if (++lines > kMaxExcerptLines) {
      text += "…\n";
      break;
    }
    text.append(line).append("\n");
  }
  return text;
}

bool is_configuration(const std::string& path) {
  static const RE2 kEnding(
      "(?i)\\.(?:ya?ml|toml|properties|conf|cfg|ini|json|env|hcl|tfvars|xml)$");
  return RE2::PartialMatch(path, kEnding);
}

// The words of the question without those of the system's name, which all of its settings have.
std::vector<std::string> asked_terms(const Intent& intent) {
  std::vector<std::string> terms = intent.asked.text.own_terms();
  std::set<std::string> system;
  const Analyzer analyzer;
  const auto add = [&](const std::string& name) {
    for (const std::string& word : telling_words(name))
      for (std::string& term : analyzer.terms(word)) system.insert(std::move(term));
    for (std::string& term : analyzer.terms(name)) system.insert(std::move(term));
  };
  add(intent.service);
  for (const Subject& subject : intent.subjects)
    if (subject.kind == SubjectKind::kService || subject.kind == SubjectKind::kApplication)
      add(subject.text);
  std::vector<std::string> rest = terms;
  std::erase_if(rest, [&](const std::string& term) { return system.contains(term); });
  return rest.empty() ? terms : rest;
}

// Whether it holds a symbol that the question names.
bool holds_a_symbol(const CodeItem& item, const Intent& intent) {
  return std::ranges::any_of(intent.subjects, [&](const Subject& subject) {
    return subject.kind == SubjectKind::kSymbol && item.excerpt.contains(subject.text);
  });
}

// Values that documents give to a setting and that no place in the code gives to it.
void tell_differences(Writer& out, const std::vector<std::pair<const CodeItem*, Source>>& code,
                      const std::vector<Evidence>& evidence,
                      const std::vector<std::string>& asked) {
  std::set<std::string> told;
  for (const auto& [item, source] : code) {
    for (const SettingValue& set : setting_values(item->excerpt)) {
      if (!gives_a_value_to(set.name + " = 0", asked)) continue;
      for (const Evidence& e : evidence) {
        // A procedure says what to set, and an incident what was set.
        if (e.kind == Kind::kIncident || e.kind == Kind::kRunbook || e.kind == Kind::kPlaybook ||
            e.kind == Kind::kPostmortem)
          continue;
        for (const SettingValue& said : setting_values(e.quote)) {
          const bool in_code = std::ranges::any_of(code, [&](const auto& other) {
            return std::ranges::any_of(
                setting_values(other.first->excerpt), [&](const SettingValue& s) {
                  return s.name == said.name && is_same_value(s.value, said.value);
                });
          });
          if (said.name != set.name || in_code || !told.insert(set.name).second) continue;
          out.gap();
          out.line(fmt::format(
              "**They differ:** `{0}` is {1} in the code {2}, but {3} in \"{4}\" {5}", set.name,
              set.value, out.cite(source), said.value, e.source.title, out.cite(e.source)));
        }
      }
    }
  }
}

}  // namespace

void compose_code(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  // The latest commit that touched a file.
  struct Touch {
    const Receipt* receipt = nullptr;
    const Change* change = nullptr;
  };
  std::map<std::string, Touch> touched;
  for (const auto& [receipt, result] : results_of<ChangesResult>(answer))
    for (const Change& change : result->changes)
      for (const std::string& file : change.files)
        touched.try_emplace(file, Touch{receipt, &change});
  struct Piece {
    const Receipt* receipt;
    const CodeItem* item;
    Touch touched_by;
    bool in_changed_file;
    bool written;  // by a commit that was looked at
  };
  // The lines of a commit are searched for by its title.
  const auto written_by = [&](const Receipt& asked) {
    const std::string title = given_text(asked, "query");
    for (const auto& [receipt, result] : results_of<ChangesResult>(answer))
      for (const Change& change : result->changes)
        if (change.title == title) return Touch{receipt, &change};
    return Touch{};
  };
  std::vector<Piece> pieces;
  for (const auto& [receipt, result] : results_of<CodeResult>(answer))
    for (const CodeItem& item : result->items) {
      const bool written = holds_asked_lines(item, *receipt);
      const Touch by = written ? written_by(*receipt) : Touch{};
      pieces.push_back({receipt, &item, by.change != nullptr ? by : touched[item.path],
                        !given_text(*receipt, "path").empty(), written});
    }
  if (pieces.empty()) return;
  std::ranges::stable_sort(pieces, [](const Piece& a, const Piece& b) {
    const bool a_touched = a.touched_by.change != nullptr,
               b_touched = b.touched_by.change != nullptr;
    if (a_touched != b_touched) return a_touched;
    if (a.written != b.written) return a.written;
    if (a.in_changed_file != b.in_changed_file) return a.in_changed_file;
    return a.item->relevance > b.item->relevance;
  });
  // Asked where something is, another file says more than another place in the same file; and a
  // configured value is in a file of configuration.
  std::set<std::string> files;
  if (answer.intent.type == QuestionType::kExplainCode)
    std::ranges::stable_partition(
        pieces, [&](const Piece& piece) { return files.insert(piece.item->path).second; });
  const std::vector<std::string> asked = asked_terms(answer.intent);
  if (answer.intent.type == QuestionType::kExplainCode) {
    std::ranges::stable_partition(
        pieces, [&](const Piece& piece) { return gives_a_value_to(piece.item->excerpt, asked); });
    // If a name is asked for, a place that lacks it is about something else.
    const auto lacks = [&](const Piece& piece) {
      return !holds_a_symbol(*piece.item, answer.intent);
    };
    if (!std::ranges::all_of(pieces, lacks)) std::erase_if(pieces, lacks);
  }
  const auto configures = [](const Piece& piece) { return is_configuration(piece.item->path); };
  const auto first = std::ranges::find_if(pieces, configures);
  if (answer.intent.signals.configuration && first >= pieces.begin() + kMaxCodeShown &&
      first != pieces.end())
    std::rotate(pieces.begin() + kMaxCodeShown - 1, first, first + 1);
  out.gap();
  out.line("**Evidence from code and configuration**");
  size_t shown = 0;
  std::vector<std::pair<const CodeItem*, Source>> told;
  std::set<std::pair<std::string, uint32_t>> places;
  for (const Piece& piece : pieces) {
    if (shown >= kMaxCodeShown) break;
    if (!places.insert({piece.item->path, piece.item->lines.begin}).second) continue;
    ++shown;
    const Source source{piece.item->id,   piece.item->path,  std::string(name(Kind::kCode)),
                        piece.item->path, piece.item->lines, piece.receipt->id};
    const std::string symbols =
        piece.item->symbols.empty() ? "" : fmt::format(" ({})", join(piece.item->symbols, ", "));
    out.line(fmt::format(
        "- `{}`{} {}{}", piece.item->path, symbols, out.cite(source),
        piece.touched_by.change == nullptr
            ? ""
            : " " + out.cite(source_of(*piece.touched_by.change, *piece.touched_by.receipt))));
    out.line(fmt::format("```{}\n{}```", piece.item->language, excerpt_of(*piece.item)));
    told.emplace_back(piece.item, source);
  }
  if (answer.intent.type == QuestionType::kExplainCode)
    tell_differences(out, told, evidence, asked);
}

}  // namespace precedent
