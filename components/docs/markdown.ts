import type { OpenApiDocument } from "@/lib/api/openapi/document";
import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { asSchema, groupsOf } from "../reference/model";
import { clientNames, KEY_VARIABLE } from "../snippets/snippets";
import { guideAnswers } from "./examples/answers";
import {
  codeOf,
  type GuideName,
  type GuideValues,
  guideEntries,
  guideNames,
  quickStartParts,
} from "./guides";

type Text = Messages["guide"];

/** The index of the docs for language models: every page with its address, and where all of them stand in one text. */
export function docsIndex(text: Text, publicUrl: string): string {
  const entries = guideEntries(text);
  const groups = [...new Set(entries.map(({ group }) => group))].map((name) => [
    `## ${name}`,
    entries
      .filter(({ group }) => group === name)
      .map(({ href, title }) => `- [${title}](${publicUrl}${href}): [Markdown](${publicUrl}${href}.md)`)
      .join("\n"),
  ]);
  const reference = [
    `- [${text.reference}](${publicUrl}/docs/api): [Markdown](${publicUrl}/docs/api.md)`,
    `- [OpenAPI](${publicUrl}/openapi.json)`,
    `- [${text.guides} (Markdown)](${publicUrl}/llms-full.txt)`,
  ].join("\n");
  return paragraphs(["# Tollgate", `> ${text.lead}`, ...groups.flat(), `## ${text.reference}`, reference]);
}

/** All guides as one Markdown text. */
export function docsMarkdown(text: Text, values: GuideValues): string {
  return paragraphs([null, ...guideNames].map((name) => pageMarkdown(name, text, values)));
}

/** The name of the quick start among the addresses of guides as Markdown. */
export const QUICK_START_FILE = "quick-start";

/** A guide, or the quick start, as Markdown. */
export function pageMarkdown(name: GuideName | null, text: Text, values: GuideValues): string {
  if (name !== null) return guideMarkdown(name, text, values);
  const parts = quickStartParts
    .filter((part) => part !== "addresses")
    .flatMap((part) => [`## ${text[part].title}`, fill(text[part].body, { variable: KEY_VARIABLE })]);
  return paragraphs([`# ${text.quickStart}`, text.lead, ...parts]);
}

/** The operations of the API with their parameters; the schemas of bodies and answers are in the OpenAPI document. */
export function referenceMarkdown(text: Text, document: OpenApiDocument, publicUrl: string): string {
  return paragraphs([
    `# ${text.reference}`,
    `[OpenAPI](${publicUrl}/openapi.json)`,
    ...groupsOf(document).flatMap(({ tag, operations }) => [
      `## ${tag}`,
      ...operations.flatMap((operation) => [
        `### ${operation.method.toUpperCase()} ${operation.path}`,
        operation.summary,
        operation.description ?? null,
        parametersOf(operation.parameters),
      ]),
    ]),
  ]);
}

function parametersOf(parameters: unknown): string | null {
  const shown = (Array.isArray(parameters) ? parameters : []).map((one: unknown) => {
    const { name, in: place, description } = asSchema(one) ?? {};
    const about = typeof description === "string" ? `: ${description}` : "";
    return `- \`${String(name)}\` (${String(place)})${about}`;
  });
  return shown.length === 0 ? null : shown.join("\n");
}

function guideMarkdown(name: GuideName, text: Text, values: GuideValues): string {
  const head = [`# ${text[name].title}`, text[name].lead];
  if (name === "benchmark") return paragraphs(head);
  const { parts } = text;
  const guide = text[name];
  const answer = name in guideAnswers ? guideAnswers[name as keyof typeof guideAnswers] : null; // it is one of them
  return paragraphs([
    ...head,
    `## ${parts.example}`,
    ...codeOf(name, values, text).flatMap(({ client, code }) => [`${clientNames[client]}:`, fenced(code)]),
    ...("answer" in guide
      ? [`## ${parts.answer}`, guide.answer, answer === null ? null : fenced(answer)]
      : []),
    `## ${parts.rules}`,
    guide.rules.map((rule) => `- ${rule}`).join("\n"),
    ...tableOf(name, text),
    `## ${parts.problems}`,
    guide.problems.map(({ what, help }) => `- **${what}**: ${help}`).join("\n"),
  ]);
}

function tableOf(name: GuideName, text: Text): string[] {
  const list = (rows: Record<string, string>) =>
    Object.entries(rows)
      .map(([one, meaning]) => `- \`${one}\`: ${meaning}`)
      .join("\n");
  if (name === "limits") return [`## ${text.limitHeaders.columns.header}`, list(text.limitHeaders.headers)];
  return name === "errors" ? [`## ${text.errors.codes}`, list(text.errors.meanings)] : [];
}

function fenced(code: string): string {
  return `\`\`\`\n${code}\n\`\`\``;
}

function paragraphs(all: ReadonlyArray<string | null>): string {
  return all.filter((one) => one !== null).join("\n\n");
}
