import { protocolKits } from "@/lib/protocols/kit/kits";
import type { SdkCode } from "@/lib/protocols/kit/sdk-code";
import { type ClientProtocol, embeddingsPath } from "@/lib/protocols/protocol";

/** Libraries and agents that the tests run as they are. */
export const testedClients = [
  "curl",
  "openai-python",
  "openai-node",
  "ai-sdk",
  "openai-agents",
  "codex",
  "anthropic-python",
  "anthropic-node",
  "claude-code",
  "genai-python",
  "genai-node",
  "gemini-cli",
] as const;

type TestedClient = (typeof testedClients)[number];

/** Editors and their extensions; most are set up in a form of their own. */
const editors = ["cursor", "cline", "continue"] as const;

type Editor = (typeof editors)[number];

export const clients = [...testedClients, ...editors] as const;

export type Client = (typeof clients)[number];

/** True for an editor. */
export function isEditor(client: Client): client is Editor {
  return editors.some((editor) => editor === client);
}

export const clientNames: Record<Client, string> = {
  curl: "curl",
  "openai-python": "OpenAI Python",
  "openai-node": "OpenAI Node",
  "ai-sdk": "AI SDK",
  "openai-agents": "OpenAI Agents",
  codex: "Codex",
  "anthropic-python": "Anthropic Python",
  "anthropic-node": "Anthropic Node",
  "claude-code": "Claude Code",
  "genai-python": "Google Gen AI Python",
  "genai-node": "Google Gen AI Node",
  "gemini-cli": "Gemini CLI",
  cursor: "Cursor",
  cline: "Cline",
  continue: "Continue",
};

/** The protocol that each client speaks. */
export const protocolOfClient: Readonly<Record<Client, ClientProtocol>> = {
  curl: "chat",
  "openai-python": "chat",
  "openai-node": "chat",
  "ai-sdk": "responses",
  "openai-agents": "responses",
  codex: "responses",
  "anthropic-python": "messages",
  "anthropic-node": "messages",
  "claude-code": "messages",
  "genai-python": "gemini",
  "genai-node": "gemini",
  "gemini-cli": "gemini",
  cursor: "chat",
  cline: "chat",
  continue: "chat",
};

/** The variable that holds a key outside this page. */
export const KEY_VARIABLE = "TOLLGATE_API_KEY";

/** The key as a shell reads it. */
export const KEY_PLACEHOLDER = `$${KEY_VARIABLE}`;

const SHORTENED_KEY = "tgw-…";

/** A key as code: itself, or read from the variable. */
const keyAs = {
  shell: (key: string | null) => key ?? KEY_PLACEHOLDER,
  python: (key: string | null) => (key === null ? `os.environ["${KEY_VARIABLE}"]` : `"${key}"`),
  node: (key: string | null) => (key === null ? `process.env.${KEY_VARIABLE}` : `"${key}"`),
};

/** The first line of a Python program, where it reads the variable. */
const pythonImport = (key: string | null) => (key === null ? "import os\n" : "");

/** The values of a snippet. */
export interface SnippetValues {
  /** Base URL without `/v1` and without a slash at the end. */
  baseUrl: string;
  /** Null: the code reads it from the variable. */
  apiKey: string | null;
  model: string;
  /** Default: true; a client that asks in vain goes on over HTTP. */
  webSockets?: boolean;
}

/** A first call for one client, ready to paste. */
export function snippet(client: Client, values: SnippetValues): string {
  return firstCalls[client]({ ...values, address: addressOf(protocolOfClient[client], values.baseUrl) });
}

/** The base URL that clients of a protocol take. */
export function addressOf(protocol: ClientProtocol, baseUrl: string): string {
  return baseUrl + protocolKits[protocol].basePath;
}

interface CallValues extends SnippetValues {
  /** The base URL as the client takes it. */
  address: string;
}

const firstCalls: Readonly<Record<Client, (values: CallValues) => string>> = {
  curl: ({ baseUrl, apiKey, model }) => `curl ${baseUrl}${protocolKits.chat.path} \\
${curlHeaders(apiKey)} \\
  -d '{
    "model": "${model}",
    "max_tokens": 256,
    "messages": [{"role": "user", "content": "Hello!"}]
  }'`,
  "openai-python": (values) => pythonCall(protocolKits.chat.code, values),
  "openai-node": (values) => nodeCall(protocolKits.chat.code, values),
  "ai-sdk": ({ address, apiKey, model }) => `import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";

const tollgate = createOpenAI({ baseURL: "${address}", apiKey: ${keyAs.node(apiKey)} });
const { text } = await generateText({
  model: tollgate("${model}"),
  maxOutputTokens: 256,
  prompt: "Hello!",
});
console.log(text);`,
  "openai-agents": ({
    address,
    apiKey,
    model,
  }) => `import { Agent, run, setDefaultOpenAIClient } from "@openai/agents";
import OpenAI from "openai";

setDefaultOpenAIClient(new OpenAI({ baseURL: "${address}", apiKey: ${keyAs.node(apiKey)} }));
const agent = new Agent({ name: "Assistant", instructions: "Answer briefly.", model: "${model}" });
const result = await run(agent, "Hello!");
console.log(result.finalOutput);`,
  codex: ({ address, apiKey, model, webSockets = true }) => `# ~/.codex/config.toml
# $ export ${KEY_VARIABLE}="${apiKey ?? SHORTENED_KEY}"
model = "${model}"
model_provider = "tollgate"

[model_providers.tollgate]
name = "Tollgate"
base_url = "${address}"
env_key = "${KEY_VARIABLE}"
wire_api = "responses"
supports_websockets = ${webSockets}`,
  "anthropic-python": (values) => pythonCall(protocolKits.messages.code, values),
  "anthropic-node": (values) => nodeCall(protocolKits.messages.code, values),
  "claude-code": ({ address, apiKey, model }) => `export ANTHROPIC_BASE_URL="${address}"
export ANTHROPIC_AUTH_TOKEN="${keyAs.shell(apiKey)}"
export ANTHROPIC_MODEL="${model}"
export ANTHROPIC_DEFAULT_HAIKU_MODEL="${model}"
claude`,
  "genai-python": ({ address, apiKey, model }) => {
    const { python, text } = protocolKits.gemini.code;
    return `${pythonImport(apiKey)}${python.client(address, keyAs.python(apiKey))}
answer = client.${python.method}(
    model="${model}",
    contents="Hello!",
    config={"max_output_tokens": 256},
)
print(${text})`;
  },
  "genai-node": ({ address, apiKey, model }) => {
    const { node, method, text } = protocolKits.gemini.code;
    return `${node.client(address, keyAs.node(apiKey))}
const answer = await client.${method}({
  model: "${model}",
  contents: "Hello!",
  config: { maxOutputTokens: 256 },
});
console.log(${text});`;
  },
  "gemini-cli": ({ address, apiKey, model }) => `# ~/.gemini/settings.json
# {"security": {"auth": {"selectedType": "gemini-api-key"}}}
# With -m no other model is asked. Without it: gemini-3-pro-preview, gemini-3.1-pro-preview, gemini-3-flash-preview,
# gemini-3.5-flash, gemini-3.1-flash-lite, gemini-2.5-pro, gemini-2.5-flash.
export GOOGLE_GEMINI_BASE_URL="${address}"
export GEMINI_API_KEY="${keyAs.shell(apiKey)}"
gemini -m "${model}"`,
  cursor: ({ address, apiKey, model }) => `OpenAI API Key:           ${apiKey ?? SHORTENED_KEY}
Override OpenAI Base URL: ${address}
Add Custom Model:         ${model}`,
  cline: ({ address, apiKey, model }) => `API Provider: OpenAI Compatible
Base URL:     ${address}
API Key:      ${apiKey ?? SHORTENED_KEY}
Model ID:     ${model}`,
  continue: ({ address, apiKey, model }) => `# ~/.continue/config.yaml
name: Tollgate
version: 1.0.0
schema: v1
models:
  - name: ${model}
    provider: openai
    model: ${model}
    apiBase: ${address}
    apiKey: ${apiKey ?? `\${{ secrets.${KEY_VARIABLE} }}`}
    roles: [chat, edit, apply]`,
};

/** A call of an SDK whose method takes messages and an output limit. */
function pythonCall({ python, method, text }: SdkCode, { address, apiKey, model }: CallValues) {
  return `${pythonImport(apiKey)}${python.client(address, keyAs.python(apiKey))}
answer = client.${method}(
    model="${model}",
    max_tokens=256,
    messages=[{"role": "user", "content": "Hello!"}],
)
print(${text})`;
}

/** The same in JavaScript. */
function nodeCall({ node, method, text }: SdkCode, { address, apiKey, model }: CallValues) {
  return `${node.client(address, keyAs.node(apiKey))}
const answer = await client.${method}({
  model: "${model}",
  max_tokens: 256,
  messages: [{ role: "user", content: "Hello!" }],
});
console.log(${text});`;
}

/** The headers of a call with OpenAI's API. */
function curlHeaders(apiKey: string | null): string {
  const headers = {
    ...protocolKits.chat.credentials(keyAs.shell(apiKey)),
    "Content-Type": "application/json",
  };
  return Object.entries(headers)
    .map(([name, value]) => `  -H "${name}: ${value}"`)
    .join(" \\\n");
}

/** The clients that ask for embeddings. */
export const embeddingClients = [
  "curl",
  "openai-python",
  "openai-node",
] as const satisfies readonly TestedClient[];

/** A first call for embeddings, ready to paste. */
export function embeddingSnippet(
  client: (typeof embeddingClients)[number],
  { baseUrl, apiKey, model }: SnippetValues,
): string {
  const { python, node } = protocolKits.chat.code;
  const address = addressOf("chat", baseUrl);
  switch (client) {
    case "curl":
      return `curl ${baseUrl}${embeddingsPath} \\
${curlHeaders(apiKey)} \\
  -d '{"model": "${model}", "input": ["Hello!", "Goodbye!"]}'`;
    case "openai-python":
      return `${pythonImport(apiKey)}${python.client(address, keyAs.python(apiKey))}
answer = client.embeddings.create(model="${model}", input=["Hello!", "Goodbye!"])
print(answer.data[0].embedding)`;
    case "openai-node":
      return `${node.client(address, keyAs.node(apiKey))}
const answer = await client.embeddings.create({ model: "${model}", input: ["Hello!", "Goodbye!"] });
console.log(answer.data[0].embedding);`;
  }
}

/**
 * The variables that the snippets and most clients read, as lines of a `.env` file. Anthropic's get one credential:
 * Claude Code warns about two, and its SDKs read this one too.
 */
export function envLines({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): string {
  return [
    `${KEY_VARIABLE}=${apiKey}`,
    `OPENAI_BASE_URL=${addressOf("chat", baseUrl)}`,
    `OPENAI_API_KEY=${apiKey}`,
    `ANTHROPIC_BASE_URL=${addressOf("messages", baseUrl)}`,
    `ANTHROPIC_AUTH_TOKEN=${apiKey}`,
    `GOOGLE_GEMINI_BASE_URL=${addressOf("gemini", baseUrl)}`,
    `GEMINI_API_KEY=${apiKey}`,
    "",
  ].join("\n");
}
