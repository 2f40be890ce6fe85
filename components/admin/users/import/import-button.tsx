"use client";

import { Upload } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useMessages } from "../../../i18n/provider";
import { Button } from "../../../ui/button";

/** Loaded when somebody imports. */
const ImportDialog = dynamic(() => import("./import-dialog").then((module) => module.ImportDialog), {
  loading: () => null,
});

/** Opens the import of a list of accounts. */
export function ImportButton() {
  const text = useMessages("adminUsers").import;
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button className="max-sm:hidden" onClick={() => setOpen(true)}>
        <Upload aria-hidden className="size-4" />
        {text.open}
      </Button>
      {open && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  );
}
