"use client";

import { useQueryClient } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { ApiOutput } from "@/lib/api/routes";
import { typedText, typedWhole } from "@/lib/shared/typed";
import { keyOf } from "../api/read";
import { useShell } from "../api/shell-facts";
import { SelectField, TextField } from "../forms/fields";
import { RecordForm } from "../forms/record-form";
import { fill, plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { CodeBlock } from "../ui/code-block";
import { CopyButton } from "../ui/copy-button";
import { Dialog, DialogActions } from "../ui/dialog";
import { Input } from "../ui/field";
import { Fold } from "../ui/fold";
import { Note } from "../ui/states";
import { LoginList } from "./login-list";
import { useLogins } from "./use-logins";

const blank = { name: "", expiresInDays: "30" };
const DAYS = [1, 7, 30, 90];

type CreatedToken = ApiOutput<"POST /api/user/logins">;

/** Tokens with a name for the account API: makes, lists and revokes them. */
export function ScriptTokens() {
  const text = useMessages("settings").tokens;
  const { locale } = useFormat();
  const client = useQueryClient();
  // Only this component holds the answer; closing the dialog discards it.
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const [count, setCount] = useState(0);
  const tokens = useLogins().data?.data.filter(({ kind }) => kind === "token") ?? [];
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">{text.lead}</p>
      {tokens.length > 0 && <LoginList label={text.list} logins={tokens} action={text.revoke} />}
      <RecordForm
        key={count}
        operation="POST /api/user/logins"
        initial={blank}
        toBody={(draft) => ({
          name: typedText(draft.name),
          expiresInDays: typedWhole(draft.expiresInDays),
        })}
        onSent={async (answer) => {
          setCreated(answer);
          setCount(count + 1);
          await client.invalidateQueries({ queryKey: keyOf("/api/user/logins") });
        }}
        submitLabel={text.create}
      >
        <div className="grid gap-4 sm:grid-cols-2 sm:max-w-[480px]">
          <TextField name="name" label={text.name} placeholder={text.nameExample} maxLength={60} />
          <SelectField
            name="expiresInDays"
            label={text.validFor}
            options={DAYS.map((days) => ({ value: String(days), label: plural(text.days, days, locale) }))}
          />
        </div>
      </RecordForm>
      <LoginByPassword />
      {created !== null && <NewToken {...created} onClose={() => setCreated(null)} />}
    </div>
  );
}

/** Shows the token once. */
function NewToken(props: CreatedToken & { onClose: () => void }) {
  const text = useMessages("settings").tokens;
  const { publicUrl } = useShell();
  const title = fill(text.created, { name: props.login.name ?? "" });
  const code = `curl ${publicUrl}/api/user/self \\
  -H "Authorization: Bearer ${props.token}"`;
  return (
    <Dialog open onClose={props.onClose} title={title} size="md">
      <div className="grid gap-4">
        <Note tone="warning" icon={TriangleAlert}>
          {text.once}
        </Note>
        <div className="flex items-center gap-2">
          <Input
            readOnly
            spellCheck={false}
            autoComplete="off"
            aria-label={text.token}
            className="font-mono text-sm"
            value={props.token}
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={props.token} label={text.copy} variant="primary" size="md" />
        </div>
        <CodeBlock code={code} label={text.call} copyLabel={text.copyCall} />
        <DialogActions>
          <Button onClick={props.onClose}>{text.close}</Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}

/** How a script gets a token of 7 days with the password. */
function LoginByPassword() {
  const text = useMessages("settings");
  const { publicUrl, username } = useShell();
  const code = `curl ${publicUrl}/api/user/login \\
  -H "Content-Type: application/json" \\
  -d '{"username": "${username}", "password": "…"}'

curl ${publicUrl}/api/user/self \\
  -H "Authorization: Bearer $TOKEN"`;
  return (
    <Fold heading={text.tokenHelp} headingClass="min-h-6 w-fit text-sm">
      <div className="mt-3 grid gap-3">
        <p className="text-sm text-muted">{text.tokenLead}</p>
        <CodeBlock code={code} label={text.tokenHelp} />
      </div>
    </Fold>
  );
}
