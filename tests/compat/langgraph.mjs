// What a client of the LangGraph server API does with `precedent serve`: streams a turn, reads the
// history, forks from a checkpoint, answers what is asked back; then the same in the streaming
// protocol. Ends with 0 if all of it went as the SDK expects.
//
//   npm install @langchain/langgraph-sdk@1.15.0 @langchain/core
//   node tests/compat/langgraph.mjs http://127.0.0.1:8484
//
// The SDK is looked for from the working directory, so that it need not be installed here. The
// knowledge base behind the server is that of examples/.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const apiUrl = process.argv[2];
if (!apiUrl) {
  console.error("usage: node langgraph.mjs BASE_URL");
  process.exit(2);
}
const installed = createRequire(join(process.cwd(), "package.json"));
const { Client } = await import(pathToFileURL(installed.resolve("@langchain/langgraph-sdk").replace(/\.cjs$/, ".js")));

const QUESTION = "How do I restart the search service?";
const VAGUE = "it's broken again";
const ASSISTANT = "precedent";
const input = (text) => ({ messages: [{ type: "human", content: text }] });
const humans = (values) => values.messages.filter((message) => message.type === "human").map((message) => message.content);
const textOf = (message) => (typeof message.content === "string" ? message.content : message.content.map((block) => block.text ?? "").join(""));
const client = new Client({ apiUrl, apiKey: "any" });

async function collect(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

async function fails(call, status) {
  await assert.rejects(call, (error) => error.status === status, `expected HTTP ${status}`);
}

const checks = {
  async "the assistant is found"() {
    const [assistant] = await client.assistants.search();
    assert.equal(assistant.assistant_id, ASSISTANT);
    assert.deepEqual(await client.assistants.get(ASSISTANT), assistant);
    await fails(() => client.assistants.get("other"), 404);
  },

  async "threads are made, found, changed, copied and deleted"() {
    const thread = await client.threads.create({ metadata: { team: "compat" } });
    assert.equal(thread.status, "idle");
    await client.threads.update(thread.thread_id, { metadata: { shift: 2 } });
    const found = await client.threads.search({ metadata: { team: "compat", shift: 2 } });
    assert.deepEqual(found.map((one) => one.thread_id), [thread.thread_id]);
    assert.equal(await client.threads.count({ metadata: { team: "compat" } }), 1);
    const copy = await client.threads.copy(thread.thread_id);
    await client.threads.delete(thread.thread_id);
    await fails(() => client.threads.get(thread.thread_id), 404);
    assert.equal((await client.threads.get(copy.thread_id)).thread_id, copy.thread_id);
    await client.threads.delete(copy.thread_id);
  },

  async "a turn is streamed in every mode"() {
    const { thread_id } = await client.threads.create();
    let created;
    const events = await collect(
      client.runs.stream(thread_id, ASSISTANT, {
        input: input(QUESTION),
        streamMode: ["values", "updates", "messages-tuple", "messages", "custom"],
        onRunCreated: (run) => (created = run),
      }),
    );
    assert.equal(created?.thread_id, thread_id, "Content-Location names thread and run");
    assert.equal(events[0].event, "metadata");
    assert.deepEqual(events.at(-1), { ...events.at(-1), event: "end", data: { run_id: created.run_id, status: "success" } });
    const of = (name) => events.filter((event) => event.event === name).map((event) => event.data);
    const values = of("values").at(-1);
    const answer = values.messages.at(-1);
    assert.equal(answer.type, "ai");
    const pieces = of("messages").filter(([message]) => message.type === "AIMessageChunk");
    assert.equal(pieces.map(([message]) => message.content).join(""), answer.content);
    assert.ok(pieces.every(([message]) => message.id === answer.id), "pieces have the id of the message");
    assert.equal(of("messages/partial").at(-1)[0].content, answer.content);
    assert.ok(of("messages/complete").some(([message]) => message.id === answer.id));
    assert.ok(of("updates").some((update) => update.support_bot?.messages));
    assert.ok(of("custom").some((custom) => custom.type === "tool_call"));
    assert.ok(values.sources.length > 0 && values.receipts.length > 0);
    const run = await client.runs.get(thread_id, created.run_id);
    assert.equal(run.status, "success");
    assert.deepEqual((await client.runs.list(thread_id)).map((one) => one.run_id), [run.run_id]);
    const joined = await client.runs.join(thread_id, run.run_id);
    assert.deepEqual(joined.messages, values.messages);
    const again = await collect(client.runs.joinStream(thread_id, run.run_id, { streamMode: "values" }));
    assert.deepEqual(again.at(-2).data, values);
  },

  async "a run is waited for, and one at a time goes on in a thread"() {
    const { thread_id } = await client.threads.create();
    const first = client.runs.wait(thread_id, ASSISTANT, { input: input(QUESTION) });
    const values = await first;
    assert.deepEqual(humans(values), [QUESTION]);
    await fails(() => client.runs.wait(thread_id, ASSISTANT, { input: input(QUESTION), multitaskStrategy: "enqueue" }), 422);
    await fails(() => client.runs.wait("nobody", ASSISTANT, { input: input(QUESTION) }), 404);
    const alone = await client.runs.wait(null, ASSISTANT, { input: input(QUESTION) });
    assert.equal(textOf(alone.messages.at(-1)), textOf(values.messages.at(-1)));
    const run = await client.runs.create(thread_id, ASSISTANT, { input: input(QUESTION) });
    await client.runs.cancel(thread_id, run.run_id, true);
    assert.notEqual((await client.runs.get(thread_id, run.run_id)).status, "running");
  },

  async "the history is read and a thread forked from a checkpoint"() {
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, ASSISTANT, { input: input(QUESTION) });
    await client.runs.wait(thread_id, ASSISTANT, { input: input("Who owns it?") });
    const history = await client.threads.getHistory(thread_id, { limit: 100 });
    assert.deepEqual(history[0], await client.threads.getState(thread_id));
    for (let i = 0; i + 1 < history.length; ++i)
      assert.equal(history[i].parent_checkpoint.checkpoint_id, history[i + 1].checkpoint.checkpoint_id);
    const older = await client.threads.getHistory(thread_id, {
      limit: 1,
      before: { configurable: { checkpoint_id: history[0].checkpoint.checkpoint_id } },
    });
    assert.deepEqual(older, [history[1]]);
    const fork = history.find((state) => state.next.length === 0 && humans(state.values).length === 1);
    assert.deepEqual(await client.threads.getState(thread_id, fork.checkpoint), fork);
    assert.deepEqual(await client.threads.getState(thread_id, fork.checkpoint.checkpoint_id), fork);
    const forked = await client.runs.wait(thread_id, ASSISTANT, {
      input: input("Which runbook says so?"),
      checkpointId: fork.checkpoint.checkpoint_id,
    });
    assert.deepEqual(humans(forked), [QUESTION, "Which runbook says so?"]);
    assert.deepEqual(humans((await client.threads.getState(thread_id)).values), humans(forked));
    const { configurable } = await client.threads.updateState(thread_id, {
      values: { title: "Forked" },
      checkpointId: fork.checkpoint.checkpoint_id,
    });
    const state = await client.threads.getState(thread_id);
    assert.equal(state.values.title, "Forked");
    assert.equal(state.checkpoint.checkpoint_id, configurable.checkpoint_id);
    assert.deepEqual(humans(state.values), [QUESTION]);
  },

  async "an interrupt is resumed"() {
    const { thread_id } = await client.threads.create();
    const events = await collect(client.runs.stream(thread_id, ASSISTANT, { input: input(VAGUE), streamMode: ["values", "updates"] }));
    assert.equal(events.at(-1).data.status, "interrupted");
    const [interrupt] = events.find((event) => event.data?.__interrupt__).data.__interrupt__;
    assert.ok(interrupt.value.text.length > 0);
    assert.equal((await client.threads.get(thread_id)).status, "interrupted");
    const state = await client.threads.getState(thread_id);
    assert.equal(state.tasks.at(-1).interrupts[0].id, interrupt.id);
    const values = await client.runs.wait(thread_id, ASSISTANT, { command: { resume: QUESTION } });
    assert.deepEqual(humans(values), [VAGUE, QUESTION]);
    assert.equal((await client.threads.get(thread_id)).status, "idle");
    await fails(() => client.runs.wait(thread_id, ASSISTANT, { command: { resume: QUESTION } }), 409);
  },

  async "the streaming protocol begins a thread that the client invented"() {
    const thread = client.threads.stream({ assistantId: ASSISTANT });
    const { run_id } = await thread.run.start({ input: input(QUESTION) });
    assert.ok(run_id);
    const texts = [];
    const said = (async () => {
      for await (const message of thread.messages) texts.push(await message.text);
    })();
    const [output, calls] = await Promise.all([thread.output, collect(thread.toolCalls), said]);
    assert.equal(texts.at(-1), textOf(output.messages.at(-1)));
    assert.ok(calls.length > 0, "the tools are told");
    assert.equal(thread.interrupted, false);
    const state = await client.threads.getState(thread.threadId);
    assert.equal(state.values.messages.at(-1).content, textOf(output.messages.at(-1)));
    await thread.close();
  },

  async "the streaming protocol asks back and is answered"() {
    const thread = client.threads.stream({ assistantId: ASSISTANT });
    await thread.run.start({ input: input(VAGUE) });
    await thread.output;
    for (let i = 0; i < 100 && thread.interrupts.length === 0; ++i) await new Promise((done) => setTimeout(done, 20));
    assert.equal(thread.interrupted, true);
    const [{ interruptId, namespace }] = thread.interrupts;
    await assert.rejects(() => thread.input.respond({ interrupt_id: "interrupt-0", namespace, response: QUESTION }), /interrupt/);
    await thread.input.respond({ interrupt_id: interruptId, namespace, response: QUESTION });
    for (let i = 0; i < 500; ++i) {
      if ((await client.threads.get(thread.threadId)).status === "idle") break;
      await new Promise((done) => setTimeout(done, 20));
    }
    const { values } = await client.threads.getState(thread.threadId);
    assert.deepEqual(humans(values), [VAGUE, QUESTION]);
    await thread.close();
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
    console.log(`ok      ${name}`);
  } catch (error) {
    ++failed;
    console.error(`FAILED  ${name}\n${error.stack ?? error}`);
  }
}
process.exit(failed === 0 ? 0 : 1);
