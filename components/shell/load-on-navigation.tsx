"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";

/** Loads the page anew when its address changes: the router would keep a document that has no place for other pages. */
export function LoadOnNavigation() {
  const path = usePathname();
  const first = useRef(path);
  useEffect(() => {
    if (path !== first.current) window.location.reload();
  }, [path]);
  return null;
}
