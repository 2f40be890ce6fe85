import { openAiNode, openAiPython } from "@/lib/protocols/kit/openai-client";
import type { SdkCode } from "@/lib/protocols/kit/sdk-code";

/** The code of a chat completion with OpenAI's SDKs. */
export const chatCode: SdkCode = {
  method: "chat.completions.create",
  text: "answer.choices[0].message.content",
  extraInPython: ["top_k"],
  python: {
    client: openAiPython,
    pieces: `for chunk in answer:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`,
  },
  node: {
    client: openAiNode,
    pieces: `for await (const chunk of answer) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");
}`,
  },
};
