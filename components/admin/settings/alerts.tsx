"use client";

import { useMutation } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import type { AdminSettings } from "../../api/admin/types";
import { ErrorPanel } from "../../api/error-panel";
import { QueryRegion } from "../../api/query-region";
import { useRead } from "../../api/use-read";
import { CheckField, TextField } from "../../forms/fields";
import { RecordForm } from "../../forms/record-form";
import { fill } from "../../i18n/fill";
import { useFormat, useMessages } from "../../i18n/provider";
import { Button } from "../../ui/button";
import { Card, Facts } from "../../ui/card";
import { Status } from "../../ui/status";
import { toast } from "../../ui/toast";
import { useAdminCall } from "../use-admin-change";

const METRICS = "/metrics";

/** Where the gateway tells that a node or a model fails. */
export function Alerts() {
  const text = useMessages("adminSettings").alerts;
  const settings = useRead("GET /api/admin/settings");
  const [before, after] = text.metrics.split("{path}");
  return (
    <Card title={text.title}>
      <div className="grid gap-4">
        <p className="prose-width text-sm text-muted">{text.lead}</p>
        <QueryRegion query={settings}>
          {(stored) => (
            <>
              <AddressForm key={stored.alertUrl} host={stored.alertUrl} />
              <AlertTest stored={stored} />
            </>
          )}
        </QueryRegion>
        <p className="prose-width text-sm text-muted">
          {before}
          <code>{METRICS}</code>
          {after}
        </p>
      </div>
    </Card>
  );
}

interface Draft {
  alertUrl: string;
  clear: boolean;
}

/** Of a stored address only its host is known here. */
function AddressForm({ host }: { host: string | null }) {
  const text = useMessages("adminSettings").alerts;
  const common = useMessages("common");
  const call = useAdminCall();
  return (
    <div className="max-w-lg">
      <RecordForm
        operation="PATCH /api/admin/settings"
        record={{ alertUrl: host }}
        call={call}
        initial={{ alertUrl: "", clear: false }}
        toBody={({ alertUrl, clear }: Draft) => {
          if (clear) return { alertUrl: null };
          return alertUrl.trim() === "" ? {} : { alertUrl: alertUrl.trim() };
        }}
        onSent={() => toast.done(text.saved)}
        submitLabel={common.save}
      >
        <AddressFields host={host} />
      </RecordForm>
    </div>
  );
}

function AddressFields({ host }: { host: string | null }) {
  const text = useMessages("adminSettings").alerts;
  const clear = useWatch<Draft, "clear">({ name: "clear" });
  return (
    <>
      <TextField<Draft>
        name="alertUrl"
        optional
        label={text.label}
        hint={host === null ? text.hint : fill(text.kept, { host })}
        autoComplete="off"
        spellCheck={false}
        disabled={clear}
      />
      {host !== null && <CheckField<Draft> name="clear" label={text.clear} />}
    </>
  );
}

/** Sends a test, and shows how the latest alert ended. */
function AlertTest({ stored }: { stored: AdminSettings }) {
  const text = useMessages("adminSettings").alerts;
  const format = useFormat();
  const call = useAdminCall();
  const test = useMutation({ mutationFn: () => call("POST /api/admin/settings/alert-test") });
  const last = stored.lastAlert;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={stored.alertUrl === null || test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? text.testing : text.test}
        </Button>
        {stored.alertUrl === null && <p className="text-xs text-muted">{text.none}</p>}
      </div>
      <div aria-live="polite" className="grid gap-2">
        {test.isError && <ErrorPanel error={test.error} />}
        <Facts
          rows={[
            [
              text.last,
              last === null ? (
                text.neverSent
              ) : (
                <span key="last" className="grid">
                  <Result last={last} />
                  <span className="text-xs text-muted">
                    {text.events[last.event]} · {format.dateTime(last.at)}
                  </span>
                </span>
              ),
            ],
          ]}
        />
      </div>
    </div>
  );
}

function Result({ last }: { last: NonNullable<AdminSettings["lastAlert"]> }) {
  const text = useMessages("adminSettings").alerts;
  const status = last.status ?? "–";
  if (last.problem === null) return <Status tone="normal">{fill(text.arrived, { status })}</Status>;
  return (
    <>
      <Status tone="danger">{text.failed}</Status>
      <span>{fill(text.problems[last.problem], { status })}</span>
      {last.said !== null && <span className="wrap-anywhere">{fill(text.said, { words: last.said })}</span>}
    </>
  );
}
