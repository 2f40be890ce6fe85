"use client";

import { CircleUser } from "lucide-react";
import { closeSession } from "../api/session";
import { useShell } from "../api/shell-facts";
import { fill } from "../i18n/fill";
import { useMessages } from "../i18n/provider";
import { buttonClass } from "../ui/button";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "../ui/menu";
import { HelpLinks } from "./help-menu";

/** Pages and actions of the account, open when it appears. */
export function AccountMenu() {
  const text = useMessages("shell");
  const common = useMessages("common");
  const { username } = useShell();
  return (
    <Menu
      defaultOpen
      label={text.account}
      triggerClass={buttonClass("ghost", "icon")}
      trigger={<CircleUser aria-hidden className="size-5" />}
    >
      <p className="px-2 py-1.5 text-xs break-all text-muted">{fill(text.signedInAs, { name: username })}</p>
      <MenuSeparator />
      <MenuLink href="/console/settings">{text.settings}</MenuLink>
      <MenuLink href="/console/billing">{text.billing}</MenuLink>
      <MenuSeparator />
      {/* On a phone there is no room for the menu of help. */}
      <div className="sm:hidden">
        <HelpLinks />
        <MenuSeparator />
      </div>
      <MenuItem onClick={() => void closeSession()}>{common.signOut}</MenuItem>
    </Menu>
  );
}
