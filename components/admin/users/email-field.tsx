"use client";

import { useDeferredValue } from "react";
import { useWatch } from "react-hook-form";
import { TextField } from "@/components/forms/fields";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { newestUsers } from "../page-reads";
import { useUsers } from "../queries";

/** The part of a list of accounts with this e-mail that is read: who has it is rarely one of many. */
const MOST_READ = 20;

/** The e-mail of an account. That others have it too is allowed, and told. */
export function EmailField(props: { ownId: string | null }) {
  const text = useMessages("adminUsers");
  const format = useFormat();
  const typed: string = useDeferredValue(useWatch({ name: "email" })).trim();
  const isWhole = /^\S+@\S+\.[A-Za-z]{2,}$/.test(typed);
  const filters = { ...newestUsers(format.timeZone), search: typed, pageSize: MOST_READ };
  const users = useUsers(filters, isWhole);
  const others = isWhole && !users.isPlaceholderData ? (users.data?.data ?? []) : [];
  const names = others
    .filter(({ id, email }) => id !== props.ownId && email.toLowerCase() === typed.toLowerCase())
    .map(({ username }) => username);
  return (
    <TextField
      name="email"
      label={text.email}
      hint={
        <span role="status">{names.length > 0 && fill(text.sharedEmail, { names: format.list(names) })}</span>
      }
      inputMode="email"
      optional
    />
  );
}
