"use client";

import { SendHorizontal, Square } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { TextArea } from "../ui/field";
import type { MessageDraft } from "./use-playground-storage";

/** The box to write in. Enter sends where there is a keyboard, Shift+Enter begins a line. */
export function Composer(props: {
  ready: boolean;
  running: boolean;
  /** Example messages are offered while nothing is typed. */
  suggests: boolean;
  draft: MessageDraft;
  onSend: (message: string) => void;
  onStop: () => void;
}) {
  const text = useMessages("playground");
  const [message, setMessage] = useState("");
  const box = useRef<HTMLTextAreaElement>(null);
  const { written, onChange } = props.draft;
  function change(next: string) {
    setMessage(next);
    onChange(next);
  }
  const replace = useEffectEvent(change);
  useEffect(() => {
    if (written !== null) replace(written.text);
    focusUnlessBusy(box.current);
  }, [written]);
  const ready = message.trim() !== "" && props.ready && !props.running;
  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (!ready) return;
    props.onSend(message.trim());
    change("");
  }
  return (
    <form onSubmit={submit} className="grid gap-2 border-t p-3">
      {props.suggests && message === "" && (
        <Examples
          onChoose={(example) => {
            change(example);
            box.current?.focus();
          }}
        />
      )}
      <div className="flex items-end gap-2">
        <TextArea
          ref={box}
          rows={2}
          aria-label={text.message}
          aria-describedby="playground-keys"
          placeholder={text.messagePlaceholder}
          value={message}
          onChange={(event) => change(event.target.value)}
          onKeyDown={(event) => {
            if (!sends(event)) return;
            event.preventDefault();
            submit();
          }}
          className="field-sizing-content max-h-48 min-h-16"
        />
        <SendOrStop running={props.running} ready={ready} onStop={props.onStop} />
      </div>
      <p id="playground-keys" className="text-xs text-muted pointer-coarse:sr-only">
        {text.keys}
      </p>
    </form>
  );
}

function SendOrStop(props: { running: boolean; ready: boolean; onStop: () => void }) {
  const text = useMessages("playground");
  return props.running ? (
    <Button className="shrink-0" onClick={props.onStop}>
      <Square aria-hidden className="size-4" />
      {text.stop}
    </Button>
  ) : (
    <Button type="submit" variant="primary" className="shrink-0" disabled={!props.ready}>
      <SendHorizontal aria-hidden className="size-4" />
      {text.send}
    </Button>
  );
}

/** Whether a key sends: Enter, with Ctrl on touch screens. */
function sends(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return false;
  return event.ctrlKey || event.metaKey || !window.matchMedia("(pointer: coarse)").matches;
}

/** Not on touch screens, where the keyboard would cover the page, nor out of a field that is being filled in. */
function focusUnlessBusy(box: HTMLElement | null): void {
  const isBusy = document.activeElement?.closest("input, select, textarea") != null;
  if (!isBusy && window.matchMedia("(pointer: fine)").matches) box?.focus({ preventScroll: true });
}

function Examples(props: { onChoose: (example: string) => void }) {
  const text = useMessages("playground");
  return (
    <ul aria-label={text.examplesTitle} className="flex flex-wrap gap-2 pb-1">
      {text.examples.map((example) => (
        <li key={example}>
          <Button
            size="sm"
            className="h-auto! min-h-8 py-1 text-left whitespace-normal!"
            onClick={() => props.onChoose(example)}
          >
            {example}
          </Button>
        </li>
      ))}
    </ul>
  );
}
