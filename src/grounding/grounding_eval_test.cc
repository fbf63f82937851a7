// eval/grounding.jsonl against the verifier: planted falsehoods are caught, true sentences pass.
// Prints the table of eval/README.md. Rules and thresholds were tuned on the answers with an even
// number; nobody has looked at those with an odd one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "grounding/verify.h"

namespace precedent {
namespace {

using nlohmann::json;

std::vector<json> read_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<json> lines;
  for (std::string line; std::getline(file, line);) {
    if (!trim(line).empty()) lines.push_back(json::parse(line));
  }
  EXPECT_FALSE(lines.empty()) << path;
  return lines;
}

ReceiptStatus status_of(const std::string& text) {
  return text == "ok"      ? ReceiptStatus::kOk
         : text == "empty" ? ReceiptStatus::kEmpty
                           : ReceiptStatus::kError;
}

Receipt receipt_of(const json& line) {
  Receipt receipt;
  receipt.id = line.at("id");
  receipt.tool = line.at("tool");
  receipt.args = line.at("args").dump();
  receipt.status = status_of(line.at("status"));
  receipt.text = line.at("text");
  if (!line.contains("sources")) return receipt;
  SectionsResult result;
  for (const json& source : line["sources"]) {
    KnowledgeItem item;
    item.id = source.at("id");
    item.title = source.at("title");
    item.path = source.at("path");
    item.lines = {source.value("begin", 0u), source.value("end", 0u)};
    result.sections.push_back(std::move(item));
  }
  receipt.result = std::move(result);
  return receipt;
}

std::map<std::string, Grounds> read_contexts() {
  std::map<std::string, Grounds> contexts;
  for (const json& line : read_lines("eval/grounding_receipts.jsonl")) {
    std::vector<Receipt> receipts;
    for (const json& receipt : line.at("receipts")) receipts.push_back(receipt_of(receipt));
    contexts.emplace(line.at("context"), Grounds(receipts));
  }
  return contexts;
}

struct Count {
  size_t all = 0, hit = 0;
  double share() const {
    return all == 0 ? 0 : static_cast<double>(hit) / static_cast<double>(all);
  }
};

struct Half {
  std::map<std::string, Count> caught;  // by kind
  Count falsehoods, rejected;
};

void score(const json& line, const Grounds& evidence, Half& half, bool show) {
  const std::string answer = line.at("answer");
  const bool planted = line.contains("planted");
  const std::string kind = planted ? line["planted"].at("kind") : "";
  const size_t begin = planted ? answer.find(line["planted"].at("text").get<std::string>()) : 0;
  bool found = false;
  for (const Claim& claim : verify(answer, evidence).claims) {
    const bool bad = claim.verdict == ClaimVerdict::kUnsupported;
    const bool carries =
        planted && begin < claim.bytes.end &&
        begin + line["planted"].at("text").get<std::string>().size() > claim.bytes.begin;
    if (carries) {
      found = found || bad;
      continue;
    }
    ++half.rejected.all;
    half.rejected.hit += bad ? 1 : 0;
    if (bad && show && !planted)
      std::printf("%d rejected (%s): %s\n", line["id"].get<int>(), claim.reason.c_str(),
                  std::string(claim.bytes.in(answer)).c_str());
  }
  if (!planted) return;
  for (Count* count : {&half.caught[kind], &half.falsehoods}) {
    ++count->all;
    count->hit += found ? 1 : 0;
  }
  if (!found && show)
    std::printf("%d missed (%s): %s\n", line["id"].get<int>(), kind.c_str(), answer.c_str());
}

TEST(GroundingEval, CatchesPlantedFalsehoodsAndPassesTrueSentences) {
  const auto contexts = read_contexts();
  std::map<int, Half> halves;
  const char* show = std::getenv("PRECEDENT_SHOW_HALF");  // "0" or "1": its misses, one a line
  for (const json& line : read_lines("eval/grounding.jsonl")) {
    const int half = line.at("id").get<int>() % 2;
    score(line, contexts.at(line.at("context")), halves[half],
          show != nullptr && show[0] - '0' == half);
  }
  for (const auto& [number, half] : halves) {
    std::printf("| %s half |", number == 0 ? "even" : "odd");
    for (const auto& [kind, count] : half.caught)
      std::printf(" %s %zu/%zu |", kind.c_str(), count.hit, count.all);
    std::printf(" caught %zu/%zu | true rejected %zu/%zu |\n", half.falsehoods.hit,
                half.falsehoods.all, half.rejected.hit, half.rejected.all);
    // What is reached today (eval/README.md), so that a change for the worse fails.
    EXPECT_GE(half.falsehoods.share(), number == 0 ? 0.88 : 0.85);
    EXPECT_LE(half.rejected.share(), number == 0 ? 0.03 : 0.06);
  }
}

}  // namespace
}  // namespace precedent
