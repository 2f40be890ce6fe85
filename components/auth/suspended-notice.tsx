"use client";

import { Ban } from "lucide-react";
import { useEffect, useRef } from "react";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { Contact } from "../ui/contact";
import { Note } from "../ui/states";

/** What somebody with the right password of a suspended account is told. It gets the focus. */
export function SuspendedNotice(props: {
  since: string | null;
  contact: string | null;
  onOther: () => void;
}) {
  const text = useMessages("auth").suspended;
  const format = useFormat();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <div ref={notice} tabIndex={-1} className="grid gap-4 outline-none">
      <Note tone="warning" icon={Ban} role="alert">
        <p className="font-medium">{text.title}</p>
        {props.since !== null && <p>{fill(text.since, { time: format.dateTime(props.since) })}</p>}
        <p>{text.meaning}</p>
        <p>
          {text.ask}
          {props.contact !== null && (
            <>
              {" "}
              <Contact contact={props.contact} />
            </>
          )}
        </p>
      </Note>
      <Button onClick={props.onOther}>{text.other}</Button>
    </div>
  );
}
