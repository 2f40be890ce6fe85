"use client";

import type { KeyRecord } from "../api/types";
import { useMessages } from "../i18n/provider";
import { RowMenu } from "../lists/row-menu";
import { copyText } from "../ui/copy-button";
import { MenuItem, MenuLink, MenuSeparator } from "../ui/menu";
import { toast } from "../ui/toast";
import { useToggleKey } from "./use-key-actions";

/** Actions on a key that open a dialog. */
export type KeyTask = "edit" | "delete" | "replace";

/** The menu of one key. */
export function KeyMenu(props: { apiKey: KeyRecord; onTask: (task: KeyTask) => void }) {
  const text = useMessages("keys");
  const common = useMessages("common");
  const toggle = useToggleKey();
  const { apiKey } = props;
  const active = apiKey.status === "active";
  async function copyPrefix() {
    if (await copyText(apiKey.keyPrefix)) toast.done(text.prefixCopied);
    else toast.failed(common.copyFailed);
  }
  return (
    <RowMenu name={apiKey.name}>
      <MenuItem onClick={copyPrefix}>{text.copyPrefix}</MenuItem>
      <MenuItem onClick={() => props.onTask("edit")}>{text.edit}</MenuItem>
      <MenuItem
        disabledBecause={apiKey.blocked ? text.blockedHint : undefined}
        onClick={() => toggle(apiKey, active ? "disabled" : "active")}
      >
        {active ? text.disable : text.enable}
      </MenuItem>
      <MenuItem onClick={() => props.onTask("replace")}>{text.createReplacement}</MenuItem>
      <MenuSeparator />
      <MenuLink href={`/console/usage?key=${apiKey.id}`}>{text.viewUsage}</MenuLink>
      <MenuLink href={`/console/logs?key=${apiKey.id}`}>{text.viewLogs}</MenuLink>
      <MenuSeparator />
      <MenuItem danger onClick={() => props.onTask("delete")}>
        {common.delete}
      </MenuItem>
    </RowMenu>
  );
}
