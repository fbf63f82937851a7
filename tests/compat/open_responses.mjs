// The compliance cases of Open Responses (openresponses.org, its compliance tests of 2026) that apply, against /v1 of
// precedent: all but tool-calling and tool-calling-streaming, since the tools here are precedent's own.
// usage: node open_responses.mjs URL
import assert from 'node:assert/strict';
import test from 'node:test';

const URL = `${process.argv[2]}/v1/responses`;
const user = content => ({type: 'message', role: 'user', content});
const ask = (input, more = {}) => fetch(URL, {
  method: 'POST',
  headers: {'Content-Type': 'application/json', Authorization: 'Bearer none'},
  body: JSON.stringify({model: 'precedent', input, ...more}),
});

const is = (...types) => value => types.includes(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
// What a response must have, and of which type.
const RESPONSE = {
  id: is('string'), object: value => value === 'response', created_at: Number.isInteger,
  completed_at: Number.isInteger, status: value => value === 'completed', incomplete_details: is('object', 'null'),
  model: is('string'), previous_response_id: is('string', 'null'), instructions: is('string', 'array', 'null'),
  output: is('array'), error: is('object', 'null'), tools: is('array'), tool_choice: is('string', 'object'),
  truncation: value => ['auto', 'disabled'].includes(value), parallel_tool_calls: is('boolean'),
  text: value => value.format.type === 'text', top_p: is('number'), presence_penalty: is('number'),
  frequency_penalty: is('number'), top_logprobs: Number.isInteger, temperature: is('number'),
  reasoning: is('object', 'null'), user: is('string', 'null'),
  usage: value => ['input_tokens', 'output_tokens', 'total_tokens'].every(name => Number.isInteger(value[name])) &&
    Number.isInteger(value.input_tokens_details.cached_tokens) &&
    Number.isInteger(value.output_tokens_details.reasoning_tokens),
  max_output_tokens: is('number', 'null'), max_tool_calls: is('number', 'null'), store: is('boolean'),
  background: is('boolean'), service_tier: is('string'), metadata: is('object'), safety_identifier: is('string', 'null'),
  prompt_cache_key: is('string', 'null'),
};

function check(response) {
  for (const [name, holds] of Object.entries(RESPONSE)) {
    assert(name in response, `${name} is missing`);
    assert(holds(response[name]), `${name}: ${JSON.stringify(response[name])}`);
  }
  assert(response.output.length > 0);
  for (const item of response.output) {
    assert.deepEqual([item.type, item.role, item.status], ['message', 'assistant', 'completed']);
    assert.equal(typeof item.id, 'string');
    for (const part of item.content) {
      assert.equal(part.type, 'output_text');
      assert.equal(typeof part.text, 'string');
      assert(Array.isArray(part.annotations) && Array.isArray(part.logprobs));
    }
  }
  return response.output[0].content[0].text;
}

async function answered(input) {
  const response = await ask(input);
  assert.equal(response.status, 200, await response.clone().text());
  return check(await response.json());
}

test('basic-response', async () => {
  assert.match(await answered([user('how do I drain a press?')]), /Open the valves\./);
});

test('streaming-response', async () => {
  const response = await ask([user('how do I drain a press?')], {stream: true});
  assert.match(response.headers.get('Content-Type'), /^text\/event-stream/);
  const events = (await response.text()).split('\n\n').filter(Boolean).map(block => ({
    name: block.match(/^event: (.*)$/m)?.[1], data: block.match(/^data: (.*)$/m)?.[1]}));
  if (events.at(-1).data === '[DONE]') events.pop();
  const told = events.map(({name, data}) => {
    const event = JSON.parse(data);
    assert.equal(event.type, name);
    assert(Number.isInteger(event.sequence_number));
    return event;
  });
  assert.equal(told[0].type, 'response.created');
  const last = told.at(-1);
  assert.equal(last.type, 'response.completed');
  const said = told.filter(event => event.type === 'response.output_text.delta').map(event => event.delta).join('');
  assert.equal(check(last.response), said);
});

test('system-prompt', async () => {
  await answered([{type: 'message', role: 'system', content: 'You are a pirate.'}, user('how do I drain a press?')]);
});

test('multi-turn', async () => {
  const first = await answered([user('how do I drain a press?')]);
  const text = await answered([user('how do I drain a press?'), {type: 'message', role: 'assistant', content: first},
                               user('how do I verify it?')]);
  assert.match(text, /The gauge shows zero\./);
});

test('image-input', async () => {
  // Only what is said beside the image is read.
  assert.match(await answered([user([{type: 'input_text', text: 'how do I drain a press?'},
                                     {type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo='}])]),
               /Open the valves\./);
});
