#include "ingest/chunks/code_chunks.h"

#include <algorithm>

#include "base/strings.h"
#include "base/utf8.h"
#include "ingest/chunks/chunker.h"
#include "ingest/chunks/embedding_context.h"

namespace precedent {
namespace {

// Names in the heading of one chunk: of a header with a hundred one-line definitions the first say
// what it is about, and all are in its text.
constexpr size_t kMaxNames = 12;

// Lines [first, last] of the file, 0-based, inclusive.
struct Block {
  size_t first = 0, last = 0;
  size_t pieces = 0;
};

bool is_blank(std::string_view line) { return trim(line).empty(); }

class CodeChunker {
 public:
  CodeChunker(const Document& document, std::span<const Symbol> symbols, const PieceCounter& count,
              const Limits& limits)
      : document_(document),
        symbols_(symbols),
        count_(count),
        max_pieces_(limits.max_chunk_pieces) {}

  std::vector<Chunk> run() {
    lines_ = split_lines(document_.body);
    for (const std::string_view line : lines_) pieces_.push_back(count_(line));
    // The context is bounded (embedding_context.h): what it may take is left free in every chunk.
    budget_ =
        max_pieces_ - kModelMarks - count_(embedding_context(document_.title, {})) - kMaxPathPieces;
    budget_ = std::max(std::min(budget_, max_pieces_), max_pieces_ / 2);
    std::vector<size_t> cuts = boundaries();
    cuts.push_back(lines_.size());
    Block open{0, 0, 0};
    bool any = false;
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      const Block next{cuts[i], cuts[i + 1] - 1, pieces_of(cuts[i], cuts[i + 1] - 1)};
      if (any && open.pieces + next.pieces <= budget_ &&
          bytes_of(open.first, next.last) <= kMaxChunkBytes) {
        open.last = next.last;
        open.pieces += next.pieces;
        continue;
      }
      if (any) emit(open);
      open = next;
      any = true;
    }
    if (any) emit(open);
    if (chunks_.empty()) chunks_.emplace_back();
    return std::move(chunks_);
  }

 private:
  // [CLS] and [SEP].
  static constexpr size_t kModelMarks = 2;
  // As for prose: a line of one endless word has few pieces and many bytes.
  static constexpr size_t kMaxChunkBytes = 4096;

  size_t pieces_of(size_t first, size_t last) const {
    size_t sum = 0;
    for (size_t i = first; i <= last; ++i) sum += pieces_[i];
    return sum;
  }
  size_t bytes_of(size_t first, size_t last) const {
    return static_cast<size_t>(lines_[last].data() + lines_[last].size() - lines_[first].data());
  }

  // The first lines of blocks, ascending: where a symbol begins, with what stands directly above it
  // (comment, attribute, template header), and where one ends. The file's beginning is the first.
  std::vector<size_t> boundaries() const {
    std::vector<size_t> cuts = {0};
    std::vector<bool> starts(lines_.size() + 1);
    for (const Symbol& symbol : symbols_) {
      if (symbol.line - 1 < lines_.size()) starts[symbol.line - 1] = true;
    }
    for (const Symbol& symbol : symbols_) {
      if (symbol.line == 0 || symbol.line > lines_.size()) continue;
      size_t line = symbol.line - 1;
      while (line > 0 && !is_blank(lines_[line - 1]) && !starts[line - 1] && !ends_block(line - 1))
        --line;
      cuts.push_back(line);
      if (symbol.end > symbol.line && symbol.end < lines_.size()) cuts.push_back(symbol.end);
    }
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    while (!cuts.empty() && cuts.back() >= lines_.size()) cuts.pop_back();
    return cuts;
  }

  // "}" and the like: what is above belongs to something else.
  bool ends_block(size_t line) const {
    const std::string_view text = trim(lines_[line]);
    return text == "}" || text == "};" || text == "end" || text.ends_with(";") ||
           text.ends_with("{");
  }

  // Cuts a block that is too long at its last blank line that leaves half a chunk at least.
  void emit(const Block& block) {
    size_t first = block.first;
    while (first <= block.last) {
      size_t last = first, pieces = pieces_[first];
      size_t blank = 0;  // 0: none
      while (last < block.last && pieces + pieces_[last + 1] <= budget_ &&
             bytes_of(first, last + 1) <= kMaxChunkBytes) {
        ++last;
        pieces += pieces_[last];
        if (is_blank(lines_[last]) && pieces >= budget_ / 2) blank = last;
      }
      if (last < block.last && blank != 0) last = blank;
      if (first == last && (pieces_[first] > budget_ || lines_[first].size() > kMaxChunkBytes)) {
        emit_long_line(first);
      } else {
        add(first, last, from_to(lines_[first], lines_[last]));
      }
      first = last + 1;
    }
  }

  // From the begin of one line to the end of another.
  std::string_view from_to(std::string_view first, std::string_view last) const {
    const std::string_view text = document_.body;
    const auto begin = static_cast<size_t>(first.data() - text.data());
    const auto end = static_cast<size_t>(last.data() - text.data()) + last.size();
    return text.substr(begin, end - begin);
  }

  void emit_long_line(size_t line) {
    std::string_view rest = lines_[line];
    while (!rest.empty()) {
      std::string_view part = utf8_prefix(rest, kMaxChunkBytes);
      while (part.size() > 4 && count_(part) > budget_) part = utf8_prefix(part, part.size() / 2);
      // Ill-formed UTF-8 may leave nothing of a prefix.
      if (part.empty()) part = rest.substr(0, 1);
      add(line, line, part);
      rest.remove_prefix(part.size());
    }
  }

  void add(size_t first, size_t last, std::string_view text) {
    while (first < last && is_blank(lines_[first])) ++first;
    while (last > first && is_blank(lines_[last])) --last;
    if (first != last || text.size() > lines_[first].size())
      text = from_to(lines_[first], lines_[last]);
    if (is_blank(text)) return;
    Chunk& chunk = chunks_.emplace_back();
    chunk.ordinal = static_cast<uint32_t>(chunks_.size() - 1);
    chunk.heading = names(first + 1, last + 1);
    chunk.text = std::string(text);
    const uint32_t base = std::max<uint32_t>(document_.body_line, 1);
    chunk.lines = {base + static_cast<uint32_t>(first), base + static_cast<uint32_t>(last)};
  }

  // The innermost symbol that the first line lies in, then those that begin here.
  std::vector<std::string> names(size_t first, size_t last) const {
    std::vector<std::string> out;
    const Symbol* around = nullptr;
    for (const Symbol& symbol : symbols_) {
      if (symbol.line >= first) break;
      if (symbol.end >= first) around = &symbol;
    }
    if (around != nullptr) out.push_back(around->name);
    auto at = std::ranges::lower_bound(symbols_, first, {}, &Symbol::line);
    for (; at != symbols_.end() && at->line <= last && out.size() < kMaxNames; ++at) {
      if (std::ranges::find(out, at->name) == out.end()) out.push_back(at->name);
    }
    return out;
  }

  const Document& document_;
  std::span<const Symbol> symbols_;
  const PieceCounter& count_;
  const size_t max_pieces_;
  size_t budget_ = 0;
  std::vector<std::string_view> lines_;
  std::vector<size_t> pieces_;  // of each line
  std::vector<Chunk> chunks_;
};

}  // namespace

std::vector<Chunk> code_chunks(const Document& document, std::span<const Symbol> symbols,
                               const PieceCounter& count, const Limits& limits) {
  return CodeChunker(document, symbols, count, limits).run();
}

}  // namespace precedent
