import { embeddingsPath, type ModelKind, type Protocol } from "@/lib/protocols/protocol";

export const clients = [
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
export type Client = (typeof clients)[number];

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
};

/** The protocol that each client speaks. */
export const clientProtocols: Readonly<Record<Client, Protocol>> = {
  curl: "chat",
  "openai-python": "chat",
  "openai-node": "chat",
  "ai-sdk": "responses",
  "openai-agents": "responses",
  codex: "responses",
  "anthropic-python": "messages",
  "anthropic-node": "messages",
  "claude-code": "messages",
};

/** The values of a snippet. */
export interface SnippetValues {
  /** Base URL without `/v1` and without a slash at the end. */
  baseUrl: string;
  apiKey: string;
  model: string;
}

/** A first call for one client, ready to paste. */
export function snippet(client: Client, values: SnippetValues): string {
  return firstCalls[client](values);
}

const firstCalls: Readonly<Record<Client, (values: SnippetValues) => string>> = {
  curl: ({ baseUrl, apiKey, model }) => `curl ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "max_tokens": 256,
    "messages": [{"role": "user", "content": "Hello!"}]
  }'`,
  "openai-python": ({ baseUrl, apiKey, model }) => `from openai import OpenAI

client = OpenAI(base_url="${baseUrl}/v1", api_key="${apiKey}")
answer = client.chat.completions.create(
    model="${model}",
    max_tokens=256,
    messages=[{"role": "user", "content": "Hello!"}],
)
print(answer.choices[0].message.content)`,
  "openai-node": ({ baseUrl, apiKey, model }) => `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}/v1", apiKey: "${apiKey}" });
const answer = await client.chat.completions.create({
  model: "${model}",
  max_tokens: 256,
  messages: [{ role: "user", content: "Hello!" }],
});
console.log(answer.choices[0].message.content);`,
  "ai-sdk": ({ baseUrl, apiKey, model }) => `import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";

const tollgate = createOpenAI({ baseURL: "${baseUrl}/v1", apiKey: "${apiKey}" });
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

setDefaultOpenAIClient(new OpenAI({ baseURL: "${baseUrl}/v1", apiKey: "${apiKey}" }));
const agent = new Agent({ name: "Assistant", instructions: "Answer briefly.", model: "${model}" });
const result = await run(agent, "Hello!");
console.log(result.finalOutput);`,
  codex: ({
    baseUrl,
    apiKey,
    model,
  }) => `# ~/.codex/config.toml; then: export TOLLGATE_API_KEY="${apiKey === KEY_PLACEHOLDER ? "tgw-…" : apiKey}"
model = "${model}"
model_provider = "tollgate"

[model_providers.tollgate]
name = "Tollgate"
base_url = "${baseUrl}/v1"
env_key = "TOLLGATE_API_KEY"
wire_api = "responses"
supports_websockets = false`,
  "anthropic-python": ({ baseUrl, apiKey, model }) => `from anthropic import Anthropic

client = Anthropic(base_url="${baseUrl}", api_key="${apiKey}")
answer = client.messages.create(
    model="${model}",
    max_tokens=256,
    messages=[{"role": "user", "content": "Hello!"}],
)
print(answer.content[0].text)`,
  "anthropic-node": ({ baseUrl, apiKey, model }) => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${baseUrl}", apiKey: "${apiKey}" });
const answer = await client.messages.create({
  model: "${model}",
  max_tokens: 256,
  messages: [{ role: "user", content: "Hello!" }],
});
console.log(answer.content[0].text);`,
  "claude-code": ({ baseUrl, apiKey, model }) => `export ANTHROPIC_BASE_URL="${baseUrl}"
export ANTHROPIC_AUTH_TOKEN="${apiKey}"
export ANTHROPIC_MODEL="${model}"
claude`,
};

/** The clients that ask for embeddings. */
export const embeddingClients = ["curl", "openai-python", "openai-node"] as const satisfies readonly Client[];

/** A first call for embeddings, ready to paste. */
export function embeddingSnippet(
  client: (typeof embeddingClients)[number],
  { baseUrl, apiKey, model }: SnippetValues,
): string {
  switch (client) {
    case "curl":
      return `curl ${baseUrl}${embeddingsPath} \\
  -H "Authorization: Bearer ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "input": ["Hello!", "Goodbye!"]}'`;
    case "openai-python":
      return `from openai import OpenAI

client = OpenAI(base_url="${baseUrl}/v1", api_key="${apiKey}")
answer = client.embeddings.create(model="${model}", input=["Hello!", "Goodbye!"])
print(answer.data[0].embedding)`;
    case "openai-node":
      return `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}/v1", apiKey: "${apiKey}" });
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

/** The variables that most clients read, as lines of a `.env` file. */
export function envLines({ baseUrl, apiKey }: Pick<SnippetValues, "baseUrl" | "apiKey">): string {
  return [
    `OPENAI_BASE_URL=${baseUrl}/v1`,
    `OPENAI_API_KEY=${apiKey}`,
    `ANTHROPIC_BASE_URL=${baseUrl}`,
    `ANTHROPIC_API_KEY=${apiKey}`,
    `ANTHROPIC_AUTH_TOKEN=${apiKey}`,
    "",
  ].join("\n");
}

export const KEY_PLACEHOLDER = "$TOLLGATE_API_KEY";
