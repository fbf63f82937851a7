#include "investigate/model/ask_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <span>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "grounding/text/statements.h"
#include "grounding/verify.h"
#include "llm/tool_arguments.h"

namespace precedent {
namespace {

using nlohmann::json;

// What is less likely than these, and what no hypothesis cites, a model need not read.
constexpr size_t kMostHypotheses = 8;
constexpr size_t kMostReceipts = 40;
constexpr size_t kMaxTextBytes = 300;
// More than the words that are allowed ever need.
constexpr size_t kMaxSaidBytes = 4'000;

std::string shown(std::string_view text) { return shown_line(text, kMaxTextBytes); }

ToolDescription form_for(const std::vector<std::string>& ids) {
  using Type = ToolParameter::Type;
  ToolDescription form{
      "commentary",
      "What the receipts say, and what to look at first",
      {{"summary", Type::kString, "At most 120 words, each fact with its receipt", true}}};
  if (ids.empty()) return form;
  form.parameters.push_back({"order", Type::kStringList,
                             "Ids of open hypotheses, first what to look at first", true, ids});
  form.parameters.push_back(
      {"why", Type::kStringList, "One sentence for each id, in the same order", true});
  return form;
}

void add_conditions(const std::vector<Condition>& conditions, const char* key, json& hypothesis) {
  json& list = hypothesis[key] = json::array();
  for (const Condition& condition : conditions)
    list.push_back({{"what", shown(condition.what)},
                    {"holds", condition.holds},
                    {"because", shown(condition.because)},
                    {"receipt", condition.receipt}});
}

json hypotheses_data(const Investigation& investigation) {
  json out = json::array();
  for (const Hypothesis& hypothesis : investigation.hypotheses) {
    if (out.size() >= kMostHypotheses) break;
    json one = {{"id", hypothesis.id},
                {"statement", shown(hypothesis.statement)},
                {"service", hypothesis.service},
                {"category", name(hypothesis.category)},
                {"confidence", hypothesis.confidence},
                {"refuted", hypothesis.refuted()}};
    add_conditions(hypothesis.needs, "needs", one);
    add_conditions(hypothesis.predictions, "predicts", one);
    out.push_back(std::move(one));
  }
  return out;
}

// What a model is given: those that the hypotheses rest on first.
std::vector<const Receipt*> given_receipts(const Investigation& investigation) {
  std::vector<std::string> cited;
  for (const Hypothesis& hypothesis : investigation.hypotheses)
    for (const auto* conditions : {&hypothesis.needs, &hypothesis.predictions})
      for (const Condition& condition : *conditions) cited.push_back(condition.receipt);
  std::vector<const Receipt*> receipts;
  for (const Receipt& receipt : investigation.evidence.receipts) receipts.push_back(&receipt);
  std::ranges::stable_partition(receipts, [&](const Receipt* receipt) {
    return std::ranges::find(cited, receipt->id) != cited.end();
  });
  if (receipts.size() > kMostReceipts) receipts.resize(kMostReceipts);
  return receipts;
}

json receipts_data(const Investigation& investigation) {
  json out = json::array();
  for (const Receipt* receipt : given_receipts(investigation))
    out.push_back({{"id", receipt->id}, {"tool", receipt->tool}, {"text", shown(receipt->text)}});
  return out;
}

json report_data(const Investigation& investigation) {
  const CaseFile& evidence = investigation.evidence;
  const CaseVerdict& verdict = investigation.verdict;
  json out = {{"incident", shown(evidence.brief.title)},
              {"service", shown(evidence.brief.service)},
              {"outcome", name(verdict.outcome)},
              {"verdict", shown(verdict.summary)},
              {"first_failing_service", verdict.first_failing_service},
              {"hypotheses", hypotheses_data(investigation)},
              {"open", ids_to_order(investigation)},
              {"receipts", receipts_data(investigation)}};
  if (evidence.onset) out["onset"] = format_time(*evidence.onset);
  if (verdict.question) out["deciding_question"] = shown(verdict.question->question);
  return out;
}

// What one receipt says, read once.
struct ReadReceipt {
  explicit ReadReceipt(const Receipt& receipt) : id(receipt.id), facts(std::span(&receipt, 1)) {}
  const std::string id;
  const Facts facts;
};
using ReadReceipts = std::deque<ReadReceipt>;

bool names_cause(const std::string& sentence) {
  Receipt said;
  said.text = sentence;
  const ReceiptIndex index(std::span(&said, 1));
  for (uint32_t unit = 0; unit < index.units().size(); ++unit)
    if (index.names_cause(unit)) return true;
  return false;
}

// Blame needs a word of its own ("culprit"), or two facts that it joins: a sentence may have
// neither, whatever it is worded like. So one receipt proves it and has each of its words.
bool is_said_by(const Statement& statement, const std::string& sentence,
                const ReadReceipt& receipt) {
  for (const Token& token : statement.lexed.tokens)
    if (!token.part && is_content(token.kind) &&
        receipt.facts.index.find(token.term) == ReceiptIndex::kNoTerm)
      return false;
  const Verification verification = verify(sentence, receipt.facts);
  return verification.count(ClaimVerdict::kSupported) == 1 && verification.claims.size() == 1;
}

// The sentences that receipts prove, each with the one that does, on one line. Labels go.
std::string proved(std::string_view text, const ReadReceipts& receipts, size_t& left_out) {
  const std::string own = shown_text(text, kMaxSaidBytes);
  std::string out;
  for (const Statement& statement : find_statements(own)) {
    const std::string sentence = squeeze(statement.bytes.in(own));
    std::string body = squeeze(statement.body.in(own));
    while (body.ends_with('.')) body.pop_back();
    const auto receipt = std::ranges::find_if(
        receipts, [&](const ReadReceipt& each) { return is_said_by(statement, sentence, each); });
    if (body.empty() || receipt == receipts.end() || names_cause(body)) {
      ++left_out;
      continue;
    }
    const std::string cited = fmt::format("[{}]", receipt->id);
    if (!body.ends_with(cited)) body += " " + cited;
    out += (out.empty() ? "" : " ") + body + ".";
  }
  return out;
}

size_t words_of(std::string_view text) {
  const std::string line = squeeze(text);
  return line.empty() ? 0 : static_cast<size_t>(std::ranges::count(line, ' ')) + 1;
}

std::vector<std::string> texts_of(const json& object, const char* key) {
  return object.value(key, std::vector<std::string>());
}

Result<ModelSaid> ask(ChatModel& model, const PromptLibrary& prompts, const CancelToken& cancel,
                      const Investigation& investigation) {
  const ModelRequest request = TRY(model_request(investigation, prompts));
  NullSink silent;
  ModelContext context{silent, cancel, std::chrono::steady_clock::now() + kModelTime};
  const ModelReply reply = TRY(model.complete(request, context));
  return read_model_reply(reply.message.content, investigation, model.name());
}

}  // namespace

std::vector<std::string> ids_to_order(const Investigation& investigation) {
  std::vector<std::string> ids;
  if (investigation.verdict.outcome == VerdictKind::kCause) return ids;
  for (const Hypothesis& hypothesis : investigation.hypotheses)
    if (!hypothesis.refuted() && hypothesis.confidence >= kLeft) ids.push_back(hypothesis.id);
  if (ids.size() < 2) ids.clear();
  return ids;
}

Result<ModelRequest> model_request(const Investigation& investigation,
                                   const PromptLibrary& prompts) {
  ModelRequest request;
  request.messages = {
      {Role::kUser,
       TRY(prompts.render("investigation", {{"report", dump_json(report_data(investigation))}}))}};
  request.response = form_for(ids_to_order(investigation));
  return request;
}

Result<ModelSaid> read_model_reply(std::string_view reply, const Investigation& investigation,
                                   std::string name) {
  const auto checked = TRY(check_arguments(form_for(ids_to_order(investigation)), reply));
  const json object = parse_json(checked.json);
  const std::string summary = object.value("summary", "");
  if (const size_t words = words_of(summary); words > kMaxSummaryWords)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("its summary has {} words, and may have {}", words, kMaxSummaryWords));
  const std::vector<std::string> order = texts_of(object, "order"), why = texts_of(object, "why");
  if (order.size() != why.size())
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("it gave {} reasons for {} hypotheses", why.size(), order.size()));
  ReadReceipts receipts;
  for (const Receipt* receipt : given_receipts(investigation)) receipts.emplace_back(*receipt);
  ModelSaid said{.name = shown(name), .summary = {}};
  said.summary = proved(summary, receipts, said.left_out);
  for (size_t i = 0; i < order.size(); ++i) {
    if (std::ranges::find(said.order, order[i], &PlacedByModel::hypothesis) != said.order.end())
      return fail(ErrorCode::kInvalidArgument, fmt::format("it named {} twice", order[i]));
    said.order.push_back({order[i], proved(why[i], receipts, said.left_out)});
  }
  return said;
}

void add_model(ChatModel& model, const PromptLibrary& prompts, const CancelToken& cancel,
               Investigation& investigation) {
  std::vector<std::string>& missing = investigation.evidence.missing;
  if (investigation.evidence.receipts.empty()) return;
  auto said = ask(model, prompts, cancel, investigation);
  if (!said) {
    missing.push_back(fmt::format("the model {} added nothing: {}", shown(model.name()),
                                  shown(said.error().text())));
    return;
  }
  if (const size_t count = said->left_out; count > 0)
    missing.push_back(fmt::format("{} of the model {} left out: not proved",
                                  count == 1 ? "1 sentence" : fmt::format("{} sentences", count),
                                  count == 1 ? "was" : "were"));
  investigation.model = std::move(*said);
}

}  // namespace precedent
