#include "agent/compose/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agent/evidence/receipt_notes.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

constexpr size_t kMaxNamed = 4;

std::string understood(const Intent& intent) {
  std::vector<std::string> about;
  for (const Subject& subject : intent.subjects)
    if (about.size() < kMaxNamed) about.push_back(subject.text);
  for (const TimeHint& time : intent.times)
    if (about.size() < kMaxNamed) about.push_back(time.text);
  return fmt::format("Understood: {} ({:.0f} % sure){}", name(intent.type), 100 * intent.confidence,
                     about.empty() ? "" : ", about " + join(about, ", "));
}

std::string looked(const Answer& answer) {
  std::vector<std::string> calls;
  for (const Receipt& receipt : answer.receipts)
    calls.push_back(fmt::format("{}: {}", receipt.tool, note_of(receipt)));
  if (calls.empty())
    return answer.remembered.empty() ? "Looked: nowhere" : "Looked: in what was said before";
  return "Looked: " + join(calls, "; ");
}

// The answer's sections by name, without its sources.
std::string chose(const Answer& answer) {
  std::vector<std::string> parts;
  for (const TypedSection& section : answer.sections)
    if (section.type != "sources" && std::ranges::find(parts, section.type) == parts.end())
      parts.push_back(section.type);
  const std::string of = answer.sources.empty()
                             ? "nothing that was found"
                             : fmt::format("\"{}\"", answer.sources.front().title);
  return fmt::format("Chose: {}, told as {}", of, parts.empty() ? "text" : join(parts, ", "));
}

std::string second(const Answer& answer, const std::vector<Evidence>& evidence) {
  const std::string first = answer.sources.empty() ? "" : answer.sources.front().id;
  for (const Evidence& e : evidence)
    if (e.source.id != first)
      return fmt::format("Second: \"{}\" ({:.2f} against {:.2f}): {}", e.source.title, e.score,
                         evidence.front().score, squeeze(utf8_prefix(e.quote, 80)));
  return "Second: nothing";
}

std::string ignored(const Answer& answer, const std::vector<Evidence>& evidence) {
  std::set<std::string> cited, left;
  for (const Source& source : answer.sources) cited.insert(source.id);
  for (const Evidence& e : evidence)
    if (!cited.contains(e.source.id)) left.insert(e.source.id);
  std::string text = fmt::format("Ignored: {} further document{} and record{}", left.size(),
                                 left.size() == 1 ? "" : "s", left.size() == 1 ? "" : "s");
  if (!answer.unasked.empty())
    text += fmt::format("; {} source{} not configured", answer.unasked.size(),
                        answer.unasked.size() == 1 ? " is" : "s are");
  return text;
}

}  // namespace

std::vector<std::string> explanation(const Answer& answer, const std::vector<Evidence>& evidence) {
  return {understood(answer.intent), looked(answer), chose(answer), second(answer, evidence),
          ignored(answer, evidence)};
}

}  // namespace precedent
