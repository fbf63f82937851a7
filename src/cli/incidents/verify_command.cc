// precedent verify: whether the claims of a bundle still hold, by its own evidence.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command/command.h"
#include "cli/command/input.h"
#include "cli/terminal/render.h"
#include "investigate/bundle.h"

namespace precedent {
namespace {

using nlohmann::json;

struct VerifyOptions {
  std::string file, key;
  bool json = false;
};

json shown(const BundleCheck& check) {
  json failed = json::array();
  for (const CheckedClaim& claim : check.claims)
    if (!claim.holds)
      failed.push_back({{"claim", claim.claim}, {"was", claim.was}, {"now", claim.now}});
  return {{"signer", check.signer},
          {"program", check.program},
          {"made_at", format_time(check.made_at)},
          {"summary", check.summary},
          {"claims", check.claims.size()},
          {"failed", std::move(failed)}};
}

void print(const BundleCheck& check) {
  fmt::print("{}\n\nSigned with {} by {} on {}.\n", printable(check.summary), check.signer,
             printable(check.program), format_time(check.made_at));
  for (const CheckedClaim& claim : check.claims)
    if (!claim.holds)
      fmt::print("does not hold: {}\n  was: {}\n  now: {}\n", printable(claim.claim),
                 printable(claim.was), printable(claim.now));
  fmt::print("{} of {} claims hold.\n", check.claims.size() - check.failed(), check.claims.size());
}

Result<BundleCheck> verify(const VerifyOptions& options) {
  // The text is in it twice escaped.
  const std::string text = TRY(read_input(options.file, 4 * kMaxBundleBytes));
  BundleCheck check = TRY(check_bundle(text, interrupted()));
  if (!options.key.empty() && !check.signer.starts_with(options.key))
    return fail(ErrorCode::kPermission,
                fmt::format("it is signed with {}, not with {}", check.signer, options.key));
  return check;
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command =
      app.add_subcommand("verify", "Check every claim of an investigation's bundle again, offline");
  command->add_option("file", options->file, "What investigate --bundle wrote; - is standard input")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--key", options->key,
                   "The public key that must have signed it, or its beginning")
      ->type_name("HEX");
  command->add_flag("--json", options->json, "As JSON");
  command->callback([options, &exit_code] {
    const auto check = verify(*options);
    if (!check) {
      exit_code = fail_with(check.error());
      return;
    }
    if (options->json)
      fmt::print("{}\n", dump(shown(*check), 2));
    else
      print(*check);
    exit_code = check->failed() == 0 ? kExitOk : kExitFailed;
  });
}

}  // namespace precedent
