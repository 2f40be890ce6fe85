import { KEY_VARIABLE } from "../../snippets/snippets";
import type { Example, Guide } from "./guide";

const openaiPython = (baseUrl: string, imports = "", options = "") => `${imports}import os
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}/v1", api_key=os.environ["${KEY_VARIABLE}"]${options})
`;

const cityOfPython = `schema = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "country": {"type": "string"}},
    "required": ["city", "country"],
    "additionalProperties": False,
}
`;

/** Chat Completions by the SDK for Python. */
export const openaiPythonExamples: Partial<Record<Guide, Example>> = {
  streaming: ({ baseUrl, model }) => `${openaiPython(baseUrl)}stream = client.chat.completions.create(
    model="${model}",
    max_tokens=256,
    messages=[{"role": "user", "content": "Count to ten."}],
    stream=True,
    stream_options={"include_usage": True},
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
    elif chunk.usage:
        print(f"\\n{chunk.usage.total_tokens} tokens")`,
  tools: ({ baseUrl, model }) => `${openaiPython(baseUrl, "import json\n")}
def weather(city):
    return f"21 degrees in {city}"

parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
tool = {"name": "weather", "description": "The weather of a city", "parameters": parameters}
messages = [{"role": "user", "content": "What is the weather in Rome?"}]
while True:
    answer = client.chat.completions.create(
        model="${model}",
        max_tokens=256,
        messages=messages,
        tools=[{"type": "function", "function": tool}],
    )
    message = answer.choices[0].message
    if not message.tool_calls:
        break
    messages.append(message)
    for call in message.tool_calls:
        result = weather(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
print(message.content)`,
  json: ({
    baseUrl,
    model,
  }) => `${openaiPython(baseUrl, "import json\n")}${cityOfPython}answer = client.chat.completions.create(
    model="${model}",
    max_tokens=256,
    messages=[{"role": "user", "content": "Name a city."}],
    response_format={
        "type": "json_schema",
        "json_schema": {"name": "city", "strict": True, "schema": schema},
    },
)
print(json.loads(answer.choices[0].message.content)["city"])`,
  images: ({
    baseUrl,
    model,
  }) => `${openaiPython(baseUrl, "import base64\n")}data = base64.b64encode(open("photo.png", "rb").read()).decode()
answer = client.chat.completions.create(
    model="${model}",
    max_tokens=256,
    messages=[{"role": "user", "content": [
        {"type": "text", "text": "What is in this image?"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
    ]}],
)
print(answer.choices[0].message.content)`,
  money: ({
    baseUrl,
    model,
  }) => `${openaiPython(baseUrl)}raw = client.chat.completions.with_raw_response.create(
    model="${model}",
    max_tokens=16,
    messages=[{"role": "user", "content": "Hello!"}],
)
cents = float(raw.headers["x-tollgate-cost"])
print(raw.parse().choices[0].message.content, f"cost ¥{cents / 100:.6f}")`,
  errors: ({ baseUrl, model }) => `${openaiPython(baseUrl, "", ", max_retries=5").replace(
    "import OpenAI",
    "import APIStatusError, OpenAI",
  )}try:
    answer = client.chat.completions.create(
        model="${model}",
        max_tokens=16,
        messages=[{"role": "user", "content": "Hello!"}],
    )
    print(answer.choices[0].message.content)
except APIStatusError as error:
    print(error.status_code, error.message, error.request_id)`,
};
