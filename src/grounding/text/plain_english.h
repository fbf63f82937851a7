// Plain English, as far as checking a claim needs it: small closed lists, true of operations text
// in general. None of them knows a company.
//
// Thread safety: pure functions. All take words in lower case.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace precedent {

// "not", "no", "never", "without", "rather" (than) …
bool is_negator(std::string_view word);
// A negator that denies there is any: "no", "none", "nothing", "without".
bool is_quantifier(std::string_view word);
// "unaffected", "unsuccessful": a word whose first two letters deny the rest.
bool is_negated_form(std::string_view word);
// "went" → "go", "peaked" → "max"; "" if the stemmer finds the base of the word by itself.
std::string_view base_form(std::string_view word);
// "api", "service", "worker", "db": what the name of a component ends with after a hyphen.
bool is_component_word(std::string_view word);
// "md", "py", "yaml"
bool is_file_extension(std::string_view word);
// 1–12 for "january", "jan"; 0 for anything else.
uint8_t month_of(std::string_view word);
bool is_weekday(std::string_view word);
// "working", "business", "more": between a number and its unit.
bool is_measure_adjective(std::string_view word);
// "twice" and "doubled" are 2, "tripled" 3, "halved" 0.5.
std::optional<double> multiplier_word(std::string_view word);
// "root", "next", "what": capitalised because a heading or sentence begins, not as a name.
bool is_frame_word(std::string_view word);

// What an answer says of itself: it supposes ("may", "likely"), it advises ("check …"), it tells
// why ("because"), it speaks of things in general ("typically").
bool is_supposing(std::string_view word);
bool is_imperative(std::string_view word);
bool is_generalising(std::string_view word);
// "our", "this", "here": of this company, not of things in general.
bool is_ours(std::string_view word);
// "because", "due", "caused": what follows is a reason.
bool is_causal(std::string_view word);
const std::unordered_set<std::string_view>& causal_words();
// "however", "while", "make", "thing": says nothing by itself; also every causal word but
// the nouns.
bool is_connective(std::string_view word);
// "found", "data", "results": a sentence that denies them reports a gap.
bool is_finding(std::string_view word);

}  // namespace precedent
