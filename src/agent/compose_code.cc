// The places in the code that were found, and what the latest commit there was.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "agent/compose_parts.h"
#include "agent/field_words.h"
#include "base/strings.h"
#include "text/code_analyzer.h"
#include "tools/repo_search.h"

namespace precedent {
namespace {

constexpr size_t kMaxCodeShown = 3;
// Of an excerpt: enough to see what it does; the place to read on stands beside.
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

// Whether a line gives a value to a name of which the question says the words: "upstreamTimeout = …" of "the upstream timeout".
bool sets_what_is_asked(const CodeItem& item, const std::vector<std::string>& asked) {
  static const RE2 kSetting("^[^=:(]*?([A-Za-z_][A-Za-z0-9_.-]*)[\"']?\\s*(?::=|=|:)\\s*[^=\\s]");
  constexpr size_t kEnough = 2;
  const CodeAnalyzer analyzer;
  return std::ranges::any_of(split_lines(item.excerpt), [&](std::string_view line) {
    std::string name;
    if (!RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), kSetting, &name))
      return false;
    const std::vector<std::string> words = analyzer.terms(name);
    const auto said = static_cast<size_t>(std::ranges::count_if(
        asked, [&](const auto& term) { return std::ranges::find(words, term) != words.end(); }));
    return said >= std::min(kEnough, asked.size()) && said > 0;
  });
}

}  // namespace

void compose_code(Answer& answer, Writer& out) {
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
  // What a commit wrote is looked for by its title.
  const auto written_by = [&](const Receipt& asked) {
    const std::string title = nlohmann::json::parse(asked.args, nullptr, false).value("query", "");
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
                        receipt->args.contains("\"path\""), written});
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
  // Where a thing stands: another file says more than another place in the same one; and a value that is configured stands in a
  // file of configuration.
  std::set<std::string> files;
  if (answer.intent.type == QuestionType::kExplainCode)
    std::ranges::stable_partition(
        pieces, [&](const Piece& piece) { return files.insert(piece.item->path).second; });
  if (answer.intent.type == QuestionType::kExplainCode && answer.intent.signals.configuration) {
    const std::vector<std::string> asked = own_terms(answer.intent.question);
    std::ranges::stable_partition(
        pieces, [&](const Piece& piece) { return sets_what_is_asked(*piece.item, asked); });
  }
  const auto configures = [](const Piece& piece) { return is_configuration(piece.item->path); };
  const auto first = std::ranges::find_if(pieces, configures);
  if (answer.intent.signals.configuration && first >= pieces.begin() + kMaxCodeShown &&
      first != pieces.end())
    std::rotate(pieces.begin() + kMaxCodeShown - 1, first, first + 1);
  out.gap();
  out.line("**Evidence from code and configuration**");
  size_t shown = 0;
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
  }
}

}  // namespace precedent
