import { agentTurn } from "./agent/conversation";
import { modelName, type Scenario } from "./mock/scenario";

/** A request body without its model, and the mock's answer. */
export interface Payload {
  name: string;
  /** For tables. */
  label: string;
  scenario: Partial<Scenario>;
  body: Record<string, unknown>;
}

const SENTENCE = "Hello there, how are you today? Please answer in one short sentence. ";
const IMAGE_BYTES = 4 * 1024 * 1024;

/** Short question, 1 KB answer. */
export const small: Payload = {
  name: "S",
  label: "S: 0.3 KB in, 1 KB out",
  scenario: { out: 700, prompt: 70, completion: 200 },
  body: { max_tokens: 400, messages: [{ role: "user", content: SENTENCE.repeat(3) }] },
};

/** A conversation with tools; the answer calls one. */
export const medium: Payload = {
  name: "M",
  label: "M: 20 messages and 5 tools, 8 KB in, 2 KB out",
  scenario: { out: 1_600, prompt: 2_000, completion: 500, tool: 1 },
  body: { max_tokens: 1_000, messages: conversation(20, 270), tools: tools(5) },
};

/** An agent's turn; the answer calls a tool. The mock reports fewer tokens than it has, far below the limit a minute. */
export const large: Payload = {
  name: "L",
  label: "L: an agent's turn, 100 KB in, 2 KB out",
  scenario: { out: 1_600, prompt: 12_000, completion: 500, tool: 1 },
  body: agentTurn(100_000),
};

/** The same late in a long session. */
export const heavy: Payload = {
  name: "H",
  label: "H: an agent's turn, 1 MB in, 2 KB out",
  scenario: { out: 1_600, prompt: 50_000, completion: 500, tool: 1 },
  body: agentTurn(1_000_000),
};

/** A question of ten bytes, so that only waiting takes long. */
export const tiny: Payload = {
  name: "XS",
  label: "XS: a question of 10 bytes",
  scenario: { out: 100, prompt: 10, completion: 20 },
  body: { max_tokens: 100, messages: [{ role: "user", content: "Who is it?" }] },
};

/** A picture. */
export const huge: Payload = {
  name: "XL",
  label: "XL: an image of 4 MB in, 1 KB out",
  scenario: { out: 700, prompt: 1_500, completion: 200 },
  body: {
    max_tokens: 400,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: SENTENCE },
          { type: "image_url", image_url: { url: `data:image/png;base64,${picture()}` } },
        ],
      },
    ],
  },
};

/** The model name under which the mock answers a payload. */
export function upstreamModel({ scenario }: Payload): string {
  return modelName(scenario);
}

/** The body of a payload for one model, as JSON; the model comes first, so that the mock finds it at once. */
export function bodyFor(payload: Payload, model: string, extra: Record<string, unknown> = {}): string {
  return JSON.stringify({ model, ...payload.body, ...extra });
}

/** The same for a Responses client that keeps nothing; only for payloads of plain texts. */
export function responsesBodyFor({ body }: Payload, model: string): string {
  const { messages: input, max_tokens: max_output_tokens, stream } = body;
  return JSON.stringify({ model, input, max_output_tokens, stream, store: false });
}

function conversation(turns: number, bytes: number): object[] {
  const text = SENTENCE.repeat(Math.ceil(bytes / SENTENCE.length)).slice(0, bytes);
  return Array.from({ length: turns }, (_, turn) => ({
    role: turn % 2 === 0 ? "user" : "assistant",
    content: `${turn}: ${text}`,
  })).slice(turns % 2 === 0 ? 1 : 0);
}

function tools(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    type: "function",
    function: {
      name: index === 0 ? "search_documents" : `tool_${index}`,
      description: SENTENCE.repeat(3),
      parameters: {
        type: "object",
        properties: { text: { type: "string", description: SENTENCE }, limit: { type: "integer" } },
        required: ["text"],
      },
    },
  }));
}

/** The header of a 1 x 1 PNG with padding; its content is not read. */
function picture(): string {
  const head = Buffer.from("89504e470d0a1a0a0000000d4948445200000001000000010806000000", "hex");
  return Buffer.concat([head, Buffer.alloc(((IMAGE_BYTES * 3) / 4) | 0, 7)]).toString("base64");
}
