/**
 * What happens to a top-level field when the protocols differ: `mapped` reaches the upstream in some form,
 * `ignored` has no effect and is not worth a word, `dropped` is lost with a warning, `refused` is a 400.
 */
interface FieldRule {
  fate: "mapped" | "ignored" | "dropped" | "refused";
  note: string;
}

const mapped = (note: string): FieldRule => ({ fate: "mapped", note });
const ignored = (note: string): FieldRule => ({ fate: "ignored", note });
const dropped = (note = "no equivalent"): FieldRule => ({ fate: "dropped", note });
const refused = (note: string): FieldRule => ({ fate: "refused", note });

/**
 * Chat fields on their way to a messages node. A field that is not listed is dropped. Source: docs/protocols.md#s4-1,
 * #s4-2.
 */
export const chatFields: Readonly<Record<string, FieldRule>> = {
  model: mapped("the node's model id"),
  messages: mapped("system and messages"),
  max_tokens: mapped("max_tokens; the alias's default when absent"),
  max_completion_tokens: mapped("max_tokens; wins over max_tokens"),
  temperature: mapped("temperature, where the model takes it and does not think"),
  top_p: mapped("top_p, where the model takes it, does not think and no temperature is sent"),
  top_k: mapped("top_k, where the model takes it and does not think"),
  stop: mapped("stop_sequences, blank ones left out"),
  stream: mapped("always asked of the node; the answer comes as the client wants it"),
  stream_options: ignored("include_usage decides about the client's usage chunk"),
  n: refused("400 above 1; one is asked for when lenient"),
  tools: mapped("tools"),
  tool_choice: mapped("tool_choice"),
  parallel_tool_calls: mapped("tool_choice.disable_parallel_tool_use"),
  functions: mapped("tools; the answer keeps the older shape"),
  function_call: mapped("tool_choice"),
  response_format: mapped("output_config.format, or an instruction"),
  reasoning_effort: mapped("thinking and output_config.effort"),
  reasoning: mapped("thinking and output_config.effort; exclude hides reasoning"),
  include_reasoning: mapped("false hides reasoning"),
  thinking: mapped("thinking"),
  user: mapped("metadata.user_id, hashed"),
  safety_identifier: mapped("metadata.user_id, hashed; wins over user"),
  service_tier: mapped("service_tier"),
  web_search_options: mapped("a web search tool where the node has one, else 400"),
  prompt_cache_key: ignored("chooses the node"),
  store: ignored("nothing is stored"),
  max_output_tokens: refused("400: use max_completion_tokens"),
  audio: refused("400"),
  modalities: refused("400 unless text only"),
  moderation: dropped("400 with a blocking policy"),
  verbosity: dropped(),
  prompt_cache_options: dropped(),
  prompt_cache_retention: dropped(),
  metadata: dropped("not the same thing as metadata.user_id"),
  seed: dropped(),
  frequency_penalty: dropped(),
  presence_penalty: dropped(),
  logit_bias: dropped(),
  logprobs: dropped(),
  top_logprobs: dropped(),
  prediction: dropped(),
};

/**
 * Messages fields on their way to a chat node. A field that is not listed is dropped. Source: docs/protocols.md#s5-1.
 */
export const messagesFields: Readonly<Record<string, FieldRule>> = {
  model: mapped("the node's model id"),
  messages: mapped("messages"),
  max_tokens: mapped("max_tokens or max_completion_tokens"),
  system: mapped("the first message"),
  stop_sequences: mapped("stop; 400 when there are more than the node takes"),
  stream: mapped("always asked of the node; the answer comes as the client wants it"),
  temperature: mapped("temperature, where the model takes it"),
  top_p: mapped("top_p, where the model takes it"),
  top_k: mapped("top_k, where the node knows it"),
  tools: mapped("tools; server tools only where the node has them"),
  tool_choice: mapped("tool_choice and parallel_tool_calls"),
  thinking: mapped("reasoning_effort or the node's own switch"),
  output_config: mapped("effort: reasoning_effort; format: response_format"),
  output_format: mapped("response_format"),
  metadata: mapped("user or safety_identifier, hashed; a session id becomes prompt_cache_key"),
  service_tier: mapped("service_tier, where the node has it"),
  cache_control: ignored("chat nodes cache by themselves"),
  betas: ignored("belongs into a header"),
  speed: dropped("standard is the usual speed anyway"),
  container: refused("400: state kept by a server"),
  mcp_servers: refused("400: state kept by a server"),
  thread: refused("400: state kept by a server"),
  compaction: refused("400: state kept by a server"),
  context_management: dropped("a hint"),
  diagnostics: dropped(),
  inference_geo: dropped(),
  billing_policy: dropped(),
  fallbacks: dropped(),
  fallback_credit_token: dropped(),
  safeguards: dropped(),
};
