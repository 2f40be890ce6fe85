"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import { closeSession } from "../api/session";
import { plural } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { Skeleton } from "../ui/states";
import { LoginList } from "./login-list";
import { useLogins } from "./use-logins";

/** Where the account is signed in, this browser first; each other one can be ended, or all at once. */
export function SignIns() {
  const text = useMessages("settings");
  const format = useFormat();
  const { data, error, isError, refetch } = useLogins();
  const signIns = data?.data.filter(({ kind }) => kind !== "token") ?? [];
  const more = (data?.total ?? 0) - (data?.data.length ?? 0);
  return (
    <div className="grid gap-3">
      <p className="text-sm text-muted">{text.logins.lead}</p>
      {isError && <ErrorPanel error={error} onRetry={() => refetch()} />}
      {data === undefined && !isError && <Skeleton className="h-24" />}
      {signIns.length > 0 && <LoginList label={text.sessions} logins={signIns} action={text.logins.end} />}
      {data !== undefined && !signIns.some(({ current }) => current) && (
        <p className="text-sm text-muted">{text.logins.unlisted}</p>
      )}
      {more > 0 && <p className="text-sm text-muted">{plural(text.logins.more, more, format.locale)}</p>}
      <EndAll />
    </div>
  );
}

/** Ends every session and token of the account. */
function EndAll() {
  const text = useMessages("settings");
  const [asking, setAsking] = useState(false);
  const end = useMutation({
    mutationFn: () => callApi("POST /api/user/self/logout-everywhere", {}),
    onSuccess: () => closeSession(),
  });
  return (
    <>
      <Button className="justify-self-start" onClick={() => setAsking(true)}>
        {text.endSessions}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => end.mutate()}
        title={text.endTitle}
        body={<p>{text.sessionsLead}</p>}
        action={text.endSessions}
        busy={end.isPending}
        error={end.error === null ? undefined : <ErrorPanel error={end.error} />}
      />
    </>
  );
}
