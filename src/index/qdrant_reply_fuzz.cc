// Any bytes as what a Qdrant answers to everything: each call ends in a value or an error.
#include <cstdint>
#include <string>

#include "index/index_probe.h"
#include "index/qdrant_index.h"
#include "index/qdrant_terms.h"

namespace precedent {
namespace {

// Says the bytes as the `result` of every call, but for the parts that opening an index needs when
// `honest`: so that searches, too, read what was never meant for them.
class SayAnything final : public HttpClient {
 public:
  explicit SayAnything(std::string body, bool honest) : body_(std::move(body)), honest_(honest) {}

  Result<HttpResponse> stream(const HttpRequest& request, const HttpContext& /*context*/,
                              const OnHttpBody& on_body) override {
    const HttpResponse head{200, {}, ""};
    on_body(head, answer(request));
    return head;
  }

 private:
  std::string answer(const HttpRequest& request) const {
    if (request.url.ends_with(":6333/"))
      return R"({"title":"qdrant - vector search engine","version":"1.19.0"})";
    if (!honest_) return body_;
    if (request.method == "GET" && request.url.contains("/points/")) {
      return R"({"result":{"payload":{"schema":1,"version":1,"chunks":3,"documents":2,)"
             R"("dimensions":2,"model_id":"m","vectors":3}}})";
    }
    if (request.method == "GET") {
      return R"({"result":{"config":{"params":{"vectors":{"dense":{"size":2}},"sparse_vectors":)"
             R"({"prose_chunk":{},"prose_document":{},"code_chunk":{},"code_document":{}}}}}})";
    }
    if (request.body.contains(R"("stats")")) return R"({"result":{"points":[]}})";
    return R"({"result":)" + body_ + "}";
  }

  const std::string body_;
  const bool honest_;
};

}  // namespace
}  // namespace precedent

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const bool honest : {false, true}) {
    QdrantConfig config{.url = "http://localhost:6333"};
    config.attempts = 1;
    const auto api =
        std::make_shared<QdrantApi>(std::make_shared<SayAnything>(bytes, honest), config);
    const auto index = QdrantIndex::open(api, "kb");
    if (!index) continue;
    (void)probe(**index);
    (void)(*index)->apply({{"a"}, {}, "m"}, 2);
  }
  return 0;
}
