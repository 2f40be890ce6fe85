"use client";

import { Ellipsis, TicketPlus, Upload } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useMessages } from "../../i18n/provider";
import { Button, buttonClass } from "../../ui/button";
import { Menu, MenuItem } from "../../ui/menu";

/** Loaded when somebody imports. */
const ImportDialog = dynamic(() => import("./import/import-dialog").then((module) => module.ImportDialog), {
  loading: () => null,
});

/** Loaded when somebody invites. */
const NewInvitation = dynamic(
  () => import("../settings/new-invitation").then((module) => module.NewInvitation),
  { loading: () => null },
);

/** The ways to several accounts: the import of a list, and invitations. On a phone they are a menu. */
export function HeadActions() {
  const text = useMessages("adminUsers");
  const more = useMessages("common").more;
  const [making, setMaking] = useState<"import" | "invitation" | null>(null);
  const close = () => setMaking(null);
  return (
    <>
      <Button className="max-sm:hidden" onClick={() => setMaking("import")}>
        <Upload aria-hidden className="size-4" />
        {text.import.open}
      </Button>
      <Button className="max-sm:hidden" onClick={() => setMaking("invitation")}>
        <TicketPlus aria-hidden className="size-4" />
        {text.invite}
      </Button>
      <Menu
        label={more}
        triggerClass={`${buttonClass("secondary", "icon")} sm:hidden`}
        trigger={<Ellipsis aria-hidden className="size-4" />}
      >
        <MenuItem onClick={() => setMaking("import")}>{text.import.open}</MenuItem>
        <MenuItem onClick={() => setMaking("invitation")}>{text.invite}</MenuItem>
      </Menu>
      {making === "import" && <ImportDialog onClose={close} />}
      {making === "invitation" && <NewInvitation onClose={close} />}
    </>
  );
}
