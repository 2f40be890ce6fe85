"use client";

import type { AdminUser } from "../../api/admin/types";
import { fill } from "../../i18n/fill";
import { useMessages } from "../../i18n/provider";
import type { AdminCall, Change } from "../use-admin-change";
import { bodyBefore } from "./bulk-done";

/** What suspends an account and what lifts that, each of which takes the other back. */
export function useStatusChange(user: AdminUser): { suspended: string; lift: Change; again: Change } {
  const text = useMessages("adminUsers");
  const suspended = fill(text.suspended, { name: user.username });
  const change = (body: NonNullable<ReturnType<typeof bodyBefore>>, done: string): Change => ({
    send: (call: AdminCall) => call("PATCH /api/admin/users/{id}", { params: { id: user.id }, body }),
    done,
  });
  return {
    suspended,
    lift: change({ status: "active" }, fill(text.reactivated, { name: user.username })),
    again: change(bodyBefore(user, { status: "active" }) ?? { status: "suspended" }, suspended),
  };
}
