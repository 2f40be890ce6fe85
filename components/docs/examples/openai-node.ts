import { KEY_VARIABLE } from "../../snippets/snippets";
import type { Example, Guide } from "./guide";

const openaiNode = (baseUrl: string, imports = "", options = "") => `${imports}import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}/v1", apiKey: process.env.${KEY_VARIABLE}${options} });
`;

/** Chat Completions by the SDK for Node. */
export const openaiNodeExamples: Partial<Record<Guide, Example>> = {
  streaming: ({
    baseUrl,
    model,
  }) => `${openaiNode(baseUrl)}const stream = await client.chat.completions.create({
  model: "${model}",
  max_tokens: 256,
  messages: [{ role: "user", content: "Count to ten." }],
  stream: true,
  stream_options: { include_usage: true },
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");
  if (chunk.usage) console.log(\`\\n\${chunk.usage.total_tokens} tokens\`);
}`,
  tools: ({ baseUrl, model }) => `${openaiNode(baseUrl)}
const weather = ({ city }) => \`21 degrees in \${city}\`;
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tool = { name: "weather", description: "The weather of a city", parameters };
const messages = [{ role: "user", content: "What is the weather in Rome?" }];
for (;;) {
  const answer = await client.chat.completions.create({
    model: "${model}",
    max_tokens: 256,
    messages,
    tools: [{ type: "function", function: tool }],
  });
  const { message } = answer.choices[0];
  messages.push(message);
  if (!message.tool_calls) break;
  for (const call of message.tool_calls) {
    const content = weather(JSON.parse(call.function.arguments));
    messages.push({ role: "tool", tool_call_id: call.id, content });
  }
}
console.log(messages.at(-1).content);`,
  json: ({ baseUrl, model }) => `${openaiNode(baseUrl)}const schema = {
  type: "object",
  properties: { city: { type: "string" }, country: { type: "string" } },
  required: ["city", "country"],
  additionalProperties: false,
};
const answer = await client.chat.completions.create({
  model: "${model}",
  max_tokens: 256,
  messages: [{ role: "user", content: "Name a city." }],
  response_format: { type: "json_schema", json_schema: { name: "city", strict: true, schema } },
});
console.log(JSON.parse(answer.choices[0].message.content).city);`,
  images: ({
    baseUrl,
    model,
  }) => `${openaiNode(baseUrl, 'import { readFileSync } from "node:fs";\n')}const data = readFileSync("photo.png", "base64");
const answer = await client.chat.completions.create({
  model: "${model}",
  max_tokens: 256,
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "What is in this image?" },
        { type: "image_url", image_url: { url: \`data:image/png;base64,\${data}\` } },
      ],
    },
  ],
});
console.log(answer.choices[0].message.content);`,
  money: ({
    baseUrl,
    model,
  }) => `${openaiNode(baseUrl)}const { data, response } = await client.chat.completions
  .create({ model: "${model}", max_tokens: 16, messages: [{ role: "user", content: "Hello!" }] })
  .withResponse();
const cents = Number(response.headers.get("x-tollgate-cost"));
console.log(data.choices[0].message.content, \`cost ¥\${(cents / 100).toFixed(6)}\`);`,
  errors: ({ baseUrl, model }) => `${openaiNode(baseUrl, "", ", maxRetries: 5")}try {
  const answer = await client.chat.completions.create({
    model: "${model}",
    max_tokens: 16,
    messages: [{ role: "user", content: "Hello!" }],
  });
  console.log(answer.choices[0].message.content);
} catch (error) {
  if (!(error instanceof OpenAI.APIError)) throw error;
  console.error(error.status, error.message, error.requestID);
}`,
};
