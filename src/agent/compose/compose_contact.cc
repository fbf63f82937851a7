#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <set>

#include "agent/compose/compose_parts.h"
#include "agent/language/fixed_phrases.h"
#include "base/ids.h"
#include "base/strings.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

// The subjects of the question, folded by name_key.
std::set<std::string> asked_names(const Intent& intent, bool things) {
  std::set<std::string> names;
  if (!intent.service.empty()) names.insert(name_key(intent.service));
  for (const Subject& subject : intent.subjects) {
    const bool known =
        subject.kind == SubjectKind::kService || subject.kind == SubjectKind::kApplication;
    if (known || (things && subject.kind == SubjectKind::kThing))
      names.insert(name_key(subject.text));
  }
  return names;
}

// As the question calls it.
std::string asked_name(const Intent& intent) {
  for (const Subject& subject : intent.subjects)
    if (subject.kind == SubjectKind::kService || subject.kind == SubjectKind::kApplication)
      return subject.text;
  return intent.service;
}

// Whether its parts are joined by hyphens, blanks or nothing.
bool holds_name(const std::string& text, const std::string& key) {
  std::string pattern = RE2::QuoteMeta(key);
  static const RE2 kSpace("\\\\? ");
  RE2::GlobalReplace(&pattern, kSpace, "[ _-]");
  return RE2::PartialMatch(text, fmt::format("(?i)(?:^|[^\\w-]){}(?:$|[^\\w-])", pattern));
}

// Whether it is the row of a table that one of the names heads: "System: Turnstone | Owner: …".
bool is_row_of(const Evidence& e, const std::set<std::string>& names) {
  if (e.form != Form::kRow || e.kind == Kind::kIncident) return false;
  std::string_view cell = std::string_view(e.quote).substr(0, e.quote.find(" | "));
  if (const size_t colon = cell.find(": "); colon != cell.npos) cell.remove_prefix(colon + 2);
  return names.contains(name_key(cell));
}

// Ids of the ownership documents about the subject: first those that list it among their services,
// then those that mention it.
std::vector<std::string> owners_of(const std::set<std::string>& names, const Answer& answer) {
  std::vector<std::string> listing, mentioning;
  const auto add = [](std::vector<std::string>& ids, const std::string& id) {
    if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
  };
  const Receipt* receipt = receipt_of(answer, "doc_search");
  const auto* found = receipt == nullptr ? nullptr : std::get_if<SectionsResult>(&receipt->result);
  if (found == nullptr) return {};
  for (const KnowledgeItem& section : found->sections) {
    if (section.kind != Kind::kOwnership) continue;
    const bool lists = std::ranges::any_of(section.services, [&](const std::string& service) {
      return names.contains(name_key(service));
    });
    const bool mentions = std::ranges::any_of(
        names, [&](const std::string& name) { return holds_name(section.text, name); });
    if (lists) add(listing, section.id);
    if (mentions) add(mentioning, section.id);
  }
  return listing.empty() ? mentioning : listing;
}

// "Team: Checkout", "Oncall: checkout-primary": how a team is reached, with the order in which it
// is told.
std::optional<size_t> place_of_attribute(const Evidence& e) {
  static constexpr std::string_view kReach[] = {
      "team",     "owner",      "lead",    "oncall", "primary",  "secondary", "rota",
      "schedule", "escalation", "contact", "slack",  "channel",  "chat",      "pager",
      "opsgenie", "email",      "mail",    "phone",  "telephone"};
  const size_t colon = e.quote.find(':');
  if (e.form != Form::kItem || colon == std::string::npos) return std::nullopt;
  const std::string key = bare_name(e.quote.substr(0, colon));
  for (size_t i = 0; i < std::size(kReach); ++i)
    if (key.starts_with(kReach[i])) return i;
  return std::nullopt;
}

// The team of a document on ownership and how it is reached, each line with its source.
void show_owner(Writer& out, std::vector<Evidence> attributes) {
  if (attributes.empty()) return;
  std::ranges::sort(attributes, {},
                    [](const Evidence& e) { return std::pair(place_of_attribute(e), e.position); });
  out.gap();
  out.line(fmt::format("**{}**", attributes.front().source.title));
  for (const Evidence& e : attributes)
    if (!attributes.front().source.title.ends_with(e.quote.substr(e.quote.find(':') + 1)))
      out.quotation("- ", e.quote, " " + out.cite(e.source), e.source);
}

// The words of the subject.
std::set<std::string> telling_terms(const Intent& intent) {
  const Analyzer analyzer;
  std::set<std::string> terms;
  for (const Subject& subject : intent.subjects)
    for (std::string& term : analyzer.terms(subject.text)) terms.insert(std::move(term));
  return terms;
}

bool names_any(const Evidence& e, const std::set<std::string>& terms) {
  return std::ranges::any_of(Analyzer().terms(e.quote),
                             [&](const std::string& term) { return terms.contains(term); });
}

// Whether a line says how a team is reached or who leads it.
bool says_how_to_reach(const Evidence& e) {
  static const RE2 kReach(
      "(?i)\\b(?:leads?|led "
      "by|on-?call|rota|roster|pager\\w*|escalat\\w+|contact|reach(?:ed)?|call|"
      "ask|channel|slack|phone|tel|hotline|e-?mail)\\b|(?:^|\\s)#[a-z]|\\w@\\w");
  return RE2::PartialMatch(e.quote, kReach) || has_phone(e.quote);
}

// Lines beside those that name the subject and say how its team is reached: of the same paragraph,
// else of the same heading. Other teams may have other paragraphs.
std::vector<Evidence> reached_with(const std::vector<Evidence>& naming,
                                   const std::vector<Evidence>& lines) {
  for (size_t Evidence::* scope : {&Evidence::paragraph, &Evidence::section}) {
    std::vector<Evidence> with;
    std::ranges::copy_if(lines, std::back_inserter(with), [&](const Evidence& e) {
      const auto is_near = [&](const Evidence& n) { return n.*scope == e.*scope; };
      const auto is_same = [&](const Evidence& n) { return n.position == e.position; };
      return says_how_to_reach(e) && std::ranges::any_of(naming, is_near) &&
             std::ranges::none_of(naming, is_same);
    });
    if (!with.empty()) return with;
  }
  return {};
}

// The team that a piece is about: its heading, else the team of its document.
std::string team_of(const Evidence& e) {
  const std::string_view heading = e.heading.empty() && !is_attribute(e) ? e.label : e.heading;
  std::string_view team = heading.empty() ? std::string_view(e.source.title) : heading;
  if (team.starts_with("Team ")) team.remove_prefix(5);
  return std::string(team);
}

// "At night Booking takes the calls of Pricing": how to reach a team that a line about another team
// names. "Escalation" is no team.
std::vector<Evidence> sent_on(const std::vector<Evidence>& told,
                              const std::vector<Evidence>& evidence) {
  std::vector<Evidence> others;
  for (const Evidence& e : evidence) {
    Evidence team = e;
    team.quote = team_of(e);
    const bool theirs =
        e.kind == Kind::kOwnership && (says_how_to_reach(e) || place_of_attribute(e));
    if (!theirs || says_how_to_reach(team)) continue;
    const bool named = std::ranges::any_of(told, [&](const Evidence& line) {
      return says_how_to_reach(line) && team_of(line) != team.quote &&
             holds_name(line.quote, name_key(team.quote));
    });
    if (named) others.push_back(e);
  }
  std::ranges::sort(others, {}, &Evidence::position);
  return others;
}

// Pieces under the name of their team.
void show_teams(Writer& out, const std::vector<Evidence>& pieces) {
  std::string team;
  for (const Evidence& e : pieces) {
    if (team_of(e) != team) {
      team = team_of(e);
      out.gap();
      out.line(fmt::format("**{}**", team));
      out.line("");
    }
    Evidence bare = e;
    bare.label.clear();
    quote(out, bare);
  }
}

// A wrong number wakes a stranger: a number that is not in a line about the subject is shown with
// the name it belongs to. `told`: an attribute of the team has a number.
void compose_phone(const Answer& answer, Writer& out, const std::vector<Evidence>& numbers,
                   const std::vector<Evidence>& evidence, bool told) {
  const Analyzer analyzer;
  const std::vector<std::string> asking =
      analyzer.terms("phone telephone number call contact reach person team");
  std::vector<std::string> wanted = answer.intent.asked.text.terms();
  std::erase_if(wanted, [&](const std::string& term) {
    return std::ranges::find(asking, term) != asking.end();
  });
  std::vector<Evidence> named;
  std::ranges::copy_if(numbers, std::back_inserter(named), [&](const Evidence& e) {
    return std::ranges::any_of(analyzer.terms(e.quote), [&](const std::string& term) {
      return std::ranges::find(wanted, term) != wanted.end();
    });
  });
  if (quote_best(out, named, kMaxQuotes)) return;
  const std::set<std::string> names = asked_names(answer.intent, false);
  std::vector<Evidence> naming, ways;
  for (const Evidence& e : evidence) {
    if (e.kind != Kind::kOwnership) continue;
    const std::vector<std::string> said = analyzer.terms(e.quote + "\n" + e.heading);
    const auto is_said = [&](const std::string& term) {
      return std::ranges::find(said, term) != said.end();
    };
    const auto is_named = [&](const std::string& name) { return holds_name(e.quote, name); };
    const bool whole = !wanted.empty() && std::ranges::all_of(wanted, is_said);
    if (whole || std::ranges::any_of(names, is_named)) naming.push_back(e);
    if (says_how_to_reach(e)) ways.push_back(e);
  }
  std::vector<Evidence> with = reached_with(naming, ways);
  with.insert(with.end(), naming.begin(), naming.end());
  std::vector<Evidence> beside = sent_on(with, evidence);
  const auto is_sender = [&](const Evidence& e) { return !sent_on({e}, beside).empty(); };
  for (std::vector<Evidence>* of : {&with, &beside}) {
    std::vector<Evidence> reached;
    std::ranges::copy_if(*of, std::back_inserter(reached),
                         [](const Evidence& e) { return has_phone(e.quote); });
    if (reached.empty()) continue;
    if (of == &beside)
      std::ranges::copy_if(with, std::inserter(reached, reached.begin()), is_sender);
    return show_teams(out, reached);
  }
  if (told) return;
  out.missing(std::string(kNoNumberNote));
  out.note(answer.missing.back());
  if (numbers.empty()) return;
  out.gap();
  out.note("Numbers that are recorded, which may not be what you mean:");
  for (const Evidence& e : numbers)
    out.quotation("- ", e.quote, " " + out.cite(e.source), e.source);
}

}  // namespace

void compose_contact(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  constexpr size_t kMostOwners = 2;
  constexpr size_t kMostWaysIn = 4;
  const auto say_missing = [&](std::string sentence) {
    out.line(sentence);
    out.missing(std::move(sentence));
  };
  const std::set<std::string> names = asked_names(answer.intent, false);
  const std::set<std::string> things = asked_names(answer.intent, true);
  // Who is responsible stands in whatever table has a row of the subject.
  std::vector<Evidence> rows;
  std::ranges::copy_if(evidence, std::back_inserter(rows), [&](const Evidence& e) {
    return is_row_of(e, things) && form_fit(answer.intent.asks, e) > 0;
  });
  if (rows.size() > kMaxQuotes) rows.resize(kMaxQuotes);
  if (!rows.empty()) {
    out.gap();
    for (const Evidence& e : rows) quote(out, e);
    return;
  }
  std::vector<std::string> owners = owners_of(things, answer);
  const bool owned = !owners.empty();
  if (answer.intent.asks.on_call_now)
    say_missing("Who is on call at this moment is not in the knowledge base; its rota says.");
  if (!names.empty() && !owned)
    say_missing(
        fmt::format("Who is responsible for '{}' is not recorded in any document on ownership.",
                    asked_name(answer.intent)));
  if (owners.size() > kMostOwners) owners.resize(kMostOwners);
  bool told = false;
  for (const std::string& owner : owners) {
    std::vector<Evidence> attributes;
    std::ranges::copy_if(evidence, std::back_inserter(attributes), [&](const Evidence& e) {
      return e.source.id == owner && place_of_attribute(e);
    });
    for (const Evidence& e : attributes) told = told || has_phone(e.quote);
    show_owner(out, std::move(attributes));
  }
  std::vector<Evidence> lines;
  for (const Evidence& e : evidence) {
    const bool theirs = !owned || std::ranges::find(owners, e.source.id) != owners.end();
    if (theirs && !(owned && place_of_attribute(e)) && form_fit(answer.intent.asks, e) > 0)
      lines.push_back(e);
  }
  if (answer.intent.asks.phone) return compose_phone(answer, out, lines, evidence, told);
  // A person named beside the subject counts, however little else the line shares with the
  // question.
  const std::set<std::string> asked = telling_terms(answer.intent);
  std::vector<Evidence> beside;
  std::ranges::copy_if(lines, std::back_inserter(beside),
                       [&](const Evidence& e) { return names_any(e, asked); });
  if (beside.size() > kMaxQuotes) beside.resize(kMaxQuotes);
  if (owned && !beside.empty()) {
    std::vector<Evidence> ways = reached_with(beside, lines);
    if (ways.size() > kMostWaysIn) ways.resize(kMostWaysIn);
    std::ranges::move(beside, std::back_inserter(ways));
    std::ranges::sort(ways, {}, &Evidence::position);
    out.gap();
    for (const Evidence& e : ways) quote(out, e);
    std::vector<Evidence> others = sent_on(ways, evidence);
    if (others.size() > kMostWaysIn) others.resize(kMostWaysIn);
    return show_teams(out, others);
  }
  if (quote_best(out, lines, kMaxQuotes) || owned) return;
  out.missing(std::string(kNobodyToCallNote));
  out.note(answer.missing.back());
  compose_nearest(out, evidence);
}

}  // namespace precedent
