"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect } from "react";
import { leave } from "../forms/leave";
import { useMessages } from "../i18n/provider";
import { toast } from "../ui/toast";

/** Takes away what was said last. */
let unsay = () => {};

/** One message at a time says that there is no connection. */
function say(message: string): void {
  unsay();
  unsay = toast.failed(message);
}

/** Tells when the connection goes and comes back, and keeps the page when a link to another one is followed without. */
export function useOfflineNotice(): void {
  const text = useMessages("common").errors;
  useEffect(() => {
    const offline = () => say(text.offline);
    const online = () => {
      unsay();
      toast.done(text.online);
    };
    const follow = (event: MouseEvent) => {
      if (navigator.onLine || !leavesPage(event)) return;
      event.preventDefault();
      say(text.offlineStay);
    };
    window.addEventListener("offline", offline);
    window.addEventListener("online", online);
    // In the capture phase: the router follows a link only when nobody has prevented that before.
    window.addEventListener("click", follow, true);
    return () => {
      window.removeEventListener("offline", offline);
      window.removeEventListener("online", online);
      window.removeEventListener("click", follow, true);
    };
  }, [text]);
}

/** Opens a page; without a connection the browser would show its own error page, so that this one stays then. */
export function useOpenPage(): (href: string) => void {
  const router = useRouter();
  const text = useMessages("common").errors;
  return useCallback(
    (href) => {
      if (!navigator.onLine) return say(text.offlineStay);
      leave(() => router.push(href));
    },
    [router, text],
  );
}

/** Whether a click opens another page of this site in this tab. */
function leavesPage(event: MouseEvent): boolean {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link === null || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return false;
  if (link.hasAttribute("download") || (link.target !== "" && link.target !== "_self")) return false;
  const to = new URL(link.href);
  const isAnchor = to.hash !== "" && to.pathname === location.pathname && to.search === location.search;
  return to.origin === location.origin && !isAnchor;
}
