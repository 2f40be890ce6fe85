import { clientPaths, type Protocol } from "@/lib/protocols/protocol";
import { KEY_PLACEHOLDER } from "../snippets/snippets";
import { headersOf } from "./calls";

/** The languages that a call can be copied in. */
export const snippetLanguages = ["curl", "python", "node"] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

/** A call as code, with a variable where the key goes. SDKs give the answer at once, so that they do not stream. */
export function callSnippet(
  language: SnippetLanguage,
  protocol: Protocol,
  baseUrl: string,
  body: Readonly<Record<string, unknown>>,
): string {
  if (language === "curl") return curl(protocol, baseUrl, body);
  const { stream: _stream, stream_options: _options, ...rest } = body;
  return sdks[protocol][language](baseUrl, rest);
}

function curl(protocol: Protocol, baseUrl: string, body: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  const headers = Object.entries(headersOf(protocol, KEY_PLACEHOLDER)).map(
    ([name, value]) => `  -H "${name}: ${value}" \\`,
  );
  return [`curl ${baseUrl}${clientPaths[protocol]} \\`, ...headers, `  -d '${json}'`].join("\n");
}

type Writer = (baseUrl: string, body: Readonly<Record<string, unknown>>) => string;

const openAiPython =
  (method: string, answer: string): Writer =>
  (baseUrl, body) =>
    `import os
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}/v1", api_key=os.environ["TOLLGATE_API_KEY"])
answer = client.${method}(
${pythonArguments(body)}
)
print(${answer})`;

const openAiNode =
  (method: string, answer: string): Writer =>
  (baseUrl, body) =>
    `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}/v1", apiKey: process.env.TOLLGATE_API_KEY });
const answer = await client.${method}(${JSON.stringify(body, null, 2)});
console.log(${answer});`;

const sdks: Readonly<Record<Protocol, { python: Writer; node: Writer }>> = {
  chat: {
    python: openAiPython("chat.completions.create", "answer.choices[0].message.content"),
    node: openAiNode("chat.completions.create", "answer.choices[0].message.content"),
  },
  responses: {
    python: openAiPython("responses.create", "answer.output_text"),
    node: openAiNode("responses.create", "answer.output_text"),
  },
  messages: {
    python: (baseUrl, body) => `import os
from anthropic import Anthropic

client = Anthropic(base_url="${baseUrl}", api_key=os.environ["TOLLGATE_API_KEY"])
answer = client.messages.create(
${pythonArguments(body)}
)
print(answer.content[0].text)`,
    node: (baseUrl, body) => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${baseUrl}", apiKey: process.env.TOLLGATE_API_KEY });
const answer = await client.messages.create(${JSON.stringify(body, null, 2)});
console.log(answer.content[0].text);`,
  },
};

function pythonArguments(body: Readonly<Record<string, unknown>>): string {
  return Object.entries(body)
    .map(([name, value]) => `    ${name}=${python(value, "    ")},`)
    .join("\n");
}

/** A JSON value as a Python literal. */
function python(value: unknown, indent: string): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null || value === undefined) return "None";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const entries = Array.isArray(value)
    ? value.map((entry) => python(entry, inner))
    : Object.entries(value)
        .filter(([, entry]) => entry !== undefined)
        .map(([name, entry]) => `${JSON.stringify(name)}: ${python(entry, inner)}`);
  if (entries.length === 0) return open + close;
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join("")}${indent}${close}`;
}
