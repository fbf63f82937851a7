#include "agent/model/spoken_text.h"

#include "base/redact.h"
#include "base/untrusted_text.h"

namespace precedent {
namespace {

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
    drafted_ = false;
  }
  if (event.type != Event::Type::kToken) {
    out_.emit(event);
    return;
  }
  if (event.node != node_) finish();
  node_ = event.node;
  held_ += event.text;
  if (event.text.find('\n') == std::string::npos) return;
  const size_t end = settled(held_);
  if (end == 0) return;
  say(std::string_view(held_).substr(0, end));
  held_.erase(0, end);
}

void SpokenText::finish() {
  if (held_.empty()) return;
  say(held_);
  held_.clear();
}

void SpokenText::say(std::string_view text) {
  out_.emit({.type = Event::Type::kToken,
             .text = safe_answer(text, hosts_),
             .node = node_,
             .draft = draft_});
  drafted_ = drafted_ || draft_;
}

void SpokenText::settle(std::string_view checked) {
  held_.clear();
  if (drafted_) out_.emit({.type = Event::Type::kReset, .node = node_});
  drafted_ = false;
  if (!checked.empty())
    out_.emit({.type = Event::Type::kToken, .text = std::string(checked), .node = node_});
}

}  // namespace precedent
