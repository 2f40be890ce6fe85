// Part of the start script (scripts/start-script.mjs), which runs before all other scripts of a page: see
// docs/dashboard.md#s2-15. Links work without scripts, forms and fields keep what they were given; everything else that
// is pressed before the page answers, or while it opens something, is kept here and pressed again, in order, when it can.
import type {} from "./kept-keys";

/** Something that was pressed, or what has to happen before it can be pressed again. */
interface Kept {
  /** False while nobody has heard it, or it has not happened. */
  again(): boolean;
  /** Whether somebody could hear it by now. */
  isAnswered?(): boolean;
  /** What follows is pressed also when nobody has a use for it. */
  isOptional?: boolean;
  /** What is typed after it is for the field that it opens. */
  opensField?: boolean;
  /** When it became the first one, and when somebody could hear it. Unit: ms. */
  since?: number;
  answeredSince?: number;
}

/** How long nobody is there to hear it. */
const LONGEST_WAIT_MS = 10_000;
/** How long somebody is there who has no use for it yet: a list without rows, a dialog without its field. */
const ANSWER_WAIT_MS = 3_000;
const RETRY_MS = 50;

const TEXT_FIELD =
  "textarea, input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=file], [type=range])";
/** The field that a page gives the focus to when it answers: what is typed before is meant for it as well. */
const FIRST_FIELD = "main [data-takes-keys]";

let kept: Kept[] = [];
let isRetrying = false;
/** What is kept goes into a field in the end, and what is typed into that field comes after it. */
let isForField = false;
/** Somebody was there long enough who had no use for the last one: the next ones are not waited for. */
let isImpatient = false;

window.keeper = { keepUntil, forget };
addEventListener("click", onClick, true);
addEventListener("keydown", onKey, true);

/** For the page's own scripts: what is kept, and what is typed from now on, waits until something is ready for it. */
function keepUntil(isReady = fieldOpened()): void {
  kept = [{ again: isReady }, ...kept];
  isForField = true;
  startRetrying();
}

function forget(): void {
  kept = [];
  isForField = false;
  isImpatient = false;
}

function onClick(event: MouseEvent): void {
  if (!event.isTrusted) return;
  forget();
  const button = (event.target as Element).closest("button");
  if (button === null || (button.type === "submit" && button.form !== null)) return;
  const isKnown = isTakenOver(button);
  if (isKnown && !isEarly()) return;
  let heard = false;
  const hear = () => {
    heard = isKnown;
  };
  button.addEventListener("click", hear, { once: true });
  keep({ again: () => heard || click(button), opensField: true });
}

function onKey(event: KeyboardEvent): void {
  if (!event.isTrusted || event.isComposing) return;
  if (event.key === "Escape") forget();
  const presses = pressesOf(event);
  for (const press of presses) keep(press);
  if (presses.length === 0) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** What is kept of a key; nothing of one that is left to the browser. */
function pressesOf(event: KeyboardEvent): Kept[] {
  const { key, ctrlKey, metaKey } = event;
  const target = event.target as HTMLElement;
  if ((ctrlKey || metaKey) && key.toLowerCase() === "k") {
    forget();
    return isEarly() ? [chord({ key, ctrlKey, metaKey })] : [];
  }
  if (ctrlKey || metaKey || event.altKey) return [];
  if (target.matches(TEXT_FIELD) && !isForField) {
    forget(); // somebody went to a field after keys that nobody has heard
    const maySend = key === "Enter" && !event.shiftKey && target.matches("textarea");
    if (!maySend || isLive(target)) return [];
    isForField = true;
    return [typed(key)];
  }
  if (kept.length > 0) {
    if (key.length > 1 && !/^(Enter|Backspace|ArrowUp|ArrowDown)$/.test(key)) return [];
    if (kept.at(-1)?.opensField !== true) return [typed(key)];
    isForField = true;
    return [{ again: fieldOpened(), isAnswered: () => true }, typed(key)];
  }
  if (!isEarly() || key.length > 1) return [];
  // The browser types the key into the field that has the focus now.
  document.querySelector<HTMLElement>(FIRST_FIELD)?.focus({ preventScroll: true });
  return document.activeElement?.matches(TEXT_FIELD) !== true && /[a-z/?]/.test(key) ? [typed(key)] : [];
}

/** Whether the page does not answer yet. */
function isEarly(): boolean {
  const main = document.getElementById("main");
  return main !== null && !isLive(main);
}

/** Whether the effects of an element's component have run. */
function isLive(element: HTMLElement): boolean {
  return "live" in element.dataset;
}

/** React marks the elements that it knows; it may not answer for them yet. */
function isTakenOver(element: Element): boolean {
  return Object.keys(element).some((name) => name.startsWith("__reactFiber"));
}

/** Tells whether another field than now has the focus. */
function fieldOpened(): () => boolean {
  const before = document.activeElement;
  return () => document.activeElement !== before && document.activeElement?.matches(TEXT_FIELD) === true;
}

function keep(press: Kept): void {
  kept = [...kept, press];
  startRetrying();
}

function startRetrying(): void {
  if (isRetrying) return;
  isRetrying = true;
  setTimeout(retry);
}

/** One press in a task: the page draws what one has changed before the next one comes. */
function retry(): void {
  const first = kept.shift();
  if (first === undefined) {
    isRetrying = false;
    forget();
    return;
  }
  if (first.again()) {
    setTimeout(retry);
    return;
  }
  const now = performance.now();
  first.since ??= now;
  if (first.isAnswered?.() === true) first.answeredSince ??= now;
  const isUnheard = now - (first.answeredSince ?? now) > ANSWER_WAIT_MS;
  if (first.isOptional && (isUnheard || isImpatient)) isImpatient = true;
  else if (isUnheard || now - first.since > LONGEST_WAIT_MS) forget();
  else kept.unshift(first);
  setTimeout(retry, RETRY_MS);
}

/** A button that left has been heard as well. */
function click(button: HTMLButtonElement): boolean {
  return !button.isConnected || (isTakenOver(button) && isHeard(button, "click", () => button.click()));
}

/** Whether an element hears an event: the framework drops what it cannot answer yet. */
function isHeard(target: Element, type: string, act: () => void): boolean {
  let heard = false;
  const hear = () => {
    heard = true;
  };
  target.addEventListener(type, hear);
  act();
  target.removeEventListener(type, hear);
  return heard;
}

/** Keys that mean the same wherever the focus is. */
function chord(init: KeyboardEventInit): Kept {
  return { again: () => press(document.body, init) === "answered", opensField: true };
}

/** A key for what has the focus when it can be pressed again. */
function typed(key: string): Kept {
  return {
    again: () => type((document.activeElement ?? document.body) as HTMLElement, key),
    isAnswered: () => !isEarly(),
    isOptional: true,
  };
}

/** As the browser would: a key types, Enter follows a link, presses a button, or sends the form of its field. */
function type(focused: HTMLElement, key: string): boolean {
  const isField = focused.matches(TEXT_FIELD);
  if (focused.matches("textarea") ? !isLive(focused) : isField && !isTakenOver(focused)) return false;
  const outcome = press(focused, { key, code: key === "Enter" ? key : "" });
  if (outcome !== "ignored") return outcome === "answered";
  if (isField) enterInto(focused as HTMLInputElement | HTMLTextAreaElement, key);
  else if (key === "Enter" && focused.matches("a[href], button")) focused.click();
  else return key === "Backspace";
  return true;
}

function press(target: Element, init: KeyboardEventInit): "dropped" | "ignored" | "answered" {
  let ignored = true;
  const event = new KeyboardEvent("keydown", { ...init, bubbles: true, cancelable: true });
  const heard = isHeard(target, "keydown", () => {
    ignored = target.dispatchEvent(event);
  });
  if (!ignored) return "answered";
  return heard ? "ignored" : "dropped";
}

/** With the events of typing and the field's own undo, which nothing but these commands has. */
function enterInto(field: HTMLInputElement | HTMLTextAreaElement, key: string): void {
  if (key === "Backspace") document.execCommand("delete");
  else if (key.length === 1) document.execCommand("insertText", false, key);
  else if (key === "Enter" && field instanceof HTMLTextAreaElement)
    document.execCommand("insertText", false, "\n");
  else if (key === "Enter") field.form?.querySelector<HTMLButtonElement>("[type=submit]")?.click();
}
