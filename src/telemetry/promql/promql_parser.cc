// Over 400 lines: one recursive descent, a function for each rule of the grammar.
#include "telemetry/promql/promql_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/nearest.h"
#include "base/strings.h"
#include "telemetry/metrics/evaluate.h"
#include "telemetry/promql/promql_cursor.h"
#include "telemetry/promql/promql_functions.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using Kind = PromToken::Kind;

// Prometheus' evaluation interval, unless it is configured.
constexpr milliseconds kSubqueryStep = std::chrono::minutes(1);
// A query is written by a person or a dashboard; longer ones are neither.
constexpr size_t kMaxText = 64 * 1024;

class Parser : PromCursor {
 public:
  using PromCursor::PromCursor;

  Result<PromNodePtr> run() {
    PromNodePtr root = TRY(expression(0));
    if (peek().kind != Kind::kEnd) return unexpected_here("the end or an operator");
    if (root->type != PromType::kScalar && root->type != PromType::kVector)
      return wrong(*root, fmt::format("is {}, which is no answer; {}", name(root->type),
                                      root->type == PromType::kRange
                                          ? "put it into a function: rate(…), max_over_time(…)"
                                          : "write an expression over metrics"));
    return root;
  }

 private:
  // One more level while it lives.
  struct Level {
    explicit Level(int& depth) : depth_(depth) { ++depth_; }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    int& depth_;
  };

  // Gives the node its place and its height.
  Result<PromNodePtr> made(PromNode node, size_t at, std::vector<const PromNode*> children = {}) {
    node.at = at;
    for (const PromNode* child : children) node.height = std::max(node.height, child->height + 1);
    if (node.height > kMaxPromDepth)
      return wrong(node, fmt::format("lies more than {} levels deep (each operator of a chain is a "
                                     "level); ask for a part of it",
                                     kMaxPromDepth));
    return std::make_unique<PromNode>(std::move(node));
  }

  // Operators at least as strong as `least`.
  Result<PromNodePtr> expression(int least) {
    const Level level(depth_);
    if (depth_ > kMaxPromDepth)
      return wrong(peek(), fmt::format("lies more than {} levels deep; ask for a part of it",
                                       kMaxPromDepth));
    PromNodePtr left = TRY(signed_expression());
    for (const PromOperator* op = next_operator(); op != nullptr && op->strength >= least;
         op = next_operator()) {
      const PromToken sign = take();
      PromBinary binary{.op = op->op};
      const bool matching = TRY(modifiers(binary));
      // Powers bind to the right: 2 ^ 3 ^ 2 is 2 ^ 9.
      binary.right = TRY(expression(op->strength + (op->strength == kPowerStrength ? 0 : 1)));
      binary.left = std::move(left);
      left = TRY(checked(std::move(binary), matching, sign));
    }
    return left;
  }

  Result<PromNodePtr> signed_expression() {
    if (!is_sign("-") && !is_sign("+")) return with_suffixes(TRY(primary()));
    const PromToken sign = take();
    // -2 ^ 2 is -4, and -a * b is (-a) * b.
    PromNodePtr of = TRY(expression(kPowerStrength));
    if (of->type != PromType::kScalar && of->type != PromType::kVector)
      return wrong(sign, fmt::format("stands before {}; a sign needs a scalar or an instant vector",
                                     name(of->type)));
    if (sign.raw == "+") return of;
    const PromNode* child = of.get();
    PromNode node{.type = child->type};
    node.kind = PromNegation{std::move(of)};
    return made(std::move(node), sign.at, {child});
  }

  // Whether there is on or ignoring.
  Result<bool> modifiers(PromBinary& binary) {
    if (is_word("bool")) {
      const PromToken word = take();
      if (!is_comparison(binary.op))
        return wrong(word, "goes with comparisons alone: == != < <= > >=");
      binary.as_bool = true;
    }
    if (!is_word("on") && !is_word("ignoring")) return false;
    binary.on = iequals(take().raw, "on");
    binary.labels = TRY(labels());
    if (!is_word("group_left") && !is_word("group_right")) return true;
    const PromToken group = take();
    if (is_set_operation(binary.op))
      return wrong(group, "does not go with and, or and unless, which match many to many anyway");
    binary.many =
        iequals(group.raw, "group_left") ? PromBinary::Many::kLeft : PromBinary::Many::kRight;
    if (is_sign("(")) binary.include = TRY(labels());
    for (const std::string& label : binary.include)
      if (binary.on && std::ranges::find(binary.labels, label) != binary.labels.end())
        return wrong(group,
                     fmt::format("takes over {}, which on() matches by already; leave it out "
                                 "of one of the two",
                                 label));
    return true;
  }

  Result<PromNodePtr> checked(PromBinary binary, bool matching, const PromToken& sign) {
    const PromType left = binary.left->type, right = binary.right->type;
    for (const PromType side : {left, right})
      if (side != PromType::kScalar && side != PromType::kVector)
        return wrong(
            sign, fmt::format("stands beside {}; it needs scalars or instant vectors", name(side)));
    const bool scalar = left == PromType::kScalar || right == PromType::kScalar;
    if (scalar && is_set_operation(binary.op))
      return wrong(sign, "stands beside a scalar; it needs two instant vectors");
    if (left == right && scalar && is_comparison(binary.op) && !binary.as_bool)
      return wrong(sign, fmt::format("compares two scalars; write {} bool", sign.raw));
    if (scalar && matching)
      return wrong(sign,
                   "matches labels, and one side is a scalar, which has none; leave out on "
                   "and ignoring");
    PromNode node{.type = left == PromType::kVector ? left : right};
    const PromNode *a = binary.left.get(), *b = binary.right.get();
    node.kind = std::move(binary);
    return made(std::move(node), sign.at, {a, b});
  }

  // (a, b), also ().
  Result<std::vector<std::string>> labels() {
    std::vector<std::string> out;
    TRY(expect("(", "( and labels"));
    while (!is_sign(")")) {
      if (peek().kind != Kind::kName || !is_label_name(peek().raw))
        return unexpected_here("a label");
      out.emplace_back(take().raw);
      if (!accept(",") && !is_sign(")")) return unexpected_here("a comma or )");
    }
    take();
    return out;
  }

  Result<PromNodePtr> primary() {
    const PromToken& token = peek();
    if (token.kind == Kind::kNumber) {
      PromNode node{.type = PromType::kScalar};
      node.kind = PromNumber{token.number};
      return made(std::move(node), take().at);
    }
    if (token.kind == Kind::kString) {
      PromNode node{.type = PromType::kString};
      node.kind = PromString{token.text};
      return made(std::move(node), take().at);
    }
    if (accept("(")) {
      PromNodePtr inner = TRY(expression(0));
      TRY(expect(")", "an operator or )"));
      inner->parenthesised = true;
      return inner;
    }
    if (is_sign("{")) return selector({});
    if (token.kind != Kind::kName) return unexpected_here("a metric, a function, a number or (");
    const PromToken word = take();
    if (is_sign("(") || is_word("by") || is_word("without")) {
      if (const PromAggregatorName* aggregator = find_prom_aggregator(ascii_lower(word.raw)))
        return aggregation(*aggregator, word);
      if (is_sign("(")) return call(word);
    }
    return selector(word);
  }

  Result<PromNodePtr> selector(std::optional<PromToken> word) {
    const size_t at = word ? word->at : peek().at;
    PromSelector out{.metric = word ? std::string(word->raw) : std::string(), .filters = {}};
    if (accept("{")) {
      while (!is_sign("}")) {
        out.filters.push_back(TRY(filter(out)));
        if (!accept(",") && !is_sign("}")) return unexpected_here("a comma or }");
      }
      take();
    }
    const auto names_something = [](const LabelFilter& filter) {
      const auto matcher = LabelMatcher::create({filter});
      return matcher && !matcher->matches({});
    };
    if (out.metric.empty() && std::ranges::none_of(out.filters, names_something))
      return promql_error(
          text(), at, "{",
          "selects everything; name a metric, or a label's value that is not empty");
    PromNode node{.type = PromType::kVector};
    node.kind = std::move(out);
    return made(std::move(node), at);
  }

  Result<LabelFilter> filter(const PromSelector& selector) {
    using Op = LabelFilter::Op;
    const PromToken label = peek();
    if (label.kind != Kind::kName || !is_label_name(label.raw))
      return unexpected_here("a label or }");
    take();
    LabelFilter out{.label = std::string(label.raw), .value = {}};
    if (out.label == "__name__" && !selector.metric.empty())
      return wrong(
          label, fmt::format("names the metric a second time; it is {} already", selector.metric));
    const std::string_view sign = peek().kind == Kind::kSign ? peek().raw : "";
    if (sign != "=" && sign != "!=" && sign != "=~" && sign != "!~")
      return unexpected_here("one of = != =~ !~");
    out.op = sign == "="    ? Op::kEqual
             : sign == "!=" ? Op::kNotEqual
             : sign == "=~" ? Op::kMatches
                            : Op::kNotMatches;
    take();
    if (peek().kind != Kind::kString) return unexpected_here("a value in quotes");
    const PromToken value = take();
    out.value = value.text;
    if (const auto matcher = LabelMatcher::create({out}); !matcher)
      return promql_error(text(), value.at, "", matcher.error().message);
    return out;
  }

  // What may follow: [5m], [1h:1m], offset 5m.
  Result<PromNodePtr> with_suffixes(PromNodePtr node) {
    for (;;) {
      if (is_sign("@"))
        return wrong(peek(),
                     "is a modifier that a snapshot does not know; give the time with "
                     "until=, or use offset");
      if (is_sign("[")) {
        node = TRY(ranged(std::move(node)));
      } else if (is_word("offset")) {
        TRY(move_back(*node));
      } else {
        return node;
      }
    }
  }

  Result<milliseconds> duration(bool zero_is_fine) {
    if (peek().kind != Kind::kDuration) return unexpected_here("a duration such as 5m");
    const PromToken token = take();
    if (!zero_is_fine && token.duration <= milliseconds(0))
      return wrong(token, "is no time at all; write 5m");
    return token.duration;
  }

  Result<PromNodePtr> ranged(PromNodePtr of) {
    const PromToken bracket = take();
    const milliseconds range = TRY(duration(false));
    const PromNode* child = of.get();
    PromNode node{.type = PromType::kRange};
    if (accept(":")) {
      if (of->type != PromType::kVector)
        return wrong(bracket, fmt::format("is a subquery of {}; it needs an instant vector",
                                          name(of->type)));
      const milliseconds step = is_sign("]") ? kSubqueryStep : TRY(duration(false));
      node.kind = PromSubquery{.of = std::move(of), .range = range, .step = step};
    } else {
      const auto* selector = std::get_if<PromSelector>(&of->kind);
      if (selector == nullptr || of->parenthesised)
        return wrong(bracket, "is a range of what is no metric; write a subquery: [1h:1m]");
      if (selector->offset != milliseconds(0))
        return wrong(bracket, "stands after offset; write metric[5m] offset 1h");
      node.kind = PromRange{std::move(of), range};
    }
    TRY(expect("]", "]"));
    return made(std::move(node), child->at, {child});
  }

  Result<void> move_back(PromNode& node) {
    const PromToken word = take();
    const bool forth = accept("-");
    const milliseconds offset = TRY(duration(true)) * (forth ? -1 : 1);
    milliseconds* place = nullptr;
    if (auto* range = std::get_if<PromRange>(&node.kind))
      place = &std::get<PromSelector>(range->of->kind).offset;
    else if (auto* selector = std::get_if<PromSelector>(&node.kind))
      place = &selector->offset;
    else if (auto* subquery = std::get_if<PromSubquery>(&node.kind))
      place = &subquery->offset;
    if (place == nullptr || node.parenthesised)
      return wrong(word,
                   "stands after what is neither a metric nor a range; write it within the "
                   "brackets: rate(metric[5m] offset 1h)");
    if (*place != milliseconds(0)) return wrong(word, "is given twice; keep one of them");
    *place = offset;
    return {};
  }

  Result<PromNodePtr> aggregation(const PromAggregatorName& aggregator, const PromToken& word) {
    PromAggregation out{.aggregator = aggregator.aggregator};
    const auto grouping = [&]() -> Result<bool> {
      if (!is_word("by") && !is_word("without")) return false;
      out.without = iequals(take().raw, "without");
      out.labels = TRY(labels());
      return true;
    };
    const bool grouped = TRY(grouping());
    std::vector<PromNodePtr> args = TRY(arguments());
    if (!grouped) TRY(grouping());
    const size_t wanted = aggregator.has_parameter ? 2 : 1;
    if (args.size() != wanted)
      return wrong(word,
                   fmt::format("takes {}, and {} given",
                               wanted == 1 ? "one expression" : "a number and an expression",
                               args.size() == 1 ? "one is" : fmt::format("{} are", args.size())));
    TRY(expect_type(*args.back(), PromType::kVector, word));
    std::vector<const PromNode*> children = {args.back().get()};
    if (wanted == 2) {
      TRY(expect_type(*args[0], PromType::kScalar, word));
      children.push_back(args[0].get());
      out.parameter = std::move(args[0]);
    }
    out.of = std::move(args.back());
    PromNode node{.type = PromType::kVector};
    node.kind = std::move(out);
    return made(std::move(node), word.at, children);
  }

  Result<std::vector<PromNodePtr>> arguments() {
    std::vector<PromNodePtr> out;
    TRY(expect("(", "("));
    while (!is_sign(")")) {
      out.push_back(TRY(expression(0)));
      if (accept(",")) {
        if (is_sign(")")) return unexpected_here("an argument");
      } else if (!is_sign(")")) {
        return unexpected_here("an operator, a comma or )");
      }
    }
    take();
    return out;
  }

  Result<void> expect_type(const PromNode& arg, PromType wanted, const PromToken& function) const {
    if (arg.type == wanted) return {};
    return wrong(arg,
                 fmt::format("is {}, and {} needs {}{}", name(arg.type), function.raw, name(wanted),
                             wanted == PromType::kRange ? ": write metric[5m]" : ""));
  }

  std::unexpected<Error> unknown_function(const PromToken& word) const {
    std::vector<std::string> names = prom_function_names();
    const std::vector<std::string> aggregators = prom_aggregator_names();
    names.insert(names.end(), aggregators.begin(), aggregators.end());
    const auto close = nearest(word.raw, names);
    return wrong(word, fmt::format("is no function that a snapshot knows{}; {}",
                                   close ? fmt::format("; did you mean {}?", *close) : "",
                                   promql_abilities()));
  }

  Result<PromNodePtr> call(const PromToken& word) {
    const PromFunction* function = find_prom_function(word.raw);
    if (function == nullptr) return unknown_function(word);
    std::vector<PromNodePtr> args = TRY(arguments());
    const size_t most = function->args.size();
    const size_t least = most - function->optional_args - (function->repeats_last ? 1 : 0);
    if (args.size() < least || (args.size() > most && !function->repeats_last))
      return wrong(word,
                   fmt::format("takes {} argument{}, and {} given",
                               least == most            ? fmt::format("{}", most)
                               : function->repeats_last ? fmt::format("at least {}", least)
                                                        : fmt::format("{} to {}", least, most),
                               most == 1 ? "" : "s",
                               args.size() == 1 ? "one is" : fmt::format("{} are", args.size())));
    std::vector<const PromNode*> children;
    for (size_t i = 0; i < args.size(); ++i) {
      TRY(expect_type(*args[i], function->args[std::min(i, most - 1)], word));
      children.push_back(args[i].get());
    }
    PromNode node{.type = function->returns};
    node.kind = PromCall{function, std::move(args)};
    return made(std::move(node), word.at, children);
  }

  int depth_ = 0;
};

}  // namespace

std::string promql_abilities() {
  return fmt::format("there are {}; and {} by () or without ()", join(prom_function_names(), ", "),
                     join(prom_aggregator_names(), ", "));
}

Result<PromNodePtr> parse_promql(std::string_view text) {
  if (text.size() > kMaxText)
    return fail(ErrorCode::kInvalidArgument,
                "the PromQL is longer than 64 KB; ask for a part of it");
  return Parser(text, TRY(lex_promql(text))).run();
}

}  // namespace precedent
