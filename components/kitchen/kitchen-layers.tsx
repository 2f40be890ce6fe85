"use client";

import { useState } from "react";
import { Button, buttonClass } from "../ui/button";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { Dialog, DialogActions } from "../ui/dialog";
import { Drawer } from "../ui/drawer";
import { Field, Input } from "../ui/field";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "../ui/menu";
import { toast } from "../ui/toast";
import { Shelf } from "./shelf";

type Layer = "dialog" | "confirm" | "drawer";

/** Everything that opens above a page. */
export function KitchenLayers() {
  const [layer, setLayer] = useState<Layer | null>(null);
  const close = () => setLayer(null);
  return (
    <>
      <Shelf name="Dialog, ConfirmDialog, Drawer, Menu, toast">
        <Button onClick={() => setLayer("dialog")}>Open a dialog</Button>
        <Button onClick={() => setLayer("confirm")}>Ask for confirmation</Button>
        <Button onClick={() => setLayer("drawer")}>Open a drawer</Button>
        <Menu label="Open a menu" triggerClass={buttonClass()} trigger="Open a menu" align="start">
          <MenuItem onClick={() => {}}>An action</MenuItem>
          <MenuItem disabled onClick={() => {}}>
            An action that is not possible
          </MenuItem>
          <MenuLink href="/console">A link</MenuLink>
          <MenuSeparator />
          <MenuItem danger onClick={() => {}}>
            Delete
          </MenuItem>
        </Menu>
        <Button
          onClick={() =>
            toast.done("“Switch” is disabled.", { action: { label: "Undo", onClick: () => {} } })
          }
        >
          Say that it is done
        </Button>
        <Button onClick={() => toast.failed("It could not be changed.", "The server refused it.")}>
          Say that it failed
        </Button>
      </Shelf>
      <Dialog open={layer === "dialog"} onClose={close} title="A dialog" description="What it is for.">
        <Content onClose={close} />
      </Dialog>
      <Drawer
        open={layer === "drawer"}
        onClose={close}
        title="A drawer"
        actions={<Button size="sm">Action</Button>}
        tabs={{
          label: "Parts",
          tabs: [
            { value: "first", label: "First", content: <p>What the first tab shows</p> },
            { value: "second", label: "Second", content: <p>What the second tab shows</p> },
          ],
        }}
        footer={<Button onClick={close}>Close</Button>}
      >
        <p className="text-sm text-muted">What stands above the tabs.</p>
      </Drawer>
      <ConfirmDialog
        open={layer === "confirm"}
        onClose={close}
        onConfirm={close}
        title="Delete “Switch”?"
        body={<p>Calls with it are refused at once. This cannot be undone.</p>}
        typed="Switch"
        action="Delete key"
      />
    </>
  );
}

function Content(props: { onClose: () => void }) {
  return (
    <>
      <Field label="Name" hint="Shown in lists.">
        {(control) => <Input {...control} defaultValue="Switch" />}
      </Field>
      <DialogActions>
        <Button onClick={props.onClose}>Cancel</Button>
        <Button variant="primary" onClick={props.onClose}>
          Save
        </Button>
      </DialogActions>
    </>
  );
}
