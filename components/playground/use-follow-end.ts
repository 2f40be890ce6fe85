"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const AT_END_PX = 8;

/**
 * Keeps the end of a growing content in view while it grows, until somebody scrolls up; scrolling down to the end goes on
 * with it, and so does a new number of `parts`. The box that scrolls is the content's parent.
 */
export function useFollowEnd(parts: number): {
  content: RefObject<HTMLDivElement | null>;
  /** Somebody has scrolled up. */
  away: boolean;
  toEnd: () => void;
} {
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [away, setAway] = useState(false);
  const follow = useCallback((next: boolean) => {
    follows.current = next;
    setAway(!next);
  }, []);
  const toEnd = useCallback(() => {
    const box = content.current?.parentElement;
    if (box == null) return;
    follow(true);
    box.scrollTop = box.scrollHeight;
  }, [follow]);
  useEffect(() => {
    const box = content.current?.parentElement;
    if (content.current === null || box == null) return;
    let top = box.scrollTop;
    const onScroll = () => {
      const left = box.scrollHeight - box.scrollTop - box.clientHeight;
      // What grows below changes the distance to the end and not the position; only somebody who scrolls goes up.
      if (left <= AT_END_PX) follow(true);
      else if (box.scrollTop < top) follow(false);
      top = box.scrollTop;
    };
    const onGrowth = () => {
      if (follows.current) box.scrollTop = box.scrollHeight;
    };
    const observer = new ResizeObserver(onGrowth);
    observer.observe(content.current);
    observer.observe(box);
    box.addEventListener("scroll", onScroll);
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", onScroll);
    };
  }, [follow]);
  const known = useRef(parts);
  useEffect(() => {
    if (parts !== known.current) toEnd();
    known.current = parts;
  }, [parts, toEnd]);
  return { content, away, toEnd };
}
