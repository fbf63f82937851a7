#include "agent/converse/references.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

const TimePoint kNow = *parse_time("2026-11-20T12:00:00Z");
const Catalogue kCatalogue{{"PayU Core", "Settlement & Reporting", "Checkout Platform"},
                           {"checkout-api", "payment-service"},
                           {"SEV1", "SEV2"},
                           {"Resolved", "Open"}};

Incident incident(std::string id, std::string title, std::string application, std::string opened,
                  std::string cause, std::string severity) {
  Incident i;
  i.incident_id = std::move(id);
  i.title = std::move(title);
  i.impacted_application = std::move(application);
  i.opened_at = *parse_time(opened);
  i.root_cause = std::move(cause);
  i.severity = std::move(severity);
  return i;
}

const std::vector<Incident> kIncidents = {
    incident("INC-2025-01-20-005", "PayU HTTP 403 authorization failure", "PayU Core",
             "2025-01-20T09:10:00Z", "API key rotation", "SEV2"),
    incident("INC-2025-03-02-001", "Settlement file late", "Settlement & Reporting",
             "2025-03-02T23:40:00Z", "DNS resolver cache", "SEV1"),
    incident("INC-2025-08-24-001", "Checkout connection pool exhausted", "Checkout Platform",
             "2025-08-24T14:05:00Z", "Connection leak in retries", "SEV1"),
    incident("INC-2025-08-24-002", "Checkout slow after deploy", "Checkout Platform",
             "2025-08-24T18:30:00Z", "Missing index", "SEV2"),
};

const Document kRunbook = [] {
  Document d;
  d.id = "kb-000000000001";
  d.kind = Kind::kRunbook;
  d.title = "Connection pool exhaustion";
  d.body =
      "## Diagnosis\n\nCount the sessions. The incident commander decides.\n\n## "
      "Verification\n\nThe pool drains within minutes.";
  d.path = "runbooks/pool.md";
  d.services = {"checkout-api"};
  return d;
}();

std::optional<Document> lookup(std::string_view id) {
  for (const Incident& i : kIncidents)
    if (i.incident_id == id) return to_document(i);
  if (id == kRunbook.id) return kRunbook;
  return std::nullopt;
}

using Said = std::vector<std::pair<std::string, std::string>>;

Reference resolve(std::string_view question, const Said& said) {
  std::vector<Turn> turns;
  for (const auto& [asked, answered] : said) turns.push_back({asked, answered, {}});
  const Conversation conversation(std::move(turns), lookup);
  return resolve_reference(question, conversation, {kCatalogue, kNow, [](std::string_view id) {
                                                      return lookup(id).has_value();
                                                    }});
}

// One incident; a list; one after another with a change of topic.
const Said kOne = {{"What caused INC-2025-08-24-001?", "A leak. [INC-2025-08-24-001]"}};
const Said kList = {{"Which incidents were there in 2025?",
                     "3 incidents:\n- **INC-2025-08-24-001** [INC-2025-08-24-001]\n"
                     "- **INC-2025-03-02-001**\n- **INC-2025-01-20-005**\n\n**Sources**\n"
                     "- INC-2025-01-20-005\n- INC-2025-08-24-001"}};
const Said kTwo = {{"How do I fix HTTP 403 in PayU?", "Rotate. [INC-2025-01-20-005]"},
                   {"What caused INC-2025-08-24-001?", "A leak. [INC-2025-08-24-001]"}};
// The list, then one of it.
const Said kNarrowed = {kList.front(),
                        {"the January one", "**INC-2025-01-20-005: PayU** [INC-2025-01-20-005]"}};
// The list, then two of it.
const Said kShortened = {kList.front(),
                         {"which were SEV1?",
                          "- **INC-2025-08-24-001** [INC-2025-08-24-001]\n"
                          "- **INC-2025-03-02-001** [INC-2025-03-02-001]"}};
const Said kPool = {
    {"runbook for a full pool",
     "From the runbook documents:\n- **Connection pool exhaustion** "
     "[runbooks/pool.md]\n\nSee INC-2025-08-24-001.\n\n**Sources**\n"
     "- kb-000000000001 — Connection pool exhaustion (runbook, runbooks/pool.md)\n"}};

TEST(References, TheIncidentThatIsMeant) {
  struct Case {
    std::string_view question;
    const Said& said;
    std::vector<std::string> ids;
  };
  const Case cases[] = {
      {"What was the resolution?", kOne, {"INC-2025-08-24-001"}},
      {"and who was responsible?", kOne, {"INC-2025-08-24-001"}},
      {"How long did it last?", kOne, {"INC-2025-08-24-001"}},
      {"Was this a repeat incident?", kOne, {"INC-2025-08-24-001"}},
      {"Did it affect customers in Poland?", kOne, {"INC-2025-08-24-001"}},
      {"root cause?", kOne, {"INC-2025-08-24-001"}},
      {"tell me more about the second one", kList, {"INC-2025-03-02-001"}},
      {"the last one?", kList, {"INC-2025-01-20-005"}},
      {"what caused the third incident", kList, {"INC-2025-01-20-005"}},
      {"#2", kList, {"INC-2025-03-02-001"}},
      {"how was that resolved in the past?", kOne, {"INC-2025-08-24-001"}},
      {"compare it with the first", kNarrowed, {"INC-2025-01-20-005", "INC-2025-08-24-001"}},
      {"how does the second one differ from this?",
       kNarrowed,
       {"INC-2025-01-20-005", "INC-2025-03-02-001"}},
      {"tell me more about the third", kShortened, {"INC-2025-01-20-005"}},
      {"show the oldest one", kList, {"INC-2025-01-20-005"}},
      {"what about the one in March?", kList, {"INC-2025-03-02-001"}},
      {"and the January one", kList, {"INC-2025-01-20-005"}},
      {"who fixed the one that was opened at night?", kList, {"INC-2025-03-02-001"}},
      {"the one on the 24th", kList, {"INC-2025-08-24-001"}},
      {"the one at 14:05, what was done?", kList, {"INC-2025-08-24-001"}},
      {"what was the cause of the PayU one?", kList, {"INC-2025-01-20-005"}},
      {"the one about DNS", kList, {"INC-2025-03-02-001"}},
      {"the settlement incident: who owned it?", kList, {"INC-2025-03-02-001"}},
      {"and the shortest?",
       kNarrowed,
       {"INC-2025-08-24-001", "INC-2025-03-02-001", "INC-2025-01-20-005"}},
      {"the other SEV2", kTwo, {"INC-2025-01-20-005"}},
      {"And the other one?", kTwo, {"INC-2025-01-20-005"}},
      {"back to the first incident we discussed, who fixed it?", kTwo, {"INC-2025-01-20-005"}},
      {"What was the fix for the PayU one again?", kTwo, {"INC-2025-01-20-005"}},
      {"what was the previous incident's severity?", kTwo, {"INC-2025-01-20-005"}},
      {"so what caused INC-2025-01-20-005?", kTwo, {"INC-2025-01-20-005"}},
      {"No, I meant 002", kOne, {"INC-2025-08-24-002"}},
      {"sorry, INC-2025-08-24-002", kOne, {"INC-2025-08-24-002"}},
      {"the SEV1", kList, {"INC-2025-08-24-001"}},
      {"and the SEV-2 one?", kList, {"INC-2025-01-20-005"}},
      {"and in march?", kNarrowed, {"INC-2025-03-02-001"}},
      {"the second one", kNarrowed, {"INC-2025-03-02-001"}},
      {"how long did all three take?",
       kNarrowed,
       {"INC-2025-08-24-001", "INC-2025-03-02-001", "INC-2025-01-20-005"}},
      {"which of those were SEV1?",
       kList,
       {"INC-2025-08-24-001", "INC-2025-03-02-001", "INC-2025-01-20-005"}},
  };
  for (const Case& c : cases) {
    const Reference reference = resolve(c.question, c.said);
    EXPECT_EQ(reference.ids, c.ids) << c.question << " — " << reference.why;
  }
}

TEST(References, WhichOfSeveralOthersIsMeantIsNotGuessed) {
  const Reference other = resolve("and the other one?", kList);
  EXPECT_TRUE(other.ids.empty()) << other.why;
  EXPECT_EQ(other.candidates,
            (std::vector<std::string>{"INC-2025-03-02-001", "INC-2025-01-20-005"}));
  // All of them are no question.
  EXPECT_EQ(resolve("and the other two?", kList).ids, other.candidates);
}

TEST(References, ACorrectionAsksTheQuestionBeforeAgain) {
  EXPECT_EQ(resolve("No, I meant 002", kOne).question, "What caused INC-2025-08-24-002?");
  EXPECT_EQ(resolve("sorry, INC-2025-08-24-002", kOne).question, "What caused INC-2025-08-24-002?");
  EXPECT_EQ(resolve("sorry, who fixed INC-2025-08-24-002?", kOne).question,
            "sorry, who fixed INC-2025-08-24-002?");
  const Said affected = {{"What incidents affected PayU Core in January?", "None."}};
  EXPECT_EQ(resolve("I meant Settlement & Reporting, not PayU Core", affected).question,
            "What incidents affected Settlement & Reporting in January?");
}

TEST(References, ANumberAloneCorrectsTheIdBefore) {
  EXPECT_EQ(resolve("002*", kOne).question, "What caused INC-2025-08-24-002?");
  // Also an id that does not exist.
  const Said wrong = {{"INC-2024-01-20-005", "There is no incident INC-2024-01-20-005."}};
  EXPECT_EQ(resolve("oh its 2025", wrong).ids, std::vector<std::string>{"INC-2025-01-20-005"});
  EXPECT_EQ(resolve("2025", wrong).question, "INC-2025-01-20-005");
  // Also to the one that was offered in its place.
  const Said offered = {{"INC-2025-03-02-007",
                         "There is no incident INC-2025-03-02-007 in the knowledge base. Incidents "
                         "of that day: INC-2025-03-02-001."}};
  EXPECT_EQ(resolve("001*", offered).question, "INC-2025-03-02-001");
}

TEST(References, ACorrectionToWhatWasNotNamedIsSearchedFor) {
  const Reference other = resolve("no the other checkout one, sms", kOne);
  EXPECT_TRUE(other.ids.empty()) << other.why;
  EXPECT_EQ(other.question, "checkout , sms");
  // One that was named is that one.
  EXPECT_EQ(resolve("no, the payu one", kTwo).ids, std::vector<std::string>{"INC-2025-01-20-005"});
}

TEST(References, ADocumentIsASubjectToo) {
  for (const std::string_view question :
       {"how do i verify?", "next step?", "and then?", "how many sessions are there",
        "what does the runbook say about deadlocks"}) {
    const Reference reference = resolve(question, kPool);
    EXPECT_EQ(reference.document, kRunbook.id) << question << " — " << reference.why;
    EXPECT_TRUE(reference.ids.empty()) << question;
  }
  // Terse ones are searched with the question before.
  EXPECT_EQ(resolve("next step?", kPool).question, "runbook for a full pool\nnext step?");
  for (const std::string_view question :
       {"Why is /api/search slow?", "which incidents were like this?",
        "kafka consumer lag is growing", "What is the severity of INC-2025-01-20-005?"}) {
    EXPECT_EQ(resolve(question, kPool).document, "") << question;
  }
  // What one could do is the business of the runbook that was asked for.
  const Said wanted = {
      {"pool exhausted, what now?",
       "> Count the sessions. [runbooks/pool.md:1-3]\n\n"
       "**INC-2025-08-24-001: Checkout** [INC-2025-08-24-001]\n\n**Sources**\n"
       "- kb-000000000001 — Connection pool exhaustion (runbook, runbooks/pool.md)"}};
  EXPECT_EQ(resolve("should i expand it?", wanted).document, kRunbook.id);
  EXPECT_EQ(resolve("did they expand it?", wanted).document, "");
  // An answer that shows an incident beside it is about the incident, but for steps.
  const Said both = {
      {"pool exhausted",
       "> Count the sessions. [runbooks/pool.md:1-3]\n\n"
       "**INC-2025-08-24-001: Checkout** [INC-2025-08-24-001]\n\n**Sources**\n"
       "- kb-000000000001 — Connection pool exhaustion (runbook, runbooks/pool.md)"}};
  EXPECT_EQ(resolve("root cause?", both).ids, std::vector<std::string>{"INC-2025-08-24-001"});
  EXPECT_EQ(resolve("next step?", both).document, kRunbook.id);
}

TEST(References, AnEllipsisTakesTheQuestionBefore) {
  const Said affected = {{"What incidents affected PayU Core in January 2025?", "One."}};
  EXPECT_EQ(resolve("and in March 2025?", affected).question,
            "What incidents affected PayU Core in March 2025?");
  EXPECT_EQ(resolve("what about Settlement & Reporting?", affected).question,
            "What incidents affected Settlement & Reporting in January 2025?");
  EXPECT_EQ(resolve("what about ledger?", affected).question,
            "What incidents affected ledger in January 2025?");
  const Said chain = {affected.front(), {"and in March 2025?", "None."}};
  EXPECT_EQ(resolve("what about Settlement & Reporting?", chain).question,
            "What incidents affected Settlement & Reporting in March 2025?");
}

TEST(References, ATimeOrANameAloneRepeatsTheQuestionBefore) {
  const Said month = {{"any incidents in march 2025?", "None."}};
  EXPECT_EQ(resolve("april?", month).question, "any incidents in april 2025?");
  EXPECT_EQ(resolve("and 2024?", month).question, "any incidents in 2024?");
  EXPECT_EQ(resolve("what about 2024?", month).question, "any incidents in 2024?");
  EXPECT_EQ(resolve("May", month).question, "any incidents in may 2025?");
  EXPECT_EQ(resolve("last week?", month).question, "any incidents last week?");
  EXPECT_EQ(resolve("checkout?", month).question, "any incidents in march 2025 of checkout");
  EXPECT_EQ(resolve("Settlement & Reporting?", month).question,
            "any incidents in march 2025 of Settlement & Reporting");
  const Said of_one = {{"who owns checkout-api", "Team Checkout."}};
  EXPECT_EQ(resolve("payment-service?", of_one).question, "who owns payment-service");
  const Said chain = {month.front(), {"april?", "None."}};
  EXPECT_EQ(resolve("june?", chain).question, "any incidents in june 2025?");
  // Neither a list nor of a time.
  const Said other = {{"how do I drain a node", "Cordon it."}};
  EXPECT_FALSE(resolve("april?", other).question.contains("drain"));
  EXPECT_FALSE(resolve("checkout?", other).question.contains("drain"));
  EXPECT_FALSE(resolve("banana?", month).question.contains("incidents"));
}

TEST(References, WhatWasAnsweredIsTalkedAboutNotWhatIsQuotedBeside) {
  const Said beside = {
      {"checkout drops carts, why",
       "> Late. [INC-2025-03-02-001]\n\n**INC-2025-08-24-001: Checkout connection pool exhausted** "
       "[INC-2025-08-24-001]\n\n**Similar incidents:**\n- **INC-2025-01-20-005** PayU"}};
  EXPECT_EQ(resolve("root cause?", beside).ids, std::vector<std::string>{"INC-2025-08-24-001"});
  // An answer from a document, with a line of a record beside it.
  const std::string kSources =
      "\n\n**Sources**\n- kb-000000000001 — Connection pool exhaustion (runbook, runbooks/pool.md)";
  const Said quoted = {kOne.front(),
                       {"who drains the pool",
                        "> Count the sessions. [runbooks/pool.md:1-3]\n\n> Owner: X "
                        "[INC-2025-03-02-001]\n\n> Owner: Y [INC-2025-01-20-005]" +
                            kSources}};
  EXPECT_EQ(resolve("do they count the sessions?", quoted).document, kRunbook.id);
  EXPECT_EQ(resolve("what was the root cause of that incident?", quoted).ids,
            std::vector<std::string>{"INC-2025-08-24-001"});
  // An answer that begins with the document: what it has a section on is asked of it.
  const Said led = {{"pool is exhausted",
                     "> Count the sessions. [runbooks/pool.md:1-3]\n\n**INC-2025-03-02-001: "
                     "Settlement file late** [INC-2025-03-02-001]" +
                         kSources}};
  EXPECT_EQ(resolve("verification?", led).document, kRunbook.id);
  EXPECT_EQ(resolve("was the pool drained?", led).document, kRunbook.id);
  EXPECT_EQ(resolve("who was the incident commander?", led).document, kRunbook.id);
  EXPECT_EQ(resolve("what was the root cause?", led).ids,
            std::vector<std::string>{"INC-2025-03-02-001"});
}

TEST(References, AQuestionWithASubjectOfItsOwnStandsAlone) {
  for (const std::string_view question :
       {"What is the pool size of payment-service?", "Why is /api/search slow?",
        "Is there a runbook for disk pressure?", "How do I rotate the signing keys?",
        "What incidents affected the Settlement & Reporting system?",
        "Show me incidents from the last 7 days", "kafka consumer lag is growing"}) {
    const Reference reference = resolve(question, kOne);
    EXPECT_FALSE(reference.is_reference()) << question << " — " << reference.why;
    EXPECT_EQ(reference.question, question);
  }
}

TEST(References, APronounMayStandForWhatTheQuestionNamesItself) {
  EXPECT_EQ(resolve("How long was that one?", kOne).ids,
            std::vector<std::string>{"INC-2025-08-24-001"});
  EXPECT_EQ(resolve("The broker failover, how long was that one?", kOne).ids,
            std::vector<std::string>());
}

TEST(References, AWordThatNothingSaidBeforeHoldsChangesTheSubject) {
  for (const std::string_view question :
       {"what about the DNSSEC outage?", "and deadlocks?", "who owns checkout-api?",
        "what is the read timeout to PayU Core?"}) {
    const Reference reference = resolve(question, kOne);
    EXPECT_FALSE(reference.is_reference()) << question << " — " << reference.why;
  }
  // What the record speaks of does not.
  EXPECT_TRUE(resolve("what about the retries?", kOne).is_reference());
}

TEST(References, OthersLikeTheIncidentAreSearchedByItsTitle) {
  for (const std::string_view question : {"any similar incidents?", "has this happened before?",
                                          "have we seen something like this?"}) {
    const Reference reference = resolve(question, kOne);
    EXPECT_EQ(reference.except, "INC-2025-08-24-001") << question << " — " << reference.why;
    EXPECT_TRUE(reference.ids.empty()) << question;
    EXPECT_NE(reference.question.find("Checkout connection pool exhausted"), std::string::npos);
  }
  EXPECT_EQ(resolve("have we seen DNS timeouts before?", kOne).except, "");
  // After a document: what it is about.
  const Said document = {
      {"how do I drain the pool",
       "> Drain. [runbooks/pool.md:1-2]\n\n**Sources**\n"
       "- kb-000000000001 — Connection pool exhaustion (runbook, runbooks/pool.md)\n"}};
  EXPECT_EQ(resolve("has this happened before?", document).question,
            "seen before: Connection pool exhaustion");
}

TEST(References, WhatToDoNowIsAskedOfTheIncident) {
  for (const std::string_view question :
       {"what do I do now?", "next steps?", "is there a workaround?", "how do we fix it?"}) {
    const Reference reference = resolve(question, kOne);
    EXPECT_TRUE(reference.advice) << question << " — " << reference.why;
    EXPECT_EQ(reference.ids, std::vector<std::string>{"INC-2025-08-24-001"}) << question;
  }
  EXPECT_FALSE(resolve("how was it fixed?", kOne).advice);
  EXPECT_FALSE(resolve("how do we fix DNS timeouts?", kOne).advice);
}

TEST(References, WhomToCallIsAskedOfWhoeverOwnsIt) {
  EXPECT_EQ(resolve("who do I call?", kOne).question, "who do I call for Checkout Platform");
  EXPECT_EQ(resolve("how do I reach them", kOne).question,
            "how do I reach them for Checkout Platform");
  EXPECT_EQ(resolve("who do I call if it fails?", kPool).question,
            "who do I call if it fails for checkout-api");
  // Who owned an incident stands in its record.
  EXPECT_EQ(resolve("who owns it?", kOne).ids, std::vector<std::string>{"INC-2025-08-24-001"});
  EXPECT_FALSE(resolve("who do I call about the printer?", kOne).question.contains("Checkout"));
}

TEST(References, TheOneBeforeIsTheNextOlderUnlessPlacesWereCounted) {
  const Said newest = {kList.front(),
                       {"the latest one", "**INC-2025-08-24-001: Pool** [INC-2025-08-24-001]"}};
  EXPECT_EQ(resolve("and the one before that?", newest).ids,
            std::vector<std::string>{"INC-2025-03-02-001"});
  EXPECT_FALSE(resolve("the one after that", newest).why.starts_with("the one after"));
  const Said second = {kList.front(),
                       {"the second one", "**INC-2025-03-02-001: File** [INC-2025-03-02-001]"}};
  EXPECT_EQ(resolve("the one before that", second).ids,
            std::vector<std::string>{"INC-2025-08-24-001"});
}

TEST(References, OfTwoTheEarlierAndTheLaterOne) {
  const Said two = {{"which were SEV1?",
                     "- **INC-2025-08-24-001** [INC-2025-08-24-001]\n"
                     "- **INC-2025-03-02-001** [INC-2025-03-02-001]"}};
  EXPECT_EQ(resolve("the later one", two).ids, std::vector<std::string>{"INC-2025-08-24-001"});
  EXPECT_EQ(resolve("the earlier one, how long?", two).ids,
            std::vector<std::string>{"INC-2025-03-02-001"});
}

TEST(References, HowManyCountsTheListShown) {
  EXPECT_EQ(resolve("how many are there?", kList).ids.size(), 3u);
}

TEST(References, AMonthThatNoneOfThoseNamedIsOfIsLookedFor) {
  const Reference reference = resolve("the one in May", kList);
  EXPECT_TRUE(reference.ids.empty());
  EXPECT_NE(reference.question.find("which incidents in may"), std::string::npos)
      << reference.question;
  EXPECT_NE(reference.question.find(kList.back().first), std::string::npos) << reference.question;
}

TEST(References, WithoutAnIdBothQuestionsAreAskedTogether) {
  const Said documents = {{"How is the ledger backed up?", "Nightly."}};
  const Reference reference = resolve("and how long is it kept?", documents);
  EXPECT_TRUE(reference.ids.empty());
  EXPECT_NE(reference.question.find("ledger"), std::string::npos);
  EXPECT_NE(reference.question.find("how long"), std::string::npos);
}

TEST(References, WithoutAConversationNothingIsMeant) {
  EXPECT_FALSE(resolve("What was the resolution?", {}).is_reference());
  EXPECT_TRUE(resolve("What was the resolution?", {{"hello", "Hi."}}).ids.empty());
}

}  // namespace
}  // namespace precedent
