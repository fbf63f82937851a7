// Over 400 lines: one converter, whose functions call each other as elements nest.
#include "sources/storage_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "base/utf8.h"
#include "sources/html_entities.h"
#include "sources/markdown_pieces.h"
#include "sources/storage_macros.h"
#include "sources/storage_xml.h"

namespace precedent {
namespace {

// Real pages nest ten or fifteen deep; an editor makes no hundred.
constexpr int kMaxDepth = 100;
// What an ingest takes of one record; nested lists can grow.
constexpr size_t kMaxMarkdown = kMaxStorage;
constexpr size_t kMaxColumns = 60;
// A cell that spans rows is repeated in each, unless it is a text of its own.
constexpr size_t kMaxRepeated = 200;

constexpr std::string_view kBlocks[] = {"p",
                                        "div",
                                        "h1",
                                        "h2",
                                        "h3",
                                        "h4",
                                        "h5",
                                        "h6",
                                        "ul",
                                        "ol",
                                        "table",
                                        "pre",
                                        "blockquote",
                                        "hr",
                                        "ac:task-list",
                                        "ac:layout",
                                        "ac:layout-section",
                                        "ac:layout-cell",
                                        "ac:rich-text-body",
                                        "dl",
                                        "ac:adf-extension",
                                        "ac:adf-node",
                                        "ac:adf-content"};
// Their content is not for readers.
constexpr std::string_view kHidden[] = {
    "script",     "style",          "ac:parameter", "ac:placeholder",   "colgroup",
    "ac:task-id", "ac:task-status", "ac:task-uuid", "ac:adf-attribute", "ac:adf-fallback"};

bool is_block(std::string_view name) {
  return std::ranges::find(kBlocks, name) != std::end(kBlocks);
}
bool is_hidden(std::string_view name) {
  return std::ranges::find(kHidden, name) != std::end(kHidden);
}
class Converter {
 public:
  Converter(const RenderedMacros& rendered, const IncludedTexts& included)
      : rendered_(rendered), included_(included) {}
  std::string blocks(const pugi::xml_node& parent);
  StorageText take(std::string markdown) {
    text_.markdown = std::move(markdown);
    return std::move(text_);
  }
  bool too_deep = false, too_large = false;

 private:
  // One level deeper, while that is possible.
  class Deeper {
   public:
    explicit Deeper(Converter& converter) : converter_(converter) { ++converter_.depth_; }
    ~Deeper() { --converter_.depth_; }
    explicit operator bool() const {
      if (converter_.depth_ > kMaxDepth) converter_.too_deep = true;
      return !converter_.too_deep && !converter_.too_large;
    }

   private:
    Converter& converter_;
  };

  std::string block(const pugi::xml_node& node);
  std::string inline_text(const pugi::xml_node& parent);
  std::string inline_node(const pugi::xml_node& node);
  std::string list(const pugi::xml_node& node, bool ordered);
  std::string tasks(const pugi::xml_node& node);
  std::string table(const pugi::xml_node& node);
  void add_rows(const pugi::xml_node& node, std::vector<std::vector<std::string>>& rows);
  std::string block_macro(const pugi::xml_node& node, const MacroRow& row);
  std::string unknown_macro(const pugi::xml_node& node);
  std::string inline_macro(const pugi::xml_node& node);
  std::string link(const pugi::xml_node& node);
  std::string included(const pugi::xml_node& node, bool followed, bool excerpt);
  std::string bounded(std::string text) {
    if (text.size() <= kMaxMarkdown) return text;
    too_large = true;
    return "";
  }

  struct Spanning {
    size_t rows = 0;
    std::string text;
  };
  const RenderedMacros& rendered_;
  const IncludedTexts& included_;
  size_t included_bytes_ = 0;
  StorageText text_;
  int depth_ = 0;
};

const MacroRow* row_of(const pugi::xml_node& macro) {
  return find_macro(macro.attribute("ac:name").value());
}

bool is_inline_macro(const pugi::xml_node& macro) {
  const MacroRow* row = row_of(macro);
  if (row == nullptr)
    return !macro.child("ac:rich-text-body") && !macro.child("ac:plain-text-body");
  return row->macro == Macro::kStatus || row->macro == Macro::kIssue ||
         row->macro == Macro::kNavigation;
}

bool is_block_node(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  return is_block(name) || (is_storage_macro(node) && !is_inline_macro(node));
}

std::string Converter::blocks(const pugi::xml_node& parent) {
  const Deeper deeper(*this);
  if (!deeper) return "";
  std::string out, run;
  const auto end_run = [&] {
    add_block(out, as_paragraph(trim(run)));
    run.clear();
  };
  for (const pugi::xml_node& node : parent.children()) {
    if (is_block_node(node)) {
      end_run();
      add_block(out, block(node));
    } else {
      run += inline_node(node);
    }
  }
  end_run();
  return bounded(std::move(out));
}

std::string Converter::block(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  if (name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6') {
    const std::string text = squeeze(inline_text(node));
    return text.empty() ? "" : fmt::format("{} {}", std::string(name[1] - '0', '#'), text);
  }
  if (name == "ul" || name == "ol") return list(node, name == "ol");
  if (name == "ac:task-list") return tasks(node);
  if (name == "table") return table(node);
  if (name == "pre") return fenced(storage_raw_text(node), "");
  if (name == "blockquote") return prefixed(blocks(node), "> ");
  if (name == "hr") return "***";
  if (const MacroRow* row = is_storage_macro(node) ? row_of(node) : nullptr)
    return block_macro(node, *row);
  return is_storage_macro(node) ? unknown_macro(node) : blocks(node);
}

std::string Converter::list(const pugi::xml_node& node, bool ordered) {
  const Deeper deeper(*this);
  if (!deeper) return "";
  std::string out;
  size_t number = std::max(1U, node.attribute("start").as_uint(1));
  for (const pugi::xml_node& item : node.children()) {
    // Some editors put a list directly into a list.
    const bool is_item = std::string_view(item.name()) == "li";
    const std::string text = is_item ? blocks(item) : is_block_node(item) ? block(item) : "";
    if (text.empty()) continue;
    const std::string mark = ordered ? fmt::format("{}. ", number++) : "- ";
    if (!out.empty()) out += '\n';
    out += mark + indented(text, mark.size());
  }
  return bounded(std::move(out));
}

std::string Converter::tasks(const pugi::xml_node& node) {
  std::string out;
  for (const pugi::xml_node& task : node.children("ac:task")) {
    const bool done = trim(task.child_value("ac:task-status")) == "complete";
    if (!out.empty()) out += '\n';
    out +=
        fmt::format("- [{}] {}", done ? 'x' : ' ', indented(blocks(task.child("ac:task-body")), 2));
  }
  return out;
}

void Converter::add_rows(const pugi::xml_node& node, std::vector<std::vector<std::string>>& rows) {
  std::vector<Spanning> spanning(kMaxColumns);
  for (const pugi::xml_node& tr : node.children("tr")) {
    std::vector<std::string> row;
    const auto fill_spanned = [&] {
      while (row.size() < kMaxColumns && spanning[row.size()].rows > 0) {
        Spanning& above = spanning[row.size()];
        --above.rows;
        row.push_back(above.text);
      }
    };
    for (const pugi::xml_node& cell : tr.children()) {
      const std::string_view name = cell.name();
      if (name != "td" && name != "th") continue;
      fill_spanned();
      std::string text;
      for (const char c : squeeze(blocks(cell)))
        text += c == '|' ? std::string("\\|") : std::string(1, c);
      const size_t columns =
          std::clamp<size_t>(cell.attribute("colspan").as_uint(1), 1, kMaxColumns);
      const size_t below = std::clamp<size_t>(cell.attribute("rowspan").as_uint(1), 1, 1000) - 1;
      for (size_t i = 0; i < columns && row.size() < kMaxColumns; ++i) {
        const bool repeat = i == 0 && text.size() <= kMaxRepeated;
        spanning[row.size()] = {below, repeat ? text : ""};
        row.push_back(i == 0 ? text : "");
      }
    }
    fill_spanned();
    if (!row.empty()) rows.push_back(std::move(row));
  }
}

std::string Converter::table(const pugi::xml_node& node) {
  const Deeper deeper(*this);
  if (!deeper) return "";
  std::vector<std::vector<std::string>> rows;
  for (const char* part : {"thead", "tbody", "tfoot"})
    for (const pugi::xml_node& rows_of : node.children(part)) add_rows(rows_of, rows);
  add_rows(node, rows);
  size_t columns = 0;
  for (const auto& row : rows) columns = std::max(columns, row.size());
  std::string out;
  for (size_t r = 0; r < rows.size(); ++r) {
    rows[r].resize(columns);
    out += fmt::format("{}| {} |", r == 0 ? "" : "\n", join(rows[r], " | "));
    if (r > 0) continue;
    out += "\n|";
    for (size_t c = 0; c < columns; ++c) out += " --- |";
  }
  return bounded(std::move(out));
}

std::string Converter::block_macro(const pugi::xml_node& node, const MacroRow& row) {
  const pugi::xml_node body = node.child("ac:rich-text-body");
  const std::string title = macro_parameter(node, "title");
  const auto titled = [&](const std::string& head) {
    std::string out = head.empty() ? "" : fmt::format("**{}**", head);
    add_block(out, blocks(body));
    return out;
  };
  switch (row.macro) {
    case Macro::kCode: {
      std::string out = title.empty() ? "" : fmt::format("**{}**", title);
      add_block(out, fenced(storage_raw_text(node.child("ac:plain-text-body")),
                            macro_parameter(node, "language")));
      return out;
    }
    case Macro::kCallout:
      return titled(title.empty()      ? std::string(row.word)
                    : row.word.empty() ? title
                                       : fmt::format("{}: {}", row.word, title));
    case Macro::kExpand: return titled(title);
    case Macro::kBody: return blocks(body);
    case Macro::kInclude: return included(node, true, false);
    case Macro::kExcerptInclude: return included(node, true, true);
    case Macro::kOtherInclude: return included(node, false, false);
    case Macro::kStatus:
    case Macro::kIssue:
    case Macro::kNavigation: break;
  }
  return "";
}

std::string Converter::unknown_macro(const pugi::xml_node& node) {
  const std::string name = storage_attribute(node, "ac:name");
  const std::string shown(utf8_prefix(name.empty() ? "without a name" : name, 60));
  if (text_.unknown_macros.size() < kMaxMacroNames || text_.unknown_macros.contains(shown))
    ++text_.unknown_macros[shown];
  if (const pugi::xml_node body = node.child("ac:rich-text-body")) return blocks(body);
  if (const pugi::xml_node body = node.child("ac:plain-text-body"))
    return fenced(storage_raw_text(body), "");
  const size_t before = text_.bodiless.size() < kMaxMacroNames || text_.bodiless.contains(shown)
                            ? text_.bodiless[shown]++
                            : kMaxMarkdown;
  const auto rendered = rendered_.find(shown);
  if (rendered == rendered_.end() || before >= rendered->second.size()) return "";
  const std::string& text = rendered->second[before];
  text_.rendered += !text.empty();
  // A list or a table stands for itself.
  return text.contains('\n') ? fmt::format("\n\n{}\n\n", text) : text;
}

// The text that is given for it, else the page's name.
std::string Converter::included(const pugi::xml_node& node, bool followed, bool excerpt) {
  const StorageInclude include = include_of(node, excerpt);
  std::string link;
  if (followed && !include.title.empty()) {
    if (const auto given = included_.find(include); given != included_.end()) {
      included_bytes_ += given->second.markdown.size();
      too_large |= included_bytes_ > kMaxMarkdown;
      if (too_large) return "";
      text_.followed += !given->second.markdown.empty();
      if (!given->second.markdown.empty()) return given->second.markdown;
      link = given->second.link;
    } else if (text_.wants.size() < kMaxIncludes &&
               std::ranges::find(text_.wants, include) == text_.wants.end()) {
      text_.wants.push_back(include);
    }
  }
  ++text_.includes;
  if (include.title.empty()) return "(includes another page)";
  return fmt::format("(includes the page \"{}\"{}{})", include.title, link.empty() ? "" : ", ",
                     link);
}

std::string Converter::link(const pugi::xml_node& node) {
  std::string said;
  if (const pugi::xml_node body = node.child("ac:link-body")) said = squeeze(inline_text(body));
  if (const pugi::xml_node body = node.child("ac:plain-text-link-body"))
    said = squeeze(storage_raw_text(body));
  const std::string page = storage_attribute(node.child("ri:page"), "ri:content-title");
  if (!page.empty())
    return said.empty() || said == page ? fmt::format("\"{}\"", page)
                                        : fmt::format("{} (\"{}\")", said, page);
  if (!said.empty()) return said;
  const std::string file = storage_attribute(node.child("ri:attachment"), "ri:filename");
  if (!file.empty()) return file;
  // Users are known by numbers here, which tell nobody anything.
  return node.child("ri:user") ? "(a user)" : "";
}

std::string Converter::inline_macro(const pugi::xml_node& node) {
  const MacroRow* row = row_of(node);
  if (row == nullptr) return unknown_macro(node);
  if (row->macro == Macro::kStatus) return macro_parameter(node, "title");
  if (row->macro == Macro::kIssue) return macro_parameter(node, "key");
  return "";
}

std::string Converter::inline_text(const pugi::xml_node& parent) {
  const Deeper deeper(*this);
  if (!deeper) return "";
  std::string out;
  for (const pugi::xml_node& node : parent.children()) out += inline_node(node);
  return bounded(std::move(out));
}

std::string Converter::inline_node(const pugi::xml_node& node) {
  if (node.type() == pugi::node_pcdata) return collapsed(decode_html_entities(node.value()));
  if (node.type() == pugi::node_cdata) return node.value();
  const std::string_view name = node.name();
  if (node.type() != pugi::node_element || is_hidden(name)) return "";
  if (is_storage_macro(node) && is_inline_macro(node)) return inline_macro(node);
  // A block within a line: what a heading or a link should not hold.
  if (is_block_node(node)) return fmt::format(" {} ", squeeze(block(node)));
  if (name == "br") return "\n";
  if (name == "ac:link") return link(node);
  if (name == "ac:image") {
    const std::string alt = storage_attribute(node, "ac:alt");
    const std::string file = storage_attribute(node.child("ri:attachment"), "ri:filename");
    const std::string shown = alt.empty() ? file : alt;
    return shown.empty() ? "" : fmt::format("(image: {})", shown);
  }
  if (name == "ac:emoticon") return storage_attribute(node, "ac:emoji-fallback");
  if (name == "time") return storage_attribute(node, "datetime");
  const std::string inner = inline_text(node);
  if (name == "strong" || name == "b") return emphasised(inner, "**");
  if (name == "em" || name == "i") return emphasised(inner, "*");
  if (name == "code" || name == "tt" || name == "kbd")
    return inner.contains('`') ? inner : emphasised(inner, "`");
  if (name == "a") {
    const std::string to = storage_attribute(node, "href");
    const bool opens = to.starts_with("https://") || to.starts_with("http://");
    const std::string said = squeeze(inner);
    if (!opens || to.find_first_of("() <>") != std::string::npos) return inner;
    return said.empty() || said == to ? to : fmt::format("[{}]({})", said, to);
  }
  return inner;
}

// `pick`: which part of the page is meant; null: none of it.
template <typename Pick>
Result<StorageText> convert(std::string_view storage, const RenderedMacros& rendered,
                            const IncludedTexts& included, const Pick& pick) {
  pugi::xml_document document;
  TRY(parse_storage(storage, document));
  const pugi::xml_node part = pick(document.first_child());
  if (!part) return fail(ErrorCode::kNotFound, "has no such excerpt");
  Converter converter(rendered, included);
  std::string markdown = converter.blocks(part);
  if (converter.too_deep)
    return fail(
        ErrorCode::kResourceExhausted,
        fmt::format("nests deeper than {} levels; flatten its lists and tables", kMaxDepth));
  if (converter.too_large)
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("grows beyond {} MB as Markdown; divide it", kMaxMarkdown >> 20));
  return converter.take(std::move(markdown));
}

}  // namespace

Result<StorageText> storage_to_markdown(std::string_view storage, const RenderedMacros& rendered,
                                        const IncludedTexts& included) {
  return convert(storage, rendered, included, [](const pugi::xml_node& page) { return page; });
}

Result<StorageText> excerpt_to_markdown(std::string_view storage, const std::string& name,
                                        const IncludedTexts& included) {
  return convert(storage, {}, included,
                 [&](const pugi::xml_node& page) { return find_excerpt(page, name); });
}

}  // namespace precedent
