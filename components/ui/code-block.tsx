import { CopyButton } from "./copy-button";

/** A piece of text to copy; scrolls sideways by keyboard, too. */
export function CodeBlock(props: { code: string; label: string; copyLabel?: string; shown?: string }) {
  return (
    <div className="relative min-w-0 rounded-md border bg-card">
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={props.code} label={props.copyLabel} iconOnly className="bg-card" />
      </div>
      <section aria-label={props.label}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <pre tabIndex={0} className="max-h-96 overflow-auto p-3 pr-12 font-mono text-xs leading-5">
          <code>{props.shown ?? props.code}</code>
        </pre>
      </section>
    </div>
  );
}
