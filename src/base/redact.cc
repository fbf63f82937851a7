// How it works: first the tables, whose header names what stands columns away. Then one walk from
// left to right. At each byte that can begin a secret of a known form (and at ':' or '=', which end
// a name) the finders below are asked for the bytes to replace. A finder looks back at most
// kMaxUserBytes and ahead at most kMaxLookAhead, so the walk is linear.
#include "base/redact.h"

#include <algorithm>

#include "base/secret_forms.h"
#include "base/secret_records.h"
#include "base/secret_values.h"

namespace precedent {
namespace {

using namespace secrets;

constexpr size_t kMaxKindBytes = 16;  // "slack-webhook"

Found secret_at(std::string_view text, size_t i) {
  if (auto found = secret_of_form(text, i)) return found;
  return secret_of_name(text, i);
}

// The end of a secret that was only read as far as the look-ahead.
size_t full_end(std::string_view text, const Secret& secret) {
  size_t end = secret.end;
  if (end - secret.begin < kMaxLookAhead) return end;
  while (end < text.size() && !is_blank(text[end]) && text[end] != '"' && text[end] != '\'') ++end;
  return end;
}

// The length of the mark of an earlier redaction at `i`; 0 if there is none. A mark is passed over
// whole: its colon ends no name and begins no password.
size_t mark_at(std::string_view text, size_t i) {
  if (text[i] != kMark.front() || !text.substr(i).starts_with(kMark)) return 0;
  const size_t end =
      end_of_run(text, i + kMark.size(), [](char c) { return is_letter(c) || c == '-'; });
  const bool whole = at(text, end) == ']' && end - i <= kMark.size() + kMaxKindBytes;
  return whole ? end + 1 - i : 0;
}

enum class LineEnds { kGo, kStay };

void add_mark(Redaction& redaction, std::string_view kind) {
  redaction.text += kMark;
  redaction.text += kind;
  redaction.text += ']';
  redaction.kinds.emplace_back(kind);
}

Redaction redact_tables(std::string_view text) {
  Redaction redaction;
  size_t copied = 0;
  for (const Secret& secret : secrets_of_tables(text)) {
    // Two kinds of table may see the same cell.
    if (secret.begin < copied) continue;
    redaction.text += text.substr(copied, secret.begin - copied);
    add_mark(redaction, secret.kind);
    copied = secret.end;
  }
  redaction.text += text.substr(copied);
  return redaction;
}

Redaction redact_once(std::string_view whole, LineEnds line_ends) {
  Redaction tables = redact_tables(whole);
  const std::string_view text = tables.text;
  Redaction redaction;
  redaction.kinds = std::move(tables.kinds);
  redaction.text.reserve(text.size());
  size_t copied = 0;
  for (size_t i = 0; i < text.size();) {
    if (const size_t mark = mark_at(text, i)) {
      i += mark;
      continue;
    }
    const Found found = secret_at(text, i);
    if (!found) {
      ++i;
      continue;
    }
    redaction.text += text.substr(copied, found->begin - copied);
    add_mark(redaction, found->kind);
    const size_t end = full_end(text, *found);
    if (line_ends == LineEnds::kStay)
      redaction.text.append(std::count(text.begin() + found->begin, text.begin() + end, '\n'),
                            '\n');
    i = copied = end;
  }
  redaction.text += text.substr(copied);
  return redaction;
}

// What is redacted may have hidden another secret, or what tells one: "-u TOKEN:password". So
// again, until nothing is found; ordinary text needs one look, or two.
Redaction redact_all(std::string_view text, LineEnds line_ends) {
  constexpr int kMostLooks = 16;
  Redaction all = redact_once(text, line_ends);
  bool found = !all.kinds.empty();
  for (int look = 1; found && look < kMostLooks; ++look) {
    Redaction next = redact_once(all.text, line_ends);
    found = !next.kinds.empty();
    all.text = std::move(next.text);
    all.kinds.insert(all.kinds.end(), next.kinds.begin(), next.kinds.end());
  }
  return all;
}

}  // namespace

Redaction find_and_redact(std::string_view text) { return redact_all(text, LineEnds::kGo); }

std::string redact(std::string_view text) { return find_and_redact(text).text; }

std::string redact_lines(std::string_view text) { return redact_all(text, LineEnds::kStay).text; }

}  // namespace precedent
