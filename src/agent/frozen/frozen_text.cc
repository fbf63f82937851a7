#include "agent/frozen/frozen_text.h"

#include "agent/converse/held_terms.h"
#include "agent/frozen/same_question.h"
#include "agent/language/field_words.h"
#include "base/strings.h"

namespace precedent {

bool FrozenText::blank() const { return trim(text_).empty(); }

std::vector<std::string> FrozenText::terms() const { return Analyzer().terms(text_); }

std::vector<std::string> FrozenText::own_terms() const { return precedent::own_terms(text_); }

std::vector<std::string> FrozenText::words_not_held(const std::set<std::string>& held) const {
  return precedent::words_not_held(text_, held);
}

Verbatim FrozenText::verbatim(const Analyzer& analyzer) const { return {text_, analyzer}; }

std::string FrozenText::difference_from(std::string_view other, const Analyzer& analyzer,
                                        const Synonyms& synonyms) const {
  return difference_of(text_, other, analyzer, synonyms);
}

FrozenText FrozenText::with(std::string_view more) const {
  return FrozenText(text_ + std::string(more));
}

}  // namespace precedent
