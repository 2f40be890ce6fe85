import { ApiError, callApi } from "../api/client";

const TRIES = 6;
const PAUSE_MS = 500;

/** The exact cents of a request, from its log entry; null when it does not appear, as with another account's key. */
export async function readCost(requestId: string): Promise<string | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await callApi("GET /api/user/logs/{requestId}", { params: { requestId } })).cost;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404 || tries === TRIES) return null;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
