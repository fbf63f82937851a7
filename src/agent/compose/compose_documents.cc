#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "agent/compose/compose_parts.h"
#include "base/ids.h"
#include "base/strings.h"
#include "text/analyzer.h"
#include "text/markdown.h"

namespace precedent {
namespace {

// The document under discussion answers, unless another has a much better line.
constexpr float kDocumentShare = 0.5f;
// Whether a post-mortem names the incident that is asked about, in any section that was found.
bool names_incident(const Answer& answer, const KnowledgeItem& postmortem) {
  const std::vector<std::string>& ids = answer.intent.documents.incidents;
  if (ids.empty()) return true;
  const auto names = [&](const KnowledgeItem& item) {
    return item.id == postmortem.id && std::ranges::any_of(ids, [&](const std::string& id) {
             return fold_hyphens(item.text + item.preview).contains(id);
           });
  };
  const Receipt* receipt = receipt_of(answer, "doc_search");
  const auto* found = receipt == nullptr ? nullptr : std::get_if<SectionsResult>(&receipt->result);
  return names(postmortem) || (found != nullptr && std::ranges::any_of(found->sections, names));
}

// A part of a document under a heading of its own.
struct Part {
  std::string heading;
  std::string text;  // with the heading's line
  LineRange lines;
  bool blank = true;  // nothing stands under the heading
};

// Small sections were joined into one chunk: this cuts it at its headings again.
std::vector<Part> parts_of(const KnowledgeItem& section) {
  std::vector<Part> parts = {
      {section.heading.empty() ? "" : section.heading.back(), "", section.lines}};
  const bool numbered = section.lines.begin > 0;
  const auto line = [&](uint32_t of_text) {
    return numbered ? section.lines.begin + of_text - 1 : 0;
  };
  for (const Block& block : parse_blocks(section.text)) {
    if (block.kind == BlockKind::kHeading) {
      if (!parts.back().text.empty()) parts.emplace_back();
      parts.back() = {std::string(block.content.in(section.text)),
                      "",
                      {line(block.first_line), line(block.last_line)}};
    } else {
      parts.back().blank = false;
    }
    parts.back().text += block.bytes.in(section.text);
    parts.back().lines.end = line(block.last_line);
  }
  return parts;
}

// A document that the question names: its sections in order as far as there is room, then the
// headings of the rest.
void show_essentials(Writer& out, std::vector<KnowledgeItem> sections, const Receipt& receipt) {
  constexpr size_t kRoom = 1800;
  std::ranges::sort(sections, {}, [](const KnowledgeItem& s) { return s.lines.begin; });
  const KnowledgeItem& first = sections.front();
  out.line(fmt::format("**{}**, {}:", first.title, name(first.kind)));
  if (first.expired_at) out.note(expired_text(first.title, *first.expired_at));
  std::vector<std::string> further;
  size_t shown = 0;
  for (const KnowledgeItem& section : sections) {
    const Source source{section.id,   section.title, std::string(name(section.kind)),
                        section.path, section.lines, receipt.id};
    const std::string_view text = trim(section.text);
    if (shown > 0 && shown + text.size() > kRoom) {
      further.push_back(fmt::format("{} {}", section.heading.empty() ? "" : section.heading.back(),
                                    out.cite(source)));
      continue;
    }
    shown += text.size();
    out.gap();
    out.quotation("", text, "\n" + out.cite(source), source);
  }
  if (further.empty()) return;
  out.gap();
  out.line(fmt::format("Further sections: {}.", join(further, "; ")));
}

// Takes out the document's name, which may be written as one word or as several.
void drop_name(std::vector<std::string>& words, std::string_view title) {
  const std::string name = bare_name(title);
  std::erase_if(words, [&](const std::string& word) {
    const std::string bare = bare_name(word);
    return !bare.empty() && name.contains(bare);
  });
}

// The part whose heading is said: "escalation?", "how do I verify?". Nothing if none has half of
// the words.
std::optional<Part> part_named(const std::vector<KnowledgeItem>& sections, std::string_view said) {
  constexpr size_t kStem = 5;  // "verify" and "Verification" have this much in common
  const Analyzer analyzer;
  std::vector<std::string> wanted = analyzer.terms(said);
  // These words say which document is meant, not which part of it.
  std::erase_if(wanted, [](const std::string& term) {
    return term == "first" || term == "next" || term == "step" || term == "section";
  });
  if (wanted.empty()) return std::nullopt;
  std::optional<Part> best;
  size_t most = 0;
  for (const KnowledgeItem& section : sections) {
    for (Part& part : parts_of(section)) {
      const std::vector<std::string> heading = analyzer.terms(part.heading);
      const auto is_said = [&](const std::string& term) {
        return std::ranges::any_of(heading, [&](const std::string& word) {
          const bool long_enough = term.size() >= kStem && word.size() >= kStem;
          return word == term || (long_enough && word.substr(0, kStem) == term.substr(0, kStem));
        });
      };
      const auto held = static_cast<size_t>(std::ranges::count_if(wanted, is_said));
      if (held <= most || held * 2 < wanted.size() || part.blank) continue;
      most = held;
      best = std::move(part);
    }
  }
  return best;
}

}  // namespace

float overlap(const std::set<std::string>& wanted, std::string_view text,
              const Analyzer& analyzer) {
  if (wanted.empty()) return 0;
  std::set<std::string> held;
  for (std::string& term : analyzer.terms(text)) {
    if (wanted.contains(term)) held.insert(std::move(term));
  }
  return static_cast<float>(held.size()) / static_cast<float>(wanted.size());
}

void compose_nearest(Writer& out, const std::vector<Evidence>& evidence, bool with_lines) {
  constexpr size_t kMost = 3, kMaxLine = 200;
  std::set<std::string> named;
  for (const Evidence& e : evidence) {
    if (named.size() >= kMost || !is_convincing(e)) break;
    if (!named.insert(e.source.id).second) continue;
    if (named.size() == 1) {
      out.gap();
      out.line("The nearest documents, which may not be what you mean:");
    }
    if (with_lines && e.quote.size() <= kMaxLine && !e.quote.contains('\n'))
      out.quotation(fmt::format("- {}: ", e.source.title), e.quote, " " + out.cite(e.source),
                    e.source);
    else
      out.line(fmt::format("- {} {}", e.source.title, out.cite(e.source)));
  }
}

void compose_documents(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  const Receipt* receipt = receipt_of(answer, "search_knowledge");
  const KnowledgeResult* result =
      receipt == nullptr ? nullptr : std::get_if<KnowledgeResult>(&receipt->result);
  if (result == nullptr) return;
  std::vector<std::string> kinds;
  for (const Kind kind : answer.intent.documents.kinds) kinds.emplace_back(name(kind));
  const Analyzer analyzer;
  const std::vector<std::string> terms = answer.intent.asked.text.terms();
  std::set<std::string> wanted(terms.begin(), terms.end());
  for (const std::string& kind : kinds)
    for (const std::string& term : analyzer.terms(kind)) wanted.erase(term);
  std::set<std::string> listed;
  for (const KnowledgeItem& item : result->items) {
    if (item.kind == Kind::kPostmortem && !names_incident(answer, item)) continue;
    const bool supported = answer.intent.documents.all ||
                           overlap(wanted, item.title, analyzer) > 0 ||
                           std::ranges::any_of(evidence, [&](const Evidence& e) {
                             return e.source.id == item.id && is_convincing(e);
                           });
    if (!supported || item.relevance < kRelatedShare * result->items.front().relevance) continue;
    if (listed.empty()) out.line(fmt::format("From the {} documents:", join(kinds, " and ")));
    listed.insert(item.id);
    const Source source{item.id,   item.title, std::string(name(item.kind)),
                        item.path, {},         receipt->id};
    const std::string services =
        item.services.empty() ? "" : fmt::format(" ({})", join(item.services, ", "));
    out.line(fmt::format("- **{}**{} {}", item.title, services, out.cite(source)));
  }
  if (listed.empty()) {
    out.missing(fmt::format("No {} on this was found.", join(kinds, " or ")));
    return compose_nearest(out, evidence);
  }
  if (answer.intent.documents.all) return;
  std::vector<Evidence> theirs;
  std::ranges::copy_if(evidence, std::back_inserter(theirs),
                       [&](const Evidence& e) { return listed.contains(e.source.id); });
  const size_t before = answer.text.size();
  compose_steps(answer, out, theirs, "");
  if (answer.text.size() == before) quote_best(out, theirs, kMaxQuotes);
}

bool compose_document(Answer& answer, Writer& out, const std::vector<Evidence>& evidence) {
  const Receipt* receipt = receipt_of(answer, "doc_search");
  const auto* found = receipt == nullptr ? nullptr : std::get_if<SectionsResult>(&receipt->result);
  if (found == nullptr) return false;
  std::vector<KnowledgeItem> sections;
  std::ranges::copy_if(found->sections, std::back_inserter(sections),
                       [&](const KnowledgeItem& s) { return s.id == answer.intent.document; });
  if (sections.empty()) return false;
  const bool by_name = !answer.intent.follow_up;
  if (answer.intent.qualifiers.overview) {
    show_essentials(out, sections, *receipt);
    return true;
  }
  std::vector<std::string> said = answer.intent.qualifiers.words;
  if (by_name) drop_name(said, sections.front().title);
  const auto part = part_named(sections, join(said, " "));
  if (by_name && !part) {
    show_essentials(out, sections, *receipt);
    return true;
  }
  if (part) {
    KnowledgeItem section = sections.front();
    section.heading = {part->heading};
    section.text = part->text;
    section.lines = part->lines;
    show_section(out, section, *receipt, "Section");
    return true;
  }
  std::vector<Evidence> theirs;
  std::ranges::copy_if(evidence, std::back_inserter(theirs),
                       [&](const Evidence& e) { return e.source.id == answer.intent.document; });
  if (theirs.empty()) return false;
  const Evidence& best = theirs.front();
  const bool near = best.score >= kDocumentShare * evidence.front().score ||
                    best.coverage >= kDocumentShare * evidence.front().coverage;
  if (!answer.intent.parts_only && !(near && is_convincing(best))) return false;
  const bool quoted = quote_best(out, theirs, kMaxQuotes);
  const Asks& a = answer.intent.asks;
  const size_t before = answer.text.size();
  if (a.steps || a.command || answer.intent.parts_only) compose_steps(answer, out, theirs, "");
  return quoted || answer.text.size() > before;
}

}  // namespace precedent
