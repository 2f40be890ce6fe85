"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useMessages } from "../i18n/provider";
import { Input } from "./field";

/** A password box whose text can be shown. */
export function PasswordInput(props: ComponentProps<"input">) {
  const text = useMessages("auth");
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input {...props} type={shown ? "text" : "password"} className="pr-12" spellCheck={false} />
      <button
        type="button"
        onClick={() => setShown(!shown)}
        aria-label={shown ? text.hidePassword : text.showPassword}
        className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-md text-muted hover:text-fg"
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </div>
  );
}
