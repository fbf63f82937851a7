#include "observe/tracer_contract.h"

#include "net/scripted_http_client.h"
#include "observe/otlp_tracer.h"
#include "observe/recording_tracer.h"

namespace precedent {
namespace {

using nlohmann::json;

struct RecordingHarness final : TracerHarness {
  Tracer& tracer() override { return recording; }
  json arrived() override {
    const std::vector<Span> spans = recording.spans();
    return spans.empty() ? json::array() : otlp_spans(to_otlp_json(spans, {}));
  }
  RecordingTracer recording;
};

struct OtlpHarness final : TracerHarness {
  // Long enough for any machine: what ends the wait is the flush.
  static constexpr std::chrono::milliseconds kLong{60'000};
  OtlpHarness() {
    // More requests than any test needs: 400 spans are four full batches and what a flush divides.
    for (int i = 0; i < 1000; ++i) http.play(200, "{}");
    exporter = OtlpTracer::start(http, config(), {.linger = kLong}).value();
  }
  static OtlpConfig config() {
    OtlpConfig config;
    config.url = "http://collector.example:4318/v1/traces";
    return config;
  }
  Tracer& tracer() override { return *exporter; }
  json arrived() override {
    EXPECT_TRUE(exporter->flush(kLong));
    json all = json::array();
    for (const HttpRequest& request : http.requests()) {
      for (json& span : otlp_spans(request.body)) all.push_back(std::move(span));
    }
    EXPECT_EQ(exporter->report().delivered, all.size());
    return all;
  }
  ScriptedHttpClient http;
  std::unique_ptr<OtlpTracer> exporter;
};

INSTANTIATE_TEST_SUITE_P(Recording, TracerContract, testing::Values(TracerMaker([] {
                           return std::make_unique<RecordingHarness>();
                         })));
INSTANTIATE_TEST_SUITE_P(Otlp, TracerContract, testing::Values(TracerMaker([] {
                           return std::make_unique<OtlpHarness>();
                         })));

}  // namespace
}  // namespace precedent
