import { type ClientProtocol, clientPaths } from "@/lib/protocols/protocol";
import { KEY_PLACEHOLDER, KEY_VARIABLE } from "../snippets/snippets";
import { headersOf } from "./calls";
import { fileReaders, namesFiles, readingFiles, shellDocument } from "./code-images";

/** The languages that a call can be copied in. */
export const snippetLanguages = ["curl", "python", "node"] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

/**
 * A call as code, with a variable where the key goes; it prints the answer, streamed where the body asks for that, and
 * reads the images that the body names.
 */
export function callSnippet(
  language: SnippetLanguage,
  protocol: ClientProtocol,
  baseUrl: string,
  body: Readonly<Record<string, unknown>>,
): string {
  if (language === "curl") return curl(protocol, baseUrl, body);
  const { stream, ...rest } = body;
  return sdkCall(language, protocol, baseUrl, stream === true ? body : rest);
}

function curl(protocol: ClientProtocol, baseUrl: string, body: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify(body, null, 2);
  const headers = Object.entries(headersOf(protocol, KEY_PLACEHOLDER)).map(
    ([name, value]) => `  -H "${name}: ${value}" \\`,
  );
  const unbuffered = body.stream === true ? "-N " : "";
  const data = namesFiles(body) ? `@- ${shellDocument(json)}` : `'${json.replaceAll("'", "'\\''")}'`;
  return [`curl ${unbuffered}${baseUrl}${clientPaths[protocol]} \\`, ...headers, `  -d ${data}`].join("\n");
}

function sdkCall(
  language: "python" | "node",
  protocol: ClientProtocol,
  baseUrl: string,
  body: Readonly<Record<string, unknown>>,
): string {
  const { client, method, answer, pieces } = sdkCalls[protocol];
  const streams = body.stream === true;
  const files = fileReaders[language];
  const [imports, helper] = namesFiles(body) ? [files.imports, files.helper] : ["", ""];
  if (language === "python")
    return `${imports}${client.python(baseUrl)}
${helper}answer = client.${method}(
${readingFiles(pythonArguments(protocol, body), files.read)}
)
${streams ? pieces.python : `print(${answer})`}`;
  return `${imports}${client.node(baseUrl)}
${helper}const answer = await client.${method}(${readingFiles(JSON.stringify(body, null, 2), files.read)});
${streams ? pieces.node : `console.log(${answer});`}`;
}

const openAi = {
  python: (baseUrl: string) => `import os
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}/v1", api_key=os.environ["${KEY_VARIABLE}"])`,
  node: (baseUrl: string) => `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}/v1", apiKey: process.env.${KEY_VARIABLE} });`,
};

const anthropic = {
  python: (baseUrl: string) => `import os
from anthropic import Anthropic

client = Anthropic(base_url="${baseUrl}", api_key=os.environ["${KEY_VARIABLE}"])`,
  node: (baseUrl: string) => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${baseUrl}", apiKey: process.env.${KEY_VARIABLE} });`,
};

/** How the SDKs of a protocol call, the text of a whole answer, and the loops that print a streamed one. */
const sdkCalls = {
  chat: {
    client: openAi,
    method: "chat.completions.create",
    answer: "answer.choices[0].message.content",
    pieces: {
      python: `for chunk in answer:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`,
      node: `for await (const chunk of answer) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");
}`,
    },
  },
  messages: {
    client: anthropic,
    method: "messages.create",
    answer: "answer.content[0].text",
    pieces: {
      python: `for event in answer:
    if event.type == "content_block_delta" and event.delta.type == "text_delta":
        print(event.delta.text, end="", flush=True)`,
      node: `for await (const event of answer) {
  if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
    process.stdout.write(event.delta.text);
  }
}`,
    },
  },
  responses: {
    client: openAi,
    method: "responses.create",
    answer: "answer.output_text",
    pieces: {
      python: `for event in answer:
    if event.type == "response.output_text.delta":
        print(event.delta, end="", flush=True)`,
      node: `for await (const event of answer) {
  if (event.type === "response.output_text.delta") process.stdout.write(event.delta);
}`,
    },
  },
} satisfies Record<ClientProtocol, object>;

/** Fields that the Python SDK of OpenAI has no arguments for. */
const extraFields: Readonly<Record<ClientProtocol, readonly string[]>> = {
  chat: ["top_k"],
  messages: [],
  responses: ["frequency_penalty", "presence_penalty"],
};

function pythonArguments(protocol: ClientProtocol, body: Readonly<Record<string, unknown>>): string {
  const isExtra = ([name]: [string, unknown]) => extraFields[protocol].includes(name);
  const extra = Object.entries(body).filter(isExtra);
  const named = Object.entries(body).filter((entry) => !isExtra(entry));
  return [...named, ...(extra.length > 0 ? [["extra_body", Object.fromEntries(extra)] as const] : [])]
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
