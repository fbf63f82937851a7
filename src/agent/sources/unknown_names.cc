#include "agent/sources/unknown_names.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <set>

#include "agent/language/product_names.h"
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

bool any_of(std::string_view word, std::initializer_list<std::string_view> set) {
  return std::find(set.begin(), set.end(), word) != set.end();
}

bool names_a_thing(std::string_view word) {
  return any_of(
      word,
      {"service",  "services", "system",  "application", "app",          "component", "database",
       "cluster",  "topic",    "queue",   "team",        "job",          "worker",    "api",
       "platform", "gateway",  "runbook", "integration", "product",      "vendor",    "provider",
       "server",   "host",     "node",    "pipeline",    "microservice", "alert"});
}

bool takes_a_name(std::string_view word) {
  return any_of(word,
                {"owns",  "own",  "of",    "for",       "in",       "on",     "does", "is",
                 "with",  "by",   "about", "affecting", "affected", "to",     "at",   "called",
                 "named", "from", "did",   "restart",   "using",    "against"});
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

// What befalls things that have a name: "flurbinator timeout".
bool befalls(std::string_view word) {
  return any_of(
      word, {"timeout", "timeouts", "error",   "errors",   "down",      "outage",     "outages",
             "crash",   "crashes",  "crashed", "failing",  "failed",    "failure",    "failures",
             "latency", "alert",    "alerts",  "incident", "incidents", "unavailable"});
}

// What tells incidents apart without naming anything: "recent outages", "major incidents".
bool qualifies(std::string_view word) {
  return frames_a_question(word) ||
         any_of(word, {"active",  "ongoing",  "unresolved", "unsolved", "biggest",   "largest",
                       "longest", "shortest", "worst",      "major",    "minor",     "critical",
                       "severe",  "serious",  "frequent",   "common",   "recurring", "repeated",
                       "repeat",  "lately",   "oldest",     "earliest", "unplanned", "planned"});
}

// What is done to things that have a name: "restart zookeeper".
bool is_done_to_a_thing(std::string_view word) {
  return any_of(word, {"restart", "restarting", "reboot", "redeploy", "deploy", "upgrade",
                       "downgrade", "install", "troubleshoot", "debug", "drain", "rollback"});
}

// "HTTP 418", "error 1213", "exit code 137": a number that has a meaning of its own.
bool takes_a_code(std::string_view word) {
  return any_of(word, {"http", "code", "errno", "status", "error", "exit", "signal", "sqlstate"});
}

// Whether token `i` is a code that no document holds.
Result<bool> is_missing_code(const std::vector<Token>& tokens, size_t i, const Searcher& search) {
  const std::string& word = tokens[i].text;
  const bool number = word.size() >= 2 && word.size() <= 6 && std::ranges::all_of(word, is_digit);
  if (!number || i == 0 || !takes_a_code(ascii_lower(tokens[i - 1].text))) return false;
  return !TRY(is_known(word, search));
}

// Whether token `i` is used as a name and no document holds it.
Result<bool> is_missing_name(const std::vector<Token>& tokens, size_t i, std::string_view question,
                             const Searcher& search) {
  const std::string& word = tokens[i].text;
  if (is_digit(word[0])) return is_missing_code(tokens, i, search);
  if (!is_letter(word[0])) return false;
  // Incidents are looked up by their own tool.
  if (has_id_form(word)) return !date_in_id(normalize_id(word)) && TRY(is_unknown_id(word, search));
  if (tokens[i].begin > 0 && question[tokens[i].begin - 1] == '/')
    return !TRY(is_known("/" + word, search));
  if (word.find('/') != std::string::npos) return false;
  const auto lower_at = [&](size_t at) { return ascii_lower(tokens[at].text); };
  const bool technical = looks_technical(word);
  const size_t stop = question.substr(0, tokens[i].begin).find_last_of(".?!:\n");
  const bool sentence_start =
      i == 0 || (stop != std::string_view::npos && stop + 2 >= tokens[i].begin);
  const bool capitalised = is_upper(word[0]) && !sentence_start && word.size() > 2;
  const bool next_is_noun = i + 1 < tokens.size() && names_a_thing(lower_at(i + 1));
  const bool before_noun =
      next_is_noun && i > 0 && any_of(lower_at(i - 1), {"the", "our", "a", "an", "this"});
  const bool after_cue =
      i > 0 && (takes_a_name(lower_at(i - 1)) ||
                (i > 1 && lower_at(i - 1) == "the" && takes_a_name(lower_at(i - 2))));
  // A hyphenated lower-case word is a name only where a name is expected: people join words freely.
  const bool joined_words = technical && ascii_lower(word) == word;
  // "Throwing errors", "payment-service throw errors", "/api/x return errors": what somebody or
  // something does.
  const bool after_a_name =
      i > 0 && (tokens[i - 1].text.find('-') != std::string::npos ||
                (tokens[i - 1].begin > 0 && question[tokens[i - 1].begin - 1] == '/') ||
                is_catalogue_name(tokens[i - 1].text, search));
  const bool plain_object = word.size() > 4 && !after_a_name && !qualifies(lower_at(i)) &&
                            !word.ends_with("ing") &&
                            ((i > 0 && is_done_to_a_thing(lower_at(i - 1))) ||
                             (i + 1 < tokens.size() && befalls(lower_at(i + 1))));
  const bool used_as_name = (technical && !joined_words) || capitalised || before_noun ||
                            plain_object ||
                            (joined_words && (after_cue || next_is_noun || i + 1 == tokens.size()));
  if (!used_as_name || TRY(is_known(word, search)) || is_catalogue_name(word, search)) return false;
  // "The sms queue", where code alone has the word.
  const bool plain = !technical && !capitalised;
  return !plain || !TRY(is_in_code(word, search));
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

namespace {

// The products that are named, if no document mentions any of them. One that is known is what the
// question is about: "since the move from mysql to postgres".
Result<std::vector<std::string>> missing_products(const std::vector<Token>& tokens,
                                                  const Searcher& search) {
  std::vector<std::string> missing;
  for (const Token& token : tokens) {
    const auto spellings = product_spellings(ascii_lower(token.text));
    if (spellings.empty()) continue;
    for (const std::string_view spelling : spellings)
      if (TRY(is_known(spelling, search))) return std::vector<std::string>();
    missing.push_back(token.text);
  }
  return missing;
}

}  // namespace

Result<std::vector<std::string>> find_unknown_names(std::string_view question,
                                                    const Searcher& search) {
  const std::string folded = fold_hyphens(question);
  if (folded.starts_with("re:")) return std::vector<std::string>();  // a pattern names nothing
  const std::vector<Token> tokens = tokens_of(folded);
  // "August", and "Core" in "PayU Core", are no names of their own.
  std::vector<std::pair<size_t, size_t>> understood;
  for (const TimeHint& time : find_time_hints(folded, TimePoint()))
    understood.emplace_back(time.begin, time.end);
  const std::vector<NameMention> names = find_names(folded, search.catalogue());
  for (const NameMention& name : names)
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
        !TRY(is_missing_name(tokens, i, folded, search)))
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
  if (unknown.empty() && names.empty()) return missing_products(tokens, search);
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
  const size_t stop = question.substr(0, token.begin).find_last_not_of(" \t\"'(");
  const bool begins =
      stop == std::string_view::npos || std::string_view(".?!:\n>").contains(question[stop]);
  const bool lower = std::ranges::any_of(word, is_lower);
  return is_upper(word[0]) && lower && !begins && word.size() > 2;
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

std::vector<ThingName> names_of_things(std::string_view question) {
  const std::string folded = fold_hyphens(question);
  std::vector<std::pair<size_t, size_t>> times;
  for (const TimeHint& time : find_time_hints(folded, TimePoint()))
    times.emplace_back(time.begin, time.end);
  const Analyzer analyzer;
  std::vector<ThingName> names;
  for (const Token& token : tokens_of(folded)) {
    const bool of_a_time = std::ranges::any_of(times, [&](const auto& span) {
      return span.first <= token.begin && token.begin < span.second;
    });
    if (of_a_time || !names_one_thing(token, folded)) continue;
    const std::vector<std::string> terms = analyzer.terms(token.text);
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
