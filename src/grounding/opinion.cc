#include "grounding/opinion.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/ascii.h"
#include "base/strings.h"
#include "text/markdown.h"

namespace precedent {
namespace {

// Of the passages, in bytes: what the adapter reads of them, for text of which a word piece is
// hardly shorter than three bytes and a half.
constexpr size_t kRoom = 240;
// Between two words of a sentence: more is a citation or a clause that was taken out.
constexpr size_t kMaxBetween = 3;

// The best passages in the receipts' order.
std::string nearest(const Sentence& sentence, const Facts& facts) {
  std::vector<uint32_t> kept;
  size_t room = kRoom;
  for (const uint32_t unit : sentence.alignment->passages()) {
    const size_t size = facts.index.said(unit).size();
    if (!kept.empty() && size > room) continue;
    kept.push_back(unit);
    room -= std::min(room, size);
  }
  std::ranges::sort(kept);
  std::string lines;
  for (const uint32_t unit : kept) {
    if (!lines.empty()) lines += '\n';
    lines += trim(facts.index.said(unit));
  }
  return lines;
}

// The sentence as its author would say it: without citations and Markdown; of the rest of a
// sentence that also says what is missing, the rest.
std::string sentence_text(const Sentence& sentence) {
  std::string text;
  uint32_t end = 0;
  for (const Token& token : sentence.tokens()) {
    if (token.part || token.end <= end) continue;
    if (!text.empty()) {
      const std::string_view between = sentence.answer.substr(end, token.begin - end);
      if (between.size() > kMaxBetween || between.contains('[')) {
        text += ' ';
      } else {
        // What a mark opened may have been left out.
        std::ranges::copy_if(between, std::back_inserter(text),
                             [](char c) { return c != '*' && c != '`'; });
      }
    }
    text += sentence.spelling(token);
    end = token.end;
  }
  std::string plain = plain_text(text);
  while (!plain.empty() && (is_space(plain.back()) || plain.back() == '.')) plain.pop_back();
  return plain.empty() ? plain : plain + '.';
}

}  // namespace

std::optional<Opinion> opinion_of(const Sentence& sentence, const Facts& facts,
                                  const LearnedReader& judge) {
  const std::string lines = nearest(sentence, facts), claim = sentence_text(sentence);
  if (lines.empty() || claim.empty() || sentence.is_row()) return std::nullopt;
  const PastTurn before[] = {{lines, ""}};
  const auto reading = judge.read(claim, before);
  if (!reading) return std::nullopt;
  Opinion opinion;
  for (const ReadLabel& read : reading->head("verdict").labels) {
    if (read.label == "supported") opinion.supported = read.probability;
    if (read.label == "contradicted") opinion.contradicted = read.probability;
    if (read.label == "not_stated") opinion.not_stated = read.probability;
  }
  return opinion;
}

}  // namespace precedent
