#include "sources/rendered_macros.h"

#include <pugixml.hpp>
#include <sstream>

#include "base/strings.h"
#include "base/utf8.h"
#include "sources/well_formed_html.h"

namespace precedent {

RenderedMacros rendered_macros(std::string_view view, const std::map<std::string, size_t>& names) {
  RenderedMacros found;
  pugi::xml_document document;
  const std::string text = "<view>" + well_formed_html(repair_utf8(view)) + "</view>";
  if (!document.load_buffer(text.data(), text.size(), pugi::parse_eol | pugi::parse_ws_pcdata,
                            pugi::encoding_utf8))
    return found;
  // All elements in the order of the page, without recursion.
  for (pugi::xml_node at = document.first_child(); at;) {
    const std::string name = at.attribute("data-macro-name").value();
    if (names.contains(name)) {
      std::ostringstream element;
      at.print(element, "", pugi::format_raw | pugi::format_no_escapes, pugi::encoding_utf8);
      const auto shown = storage_to_markdown(element.view());
      found[name].emplace_back(shown ? trim(shown->markdown) : "");
    }
    if (at.first_child()) {
      at = at.first_child();
      continue;
    }
    while (at && !at.next_sibling()) at = at.parent();
    at = at.next_sibling();
  }
  return found;
}

}  // namespace precedent
