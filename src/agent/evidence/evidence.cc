#include "agent/evidence/evidence.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>

#include "agent/findings/further_fields.h"
#include "agent/sources/unknown_names.h"
#include "base/ascii.h"
#include "base/ids.h"
#include "base/strings.h"
#include "base/time.h"
#include "base/utf8.h"
#include "search/passages.h"
#include "text/markdown.h"
#include "text/sentences.h"

namespace precedent {
namespace {

// Longer pieces are paragraphs in disguise: a pasted log line, a minified object.
constexpr size_t kMaxQuoteBytes = 700;
// A command block up to this long is quoted whole: its lines belong together.
constexpr size_t kMaxWholeCommandLines = 4;

class Collector {
 public:
  void add_receipt(const Receipt& receipt) {
    receipt_ = receipt.id;
    std::visit([this](const auto& result) { add(result); }, receipt.result);
  }
  std::vector<Evidence> take() { return std::move(pieces_); }

 private:
  void add(const std::monostate&) {}
  void add(const IncidentsResult& result) {
    for (const IncidentItem& item : result.incidents) add_incident(item);
  }
  // search_knowledge returns previews of what doc_search returns in full.
  void add(const KnowledgeResult&) {}
  // Code is shown with its place, never quoted as a sentence.
  void add(const CodeResult&) {}
  // A verified answer is given whole (agent/evidence/golden_answer.h), never in pieces.
  void add(const GoldenResult&) {}
  // A list of changes has no sentences to quote.
  void add(const ChangesResult&) {}
  // Numbers are no sentences to quote from.
  void add(const MetricsResult&) {}
  // Nobody composes an answer of what other servers say: models read it.
  void add(const RemoteResult&) {}
  void add(const SectionsResult& result) {
    for (const KnowledgeItem& item : result.sections) {
      proto_ = {};
      proto_.source = {item.id,   item.title, std::string(name(item.kind)),
                       item.path, item.lines, receipt_};
      proto_.kind = item.kind;
      proto_.relevance = item.relevance;
      proto_.label = item.heading.empty() ? "" : item.heading.back();
      add_markdown(item.text, join(with(item.title, item.heading), ", "));
    }
  }

  static std::vector<std::string> with(const std::string& first,
                                       const std::vector<std::string>& rest) {
    std::vector<std::string> all{first};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }

  void add_incident(const IncidentItem& item) {
    const Incident& i = item.incident;
    proto_ = {};
    proto_.source = {i.incident_id, i.title, std::string(name(Kind::kIncident)),
                     item.path,     {},      receipt_};
    proto_.kind = Kind::kIncident;
    proto_.relevance = item.relevance;
    const std::string context = fmt::format("{} {}", i.title, i.impacted_application);
    const auto text = [&](std::string_view label, const std::string& value) {
      proto_.label = label;
      add_markdown(value, fmt::format("{}, {}", context, label));
    };
    text("Description", i.description);
    text("Root cause", i.root_cause);
    text("Action taken", i.action_taken);
    text("Mitigation", i.mitigation);
    const auto field = [&](std::string_view label, const std::string& value) {
      proto_.label = label;
      if (!trim(value).empty())
        put(Form::kField, std::string(trim(value)), fmt::format("{}, {}", context, label));
    };
    field("Impacted application", i.impacted_application);
    field("Severity", i.severity);
    field("Status", i.status);
    field("Accountable party, owner", i.accountable_party);
    field("Source system", i.source_system);
    if (i.opened_at) field("Opened at", format_time(*i.opened_at));
    if (i.resolved_at) field("Resolved at", format_time(*i.resolved_at));
    if (i.repeat_incident) field("Repeat incident", *i.repeat_incident ? "yes" : "no");
    field("Services", join(i.services, ", "));
    for (const FurtherField& further : further_fields(i)) field(further.name, further.value);
  }

  void add_markdown(const std::string& text, const std::string& context) {
    std::string before;  // the sentence that introduces a list, a table or a command
    ++section_;
    heading_.clear();
    for (const Block& block : parse_blocks(text)) {
      ++paragraph_;
      const std::string_view content = block.content.in(text);
      switch (block.kind) {
        case BlockKind::kParagraph:
        case BlockKind::kQuote:
        case BlockKind::kHtml: before = add_sentences(content, Form::kSentence, context); break;
        case BlockKind::kListItem: {
          const std::string item = plain_text(content);
          proto_.code = content.contains('`');
          if (item.size() <= kMaxQuoteBytes / 2) {
            put(Form::kItem, item, join_context(context, before));
            // What follows inside the item is introduced by it.
            if (item.ends_with(':') || block.depth > 0) before_item_ = item;
          } else {
            add_sentences(content, Form::kItem, context);
          }
          proto_.code = false;
          break;
        }
        case BlockKind::kCode:
          add_code(content,
                   join_context(context,
                                block.depth > 0 && !before_item_.empty() ? before_item_ : before));
          break;
        case BlockKind::kTable: add_table(text, block, join_context(context, before)); break;
        case BlockKind::kHeading:
          before = heading_ = plain_text(content);
          ++section_;
          break;
        case BlockKind::kRule: break;
      }
    }
    before_item_.clear();
  }

  static std::string join_context(const std::string& context, const std::string& before) {
    return before.empty() ? context : context + ", " + before;
  }

  // Returns the last sentence: it introduces what comes next.
  std::string add_sentences(std::string_view prose, Form form, const std::string& context) {
    std::string last;
    for (const TextRange& range : split_sentences(prose)) {
      const std::string sentence = plain_text(range.in(prose));
      proto_.code = range.in(prose).contains('`');
      put(form, sentence, context);
      last = sentence;
    }
    proto_.code = false;
    return last;
  }

  void add_code(std::string_view code, const std::string& context) {
    std::vector<std::string_view> lines;
    for (const std::string_view line : split_lines(code)) {
      if (!trim(line).empty()) lines.push_back(line);
    }
    if (lines.empty()) return;
    if (lines.size() <= kMaxWholeCommandLines) {
      put(Form::kCommand, std::string(trim(code)), context);
      return;
    }
    // A comment says what the lines below it do.
    std::string comment;
    std::string continued;
    for (const std::string_view line : lines) {
      const std::string_view bare = trim(line);
      if (bare.starts_with("#") || bare.starts_with("--") || bare.starts_with("//")) {
        comment = bare;
        continue;
      }
      continued += continued.empty() ? std::string(line) : "\n" + std::string(line);
      if (bare.ends_with('\\')) continue;
      put(Form::kCommand, std::string(trim(continued)), join_context(context, comment));
      continued.clear();
    }
    if (!continued.empty())
      put(Form::kCommand, std::string(trim(continued)), join_context(context, comment));
  }

  void add_table(const std::string& text, const Block& block, const std::string& context) {
    const Table table = read_table(text, block);
    const std::string columns = join(table.header.cells, ", ");
    for (const TableRow& row : table.rows) {
      // "Key: db.pool.maxSize | Default: 50": each cell with the name of its column.
      std::vector<std::string> cells;
      for (size_t i = 0; i < row.cells.size(); ++i) {
        if (row.cells[i].empty()) continue;
        const bool named = i < table.header.cells.size() && !table.header.cells[i].empty();
        cells.push_back(named ? fmt::format("{}: {}", table.header.cells[i], row.cells[i])
                              : row.cells[i]);
      }
      put(Form::kRow, join(cells, " | "), join_context(context, columns));
    }
  }

  void put(Form form, std::string quote, const std::string& context) {
    if (quote.size() > kMaxQuoteBytes) quote.resize(utf8_prefix(quote, kMaxQuoteBytes).size());
    // A piece without a letter or digit says nothing.
    if (std::ranges::none_of(quote, [](unsigned char c) { return isalnum(c) || c >= 0x80; }))
      return;
    if (!seen_.insert(proto_.source.id + '\n' + proto_.label + '\n' + quote).second) return;
    Evidence piece = proto_;
    piece.form = form;
    piece.quote = std::move(quote);
    piece.context = context;
    piece.position = pieces_.size();
    piece.paragraph = paragraph_;
    piece.section = section_;
    piece.heading = heading_;
    pieces_.push_back(std::move(piece));
  }

  std::vector<Evidence> pieces_;
  std::set<std::string> seen_;
  std::string receipt_;
  Evidence proto_;
  std::string before_item_;
  std::string heading_;
  size_t paragraph_ = 0, section_ = 0;
};

bool has_digit(std::string_view text) { return std::ranges::any_of(text, is_digit); }

bool label_has(const Evidence& e, std::initializer_list<std::string_view> words) {
  const std::string label = ascii_lower(e.label + "\n" + e.heading);
  return std::ranges::any_of(
      words, [&](std::string_view word) { return label.find(word) != std::string::npos; });
}

}  // namespace

bool has_phone(std::string text) {
  static const RE2 kPhone(
      "(?:^|[^\\w.:-])(?:\\+\\d{1,3}[ -]?)?\\(?\\d{2,5}\\)?(?:[ /-]\\d{2,}){1,4}(?:$|[^\\w:-])");
  static const RE2 kDate("\\d{4}-\\d{2}-\\d{2}");
  // A short number says itself what it is: "phone 4410", "dial 118".
  static const RE2 kShort(
      "(?i)\\b(?:(?:tele)?phone|tel|ext|extension|hotline|pager|mobile|cell)\\b\\.?"
      "(?:\\s+(?:no\\.?|number))?(?:\\s+is)?[:\\s]+\\+?\\d{3,}\\b|"
      "\\b(?:call|dial|ring)\\s+\\+?\\d{3,}(?:$|[.,;:!?)]|\\s+(?:or|and|if|at|for)\\b)");
  RE2::GlobalReplace(&text, kDate, "");
  return RE2::PartialMatch(text, kPhone) || RE2::PartialMatch(text, kShort);
}

std::vector<Evidence> collect_evidence(const std::vector<Receipt>& receipts) {
  Collector collector;
  for (const Receipt& receipt : receipts) collector.add_receipt(receipt);
  return collector.take();
}

float form_fit(const Asks& asks, const Evidence& e) {
  static const RE2 kClock(
      "\\d{1,2}:\\d{2}|\\d{4}-\\d{2}-\\d{2}|(?i)\\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|"
      "dec)[a-z]* \\d");
  static const RE2 kBecause(
      "(?i)\\b(?:because|caused by|cause was|due to|root cause|led to|triggered|resulted in|as a "
      "result)\\b");
  static const RE2 kDid(
      "(?i)\\b(?:restarted|rolled "
      "back|reverted|increased|raised|deployed|fixed|updated|added|removed|disabled|enabled|"
      "replaced|scaled|patched|restored|failed over|resolved|mitigated|rotated|reduced)\\b");
  static const RE2 kPerson(
      "(?i)\\b(?:team|on-?call|owner|owned "
      "by|escalat\\w+|contact|squad|lead|engineer|manager|slack|pager\\w*)\\b|@|#[a-z]");
  static const RE2 kReason(
      "(?i)\\b(?:context|background|rationale|motivation|reasons?|why|problem)\\b");
  static const RE2 kObjective(
      "(?i)\\b(?:service levels?|slos?|slis?|objectives?|error budgets?)\\b");
  float fit = 0;
  const auto reward = [&](bool asked, bool fits) {
    if (asked && fits) fit = std::max(fit, 1.0f);
  };
  reward(asks.number, has_digit(e.quote));
  reward(asks.command, e.form == Form::kCommand || e.code);
  reward(asks.steps, e.form == Form::kItem || e.form == Form::kCommand ||
                         label_has(e, {"action", "mitigation"}));
  if (asks.phone) return has_phone(e.quote) ? 1 : 0;
  reward(asks.person, e.kind == Kind::kOwnership ||
                          label_has(e, {"owner", "accountable", "team", "oncall", "on-call",
                                        "escalation", "author", "contact"}) ||
                          RE2::PartialMatch(e.quote, kPerson));
  // A release is a time, too: "removed in 6.0.0".
  static const RE2 kRelease(
      "(?i)\\b(?:in|since|with|from|until) (?:v?\\d+\\.\\d+\\.\\d+|(?:version|release) v?\\d)");
  reward(asks.time, label_has(e, {"opened", "resolved", "date", "timeline"}) ||
                        RE2::PartialMatch(e.quote, kClock) || RE2::PartialMatch(e.quote, kRelease));
  // Why something was decided stands in a record of the decision under a heading of its own.
  const bool reason = e.kind == Kind::kAdr && RE2::PartialMatch(e.heading + " " + e.label, kReason);
  reward(asks.cause, label_has(e, {"cause"}) || RE2::PartialMatch(e.quote, kBecause) || reason);
  reward(asks.objective, RE2::PartialMatch(e.context + " " + e.quote, kObjective) &&
                             e.kind != Kind::kIncident && has_digit(e.quote));
  reward(asks.remedy,
         label_has(e, {"action", "mitigation", "resol", "workaround", "fix", "remed"}) ||
             RE2::PartialMatch(e.quote, kDid));
  reward(asks.status, label_has(e, {"status", "severity", "resolved"}));
  reward(asks.impact, label_has(e, {"impact"}));
  return fit;
}

namespace {

// Whether a field of an incident that nobody called by its id answers the question: its form does,
// or its label is asked for. "Open file descriptors" asks for no "Opened at".
bool asks_for(const Evidence& field, const Asks& asks, const std::set<std::string>& asked,
              const Analyzer& analyzer) {
  if (form_fit(asks, field) > 0) return true;
  if (parse_time(field.quote)) return false;
  const std::vector<std::string> label = analyzer.terms(field.label);
  return std::ranges::any_of(label, [&](const std::string& term) { return asked.contains(term); });
}

// Whether a sentence is what the question says: its words are the question's, most of them.
bool is_echo(const Evidence& e, const std::vector<std::string>& terms,
             const std::set<std::string>& asked) {
  constexpr size_t kFewest = 4;
  constexpr double kMost = 0.7;
  if (e.form != Form::kSentence && e.form != Form::kItem && e.form != Form::kRow) return false;
  const std::set<std::string> said(terms.begin(), terms.end());
  if (said.size() < kFewest ||
      static_cast<double>(said.size()) < kMost * static_cast<double>(asked.size()))
    return false;
  return std::ranges::all_of(said, [&](const std::string& term) { return asked.contains(term); });
}

// Whether a piece says anything that the question does not: a heading or a title echoed back is no
// answer, and neither is somebody else's question.
bool adds_something(const Evidence& e, const Intent& intent, const std::set<std::string>& asked,
                    const Analyzer& analyzer) {
  if (e.quote.ends_with('?')) return false;
  const std::vector<std::string> terms = analyzer.terms(e.quote);
  const auto is_asked = [&](const std::string& term) { return asked.contains(term); };
  // "Last validated: …" answers only who asks for it; its document being relevant is not enough.
  if (e.label == kAttributes) {
    Asks facts = intent.asks;
    facts.steps = facts.command = false;  // an attribute is no step
    // When somebody last looked at the document is no time of what it tells.
    static const RE2 kOfDocument("(?i)^[^:]*(?:valid|review|updated|modified|checked)[^:]*:");
    if (RE2::PartialMatch(e.quote, kOfDocument)) facts.time = facts.number = false;
    return std::ranges::any_of(terms, is_asked) || form_fit(facts, e) > 0;
  }
  if (e.form == Form::kField)
    return intent.follow_up || !intent.ids.empty() || asks_for(e, intent.asks, asked, analyzer);
  return !std::ranges::all_of(terms, is_asked) || is_echo(e, terms, asked);
}

// Whether it stands under a heading that the question says: "when is it escalated" and
// "Escalation". The title of the document says what the question is about, not what it asks.
bool stands_under_asked(const Evidence& e, const std::set<std::string>& asked,
                        const Analyzer& analyzer) {
  const std::string& heading = e.heading.empty() ? e.label : e.heading;
  if (e.kind == Kind::kIncident || heading == kAttributes || heading == e.source.title)
    return false;
  const std::vector<std::string> terms = analyzer.terms(heading);
  return !terms.empty() &&
         std::ranges::all_of(terms, [&](const std::string& term) { return asked.contains(term); });
}

// "Removed" of "when was the version check removed", as it is indexed; "" of other questions.
std::string asked_deed(const Intent& intent, const Analyzer& analyzer) {
  static const RE2 kDeed("(?i)\\bwhen (?:was|were|did|has|have)\\b.*?\\b(\\w+ed)\\W*$");
  std::string deed;
  if (!RE2::PartialMatch(intent.question, kDeed, &deed)) return "";
  const std::vector<std::string> terms = analyzer.terms(deed);
  return terms.empty() ? "" : terms.front();
}

// An id says which record, not which of its lines.
std::string without_ids(const Intent& intent) {
  std::string text;
  size_t from = 0;
  for (const IdMention& mention : find_ids(intent.question)) {
    if (std::ranges::find(intent.ids, mention.id) == intent.ids.end()) continue;
    text += intent.question.substr(from, mention.begin - from);
    from = mention.end;
  }
  text += intent.question.substr(from);
  return trim(text).empty() ? intent.question : text;
}

// The document whose title the question says; of several the one that says most of the question.
// "" where something is asked that any document may tell, or where none is called.
std::string titled_document(const std::vector<Evidence>& ranked, const Asks& asks,
                            const std::set<std::string>& asked, const Analyzer& analyzer) {
  constexpr size_t kFewest = 2;
  constexpr double kCovers = 0.4;
  const bool of_any = asks.number || asks.person || asks.time || asks.count || asks.cause ||
                      asks.objective || asks.impact || asks.status;
  if (of_any && !asks.steps) return "";
  std::map<std::string, double> covered;  // by document
  std::string best;
  for (const Evidence& e : ranked) {
    if (covered.contains(e.source.id)) continue;
    const std::vector<std::string> terms = analyzer.terms(e.source.title);
    const std::set<std::string> title(terms.begin(), terms.end());
    const bool said =
        title.size() >= kFewest &&
        std::ranges::all_of(title, [&](const std::string& term) { return asked.contains(term); });
    const double covers =
        said ? static_cast<double>(title.size()) / static_cast<double>(asked.size()) : 0;
    covered[e.source.id] = covers;
    if (covers >= kCovers && (best.empty() || covers > covered[best])) best = e.source.id;
  }
  return best;
}

void put_meant_first(std::vector<Evidence>& ranked, const Intent& intent,
                     const std::set<std::string>& asked, const Analyzer& analyzer) {
  const auto says_it = [&](const Evidence& e) {
    return is_echo(e, analyzer.terms(e.quote), asked);
  };
  std::string meant = titled_document(ranked, intent.asks, asked, analyzer);
  // Of several that say it, the one that ranks best.
  if (const auto echo = std::ranges::find_if(ranked, says_it);
      meant.empty() && echo != ranked.end())
    meant = echo->source.id;
  if (meant.empty()) return;
  std::erase_if(ranked, [&](const Evidence& e) { return e.source.id != meant && says_it(e); });
  for (Evidence& e : ranked) e.meant = e.source.id == meant;
  std::ranges::stable_partition(ranked, &Evidence::meant);
  std::ranges::stable_partition(ranked, [&](const Evidence& e) { return e.meant && says_it(e); });
}

}  // namespace

Result<std::vector<Evidence>> rank_evidence(const Intent& intent, std::vector<Evidence> evidence,
                                            const Searcher& search) {
  constexpr float kInPassing = 0.5f;
  const std::vector<std::string> terms = search.analyzer().terms(intent.question);
  const std::set<std::string> asked(terms.begin(), terms.end());
  std::erase_if(evidence, [&](const Evidence& e) {
    return !adds_something(e, intent, asked, search.analyzer());
  });
  std::vector<bool> under(evidence.size());
  for (size_t i = 0; i < evidence.size(); ++i)
    under[i] = stands_under_asked(evidence[i], asked, search.analyzer());
  // Causes and fixes stand in records, too, under no heading.
  const bool named =
      (intent.asks.person || intent.asks.time) && std::ranges::find(under, true) != under.end();
  // "When was the check removed?": the time of something else is none, where a line tells of the
  // deed.
  const std::string deed = asked_deed(intent, search.analyzer());
  const auto tells = [&](const Evidence& e) {
    const std::vector<std::string> own = search.analyzer().terms(e.quote);
    return std::ranges::find(own, deed) != own.end() && form_fit(intent.asks, e) > 0;
  };
  const bool told = !deed.empty() && std::ranges::any_of(evidence, tells);
  std::vector<Passage> passages;
  passages.reserve(evidence.size());
  for (const Evidence& e : evidence) {
    // A field's label is part of what it says: "Severity: SEV1".
    const std::string text =
        e.form == Form::kField ? fmt::format("{}: {}", e.label, e.quote) : e.quote;
    float fit = form_fit(intent.asks, e);
    // Who owns a service is the business of ownership documents; elsewhere people are named in
    // passing.
    if (intent.asks.person && !intent.subjects.empty() && e.kind != Kind::kOwnership &&
        !label_has(e, {"accountable"}))
      fit *= kInPassing;
    // Who and when are told under the heading that is asked for, elsewhere of something else.
    if (named) fit = under[passages.size()] ? 1 : fit * kInPassing;
    if (told && !tells(e)) fit = 0;
    passages.push_back({text, e.context, e.relevance, fit});
  }
  std::vector<Evidence> ranked;
  ranked.reserve(evidence.size());
  for (const PassageScore& score : TRY(rank_passages(without_ids(intent), passages, search))) {
    Evidence& e = evidence[score.passage];
    e.score = score.score;
    e.coverage = score.coverage;
    e.verbatim = score.verbatim;
    e.cosine = score.cosine;
    ranked.push_back(std::move(e));
  }
  put_meant_first(ranked, intent, asked, search.analyzer());
  if (!ranked.empty())
    ranked.front().whole = holds_what_is_written(ranked.front().quote, without_ids(intent), search);
  return ranked;
}

}  // namespace precedent
