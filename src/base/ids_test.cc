#include "base/ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// DESIGN: U+2010–U+2015, U+2212, U+FE58, U+FE63, U+FF0D.
constexpr char32_t kHyphens[] = {U'-',   0x2010, 0x2011, 0x2012, 0x2013, 0x2014,
                                 0x2015, 0x2212, 0xFE58, 0xFE63, 0xFF0D};

std::string with_hyphens(std::string_view text, char32_t hyphen) {
  std::string out;
  for (const char c : text) c == '-' ? append_utf8(out, hyphen) : static_cast<void>(out += c);
  return out;
}

std::vector<std::string> ids_in(std::string_view text) {
  std::vector<std::string> ids;
  for (const IdMention& mention : find_ids(text)) ids.push_back(mention.id);
  return ids;
}

TEST(NormalizeId, FoldsEveryHyphen) {
  for (const char32_t hyphen : kHyphens) {
    EXPECT_EQ(normalize_id(with_hyphens("inc-2025-08-24-001", hyphen)), "INC-2025-08-24-001");
    EXPECT_EQ(fold_hyphens(with_hyphens("a-b", hyphen)), "a-b");
  }
}

TEST(NormalizeId, TrimsWhatPeoplePutAround) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"“inc‑2025‑01‑20‑005”,", "INC-2025-01-20-005"},
      {"  PD-12345\n", "PD-12345"},
      {"`INC-1`", "INC-1"},
      {"**INC-1**:", "INC-1"},
      {"(INC-1).", "INC-1"},
      {"#4711", "4711"},
      {"<INC-1>", "INC-1"},
      {"INC-1…", "INC-1"},
      {"'INC-1'?", "INC-1"},
      {"\u00A0INC-1\u200B", "INC-1"},
      {"- INC-1", "INC-1"},
      {"", ""},
      {"---", ""},
      {" \t", ""},
      {"a b", "A B"},
      {"störung-1", "STöRUNG-1"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(normalize_id(text), expected) << text;
}

TEST(NormalizeId, IsIdempotent) {
  for (const std::string_view text :
       {"“inc‑2025‑01‑20‑005”,", " (a-1) ", "-", "\xE2\x80", "é-é", "\xFF-1\xFF"}) {
    const std::string once = normalize_id(text);
    EXPECT_EQ(normalize_id(once), once) << text;
  }
}

TEST(FindIds, FindsAnIdAnywhereInASentenceWithAnyHyphen) {
  const std::string_view sentences[] = {"INC-2025-08-24-001",
                                        "Show me incident INC-2025-08-24-001",
                                        "INC-2025-08-24-001 is open",
                                        "what was \"inc-2025-08-24-001\"?",
                                        "see (INC-2025-08-24-001), please",
                                        "is it INC-2025-08-24-001?",
                                        "war es *Inc-2025-08-24-001*…",
                                        "incident:INC-2025-08-24-001.",
                                        "https://example.org/incidents/INC-2025-08-24-001/edit",
                                        "日本語INC-2025-08-24-001の件",
                                        "“INC-2025-08-24-001”",
                                        "#INC-2025-08-24-001",
                                        "INC-2025-08-24-001's cause",
                                        "like INC-2025-08-24-001-"};
  for (const char32_t hyphen : kHyphens) {
    for (const std::string_view sentence : sentences) {
      const std::string text = with_hyphens(sentence, hyphen);
      EXPECT_THAT(ids_in(text), ElementsAre("INC-2025-08-24-001")) << text;
    }
  }
}

TEST(FindIds, TellsWhatIsAnIdFromWhatIsNot) {
  const std::pair<std::string_view, std::vector<std::string>> cases[] = {
      {"PD-12345 and OPS2-77, then PD-12345 again", {"PD-12345", "OPS2-77"}},
      {"INC-1 – INC-2", {"INC-1", "INC-2"}},
      {"UTF-8 and HTTP-403 have the form", {"UTF-8", "HTTP-403"}},
      {"the outage—INC-7—was long", {"INC-7"}},
      {"-INC-7 in a list", {"INC-7"}},
      {"störINC-7", {}},
      {"no id here", {}},
      {"2025-01-20", {}},
      {"checkout-api", {}},
      {"my_INC-1", {}},
      {"INC-1_a", {}},
      {"INC-12ab", {}},
      {"x-INC-1", {}},
      {"INC--1", {}},
      {"INC-", {}},
      {"-", {}},
      {"", {}},
      {"v2-beta-1", {}},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(ids_in(text), expected) << text;
}

TEST(FindIds, OffsetsPointIntoTheOriginalBytes) {
  const std::string text = "é “INC‑2025‑08‑24‑001” x";
  const auto found = find_ids(text);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(text.substr(found[0].begin, found[0].end - found[0].begin), "INC‑2025‑08‑24‑001");
}

TEST(FindIds, SurvivesIllFormedText) {
  EXPECT_THAT(ids_in("\xFF INC-1 \xE2\x80"), ElementsAre("INC-1"));
  EXPECT_THAT(ids_in("\x80\x80"), IsEmpty());
}

TEST(DateInId, NeedsTheWholeFormAndARealDay) {
  EXPECT_EQ(date_in_id("INC-2025-08-24-001"), parse_time("2025-08-24").value());
  EXPECT_EQ(date_in_id("INC-1985-06-03-001"), parse_time("1985-06-03").value());
  for (const std::string_view id :
       {"INC-2025-02-30-001", "INC-2025-08-24", "PD-2025-08-24-001", "INC-25-08-24-001",
        "INC-2025-8-24-001", "INC-2O25-08-24-001", "INC-", ""}) {
    EXPECT_FALSE(date_in_id(id)) << id;
  }
}

}  // namespace
}  // namespace precedent
