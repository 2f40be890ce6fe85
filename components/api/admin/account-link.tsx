"use client";

import { TextLink } from "../../ui/link";
import { useShell } from "../shell-facts";
import { useRead } from "../use-read";

/** The name of an account, which leads admins to its page. */
export function AccountLink({ id }: { id: string }) {
  const { data } = useRead("GET /api/admin/users/{id}", { params: { id } });
  const name = data?.username ?? "…";
  if (!useShell().admin) return name;
  return <TextLink href={`/admin/users/${id}`}>{name}</TextLink>;
}
