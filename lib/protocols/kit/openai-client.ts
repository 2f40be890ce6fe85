/** The code that makes the client of OpenAI's SDK for Python; `key` is an expression. */
export function openAiPython(baseUrl: string, key: string): string {
  return `from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key=${key})`;
}

/** The code that makes the client of OpenAI's SDK for Node.js; `key` is an expression. */
export function openAiNode(baseUrl: string, key: string): string {
  return `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}", apiKey: ${key} });`;
}
