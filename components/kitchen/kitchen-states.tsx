"use client";

import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { ApiError } from "../api/client";
import { ErrorPanel } from "../api/error-panel";
import { Button } from "../ui/button";
import { Dimmed, EmptyState, Note, Skeleton, SkeletonRows } from "../ui/states";
import { Shelf } from "./shelf";

const notes = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert };

const errors: ConstructorParameters<typeof ApiError>[0][] = [
  { status: 402, code: "QUOTA_EXCEEDED", message: "The quota of this key is used up." },
  { status: 403, code: "FORBIDDEN", message: "This needs the role of an administrator." },
  { status: 404, code: "NOT_FOUND", message: "There is no such key." },
  { status: 500, code: "INTERNAL_ERROR", message: "It failed.", requestId: "req-42" },
  { status: 503, code: "NO_AVAILABLE_NODE", message: "No node answers." },
  { status: 0, code: "NETWORK", message: "" },
];

/** What is said where there is no data, or none yet. */
export function KitchenStates() {
  return (
    <>
      <Shelf name="Note" stacked>
        {(["info", "success", "warning", "danger"] as const).map((tone) => (
          <Note key={tone} tone={tone} icon={notes[tone]}>
            A remark with the tone {tone}.
          </Note>
        ))}
        <Note tone="info">
          A remark without an icon, which is long enough to need more than one line on a phone.
        </Note>
      </Shelf>
      <Shelf name="ErrorPanel" stacked>
        {errors.map((error) => (
          <ErrorPanel key={error.status} error={new ApiError(error)} onRetry={() => {}} />
        ))}
      </Shelf>
      <Shelf name="EmptyState" stacked>
        <div className="rounded-lg border">
          <EmptyState
            title="Nothing has been called yet."
            action={<Button variant="primary">Create key</Button>}
          >
            A second sentence says what happens then.
          </EmptyState>
        </div>
      </Shelf>
      <Shelf name="Skeleton, Dimmed" stacked>
        <Skeleton className="h-24 w-full" />
        <SkeletonRows label="Loading…" rows={3} />
        <Dimmed active>
          <p>Rows that are older than what was asked for</p>
        </Dimmed>
      </Shelf>
    </>
  );
}
