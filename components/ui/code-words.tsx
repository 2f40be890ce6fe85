/** A sentence whose words between backticks are code. */
export function CodeWords(props: { text: string }) {
  return props.text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their order
      <code key={index} className="wrap-anywhere text-fg">
        {part}
      </code>
    ),
  );
}
