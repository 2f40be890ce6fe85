import type { AskToDiscard } from "../ui/layer";

/** The questions of the forms with unsaved input; the newest one asks. */
const questions: AskToDiscard[] = [];

/** Leads to another page of the application; a form with unsaved input asks first. */
export function leave(proceed: () => void): void {
  const ask = questions.at(-1);
  if (ask === undefined) proceed();
  else ask(proceed);
}

/** Asks before a link or a command leads to another page. The result ends it. */
export function asksBeforeLeaving(ask: AskToDiscard): () => void {
  if (questions.length === 0) document.addEventListener("click", onClick, true);
  questions.push(ask);
  return () => {
    questions.splice(questions.indexOf(ask), 1);
    if (questions.length === 0) document.removeEventListener("click", onClick, true);
  };
}

/** The link that was clicked, if it leads to another page in this tab. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.target === "_blank" || link.hasAttribute("download")) return null;
  const { origin, pathname } = window.location;
  return link.origin === origin && link.pathname !== pathname ? link : null;
}

/** Followed again, the link is let through by the form whose input may be lost. */
let followed: HTMLAnchorElement | null = null;

function onClick(event: MouseEvent): void {
  const link = linkOf(event);
  if (link === null || link === followed) return;
  event.preventDefault();
  event.stopPropagation();
  leave(() => {
    followed = link;
    link.click();
    followed = null;
  });
}
