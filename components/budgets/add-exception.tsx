"use client";

import { useState } from "react";
import type { Budget } from "../api/types";
import { useAllKeys } from "../api/use-all-keys";
import { useRead } from "../api/use-read";
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
  if (budget.each === "member") return <AddMember {...props} projectId={budget.subject?.id ?? ""} />;
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

function AddMember({ projectId, ...props }: Props & { projectId: string }) {
  const text = useMessages("budgets").form;
  const space = useBudgetSpace();
  const members =
    useRead(`GET ${space}/projects/{id}/members`, { params: { id: projectId } }).data?.data ?? [];
  const choices = members.map(({ id, username }) => ({ value: id, label: username }));
  return <Choice label={text.addMember} choices={choices} {...props} />;
}

function AddOwnKey({ budget, ...props }: Props & { budget: Budget }) {
  const text = useMessages("budgets").form;
  const project = budget.scope === "project" ? (budget.subject?.id ?? null) : null;
  const keys = (useAllKeys(true).data?.data ?? []).filter(
    ({ projectId }) => project === null || projectId === project,
  );
  return (
    <Choice
      label={text.addKey}
      choices={keys.map(({ id, name }) => ({ value: id, label: name }))}
      {...props}
    />
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
      <Choice label={text.addKey} choices={keys} {...props} />
    </div>
  );
}

/** Adds what is chosen; those that are taken are not offered. */
function Choice({
  label,
  choices,
  taken,
  onAdd,
}: Props & { label: string; choices: { value: string; label: string }[] }) {
  return (
    <Select
      aria-label={label}
      value=""
      options={[{ value: "", label }, ...choices.filter(({ value }) => !taken.includes(value))]}
      onChange={({ target }) => {
        const chosen = choices.find(({ value }) => value === target.value);
        if (chosen !== undefined) onAdd({ member: chosen.value, memberName: chosen.label });
      }}
    />
  );
}
