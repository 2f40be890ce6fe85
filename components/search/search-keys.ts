"use client";

import { type KeyboardEvent as PressedKey, type RefObject, useEffect, useRef } from "react";
import { cookieNames } from "../i18n/locale";
import { isTyping, layerIsOpen } from "../ui/shortcuts";

/** `/`, and Ctrl or ⌘ with K, lead to the search in the element with this reference, as in most docs. */
export function useSearchKeys(): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (!asksForSearch(event) || layerIsOpen()) return;
      const input = place.current?.querySelector<HTMLInputElement>("input[type=search]");
      if (input === null || input === undefined) return;
      event.preventDefault();
      input.focus();
      input.select();
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return place;
}

function asksForSearch(event: KeyboardEvent): boolean {
  if (event.altKey) return false;
  if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === "k";
  // Readers may have switched single keys off.
  const allowed = !document.cookie.split("; ").includes(`${cookieNames.shortcuts}=off`);
  return event.key === "/" && allowed && !isTyping(event);
}

/**
 * From the field ↓ leads to the first result; ↓ and ↑ go from one to the next, and back to the field. True when Enter is
 * to open the first one.
 */
export function moveInResults(event: PressedKey<HTMLElement>, place: HTMLElement | null): boolean {
  if (place === null || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return false;
  const stops = [...place.querySelectorAll<HTMLElement>("input[type=search], [data-result]")];
  const at = stops.indexOf(event.currentTarget);
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step !== 0) {
    event.preventDefault();
    stops[at + step]?.focus();
  }
  if (event.key !== "Enter" || at !== 0) return false;
  event.preventDefault();
  return true;
}
