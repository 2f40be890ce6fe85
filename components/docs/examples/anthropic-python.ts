import { KEY_VARIABLE } from "../../snippets/snippets";
import type { Example, Guide } from "./guide";

const anthropicPython = (baseUrl: string, imports = "", options = "") => `${imports}import os
from anthropic import Anthropic

client = Anthropic(base_url="${baseUrl}", api_key=os.environ["${KEY_VARIABLE}"]${options})
`;

const cityOfPython = `schema = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "country": {"type": "string"}},
    "required": ["city", "country"],
    "additionalProperties": False,
}
`;

/** Messages by the SDK for Python. */
export const anthropicPythonExamples: Partial<Record<Guide, Example>> = {
  streaming: ({ baseUrl, model }) => `${anthropicPython(baseUrl)}with client.messages.stream(
    model="${model}",
    max_tokens=256,
    messages=[{"role": "user", "content": "Count to ten."}],
) as stream:
    for text in stream.text_stream:
        print(text, end="", flush=True)
    print(f"\\n{stream.get_final_message().usage.output_tokens} tokens")`,
  tools: ({ baseUrl, model }) => `${anthropicPython(baseUrl)}
def weather(city):
    return f"21 degrees in {city}"

schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
tool = {"name": "weather", "description": "The weather of a city", "input_schema": schema}
messages = [{"role": "user", "content": "What is the weather in Rome?"}]
while True:
    answer = client.messages.create(model="${model}", max_tokens=256, messages=messages, tools=[tool])
    if answer.stop_reason != "tool_use":
        break
    calls = [block for block in answer.content if block.type == "tool_use"]
    results = [
        {"type": "tool_result", "tool_use_id": call.id, "content": weather(**call.input)} for call in calls
    ]
    messages += [{"role": "assistant", "content": answer.content}, {"role": "user", "content": results}]
print(answer.content[0].text)`,
  json: ({
    baseUrl,
    model,
  }) => `${anthropicPython(baseUrl, "import json\n")}${cityOfPython}answer = client.messages.create(
    model="${model}",
    max_tokens=256,
    messages=[{"role": "user", "content": "Name a city."}],
    output_config={"format": {"type": "json_schema", "schema": schema}},
)
print(json.loads(answer.content[0].text)["city"])`,
  images: ({
    baseUrl,
    model,
  }) => `${anthropicPython(baseUrl, "import base64\n")}data = base64.b64encode(open("photo.png", "rb").read()).decode()
answer = client.messages.create(
    model="${model}",
    max_tokens=256,
    messages=[{"role": "user", "content": [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}},
        {"type": "text", "text": "What is in this image?"},
    ]}],
)
print(answer.content[0].text)`,
  money: ({ baseUrl, model }) => `${anthropicPython(baseUrl)}raw = client.messages.with_raw_response.create(
    model="${model}",
    max_tokens=16,
    messages=[{"role": "user", "content": "Hello!"}],
)
cents = float(raw.headers["x-tollgate-cost"])
print(raw.parse().content[0].text, f"cost ¥{cents / 100:.6f}")`,
  errors: ({ baseUrl, model }) => `${anthropicPython(baseUrl, "", ", max_retries=5").replace(
    "import Anthropic",
    "import Anthropic, APIStatusError",
  )}try:
    answer = client.messages.create(
        model="${model}",
        max_tokens=16,
        messages=[{"role": "user", "content": "Hello!"}],
    )
    print(answer.content[0].text)
except APIStatusError as error:
    print(error.status_code, error.message, error.request_id)`,
};
