"use client";

import { useEffect } from "react";
import { useSelf } from "../api/queries";
import { useOfflineNotice } from "./offline";

/** Watches the connection and the account; apart from the frame, which is not drawn again when they are read. */
export function Watch(props: { username: string }): null {
  useOfflineNotice();
  useSameAccount(props.username);
  return null;
}

/** Loads the page again once another account has signed in, in another tab: nothing of the first one stays. */
function useSameAccount(username: string): void {
  const now = useSelf().data?.username;
  useEffect(() => {
    if (now !== undefined && now !== username) window.location.reload();
  }, [now, username]);
}
