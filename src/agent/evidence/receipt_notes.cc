#include "agent/evidence/receipt_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "base/utf8.h"
#include "tools/figures.h"
#include "tools/present.h"

namespace precedent {
namespace {

constexpr size_t kNamed = 3;
constexpr size_t kMaxBytes = 300;

// The first few of what was found, each once.
template <typename Items, typename Name>
std::string some(const Items& items, Name name) {
  std::vector<std::string> names;
  for (const auto& item : items) {
    std::string text = name(item);
    if (names.size() < kNamed && std::ranges::find(names, text) == names.end())
      names.push_back(std::move(text));
  }
  return join(names, "; ");
}

struct Noter {
  std::string operator()(const std::monostate&) const { return ""; }
  std::string operator()(const RemoteResult& r) const {
    return r.left_out.empty() ? "" : "not shown: " + join(r.left_out, "; ");
  }
  std::string operator()(const IncidentsResult& r) const {
    return some(r.incidents, [](const IncidentItem& i) {
      return fmt::format("{} {}", i.incident.incident_id, i.incident.title);
    });
  }
  std::string operator()(const FiguresResult& r) const {
    return some(r.figures, [&](const IncidentFigure& f) {
      return fmt::format("{} {}", f.group.empty() ? "all" : f.group, figure_text(r, f.value));
    });
  }
  std::string operator()(const KnowledgeResult& r) const {
    return some(r.items, [](const KnowledgeItem& i) { return i.title; });
  }
  std::string operator()(const SectionsResult& r) const {
    return some(r.sections, [](const KnowledgeItem& i) {
      return i.heading.empty() ? i.title : fmt::format("{}, {}", i.title, i.heading.back());
    });
  }
  std::string operator()(const GoldenResult& r) const {
    return some(r.examples, [](const GoldenItem& i) { return i.example.question; });
  }
  std::string operator()(const ChangesResult& r) const {
    return some(r.changes,
                [](const Change& c) { return fmt::format("{} {}", format_time(c.at), c.title); });
  }
  std::string operator()(const CodeResult& r) const {
    return some(r.items, [](const CodeItem& i) {
      return fmt::format("{}:{}-{}", i.path, i.lines.begin, i.lines.end);
    });
  }
  std::string operator()(const MetricsResult& r) const {
    if (!r.summary) return some(r.notes, [](const std::string& note) { return note; });
    std::string text = fmt::format("{} {}", r.metric, format_value(r, r.summary->last));
    if (!r.silence.empty())
      text += fmt::format(" at {}, {} since", format_time(r.summary->last_at), r.silence);
    if (!r.combined.empty()) text += fmt::format(" ({})", r.combined);
    if (!r.comparisons.empty() && r.comparisons.front().ratio)
      text += fmt::format(", mean {:.3g}× {}", *r.comparisons.front().ratio,
                          r.comparisons.front().what);
    for (const ChangePoint& change : r.changes) {
      if (change.at < r.from) continue;
      text += "; " + format_change(change, r.unit);
    }
    return text;
  }
};

}  // namespace

std::string note_of(const Receipt& receipt) {
  const std::string_view what = receipt.status == ReceiptStatus::kError   ? "failed: "
                                : receipt.status == ReceiptStatus::kEmpty ? "nothing found. "
                                                                          : "";
  std::string found = std::visit(Noter(), receipt.result);
  if (receipt.status == ReceiptStatus::kError) found = receipt.text;
  return fmt::format("{} {}: {}{}", receipt.id, receipt.tool, what,
                     utf8_prefix(squeeze(found), kMaxBytes));
}

std::string notes_text(const std::vector<Receipt>& receipts) {
  std::string text;
  for (const Receipt& receipt : receipts) text += "- " + note_of(receipt) + "\n";
  return text;
}

}  // namespace precedent
