import type { SourceFile } from "./source-files";
import { type SyntaxNode, syntaxOf } from "./syntax";

/** Exports that use each other, or the same declaration of their file. */
interface Subject {
  names: string[];
  lines: number;
}

interface Declaration extends Subject {
  exported: boolean;
  used: Set<string>;
}

/**
 * The subjects of a file: its exports, grouped by what they use of one another. Two exports with nothing in common stand
 * in two groups, each with the lines of all its declarations.
 */
export function subjectsOf(file: SourceFile): Subject[] {
  const groups: Declaration[] = [];
  for (const declaration of declarationsOf(file)) {
    const joined = groups.filter((group) => areRelated(group, declaration));
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push([...joined, declaration].reduce(together));
  }
  return groups.filter(({ exported }) => exported);
}

function declarationsOf(file: SourceFile): Declaration[] {
  return syntaxOf(file).body.flatMap((statement) => {
    const exported = statement.type.startsWith("Export");
    const declared = "declaration" in statement ? statement.declaration : statement;
    if (declared === null || /^(Import|Export)/.test(declared.type)) return [];
    const names = namesOf(declared);
    const lines = file.text.slice(statement.start, statement.end).split("\n").length;
    return [{ names, exported, lines, used: identifiersIn(declared) }];
  });
}

function areRelated(a: Declaration, b: Declaration): boolean {
  return (
    a.names.some((name) => b.used.has(name) || b.names.includes(name)) ||
    b.names.some((name) => a.used.has(name))
  );
}

function together(a: Declaration, b: Declaration): Declaration {
  return {
    names: [...a.names, ...b.names],
    exported: a.exported || b.exported,
    lines: a.lines + b.lines,
    used: new Set([...a.used, ...b.used]),
  };
}

function namesOf(declared: object): string[] {
  if ("id" in declared && isNode(declared.id)) return [...identifiersIn(declared.id)];
  if (!("declarations" in declared) || !Array.isArray(declared.declarations)) return [];
  return declared.declarations.flatMap(({ id }) => [...identifiersIn(id)]);
}

/** The names in a part of the tree, without the members of objects. */
function identifiersIn(part: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    if (/^(JSX)?Identifier$/.test(value.type) && "name" in value) found.add(String(value.name));
    for (const [key, child] of Object.entries(value)) if (!isMemberName(value, key)) visit(child);
  };
  visit(part);
  return found;
}

function isMemberName(node: object, key: string): boolean {
  const isComputed = "computed" in node && node.computed === true;
  const isShorthand = "shorthand" in node && node.shorthand === true;
  return (key === "property" && !isComputed) || (key === "key" && !isComputed && !isShorthand);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
