"use client";

import "./globals.css";

/** Shown when the layout fails, so it uses neither dictionary nor shell. */
export default function GlobalError(props: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <main className="mx-auto grid min-h-dvh max-w-[560px] content-center justify-items-center gap-4 px-4 text-center">
          <h1 className="text-xl font-semibold">Something went wrong · 出错了</h1>
          <p className="text-lg text-muted">
            The page could not be shown. Your data is safe. · 页面无法显示，数据不受影响。
          </p>
          <button
            type="button"
            onClick={props.retry}
            className="h-9 rounded-md bg-primary px-4 font-medium text-on-primary"
          >
            Try again · 重试
          </button>
        </main>
      </body>
    </html>
  );
}
