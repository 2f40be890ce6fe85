import { ApiError, callApi } from "../api/client";

const TRIES = 6;
const PAUSE_MS = 500;

/**
 * The exact cents of a request, from the log, which has it soon after its end; null when it does not appear, as with
 * another account's key.
 */
export async function readCost(requestId: string): Promise<string | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      // A browser notes an entry that is not there yet as a failure, but no list without it.
      const { data } = await callApi("GET /api/user/logs", { query: { requestId, pageSize: 1 } });
      const [entry] = data;
      if (entry !== undefined || tries === TRIES) return entry?.cost ?? null;
    } catch (error) {
      if (error instanceof ApiError) return null;
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
