// PromptLibrary of prompts.h: which files are in force, and noticing that they have changed.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/language/nearest_name.h"
#include "agent/model/prompts.h"
#include "files/files.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

// A prompt is read by a model with every turn: 64 KB are 16,000 tokens, more than any rules
// deserve.
constexpr size_t kMaxPromptBytes = 64 * 1024;

std::string file_name(const PromptSpec& spec) { return std::string(spec.name) + ".md"; }

}  // namespace

std::vector<Error> check_prompt_names(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (const PromptSpec& spec : prompt_specs()) names.push_back(file_name(spec));
  const std::vector<std::string_view> known(names.begin(), names.end());
  std::vector<Error> problems;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (entry->path().extension() != ".md" || std::ranges::find(known, name) != known.end())
      continue;
    problems.push_back({ErrorCode::kInvalidArgument,
                        fmt::format("{}: there is no prompt of this name; did you mean {}?",
                                    entry->path().string(), nearest_name(name, known))});
  }
  if (error && error != std::errc::no_such_file_or_directory)
    problems.push_back(system_error("read the folder", folder, error.value()));
  std::ranges::sort(problems, {}, &Error::message);
  return problems;
}

PromptLibrary::Stamp PromptLibrary::stamp_of(const PromptSpec& spec) const {
  const fs::path file = folder_ / file_name(spec);
  std::error_code error;
  Stamp stamp;
  stamp.exists =
      fs::exists(file, error) || (error && error != std::errc::no_such_file_or_directory);
  if (!stamp.exists) return stamp;
  stamp.time = fs::last_write_time(file, error);
  if (error) stamp.time = {};
  stamp.size = fs::file_size(file, error);
  if (error) stamp.size = 0;
  return stamp;
}

Result<Prompt> PromptLibrary::read(const PromptSpec& spec, const Stamp& stamp) const {
  if (!stamp.exists)
    return Prompt::parse(default_prompt(spec.name), "prompts/" + file_name(spec), spec);
  const fs::path file = folder_ / file_name(spec);
  return Prompt::parse(TRY(read_file(file, kMaxPromptBytes)), file.string(), spec);
}

Result<std::unique_ptr<PromptLibrary>> PromptLibrary::open(const fs::path& folder) {
  if (auto problems = check_prompt_names(folder); !problems.empty())
    return std::unexpected(std::move(problems.front()));
  std::unique_ptr<PromptLibrary> library(new PromptLibrary(folder));
  auto set = std::make_shared<Set>();
  const MutexLock lock(library->mutex_);
  for (const PromptSpec& spec : prompt_specs()) {
    // Taken before the file is read: a change in between is noticed at the next refresh.
    const Stamp stamp = library->stamp_of(spec);
    set->emplace(spec.name, TRY(library->read(spec, stamp)));
    library->stamps_[spec.name] = stamp;
  }
  library->set_ = std::move(set);
  return library;
}

std::vector<std::string> PromptLibrary::refresh() {
  std::vector<std::string> problems;
  const MutexLock lock(mutex_);
  std::shared_ptr<Set> changed;
  for (const PromptSpec& spec : prompt_specs()) {
    const Stamp stamp = stamp_of(spec);
    if (std::exchange(stamps_[spec.name], stamp) == stamp) continue;
    Result<Prompt> prompt = read(spec, stamp);
    if (!prompt) {
      problems.push_back(
          fmt::format("{}; the prompt before stays in force", prompt.error().text()));
      continue;
    }
    if (!changed) changed = std::make_shared<Set>(*set_);
    changed->insert_or_assign(std::string(spec.name), std::move(*prompt));
  }
  if (changed) set_ = std::move(changed);
  return problems;
}

std::shared_ptr<const PromptLibrary::Set> PromptLibrary::snapshot() const {
  const MutexLock lock(mutex_);
  return set_;
}

Result<std::string> PromptLibrary::render(std::string_view name, const PromptValues& values) const {
  const std::shared_ptr<const Set> set = snapshot();
  const auto found = set->find(name);
  if (found == set->end())
    return fail(ErrorCode::kNotFound, fmt::format("there is no prompt '{}'", name));
  return found->second.render(values);
}

}  // namespace precedent
