"use client";

import { Tabs as Base } from "@base-ui/react/tabs";
import { type ReactNode, useState } from "react";

const tabClass =
  "inline-flex h-9 align-top shrink-0 items-center border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted " +
  "hover:text-fg data-active:border-primary data-active:text-fg pointer-coarse:min-h-11";

/** Tabs with their panels; what does not fit wraps into lines of like length, or scrolls sideways on touch screens. Controlled when `value` is given. */
export function Tabs<T extends string>(props: {
  label: string;
  value?: T;
  defaultValue?: T;
  onChange?: (value: T) => void;
  /** Whether panels that were opened keep what is typed in them while others are shown. */
  keep?: boolean;
  tabs: Array<{ value: T; label: ReactNode; content: ReactNode }>;
}) {
  const first = props.defaultValue ?? props.tabs[0]?.value;
  const [opened, setOpened] = useState([props.value ?? first]);
  return (
    <Base.Root
      className="min-w-0"
      {...(props.value !== undefined ? { value: props.value } : {})}
      defaultValue={first}
      onValueChange={(value: T) => {
        setOpened((before) => [...before.filter((one) => one !== value), value]);
        props.onChange?.(value);
      }}
    >
      <Base.List
        aria-label={props.label}
        activateOnFocus
        className="text-balance shadow-[inset_0_-1px_0_var(--line)] pointer-coarse:flex pointer-coarse:overflow-x-auto pointer-coarse:scroll-fade pointer-coarse:[scrollbar-width:none]"
      >
        {props.tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={tabClass}>
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {props.tabs.map((tab) => (
        <Base.Panel
          key={tab.value}
          value={tab.value}
          keepMounted={props.keep === true && opened.includes(tab.value)}
          className="min-w-0 pt-4"
        >
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
