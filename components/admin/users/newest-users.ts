import { PAGE_SIZE } from "../../lists/page-size";

/** The first page of the accounts in use, the newest first; `tz` is the zone of the days that are summed up. */
export function newestUsers(tz: string) {
  return { status: "current", sort: "createdAt", order: "desc", tz, page: 1, pageSize: PAGE_SIZE };
}
