import type { SdkCode } from "@/lib/protocols/kit/sdk-code";

/** The code of a message with Anthropic's SDKs. */
export const messagesCode: SdkCode = {
  method: "messages.create",
  text: "answer.content[0].text",
  extraInPython: [],
  python: {
    client: (baseUrl, key) => `from anthropic import Anthropic

client = Anthropic(base_url="${baseUrl}", api_key=${key})`,
    pieces: `for event in answer:
    if event.type == "content_block_delta" and event.delta.type == "text_delta":
        print(event.delta.text, end="", flush=True)`,
  },
  node: {
    client: (baseUrl, key) => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${baseUrl}", apiKey: ${key} });`,
    pieces: `for await (const event of answer) {
  if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
    process.stdout.write(event.delta.text);
  }
}`,
  },
};
