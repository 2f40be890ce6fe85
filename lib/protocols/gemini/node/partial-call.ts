import { isObject, type JsonObject } from "@/lib/kernel/json-object";

const MAX_STEPS = 64;
const MAX_INDEX = 10_000;

/** A step into a value: the name of a member, or the index of an entry. */
type Step = string | number;

/**
 * Collects a call whose arguments arrive value by value: `partialArgs` with a path and a value each; pieces of one text
 * have the same path. Source: docs/gemini.md#calls.
 */
export class PartialCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject = {};

  constructor(id: string, name: string) {
    this.id = id;
    this.name = name;
  }

  /** Adds the values of one part; values at impossible paths are left out. */
  add(partialArgs: unknown): void {
    for (const piece of Array.isArray(partialArgs) ? partialArgs : []) {
      if (!isObject(piece) || typeof piece.jsonPath !== "string") continue;
      const steps = stepsOf(piece.jsonPath);
      if (steps !== null) this.#set(steps, valueIn(piece));
    }
  }

  #set(steps: readonly Step[], value: unknown): void {
    let holder: unknown = this.args;
    for (const [at, step] of steps.entries()) {
      const next = steps[at + 1];
      if (next === undefined) put(holder, step, value);
      else holder = inside(holder, step, typeof next === "number");
    }
  }
}

function valueIn({ stringValue, numberValue, boolValue }: JsonObject): unknown {
  if (stringValue !== undefined) return stringValue;
  return numberValue !== undefined ? numberValue : (boolValue ?? null);
}

/** The steps of a path such as `$.places[0].name` or `$['two words']`; null for another form. */
function stepsOf(path: string): Step[] | null {
  const steps: Step[] = [];
  const step = /\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/y;
  step.lastIndex = path.startsWith("$") ? 1 : 0;
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (found === null || steps.length === MAX_STEPS) return null;
    const [, plain, index, single, double] = found;
    if (index !== undefined && Number(index) > MAX_INDEX) return null;
    steps.push(index === undefined ? (plain ?? single ?? double ?? "") : Number(index));
  }
  return typeof steps[0] === "string" ? steps : null;
}

function inside(holder: unknown, step: Step, isList: boolean): unknown {
  const known = get(holder, step);
  if (typeof known === "object" && known !== null) return known;
  const made: unknown = isList ? [] : {};
  store(holder, step, made);
  return made;
}

/** Stores a value; a text is added to the text before it. */
function put(holder: unknown, step: Step, value: unknown): void {
  const known = get(holder, step);
  store(holder, step, typeof known === "string" && typeof value === "string" ? known + value : value);
}

function get(holder: unknown, step: Step): unknown {
  if (Array.isArray(holder)) return typeof step === "number" ? holder[step] : undefined;
  return isObject(holder) && Object.hasOwn(holder, step) ? holder[step] : undefined;
}

function store(holder: unknown, step: Step, value: unknown): void {
  if (Array.isArray(holder) && typeof step === "number") holder[step] = value;
  else if (isObject(holder))
    Object.defineProperty(holder, step, { value, enumerable: true, writable: true, configurable: true });
}
