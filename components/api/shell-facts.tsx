"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Profile } from "./types";

/** Data of the server that every signed-in page needs. */
export interface ShellFacts {
  username: string;
  role: Profile["role"];
  /** May change what the Admin space shows; readers of reports see a part of it only. */
  admin: boolean;
  /** Base URL that clients use, without `/v1`. */
  publicUrl: string;
  demoProvider: boolean;
  /** Whether /status is public. */
  statusPage: boolean;
  /** How users reach the admins; null: not told. */
  contact: string | null;
  /** The largest body that a call of the model API may have. */
  maxBodyBytes: number;
  /** Whether clients may speak Responses over WebSocket. */
  webSockets: boolean;
  /** The highest temperature that calls of chat completions may have. */
  maxTemperature: number;
  shortcuts: boolean;
  /** The announcements that the reader has put away. */
  hiddenNotices: string[];
}

const ShellContext = createContext<ShellFacts | null>(null);

/** Provides the server's data to the pages. */
export function ShellFactsProvider(props: { facts: ShellFacts; children: ReactNode }) {
  return <ShellContext.Provider value={props.facts}>{props.children}</ShellContext.Provider>;
}

/** Whether shortcuts of a single letter are on; public pages have none. */
export function useShortcutsAllowed(): boolean {
  return useContext(ShellContext)?.shortcuts ?? false;
}

/** The server's facts. */
export function useShell(): ShellFacts {
  const facts = useContext(ShellContext);
  if (facts === null) throw new Error("ShellFactsProvider is missing above this component");
  return facts;
}
