import { openAiNode, openAiPython } from "@/lib/protocols/kit/openai-client";
import type { SdkCode } from "@/lib/protocols/kit/sdk-code";

/** The code of a response with OpenAI's SDKs. */
export const responsesCode: SdkCode = {
  method: "responses.create",
  text: "answer.output_text",
  extraInPython: ["frequency_penalty", "presence_penalty"],
  python: {
    client: openAiPython,
    pieces: `for event in answer:
    if event.type == "response.output_text.delta":
        print(event.delta, end="", flush=True)`,
  },
  node: {
    client: openAiNode,
    pieces: `for await (const event of answer) {
  if (event.type === "response.output_text.delta") process.stdout.write(event.delta);
}`,
  },
};
