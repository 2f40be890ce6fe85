import { randomFrom } from "../statistics";
import { drawn, toolText } from "./texts";
import { AGENT_TOOLS } from "./tools";

const SEED = 20_261_130;
/** The text of a tool's result. Units: bytes of JSON. */
const RESULT = { least: 500, most: 8_000 } as const;
const MOST_CALLS = 3;
/** What a call and its result have besides the text of the result. Units: bytes of JSON. */
const AROUND_RESULT = 450;

const FILES = [
  "src/columns.ts",
  "src/address.ts",
  "tests/unit/address.test.ts",
  "docs/部署.md",
  "package.json",
];
const WORDS = [
  "I read what the test expects.",
  "The pattern is wrong: it takes “a b”.",
  "再看一下文档。👀",
  "Now the tests.",
];
const RULES = [
  'You are an agent that works on a project with the tools below. Answer in the language of the user ("zh-CN" or "en").',
  "Read a file before you change it, and change only what the task names; keep the style of the lines around it.",
  "Quote texts exactly: `\\n` in a file stays `\\n`, and a path such as C:\\data keeps its backslashes.",
  "Run the tests that touch a change. When one fails, say which and why, and do not weaken it.",
  "Call tools at once that do not depend on each other. 不要猜测：先搜索，再回答。✅",
  "When nothing is left to do, say in at most four sentences what was changed and what was not.",
];

/** A request to an agent's model, without the model. */
interface AgentBody extends Record<string, unknown> {
  max_tokens: number;
  tools: readonly object[];
  messages: object[];
}

/** One turn of an agent, about so many bytes of JSON: its whole history, which ends with the results of tools. */
export function agentTurn(bytes: number): AgentBody {
  const random = randomFrom(SEED);
  const body = opening();
  const atLeast = RESULT.least + AROUND_RESULT;
  for (let left = bytes - bytesOf(body), number = 0; left > atLeast; number += 1) {
    const step = stepOf(random, number, sizesFor(random, left));
    body.messages.push(...step);
    left -= bytesOf(step);
  }
  return body;
}

/** All turns of an agent's session; the history of each has one step of about so many bytes more than the one before. */
export function agentSession(turns: number, bytesOfStep: number): AgentBody[] {
  const random = randomFrom(SEED);
  const history: object[] = [];
  return Array.from({ length: turns }, (_, turn) => {
    const body = opening();
    if (turn > 0) history.push(...stepOf(random, turn, [bytesOfStep - AROUND_RESULT]));
    body.messages.push(...history);
    return body;
  });
}

function opening(): AgentBody {
  return {
    max_tokens: 4_000,
    tools: AGENT_TOOLS,
    messages: [
      { role: "system", content: RULES.concat(RULES).join("\n\n") },
      { role: "user", content: 'The test "refuses a b@c" fails since yesterday. 请修复 src/address.ts。🙏' },
    ],
  };
}

/** The sizes of the results of one step: small ones are as usual as large ones, and the last step fills what is left. */
function sizesFor(random: () => number, left: number): number[] {
  const { least, most } = RESULT;
  const calls = left > MOST_CALLS * (most + AROUND_RESULT) ? 1 + Math.floor(random() * MOST_CALLS) : 1;
  return Array.from({ length: calls }, () =>
    Math.min(left - AROUND_RESULT, Math.round(least * (most / least) ** random())),
  );
}

/** What the assistant says with its calls, and the result of each. */
function stepOf(random: () => number, number: number, sizes: readonly number[]): object[] {
  const calls = sizes.map((_, index) => callOf(random, `call_${number}_${index}`));
  const results = sizes.map((size, index) => ({
    role: "tool",
    tool_call_id: `call_${number}_${index}`,
    content: toolText(random, size),
  }));
  return [{ role: "assistant", content: drawn(random, WORDS), tool_calls: calls }, ...results];
}

function callOf(random: () => number, id: string): object {
  const path = drawn(random, FILES);
  const [name, given] = drawn<[string, object]>(random, [
    ["read_file", { path, offset: 1 + Math.floor(random() * 400), limit: 200 }],
    ["run_command", { command: `grep -rn "\\bsplit(" ${path} | head -20\n`, seconds: 60 }],
    ["edit_file", { path, old_text: toolText(random, 80), new_text: toolText(random, 80) }],
    ["search_documents", { text: "Which “地址” are refused?" }],
  ]);
  return { id, type: "function", function: { name, arguments: JSON.stringify(given) } };
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
