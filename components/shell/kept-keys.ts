/** What the start script of a page keeps (keep-presses.ts), in the hands of the page's other scripts. */
interface Keeper {
  keepUntil(isReady?: () => boolean): void;
  forget(): void;
}

declare global {
  interface Window {
    keeper?: Keeper;
  }
}

/**
 * Keeps what is typed from now on until the page is ready for it; without a condition, until a field has opened. Then it
 * goes to what has the focus. Escape and a press of the pointer end it.
 */
export function keepKeysUntil(isReady?: () => boolean): void {
  window.keeper?.keepUntil(isReady);
}

/** Nothing opens that could take what was typed. */
export function forgetKeys(): void {
  window.keeper?.forget();
}
