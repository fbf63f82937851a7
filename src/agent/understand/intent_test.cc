#include "agent/understand/intent.h"

#include <gtest/gtest.h>

#include "agent/understand/freeze.h"
#include "agent/understand/read_intent.h"

namespace precedent {
namespace {

const Catalogue kCatalogue{{"PayU Core", "Settlement & Reporting", "Checkout Platform"},
                           {"checkout-api", "payment-service"},
                           {"SEV1", "SEV2"},
                           {"Resolved", "Open"}};

Intent read(std::string_view question) {
  return read_intent({{}, std::string(question), ""},
                     {{kCatalogue, *parse_time("2026-11-20T12:00:00Z"), [](std::string_view id) {
                         return id == "INC-2025-01-20-005" || id == "INC-2025-08-24-001" ||
                                id == "PD-77";
                       }}});
}

TEST(Intent, TypeOfQuestion) {
  struct Case {
    std::string_view question;
    QuestionType type;
  };
  const Case cases[] = {
      {"Show me incident INC‑2025‑08‑24‑001", QuestionType::kLookupIncident},
      {"what happened in inc-2025-01-20-005?", QuestionType::kLookupIncident},
      {"INC-1999-01-01-001", QuestionType::kLookupIncident},
      {"tell me about PD-77", QuestionType::kLookupIncident},
      {"What incidents affected the Settlement & Reporting system?",
       QuestionType::kApplicationIncidents},
      {"list incidents of PayU Core", QuestionType::kApplicationIncidents},
      {"what incidents affected the Zebra Portal application?",
       QuestionType::kApplicationIncidents},
      {"Show me incidents from the last 7 days", QuestionType::kRecentIncidents},
      {"recent incidents", QuestionType::kRecentIncidents},
      {"SEV1s in 2025", QuestionType::kRecentIncidents},
      {"list the SEV2s", QuestionType::kRecentIncidents},
      {"which incidents hit checkout this year?", QuestionType::kApplicationIncidents},
      {"checkout incidents in 2025", QuestionType::kApplicationIncidents},
      {"what incidents did checkout have?", QuestionType::kApplicationIncidents},
      {"how long was the outage on 24 August 2025", QuestionType::kLookupIncident},
      {"what was the cause of the 14 April 2026 incident", QuestionType::kLookupIncident},
      {"how many outages were there on 24 August 2025", QuestionType::kRecentIncidents},
      {"any open incidents?", QuestionType::kRecentIncidents},
      {"How do I fix HTTP 403 errors in PayU?", QuestionType::kHowTo},
      {"have we seen connection resets before?", QuestionType::kSimilarIncidents},
      {"what is the pool size of checkout-api?", QuestionType::kKnowledge},
      {"why do we get HTTP-403 from PayU", QuestionType::kKnowledge},
  };
  for (const Case& c : cases) {
    const Intent intent = read(c.question);
    EXPECT_EQ(name(intent.type), name(c.type)) << c.question;
  }
}

TEST(Intent, AListKnowsWhetherMoreIsAskedThanItsRestriction) {
  EXPECT_TRUE(read("how many incidents did PayU Core have in 2025?").lists_only);
  EXPECT_TRUE(read("incidents of PayU Core in 2025").lists_only);
  EXPECT_FALSE(read("incidents of PayU Core in 2025 about certificates").lists_only);
  EXPECT_EQ(read("show me 3 incidents of PayU Core").count, 3);
  EXPECT_EQ(read("the latest three SEV2 incidents").count, 3);
  EXPECT_EQ(read("last 5 incidents").type, QuestionType::kRecentIncidents);
  EXPECT_EQ(read("last 5 incidents").count, 5);
  // A number of something else.
  EXPECT_FALSE(read("incidents of the last 5 days").count);
  EXPECT_FALSE(read("incidents of PayU Core in 2025").count);
  EXPECT_FALSE(read("incidents of PayU Core with 3 failed pods").count);
  EXPECT_FALSE(read("show me INC-2025-01-20-005").count);
}

TEST(Intent, AListMayBeOfANameThatNobodyKnows) {
  const std::pair<const char*, const char*> cases[] = {
      {"history of outages for Core Banking", "Core Banking"},
      {"number of incidents against Ticket Desk in H1", "Ticket Desk"},
      {"Mail Relay: anything still open?", "Mail Relay"},
      {"How many incidents did the Quote Engine have in 2025?", "Quote Engine"},
      {"which outages did quote-relay have in May?", "quote-relay"},
      {"Import & Export incidents in Q3", "Import & Export"},
      {"All SEV1s on the Partner Portal", "Partner Portal"},
      {"show every incident where quote-relay was affected", "quote-relay"}};
  for (const auto& [question, application] : cases) {
    const Intent intent = read(question);
    EXPECT_EQ(name(intent.type), "application_incidents") << question;
    EXPECT_EQ(intent.applications, std::vector<std::string>{application}) << question;
  }
  for (const char* question :
       {"Which SEV1 incidents were there in May?", "List P1s of the past month",
        "incidents in the on-call week of 3 May", "SEV2s since May"})
    EXPECT_EQ(name(read(question).type), "recent_incidents") << question;
  EXPECT_EQ(name(read("incidents in which a cache stampede hit Mail Relay").type),
            "similar_incidents");
  // Known names win.
  EXPECT_EQ(read("PayU Core incidents since May").applications,
            std::vector<std::string>{"PayU Core"});
}

TEST(Intent, EveryNameOfAListIsAsked) {
  EXPECT_EQ(read("incidents of PayU Core and checkout-api in 2025").applications,
            (std::vector<std::string>{"PayU Core", "checkout-api"}));
}

TEST(Intent, HyphensOfAnyKindGiveTheSameId) {
  for (const char* id :
       {"INC-2025-08-24-001", "INC‑2025‑08‑24‑001", "INC–2025–08–24–001", "inc−2025−08−24−001"}) {
    EXPECT_EQ(read(std::string("show ") + id).ids, std::vector<std::string>{"INC-2025-08-24-001"})
        << id;
  }
}

TEST(Intent, IdsOfOtherTrackersAreLookedUp) {
  const std::pair<const char*, const char*> cases[] = {
      {"status of INC0048213", "INC0048213"},
      {"INC_2026_05_05_001 what was the fix?", "INC-2026-05-05-001"},
      {"Incident #4471: what was the impact?", "4471"}};
  for (const auto& [question, id] : cases) {
    const Intent intent = read(question);
    EXPECT_EQ(intent.ids, std::vector<std::string>{id}) << question;
    EXPECT_EQ(intent.type, QuestionType::kLookupIncident) << question;
  }
}

TEST(Intent, TechnicalWordsAreNoIds) {
  EXPECT_TRUE(read("UTF-8 and SHA-256 mismatch, HTTP-403").ids.empty());
  EXPECT_TRUE(read("node ip-172-31-4-9 is down, what happened?").ids.empty());
  EXPECT_TRUE(read("what does pull request #4471 change, and why 500 of them?").ids.empty());
}

TEST(Intent, AReferenceGivesTheIds) {
  const Intent intent = read_intent({{"PD-77"}, "What was the resolution?", "talked about"},
                                    {kCatalogue, {}, [](std::string_view) { return true; }});
  EXPECT_TRUE(intent.follow_up);
  EXPECT_EQ(intent.type, QuestionType::kLookupIncident);
  EXPECT_EQ(intent.ids, std::vector<std::string>{"PD-77"});
}

TEST(Intent, EndpointsAreSubjects) {
  EXPECT_EQ(read("Latency on /api/search is spiky").subjects,
            (std::vector<Subject>{{"/api/search", SubjectKind::kEndpoint}}));
}

TEST(Intent, FormsOfAnswerAsked) {
  EXPECT_TRUE(read("why did it fail").asks.cause);
  for (const char* yes_no : {"is checkout-api healthy?", "hey, anything odd on checkout-api?"})
    EXPECT_TRUE(read(yes_no).asks.whether) << yes_no;
  for (const char* more : {"is there a fix for checkout-api?", "why is it slow", "it is slow"})
    EXPECT_FALSE(read(more).asks.whether) << more;
  EXPECT_TRUE(read("who owns checkout-api").asks.person);
  for (const char* contact : {"who do I call for checkout-api?", "who's on call for checkout-api?",
                              "who owns checkout-api", "how do I reach the data team?",
                              "contact for the bank", "phone number of the vendor"})
    EXPECT_TRUE(read(contact).asks.contact) << contact;
  for (const char* other :
       {"who fixed it", "which service calls checkout-api?", "who deployed last?"})
    EXPECT_FALSE(read(other).asks.contact) << other;
  EXPECT_TRUE(read("who is on call right now?").asks.on_call_now);
  EXPECT_FALSE(read("who is on call for checkout-api?").asks.on_call_now);
  EXPECT_TRUE(read("what is the threshold for lag").asks.number);
  EXPECT_TRUE(read("when did it start").asks.time);
  EXPECT_TRUE(read("which command lists the pods").asks.command);
  EXPECT_TRUE(read("how many incidents hit PayU Core").asks.count);
  EXPECT_FALSE(read("how many incidents hit PayU Core").asks.number);
}

TEST(Intent, VagueQuestionsNameNothing) {
  const Analyzer analyzer;
  for (const char* vague :
       {"it's broken again", "help!", "something is wrong", "what is it?", "???"}) {
    EXPECT_TRUE(is_vague(vague, analyzer)) << vague;
  }
  for (const char* clear :
       {"kafka is down", "403", "checkout broken", "open file descriptors exhausted"}) {
    EXPECT_FALSE(is_vague(clear, analyzer)) << clear;
  }
}

TEST(Intent, AnEnvironmentIsAskedOfTheRecordAlone) {
  const auto only = [](std::string_view question) {
    OpenIntent intent;
    intent.type = QuestionType::kKnowledge;
    intent.signals.changes = true;
    intent.question = question;
    intent.times = find_time_hints(question, *parse_time("2026-11-20"));
    return asks_only_for_records(freeze(intent));
  };
  EXPECT_TRUE(only("what was deployed to staging this month?"));
  EXPECT_TRUE(only("what was deployed to prod this month?"));
  EXPECT_FALSE(only("what was changed in the payroll policy on staging?"));
}

}  // namespace
}  // namespace precedent
