// Which document a question is for as a whole.
#include "agent/understand/named_document.h"

#include <gtest/gtest.h>

#include "agent/understand/read_intent.h"

namespace precedent {
namespace {

Receipt sections() {
  SectionsResult result;
  for (const auto& [id, title, path] :
       {std::tuple("kb-1f00", "Kube Pod Crash Looping", "docs/kube/KubePodCrashLooping.md"),
        std::tuple("kb-2f00", "Full disks", "runbooks/disk-full.md"),
        std::tuple("kb-4f00", "Quay Planner errors", "runbooks/quay-planner.md")}) {
    KnowledgeItem item;
    item.id = id;
    item.title = title;
    item.path = path;
    result.sections.push_back(item);
  }
  Receipt receipt;
  receipt.result = result;
  return receipt;
}

std::string called(std::string_view question) {
  const Catalogue catalogue{.applications = {}, .services = {"quay-planner"}};
  const ReferenceContext context{catalogue, *parse_time("2026-03-01T12:00:00Z"),
                                 [](std::string_view) { return false; }};
  const Intent intent = read_intent({{}, std::string(question), ""}, {context, nullptr, true});
  return named_document(intent, {sections()}, [](std::string_view name) {
    return name_key(name) == name_key("quay-planner");
  });
}

TEST(NamedDocument, IsCalledByItsName) {
  EXPECT_EQ(called("KubePodCrashLooping on db-3, what now?"), "kb-1f00");
  EXPECT_EQ(called("open disk-full please"), "kb-2f00");
  EXPECT_EQ(called("open kb-2f00"), "kb-2f00");
  EXPECT_EQ(called("open runbooks/disk-full.md"), "kb-2f00");
}

TEST(NamedDocument, ASystemsNameIsTheSystemsUnlessADocumentIsMeant) {
  for (const std::string_view question :
       {"is quay-planner slow?", "what's wrong with quay-planner?",
        "who do i call for quay-planner", "memory usage of quay-planner",
        "p95 of quay-planner before and after the deploy",
        "what was deployed to quay-planner today", "tell me about quay-planner"})
    EXPECT_EQ(called(question), "") << question;
  EXPECT_EQ(called("open the quay-planner page"), "kb-4f00");
  EXPECT_EQ(called("open runbooks/quay-planner.md"), "kb-4f00");
}

}  // namespace
}  // namespace precedent
