#include "base/secret_forms.h"

#include <array>
#include <string>

#include "base/ascii.h"
#include "base/secret_names.h"

namespace precedent::secrets {
namespace {

// What may follow a prefix.
enum class Rest { kToken, kAlnum, kHex, kDotted };

struct Form {
  std::string_view prefix;
  size_t min_rest;  // bytes after the prefix
  std::string_view kind;
  Rest rest = Rest::kToken;
};
constexpr std::array kForms = {
    Form{"AKIA", 16, "aws-key"},
    Form{"ASIA", 16, "aws-key"},
    Form{"ghp_", 30, "github-token"},
    Form{"gho_", 30, "github-token"},
    Form{"ghu_", 30, "github-token"},
    Form{"ghs_", 30, "github-token"},
    Form{"ghr_", 30, "github-token"},
    Form{"github_pat_", 22, "github-token"},
    Form{"glpat-", 18, "gitlab-token"},
    Form{"gldt-", 18, "gitlab-token"},
    Form{"glrt-", 18, "gitlab-token"},
    Form{"xoxb-", 10, "slack-token"},
    Form{"xoxp-", 10, "slack-token"},
    Form{"xoxa-", 10, "slack-token"},
    Form{"xoxr-", 10, "slack-token"},
    Form{"xoxs-", 10, "slack-token"},
    Form{"xapp-", 10, "slack-token"},
    Form{"sk-", 20, "api-key"},
    Form{"gsk_", 40, "api-key", Rest::kAlnum},
    Form{"hf_", 30, "api-key", Rest::kAlnum},
    Form{"sk_live_", 16, "stripe-key"},
    Form{"sk_test_", 16, "stripe-key"},
    Form{"rk_live_", 16, "stripe-key"},
    Form{"rk_test_", 16, "stripe-key"},
    Form{"whsec_", 16, "stripe-key"},
    Form{"sq0csp-", 22, "square-token"},
    Form{"sq0atp-", 22, "square-token"},
    Form{"AIza", 35, "google-key"},
    Form{"GOCSPX-", 28, "google-key"},
    Form{"npm_", 36, "npm-token"},
    // An encoded "pypi.org" follows; a name that begins like it does not go on so.
    Form{"pypi-AgE", 16, "pypi-token"},
    Form{"pypi-", 50, "pypi-token"},
    Form{"dckr_pat_", 20, "docker-token"},
    Form{"dckr_oat_", 20, "docker-token"},
    Form{"hvs.", 20, "vault-token"},
    Form{"hvb.", 20, "vault-token"},
    Form{"hvr.", 20, "vault-token"},
    Form{"glsa_", 32, "grafana-token"},
    Form{"glc_", 32, "grafana-token"},
    Form{"NRAK-", 20, "api-key", Rest::kAlnum},
    Form{"dapi", 32, "api-key", Rest::kHex},
    Form{"key-", 32, "api-key", Rest::kHex},  // Mailgun
    Form{"lin_api_", 30, "api-key", Rest::kAlnum},
    Form{"ntn_", 40, "api-key", Rest::kAlnum},
    Form{"secret_", 40, "api-key", Rest::kAlnum},  // Notion
    Form{"SG.", 40, "api-key", Rest::kDotted},     // SendGrid
    Form{"dop_v1_", 64, "cloud-token"},
    Form{"shpat_", 32, "api-key", Rest::kHex},
    Form{"shpca_", 32, "api-key", Rest::kHex},
    Form{"shppa_", 32, "api-key", Rest::kHex},
    Form{"shpss_", 32, "api-key", Rest::kHex},
};

size_t end_of_rest(std::string_view text, size_t begin, Rest rest) {
  return end_of_run(text, begin, [rest](char c) {
    switch (rest) {
      case Rest::kToken: return is_token_char(c);
      case Rest::kAlnum: return is_alnum(c);
      case Rest::kHex: return is_hex_digit(c);
      case Rest::kDotted: return is_token_char(c) || c == '.';
    }
    return false;
  });
}

// Not words that were joined: a digit, or one long run of letters in both cases that is no
// CamelCase.
bool is_random(std::string_view rest) {
  if (has_digit(rest)) return true;
  constexpr size_t kLongerThanWords = 24;
  const bool joined = rest.find_first_of("-_.") != std::string_view::npos;
  const bool both = std::ranges::any_of(rest, is_upper) &&
                    std::ranges::any_of(rest, [](char c) { return is_letter(c) && !is_upper(c); });
  return !joined && both && rest.size() >= kLongerThanWords;
}

Found known_form(std::string_view text, size_t i) {
  for (const Form& form : kForms) {
    if (form.prefix.front() != text[i] || !text.substr(i).starts_with(form.prefix)) continue;
    const size_t begin = i + form.prefix.size();
    size_t end = end_of_rest(text, begin, form.rest);
    // The point that ends a sentence.
    while (end > begin && text[end - 1] == '.') --end;
    const std::string_view rest = text.substr(begin, end - begin);
    // A name such as sk-something-in-plain-words has no digit.
    if (rest.size() < form.min_rest || !is_random(rest)) continue;
    // Hexadecimal keys have one length; longer ones are hashes.
    if (form.rest == Rest::kHex && (rest.size() != form.min_rest || is_token_char(at(text, end))))
      continue;
    // A file or a package may be named so: "SG.region.zone.name" has more parts, and shorter ones.
    if (form.rest == Rest::kDotted && (std::ranges::count(rest, '.') != 1 || rest.find('.') < 16))
      continue;
    return Secret{i, end, form.kind};
  }
  return std::nullopt;
}

// Identities of age, in either case: Bech32 behind its prefix.
Found age_key(std::string_view text, size_t i) {
  constexpr std::string_view kPrefix = "age-secret-key-1";
  if (!istarts_with(text.substr(i), kPrefix)) return std::nullopt;
  const size_t end = end_of_run(text, i + kPrefix.size(), is_alnum);
  if (end - i < kPrefix.size() + 40) return std::nullopt;
  return Secret{i, end, "private-key"};
}

// Terraform Cloud: an id, ".atlasv1." and the secret.
Found atlas_token(std::string_view text, size_t i) {
  constexpr std::string_view kMiddle = ".atlasv1.";
  constexpr size_t kIdBytes = 14;
  if (text.substr(std::min(text.size(), i + kIdBytes), kMiddle.size()) != kMiddle)
    return std::nullopt;
  if (end_of_run(text, i, is_alnum) != i + kIdBytes) return std::nullopt;
  const size_t begin = i + kIdBytes + kMiddle.size();
  const size_t end = end_of_run(text, begin, is_token_char);
  if (end - begin < 40) return std::nullopt;
  return Secret{i, end, "cloud-token"};
}

// The secret beside an AWS key id, without a name: forty characters of base64 that are no hash. The
// id itself was redacted in the look before.
Found aws_secret(std::string_view text, size_t i) {
  constexpr size_t kSecretBytes = 40, kNear = 200;
  constexpr std::string_view kId = "[redacted:aws-key]";
  const auto is_base64 = [](char c) { return is_alnum(c) || c == '+' || c == '/'; };
  if (i > 0 && is_base64(text[i - 1])) return std::nullopt;
  const size_t end = end_of_run(text, i, is_base64);
  if (end - i != kSecretBytes || at(text, end) == '_' || at(text, end) == '=') return std::nullopt;
  const std::string_view secret = text.substr(i, kSecretBytes);
  const bool lower =
      std::ranges::any_of(secret, [](char c) { return is_letter(c) && !is_upper(c); });
  if (!has_digit(secret) || !lower || !std::ranges::any_of(secret, is_upper)) return std::nullopt;
  const size_t from = i - std::min(i, kNear);
  if (!text.substr(from, kNear + kSecretBytes + kNear).contains(kId)) return std::nullopt;
  return Secret{i, end, "aws-secret"};
}

// Three parts of base64url; the first two are JSON, so they begin with "eyJ".
Found json_web_token(std::string_view text, size_t i) {
  if (!text.substr(i).starts_with("eyJ")) return std::nullopt;
  const size_t first = end_of_run(text, i, is_token_char);
  if (first - i < 10 || at(text, first) != '.') return std::nullopt;
  const size_t second = end_of_run(text, first + 1, is_token_char);
  if (second - first < 8 || at(text, second) != '.') return std::nullopt;
  return Secret{i, end_of_run(text, second + 1, is_token_char), "jwt"};
}

Found private_key(std::string_view text, size_t i) {
  constexpr std::string_view kBegin = "-----BEGIN ", kKey = "PRIVATE KEY", kEnd = "-----END ";
  if (!text.substr(i).starts_with(kBegin)) return std::nullopt;
  std::string_view line = text.substr(i, 80);
  line = line.substr(0, line.find('\n'));
  if (!line.contains(kKey)) return std::nullopt;
  const size_t last = text.find(kEnd, i);
  // A block that was cut is a key still.
  if (last == std::string_view::npos) return Secret{i, text.size(), "private-key"};
  const size_t dashes = text.find("-----", last + kEnd.size());
  const size_t end = dashes == std::string_view::npos ? text.size() : dashes + 5;
  return Secret{i, end, "private-key"};
}

Found slack_webhook(std::string_view text, size_t i) {
  constexpr std::string_view kHook = "hooks.slack.com/services/";
  if (!text.substr(i).starts_with(kHook)) return std::nullopt;
  const size_t begin = i + kHook.size();
  const size_t end = end_of_run(text, begin, [](char c) { return is_alnum(c) || c == '/'; });
  if (end - begin < 20) return std::nullopt;
  return Secret{begin, end, "slack-webhook"};
}

// https://discord.com/api/webhooks/ID/TOKEN
Found discord_webhook(std::string_view text, size_t i) {
  constexpr std::string_view kHook = "api/webhooks/";
  if (!text.substr(i).starts_with(kHook)) return std::nullopt;
  const size_t id = end_of_run(text, i + kHook.size(), is_digit);
  const size_t end = end_of_run(text, id + 1, is_token_char);
  if (id == i + kHook.size() || at(text, id) != '/' || end < id + 60) return std::nullopt;
  return Secret{id + 1, end, "webhook"};
}

// A bot's token, three parts: the id in base64, a time, a signature.
Found discord_token(std::string_view text, size_t i) {
  const size_t id = end_of_run(text, i, is_token_char);
  if (!std::string_view("MNO").contains(text[i]) || id - i < 23 || id - i > 28) return std::nullopt;
  const size_t time = end_of_run(text, id + 1, is_token_char);
  if (at(text, id) != '.' || time != id + 7 || at(text, time) != '.') return std::nullopt;
  const size_t end = end_of_run(text, time + 1, is_token_char);
  if (end < time + 28) return std::nullopt;
  return Secret{i, end, "bot-token"};
}

// Telegram: the bot's number, the colon at `i`, 35 bytes that begin with "AA".
Found telegram_token(std::string_view text, size_t i) {
  size_t begin = i;
  while (begin > 0 && i - begin < 11 && is_digit(text[begin - 1])) --begin;
  const size_t end = end_of_run(text, i + 1, is_token_char);
  if (i - begin < 8 || i - begin > 10 || end - i != 36 || !text.substr(i + 1).starts_with("AA"))
    return std::nullopt;
  return Secret{begin, end, "bot-token"};
}

// A crypted password: $6$salt$hash, $2y$10$…, $apr1$…, $argon2id$….
Found crypted_password(std::string_view text, size_t i) {
  const size_t end = end_of_run(
      text, i, [](char c) { return is_alnum(c) || std::string_view("$./=,+-").contains(c); });
  const std::string_view hash = text.substr(i, end - i);
  const bool known = std::ranges::any_of(
      std::array<std::string_view, 10>{"$1$", "$5$", "$6$", "$y$", "$2a$", "$2b$", "$2y$", "$apr1$",
                                       "$argon2", "$pbkdf2"},
      [&](std::string_view prefix) { return hash.starts_with(prefix); });
  if (!known || hash.size() < 30 || std::ranges::count(hash, '$') < 3) return std::nullopt;
  return Secret{i, end, "password-hash"};
}

// A private key in base64, as kubeconfig files hold it.
Found encoded_private_key(std::string_view text, size_t i) {
  if (!text.substr(i).starts_with("LS0t")) return std::nullopt;
  const size_t end =
      end_of_run(text, i, [](char c) { return is_alnum(c) || c == '+' || c == '/' || c == '='; });
  if (!is_encoded_private_key(text.substr(i, end - i))) return std::nullopt;
  return Secret{i, end, "private-key"};
}

// host:port:database:user:password, a line of .pgpass.
Found pgpass_password(std::string_view text, size_t i) {
  const char before = i == 0 ? '\n' : text[i - 1];
  if (!is_blank(before) && before != '"' && before != '\'' && before != '`') return std::nullopt;
  const auto is_host = [](char c) { return is_token_char(c) || c == '.' || c == '*'; };
  std::array<size_t, 5> begins{i};
  for (size_t field = 1; field < begins.size(); ++field) {
    const size_t end = end_of_run(text, begins[field - 1], is_host);
    if (end == begins[field - 1] || at(text, end) != ':') return std::nullopt;
    begins[field] = end + 1;
  }
  const auto bytes = [&](size_t field) {
    return text.substr(begins[field], begins[field + 1] - begins[field] - 1);
  };
  const bool port =
      bytes(1) == "*" || (bytes(1).size() <= 5 && std::ranges::all_of(bytes(1), is_digit));
  const Value value = value_at(text, begins[4]);
  const std::string_view password = bytes_of(text, value);
  if (!port || value.quoted || std::ranges::all_of(bytes(2), is_digit) || !is_letter(bytes(3)[0]) ||
      is_placeholder(password) || !(looks_secret(password) || is_no_word(password)))
    return std::nullopt;
  return Secret{value.begin, value.end, "password"};
}

// "Bearer" and "Basic" before something long that is no word.
Found scheme_token(std::string_view text, size_t i) {
  for (const std::string_view scheme : {"bearer ", "basic "}) {
    if (!istarts_with(text.substr(i), scheme)) continue;
    const size_t begin = i + scheme.size();
    const size_t end = end_of_run(text, begin, is_bearer_char);
    const std::string_view token = text.substr(begin, end - begin);
    if (token.size() >= 16 && has_digit(token)) return Secret{begin, end, "authorization"};
  }
  return std::nullopt;
}

// --- Card numbers.

bool luhn(std::string_view digits) {
  int sum = 0;
  for (size_t i = 0; i < digits.size(); ++i) {
    int digit = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 == 0;
}

bool is_card(std::string_view digits) {
  if (digits.size() < 15 || !luhn(digits)) return false;
  const int two = (digits[0] - '0') * 10 + (digits[1] - '0');
  if (two == 34 || two == 37) return digits.size() == 15;
  if (digits[0] == '4' || digits[0] == '6') return digits.size() == 16 || digits.size() == 19;
  return digits.size() == 16 && ((two >= 51 && two <= 55) || (two >= 22 && two <= 27));
}

// The number of a card goes no further at `end`: no digit, name or fraction follows.
bool number_ends(std::string_view text, size_t end) {
  const char after = at(text, end), next = at(text, end + 1);
  return !is_alnum(after) && after != '_' && !(after == '-' && is_alnum(next)) &&
         !(after == '.' && is_digit(next));
}

// Digits, alone or in groups of four (4-6-5 for American Express) with one kind of separator. Other
// numbers may follow after a space: of two cards in a row, each is found.
Found card_number(std::string_view text, size_t i) {
  const char before = i > 0 ? text[i - 1] : ' ';
  if (is_alnum(before) || before == '-' || before == '.' || before == '_') return std::nullopt;
  std::string digits, groups;
  char separator = '\0';
  for (size_t end = i; digits.size() < 19 && groups.size() < 4;) {
    const size_t group = end_of_run(text, end, is_digit);
    digits += text.substr(end, group - end);
    groups += static_cast<char>('0' + std::min<size_t>(group - end, 9));
    end = group;
    const bool grouped = groups.size() == 1 || groups == "4444" || groups == "465";
    if (grouped && number_ends(text, end) && is_card(digits)) return Secret{i, end, "card-number"};
    const char next = at(text, end);
    if (next != ' ' && next != '-') break;
    if (!is_digit(at(text, end + 1)) || (separator != '\0' && separator != next)) break;
    separator = next;
    ++end;
  }
  return std::nullopt;
}

}  // namespace

Found secret_of_form(std::string_view text, size_t i) {
  const char c = text[i];
  if (c == '-') return private_key(text, i);
  if (c == ':') return telegram_token(text, i);
  if (c == '$') return crypted_password(text, i);
  if (is_alnum(c) || c == '*')
    if (auto found = pgpass_password(text, i)) return found;
  if (auto found = aws_secret(text, i)) return found;
  if (!starts_word(text, i)) return std::nullopt;
  if (is_digit(c))
    if (auto found = card_number(text, i)) return found;
  if (!is_alnum(c)) return std::nullopt;
  if (auto found = atlas_token(text, i)) return found;
  if (is_digit(c)) return std::nullopt;
  for (const auto finder : {&known_form, &age_key, &json_web_token, &slack_webhook,
                            &discord_webhook, &discord_token, &encoded_private_key, &scheme_token})
    if (auto found = finder(text, i)) return found;
  return std::nullopt;
}

}  // namespace precedent::secrets
