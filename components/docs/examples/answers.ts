import type { GuideName } from "../guides";

/** What the examples of the guides get, shortened with `…`; as the gateway answers, whatever the language. */
export const guideAnswers: Partial<Record<GuideName, string>> = {
  "openai-sdk": `{
  "id": "chatcmpl-01a220f6f4e57d7589362c4ad9ef4fcf",
  "object": "chat.completion",
  "model": "demo-chat",
  "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello!"}, "finish_reason": "stop"}],
  "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
}`,
  "anthropic-sdk": `{
  "id": "msg_01a220f6f57e7a24a937c71c4d9e81eb",
  "type": "message",
  "role": "assistant",
  "model": "demo-chat",
  "content": [{"type": "text", "text": "Hello!"}],
  "stop_reason": "end_turn",
  "usage": {"input_tokens": 10, "output_tokens": 2}
}`,
  streaming: `data: {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}], …}

data: {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "One, two"}}], …}

data: {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], …}

data: {"object": "chat.completion.chunk", "choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 30}}

data: [DONE]`,
  tools: `{
  "choices": [{
    "message": {
      "role": "assistant",
      "content": null,
      "tool_calls": [{
        "id": "call_339041a3b8fde262a6460",
        "type": "function",
        "function": {"name": "weather", "arguments": "{\\"city\\":\\"Rome\\"}"}
      }]
    },
    "finish_reason": "tool_calls"
  }],
  …
}`,
  json: `{
  "choices": [{
    "message": {"role": "assistant", "content": "{\\"city\\":\\"Paris\\",\\"country\\":\\"France\\"}"},
    "finish_reason": "stop"
  }],
  …
}`,
  images: `{
  "choices": [{
    "message": {"role": "assistant", "content": "A red bicycle in front of a wall."},
    "finish_reason": "stop"
  }],
  …
}`,
  embeddings: `{
  "object": "list",
  "model": "demo-embedding",
  "data": [
    {"object": "embedding", "index": 0, "embedding": [-0.0420, 0.0541, 0.1084, …]},
    {"object": "embedding", "index": 1, "embedding": [0.0789, -0.0012, 0.0346, …]}
  ],
  "usage": {"prompt_tokens": 6, "total_tokens": 6}
}`,
  keys: `{
  "apiKey": {"id": "438ca7ec-…", "keyPrefix": "tgw-t5aVTpuL", "name": "My app", "status": "active", "quota": 500, …},
  "key": "tgw-t5aVTpuL…"
}`,
  money: `"receipt": {
  "unit": "cents",
  "lines": [
    {"kind": "input", "tokens": 1204, "centsPerMillion": 200, "amount": "0.2408"},
    {"kind": "output", "tokens": 356, "centsPerMillion": 800, "amount": "0.2848"}
  ],
  "total": "0.5256",
  …
}`,
  usage: `{
  "quota": 500,
  "usedQuota": 0.5256,
  "held": 0,
  "remaining": 499.4744,
  "plan": {"id": 1, "name": "Free"},
  "limits": {
    "qps": {"limit": 2, "used": 0, "resetMs": 0},
    "rpm": {"limit": 20, "used": 1, "resetMs": 41200},
    "tpm": {"limit": 40000, "used": 1560, "resetMs": 41200}
  },
  "isValid": true,
  "unit": "cents"
}`,
  errors: `HTTP/1.1 404 Not Found
x-request-id: 01a220f6-f50f-73e8-8c32-0aca7dd47e04

{
  "type": "error",
  "error": {
    "type": "invalid_request_error",
    "message": "There is no model \`nope\`. GET /v1/models lists them.",
    "code": "MODEL_NOT_FOUND",
    "param": "model",
    "details": {"error_code": "MODEL_NOT_FOUND"}
  },
  "request_id": "01a220f6-f50f-73e8-8c32-0aca7dd47e04"
}`,
  failover: `{
  "requestId": "01a220f9-04b7-7843-9ea4-ade2e9ead43e",
  "status": "success",
  "attemptCount": 2,
  "attempts": [
    {"n": 1, "node": "node 1", "result": "server", "upstreamStatus": 503, "startedMs": 9, "totalMs": 15, …},
    {"n": 2, "node": "node 2", "result": "ok", "upstreamStatus": 200, "startedMs": 198, "totalMs": 9, …}
  ],
  "receipt": {"total": "0.0073", …},
  …
}`,
  protocols: `{
  "type": "message",
  "role": "assistant",
  "content": [{"type": "text", "text": "Hello! How can I help you?"}],
  "stop_reason": "end_turn",
  "usage": {"input_tokens": 10, "output_tokens": 8},
  …
}`,
  explain: `{
  "object": "tollgate.explanation",
  "model": "demo-chat",
  "attempts": [{
    "n": 1,
    "node": "node 1",
    "protocol": "chat",
    "upstreamModel": "demo-chat",
    "reason": "priority 0, weight 100",
    "warnings": [],
    "body": {"model": "demo-chat", "max_tokens": 16, "messages": [{"role": "user", "content": "Hello!"}]}
  }],
  "skipped": [],
  "hold": "0.01665",
  "estimatedInputTokens": 82,
  "maxTokens": 16,
  "limits": {"qps": {"limit": 2, "used": 0, "resetMs": 0}, …},
  …
}`,
};
