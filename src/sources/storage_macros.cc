#include "sources/storage_macros.h"

#include <algorithm>
#include <array>

namespace precedent {
namespace {

constexpr auto kMacros = std::to_array<MacroRow>({
    {"code", Macro::kCode},
    {"noformat", Macro::kCode},
    {"info", Macro::kCallout, "Info"},
    {"note", Macro::kCallout, "Note"},
    {"tip", Macro::kCallout, "Tip"},
    {"warning", Macro::kCallout, "Warning"},
    {"panel", Macro::kCallout, ""},
    {"expand", Macro::kExpand},
    {"ui-expand", Macro::kExpand},
    {"details", Macro::kBody},
    {"excerpt", Macro::kBody},
    {"section", Macro::kBody},
    {"column", Macro::kBody},
    {"toc-zone", Macro::kBody},
    {"status", Macro::kStatus},
    {"include", Macro::kInclude},
    {"excerpt-include", Macro::kExcerptInclude},
    {"multiexcerpt-include-macro", Macro::kOtherInclude},
    {"include-page", Macro::kOtherInclude},
    {"jira", Macro::kIssue},
    {"toc", Macro::kNavigation},
    {"anchor", Macro::kNavigation},
    {"children", Macro::kNavigation},
    {"pagetree", Macro::kNavigation},
    {"pagetreesearch", Macro::kNavigation},
    {"livesearch", Macro::kNavigation},
    {"contentbylabel", Macro::kNavigation},
    {"recently-updated", Macro::kNavigation},
    {"contributors", Macro::kNavigation},
    {"attachments", Macro::kNavigation},
    {"gallery", Macro::kNavigation},
    // These show what stands on other pages, which not everybody may read.
    {"detailssummary", Macro::kNavigation},
    {"blog-posts", Macro::kNavigation},
    {"tasks-report-macro", Macro::kNavigation},
    {"content-report-table", Macro::kNavigation},
    {"spaces", Macro::kNavigation},
    {"profile", Macro::kNavigation},
    {"profile-picture", Macro::kNavigation},
});

}  // namespace

const MacroRow* find_macro(std::string_view name) {
  const auto row = std::ranges::find(kMacros, name, &MacroRow::name);
  return row == kMacros.end() ? nullptr : &*row;
}

}  // namespace precedent
