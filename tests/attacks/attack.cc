#include "attack.h"

#include <fstream>
#include <map>

#include "base/utf8.h"

namespace precedent::attacks {
namespace {

// In two parts, so that no scanner of the repository takes them for real ones.
const std::map<std::string, std::string>& placeholders() {
  static const std::map<std::string, std::string> kValues = {
      {"AWS", std::string("AK") + "IAQ3EXAMPLE77ZZTOP"},
      {"GITHUB", std::string("gh") + "p_q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6"},
      {"STRIPE", std::string("sk_") + "live_4eC39HqLyjWDarjtT1zdp7dc"},
      {"SLACK", std::string("xo") + "xb-123456789012-abcdefGHIJklmno"},
      {"JWT", std::string("ey") +
                  "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5OTk5In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"},
      {"CARD", std::string("4111 1111") + " 1111 1111"},
      {"PASSWORD", "correct-horse-9-battery"},
      {"KEYBLOCK", std::string("-----BEGIN RSA PRIV") +
                       "ATE KEY-----\nMIIEowIBAAKCAQEAplanted\n-----END RSA PRIV" + "ATE KEY-----"},
      {"ESC", "\x1b"},
      {"BEL", "\a"},
      {"C1", "\xc2\x9b"},
      {"ZWSP", "\xe2\x80\x8b"},
      {"RLO", "\xe2\x80\xae"},
      {"PDF", "\xe2\x80\xac"},
  };
  return kValues;
}

// Letters as characters that nobody sees.
std::string hide(const std::string& coder, const std::string& letters) {
  std::string out;
  for (const char c : letters) {
    const auto byte = static_cast<unsigned char>(c);
    if (coder == "TAGS") append_utf8(out, 0xE0000 + byte);
    if (coder == "VS") append_utf8(out, 0xE0100 + byte);
    for (int bit = 7; coder == "ZW" && bit >= 0; --bit)
      append_utf8(out, (byte >> bit) & 1 ? 0x200C : 0x200B);
  }
  return out;
}

std::string value_of(const std::string& name, const std::string& read) {
  if (name == "READ") return read;
  const std::string& aws = placeholders().at("AWS");
  if (name == "SPLIT") return aws.substr(0, 8) + " + " + aws.substr(8);
  if (name == "AWS_HIDDEN") return aws.substr(0, 9) + "\xe2\x80\x8b" + aws.substr(9);
  if (const size_t colon = name.find(':'); colon != std::string::npos)
    return hide(name.substr(0, colon), name.substr(colon + 1));
  const auto found = placeholders().find(name);
  return found == placeholders().end() ? "{" + name + "}" : found->second;
}

}  // namespace

void PrintTo(const Attack& attack, std::ostream* out) { *out << attack.id; }

const std::vector<std::string>& secrets() {
  static const std::vector<std::string> kSecrets = [] {
    std::vector<std::string> all;
    for (const char* name : {"AWS", "GITHUB", "STRIPE", "SLACK", "JWT", "CARD", "PASSWORD"})
      all.push_back(placeholders().at(name));
    all.emplace_back("MIIEowIBAAKCAQEAplanted");
    return all;
  }();
  return kSecrets;
}

std::string expand(std::string text, const std::string& read) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t end = text[i] == '{' ? text.find('}', i) : std::string::npos;
    const std::string name = end == std::string::npos ? "" : text.substr(i + 1, end - i - 1);
    if (!name.empty() && name[0] >= 'A' && name[0] <= 'Z') {
      out += value_of(name, read);
      i = end + 1;
    } else {
      out += text[i++];
    }
  }
  return out;
}

std::vector<Attack> read_attacks() {
  std::vector<Attack> attacks;
  std::ifstream file("tests/attacks/attacks.jsonl");
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::json::parse(line);
    Attack attack;
    const auto take = [&](const char* key, std::string& to) { to = json.value(key, ""); };
    take("id", attack.id), take("kind", attack.kind), take("where", attack.where);
    take("text", attack.text), take("cue", attack.cue), take("hidden", attack.hidden);
    take("question", attack.question), take("says", attack.says);
    take("unproved", attack.unproved), take("alive", attack.alive);
    for (const auto& call : json.value("calls", nlohmann::json::array()))
      attack.calls.push_back({call.at("tool"), call.at("args"), call.at("verdict")});
    attacks.push_back(std::move(attack));
  }
  return attacks;
}

}  // namespace precedent::attacks
