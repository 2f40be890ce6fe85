import type { z } from "zod";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** A path as callers write it: `messages[0].content[2].type`. */
export function paramOf(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}

/** The field a zod issue is about and what would be right there. Shape: `param` is empty for the body itself. */
export function explainIssue(issue: Issue): { param: string; message: string } {
  const found = deepest(issue, []);
  return { param: paramOf(found.path), message: expectation(found.issue) };
}

interface Located {
  issue: Issue;
  path: Path;
}

// Of a union's branches the one that got furthest is the one the caller meant.
function deepest(issue: Issue, prefix: Path): Located {
  const path = [...prefix, ...issue.path];
  if (issue.code !== "invalid_union") return { issue, path };
  let best: Located = { issue, path };
  for (const branch of issue.errors) {
    const first = branch[0];
    if (first === undefined || first.path.length === 0) continue;
    const inner = deepest(first, path);
    if (inner.path.length > best.path.length) best = inner;
  }
  return best;
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return custom(issue) ?? `must be ${typeName(issue.expected)}`;
    case "too_small":
      return issue.origin === "string" || issue.origin === "array"
        ? "must not be empty"
        : `must be at least ${issue.minimum}`;
    case "too_big":
      return `must ${bound(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    default:
      return issue.message;
  }
}

// Zod's own texts begin with "Invalid" or "Expected"; ours begin with a verb.
function custom(issue: Issue): string | null {
  return /^(?:must|is) /.test(issue.message) ? issue.message : null;
}

function bound(origin: string): string {
  return origin === "array" || origin === "string" ? "have" : "be";
}

function unit(origin: string): string {
  if (origin === "array") return " entries";
  return origin === "string" ? " characters" : "";
}

function typeName(expected: string): string {
  const names: Record<string, string> = {
    array: "an array",
    object: "an object",
    int: "a whole number",
    boolean: "true or false",
  };
  return names[expected] ?? `a ${expected}`;
}
