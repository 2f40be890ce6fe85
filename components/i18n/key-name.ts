"use client";

import { useMessages } from "./provider";

/** The name under which the server keeps the console's own key. */
const CONSOLE_KEY = "Console key";

/** The name of a key as its owner reads it: their own words, or that of the console key in their language. */
export function useKeyName(): (name: string) => string {
  const { consoleKey } = useMessages("common");
  return (name) => (name === CONSOLE_KEY ? consoleKey : name);
}
