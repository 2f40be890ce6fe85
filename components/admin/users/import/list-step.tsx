"use client";

import { Download, FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { decodeText } from "@/lib/shared/decode-text";
import { type CheckedList, checkList } from "@/lib/shared/user-import/check-list";
import { listColumns, readList } from "@/lib/shared/user-import/read-list";
import { ErrorPanel } from "../../../api/error-panel";
import { useRead } from "../../../api/use-read";
import { downloadCsv } from "../../../charts/csv";
import { loadRequestErrors } from "../../../forms/use-api-form";
import { fill } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import { Button } from "../../../ui/button";
import { DataTable } from "../../../ui/data-table";
import { DialogActions } from "../../../ui/dialog";
import { Field, TextArea } from "../../../ui/field";
import { newestUsers } from "../newest-users";
import { readAllUsers } from "../read-all-users";

/** More would take longer than anybody watches. */
const MOST_ROWS = 1_000;

/** The list, pasted or chosen, with what its columns say. */
export function ListStep(props: {
  list: string;
  onList: (list: string) => void;
  onChecked: (checked: CheckedList) => void;
}) {
  const text = useMessages("adminUsers").import;
  const format = useFormat();
  const { check, busy, problem, failure, forget } = useCheck(props.onChecked);
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void check(props.list).then((passed) => !passed && area.current?.focus());
      }}
    >
      <p className="text-sm">{text.lead}</p>
      <Columns />
      <FileButtons
        onText={(list) => {
          forget();
          props.onList(list);
          area.current?.focus();
        }}
      />
      <Field
        label={text.list}
        hint={fill(text.listHint, { count: format.countFull(MOST_ROWS) })}
        errors={problem === null ? undefined : [problem]}
      >
        {(control) => (
          <TextArea
            {...control}
            ref={area}
            data-first-focus
            spellCheck={false}
            rows={8}
            className="font-mono whitespace-pre"
            value={props.list}
            onChange={(event) => {
              forget();
              props.onList(event.target.value);
            }}
          />
        )}
      </Field>
      {failure !== null && <ErrorPanel error={failure} />}
      <DialogActions>
        <Button type="submit" variant="primary" disabled={busy}>
          {busy ? text.checking : text.check}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Reads the list and the accounts that there are. False: the list cannot be read, and it is said why. */
function useCheck(onChecked: (checked: CheckedList) => void) {
  const text = useMessages("adminUsers").import;
  const format = useFormat();
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  function problemOf(list: string): string | null {
    if (list.trim() === "") return text.empty;
    const { rows, hasUsername } = readList(list);
    if (!hasUsername) return text.noUsername;
    if (rows.length === 0) return text.noRows;
    const [count, max] = [format.countFull(rows.length), format.countFull(MOST_ROWS)];
    return rows.length > MOST_ROWS ? fill(text.tooMany, { count, max }) : null;
  }
  function forget() {
    setProblem(null);
    setFailure(null);
  }
  async function check(list: string): Promise<boolean> {
    forget();
    const found = problemOf(list);
    setProblem(found);
    if (found !== null) return false;
    setBusy(true);
    try {
      const { tz: _, page: __, pageSize: ___, ...filters } = newestUsers("");
      const [users, errorsOf] = await Promise.all([readAllUsers(filters), loadRequestErrors()]);
      const schema = (body: object) => errorsOf?.("POST /api/admin/users", body) ?? {};
      onChecked(checkList(readList(list), { plans, users, errorsOf: schema }));
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
    return true;
  }
  return { check, busy, problem, failure, forget };
}

function Columns() {
  const text = useMessages("adminUsers").import;
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  const names = useFormat().list(plans.map(({ name }) => name));
  return (
    <div className="grid gap-2">
      <DataTable
        caption={text.columns}
        rows={[...listColumns]}
        rowId={(column) => column}
        columns={[
          {
            id: "column",
            head: text.column,
            card: "title",
            cell: (column) => <code className="font-mono text-xs">{column}</code>,
          },
          {
            id: "meaning",
            head: text.meaning,
            card: "plain",
            className: "wrap-anywhere",
            cell: (column) => fill(text.meanings[column], { plans: names }),
          },
        ]}
      />
      <p className="text-xs text-muted">{text.columnsNote}</p>
    </div>
  );
}

function FileButtons(props: { onText: (text: string) => void }) {
  const text = useMessages("adminUsers").import;
  const plans = useRead("GET /api/admin/plans").data?.data ?? [];
  const picker = useRef<HTMLInputElement>(null);
  const sample = [
    [...listColumns],
    ["zhang3", "zhang3@example.com", "Zhang San", plans[0]?.name ?? "", "20", "4711"],
    ["li4", "", "", "", "", ""],
  ];
  return (
    <div className="flex flex-wrap gap-2">
      <input
        ref={picker}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file !== undefined) void file.arrayBuffer().then((bytes) => props.onText(decodeText(bytes)));
          event.target.value = ""; // so that the same file can be chosen again
        }}
      />
      <Button onClick={() => picker.current?.click()}>
        <FileUp aria-hidden className="size-4" />
        {text.choose}
      </Button>
      <Button variant="ghost" onClick={() => downloadCsv("accounts-sample.csv", sample)}>
        <Download aria-hidden className="size-4" />
        {text.sample}
      </Button>
    </div>
  );
}
