import { modelKey } from "../model-names";
import type { BillRow } from "./bill";

/** What went through this gateway to one node under one alias on one day. Source: docs/contract.md#provider-bill. */
export interface OurDay {
  day: string;
  nodeId: string;
  /** The alias. */
  model: string;
  /** What the routes of the alias to the node call it now; none: they are gone. */
  upstreamModels: readonly string[];
  attemptCount: number;
  failureCount: number;
  costedCount: number;
  promptTokens: number;
  completionTokens: number;
  /** Cents as decimal text; null: not known of any request. */
  cost: string | null;
}

/** Names that stand for one model: those of a vendor, and the aliases whose requests it answers. */
export interface ModelGroup {
  keys: Set<string>;
  /** By the vendor. */
  names: Set<string>;
  upstream: Set<string>;
  aliases: Set<string>;
}

/** Finds the group of a row on either side. */
interface ModelGroups {
  ofBill(row: BillRow): ModelGroup;
  ofOurs(row: OurDay): ModelGroup;
}

/**
 * Sorts the rows of both sides into models. An alias with several upstream models at one node is one row with all of
 * them, because its tokens are not known by upstream model.
 */
export function modelGroups(bill: readonly BillRow[], ours: readonly OurDay[]): ModelGroups {
  const byKey = new Map<string, ModelGroup>();
  for (const row of ours) {
    const names = namesOf(row);
    const group = groupWith(byKey, names.map(modelKey));
    for (const name of names) group.upstream.add(name);
    group.aliases.add(row.model);
  }
  for (const { model } of bill) groupWith(byKey, [modelKey(model)]).names.add(model);
  const find = (name: string) => groupWith(byKey, [modelKey(name)]);
  return {
    ofBill: ({ model }) => find(model),
    ofOurs: (row) => find(namesOf(row)[0] ?? row.model),
  };
}

/** The name of a group: the shortest of the vendor, else of the routes. */
export function labelOf({ names, upstream }: ModelGroup): string {
  const [shortest = ""] = [...(names.size > 0 ? names : upstream)].sort(
    (a, b) => a.length - b.length || (a < b ? -1 : 1),
  );
  return shortest;
}

function namesOf({ model, upstreamModels }: OurDay): readonly string[] {
  return upstreamModels.length > 0 ? upstreamModels : [model];
}

/** The group that has these keys, made of all that have one of them. */
function groupWith(byKey: Map<string, ModelGroup>, keys: readonly string[]): ModelGroup {
  const found = keys.map((key) => byKey.get(key)).filter((group) => group !== undefined);
  const group = found[0] ?? { keys: new Set(), names: new Set(), upstream: new Set(), aliases: new Set() };
  for (const other of found) {
    if (other === group) continue;
    for (const part of ["keys", "names", "upstream", "aliases"] as const)
      for (const name of other[part]) group[part].add(name);
  }
  for (const key of keys) group.keys.add(key);
  for (const key of group.keys) byKey.set(key, group);
  return group;
}
