"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { Profile } from "../api/types";
import { useMessages } from "../i18n/provider";
import { buttonClass } from "../ui/button";
import { LanguageButton, ThemeButton } from "./preference-buttons";
import { NavigationLists } from "./rail";

/** The rail as a drawer, on phones. */
export function PhoneNavigation(props: { open: boolean; onClose: () => void; role: Profile["role"] }) {
  const common = useMessages("common");
  return (
    <Base.Root open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <Base.Portal>
        <Base.Backdrop className="scrim fixed inset-0 z-40" />
        <Base.Popup className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[calc(100vw-48px)] flex-col bg-page shadow-float transition-transform duration-200 data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <header className="flex h-12 items-center justify-between border-b px-4">
            <Base.Title className="truncate font-semibold">{common.productName}</Base.Title>
            <Base.Close className={buttonClass("ghost", "icon")} aria-label={common.close}>
              <X aria-hidden className="size-4" />
            </Base.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto p-2">
            <NavigationLists role={props.role} wordClass="" onFollow={props.onClose} />
          </div>
          <footer className="flex items-center gap-1 border-t p-2">
            <LanguageButton />
            <ThemeButton />
          </footer>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
