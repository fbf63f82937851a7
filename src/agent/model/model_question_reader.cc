#include "agent/model/model_question_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/ids.h"
#include "base/strings.h"
#include "llm/tool_arguments.h"

namespace precedent {
namespace {

using nlohmann::json;

// Reading is a part of searching; a model that takes longer is not waited for.
constexpr std::chrono::seconds kReadTime{10};
// Names of a large company would fill the prompt; the rules know the others.
constexpr size_t kMaxNames = 200;

const ToolDescription& read_form() {
  using Type = ToolParameter::Type;
  static const ToolDescription kForm{
      "search",
      "The question as a search",
      {{"query", Type::kString, "What to search for, without the restrictions", true},
       {"applications", Type::kStringList, "Names of the catalogue"},
       {"services", Type::kStringList, "Names of the catalogue"},
       {"severities", Type::kStringList, "Names of the catalogue"},
       {"statuses", Type::kStringList, "Names of the catalogue"},
       {"ids", Type::kStringList, "Ids that the question names"},
       {"kinds", Type::kStringList, "Kinds of document that are asked for"},
       {"opened_from", Type::kString, "YYYY-MM-DD, inclusive"},
       {"opened_to", Type::kString, "YYYY-MM-DD, exclusive"}}};
  return kForm;
}

std::string catalogue_text(const Catalogue& catalogue) {
  std::string text;
  const auto add = [&](std::string_view what, const std::vector<std::string>& names) {
    const std::vector<std::string> some(
        names.begin(), names.begin() + static_cast<ptrdiff_t>(std::min(names.size(), kMaxNames)));
    text += fmt::format("{}: {}\n", what, join(some, ", "));
  };
  add("applications", catalogue.applications);
  add("services", catalogue.services);
  add("severities", catalogue.severities);
  add("statuses", catalogue.statuses);
  return text;
}

class Reader {
 public:
  explicit Reader(const json& object) : object_(object) {}

  // Those of `known`, in its spelling.
  void names(const char* key, const std::vector<std::string>& known, std::vector<std::string>& to) {
    for (const std::string& said : list(key)) {
      const std::string name = known_name(said, known);
      if (std::ranges::find(known, name) == known.end()) {
        dropped(key, said, "no document has it");
      } else {
        to.push_back(name);
        taken(key, name);
      }
    }
  }
  void kinds(std::vector<Kind>& to) {
    for (const std::string& said : list("kinds")) {
      if (const auto kind = parse_kind(said)) {
        to.push_back(*kind);
        taken("kind", said);
      } else {
        dropped("kinds", said, "there is no such kind");
      }
    }
  }
  void ids(std::vector<std::string>& to) {
    for (const std::string& said : list("ids")) {
      to.push_back(normalize_id(said));
      taken("id", to.back());
    }
  }
  void time(const char* key, std::optional<TimePoint>& to) {
    const std::string said = text(key);
    if (said.empty()) return;
    if (const auto at = parse_time(said)) {
      to = *at;
      taken(key, said);
    } else {
      dropped(key, said, "it is no date");
    }
  }
  std::string text(const char* key) const {
    const auto found = object_.find(key);
    return found != object_.end() && found->is_string() ? found->get<std::string>() : "";
  }
  std::vector<std::string> cues;

 private:
  std::vector<std::string> list(const char* key) const {
    std::vector<std::string> values;
    const auto found = object_.find(key);
    if (found == object_.end() || !found->is_array()) return values;
    for (const json& value : *found)
      if (value.is_string()) values.push_back(value.get<std::string>());
    return values;
  }
  void taken(std::string_view key, std::string_view value) {
    cues.push_back(fmt::format("{}={} (by the model)", key, value));
  }
  void dropped(std::string_view key, std::string_view value, std::string_view why) {
    cues.push_back(fmt::format("{}={} was dropped: {}", key, value, why));
  }

  const json& object_;
};

}  // namespace

Result<ReadQuestion> parse_read_question(std::string_view text, const Catalogue& catalogue) {
  const CheckedArguments checked = TRY(check_arguments(read_form(), text));
  const json object = parse_json(checked.json);
  if (!object.is_object())
    return fail(ErrorCode::kInvalidArgument, "the model's reading of the question is no object");
  Reader reader(object);
  ReadQuestion read;
  read.query = reader.text("query");
  reader.names("applications", catalogue.applications, read.filter.applications);
  reader.names("services", catalogue.services, read.filter.services);
  reader.names("severities", catalogue.severities, read.filter.severities);
  reader.names("statuses", catalogue.statuses, read.filter.statuses);
  reader.ids(read.filter.ids);
  reader.kinds(read.filter.kinds);
  reader.time("opened_from", read.filter.opened.from);
  reader.time("opened_to", read.filter.opened.to);
  read.cues = std::move(reader.cues);
  return read;
}

Result<ReadQuestion> ModelQuestionReader::read(std::string_view question,
                                               const Catalogue& catalogue, TimePoint now) const {
  ModelRequest request;
  request.messages = {
      {Role::kUser, TRY(prompts_.render("self_query", {{"question", std::string(question)},
                                                       {"catalogue", catalogue_text(catalogue)},
                                                       {"now", format_time(now)}}))}};
  request.response = read_form();
  NullSink silent;
  ModelContext context{silent, cancel_, std::chrono::steady_clock::now() + kReadTime};
  const ModelReply reply = TRY(model_.complete(request, context));
  return parse_read_question(reply.message.content, catalogue);
}

}  // namespace precedent
