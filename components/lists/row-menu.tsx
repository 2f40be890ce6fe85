"use client";

import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { type ButtonVariant, buttonClass } from "../ui/button";
import { Menu } from "../ui/menu";

/** What can be done with one record, which its button names. */
export function RowMenu(props: { name: string; variant?: ButtonVariant | undefined; children: ReactNode }) {
  const { actionsFor } = useMessages("common");
  return (
    <Menu
      label={fill(actionsFor, { name: props.name })}
      triggerClass={buttonClass(props.variant ?? "ghost", "icon")}
      trigger={<Ellipsis aria-hidden className="size-4" />}
    >
      {props.children}
    </Menu>
  );
}
