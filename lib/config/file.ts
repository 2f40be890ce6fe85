import { readFile } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import {
  type Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from "yaml";
import type { z } from "zod";
import { workerPath } from "@/lib/kernel/worker-pool";
import { nodeProblem } from "@/lib/protocols/node-address";
import { eachOfScope } from "@/lib/shared/budget-words";
import { unreadableCertificate } from "./certificate-trouble";
import { type ConfigDocument, configDocument } from "./file-schema";
import { decodeFile } from "./file-text";
import { Placeholders, typedValue } from "./placeholders";
import { StartupError } from "./startup-error";

/** A path into the document, as zod reports it. */
export type YamlPath = readonly PropertyKey[];

/** A YAML document with the line and column of each part. */
class LocatedYaml {
  readonly #document: Document.Parsed;
  readonly #lines = new LineCounter();
  readonly #file: string;
  readonly #placeholders: Placeholders;
  /** Paths of plain scalars whose value comes from the environment, as JSON. */
  readonly #taken = new Set<string>();
  /** Every syntax problem, with its position. */
  readonly problems: string[];

  constructor(file: string, text: string, environment: Readonly<Record<string, string | undefined>>) {
    this.#file = file;
    this.#placeholders = new Placeholders(text);
    this.#document = parseDocument(this.#placeholders.text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      merge: true,
    });
    const problems = [...this.#document.errors, ...this.#document.warnings];
    this.problems = problems.map(
      (fault) => `${this.#at(fault.pos[0])} ${this.#placeholders.restore(fault.message)}`,
    );
    if (this.problems.length === 0) this.#substitute(environment);
  }

  /** The document as plain values; an empty one is an empty object. */
  value(): unknown {
    return this.#document.toJS({ maxAliasCount: 100 }) ?? {};
  }

  /** `file:line:column` of the part at a path, or of the nearest part above it. */
  at(place: YamlPath): string {
    for (let length = place.length; length > 0; length -= 1) {
      const node = this.#document.getIn(place.slice(0, length), true) as Node | undefined; // keepScalar gives nodes
      if (node?.range) return this.#at(node.range[0]);
    }
    return this.#at(0);
  }

  /** `file:line:column` of a key in the map at a path. */
  atKey(place: YamlPath, key: string): string {
    const map = place.length === 0 ? this.#document.contents : this.#document.getIn(place, true);
    const pair = isMap(map)
      ? map.items.find((item) => isScalar(item.key) && item.key.value === key)
      : undefined;
    const range = isScalar(pair?.key) ? pair.key.range : undefined;
    return range ? this.#at(range[0]) : this.at(place);
  }

  #at(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.#file}:${line}:${col}`;
  }

  #substitute(environment: Readonly<Record<string, string | undefined>>): void {
    visit(this.#document, {
      Scalar: (key, node, parents) => {
        if (typeof node.value !== "string") return;
        if (key === "key") {
          node.value = this.#placeholders.restore(node.value);
          return;
        }
        const isTaken = node.type === "PLAIN" && this.#placeholders.isIn(node.value);
        const place = pathOf(key, parents);
        node.value = this.#placeholders.fill(node.value, environment, (problem) => {
          this.problems.push(`${this.#at(node.range?.[0] ?? 0)} ${problem} (${place.join(".")})`);
        });
        if (!isTaken) return;
        if (/^(~|null)?$/.test(String(node.value))) node.value = null;
        else this.#taken.add(JSON.stringify(place));
      },
    });
  }

  /**
   * Converts values of the environment to numbers and booleans where the schema requires them. True when there were
   * any.
   */
  retype(issues: readonly z.core.$ZodIssue[]): boolean {
    let changed = false;
    for (const { path: place, ...issue } of issues) {
      if (issue.code !== "invalid_type" || !this.#taken.has(JSON.stringify(place))) continue;
      const typed = typedValue(String(this.#document.getIn(place)));
      const wanted = issue.expected === "boolean" ? "boolean" : "number";
      if (typed === undefined || typeof typed !== wanted) continue;
      this.#document.setIn(place, typed);
      changed = true;
    }
    return changed;
  }
}

/** The path of a value in the document, from the arguments of `visit`. */
function pathOf(key: unknown, parents: readonly unknown[]): PropertyKey[] {
  const place: PropertyKey[] = [];
  for (const [at, parent] of parents.entries()) {
    const next = parents[at + 1];
    if (isPair(parent)) place.push(isScalar(parent.key) ? String(parent.key.value) : "");
    else if (isSeq(parent)) place.push(next === undefined ? Number(key) : parent.items.indexOf(next));
  }
  return place;
}

/** A valid configuration file as plain data. */
export interface ConfigFile {
  document: ConfigDocument;
  /** The position of each route, e.g. `tollgate.yaml:12:9`, by model and route: its node is checked later. */
  routeLocations: string[][];
}

/**
 * Reads and checks `tollgate.yaml`.
 * Throws: StartupError with every problem and its line and column. Source: docs/contract.md#s3.
 */
export async function readConfigFile(
  file: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ConfigFile> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError("The configuration file cannot be read:", [`${file}: ${error.message}`]);
  });
  const read = decodeFile(path.basename(file), bytes);
  if ("problem" in read) throw refusal([read.problem]);
  return parseConfig(path.basename(file), read.text, environment);
}

/** The checked content of a configuration file. Throws: StartupError, as `readConfigFile`. */
export function parseConfig(
  name: string,
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): ConfigFile {
  const yaml = new LocatedYaml(name, text, environment);
  refuse(yaml.problems);
  const first = configDocument.safeParse(yaml.value());
  const parsed =
    !first.success && yaml.retype(first.error.issues) ? configDocument.safeParse(yaml.value()) : first;
  if (!parsed.success) throw refusal(parsed.error.issues.flatMap((issue) => describe(issue, yaml)));
  refuse(contradictions(parsed.data).map(({ place, message }) => `${yaml.at(place)} ${message}`));
  const routeLocations = parsed.data.models.map(({ routes }, model) =>
    routes.map((_, route) => yaml.at(["models", model, "routes", route])),
  );
  return { document: parsed.data, routeLocations };
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw refusal(problems);
}

function refusal(problems: readonly string[]): StartupError {
  return new StartupError("The configuration file is not valid:", problems);
}

function describe(issue: z.core.$ZodIssue, yaml: LocatedYaml): string[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `${yaml.atKey(issue.path, key)} unknown key ${within(issue.path)}${key}`);
  return [`${yaml.at(issue.path)} ${issue.path.join(".") || "the file"}: ${issue.message}`];
}

function within(place: YamlPath): string {
  return place.map((part) => `${String(part)}.`).join("");
}

interface Contradiction {
  place: YamlPath;
  message: string;
}

function contradictions(document: ConfigDocument): Contradiction[] {
  return [
    ...repeated(
      document.nodes.map((node, index) => ({ name: node.name, place: ["nodes", index, "name"] })),
      (name) => name.toLowerCase(),
    ),
    ...repeated(
      document.plans.map((plan, index) => ({ name: String(plan.id), place: ["plans", index, "id"] })),
    ),
    ...repeated(
      document.plans.map((plan, index) => ({ name: plan.name, place: ["plans", index, "name"] })),
      (name) => name.toLowerCase(),
    ),
    ...repeated(
      document.budgets.map((budget, index) => ({ name: budget.name, place: ["budgets", index, "name"] })),
    ),
    ...document.budgets.flatMap(misfit),
    ...repeated(document.models.flatMap(namesOf)),
    ...document.nodes.flatMap(unprovided),
    ...document.nodes.flatMap(({ ca }, index) => {
      const unreadable = unreadableCertificate(ca);
      return unreadable === null
        ? []
        : [{ place: ["nodes", index, "ca"], message: `nodes.${index}.ca: ${unreadable}` }];
    }),
    ...document.models.flatMap(incomplete),
    ...unstorable(document, []),
  ];
}

/** A budget of a plan has a counter for each, one of the platform names no plan. */
function misfit({ scope, planId, each }: ConfigDocument["budgets"][number], index: number): Contradiction[] {
  const fault = (field: string, message: string) => [
    { place: ["budgets", index, field], message: `budgets.${index}.${field}: ${message}` },
  ];
  if (scope === "plan" && planId === undefined) return fault("planId", "is required for the scope plan");
  if (scope === "platform" && planId !== undefined)
    return fault("planId", "is for budgets of the scope plan");
  if (!eachOfScope[scope].includes(each))
    return fault("each", `must be ${eachOfScope[scope].join(" or ")} for the scope ${scope}`);
  return [];
}

/** Finds NUL characters, which PostgreSQL cannot store. */
function unstorable(value: unknown, place: YamlPath): Contradiction[] {
  if (typeof value === "string")
    return value.includes("\0") ? [{ place, message: "must not have the character U+0000" }] : [];
  if (typeof value !== "object" || value === null) return [];
  const parts: [PropertyKey, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return parts.flatMap(([name, part]) => [
    ...unstorable(part, [...place, name]),
    ...(String(name).includes("\0") ? unstorable("\0", place) : []),
  ]);
}

function namesOf(model: ConfigDocument["models"][number], index: number) {
  const further = model.alsoKnownAs.map((name, n) => ({ name, place: ["models", index, "alsoKnownAs", n] }));
  return [{ name: model.alias, place: ["models", index, "alias"] }, ...further];
}

function repeated(
  entries: { name: string; place: YamlPath }[],
  sameAs: (name: string) => string = (name) => name,
): Contradiction[] {
  const seen = new Set<string>();
  return entries.flatMap(({ name, place }) => {
    const message = `"${name}" is declared twice`;
    const isRepeated = seen.has(sameAs(name));
    seen.add(sameAs(name));
    return isRepeated ? [{ place, message }] : [];
  });
}

function unprovided(node: ConfigDocument["nodes"][number], index: number): Contradiction[] {
  const problem = nodeProblem(node);
  return problem === null
    ? []
    : [
        {
          place: ["nodes", index, problem.field],
          message: `nodes.${index}.${problem.field}: ${problem.message}`,
        },
      ];
}

function incomplete(model: ConfigDocument["models"][number], index: number): Contradiction[] {
  const place = ["models", index];
  return [
    ...(model.prices === undefined ? [{ place, message: `model "${model.alias}" has no prices` }] : []),
    ...(model.routes.length === 0 ? [{ place, message: `model "${model.alias}" has no routes` }] : []),
  ];
}

/** What `config-worker` sends back: the file, or why it is invalid. */
export type ConfigAnswer = { file: ConfigFile } | { title: string; problems: readonly string[] };

/**
 * Reads and checks the file in a worker thread: a thousand aliases take half a second, which must not delay calls.
 * Throws: StartupError, as `readConfigFile`. Source: docs/contract.md#b15.
 */
export function readConfigFileInWorker(file: string): Promise<ConfigFile> {
  const worker = new Worker(workerPath("config-worker"), { workerData: file });
  return new Promise((resolve, reject) => {
    worker.once("message", (answer: ConfigAnswer) => {
      if ("file" in answer) resolve(answer.file);
      else reject(new StartupError(answer.title, answer.problems));
    });
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the worker that reads the configuration file ended early")));
  });
}
