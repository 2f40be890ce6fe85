import Link from "next/link";
import type { ComponentProps } from "react";
import { type ButtonLook, buttonClass } from "./button";
import { cn } from "./cn";

/** A link that looks like a button. */
export function ButtonLink({ variant, size, className, ...rest }: ComponentProps<typeof Link> & ButtonLook) {
  return <Link className={cn(buttonClass(variant, size), className)} {...rest} />;
}

/** A link inside text. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      className={cn(
        "rounded-sm font-medium text-primary underline underline-offset-2 hover:no-underline",
        className,
      )}
      {...rest}
    />
  );
}
