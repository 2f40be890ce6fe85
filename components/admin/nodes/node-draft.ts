import { asTyped, typedText, typedWhole } from "@/lib/shared/typed";
import type { NodeView } from "../../api/admin/types";
import { credentialBody, credentialDraftOf } from "./credential-draft";

/** The time limits of a node. */
export const timeoutNames = ["connectMs", "firstByteMs", "responseMs", "idleMs", "totalMs"] as const;

/** The fields of a node's form, as typed. The stored key is never loaded. */
export type NodeDraft = ReturnType<typeof draftOf>;

/** The form filled from a node, or empty. */
export function draftOf(node: NodeView | null) {
  const { connectMs, firstByteMs, responseMs, idleMs, totalMs } = node?.timeouts ?? {};
  return {
    name: node?.name ?? "",
    /** Empty: found by the host. */
    provider: node?.provider ?? "",
    protocol: node?.protocol ?? "chat",
    baseUrl: node?.baseUrl ?? "",
    apiKey: "",
    credential: credentialDraftOf(node?.credential ?? null),
    clearKey: false,
    enabled: node?.enabled ?? true,
    maxConcurrency: asTyped(node?.maxConcurrency),
    proxy: node?.proxy ?? "",
    ca: node?.ca ?? "",
    headers: Object.entries(node?.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n"),
    timeouts: {
      connectMs: asTyped(connectMs),
      firstByteMs: asTyped(firstByteMs),
      responseMs: asTyped(responseMs),
      idleMs: asTyped(idleMs),
      totalMs: asTyped(totalMs),
    },
  };
}

/** A node as sent. Without a typed key the stored one stays; an empty time limit is the default. */
export function nodeBody(draft: NodeDraft) {
  const timeouts = timeoutNames.map((name) => [name, typedWhole(draft.timeouts[name])] as const);
  return {
    name: typedText(draft.name),
    provider: draft.provider || null,
    protocol: draft.protocol,
    baseUrl: typedText(draft.baseUrl),
    ...credentialsOf(draft),
    enabled: draft.enabled,
    maxConcurrency: typedWhole(draft.maxConcurrency) ?? null,
    proxy: typedText(draft.proxy) ?? null,
    ca: typedText(draft.ca) ?? null,
    headers: typedHeaders(draft.headers),
    timeouts: Object.fromEntries(timeouts.filter(([, value]) => value !== undefined)),
  };
}

/** What is stored stays where nothing is typed; removed is what the form shows. */
function credentialsOf({ apiKey, credential, clearKey }: NodeDraft): {
  apiKey?: unknown;
  credential?: unknown;
} {
  const isKey = credential.kind === "key";
  if (clearKey) return isKey ? { apiKey: null } : { credential: null };
  return isKey ? { apiKey: typedText(apiKey) } : { credential: credentialBody(credential) };
}

/** Whether a node at an address of the internet is about to have no credential, as a new one or because it is removed. */
export function lacksKey(draft: NodeDraft, node: NodeView | null): boolean {
  if (draft.credential.kind !== "key" && !draft.clearKey) return false;
  const keepsKey = node?.hasApiKey === true && (node.credential?.kind ?? "key") === "key" && !draft.clearKey;
  const hadNone = node !== null && !node.hasApiKey;
  // An address that still has a placeholder is refused, with a key or without.
  const isRemote = /^\s*https:[^{]*$/i.test(draft.baseUrl);
  return isRemote && !keepsKey && !hadNone && draft.apiKey.trim() === "" && draft.headers.trim() === "";
}

/** Lines of `Name: value`; the text as it is when a line is none. */
function typedHeaders(typed: string): Record<string, string> | string {
  const headers: Record<string, string> = {};
  for (const line of typed.split("\n").filter((candidate) => candidate.trim() !== "")) {
    const match = /^\s*([A-Za-z0-9-]+)\s*:\s*(.*?)\s*$/.exec(line);
    if (match?.[1] === undefined) return typed;
    headers[match[1]] = match[2] ?? "";
  }
  return headers;
}
