import { lexer, type Token, type Tokens } from "marked";
import type { Locale } from "../i18n/locale";

// Without the option `import`: a build shortens the names of exports, and this option asks for the long ones.
const files = import.meta.glob<{ default: string }>("./guides/*/*.md", { query: "?raw", eager: true });

/** The Markdown of a guide in a language. Throws: where there is no such file. */
export function guideFile(locale: Locale, name: string): string {
  const file = files[`./guides/${locale}/${name}.md`]?.default;
  if (file === undefined) throw new Error(`There is no guide ${name} in ${locale}`);
  return file;
}

/** What a file names in place of text, in a paragraph of its own: `{example}`. */
export const inserts = ["example", "answer", "call", "fields"] as const;

export type Insert = (typeof inserts)[number];

/** A block of a guide; words between backticks are code. */
export type GuideBlock =
  | { kind: "text"; text: string }
  | { kind: "insert"; insert: Insert }
  | { kind: "links"; label: string; links: Array<{ href: string; title: string }> }
  | { kind: "list"; items: string[] }
  | { kind: "table"; head: string[]; rows: string[][] };

/** What stands below a heading of the second level, which ends with the part's anchor: `## Example {#example}`. */
export interface GuidePart {
  id: string;
  title: string;
  blocks: GuideBlock[];
}

/** A guide: a title, a sentence or some, and parts. */
export interface Guide {
  title: string;
  lead: string;
  parts: GuidePart[];
}

/** Reads the Markdown of a guide. Throws: Error that names what the pages of guides have no form for. */
export function readGuide(markdown: string): Guide {
  const [title, lead, ...rest] = lexer(markdown).filter(({ type }) => type !== "space");
  if (title?.type !== "heading" || lead?.type !== "paragraph") throw new Error(`No guide: ${markdown}`);
  const parts: GuidePart[] = [];
  for (const token of rest) {
    const part = parts.at(-1);
    if (token.type === "heading") parts.push(partOf(token as Tokens.Heading));
    else if (part !== undefined) part.blocks.push(blockOf(token));
    else throw new Error(`Before the parts of a guide: ${token.raw}`);
  }
  return { title: String(title.text), lead: String(lead.text), parts };
}

function partOf({ depth, text }: Tokens.Heading): GuidePart {
  const [, title, id] = /^(.*) \{#([a-z]+)\}$/.exec(text) ?? [];
  if (depth !== 2 || title === undefined || id === undefined) throw new Error(`No part of a guide: ${text}`);
  return { id, title, blocks: [] };
}

/** The library's type of tokens is open, so that each case names what its kind has. */
function blockOf(token: Token): GuideBlock {
  if (token.type === "paragraph") return paragraphOf(token as Tokens.Paragraph);
  if (token.type === "list") {
    const { items } = token as Tokens.List;
    return { kind: "list", items: items.map(({ text }) => text) };
  }
  if (token.type !== "table") throw new Error(`Guides have no ${token.type}: ${token.raw}`);
  const { header, rows } = token as Tokens.Table;
  const texts = (cells: Tokens.TableCell[]) => cells.map(({ text }) => text);
  return { kind: "table", head: texts(header), rows: rows.map(texts) };
}

function paragraphOf({ text, tokens }: Tokens.Paragraph): GuideBlock {
  const insert = inserts.find((name) => text === `{${name}}`);
  if (insert !== undefined) return { kind: "insert", insert };
  const links = tokens.filter((token): token is Tokens.Link => token.type === "link");
  if (links.length === 0) return { kind: "text", text };
  const [label = "", ...others] = tokens.flatMap(({ type, raw }) => (type === "link" ? [] : raw.trim()));
  if (others.some((other) => other !== "")) throw new Error(`Links within a text: ${text}`);
  return { kind: "links", label, links: links.map((link) => ({ href: link.href, title: link.text })) };
}
