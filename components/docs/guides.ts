import type { Messages } from "../i18n/messages";
import type { DocsPage } from "../search/search-docs";
import { type Client, embeddingClients, embeddingSnippet, KEY_VARIABLE, snippet } from "../snippets/snippets";
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
export interface GuideValues extends Omit<ExampleValues, "comments"> {
  embeddingModel: string;
}

/** The code of a guide, by client, with comments in the language of the texts. */
export function codeOf(
  name: TaskGuide,
  values: GuideValues,
  { comments }: Text,
): Array<{ client: Client; code: string }> {
  const shared = { baseUrl: values.baseUrl, apiKey: null };
  if (name === "embeddings")
    return embeddingClients.map((client) => ({
      client,
      code: embeddingSnippet(client, { ...shared, model: values.embeddingModel }),
    }));
  const guide = guides.find((one) => one === name);
  if (guide !== undefined) return guideExamples(guide satisfies Guide, { ...values, comments });
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
export function guideEntries(text: Text): GuideEntry[] {
  return pagesOf(text).map(({ entry }) => entry);
}

/** Every page with what its parts say, their code line by line, and what their tables name. */
export function guidePages(text: Text, values: GuideValues): DocsPage[] {
  return pagesOf(text).map(({ entry, parts }) => ({
    href: entry.href,
    title: entry.title,
    note: entry.group,
    passages: [...new Set(parts.flatMap((part) => passagesOf(part, text, values)))],
  }));
}

function pagesOf(text: Text): Array<{ entry: GuideEntry; parts: readonly Part[] }> {
  const page = (group: keyof Text["groups"], href: string, title: string, parts: readonly Part[]) => ({
    entry: { href, group: text.groups[group], title },
    parts,
  });
  return [
    page("start", "/docs", text.quickStart, quickStartParts),
    ...groupNames.flatMap((group) =>
      guideGroups[group].map((name) => page(group, `/docs/${name}`, text[name].title, [name])),
    ),
  ];
}

function passagesOf(part: Part, text: Text, values: GuideValues): string[] {
  const tables: Partial<Record<Part, string[]>> = {
    limits: Object.entries(text.limitHeaders.headers).map(([name, meaning]) => `${name}: ${meaning}`),
    errors: Object.entries(text.errors.meanings).map(([code, meaning]) => `${code}: ${meaning}`),
  };
  const code = guideNames
    .filter((guide) => guide !== "benchmark")
    .filter((guide) => guide === part)
    .flatMap((guide) => codeOf(guide, values, text).flatMap((one) => one.code.split("\n")));
  return [...textsIn(text[part]), ...(tables[part] ?? []), ...code]
    .map((passage) => passage.replaceAll("`", "").replaceAll("{variable}", KEY_VARIABLE).trim())
    .filter((passage) => /[\p{L}\p{N}]/u.test(passage));
}

function textsIn(value: string | object): string[] {
  return typeof value === "string" ? [value] : Object.values(value).flatMap(textsIn);
}
