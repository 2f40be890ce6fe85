/** What is called so as it is now and as it would be. */
export function ValueChange(props: { label: string; now: string; after: string }) {
  return (
    <span className="tabular block">
      <span className="text-xs text-muted">{props.label}</span>{" "}
      <span className="whitespace-nowrap">
        <span className="text-muted">{props.now} → </span>
        {props.after}
      </span>
    </span>
  );
}
