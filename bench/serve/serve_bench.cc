// serve_bench: the load of bench/serve/run, one measurement a call, its figures as a line of JSON.
//
//   serve_bench prompts --port P --clients N --ms T QUESTION…
//   serve_bench streams --port P --model-port M --streams N … QUESTION
//   serve_bench idle | slow …    ballast beside ordinary questions
//
// The scripted model of `streams` listens at a port that the server was given before: `model`
// prints it first and waits for the server's on stdin.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "scripted_model.h"
#include "stream_load.h"

namespace precedent::bench {
namespace {

using nlohmann::json;

double ms(int64_t us) { return static_cast<double>(us) / 1e3; }

json times(const Times& times) {
  return {{"p50_ms", ms(times.at(.5))},
          {"p90_ms", ms(times.at(.9))},
          {"p99_ms", ms(times.at(.99))},
          {"max_ms", ms(times.at(1))}};
}

struct Options {
  uint16_t port = 0;
  std::string path = "/chat/prompt";
  size_t clients = 1, streams = 1, sentences = 40, pace_ms = 20, ms = 5000;
  size_t idle = 0, half = 0, slow = 0;
  bool every_call = false;
  std::vector<std::string> questions;
};

Target target_of(const Options& options) {
  Target target{options.port, options.path, {}};
  for (const std::string& question : options.questions)
    target.bodies.push_back(json{{"message", question}}.dump());
  return target;
}

json prompts(const Options& options) {
  Ballast ballast;
  json figures;
  if (options.idle > 0) figures["idle"] = ballast.open_idle(options.port, options.idle);
  if (options.half > 0) figures["half_open"] = ballast.open_half(options.port, options.half);
  if (options.slow > 0)
    figures["slow"] = ballast.open_slow(options.port, "/openapi.json", options.slow);
  const auto asked = ask_prompts(target_of(options), options.clients, std::chrono::milliseconds(options.ms));
  figures["answered"] = asked.answered;
  figures["failed"] = asked.failed;
  figures["per_second"] = static_cast<double>(asked.answered) / asked.seconds;
  figures["took"] = times(asked.took);
  return figures;
}

// Says where its model listens, is told where the server does.
json streams(Options options) {
  ScriptedModelOptions model_options{.together = options.streams,
                                     .sentences = options.sentences,
                                     .between_tokens = std::chrono::milliseconds(options.pace_ms),
                                     .every_call_is_main = options.every_call};
  const auto model = ScriptedModelServer::start(model_options);
  fmt::print("{}\n", model->port());
  std::fflush(stdout);
  if (!(std::cin >> options.port)) return {{"error", "no port came on stdin"}};
  const std::chrono::microseconds sentence(1000 * options.pace_ms * kTokensPerSentence);
  const auto read = read_streams(target_of(options), options.streams, options.sentences, sentence,
                                 std::chrono::milliseconds(options.ms));
  return {{"streams", options.streams}, {"opened", read.opened},
          {"completed", read.completed}, {"failed", read.failed},
          {"sentences", read.marks},    {"lost", read.lost},
          {"foreign", read.foreign},    {"late", read.late},
          {"delay", times(read.delay)}, {"model_calls", model->main_calls()},
          {"other_calls", model->other_calls()},
          {"model_worst_lag_ms", ms(model->worst_lag().count())}};
}

}  // namespace
}  // namespace precedent::bench

int main(int argc, char** argv) {
  using namespace precedent::bench;
  CLI::App app("The load of bench/serve/run");
  Options options;
  app.require_subcommand(1);
  CLI::App* ask = app.add_subcommand("prompts", "Whole answers, one after another a client");
  ask->add_option("--port", options.port)->required();
  ask->add_option("--clients", options.clients);
  ask->add_option("--idle", options.idle, "Connections beside them that say nothing");
  ask->add_option("--half", options.half, "… that say half a request");
  ask->add_option("--slow", options.slow, "… that read a byte now and then");
  CLI::App* stream = app.add_subcommand("streams", "Streams at once, of its own scripted model");
  stream->add_option("--streams", options.streams);
  stream->add_option("--sentences", options.sentences);
  stream->add_option("--pace", options.pace_ms, "Milliseconds between two tokens");
  stream->add_flag("--every-call", options.every_call, "Every call of the model is streamed");
  for (CLI::App* command : {ask, stream}) {
    command->add_option("--path", options.path);
    command->add_option("--ms", options.ms, "How long at most");
    command->add_option("question", options.questions)->required();
  }
  CLI11_PARSE(app, argc, argv);
  fmt::print("{}\n", (ask->parsed() ? prompts(options) : streams(options)).dump());
  return 0;
}
