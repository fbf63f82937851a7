#include "grounding/text/statements.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "base/strings.h"
#include "grounding/text/clauses.h"
#include "grounding/text/lexer.h"
#include "grounding/text/plain_english.h"
#include "text/sentences.h"

namespace precedent {
namespace {

// "**Most likely cause (hypothesis):**": more words than that are a sentence.
constexpr size_t kMaxLabelBytes = 60;
// A quotation of one short word is a term, not a quotation.
constexpr size_t kMinQuoteBytes = 8;

uint32_t u32(size_t value) { return static_cast<uint32_t>(value); }

// Whether the bracket's content looks like what an answer cites: a receipt, an id, a path. A link's
// text or a range in code does not.
bool is_citation(std::string_view inside) {
  if (inside.empty() || inside.size() > 200) return false;
  const bool digit = std::ranges::any_of(inside, is_digit);
  return digit || inside.find('/') != std::string_view::npos;
}

class Reader {
 public:
  explicit Reader(std::string_view answer)
      : answer_(answer), blocks_(parse_blocks(answer)), units_(find_units(answer, blocks_)) {
    add_what_is_quoted_nowhere();
  }

  std::vector<Statement> run() {
    bool sources = false;
    for (size_t i = 0; i < units_.size(); ++i) {
      Unit unit = units_[i];
      if (i > 0 && units_[i - 1].block == unit.block) give_back_citations(unit);
      const std::string_view text = unit.bytes.in(answer_);
      if (unit.kind == UnitKind::kHeading || is_label_line(text)) sources = is_sources_title(text);
      if (is_only_citations(text) && !out_.empty() && units_[i - 1].block == unit.block) {
        extend_last(unit.bytes);
        continue;
      }
      if (blocks_[unit.block].kind == BlockKind::kQuote &&
          text.find("```") != std::string_view::npos)
        add_quoted(unit, i, sources);
      else
        add(unit, i, sources);
    }
    return std::move(out_);
  }

 private:
  // The header of a table and HTML are no units to quote, but a reader reads them.
  void add_what_is_quoted_nowhere() {
    for (uint32_t b = 0; b < blocks_.size(); ++b) {
      const Block& block = blocks_[b];
      if (block.kind == BlockKind::kTable) {
        const TableRow header = read_table(answer_, block).header;
        units_.push_back({UnitKind::kHeading, header.bytes, header.line, b});
      } else if (block.kind == BlockKind::kHtml) {
        units_.push_back({UnitKind::kHeading, block.content, block.first_line, b});
      }
    }
    std::ranges::stable_sort(units_, {}, [](const Unit& unit) { return unit.bytes.begin; });
  }
  static bool is_label_line(std::string_view text) {
    return text.starts_with("**") && trim(text).ends_with("**");
  }
  static bool is_sources_title(std::string_view text) {
    std::string title = ascii_lower(text);
    std::erase_if(title, [](char c) { return (c < 'a' || c > 'z') && c != ' '; });
    const std::string_view t = trim(title);
    return t == "sources" || t == "references" || t == "source" || t == "citations";
  }
  static bool is_only_citations(std::string_view text) {
    text = trim(text);
    while (!text.empty() && text.back() == '.') text.remove_suffix(1);
    if (!text.starts_with('[') || !text.ends_with(']')) return false;
    const size_t close = text.find(']');
    if (!is_citation(text.substr(1, close - 1))) return false;
    return close + 1 == text.size() || is_only_citations(text.substr(close + 1));
  }

  // "It failed. [R1] It ended at nine.": the citation behind a full stop belongs to the sentence
  // before it, unless that one cites something itself, or the citation is spoken of ("[R1] shows").
  void give_back_citations(Unit& unit) {
    if (out_.empty() || out_.back().form != StatementForm::kSentence || !out_.back().cited.empty())
      return;
    const std::string_view text = unit.bytes.in(answer_);
    size_t end = 0, next = 0;
    while (next < text.size() && text[next] == '[') {
      const size_t close = text.find(']', next);
      if (close == std::string_view::npos || !is_citation(text.substr(next + 1, close - next - 1)))
        break;
      end = close + 1;
      next = std::min(text.find_first_not_of(" \t\n", end), text.size());
    }
    if (end == 0 || next == end || next == text.size() || is_lower(text[next])) return;
    extend_last({unit.bytes.begin, unit.bytes.begin + u32(end)});
    unit.bytes.begin += u32(next);
  }

  // A quotation that holds code: line by line, since its code is no prose.
  void add_quoted(const Unit& unit, size_t index, bool sources) {
    bool code = false;
    for (uint32_t at = unit.bytes.begin; at < unit.bytes.end;) {
      const size_t newline = answer_.substr(0, unit.bytes.end).find('\n', at);
      const uint32_t end = newline == std::string_view::npos ? unit.bytes.end : u32(newline);
      uint32_t begin = at;
      while (begin < end && (answer_[begin] == '>' || answer_[begin] == ' ')) ++begin;
      at = end + 1;
      const std::string_view line = answer_.substr(begin, end - begin);
      if (line.starts_with("```")) {
        code = !code;
      } else if (is_only_citations(line) && !out_.empty() &&
                 out_.back().form != StatementForm::kCode) {
        extend_last({begin, end});
      } else if (!trim(line).empty()) {
        Unit part = unit;
        part.bytes = {begin, end};
        if (code) part.kind = UnitKind::kCodeLine;
        add(part, index, sources);
      }
    }
  }

  void extend_last(const TextRange& more) {
    Statement& last = out_.back();
    last.bytes.end = more.end;
    const std::string_view text = more.in(answer_);
    for (size_t open = text.find('['); open != std::string_view::npos;
         open = text.find('[', open + 1))
      cite({more.begin + u32(open), more.begin + u32(text.find(']', open)) + 1}, last);
  }

  // `bracket`: with its brackets.
  void cite(const TextRange& bracket, Statement& s) const {
    lex(bracket.in(answer_), bracket.begin, s.citations);
    s.cited.push_back({bracket.begin + 1, bracket.end - 1});
  }

  void add(const Unit& unit, size_t index, bool sources) {
    Statement s;
    s.bytes = unit.bytes;
    const std::string_view text = unit.bytes.in(answer_);
    s.body = s.bytes;
    if (unit.kind == UnitKind::kCodeLine) {
      s.form = StatementForm::kCode;
      s.quoted.push_back(unit.bytes);
      out_.push_back(std::move(s));
      return;
    }
    if (unit.kind == UnitKind::kHeading) s.form = StatementForm::kHeading;
    if (sources) s.form = StatementForm::kSource;
    if (unit.kind != UnitKind::kHeading && is_label_line(text) &&
        trim(text).size() <= kMaxLabelBytes)
      s.form = StatementForm::kHeading;
    if (trim(text).ends_with(':') || trim(text).ends_with(":**")) {
      s.form = StatementForm::kFrame;
      s.listed = items_after(index);
    }
    s.question = trim(text).ends_with('?');
    strip_label(s);
    read_wording(s);
    lex_body(s);
    find_quotes(s);
    s.asserts = has_predicate(without_quoted(s), answer_);
    out_.push_back(std::move(s));
  }

  size_t items_after(size_t index) const {
    size_t items = 0;
    uint32_t block = units_[index].block;
    for (size_t i = index + 1; i < units_.size(); ++i) {
      const Block& b = blocks_[units_[i].block];
      if (b.kind != BlockKind::kListItem && b.kind != BlockKind::kTable) {
        if (b.depth == 0) break;
        continue;
      }
      if (units_[i].block != block || b.kind == BlockKind::kTable) items += b.depth <= 1 ? 1 : 0;
      block = units_[i].block;
    }
    return items;
  }

  // "**Cause:** …", "Likely cause (hypothesis): …"
  void strip_label(Statement& s) const {
    const std::string_view text = s.body.in(answer_);
    const size_t colon = text.find(':');
    // npos is beyond every limit.
    if (colon > kMaxLabelBytes || colon + 1 >= text.size()) return;
    const char after = text[colon + 1];
    if (after != ' ' && after != '*' && after != '\n') return;
    const std::string_view label = text.substr(0, colon);
    const bool plain = std::ranges::none_of(
        label, [](char c) { return is_digit(c) || c == '`' || c == '.' || c == '/'; });
    if (!plain || std::ranges::count(label, ' ') > 4) return;
    const std::string lowered = ascii_lower(label);
    // "Not found: …" denies what follows.
    if (lowered.starts_with("not ") || lowered.starts_with("no ")) return;
    s.supposing = lowered.find("hypothes") != std::string::npos ||
                  lowered.find("likely") != std::string::npos ||
                  lowered.find("suspect") != std::string::npos ||
                  lowered.find("possible") != std::string::npos;
    s.advising =
        lowered.find("next") != std::string::npos || lowered.find("recommend") != std::string::npos;
    LexedText lexed;
    lex(label, 0, lexed);
    if (has_predicate(lexed, label)) return;
    // A short plain label: what stands before the colon may be a clause of its own.
    if (std::ranges::count(label, ' ') > 2 && !text.starts_with("**") && !s.supposing) return;
    uint32_t begin = u32(colon + 1);
    while (begin < text.size() && (text[begin] == '*' || text[begin] == ' ')) ++begin;
    s.body.begin += begin;
  }

  void read_wording(Statement& s) const {
    // `opens`: the word is the first, or what follows the purpose: "To check it, restart …".
    bool first = true, opens = true, purpose = false;
    std::string word, last;
    const std::string_view text = s.body.in(answer_);
    for (size_t i = 0; i <= text.size(); ++i) {
      const char c = i < text.size() ? text[i] : ' ';
      if (is_letter(c) || c == '-') {
        word += c;
        continue;
      }
      if (word.empty()) continue;
      const size_t begin = i - word.size();
      if (begin > 1 && (text[begin - 2] == ':' || text[begin - 2] == ',')) {
        opens = purpose;
        purpose = false;
      }
      const bool month = word == "May" && !first;
      const std::string lowered = ascii_lower(word);
      const std::string_view rest = text.substr(i);
      const bool denied =
          lowered == "could" && (rest.starts_with(" not") || rest.starts_with(" be reached"));
      // "A possible cause", but not "it was possible because".
      const bool property =
          lowered == "possible" && last != "a" && last != "one" && last != "another";
      if (is_supposing(lowered) && !month && !denied && !property) s.supposing = true;
      last = lowered;
      if (opens && is_imperative(lowered)) s.advising = true;
      purpose = purpose || (first && lowered == "to");
      first = opens = false;
      word.clear();
    }
  }

  // The body without its citations into `lexed`, these into `citations`.
  void lex_body(Statement& s) const {
    const std::string_view text = s.body.in(answer_);
    uint32_t from = 0;
    bool code = false;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '`') code = !code;
      if (text[i] != '[' || code) continue;
      const size_t close = text.find(']', i);
      if (close == std::string_view::npos) break;
      if (!is_citation(text.substr(i + 1, close - i - 1))) continue;
      lex(text.substr(from, i - from), s.body.begin + from, s.lexed);
      cite({s.body.begin + u32(i), s.body.begin + u32(close + 1)}, s);
      from = u32(close + 1);
      i = close;
    }
    lex(text.substr(from), s.body.begin + from, s.lexed);
  }

  void find_quotes(Statement& s) const {
    const std::string_view text = s.body.in(answer_);
    const auto pairs = [&](std::string_view open, std::string_view close, bool code) {
      for (size_t at = text.find(open); at != std::string_view::npos;) {
        const size_t begin = at + open.size();
        const size_t end = text.find(close, begin);
        if (end == std::string_view::npos) return;
        const std::string_view inside = text.substr(begin, end - begin);
        if (inside.size() >= kMinQuoteBytes && (code || inside.find(' ') != std::string_view::npos))
          s.quoted.push_back({s.body.begin + u32(begin), s.body.begin + u32(end)});
        at = text.find(open, end + close.size());
      }
    };
    pairs("\"", "\"", false);
    pairs("“", "”", false);
    pairs("`", "`", true);
  }

  std::string_view answer_;
  std::vector<Block> blocks_;
  std::vector<Unit> units_;
  std::vector<Statement> out_;
};

}  // namespace

bool has_predicate(const LexedText& lexed, std::string_view answer) {
  static const TermSet kFinite = terms_of(
      "is are was were be been has have had does do did will would should must can cannot isn't "
      "aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't can't couldn't");
  static const TermSet kAsking = terms_of("what how why who whom whose when where which");
  constexpr size_t kTopicWords = 2;
  bool first = true;
  size_t words = 0;
  std::optional<size_t> participle;  // the number of words up to it
  for (const Token& token : lexed.tokens) {
    const bool nothing = token.kind == TokenKind::kStop && token.term == 0;
    if (token.kind == TokenKind::kBreak || token.part || nothing) continue;
    if (first && is_any(token, kAsking)) return false;
    if (token.kind == TokenKind::kNegator || (!first && is_any(token, kFinite))) return true;
    ++words;
    const std::string word = ascii_lower(answer.substr(token.begin, token.end - token.begin));
    const bool past =
        token.kind == TokenKind::kWord && (word.ends_with("ed") || !base_form(word).empty());
    if (past && !first && !participle) participle = words;
    first = false;
  }
  return participle && words > kTopicWords;
}

LexedText without_quoted(const Statement& statement) {
  LexedText out = statement.lexed;
  for (Token& token : out.tokens) {
    const bool quoted = std::ranges::any_of(statement.quoted, [&](const TextRange& range) {
      return range.begin <= token.begin && token.end <= range.end;
    });
    if (!quoted) continue;
    token.kind = TokenKind::kStop;
    token.term = 0;
    token.part = token.negated = false;
  }
  return out;
}

std::vector<Statement> find_statements(std::string_view answer) { return Reader(answer).run(); }

}  // namespace precedent
