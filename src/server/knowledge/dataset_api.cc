#include "server/knowledge/dataset_api.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/without_place.h"
#include "server/http/problem.h"
#include "server/http/request_body.h"
#include "server/knowledge/dataset_shape.h"
#include "server/turns/progress_events.h"
#include "store/dataset_versions.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMostVersions = 1'000'000'000;

Result<uint64_t> number_of(std::string_view text, std::string_view what = "a version") {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return fail(ErrorCode::kInvalidArgument, fmt::format("{} is a number, not '{}'", what, text));
}

// A text that may name the version's files, without where they lie on this machine.
std::string without_places(std::string text, const DatasetVersion& version) {
  const auto name_only = [&](const std::string& path) {
    const std::string name = without_place(path);
    if (name == path || name.empty()) return;
    for (size_t at = 0; (at = text.find(path, at)) != std::string::npos; at += name.size())
      text.replace(at, path.size(), name);
  };
  for (const VersionSource& source : version.sources) name_only(source.path);
  name_only(version.mapping_path);
  return text;
}
void clear_places(json& value, const DatasetVersion& version) {
  if (value.is_string()) value = without_places(value.get<std::string>(), version);
  if (value.is_structured())
    for (json& part : value) clear_places(part, version);
}

// As the command line shows it, but for where files lie on this machine.
template <typename Shown>
json for_client(const Shown& made) {
  json out = to_json(made);
  if constexpr (std::is_same_v<Shown, DatasetVersion>)
    clear_places(out, made);
  else
    clear_places(out, made.version);
  return out;
}

template <typename Shown>
Result<ServedResponse> shown(const Result<Shown>& done, int status = 200) {
  if (!done) return std::unexpected(done.error());
  return json_response(for_client(*done), status);
}

bool accepts(const ServedRequest& request, std::string_view type) {
  return ascii_lower(request.header("Accept")).contains(type);
}

Result<json> list(const KnowledgeServices& knowledge, const ServedRequest& request) {
  const bool all = TRY(read_flag(request, "all"));
  const KnowledgeView view = knowledge.view();
  json versions = json::array();
  for (const DatasetVersion& version : TRY(DatasetVersions(view.store).list()))
    if (all || version.state != VersionState::kDiscarded) versions.push_back(for_client(version));
  return json{{"versions", std::move(versions)}};
}

Result<json> show(const KnowledgeServices& knowledge, std::string_view text) {
  const uint64_t number = TRY(number_of(text));
  const KnowledgeView view = knowledge.view();
  return for_client(TRY(DatasetVersions(view.store).find(number)));
}

Result<json> difference(const KnowledgeServices& knowledge, const Routed& routed) {
  const uint64_t to = TRY(number_of(routed.at("version")));
  const std::string_view from = routed.request.parameter("from");
  const KnowledgeView view = knowledge.view();
  const DatasetVersions versions(view.store);
  if (from.empty()) return to_json(TRY(versions.against_active(to)));
  const uint64_t other = TRY(number_of(from, "'from'"));
  return to_json(TRY(versions.difference(other, to)));
}

Result<ServedResponse> create(const KnowledgeServices& knowledge, Uploads& uploads,
                              RequestBody& body) {
  const std::string upload = TRY(body.text("upload_id", Need::kRequired));
  VersionDraft draft;
  draft.mapping = TRY(body.text("mapping"));
  draft.name = TRY(body.text("name"));
  draft.notes = TRY(body.text("notes"));
  draft.created_by = TRY(body.text("by"));
  TRY(body.end());
  if (!draft.mapping.empty()) draft.mapping_path = "mapping";
  const Upload files = TRY(uploads.files(upload));
  const CancelToken never;
  return shown(knowledge.desk.create_version(draft, files, never), 201);
}

Result<ServedResponse> guess(const KnowledgeServices& knowledge, Uploads& uploads,
                             RequestBody& body) {
  const std::string upload = TRY(body.text("upload_id", Need::kRequired));
  const std::string file = TRY(body.text("file"));
  TRY(body.end());
  const Upload files = TRY(uploads.files(upload));
  return json_response({{"mapping", TRY(knowledge.desk.guess_mapping(files, file))}});
}

Result<ServedResponse> validate(const KnowledgeServices& knowledge, const Routed& routed) {
  const uint64_t number = TRY(number_of(routed.at("version")));
  const CancelToken never;
  const ValidatedVersion done = TRY(knowledge.desk.validate_version(number, never));
  if (!accepts(routed.request, "text/markdown")) return json_response(for_client(done));
  return ServedResponse{.headers = {{"Content-Type", "text/markdown; charset=utf-8"}},
                        .body = without_places(done.markdown, done.version)};
}

// Its progress; whoever asks while it goes on watches the same.
Result<ServedResponse> watched_ingest(const KnowledgeServices& knowledge, Turns& turns,
                                      uint64_t number, EmbedIn precision, std::string_view after) {
  TRY(DatasetVersions(knowledge.view().store).find(number));
  const std::string name = fmt::format("dataset:{}", number);  // no chat is called so
  auto log = turns.start(name, [knowledge, number, precision](ChatTurn& own) {
    ProgressEvents events(own);
    const auto tell = [&](std::string_view stage, uint64_t done, uint64_t total) {
      events.tell(stage, done, total);
    };
    const auto version = knowledge.desk.embed_version(number, precision, tell, own.cancel);
    if (!version) return say_failed(own, version.error());
    own.say_last("complete", dump_json(for_client(*version)));
  });
  if (log) return event_stream((*log)->read());
  const auto running = turns.last_of(name);
  if (log.error().code != ErrorCode::kConflict || running == nullptr)
    return std::unexpected(log.error());
  return event_stream(running->read(after));
}

Result<ServedResponse> ingest(const KnowledgeServices& knowledge, Turns& turns,
                              const Routed& routed, RequestBody& body) {
  const EmbedIn precision =
      TRY(body.flag("int8", false)) ? EmbedIn::kInt8 : EmbedIn::kPrecisionOfIndex;
  TRY(body.end());
  const uint64_t number = TRY(number_of(routed.at("version")));
  const ServedRequest& request = routed.request;
  if (accepts(request, "text/event-stream"))
    return watched_ingest(knowledge, turns, number, precision, request.header("Last-Event-ID"));
  const CancelToken never;
  const auto untold = [](std::string_view, uint64_t, uint64_t) {};
  return shown(knowledge.desk.embed_version(number, precision, untold, never));
}

Result<ActivationWish> read_wish(RequestBody& body) {
  ActivationWish wish;
  wish.by = TRY(body.text("by"));
  wish.force = TRY(body.flag("force", false));
  wish.why = TRY(body.text("why"));
  wish.keep = TRY(body.count("keep", kMostVersions)).value_or(wish.keep);
  TRY(body.end());
  return wish;
}

}  // namespace

void add_dataset_routes(Router& router, const KnowledgeServices& knowledge, Uploads& uploads,
                        Turns& turns) {
  router.add_now("GET", "/datasets", [knowledge](const Routed& routed) {
    return json_or_problem(list(knowledge, routed.request));
  });
  router.add_now("POST", "/datasets", [knowledge, &uploads](const Routed& routed) {
    return answered(routed.request,
                    [&](RequestBody& body) { return create(knowledge, uploads, body); });
  });
  router.add_now("POST", "/datasets/guess", [knowledge, &uploads](const Routed& routed) {
    return answered(routed.request,
                    [&](RequestBody& body) { return guess(knowledge, uploads, body); });
  });
  router.add_now("POST", "/datasets/rollback", [knowledge](const Routed& routed) {
    return answered(routed.request, [&](RequestBody& body) -> Result<ServedResponse> {
      const auto to = TRY(body.count("version", kMostVersions));
      if (to == 0) return fail(ErrorCode::kInvalidArgument, "'version' is 0; versions begin at 1");
      const ActivationWish wish = TRY(read_wish(body));
      const CancelToken never;
      return shown(knowledge.desk.roll_back_version(to.value_or(0), wish, never));
    });
  });
  router.add_now("GET", "/datasets/{version}", [knowledge](const Routed& routed) {
    return json_or_problem(show(knowledge, routed.at("version")));
  });
  router.add_now("DELETE", "/datasets/{version}", [knowledge](const Routed& routed) {
    return answered(routed.request, [&](RequestBody& body) -> Result<ServedResponse> {
      TRY(body.end());
      const uint64_t number = TRY(number_of(routed.at("version")));
      return shown(knowledge.desk.discard_version(number));
    });
  });
  router.add_now("GET", "/datasets/{version}/difference", [knowledge](const Routed& routed) {
    return json_or_problem(difference(knowledge, routed));
  });
  router.add_now("POST", "/datasets/{version}/validate", [knowledge](const Routed& routed) {
    return answered(routed.request, [&](RequestBody& body) -> Result<ServedResponse> {
      TRY(body.end());
      return validate(knowledge, routed);
    });
  });
  router.add_now("POST", "/datasets/{version}/ingest", [knowledge, &turns](const Routed& routed) {
    return answered(routed.request,
                    [&](RequestBody& body) { return ingest(knowledge, turns, routed, body); });
  });
  router.add_now("POST", "/datasets/{version}/activate", [knowledge](const Routed& routed) {
    return answered(routed.request, [&](RequestBody& body) -> Result<ServedResponse> {
      const ActivationWish wish = TRY(read_wish(body));
      const uint64_t number = TRY(number_of(routed.at("version")));
      const CancelToken never;
      return shown(knowledge.desk.activate_version(number, wish, never));
    });
  });
}

}  // namespace precedent
