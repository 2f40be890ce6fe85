import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { SdkCode } from "@/lib/protocols/kit/sdk-code";

/** The code of a generation with Google's SDKs, which hold everything but model and contents in `config`. */
export const geminiCode: SdkCode = {
  method: "models.generateContent",
  text: "answer.text",
  extraInPython: [],
  arguments: ({ model, contents, stream: _stream, generationConfig, ...others }) => {
    const config: JsonObject = { ...others, ...(isObject(generationConfig) ? generationConfig : {}) };
    return { model, contents, ...(Object.keys(config).length > 0 ? { config } : {}) };
  },
  python: {
    client: (baseUrl, key) => `from google import genai

client = genai.Client(api_key=${key}, http_options={"base_url": "${baseUrl}"})`,
    method: "models.generate_content",
    streamMethod: "models.generate_content_stream",
    pieces: `for chunk in answer:
    print(chunk.text or "", end="", flush=True)`,
  },
  node: {
    client: (baseUrl, key) => `import { GoogleGenAI } from "@google/genai";

const client = new GoogleGenAI({ apiKey: ${key}, httpOptions: { baseUrl: "${baseUrl}" } });`,
    streamMethod: "models.generateContentStream",
    pieces: `for await (const chunk of answer) {
  process.stdout.write(chunk.text ?? "");
}`,
  },
};
