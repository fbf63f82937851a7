// Whom to page, and who is downstream: what traces, logs and the knowledge base say of the service
// where the failure begins.
//
// Owners are documents on ownership: those that list the service, else those whose text names it,
// else those that list one of nearly the same name. Downstream are those that call the service,
// directly or through others, and those of documents that list it among the dependencies and are
// not about it themselves. Each line of this has a receipt; where nothing is found nothing is said.
// Documents are found first and read then, so that whoever has them can read them again (bundle.h).
// Thread safety: pure, or as Searcher.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "investigate/traces/service_graph.h"
#include "tools/receipt.h"

namespace precedent {

class Searcher;

struct ServiceOwner {
  std::string service, document, title, path;
  std::string says;  // the fields of the document, or the sentence that names the service
  std::string receipt;
};

struct DownstreamService {
  std::string service;
  std::string on;   // what it calls, or depends on: the failing service, or another one downstream
  std::string why;  // "the span A of web calls B of label"
  std::string receipt;
  bool fails = false;  // it shows the failure already
};

// The nearest first. `affected`: those that fail.
std::vector<DownstreamService> downstream_of(const ServiceGraph& graph, std::string_view service,
                                             const std::vector<std::string>& affected);

// A part of a document, as the index holds it.
struct ServicePart {
  std::string text;
  bool fields = false;        // the section that an ingest makes of the document's fields
  uint64_t from = 0, to = 0;  // lines of its file; 0: none of them
};
// What a document says of a service: those of its parts that tell, in their order.
struct ServiceDocument {
  std::string id, title, path;
  std::vector<std::string> services;  // that it lists
  bool owns = false;                  // it is about owners; else about what depends on what
  std::vector<ServicePart> parts;
};
// Errors: those of the index.
Result<std::vector<ServiceDocument>> documents_about(const Searcher& search,
                                                     std::string_view service, TimePoint now);

struct Ownership {
  std::vector<ServiceOwner> owners;
  std::vector<DownstreamService> downstream;  // by documents
};
// Adds the receipts of what they say.
Ownership read_ownership(const std::vector<ServiceDocument>& documents, std::string_view service,
                         TimePoint now, std::vector<Receipt>& receipts);

}  // namespace precedent
