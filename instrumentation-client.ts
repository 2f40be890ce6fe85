// Evaluates the largest modules of the pages in a task of their own, before the one in which the framework takes a page over.
import "react-dom/client";
import "next/link";
import "next/navigation";
