import type { ReactNode } from "react";
import { AnnouncementBanner } from "../announcements/announcement-banner";
import { inLanguage } from "../announcements/hidden-notices";
import { serverMessages } from "../server/messages";
import { readPreferences } from "../server/preferences";
import { bootstrapOfRender } from "../server/reads";
import { FocusOnNavigation } from "../shell/focus-on-navigation";
import { Logo } from "../shell/logo";
import { LanguageButton, ThemeButton } from "../shell/preference-buttons";
import { menuRowClass } from "../ui/button";
import { cn } from "../ui/cn";
import { Contact } from "../ui/contact";
import { ButtonLink, Link } from "../ui/link";
import { SiteMenu } from "./site-menu";

const linkClass =
  "flex h-9 items-center rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-fg sm:px-3 pointer-coarse:h-11";

/** Head and foot of the public pages. */
export async function SiteFrame(props: { signedIn: boolean; children: ReactNode }) {
  const text = await serverMessages("common");
  const { status } = await serverMessages("site");
  const { statusPage, announcements, allowRegistration, contact } = await bootstrapOfRender();
  const { hiddenNotices, locale } = await readPreferences();
  const offersAccount = !props.signedIn && allowRegistration;
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="skip-link rounded-md bg-primary px-3 py-2 text-on-primary">
        {text.skipToContent}
      </a>
      <AnnouncementBanner
        announcements={announcements.map((one) => inLanguage(one, locale))}
        hidden={hiddenNotices}
        text={{ label: status.notice, hide: status.hideNotice }}
        width="max-w-site"
      />
      <header className="sticky top-0 z-20 border-b bg-page">
        <div className="mx-auto flex min-h-14 max-w-site flex-wrap items-center px-3 py-1 sm:gap-x-1 sm:px-6">
          <Link
            href="/"
            className="flex h-9 sm:mr-2 items-center gap-2 rounded-md font-semibold pointer-coarse:h-11"
          >
            <Logo />
            <span
              title={text.productName}
              className={cn(
                "max-w-28 truncate sm:max-w-56",
                offersAccount ? "max-sm:sr-only" : "max-[360px]:sr-only",
              )}
            >
              {text.productName}
            </span>
          </Link>
          <nav aria-label={text.menu} className="flex items-center">
            <Link href="/models" className={linkClass}>
              {text.models}
            </Link>
            <Link href="/docs" className={linkClass}>
              {text.docs}
            </Link>
            {statusPage && (
              <Link href="/status" className={cn(linkClass, "max-sm:hidden")}>
                {status.title}
              </Link>
            )}
          </nav>
          <HeadEnd statusPage={statusPage} signedIn={props.signedIn} allowRegistration={allowRegistration} />
        </div>
      </header>
      <FocusOnNavigation />
      <main id="main" tabIndex={-1} className="flex-1">
        {props.children}
      </main>
      <Footer statusPage={statusPage} contact={contact} />
    </div>
  );
}

/** The way into the console, language and theme; on a phone these two are in a menu, with what else has no room. */
async function HeadEnd(props: { statusPage: boolean; signedIn: boolean; allowRegistration: boolean }) {
  const text = await serverMessages("common");
  const { status } = await serverMessages("site");
  return (
    <div className="ml-auto flex items-center sm:gap-1">
      <span className="contents max-sm:hidden">
        <LanguageButton />
        <ThemeButton />
      </span>
      <Entry signedIn={props.signedIn} allowRegistration={props.allowRegistration} />
      <SiteMenu label={text.more} className="sm:hidden">
        {!props.signedIn && props.allowRegistration && (
          <Link href="/login" className={cn(menuRowClass, "min-[361px]:hidden")}>
            {text.signIn}
          </Link>
        )}
        {props.statusPage && (
          <Link href="/status" className={menuRowClass}>
            {status.title}
          </Link>
        )}
        <LanguageButton named />
        <ThemeButton named />
      </SiteMenu>
    </div>
  );
}

/** The way into the console. */
async function Entry(props: { signedIn: boolean; allowRegistration: boolean }) {
  const text = await serverMessages("common");
  if (props.signedIn) {
    return (
      <ButtonLink href="/console" variant="primary" size="sm">
        {text.console}
      </ButtonLink>
    );
  }
  return (
    <>
      <ButtonLink
        href="/login"
        variant={props.allowRegistration ? "secondary" : "primary"}
        size="sm"
        {...(props.allowRegistration && { className: "max-[360px]:hidden" })}
      >
        {text.signIn}
      </ButtonLink>
      {props.allowRegistration && (
        <ButtonLink href="/register" variant="primary" size="sm" className="ml-1">
          {text.signUp}
        </ButtonLink>
      )}
    </>
  );
}

/** Links of all public pages; the status page is one of them while it is on. */
async function Footer(props: { statusPage: boolean; contact: string | null }) {
  const text = await serverMessages("common");
  const { status, footer } = await serverMessages("site");
  return (
    <footer className="border-t">
      <div className="mx-auto flex max-w-site flex-wrap items-center gap-x-6 gap-y-2 px-4 py-6 text-sm text-muted sm:px-6">
        <span className="min-w-0 truncate">{text.productName}</span>
        <Link href="/docs" className="-mx-1 rounded-sm p-1 hover:text-fg hover:underline">
          {text.docs}
        </Link>
        <Link href="/docs/api" className="-mx-1 rounded-sm p-1 hover:text-fg hover:underline">
          {text.apiReference}
        </Link>
        <Link href="/models" className="-mx-1 rounded-sm p-1 hover:text-fg hover:underline">
          {text.models}
        </Link>
        {props.statusPage && (
          <Link href="/status" className="-mx-1 rounded-sm p-1 hover:text-fg hover:underline">
            {status.title}
          </Link>
        )}
        {props.contact !== null && (
          <span className="min-w-0">
            {footer.contact} <Contact contact={props.contact} />
          </span>
        )}
        <span>{footer.licence}</span>
      </div>
    </footer>
  );
}
