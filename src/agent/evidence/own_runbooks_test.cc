// Whose runbooks are quoted and whose steps are printed under an investigation.
#include "agent/evidence/own_runbooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;

KnowledgeItem runbook(std::string id, std::string title, std::vector<std::string> services,
                      float relevance, Kind kind = Kind::kRunbook) {
  return {.id = std::move(id),
          .title = std::move(title),
          .kind = kind,
          .services = std::move(services),
          .relevance = relevance};
}

std::vector<Receipt> found(std::vector<KnowledgeItem> items) {
  Receipt receipt;
  receipt.tool = "doc_search";
  receipt.result = SectionsResult{std::move(items), ""};
  return {receipt};
}

std::vector<Evidence> pieces_of(const std::vector<Receipt>& receipts) {
  std::vector<Evidence> pieces;
  for (const KnowledgeItem& item : std::get<SectionsResult>(receipts.front().result).sections) {
    Evidence piece;
    piece.kind = item.kind;
    piece.source.id = item.id;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::vector<std::string> ids(const std::vector<Evidence>& pieces) {
  std::vector<std::string> ids;
  for (const Evidence& piece : pieces) ids.push_back(piece.source.id);
  return ids;
}

TEST(OwnRunbooks, AnotherSystemsAreLeftOut) {
  const auto receipts =
      found({runbook("other", "Label printing", {"label-printer"}, 1),
             runbook("own", "Parcel scans", {"Parcel Tracker", "label-printer"}, 0.9f),
             runbook("any", "Disk full", {}, 0.8f),
             runbook("told", "What went wrong", {"label-printer"}, 0.7f, Kind::kPostmortem)});
  EXPECT_THAT(ids(without_others_runbooks(pieces_of(receipts), receipts, {"parcel-tracker"})),
              ElementsAre("own", "any", "told"));
  EXPECT_THAT(ids(without_others_runbooks(pieces_of(receipts), receipts, {})),
              ElementsAre("other", "own", "any", "told"));
}

TEST(OwnRunbooks, NobodyKnowsWhoseAreThoseOfASystemThatNoDocumentNames) {
  const auto receipts = found({runbook("a", "Disk full", {"parcel-tracker"}, 1)});
  EXPECT_THAT(systems_of_documents({"parcels-db-1", "parcel-tracker", ""}, receipts),
              ElementsAre("parcel-tracker"));
}

TEST(OwnRunbooks, StepsAreOfWhatIsOnTheTroubleToo) {
  const std::vector<std::string> system = {"parcel-tracker"};
  const auto on = [&](const std::string& question, float other) {
    const auto receipts = found({runbook("scan", "Scanner keys are refused", system, 0.9f),
                                 runbook("lag", "Lag of parcel-tracker", system, other)});
    return ids(runbooks_on(Analyzer().terms(question), pieces_of(receipts), receipts, system));
  };
  EXPECT_THAT(on("parcel-tracker lag grows", 0.85f), ElementsAre("lag"));
  // The name of the system tells nothing of its trouble.
  EXPECT_THAT(on("parcel-tracker pods restart", 0.85f), ElementsAre());
  // But nothing else is nearly as relevant.
  EXPECT_THAT(on("parcel-tracker pods restart", 0.4f), ElementsAre("scan"));
}

}  // namespace
}  // namespace precedent
