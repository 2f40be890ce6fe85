"use client";

import { TextLink } from "../../ui/link";
import { useAdminUser } from "./queries";

/** The name of an account, which leads to its page. */
export function AccountLink({ id }: { id: string }) {
  const { data } = useAdminUser(id);
  return <TextLink href={`/admin/users/${id}`}>{data?.username ?? "…"}</TextLink>;
}
