// serve_bench: the load of bench/serve/run, one measurement a call, its figures as a line of JSON.
//
//   serve_bench prompts --port P --clients N --ms T [--idle N] [--half N] [--slow N] QUESTION…
//   serve_bench streams --streams N --sentences N QUESTION
//   serve_bench model     answers at once, until its standard input ends
//
// `streams` and `model` first print the port at which their model listens; `streams` then reads the
// port of the server, which was started to use that model, from standard input.
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
  const auto asked =
      ask_prompts(target_of(options), options.clients, std::chrono::milliseconds(options.ms));
  figures["answered"] = asked.answered;
  figures["failed"] = asked.failed;
  figures["per_second"] = static_cast<double>(asked.answered) / asked.seconds;
  figures["took"] = times(asked.took);
  return figures;
}

std::unique_ptr<ScriptedModelServer> start_model(const Options& options, size_t pace_ms) {
  auto model = ScriptedModelServer::start({.together = options.streams,
                                           .sentences = options.sentences,
                                           .between_tokens = std::chrono::milliseconds(pace_ms),
                                           .every_call_is_main = options.every_call});
  fmt::print("{}\n", model->port());
  std::fflush(stdout);
  return model;
}

int serve_model(const Options& options) {
  const auto model = start_model(options, 0);
  std::string line;
  while (std::getline(std::cin, line)) {
  }
  return 0;
}

json streams(Options options) {
  const auto model = start_model(options, options.pace_ms);
  if (!(std::cin >> options.port)) return {{"error", "no port came on stdin"}};
  const std::chrono::microseconds sentence(1000 * options.pace_ms * kTokensPerSentence);
  const auto read = read_streams(target_of(options), options.streams, options.sentences, sentence,
                                 std::chrono::milliseconds(options.ms));
  return {{"streams", options.streams},
          {"opened", read.opened},
          {"completed", read.completed},
          {"failed", read.failed},
          {"sentences", read.marks},
          {"lost", read.lost},
          {"foreign", read.foreign},
          {"late", read.late},
          {"delay", times(read.delay)},
          {"verdicts", read.verdict.sorted.size()},
          {"verdict", times(read.verdict)},
          {"model_calls", model->main_calls()},
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
  CLI::App* model = app.add_subcommand("model", "A model that answers at once");
  CLI::App* stream = app.add_subcommand("streams", "Streams at once, of its own scripted model");
  stream->add_option("--streams", options.streams);
  stream->add_option("--pace", options.pace_ms, "Milliseconds between two tokens");
  for (CLI::App* command : {stream, model}) {
    command->add_option("--sentences", options.sentences);
    command->add_flag("--every-call", options.every_call, "Whoever calls is given sentences");
  }
  for (CLI::App* command : {ask, stream}) {
    command->add_option("--path", options.path);
    command->add_option("--ms", options.ms, "How long at most");
    command->add_option("question", options.questions)->required();
  }
  CLI11_PARSE(app, argc, argv);
  if (model->parsed()) return serve_model(options);
  fmt::print("{}\n", (ask->parsed() ? prompts(options) : streams(options)).dump());
  return 0;
}
