"use client";

import { CircleHelp } from "lucide-react";
import { useShell } from "../api/shell-facts";
import { useMessages } from "../i18n/provider";
import { buttonClass } from "../ui/button";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "../ui/menu";

/** The public pages that explain the gateway, and the list of shortcuts; open when it appears. */
export function HelpMenu(props: { onShortcuts: () => void }) {
  const text = useMessages("shell");
  return (
    <Menu
      defaultOpen
      label={text.help}
      triggerClass={buttonClass("ghost", "icon")}
      trigger={<CircleHelp aria-hidden className="size-4" />}
    >
      <HelpLinks />
      <MenuSeparator />
      <MenuItem onClick={props.onShortcuts}>{text.shortcuts}</MenuItem>
    </Menu>
  );
}

/** They leave the console. */
export function HelpLinks() {
  const text = useMessages("shell");
  const common = useMessages("common");
  const { statusPage } = useShell();
  return (
    <>
      <MenuLink href="/docs">{common.docs}</MenuLink>
      <MenuLink href="/docs/api">{common.apiReference}</MenuLink>
      {statusPage && <MenuLink href="/status">{text.status}</MenuLink>}
    </>
  );
}
