"use client";

import { Ellipsis, TicketPlus, Upload } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useMessages } from "../../i18n/provider";
import { Button, buttonClass } from "../../ui/button";
import { ButtonLink } from "../../ui/link";
import { Menu, MenuItem, MenuLink } from "../../ui/menu";

/** Loaded when somebody imports. */
const ImportDialog = dynamic(() => import("./import/import-dialog").then((module) => module.ImportDialog), {
  loading: () => null,
});

const invitePath = "/admin/settings?create=invitation#invitations";

/** The ways to several accounts: the import of a list, and invitations. On a phone they are a menu. */
export function HeadActions() {
  const text = useMessages("adminUsers");
  const more = useMessages("common").more;
  const [importing, setImporting] = useState(false);
  return (
    <>
      <Button className="max-sm:hidden" onClick={() => setImporting(true)}>
        <Upload aria-hidden className="size-4" />
        {text.import.open}
      </Button>
      <ButtonLink className="max-sm:hidden" href={invitePath}>
        <TicketPlus aria-hidden className="size-4" />
        {text.invite}
      </ButtonLink>
      <Menu
        label={more}
        triggerClass={`${buttonClass("secondary", "icon")} sm:hidden`}
        trigger={<Ellipsis aria-hidden className="size-4" />}
      >
        <MenuItem onClick={() => setImporting(true)}>{text.import.open}</MenuItem>
        <MenuLink href={invitePath}>{text.invite}</MenuLink>
      </Menu>
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  );
}
