"use client";

import { useEffect, useId, useState } from "react";
import { MINUTE_MS } from "@/lib/kernel/durations";
import { useRead } from "../api/use-read";
import { useMessages } from "../i18n/provider";
import { cn } from "../ui/cn";
import { Input } from "../ui/field";

const SEARCH_AFTER_MS = 250;
const MAX_ACCOUNTS = 20;
const MAX_CHOICES = 100;

interface Account {
  id: string;
  username: string;
}

/** The account that is chosen; null is none. */
interface AccountChoice {
  account: string | null;
  onAccount: (id: string | null, name?: string) => unknown;
}

/** Why the typed name filters nothing. */
type Problem = "noSuchAccount" | "severalAccounts";

/**
 * Chooses one account, which is found by name; null is all of them. Enter takes the only account that matches, or says
 * why there is none. A name that is left without a choice goes away, so that the field never shows what is not applied.
 */
export function AccountFilter(props: AccountChoice & { label?: string; placeholder?: string }) {
  const text = useMessages("logs");
  const { label = text.account, placeholder = text.allAccounts } = props;
  const { typed, type, end, found, problem } = useAccountChoice(props);
  const ids = { list: useId(), problem: useId() };
  return (
    <div className="relative">
      <Input
        type="search"
        list={ids.list}
        className={cn("pr-8 select-arrow", props.placeholder === undefined && "placeholder:text-fg")}
        aria-label={label}
        aria-invalid={problem !== null ? true : undefined}
        aria-describedby={problem === null ? undefined : ids.problem}
        placeholder={placeholder}
        autoComplete="off"
        value={typed}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && end("enter")}
        onBlur={() => end("leave")}
      />
      {problem !== null && (
        <p
          id={ids.problem}
          role="alert"
          className="absolute z-10 mt-1 w-max max-w-full rounded-md border bg-page px-2 py-1 text-xs text-danger shadow-float"
        >
          {text[problem]}
        </p>
      )}
      <datalist id={ids.list}>
        {found.map((one) => (
          <option key={one.id} value={one.username} />
        ))}
      </datalist>
    </div>
  );
}

/** What is typed, and the account that it becomes: an exact name at once, the only match when the typing ends. */
function useAccountChoice(props: AccountChoice) {
  const { account, onAccount } = props;
  const chosen = useChosen(account) ?? "";
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState("");
  const [typing, setTyping] = useState(false);
  const [ending, setEnding] = useState<"enter" | "leave" | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const wanted = typed.trim();
  useEffect(() => setTyped(chosen), [chosen]);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { found, known } = useAccounts(asked);
  const exact = found.find(({ username }) => username.toLowerCase() === wanted.toLowerCase());
  useEffect(() => {
    if (!typing || asked !== wanted || !known) return;
    const match = exact ?? (ending !== null && found.length === 1 ? found[0] : undefined);
    if (match === undefined && ending === null) return;
    setTyping(false);
    setEnding(null);
    if (match !== undefined) {
      setTyped(match.username);
      void onAccount(match.id, match.username);
    } else if (ending === "leave") setTyped(chosen);
    else setProblem(found.length === 0 ? "noSuchAccount" : "severalAccounts");
  }, [typing, asked, wanted, known, exact, ending, found, chosen, onAccount]);
  function type(value: string) {
    setTyped(value);
    setProblem(null);
    setTyping(value.trim() !== "");
    setEnding(null);
    if (value.trim() === "" && account !== null) void onAccount(null);
  }
  function end(how: "enter" | "leave") {
    if (problem !== null && how === "leave") {
      setTyped(chosen);
      setProblem(null);
    }
    if (!typing) return;
    setAsked(wanted);
    setEnding(how);
  }
  return { typed, type, end, found, problem };
}

/** The keys of an account and all nodes, as choices of a filter; empty where they are not wanted. */
export function useAdminChoices(admin: boolean, account: string | null) {
  const keys = useRead(
    "GET /api/admin/users/{id}/tokens",
    { params: { id: account ?? "" }, query: { pageSize: MAX_CHOICES } },
    { enabled: admin && account !== null, placeholderData: undefined },
  );
  const nodes = useRead(
    "GET /api/admin/nodes",
    {},
    { enabled: admin, staleTime: MINUTE_MS, refetchInterval: false },
  );
  const choices = (list: readonly { id: string; name: string }[] | undefined) =>
    (list ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return { keys: choices(keys.data?.data), nodes: choices(nodes.data?.data) };
}

/** The name of the account in the URL; null while unknown. */
function useChosen(id: string | null): string | null {
  const chosen = useRead("GET /api/admin/users/{id}", { params: { id: id ?? "" } }, { enabled: id !== null });
  return id === null ? null : (chosen.data?.username ?? null);
}

const none: Account[] = [];

/** The accounts whose name has the text in it, and whether the server has said so. */
function useAccounts(search: string): { found: Account[]; known: boolean } {
  const answer = useRead(
    "GET /api/admin/users",
    { query: { search, pageSize: MAX_ACCOUNTS } },
    { enabled: search !== "" },
  );
  if (search === "") return { found: none, known: false };
  return { found: answer.data?.data ?? none, known: answer.isSuccess && !answer.isPlaceholderData };
}
