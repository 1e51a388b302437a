/** The page's first frame. What follows it (start.ts) wants every core, and this thread to compile the code. */
import "./unregister.ts";
import { appearanceOf, keptChoices, showAppearance } from "./ui/appearance.ts";
import "./ui/styles/index.css";

/** What is hidden meanwhile is never drawn. Milliseconds. */
const LATEST = 100;

// The frame that index.html has is shown in the user's colours at once, and not when all code is there.
showAppearance(document.documentElement, appearanceOf(keptChoices(() => localStorage)), matchMedia("(prefers-color-scheme: dark)").matches);

if (!document.hidden) {
  await new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, LATEST);
  });
}

// All of the page's code now, with its hashes (scripts/build.mjs): later another program may have the port.
const later = document.getElementById("later") as HTMLTemplateElement | null;
if (later) document.head.append(later.content);
try {
  await import("./start.ts");
} catch (error) {
  document.getElementById("app")!.textContent = `The app could not be loaded: ${error instanceof Error ? error.message : String(error)}. Reload the page.`;
  throw error;
}
