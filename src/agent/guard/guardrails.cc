#include "agent/guard/guardrails.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "agent/guard/guardrail_rules.h"
#include "agent/language/example_vectors.h"
#include "agent/language/operator_file.h"
#include "agent/language/plain_words.h"
#include "agent/slots/signals.h"
#include "agent/slots/subjects.h"
#include "agent/slots/unread_script.h"
#include "agent/understand/intent.h"
#include "base/ids.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "files/files.h"
#include "time/time_hints.h"

namespace precedent {
namespace {

// Weights of evidence for operations, and what is enough to allow.
constexpr int kName = 3, kForm = 3, kWord = 2, kHint = 1;
constexpr int kEnough = 2;
// A sentence of the deny list yields to a question that is clearly about operations ("ransomware
// encrypted our files") unless it is nearly the sentence itself.
constexpr double kDenyAnyway = 0.85;
// Meaning alone takes a request for off-topic when it is this near to an example of a topic, and
// this much nearer than to any example of operations; more is needed beside a single hint of
// operations. Chosen on the dev half of eval/guardrails.jsonl; see eval/README.md.
struct Nearness {
  double cosine, margin;
};
constexpr Nearness kTopic{0.33, 0.15}, kTopicBesideHint{0.50, 0.25};
// Less is enough, and it need not be a request, where nothing that is known comes near to the
// question.
constexpr double kStrange = 0.24;
constexpr Nearness kTopicOfStrange{0.27, 0.09};
// As near as this to something that is known is about it ("the discount of gold members" of a shop
// that has some), but where an example is nearer by far.
constexpr double kFamiliar = 0.42;
// So near, and so far from operations and from all that is known, that an ordinary word beside it
// ("file", "return") does not save it.
constexpr Nearness kNearlyTheExample{0.62, 0.30};

// A clause of fewer words says too little of its own; a text of more clauses is a log or a mail.
constexpr size_t kMinClauseWords = 5, kMaxClauses = 8;

// Longer quotations of the question make a reason unreadable.
constexpr size_t kMaxReasonBytes = 120;

using Forms = std::vector<std::unique_ptr<RE2>>;

// Latin-1: forms are matched byte by byte, so that \S+ stays small; both sides are the same bytes
// of UTF-8.
Result<Forms> compile(const std::vector<PhraseForm>& forms, std::string_view origin,
                      ConfigProblems* all) {
  RE2::Options options(RE2::Latin1);
  options.set_log_errors(false);
  Forms compiled;
  for (const PhraseForm& form : forms) {
    auto pattern = std::make_unique<RE2>(form.pattern, options);
    if (!pattern->ok()) {
      Error error{ErrorCode::kInvalidArgument,
                  fmt::format("{}:{}: the form '{}' is no RE2 expression: {}", origin, form.line,
                              utf8_prefix(form.pattern, 80), pattern->error())};
      if (all == nullptr) return std::unexpected(std::move(error));
      all->push_back(std::move(error));
      continue;
    }
    compiled.push_back(std::move(pattern));
  }
  return compiled;
}

// What the first form that matches matches; "" if none does.
std::string first_match(const Forms& forms, const std::string& text) {
  for (const auto& form : forms) {
    re2::StringPiece found;
    if (form->Match(text, 0, text.size(), RE2::UNANCHORED, &found, 1))
      return found.empty() ? std::string("(empty)") : found.as_string();
  }
  return "";
}

PhraseSet phrases(const std::vector<std::string>& list, PhraseSet::Compare compare) {
  PhraseSet set(compare);
  for (const std::string& phrase : list) set.add(phrase);
  return set;
}

struct Topic {
  TopicRules rules;
  Forms forms, unless;
  PhraseSet words{PhraseSet::Compare::kStemmed};
};

struct Denied {
  DenyGroup rules;
  PhraseSet phrases{PhraseSet::Compare::kExact};  // and words
};

// What speaks for operations.
struct Evidence {
  int score = 0;
  bool named =
      false;  // by a name of the knowledge base, or by a form: an id, an error code, a path
  std::vector<std::string> because;
  void add(int weight, std::string what) {
    score += weight;
    because.push_back(std::move(what));
  }
};

// The question in the shapes that rules read.
struct Read {
  std::string text;
  PlainWords plain;
  PlainWords undisguised;
  PlainWords unquoted;  // without what stands between quotation marks
  bool is_request = false;
};

std::string without_quotations(std::string_view text) {
  static const RE2 kQuotation("\"[^\"]*\"|`[^`]*`|“[^”]*”|«[^»]*»|(?:^|[\\s(])'[^'\\n]*'");
  std::string out(text);
  RE2::GlobalReplace(&out, kQuotation, " ");
  return out;
}

// Parts of sentences that may be a request of their own: "I am on call all weekend, what series
// should I watch?"
std::vector<std::string> clauses_of(std::string_view text) {
  std::vector<std::string> clauses(1);
  for (size_t i = 0; i < text.size(); ++i) {
    const bool before_space = i + 1 == text.size() || text[i + 1] == ' ' || text[i + 1] == '\n';
    const bool ends =
        text[i] == '\n' ||
        (std::string_view(".,;:!?").find(text[i]) != std::string_view::npos && before_space);
    if (!ends)
      clauses.back() += text[i];
    else if (!trim(clauses.back()).empty())
      clauses.emplace_back();
  }
  if (trim(clauses.back()).empty()) clauses.pop_back();
  return clauses;
}

Read read(std::string text) {
  Read read;
  read.plain = plain_words(text);
  read.undisguised = undisguised(read.plain);
  read.unquoted = plain_words(without_quotations(text));
  read.text = std::move(text);
  return read;
}

std::string cut(std::string_view text) { return std::string(utf8_prefix(text, kMaxReasonBytes)); }

Verdict refusal(std::string code, std::string reason, std::string message) {
  return {.action = Verdict::Action::kRefuse,
          .code = std::move(code),
          .reason = std::move(reason),
          .message = std::move(message)};
}

}  // namespace

struct Guardrails::Impl {
  GuardrailRules rules;
  std::vector<Denied> deny;
  std::vector<Topic> topics;
  PhraseSet allow{PhraseSet::Compare::kExact};
  PhraseSet operation_words{PhraseSet::Compare::kStemmed}, hints{PhraseSet::Compare::kStemmed};
  Forms operation_forms, request_forms, clarify_forms, tool_forms;
  PhraseSet vague_words{PhraseSet::Compare::kStemmed}, pointers{PhraseSet::Compare::kExact};
  Analyzer analyzer;
  const Embedder* embedder = nullptr;
  // Groups: of deny; of topics, with operations as the one after the last topic.
  std::optional<ExampleVectors> deny_examples, topic_examples;
  std::vector<std::string> warnings;

  Result<Verdict> decide(std::string_view question, const GuardrailContext& context) const;
  std::optional<Verdict> denied_by_words(const Read& q) const;
  Result<std::optional<Verdict>> denied_by_meaning(const Read& q, int operations,
                                                   std::optional<Embeddings>& vector) const;
  Evidence operations(const Read& q, const PlainWords& plain,
                      const GuardrailContext& context) const;
  std::optional<Verdict> precise_topic(const Read& q, const GuardrailContext& context) const;
  std::optional<Verdict> unread(const Read& q, const GuardrailContext& context) const;
  std::optional<Verdict> off_topic(const Read& q, int operations,
                                   const GuardrailContext& context) const;
  Result<Verdict> by_meaning(const Read& q, int operations, const GuardrailContext& context,
                             std::optional<Embeddings>& vector) const;
  Result<std::optional<Verdict>> off_topic_clause(const Read& q,
                                                  const GuardrailContext& context) const;
  std::optional<Verdict> of_the_tool(const Read& q, int operations,
                                     const GuardrailContext& context) const;
  std::optional<Verdict> vague(const Read& q, const Evidence& evidence,
                               const GuardrailContext& context) const;
  Verdict refuse_topic(const Topic& topic, std::string_view how) const;
  Result<std::span<const float>> embed(const Read& q, std::optional<Embeddings>& vector) const;
};

std::optional<Verdict> Guardrails::Impl::denied_by_words(const Read& q) const {
  for (const Denied& group : deny) {
    for (const PlainWords* plain : {&q.plain, &q.undisguised}) {
      const auto found = group.phrases.find(*plain);
      if (found.empty()) continue;
      return refusal("denied", fmt::format("deny {}: '{}'", group.rules.name, found[0].phrase),
                     fmt::format("{} {}", group.rules.message, rules.offer));
    }
  }
  return std::nullopt;
}

Result<std::span<const float>> Guardrails::Impl::embed(const Read& q,
                                                       std::optional<Embeddings>& vector) const {
  if (!vector) {
    const std::string_view text = q.text;
    vector = TRY(embedder->embed({&text, 1}));
  }
  return vector->row(0);
}

Result<std::optional<Verdict>> Guardrails::Impl::denied_by_meaning(
    const Read& q, int operations, std::optional<Embeddings>& vector) const {
  if (!deny_examples) return std::nullopt;
  const std::span<const float> row = TRY(embed(q, vector));
  const auto nearest = TRY(deny_examples->nearest(row));
  if (nearest.empty()) return std::nullopt;
  const auto& best = nearest.front();
  const double enough =
      operations >= kEnough ? std::max(kDenyAnyway, rules.deny_similarity) : rules.deny_similarity;
  if (best.cosine < enough) return std::nullopt;
  const DenyGroup& group = deny[best.group].rules;
  return refusal(
      "denied",
      fmt::format("deny {}: meaning {:.2f} of '{}'", group.name, best.cosine, best.sentence),
      fmt::format("{} {}", group.message, rules.offer));
}

Evidence Guardrails::Impl::operations(const Read& q, const PlainWords& plain,
                                      const GuardrailContext& context) const {
  Evidence evidence;
  if (context.known_name) {
    const std::string name = context.known_name(q.text);
    evidence.named = !name.empty();
    if (evidence.named) evidence.add(kName, fmt::format("name '{}'", cut(name)));
  }
  const std::string form = first_match(operation_forms, fold_hyphens(q.text));
  if (!form.empty()) {
    evidence.named = true;
    evidence.add(kForm, fmt::format("form '{}'", cut(form)));
  }
  for (const auto& word : operation_words.find(plain))
    evidence.add(kWord, fmt::format("word '{}'", word.phrase));
  for (const auto& hint : hints.find(plain))
    evidence.add(kHint, fmt::format("hint '{}'", hint.phrase));
  return evidence;
}

Verdict Guardrails::Impl::refuse_topic(const Topic& topic, std::string_view how) const {
  return refusal("off_topic", fmt::format("topic {}: {}", topic.rules.name, how),
                 fmt::format("{} {}", topic.rules.message, rules.offer));
}

// A form that stands only inside quotation marks is what somebody reports rather than asks, if the
// rest is about operations.
std::optional<Verdict> Guardrails::Impl::precise_topic(const Read& q,
                                                       const GuardrailContext& context) const {
  for (const Topic& topic : topics) {
    if (!topic.rules.precise || !first_match(topic.unless, q.plain.text).empty()) continue;
    std::string found = first_match(topic.forms, q.plain.text);
    if (found.empty()) found = first_match(topic.forms, q.undisguised.text);
    if (found.empty()) continue;
    const bool reported = first_match(topic.forms, q.unquoted.text).empty() &&
                          operations(q, q.unquoted, context).score >= kEnough;
    if (!reported) return refuse_topic(topic, fmt::format("'{}'", cut(found)));
  }
  return std::nullopt;
}

// A question that no rule can read: a model may. Without one, its names are all that is known of
// it.
std::optional<Verdict> Guardrails::Impl::unread(const Read& q,
                                                const GuardrailContext& context) const {
  if (!is_unread_script(q.text)) return std::nullopt;
  if (context.model)
    return Verdict{.reason = "another script: the model reads it", .question = q.text};
  const auto names =
      context.things_named ? context.things_named(q.text) : std::vector<std::string>();
  if (!names.empty())
    return Verdict{.reason = fmt::format("another script, but it names '{}'", cut(names.front())),
                   .question = q.text};
  return Verdict{.action = Verdict::Action::kAskBack,
                 .code = "unread_script",
                 .reason = "another script",
                 .message = unread_script_note({}),
                 .choices = context.choices};
}

std::optional<Verdict> Guardrails::Impl::off_topic(const Read& q, int operations,
                                                   const GuardrailContext& context) const {
  if (operations >= kEnough) return std::nullopt;
  for (const Topic& topic : topics) {
    if (!first_match(topic.unless, q.plain.text).empty()) continue;
    const std::string form = first_match(topic.forms, q.plain.text);
    const auto words = topic.words.find(q.plain);
    // A form or a word alone is refused only where nothing speaks for operations; a word only in a
    // request, because shops of all kinds have outages ("bookings for hotels get lost").
    if (form.empty() && (context.model || !q.is_request)) continue;
    const bool both = !form.empty() && !words.empty();
    const bool any = !form.empty() || !words.empty();
    if (operations == 0 ? !any : !both) continue;
    return refuse_topic(topic, fmt::format("'{}'", form.empty() ? words[0].phrase : cut(form)));
  }
  return std::nullopt;
}

// What neither words nor forms know: an allowing verdict carries its reason only.
Result<Verdict> Guardrails::Impl::by_meaning(const Read& q, int operations,
                                             const GuardrailContext& context,
                                             std::optional<Embeddings>& vector) const {
  if (!topic_examples || operations > kEnough) return Verdict{};
  const std::span<const float> row = TRY(embed(q, vector));
  double nearest_operations = 0;
  std::optional<ExampleVectors::Nearest> best;
  for (auto& nearest : TRY(topic_examples->nearest(row))) {
    if (nearest.group == topics.size())
      nearest_operations = nearest.cosine;
    else if (!best)
      best = std::move(nearest);
  }
  if (!best) return Verdict{};
  const std::optional<double> known =
      context.nearest_known ? context.nearest_known(row) : std::nullopt;
  const double other = std::max(nearest_operations, known.value_or(0));
  const auto is_near = [&](const Nearness& enough, double ordinary) {
    return best->cosine >= enough.cosine && best->cosine >= ordinary + enough.margin;
  };
  const bool familiar =
      known.value_or(0) >= kFamiliar && best->cosine < *known + kNearlyTheExample.margin;
  const bool off_topic =
      is_near(kNearlyTheExample, other) ||
      (!context.model && operations < kEnough &&
       ((q.is_request && !familiar &&
         is_near(operations == 0 ? kTopic : kTopicBesideHint, nearest_operations)) ||
        (known && *known < kStrange && is_near(kTopicOfStrange, other))));
  const std::string why = fmt::format(
      "meaning {:.2f} of '{}', {:.2f} of operations{}", best->cosine, best->sentence,
      nearest_operations, known ? fmt::format(", {:.2f} of what is known", *known) : std::string());
  if (!off_topic) return Verdict{.reason = "not off-topic: " + why};
  return refuse_topic(topics[best->group], why);
}

// Operations that only stand around a request for something else do not carry it. What points
// elsewhere ("should I restart it?") is no request of its own.
Result<std::optional<Verdict>> Guardrails::Impl::off_topic_clause(
    const Read& q, const GuardrailContext& context) const {
  const std::vector<std::string> clauses = clauses_of(without_quotations(q.text));
  if (clauses.size() < 2 || clauses.size() > kMaxClauses) return std::nullopt;
  for (const std::string& text : clauses) {
    Read clause = read(text);
    if (clause.plain.words.size() < kMinClauseWords) continue;
    clause.is_request = !first_match(request_forms, clause.plain.text).empty();
    if (!clause.is_request || !pointers.find(clause.plain).empty()) continue;
    if (operations(clause, clause.plain, context).score > 0) continue;
    std::optional<Embeddings> vector;
    Verdict verdict = TRY(by_meaning(clause, 0, context, vector));
    if (verdict.action != Verdict::Action::kAllow) return verdict;
  }
  return std::nullopt;
}

std::optional<Verdict> Guardrails::Impl::of_the_tool(const Read& q, int operations,
                                                     const GuardrailContext& context) const {
  if (operations >= kEnough) return std::nullopt;
  std::string found = first_match(tool_forms, q.plain.text);
  if (found.empty()) return std::nullopt;
  return Verdict{.action = Verdict::Action::kAskBack,
                 .code = "vague",
                 .reason = std::move(found),
                 .message = rules.offer.empty() ? rules.clarify.message : rules.offer,
                 .choices = context.choices};
}

std::optional<Verdict> Guardrails::Impl::vague(const Read& q, const Evidence& evidence,
                                               const GuardrailContext& context) const {
  // "Latency is up since tonight", "everything slow": metrics tell of what.
  const auto live = [&] {
    const Signals signals = read_signals(q.plain.text);
    const bool measured =
        signals.latency || signals.errors || signals.throughput || signals.saturation;
    const bool dated = signals.deploy || !find_time_hints(q.plain.text, TimePoint()).empty();
    static const RE2 kAll("\\b(?:everything|all (?:services|systems|endpoints|requests))\\b");
    const bool all = RE2::PartialMatch(q.plain.text, kAll);
    return asks_how_all_is(q.plain.text) || signals.firing || (measured && (dated || all));
  };
  if (context.has_history || (context.live && live())) return std::nullopt;
  // An identifier says what is meant, whatever stands around it: KubePodNotReady.
  const auto identifies = [](const Subject& subject) {
    return subject.kind == SubjectKind::kSymbol;
  };
  if (std::ranges::any_of(find_subjects(q.text, {}, {}, {}), identifies)) return std::nullopt;
  // "What is this?" above a pasted log says what is meant.
  std::string about = evidence.score >= kEnough ? "" : first_match(clarify_forms, q.plain.text);
  if (about.empty()) {
    if (evidence.named) return std::nullopt;
    // What remains when the words that say nothing are taken out.
    std::string rest;
    size_t at = 0;
    const auto keep_until = [&](size_t end) {
      for (; at < end; ++at) rest += q.plain.words[at] + ' ';
    };
    for (const auto& word : vague_words.find(q.plain)) {
      keep_until(word.begin);
      at = word.end;
    }
    keep_until(q.plain.words.size());
    if (!is_vague(rest, analyzer)) return std::nullopt;
    about = "no word that says what is meant";
  }
  return Verdict{.action = Verdict::Action::kAskBack,
                 .code = "vague",
                 .reason = std::move(about),
                 .message = rules.clarify.message,
                 .choices = context.choices};
}

Result<Verdict> Guardrails::Impl::decide(std::string_view question,
                                         const GuardrailContext& context) const {
  Verdict valid = validate_question(question, context.limits, context.choices);
  if (valid.action != Verdict::Action::kAllow) return valid;
  Read q = read(valid.question);
  q.is_request = !first_match(request_forms, q.plain.text).empty();
  if (auto verdict = denied_by_words(q)) return std::move(*verdict);
  const Evidence evidence = operations(q, q.plain, context);
  const auto allow_because = [&](std::string reason) {
    valid.reason = std::move(reason);
    return valid;
  };
  if (const auto exempt = allow.find(q.plain); !exempt.empty())
    return allow_because(fmt::format("allow '{}'", exempt[0].phrase));
  std::optional<Embeddings> vector;
  if (auto verdict = TRY(denied_by_meaning(q, evidence.score, vector))) return std::move(*verdict);
  if (auto verdict = precise_topic(q, context)) return std::move(*verdict);
  if (auto verdict = unread(q, context)) return std::move(*verdict);
  if (auto verdict = of_the_tool(q, evidence.score, context)) return std::move(*verdict);
  if (context.leans_on_history) return allow_because("leans on the conversation");
  if (auto verdict = off_topic(q, evidence.score, context)) return std::move(*verdict);
  if (auto verdict = vague(q, evidence, context)) return std::move(*verdict);
  Verdict verdict = TRY(by_meaning(q, evidence.score, context, vector));
  if (verdict.action != Verdict::Action::kAllow) return verdict;
  if (auto off = TRY(off_topic_clause(q, context))) return std::move(*off);
  if (!evidence.because.empty())
    return allow_because("operations: " + join(evidence.because, ", "));
  return allow_because(verdict.reason.empty() ? "nothing speaks against it" : verdict.reason);
}

namespace {

// "" in no folder.
std::filesystem::path file_in(const std::filesystem::path& folder, const char* name) {
  return folder.empty() ? folder : folder / name;
}

}  // namespace

Guardrails::Guardrails(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Guardrails::Guardrails(Guardrails&&) noexcept = default;
Guardrails& Guardrails::operator=(Guardrails&&) noexcept = default;
Guardrails::~Guardrails() = default;

const std::string& Guardrails::offer() const { return impl_->rules.offer; }
const std::vector<std::string>& Guardrails::warnings() const { return impl_->warnings; }

Result<Guardrails> Guardrails::open(const std::filesystem::path& data_dir,
                                    const Embedder* embedder) {
  const OperatorFile file =
      TRY(read_operator_file(data_dir, "guardrails.yaml", default_guardrails()));
  return parse(file.text, file.origin, embedder, data_dir / "cache");
}

Result<Guardrails> Guardrails::parse(std::string_view yaml, std::string_view origin,
                                     const Embedder* embedder, const std::filesystem::path& cache,
                                     ConfigProblems* all) {
  using Compare = PhraseSet::Compare;
  auto impl = std::make_unique<Impl>();
  impl->rules = TRY(parse_guardrail_rules(yaml, origin, all));
  const GuardrailRules& rules = impl->rules;
  for (const DenyGroup& group : rules.deny) {
    Denied denied{group};
    for (const auto* list : {&group.words, &group.phrases})
      for (const std::string& phrase : *list) denied.phrases.add(phrase);
    impl->deny.push_back(std::move(denied));
  }
  for (const TopicRules& topic : rules.topics) {
    auto forms = TRY(compile(topic.forms, origin, all));
    auto unless = TRY(compile(topic.unless, origin, all));
    impl->topics.push_back(
        {topic, std::move(forms), std::move(unless), phrases(topic.words, Compare::kStemmed)});
  }
  impl->allow = phrases(rules.allow, Compare::kExact);
  impl->operation_words = phrases(rules.operations.words, Compare::kStemmed);
  impl->hints = phrases(rules.operations.hints, Compare::kStemmed);
  impl->operation_forms = TRY(compile(rules.operations.forms, origin, all));
  impl->request_forms = TRY(compile(rules.requests, origin, all));
  impl->clarify_forms = TRY(compile(rules.clarify.forms, origin, all));
  impl->tool_forms = TRY(compile(rules.clarify.tool, origin, all));
  impl->vague_words = phrases(rules.clarify.words, Compare::kStemmed);
  impl->pointers = phrases({"it", "its", "this", "that", "these", "those", "them", "they", "their",
                            "there", "here", "then", "we", "our", "us", "one", "ones"},
                           Compare::kExact);
  impl->embedder = embedder;
  if (embedder == nullptr) {
    impl->warnings.emplace_back(
        "no embedding weights: the guardrails compare questions by words only, not by meaning");
    return Guardrails(std::move(impl));
  }
  impl->deny_examples.emplace(*embedder, file_in(cache, "deny.vectors"));
  impl->topic_examples.emplace(*embedder, file_in(cache, "topics.vectors"));
  for (size_t i = 0; i < rules.deny.size(); ++i) impl->deny_examples->add(i, rules.deny[i].meaning);
  for (size_t i = 0; i < rules.topics.size(); ++i)
    impl->topic_examples->add(i, rules.topics[i].examples);
  impl->topic_examples->add(rules.topics.size(), rules.operations.examples);
  return Guardrails(std::move(impl));
}

Verdict Guardrails::check(std::string_view question, const GuardrailContext& context) const {
  const auto failed = [](std::string_view why) {
    return refusal("guardrail_error", std::string(why),
                   fmt::format("The question could not be checked, so it was not answered: {}. Ask "
                               "again; if it stays so, tell whoever runs precedent.",
                               why));
  };
  // Fails closed: whatever goes wrong in here, nothing unchecked goes on.
  try {
    Result<Verdict> verdict = impl_->decide(question, context);
    return verdict ? std::move(*verdict) : failed(verdict.error().text());
  } catch (const std::exception& e) {
    return failed(e.what());
  }
}

}  // namespace precedent
