#include "tools/feedback_json.h"

#include <nlohmann/json.hpp>

namespace precedent {

nlohmann::json to_json(const Feedback& f) {
  nlohmann::json out = {{"id", feedback_name(f.id)},
                        {"question", f.question},
                        {"answer", f.answer},
                        {"thumb", name(f.thumb)},
                        {"reason", f.reason},
                        {"state", name(f.state)},
                        {"created_at", format_time(f.created_at)}};
  if (f.closed) {
    out["closed_by"] = f.closed->by;
    out["closed_at"] = format_time(f.closed->at);
  }
  if (!f.note.empty()) out["note"] = f.note;
  if (!f.golden.empty()) out["golden"] = f.golden;
  return out;
}

}  // namespace precedent
