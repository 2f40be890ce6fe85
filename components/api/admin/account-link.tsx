"use client";

import { TextLink } from "../../ui/link";
import { useRead } from "../use-read";

/** The name of an account, which leads to its page. */
export function AccountLink({ id }: { id: string }) {
  const { data } = useRead("GET /api/admin/users/{id}", { params: { id } });
  return <TextLink href={`/admin/users/${id}`}>{data?.username ?? "…"}</TextLink>;
}
