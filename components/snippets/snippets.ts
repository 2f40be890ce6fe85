import { type ClientProtocol, embeddingsPath, type ModelKind } from "@/lib/protocols/protocol";

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
}

/** A first call for one client, ready to paste. */
export function snippet(client: Client, values: SnippetValues): string {
  return firstCalls[client](values);
}

const firstCalls: Readonly<Record<Client, (values: SnippetValues) => string>> = {
  curl: ({ baseUrl, apiKey, model }) => `curl ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer ${keyAs.shell(apiKey)}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "max_tokens": 256,
    "messages": [{"role": "user", "content": "Hello!"}]
  }'`,
  "openai-python": ({ baseUrl, apiKey, model }) => `${pythonImport(apiKey)}from openai import OpenAI

client = OpenAI(base_url="${baseUrl}/v1", api_key=${keyAs.python(apiKey)})
answer = client.chat.completions.create(
    model="${model}",
    max_tokens=256,
    messages=[{"role": "user", "content": "Hello!"}],
)
print(answer.choices[0].message.content)`,
  "openai-node": ({ baseUrl, apiKey, model }) => `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}/v1", apiKey: ${keyAs.node(apiKey)} });
const answer = await client.chat.completions.create({
  model: "${model}",
  max_tokens: 256,
  messages: [{ role: "user", content: "Hello!" }],
});
console.log(answer.choices[0].message.content);`,
  "ai-sdk": ({ baseUrl, apiKey, model }) => `import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";

const tollgate = createOpenAI({ baseURL: "${baseUrl}/v1", apiKey: ${keyAs.node(apiKey)} });
const { text } = await generateText({
  model: tollgate("${model}"),
  maxOutputTokens: 256,
  prompt: "Hello!",
});
console.log(text);`,
  "openai-agents": ({
    baseUrl,
    apiKey,
    model,
  }) => `import { Agent, run, setDefaultOpenAIClient } from "@openai/agents";
import OpenAI from "openai";

setDefaultOpenAIClient(new OpenAI({ baseURL: "${baseUrl}/v1", apiKey: ${keyAs.node(apiKey)} }));
const agent = new Agent({ name: "Assistant", instructions: "Answer briefly.", model: "${model}" });
const result = await run(agent, "Hello!");
console.log(result.finalOutput);`,
  codex: ({ baseUrl, apiKey, model }) => `# ~/.codex/config.toml
# $ export ${KEY_VARIABLE}="${apiKey ?? SHORTENED_KEY}"
model = "${model}"
model_provider = "tollgate"

[model_providers.tollgate]
name = "Tollgate"
base_url = "${baseUrl}/v1"
env_key = "${KEY_VARIABLE}"
wire_api = "responses"
supports_websockets = false`,
  "anthropic-python": ({ baseUrl, apiKey, model }) => `${pythonImport(apiKey)}from anthropic import Anthropic

client = Anthropic(base_url="${baseUrl}", api_key=${keyAs.python(apiKey)})
answer = client.messages.create(
    model="${model}",
    max_tokens=256,
    messages=[{"role": "user", "content": "Hello!"}],
)
print(answer.content[0].text)`,
  "anthropic-node": ({ baseUrl, apiKey, model }) => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${baseUrl}", apiKey: ${keyAs.node(apiKey)} });
const answer = await client.messages.create({
  model: "${model}",
  max_tokens: 256,
  messages: [{ role: "user", content: "Hello!" }],
});
console.log(answer.content[0].text);`,
  "claude-code": ({ baseUrl, apiKey, model }) => `export ANTHROPIC_BASE_URL="${baseUrl}"
export ANTHROPIC_AUTH_TOKEN="${keyAs.shell(apiKey)}"
export ANTHROPIC_MODEL="${model}"
export ANTHROPIC_DEFAULT_HAIKU_MODEL="${model}"
claude`,
  cursor: ({ baseUrl, apiKey, model }) => `OpenAI API Key:           ${apiKey ?? SHORTENED_KEY}
Override OpenAI Base URL: ${baseUrl}/v1
Add Custom Model:         ${model}`,
  cline: ({ baseUrl, apiKey, model }) => `API Provider: OpenAI Compatible
Base URL:     ${baseUrl}/v1
API Key:      ${apiKey ?? SHORTENED_KEY}
Model ID:     ${model}`,
  continue: ({ baseUrl, apiKey, model }) => `# ~/.continue/config.yaml
name: Tollgate
version: 1.0.0
schema: v1
models:
  - name: ${model}
    provider: openai
    model: ${model}
    apiBase: ${baseUrl}/v1
    apiKey: ${apiKey ?? `\${{ secrets.${KEY_VARIABLE} }}`}
    roles: [chat, edit, apply]`,
};

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
  switch (client) {
    case "curl":
      return `curl ${baseUrl}${embeddingsPath} \\
  -H "Authorization: Bearer ${keyAs.shell(apiKey)}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "input": ["Hello!", "Goodbye!"]}'`;
    case "openai-python":
      return `${pythonImport(apiKey)}from openai import OpenAI

client = OpenAI(base_url="${baseUrl}/v1", api_key=${keyAs.python(apiKey)})
answer = client.embeddings.create(model="${model}", input=["Hello!", "Goodbye!"])
print(answer.data[0].embedding)`;
    case "openai-node":
      return `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}/v1", apiKey: ${keyAs.node(apiKey)} });
const answer = await client.embeddings.create({ model: "${model}", input: ["Hello!", "Goodbye!"] });
console.log(answer.data[0].embedding);`;
  }
}

/** The model of the demo that any client can call first. */
const DEMO_MODEL = "demo-chat";

/** The model of a first call: that of the demo, else one that generates, where there is one. */
export function modelToTry(models: readonly { id: string; kind: ModelKind }[]): string {
  const first =
    models.find(({ id }) => id === DEMO_MODEL) ?? models.find(({ kind }) => kind === "generation");
  return (first ?? models[0])?.id ?? "MODEL";
}

/** The model of a first call for embeddings, where there is one. */
export function embeddingModelToTry(models: readonly { id: string; kind: ModelKind }[]): string {
  return models.find(({ kind }) => kind === "embedding")?.id ?? "MODEL";
}

/**
 * The variables that the snippets and most clients read, as lines of a `.env` file. Anthropic's get one credential:
 * Claude Code warns about two, and its SDKs read this one too.
 */
export function envLines({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): string {
  return [
    `${KEY_VARIABLE}=${apiKey}`,
    `OPENAI_BASE_URL=${baseUrl}/v1`,
    `OPENAI_API_KEY=${apiKey}`,
    `ANTHROPIC_BASE_URL=${baseUrl}`,
    `ANTHROPIC_AUTH_TOKEN=${apiKey}`,
    "",
  ].join("\n");
}
