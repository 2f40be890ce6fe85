import type { PricedService, PricedTool } from "@/lib/kernel/usage";
import { standardTierWords } from "@/lib/protocols/generation/service-tier";
import type { NodeProtocol } from "@/lib/protocols/protocol";

/**
 * The price that a member needs on the alias. `tokens`: none, it costs tokens only; a tool: the price of its calls; a service
 * tier or a kind of tokens: that price; `never`: no price of an alias covers it.
 */
export type ExtraPrice = PricedTool | OtherPrice | "tokens" | "never";

/** Prices of a service tier and of tokens that are no text. */
export type OtherPrice = PricedService | "audioOutput" | "imageOutput";

/** The members of every row. */
interface Extra {
  readonly protocols: readonly NodeProtocol[];
  /** What the vendor bills in addition to the usual price of tokens. */
  readonly costs: string;
  /** The vendor's document. */
  readonly document: string;
}

/**
 * A top-level field of a request. Its word is the value itself, or the `id` or `mode` of an object, with the engine
 * after a colon; a list has the words of its entries.
 */
export interface ExtraField extends Extra {
  readonly field: string;
  readonly words: Readonly<Record<string, ExtraPrice>>;
  readonly otherWords: ExtraPrice;
}

/** Tools of one type, including dated versions (`<type>_20260101`). */
export interface ExtraTool extends Extra {
  readonly type: string;
  readonly price: ExtraPrice;
}

const every: readonly NodeProtocol[] = ["chat", "messages", "responses"];
const google = "https://ai.google.dev/gemini-api/docs/pricing";
const openai = "https://developers.openai.com/api/docs";
const claude = "https://platform.claude.com/docs/en";
const openrouter = "https://openrouter.ai/docs/guides/features";
const onlyTokens = "nothing";

/** The service tiers that a request can ask for. Source: docs/prices.md#service-tiers. */
export const serviceTierWords: Readonly<Record<string, ExtraPrice>> = {
  auto: "tokens",
  ...Object.fromEntries(standardTierWords.map((word) => [word, "tokens" as const])),
  priority: "priority",
  flex: "flex",
  batch: "batch",
};

/** The fields of requests that cost extra. Source: docs/protocols.md#s6-3. */
export const extraFields: readonly ExtraField[] = [
  {
    protocols: every,
    field: "service_tier",
    words: serviceTierWords,
    otherWords: "never",
    costs: "each token: `priority` and `fast` about twice, `ultrafast` about six times the usual price",
    document: `${openai}/guides/fast-mode`,
  },
  {
    protocols: every,
    field: "speed",
    words: { standard: "tokens" },
    otherWords: "never",
    costs: "each token: `fast` two to six times the usual price",
    document: `${claude}/build-with-claude/fast-mode`,
  },
  {
    protocols: every,
    field: "inference_geo",
    words: { global: "tokens" },
    otherWords: "never",
    costs: "each token: `us` 1.1 times the usual price",
    document: `${claude}/manage-claude/data-residency`,
  },
  {
    protocols: every,
    field: "plugins",
    words: {
      web: "webSearch",
      "response-healing": "tokens",
      "context-compression": "tokens",
      "file-parser:native": "tokens",
      "file-parser:cloudflare-ai": "tokens",
      "file-parser:pdf-text": "tokens",
    },
    otherWords: "never",
    costs: "`web` each search, `file-parser` with other engines each page, the rest further models",
    document: `${openrouter}/plugins`,
  },
  {
    protocols: ["gemini"],
    field: "serviceTier",
    words: { ...serviceTierWords, unspecified: "tokens" },
    otherWords: "never",
    costs: "each token: `priority` more and `flex` less than the usual price",
    document: google,
  },
  {
    protocols: ["chat"],
    field: "web_search_options",
    words: {},
    otherWords: "webSearch",
    costs: "each search",
    document: `${openai}/pricing`,
  },
  {
    protocols: ["chat"],
    field: "search_parameters",
    words: { off: "tokens" },
    otherWords: "webSearch",
    costs: "each search or source",
    document: "https://docs.x.ai/docs/guides/live-search",
  },
  {
    protocols: ["chat"],
    field: "enable_search",
    words: { false: "tokens" },
    otherWords: "webSearch",
    costs: "each search",
    document: "https://www.alibabacloud.com/help/en/model-studio/web-search",
  },
  {
    protocols: ["chat"],
    field: "enable_code_interpreter",
    words: { false: "tokens" },
    otherWords: "never",
    costs: "each run, of which the answer tells no count",
    document: "https://www.alibabacloud.com/help/en/model-studio/qwen-code-interpreter",
  },
  {
    protocols: ["chat"],
    field: "modalities",
    words: { text: "tokens", audio: "audioOutput", image: "imageOutput" },
    otherWords: "never",
    costs: "tokens of audio and images, several times the price of text",
    document: `${openai}/pricing`,
  },
  {
    protocols: ["chat"],
    field: "audio",
    words: {},
    otherWords: "audioOutput",
    costs: "tokens of audio, several times the price of text",
    document: `${openai}/pricing`,
  },
];

/**
 * The tools of requests, including those that cost tokens only; a tool that is not listed costs extra. Source:
 * docs/protocols.md#s6-3.
 */
export const extraTools: readonly ExtraTool[] = [
  { protocols: every, type: "custom", price: "tokens", costs: onlyTokens, document: `${openai}/pricing` },
  ...own("chat", ["function"], `${openai}/pricing`),
  ...own(
    "messages",
    ["bash", "text_editor", "memory", "computer", "browser"],
    `${claude}/about-claude/pricing`,
  ),
  ...own("messages", ["tool_search", "web_fetch", "mcp_toolset"], `${claude}/about-claude/pricing`),
  ...own("responses", ["function", "namespace", "tool_search", "local_shell"], `${openai}/pricing`),
  ...own("responses", ["shell", "apply_patch", "computer", "computer_use", "mcp"], `${openai}/pricing`),
  ...own("responses", ["programmatic_tool_calling"], `${openai}/guides/tools-programmatic-tool-calling`),
  ...own("chat", ["mcp"], "https://console.groq.com/docs/mcp"),
  ...searches("messages", ["web_search"], `${claude}/agents-and-tools/tool-use/web-search-tool`),
  ...searches("responses", ["web_search"], `${openai}/pricing`),
  ...searches("chat", ["web_search"], "https://docs.z.ai/guides/tools/web-search"),
  ...searches("chat", ["$web_search"], "https://platform.moonshot.ai/docs/guide/use-web-search"),
  ...searches("chat", ["browser_search"], "https://console.groq.com/docs/browser-search"),
  {
    protocols: ["chat", "messages"],
    type: "openrouter:web_search",
    price: "webSearch",
    costs: "each search",
    document: `${openrouter}/server-tools`,
  },
  {
    protocols: every,
    type: "openrouter:datetime",
    price: "tokens",
    costs: onlyTokens,
    document: `${openrouter}/server-tools`,
  },
  {
    protocols: ["messages"],
    type: "code_execution",
    price: "codeInterpreter",
    costs: "the time of a container; nothing beside `web_search` or `web_fetch` from `_20260209` on",
    document: `${claude}/agents-and-tools/tool-use/code-execution-tool`,
  },
  {
    protocols: ["messages"],
    type: "advisor",
    price: "never",
    costs: "the tokens of another model, at its prices",
    document: `${claude}/agents-and-tools/tool-use/advisor-tool`,
  },
  {
    protocols: ["responses"],
    type: "file_search",
    price: "fileSearch",
    costs: "each search",
    document: `${openai}/pricing`,
  },
  {
    protocols: ["responses"],
    type: "code_interpreter",
    price: "codeInterpreter",
    costs: "each container",
    document: `${openai}/pricing`,
  },
  {
    protocols: ["responses"],
    type: "image_generation",
    price: "imageGeneration",
    costs: "the tokens of the image",
    document: `${openai}/pricing`,
  },
  ...own("gemini", ["functionDeclarations", "urlContext", "codeExecution", "computerUse"], google),
  ...searches("gemini", ["googleSearch", "googleSearchRetrieval"], google),
  {
    protocols: ["gemini"],
    type: "fileSearch",
    price: "fileSearch",
    costs: "the embeddings of files",
    document: google,
  },
  {
    protocols: ["responses"],
    type: "x_search",
    price: "never",
    costs: "each search, in ways that no price of an alias says",
    document: "https://docs.x.ai/docs/models",
  },
];

function own(protocol: NodeProtocol, types: readonly string[], document: string): ExtraTool[] {
  return types.map((type) => ({ protocols: [protocol], type, price: "tokens", costs: onlyTokens, document }));
}

function searches(protocol: NodeProtocol, types: readonly string[], document: string): ExtraTool[] {
  return types.map((type) => ({
    protocols: [protocol],
    type,
    price: "webSearch",
    costs: "each search",
    document,
  }));
}

/** The fields and tools that cost extra in one protocol. */
export interface ExtraRules {
  readonly fields: ReadonlyMap<string, ExtraField>;
  readonly tools: readonly ExtraTool[];
}

/** The rules of one protocol. */
export function extrasOf(protocol: NodeProtocol): ExtraRules {
  const speaks = ({ protocols }: Extra) => protocols.includes(protocol);
  const fields = extraFields.filter(speaks).map((row) => [row.field, row] as const);
  return { fields: new Map(fields), tools: extraTools.filter(speaks) };
}
