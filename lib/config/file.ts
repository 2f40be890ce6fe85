import { readFile } from "node:fs/promises";
import path from "node:path";
import type { z } from "zod";
import { providerProblem } from "@/lib/protocols/profiles/provider";
import { type ConfigDocument, configDocument } from "./file-schema";
import { LocatedYaml, type YamlPath } from "./located-yaml";
import { StartupError } from "./startup-error";

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
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new StartupError("The configuration file cannot be read:", [`${file}: ${error.message}`]);
  });
  return parseConfig(path.basename(file), text, environment);
}

/** The checked content of a configuration file. Throws: StartupError, as `readConfigFile`. */
export function parseConfig(
  name: string,
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): ConfigFile {
  const yaml = new LocatedYaml(name, text, environment);
  refuse(yaml.problems);
  const parsed = configDocument.safeParse(yaml.value());
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
    ...repeated(document.nodes.map((node, index) => ({ name: node.name, place: ["nodes", index, "name"] }))),
    ...repeated(
      document.plans.map((plan, index) => ({ name: String(plan.id), place: ["plans", index, "id"] })),
    ),
    ...repeated(document.models.flatMap(namesOf)),
    ...document.nodes.flatMap(unprovided),
    ...document.models.flatMap(incomplete),
    ...unstorable(document, []),
  ];
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

function repeated(entries: { name: string; place: YamlPath }[]): Contradiction[] {
  const seen = new Set<string>();
  return entries.flatMap(({ name, place }) => {
    const message = `"${name}" is declared twice`;
    const isRepeated = seen.has(name);
    seen.add(name);
    return isRepeated ? [{ place, message }] : [];
  });
}

function unprovided(node: ConfigDocument["nodes"][number], index: number): Contradiction[] {
  const problem = providerProblem(node);
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
