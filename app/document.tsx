import type { Viewport } from "next";
import localFont from "next/font/local";
import type { ReactNode } from "react";
import { LanguageProvider } from "@/components/i18n/provider";
import { pickMessages } from "@/components/server/messages";
import { isPhoneRequest, readPreferences } from "@/components/server/preferences";
import "./globals.css";

/** Latin letters and figures; the system shows Chinese. */
const latin = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-latin",
  // Text never moves when the font arrives late: the first page then keeps the font of the system.
  display: "optional",
});

/** The colours that the browser shows around every page. */
export const pageViewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#0f141b" },
  ],
};

/** The document around every page, in the reader's language and theme, with the words that every page needs. */
export async function Document(props: { children: ReactNode }) {
  const { locale, theme, timeZone, numbers, columns } = await readPreferences();
  const messages = await pickMessages("common");
  return (
    <html lang={locale} data-theme={theme} className={latin.variable}>
      <body>
        <div className="app-root">
          <LanguageProvider
            locale={locale}
            timeZone={timeZone}
            numbers={numbers}
            columns={columns}
            messages={messages}
            renderedAtMs={Date.now()}
            isPhone={await isPhoneRequest()}
          >
            {props.children}
          </LanguageProvider>
        </div>
      </body>
    </html>
  );
}
