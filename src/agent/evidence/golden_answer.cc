#include "agent/evidence/golden_answer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/redact.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "tools/clean_receipt.h"
#include "tools/present.h"

namespace precedent {
namespace {

Receipt receipt_of(const GoldenItem& item, const FrozenText& question, TimePoint now) {
  Receipt receipt;
  receipt.id = "R1";
  receipt.tool = "golden_examples";
  receipt.args = nlohmann::json{{"question", question.to_show()}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
  receipt.at = now;
  receipt.result = GoldenResult{{item}};
  receipt.text = present(GoldenResult{{item}});
  receipt.explain.push_back(fmt::format("{} {:.3f} to \"{}\"",
                                        item.lexical ? "words in common" : "cosine",
                                        item.similarity, item.example.question));
  clean(receipt);
  return receipt;
}

// Why the names in the question speak against the example: one that neither it nor any document
// knows is about something else. "" if none does.
std::string foreign_name(const FrozenQuestion& asked, const GoldenExample& example) {
  if (!asked.unknown_names) return "the names in the question could not be looked up";
  const std::string known = ascii_lower(example.question);
  for (const std::string& name : *asked.unknown_names)
    if (!known.contains(ascii_lower(name)))
      return fmt::format("the example knows nothing of '{}'", name);
  return "";
}

void write(Answer& answer, const GoldenItem& item) {
  const GoldenExample& e = item.example;
  answer.text = fmt::format("{}\n\n{} (similarity {:.2f}{}) [{}]\n", trim(e.answer), verified_by(e),
                            item.similarity, item.lexical ? ", by words only" : "", e.id);
  answer.text += "\n**Sources**\n";
  for (const Source& source : answer.sources) {
    answer.text +=
        fmt::format("- {} — {} ({}{}){}\n", source.id, source.title, source.kind,
                    source.path.empty() ? "" : ", " + source.path, where_it_lives(source));
  }
  answer.status = AnswerStatus::kOk;
}

}  // namespace

Result<bool> answer_from_golden(Answer& answer, const Searcher& search, const KnowledgeStore& store,
                                TimePoint now) {
  const FrozenQuestion& asked = answer.intent.asked;
  for (const GoldenItem& item : TRY(find_golden(asked.text, search, store))) {
    std::string reason = why_not_direct(item, answer.intent, search.synonyms(), now);
    if (reason.empty()) reason = foreign_name(asked, item.example);
    answer.explain.push_back(fmt::format("golden: {} similarity {:.2f}{}; {}", item.example.id,
                                         item.similarity, item.lexical ? " by words" : "",
                                         reason.empty() ? "it answers" : "no answer: " + reason));
    if (!reason.empty()) continue;
    answer.receipts.push_back(receipt_of(item, asked.text, now));
    answer.sources = sources_of(answer.receipts.back());
    write(answer, std::get<GoldenResult>(answer.receipts.back().result).examples.front());
    return true;
  }
  return false;
}

Result<std::string> offer_of_golden(const Intent& intent, const Searcher& search,
                                    const KnowledgeStore& store) {
  if (intent.follow_up) return std::string();
  for (const GoldenItem& item : TRY(find_golden(intent.asked.text, search, store))) {
    const GoldenExample& e = item.example;
    if (item.similarity < kDirectSimilarity) continue;
    if (intent.asked.text.difference_from(e.question, search.analyzer(), search.synonyms()).empty())
      continue;
    return fmt::format(
        "\nA verified answer to a similar question: \"{}\" (`precedent golden show {}`)\n",
        redact(visible_text(trim(e.question))), e.id);
  }
  return std::string();
}

}  // namespace precedent
