#include "investigate/bundle.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/hex.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "files/files.h"
#include "files/temporary_folder.h"
#include "investigate/report.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kFormat = "precedent investigation bundle";
constexpr int kVersion = 1;
constexpr size_t kMaxFiles = 1000;
constexpr size_t kKeyBytes = 32, kSignatureBytes = 64;

template <auto kFree>
struct FreeBy {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, FreeBy<EVP_PKEY_free>>;
using Digest = std::unique_ptr<EVP_MD_CTX, FreeBy<EVP_MD_CTX_free>>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// Nothing unless it is so many bytes in hexadecimal digits.
std::optional<std::string> unhex(std::string_view digits, size_t bytes) {
  return digits.size() == 2 * bytes ? from_hex(digits) : std::nullopt;
}

std::unexpected<Error> no_signing() {
  return fail(ErrorCode::kInternal, "OpenSSL cannot sign with Ed25519");
}

bool is_signed(std::string_view text, std::string_view signature, std::string_view public_key) {
  const Key key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(public_key),
                                            public_key.size()));
  const Digest digest(EVP_MD_CTX_new());
  return key && digest &&
         EVP_DigestVerifyInit(digest.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(digest.get(), bytes_of(signature), signature.size(), bytes_of(text),
                          text.size()) == 1;
}

json time_json(const std::optional<Instant>& time) {
  return time ? json(time->time_since_epoch().count()) : json();
}

std::optional<Instant> time_at(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return Instant(std::chrono::milliseconds(found->get<int64_t>()));
}

std::string text_at(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<std::string> texts_at(const json& object, const char* key) {
  std::vector<std::string> texts;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return texts;
  for (const json& text : *found)
    if (text.is_string()) texts.push_back(text);
  return texts;
}

json brief_json(const IncidentBrief& brief) {
  return {{"id", brief.id},
          {"title", brief.title},
          {"service", brief.service},
          {"severity", brief.severity},
          {"symptoms", brief.symptoms},
          {"errors", brief.errors},
          {"labels", brief.labels},
          {"links", brief.links},
          {"alerts", brief.alerts},
          {"missing", brief.missing},
          {"fired_at", time_json(brief.fired_at)},
          {"ended_at", time_json(brief.ended_at)}};
}

IncidentBrief brief_of_json(const json& kept) {
  IncidentBrief brief;
  brief.id = text_at(kept, "id"), brief.title = text_at(kept, "title");
  brief.service = text_at(kept, "service"), brief.severity = text_at(kept, "severity");
  brief.symptoms = texts_at(kept, "symptoms"), brief.errors = texts_at(kept, "errors");
  brief.links = texts_at(kept, "links"), brief.missing = texts_at(kept, "missing");
  if (const auto labels = kept.find("labels"); labels != kept.end() && labels->is_object())
    for (const auto& [key, value] : labels->items())
      if (value.is_string()) brief.labels[key] = value;
  brief.fired_at = time_at(kept, "fired_at"), brief.ended_at = time_at(kept, "ended_at");
  return brief;
}

Result<json> files_of(const fs::path& folder) {
  json files = json::object();
  size_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (!it->is_regular_file(error) || it->is_symlink(error)) continue;
    const std::string text = TRY(read_file(it->path(), kMaxBundleBytes));
    bytes += text.size();
    if (bytes > kMaxBundleBytes || files.size() >= kMaxFiles)
      return fail(ErrorCode::kResourceExhausted,
                  fmt::format("{} holds more than a bundle may: {} MB in {} files; look at a "
                              "shorter time (--since, --until)",
                              folder.string(), kMaxBundleBytes >> 20, kMaxFiles));
    files[it->path().lexically_relative(folder).generic_string()] = redact(repair_utf8(text));
  }
  return files;
}

// Below `folder` alone: names come from whoever made the bundle.
Result<void> lay_out(const json& files, const fs::path& folder) {
  if (!files.is_object() || files.size() > kMaxFiles)
    return fail(ErrorCode::kCorrupt, "the bundle has no list of files that can be read");
  for (const auto& [name, text] : files.items()) {
    const fs::path path(name);
    const bool inside =
        path.is_relative() && !path.empty() && std::ranges::none_of(path, [](const fs::path& part) {
          return part == ".." || part == "." || part.empty();
        });
    if (!inside || !text.is_string())
      return fail(ErrorCode::kCorrupt,
                  fmt::format("the bundle has a file that is none: '{}'", shown_text(name, 100)));
    TRY(make_directories((folder / path).parent_path()));
    const std::string_view parts[] = {text.get_ref<const std::string&>()};
    TRY(write_file_atomically(folder / path, parts));
  }
  return {};
}

// Of a report: what it claims, by name.
using Claims = std::vector<std::pair<std::string, json>>;

void add_tests(const json& hypothesis, const char* key, const std::string& of, Claims& claims) {
  size_t number = 0;
  for (const json& test : hypothesis.value(key, json::array()))
    claims.emplace_back(fmt::format("{}, {} {}: {}", of, key, ++number, text_at(test, "what")),
                        json::array({test.value("holds", 0.0), text_at(test, "because"),
                                     text_at(test, "receipt")}));
}

Claims claims_of(const json& report) {
  Claims claims;
  for (const char* key : {"outcome", "summary", "causes", "onset", "first_failing_service",
                          "blast_radius", "root_cause_commit", "remediation"})
    if (report.contains(key)) claims.emplace_back(key, report[key]);
  for (const json& hypothesis : report.value("hypotheses", json::array())) {
    const std::string own = fmt::format("hypothesis {}", text_at(hypothesis, "id"));
    claims.emplace_back(
        own, json::array({text_at(hypothesis, "statement"), text_at(hypothesis, "status"),
                          hypothesis.value("confidence", 0.0)}));
    add_tests(hypothesis, "needs", own, claims);
    add_tests(hypothesis, "predictions", own, claims);
    for (const json& step : hypothesis.value("path", json::array()))
      claims.emplace_back(
          fmt::format("{}: {} → {}", own, text_at(step, "from"), text_at(step, "to")), step);
  }
  for (const json& receipt : report.value("receipts", json::array()))
    claims.emplace_back("receipt " + text_at(receipt, "id"), receipt.value("text", ""));
  return claims;
}

// Numbers are compared as they are printed: a processor may round the last digit otherwise.
bool is_same(const json& a, const json& b) {
  constexpr double kNear = 1e-6;
  if (a.is_number() && b.is_number()) return std::abs(a.get<double>() - b.get<double>()) <= kNear;
  if (a.is_array() && b.is_array())
    return std::ranges::equal(a, b, [](const json& x, const json& y) { return is_same(x, y); });
  return a == b;
}

std::string shown_claim(const json& value) {
  return shown_text(value.is_string() ? value.get<std::string>() : dump_json(value), 300);
}

Result<Investigation> again(const json& bundle, const CancelToken& cancel) {
  const TemporaryFolder folder;
  TRY(lay_out(bundle.value("files", json()), folder.path()));
  const json asked = bundle.value("asked", json::object());
  GatherOptions options;
  options.now = std::chrono::floor<std::chrono::seconds>(time_at(asked, "now").value_or(Instant{}));
  options.brief = {.service = text_at(asked, "service"),
                   .description = text_at(asked, "description"),
                   .since = time_at(asked, "since"),
                   .until = time_at(asked, "until")};
  return investigate(brief_of_json(bundle.value("brief", json::object())), folder.path(), options,
                     SourceContext{cancel});
}

}  // namespace

Result<BundleKey> BundleKey::open_or_make(const fs::path& file) {
  std::error_code error;
  BundleKey key;
  if (fs::exists(file, error)) {
    key.private_ = trim(TRY(read_file(file, 1024)));
  } else {
    Key made(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
    std::string raw(kKeyBytes, '\0');
    size_t length = raw.size();
    if (!made || EVP_PKEY_get_raw_private_key(
                     made.get(), reinterpret_cast<unsigned char*>(raw.data()), &length) != 1)
      return no_signing();
    key.private_ = to_hex(raw);
    const std::string_view parts[] = {key.private_, "\n"};
    TRY(write_file_atomically(file, parts));
  }
  const auto raw = unhex(key.private_, kKeyBytes);
  if (!raw)
    return fail(ErrorCode::kCorrupt,
                fmt::format("{} holds no key; remove it, and a new one is made", file.string()));
  const Key own(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes_of(*raw), kKeyBytes));
  std::string open(kKeyBytes, '\0');
  size_t length = open.size();
  if (!own || EVP_PKEY_get_raw_public_key(own.get(), reinterpret_cast<unsigned char*>(open.data()),
                                          &length) != 1)
    return no_signing();
  key.public_ = to_hex(open);
  return key;
}

Result<std::string> BundleKey::sign(std::string_view text) const {
  const std::string raw = unhex(private_, kKeyBytes).value_or("");
  const Key own(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes_of(raw), raw.size()));
  const Digest digest(EVP_MD_CTX_new());
  std::string signature(kSignatureBytes, '\0');
  size_t length = signature.size();
  if (!own || !digest ||
      EVP_DigestSignInit(digest.get(), nullptr, nullptr, nullptr, own.get()) != 1 ||
      EVP_DigestSign(digest.get(), reinterpret_cast<unsigned char*>(signature.data()), &length,
                     bytes_of(text), text.size()) != 1)
    return no_signing();
  return to_hex(signature);
}

Result<std::string> make_bundle(const BundleInput& input, const Investigation& investigation,
                                const BundleKey& key) {
  const json files = TRY(files_of(input.folder));
  const json bundle = {{"format", kFormat},
                       {"version", kVersion},
                       {"program", input.program},
                       {"made_at", format_time(input.options.now)},
                       {"brief", brief_json(input.brief)},
                       {"asked",
                        {{"now", time_json(Instant(input.options.now))},
                         {"service", input.options.brief.service},
                         {"description", input.options.brief.description},
                         {"since", time_json(input.options.brief.since)},
                         {"until", time_json(input.options.brief.until)}}},
                       {"report", to_json(investigation)},
                       {"files", files}};
  const std::string text = dump_json(bundle);
  const std::string signature = TRY(key.sign(text));
  return dump_json({{"bundle", text}, {"public_key", key.public_key()}, {"signature", signature}}) +
         "\n";
}

size_t BundleCheck::failed() const {
  return static_cast<size_t>(std::ranges::count(claims, false, &CheckedClaim::holds));
}

Result<BundleCheck> check_bundle(std::string_view text, const CancelToken& cancel) {
  const json outer = parse_json(text);
  const std::string inner = text_at(outer, "bundle"), signer = text_at(outer, "public_key");
  if (inner.empty() || signer.empty())
    return fail(ErrorCode::kCorrupt,
                "this is no bundle of an investigation (precedent investigate --bundle makes one)");
  const auto key = unhex(signer, kKeyBytes);
  const auto signature = unhex(text_at(outer, "signature"), kSignatureBytes);
  if (!key || !signature || !is_signed(inner, *signature, *key))
    return fail(ErrorCode::kCorrupt,
                "the signature does not fit: the bundle is not as it was made, and nothing in it "
                "is to be trusted");
  const json bundle = parse_json(inner);
  if (text_at(bundle, "format") != kFormat)
    return fail(ErrorCode::kCorrupt, "what is signed is no investigation");
  if (bundle.value("version", 0) != kVersion)
    return fail(ErrorCode::kInvalidArgument,
                "the bundle was made by another version of this program; check it with that, or "
                "upgrade");
  BundleCheck check{.signer = signer,
                    .program = text_at(bundle, "program"),
                    .summary = text_at(bundle.value("report", json::object()), "summary")};
  if (const auto made = parse_time(text_at(bundle, "made_at"))) check.made_at = *made;
  const json now = to_json(TRY(again(bundle, cancel)));
  const Claims before = claims_of(bundle.value("report", json::object())), after = claims_of(now);
  for (const auto& [claim, value] : before) {
    const auto found = std::ranges::find(after, claim, &Claims::value_type::first);
    CheckedClaim checked{.claim = shown_text(claim, 200)};
    checked.holds = found != after.end() && is_same(found->second, value);
    if (!checked.holds) {
      checked.was = shown_claim(value);
      checked.now = found == after.end() ? "not there" : shown_claim(found->second);
    }
    check.claims.push_back(std::move(checked));
  }
  return check;
}

}  // namespace precedent
