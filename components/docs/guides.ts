import type { Messages } from "../i18n/messages";
import { type Client, embeddingClients, embeddingSnippet, snippet } from "../snippets/snippets";
import { guideExamples } from "./examples/examples";
import { type ExampleValues, type Guide, guides } from "./examples/guide";
import type { GuideEntry } from "./guide-frame";

type Text = Messages["guide"];

/** The parts of the quick start, which is the first page of the docs. */
export const quickStartParts = ["account", "key", "call", "see", "addresses"] as const;

/** The other pages, in the order of their list. */
const guideGroups = {
  clients: ["claude-code", "codex", "editors", "openai-sdk", "anthropic-sdk"],
  calls: ["streaming", "tools", "json", "images", "embeddings"],
  account: ["keys", "limits", "money", "usage"],
  service: ["errors", "failover", "protocols", "explain", "benchmark"],
} as const;
const groupNames = Object.keys(guideGroups) as Array<keyof typeof guideGroups>; // the keys of this constant

export const guideNames = groupNames.flatMap((group) => [...guideGroups[group]]);

export type GuideName = (typeof guideNames)[number];
/** The pages about something that one does. */
export type TaskGuide = Exclude<GuideName, "benchmark">;
type Part = GuideName | (typeof quickStartParts)[number];

/** The clients whose first call a guide shows. */
const clientsOf: Partial<Record<GuideName, readonly Client[]>> = {
  "claude-code": ["claude-code"],
  codex: ["codex"],
  editors: ["cursor", "cline", "continue"],
  "openai-sdk": ["openai-python", "openai-node", "ai-sdk", "openai-agents", "curl"],
  "anthropic-sdk": ["anthropic-python", "anthropic-node"],
};

/** What the examples are filled in with; an embedding model has a name of its own. */
export interface GuideValues extends ExampleValues {
  embeddingModel: string;
}

/** The code of a guide, by client. */
export function codeOf(name: TaskGuide, values: GuideValues): Array<{ client: Client; code: string }> {
  const shared = { baseUrl: values.baseUrl, apiKey: null };
  if (name === "embeddings")
    return embeddingClients.map((client) => ({
      client,
      code: embeddingSnippet(client, { ...shared, model: values.embeddingModel }),
    }));
  const guide = guides.find((one) => one === name);
  if (guide !== undefined) return guideExamples(guide satisfies Guide, values);
  return (clientsOf[name] ?? []).map((client) => ({
    client,
    code: snippet(client, { ...shared, model: values.model }),
  }));
}

/** Where each guide leads on to: other guides, and operations of the reference by their ids. */
export const furtherOf: Record<TaskGuide, { guides: readonly GuideName[]; operations: readonly string[] }> = {
  "claude-code": { guides: ["limits", "errors"], operations: ["createMessage", "countTokens"] },
  codex: { guides: ["limits", "errors"], operations: ["createResponse"] },
  editors: { guides: ["keys", "errors"], operations: ["createChatCompletion", "listGatewayModels"] },
  "openai-sdk": {
    guides: ["streaming", "tools", "errors"],
    operations: ["createChatCompletion", "createResponse", "createEmbeddings"],
  },
  "anthropic-sdk": {
    guides: ["streaming", "tools", "errors"],
    operations: ["createMessage", "countTokens"],
  },
  streaming: { guides: ["errors", "usage"], operations: ["createChatCompletion", "createMessage"] },
  tools: { guides: ["json", "protocols"], operations: ["createChatCompletion", "createMessage"] },
  json: { guides: ["tools", "protocols"], operations: ["createChatCompletion", "createResponse"] },
  images: { guides: ["money", "protocols"], operations: ["createChatCompletion", "createMessage"] },
  embeddings: { guides: ["money", "failover"], operations: ["createEmbeddings"] },
  keys: { guides: ["limits", "money"], operations: ["createKey", "listKeys"] },
  limits: { guides: ["errors", "keys"], operations: ["getKeyUsage", "getKeyLimits"] },
  money: { guides: ["usage", "keys"], operations: ["getReceipt", "listLedger"] },
  usage: { guides: ["money", "limits"], operations: ["getKeyUsage", "getReceipt", "getStats"] },
  errors: { guides: ["failover", "limits"], operations: [] },
  failover: { guides: ["errors", "explain"], operations: ["getReceipt"] },
  protocols: { guides: ["explain", "failover"], operations: ["createChatCompletion", "createMessage"] },
  explain: { guides: ["failover", "protocols"], operations: ["createChatCompletion"] },
};

/** Every page of the docs. */
export function guideEntries(text: Text, values: GuideValues): GuideEntry[] {
  const entry = (
    group: keyof Text["groups"],
    href: string,
    page: { title: string; lead: string },
    parts: readonly Part[],
  ) => ({
    ...{ href, group: text.groups[group], title: page.title, lead: page.lead.replaceAll("`", "") },
    words: wordsOf(parts, text, values),
  });
  return [
    entry("start", "/docs", { title: text.quickStart, lead: text.lead }, quickStartParts),
    ...groupNames.flatMap((group) =>
      guideGroups[group].map((name) => entry(group, `/docs/${name}`, text[name], [name])),
    ),
  ];
}

/** What the parts say, with their code, and what their tables name, each word once. */
function wordsOf(parts: readonly Part[], text: Text, values: GuideValues): string {
  const names = { errors: Object.keys(text.errors.meanings), limits: Object.keys(text.limitHeaders.headers) };
  const all = parts.flatMap((part) => [
    ...textsIn(text[part]),
    ...(part === "errors" || part === "limits" ? names[part] : []),
    ...guideNames
      .filter((guide) => guide !== "benchmark")
      .filter((guide) => guide === part)
      .flatMap((guide) => codeOf(guide, values).map(({ code }) => code)),
  ]);
  return [...new Set(all.join(" ").toLowerCase().split(/\s+/))].join(" ");
}

function textsIn(value: string | object): string[] {
  return typeof value === "string" ? [value] : Object.values(value).flatMap(textsIn);
}
