#include "ingest/reading/infer_kind.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/ascii.h"
#include "base/ids.h"
#include "base/strings.h"
#include "ingest/records/field_map.h"
#include "text/markdown.h"
#include "text/steps.h"

namespace precedent {
namespace {

using Word = std::pair<std::string_view, Kind>;

// Folder names, folded. Names that a home directory may have too (code, team, design) tell nothing.
constexpr std::array<Word, 26> kFolders = {{{"runbook", Kind::kRunbook},
                                            {"howto", Kind::kRunbook},
                                            {"oncall", Kind::kOwnership},
                                            {"sop", Kind::kRunbook},
                                            {"procedure", Kind::kRunbook},
                                            {"troubleshooting", Kind::kRunbook},
                                            {"postmortem", Kind::kPostmortem},
                                            {"retrospective", Kind::kPostmortem},
                                            {"incidentreview", Kind::kPostmortem},
                                            {"incidentreport", Kind::kPostmortem},
                                            {"incident", Kind::kPostmortem},
                                            {"rca", Kind::kPostmortem},
                                            {"adr", Kind::kAdr},
                                            {"decision", Kind::kAdr},
                                            {"decisionrecord", Kind::kAdr},
                                            {"architecturedecision", Kind::kAdr},
                                            {"knownissue", Kind::kKnownIssue},
                                            {"knownerror", Kind::kKnownIssue},
                                            {"knownproblem", Kind::kKnownIssue},
                                            {"faq", Kind::kFaq},
                                            {"playbook", Kind::kPlaybook},
                                            {"architecture", Kind::kArchitecture},
                                            {"ownership", Kind::kOwnership},
                                            {"owner", Kind::kOwnership},
                                            {"environment", Kind::kEnvironment},
                                            {"architecturedecisionrecord", Kind::kAdr}}};

constexpr std::array<Word, 9> kFileNames = {{{"postmortem", Kind::kPostmortem},
                                             {"incidentreview", Kind::kPostmortem},
                                             {"incidentreport", Kind::kPostmortem},
                                             {"runbook", Kind::kRunbook},
                                             {"playbook", Kind::kPlaybook},
                                             {"knownissue", Kind::kKnownIssue},
                                             {"ownership", Kind::kOwnership},
                                             {"architecture", Kind::kArchitecture},
                                             {"faq", Kind::kFaq}}};

constexpr std::array<Word, 10> kFields = {{{"workaround", Kind::kKnownIssue},
                                           {"discoveredat", Kind::kKnownIssue},
                                           {"incidentdate", Kind::kPostmortem},
                                           {"incidentid", Kind::kPostmortem},
                                           {"rootcause", Kind::kPostmortem},
                                           {"actionitems", Kind::kPostmortem},
                                           {"oncall", Kind::kOwnership},
                                           {"escalation", Kind::kOwnership},
                                           {"deciders", Kind::kAdr},
                                           {"dependencies", Kind::kArchitecture}}};

std::optional<Kind> of_folder(std::string_view folder) {
  std::string name = bare_name(folder);
  for (int plural = 0; plural < 2; ++plural) {
    for (const auto& [word, kind] : kFolders) {
      if (name == word) return kind;
    }
    if (!name.ends_with('s')) break;
    name.pop_back();
  }
  return std::nullopt;
}

std::optional<Kind> of_path(const KindHints& hints) {
  std::filesystem::path folder = std::filesystem::path(hints.path).parent_path();
  for (; folder.has_filename(); folder = folder.parent_path()) {
    if (const auto kind = of_folder(folder.filename().string())) return kind;
  }
  return of_folder(std::filesystem::path(hints.root).filename().string());
}

std::optional<Kind> of_file_name(std::string_view path) {
  const std::string stem = ascii_lower(std::filesystem::path(path).stem().string());
  const std::string name = bare_name(stem);
  if (name.starts_with("adr") && name.size() > 3 && is_digit(name[3])) return Kind::kAdr;
  for (const auto& [word, kind] : kFileNames) {
    if (name.find(word) != std::string::npos) return kind;
  }
  for (const std::string_view word :
       {"readme", "contributing", "changelog", "glossary", "license"}) {
    if (name == word) return Kind::kDoc;
  }
  const auto ids = find_ids(stem);
  if (!ids.empty() && date_in_id(ids.front().id)) return Kind::kPostmortem;
  return std::nullopt;
}

std::optional<Kind> of_fields(const Record* fields) {
  if (fields == nullptr) return std::nullopt;
  for (const auto& [word, kind] : kFields) {
    for (const Field& field : fields->fields) {
      if (bare_name(field.name) == word) return kind;
    }
  }
  return std::nullopt;
}

std::optional<Kind> of_headings(const std::vector<std::string>& headings) {
  std::vector<std::string> names;
  for (const std::string& heading : headings) names.push_back(bare_name(heading));
  const auto has = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(names, [&](const std::string& name) {
      return std::ranges::any_of(words,
                                 [&](std::string_view word) { return name.starts_with(word); });
    });
  };
  const bool cause = has({"rootcause", "contributingfactor", "whatwentwrong", "cause"});
  const bool after = has({"timeline", "lessonslearned", "actionitem", "followup", "whatwentwell"});
  if (has({"decision"}) && has({"context", "consequences", "status"})) return Kind::kAdr;
  if ((cause && after) || (has({"timeline"}) && has({"impact", "lessonslearned", "actionitem"})))
    return Kind::kPostmortem;
  if (has({"workaround"}) && has({"symptom", "affected", "knownissue"})) return Kind::kKnownIssue;
  if (has({"diagnosis", "mitigation", "remediation", "troubleshooting", "resolution", "steps",
           "rollback", "verification"})) {
    return Kind::kRunbook;
  }
  if (std::ranges::count_if(headings, [](const std::string& h) { return h.ends_with('?'); }) >= 3)
    return Kind::kFaq;
  if (has({"component", "dataflow", "architecture"}) &&
      has({"dependenc", "dataflow", "overview"})) {
    return Kind::kArchitecture;
  }
  return std::nullopt;
}

// How somebody is reached: an address, a channel, a telephone number or extension.
bool is_contact(std::string_view text) {
  static const RE2 kContact(
      "\\w@\\w|(?:^|\\s)#[a-z]|(?:^|[^\\w.:-])\\+?\\(?\\d{2,5}\\)?(?:[ "
      "/-]\\d{2,}){1,4}(?:$|[^\\w:-])|"
      "(?i)\\b(?:ext|tel)\\b\\.? ?\\d{2,}");
  static const RE2 kDate("\\d{4}-\\d{2}-\\d{2}");
  std::string bare(text);
  RE2::GlobalReplace(&bare, kDate, "");
  return RE2::PartialMatch(bare, kContact);
}

bool begins_with_clock(std::string_view text) {
  static const RE2 kClock("^[*_~ ]*(?:\\d{4}-\\d{2}-\\d{2}[ T])?\\d{1,2}[:.h]\\d{2}\\b");
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), kClock);
}

// What the document is made of, where neither its place nor its headings say what it is.
std::optional<Kind> of_structure(std::string_view body) {
  constexpr size_t kCourse = 4, kSteps = 3, kPeople = 2;
  size_t rows = 0, contacts = 0, clocks = 0, steps = 0;
  for (const Block& block : parse_blocks(body)) {
    if (block.kind == BlockKind::kTable) {
      for (const TableRow& row : read_table(body, block).rows) {
        ++rows;
        if (is_contact(join(row.cells, " "))) ++contacts;
        if (!row.cells.empty() && begins_with_clock(row.cells.front())) ++clocks;
      }
    } else if (block.kind == BlockKind::kListItem || block.kind == BlockKind::kParagraph) {
      if (begins_with_clock(block.content.in(body))) ++clocks;
      if (item_number(block)) ++steps;
    }
  }
  if (clocks >= kCourse) return Kind::kPostmortem;
  if (contacts >= kPeople && contacts * 2 >= rows) return Kind::kOwnership;
  if (steps >= kSteps && tells_steps(body)) return Kind::kRunbook;
  return std::nullopt;
}

bool below_docs(std::string_view path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return std::any_of(folder.begin(), folder.end(), [](const std::filesystem::path& part) {
    const std::string name = ascii_lower(part.string());
    return name == "docs" || name == "doc" || name == "documentation" || name == "wiki";
  });
}

}  // namespace

Kind infer_kind(const KindHints& hints) {
  const std::string name = bare_name(std::filesystem::path(hints.path).stem().string());
  if (name == "readme") return Kind::kDoc;
  if (const auto kind = of_path(hints)) return *kind;
  if (const auto kind = of_file_name(hints.path)) return *kind;
  if (const auto kind = of_fields(hints.fields)) return *kind;
  if (const auto kind = of_headings(hints.headings)) return *kind;
  if (const auto kind = of_structure(hints.body)) return *kind;
  return below_docs(hints.path) ? Kind::kDoc : Kind::kRunbook;
}

}  // namespace precedent
