/** The mark: a barrier across two lanes. */
export function Logo(props: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={props.className ?? "size-6"} fill="none">
      <rect x="1" y="1" width="22" height="22" rx="6" fill="var(--primary)" />
      <path d="M6 18V8" stroke="var(--on-primary)" strokeWidth="2.4" strokeLinecap="round" />
      <path d="M6 9.5 18 6.5" stroke="var(--on-primary)" strokeWidth="2.4" strokeLinecap="round" />
      <path
        d="M11 18h7M11 14h7"
        stroke="var(--on-primary)"
        strokeWidth="2"
        strokeLinecap="round"
        opacity="0.75"
      />
    </svg>
  );
}
