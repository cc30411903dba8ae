import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
} from '@modelcontextprotocol/server';

const NO_ARGUMENTS = fromJsonSchema({ type: 'object', properties: {} });

/** Seals what a question remembers until it is answered; every server of this process knows the key. */
export const memory = createRequestStateCodec({ key: randomBytes(32) });

const form = (message, field, type = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
  });
const toModel = (text, maxTokens = 50) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });

const QUESTIONS = {
  name: () => form('What is your name?', 'name'),
  color: () => form('What is your favorite color?', 'color'),
  confirm: () => form('Please confirm', 'ok', 'boolean'),
  context: () => form('What context should the prompt use?', 'context'),
  capital: () => toModel('What is the capital of France?', 100),
  greeting: () => toModel('Generate a greeting'),
  roots: () => inputRequired.listRoots(),
};

/**
 * The tools and the prompt that ask by an `input_required` result (2026-07-28) and answer when they are called
 * again with what was asked.
 */
export function addQuestions(server, said) {
  const words = (text) => ({ content: [{ type: 'text', text: said.text(text) }] });
  const tool = (name, description, run) =>
    server.registerTool(name, { description, inputSchema: NO_ARGUMENTS }, (_, { mcpReq }) => run(mcpReq));
  const responded = (mcpReq, key) => mcpReq.inputResponses?.[key];
  const accepted = (mcpReq, key, field) => acceptedContent(mcpReq.inputResponses, key)?.[field];
  const ask = (inputRequests, requestState) => inputRequired({ inputRequests, requestState });

  tool('test_input_required_result_elicitation', 'Asks for a name', (mcpReq) => {
    const name = accepted(mcpReq, 'user_name', 'name');
    return typeof name === 'string' ? words(`Hello, ${name}!`) : ask({ user_name: QUESTIONS.name() });
  });
  tool('test_input_required_result_sampling', 'Asks the model', (mcpReq) => {
    const answer = responded(mcpReq, 'capital_question');
    return answer
      ? words(`The model says: ${answer.content?.text}`)
      : ask({ capital_question: QUESTIONS.capital() });
  });
  tool('test_missing_capability', 'Asks the model, whether the client can or not', (mcpReq) =>
    responded(mcpReq, 'reply') ? words('Answered.') : ask({ reply: QUESTIONS.greeting() }),
  );
  tool('test_input_required_result_list_roots', 'Asks for the roots', (mcpReq) => {
    const roots = responded(mcpReq, 'client_roots')?.roots;
    return roots ? words(`Roots: ${JSON.stringify(roots)}`) : ask({ client_roots: QUESTIONS.roots() });
  });
  tool('test_input_required_result_request_state', 'Asks, and remembers', async (mcpReq) =>
    accepted(mcpReq, 'confirm', 'ok') === undefined || mcpReq.requestState() === undefined
      ? ask({ confirm: QUESTIONS.confirm() }, await memory.mint({ asked: 'state' }))
      : words('state-ok'),
  );
  tool('test_input_required_result_tampered_state', 'Asks, and remembers', async (mcpReq) =>
    mcpReq.requestState() === undefined
      ? ask({ confirm: QUESTIONS.confirm() }, await memory.mint({ asked: 'tampered' }))
      : words('The state is as it was.'),
  );
  tool('test_input_required_result_multiple_inputs', 'Asks three things at once', async (mcpReq) => {
    const asked = {
      user_name: QUESTIONS.name(),
      greeting: QUESTIONS.greeting(),
      client_roots: QUESTIONS.roots(),
    };
    const all = Object.keys(asked).every((key) => responded(mcpReq, key));
    return all ? words('All answered.') : ask(asked, await memory.mint({ asked: 'three' }));
  });
  tool('test_input_required_result_multi_round', 'Asks twice', async (mcpReq) => {
    const { round } = mcpReq.requestState() ?? { round: 0 };
    if (round === 0) return ask({ step1: QUESTIONS.name() }, await memory.mint({ round: 1 }));
    if (round === 1) return ask({ step2: QUESTIONS.color() }, await memory.mint({ round: 2 }));
    return words('Both answered.');
  });
  tool('test_input_required_result_capabilities', 'Asks what the client can answer', (mcpReq) => {
    const able = mcpReq.envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
    if (mcpReq.inputResponses) return words('Answered.');
    return ask({
      ...(able.elicitation && { user_name: QUESTIONS.name() }),
      ...(able.sampling && { greeting: QUESTIONS.greeting() }),
      ...(able.roots && { client_roots: QUESTIONS.roots() }),
    });
  });
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks before it is filled in' },
    ({ mcpReq }) => {
      const context = accepted(mcpReq, 'user_context', 'context');
      if (context === undefined) return ask({ user_context: QUESTIONS.context() });
      const text = said.text(`Use this context: ${context}`);
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
  );
}
