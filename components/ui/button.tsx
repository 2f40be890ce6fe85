import type { ComponentProps } from "react";
import { cn } from "./cn";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "sm" | "md" | "lg" | "icon" | "mini";

const variants: Record<ButtonVariant, string> = {
  primary: "bg-primary text-on-primary border-transparent hover:bg-primary-strong",
  secondary: "bg-page text-fg border-control/60 hover:bg-hover",
  ghost: "bg-transparent text-fg border-transparent hover:bg-hover",
  danger: "bg-danger text-on-danger border-transparent hover:opacity-90",
};

const sizes: Record<ButtonSize, string> = {
  sm: "h-8 px-3 text-sm",
  md: "h-9 px-4 text-sm",
  lg: "h-11 px-6 text-lg",
  icon: "size-9 shrink-0",
  mini: "size-7 shrink-0",
};

/** The look of a button, for elements that are not one (menu triggers, links). */
export function buttonClass(variant: ButtonVariant = "secondary", size: ButtonSize = "md"): string {
  return cn(
    "inline-flex items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap transition-colors",
    "pointer-coarse:min-h-11 pointer-coarse:min-w-11",
    "disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60",
    variants[variant],
    sizes[size],
  );
}

/** A row of the menu of a phone. */
export const menuRowClass =
  "flex min-h-9 items-center gap-2 rounded-md px-3 text-left text-sm hover:bg-hover pointer-coarse:min-h-11";

/** The variant of a button. */
export interface ButtonLook {
  variant?: ButtonVariant;
  size?: ButtonSize;
}

/** A button; `type` is `button` unless said otherwise. */
export function Button({ variant, size, className, type, ...rest }: ComponentProps<"button"> & ButtonLook) {
  return <button type={type ?? "button"} className={cn(buttonClass(variant, size), className)} {...rest} />;
}
