import { SECOND_MS } from "@/lib/kernel/durations";
import { madePassword } from "@/lib/shared/made-password";
import type { CheckedRow } from "@/lib/shared/user-import/check-list";
import { ApiError, callApi, isOutcomeUnknown } from "../../../api/client";

export interface Made extends CheckedRow {
  password: string;
}

/** Why a row has no account; `unsure`: the answer did not arrive, so that it may have one. */
export interface NotMade extends CheckedRow {
  error: unknown;
  unsure: boolean;
}

export interface Sent {
  made: Made[];
  failed: NotMade[];
  /** Rows that were not asked for any more: somebody stopped it, or the server was not there. */
  left: CheckedRow[];
}

/** So often a row is asked for again after the server has said when. */
const MOST_WAITS = 5;

/**
 * Makes one account after the other until the signal says stop; the account that is being made is still made. It ends by
 * itself after an answer that says nothing about the row alone, such as a lost connection.
 */
export async function sendList(
  rows: readonly CheckedRow[],
  signal: AbortSignal,
  onProgress: (sent: Sent) => void,
  create: (row: CheckedRow, password: string) => Promise<unknown> = createOne,
): Promise<Sent> {
  let sent: Sent = { made: [], failed: [], left: [...rows] };
  while (sent.left.length > 0 && !signal.aborted) {
    const [row, ...left] = sent.left;
    if (row === undefined) break;
    const password = madePassword();
    const error = await patiently(() => create(row, password), signal);
    if (error === null) sent = { ...sent, made: [...sent.made, { ...row, password }], left };
    else if (error === "stopped") break;
    else {
      const failed = { ...row, error, unsure: isOutcomeUnknown(error) };
      sent = { ...sent, failed: [...sent.failed, failed], left };
    }
    onProgress(sent);
    if (error !== null && !isOfRow(error)) break;
  }
  return sent;
}

function createOne({ body }: CheckedRow, password: string) {
  return callApi("POST /api/admin/users", { body: { ...body, password } });
}

/** A refusal of this account; the next one may be taken. */
function isOfRow(error: unknown): boolean {
  return error instanceof ApiError && (error.code === "CONFLICT" || error.code === "INVALID_REQUEST");
}

/** Waits as long as the server asks for. Null: it is done. */
async function patiently(make: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  for (let waits = 0; ; waits += 1) {
    try {
      await make();
      return null;
    } catch (error) {
      const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfterSeconds : null;
      if (seconds === null || waits === MOST_WAITS) return error;
      await pause(seconds * SECOND_MS, signal);
      if (signal.aborted) return "stopped";
    }
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
