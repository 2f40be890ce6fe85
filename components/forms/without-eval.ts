import { config } from "zod";

// The content security policy forbids code made from text, and zod would try it with the first schema that is made.
config({ jitless: true });
