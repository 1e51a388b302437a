/** The page's first frame. What follows it (start.ts) wants every core, and this thread to compile the code. */
import { removeServiceWorkers } from "./service-workers.ts";
import { appearanceOf, keptChoices, showAppearance } from "./ui/appearance.ts";
import "./ui/styles/frame.css";

/** What is hidden meanwhile is never drawn. Milliseconds. */
const LATEST = 100;

// The frame that index.html has is shown in the user's colours at once, and not when all code is there.
showAppearance(document.documentElement, appearanceOf(keptChoices(() => localStorage)), matchMedia("(prefers-color-scheme: dark)").matches);
// Not awaited here: start.ts has imports in common with this module, and would wait for it.
void begin();

async function begin(): Promise<void> {
  if (!document.hidden) {
    await new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve));
      setTimeout(resolve, LATEST);
    });
  }
  // Before Workers are started.
  await removeServiceWorkers((navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker, () => location.reload());
  // All that is left of the page's code and styles now, with its hashes (scripts/build.mjs): later another program may have the port. The development server has no such list.
  const later = document.getElementById("later") as HTMLTemplateElement | null;
  const styles = later ? [...later.content.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].map(loaded) : [];
  if (later) document.head.append(later.content);
  const address = document.querySelector<HTMLLinkElement>("link#start")?.href ?? new URL("src/start.ts", document.baseURI).href;
  try {
    // By its address: for a name the bundler would add code that has to be there before the first frame.
    const started = import(/* @vite-ignore */ address) as Promise<typeof import("./start.ts")>;
    await Promise.all([started, ...styles]);
    await (await started).show();
  } catch (error) {
    document.getElementById("app")!.textContent = `The app could not be loaded: ${error instanceof Error ? error.message : String(error)}. Reload the page.`;
    throw error;
  }
}

function loaded(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(`${link.href} is not there or not what it should be`));
  });
}
