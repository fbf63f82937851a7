// The client `openai` against /v1 of precedent.
// usage: node openai.mjs URL
import assert from 'node:assert/strict';
import test from 'node:test';
import OpenAI from 'openai';

const baseURL = `${process.argv[2]}/v1`;
// No second try: an error of the server has to be seen.
const client = new OpenAI({baseURL, apiKey: 'none', maxRetries: 0});
const QUESTION = 'how do I drain a press?';
const question = {role: 'user', content: QUESTION};
// Answered only by who knows what was asked before.
const FOLLOW_UP = 'how do I verify it?';
const BINARY = '\u0001\u0014\u0005\u0006';

test('the one model is listed', async () => {
  const models = await client.models.list();
  assert.deepEqual(models.data.map(model => model.id), ['precedent']);
  assert.equal(models.data[0].object, 'model');
});

test('a completion answers the question', async () => {
  const done = await client.chat.completions.create({model: 'precedent', messages: [question]});
  assert.equal(done.object, 'chat.completion');
  assert.equal(done.choices[0].finish_reason, 'stop');
  assert.equal(done.choices[0].message.role, 'assistant');
  assert.match(done.choices[0].message.content, /Open the valves\./);
  assert.equal(done.usage.total_tokens, done.usage.prompt_tokens + done.usage.completion_tokens);
});

test('a completion reads the conversation, and any name of a model', async () => {
  const first = await client.chat.completions.create({model: 'gpt-x', messages: [question]});
  const second = await client.chat.completions.create({
    model: 'gpt-x',
    messages: [{role: 'system', content: 'You are a pirate.'}, question, first.choices[0].message,
               {role: 'user', content: [{type: 'text', text: FOLLOW_UP}]}],
  });
  assert.match(second.choices[0].message.content, /The gauge shows zero\./);
});

test('a streamed completion says the same, and its usage when asked', async () => {
  const whole = await client.chat.completions.create({model: 'precedent', messages: [question]});
  const stream = await client.chat.completions.create(
    {model: 'precedent', messages: [question], stream: true, stream_options: {include_usage: true}});
  let text = '', finish, last;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta?.content ?? '';
    finish = chunk.choices[0]?.finish_reason ?? finish;
    last = chunk;
  }
  assert.equal(text, whole.choices[0].message.content);
  assert.equal(finish, 'stop');
  assert.deepEqual(last.choices, []);
  assert.equal(typeof last.usage.total_tokens, 'number');
});

test('the client puts a streamed completion together', async () => {
  const final = await client.chat.completions.stream({model: 'precedent', messages: [question]}).finalChatCompletion();
  assert.equal(final.choices[0].message.role, 'assistant');
  assert.match(final.choices[0].message.content, /Open the valves\./);
});

test('a response answers with its sources', async () => {
  const done = await client.responses.create({model: 'precedent', input: QUESTION});
  assert.equal(done.status, 'completed');
  assert.equal(done.error, null);
  assert.equal(done.store, true);
  assert.match(done.output_text, /Open the valves\./);
  const [source] = done.output[0].content[0].annotations;
  assert.equal(source.type, 'file_citation');
  assert.match(source.filename, /press\.md$/);
  assert.equal(done.usage.total_tokens, done.usage.input_tokens + done.usage.output_tokens);
});

test('a response is gone on from, and more than once', async () => {
  const first = await client.responses.create({model: 'precedent', input: QUESTION});
  const next = {model: 'precedent', input: FOLLOW_UP, previous_response_id: first.id};
  const answers = [await client.responses.create(next), await client.responses.create(next)];
  for (const answer of answers) {
    assert.equal(answer.previous_response_id, first.id);
    assert.notEqual(answer.id, first.id);
    assert.match(answer.output_text, /The gauge shows zero\./);
  }
  assert.notEqual(answers[0].id, answers[1].id);
  assert.equal(answers[0].output_text, answers[1].output_text);
});

test('nothing of a response is kept with store: false', async () => {
  const first = await client.responses.create({model: 'precedent', input: QUESTION, store: false});
  assert.equal(first.store, false);
  await assert.rejects(
    client.responses.create({model: 'precedent', input: FOLLOW_UP, previous_response_id: first.id}),
    error => error instanceof OpenAI.NotFoundError && error.type === 'invalid_request_error');
});

for (const store of [true, false]) {
  test(`a streamed response has OpenAI's events in their order, store: ${store}`, async () => {
    const stream = client.responses.stream({model: 'precedent', input: QUESTION, store});
    const events = [];
    for await (const event of stream) events.push(event);
    assert.deepEqual(events.map(event => event.sequence_number), events.map((_, index) => index));
    const types = events.map(event => event.type).filter((type, i, all) => type !== all[i - 1]);
    assert.deepEqual(types, [
      'response.created', 'response.in_progress', 'response.output_item.added', 'response.content_part.added',
      'response.output_text.delta', 'response.output_text.done', 'response.content_part.done',
      'response.output_item.done', 'response.completed',
    ]);
    const final = await stream.finalResponse();
    const said = events.filter(event => event.type === 'response.output_text.delta').map(event => event.delta).join('');
    assert.equal(final.output_text, said);
    assert.match(said, /Open the valves\./);
  });
}

// Each must be told by an error of that class, in OpenAI's shape.
const refuses = async (promise, kind, message) => assert.rejects(promise, error => {
  assert(error instanceof kind, `${error.constructor.name}: ${error.message}`);
  assert.match(error.message, message);
  assert.equal(error.type, 'invalid_request_error');
  assert.deepEqual(Object.keys(error.error).sort(), ['code', 'message', 'param', 'type']);
  return true;
});
const complete = body => client.chat.completions.create({model: 'precedent', ...body});
const respond = body => client.responses.create({model: 'precedent', ...body});

test('what is wrong is told in the shape of OpenAI', async () => {
  await refuses(complete({messages: []}), OpenAI.BadRequestError, /messages is missing or empty/);
  await refuses(complete({messages: [{content: 'x'}]}), OpenAI.BadRequestError, /message 0: has no 'role'/);
  await refuses(complete({messages: [{role: 'user', content: 5}]}), OpenAI.BadRequestError, /'content' must be/);
  await refuses(complete({messages: [{role: 'assistant', content: 'x'}]}), OpenAI.BadRequestError, /must be the user's/);
  await refuses(complete({messages: [question], stream: 'yes'}), OpenAI.BadRequestError, /stream/);
  await refuses(respond({input: ' '}), OpenAI.BadRequestError, /'input' is blank/);
  await refuses(respond({input: QUESTION, store: 'no'}), OpenAI.BadRequestError, /'store' must be true or false/);
  await refuses(respond({input: 'x', previous_response_id: 'no'}), OpenAI.BadRequestError, /'no' is no id of a response/);
  await refuses(respond({input: 'x', previous_response_id: 'resp_none'}), OpenAI.NotFoundError, /none/);
});

test('a question that cannot be read is an error of the client', {
  expectFailure: 'the answer is 500 server_error, which the client asks again, twice by default',
}, async () => {
  await refuses(complete({messages: [{role: 'user', content: BINARY}]}), OpenAI.BadRequestError, /looks like a binary file/);
});

test('a path that is not there is told in the shape of OpenAI', async () => {
  await refuses(client.models.retrieve('none'), OpenAI.NotFoundError, /./);
});
