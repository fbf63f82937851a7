// What stands below every answer: what could not be looked at, what has expired, what is missing,
// and the sources.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "agent/compose/compose_parts.h"
#include "agent/compose/failures.h"
#include "agent/language/fixed_phrases.h"
#include "base/strings.h"

namespace precedent {
namespace {

// What was quoted of documents that have expired, as far as it is not told beside the quotation.
void tell_expired(Answer& answer, Writer& out) {
  const auto tell = [&](const KnowledgeItem& item, const Receipt& receipt) {
    if (!item.expired_at) return;
    const std::string text = expired_text(item.title, *item.expired_at);
    if (answer.text.contains(text)) return;
    const auto cited = std::ranges::find_if(answer.sources, [&](const Source& source) {
      return source.id == item.id && source.receipt == receipt.id;
    });
    if (cited == answer.sources.end()) return;
    out.gap();
    out.line(fmt::format("{} {}", text, out.cite(Source(*cited))));
  };
  for (const Receipt& receipt : answer.receipts) {
    if (const auto* found = std::get_if<KnowledgeResult>(&receipt.result))
      for (const KnowledgeItem& item : found->items) tell(item, receipt);
    if (const auto* found = std::get_if<SectionsResult>(&receipt.result))
      for (const KnowledgeItem& item : found->sections) tell(item, receipt);
  }
}

// What is cited was found by a receipt, which knows where it lives.
void add_links(Answer& answer) {
  std::map<std::string, Source> known;
  for (const Receipt& receipt : answer.receipts)
    for (Source& source : sources_of(receipt))
      if (!source.link.empty() || !source.version.empty()) {
        std::string id = source.id;
        known.emplace(std::move(id), std::move(source));
      }
  for (Source& source : answer.sources)
    if (const auto found = known.find(source.id); found != known.end()) {
      source.link = found->second.link;
      source.version = found->second.version;
    }
}

}  // namespace

void tell_gaps(Answer& answer, Writer& out) {
  for (std::string& failure : failures_of(answer.receipts)) out.missing(std::move(failure));
  for (const auto* gaps : {&answer.missing, &answer.unasked}) {
    for (const std::string& gap : *gaps) {
      if (answer.text.contains(gap)) continue;
      out.gap();
      out.note(gap);
    }
  }
}

void tell_failures(Answer& answer, Writer& out) {
  std::vector<std::string> untold;
  for (std::string& failure : failures_of(answer.receipts)) {
    if (!answer.text.contains(failure)) untold.push_back(failure);
    out.missing(std::move(failure));
  }
  out.below_headline(untold);
}

void tell_ending(Answer& answer, Writer& out) {
  tell_expired(answer, out);
  tell_gaps(answer, out);
  if (trim(answer.text).empty()) {
    out.missing(std::string(kUnansweredQuestionNote));
    out.note(answer.missing.back());
  }
  answer.status = all_failed(answer.receipts) ? AnswerStatus::kError
                  : answer.missing.empty()    ? AnswerStatus::kOk
                                              : AnswerStatus::kPartial;
  if (!answer.intent.candidates.empty()) answer.status = AnswerStatus::kNeedsInput;
  if (answer.sources.empty()) return;
  add_links(answer);
  out.gap();
  const auto begin = static_cast<uint32_t>(answer.text.size());
  out.line("**Sources**");
  std::set<std::string> listed;
  for (const Source& source : answer.sources) {
    if (!listed.insert(source.id).second) continue;
    // What a metric is computed from, and an alert's labels, are in their receipts.
    const bool measured = source.kind == "metric" || source.kind == "alert";
    out.line(fmt::format("- {}{} ({}{}){}", source.id, measured ? "" : " — " + source.title,
                         source.kind, source.path.empty() ? "" : ", " + source.path,
                         where_it_lives(source)));
  }
  answer.sections.push_back({"sources", {begin, static_cast<uint32_t>(answer.text.size())}});
}

}  // namespace precedent
