"use client";

import { ImagePlus } from "lucide-react";
import { type RefObject, useRef } from "react";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { Button } from "../ui/button";
import { imageTypes, MAX_IMAGE_MB, MAX_IMAGES } from "./images";

/** Opens the picker of image files. */
export function AttachButton(props: {
  ref: RefObject<HTMLButtonElement | null>;
  onFiles: (files: readonly File[]) => void;
}) {
  const text = useMessages("playground");
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept={imageTypes.join()}
        onChange={(event) => {
          props.onFiles([...(event.target.files ?? [])]);
          event.target.value = ""; // so that the same file can be chosen again
        }}
      />
      <Button
        ref={props.ref}
        size="icon"
        aria-label={text.attach}
        title={fill(text.attachHint, { count: MAX_IMAGES, size: MAX_IMAGE_MB })}
        onClick={() => picker.current?.click()}
      >
        <ImagePlus aria-hidden className="size-4" />
      </Button>
    </>
  );
}
