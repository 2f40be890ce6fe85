import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { LanguageProvider } from "@/components/i18n/provider";
import { pickMessages, readPreferences } from "@/components/i18n/server";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Tollgate", template: "%s · Tollgate" },
  description: "A model gateway: two protocols in, any provider out, every cent accounted for.",
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#0f141b" },
  ],
};

export default async function RootLayout(props: { children: ReactNode }) {
  const { locale, theme, timeZone, numbers } = await readPreferences();
  const messages = await pickMessages("common");
  return (
    <html lang={locale} data-theme={theme}>
      <body>
        <div className="app-root">
          <LanguageProvider locale={locale} timeZone={timeZone} numbers={numbers} messages={messages}>
            {props.children}
          </LanguageProvider>
        </div>
      </body>
    </html>
  );
}
