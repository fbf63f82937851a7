#include "sources/storage_xml.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "base/utf8.h"
#include "sources/html_entities.h"

namespace precedent {
namespace {

constexpr std::string_view kRoot = "precedent-page";

std::string wrapped(std::string_view storage) {
  return fmt::format("<{}>{}</{}>", kRoot, storage, kRoot);
}

std::unexpected<Error> not_xml(std::string_view storage, std::string_view why, size_t at) {
  at = std::min(at, storage.size());
  const size_t from = at - std::min<size_t>(at, 30);
  const std::string around = squeeze(strip_controls(repair_utf8(storage.substr(from, 60))));
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("is no well-formed storage format ({} at byte {}, near '{}'); open the "
                          "page in Confluence's editor and save it again",
                          ascii_lower(why), at, around));
}

}  // namespace

pugi::xml_node next_node(const pugi::xml_node& node, const pugi::xml_node& root) {
  if (node.first_child()) return node.first_child();
  pugi::xml_node at = node;
  while (at && at != root && !at.next_sibling()) at = at.parent();
  return !at || at == root ? pugi::xml_node() : at.next_sibling();
}

std::string storage_attribute(const pugi::xml_node& node, const char* name) {
  return squeeze(decode_html_entities(node.attribute(name).value()));
}

std::string storage_raw_text(const pugi::xml_node& node) {
  std::string text;
  for (pugi::xml_node at = node.first_child(); at; at = next_node(at, node)) {
    if (at.type() == pugi::node_cdata) text += at.value();
    if (at.type() == pugi::node_pcdata) text += decode_html_entities(at.value());
  }
  return text;
}

bool is_storage_macro(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  return name == "ac:structured-macro" || name == "ac:macro";
}

std::string macro_parameter(const pugi::xml_node& macro, std::string_view name) {
  for (const pugi::xml_node& child : macro.children("ac:parameter"))
    if (name == child.attribute("ac:name").value()) return squeeze(storage_raw_text(child));
  return "";
}

StorageInclude include_of(const pugi::xml_node& macro, bool excerpt) {
  StorageInclude include;
  for (const pugi::xml_node& child : macro.children("ac:parameter")) {
    const pugi::xml_node link = child.child("ac:link");
    const pugi::xml_node page = (link ? link : child).child("ri:page");
    include.title = storage_attribute(page, "ri:content-title");
    include.space = storage_attribute(page, "ri:space-key");
    if (!include.title.empty()) break;
  }
  if (excerpt) include.excerpt = macro_parameter(macro, "name");
  return include;
}

pugi::xml_node find_excerpt(const pugi::xml_node& page, const std::string& name) {
  for (pugi::xml_node at = page.first_child(); at; at = next_node(at, page))
    if (is_storage_macro(at) && std::string_view(at.attribute("ac:name").value()) == "excerpt" &&
        (name.empty() || macro_parameter(at, "name") == name))
      return at.child("ac:rich-text-body");
  return {};
}

Result<void> parse_storage(std::string_view storage, pugi::xml_document& document) {
  if (storage.size() > kMaxStorage)
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("is larger than {} MB; divide it", kMaxStorage >> 20));
  const std::string text = wrapped(repair_utf8(storage));
  // Entities are HTML's, which pugixml does not know; a doctype, which could define more, is
  // refused within an element.
  const pugi::xml_parse_result parsed = document.load_buffer(
      text.data(), text.size(), pugi::parse_cdata | pugi::parse_eol | pugi::parse_ws_pcdata,
      pugi::encoding_utf8);
  const size_t before = kRoot.size() + 2;
  if (!parsed) {
    const auto offset = static_cast<size_t>(std::max<ptrdiff_t>(parsed.offset, 0));
    return not_xml(storage, parsed.description(), offset - std::min(offset, before));
  }
  const pugi::xml_node root = document.first_child();
  if (kRoot != root.name() || root.next_sibling())
    return not_xml(storage, "more than one page", storage.size());
  return {};
}

}  // namespace precedent
