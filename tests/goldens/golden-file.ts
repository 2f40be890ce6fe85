import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const HASH_CHARACTERS = 12;
const mode = process.env.GOLDENS ?? "compare";
const dumpRoot = process.env.GOLDENS_DIR ?? path.join(tmpdir(), "tollgate-goldens");

/** Told with a difference. */
export const howToLocate =
  "Run the file with GOLDENS=dump GOLDENS_DIR=<a directory> in this checkout and in the one before, then diff -r the two.";

/** Takes one output of a case, as JSON or as text; `label` says which of its combinations it is. */
export type Note = (label: string, output: unknown) => void;

/**
 * The hashes of a file of goldens. `GOLDENS=record` writes them anew; `GOLDENS=dump` writes each case's outputs in full
 * to a directory (`GOLDENS_DIR`), so that those of two checkouts can be compared line by line.
 */
export class Goldens {
  readonly #file: string;
  readonly #name: string;
  readonly #found: Record<string, string> = {};

  constructor(name: string) {
    this.#name = name;
    this.#file = path.join(import.meta.dirname, "hashes", `${name}.json`);
  }

  /** Runs one case, or a group of them, and keeps the hash of all that it notes. */
  async run(name: string, cases: (note: Note) => void | Promise<void>): Promise<void> {
    const hash = createHash("sha256");
    const lines: string[] = [];
    await cases((label, output) => {
      const line = `${label} ${typeof output === "string" ? output : JSON.stringify(output)}\n`;
      hash.update(line);
      if (mode === "dump") lines.push(line);
    });
    this.#found[name] = hash.digest("hex").slice(0, HASH_CHARACTERS);
    if (mode === "dump") this.#dump(name, lines);
  }

  /** The cases whose outputs are not what they were, are new, or are gone. */
  differences(): string[] {
    if (mode === "dump") return [];
    if (mode === "record") {
      writeFileSync(this.#file, `${JSON.stringify(this.#found, null, 2)}\n`);
      return [];
    }
    const recorded: Record<string, string> = existsSync(this.#file)
      ? JSON.parse(readFileSync(this.#file, "utf8"))
      : {};
    const names = new Set([...Object.keys(recorded), ...Object.keys(this.#found)]);
    return [...names].filter((name) => recorded[name] !== this.#found[name]);
  }

  #dump(name: string, lines: string[]): void {
    const directory = path.join(dumpRoot, this.#name);
    mkdirSync(directory, { recursive: true });
    writeFileSync(path.join(directory, `${name.replace(/[^\w.-]+/g, "_")}.txt`), lines.join(""));
  }
}
