// parse_blocks() of markdown.h: the scanner.
#include "text/markdown.h"

#include <algorithm>

#include "base/strings.h"
#include "text/markdown_line.h"

namespace precedent {
namespace {

constexpr size_t kTabStop = 4;
constexpr size_t kCodeIndent = 4;

// A line and the column where its text begins.
struct Line {
  uint32_t number = 0;  // 1-based
  uint32_t begin = 0, end = 0,
           next = 0;           // bytes: text without the line break, start of the next line
  uint32_t text_begin = 0;     // first byte that is not blank
  size_t indent = 0;           // its column
  std::string_view text = {};  // from there, without trailing blanks
  bool blank() const { return text.empty(); }
};

bool closes(const Fence& fence, const Line& line) {
  return line.text.size() >= fence.length &&
         line.text.find_first_not_of(fence.mark) == std::string_view::npos;
}

class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  std::vector<Block> run() {
    Line line;
    while (line.next < source_.size()) {
      line = read_line(line.next, line.number + 1);
      take(line);
    }
    return std::move(blocks_);
  }

 private:
  // What the next line may continue.
  enum class State : uint8_t { kNone, kText, kTable, kFence, kIndented, kHtml };

  Line read_line(uint32_t begin, uint32_t number) const {
    Line line{.number = number, .begin = begin};
    const size_t newline = source_.find('\n', begin);
    line.end = static_cast<uint32_t>(std::min(newline, source_.size()));
    line.next = newline == std::string_view::npos ? line.end : line.end + 1;
    if (line.end > begin && source_[line.end - 1] == '\r') --line.end;
    line.text_begin = begin;
    while (line.text_begin < line.end && is_blank_char(source_[line.text_begin])) {
      line.indent += source_[line.text_begin] == '\t' ? kTabStop - line.indent % kTabStop : 1;
      ++line.text_begin;
    }
    line.text = trim(source_.substr(line.text_begin, line.end - line.text_begin));
    return line;
  }

  void take(const Line& line) {
    if (state_ == State::kFence) return continue_fence(line);
    if (state_ == State::kHtml && continue_html(line)) return;
    if (line.blank()) {
      if (state_ != State::kIndented) state_ = State::kNone;
      after_blank_ = true;
      return;
    }
    if (!open(line)) continue_or_begin_text(line);
    after_blank_ = false;
  }

  size_t container() const { return items_.empty() ? 0 : items_.back(); }

  // Begins whatever block the line begins, unless it is a paragraph. Returns whether it was one.
  bool open(const Line& line) {
    const std::vector<size_t> before = items_;
    while (!items_.empty() && line.indent < items_.back()) items_.pop_back();
    const size_t popped = before.size() - items_.size();
    const size_t indent = line.indent - container();
    const bool text = state_ == State::kText;
    if (indent >= kCodeIndent) {
      if (text) {
        items_ = before;
        return false;
      }
      begin_or_continue_indented(line);
      return true;
    }
    if (begin_leaf(line, text && popped == 0) || begin_item(line, text, popped > 0)) return true;
    if (text) items_ = before;  // a lazy continuation stays in its item
    return false;
  }

  bool begin_leaf(const Line& line, bool same_container_text) {
    if (same_container_text && setext(line)) return true;
    if (const Fence fence = opening_fence(line.text); fence.length > 0) {
      begin_fence(line, fence, line.text_begin);
      return true;
    }
    if (const uint8_t level = heading_level(line.text); level > 0) {
      begin_heading(line, level);
      return true;
    }
    if (is_rule(line.text)) {
      begin(BlockKind::kRule, line, State::kNone);
      return true;
    }
    if (line.text[0] == '>') {
      if (state_ == State::kText && blocks_.back().kind == BlockKind::kQuote) return false;
      const size_t marks = std::min(line.text.find_first_not_of("> \t"), line.text.size());
      set_content(begin(BlockKind::kQuote, line, State::kText), line.text.substr(marks));
      return true;
    }
    const HtmlStart html = html_start(line.text);
    if (html.found && (html.may_interrupt || state_ != State::kText)) {
      begin(BlockKind::kHtml, line, State::kHtml);
      html_end_ = html.end;
      if (!html_end_.empty() && line.text.find(html_end_) != std::string_view::npos)
        state_ = State::kNone;
      return true;
    }
    return same_container_text && table(line);
  }

  void begin_heading(const Line& line, uint8_t level) {
    Block& block = begin(BlockKind::kHeading, line, State::kNone);
    block.level = level;
    std::string_view text = line.text.substr(level);
    // Closing marks count only after a blank: "# C#" is about C#.
    const size_t last = text.find_last_not_of('#');
    if (last == std::string_view::npos) {
      text = {};
    } else if (last + 1 < text.size() && is_blank_char(text[last])) {
      text = text.substr(0, last);
    }
    set_content(block, trim(text));
  }

  bool setext(const Line& line) {
    Block& block = blocks_.back();
    if (block.kind != BlockKind::kParagraph) return false;
    const char mark = line.text[0];
    if ((mark != '=' && mark != '-') || line.text.find_first_not_of(mark) != std::string_view::npos)
      return false;
    block.kind = BlockKind::kHeading;
    block.level = mark == '=' ? 1 : 2;
    extend(line, false);
    state_ = State::kNone;
    return true;
  }

  // The line under a header row. GitHub takes the last line of a paragraph for the header.
  bool table(const Line& line) {
    Block& block = blocks_.back();
    if (block.kind != BlockKind::kParagraph || line.text.find('|') == std::string_view::npos)
      return false;
    const size_t columns = delimiter_columns(line.text);
    const std::string_view header = last_text_line_.text;
    if (columns == 0 || header.find('|') == std::string_view::npos ||
        split_row(header).size() != columns)
      return false;
    if (block.first_line == last_text_line_.number) {
      blocks_.pop_back();
    } else {
      block.bytes.end = last_text_line_.begin;
      block.last_line = last_text_line_.number - 1;
      block.content.end = std::min(block.content.end, last_text_line_.begin);
    }
    begin(BlockKind::kTable, last_text_line_, State::kTable);
    extend(line, true);
    return true;
  }

  void begin_fence(const Line& line, const Fence& fence, uint32_t at) {
    Block& block = begin(BlockKind::kCode, line, State::kFence);
    block.fenced = true;
    const std::string_view info =
        trim(source_.substr(at + fence.length, line.end - at - fence.length));
    block.label = std::string(info.substr(0, info.find_first_of(" \t,{")));
    block.content = {line.next, line.next};
    fence_ = fence;
    fence_container_ = container();
  }

  void continue_fence(const Line& line) {
    // A fence in a list item ends with the item.
    if (!line.blank() && line.indent < fence_container_) {
      state_ = State::kNone;
      return take(line);
    }
    if (closes(fence_, line) && !line.blank() && line.indent < fence_container_ + kCodeIndent) {
      extend(line, false);
      state_ = State::kNone;
    } else {
      extend(line, true);
    }
  }

  void begin_or_continue_indented(const Line& line) {
    if (state_ == State::kIndented) return extend(line, true);
    begin(BlockKind::kCode, line, State::kIndented);
  }

  // Returns whether the line is still inside.
  bool continue_html(const Line& line) {
    if (html_end_.empty() && line.blank()) return false;
    if (line.blank()) return true;
    extend(line, true);
    if (!html_end_.empty() && line.text.find(html_end_) != std::string_view::npos)
      state_ = State::kNone;
    return true;
  }

  bool begin_item(const Line& line, bool interrupts_text, bool sibling) {
    const Marker marker = list_marker(line.text);
    if (marker.length == 0) return false;
    // Inside a paragraph "2020." and a lone dash are text, unless a list is already under way.
    const bool in_list =
        sibling || (interrupts_text && blocks_.back().kind == BlockKind::kListItem);
    if (interrupts_text && !in_list && (!marker.starts_at_one || marker.empty)) return false;
    Block& block = begin(BlockKind::kListItem, line, State::kText);
    block.label = std::string(line.text.substr(0, marker.length));
    std::string_view rest = line.text.substr(marker.length);
    size_t column = line.indent + marker.length;
    size_t blanks = std::min(rest.find_first_not_of(" \t"), rest.size());
    push_item(column, rest, blanks);
    rest.remove_prefix(blanks);
    // "1. - a" opens two items at once.
    for (Marker inner = list_marker(rest); inner.length > 0 && !inner.empty && !is_rule(rest);
         inner = list_marker(rest)) {
      column += blanks + inner.length;
      rest.remove_prefix(inner.length);
      blanks = std::min(rest.find_first_not_of(" \t"), rest.size());
      push_item(column, rest, blanks);
      rest.remove_prefix(blanks);
    }
    block.depth = static_cast<uint8_t>(items_.size());
    set_content(block, rest);
    if (const Fence fence = opening_fence(rest); fence.length > 0) begin_fence_in_item(line, fence);
    return true;
  }

  void push_item(size_t column, std::string_view rest, size_t blanks) {
    // Five blanks or more after the marker belong to indented code.
    const size_t content = rest.empty() || blanks > kCodeIndent ? column + 1 : column + blanks;
    if (items_.size() < kMaxListDepth) items_.push_back(content);
  }

  // "- ```sh": the item consists of the code.
  void begin_fence_in_item(const Line& line, const Fence& fence) {
    const uint32_t at = blocks_.back().content.begin;
    blocks_.pop_back();
    begin_fence(line, fence, at);
  }

  void continue_or_begin_text(const Line& line) {
    if (state_ == State::kText || state_ == State::kTable) return extend(line, true);
    begin(BlockKind::kParagraph, line, State::kText);
  }

  Block& begin(BlockKind kind, const Line& line, State state) {
    Block& block = blocks_.emplace_back();
    block.kind = kind;
    block.depth = static_cast<uint8_t>(items_.size());
    block.first_line = block.last_line = line.number;
    block.bytes = {line.begin, line.next};
    set_content(block, line.text);
    state_ = state;
    last_text_line_ = line;
    return block;
  }

  void extend(const Line& line, bool with_content) {
    Block& block = blocks_.back();
    block.bytes.end = line.next;
    block.last_line = line.number;
    if (with_content)
      block.content.end =
          block.fenced ? line.next : line.text_begin + static_cast<uint32_t>(line.text.size());
    last_text_line_ = line;
  }

  void set_content(Block& block, std::string_view text) const {
    const auto begin = static_cast<uint32_t>(text.data() == nullptr ? block.bytes.end
                                                                    : text.data() - source_.data());
    block.content = {begin, begin + static_cast<uint32_t>(text.size())};
  }

  std::string_view source_;
  std::vector<Block> blocks_;
  State state_ = State::kNone;
  std::vector<size_t> items_;  // of the open list items, the columns where their content begins
  Line last_text_line_;
  Fence fence_;
  size_t fence_container_ = 0;
  std::string_view html_end_;
  bool after_blank_ = false;
};

}  // namespace

std::vector<Block> parse_blocks(std::string_view source) { return Scanner(source).run(); }

}  // namespace precedent
