"use client";

import { clientProtocols } from "@/lib/protocols/protocol";
import { useShell } from "../api/shell-facts";
import { useFilterKeys } from "../api/use-filter-keys";
import { useProjectChoice } from "../api/use-project-choice";
import { useRead } from "../api/use-read";
import { useKeyChoice } from "../i18n/key-name";
import { UNKNOWN_MODEL, useModelName } from "../i18n/model-name";
import { useMessages } from "../i18n/provider";
import type { Filter } from "../lists/filters";
import { AccountFilter, useAdminChoices } from "./account-filter";
import {
  attemptChoices,
  errorCodes,
  modes,
  offeredStatuses,
  operations,
  outcomes,
  spanMs,
  spans,
} from "./choices";
import { useClientNames } from "./client-name";
import { CountedFilter, type CountedName } from "./counted-filter";
import type { LogSource } from "./log-rows";
import type { LogFilterName, UrlLogFilters } from "./use-log-filters";

/** All filters of the log; that of all accounts is filtered by account instead of by key. */
export function useLogFilterBar(filters: UrlLogFilters, source: LogSource): Filter<LogFilterName>[] {
  const text = useMessages("logs");
  const { admin } = source;
  const whose = useWhoseFilters(filters, admin);
  const modelName = useModelName();
  const models = useRead("GET /api/user/models").data?.data.map(({ id }) => id) ?? [];
  const labelled = <Value extends string>(values: readonly Value[], labels: Record<Value, string>) =>
    values.map((value) => ({ value, label: labels[value] }));
  return [
    { kind: "search", name: "find", label: text.requestIdSearch, hint: text.requestIdHint, mono: true },
    {
      kind: "dates",
      from: "from",
      to: "to",
      unit: "moment",
      labels: { from: text.from, to: text.to },
      spans: {
        name: "last",
        label: text.range,
        any: text.ranges.any,
        custom: text.ranges.custom,
        options: spans.map((value) => ({ value, label: text.ranges[value], lengthMs: spanMs[value] })),
      },
    },
    ...whose,
    {
      kind: "select",
      name: "model",
      label: text.model,
      all: text.allModels,
      options: [...models, UNKNOWN_MODEL].map((value) => ({ value, label: modelName(value) })),
    },
    {
      kind: "select",
      name: "outcome",
      also: ["status", "attempts"],
      label: text.status,
      options: [
        { value: "success", label: text.statuses.success },
        ...labelled(outcomes, text.outcomes),
        ...labelled(offeredStatuses, text.statuses),
        ...labelled(admin ? attemptChoices : ownAttemptChoices, text.attemptChoices),
      ],
    },
    ...useCountedFilters(filters, source),
    { rare: true, kind: "number", name: "min", label: text.minLatency },
    { rare: true, kind: "number", name: "cost", label: text.minCost, money: true },
  ];
}

/** The values that requests have, with how often they occur. */
function useCountedFilters(filters: UrlLogFilters, source: LogSource): Filter<LogFilterName>[] {
  const text = useMessages("logs");
  const clientNames = useClientNames();
  const counted = (
    name: CountedName,
    label: string,
    known: readonly string[],
    words: Readonly<Record<string, string>> = {},
  ): Filter<LogFilterName> => {
    const valueText = (value: string) => words[value] ?? value;
    const shared = { name, label, valueText };
    const element = <CountedFilter {...shared} filters={filters} path={source.logs} known={known} />;
    return { ...shared, rare: true, kind: "other", element };
  };
  return [
    counted("protocol", text.detail.protocol, clientProtocols),
    counted("mode", text.detail.mode, modes, { streamed: text.streamed, whole: text.whole }),
    counted("http", text.httpStatus, []),
    counted("code", text.errorCode, errorCodes),
    counted("client", text.detail.client, [], clientNames),
    counted("operation", text.operation, operations, text.operations),
  ];
}

/** An account sees no nodes: of its own requests, those with a failed attempt have failed or took several. */
const ownAttemptChoices = attemptChoices.filter((choice) => choice !== "failedAttempt");

/** The account, for admins with its keys and the node, of all accounts; or the keys of one's own. */
function useWhoseFilters(
  { url, list }: Pick<UrlLogFilters, "url" | "list">,
  admin: boolean,
): Filter<LogFilterName>[] {
  const text = useMessages("logs");
  const keyChoice = useKeyChoice();
  const own = useFilterKeys(!admin).map((key) => ({ value: key.id, label: keyChoice(key) }));
  const seesNodes = useShell().admin;
  const others = useAdminChoices(admin && seesNodes, url.user);
  const common = useMessages("common").projects;
  const options = useProjectChoice(admin, url.project);
  const named = { kind: "select", name: "project", label: common.label, all: common.all, options } as const;
  const member = { kind: "select", name: "member", label: common.member, all: common.allMembers } as const;
  const one = url.member === null ? [] : [{ value: url.member, label: common.oneMember }];
  const projects = [
    ...(options.length === 0 ? [] : [{ ...named, rare: admin }]),
    ...(one.length === 0 ? [] : [{ ...member, options: one }]),
  ];
  const keys = { kind: "select", name: "key", label: text.key, all: text.allKeys } as const;
  if (!admin) return [...projects, { ...keys, options: own }];
  const account = <AccountFilter account={url.user} onAccount={(user) => list.set({ user, key: null })} />;
  const node: Filter<LogFilterName> = {
    rare: true,
    kind: "select",
    name: "node",
    label: text.triedNode,
    all: text.allNodes,
    options: others.nodes,
  };
  const chosen = url.user !== null || url.key !== null;
  return [
    { kind: "other", name: "user", element: account },
    ...projects,
    ...(chosen && seesNodes ? [{ ...keys, options: others.keys }] : []),
    ...(seesNodes ? [node] : []),
  ];
}
