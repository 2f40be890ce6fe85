// Part of the start script (scripts/start-script.mjs), which runs before all other scripts of a page: see
// docs/dashboard.md#s2-15. Links work without scripts, forms and fields keep what they were given; everything else that
// is pressed before the page answers is kept here, and pressed again, in order, when it does.

/** Something that was pressed. */
interface Press {
  /** Presses it again; false while nobody has heard it. */
  again(): boolean;
  /** Whether the part of the page that is to hear it has been taken over by its scripts. */
  answers(): boolean;
  /** One of the keys that a page without focus knows, such as `g`. */
  shortcut?: string;
}

/** How long nobody is there to hear it. */
const LONGEST_WAIT_MS = 10_000;
/** How long somebody is there who has not heard it: a key that means nothing, or a field that is still to open. */
const ANSWER_WAIT_MS = 3_000;
const RETRY_MS = 50;

const TEXT_FIELD =
  "textarea, input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=file], [type=range])";

let kept: Press[] = [];
let lastKeptAt = 0;
let answersSince: number | null = null;
/** What had the focus when the first of them was pressed: what is typed after it goes into another field. */
let focusedBefore: Element | null = null;

addEventListener("click", onClick, true);
addEventListener("keydown", onKey, true);

function onClick(event: MouseEvent): void {
  const button = (event.target as Element).closest("button");
  if (!event.isTrusted || (button !== null && isTakenOver(button))) return;
  forget();
  if (button === null || (button.type === "submit" && button.form !== null)) return;
  keep({ again: () => click(button), answers: () => isTakenOver(button) });
}

function onKey(event: KeyboardEvent): void {
  if (!event.isTrusted || event.isComposing) return;
  if (event.key === "Escape") forget();
  const press = pressOf(event);
  if (press === null) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  keep(press);
}

/** What a key is to do; null: it is left to the browser. */
function pressOf(event: KeyboardEvent): Press | null {
  const { key, ctrlKey, metaKey } = event;
  const target = event.target as Element;
  if ((ctrlKey || metaKey) && key.toLowerCase() === "k" && isEarly()) {
    forget();
    return keyOfPage({ key, ctrlKey, metaKey });
  }
  if (ctrlKey || metaKey || event.altKey) return null;
  const isForField = kept.some(({ shortcut }) => shortcut === undefined || shortcut === "/");
  if (isForField) return key.length === 1 || /^(Enter|Backspace)$/.test(key) ? keyOfField(key) : null;
  if (!target.matches(TEXT_FIELD))
    return /^[a-z/?]$/.test(key) && (isEarly() || kept.length > 0) ? keyOfPage({ key }, key) : null;
  forget(); // somebody went to a field after a shortcut that nobody has heard
  const maySend = key === "Enter" && !event.shiftKey && target.matches("textarea");
  return maySend && !isTakenOver(target) ? keyOfField(key, target) : null;
}

/** Whether the page has not been taken over yet. */
function isEarly(): boolean {
  return !isTakenOver(document.querySelector("main"));
}

/** React marks the elements that it has taken over. */
function isTakenOver(element: Element | null): boolean {
  return element !== null && Object.keys(element).some((name) => name.startsWith("__reactFiber"));
}

function keep(press: Press): void {
  if (kept.length === 0) {
    focusedBefore = document.activeElement;
    setTimeout(retry);
  }
  kept = [...kept, press];
  lastKeptAt = performance.now();
}

function forget(): void {
  kept = [];
}

/** One press in a task: the page draws what one has changed before the next one comes. */
function retry(): void {
  const [press] = kept;
  if (press === undefined) return;
  if (press.again()) {
    kept = kept.slice(1);
    answersSince = null;
    setTimeout(retry);
    return;
  }
  const now = performance.now();
  if (press.answers()) answersSince ??= now;
  const isLate = now - lastKeptAt > LONGEST_WAIT_MS || now - (answersSince ?? now) > ANSWER_WAIT_MS;
  if (isLate) forget();
  else setTimeout(retry, RETRY_MS);
}

/** The framework drops what it cannot answer yet, so that the button never hears of it. A button that left has. */
function click(button: HTMLButtonElement): boolean {
  if (!button.isConnected) return true;
  if (!isTakenOver(button)) return false;
  let heard = false;
  const hear = () => {
    heard = true;
  };
  button.addEventListener("click", hear);
  button.click();
  button.removeEventListener("click", hear);
  return heard;
}

/** A key for the page itself, whatever has the focus when it answers. */
function keyOfPage(init: KeyboardEventInit, shortcut?: string): Press {
  return {
    again: () => !pressKey(document.body, init),
    answers: () => !isEarly(),
    ...(shortcut !== undefined && { shortcut }),
  };
}

/** A key for the field that a press before it opens, or for one that had the focus already. */
function keyOfField(key: string, field?: Element): Press {
  return {
    again() {
      const target = field ?? document.activeElement;
      if (target === null || !target.matches(TEXT_FIELD) || !isTakenOver(target)) return false;
      if (field === undefined && target === focusedBefore) return false;
      if (field !== undefined) focusedBefore = null;
      if (key === "Enter") enter(target as HTMLInputElement | HTMLTextAreaElement);
      else if (key === "Backspace") document.execCommand("delete");
      else insert(key);
      return true;
    },
    answers: () => field === undefined || isTakenOver(field),
  };
}

/** As the browser would: Enter sends the form of a field that does not take it, or begins a line. */
function enter(field: HTMLInputElement | HTMLTextAreaElement): void {
  if (!pressKey(field, { key: "Enter", code: "Enter" })) return;
  if (field instanceof HTMLTextAreaElement) insert("\n");
  else field.form?.querySelector<HTMLButtonElement>("[type=submit]")?.click();
}

/** False when somebody has answered it. */
function pressKey(target: Element, init: KeyboardEventInit): boolean {
  return target.dispatchEvent(new KeyboardEvent("keydown", { ...init, bubbles: true, cancelable: true }));
}

/** As if it were typed, with its events and the field's own undo, which nothing else in a browser does. */
function insert(text: string): void {
  document.execCommand("insertText", false, text);
}
