#include "ingest/chunks/chunker.h"

#include <algorithm>

#include "base/strings.h"
#include "base/utf8.h"
#include "ingest/chunks/embedding_context.h"
#include "ingest/chunks/section_groups.h"
#include "text/markdown.h"
#include "text/sentences.h"

namespace precedent {
namespace {

// A sentence longer than this is not said twice.
constexpr size_t kMaxOverlapPieces = 48;
// What the model adds to every text: [CLS] and [SEP].
constexpr size_t kModelMarks = 2;
// A word of more than 100 characters is one unknown piece to the model: pieces alone do not bound a
// chunk.
constexpr size_t kMaxChunkBytes = 4096;
constexpr size_t kMaxWordBytes = 1024;

// A stretch of the body that stays together.
struct Atom {
  TextRange bytes = {};
  uint32_t first_line = 0, last_line = 0;
  size_t pieces = 0;
  bool glued = false;  // no white space before it: pieces do not add up across the cut
  bool heading = false;
  TextRange overlap = {};  // its last sentence, if that may be repeated
  uint32_t overlap_line = 0;
};

// What a later chunk needs around a part of a table or of a code block.
struct Frame {
  std::string before, after;
  size_t pieces = 0;
};

std::string_view without_trailing_space(std::string_view text) {
  const size_t last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

class Chunker {
 public:
  Chunker(const Document& document, const PieceCounter& count, const Limits& limits)
      : document_(document),
        body_(document.body),
        count_(count),
        max_pieces_(limits.max_chunk_pieces) {}

  std::vector<Chunk> run() {
    blocks_ = parse_blocks(body_);
    sections_ = find_sections(body_, blocks_);
    for (const Block& block : blocks_) block_pieces_.push_back(count_(block.bytes.in(body_)));
    for (const SectionGroup& group : group_sections(blocks_, block_pieces_, sections_, max_pieces_))
      cut(group);
    if (chunks_.empty()) chunks_.emplace_back();
    return std::move(chunks_);
  }

 private:
  // --- Cutting one group.

  // The headings that all the group's text stands under.
  std::vector<std::string> common_path(const SectionGroup& group) const {
    std::vector<std::string> path;
    bool first = true;
    for (uint32_t i = group.first; i <= group.last; ++i) {
      if (group.content && !has_content(sections_[i], blocks_)) continue;
      const std::vector<std::string>& other = sections_[i].path;
      if (first) path = other;
      first = false;
      const auto end = std::mismatch(path.begin(), path.end(), other.begin(), other.end()).first;
      path.erase(end, path.end());
    }
    if (!path.empty() && iequals(path[0], squeeze(document_.title))) path.erase(path.begin());
    std::erase(path, "");
    return path;
  }

  void cut(const SectionGroup& group) {
    path_ = common_path(group);
    const size_t context = count_(embedding_context(document_.title, path_));
    // The context is bounded by estimate; should it be far off, text still gets a quarter.
    budget_ = std::max(max_pieces_ - std::min(max_pieces_, kModelMarks + context), max_pieces_ / 4);
    overlap_ = {};
    const uint32_t end = sections_[group.last].end_block;
    for (uint32_t b = sections_[group.first].first_block; b < end; ++b)
      add_block(blocks_[b], block_pieces_[b]);
    flush();
  }

  void add_block(const Block& block, size_t pieces) {
    const bool heading = block.kind == BlockKind::kHeading;
    // The context says these headings, so embedding_text() leaves them out.
    if (heading && only_context_ && in_context(heading_text(body_, block), document_.title, path_))
      pieces = 0;
    const size_t headings = only_headings_ ? pieces_ : 0;  // which shall not be left behind
    if (headings + pieces <= budget_ && block.bytes.size() <= kMaxChunkBytes) {
      Atom atom{block.bytes, block.first_line, block.last_line, pieces};
      atom.heading = heading;
      set_overlap(atom, block);
      return add(atom);
    }
    if (!only_headings_ && pieces_ > budget_ / 2) flush();
    if (block.kind == BlockKind::kTable) return add_lines(block, table_frame(block));
    if (block.kind == BlockKind::kCode) return add_lines(block, code_frame(block));
    if (block.kind == BlockKind::kHtml) return add_lines(block, {});
    add_sentences(block);
  }

  static bool is_prose(const Block& block) {
    return block.kind == BlockKind::kParagraph || block.kind == BlockKind::kListItem;
  }

  void set_overlap(Atom& atom, const Block& block) const {
    if (!is_prose(block)) return;
    const std::string_view content = block.content.in(body_);
    const std::vector<TextRange> sentences = split_sentences(content);
    if (sentences.empty()) return;
    const TextRange last = sentences.back();
    // A block's only sentence is repeated with its list marker.
    const uint32_t begin =
        sentences.size() == 1 ? block.bytes.begin : block.content.begin + last.begin;
    atom.overlap = {begin, block.bytes.end};
    atom.overlap_line = block.last_line - lines_in({begin, block.content.end});
  }

  uint32_t lines_in(TextRange range) const {
    const std::string_view text = without_trailing_space(range.in(body_));
    return static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
  }

  void add_sentences(const Block& block) {
    uint32_t line = block.first_line;
    uint32_t at = block.bytes.begin;
    for (const TextRange& sentence : split_sentences(block.content.in(body_))) {
      const uint32_t begin = block.content.begin + sentence.begin;
      const uint32_t end = block.content.begin + sentence.end;
      line += static_cast<uint32_t>(std::count(body_.begin() + at, body_.begin() + begin, '\n'));
      // What comes before the first sentence (a list marker) belongs to it.
      const uint32_t from = at == block.bytes.begin ? at : begin;
      Atom atom{
          {from, end}, line, line + lines_in({begin, end}), count_(TextRange{from, end}.in(body_))};
      if (is_prose(block)) atom.overlap = atom.bytes, atom.overlap_line = line;
      add_or_split(atom);
      line = atom.last_line;
      at = end;
    }
    if (at < block.bytes.end && !trim(body_.substr(at, block.bytes.end - at)).empty()) {
      add_or_split({{at, block.bytes.end},
                    line,
                    block.last_line,
                    count_(body_.substr(at, block.bytes.end - at))});
    }
  }

  // --- Tables and code.

  Frame table_frame(const Block& block) const {
    uint32_t end = block.bytes.begin;
    for (int lines = 0; lines < 2; ++lines) end = line_end(end, block.bytes.end);
    return usable({std::string(TextRange{block.bytes.begin, end}.in(body_)), ""});
  }

  Frame code_frame(const Block& block) const {
    if (!block.fenced) return {};
    const uint32_t end = line_end(block.bytes.begin, block.bytes.end);
    const std::string_view line = TextRange{block.bytes.begin, end}.in(body_);
    const size_t mark = line.find_first_of("`~");
    const size_t length = std::min(line.find_first_not_of(line[mark], mark), line.size()) - mark;
    return usable(
        {std::string(line), "\n" + std::string(mark, ' ') + std::string(length, line[mark])});
  }

  // A frame that would take a quarter of every chunk is left out.
  Frame usable(Frame frame) const {
    frame.pieces = count_(frame.before) + count_(frame.after);
    if (frame.pieces > budget_ / 4 || frame.before.size() + frame.after.size() > kMaxChunkBytes / 4)
      return {};
    return frame;
  }

  // The place after the line that begins at `begin`.
  uint32_t line_end(uint32_t begin, uint32_t limit) const {
    const size_t newline = body_.find('\n', begin);
    return newline == std::string_view::npos ? limit
                                             : std::min(limit, static_cast<uint32_t>(newline + 1));
  }

  void add_lines(const Block& block, const Frame& frame) {
    const size_t whole = budget_;
    budget_ -= frame.pieces;
    // The frame's own lines stay with the first line behind them.
    const uint32_t frame_end = block.bytes.begin + static_cast<uint32_t>(frame.before.size());
    uint32_t line = block.first_line;
    for (uint32_t begin = block.bytes.begin; begin < block.bytes.end;) {
      uint32_t end = line_end(begin, block.bytes.end);
      uint32_t last_line = line;
      while (end <= frame_end && end < block.bytes.end) {
        end = line_end(end, block.bytes.end);
        ++last_line;
      }
      // Nor is a closing fence left alone.
      if (block.fenced && end >= block.content.end)
        end = block.bytes.end, last_line = block.last_line;
      const std::string_view text = TextRange{begin, end}.in(body_);
      if (!trim(text).empty()) add_or_split({{begin, end}, line, last_line, count_(text)});
      frame_ = frame;
      begin = end;
      line = last_line + 1;
    }
    if (!before_.empty()) pieces_ += frame.pieces;  // the chunk under way goes on behind the block
    frame_ = {};
    budget_ = whole;
  }

  // --- Words.

  void add_or_split(const Atom& atom) {
    if (atom.pieces <= budget_ && atom.bytes.size() <= kMaxChunkBytes) return add(atom);
    uint32_t line = atom.first_line;
    bool glued = false;
    for (uint32_t i = atom.bytes.begin; i < atom.bytes.end;) {
      const char c = body_[i];
      if (c == '\n') ++line;
      if (c == ' ' || (c >= '\t' && c <= '\r')) {
        glued = false;
        ++i;
        continue;
      }
      const uint32_t end = i + word_bytes(i, atom.bytes.end);
      Atom word{{i, end}, line, line, count_(TextRange{i, end}.in(body_))};
      word.glued = std::exchange(glued, true);
      add(word);
      i = end;
    }
  }

  // The length of the word at `begin`, or of the part of it that fits into a chunk.
  uint32_t word_bytes(uint32_t begin, uint32_t limit) const {
    const uint32_t reach = std::min<uint32_t>(limit, begin + kMaxWordBytes + 1);
    uint32_t end = begin;
    while (end < reach && body_[end] != ' ' && !(body_[end] >= '\t' && body_[end] <= '\r')) ++end;
    std::string_view word = utf8_prefix(body_.substr(begin, end - begin), kMaxWordBytes);
    while (word.size() > 4 && count_(word) > budget_) word = utf8_prefix(word, word.size() / 2);
    // Ill-formed UTF-8 may leave nothing of a prefix.
    return std::max<uint32_t>(1, static_cast<uint32_t>(word.size()));
  }

  // --- The chunk under way.

  bool fits(const Atom& atom) const {
    if (empty_) return true;
    return !atom.glued && pieces_ + atom.pieces <= budget_ &&
           atom.bytes.end - bytes_.begin <= kMaxChunkBytes;
  }

  void add(const Atom& atom) {
    if (!fits(atom)) {
      const bool inside_frame = !frame_.before.empty();
      flush();
      start(atom, inside_frame);
    } else if (empty_) {
      start(atom, false);
    }
    bytes_.end = atom.bytes.end;
    last_line_ = std::max(last_line_, atom.last_line);
    pieces_ += atom.pieces;
    only_headings_ = only_headings_ && atom.heading;
    only_context_ = only_context_ && atom.heading && atom.pieces == 0;
    overlap_ = atom.overlap;
    overlap_line_ = atom.overlap_line;
  }

  void start(const Atom& atom, bool inside_frame) {
    empty_ = false;
    only_headings_ = only_context_ = true;
    bytes_ = atom.bytes;
    first_line_ = atom.first_line;
    last_line_ = atom.last_line;
    pieces_ = 0;
    if (inside_frame) {
      before_ = frame_.before;
      return;
    }
    if (overlap_.size() == 0 || atom.heading || atom.glued) return;
    const size_t pieces = count_(overlap_.in(body_));
    const bool room =
        pieces + atom.pieces <= budget_ && atom.bytes.end - overlap_.begin <= kMaxChunkBytes;
    if (pieces > kMaxOverlapPieces || !room) return;
    bytes_.begin = overlap_.begin;
    first_line_ = overlap_line_;
    pieces_ = pieces;
    only_headings_ = only_context_ = false;
  }

  void flush() {
    if (empty_) return;
    Chunk& chunk = chunks_.emplace_back();
    chunk.ordinal = static_cast<uint32_t>(chunks_.size() - 1);
    chunk.heading = path_;
    chunk.text = before_;
    chunk.text += without_trailing_space(bytes_.in(body_));
    chunk.text += frame_.after;
    if (document_.body_line > 0) {
      chunk.lines = {document_.body_line + first_line_ - 1, document_.body_line + last_line_ - 1};
    }
    before_.clear();
    empty_ = true;
    pieces_ = 0;
    only_headings_ = only_context_ = true;
  }

  const Document& document_;
  std::string_view body_;
  const PieceCounter& count_;
  size_t max_pieces_;
  std::vector<Block> blocks_;
  std::vector<size_t> block_pieces_;
  std::vector<Section> sections_;
  std::vector<Chunk> chunks_;

  // Of the group being cut.
  std::vector<std::string> path_;
  size_t budget_ = 0;
  Frame frame_;  // of the table or code block being cut, once its own beginning is written

  // Of the chunk under way.
  bool empty_ = true;
  bool only_headings_ = true;
  bool only_context_ = true;  // … that are in the context
  std::string before_;
  TextRange bytes_;
  uint32_t first_line_ = 0, last_line_ = 0;
  size_t pieces_ = 0;
  TextRange overlap_;  // the last sentence added
  uint32_t overlap_line_ = 0;
};

}  // namespace

std::vector<Chunk> chunk(const Document& document, const PieceCounter& count,
                         const Limits& limits) {
  return Chunker(document, count, limits).run();
}

}  // namespace precedent
