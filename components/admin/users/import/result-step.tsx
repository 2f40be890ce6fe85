"use client";

import { Download, TriangleAlert } from "lucide-react";
import { type ListRow, listColumns } from "@/lib/shared/user-import/read-list";
import { ApiError } from "../../../api/client";
import { errorMessage } from "../../../api/error-message";
import { downloadCsv } from "../../../charts/csv";
import { plural } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import { Button } from "../../../ui/button";
import { DataTable } from "../../../ui/data-table";
import { DialogActions } from "../../../ui/dialog";
import { Checkbox, useReadableErrors } from "../../../ui/field";
import { Note } from "../../../ui/states";
import type { Made, NotMade, Sent } from "./send-list";

/** The accounts with their passwords, and the rows that have none. */
export function ResultStep(props: {
  sent: Sent;
  saved: boolean;
  onSaved: (saved: boolean) => void;
  onClose: () => void;
}) {
  const text = useMessages("adminUsers").import;
  const common = useMessages("common");
  const { made } = props.sent;
  return (
    <div className="grid gap-4">
      <MadeAccounts made={made} onSaved={() => props.onSaved(true)} />
      <NotMadeRows sent={props.sent} />
      {made.length > 0 && (
        <Checkbox
          label={text.saved}
          checked={props.saved}
          onChange={(event) => props.onSaved(event.target.checked)}
        />
      )}
      <DialogActions>
        <Button variant="primary" disabled={made.length > 0 && !props.saved} onClick={props.onClose}>
          {common.done}
        </Button>
      </DialogActions>
    </div>
  );
}

function MadeAccounts({ made, onSaved }: { made: Made[]; onSaved: () => void }) {
  const text = useMessages("adminUsers").import;
  const { locale } = useFormat();
  const names = text.columnNames;
  function download() {
    const rows = made.map(({ body, password }) => [
      body.username,
      body.email ?? "",
      body.name ?? "",
      password,
    ]);
    downloadCsv("accounts.csv", [["username", "email", "name", "password"], ...rows]);
    onSaved();
  }
  return (
    <>
      <p role="status" className="text-sm font-medium">
        {plural(text.made, made.length, locale)}
      </p>
      {made.length > 0 && (
        <>
          <Note tone="warning" icon={TriangleAlert}>
            {text.passwordsOnce}
          </Note>
          <Button variant="primary" className="justify-self-start" data-first-focus onClick={download}>
            <Download aria-hidden className="size-4" />
            {text.downloadPasswords}
          </Button>
          <DataTable
            caption={text.madeCaption}
            rows={made}
            rowId={({ row }) => String(row.number)}
            columns={[
              { id: "username", head: names.username, card: "title", cell: ({ body }) => body.username },
              {
                id: "password",
                head: text.password,
                card: "line",
                cell: ({ password }) => <code className="font-mono text-xs break-all">{password}</code>,
              },
            ]}
          />
        </>
      )}
    </>
  );
}

function NotMadeRows({ sent }: { sent: Sent }) {
  const text = useMessages("adminUsers").import;
  const { locale } = useFormat();
  const whyOf = useWhy();
  const { failed, left } = sent;
  function download() {
    const rows = [
      ...failed.map((one) => [...cellsOf(one.row), whyOf(one)]),
      ...left.map(({ row }) => [...cellsOf(row), text.leftWhy]),
    ];
    downloadCsv("accounts-not-made.csv", [[...listColumns, text.why], ...rows]);
  }
  if (failed.length + left.length === 0) return null;
  return (
    <>
      {failed.length > 0 && (
        <>
          <p className="text-sm font-medium text-danger">{plural(text.failed, failed.length, locale)}</p>
          <DataTable
            caption={text.failedCaption}
            rows={failed}
            rowId={({ row }) => String(row.number)}
            columns={[
              { id: "row", head: text.row, card: "line", cell: ({ row }) => row.number },
              {
                id: "username",
                head: text.columnNames.username,
                card: "title",
                cell: ({ body }) => body.username,
              },
              { id: "why", head: text.why, card: "line", cell: whyOf },
            ]}
          />
        </>
      )}
      {left.length > 0 && <p className="text-sm">{plural(text.left, left.length, locale)}</p>}
      <Button className="justify-self-start" onClick={download}>
        <Download aria-hidden className="size-4" />
        {text.downloadFailed}
      </Button>
    </>
  );
}

const cellsOf = ({ cells }: ListRow) => listColumns.map((column) => cells[column]);

/** Why a row has no account, in the reader's language. */
function useWhy(): (one: NotMade) => string {
  const text = useMessages("adminUsers").import;
  const common = useMessages("common");
  const readable = useReadableErrors(null);
  return ({ error, unsure }) => {
    if (unsure) return text.unsure;
    const messages = error instanceof ApiError ? Object.values(error.fields).flat() : [];
    return messages.length > 0 ? messages.map(readable).join(" ") : errorMessage(error, common);
  };
}
