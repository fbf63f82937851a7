#include "text/sentences.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// Never the end of a sentence, whatever follows.
constexpr std::string_view kAlways[] = {"approx", "cf",   "dr",   "e.g",  "eg",  "esp",
                                        "fig",    "i.e",  "ie",   "incl", "mr",  "mrs",
                                        "ms",     "prof", "resp", "st",   "viz", "vs"};
// The end of a sentence only if what follows begins like one.
constexpr std::string_view kUnlessCapital[] = {"a.m", "al",  "co",  "corp", "dept",
                                               "est", "etc", "inc", "ltd",  "max",
                                               "min", "p.m", "sec", "u.s",  "ver"};
// An abbreviation only before a number: "No. 5", but "The answer is no."
constexpr std::string_view kBeforeNumber[] = {"art", "ch", "eq", "no", "nos",
                                              "nr",  "p",  "pp", "vol"};
static_assert(std::ranges::is_sorted(kAlways) && std::ranges::is_sorted(kUnlessCapital) &&
              std::ranges::is_sorted(kBeforeNumber));

template <size_t N>
bool holds(const std::string_view (&list)[N], std::string_view word) {
  return std::binary_search(std::begin(list), std::end(list), word);
}

class SentenceSplitter {
 public:
  explicit SentenceSplitter(std::string_view text) : text_(text) { find_code_spans(); }

  std::vector<TextRange> run() {
    size_t span = 0;
    for (size_t i = 0; i < text_.size();) {
      while (span < spans_.size() && spans_[span].end <= i) ++span;
      if (span < spans_.size() && i >= spans_[span].begin) {
        i = spans_[span].end;
        continue;
      }
      i = ends_at(i) ? close(i) : i + 1;
    }
    push(begin_, text_.size());
    return std::move(sentences_);
  }

 private:
  // Each run of back-ticks is matched with the next of the same length; found from the end, in one
  // pass.
  void find_code_spans() {
    std::vector<TextRange> runs;
    for (size_t i = text_.find('`'); i < text_.size(); i = text_.find('`', i)) {
      const size_t end = std::min(text_.find_first_not_of('`', i), text_.size());
      runs.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(end)});
      i = end;
    }
    std::unordered_map<uint32_t, size_t> next_of_length;
    std::vector<size_t> partner(runs.size(), runs.size());
    for (size_t i = runs.size(); i-- > 0;) {
      const auto [next, fresh] = next_of_length.try_emplace(runs[i].size(), i);
      if (!fresh) partner[i] = std::exchange(next->second, i);
    }
    for (size_t i = 0; i < runs.size(); ++i) {
      if (partner[i] == runs.size()) continue;
      spans_.push_back({runs[i].begin, runs[partner[i]].end});
      i = partner[i];
    }
  }

  // Whether a terminator stands at i: the bytes it takes, or 0.
  size_t ends_at(size_t i) const {
    const char c = text_[i];
    if (c == '.' || c == '!' || c == '?') return 1;
    if (static_cast<unsigned char>(c) < 0x80) return 0;
    const std::string_view rest = text_.substr(i);
    for (const std::string_view mark : {"…", "。", "！", "？"}) {
      if (rest.starts_with(mark)) return mark.size();
    }
    return 0;
  }

  // Reads the run of terminators and closing marks at i; ends the sentence there if it is one.
  // Returns where to go on.
  size_t close(size_t i) {
    const size_t mark = i;
    const bool wide =
        text_.substr(i, 3) == "。" || text_.substr(i, 3) == "！" || text_.substr(i, 3) == "？";
    bool only_stops = true;
    for (size_t bytes; i < text_.size() && (bytes = ends_at(i)) > 0; i += bytes) {
      only_stops = only_stops && (text_[i] == '.' || bytes == 3);
    }
    const size_t after_marks = i;
    while (i < text_.size()) {
      const std::string_view rest = text_.substr(i);
      const size_t quote = rest.starts_with("”") || rest.starts_with("’") ? 3
                           : std::string_view(")]\"'*_").find(rest[0]) != std::string_view::npos
                               ? 1
                               : 0;
      if (quote == 0) break;
      i += quote;
    }
    if (!wide && i < text_.size() && !is_space(text_[i])) return std::max(after_marks, mark + 1);
    size_t next = i;
    while (next < text_.size() && is_space(text_[next])) ++next;
    if (next == text_.size()) return next;
    const bool one_stop = after_marks - mark == 1 && text_[mark] == '.';
    if (one_stop && continues_after_stop(mark, next)) return i;
    const bool ellipsis = only_stops && !one_stop && !wide;
    if (ellipsis && is_lower(text_[next])) return i;
    push(begin_, i);
    begin_ = next;
    return next;
  }

  // Whether the full stop at `stop` belongs to an abbreviation or a marker; `next` is where the
  // text goes on.
  bool continues_after_stop(size_t stop, size_t next) const {
    const std::string_view before = word_before(stop);
    const std::string word = ascii_lower(before);
    if (holds(kAlways, word)) return true;
    const bool capital = !is_lower(text_[next]) && !is_digit(text_[next]);
    if (holds(kUnlessCapital, word)) return !capital;
    if (holds(kBeforeNumber, word) && (is_digit(text_[next]) || text_[next] == '#')) return true;
    // An initial: "J. Doe". "Plan B." ends, as a rule, so only at the beginning or after another
    // initial or name.
    if (before.size() == 1 && is_upper(before[0]) && stop - begin_ <= 3) return true;
    return is_marker(text_.substr(begin_, stop - begin_));
  }

  // "1", "(a", "Step 2": what numbers a sentence rather than being one.
  static bool is_marker(std::string_view text) {
    const size_t space = text.find_last_of(" \t\n");
    const std::string_view last = space == std::string_view::npos ? text : text.substr(space + 1);
    const bool number =
        !last.empty() && last.size() <= 3 && std::all_of(last.begin(), last.end(), is_digit);
    if (!number) return false;
    const std::string_view first =
        space == std::string_view::npos ? "" : trim(text.substr(0, space));
    return first.find_first_of(" \t\n") == std::string_view::npos &&
           std::all_of(first.begin(), first.end(),
                       [](char c) { return is_letter(c) || c == '*' || c == '#'; });
  }

  // The letters and inner full stops that end at `stop`; at most a dozen bytes, no abbreviation is
  // longer.
  std::string_view word_before(size_t stop) const {
    size_t begin = stop;
    while (begin > begin_ && stop - begin < 12 &&
           (is_letter(text_[begin - 1]) || text_[begin - 1] == '.'))
      --begin;
    return text_.substr(begin, stop - begin);
  }

  void push(size_t begin, size_t end) {
    while (begin < end && is_space(text_[begin])) ++begin;
    while (end > begin && is_space(text_[end - 1])) --end;
    if (begin < end)
      sentences_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
  }

  std::string_view text_;
  size_t begin_ = 0;  // of the sentence under way
  std::vector<TextRange> spans_;
  std::vector<TextRange> sentences_;
};

class UnitFinder {
 public:
  UnitFinder(std::string_view source, const std::vector<Block>& blocks)
      : source_(source), blocks_(blocks) {}

  std::vector<Unit> run() {
    for (block_ = 0; block_ < blocks_.size(); ++block_) {
      const Block& block = blocks_[block_];
      line_ = block.first_line;
      counted_to_ = block.bytes.begin;
      switch (block.kind) {
        case BlockKind::kHeading: add(UnitKind::kHeading, block.content); break;
        case BlockKind::kParagraph:
        case BlockKind::kListItem:
        case BlockKind::kQuote: sentences(block.content); break;
        case BlockKind::kTable: lines(block.bytes, UnitKind::kTableRow, 2); break;
        case BlockKind::kCode: lines(block.content, UnitKind::kCodeLine, 0); break;
        case BlockKind::kHtml:
        case BlockKind::kRule: break;
      }
    }
    return std::move(units_);
  }

 private:
  void sentences(TextRange content) {
    for (const TextRange& sentence : split_sentences(content.in(source_))) {
      add(UnitKind::kSentence, {content.begin + sentence.begin, content.begin + sentence.end});
    }
  }

  void lines(TextRange content, UnitKind kind, size_t skip) {
    for (uint32_t begin = content.begin; begin < content.end;) {
      const auto end =
          static_cast<uint32_t>(std::min<size_t>(source_.find('\n', begin), content.end));
      if (skip > 0) {
        --skip;
      } else {
        const std::string_view line = trim(source_.substr(begin, end - begin));
        const auto at = static_cast<uint32_t>(line.data() - source_.data());
        if (!line.empty()) add(kind, {at, at + static_cast<uint32_t>(line.size())});
      }
      begin = end + 1;
    }
  }

  void add(UnitKind kind, TextRange bytes) {
    if (bytes.size() == 0) return;
    line_ += static_cast<uint32_t>(
        std::count(source_.begin() + counted_to_, source_.begin() + bytes.begin, '\n'));
    counted_to_ = bytes.begin;
    units_.push_back({kind, bytes, line_, block_});
  }

  std::string_view source_;
  const std::vector<Block>& blocks_;
  uint32_t block_ = 0;
  uint32_t line_ = 1, counted_to_ = 0;
  std::vector<Unit> units_;
};

}  // namespace

std::vector<TextRange> split_sentences(std::string_view prose) {
  return SentenceSplitter(prose).run();
}

std::vector<Unit> find_units(std::string_view source, const std::vector<Block>& blocks) {
  return UnitFinder(source, blocks).run();
}

}  // namespace precedent
