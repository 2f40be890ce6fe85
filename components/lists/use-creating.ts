"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useEffect, useState } from "react";

/** Whether the form of a new row is open. An address with `?create=1` opens it, such as that of a command of the palette. */
export function useCreating(): [boolean, (creating: boolean) => void] {
  const [creating, setCreating] = useState(false);
  const [asked, setAsked] = useQueryState("create", parseAsStringLiteral(["1"]));
  useEffect(() => {
    if (asked === null) return;
    // Once the address is without it: Back would open again what it closes.
    void setAsked(null).then(() => setCreating(true));
  }, [asked, setAsked]);
  return [creating, setCreating];
}
