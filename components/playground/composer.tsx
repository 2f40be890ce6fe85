"use client";

import { SendHorizontal, Square } from "lucide-react";
import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import type { MessageImage } from "@/lib/protocols/kit/turn";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { cn } from "../ui/cn";
import { TextArea } from "../ui/field";
import { AttachButton } from "./attach-button";
import type { UserMessage } from "./conversation";
import { MAX_IMAGE_MB, MAX_IMAGES, type TooLarge } from "./images";
import { AttachedImages } from "./message-images";
import { useAttaching } from "./use-attaching";
import { type MessageDraft, noMessage } from "./use-playground-storage";

interface ComposerProps {
  ready: boolean;
  /** Why nothing can be sent, whatever is typed. */
  blocked: string | null;
  running: boolean;
  /** Example messages are offered while nothing is typed. */
  suggests: boolean;
  draft: MessageDraft;
  /** Why a message cannot be sent with its images; null while it can. */
  tooLargeWith: (message: UserMessage) => TooLarge | null;
  onSend: (message: UserMessage) => void;
  onStop: () => void;
  /** The last message is to be written anew. */
  onEditLast: () => void;
  /** The message that is written anew stays as it was; null while none is. */
  onKeepLast: (() => void) | null;
}

/** The box to write in. Enter sends where there is a keyboard, Shift+Enter begins a line. */
export function Composer(props: ComposerProps) {
  const text = useMessages("playground");
  const box = useRef<HTMLTextAreaElement>(null);
  useEscape(props.running, props.onStop);
  const hasJustEnded = useEnd(props.running, box);
  const attachButton = useRef<HTMLButtonElement>(null);
  const { message, images, change } = useHeldMessage(props.draft, box);
  const attaching = useAttaching(
    () => props.draft.current().images,
    (next) => change({ images: next }),
  );
  const excess = props.tooLargeWith({ message, images });
  const isSaid = message.trim() !== "" || images.length > 0;
  const ready = isSaid && props.ready && !props.running && excess === null;
  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (!ready) return;
    props.onSend({ message: message.trim(), images });
    change(noMessage);
    attaching.forgetProblems();
  }
  return (
    <form
      onSubmit={submit}
      className={cn("grid gap-2 border-t p-3", attaching.dragging && "rounded-b-lg bg-primary-soft")}
    >
      {props.suggests && message === "" && images.length === 0 && (
        <Examples
          onChoose={(example) => {
            change({ message: example });
            box.current?.focus();
          }}
        />
      )}
      <Attached images={images} attaching={attaching} excess={excess} after={attachButton} />
      <div className="flex flex-wrap items-end justify-end gap-2">
        <TextArea
          ref={box}
          rows={2}
          aria-label={text.message}
          aria-describedby="playground-keys"
          placeholder={text.messagePlaceholder}
          value={message}
          onChange={(event) => change({ message: event.target.value })}
          onPaste={attaching.paste}
          onKeyDown={(event) =>
            pressed(event, {
              submit,
              edit: isSaid ? null : props.onEditLast,
              cancel: cancelOf(props, hasJustEnded()),
            })
          }
          className="field-sizing-content max-h-48 min-h-16 sm:w-0! sm:grow"
        />
        <AttachButton ref={attachButton} onFiles={(files) => void attaching.add(files)} />
        <SendOrStop running={props.running} ready={ready} onStop={props.onStop} />
      </div>
      <BelowBox blocked={props.blocked} keys={text.keys} />
    </form>
  );
}

/** Why nothing can be sent, and the keys of the box. */
function BelowBox(props: { blocked: string | null; keys: string }) {
  return (
    <>
      {props.blocked !== null && (
        <p role="status" className="text-xs text-danger">
          {props.blocked}
        </p>
      )}
      <p id="playground-keys" className="text-xs text-muted pointer-coarse:sr-only">
        {props.keys}
      </p>
    </>
  );
}

/** The message in the box, which is replaced when another one is written there. */
function useHeldMessage(
  { written, current, onChange }: MessageDraft,
  box: RefObject<HTMLTextAreaElement | null>,
): UserMessage & { change: (next: Partial<UserMessage>) => void } {
  const [held, setHeld] = useState(noMessage);
  function change(next: Partial<UserMessage>) {
    const all = { ...current(), ...next };
    setHeld(all);
    onChange(all);
  }
  const replace = useEffectEvent(change);
  useEffect(() => {
    if (written !== null) replace(written);
    focusUnlessBusy(box.current);
  }, [written, box]);
  return { ...held, change };
}

/** The images of the message, and why other files are not among them. */
function Attached(props: {
  images: readonly MessageImage[];
  attaching: ReturnType<typeof useAttaching>;
  excess: TooLarge | null;
  after: RefObject<HTMLElement | null>;
}) {
  const text = useMessages("playground");
  const format = useFormat();
  const { images, attaching, excess } = props;
  const limits = { most: MAX_IMAGES, limit: MAX_IMAGE_MB };
  return (
    <>
      {images.length > 0 && (
        <AttachedImages images={images} after={props.after} onRemove={attaching.remove} />
      )}
      <p role="status" className="sr-only">
        {images.length > 0 && `${text.attached}: ${format.list(images.map(({ name }) => name))}`}
      </p>
      <div role="alert" className="grid gap-1 text-sm wrap-anywhere text-danger empty:hidden">
        {attaching.problems.map((problem, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
          <p key={place}>{fill(text.imageProblems[problem.kind], { ...problem, ...limits })}</p>
        ))}
        {excess !== null && (
          <p>
            {fill(text.imagesTooLarge, { size: excess.size, limit: excess.limit })}
            {format.gap}
            {excess.byEarlier ? text.earlierTooLarge : text.removeSome}
          </p>
        )}
      </div>
    </>
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

/**
 * Does what a key of the box is for; `edit` is absent while something is in the box, `cancel` while nothing runs and no
 * message is edited.
 */
function pressed(
  event: KeyboardEvent,
  acts: { submit: () => void; edit: (() => void) | null; cancel: (() => void) | null },
): void {
  if (event.nativeEvent.isComposing) return;
  const ofKey = { ArrowUp: acts.edit, Escape: acts.cancel }[event.key] ?? null;
  const act = sends(event) ? acts.submit : ofKey;
  if (act === null) return;
  event.preventDefault();
  act();
}

/** Whether a key sends: Enter, with Ctrl on touch screens. */
function sends(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return false;
  return event.ctrlKey || event.metaKey || !window.matchMedia("(pointer: coarse)").matches;
}

/** Escape stops the calls, unless something that is open takes it. */
function useEscape(running: boolean, onStop: () => void): void {
  const stop = useEffectEvent(onStop);
  useEffect(() => {
    if (!running) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      if (document.querySelector("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]") === null)
        stop();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [running]);
}

/** An Escape that comes so late was to stop. Unit: ms. */
const LATE_STOP_MS = 1_500;

/** What Escape does in the box; null where it leaves it. */
function cancelOf(props: ComposerProps, hasJustEnded: boolean): (() => void) | null {
  if (props.running) return props.onStop;
  return props.onKeepLast ?? (hasJustEnded ? () => {} : null);
}

/**
 * Tells whether calls ended a moment ago. The button that stops becomes one that cannot be pressed then, and loses the
 * focus, which the box gets.
 */
function useEnd(running: boolean, box: RefObject<HTMLElement | null>): () => boolean {
  const wasRunning = useRef(running);
  const endedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (wasRunning.current && !running) endedAt.current = performance.now();
    wasRunning.current = running;
    if (!running && document.activeElement?.matches("body, :disabled")) focusUnlessBusy(box.current);
  }, [running, box]);
  return () => performance.now() - endedAt.current < LATE_STOP_MS;
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
