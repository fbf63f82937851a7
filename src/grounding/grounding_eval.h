// What the tests of labelled text and the ablation of the checks share: eval/grounding*.jsonl and
// eval/claims_blind_*.jsonl, read, and their scores: was the falsehood of an answer caught, and
// which true sentences were rejected; how many claims of each label were rejected.
#pragma once

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "grounding/verify.h"

namespace precedent {

// Where one half or all of a file is; the rules were tuned on the even half of the first.
struct GroundingSet {
  const char* title;
  const char* file;
  std::optional<int> parity;  // of the answers' numbers
};
inline constexpr GroundingSet kEvenHalf = {"even", "eval/grounding.jsonl", 0};
inline constexpr GroundingSet kOddHalf = {"odd", "eval/grounding.jsonl", 1};
inline constexpr GroundingSet kBlindSet = {"blind", "eval/grounding_blind.jsonl", std::nullopt};

inline std::vector<nlohmann::json> read_json_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(file, line);) {
    if (!trim(line).empty()) lines.push_back(nlohmann::json::parse(line));
  }
  return lines;
}

inline Receipt labelled_receipt(const nlohmann::json& line) {
  const std::string status = line.at("status");
  Receipt receipt;
  receipt.id = line.at("id");
  receipt.tool = line.at("tool");
  receipt.args = line.at("args").dump();
  receipt.status = status == "ok"      ? ReceiptStatus::kOk
                   : status == "empty" ? ReceiptStatus::kEmpty
                                       : ReceiptStatus::kError;
  receipt.text = line.at("text");
  if (!line.contains("sources")) return receipt;
  SectionsResult result;
  for (const nlohmann::json& source : line["sources"]) {
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

// What the answers of all sets rest on.
inline std::map<std::string, Facts> read_grounding_facts() {
  std::map<std::string, Facts> facts;
  for (const nlohmann::json& line : read_json_lines("eval/grounding_receipts.jsonl")) {
    std::vector<Receipt> receipts;
    for (const nlohmann::json& receipt : line.at("receipts"))
      receipts.push_back(labelled_receipt(receipt));
    facts.try_emplace(line.at("context"), receipts);
  }
  return facts;
}

struct LabelledAnswer {
  int id = 0;
  std::string context, answer;
  std::string kind;   // of the planted falsehood; "": every sentence is true
  TextRange planted;  // where it is
};

inline std::vector<LabelledAnswer> read_grounding_set(const GroundingSet& set) {
  std::vector<LabelledAnswer> answers;
  for (const nlohmann::json& line : read_json_lines(set.file)) {
    LabelledAnswer answer{line.at("id"), line.at("context"), line.at("answer"), "", {}};
    if (set.parity && answer.id % 2 != *set.parity) continue;
    if (line.contains("planted")) {
      const std::string text = line["planted"].at("text");
      const auto begin = static_cast<uint32_t>(answer.answer.find(text));
      answer.kind = line["planted"].at("kind");
      answer.planted = {begin, begin + static_cast<uint32_t>(text.size())};
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

struct AnswerScore {
  bool caught = false;  // its falsehood was rejected
  size_t true_sentences = 0;
  std::vector<Claim> rejected;  // of these
};

inline AnswerScore score(const LabelledAnswer& answer, const Facts& facts,
                         std::span<const ClaimCheck> checks = claim_checks(),
                         const LearnedReader* judge = nullptr) {
  AnswerScore score;
  for (Claim& claim : verify(answer.answer, facts, judge, {}, checks).claims) {
    const bool bad = claim.verdict == ClaimVerdict::kUnsupported;
    if (!answer.kind.empty() && answer.planted.begin < claim.bytes.end &&
        answer.planted.end > claim.bytes.begin) {
      score.caught = score.caught || bad;
      continue;
    }
    ++score.true_sentences;
    if (bad) score.rejected.push_back(std::move(claim));
  }
  return score;
}

// Freely worded claims over one receipt each.
struct LabelledClaims {
  Facts facts;
  std::vector<std::pair<std::string, std::string>> claims;  // label, text
};

inline std::vector<LabelledClaims> read_claims(const std::string& file) {
  std::vector<LabelledClaims> all;
  for (const nlohmann::json& row : read_json_lines(file)) {
    Receipt receipt;
    receipt.id = "R1";
    receipt.tool = row.at("tool");
    receipt.status = ReceiptStatus::kOk;
    for (const auto& line : row.at("lines")) receipt.text += line.get<std::string>() + "\n";
    LabelledClaims& claims = all.emplace_back(Facts(std::span(&receipt, 1)));
    for (const auto& told : row.at("claims"))
      claims.claims.emplace_back(told.at("label"), told.at("claim"));
  }
  return all;
}

// By label: all claims, and those that are rejected.
struct ClaimScore {
  std::map<std::string, size_t> all, rejected;
};

inline ClaimScore score(const std::vector<LabelledClaims>& set, const LearnedReader* judge,
                        std::span<const ClaimCheck> checks = claim_checks()) {
  ClaimScore score;
  for (const LabelledClaims& row : set) {
    for (const auto& [label, text] : row.claims) {
      const auto claims = verify(text, row.facts, judge, {}, checks).claims;
      ++score.all[label];
      score.rejected[label] += std::ranges::any_of(
          claims, [](const Claim& claim) { return claim.verdict == ClaimVerdict::kUnsupported; });
    }
  }
  return score;
}

}  // namespace precedent
