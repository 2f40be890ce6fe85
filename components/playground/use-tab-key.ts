"use client";

import { useCallback, useState } from "react";
import { callApi } from "../api/client";

/** The key that the pages of the console make calls with. */
export interface TabKey {
  mode: "console" | "pasted";
  setMode: (mode: "console" | "pasted") => void;
  pasted: string;
  setPasted: (key: string) => void;
  /** Why no call can be made with a key that is to be pasted: there is none, or it is not whole. */
  problem: "none" | "wrong" | null;
  /** The visible part of the key in use; null when there is none yet. */
  prefix: string | null;
  /** The secret for calls. The console key is asked for at each call and not kept. Throws ApiError. */
  get: () => Promise<string>;
}

/** The account's console key, or one that is pasted and stays in this tab's memory. */
export function useTabKey(): TabKey {
  const [mode, setMode] = useState<"console" | "pasted">("console");
  const [pasted, setPasted] = useState("");
  const [issued, setIssued] = useState<string | null>(null);
  const get = useCallback(async () => {
    if (mode === "pasted") return pasted.trim();
    const { apiKey, key } = await callApi("POST /api/user/console-key");
    setIssued(apiKey.keyPrefix);
    return key;
  }, [mode, pasted]);
  const typed = pasted.trim() === "" ? null : pasted.trim().slice(0, 12);
  const problem = mode === "console" ? null : problemOf(pasted.trim());
  return { mode, setMode, pasted, setPasted, problem, prefix: mode === "console" ? issued : typed, get };
}

/** Null for something that could be a key of this gateway. */
function problemOf(key: string): TabKey["problem"] {
  if (key === "") return "none";
  return /^tgw-[0-9A-Za-z]{20,}$/.test(key) ? null : "wrong";
}
