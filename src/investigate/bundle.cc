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
#include "investigate/case_graph.h"
#include "investigate/intake/bundle_json.h"
#include "investigate/knowledge/knowledge.h"
#include "investigate/report/report.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kFormat = "precedent investigation bundle";
// The first had no documents and no answers, the second nothing of what alerts say.
constexpr int kVersion = 3;
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

std::vector<std::string> answers_of(const Investigation& investigation) {
  std::vector<std::string> out;
  for (const CaseAnswer& answer : investigation.answers)
    out.emplace_back(answer.yes ? "yes" : "no");
  return out;
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
    claims.emplace_back(fmt::format("{}, {} {}: {}", of, key, ++number, kept_text(test, "what")),
                        json::array({test.value("holds", 0.0), kept_text(test, "because"),
                                     kept_text(test, "receipt")}));
}

Claims claims_of(const json& report) {
  Claims claims;
  for (const char* key : {"outcome", "summary", "causes", "onset", "first_failing_service",
                          "blast_radius", "root_cause_commit", "remediation"})
    if (report.contains(key)) claims.emplace_back(key, report[key]);
  for (const json& hypothesis : report.value("hypotheses", json::array())) {
    const std::string own = fmt::format("hypothesis {}", kept_text(hypothesis, "id"));
    claims.emplace_back(
        own, json::array({kept_text(hypothesis, "statement"), kept_text(hypothesis, "status"),
                          hypothesis.value("confidence", 0.0)}));
    add_tests(hypothesis, "needs", own, claims);
    add_tests(hypothesis, "predictions", own, claims);
    for (const json& step : hypothesis.value("path", json::array()))
      claims.emplace_back(
          fmt::format("{}: {} → {}", own, kept_text(step, "from"), kept_text(step, "to")), step);
  }
  for (const json& wider : report.value("wider", json::array())) {
    const std::string own = fmt::format("wider hypothesis {}", kept_text(wider, "id"));
    claims.emplace_back(
        own, json::array({kept_text(wider, "statement"), kept_text(wider, "status"),
                          wider.value("confidence", 0.0), wider.value("branches", json::array())}));
    add_tests(wider, "needs", own, claims);
  }
  for (const json& owner : report.value("owners", json::array()))
    claims.emplace_back(
        fmt::format("owner of {}: {}", kept_text(owner, "service"), kept_text(owner, "title")),
        owner);
  for (const json& each : report.value("downstream", json::array()))
    claims.emplace_back(
        fmt::format("{} is downstream of {}", kept_text(each, "service"), kept_text(each, "on")),
        each);
  for (const json& receipt : report.value("receipts", json::array()))
    claims.emplace_back("receipt " + kept_text(receipt, "id"), receipt.value("text", ""));
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
  CaseOrder order{.brief = brief_of_json(bundle.value("brief", json::object())),
                  .folder = folder.path().string(),
                  .options = {},
                  .told = kept_texts(asked, "answers")};
  order.options.now =
      std::chrono::floor<std::chrono::seconds>(kept_time(asked, "now").value_or(Instant{}));
  order.options.brief = {.service = kept_text(asked, "service"),
                         .description = kept_text(asked, "description"),
                         .since = kept_time(asked, "since"),
                         .until = kept_time(asked, "until")};
  const std::vector<ServiceDocument> documents =
      documents_of_json(bundle.value("documents", json::array()));
  const KnownOfAlerts known = known_of_json(bundle.value("known", json::object()));
  const CaseDesk desk{.of_alerts = [&known](const IncidentBrief&, TimePoint) { return known; },
                      .known =
                          [&documents](TimePoint now, Investigation& made) {
                            made.documents = documents;
                            add_ownership(now, made);
                          }};
  const auto graph = TRY(create_case_graph(desk, nullptr));
  RunOptions run;
  run.cancel = &cancel;
  NullSink nobody;
  return investigation_of(TRY(graph.run(case_input(order), run, nobody)).state);
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
                        {{"now", kept_time_json(Instant(input.options.now))},
                         {"service", input.options.brief.service},
                         {"description", input.options.brief.description},
                         {"since", kept_time_json(input.options.brief.since)},
                         {"until", kept_time_json(input.options.brief.until)},
                         {"answers", answers_of(investigation)}}},
                       {"report", to_json(investigation)},
                       {"documents", documents_json(investigation.documents)},
                       {"known", known_json(investigation.evidence.known)},
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
  const std::string inner = kept_text(outer, "bundle"), signer = kept_text(outer, "public_key");
  if (inner.empty() || signer.empty())
    return fail(ErrorCode::kCorrupt,
                "this is no bundle of an investigation (precedent investigate --bundle makes one)");
  const auto key = unhex(signer, kKeyBytes);
  const auto signature = unhex(kept_text(outer, "signature"), kSignatureBytes);
  if (!key || !signature || !is_signed(inner, *signature, *key))
    return fail(ErrorCode::kCorrupt,
                "the signature does not fit: the bundle is not as it was made, and nothing in it "
                "is to be trusted");
  const json bundle = parse_json(inner);
  if (kept_text(bundle, "format") != kFormat)
    return fail(ErrorCode::kCorrupt, "what is signed is no investigation");
  if (const int version = bundle.value("version", 0); version < 1 || version > kVersion)
    return fail(ErrorCode::kInvalidArgument,
                "the bundle was made by another version of this program; check it with that, or "
                "upgrade");
  BundleCheck check{.signer = signer,
                    .program = kept_text(bundle, "program"),
                    .summary = kept_text(bundle.value("report", json::object()), "summary")};
  if (const auto made = parse_time(kept_text(bundle, "made_at"))) check.made_at = *made;
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
