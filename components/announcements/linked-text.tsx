const ADDRESS = /(https?:\/\/[^\s<>"'，。；！？）】》]+)/;
const TRAILING = /[.,;:!?)\]]+$/;

/** Plain text in which addresses are links. */
export function LinkedText(props: { text: string }) {
  return (
    <span className="whitespace-pre-line">
      {props.text.split(ADDRESS).map((part, index) => {
        if (index % 2 === 0) return part;
        const address = part.replace(TRAILING, "");
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
          <span key={index}>
            <a
              href={address}
              rel="noopener noreferrer"
              className="rounded-sm font-medium wrap-anywhere underline underline-offset-2 hover:no-underline"
            >
              {address}
            </a>
            {part.slice(address.length)}
          </span>
        );
      })}
    </span>
  );
}
