#include "agent/sources/unknown_names.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <set>

#include "agent/slots/subjects.h"
#include "base/ascii.h"
#include "base/ids.h"
#include "base/strings.h"
#include "index/sparse_encoder.h"

namespace precedent {
namespace {

struct Token {
  std::string text;
  size_t begin;
};

// Shorter words are no names.
constexpr size_t kShortestName = 3;
// How sure it must be that a question is about a word that nobody wrote (adapters/names.md): less
// of one that has the form of a name. And that it is not about one that documents hold.
constexpr float kAbout = 0.8f, kAboutName = 0.5f, kNotAbout = 0.3f;

bool begins_a_sentence(const Token& token, std::string_view question) {
  const size_t stop = question.substr(0, token.begin).find_last_not_of(" \t\"'(");
  return stop == std::string_view::npos || std::string_view(".?!:\n>").contains(question[stop]);
}

// Words as written, with the joiners that hold a technical name together.
std::vector<Token> tokens_of(std::string_view question) {
  std::vector<Token> tokens;
  static const RE2 kToken("([A-Za-z0-9](?:[A-Za-z0-9_.:/-]*[A-Za-z0-9])?)");
  re2::StringPiece rest(question.data(), question.size());
  for (re2::StringPiece match; RE2::FindAndConsume(&rest, kToken, &match);) {
    tokens.push_back({match.as_string(), static_cast<size_t>(match.data() - question.data())});
  }
  return tokens;
}

// A word that is a name by its looks alone: inner capitals, joiners between letters, letters with
// digits.
bool looks_technical(std::string_view word) {
  if (word.size() < 4) return false;
  bool letter = false, joiner = false, inner_upper = false, lower = false;
  for (size_t i = 0; i < word.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(word[i]);
    letter = letter || isalpha(c);
    lower = lower || islower(c);
    joiner = joiner || word[i] == '-' || word[i] == '_';
    inner_upper = inner_upper || (i > 0 && isupper(c));
  }
  return letter && (joiner || (inner_upper && lower));
}

// "SEV1s", "P2": how bad, not what.
bool is_severity(std::string_view word) {
  static const RE2 kSeverity("(?i)(?:sev-?|prio-?|p)[0-5]s?");
  return RE2::FullMatch(re2::StringPiece(word.data(), word.size()), kSeverity);
}

// "ADR-0042": letters, a hyphen, digits.
bool has_id_form(std::string_view word) {
  const auto ids = find_ids(word);
  return !ids.empty() && ids.front().begin == 0 && ids.front().end == word.size();
}

Result<bool> is_in_code(std::string_view word, const Searcher& search) {
  constexpr size_t kLooked = 5;
  SearchRequest request{.text = std::string(word),
                        .limit = kLooked,
                        .mode = SearchMode::kSparse,
                        .self_query = false};
  request.filter.kinds = {Kind::kCode};
  const auto found = TRY(search.search(request));
  // "sms" of sms_reminders; a word that is part of a longer one is another.
  const std::vector<std::string> terms = search.analyzer().terms(word);
  const auto holds = [&](const std::string& text) {
    if (looks_technical(word) || has_id_form(word))
      return ascii_lower(text).contains(ascii_lower(word));
    const std::vector<std::string> own = search.analyzer().terms(text);
    return !terms.empty() && std::ranges::find(own, terms.front()) != own.end();
  };
  return std::ranges::any_of(found.hits, [&](const Hit& hit) { return holds(hit.payload.text); });
}

// A golden example is a question that somebody asked: its words prove no name.
Result<bool> is_in_documents(const std::string& term, const Searcher& search) {
  Filter documents;
  documents.kinds.assign(ordinary_kinds().begin(), ordinary_kinds().end());
  const auto hits =
      TRY(search.index().search_sparse(encode_query({&term, 1}), documents, Level::kDocument, 1));
  return !hits.empty();
}

// Whether any document holds a term of this word: the word itself as the index spells it. A name of
// code is known where code holds it.
Result<bool> is_known(std::string_view word, const Searcher& search) {
  const std::vector<std::string> terms = search.analyzer().terms(word);
  if (terms.empty()) return true;  // a stop word
  // The whole token comes first; its parts say nothing about the name.
  if (TRY(is_in_documents(terms.front(), search))) return true;
  if (looks_technical(word) && TRY(is_in_code(word, search))) return true;
  // By another word for it.
  const auto others = search.synonyms().expand({terms.front()});
  for (const Synonyms::Expansion& other : others)
    if (!TRY(is_in_documents(other.term, search))) return false;
  return !others.empty();
}

// Joined words are written apart, too: "checkout-api" and "checkout api" name one thing.
bool is_catalogue_name(std::string_view word, const Searcher& search) {
  const std::string key = name_key(word);
  const auto holds = [&](const std::vector<std::string>& names) {
    return std::ranges::any_of(names,
                               [&](const std::string& name) { return name_key(name) == key; });
  };
  return holds(search.catalogue().services) || holds(search.catalogue().applications);
}

// Known also where its halves are: "HTTP-403" where documents say "HTTP 403".
Result<bool> is_unknown_id(std::string_view word, const Searcher& search) {
  const std::string_view number = word.substr(word.rfind('-') + 1);
  const std::string_view letters = word.substr(0, word.find('-'));
  if (number.size() < 2 || TRY(is_known(word, search))) return false;
  return !TRY(is_known(number, search)) || !TRY(is_known(letters, search));
}

// "HTTP 418", "error 1213", "exit code 137": a number that has a meaning of its own.
bool takes_a_code(std::string_view word) {
  static constexpr std::string_view kCodes[] = {"http",  "code", "errno",  "status",
                                                "error", "exit", "signal", "sqlstate"};
  return std::ranges::find(kCodes, word) != std::end(kCodes);
}

// Whether token `i` is a code that no document holds.
Result<bool> is_missing_code(const std::vector<Token>& tokens, size_t i, const Searcher& search) {
  const std::string& word = tokens[i].text;
  const bool number = word.size() >= 2 && word.size() <= 6 && std::ranges::all_of(word, is_digit);
  if (!number || i == 0 || !takes_a_code(ascii_lower(tokens[i - 1].text))) return false;
  return !TRY(is_known(word, search));
}

// Whether no document holds token `i`, which may be a name.
Result<bool> is_missing(const std::vector<Token>& tokens, size_t i, std::string_view question,
                        const Searcher& search) {
  const std::string& word = tokens[i].text;
  if (is_digit(word[0])) return is_missing_code(tokens, i, search);
  if (!is_letter(word[0])) return false;
  // Incidents are looked up by their own tool.
  if (has_id_form(word)) return !date_in_id(normalize_id(word)) && TRY(is_unknown_id(word, search));
  if (tokens[i].begin > 0 && question[tokens[i].begin - 1] == '/')
    return !TRY(is_known("/" + word, search));
  if (word.size() < kShortestName || word.contains('/')) return false;
  if (TRY(is_known(word, search)) || is_catalogue_name(word, search)) return false;
  // "The sms queue", where code alone has the word.
  return looks_technical(word) || !TRY(is_in_code(word, search));
}

// Whether token `i` has the form of a name: what is left to go by where nothing learned reads it.
bool is_formed_as_name(const Token& token, std::string_view question) {
  const std::string& word = token.text;
  if (is_digit(word[0]) || has_id_form(word)) return true;
  if (token.begin > 0 && question[token.begin - 1] == '/') return true;
  if (looks_technical(word) && ascii_lower(word) != word) return true;
  return is_upper(word[0]) && !begins_a_sentence(token, question);
}

// How likely the question is about it rather than says it in passing; nothing if that was not
// learned or cannot be read.
std::optional<float> how_much_about(const Token& token, std::string_view question,
                                    const LearnedReader* reader) {
  if (reader == nullptr) return std::nullopt;
  const std::string marked = fmt::format("{}<{}>{}", question.substr(0, token.begin), token.text,
                                         question.substr(token.begin + token.text.size()));
  const PastTurn before[] = {{marked, ""}};
  const auto reading = reader->read(token.text, before);
  if (!reading) return std::nullopt;
  for (const ReadLabel& label : reading->head("named").labels)
    if (label.label == "about_it") return label.probability;
  return std::nullopt;
}

bool is_asked_about(const Token& token, std::string_view question, const LearnedReader* reader) {
  const bool formed = is_formed_as_name(token, question);
  const std::optional<float> about = how_much_about(token, question, reader);
  return about ? *about >= (formed ? kAboutName : kAbout) : formed;
}

}  // namespace

std::string code_of_the_code(std::string_view question, const Searcher& search) {
  for (const auto& id : find_ids(question)) {
    const std::string word(question.substr(id.begin, id.end - id.begin));
    const std::vector<std::string> terms = search.analyzer().terms(word);
    // "PU-448" of "PU-448-SMP" is no code of its own.
    const std::string_view rest = question.substr(id.end);
    const bool part = rest.size() > 1 && (rest[0] == '-' || rest[0] == '_') && rest[1] != ' ';
    if (part || terms.empty() || date_in_id(normalize_id(word))) continue;
    const auto written = is_in_documents(terms.front(), search);
    const auto coded = is_in_code(word, search);
    if (written && !*written && coded && *coded) return word;
  }
  return "";
}

bool is_written(std::string_view word, const Searcher& search) {
  const auto known = is_known(word, search);
  return !known || *known;
}

bool holds_what_is_written(std::string_view text, const std::vector<std::string>& asked,
                           const Searcher& search) {
  const std::vector<std::string> said = search.analyzer().terms(text);
  const std::set<std::string> held(said.begin(), said.end());
  size_t known = 0, unknown = 0;
  for (const std::string& term : std::set<std::string>(asked.begin(), asked.end())) {
    if (held.contains(term)) {
      ++known;
      continue;
    }
    const auto written = is_in_documents(term, search);
    if (!written || *written) return false;
    ++unknown;
  }
  return known > 1 && unknown <= known;
}

Result<std::vector<std::string>> find_unknown_names(std::string_view question,
                                                    const Searcher& search,
                                                    const LearnedReader* reader) {
  const std::string folded = fold_hyphens(question);
  if (folded.starts_with("re:")) return std::vector<std::string>();  // a pattern names nothing
  const std::vector<Token> tokens = tokens_of(folded);
  // "August", and "Core" in "PayU Core", are no names of their own.
  std::vector<std::pair<size_t, size_t>> understood;
  for (const TimeHint& time : find_time_hints(folded, TimePoint()))
    understood.emplace_back(time.begin, time.end);
  for (const NameMention& name : find_names(folded, search.catalogue()))
    if (name.whole) understood.emplace_back(name.begin, name.end);
  const auto is_understood = [&](const Token& token) {
    return std::ranges::any_of(understood, [&](const auto& span) {
      return span.first <= token.begin && token.begin + token.text.size() <= span.second;
    });
  };
  std::vector<std::string> unknown;
  size_t last_end = 0;  // of the unknown token before, to join "Jane Doe"
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (is_understood(token) || is_severity(token.text) ||
        !TRY(is_missing(tokens, i, folded, search)) || !is_asked_about(token, folded, reader))
      continue;
    const bool endpoint = token.begin > 0 && folded[token.begin - 1] == '/';
    const bool joins = !unknown.empty() && last_end + 1 == token.begin && folded[last_end] == ' ';
    // A code says nothing without the word before it.
    const bool code = is_digit(token.text[0]) && !joins;
    const std::string name = endpoint ? "/" + token.text
                             : code   ? tokens[i - 1].text + " " + token.text
                                      : token.text;
    if (joins) {
      unknown.back() += " " + name;
    } else if (std::ranges::find(unknown, name) == unknown.end()) {
      unknown.push_back(name);
    }
    last_end = token.begin + token.text.size();
  }
  return unknown;
}

namespace {

// "qowl1", "orders_v2", "KLN-3", "Owlet" within a sentence: of one thing, however it is asked
// about.
bool names_one_thing(const Token& token, std::string_view question) {
  const std::string& word = token.text;
  if (!is_letter(word[0]) || is_severity(word)) return false;
  if (word.size() > 2 && std::ranges::any_of(word, is_digit)) return true;
  if (word.contains('_')) return true;
  const bool lower = std::ranges::any_of(word, is_lower);
  return is_upper(word[0]) && lower && !begins_a_sentence(token, question) &&
         word.size() >= kShortestName;
}

}  // namespace

std::vector<std::string> NamedThings::missing_in(const std::string& document) const {
  std::vector<std::string> names;
  for (const Thing& thing : things)
    if (!thing.coded && !thing.documents.contains(document)) names.push_back(thing.name);
  return names;
}

std::vector<std::string> NamedThings::missing_in(const std::string& document,
                                                 std::string_view text) const {
  const std::vector<std::string> terms = Analyzer().terms(text);
  std::vector<std::string> missing;
  for (const Thing& thing : things)
    if (!thing.documents.contains(document) || std::ranges::find(terms, thing.term) == terms.end())
      missing.push_back(thing.name);
  return missing;
}

std::vector<ThingName> names_of_things(std::string_view question, const LearnedReader* reader) {
  const std::string folded = fold_hyphens(question);
  std::vector<std::pair<size_t, size_t>> times;
  for (const TimeHint& time : find_time_hints(folded, TimePoint()))
    times.emplace_back(time.begin, time.end);
  std::vector<ThingName> names;
  for (const Token& token : tokens_of(folded)) {
    const bool of_a_time = std::ranges::any_of(times, [&](const auto& span) {
      return span.first <= token.begin && token.begin < span.second;
    });
    if (of_a_time || !names_one_thing(token, folded)) continue;
    if (how_much_about(token, folded, reader).value_or(1) < kNotAbout) continue;
    const std::vector<std::string> terms = Analyzer().terms(token.text);
    if (!terms.empty()) names.push_back({token.text, terms.front(), has_id_form(token.text)});
  }
  return names;
}

Result<NamedThings> find_holders(const std::vector<ThingName>& names, const Searcher& search) {
  constexpr size_t kMostHolders = 500;
  Filter documents;
  documents.kinds.assign(ordinary_kinds().begin(), ordinary_kinds().end());
  NamedThings named;
  for (const ThingName& name : names) {
    const auto holders = TRY(search.index().search_sparse(encode_query({&name.term, 1}), documents,
                                                          Level::kDocument, kMostHolders));
    // What so many hold tells nothing apart.
    if (holders.empty() || holders.size() == kMostHolders) continue;
    NamedThings::Thing thing{name, {}};
    std::vector<uint64_t> ids;
    for (const PointScore& holder : holders) ids.push_back(holder.id);
    for (const Payload& payload : TRY(search.index().payloads(ids)))
      thing.documents.insert(payload.doc_id);
    named.things.push_back(std::move(thing));
  }
  return named;
}

}  // namespace precedent
