// Values of a YAML mapping, read with errors that name file, line and key.
//
// Thread safety: one thread. Lifetime: the path outlives the section. yaml-cpp's exceptions are caught
// by parse_yaml; the getters cannot raise any.
#pragma once

#include <yaml-cpp/yaml.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace precedent {

// Errors: kInvalidArgument naming path and line.
Result<YAML::Node> parse_yaml(std::string_view text, std::string_view path);

class ConfigSection {
 public:
  // `prefix` is "model.", for messages.
  ConfigSection(YAML::Node node, std::string_view path, std::string prefix)
      : node_(std::move(node)), path_(path), prefix_(std::move(prefix)) {}

  // Errors: kInvalidArgument unless it is a mapping whose keys are all among `keys`.
  Result<void> check(std::span<const std::string_view> keys) const;

  bool has(std::string_view key) const;
  std::string text(std::string_view key) const;  // "" if absent
  // Each leaves `out` alone if the key is absent. Ranges are inclusive.
  Result<void> read(std::string_view key, std::string& out) const;
  Result<void> read(std::string_view key, int64_t& out, int64_t min, int64_t max) const;
  Result<void> read(std::string_view key, double& out, double min, double max) const;
  // "500ms", "90s", "5m", "1h"; a number alone is seconds.
  Result<void> read(std::string_view key, std::chrono::milliseconds& out) const;
  // A list of texts, or one text alone.
  Result<void> read(std::string_view key, std::vector<std::string>& out) const;
  ConfigSection section(std::string_view key) const;
  // Of a mapping whose keys are names that the file chooses, in its order.
  std::vector<std::string> keys() const;

  // "config/precedent.yaml:3: model.temperature: <what>".
  std::unexpected<Error> wrong(std::string_view key, std::string_view what) const;

 private:
  YAML::Node at(std::string_view key) const;
  YAML::Node node_;
  std::string_view path_;
  std::string prefix_;
};

}  // namespace precedent
