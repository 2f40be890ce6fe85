"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import { firstKeys } from "../api/first-keys";
import { planName } from "../api/plan-name";
import { keyUnder } from "../api/read";
import { useShell } from "../api/shell-facts";
import type { Plan } from "../api/types";
import { useProjects } from "../api/use-projects";
import { useRead } from "../api/use-read";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field, Select } from "../ui/field";
import { toast } from "../ui/toast";

/** Puts one of the account's keys on a plan. */
export function UsePlanDialog(props: { plan: Plan; onClose: () => void }) {
  const text = useMessages("limits").usePlan;
  const common = useMessages("common");
  const { plan, onClose } = props;
  const client = useQueryClient();
  const plans = useRead("GET /api/user/plans").data?.data ?? [];
  const isPaidByOthers = usePaidByOthers();
  const others = (useRead("GET /api/user/tokens", firstKeys).data?.data ?? []).filter(
    ({ planId, projectId }) => planId !== plan.id && !isPaidByOthers(projectId),
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const key = others.find(({ id }) => id === chosen) ?? others[0];
  const change = useMutation({
    mutationFn: (id: string) =>
      callApi("PATCH /api/user/tokens/{id}", { params: { id }, body: { planId: plan.id } }),
    onSuccess: async (changed) => {
      await client.invalidateQueries({ queryKey: keyUnder("/api/user/tokens") });
      toast.done(fill(text.done, { key: changed.name, plan: plan.name }), { record: changed.id });
      onClose();
    },
  });
  return (
    <Dialog open size="sm" onClose={onClose} title={fill(text.title, { plan: plan.name })}>
      <div className="grid gap-4">
        {key === undefined ? (
          <p>{text.none}</p>
        ) : (
          <Field label={text.key} hint={text.hint}>
            {(control) => (
              <Select
                {...control}
                value={key.id}
                options={others.map(({ id, name, planId }) => ({
                  value: id,
                  label: fill(text.keyOfPlan, { key: name, plan: planName(plans, planId) }),
                }))}
                onChange={(event) => setChosen(event.target.value)}
              />
            )}
          </Field>
        )}
        {change.error !== null && <ErrorPanel error={change.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common.cancel}</Button>
          {key !== undefined && (
            <Button variant="primary" disabled={change.isPending} onClick={() => change.mutate(key.id)}>
              {text.submit}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** Tells the keys whose plan is that of another account: those of projects that it pays. */
function usePaidByOthers(): (projectId: string | null) => boolean {
  const { username } = useShell();
  const projects = useProjects();
  return (projectId) => projects.some(({ id, payer }) => id === projectId && payer.username !== username);
}
