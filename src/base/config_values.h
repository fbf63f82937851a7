// Values of a YAML mapping, read with errors that name file, line and key.
//
// Thread safety: one thread. Lifetime: the path outlives the section. yaml-cpp's exceptions are
// caught by parse_yaml; the getters cannot raise any.
#pragma once

#include <yaml-cpp/yaml.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace precedent {

// Errors: kInvalidArgument naming path and line.
Result<YAML::Node> parse_yaml(std::string_view text, std::string_view path);

// All that is wrong with a file, for readers that go on after an error: each stands here, what is
// wrong keeps its default, and the value that is read is of no use unless this is empty.
using ConfigProblems = std::vector<Error>;

class ConfigSection {
 public:
  // `prefix` is "model.", for messages. With `problems`, which outlives the section, no member
  // fails, but for wrong().
  ConfigSection(YAML::Node node, std::string_view path, std::string prefix,
                ConfigProblems* problems = nullptr)
      : node_(std::move(node)), path_(path), prefix_(std::move(prefix)), problems_(problems) {}

  // Errors: kInvalidArgument unless it is a mapping whose keys are all among `keys`, each there
  // once.
  Result<void> check(std::span<const std::string_view> keys) const;

  // The part of check() about keys that are there twice.
  Result<void> check_once() const;

  bool has(std::string_view key) const;
  std::string text(std::string_view key) const;  // "" if absent
  // Each leaves `out` alone if the key is absent. Ranges are inclusive.
  Result<void> read(std::string_view key, std::string& out) const;
  Result<void> read(std::string_view key, int64_t& out, int64_t min, int64_t max) const;
  Result<void> read(std::string_view key, double& out, double min, double max) const;
  // "500ms", "90s", "5m", "1h"; a number alone is seconds.
  Result<void> read(std::string_view key, std::chrono::milliseconds& out) const;
  // One text, or a list of texts.
  Result<void> read(std::string_view key, std::vector<std::string>& out) const;
  ConfigSection section(std::string_view key) const;
  // The items of a list, which check() then takes for mappings; none if the key is absent.
  Result<std::vector<ConfigSection>> items(std::string_view key) const;
  // The keys of the mapping, in the order of the file.
  std::vector<std::string> keys() const;
  // Whether all that is wrong is looked for, beyond what reading takes: paths that lead nowhere.
  bool checks_all() const { return problems_ != nullptr; }

  // A part that was read for itself: its value goes to `out`, its error to the problems.
  template <typename T>
  Result<void> take(Result<T> part, T& out) const {
    if (!part) return settle(std::unexpected(std::move(part).error()));
    out = std::move(*part);
    return {};
  }
  Result<void> settle(Result<void> part) const;

  // "config/precedent.yaml:3: model.temperature".
  std::string place(std::string_view key) const;
  // The same with ": <what>".
  std::unexpected<Error> wrong(std::string_view key, std::string_view what) const;

 private:
  YAML::Node at(std::string_view key) const;
  Result<void> problem(const YAML::Node& key, std::string_view what) const;
  YAML::Node node_;
  std::string_view path_;
  std::string prefix_;
  ConfigProblems* problems_ = nullptr;
};

}  // namespace precedent
