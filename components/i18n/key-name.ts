"use client";

import { fill } from "./fill";
import { useMessages } from "./provider";

/** The name under which the server keeps the console's own key. */
const CONSOLE_KEY = "Console key";

/** The name of a key where keys are chosen: of a deleted one it says so. */
export function useKeyChoice(): (key: { name: string; deleted: boolean }) => string {
  const { deletedKey } = useMessages("common");
  const keyName = useKeyName();
  return ({ name, deleted }) => (deleted ? fill(deletedKey, { name: keyName(name) }) : keyName(name));
}

/** The name of a key as its owner reads it: their own words, or that of the console key in their language. */
export function useKeyName(): (name: string) => string {
  const { consoleKey } = useMessages("common");
  return (name) => (name === CONSOLE_KEY ? consoleKey : name);
}
