import type { ApiInput } from "@/lib/api/routes";
import type { AdminUser } from "../../api/admin/types";
import { callApi } from "../../api/client";

const MOST_AT_ONCE = 100;

/** Every account that filters find, page by page. */
export async function readAllUsers(filters: ApiInput<"GET /api/admin/users">["query"]): Promise<AdminUser[]> {
  const found = new Map<string, AdminUser>();
  for (let page = 1; ; page += 1) {
    const query = { ...filters, page, pageSize: MOST_AT_ONCE };
    const { data, total } = await callApi("GET /api/admin/users", { query });
    for (const user of data) found.set(user.id, user);
    if (total === null || page * MOST_AT_ONCE >= total) return [...found.values()];
  }
}
