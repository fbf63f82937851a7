#include "agent/model/spoken_text.h"

#include "base/redact.h"
#include "base/untrusted_text.h"

namespace precedent {
namespace {

constexpr std::string_view kSentenceEnds = ".!?";
constexpr std::string_view kKeyBegin = "-----BEGIN ", kKeyEnd = "-----END ";

// The bytes of `text` that whatever follows does not change: whole lines, and whole blocks of keys.
size_t settled(std::string_view text) {
  const size_t line = text.rfind('\n');
  if (line == std::string_view::npos) return 0;
  size_t end = line + 1;
  const size_t key = text.rfind(kKeyBegin, end);
  if (key == std::string_view::npos) return end;
  const size_t close = text.find(kKeyEnd, key);
  const bool whole = close != std::string_view::npos && text.find('\n', close) < end;
  return whole ? end : std::min(end, key);
}

}  // namespace

std::string safe_answer(std::string_view text, const std::optional<Hosts>& hosts) {
  std::string safe = redact(visible_text(text));
  return hosts ? defang_links(safe, *hosts) : safe;
}

void SpokenText::emit(const Event& event) {
  if (event.type == Event::Type::kReset) {
    held_.clear();
    said_ = 0;
    drafted_ = false;
  }
  if (event.type != Event::Type::kToken) {
    out_.emit(event);
    return;
  }
  if (event.node != node_) finish();
  node_ = event.node;
  held_ += event.text;
  if (event.text.contains('\n')) {
    if (const size_t end = settled(held_); end > 0) {
      say(end);
      held_.erase(0, end);
    }
  }
  if (const size_t end = whole_sentences(); end > said_) {
    pass(std::string(held_, said_, end - said_));
    said_ = end;
  }
}

size_t SpokenText::whole_sentences() const {
  if (held_.contains(kKeyBegin)) return 0;
  for (size_t space = held_.rfind(' '); space != std::string::npos && space > said_;
       space = held_.rfind(' ', space - 1)) {
    if (!kSentenceEnds.contains(held_[space - 1])) continue;
    const std::string_view whole = std::string_view(held_).substr(0, space);
    return safe_answer(whole, hosts_) == whole ? space : 0;
  }
  return 0;
}

void SpokenText::finish() {
  if (held_.empty()) return;
  say(held_.size());
  held_.clear();
}

void SpokenText::say(size_t end) {
  const std::string_view text = std::string_view(held_).substr(0, end);
  const std::string_view said = text.substr(0, said_);
  const std::string safe = safe_answer(text, hosts_);
  pass(safe.starts_with(said) ? safe.substr(said_) : safe_answer(text.substr(said_), hosts_));
  said_ = 0;
}

void SpokenText::pass(std::string safe) {
  if (safe.empty()) return;
  out_.emit({.type = Event::Type::kToken, .text = std::move(safe), .node = node_, .draft = draft_});
  drafted_ = drafted_ || draft_;
}

void SpokenText::settle(std::string_view checked) {
  held_.clear();
  said_ = 0;
  if (drafted_) out_.emit({.type = Event::Type::kReset, .node = node_});
  drafted_ = false;
  if (!checked.empty())
    out_.emit({.type = Event::Type::kToken, .text = std::string(checked), .node = node_});
}

}  // namespace precedent
