"use client";

import { ImageOff, X } from "lucide-react";
import { type RefObject, useRef } from "react";
import type { MessageImage } from "@/lib/protocols/kit/turn";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";

/** The images of a message that was sent; the names of those that a reload has taken away. */
export function SentImages({ images }: { images: readonly MessageImage[] }) {
  const text = useMessages("playground");
  return (
    <ul aria-label={text.images} className="flex flex-wrap gap-2">
      {images.map(({ id, name, url }) => (
        <li key={id} className="min-w-0">
          {url === null ? (
            <p className="flex items-start gap-1.5 text-xs text-muted">
              <ImageOff aria-hidden className="size-4 shrink-0" />
              <span className="wrap-anywhere">{fill(text.imageGone, { name })}</span>
            </p>
          ) : (
            // biome-ignore lint/performance/noImgElement: the data is in this tab
            <img
              src={url}
              alt={name}
              title={name}
              className="max-h-40 max-w-full rounded-md border bg-page"
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** The images of the message that is being written. The focus of a removed one goes to its neighbour, else to `after`. */
export function AttachedImages(props: {
  images: readonly MessageImage[];
  onRemove: (image: MessageImage) => void;
  after: RefObject<HTMLElement | null>;
}) {
  const text = useMessages("playground");
  const list = useRef<HTMLUListElement>(null);
  function remove(image: MessageImage, place: number) {
    const buttons = list.current?.querySelectorAll("button");
    (buttons?.[place + 1] ?? buttons?.[place - 1] ?? props.after.current)?.focus();
    props.onRemove(image);
  }
  return (
    <ul ref={list} aria-label={text.attached} className="flex flex-wrap gap-1.5">
      {props.images.map((image, place) => (
        <li key={image.id} className="flex items-start rounded-md border bg-card">
          {/* biome-ignore lint/performance/noImgElement: the data is in this tab */}
          <img
            src={image.url ?? ""}
            alt={image.name}
            title={image.name}
            className="size-12 rounded-md object-cover"
          />
          <Button
            size="mini"
            variant="ghost"
            aria-label={fill(text.removeImage, { name: image.name })}
            onClick={() => remove(image, place)}
          >
            <X aria-hidden className="size-3.5" />
          </Button>
        </li>
      ))}
    </ul>
  );
}
