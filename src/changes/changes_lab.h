// A small shop's changes, for tests: records of a log, how to write a file, and a source that
// fails.
#pragma once

#include <fstream>
#include <string>

#include "changes/change_source.h"
#include "files/temporary_folder.h"

namespace precedent {

inline constexpr std::string_view kShopLog =
    R"({"time":"2026-11-16T09:00:00Z","service":"checkout-api","version":"7.8.0","environment":"production","commit":"aa11","author":"Ana","kind":"deploy","from":"7.7.2"}
{"time":"2026-11-17T15:40:00Z","service":"search-service","version":"2.31.0","environment":"production","commit":"bb22","author":"Clara","kind":"deploy","from":"2.30.4","to":"2.31.0"}
{"time":"2026-11-17T16:00:00Z","service":"search-service","version":"2.32.0","environment":"staging","kind":"deploy"}
{"time":"2026-11-17T18:00:00Z","flag":"waiting_room","service":"checkout-api","from":"off","to":"on","author":"Ana","environment":"production"}
)";

inline void write_text(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

class BrokenChanges final : public ChangeSource {
 public:
  const std::string& name() const override { return name_; }
  Result<ChangeList> changes(const ChangeQuery&) const override {
    return fail(ErrorCode::kUnavailable, "the disk is gone; mount it");
  }
  std::vector<std::string> services() const override { return {}; }

 private:
  std::string name_ = "broken";
};

inline TimePoint moment(std::string_view text) { return parse_time(text).value(); }

inline Change deploy(std::string service, std::string version, std::string_view at) {
  Change change;
  change.id = service + "@" + version;
  change.at = moment(at);
  change.kind = ChangeKind::kDeploy;
  change.title = "Deploy of " + service + " " + version;
  change.services = {std::move(service)};
  change.version = std::move(version);
  return change;
}

}  // namespace precedent
