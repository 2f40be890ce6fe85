const linkClass = "rounded-sm py-1 font-medium underline underline-offset-2 wrap-anywhere hover:no-underline";

/** How users reach the admins: an https link and an e-mail address can be opened, another text is shown as it is. */
export function Contact(props: { contact: string }) {
  const contact = props.contact.replace(/^mailto:/i, "");
  const href = contactHref(contact);
  if (href === null) return <span className="wrap-anywhere">{contact}</span>;
  return (
    <a href={href} className={linkClass} {...(!href.startsWith("mailto:") && { rel: "noreferrer" })}>
      {contact}
    </a>
  );
}

/** Where a contact leads; null for a text. */
function contactHref(contact: string): string | null {
  if (/^https:\/\/\S+$/.test(contact)) return contact;
  return /^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(contact) ? `mailto:${contact}` : null;
}
