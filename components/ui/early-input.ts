import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef } from "react";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Given<Element> {
  ref?: Ref<Element> | undefined;
  value?: unknown;
  checked?: boolean | undefined;
}

/**
 * The ref of a control that tells its handler what was typed or chosen before the page's scripts ran: the browser shows
 * it then, and nobody has heard of it.
 */
export function useEarlyInput<Element extends Control>(given: Given<Element>): RefObject<Element | null> {
  const node = useRef<Element>(null);
  const { value, checked } = useRef(given).current;
  useImperativeHandle(given.ref, () => node.current as Element);
  useEffect(() => {
    const control = node.current;
    if (control === null) return;
    if (checked !== undefined) tellChecked(control as HTMLInputElement, checked);
    else if (value !== undefined && value !== null)
      tellValue(control, String(value).replaceAll("\r\n", "\n"));
  }, [value, checked]);
  return node;
}

/** That another radio button was chosen is told by that one. */
function tellChecked(control: HTMLInputElement, known: boolean): void {
  if (control.checked === known || (control.type === "radio" && known)) return;
  control.checked = known;
  control.click();
}

/** React ignores an event that brings the value that it has seen last: it is shown the known one first. */
function tellValue(control: Control, known: string): void {
  const typed = control.value;
  if (typed === known || lacks(control, known)) return;
  if (!(control instanceof HTMLSelectElement)) {
    control.value = known;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, typed);
  }
  control.dispatchEvent(
    new Event(control instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }),
  );
}

/** Nobody has chosen another value while a list does not offer the known one: its choices are still to come. */
function lacks(control: Control, known: string): boolean {
  return (
    control instanceof HTMLSelectElement && ![...control.options].some((option) => option.value === known)
  );
}
