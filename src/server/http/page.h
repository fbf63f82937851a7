// Page: the web page, as it was built from web/ and is held by the program.
//
// Its files never change while the program runs: those with a hash in their names may be kept by a
// browser for ever, the others are asked for again with their tag. Thread safety: pure functions.
#pragma once

#include <span>
#include <string_view>

#include "server/http/router.h"

namespace precedent {

struct PageFile {
  std::string_view path;  // "/assets/index-Do97XXYf.css"
  std::string_view type;  // "text/css; charset=utf-8"
  std::string_view tag;   // of its content
  std::string_view plain;
  std::string_view gzip;
};

// Empty in a program that was built without Node.js.
std::span<const PageFile> page_files();

// GET of each file, and of "/" for the page itself; without files, "/" says why there is none.
void add_page_routes(Router& router, std::span<const PageFile> files = page_files());

}  // namespace precedent
