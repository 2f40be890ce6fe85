import type { CredentialHeader } from "@/lib/protocols/adapters/credential-header";
import type { NodeProtocol } from "@/lib/protocols/protocol";
import type { ProviderFact } from "./profile";

/** A provider's API in one protocol. */
export interface ProviderApi {
  /** The initial value of a form; `{name}` is a placeholder for a value that only the operator knows. */
  readonly baseUrl: string;
  /** The header of the credential; default: the protocol's. */
  readonly credential?: CredentialHeader;
  /** A form of calls that differs from the protocol's. */
  readonly form?: HostForm;
}

/** Names of forms of calls. */
export type HostFormId = "bedrock-invoke" | "vertex-gemini" | "vertex-predict";

/** The form of calls below some base URLs of a provider. Source: docs/clouds.md#forms. */
export interface HostForm {
  readonly id: HostFormId;
  /** The base URLs that have it, as `host/path`. */
  readonly places: RegExp;
  /** What the gateway adds to such a path first. */
  readonly adds: string;
  /** How every base URL must end; absent: others are called as the protocol says. */
  readonly endsWith?: string;
}

/** The provider of a node. */
interface ProviderRow {
  readonly id: string;
  readonly label: string;
  /** The hosts of this provider's nodes: `*` is any part of a name, `:1234` any host with that port. */
  readonly hosts: readonly string[];
  /** The provider's protocols. */
  readonly apis: { readonly [P in NodeProtocol]?: ProviderApi };
  /** Query parameters that a base URL may have, and the paths that require them. None of them is a secret. */
  readonly query?: Readonly<Record<string, { neededBelow: string; example: string }>>;
  /** Differences of this provider from the values of protocol and model. */
  readonly facts?: readonly ProviderFact[];
  /** The form of reported usage, if unusual. */
  readonly usage?: string;
  /** A note for operators. */
  readonly note?: string;
  readonly docs: string;
}

const grokThinks = /grok-(?:[4-9]|code|3-mini)(?!.*non-reasoning)/;
const grokWithoutEffort = /grok-(?:3(?!-mini)|4(?:$|-)|4\.20(?!-multi-agent))/;

const other = {
  id: "other",
  label: "Other",
  hosts: [],
  apis: {
    chat: { baseUrl: "" },
    messages: { baseUrl: "" },
    responses: { baseUrl: "" },
    gemini: { baseUrl: "" },
  },
  note: "any server that speaks the protocol and that no other row knows",
  docs: "",
} as const satisfies ProviderRow;

/**
 * The properties of each provider, one row each. Data only: a quirk of a host is a fact in its row, a quirk of a model
 * at every host is a row in `families`. The table in docs/protocols.md is generated from these rows.
 * Source: docs/protocols.md#s3-1.
 */
const rows = [
  {
    id: "openai",
    label: "OpenAI",
    hosts: ["api.openai.com"],
    apis: {
      chat: { baseUrl: "https://api.openai.com/v1" },
      responses: { baseUrl: "https://api.openai.com/v1" },
    },
    docs: "https://platform.openai.com/docs/api-reference/chat",
  },
  {
    id: "anthropic",
    label: "Anthropic",
    hosts: ["anthropic.com", "*.anthropic.com"],
    apis: {
      messages: { baseUrl: "https://api.anthropic.com" },
      chat: { baseUrl: "https://api.anthropic.com/v1" },
    },
    facts: [{ protocol: "messages", set: { vendorHeaders: true } }],
    usage: "counts at the end of a stream replace those at its start",
    note: "in the chat protocol it takes one choice only and ignores most parameters",
    docs: "https://platform.claude.com/docs/en/api/messages",
  },
  {
    id: "azure",
    label: "Azure OpenAI",
    hosts: ["*.openai.azure.com", "*.cognitiveservices.azure.com", "*.services.ai.azure.com"],
    apis: {
      chat: { baseUrl: "https://{resource}.openai.azure.com/openai/v1", credential: "api-key" },
      messages: { baseUrl: "https://{resource}.services.ai.azure.com/anthropic" },
      responses: { baseUrl: "https://{resource}.openai.azure.com/openai/v1", credential: "api-key" },
    },
    query: { "api-version": { neededBelow: "/openai/deployments/", example: "2024-10-21" } },
    facts: [
      { protocol: "chat", models: /deepseek|kimi/, set: { refusedFields: ["prompt_cache_key"] } },
      {
        protocol: "chat",
        models: /deepseek/,
        set: {
          reasoningSwitch: "reasoning_effort",
          thinking: [],
          effortLevels: ["low", "medium", "high"],
          refusedFields: ["thinking", "prompt_cache_retention"],
        },
      },
    ],
    note: "the upstream model is the name of the deployment; the credential is a key, or of Entra",
    docs: "https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle",
  },
  {
    id: "bedrock",
    label: "Amazon Bedrock",
    hosts: [
      "bedrock-runtime.*.amazonaws.com",
      "bedrock-runtime-fips.*.amazonaws.com",
      "*.bedrock-runtime.*.vpce.amazonaws.com",
      "*.bedrock-mantle.*.vpce.amazonaws.com",
      "bedrock-runtime.*.amazonaws.com.cn",
      "bedrock-mantle.*.api.aws",
    ],
    apis: {
      chat: { baseUrl: "https://bedrock-runtime.{region}.amazonaws.com/openai/v1" },
      messages: {
        baseUrl: "https://bedrock-runtime.{region}.amazonaws.com/anthropic",
        form: { id: "bedrock-invoke", places: /^(?!.*bedrock-mantle)[^/]*\/*$/, adds: "/model/" },
      },
      responses: { baseUrl: "https://bedrock-runtime.{region}.amazonaws.com/openai/v1" },
    },
    note: "the credential is a Bedrock API key, or of AWS: requests are signed; models that only Mantle has in Responses (GPT OSS) are at `https://bedrock-mantle.{region}.api.aws/v1`",
    docs: "https://docs.aws.amazon.com/bedrock/latest/userguide/apis.html",
  },
  {
    id: "vertex",
    label: "Google Vertex AI",
    hosts: ["aiplatform.googleapis.com", "*-aiplatform.googleapis.com", "aiplatform.*.rep.googleapis.com"],
    apis: {
      chat: {
        baseUrl:
          "https://{location}-aiplatform.googleapis.com/v1beta1/projects/{project}/locations/{location}/endpoints/openapi",
      },
      gemini: {
        baseUrl: "https://{location}-aiplatform.googleapis.com/v1/projects/{project}/locations/{location}",
        form: { id: "vertex-gemini", places: /\/v1(?:beta1)?(?:\/|$)/, adds: "/publishers/" },
      },
      messages: {
        baseUrl: "https://{location}-aiplatform.googleapis.com/v1/projects/{project}/locations/{location}",
        form: {
          id: "vertex-predict",
          places: /\/projects\/[^/]+\/locations\/[^/]+\/*$/,
          adds: "/publishers/",
          endsWith: "/projects/{project}/locations/{location}",
        },
      },
    },
    facts: [{ protocol: "gemini", set: { callIds: false, serviceTier: false } }],
    note: "the credential is one of Google's, or an access token that the operator has to renew",
    docs: "https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/call-vertex-using-openai-library",
  },
  {
    id: "gemini",
    label: "Google Gemini",
    hosts: ["generativelanguage.googleapis.com"],
    apis: {
      gemini: { baseUrl: "https://generativelanguage.googleapis.com/v1beta" },
      chat: { baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai" },
    },
    docs: "https://ai.google.dev/api/generate-content",
  },
  {
    id: "openrouter",
    label: "OpenRouter",
    hosts: ["openrouter.ai"],
    apis: {
      chat: { baseUrl: "https://openrouter.ai/api/v1" },
      messages: { baseUrl: "https://openrouter.ai/api", credential: "authorization" },
      responses: { baseUrl: "https://openrouter.ai/api/v1" },
    },
    usage: "beside the last choice or in a chunk of its own, with the cost in credits",
    docs: "https://openrouter.ai/docs/api-reference/overview",
  },
  {
    id: "deepseek",
    label: "DeepSeek",
    hosts: ["api.deepseek.com"],
    apis: {
      chat: { baseUrl: "https://api.deepseek.com" },
      messages: { baseUrl: "https://api.deepseek.com/anthropic" },
      responses: { baseUrl: "https://api.deepseek.com" },
    },
    usage: "beside the last choice; cached tokens also as `prompt_cache_hit_tokens`",
    docs: "https://api-docs.deepseek.com",
  },
  {
    id: "groq",
    label: "Groq",
    hosts: ["api.groq.com"],
    apis: {
      chat: { baseUrl: "https://api.groq.com/openai/v1" },
      responses: { baseUrl: "https://api.groq.com/openai/v1" },
    },
    facts: [
      {
        protocol: "responses",
        set: { refusedFields: ["include", "truncation", "safety_identifier", "prompt_cache_key"] },
      },
      {
        protocol: "chat",
        set: { refusedFields: ["logprobs", "top_logprobs", "logit_bias", "messages[].name"] },
      },
    ],
    usage: "in streams as `x_groq.usage` or beside the last choice",
    note: "one choice only",
    docs: "https://console.groq.com/docs/openai",
  },
  {
    id: "mistral",
    label: "Mistral",
    hosts: ["api.mistral.ai"],
    apis: { chat: { baseUrl: "https://api.mistral.ai/v1" } },
    facts: [{ protocol: "chat", set: { refusedFields: ["messages[user].name"] } }],
    usage: "beside the last choice",
    docs: "https://docs.mistral.ai/api",
  },
  {
    id: "xai",
    label: "xAI",
    hosts: ["api.x.ai"],
    apis: { chat: { baseUrl: "https://api.x.ai/v1" }, responses: { baseUrl: "https://api.x.ai/v1" } },
    facts: [
      {
        protocol: "chat",
        models: grokThinks,
        set: { stopAllowed: false, refusedFields: ["presence_penalty", "frequency_penalty", "stop"] },
      },
      { protocol: "chat", models: grokWithoutEffort, set: { refusedFields: ["reasoning_effort"] } },
    ],
    usage: "`completion_tokens` leaves the reasoning out",
    docs: "https://docs.x.ai/docs/guides/reasoning",
  },
  {
    id: "moonshot",
    label: "Moonshot (Kimi)",
    hosts: ["api.moonshot.ai", "api.moonshot.cn"],
    apis: {
      chat: { baseUrl: "https://api.moonshot.ai/v1" },
      messages: { baseUrl: "https://api.moonshot.ai/anthropic" },
    },
    docs: "https://platform.kimi.ai/docs/api/chat",
  },
  {
    id: "zhipu",
    label: "Zhipu (Z.ai)",
    hosts: ["open.bigmodel.cn", "api.z.ai"],
    apis: {
      chat: { baseUrl: "https://open.bigmodel.cn/api/paas/v4" },
      messages: { baseUrl: "https://open.bigmodel.cn/api/anthropic" },
    },
    note: "outside China the host is `api.z.ai`; the coding plan has the path `/api/coding/paas/v4`",
    docs: "https://docs.z.ai",
  },
  {
    id: "qwen",
    label: "Qwen (DashScope)",
    hosts: ["dashscope.aliyuncs.com", "dashscope-*.aliyuncs.com", "*.dashscope.aliyuncs.com"],
    apis: {
      chat: { baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1" },
      messages: { baseUrl: "https://dashscope-intl.aliyuncs.com/apps/anthropic" },
    },
    note: "in mainland China the host is `dashscope.aliyuncs.com`",
    docs: "https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope",
  },
  {
    id: "siliconflow",
    label: "SiliconFlow",
    hosts: ["api.siliconflow.cn", "api.siliconflow.com"],
    apis: { chat: { baseUrl: "https://api.siliconflow.cn/v1" } },
    facts: [{ protocol: "chat", models: /deepseek|glm/, set: { reasoningSwitch: "enable_thinking" } }],
    note: "outside China the host is `api.siliconflow.com`",
    docs: "https://docs.siliconflow.cn/docs/api/chat-completions-post",
  },
  {
    id: "together",
    label: "Together AI",
    hosts: ["api.together.ai", "api.together.xyz"],
    apis: { chat: { baseUrl: "https://api.together.ai/v1" } },
    docs: "https://docs.together.ai/docs/inference/openai-compatibility",
  },
  {
    id: "fireworks",
    label: "Fireworks AI",
    hosts: ["api.fireworks.ai", "us.api.fireworks.ai"],
    apis: {
      chat: { baseUrl: "https://api.fireworks.ai/inference/v1" },
      messages: { baseUrl: "https://api.fireworks.ai/inference", credential: "authorization" },
    },
    usage: "in the last chunk of every stream",
    note: "the upstream model is a resource name, `accounts/…/models/…`",
    docs: "https://docs.fireworks.ai/tools-sdks/openai-compatibility",
  },
  {
    id: "ollama",
    label: "Ollama",
    hosts: ["ollama.com", ":11434"],
    apis: {
      chat: { baseUrl: "http://localhost:11434/v1" },
      messages: { baseUrl: "http://localhost:11434", credential: "authorization" },
      responses: { baseUrl: "http://localhost:11434/v1" },
    },
    facts: [{ protocol: "chat", set: { imageUrl: false } }],
    note: "a local server needs no credential and ignores one; ollama.com takes bearer tokens only",
    docs: "https://docs.ollama.com/api/openai-compatibility",
  },
  {
    id: "lmstudio",
    label: "LM Studio",
    hosts: [":1234"],
    apis: {
      chat: { baseUrl: "http://localhost:1234/v1" },
      messages: { baseUrl: "http://localhost:1234", credential: "authorization" },
      responses: { baseUrl: "http://localhost:1234/v1" },
    },
    note: "needs no credential unless its server asks for one",
    docs: "https://lmstudio.ai/docs/developer/openai-compat",
  },
  {
    id: "vllm",
    label: "vLLM",
    hosts: [],
    apis: {
      chat: { baseUrl: "http://localhost:8000/v1" },
      messages: { baseUrl: "http://localhost:8000", credential: "authorization" },
      responses: { baseUrl: "http://localhost:8000/v1" },
    },
    note: "is never found by host: set it",
    docs: "https://docs.vllm.ai/en/latest/serving/openai_compatible_server",
  },
  other,
] as const satisfies readonly ProviderRow[];

/** The id of a provider, in configuration and database. */
export type ProviderId = (typeof rows)[number]["id"];

/** The provider of a node. Source: docs/protocols.md#s3-1. */
export interface Provider extends ProviderRow {
  readonly id: ProviderId;
}

/** All providers, in the order of forms. */
export const providers: readonly Provider[] = rows;

/** The provider of a node that matches no other row. */
export const otherProvider: Provider = other;
