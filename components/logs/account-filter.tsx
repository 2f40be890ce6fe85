"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { callApi } from "../api/client";
import { useMessages } from "../i18n/provider";
import { Input } from "../ui/field";

const SEARCH_AFTER_MS = 250;
const MAX_ACCOUNTS = 20;

interface Account {
  id: string;
  username: string;
}

/** Chooses one account, which is found by name; null is all of them. */
export function AccountFilter(props: { account: string | null; onAccount: (id: string | null) => unknown }) {
  const text = useMessages("logs");
  const { account, onAccount } = props;
  const chosen = useChosen(account);
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState("");
  const [typing, setTyping] = useState(false);
  const list = useId();
  useEffect(() => setTyped(chosen ?? ""), [chosen]);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useAccounts(asked);
  const match = found.find((account) => account.username.toLowerCase() === typed.trim().toLowerCase());
  useEffect(() => {
    if (!typing || match === undefined) return;
    setTyping(false);
    void onAccount(match.id);
  }, [typing, match, onAccount]);
  function type(value: string) {
    setTyped(value);
    setTyping(true);
    if (value.trim() === "" && account !== null) void onAccount(null);
  }
  return (
    <>
      <Input
        type="search"
        list={list}
        className="pr-8 select-arrow placeholder:text-fg"
        aria-label={text.account}
        placeholder={text.allAccounts}
        autoComplete="off"
        value={typed}
        onChange={(event) => type(event.target.value)}
      />
      <datalist id={list}>
        {found.map((account) => (
          <option key={account.id} value={account.username} />
        ))}
      </datalist>
    </>
  );
}

/** The name of the account in the URL; null while unknown. */
function useChosen(id: string | null): string | null {
  const chosen = useQuery({
    queryKey: ["admin", "users", "one", id],
    queryFn: ({ signal }) =>
      callApi("GET /api/admin/users/{id}", { params: { id: encodeURIComponent(id ?? "") }, signal }),
    enabled: id !== null,
    placeholderData: undefined,
  });
  return id === null ? null : (chosen.data?.username ?? null);
}

function useAccounts(search: string): Account[] {
  const found = useQuery({
    queryKey: ["admin", "users", "found", search],
    queryFn: ({ signal }) =>
      callApi("GET /api/admin/users", { signal, query: { search, pageSize: MAX_ACCOUNTS } }),
    enabled: search !== "",
  });
  return search === "" ? [] : (found.data?.data ?? []);
}
