"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { cookieNames } from "../i18n/locale";
import { setCookie } from "../i18n/preferences";
import { focusMain } from "../ui/focus-main";
import { type Announcement, noticeMark, noticeToShow, writeHiddenNotices } from "./hidden-notices";
import { NoticeStrip } from "./notice-strip";

/** It lists the public announcements itself. */
const STATUS_PAGE = "/status";

/** The announcement that matters most, until the reader puts it away; then the next one. */
export function AnnouncementBanner(props: {
  announcements: readonly Announcement[];
  /** What the reader has put away before. */
  hidden: readonly string[];
  text: { label: string; hide: string };
  more?: ReactNode;
  /** The width of its content. */
  width?: string;
}) {
  const [hidden, setHidden] = useState(props.hidden);
  const path = usePathname();
  const notice = noticeToShow(props.announcements, hidden);
  if (notice === null || path === STATUS_PAGE) return null;
  function hide(mark: string) {
    const marks = [...hidden, mark];
    setCookie(cookieNames.notices, writeHiddenNotices(marks));
    setHidden(marks);
    focusMain();
  }
  return (
    <NoticeStrip
      key={noticeMark(notice)}
      notice={notice}
      label={props.text.label}
      more={props.more}
      width={props.width}
      hide={{ label: props.text.hide, onHide: () => hide(noticeMark(notice)) }}
    />
  );
}
