import { fill } from "../i18n/fill";
import type { Locale } from "../i18n/locale";
import type { Messages } from "../i18n/messages";
import type { DocsPage } from "../search/search-docs";
import { type Client, embeddingClients, embeddingSnippet, KEY_VARIABLE, snippet } from "../snippets/snippets";
import { guideExamples } from "./examples/examples";
import { guides } from "./examples/guide";
import { type Guide, type GuideBlock, guideFile, readGuide } from "./guide-files";
import type { GuideEntry } from "./guide-frame";

/** The guides in the order of their list; each has a file in each language. The first is the page of the docs itself. */
const guideGroups = {
  start: ["quick-start"],
  clients: ["claude-code", "codex", "editors", "openai-sdk", "anthropic-sdk"],
  calls: ["streaming", "tools", "json", "images", "embeddings"],
  account: ["keys", "limits", "budgets", "money", "usage"],
  service: ["errors", "failover", "protocols", "explain", "benchmark"],
} as const;
const groupNames = Object.keys(guideGroups) as Array<keyof typeof guideGroups>; // the keys of this constant

export const guideNames = groupNames.flatMap((group) => [...guideGroups[group]]);

export type GuideName = (typeof guideNames)[number];

/** The clients whose first call a guide shows. */
const clientsOf: Partial<Record<GuideName, readonly Client[]>> = {
  "claude-code": ["claude-code"],
  codex: ["codex"],
  editors: ["cursor", "cline", "continue"],
  "openai-sdk": ["openai-python", "openai-node", "ai-sdk", "openai-agents", "curl"],
  "anthropic-sdk": ["anthropic-python", "anthropic-node"],
};

/** The docs of a gateway in a language. */
export interface Docs {
  locale: Locale;
  text: Messages["guide"];
  /** Base URL without `/v1` and without a slash at the end. */
  baseUrl: string;
  model: string;
  embeddingModel: string;
}

/** A guide with the address of this gateway. */
export function guideOf(name: GuideName, { locale, baseUrl }: Docs): Guide {
  return readGuide(fill(guideFile(locale, name), { baseUrl, variable: KEY_VARIABLE }));
}

/** The code of a guide, by client, with comments in the language of the texts. */
export function codeOf(name: GuideName, docs: Docs): Array<{ client: Client; code: string }> {
  const { baseUrl, model, embeddingModel, text } = docs;
  const shared = { baseUrl, apiKey: null };
  if (name === "embeddings")
    return embeddingClients.map((client) => ({
      client,
      code: embeddingSnippet(client, { ...shared, model: embeddingModel }),
    }));
  const guide = guides.find((one) => one === name);
  if (guide !== undefined) return guideExamples(guide, { baseUrl, model, comments: text.comments });
  return (clientsOf[name] ?? []).map((client) => ({ client, code: snippet(client, { ...shared, model }) }));
}

/** Every page of the docs. */
export function guideEntries(docs: Docs): GuideEntry[] {
  return pagesOf(docs).map(({ entry }) => entry);
}

/** Every page with what its parts say, and its code line by line. */
export function guidePages(docs: Docs): DocsPage[] {
  return pagesOf(docs).map(({ name, entry }) => ({
    href: entry.href,
    title: entry.title,
    note: entry.group,
    passages: [...new Set(passagesOf(name, docs))],
  }));
}

function pagesOf({ locale, text }: Docs): Array<{ name: GuideName; entry: GuideEntry }> {
  return groupNames.flatMap((group) =>
    guideGroups[group].map((name) => ({
      name,
      entry: {
        href: name === "quick-start" ? "/docs" : `/docs/${name}`,
        group: text.groups[group],
        title: guideFile(locale, name).split("\n", 1)[0]?.replace("# ", "") ?? "",
      },
    })),
  );
}

function passagesOf(name: GuideName, docs: Docs): string[] {
  const { title, lead, parts } = guideOf(name, docs);
  // The other guides all have the same headings.
  const headings = name === "quick-start" ? parts.map((part) => part.title) : [];
  const texts = parts.flatMap(({ blocks }) => blocks.flatMap(textsOf));
  const code = codeOf(name, docs).flatMap((one) => one.code.split("\n"));
  return [title, lead, ...headings, ...texts, ...code]
    .map((passage) => passage.replaceAll("`", "").trim())
    .filter((passage) => /[\p{L}\p{N}]/u.test(passage));
}

function textsOf(block: GuideBlock): string[] {
  if (block.kind === "text") return [block.text];
  if (block.kind === "list") return block.items;
  return block.kind === "table" ? block.rows.map((row) => row.join(": ")) : [];
}
