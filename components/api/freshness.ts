import { MINUTE_MS, SECOND_MS } from "@/lib/kernel/durations";
import type { ReadName } from "./read";

/** How fresh the answers of an operation are kept, where that is not as for most of them. */
export interface Freshness {
  /** So old they may be when they are shown. */
  staleTime?: number;
  /** So often they are read again. */
  refetchInterval?: number;
  refetchOnWindowFocus?: false;
  /** Undefined: what was answered for something else is not shown meanwhile. */
  placeholderData?: undefined;
}

/** The operations whose answers are kept fresher or less fresh than most. */
export const freshness: { readonly [Name in ReadName]?: Freshness } = {
  "GET /api/user/self": { refetchInterval: MINUTE_MS },
  "GET /api/user/tokens": { refetchInterval: MINUTE_MS },
  "GET /api/user/tokens/{id}/limits": { refetchInterval: 5 * SECOND_MS },
  "GET /api/user/budgets": { refetchInterval: MINUTE_MS },
  "GET /api/user/budgets/{id}": { refetchInterval: MINUTE_MS, placeholderData: undefined },
  "GET /api/user/logins": { refetchInterval: MINUTE_MS },
  "GET /api/user/models": { staleTime: MINUTE_MS },
  "GET /api/user/models/uptime": { refetchInterval: MINUTE_MS },
  "GET /api/user/plans": { staleTime: MINUTE_MS },
  "GET /api/user/announcements": { refetchInterval: 5 * MINUTE_MS },
  "GET /api/user/stats": { refetchInterval: MINUTE_MS },
  "GET /api/user/logs/volume": { refetchInterval: MINUTE_MS },
  "GET /api/user/logs/{requestId}": { staleTime: MINUTE_MS, placeholderData: undefined },
  "GET /api/admin/stats": { refetchInterval: MINUTE_MS },
  "GET /api/admin/logs/volume": { refetchInterval: MINUTE_MS },
  "GET /api/admin/logs/{requestId}": { staleTime: MINUTE_MS, placeholderData: undefined },
  "GET /api/admin/margin": { refetchInterval: MINUTE_MS },
  "GET /api/admin/nodes": { refetchInterval: 3 * SECOND_MS, staleTime: 0 },
  "GET /api/admin/nodes/{id}": { refetchInterval: 10 * SECOND_MS, placeholderData: undefined },
  "GET /api/admin/nodes/{id}/models": { staleTime: 5 * MINUTE_MS, placeholderData: undefined },
  "GET /api/admin/nodes/{id}/stats": { refetchInterval: MINUTE_MS },
  "GET /api/admin/budgets": { refetchInterval: MINUTE_MS },
  "GET /api/admin/budgets/{id}": { refetchInterval: MINUTE_MS, placeholderData: undefined },
  "GET /api/admin/refusals": { refetchInterval: 10 * SECOND_MS, staleTime: 0 },
  "GET /api/admin/users/{id}": { placeholderData: undefined },
};
