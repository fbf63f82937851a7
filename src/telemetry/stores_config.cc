#include "telemetry/stores_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/strings.h"
#include "files/files.h"
#include "net/url.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kLogsKeys = {"loki", "labels", "page"};
constexpr std::array<std::string_view, 2> kTracesKeys = {"tempo", "jaeger"};
constexpr std::array<std::string_view, 9> kEndpointKeys = {
    "url",          "tenant",        "token_env", "token_file", "user",
    "password_env", "password_file", "timeout",   "retries"};
constexpr size_t kMaxSecretBytes = 64 * 1024;
constexpr int64_t kMaxPage = 100'000;

// A header holds neither control characters nor line ends.
bool fits_a_header(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

struct Secret {
  std::string value, from;  // the variable, or the file
};

// Where secrets are looked up.
struct Keyring {
  fs::path folder;  // of the file that names others
  const MetricsEnvironment& environment;
  // Another environment's variables and files are on other machines: they count as there.
  bool elsewhere = false;
};

// `token_env` or `token_file`, `password_env` or `password_file`.
Result<Secret> read_secret(const ConfigSection& section, const std::string& what,
                           const Keyring& keyring) {
  const std::string env_key = what + "_env", file_key = what + "_file";
  std::string variable, file;
  TRY(section.read(env_key, variable));
  TRY(section.read(file_key, file));
  if (!variable.empty() && !file.empty())
    return section.wrong(file_key, fmt::format("{} is there, too; keep one of them", env_key));
  Secret out;
  if (keyring.elsewhere) return variable.empty() && file.empty() ? out : Secret{"set", "set"};
  if (!variable.empty()) {
    out = {keyring.environment(variable).value_or(""), variable};
    if (out.value.empty())
      return section.wrong(env_key, fmt::format("the variable {} is not set; export it", variable));
  }
  if (!file.empty()) {
    const fs::path path = (keyring.folder / file).lexically_normal();
    const auto text = read_file(path, kMaxSecretBytes);
    if (!text) return section.wrong(file_key, text.error().message);
    out = {std::string(trim(*text)), path.string()};
    if (out.value.empty()) return section.wrong(file_key, fmt::format("{} is empty", out.from));
  }
  if (!fits_a_header(out.value))
    return section.wrong(variable.empty() ? file_key : env_key,
                         fmt::format("{} holds what no header can carry; write the {} alone, on "
                                     "one line",
                                     out.from, what));
  return out;
}

Result<std::string> address_of(const ConfigSection& parent, std::string_view key,
                               std::string text) {
  while (text.ends_with('/')) text.pop_back();
  const auto url = parse_url(text);
  if (!url) return parent.wrong(key, url.error().message);
  if (url->has_user)
    return parent.wrong(key,
                        "has a user or a password in its address, which stands in no file; write "
                        "user and password_env");
  if (text.find_first_of("?#") != std::string::npos)
    return parent.wrong(key, "has a query or a fragment; write the address alone");
  return text;
}

Result<StoreEndpoint> read_store(const ConfigSection& parent, std::string_view key,
                                 const Keyring& keyring) {
  StoreEndpoint out;
  if (!parent.text(key).empty()) {
    out.url = TRY(address_of(parent, key, std::string(trim(parent.text(key)))));
    return out;
  }
  const ConfigSection section = parent.section(key);
  TRY(section.check(kEndpointKeys));
  TRY(section.read("url", out.url));
  out.url = TRY(address_of(parent, key, out.url));
  TRY(section.read("tenant", out.tenant));
  if (!fits_a_header(out.tenant))
    return section.wrong("tenant", "holds what no header can carry; write its plain name");
  const Secret token = TRY(read_secret(section, "token", keyring));
  const Secret password = TRY(read_secret(section, "password", keyring));
  TRY(section.read("user", out.user));
  if (!token.value.empty() && !out.user.empty())
    return section.wrong("user", "a token is there, too; keep one of them");
  if (out.user.empty() != password.value.empty())
    return section.wrong("user", "takes password_env or password_file, and they take user");
  if (!fits_a_header(out.user) || out.user.find(':') != std::string::npos)
    return section.wrong("user", "holds what no header can carry; it has no colon");
  out.token = token.value, out.password = password.value;
  out.secret_from = token.from.empty() ? password.from : token.from;
  TRY(section.read("timeout", out.timeout));
  if (out.timeout.count() == 0) return section.wrong("timeout", "must be above zero");
  int64_t retries = out.retries;
  TRY(section.read("retries", retries, 0, 5));
  out.retries = static_cast<int>(retries);
  return out;
}

Result<void> read_logs_part(const ConfigSection& logs, const Keyring& keyring,
                            StoresConfig& config) {
  TRY(logs.check(kLogsKeys));
  LokiOptions options;
  TRY(logs.read("labels", options.labels));
  if (options.labels.empty())
    return logs.wrong("labels", "names none; leave it out, or name the label of a service");
  for (const std::string& label : options.labels)
    if (!is_label_name(label))
      return logs.wrong("labels", fmt::format("'{}' is no name of a label", label));
  int64_t page = static_cast<int64_t>(options.page);
  TRY(logs.read("page", page, 10, kMaxPage));
  options.page = static_cast<size_t>(page);
  if (!logs.has("loki")) return logs.wrong("loki", "is not there; name the address of a Loki");
  TRY(logs.take(read_store(logs, "loki", keyring), options.endpoint));
  config.loki = std::move(options);
  return {};
}

Result<void> read_traces_part(const ConfigSection& traces, const Keyring& keyring,
                              StoresConfig& config) {
  TRY(traces.check(kTracesKeys));
  config.tempo.reset(), config.jaeger.reset();
  if (traces.has("tempo") == traces.has("jaeger"))
    return traces.wrong("tempo", "name one of tempo and jaeger");
  const bool tempo = traces.has("tempo");
  return traces.take(read_store(traces, tempo ? "tempo" : "jaeger", keyring),
                     (tempo ? config.tempo : config.jaeger).emplace());
}

// What stands in the file for all, and in an environment; the later replaces the earlier.
Result<void> read_parts(const ConfigSection& section, const Keyring& keyring,
                        StoresConfig& config) {
  if (section.has("logs"))
    TRY(section.settle(read_logs_part(section.section("logs"), keyring, config)));
  if (section.has("traces"))
    TRY(section.settle(read_traces_part(section.section("traces"), keyring, config)));
  return {};
}

Result<void> override_stores(const MetricsEnvironment& environment, StoresConfig& config) {
  const auto address = [&](const std::string& variable) -> Result<std::string> {
    std::string url(trim(environment(variable).value_or("")));
    while (url.ends_with('/')) url.pop_back();
    if (url.empty()) return url;
    if (const auto parsed = parse_url(url); !parsed)
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: {}", variable, parsed.error().message));
    return url;
  };
  const std::string loki = TRY(address("PRECEDENT_LOKI_URL"));
  const std::string tempo = TRY(address("PRECEDENT_TEMPO_URL"));
  const std::string jaeger = TRY(address("PRECEDENT_JAEGER_URL"));
  if (!tempo.empty() && !jaeger.empty())
    return fail(ErrorCode::kInvalidArgument,
                "PRECEDENT_TEMPO_URL and PRECEDENT_JAEGER_URL are both set; keep one of them");
  const auto put = [](const std::string& url, std::optional<StoreEndpoint>& endpoint) {
    if (!endpoint) endpoint.emplace();
    endpoint->url = url;
  };
  if (!loki.empty()) {
    if (!config.loki) config.loki.emplace();
    config.loki->endpoint.url = loki;
  }
  if (!tempo.empty()) config.jaeger.reset(), put(tempo, config.tempo);
  if (!jaeger.empty()) config.tempo.reset(), put(jaeger, config.jaeger);
  return {};
}

}  // namespace

Result<StoresConfig> read_stores_config(std::string_view yaml, std::string_view path,
                                        const MetricsEnvironment& environment,
                                        ConfigProblems* all) {
  StoresConfig config;
  const YAML::Node node = TRY(parse_yaml(yaml, path));
  if (node.IsDefined() && !node.IsNull()) {
    const Keyring keyring{fs::path(path).parent_path(), environment};
    const ConfigSection root(node, path, "", all);
    std::string name = "default";
    // What is wrong with the rest of the file is said where it is read.
    TRY(root.read("environment", name));
    if (const auto named = environment("PRECEDENT_ENVIRONMENT")) name = trim(*named);
    TRY(read_parts(root, keyring, config));
    const ConfigSection environments = root.section("environments");
    for (const std::string& other : environments.keys()) {
      if (all == nullptr || other == name) continue;
      StoresConfig unused;
      TRY(read_parts(environments.section(other), {keyring.folder, environment, true}, unused));
    }
    if (environments.has(name)) TRY(read_parts(environments.section(name), keyring, config));
  }
  TRY(override_stores(environment, config));
  return config;
}

}  // namespace precedent
