import type { JsonObject } from "@/lib/kernel/json-object";
import type { Protocol } from "@/lib/protocols/protocol";

/** One request in the words of each protocol, and the model that a node is asked for. */
export interface ReadableRequest {
  models?: Partial<Record<Protocol, string>>;
  bodies: Readonly<Record<Protocol, JsonObject>>;
}

const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const picture = "iVBORw0KGgo=";
const usual = { model: "alias-1" };

/** What the readable goldens ask, by theme. */
export const readableRequests: Readonly<Record<string, ReadableRequest>> = {
  text: {
    bodies: {
      chat: {
        ...usual,
        messages: [
          { role: "system", content: "Answer briefly." },
          { role: "user", content: "Which river flows through Bern?" },
        ],
        max_tokens: 60,
        temperature: 0.2,
        stop: ["END"],
        stream: true,
      },
      messages: {
        ...usual,
        system: "Answer briefly.",
        messages: [{ role: "user", content: "Which river flows through Bern?" }],
        max_tokens: 60,
        temperature: 0.2,
        stop_sequences: ["END"],
        stream: true,
      },
      responses: {
        ...usual,
        instructions: "Answer briefly.",
        input: "Which river flows through Bern?",
        max_output_tokens: 60,
        temperature: 0.2,
        stream: true,
      },
      gemini: {
        ...usual,
        stream: true,
        systemInstruction: { parts: [{ text: "Answer briefly." }] },
        contents: [{ role: "user", parts: [{ text: "Which river flows through Bern?" }] }],
        generationConfig: { maxOutputTokens: 60, temperature: 0.2, stopSequences: ["END"] },
      },
    },
  },
  tools: {
    models: { gemini: "gemini-3-pro" },
    bodies: {
      chat: {
        ...usual,
        messages: [
          { role: "user", content: "How warm is it in Bern?" },
          {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Bern"}' } },
            ],
          },
          { role: "tool", tool_call_id: "call_1", content: "21 degrees" },
        ],
        tools: [{ type: "function", function: { name: "weather", description: "Now", parameters: schema } }],
        tool_choice: "auto",
        parallel_tool_calls: false,
      },
      messages: {
        ...usual,
        max_tokens: 100,
        messages: [
          { role: "user", content: "How warm is it in Bern?" },
          {
            role: "assistant",
            content: [{ type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Bern" } }],
          },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "21 degrees" }] },
        ],
        tools: [{ name: "weather", description: "Now", input_schema: schema }],
        tool_choice: { type: "auto", disable_parallel_tool_use: true },
      },
      responses: {
        ...usual,
        input: [
          { role: "user", content: "How warm is it in Bern?" },
          { type: "function_call", call_id: "call_1", name: "weather", arguments: '{"city":"Bern"}' },
          { type: "function_call_output", call_id: "call_1", output: "21 degrees" },
        ],
        tools: [{ type: "function", name: "weather", description: "Now", parameters: schema, strict: false }],
        tool_choice: "auto",
        parallel_tool_calls: false,
        store: false,
      },
      gemini: {
        ...usual,
        contents: [
          { role: "user", parts: [{ text: "How warm is it in Bern?" }] },
          { role: "model", parts: [{ functionCall: { name: "weather", args: { city: "Bern" } } }] },
          {
            role: "user",
            parts: [{ functionResponse: { name: "weather", response: { output: "21 degrees" } } }],
          },
        ],
        tools: [
          { functionDeclarations: [{ name: "weather", description: "Now", parametersJsonSchema: schema }] },
        ],
        toolConfig: { functionCallingConfig: { mode: "AUTO" } },
      },
    },
  },
  picture: {
    bodies: {
      chat: {
        ...usual,
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What is this?" },
              { type: "image_url", image_url: { url: `data:image/png;base64,${picture}` } },
            ],
          },
        ],
      },
      messages: {
        ...usual,
        max_tokens: 100,
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What is this?" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: picture } },
            ],
          },
        ],
      },
      responses: {
        ...usual,
        store: false,
        input: [
          {
            role: "user",
            content: [
              { type: "input_text", text: "What is this?" },
              { type: "input_image", image_url: `data:image/png;base64,${picture}` },
            ],
          },
        ],
      },
      gemini: {
        ...usual,
        contents: [
          {
            role: "user",
            parts: [{ text: "What is this?" }, { inlineData: { mimeType: "image/png", data: picture } }],
          },
        ],
      },
    },
  },
  reasoning: {
    models: { chat: "gpt-5.2", messages: "claude-opus-5", responses: "gpt-5.2", gemini: "gemini-3-pro" },
    bodies: {
      chat: {
        ...usual,
        messages: [{ role: "user", content: "Think, then answer." }],
        reasoning_effort: "high",
        max_completion_tokens: 9_000,
      },
      messages: {
        ...usual,
        max_tokens: 9_000,
        thinking: { type: "enabled", budget_tokens: 4_000 },
        messages: [{ role: "user", content: "Think, then answer." }],
      },
      responses: {
        ...usual,
        store: false,
        input: "Think, then answer.",
        reasoning: { effort: "high", summary: "auto" },
        include: ["reasoning.encrypted_content"],
        max_output_tokens: 9_000,
      },
      gemini: {
        ...usual,
        contents: [{ role: "user", parts: [{ text: "Think, then answer." }] }],
        generationConfig: {
          maxOutputTokens: 9_000,
          thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: true },
        },
      },
    },
  },
  json: {
    models: { chat: "gpt-5.2", messages: "claude-opus-5", responses: "gpt-5.2", gemini: "gemini-3-pro" },
    bodies: {
      chat: {
        ...usual,
        messages: [{ role: "user", content: "A city, please." }],
        response_format: { type: "json_schema", json_schema: { name: "place", strict: true, schema } },
      },
      messages: {
        ...usual,
        max_tokens: 100,
        messages: [{ role: "user", content: "A city, please." }],
        output_config: { format: { type: "json_schema", schema } },
      },
      responses: {
        ...usual,
        store: false,
        input: "A city, please.",
        text: { format: { type: "json_schema", name: "place", strict: true, schema } },
      },
      gemini: {
        ...usual,
        contents: [{ role: "user", parts: [{ text: "A city, please." }] }],
        generationConfig: { responseMimeType: "application/json", responseJsonSchema: schema },
      },
    },
  },
};
