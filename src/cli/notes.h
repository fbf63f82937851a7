// Notes on incidents (investigate/note_writer.h) with what the environment says: PAGERDUTY_FROM,
// PAGERDUTY_TOKEN, PAGERDUTY_URL, SLACK_WEBHOOK_URL, and PRECEDENT_PUBLIC_URL, under which people
// reach the server.
//
// Thread safety: write() from several threads. Ownership: owns its client.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "investigate/note_writer.h"
#include "net/curl_http_client.h"

namespace precedent {

class Notes {
 public:
  // Errors: kInvalidArgument naming the variable.
  static Result<std::unique_ptr<Notes>> open();
  // As NoteWriter::check.
  Result<void> check(std::string_view incident) const { return writer_->check(incident); }
  // `report`: docs/format/investigation.md. `say`: told each place that was written to. Errors:
  // what went wrong, of all places.
  Result<void> write(const nlohmann::json& report, std::string_view incident, std::string_view link,
                     const std::function<void(std::string_view)>& say,
                     const CancelToken& cancel) const;
  // Where people read the report of an investigation of the server: its page, or else its file.
  std::string link_to(const std::string& id, const std::filesystem::path& file) const;

 private:
  Notes() = default;
  CurlHttpClient client_;
  std::unique_ptr<NoteWriter> writer_;
  std::string public_url_;
};

}  // namespace precedent
