import type { OpenApiDocument } from "@/lib/api/openapi/document";
import { nodeProtocols, protocolTitles } from "@/lib/protocols/protocol";
import { fill } from "../i18n/fill";
import { asSchema, groupsOf } from "../reference/model";
import { type Client, clientNames, KEY_VARIABLE, snippet } from "../snippets/snippets";
import { guideAnswers } from "./examples/answers";
import { guideFile, type Insert } from "./guide-files";
import { codeOf, type Docs, type GuideName, guideEntries, guideNames, guideOf } from "./guides";
import { type FieldTable, protocolFields } from "./protocol-fields";

/** The index of the docs for language models: every page with its address, and where all of them stand in one text. */
export function docsIndex(docs: Docs): string {
  const { text, baseUrl } = docs;
  const entries = guideEntries(docs);
  const groups = [...new Set(entries.map(({ group }) => group))].map((name) => [
    `## ${name}`,
    entries
      .filter(({ group }) => group === name)
      .map(({ href, title }) => `- [${title}](${baseUrl}${href}): [Markdown](${baseUrl}${href}.md)`)
      .join("\n"),
  ]);
  const reference = [
    `- [${text.reference}](${baseUrl}/docs/api): [Markdown](${baseUrl}/docs/api.md)`,
    `- [OpenAPI](${baseUrl}/openapi.json)`,
    `- [${text.guides} (Markdown)](${baseUrl}/llms-full.txt)`,
  ].join("\n");
  const { lead } = guideOf("quick-start", docs);
  return paragraphs(["# Tollgate", `> ${lead}`, ...groups.flat(), `## ${text.reference}`, reference]);
}

/** All guides as one Markdown text. */
export function docsMarkdown(docs: Docs): string {
  return paragraphs(guideNames.map((name) => guideMarkdown(name, docs)));
}

/** The file of a guide, with the address and the code of this gateway, without the names of its parts. */
export function guideMarkdown(name: GuideName, docs: Docs): string {
  const { locale, baseUrl, model } = docs;
  const file = guideFile(locale, name)
    .replaceAll(/ \{#[a-z]+\}$/gm, "")
    .replaceAll("](/", `](${baseUrl}/`);
  const inserts: Record<Insert, string> = {
    example: paragraphs(codeOf(name, docs).map(clientCode)),
    answer: fenced(guideAnswers[name] ?? ""),
    call: clientCode({ client: "curl", code: snippet("curl", { baseUrl, apiKey: null, model }) }),
    fields: paragraphs(protocolFields().flatMap((table) => fieldTable(table, docs.text.fields))),
  };
  return fill(file, { ...inserts, baseUrl, variable: KEY_VARIABLE }).trimEnd();
}

/** The operations of the API with their parameters; the schemas of bodies and answers are in the OpenAPI document. */
export function referenceMarkdown({ text, baseUrl }: Docs, document: OpenApiDocument): string {
  return paragraphs([
    `# ${text.reference}`,
    `[OpenAPI](${baseUrl}/openapi.json)`,
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

/** What becomes of the fields of a protocol, on the nodes of each other one. */
function fieldTable({ client, rows }: FieldTable, text: Docs["text"]["fields"]): string[] {
  const nodes = nodeProtocols.filter((node) => node !== client);
  const heads = nodes.map((node) => fill(text.to, { protocol: protocolTitles[node] }));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const fates = rows.map((row) =>
    line([row.field, ...nodes.map((node) => text.fates[row.fates[node] ?? "dropped"])]),
  );
  const table = [line([text.field, ...heads]), `|${"---|".repeat(1 + nodes.length)}`, ...fates];
  return [`### ${protocolTitles[client]}`, table.join("\n")];
}

function clientCode({ client, code }: { client: Client; code: string }): string {
  return `${clientNames[client]}:\n\n${fenced(code)}`;
}

function fenced(code: string): string {
  return `\`\`\`\n${code}\n\`\`\``;
}

function paragraphs(all: ReadonlyArray<string | null>): string {
  return all.filter((one) => one !== null).join("\n\n");
}
