// What of PromQL is read, and how what cannot be is told.
#include "telemetry/promql/promql_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/promql/promql_lexer.h"

namespace precedent {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(PromqlParser, ReadsWhatDashboardsUse) {
  for (const char* text : {
           "up",
           "1",
           "-1 ^ 2",
           "Inf",
           "0x1F",
           "010",
           ".5e-3",
           "http_requests_total{code=~\"5..\", job!='a', x!~`b|c`, y=\"\",}",
           "{__name__=~\"http_.+\"}",
           "job:rate:sum5m",
           "rate(a[5m])",
           "rate(a[1h30m] offset 1d)",
           "a offset -5m",
           "sum(rate(a[5m])) by (job)",
           "SUM BY (job) (rate(a[5m]))",
           "sum without () (a)",
           "topk(3, a)",
           "quantile(0.9, a)",
           "a / on (x) group_left (y) b",
           "a / ignoring (x) group_right b",
           "a > bool 1",
           "1 > bool 2",
           "a and on () b or c unless d",
           "max_over_time(rate(a[5m])[1h:5m] offset 1h)",
           "max_over_time(a[1h:])",
           "histogram_quantile(0.95, sum by (le) (rate(a_bucket[5m])))",
           "label_replace(a, \"to\", \"$1\", \"from\", \"(.*)\")",
           "label_join(a, \"to\", \"-\")",
           "round(a)",
           "round(a, 0.1)",
           "sum",
           "sum{by=\"x\"}",
           "a # a comment\n + b",
           "((((a))))",
       })
    EXPECT_TRUE(parse_promql(text)) << text << ": " << parse_promql(text).error().text();
}

struct Wrong {
  const char* text;
  const char* message;
};

TEST(PromqlParser, SaysWhatIsWrongAndWhere) {
  const Wrong cases[] = {
      {"", "column 1: it ends where a metric"},
      {"sum(rate(a[5m])", "column 16: it ends where an operator, a comma or ) should stand"},
      {"a +", "column 4: it ends where"},
      {"a b", "column 3: 'b' stands where the end or an operator should stand"},
      {"a[5m]", "column 1: 'a' is a range vector, which is no answer; put it into a function"},
      {"\"x\"", "column 1: '\"x\"' is a string, which is no answer"},
      {"rate(a)",
       "column 6: 'a' is an instant vector, and rate needs a range vector: write metric[5m]"},
      {"abs(a[5m])", "'a' is a range vector, and abs needs an instant vector"},
      {"rate(a[5m]", "it ends where an operator, a comma or ) should stand"},
      {"a[5]", "column 3: '5' stands where a duration such as 5m should stand"},
      {"rate(a[0s])", "'0s' is no time at all"},
      {"rate(sum(a)[5m])", "is a range of what is no metric; write a subquery"},
      {"rate(a offset 5m [5m])", "'[' stands after offset"},
      {"rate(a[5m]) offset 5m", "'offset' stands after what is neither a metric nor a range"},
      {"{}", "selects everything"},
      {"{x=~\".*\"}", "selects everything"},
      {"a{__name__=\"b\"}", "'__name__' names the metric a second time"},
      {"a{x=~\"(\"}", "column 6: x=~\"(\": this is no regular expression"},
      {"a{x=1}", "'1' stands where a value in quotes should stand"},
      {"a{x>\"1\"}", "'>' stands where one of = != =~ !~ should stand"},
      {"1 > 2", "compares two scalars; write > bool"},
      {"a + bool 1", "'bool' goes with comparisons alone"},
      {"a and 1", "'and' stands beside a scalar"},
      {"a * on (x) 2", "one side is a scalar, which has none"},
      {"a and on (x) group_left b", "'group_left' does not go with and, or and unless"},
      {"a * on (x) group_left (x) b", "takes over x, which on() matches by already"},
      {"topk(a)", "'topk' takes a number and an expression, and one is given"},
      {"topk(a, b)", "'a' is an instant vector, and topk needs a scalar"},
      {"sum(a, b)", "'sum' takes one expression, and 2 are given"},
      {"clamp(a, 1)", "'clamp' takes 3 arguments, and 2 are given"},
      {"time(1)", "'time' takes 0 arguments, and one is given"},
      {"round()", "'round' takes 1 to 2 arguments, and 0 are given"},
      {"'abc", "column 1: ''' begins a string that does not end"},
      {"\"\\q\"", "column 2: '\\q' is no escape"},
      {"5x", "'5x' is neither a number nor a duration"},
      {"a ~ b", "column 3: '~ b' is no part of PromQL"},
      {"a +\n  rate(b)", "line 2, column 8: 'b' is an instant vector"},
  };
  for (const Wrong& wrong : cases) {
    const auto parsed = parse_promql(wrong.text);
    ASSERT_FALSE(parsed) << wrong.text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(parsed.error().message, HasSubstr(wrong.message)) << wrong.text;
  }
}

TEST(PromqlParser, WhatASnapshotDoesNotKnowIsNamedWithWhatItKnows) {
  EXPECT_THAT(parse_promql("holt_winters(a[5m], 0.5, 0.5)").error().message,
              AllOf(HasSubstr("column 1: 'holt_winters' is no function that a snapshot knows"),
                    HasSubstr("there are abs, "), HasSubstr("rate, "), HasSubstr("topk")));
  EXPECT_THAT(parse_promql("sum(rat(a[5m]))").error().message,
              AllOf(HasSubstr("column 5: 'rat'"), HasSubstr("did you mean rate?")));
  EXPECT_THAT(parse_promql("count_values(\"x\", a)").error().message,
              HasSubstr("'count_values' is no"));
  EXPECT_THAT(parse_promql("a @ 1609746000").error().message,
              HasSubstr("column 3: '@' is a modifier that a snapshot does not know"));
}

TEST(PromqlParser, DepthIsBounded) {
  const auto repeat = [](std::string_view text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
  };
  EXPECT_TRUE(parse_promql(repeat("(", 60) + "a" + repeat(")", 60)));
  for (const std::string& deep :
       {repeat("(", 60'000), repeat("-", 60'000) + "a", repeat("abs(", 10'000),
        "a" + repeat(" + a", 10'000), "a" + repeat("^a", 10'000),
        repeat("a[1m:1m]", 1) + repeat("[1m:1m]", 9000)}) {
    const auto parsed = parse_promql(deep);
    ASSERT_FALSE(parsed);
    EXPECT_LT(parsed.error().message.size(), 300u);
  }
}

TEST(PromqlParser, OperatorsBindAsInPrometheus) {
  const auto op = [](const char* text) {
    const auto root = parse_promql(text);
    EXPECT_TRUE(root) << text;
    const auto* binary = std::get_if<PromBinary>(&(*root)->kind);
    return binary == nullptr ? "-" : std::string(name(binary->op));
  };
  EXPECT_EQ(op("a + b * c"), "+");
  EXPECT_EQ(op("a * b ^ c"), "*");
  EXPECT_EQ(op("a == b + c"), "==");
  EXPECT_EQ(op("a and b == c"), "and");
  EXPECT_EQ(op("a or b and c"), "or");
  EXPECT_EQ(op("a unless b or c"), "or");
  EXPECT_EQ(op("-a ^ b"), "-");
  EXPECT_EQ(op("-a * b"), "*");
  EXPECT_EQ(op("a atan2 b + c"), "+");
}

TEST(PromqlLexer, StringsAreThoseOfGo) {
  const auto text_of = [](const char* promql) { return lex_promql(promql).value()[0].text; };
  EXPECT_EQ(text_of(R"("a\n\t\"\\\x41\101\u00e9")"), "a\n\t\"\\AA\u00e9");
  EXPECT_EQ(text_of(R"('it\'s')"), "it's");
  EXPECT_EQ(text_of(R"(`\d+`)"), R"(\d+)");
}

TEST(PromqlAst, NamesItsMetrics) {
  EXPECT_THAT(
      metrics_named_in(*parse_promql("sum(rate(b[5m])) / a + {__name__=\"c\"} + a").value()),
      ::testing::ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace precedent
