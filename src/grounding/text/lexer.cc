#include "grounding/text/lexer.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "base/hash.h"
#include "grounding/text/date_reader.h"
#include "grounding/text/measure_reader.h"
#include "grounding/text/numerals.h"
#include "grounding/text/plain_english.h"
#include "grounding/text/raw_tokens.h"
#include "grounding/text/word_readings.h"
#include "text/words.h"

namespace precedent {
namespace {

class Lexer {
 public:
  Lexer(std::string_view text, uint32_t base, LexedText& out)
      : raw_(split_raw(text)), base_(base), out_(out) {}

  void run() {
    for (size_t i = 0; i < raw_.tokens.size();) i = next(i);
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  const RawToken& raw(size_t i) const { return raw_.tokens[i]; }
  bool is_break(size_t i) const { return raw_.is_break(i); }
  std::string_view word(size_t i) const { return raw_.word(i); }

  Token& emit(TokenKind kind, size_t first, size_t last, uint64_t term = 0) {
    Token token;
    token.kind = kind;
    token.begin = base_ + raw(first).begin;
    token.end = base_ + raw(last).end;
    token.term = term;
    out_.tokens.push_back(token);
    return out_.tokens.back();
  }

  size_t next(size_t i) {
    if (is_break(i)) {
      Token& token = emit(TokenKind::kBreak, i, i);
      token.strength = raw(i).strength;
      token.value = static_cast<uint8_t>(raw(i).mark);
      sentence_start_ = raw(i).strength != BreakStrength::kClause || raw(i).mark == ':';
      return i + 1;
    }
    size_t end = date(i);
    if (end == kNone) end = quantity(i);
    if (end == kNone) end = path(i);
    if (end == kNone) end = plain(i);
    sentence_start_ = false;
    return end;
  }

  size_t emit_date(const CalendarDate& date, size_t first, size_t last) {
    emit(TokenKind::kDate, first, last).value = static_cast<uint32_t>(out_.dates.size());
    out_.dates.push_back(date);
    return last + 1;
  }

  size_t date(size_t i) {
    const auto reading = read_date(raw_, i);
    if (!reading) return kNone;
    if (reading->date) emit_date(*reading->date, i, reading->last);
    for (size_t n = 0; n < reading->times; ++n) {
      Token& token = emit(TokenKind::kTime, i, reading->last);
      token.value = reading->time[n].second;
      token.zone = reading->time[n].zone;
    }
    return reading->last + 1;
  }

  Hedge hedge_before(size_t i) const {
    for (size_t back = 1; back <= 3 && back <= i; ++back) {
      if (is_break(i - back)) break;
      if (const auto hedge = hedge_word(word(i - back))) return *hedge;
    }
    return Hedge::kNone;
  }

  size_t emit_quantity(const Measured& m, size_t first) {
    Token& token = emit(TokenKind::kQuantity, first, m.last);
    token.value = static_cast<uint32_t>(out_.quantities.size());
    token.hedge = hedge_before(first);
    token.negated = m.quantity.value == 0 && !m.unit;
    out_.quantities.push_back(m.quantity);
    return m.last + 1;
  }

  size_t quantity(size_t i) {
    const auto reading = read_measure(raw_, i);
    if (!reading) return kNone;
    const size_t end = emit_quantity(reading->first, reading->at);
    return reading->second ? emit_quantity(*reading->second, reading->at) : end;
  }

  size_t path(size_t i) {
    std::string_view text = word(i);
    LineRange lines;
    const size_t colon = text.rfind(':');
    if (colon != std::string_view::npos && colon + 1 < text.size() && is_digit(text[colon + 1])) {
      const std::string_view rest = text.substr(colon + 1);
      const auto from = leading_number(rest);
      // A port, an address: not a file's lines.
      if (!from || from->length > 7) return kNone;
      lines.begin = lines.end = static_cast<uint32_t>(std::max(0.0, from->value));
      if (from->length < rest.size()) {
        if (rest[from->length] != '-') return kNone;
        const auto to = leading_number(rest.substr(from->length + 1));
        if (!to || to->value > 1e7) return kNone;
        lines.end = static_cast<uint32_t>(std::max(0.0, to->value));
      }
      text = text.substr(0, colon);
    }
    const size_t slash = text.rfind('/');
    const std::string_view name = slash == std::string_view::npos ? text : text.substr(slash + 1);
    if (!has_file_extension(name)) return kNone;
    Token& token = emit(TokenKind::kPath, i, i, hash64(text));
    token.value = static_cast<uint32_t>(out_.lines.size());
    out_.lines.push_back(lines);
    parts(i, text);
    folders(i, text);
    return i + 1;
  }

  // "Services/search-api/src/page.ts" is of search-api.
  void folders(size_t i, std::string_view path) {
    for (size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/')) {
      const std::string_view folder = path.substr(0, slash);
      if (is_component_word(folder.substr(folder.rfind('-') + 1)) && folder.contains('-'))
        emit(TokenKind::kWord, i, i, component_term(folder)).part = true;
      path.remove_prefix(slash + 1);
    }
  }

  static bool has_file_extension(std::string_view name) {
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || name.find(':') != std::string_view::npos)
      return false;
    return is_file_extension(name.substr(dot + 1));
  }

  // The same for what differs in digits or in its last part only: "db-1" and "db-2", "4.18.0" and
  // "4.19.0", "prod-euw1" and "prod-euc1".
  static uint32_t shape_of(std::string_view text) {
    if (std::ranges::none_of(text, is_digit)) return 0;
    const size_t last = text.find_last_of("-.");
    if (last != std::string_view::npos && last > 0) text = text.substr(0, last + 1);
    std::string shape;
    for (const char c : text) {
      if (!is_digit(c)) shape += c;
    }
    return static_cast<uint32_t>(hash64(shape));
  }

  // The words inside of what was taken as one: they count for what a sentence is about.
  void parts(size_t i, std::string_view text) {
    size_t begin = 0;
    for (size_t at = 0; at <= text.size(); ++at) {
      const char c = at < text.size() ? text[at] : '/';
      if (is_lower(c) || static_cast<unsigned char>(c) >= 0x80) continue;
      if (at - begin > 2 && !is_stop_word(text.substr(begin, at - begin)))
        emit(TokenKind::kWord, i, i, term_of(text.substr(begin, at - begin))).part = true;
      begin = at + 1;
    }
  }

  size_t plain(size_t i) {
    const RawToken& token = raw(i);
    std::string_view text = word(i);
    if (!token.letters_only) {
      if (text == "%") return i + 1;
      // "95th percentile" is p95.
      if (is_digit(text[0]) && text.ends_with("th") && word(i + 1) == "percentile") {
        emit(TokenKind::kIdentifier, i, i + 1,
             hash64("p" + std::string(text.substr(0, text.size() - 2))));
        return i + 2;
      }
      if (text == "i.e" || text == "e.g") {
        emit(TokenKind::kStop, i, i, hash64(text));
        return i + 1;
      }
      // "authorisations/captures": a slash between plain words is an "or".
      emit(TokenKind::kIdentifier, i, i, hash64(text)).value = shape_of(text);
      // INC-2026-11-18-001
      for (size_t at = text.find('-'); at != std::string_view::npos; at = text.find('-', at + 1)) {
        if (const auto date = iso_date(text.substr(at + 1))) {
          emit_date(*date, i, i);
          break;
        }
      }
      parts(i, text);
      return i + 1;
    }
    if (text.ends_with("n't") || text == "cannot") {
      emit(TokenKind::kNegator, i, i, hash64("not"));
      return i + 1;
    }
    if (text.ends_with("'s")) text.remove_suffix(2);
    if (const size_t mark = text.find('\''); mark != std::string_view::npos)
      text = text.substr(0, mark);
    if (text.empty()) return i + 1;
    const WordReading& known = readings_.of(text);
    if (known.kind == TokenKind::kNegator) {
      if (text.starts_with("lack") && undo_denial(i)) return i + 1;
      // "no longer" is "not any more".
      emit(TokenKind::kNegator, i, i, known.term).value =
          is_quantifier(text) && word(i + 1) != "longer" ? 1 : 0;
      return i + 1;
    }
    if (known.kind == TokenKind::kStop) {
      emit(TokenKind::kStop, i, i, known.term);
      return i + 1;
    }
    if (text.find('-') != std::string_view::npos) return compound(i, text);
    if (token.inner_upper) {
      emit(TokenKind::kName, i, i, known.term);
      return i + 1;
    }
    const bool next_is_name = !is_break(i + 1) && raw(i + 1).first_upper &&
                              raw(i + 1).letters_only && !raw(i + 1).all_upper;
    const bool name = token.first_upper && !token.all_upper && text.size() > 1 &&
                      !is_weekday(text) &&
                      (!sentence_start_ || (next_is_name && !is_frame_word(text)));
    Token& emitted = emit(name ? TokenKind::kName : TokenKind::kWord, i, i, known.term);
    if (!name && known.negated) {
      Token positive = emitted;
      positive.term = term_of(text.substr(2));
      positive.part = positive.negated = true;
      out_.tokens.push_back(positive);
    }
    return i + 1;
  }

  // "No longer lacks" affirms: the negator before it in its clause is taken back.
  bool undo_denial(size_t i) {
    for (size_t t = out_.tokens.size(); t > 0; --t) {
      Token& token = out_.tokens[t - 1];
      if (token.kind == TokenKind::kStop) continue;
      if (token.kind != TokenKind::kNegator) return false;
      token.kind = TokenKind::kStop;
      emit(TokenKind::kStop, i, i, hash64("has"));
      return true;
    }
    return false;
  }

  // Written as one: "checkout-api" and "checkoutapi".
  static uint64_t component_term(std::string_view text) {
    std::string joined(text);
    std::erase(joined, '-');
    return term_of(joined);
  }

  // checkout-api; long-running
  size_t compound(size_t i, std::string_view text) {
    const std::string_view last = text.substr(text.rfind('-') + 1);
    if (is_component_word(last)) {
      emit(TokenKind::kService, i, i, component_term(text));
      parts(i, text);
      return i + 1;
    }
    size_t begin = 0;
    bool first = true;
    for (size_t at = 0; at <= text.size(); ++at) {
      if (at < text.size() && text[at] != '-') continue;
      const std::string_view part = text.substr(begin, at - begin);
      if (is_negator(part))
        emit(TokenKind::kNegator, i, i, hash64(part)).value = is_quantifier(part) ? 1 : 0;
      else if (!part.empty() && !is_stop_word(part))
        emit(TokenKind::kWord, i, i, term_of(part)).part = !first;
      begin = at + 1;
      first = false;
    }
    emit(TokenKind::kWord, i, i, component_term(text)).part = true;
    return i + 1;
  }

  RawText raw_;
  WordReadings readings_;  // of words of raw_.folded
  uint32_t base_;
  LexedText& out_;
  bool sentence_start_ = true;
};

}  // namespace

void lex(std::string_view text, uint32_t base, LexedText& out) { Lexer(text, base, out).run(); }

}  // namespace precedent
