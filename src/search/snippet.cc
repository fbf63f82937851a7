#include "search/snippet.h"

#include <algorithm>
#include <set>

#include "base/redact.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// Moves back to the start of the word or line that `at` is in, at most `reach` bytes.
size_t word_start(std::string_view text, size_t at, size_t reach) {
  const size_t stop = at > reach ? at - reach : 0;
  size_t i = at;
  while (i > stop && text[i - 1] != ' ' && text[i - 1] != '\n') --i;
  return i;
}

}  // namespace

Snippet make_snippet(std::string_view chunk, const std::vector<std::string>& query_terms,
                     const Analyzer& analyzer, size_t max_bytes) {
  const std::string text = squeeze(redact(chunk));
  const std::set<std::string_view> wanted(query_terms.begin(), query_terms.end());
  std::vector<Term> found;
  if (!wanted.empty()) {
    for (Term& term : analyzer.analyze(text)) {
      if (wanted.contains(term.text)) found.push_back(std::move(term));
    }
  }
  // The window that starts at a match and holds the most different terms; the first such.
  size_t begin = 0, end = 0, most = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    std::set<std::string_view> inside;
    size_t last = found[i].begin;
    for (size_t j = i; j < found.size() && found[j].end <= found[i].begin + max_bytes; ++j) {
      inside.insert(found[j].text);
      last = std::max<size_t>(last, found[j].end);
    }
    if (inside.size() > most) {
      most = inside.size();
      begin = found[i].begin;
      end = last;
    }
  }
  // Some words before the first match make it readable, as far as there is room for them.
  constexpr size_t kLead = 40;
  const size_t room = max_bytes - std::min(max_bytes, end - begin);
  const size_t lead = std::min(kLead, room / 2);
  begin = begin <= lead ? 0 : word_start(text, begin - lead, lead);
  while (begin > 0 && begin < text.size() &&
         (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80)
    --begin;
  std::string_view window = utf8_prefix(std::string_view(text).substr(begin), max_bytes);
  const bool cut = begin + window.size() < text.size();
  if (cut && text[begin + window.size()] != ' ') {
    if (const size_t space = window.rfind(' ');
        space != std::string_view::npos && space > max_bytes / 2) {
      window = window.substr(0, space);
    }
  }
  Snippet snippet;
  constexpr std::string_view kEllipsis = "… ";
  const size_t offset = begin > 0 ? kEllipsis.size() : 0;
  if (begin > 0) snippet.text = kEllipsis;
  snippet.text += window;
  if (cut) snippet.text += " …";
  for (const Term& term : found) {
    if (term.begin < begin || term.end > begin + window.size()) continue;
    const Snippet::Match match{term.begin - begin + offset, term.end - begin + offset};
    if (!snippet.matches.empty() && match.begin < snippet.matches.back().end) {
      snippet.matches.back().end = std::max(snippet.matches.back().end, match.end);
    } else {
      snippet.matches.push_back(match);
    }
  }
  return snippet;
}

}  // namespace precedent
