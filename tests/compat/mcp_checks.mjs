// What every client of MCP must see of precedent, whatever the transport and the revision of the protocol.
// The knowledge base is that of compat_test.py: one runbook, "Drain a press".
import assert from 'node:assert/strict';
import test from 'node:test';

const QUESTION = 'how do I drain a press?';
// Answered only by who knows what was asked before.
const FOLLOW_UP = 'how do I verify it?';

// A client that is left open keeps its server, and so this process, alive.
export async function withClient(open, body) {
  const client = await open();
  try {
    await body(client);
  } finally {
    await client.close();
  }
}

// `open` gives a connected client: one of @modelcontextprotocol/client or of @modelcontextprotocol/sdk.
// `call` gives options to callTool, which the two have at different places.
export function checkServer(name, open, call = (client, params, options) => client.callTool(params, options)) {
  const check = (what, body, options = {}) =>
    test(`${name}: ${what}`, options, () => withClient(open, client =>
      body(client, (tool, args, more) => call(client, {name: tool, arguments: args}, more))));

  check('the server says who it is', async client => {
    assert.equal(client.getServerVersion().name, 'precedent');
    const {tools, prompts, resources} = client.getServerCapabilities();
    assert.deepEqual({tools, prompts, resources}, {tools: {}, prompts: {}, resources: {}});
    assert.match(client.getInstructions(), /Call `ask` with a whole question/);
  });

  check('all tools are listed, with schemas, as read-only', async client => {
    const {tools} = await client.listTools();
    const names = tools.map(tool => tool.name);
    assert.equal(names[0], 'ask');
    assert(names.includes('search_knowledge'), names.join());
    assert.equal(new Set(names).size, names.length);
    for (const tool of tools) {
      assert(tool.description, tool.name);
      assert.equal(tool.inputSchema.type, 'object', tool.name);
      assert.equal(tool.outputSchema.type, 'object', tool.name);
      assert.equal(tool.annotations.readOnlyHint, true, tool.name);
      assert.equal(tool.annotations.destructiveHint, false, tool.name);
    }
    assert.deepEqual(tools[0].inputSchema.required, ['question']);
  });

  check('a question is answered with its source, and the conversation goes on', async (client, call) => {
    await client.listTools();  // from here on the client checks what comes against the output schemas
    const first = await call('ask', {question: QUESTION});
    assert.equal(first.isError, false);
    assert.equal(first.structuredContent.status, 'ok');
    assert.match(first.content[0].text, /Open the valves\./);
    assert.equal(first.structuredContent.answer, first.content[0].text);
    assert.match(first.structuredContent.sources[0].path, /press\.md$/);
    const {chat_id} = first.structuredContent;
    const second = await call('ask', {question: FOLLOW_UP, chat_id});
    assert.equal(second.structuredContent.chat_id, chat_id);
    assert.match(second.content[0].text, /The gauge shows zero\./);
    const alone = await call('ask', {question: FOLLOW_UP});
    assert.doesNotMatch(alone.content[0].text, /gauge/);
  });

  check('a tool looks something up', async (client, call) => {
    await client.listTools();
    const found = await call('search_knowledge', {query: 'press'});
    assert.equal(found.isError, false);
    assert.equal(found.structuredContent.tool, 'search_knowledge');
    assert.equal(found.structuredContent.status, 'ok');
    assert.match(found.content[0].text, /press\.md/);
    const [runbook] = Object.values(found.structuredContent.result).flat().filter(item => item?.path);
    assert.match(runbook.path, /press\.md$/);
  });

  check('progress is told before the answer', async (client, call) => {
    const told = [];
    const answer = await call('ask', {question: QUESTION}, {onprogress: progress => told.push(progress)});
    assert.match(answer.content[0].text, /Open the valves/);
    assert(told.length > 1, JSON.stringify(told));
    assert(told.every(({message}) => message), JSON.stringify(told));
    assert(told.some(({message}) => message === 'search_knowledge: ok' || message.startsWith('search_knowledge: ok,')), JSON.stringify(told));
    assert(told.every(({progress}, i) => i === 0 || progress > told[i - 1].progress), JSON.stringify(told));
  });

  check('documents are listed and read', async client => {
    const {resources} = await client.listResources();
    assert.deepEqual(resources.map(({title}) => title), ['Drain a press']);
    const {contents} = await client.readResource({uri: resources[0].uri});
    assert.match(contents[0].text, /Open the valves\./);
    const {resourceTemplates} = await client.listResourceTemplates();
    assert.equal(resourceTemplates[0].uriTemplate, 'precedent://document/{id}');
    await assert.rejects(client.readResource({uri: 'precedent://document/none'}),
      error => [-32002, -32602].includes(error.code));
  });

  check('prompts are listed and filled in', async client => {
    const {prompts} = await client.listPrompts();
    assert.deepEqual(prompts.map(({name}) => name), ['investigate_alert', 'explain_incident', 'hand_over']);
    const {messages} = await client.getPrompt({name: 'explain_incident', arguments: {incident: 'INC-7'}});
    assert.match(messages[0].content.text, /Explain the incident INC-7/);
    await assert.rejects(client.getPrompt({name: 'explain_incident'}), error => error.code === -32602);
  });

  check('wrong arguments are a result that says what is wrong', async (client, call) => {
    const unknown = await call('search_knowledge', {query: 'press', strange: 1});
    assert.equal(unknown.isError, true);
    assert.match(unknown.content[0].text, /unknown argument 'strange'/);
    const blank = await call('ask', {question: ' '});
    assert.equal(blank.isError, true);
    assert.match(blank.content[0].text, /'question' is missing or blank/);
  });

  check('a tool that is not there is an error of the protocol', async (client, call) => {
    await assert.rejects(call('no_such_tool', {}), error => error.code === -32602 && /no_such_tool/.test(error.message));
  });

  check('arguments of ask are checked against its schema', async (client, call) => {
    assert.equal((await call('ask', {question: QUESTION, strange: 1})).isError, true);
    assert.equal((await call('ask', {question: QUESTION, chat_id: 5})).isError, true);
  });

  check('many calls at once get an answer each', async (client, call) => {
    const queries = ['press', 'valves', 'feeder', 'steps', 'drain', 'nothing of the kind'];
    const found = await Promise.all(queries.map(query => call('search_knowledge', {query})));
    assert.deepEqual(found.map(result => result.structuredContent.status), ['ok', 'ok', 'ok', 'ok', 'ok', 'empty']);
  });
}
