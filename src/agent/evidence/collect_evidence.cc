#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agent/evidence/evidence.h"
#include "agent/findings/extra_fields.h"
#include "base/strings.h"
#include "base/time.h"
#include "base/utf8.h"
#include "text/markdown.h"
#include "text/sentences.h"
#include "tools/pointers.h"

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
  void add(const FiguresResult&) {}
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
    for (const ExtraField& further : extra_fields(i)) field(further.name, further.value);
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
          proto_.head = entry_head(item);
          if (item.size() <= kMaxQuoteBytes / 2) {
            put(Form::kItem, item, join_context(context, before));
            // What follows inside the item is introduced by it.
            if (item.ends_with(':') || block.depth > 0) before_item_ = item;
          } else {
            add_sentences(content, Form::kItem, context);
          }
          proto_.code = false;
          proto_.head.clear();
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
      proto_.head = row.cells.empty() ? "" : row.cells.front();
      put(Form::kRow, join(cells, " | "), join_context(context, columns));
    }
    proto_.head.clear();
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

}  // namespace

std::vector<Evidence> collect_evidence(const std::vector<Receipt>& receipts) {
  Collector collector;
  for (const Receipt& receipt : receipts) collector.add_receipt(receipt);
  return collector.take();
}

}  // namespace precedent
