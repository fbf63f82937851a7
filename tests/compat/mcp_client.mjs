// @modelcontextprotocol/client, which speaks both revisions of MCP, over both transports.
// usage: node mcp_client.mjs URL PRECEDENT DATA_DIR
import assert from 'node:assert/strict';
import test from 'node:test';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {checkServer, withClient} from './mcp_checks.mjs';

const [url, command, data] = process.argv.slice(2);
const transports = {
  http: () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`)),
  stdio: () => new StdioClientTransport({command, args: ['mcp', '--data-dir', data], env: process.env, stderr: 'ignore'}),
};
// How the client finds its revision: with `initialize`, by asking the server, or by being told.
const eras = [
  {mode: 'legacy', version: '2025-11-25'},
  {mode: 'auto', version: '2026-07-28'},
  {mode: {pin: '2026-07-28'}, version: '2026-07-28'},
];

for (const [transport, make] of Object.entries(transports)) {
  for (const {mode, version} of eras) {
    const name = `${transport}, ${version} (${JSON.stringify(mode)})`;
    const open = async () => {
      const client = new Client({name: 'compat', version: '1.0.0'}, {versionNegotiation: {mode}});
      await client.connect(make());
      return client;
    };
    test(`${name}: the revision is agreed upon`, () => withClient(open, client =>
      assert.equal(client.getNegotiatedProtocolVersion(), version)));
    checkServer(name, open);

    // A greeting, which says nothing of what is wanted.
    const GREETING = 'hello there';
    if (version === '2025-11-25') {
      test(`${name}: a question back is a result`, () => withClient(open, async client => {
        const {structuredContent} = await client.callTool({name: 'ask', arguments: {question: GREETING}});
        assert.equal(structuredContent.status, 'needs_input');
      }));
      continue;
    }
    test(`${name}: a question back is a form, and the answer goes on from it`, async () => {
      const asked = [];
      const opened = async () => {
        const client = new Client({name: 'compat', version: '1.0.0'},
          {versionNegotiation: {mode}, capabilities: {elicitation: {form: {}}}});
        client.setRequestHandler('elicitation/create', ({params}) => {
          asked.push(params.message);
          return {action: 'accept', content: {answer: 'how do I drain a press?'}};
        });
        await client.connect(make());
        return client;
      };
      await withClient(opened, async client => {
        const {content} = await client.callTool({name: 'ask', arguments: {question: GREETING}});
        assert.match(content[0].text, /Open the valves/);
        assert.equal(asked.length, 1);
      });
    });
  }
}
