"use client";

import { FileDown } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { AdminModel } from "../../../api/admin/types";
import { useMessages } from "../../../i18n/provider";
import type { Selection } from "../../../lists/use-selection";
import { Button } from "../../../ui/button";

/** Loaded when somebody reads a list. */
const PriceListDialog = dynamic(
  () => import("./price-list-dialog").then((module) => module.PriceListDialog),
  {
    loading: () => null,
  },
);

/** Opens the prices from a list. */
export function PriceListButton(props: { models: AdminModel[]; selection: Selection<AdminModel> }) {
  const text = useMessages("adminModels").list;
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <FileDown aria-hidden className="size-4" />
        {text.open}
      </Button>
      {open && <PriceListDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
