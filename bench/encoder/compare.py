#!/usr/bin/env python3
"""Times the encoder against ONNX Runtime, and both against the ceiling of the matrix products: same texts, same cores.

    bench/encoder/compare.py MODEL_DIR [--build build/release] [--rounds 3] [--corpora short,mixed,long]

MODEL_DIR: the whole published model folder (tokenizer.json, modules.json …). Needs torch, transformers, onnx, onnxruntime.

Fair to ONNX Runtime: all graph optimisations, each of its two graphs (as exported; and fused by its own transformer optimiser,
where that is installed) and the faster one counts; one thread a core; texts sorted by length in batches of 32, padded to the
batch's longest; tokenizing not timed. Ours is timed with tokenizing, sorting and pooling. The two take turns in each round, so
that whatever else the machine does hits both; the best round of each counts.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy
import onnxruntime
import torch
from tokenizers import Tokenizer
from transformers import AutoModel

MFLOP_PER_TOKEN = 21.23  # the products with weights; attention is left out on both sides
BATCH = 32


def export(model_dir: str, folder: pathlib.Path) -> list[pathlib.Path]:
    """The graphs to try: as exported, and fused."""
    model = AutoModel.from_pretrained(model_dir, attn_implementation="eager").eval()

    class LastLayer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, input_ids, attention_mask):
            return self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state

    plain = folder / "model.onnx"
    ids = torch.ones(2, 7, dtype=torch.long)
    axes = {name: {0: "batch", 1: "tokens"} for name in ("input_ids", "attention_mask", "last")}
    torch.onnx.export(LastLayer(), (ids, ids), str(plain), input_names=["input_ids", "attention_mask"],
                      output_names=["last"], dynamic_axes=axes, opset_version=17, dynamo=False)
    graphs = [plain]
    try:
        from onnxruntime.transformers import optimizer
        fused = folder / "fused.onnx"
        optimizer.optimize_model(str(plain), model_type="bert", num_heads=12, hidden_size=384,
                                 opt_level=1).save_model_to_file(str(fused))
        graphs.append(fused)
    except Exception as error:  # an optional part of ONNX Runtime
        print(f"no fused graph: {error}")
    return graphs


class Onnx:
    def __init__(self, graph: pathlib.Path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = len(os.sched_getaffinity(0))
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        self.session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])

    def run(self, batches) -> numpy.ndarray:
        rows = []
        for ids, mask in batches:
            (last,) = self.session.run(None, {"input_ids": ids, "attention_mask": mask})
            weight = mask[:, :, None].astype(numpy.float32)
            mean = (last * weight).sum(1) / weight.sum(1)
            rows.append(mean / numpy.linalg.norm(mean, axis=1, keepdims=True))
        return numpy.concatenate(rows)


def batches_of(tokenizer: Tokenizer, texts: list[str]):
    encoded = sorted((e.ids for e in tokenizer.encode_batch(texts)), key=len)
    result = []
    for i in range(0, len(encoded), BATCH):
        part = encoded[i:i + BATCH]
        ids = numpy.zeros((len(part), len(part[-1])), dtype=numpy.int64)
        mask = numpy.zeros_like(ids)
        for row, text in enumerate(part):
            ids[row, :len(text)] = text
            mask[row, :len(text)] = 1
        result.append((ids, mask))
    return result


def ours(binary: pathlib.Path, names: list[str]) -> dict[str, dict]:
    pattern = "^(" + "|".join(names) + ")/process_time"
    out = subprocess.run([binary, f"--benchmark_filter={pattern}", "--benchmark_format=json", "--benchmark_min_time=0.2"],
                         check=True, capture_output=True, text=True).stdout
    return {re.sub("/process_time.*", "", b["name"]): b for b in json.loads(out)["benchmarks"]}


def cold_question(binary: pathlib.Path) -> float:
    def once():
        start = time.perf_counter()
        subprocess.run([binary, "--question"], check=True)
        return time.perf_counter() - start
    return 1e3 * min(once() for _ in range(10))


def check(session: Onnx, tokenizer: Tokenizer) -> None:
    """The graph computes the model: the golden vectors, which our own tests are held to, come out."""
    golden = pathlib.Path(__file__).resolve().parents[2] / "tests/golden/embeddings"
    texts = json.loads((golden / "texts.json").read_text())
    expected = numpy.fromfile(golden / "vectors.f32", dtype="<f4").reshape(len(texts), -1)
    for i in range(5, len(texts), 9):
        found = session.run(batches_of(tokenizer, [texts[i]] * 2))
        assert (found @ expected[i]).min() > 0.999, texts[i]


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("model_dir")
    arguments.add_argument("--build", default="build/release")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--corpora", default="short,mixed,long")
    options = arguments.parse_args()
    binary = pathlib.Path(options.build) / "src/embed/encoder_bench"
    corpora = options.corpora.split(",")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sessions = {graph.stem: Onnx(graph) for graph in export(options.model_dir, folder)}
        subprocess.run([binary, "--dump", folder], check=True)
        data = {c: json.loads((folder / f"{c}.json").read_text()) for c in corpora}

    tokenizer = Tokenizer.from_file(f"{options.model_dir}/tokenizer.json")
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()
    batches = {c: batches_of(tokenizer, data[c]["texts"]) for c in corpora}
    for c in corpora:
        tokens = int(sum(mask.sum() for _, mask in batches[c]))
        assert tokens == data[c]["tokens"], f"{c}: {tokens} tokens, ours {data[c]['tokens']}"

    for session in sessions.values():
        check(session, tokenizer)

    ceiling = {"fp32": 0.0, "int8": 0.0}
    rate: dict[tuple[str, str], float] = {}

    def keep(key, texts_per_second):
        rate[key] = max(rate.get(key, 0), texts_per_second)

    for round_number in range(options.rounds):
        for c in corpora:
            print(f"round {round_number + 1} of {options.rounds}: {c}", file=sys.stderr, flush=True)
            for graph, session in sessions.items():
                session.run(batches[c][:1])
                start = time.perf_counter()
                session.run(batches[c])
                keep((c, graph), len(data[c]["texts"]) / (time.perf_counter() - start))
            found = ours(binary, [f"fp32/{c}", f"int8/{c}", "ceiling/fp32", "ceiling/int8"])
            for precision in ("fp32", "int8"):
                keep((c, precision), found[f"{precision}/{c}"].get("texts/s", 0))
                ceiling[precision] = max(ceiling[precision], found[f"ceiling/{precision}"]["GFLOP/s"])

    print(f"ceiling (4096×384 by 384×1536): fp32 {ceiling['fp32']:.0f} GFLOP/s, int8 {ceiling['int8']:.0f} GOP/s")
    print(f"cold start, a new process to the first vector: {cold_question(binary):.0f} ms\n")
    print("| texts | tokens each | who | texts/s | tokens/s | GFLOP/s | of ceiling | against ONNX Runtime | against our fp32 |")
    print("|---|---|---|---|---|---|---|---|---|")
    for c in corpora:
        each = data[c]["tokens"] / len(data[c]["texts"])
        best = max(rate[c, graph] for graph in sessions)
        rows = [(f"ONNX Runtime, {graph}", rate[c, graph], "fp32") for graph in sessions]
        rows += [("ours, fp32", rate[c, "fp32"], "fp32"), ("ours, int8", rate[c, "int8"], "int8")]
        for who, speed, precision in rows:
            gflops = speed * each * MFLOP_PER_TOKEN / 1e3
            print(f"| {c} | {each:.0f} | {who} | {speed:.0f} | {speed * each:.0f} | {gflops:.0f} "
                  f"| {gflops / ceiling[precision]:.0%} | {speed / best:.2f}× | {speed / rate[c, 'fp32']:.2f}× |")


main()
