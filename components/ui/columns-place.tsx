"use client";

import { createContext, type ReactNode, useContext, useState } from "react";

interface Place {
  slot: HTMLElement | null;
  setSlot: (slot: HTMLElement | null) => void;
}

const PlaceContext = createContext<Place | null>(null);

/** Around a table and the place where the menu of its columns stands. */
export function ColumnsPlace(props: { children: ReactNode }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return <PlaceContext.Provider value={{ slot, setSlot }}>{props.children}</PlaceContext.Provider>;
}

/** Where the menu of the table's columns stands; cards have none. */
export function ColumnsSlot() {
  const place = useContext(PlaceContext);
  // The room is there before the menu is, so that nothing moves.
  return <div ref={place?.setSlot} className="h-9 min-w-30 shrink-0 max-md:hidden" />;
}

/** The element for the menu of the columns; null where there is no place for one. */
export function useColumnsSlot(): HTMLElement | null {
  return useContext(PlaceContext)?.slot ?? null;
}
