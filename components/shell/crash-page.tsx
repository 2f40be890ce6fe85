"use client";

import { useMessages } from "../i18n/provider";
import { Button, ButtonLink } from "../ui/button";
import { MessagePage } from "./message-page";

/** What is shown in place of a part that stopped. */
export function CrashPage(props: { error: unknown; retry: () => void }) {
  const text = useMessages("common");
  const digest =
    typeof props.error === "object" && props.error !== null && "digest" in props.error
      ? String(props.error.digest)
      : "";
  return (
    <MessagePage
      code={digest}
      title={text.errors.title}
      body={text.errors.crashedBody}
      actions={
        <>
          <Button variant="primary" onClick={props.retry}>
            {text.retry}
          </Button>
          <ButtonLink href="/console">{text.console}</ButtonLink>
        </>
      }
    />
  );
}
