// @modelcontextprotocol/sdk, the client of the older revisions of MCP, over both transports.
// usage: node mcp_sdk.mjs URL PRECEDENT DATA_DIR
import assert from 'node:assert/strict';
import test from 'node:test';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {checkServer, withClient} from './mcp_checks.mjs';

const [url, command, data] = process.argv.slice(2);
const transports = {
  http: () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`)),
  stdio: () => new StdioClientTransport({command, args: ['mcp', '--data-dir', data], env: process.env, stderr: 'ignore'}),
};

const opener = make => async () => {
  const client = new Client({name: 'compat', version: '1.0.0'});
  await client.connect(make());
  return client;
};

for (const [name, make] of Object.entries(transports)) {
  const open = opener(make);
  test(`${name}: a ping is answered`, () => withClient(open, async client => assert.deepEqual(await client.ping(), {})));
  checkServer(name, open, (client, params, options) => client.callTool(params, undefined, options));
}

test('http: the revision is agreed upon, and there is no session', () => withClient(opener(transports.http), client => {
  assert.equal(client.transport.protocolVersion, '2025-11-25');
  assert.equal(client.transport.sessionId, undefined);
}));
