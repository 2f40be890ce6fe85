"use client";

import { SendHorizontal, Square } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { usePersistedDraft } from "@/components/api/persisted-draft";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { TextArea } from "../ui/field";

/** The box to write in. Enter sends where there is a keyboard, Shift+Enter begins a line. */
export function Composer(props: {
  ready: boolean;
  running: boolean;
  onSend: (message: string) => void;
  onStop: () => void;
}) {
  const text = useMessages("playground");
  const [message, setMessage] = useState("");
  usePersistedDraft({
    name: "playground",
    draft: { message },
    restore: (kept) => setMessage(kept.message ?? ""),
  });
  const ready = message.trim() !== "" && props.ready && !props.running;
  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (!ready) return;
    props.onSend(message.trim());
    setMessage("");
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    const touch = window.matchMedia("(pointer: coarse)").matches && !event.ctrlKey && !event.metaKey;
    if (touch) return;
    event.preventDefault();
    submit();
  }
  return (
    <form onSubmit={submit} className="grid gap-2 border-t p-3">
      <div className="flex items-end gap-2">
        <TextArea
          rows={2}
          aria-label={text.message}
          aria-describedby="playground-keys"
          placeholder={text.messagePlaceholder}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-48 min-h-16"
        />
        {props.running ? (
          <Button className="shrink-0" onClick={props.onStop}>
            <Square aria-hidden className="size-4" />
            {text.stop}
          </Button>
        ) : (
          <Button type="submit" variant="primary" className="shrink-0" disabled={!ready}>
            <SendHorizontal aria-hidden className="size-4" />
            {text.send}
          </Button>
        )}
      </div>
      <p id="playground-keys" className="text-xs text-muted pointer-coarse:sr-only">
        {text.keys}
      </p>
    </form>
  );
}
