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
export function checkServer(name, open) {
  const check = (what, body, options = {}) =>
    test(`${name}: ${what}`, options, () => withClient(open, client =>
      body(client, (tool, args) => client.callTool({name: tool, arguments: args}))));

  check('the server says who it is', async client => {
    assert.equal(client.getServerVersion().name, 'precedent');
    assert.deepEqual(client.getServerCapabilities(), {tools: {}});
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
  }, {expectFailure: 'ask drops arguments that it does not know, and a chat_id that is no string'});

  check('many calls at once get an answer each', async (client, call) => {
    const queries = ['press', 'valves', 'feeder', 'steps', 'drain', 'nothing of the kind'];
    const found = await Promise.all(queries.map(query => call('search_knowledge', {query})));
    assert.deepEqual(found.map(result => result.structuredContent.status), ['ok', 'ok', 'ok', 'ok', 'ok', 'empty']);
  });
}
