/**
 * What is typed after the shortcut of the palette and before its field is there, with a line break at its end once Enter
 * was pressed; null while nothing is awaited.
 */
let typed: string | null = null;

/** Keeps what is typed from now on for the field that is about to open. Escape and a press of the pointer end it. */
export function keepTypedKeys(): void {
  if (typed !== null) return;
  typed = "";
  window.addEventListener("keydown", keepKey, true);
  window.addEventListener("pointerdown", takeTypedKeys, true);
}

/** What was typed meanwhile, which is no longer kept. */
export function takeTypedKeys(): string {
  const taken = typed ?? "";
  typed = null;
  window.removeEventListener("keydown", keepKey, true);
  window.removeEventListener("pointerdown", takeTypedKeys, true);
  return taken;
}

function keepKey(event: KeyboardEvent): void {
  if (event.key === "Escape") takeTypedKeys();
  const key = { Enter: "\n", Backspace: "" }[event.key] ?? event.key;
  if (typed === null || key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (typed.endsWith("\n")) return;
  typed = key === "" ? typed.slice(0, -1) : typed + key;
}
