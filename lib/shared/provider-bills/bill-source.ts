import { isKept, printJson } from "@/lib/kernel/exact-json";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { parseJson } from "@/lib/kernel/parse-json";
import { jsonErrorPlace } from "../json-error";
import { readCells } from "../read-cells";
import { BillError, type BillPlace, MAX_BILL_ROWS } from "./bill";

/** A row of a table, or an object of a JSON list; its members have names such as `amount_value`. */
export interface SourceEntry {
  /** Empty for a member that is not there, or is null. */
  text(name: string): string;
  place(name: string): BillPlace;
}

/** An export as entries, whatever its form. */
export interface BillSource {
  /** The names that at least one entry has. */
  names: ReadonlySet<string>;
  entries: SourceEntry[];
}

/** The entries of an export as CSV or JSON. Throws: BillError for a text that is neither, or too long. */
export function sourceOf(text: string): BillSource {
  const plain = text.replace(/^\uFEFF/, "").trimStart();
  if (plain === "") throw new BillError({ kind: "empty" });
  return /^[[{]/.test(plain) ? sourceOfJson(text.replace(/^\uFEFF/, "")) : sourceOfCells(readCells(text));
}

/** Heads are compared in lower case, with one line for all that is neither a letter nor a digit. */
function nameOf(head: string): string {
  return head
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_|_$/g, "");
}

function sourceOfCells([heads = [], ...rows]: string[][]): BillSource {
  const columns = new Map<string, number>();
  for (const [index, head] of heads.entries()) {
    const name = nameOf(head);
    if (name !== "" && !columns.has(name)) columns.set(name, index);
  }
  const entries = rows.flatMap((cells, index): SourceEntry[] => {
    if (cells.every((cell) => cell.trim() === "")) return [];
    const headOf = (name: string) => heads[columns.get(name) ?? -1]?.trim() ?? name;
    return [
      {
        text: (name) => (cells[columns.get(name) ?? -1] ?? "").trim(),
        place: (name) => ({ row: index + 2, column: headOf(name) }),
      },
    ];
  });
  refuseTooMany(entries.length);
  return { names: new Set(columns.keys()), entries };
}

function sourceOfJson(text: string): BillSource {
  const value = parseJson(text);
  if (value === undefined) {
    const place = jsonErrorPlace(text);
    throw new BillError({ kind: place.found === "" ? "jsonEnd" : "json", ...place });
  }
  const lists = objectsOf(value, "");
  refuseTooMany(lists.length);
  const names = new Set<string>();
  const entries = lists.map((objects): SourceEntry => {
    const members = new Map<string, Member>();
    for (const { object, path } of objects) addMembers(object, path, "", members);
    for (const name of members.keys()) names.add(name);
    const [first] = objects;
    return {
      text: (name) => members.get(name)?.text ?? "",
      place: (name) => ({ path: members.get(name)?.path ?? within(first?.path ?? "", name) }),
    };
  });
  return { names, entries };
}

interface Member {
  text: string;
  path: string;
}

interface PlacedObject {
  object: JsonObject;
  path: string;
}

/**
 * What a JSON text lists, each with what it stands in: a page has its list below `data`, a bucket of time below
 * `results`; pages can be in a list themselves.
 */
function objectsOf(value: unknown, path: string): PlacedObject[][] {
  if (Array.isArray(value)) return value.flatMap((one, index) => objectsOf(one, `${path}[${index}]`));
  if (!isObject(value)) return [];
  if (Array.isArray(value.data)) return objectsOf(value.data, within(path, "data"));
  if (!Array.isArray(value.results)) return [[{ object: value, path }]];
  const { results, ...object } = value;
  return objectsOf(results, within(path, "results")).map((objects) => [...objects, { object, path }]);
}

/** The members of an object; those of inner ones with both names: `amount.value` as `amount_value`. */
function addMembers(object: JsonObject, path: string, prefix: string, members: Map<string, Member>): void {
  for (const [member, value] of Object.entries(object)) {
    const name = prefix + nameOf(member);
    const place = within(path, member);
    if (isObject(value)) addMembers(value, place, `${name}_`, members);
    else if (!members.has(name)) members.set(name, { text: textOf(value), path: place });
  }
}

function within(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** A number as it is written. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" && !isKept(value) ? value.trim() : printJson(value);
}

function refuseTooMany(count: number): void {
  if (count > MAX_BILL_ROWS) throw new BillError({ kind: "tooMany", count });
}
