"use client";

import { useState } from "react";
import { fill } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import { Button } from "../../../ui/button";
import { DialogActions } from "../../../ui/dialog";
import type { Sent } from "./send-list";

/** How many accounts are made, and the way to stop. */
export function ProgressStep(props: { total: number; sent: Sent; onStop: () => void }) {
  const text = useMessages("adminUsers").import;
  const { countFull } = useFormat();
  const [stopping, setStopping] = useState(false);
  const { total, sent } = props;
  const done = total - sent.left.length;
  const told = fill(text.progress, { done: countFull(done), total: countFull(total) });
  return (
    <div className="grid gap-3">
      <p aria-hidden className="tabular text-sm font-medium">
        {told}
      </p>
      <div
        role="progressbar"
        aria-label={text.progressLabel}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={told}
        className="h-1.5 overflow-hidden rounded-full bg-line"
      >
        <div className="h-full bg-primary" style={{ width: `${(done / total) * 100}%` }} />
      </div>
      <DialogActions>
        <Button
          data-first-focus
          disabled={stopping}
          onClick={() => {
            setStopping(true);
            props.onStop();
          }}
        >
          {stopping ? text.stopping : text.stop}
        </Button>
      </DialogActions>
    </div>
  );
}
