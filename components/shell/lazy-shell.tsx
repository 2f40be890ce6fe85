"use client";

import dynamic from "next/dynamic";

/** The shell in scripts of its own, for the page of unknown addresses, which shares its first scripts with every page. */
export const LazyShell = dynamic(() => import("./shell").then((module) => module.Shell));
