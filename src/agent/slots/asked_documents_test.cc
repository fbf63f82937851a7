#include "agent/slots/asked_documents.h"

#include <gtest/gtest.h>

#include "agent/slots/qualifiers.h"

namespace precedent {
namespace {

using Kinds = std::vector<Kind>;

TEST(AskedDocuments, ADocumentIsAskedFor) {
  struct Case {
    std::string_view question;
    Kinds kinds;
    bool all = false;
  };
  const Case cases[] = {
      {"is there a runbook for disk pressure?", {Kind::kRunbook}},
      {"runbook for redis failover", {Kind::kRunbook}},
      {"the runbook about certificate renewal", {Kind::kRunbook}},
      {"which adr decided on kafka?", {Kind::kAdr}},
      {"show me the post-mortem of the january outage", {Kind::kPostmortem}},
      {"do we have any known issues with the mobile app", {Kind::kKnownIssue}},
      {"what known issues affect checkout-api?", {Kind::kKnownIssue}},
      {"find the failover runbook", {Kind::kRunbook}},
      {"list all runbooks", {Kind::kRunbook}, true},
      {"what runbooks are there?", {Kind::kRunbook}, true},
      {"list runbooks and known issues of the ledger", {Kind::kRunbook, Kind::kKnownIssue}},
      {"whats the runbook", {Kind::kRunbook}, true},
      {"and a runbook?", {Kind::kRunbook}, true},
      {"is there a postmortem for it?", {Kind::kPostmortem}, true},
      {"where is the architecture doc for payments?", {Kind::kArchitecture}},
  };
  for (const Case& c : cases) {
    const AskedDocuments asked = find_asked_documents(c.question);
    EXPECT_EQ(asked.kinds, c.kinds) << c.question;
    EXPECT_EQ(asked.all, c.all) << c.question;
  }
}

TEST(AskedDocuments, ADocumentIsCalledByItsName) {
  SectionsResult result;
  for (const auto& [id, title, path] :
       {std::tuple("kb-1", "Kube Pod Crash Looping", "docs/kube/KubePodCrashLooping.md"),
        std::tuple("kb-2", "Full disks", "runbooks/disk-full.md"),
        std::tuple("kb-3", "Checkout", "ownership/checkout.md")}) {
    KnowledgeItem item;
    item.id = id;
    item.title = title;
    item.path = path;
    result.sections.push_back(item);
  }
  Receipt receipt;
  receipt.result = result;
  const auto called = [&](std::string_view question) {
    return find_named_document(read_qualifiers(std::string(question), {}, {}).names, {receipt});
  };
  EXPECT_EQ(called("KubePodCrashLooping on db-3, what now?"), "kb-1");
  EXPECT_EQ(called("kubepodcrashlooping!!"), "kb-1");
  EXPECT_EQ(called("open disk-full please"), "kb-2");
  // An ordinary word is no name.
  EXPECT_EQ(called("why is checkout slow?"), "");
  EXPECT_EQ(called("KubeNodeNotReady"), "");
}

TEST(AskedDocuments, OneOrSeveral) {
  EXPECT_TRUE(find_asked_documents("is there a runbook").one);
  EXPECT_FALSE(find_asked_documents("are there runbooks").one);
}

TEST(AskedDocuments, WhatADocumentSaysIsNoDocument) {
  for (const std::string_view question :
       {"what does the runbook say about restarts?", "which command does the runbook use",
        "which runbook step restarts the pod", "how do i fix http 403 errors?",
        "what incidents affected checkout?", "we followed the runbook and it did not help",
        "according to the post-mortem, what was the root cause?", ""}) {
    EXPECT_TRUE(find_asked_documents(question).kinds.empty()) << question;
  }
}

}  // namespace
}  // namespace precedent
