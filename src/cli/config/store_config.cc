#include "cli/config/store_config.h"

#include <fmt/format.h>

#include "cli/config/config_file.h"
#include "cli/config/qdrant_place.h"
#include "db/database_place.h"

namespace precedent {
namespace {

constexpr std::string_view kKeys[] = {"url"};

}  // namespace

Result<std::optional<std::string>> read_store_config(std::string_view yaml, std::string_view path,
                                                     ConfigProblems* all) {
  const ConfigSection root(TRY(parse_yaml(yaml, path)), path, "", all);
  if (!root.has("store")) return std::nullopt;
  const ConfigSection section = root.section("store");
  TRY(section.check(kKeys));
  std::string url;
  TRY(section.read("url", url));
  if (url.empty()) return std::nullopt;
  if (const auto checked = check_store_url(url); !checked)
    TRY(section.settle(section.wrong("url", checked.error().message)));
  if (db::has_password(url))
    TRY(section.settle(section.wrong(
        "url",
        "a password has no place here; leave it out and set PGPASSWORD or PGPASSFILE, or name a "
        "file with the whole address in PRECEDENT_STORE_URL_FILE")));
  return url;
}

Result<StoreAddress> configured_store(const std::filesystem::path& data_dir,
                                      const std::string& config) {
  StoreAddress address = TRY(store_address(data_dir));
  if (!address.is_file()) return address;
  const ConfigFile file =
      TRY(find_config_file("precedent.yaml", "PRECEDENT_CONFIG", config, data_dir));
  address.url = TRY(read_store_config(file.text, file.path)).value_or("");
  return address;
}

namespace {

Result<std::unique_ptr<KnowledgeBase>> open_seen_by(const std::filesystem::path& data_dir,
                                                    std::shared_ptr<QdrantApi> server,
                                                    const std::optional<Scope>& seen_by) {
  return KnowledgeBase::open(TRY(configured_store(data_dir)), data_dir, std::move(server),
                             TRY(QuestionEncoder::open()), seen_by);
}

}  // namespace

Result<std::unique_ptr<KnowledgeBase>> open_knowledge(const std::filesystem::path& data_dir,
                                                      std::shared_ptr<QdrantApi> server) {
  return open_seen_by(data_dir, std::move(server), std::nullopt);
}

Result<std::unique_ptr<KnowledgeBase>> open_knowledge(const std::filesystem::path& data_dir) {
  return open_knowledge(data_dir, TRY(qdrant_for_answers(data_dir)));
}

Result<std::unique_ptr<KnowledgeBase>> open_knowledge_for_others(
    const std::filesystem::path& data_dir) {
  return open_seen_by(data_dir, TRY(qdrant_for_answers(data_dir)), Scope());
}

}  // namespace precedent
