#include "agent/compose/compose_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/findings/extra_fields.h"
#include "base/strings.h"
#include "text/sentences.h"

namespace precedent {
namespace {

// A piece of evidence below both of these is about something else.
constexpr float kMinCoverage = 0.30f;
constexpr float kMinCosine = 0.35f;
// The best piece for a question that something answers is nearer than this, by the mean of the
// share of its words and of its cosine, in 97 of 100 cases; for one that nothing answers in one to
// two of four (eval/README.md, "Honesty").
constexpr float kRemote = 0.33f;
// What was learned finds a line of a document that answers likelier than this in 94 of 100
// questions, and in 42 of 100 that only a near line stands there for (adapters/select.md). It takes
// the place of the mean where it was asked: that falls for questions in words of their own.
constexpr float kAnswers = 0.35f;
// A piece that is likelier than this to answer is quoted, whatever words it shares.
constexpr float kSurelyAnswers = 0.6f;
// How much of a message a piece must hold to be the one that was pasted.
constexpr float kMessage = 0.55f;
// A further quotation must be nearly as good as the best one.
constexpr float kNearlyAsGood = 0.80f;

// A commit is called by the first digits of its hash.
std::string short_id(const std::string& id) {
  constexpr size_t kHash = 40, kShort = 10;
  const bool hash =
      id.size() == kHash && std::ranges::all_of(id, [](unsigned char c) { return isxdigit(c); });
  return hash ? id.substr(0, kShort) : id;
}

std::string citation(const Source& source) {
  if (source.kind == "metric" || source.kind == "alert")
    return fmt::format("[{}: {}]", source.receipt, source.id);
  if (parse_change_kind(source.kind)) return fmt::format("[{}]", short_id(source.id));
  if (source.kind == name(Kind::kIncident) || source.path.empty())
    return fmt::format("[{}]", source.id);
  if (source.lines.begin == 0) return fmt::format("[{}]", source.path);
  return fmt::format("[{}:{}-{}]", source.path, source.lines.begin, source.lines.end);
}

// A date that came without a time of day is stored as its midnight.
std::string date_or_time(TimePoint at) {
  return is_midnight(at) ? format_date(at) : format_time(at);
}

}  // namespace

void Writer::put(std::string_view text, Origin origin, std::vector<std::string> receipts) {
  const auto begin = static_cast<uint32_t>(answer_.text.size());
  answer_.text += text;
  if (!text.empty())
    answer_.spans.push_back(
        {{begin, static_cast<uint32_t>(answer_.text.size())}, origin, std::move(receipts)});
}

void Writer::line(std::string_view text) {
  put(text, Origin::kComputed, std::exchange(cited_, {}));
  answer_.text += '\n';
}

void Writer::note(std::string_view text) {
  put(text, Origin::kNote, {});
  answer_.text += '\n';
}

void Writer::quotation(std::string_view before, std::string_view words, std::string_view after,
                       const Source& source) {
  cited_.clear();
  put(before, Origin::kComputed, {source.receipt});
  put(words, Origin::kQuotation, {source.receipt});
  put(after, Origin::kComputed, {source.receipt});
  answer_.text += '\n';
}

void Writer::below_headline(const std::vector<std::string>& sentences) {
  constexpr auto kShort = 4;  // lines
  if (sentences.empty()) return;
  std::string& text = answer_.text;
  size_t end = std::min(text.find("\n\n"), text.size());
  if (std::ranges::count(text.substr(0, end), '\n') >= kShort) end = text.find('\n');
  // Never within a quotation, nor between it and its citation.
  for (const AnswerSpan& span : answer_.spans)
    if (span.bytes.begin < end && end < span.bytes.end) end = text.find('\n', span.bytes.end);
  end = std::min(end, text.size());
  Answer told;
  Writer writer(told);
  for (const std::string& sentence : sentences) {
    if (end > 0 || !told.text.empty()) told.text += "\n\n";
    writer.put(sentence, Origin::kNote, {});
  }
  // The lines of a list follow its heading directly.
  if (const bool apart = text.substr(end).starts_with("\n\n"); !apart) told.text += "\n";
  const auto shift = static_cast<uint32_t>(told.text.size());
  for (AnswerSpan& span : answer_.spans)
    if (span.bytes.begin >= end) span.bytes.begin += shift, span.bytes.end += shift;
  for (TypedSection& section : answer_.sections) {
    if (section.bytes.begin >= end) section.bytes.begin += shift;
    if (section.bytes.end > end) section.bytes.end += shift;
  }
  for (AnswerSpan& span : told.spans) {
    span.bytes.begin += static_cast<uint32_t>(end);
    span.bytes.end += static_cast<uint32_t>(end);
    const auto after = std::ranges::upper_bound(answer_.spans, span.bytes.begin, {},
                                                [](const AnswerSpan& s) { return s.bytes.begin; });
    answer_.spans.insert(after, std::move(span));
  }
  text.insert(end, told.text);
}

void Writer::take(Answer part) {
  const std::string_view text = trim(part.text);
  const auto skipped = static_cast<uint32_t>(text.data() - part.text.data());
  const auto end = skipped + static_cast<uint32_t>(text.size());
  const auto begin = static_cast<uint32_t>(answer_.text.size());
  const auto take_all = [&](auto& from, auto& to) {
    for (auto& one : from) {
      one.bytes = {std::max(one.bytes.begin, skipped), std::min(one.bytes.end, end)};
      if (one.bytes.begin >= one.bytes.end) continue;
      one.bytes.begin += begin - skipped;
      one.bytes.end += begin - skipped;
      to.push_back(std::move(one));
    }
  };
  take_all(part.spans, answer_.spans);
  take_all(part.sections, answer_.sections);
  answer_.text.append(text).append("\n");
  for (const Source& source : part.sources) cite(source);
  cited_.clear();
  for (std::string& gap : part.missing) missing(std::move(gap));
}

void Writer::gap() {
  if (!answer_.text.empty() && !answer_.text.ends_with("\n\n")) answer_.text += "\n";
}

void Writer::missing(std::string sentence) {
  if (std::ranges::find(answer_.missing, sentence) == answer_.missing.end())
    answer_.missing.push_back(std::move(sentence));
}

std::string Writer::cite(const Source& source) {
  const bool known = std::ranges::any_of(answer_.sources, [&](const Source& s) {
    return s.id == source.id && s.lines == source.lines;
  });
  if (!known) answer_.sources.push_back(source);
  if (std::ranges::find(cited_, source.receipt) == cited_.end()) cited_.push_back(source.receipt);
  return citation(source);
}

void Writer::paragraph(std::string_view label, std::string_view text, const Source& source) {
  if (trim(text).empty()) return;
  gap();
  const std::string where = cite(source);
  quotation(fmt::format("**{}:** ", label), trim(text), " " + where, source);
}

Source source_of(const IncidentItem& item, const Receipt& receipt) {
  return {item.incident.incident_id,
          item.incident.title,
          std::string(name(Kind::kIncident)),
          item.path,
          {},
          receipt.id};
}

std::string facts(const Incident& i) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view label, std::string_view value) {
    if (!value.empty()) parts.push_back(fmt::format("{} {}", label, value));
  };
  add("application", i.impacted_application);
  add("severity", i.severity);
  add("status", i.status);
  if (const auto at = began(i)) add("opened", date_or_time(*at));
  if (i.resolved_at) add("resolved", date_or_time(*i.resolved_at));
  if (const std::string duration = lasted_text(i); !duration.empty()) parts.push_back(duration);
  for (const ExtraField& time : measured_times(i)) add(time.name, time.value);
  add("accountable", i.accountable_party);
  if (i.repeat_incident) add("repeat incident", *i.repeat_incident ? "yes" : "no");
  return join(parts, " · ");
}

std::string expired_text(std::string_view title, TimePoint expired_at) {
  return fmt::format("**Expired:** \"{}\" expired on {}; check it before you follow it.", title,
                     format_date(expired_at));
}

std::string lasted_text(const Incident& i) {
  const auto duration = lasted(i);
  return duration ? "lasted " + duration_text(*duration) : "";
}

std::string one_line(const Incident& i) {
  std::vector<std::string> parts;
  if (const auto at = opened(i)) parts.push_back(format_date(*at));
  for (const std::string* part : {&i.impacted_application, &i.severity, &i.status}) {
    if (!part->empty()) parts.push_back(*part);
  }
  return fmt::format("**{}** {} ({})", i.incident_id, i.title, join(parts, ", "));
}

void tell_in_short(Writer& out, const IncidentItem& item, const Receipt& receipt) {
  constexpr size_t kRoom = 180;
  const Incident& incident = item.incident;
  const Source source = source_of(item, receipt);
  const auto at = opened(incident);
  std::string cause;
  if (const auto sentences = split_sentences(incident.root_cause);
      !sentences.empty() && sentences.front().size() <= kRoom)
    cause = squeeze(sentences.front().in(incident.root_cause));
  out.quotation(fmt::format("- **{}** ", incident.incident_id), incident.title,
                fmt::format("{}{} {}", at ? fmt::format(" ({})", format_date(*at)) : "",
                            cause.empty() ? "" : "; cause: " + cause, out.cite(source)),
                source);
}

std::string with_cause(const Incident& incident) {
  return fmt::format("- {}; {}", one_line(incident),
                     incident.root_cause.empty() ? "cause not recorded"
                                                 : "cause: " + squeeze(incident.root_cause));
}

bool is_convincing(const Evidence& e) {
  return e.whole || is_message(e) || e.coverage >= kMinCoverage ||
         e.cosine.value_or(0) >= kMinCosine || e.answers.value_or(0) >= kSurelyAnswers;
}

bool is_message(const Evidence& e) { return e.verbatim >= kMessage; }

const Evidence* pasted_message(const std::vector<Evidence>& evidence) {
  const auto best = std::ranges::max_element(evidence, {}, &Evidence::verbatim);
  return best == evidence.end() || !is_message(*best) ? nullptr : &*best;
}

bool is_remote(const std::vector<Evidence>& evidence) {
  if (evidence.empty()) return false;
  const Evidence& best = evidence.front();
  if (best.whole || best.meant || is_message(best) || !best.cosine) return false;
  if (std::ranges::any_of(evidence, [](const Evidence& e) { return e.answers.has_value(); }))
    return std::ranges::none_of(
        evidence, [](const Evidence& e) { return e.answers.value_or(0) >= kAnswers; });
  return (best.coverage + *best.cosine) / 2 < kRemote;
}

void quote(Writer& out, const Evidence& e) {
  const std::string where = out.cite(e.source);
  // The attributes of a document name themselves.
  const std::string label = e.label.empty() || is_attribute(e) ? "" : fmt::format("{}: ", e.label);
  if (e.form == Form::kCommand) {
    out.quotation(fmt::format("> {}\n> ```\n> ", e.label.empty() ? e.source.title : e.label),
                  e.quote, "\n> ```\n> " + where, e.source);
  } else {
    out.quotation("> " + label, e.quote, " " + where, e.source);
  }
  out.line("");
}

bool quote_best(Writer& out, const std::vector<Evidence>& evidence, size_t most) {
  size_t quoted = 0;
  for (const Evidence& e : evidence) {
    if (quoted >= most || !is_convincing(e)) break;
    // If a document is meant, only that one is quoted.
    const bool meant = evidence.front().meant;
    if (meant != e.meant || (!meant && e.score < kNearlyAsGood * evidence.front().score)) break;
    if (quoted == 0) out.gap();
    quote(out, e);
    ++quoted;
  }
  return quoted > 0;
}

const Receipt* receipt_of(const Answer& answer, std::string_view tool) {
  for (const Receipt& receipt : answer.receipts) {
    if (receipt.tool == tool) return &receipt;
  }
  return nullptr;
}

const IncidentsResult* incidents_of(const Receipt* receipt) {
  return receipt == nullptr ? nullptr : std::get_if<IncidentsResult>(&receipt->result);
}

}  // namespace precedent
