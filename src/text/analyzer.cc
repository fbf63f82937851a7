#include "text/analyzer.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/characters.h"
#include "text/token_parts.h"
#include "text/words.h"

namespace precedent {
namespace {

constexpr size_t kNone = std::string_view::npos;

// A word of prose in one of its usual cases: timeout, Timeout, TIMEOUT.
bool is_plain_word(std::string_view word) {
  if (!is_letter(word[0])) return false;
  const std::string_view rest = word.substr(1);
  return std::all_of(rest.begin(), rest.end(), is_lower) ||
         std::all_of(word.begin(), word.end(), is_upper);
}

// Takes the hyphens out of a word of letters and hyphens alone. Returns whether there were any.
bool join_hyphenated(std::string& word) {
  if (word[0] == '-' || word.find('-') == kNone) return false;
  if (!std::all_of(word.begin(), word.end(), [](char c) { return is_lower(c) || c == '-'; })) {
    return false;
  }
  std::erase(word, '-');
  return true;
}

// One call of analyze().
class Run {
 public:
  Run(std::string_view text, std::vector<Term>& out)
      : text_(text), out_(out), stemmer_(thread_stemmer()) {}

  void run() {
    while (pos_ < text_.size()) {
      size_t bytes;
      const CharClass c = class_at(pos_, bytes);
      if (c == CharClass::kIdeograph) {
        ideographs();
      } else if (is_word(c) || c == CharClass::kJoiner) {
        token();
      } else {
        pos_ += bytes;
      }
    }
  }

 private:
  CharClass class_at(size_t pos, size_t& bytes) const {
    const auto byte = static_cast<unsigned char>(text_[pos]);
    if (byte < 0x80) {
      bytes = 1;
      return char_class(byte);
    }
    const CodePoint point = code_point_at(text_, pos);
    bytes = point.bytes;
    return char_class(point.value);
  }

  // The bytes of a token from its first word character to its last.
  struct Extent {
    size_t first = kNone, last = 0;
    bool ascii = true;
  };

  void token() {
    const size_t begin = pos_;
    const Extent extent = scan();
    if (extent.first == kNone) return;  // nothing but joiners
    pos_ = extent.last;
    const size_t first = with_prefix(begin, extent);
    const size_t last = with_suffix(extent);
    if (apostrophe_follows(first, last)) return;
    const std::string_view token = text_.substr(first, last - first);
    if (extent.ascii && is_plain_word(token)) {
      emit_word(token, static_cast<uint32_t>(first), static_cast<uint32_t>(last), false);
    } else {
      emit_technical(token, static_cast<uint32_t>(first), extent.ascii);
    }
  }

  // Advances pos_ over word characters and the joiners between them, which always includes one
  // character.
  Extent scan() {
    Extent extent;
    for (size_t bytes = 0; pos_ < text_.size(); pos_ += bytes) {
      const CharClass c = class_at(pos_, bytes);
      if (is_word(c)) {
        if (extent.first == kNone) extent.first = pos_;
        extent.last = pos_ + bytes;
        extent.ascii = extent.ascii && bytes == 1;
      } else if (c == CharClass::kInvisible) {
        extent.ascii = false;
      } else if (c != CharClass::kJoiner) {
        break;
      } else {
        extent.ascii = extent.ascii && bytes == 1;
        // "..." and "--" part sentences, except before the first word ("--flag", "../path").
        const bool doubled = pos_ + 1 < text_.size() && text_[pos_ + 1] == text_[pos_] &&
                             (text_[pos_] == '.' || text_[pos_] == '-');
        if (doubled && extent.first != kNone) break;
      }
    }
    return extent;
  }

  // The place where the token really begins: a path keeps its slash, a long option its dashes.
  size_t with_prefix(size_t begin, const Extent& extent) const {
    const std::string_view prefix = text_.substr(begin, extent.first - begin);
    if (prefix.ends_with("/")) return extent.first - 1;
    const bool apart = begin == 0 || begin != previous_end_;  // not the dash of "word--word"
    if (prefix == "--" && apart) return begin;
    return extent.first;
  }

  // The place where it really ends: C++ keeps its signs and C# its own. Advances pos_ to it.
  size_t with_suffix(const Extent& extent) {
    const std::string_view rest = text_.substr(extent.last);
    const bool one_letter = extent.last - extent.first == 1;
    size_t last = extent.last;
    if (extent.last - extent.first <= 2 && rest.starts_with("++")) last += 2;
    if (one_letter && rest.starts_with("#") && is_letter(text_[extent.first])) last += 1;
    pos_ = previous_end_ = last;
    return last;
  }

  // Reads the end of a contraction after the token: a possessive or auxiliary is dropped, n't is
  // "not". Returns whether the token is thereby done.
  bool apostrophe_follows(size_t first, size_t last) {
    if (last >= text_.size()) return false;
    size_t bytes;
    if (class_at(last, bytes) != CharClass::kApostrophe) return false;
    size_t end = last + bytes;
    std::string ending;
    while (end < text_.size() && ending.size() < 3 && is_letter(text_[end])) {
      ending += text_[end++];
    }
    if (end < text_.size() && is_word(class_at(end, bytes))) return false;
    fold_case(ending);
    if (ending == "t" && (text_[last - 1] == 'n' || text_[last - 1] == 'N')) {
      pos_ = end;
      out_.push_back({"not", static_cast<uint32_t>(first), static_cast<uint32_t>(end), false});
      return true;
    }
    constexpr std::array<std::string_view, 6> kDropped = {"s", "re", "ve", "ll", "d", "m"};
    if (std::find(kDropped.begin(), kDropped.end(), ending) != kDropped.end()) pos_ = end;
    return false;
  }

  void emit_technical(std::string_view token, uint32_t first, bool ascii) {
    if (!ascii) normalize(token, first, normal_);
    const std::string_view text = ascii ? token : std::string_view(normal_.text);
    if (text.empty()) return;
    token_spans(text, spans_);
    for (const TokenSpan& span : spans_) {
      const uint32_t begin = ascii ? first + span.begin : normal_.begin[span.begin];
      const uint32_t end = ascii ? first + span.end : normal_.end[span.end - 1];
      emit_word(text.substr(span.begin, span.end - span.begin), begin, end, span.part);
    }
  }

  // Folds; letters alone are also stopped and stemmed.
  void emit_word(std::string_view word, uint32_t begin, uint32_t end, bool part) {
    word_ = word.substr(0, kMaxTermBytes);
    fold_case(word_);
    word_.resize(utf8_prefix(word_, kMaxTermBytes).size());  // folding may lengthen it
    // A hyphen between letters is a matter of taste: on-call is oncall, checkout-api is
    // CheckoutApi.
    const bool hyphenated = join_hyphenated(word_);
    if (std::all_of(word_.begin(), word_.end(), is_lower)) {
      if (!hyphenated && is_stop_word(word_)) return;
      stemmer_.stem(word_);
    }
    out_.push_back({word_, begin, end, part});
  }

  // Overlapping pairs of characters; a lone character alone.
  void ideographs() {
    std::string before;
    uint32_t before_begin = 0;
    bool paired = true;
    size_t bytes;
    while (pos_ < text_.size() && class_at(pos_, bytes) == CharClass::kIdeograph) {
      const auto begin = static_cast<uint32_t>(pos_);
      pos_ += cluster_bytes(text_, pos_);
      normalize(text_.substr(begin, pos_ - begin), begin, normal_);
      fold_case(normal_.text);
      if (normal_.text.empty()) continue;
      if (!before.empty()) push_pair(before + normal_.text, before_begin);
      paired = !before.empty();
      before = std::string(utf8_prefix(normal_.text, kMaxTermBytes / 2));
      before_begin = begin;
    }
    if (!paired) push_pair(before, before_begin);
  }

  void push_pair(std::string_view pair, uint32_t begin) {
    out_.push_back(
        {std::string(utf8_prefix(pair, kMaxTermBytes)), begin, static_cast<uint32_t>(pos_), false});
  }

  std::string_view text_;
  std::vector<Term>& out_;
  Stemmer& stemmer_;
  size_t pos_ = 0;
  size_t previous_end_ = 0;  // of the token before
  std::string word_;
  NormalText normal_;
  std::vector<TokenSpan> spans_;
};

}  // namespace

std::vector<std::string> texts_of(std::vector<Term> terms) {
  std::vector<std::string> texts;
  texts.reserve(terms.size());
  for (Term& term : terms) texts.push_back(std::move(term.text));
  return texts;
}

std::vector<Term> Analyzer::analyze(std::string_view text) const {
  std::vector<Term> out;
  // English averages a term every seven or eight bytes, parts included; logs have more.
  out.reserve(text.size() / 4);
  Run(text, out).run();
  return out;
}

std::vector<std::string> Analyzer::terms(std::string_view text) const {
  return texts_of(analyze(text));
}

}  // namespace precedent
