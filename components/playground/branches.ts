import { type Exchange, outcomeOf } from "./conversation";

/** A message that takes the place of exchanges, which stay as another branch unless all that they have is a failure. */
export function branched(message: Exchange, replaced: readonly Exchange[]): Exchange {
  const [first] = replaced;
  if (first === undefined) return message;
  if (replaced.length === 1 && outcomeOf(first) === "failed")
    return first.branches === undefined ? message : { ...message, branches: first.branches };
  const { all, at } = first.branches ?? { all: [[]], at: 0 };
  const kept = all.map((branch, place) => (place === at ? withoutBranches(replaced) : branch));
  return { ...message, branches: { at: kept.length, all: [...kept, []] } };
}

/** The exchanges with another branch from one of them on. */
export function switched(exchanges: readonly Exchange[], id: string, to: number): readonly Exchange[] {
  const place = exchanges.findIndex((exchange) => exchange.id === id);
  const shown = exchanges.slice(Math.max(0, place));
  const branches = shown[0]?.branches;
  const [first, ...rest] = branches?.all[to] ?? [];
  if (place < 0 || branches === undefined || first === undefined) return exchanges;
  const all = branches.all.map((branch, position) => {
    if (position === to) return [];
    return position === branches.at ? withoutBranches(shown) : branch;
  });
  return [...exchanges.slice(0, place), { ...first, branches: { at: to, all } }, ...rest];
}

/** The exchanges of all branches, changed. */
export function inBranches(exchange: Exchange, change: (exchange: Exchange) => Exchange): Exchange {
  const changed = change(exchange);
  const { branches } = exchange;
  if (branches === undefined) return changed;
  const all = branches.all.map((branch) => branch.map((each) => inBranches(each, change)));
  return { ...changed, branches: { at: branches.at, all } };
}

/** Exchanges with those of their other branches. */
export function allExchanges(exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.flatMap((exchange) => [
    exchange,
    ...(exchange.branches?.all ?? []).flatMap((branch) => allExchanges(branch)),
  ]);
}

/** Shorter by the oldest part: the other branches of the first exchange, else that exchange. */
export function shorter(exchanges: readonly Exchange[]): readonly Exchange[] {
  const [first, ...rest] = exchanges;
  if (first?.branches === undefined) return rest;
  const { branches: _branches, ...alone } = first;
  return [alone, ...rest];
}

/** The branches of its first exchange are those of the place where it stands. */
function withoutBranches(branch: readonly Exchange[]): readonly Exchange[] {
  return branch.map(({ branches, ...exchange }, place) =>
    place === 0 || branches === undefined ? exchange : { ...exchange, branches },
  );
}
