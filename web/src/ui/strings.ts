/** Every text that the user sees, by the part of the view that shows it. */
import { page } from "./strings/page.ts";
import { views } from "./strings/views.ts";

export const strings = { ...page, ...views };
