#include "agent/compose/title.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "agent/compose/title_words.h"
#include "base/strings.h"
#include "files/files.h"

namespace precedent {
namespace {

const Catalogue kCatalogue{
    {"PayU Core", "Settlement & Reporting", "Checkout Platform", "Merchant Portal"},
    {"checkout-api", "payment-service", "ledger", "merchant-portal"},
    {"SEV1"},
    {"Open"}};

struct Case {
  std::string_view said, title;
};

TEST(OfflineTitle, SaysWhatAQuestionIsAbout) {
  const Case cases[] = {
      {"How do I fix HTTP 403 errors in PayU?", "PayU HTTP 403 Fix"},
      {"What was the root cause of INC-2025-08-24-001?", "INC-2025-08-24-001 Root Cause"},
      {"there is a search latency spike", "Search Latency Spike"},
      {"search is slow since yesterday", "Search Slow"},
      {"latency spike on /api/search every hour", "Latency Spike /api/search"},
      {"kill -9 the stuck worker", "Kill Stuck Worker"},
      {"what could go wrong with the ledger cut-over", "ledger Cut-Over"},
      {"open file descriptors exhausted", "Open File Descriptors Exhausted"},
      {"java heap dump", "Java Heap Dump"},
      {"go panic in checkout", "Panic Checkout"},
      {"payments are timing out", "Payments Timeouts"},
      {"who owns the fx rates job", "FX Rates Job Owner"},
      {"who is on call for payments tonight", "Payments On-Call"},
      {"What incidents affected the Settlement & Reporting system?",
       "Settlement & Reporting Incidents"},
      {"Show me incidents from the last 7 days", "Recent Incidents"},
      {"any open incidents?", "Recent Incidents"},
      {"what should I check first when redis is out of memory", "Redis OOM"},
      {"checkout-api p99 4s since 02:10", "checkout-api p99"},
      {"disk full on db1", "Disk Full db1"},
      {"2026-11-20T02:14:07Z ERROR checkout-api [worker-3] java.lang.OutOfMemoryError: Java heap "
       "space",
       "checkout-api worker-3 OutOfMemoryError Java"},
      {"dial tcp 10.2.3.4:5432: connect: connection refused", "Connection Refused Dial TCP"},
      {"x509: certificate has expired or is not yet valid", "Certificate Expired Not Valid"},
      {"FATAL:  remaining connection slots are reserved for non-replication superuser connections",
       "Remaining Connection Slots Reserved"},
      {"hi", "Untitled Chat"},
      {"hello there", "Untitled Chat"},
      {"it's broken again", "Untitled Chat"},
      {"help", "Untitled Chat"},
      {"thanks", "Untitled Chat"},
      {"", "Untitled Chat"},
      {"what does exit code 137 mean", "Exit Code 137"},
      {"how do we roll back", "Rollback Overview"},
      {"how do I roll back checkout-api", "checkout-api Rollback"},
      {"site down", "Site Outage"},
      {"prod is down", "Prod Outage"},
      {"customers report they cannot log in", "Customers Login Failure"},
      {"is it still open", "Untitled Chat"},
      {"what was the resolution of INC-2025-01-20-005?", "INC-2025-01-20-005 Resolution"},
      {"compare INC-2025-01-20-005 and INC-2025-08-24-001",
       "INC-2025-01-20-005 INC-2025-08-24-001 Comparison"},
      {"tell me about INC-2025-08-24-001", "INC-2025-08-24-001 Summary"},
      {"why is the queue growing", "Queue Growing Root Cause"},
      {"why do we get HTTP-403 from PayU", "PayU HTTP-403 Root Cause"},
      {"webhooks delivered twice", "Webhooks Delivered Twice"},
      {"write a status update for customers about the payment delay",
       "Customers Payment Status Update"},
      {"draft a postmortem for last night's outage", "Outage Postmortem"},
      {"which runbook covers stale rates", "Stale Rates Runbook"},
      {"what is our slo for search", "SLO Search"},
      {"have we seen this before: connection reset by peer", "Connection Reset Peer"},
      {"ssl handshake failures from one partner", "SSL Handshake Failures Partner"},
      {"cert expired?", "Cert Expired"},
      {"replica lag 900s", "Replica Lag"},
      {"支付失败 错误码 51", "支付失败 错误码"},
      {"EVERYTHING IS DOWN IN PROD", "Outage Prod"},
      {"URGENT!!! PAYMENTS DECLINED FOR ALL CUSTOMERS", "Payments Declined Customers"},
      {"redis", "Redis Overview"},
      {"what is the pool size of checkout-api?", "checkout-api Pool Size"},
      {"how many sev1 in march", "SEV1 March"},
      {"list the known issues of the portal", "Portal Known Issues"},
      {"when did the settlement file arrive", "Settlement File Arrive Timeline"},
      {"blast radius of the dns outage", "DNS Outage Impact"},
      {"Redis failover: sessions lost", "Redis Failover Sessions Lost"},
      {"max_connections reached on pgbouncer", "max_connections Reached Pgbouncer"},
      {"kubernetes pods crashloop after deploy of payment-service",
       "payment-service Kubernetes Pods Crashloop"},
      {"error 1213 (40001): Deadlock found when trying to get lock; try restarting transaction",
       "Error 1213 Deadlock Found"},
      {"how 2 rolback chekout", "Rolback Chekout"},
      {"what changed yesterday evening", "Recent Changes"},
      {"memory climbs until the pod is evicted", "Memory Climbs Pod Evicted"},
      {"git bisect between 4.2.1 and 4.3.0, what's the procedure", "Git Bisect Procedure"},
      {"SQL injection alert fired on the portal", "SQL Injection Alert Fired"},
      {"what can you do", "Untitled Chat"},
      {"how do I rotate the vault certificate?", "Rotate Vault Certificate"},
      // Incidents are asked for, not their cause.
      {"which incidents were caused by expired certificates?", "Expired Certificates Incidents"},
      {"how many outages did the portal have?", "Portal Incidents"},
      {"are there post-mortems about DNS?", "DNS Postmortem"},
      {"what are the steps to fail over the replica", "Failover Replica Steps"},
      {"who do I call when the HSM is unavailable?", "HSM Unavailable Contact"},
      {"where is the retry policy configured?", "Retry Policy Configuration"},
      // A denial stays with what it denies.
      {"no healthy upstream", "No Healthy Upstream"},
      {"invoices aren't arriving", "Invoices Not Arriving"},
      {"pods can't reach redis", "Pods Cannot Reach Redis"},
      {"is it not yet there", "Untitled Chat"},
      {"redis cannot be reached", "Redis Not Reached"},
      {"login without a second factor", "Login Without Second Factor"},
      {"search is not returning any results", "Search No Results"},
      {"jobs never finish", "Jobs Never Finish"},
      {"exports to the warehouse are not being loaded on weekends", "Exports Warehouse Not Loaded"},
      {"the stored webhook signatures of partners are not verified",
       "Stored Webhook Signatures Partners"},
      // Where it does not fit, what is denied goes, too.
      {"merchants say their webhook signatures are not verified", "Merchants Webhook Signatures"},
      {"why do the signatures of webhooks not match?", "Signatures Webhooks Root Cause"},
      {"signatures of partners don't match", "Signatures Partners Mismatch"},
      // What something does to another is no part of either's name, but the code that it gives is.
      {"Why is PayU returning 403s?", "PayU 403s Root Cause"},
      {"checkout-api returns 502", "checkout-api 502"},
      {"which incidents hit the ledger this year?", "ledger Incidents"},
      {"cache hit rate fell", "Cache Hit Rate Fell"},
      {"we are getting timeouts from redis", "Timeouts Redis"},
      {"no idea why the nightly export fails", "Nightly Export Failure"},
      // A verb becomes the noun behind its subject, and stays before one.
      {"why did payments fail on Friday?", "Payments Failure Root Cause"},
      {"failed payments", "Failed Payments"},
      {"the pool ran out of connections", "Pool Connections Exhaustion"},
      {"the node runs out of disk space", "Node Disk Space Exhaustion"},
      {"the worker ran out of memory", "Worker OOM"},
      // The frame of a question is not what it is about.
      {"explain how the circuit breaker works", "Circuit Breaker"},
      {"users see a blank page", "Blank Page"},
      {"summarize the alerts", "Alerts Overview"},
      {"what should we look at during a failover of the cache", "Failover Cache"},
      {"what did we do last time the cache was cold", "Cache Cold"},
      // Days and years beside their month, codes behind their error.
      {"what happened on 24 August 2025?", "24 August 2025"},
      {"what happened on August 24, 2025?", "August 24 2025"},
      {"24 pods since 2025", "Pods Overview"},
      {"what does TimeoutException 4711 mean", "TimeoutException 4711"},
      // Names are taken whole, and once.
      {"lag on ledger-writer", "Lag ledger-writer"},
      {"lag of the ledger", "ledger Lag"},
      {"login to the merchant portal is slow", "Merchant Portal Login Slow"},
  };
  for (const Case& c : cases) EXPECT_EQ(offline_title(c.said, kCatalogue), c.title) << c.said;
}

TEST(OfflineTitle, IsTwoToFourWordsOfAnyQuestion) {
  size_t untitled = 0, asked = 0;
  const std::string questions = read_file("eval/guardrails.jsonl", 1 << 20).value();
  for (const std::string_view line : split_lines(questions)) {
    if (trim(line).empty()) continue;
    const auto json = nlohmann::json::parse(line);
    if (json.at("label") != "allow") continue;
    const std::string question = json.at("question");
    const std::string title = offline_title(question, kCatalogue);
    const auto words = split(title, ' ');
    EXPECT_GE(words.size(), 2u) << question << ": " << title;
    EXPECT_LE(words.size(), 4u) << question << ": " << title;
    EXPECT_FALSE(cannot_end_title(ascii_lower(words.back()))) << question << ": " << title;
    ++asked;
    untitled += title == kUntitled ? 1 : 0;
  }
  EXPECT_LE(untitled * 20, asked);
}

TEST(OfflineTitle, OfAConversationIsThatOfItsFirstRealQuestion) {
  const std::vector<Message> transcript = {{Role::kSystem, "You are precedent about DNS."},
                                           {Role::kUser, "hi"},
                                           {Role::kAssistant, "What is it about?"},
                                           {Role::kUser, "redis failover lost sessions"},
                                           {Role::kUser, "and the ledger?"}};
  EXPECT_EQ(offline_title(transcript, kCatalogue), "Redis Failover Lost Sessions");
  EXPECT_EQ(offline_title(std::vector<Message>{}, kCatalogue), kUntitled);
}

TEST(OfflineTitle, SurvivesAnyBytes) {
  for (const std::string& bytes :
       {std::string("\xff\xfe\x00 x", 5), std::string(100'000, 'a'), std::string(100'000, '/'),
        std::string("\xe2\x80\xae cod"), std::string("!!! ??? ...")})
    EXPECT_FALSE(offline_title(bytes, kCatalogue).empty());
}

TEST(CleanTitle, TakesTheTitleOutOfWhatAModelSays) {
  const Case cases[] = {
      {"PayU HTTP 403 Fix", "PayU HTTP 403 Fix"},
      {"  payu http 403 fix\n", "Payu HTTP 403 Fix"},
      {"\"PayU HTTP 403 Fix\"", "PayU HTTP 403 Fix"},
      {"“PayU HTTP 403 Fix”.", "PayU HTTP 403 Fix"},
      {"Title: PayU HTTP 403 Fix", "PayU HTTP 403 Fix"},
      {"**Title:** PayU HTTP 403 Fix", "PayU HTTP 403 Fix"},
      {"The title is: PayU HTTP 403 Fix", "PayU HTTP 403 Fix"},
      {"# Search Latency Spike", "Search Latency Spike"},
      {"- Search Latency Spike", "Search Latency Spike"},
      {"1. Search Latency Spike", "Search Latency Spike"},
      {"`INC-2025-08-24-001 Root Cause`", "INC-2025-08-24-001 Root Cause"},
      {"```\nSearch Latency Spike\n```", "Search Latency Spike"},
      {"```text\nTitle: Search Latency Spike\n```\n", "Search Latency Spike"},
      {"<think>The user asks about search.</think>\nSearch Latency Spike", "Search Latency Spike"},
      {"<title>Search Latency Spike</title>", "Search Latency Spike"},
      {"{\"title\": \"Search Latency Spike\"}", "Search Latency Spike"},
      {"Here is a title:\n\nSearch Latency Spike", "Search Latency Spike"},
      {"Search Latency Spike\n\nIt names the service first.", "Search Latency Spike"},
      {"Search latency spike of the eu cluster",
       "Search Latency Spike"},  // cut, and no stop word at the end
      {"Search\xff Latency Spike", "Search\xef\xbf\xbd Latency Spike"},
      {"Checkout Errors", "Checkout Errors"},
      {"\x1b[31mCheckout\x1b[0m Errors", "Checkout Errors"},
      {"Portal Known Issues", "Portal Known Issues"},
      // No titles.
      {"", "Fallback Title"},
      {"\n \n", "Fallback Title"},
      {"```\n```", "Fallback Title"},
      {"Search", "Fallback Title"},
      {"of the and", "Fallback Title"},
      {"I'm sorry, but I cannot name this.", "Fallback Title"},
      {"As an AI language model I have no title", "Fallback Title"},
      {"Untitled Chat", "Fallback Title"},
      {"This conversation deals with a customer who could not pay because the gateway returned "
       "errors all night long.",
       "Fallback Title"},
      {"<think>never finished", "Fallback Title"},
  };
  for (const Case& c : cases) EXPECT_EQ(clean_title(c.said, "Fallback Title"), c.title) << c.said;
}

}  // namespace
}  // namespace precedent
