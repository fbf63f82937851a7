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
#include "base/strings.h"
#include "base/utf8.h"
#include "files/files.h"
#include "time/time_hints.h"

namespace precedent {
namespace {

// As near as this to something that is known is about it ("the discount of gold members" of a shop
// that has some).
constexpr double kFamiliar = 0.42;
// What the adapter is as sure of is refused, whatever speaks for it.
constexpr float kBeyondDoubt = 0.9f;

// Labels of the adapter's head "guard" that mean more than a refusal with their message.
constexpr std::string_view kOrdinary = "ordinary", kAskBack = "ask_back",
                           kDestructive = "destructive", kSecrets = "secrets";

// Longer quotations of the question make a reason unreadable.
constexpr size_t kMaxReasonBytes = 120;

struct Denied {
  DenyGroup rules;
  PhraseSet phrases;  // and words
};

// The question in the shapes that rules read.
struct Read {
  std::string text;
  PlainWords plain;
  PlainWords undisguised;
};

Read read(std::string text) {
  Read read;
  read.plain = plain_words(text);
  read.undisguised = undisguised(read.plain);
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

// Metrics and alerts tell of what: "latency is up since tonight", "everything slow".
bool tells_of_live_state(const std::string& plain) {
  const Signals signals = read_signals(plain);
  const bool measured =
      signals.latency || signals.errors || signals.throughput || signals.saturation;
  const bool dated = signals.deploy || !find_time_hints(plain, TimePoint()).empty();
  static const RE2 kAll("\\b(?:everything|all (?:services|systems|endpoints|requests))\\b");
  return asks_how_all_is(plain) || signals.firing ||
         (measured && (dated || RE2::PartialMatch(plain, kAll)));
}

}  // namespace

struct Guardrails::Impl {
  GuardrailRules rules;
  std::vector<Denied> deny;
  PhraseSet allow;
  Analyzer analyzer;
  const LearnedReader* reader = nullptr;
  const Embedder* embedder = nullptr;
  std::optional<ExampleVectors> deny_examples;  // groups: of deny

  Result<Verdict> decide(std::string_view question, const GuardrailContext& context) const;
  std::optional<Verdict> denied_by_words(const Read& q) const;
  Result<std::optional<Verdict>> denied_by_meaning(const Read& q,
                                                   std::optional<Embeddings>& vector) const;
  std::optional<Verdict> unread(const Read& q, const GuardrailContext& context) const;
  Result<Verdict> by_adapter(const Read& q, const GuardrailContext& context,
                             std::optional<Embeddings>& vector) const;
  Result<std::string> known(const Read& q, const GuardrailContext& context,
                            std::optional<Embeddings>& vector) const;
  Result<std::string> speaks_for(const Read& q, const ReadLabel& label, bool sure,
                                 const GuardrailContext& context,
                                 std::optional<Embeddings>& vector) const;
  bool says_what_is_meant(const Read& q, const GuardrailContext& context) const;
  Verdict ask_back(std::string why, const GuardrailContext& context) const;
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
    const Read& q, std::optional<Embeddings>& vector) const {
  if (!deny_examples) return std::nullopt;
  const std::span<const float> row = TRY(embed(q, vector));
  const auto nearest = TRY(deny_examples->nearest(row));
  if (nearest.empty()) return std::nullopt;
  const auto& best = nearest.front();
  if (best.cosine < rules.deny_similarity) return std::nullopt;
  const DenyGroup& group = deny[best.group].rules;
  return refusal(
      "denied",
      fmt::format("deny {}: meaning {:.2f} of '{}'", group.name, best.cosine, best.sentence),
      fmt::format("{} {}", group.message, rules.offer));
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

bool Guardrails::Impl::says_what_is_meant(const Read& q, const GuardrailContext& context) const {
  if (context.live && tells_of_live_state(q.plain.text)) return true;
  if (context.things_named && !context.things_named(q.text).empty()) return true;
  // An identifier says what is meant, whatever stands around it: KubePodNotReady.
  return std::ranges::any_of(find_subjects(q.text, {}, {}, {}), [](const Subject& subject) {
    return subject.kind == SubjectKind::kSymbol;
  });
}

Verdict Guardrails::Impl::ask_back(std::string why, const GuardrailContext& context) const {
  return {.action = Verdict::Action::kAskBack,
          .code = "vague",
          .reason = std::move(why),
          .message = fmt::format("{} {}", rules.clarify, rules.offer),
          .choices = context.choices};
}

// What the knowledge base has of it: a name, or a chunk that is near; "" for nothing.
Result<std::string> Guardrails::Impl::known(const Read& q, const GuardrailContext& context,
                                            std::optional<Embeddings>& vector) const {
  const std::string name = context.known_name ? context.known_name(q.text) : "";
  if (!name.empty()) return fmt::format("it names '{}'", cut(name));
  if (!context.nearest_known || embedder == nullptr) return "";
  const std::span<const float> row = TRY(embed(q, vector));
  const auto nearest = context.nearest_known(row);
  if (nearest.value_or(0) < kFamiliar) return "";
  return fmt::format("it is {:.2f} near to what is known", *nearest);
}

// What outweighs a refusal of this label; "" for nothing. An order about something known is
// answered with how it is done, and that nothing is.
Result<std::string> Guardrails::Impl::speaks_for(const Read& q, const ReadLabel& label, bool sure,
                                                 const GuardrailContext& context,
                                                 std::optional<Embeddings>& vector) const {
  if (!sure && context.model) return "a model reads it";
  if (!sure && context.leans_on_history) return "it leans on the conversation";
  const bool doubtful = label.probability < kBeyondDoubt && !context.model;
  if (sure && !doubtful && label.label != kDestructive) return "";
  return known(q, context, vector);
}

Result<Verdict> Guardrails::Impl::by_adapter(const Read& q, const GuardrailContext& context,
                                             std::optional<Embeddings>& vector) const {
  const AdaptedReading reading = TRY(reader->read(q.text, context.past));
  const ReadHead& guard = reading.head("guard");
  const ReadLabel& best = guard.labels.front();
  const std::string why = fmt::format("read as {} ({:.2f})", best.label, best.probability);
  const auto allowed = [&](std::string_view because) {
    return Verdict{.reason = fmt::format("{}{}", why, because)};
  };
  if (best.label == kOrdinary) return allowed("");
  if (best.label == kAskBack) {
    if (context.has_history && !guard.sure) return allowed(", but there is a conversation");
    if (says_what_is_meant(q, context)) return allowed(", but it says what is meant");
    return ask_back(why, context);
  }
  // What may be an order ("go panic in checkout") or a question for secrets ("list open tickets,
  // ids only"), perhaps, does no harm: nothing here changes anything, and secrets are taken out of
  // all that is read.
  const bool harmless = best.label == kDestructive || best.label == kSecrets;
  if (harmless && !guard.sure) return allowed(", not surely");
  const std::string other = TRY(speaks_for(q, best, guard.sure, context, vector));
  if (!other.empty()) return allowed(", but " + other);
  return refusal(std::string(best.label), why,
                 fmt::format("{} {}", rules.message_of(best.label), rules.offer));
}

Result<Verdict> Guardrails::Impl::decide(std::string_view question,
                                         const GuardrailContext& context) const {
  Verdict valid = validate_question(question, context.limits, context.choices);
  if (valid.action != Verdict::Action::kAllow) return valid;
  const Read q = read(valid.question);
  if (auto verdict = denied_by_words(q)) return std::move(*verdict);
  const auto allow_because = [&](std::string reason) {
    valid.reason = std::move(reason);
    return valid;
  };
  if (const auto exempt = allow.find(q.plain); !exempt.empty())
    return allow_because(fmt::format("allow '{}'", exempt[0].phrase));
  std::optional<Embeddings> vector;
  if (auto verdict = TRY(denied_by_meaning(q, vector))) return std::move(*verdict);
  if (auto verdict = unread(q, context)) return std::move(*verdict);
  if (reader == nullptr) {
    const bool vague = !context.has_history && is_vague(q.plain.text, analyzer);
    return vague && !says_what_is_meant(q, context)
               ? ask_back("no word that says what is meant", context)
               : allow_because("nothing speaks against it");
  }
  Verdict verdict = TRY(by_adapter(q, context, vector));
  return verdict.action == Verdict::Action::kAllow ? allow_because(std::move(verdict.reason))
                                                   : std::move(verdict);
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

Result<Guardrails> Guardrails::open(const std::filesystem::path& data_dir,
                                    const LearnedReader* reader, const Embedder* embedder) {
  const OperatorFile file =
      TRY(read_operator_file(data_dir, "guardrails.yaml", default_guardrails()));
  return parse(file.text, file.origin, reader, embedder, data_dir / "cache");
}

Result<Guardrails> Guardrails::parse(std::string_view yaml, std::string_view origin,
                                     const LearnedReader* reader, const Embedder* embedder,
                                     const std::filesystem::path& cache, ConfigProblems* all) {
  auto impl = std::make_unique<Impl>();
  impl->rules = TRY(parse_guardrail_rules(yaml, origin, all));
  for (const DenyGroup& group : impl->rules.deny) {
    Denied denied{group};
    for (const auto* list : {&group.words, &group.phrases})
      for (const std::string& phrase : *list) denied.phrases.add(phrase);
    impl->deny.push_back(std::move(denied));
  }
  for (const std::string& phrase : impl->rules.allow) impl->allow.add(phrase);
  impl->reader = reader;
  impl->embedder = embedder;
  if (embedder == nullptr) return Guardrails(std::move(impl));
  impl->deny_examples.emplace(*embedder, file_in(cache, "deny.vectors"));
  for (size_t i = 0; i < impl->rules.deny.size(); ++i)
    impl->deny_examples->add(i, impl->rules.deny[i].meaning);
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
