import type { Messages } from "../i18n/messages";
import { guideExamples } from "./examples/examples";
import { type ExampleValues, guides } from "./examples/guide";
import type { GuideEntry } from "./guide-frame";

type Text = Messages["guide"];

/** The parts of the quick start, which is the first page of the docs. */
export const quickStartParts = ["account", "key", "call", "see", "addresses"] as const;

/** The other pages, in the order of their list. */
export const guideNames = [...guides, "benchmark"] as const;

export type GuideName = (typeof guideNames)[number];
type Part = GuideName | (typeof quickStartParts)[number];

/** Every page of the docs. */
export function guideEntries(text: Text, values: ExampleValues): GuideEntry[] {
  const entry = (href: string, title: string, lead: string, parts: readonly Part[]) => ({
    ...{ href, title, lead: lead.replaceAll("`", "") },
    words: wordsOf(parts, text, values),
  });
  return [
    entry("/docs", text.quickStart, text.lead, quickStartParts),
    ...guideNames.map((name) => entry(`/docs/${name}`, text[name].title, leadOf(text[name]), [name])),
  ];
}

function leadOf(part: { body: string } | { lead: string }): string {
  return "lead" in part ? part.lead : part.body;
}

/** What the parts say, with their code, and what their tables name, each word once. */
function wordsOf(parts: readonly Part[], text: Text, values: ExampleValues): string {
  const names = { errors: Object.keys(text.errors.meanings), limits: Object.keys(text.limits.headers) };
  const all = parts.flatMap((part) => [
    ...textsIn(text[part]),
    ...(part === "errors" || part === "limits" ? names[part] : []),
    ...guides
      .filter((guide) => guide === part)
      .flatMap((guide) => guideExamples(guide, values).map(({ code }) => code)),
  ]);
  return [...new Set(all.join(" ").toLowerCase().split(/\s+/))].join(" ");
}

function textsIn(value: string | object): string[] {
  return typeof value === "string" ? [value] : Object.values(value).flatMap(textsIn);
}
