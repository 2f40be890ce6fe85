import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, isNull } from "drizzle-orm";
import { generateKey } from "@/lib/accounts/key-text";
import type { Database } from "@/lib/db/database";
import { apiKeys } from "@/lib/db/schema/accounts";
import { settingsTable } from "@/lib/db/schema/catalog";

/** The setting with the id of the key of the live calls. */
export const LIVE_KEY_SETTING = "demo_live_key";

const AT_ONCE = 10;
const AT_ONCE_EVERY_MS = 700;
const LATER_EVERY_MS = 15_000;
/** Calls end after eight hours, so that a forgotten demo does not fill its disk. */
const CALLS = 2000;
const CALL_TIMEOUT_MS = 30_000;

const turns = [
  { model: "sim-resilient", path: "chat/completions", text: "Which of our nodes answers this?" },
  { model: "sim-large", path: "chat/completions", text: "Sum up the incident in one sentence." },
  { model: "sim-resilient", path: "messages", text: "And which one now?" },
  { model: "claude-sim", path: "messages", text: "Write a commit message for a typo." },
] as const;

/**
 * Sends ordinary calls to this server, so that nodes, limits and logs of the demo show traffic: a few at once, then
 * four a minute for eight hours. The demo's key gets a new secret at each start, because secrets are not stored;
 * without that key, or when it is refused, no calls are sent.
 * `url`: where this server listens, e.g. `http://127.0.0.1:3000`. Resolves once no further call is made.
 */
export async function playLiveTraffic(db: Database, url: string, ended: AbortSignal): Promise<void> {
  const key = await renewLiveKey(db);
  for (let call = 0; key !== null && call < CALLS && !ended.aborted; call += 1) {
    if (!(await callOnce(url, key, turns[call % turns.length] ?? turns[0], ended))) return;
    await pause(call < AT_ONCE ? AT_ONCE_EVERY_MS : LATER_EVERY_MS, ended);
  }
}

async function renewLiveKey(db: Database): Promise<string | null> {
  const [setting] = await db.orm.select().from(settingsTable).where(eq(settingsTable.name, LIVE_KEY_SETTING));
  if (setting === undefined) return null;
  const { key, keyHash, keyPrefix } = generateKey();
  const renewed = await db.orm
    .update(apiKeys)
    .set({ keyHash, keyPrefix })
    .where(and(eq(apiKeys.id, setting.value), isNull(apiKeys.deletedAt)))
    .returning({ id: apiKeys.id });
  return renewed.length === 1 ? key : null;
}

/** False when the key is refused or the server has stopped; other failures are part of the demo. */
async function callOnce(
  url: string,
  key: string,
  turn: (typeof turns)[number],
  ended: AbortSignal,
): Promise<boolean> {
  const body = { model: turn.model, max_tokens: 200, messages: [{ role: "user", content: turn.text }] };
  try {
    const answer = await fetch(`${url}/v1/${turn.path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.any([ended, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
    });
    await answer.text();
    return answer.status !== 401 && answer.status !== 402 && answer.status !== 403;
  } catch {
    return false; // the listener is closed: the process is shutting down
  }
}

/** Waits, without keeping the process alive for it. */
function pause(ms: number, ended: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: ended, ref: false }).catch(() => undefined);
}
