"use client";

import { type ClipboardEvent, useEffect, useEffectEvent, useState } from "react";
import type { MessageImage } from "@/lib/protocols/kit/turn";
import { acceptable, type ImageProblem, readImage } from "./images";

/** Attaches files to the message that is being written: chosen, pasted or dropped on the page. */
export function useAttaching(
  /** The images of the message, which another file may have changed while one was read. */
  current: () => readonly MessageImage[],
  onChange: (images: readonly MessageImage[]) => void,
) {
  const [problems, setProblems] = useState<readonly ImageProblem[]>([]);
  async function add(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    const found = acceptable(files, current().length);
    setProblems(found.problems);
    for (const file of found.taken) {
      try {
        const image = await readImage(file, current());
        onChange([...current(), image]);
      } catch {
        setProblems((before) => [...before, { kind: "unread", name: file.name }]);
      }
    }
  }
  function remove(image: MessageImage): void {
    setProblems([]);
    onChange(current().filter(({ id }) => id !== image.id));
  }
  function paste(event: ClipboardEvent): void {
    const { files, types } = event.clipboardData;
    // Text of an office program brings a picture of itself along.
    if (files.length === 0 || (types.includes("text/plain") && types.includes("text/html"))) return;
    event.preventDefault();
    void add([...files]);
  }
  const dragging = useFileDrop((files) => void add(files));
  return { problems, forgetProblems: () => setProblems([]), add, remove, paste, dragging };
}

/** Takes files that are dropped anywhere on the page; the browser would leave it for them. Whether some are over it. */
function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [dragging, setDragging] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const drop = (event: DragEvent) => {
      setDragging(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      take(files);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, []);
  return dragging;
}
