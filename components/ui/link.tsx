"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";
import { type ButtonLook, buttonClass } from "./button";
import { cn } from "./cn";

/** A link that prefetches its page on hover instead of when it becomes visible. */
export function Link({ onPointerEnter, onFocus, ...rest }: ComponentProps<typeof NextLink>) {
  const [wanted, setWanted] = useState(false);
  return (
    <NextLink
      {...rest}
      prefetch={wanted ? "auto" : false}
      onPointerEnter={(event) => {
        setWanted(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setWanted(true);
        onFocus?.(event);
      }}
    />
  );
}

/** A link that looks like a button. */
export function ButtonLink({ variant, size, className, ...rest }: ComponentProps<typeof Link> & ButtonLook) {
  return <Link className={cn(buttonClass(variant, size), className)} {...rest} />;
}

/** A link inside text; its padding makes it a target of 24 pixels without moving the lines. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      className={cn(
        "rounded-sm py-1 font-medium text-primary underline underline-offset-2 hover:no-underline",
        className,
      )}
      {...rest}
    />
  );
}
