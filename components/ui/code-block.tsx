import { CodeColors } from "./code-colors";
import { CopyButton } from "./copy-button";

/** A piece of text to copy; scrolls sideways by keyboard, too. The button stands beside the text, never over it. */
export function CodeBlock(props: { code: string; label: string; copyLabel?: string; shown?: string }) {
  return (
    <div className="flex min-w-0 items-start rounded-md border bg-card">
      <section aria-label={props.label} className="min-w-0 flex-1">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <pre tabIndex={0} className="max-h-96 scroll-fade overflow-auto p-3 font-mono text-xs leading-5">
          <code>
            <CodeColors code={props.shown ?? props.code} />
          </code>
        </pre>
      </section>
      <div className="shrink-0 p-1.5">
        <CopyButton text={props.code} label={props.copyLabel} iconOnly className="bg-card" />
      </div>
    </div>
  );
}
