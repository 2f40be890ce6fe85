"use client";

import { Boxes, KeyRound, type LucideIcon, ScrollText } from "lucide-react";
import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { withQuery } from "../api/client";
import { useShell } from "../api/shell-facts";
import { useAllKeys } from "../api/use-all-keys";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { adminSpace } from "./admin-space";
import { spaceOf } from "./navigation";
import { useOpenPage } from "./offline";
import { nameAfter, rowsNamed, useAdminRecords } from "./use-admin-records";
import type { Command } from "./use-commands";

const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ASK_AFTER_MS = 250;
const SHORTEST = 2;

/**
 * The account's keys, the models and the request that a text names, for admins also accounts, nodes and models of the
 * admin pages; asked for when the typing pauses. After "logs of" a key or a model leads to its requests.
 */
export function useFoundRecords(typed: string): { found: Command[]; searching: boolean } {
  const text = useMessages("shell");
  const format = useFormat();
  const open = useOpenPage();
  const { admin, role } = useShell();
  const wanted = typed.trimStart();
  const asked = usePaused(wanted);
  const isId = REQUEST_ID.test(asked.trim());
  const logsOf = nameAfter(asked, text.logsOf.words);
  const isName = !isId && asked.trim().length >= SHORTEST;
  const keys = useAllKeys(isName);
  const models = useRead("GET /api/user/models", {}, { enabled: isName });
  const ofAdmin = useAdminRecords(asked, admin && isName);
  const adminFirst = spaceOf(usePathname(), role) === adminSpace;
  const path = admin ? "/api/admin/logs" : "/api/user/logs";
  const requests = useRead(
    `GET ${path}`,
    { query: { requestId: asked.trim().toLowerCase(), pageSize: 1 } },
    { enabled: isId },
  );
  const named = <Row>(rows: Row[] | undefined, namesOf: (row: Row) => string[]) =>
    isName ? rowsNamed(rows, logsOf ?? asked.trim(), namesOf) : [];
  const shown = (name: string, icon: LucideIcon) =>
    logsOf === null ? { label: name, icon } : { label: fill(text.logsOf.label, { name }), icon: ScrollText };
  const logsHere = adminFirst ? "/admin/logs" : "/console/logs";
  const logs = admin ? "/admin/logs" : "/console/logs";
  const ofConsole: Command[] = [
    ...named(models.data?.data, ({ id, displayName }) => [id, displayName]).map(({ id }) => ({
      id: `model-${id}`,
      ...shown(id, Boxes),
      keywords: "",
      note: text.models,
      run: () => open(withQuery(logsOf === null ? "/console/models" : logsHere, { model: id })),
    })),
    ...named(keys.data?.data, ({ name, keyPrefix }) => [name, keyPrefix]).map((key) => ({
      id: `key-${key.id}`,
      ...shown(key.name, KeyRound),
      keywords: "",
      note: `${key.keyPrefix}…`,
      run: () => open(withQuery(logsOf === null ? "/console/keys" : "/console/logs", { key: key.id })),
    })),
    ...(isId ? (requests.data?.data ?? []) : []).map((entry) => ({
      id: `request-${entry.requestId}`,
      label: entry.model,
      keywords: "",
      icon: ScrollText,
      note: format.dateTime(entry.createdAt),
      run: () => open(withQuery(logs, { request: entry.requestId })),
    })),
  ];
  const inSpace = (records: Command[], elsewhere: boolean) =>
    records.map((record) => ({ ...record, elsewhere }));
  const found = [...inSpace(ofAdmin.found, !adminFirst), ...inSpace(ofConsole, adminFirst)];
  const isAsking = isName
    ? keys.isFetching || models.isFetching || ofAdmin.asking
    : isId && requests.isFetching;
  const waits = wanted !== asked && wanted.trim().length >= SHORTEST;
  return { found: waits ? [] : found, searching: waits || isAsking };
}

/** A text as it was when it last did not change for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), ASK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
