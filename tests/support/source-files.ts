import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SKIPPED = new Set([
  "node_modules",
  ".next",
  ".git",
  "dist",
  "data",
  "coverage",
  "test-results",
  "playwright-report",
]);

/** One file of the project. */
export interface SourceFile {
  /** From the root, with `/`. */
  path: string;
  text: string;
}

/** The files of the project whose path matches, in order of path. */
export function sourceFiles(pattern: RegExp): SourceFile[] {
  return sourcePaths()
    .filter((file) => pattern.test(file))
    .sort()
    .map((file) => ({ path: file, text: readFileSync(path.join(ROOT, file), "utf8") }));
}

/** The paths of all files of the project. */
export function sourcePaths(): string[] {
  return filesBelow("");
}

/** The text of one file, by its path from the root. */
export function sourceText(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

/** Paths from the root of what a file imports from the project itself, without extension; with how it imports it. */
export function importsOf(file: SourceFile): { target: string; typeOnly: boolean }[] {
  const found = file.text.matchAll(
    /^(?:import|export)\s([^"';]*?)\bfrom\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...found].flatMap(([, clause = "", from, dynamic]) => {
    const target = resolved(file.path, from ?? dynamic ?? "");
    return target === null ? [] : [{ target, typeOnly: clause.startsWith("type ") }];
  });
}

function resolved(importer: string, target: string): string | null {
  if (target.startsWith("@/")) return withoutExtension(target.slice(2));
  if (target.startsWith(".")) return withoutExtension(path.posix.join(path.posix.dirname(importer), target));
  return null;
}

function withoutExtension(file: string): string {
  return file.replace(/\.tsx?$/, "");
}

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(name);
    return entry.isFile() ? [name] : [];
  });
}
