import { parseAst } from "vite";
import type { SourceFile } from "./source-files";

/** A node of a file's syntax tree, with its place in the text. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  argument?: { type: string } | null;
}

/** All nodes of a file's syntax tree, a parent before its children. */
export function nodesOf(file: SourceFile): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    if (isNode(value)) nodes.push(value);
    Object.values(value).forEach(visit);
  };
  visit(syntaxOf(file));
  return nodes;
}

/** The syntax tree of a TypeScript or JavaScript file. */
export function syntaxOf(file: SourceFile): ReturnType<typeof parseAst> {
  return parseAst(file.text, { lang: file.path.endsWith("x") ? "tsx" : "ts" });
}

function isNode(value: object): value is SyntaxNode {
  return "type" in value && typeof value.type === "string" && "start" in value && "end" in value;
}
