import { KEY_PLACEHOLDER } from "../../snippets/snippets";
import type { Example, Guide } from "./guide";

const curl = (
  baseUrl: string,
  body: string,
  options = "",
  path = "chat/completions",
) => `curl ${options}${baseUrl}/v1/${path} \\
  -H "Authorization: Bearer ${KEY_PLACEHOLDER}" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`;

const smallBody = (model: string) =>
  `{"model": "${model}", "max_tokens": 16, "messages": [{"role": "user", "content": "Hello!"}]}`;

/** Chat Completions in a shell. */
export const curlExamples: Record<Guide, Example> = {
  streaming: ({ baseUrl, model }) =>
    curl(
      baseUrl,
      `{
    "model": "${model}",
    "max_tokens": 256,
    "stream": true,
    "stream_options": {"include_usage": true},
    "messages": [{"role": "user", "content": "Count to ten."}]
  }`,
      "-N ",
    ),
  tools: ({ baseUrl, model }) =>
    curl(
      baseUrl,
      `{
    "model": "${model}",
    "max_tokens": 256,
    "messages": [{"role": "user", "content": "What is the weather in Rome?"}],
    "tools": [{
      "type": "function",
      "function": {
        "name": "weather",
        "description": "The weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
      }
    }]
  }`,
    ),
  json: ({ baseUrl, model }) =>
    curl(
      baseUrl,
      `{
    "model": "${model}",
    "max_tokens": 256,
    "messages": [{"role": "user", "content": "Name a city."}],
    "response_format": {
      "type": "json_schema",
      "json_schema": {
        "name": "city",
        "strict": true,
        "schema": {
          "type": "object",
          "properties": {"city": {"type": "string"}, "country": {"type": "string"}},
          "required": ["city", "country"],
          "additionalProperties": false
        }
      }
    }
  }`,
    ),
  // Larger images would not fit into an argument.
  images: ({ baseUrl, model }) =>
    `${curl(baseUrl, "").replace(/'[^']*'$/, "@-")} <<END
{
  "model": "${model}",
  "max_tokens": 256,
  "messages": [{"role": "user", "content": [
    {"type": "text", "text": "What is in this image?"},
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,$(base64 < photo.png | tr -d '\\n')"}}
  ]}]
}
END`,
  limits: ({ baseUrl, model, comments }) =>
    `# ${comments.limits}\n${curl(baseUrl, smallBody(model), "-sS -D - -o /dev/null ")}`,
  money: ({ baseUrl, model, comments }) => `# ${comments.money}
${curl(baseUrl, smallBody(model), "-sS -D - -o /dev/null ")} | grep -i x-tollgate-cost
curl -sS ${baseUrl}/v1/usage -H "Authorization: Bearer ${KEY_PLACEHOLDER}"`,
  keys: ({ baseUrl, comments }) => `# ${comments.keys}
curl -sS ${baseUrl}/api/user/tokens \\
  -H "Authorization: Bearer $TOLLGATE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "My app", "quota": 500}'`,
  usage: ({ baseUrl }) => `curl -sS ${baseUrl}/v1/usage -H "Authorization: Bearer ${KEY_PLACEHOLDER}"`,
  failover: ({ baseUrl, model, comments }) => `# ${comments.failover}
id=$(${curl(baseUrl, smallBody(model), "-sS -D - -o /dev/null ")} |
  tr -d '\\r' | awk 'tolower($1) == "x-request-id:" {print $2}')
curl -sS ${baseUrl}/v1/usage/$id -H "Authorization: Bearer ${KEY_PLACEHOLDER}"`,
  protocols: ({ baseUrl, model, comments }) => `# ${comments.protocols}
${curl(baseUrl, smallBody(model))}
${curl(baseUrl, smallBody(model), "", "messages")}
${curl(baseUrl, `{"model": "${model}", "max_output_tokens": 16, "input": "Hello!"}`, "", "responses")}`,
  explain: ({ baseUrl, model }) => curl(baseUrl, smallBody(model), '-H "x-tollgate-explain: 1" '),
  errors: ({ baseUrl, model, comments }) => `# ${comments.errors}
${curl(baseUrl, smallBody(model), "--retry 5 --fail-with-body ")}`,
};
