"use client";

import { useState } from "react";
import type { Budget } from "../api/types";
import { useAllKeys } from "../api/use-all-keys";
import { useMessages } from "../i18n/provider";
import { AccountFilter, useAdminChoices } from "../logs/account-filter";
import { Select } from "../ui/field";
import { useBudgetSpace } from "./budget-space";

/** A member that gets a limit of its own. */
interface Added {
  member: string;
  memberName: string;
}

/** Chooses the account or key that gets a limit of its own. */
export function AddException(props: {
  budget: Budget;
  /** The members that have one. */
  taken: string[];
  onAdd: (added: Added) => void;
}) {
  const space = useBudgetSpace();
  const { budget } = props;
  if (budget.each !== "key") return <AddAccount {...props} />;
  if (space === "/api/user") return <AddOwnKey {...props} />;
  return <AddKey {...props} account={budget.scope === "account" ? (budget.subject?.id ?? null) : null} />;
}

type Props = { taken: string[]; onAdd: (added: Added) => void };

function AddAccount({ taken, onAdd }: Props) {
  const text = useMessages("budgets").form;
  return (
    <AccountFilter
      // Empty again after each.
      key={taken.length}
      label={text.addAccount}
      placeholder={text.addAccount}
      account={null}
      onAccount={(id, name) => {
        if (id !== null && name !== undefined && !taken.includes(id)) onAdd({ member: id, memberName: name });
      }}
    />
  );
}

function AddOwnKey({ taken, onAdd }: Props) {
  const keys = useAllKeys(true).data?.data ?? [];
  return (
    <KeyChoice keys={keys.map(({ id, name }) => ({ value: id, label: name }))} taken={taken} onAdd={onAdd} />
  );
}

function AddKey({ account, ...props }: Props & { account: string | null }) {
  const text = useMessages("budgets").form;
  const [chosen, setChosen] = useState(account);
  const { keys } = useAdminChoices(true, chosen);
  return (
    <div className="grid gap-2">
      {account === null && (
        <AccountFilter
          label={text.accountOfKey}
          placeholder={text.accountOfKey}
          account={chosen}
          onAccount={setChosen}
        />
      )}
      <KeyChoice keys={keys} {...props} />
    </div>
  );
}

function KeyChoice({ keys, taken, onAdd }: Props & { keys: { value: string; label: string }[] }) {
  const text = useMessages("budgets").form;
  return (
    <Select
      aria-label={text.addKey}
      value=""
      options={[{ value: "", label: text.addKey }, ...keys.filter(({ value }) => !taken.includes(value))]}
      onChange={({ target }) => {
        const key = keys.find(({ value }) => value === target.value);
        if (key !== undefined) onAdd({ member: key.value, memberName: key.label });
      }}
    />
  );
}
